//! What every SVG of a board is made of, whatever is played on it: colours, words, the frame's corners, arrows.

use std::fmt::{Arguments, Display, Write};

use crate::board::Color;
use crate::rules::Outcome;
use crate::text::Language;

use super::pieces::glyph;

/// Side of a square, or from a point to the next, in the picture's units.
pub const FIELD: f32 = 45.0;
/// Room for the coordinates around the board.
pub const EDGE: f32 = 18.0;
/// The frame that they stand on.
pub const FRAME: &str = "#4a3426";
/// What is written there.
pub const ON_FRAME: &str = "#e8d9bf";
/// What is written there and matters.
const LOUD: &str = "#f4d873";
/// Light squares.
pub const LIGHT: &str = "#eeddc0";
/// Dark squares.
pub const DARK: &str = "#b58a62";
/// Where the last move was.
pub const LAST: &str = "#7fb069";
/// The arrows of who is to move, and of the other side.
const ARROWS: [&str; 2] = ["#1f6f8b", "#6b4a8b"];

/// Fill, outline and inner lines of a side's pieces.
pub const fn paint(color: Color) -> (&'static str, &'static str, &'static str) {
    match color {
        Color::White => ("#fdfaf3", "#2a211b", "#2a211b"),
        Color::Black => ("#3a322e", "#0f0c0a", "#d8cbb8"),
    }
}

/// A picture that is being written. Places are pairs of x, to the right, and y, downwards.
pub struct Sheet {
    out: String,
    size: (f32, f32),
}

impl Sheet {
    /// A frame of this width and height; `title` and `description` are for those who cannot see it. Neither is escaped.
    pub fn new(size: (f32, f32), title: &dyn Display, description: &str) -> Sheet {
        let (width, height) = size;
        let mut sheet = Sheet { out: String::with_capacity(20_480), size };
        sheet.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
        ));
        sheet.add(format_args!("<title>{title}</title>"));
        sheet.add(format_args!("<desc>{description}.</desc>"));
        sheet.add(format_args!(
            r#"<rect width="{width}" height="{height}" rx="6" fill="{FRAME}"/>"#
        ));
        sheet
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    /// Adds a shape, or the beginning of a group.
    pub fn add(&mut self, shape: Arguments) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{shape}");
    }

    /// Ends a group.
    pub fn end_group(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// Signs side by side around a point.
    pub fn word(&mut self, text: &str, (x, y): (f32, f32), scale: f32, color: &str) {
        let advance = 5.4 * scale;
        let width = advance * text.chars().count() as f32 - 1.4 * scale;
        let (mut x, y) = (x - width / 2.0, y - 3.0 * scale);
        for sign in text.chars() {
            let path = glyph(sign);
            self.add(format_args!(
                r#"<path transform="translate({x:.1} {y:.1}) scale({scale})" d="{path}" fill="none" stroke="{color}" stroke-linecap="round"/>"#
            ));
            x += advance;
        }
    }

    /// In the corners of the frame: on the right a disc at the side to move, or the result; on the
    /// left how often the position has stood, if more than once.
    pub fn corners(
        &mut self,
        side: Color,
        outcome: Option<Outcome>,
        repetitions: usize,
        flip: bool,
        language: Language,
    ) {
        let (right, below) = (self.size.0 - EDGE / 2.0, self.size.1 - EDGE / 2.0);
        if let Some(outcome) = outcome {
            let text = match outcome.winner {
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
                None => "1/2",
            };
            let name = outcome.winner_name();
            self.add(format_args!(
                r#"<g class="result" data-winner="{name}" data-reason="{}"><title>{}</title>"#,
                outcome.reason,
                language.outcome(outcome),
            ));
            self.word(text, (right, below), 0.95, LOUD);
            self.end_group();
        } else {
            let bottom = (side == Color::White) != flip;
            let y = if bottom { below } else { EDGE / 2.0 };
            let (fill, stroke) = match side {
                Color::White => ("#fdfaf3", "#2a211b"),
                Color::Black => ("#1d1815", "#e8d9bf"),
            };
            let name = side.name();
            self.add(format_args!(
                r#"<circle class="turn" data-side="{name}" cx="{right}" cy="{y}" r="5" fill="{fill}" stroke="{stroke}" stroke-width="1.3"/>"#
            ));
        }
        if repetitions > 1 {
            self.add(format_args!(r#"<g class="repetitions" data-times="{repetitions}">"#));
            self.word(&format!("{repetitions}×"), (EDGE / 2.0 + 0.5, below), 1.1, LOUD);
            self.end_group();
        }
    }

    /// Begins the group of a move of a variation, counted from 0, and gives the colour of its arrows: the later, the paler.
    pub fn begin_arrows(&mut self, m: &dyn Display, kind: &str, ply: usize) -> &'static str {
        let opacity = (0.88 - 0.08 * ply as f32).max(0.45);
        self.add(format_args!(
            r#"<g class="arrow" data-move="{m}" data-kind="{kind}" data-ply="{}" opacity="{opacity:.2}">"#,
            ply + 1
        ));
        if ply.is_multiple_of(2) { ARROWS[0] } else { ARROWS[1] }
    }

    /// The number of a move of a variation, counted from 0, on its arrow.
    pub fn number(&mut self, ply: usize, middle: (f32, f32), color: &str) {
        let (x, y) = middle;
        self.add(format_args!(
            r##"<circle cx="{x:.1}" cy="{y:.1}" r="6.5" fill="{color}" stroke="#ffffff" stroke-width="1"/>"##
        ));
        self.word(&(ply + 1).to_string(), middle, 1.1, "#ffffff");
    }

    /// An arrow between two places, each with its name; `bend` is how far it bows to its left, as a share
    /// of its length. Gives the point halfway.
    pub fn arrow<N: Display>(
        &mut self,
        (from, (x1, y1)): (N, (f32, f32)),
        (to, (x2, y2)): (N, (f32, f32)),
        bend: f32,
        color: &str,
    ) -> (f32, f32) {
        let length = (x2 - x1).hypot(y2 - y1);
        let (cx, cy) = ((x1 + x2) / 2.0 + (y2 - y1) * bend, (y1 + y2) / 2.0 - (x2 - x1) * bend);
        // The head lies along the curve's last direction and ends a little before the centre.
        let reach = (x2 - cx).hypot(y2 - cy).max(1.0);
        let (ux, uy) = ((x2 - cx) / reach, (y2 - cy) / reach);
        let (tip_x, tip_y) = (x2 - 4.0 * ux, y2 - 4.0 * uy);
        let head = (length / 3.0).min(13.0);
        let (base_x, base_y) = (tip_x - head * ux, tip_y - head * uy);
        let half = head * 0.62;
        let (left_x, left_y) = (base_x - half * uy, base_y + half * ux);
        let (right_x, right_y) = (base_x + half * uy, base_y - half * ux);
        self.add(format_args!(
            r#"<path class="shaft" data-from="{from}" data-to="{to}" d="M{x1:.1} {y1:.1} Q{cx:.1} {cy:.1} {base_x:.1} {base_y:.1}" fill="none" stroke="{color}" stroke-width="5" stroke-linecap="round"/><path d="M{tip_x:.1} {tip_y:.1} L{left_x:.1} {left_y:.1} L{right_x:.1} {right_y:.1}z" fill="{color}"/>"#
        ));
        ((x1 + 2.0 * cx + base_x) / 4.0, (y1 + 2.0 * cy + base_y) / 4.0)
    }
}
