//! White's winning chance over a game, as an SVG picture.
//!
//! Shapes that say something carry a class and what they are about as `data-…`: `chance` (the curve),
//! `mark` with `data-ply` and `data-mark`, `ply` (a strip over each position, for a page to listen to).

use std::fmt::Write;

use super::review::{Mark, Review};
use super::words::Words;

/// Of the picture.
const WIDTH: f64 = 960.0;
/// Of the picture.
const HEIGHT: f64 = 200.0;
/// Room for the numbers below.
const FOOT: f64 = 18.0;
/// Room for the name of the lower axis.
const NAME: f64 = 46.0;

/// The colour of a mark.
pub const fn color(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "#e0a526",
        Mark::Mistake => "#e07b26",
        Mark::Blunder => "#d7263d",
    }
}

/// Draws the chances: below the curve is White's part, above it Black's.
pub fn svg(review: &Review, words: Words) -> String {
    let mut out = String::with_capacity(8_192);
    let plies = review.steps.len();
    let field = HEIGHT - FOOT;
    let x = |ply: usize| if plies == 0 { 0.0 } else { WIDTH * ply as f64 / plies as f64 };
    let y = |chance: f64| field * (1.0 - chance);
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        r#"<svg class="graph" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif" font-size="11">"#
    );
    let title = words.language.texts().chance_of_white;
    let _ = writeln!(out, "<title>{title}</title>");
    let _ = writeln!(out, r##"<rect width="{WIDTH}" height="{field}" rx="4" fill="#3a322e"/>"##);
    let mut path = String::new();
    for (ply, evaluation) in review.evaluations.iter().enumerate() {
        let _ = write!(path, " L{:.1} {:.1}", x(ply), y(evaluation.white));
    }
    // A start without moves is a level line.
    if plies == 0
        && let Some(only) = review.evaluations.first()
    {
        let _ = write!(path, " L{WIDTH} {:.1}", y(only.white));
    }
    let _ = writeln!(
        out,
        r##"<path d="M0 {field}{path} L{WIDTH} {field}z" fill="#f1e7d3"/><path class="chance" d="M{}" fill="none" stroke="#b58a62" stroke-width="2" stroke-linejoin="round"/>"##,
        path.trim_start_matches(" L"),
    );
    let middle = field / 2.0;
    let _ = writeln!(
        out,
        r##"<path d="M0 {middle} H{WIDTH}" stroke="#8a7a6a" stroke-dasharray="4 4"/>"##
    );
    for (text, height) in [
        (format!("100 %   {title}"), 13.0),
        ("50 %".to_owned(), middle - 4.0),
        ("0 %".to_owned(), field - 5.0),
    ] {
        let _ = writeln!(
            out,
            r##"<text class="axis" x="5" y="{height}" fill="#a08c78">{text}</text>"##
        );
    }
    let _ = writeln!(
        out,
        r##"<text class="axis" x="5" y="{}" fill="#8a7a6a">{}</text>"##,
        HEIGHT - 4.0,
        words.language.texts().move_axis
    );
    let numbers = review.steps.iter().map(|step| step.before.fullmove());
    let every = (plies / 2 / 12).max(1).next_multiple_of(if plies > 40 { 5 } else { 1 }) as u16;
    let mut last = None;
    for (ply, number) in numbers.enumerate() {
        if number.is_multiple_of(every) && last != Some(number) && x(ply) > NAME {
            let _ = writeln!(
                out,
                r##"<text x="{:.1}" y="{}" text-anchor="middle" fill="#8a7a6a">{number}</text>"##,
                x(ply),
                HEIGHT - 4.0
            );
        }
        last = Some(number);
    }
    for (ply, step) in review.steps.iter().enumerate() {
        let (Some(mark), Some(after)) = (step.mark, review.evaluations.get(ply + 1)) else {
            continue;
        };
        let _ = writeln!(
            out,
            r##"<circle class="mark" data-ply="{}" data-mark="{}" cx="{:.1}" cy="{:.1}" r="4.5" fill="{}" stroke="#ffffff" stroke-width="1.2"><title>{}</title></circle>"##,
            ply + 1,
            mark.name(),
            x(ply + 1).clamp(6.0, WIDTH - 6.0),
            y(after.white).clamp(6.0, field - 6.0),
            color(mark),
            words.numbered(step),
        );
    }
    let width = WIDTH / plies.max(1) as f64;
    for (ply, evaluation) in review.evaluations.iter().enumerate() {
        let what = match ply.checked_sub(1).and_then(|ply| review.steps.get(ply)) {
            Some(step) => words.numbered(step),
            None => words.language.texts().start_position.to_owned(),
        };
        let _ = writeln!(
            out,
            r#"<rect class="ply" data-ply="{ply}" x="{:.2}" y="0" width="{width:.2}" height="{field}" fill="transparent"><title>{what}: {} %</title></rect>"#,
            x(ply) - width / 2.0,
            words.percent(evaluation.white),
        );
    }
    out.push_str("</svg>\n");
    out
}
