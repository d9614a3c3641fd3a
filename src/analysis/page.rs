//! Reviews as one HTML page that needs nothing else: pictures, graph, moves to click on.
//!
//! What is fixed stands in `assets/`; the games go into the page as JSON, from which the script draws
//! boards with the same pieces as [`picture`]. All text from a game's file is escaped.

use serde::Serialize;

use crate::board::{Color, Square};
use crate::picture::{self, Picture};
use crate::rules::notation::san;
use crate::rules::{GameRecord, Position, goal_rank};

use super::graph;
use super::review::{Mark, Review};
use super::words::Words;

const STYLE: &str = include_str!("assets/review.css");
const SCRIPT: &str = include_str!("assets/review.js");

/// So many turning points of a game get a picture.
const PICTURES: usize = 6;

/// A piece or a mark on a square.
type Placed = (String, String);

/// What the script must know of a game.
#[derive(Serialize)]
struct GameData {
    conquest: bool,
    positions: Vec<PositionData>,
}

/// What the script must know of a position.
#[derive(Serialize)]
struct PositionData {
    /// The position.
    fen: String,
    /// The move that led here, as text for people; the first has none.
    title: String,
    /// Letters as in FEN, and squares.
    pieces: Vec<Placed>,
    /// Squares of the move that led here.
    last: Vec<String>,
    /// Kings that stand attacked.
    attacked: Vec<String>,
    /// Kings on their goal rank: `ultimatum` or `conquest`.
    flags: Vec<Placed>,
    /// From and to, of all pieces that the best move moves.
    best: Vec<Placed>,
    /// White's chance, 0 to 1.
    white: f64,
    score: String,
    /// What is said of the move that led here.
    note: String,
    mark: &'static str,
    /// After a marked move the line that would have been better, else the best line from here.
    line: String,
}

/// Makes the page. `limit` says how long each position was searched, for people.
pub fn html(reviews: &[Review], words: Words, limit: &str) -> String {
    let texts = words.language.texts();
    let data: Vec<GameData> = reviews.iter().map(|review| game_data(review, words)).collect();
    // `<` could close the script element.
    let data = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
    let sections: String =
        (0..).zip(reviews).map(|(index, review)| section(index, review, words)).collect();
    let tabs: String = if reviews.len() > 1 {
        let tab = |(index, review): (usize, &Review)| {
            format!(
                r#"<button class="tab" data-game="{index}">{}. {} – {}</button>"#,
                index + 1,
                escape(review.game.tag("White").unwrap_or("?")),
                escape(review.game.tag("Black").unwrap_or("?")),
            )
        };
        format!(
            "<nav class=\"tabs\">{}</nav>\n",
            reviews.iter().enumerate().map(tab).collect::<String>()
        )
    } else {
        String::new()
    };
    let about = crate::text::fill(texts.made_by, &[("limit", &limit)]);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\">{}</svg>\n\
         {tabs}<main>\n{sections}</main>\n<footer>{}</footer>\n\
         <script type=\"application/json\" id=\"games\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        words.language.code(),
        escape(texts.review_title),
        picture::symbols(),
        escape(&about),
    )
}

/// The part of the page about a game.
fn section(index: usize, review: &Review, words: Words) -> String {
    let texts = words.language.texts();
    let tag = |name: &str| review.game.tag(name).filter(|text| !text.starts_with('?'));
    let hidden = if index == 0 { "" } else { " hidden" };
    let mut about: Vec<String> =
        ["Event", "Site", "Date"].iter().filter_map(|n| tag(n)).map(escape).collect();
    let end = review.game.record.outcome().map(|outcome| escape(&words.language.outcome(outcome)));
    about.extend(end);
    let players: Vec<String> =
        Color::ALL.iter().map(|&color| player(review, color, words)).collect();
    let button = |action: &str, sign: &str, title: &str| {
        format!(
            r#"<button data-go="{action}" title="{t}" aria-label="{t}">{sign}</button>"#,
            t = escape(title)
        )
    };
    let buttons = [
        button("first", "|◀", texts.first_move),
        button("back", "◀", texts.previous_move),
        button("next", "▶", texts.next_move),
        button("last", "▶|", texts.last_move),
        button("flip", "⇅", texts.flip_board),
    ];
    format!(
        "<section class=\"game\" data-game=\"{index}\"{hidden}>\n<header>{}<div class=\"result\"><b>{}</b><span>{}</span></div>{}</header>\n\
         <div class=\"desk\">\n<div class=\"left\"><div class=\"table\"><div class=\"bar\"><i></i></div><svg class=\"board\" viewBox=\"0 0 376 376\" role=\"img\"></svg></div>\n\
         <div class=\"tools\">{}<label><input type=\"checkbox\" class=\"show-best\" checked> {}</label></div></div>\n\
         <div class=\"right\"><div class=\"note\"><h2></h2><p class=\"say\"></p><p class=\"line\"><b>{}</b> <span></span></p></div>\n<div class=\"moves\">{}</div></div>\n</div>\n\
         <figure>{}</figure>\n{}</section>\n",
        players.first().map_or("", String::as_str),
        review.game.result,
        about.join(" · "),
        players.last().map_or("", String::as_str),
        buttons.concat(),
        escape(texts.show_best),
        escape(texts.best_line),
        moves(review, words),
        graph::svg(review, words),
        turning_points(review, words),
    )
}

/// Name, accuracy and marks of a side.
fn player(review: &Review, color: Color, words: Words) -> String {
    let (name, elo) = match color {
        Color::White => ("White", "WhiteElo"),
        Color::Black => ("Black", "BlackElo"),
    };
    let tag = |name: &str| review.game.tag(name).filter(|text| *text != "?");
    let shown = tag(name).unwrap_or_else(|| words.language.side(color));
    let elo = tag(elo).map(|elo| format!(" <small>{}</small>", escape(elo))).unwrap_or_default();
    let accuracy =
        review.accuracy(color).map_or("–".to_owned(), |a| words.language.decimal(a, 1));
    let counts: String = Mark::ALL
        .iter()
        .map(|&mark| {
            format!(
                r#"<span class="count {}" title="{}">{} <b>{}</b></span>"#,
                mark.name(),
                escape(words.marks(mark)),
                mark.sign(),
                review.count(color, mark)
            )
        })
        .collect();
    format!(
        r#"<div class="player {}"><h1><i></i>{}{elo}</h1><div class="accuracy"><b>{accuracy}</b> {}</div><div>{counts}</div></div>"#,
        color.name(),
        escape(shown),
        escape(words.language.texts().accuracy),
    )
}

/// The moves as buttons, a row for each pair.
fn moves(review: &Review, words: Words) -> String {
    let mut out = format!(
        r#"<button class="move start" data-ply="0">{}</button>"#,
        escape(words.language.texts().start_position)
    );
    if review.steps.is_empty() {
        out += &format!("<p>{}</p>", escape(words.language.texts().no_moves_played));
    }
    for (ply, step) in (1..).zip(&review.steps) {
        let white = step.before.side_to_move() == Color::White;
        if white || ply == 1 {
            out += &format!("<span class=\"number\">{}.</span>", step.before.fullmove());
        }
        if !white && ply == 1 {
            out += "<span class=\"gap\">…</span>";
        }
        let (class, sign) = step.mark.map_or(("", ""), |mark| (mark.name(), mark.sign()));
        out += &format!(
            r#"<button class="move {class}" data-ply="{ply}">{}{sign}</button>"#,
            escape(&san(&step.before, step.m, words.letters)),
        );
    }
    out
}

/// Pictures of the positions before the worst moves, with what would have been better.
fn turning_points(review: &Review, words: Words) -> String {
    let is_worse = |ply: &usize| {
        let mark = review.steps.get(*ply).and_then(|step| step.mark);
        mark >= Some(Mark::Mistake)
            || review.steps.get(*ply).is_some_and(|s| s.mark.is_some() && !s.findings.is_empty())
    };
    let mut plies: Vec<usize> = (0..review.steps.len()).filter(is_worse).collect();
    let loss = |ply: usize| review.steps.get(ply).map_or(0.0, |step| step.loss);
    plies.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)));
    plies.truncate(PICTURES);
    plies.sort_unstable();
    let cards: String = plies
        .iter()
        .filter_map(|&ply| {
            let step = review.steps.get(ply)?;
            let game = review.until(ply);
            let best: Vec<_> = review.better(ply)?.iter().take(1).copied().collect();
            let lines = [best];
            let picture = Picture {
                lines: &lines,
                letters: words.letters,
                language: words.language,
                ..Picture::of(&game)
            };
            let us = step.before.side_to_move();
            let chance = |at: usize| {
                let evaluation = review.evaluations.get(at);
                words.percent(evaluation.map_or(0.5, |e| e.of(us)))
            };
            let fell = crate::text::fill(
                words.language.texts().chance_from_to,
                &[("before", &chance(ply)), ("after", &chance(ply + 1))],
            );
            Some(format!(
                "<a class=\"card\" href=\"#\" data-ply=\"{}\">{}<b class=\"{}\">{}</b> <small>{fell}</small><br>{}</a>",
                ply + 1,
                picture::svg(&picture),
                step.mark.map_or("", Mark::name),
                escape(&words.numbered(step)),
                escape(&words.step(review, ply)),
            ))
        })
        .collect();
    if cards.is_empty() {
        return String::new();
    }
    format!(
        "<h2>{}</h2>\n<div class=\"cards\">{cards}</div>\n",
        escape(words.language.texts().turning_points)
    )
}

fn game_data(review: &Review, words: Words) -> GameData {
    let mut game = GameRecord::new(*review.game.record.start());
    let mut positions = Vec::with_capacity(review.evaluations.len());
    for ply in 0..review.evaluations.len() {
        if let Some(step) = ply.checked_sub(1).and_then(|ply| review.steps.get(ply))
            && game.play(step.m).is_err()
        {
            break;
        }
        positions.push(position_data(review, ply, &game, words));
    }
    GameData { conquest: review.game.record.start().edition().has_conquest(), positions }
}

fn position_data(review: &Review, ply: usize, game: &GameRecord, words: Words) -> PositionData {
    let position = game.position();
    let step = ply.checked_sub(1).and_then(|ply| review.steps.get(ply));
    let evaluation = review.evaluations.get(ply);
    let kings = |chosen: &dyn Fn(Color, Square) -> bool| -> Vec<Square> {
        let king = |color| position.king(color).filter(|&king| chosen(color, king));
        Color::ALL.into_iter().filter_map(king).collect()
    };
    let text = |square: Square| square.to_string();
    let legs = |before: &Position, m| {
        picture::legs(before, m).into_iter().map(|(from, to)| (text(from), text(to)))
    };
    let best = evaluation.and_then(|e| e.line.first());
    let flag = if game.outcome().is_some() { "conquest" } else { "ultimatum" };
    let conquest = position.edition().has_conquest();
    let arrived = kings(&|color, king| conquest && goal_rank(color).has(king));
    let pieces = position.occupied().into_iter().filter_map(|square| {
        let (color, kind) = position.piece_at(square)?;
        let letter = match color {
            Color::White => kind.letter(),
            Color::Black => kind.letter().to_ascii_lowercase(),
        };
        Some((letter.to_string(), text(square)))
    });
    let score = evaluation.and_then(|e| e.white_score(position.side_to_move()));
    let better = step.filter(|step| step.mark.is_some()).and_then(|step| {
        let line = review.better(ply - 1)?;
        Some(picture::line(&step.before, line, words.letters))
    });
    let line =
        better.or_else(|| evaluation.map(|e| picture::line(position, &e.line, words.letters)));
    let last: Vec<String> = step
        .map(|step| legs(&step.before, step.m).flat_map(|(from, to)| [from, to]).collect())
        .unwrap_or_default();
    PositionData {
        fen: position.to_fen(),
        title: step.map_or(words.language.texts().start_position.to_owned(), |s| words.numbered(s)),
        pieces: pieces.collect(),
        last,
        attacked: kings(&|color, _| position.king_attacked(color)).into_iter().map(text).collect(),
        flags: arrived.into_iter().map(|king| (flag.to_owned(), text(king))).collect(),
        best: best.map(|&m| legs(position, m).collect()).unwrap_or_default(),
        white: evaluation.map_or(0.5, |e| e.white),
        score: score.map(|score| words.score(score)).unwrap_or_else(|| {
            game.outcome().map(|outcome| words.language.outcome(outcome)).unwrap_or_default()
        }),
        note: ply.checked_sub(1).map(|ply| words.step(review, ply)).unwrap_or_default(),
        mark: step.and_then(|step| step.mark).map_or("", Mark::name),
        line: line.unwrap_or_default(),
    }
}

/// Text for an element or an attribute.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}
