//! A board as SVG: one self-contained picture, no font, no script.
//!
//! Shapes that say something carry a class, and what they are about as `data-…` attributes:
//! `square`, `piece`, `last`, `attacked`, `flag`, `arrow`, `mark`, `turn`, `repetitions`, `result`.

use std::fmt::{Arguments, Write};

use crate::board::{Bitboard, Color, PieceKind, Square};
use crate::rules::{Move, Position, Reason, goal_rank};
use crate::text::{Language, fill};

use super::pieces::{drawing, glyph};
use super::scene::{Legs, Picture, Repeat, Scene, Verdict};

/// Side of a square, in the picture's units.
const FIELD: f32 = 45.0;
/// Room for the coordinates around the board.
const EDGE: f32 = 18.0;
/// Side of the picture.
const SIZE: f32 = 8.0 * FIELD + 2.0 * EDGE;

const FRAME: &str = "#4a3426";
const ON_FRAME: &str = "#e8d9bf";
const LIGHT: &str = "#eeddc0";
const DARK: &str = "#b58a62";
const GOAL_LIGHT: &str = "#f4d873";
const GOAL_DARK: &str = "#d3a52f";
const LAST: &str = "#7fb069";
const ATTACKED: &str = "#d7263d";
const ULTIMATUM: &str = "#d7263d";
const CONQUERED: &str = "#2e8b57";
/// The arrows of who is to move, and of the other side.
const ARROWS: [&str; 2] = ["#1f6f8b", "#6b4a8b"];
/// The arrow of the piece that moves along: supporter, pawn, Rook.
const SECOND_ARROW: &str = "#c2571a";

/// Draws where a game stands.
pub fn svg(picture: &Picture) -> String {
    let scene = Scene::of(picture.game);
    let (language, texts) = (picture.language, picture.language.texts());
    let mut canvas = Canvas { out: String::with_capacity(20_480), flip: picture.flip, language };
    canvas.add(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">"#
    ));
    canvas.add(format_args!("<title>{}</title>", scene.position.to_fen()));
    let mut sentences = scene.sentences(language);
    let last = scene.last_text(picture.letters);
    sentences.extend(last.map(|last| fill(texts.last_played, &[("move", &last)])));
    canvas.add(format_args!("<desc>{}.</desc>", sentences.join("; ")));
    canvas.add(format_args!(r#"<rect width="{SIZE}" height="{SIZE}" rx="6" fill="{FRAME}"/>"#));
    canvas.coordinates();
    canvas.corners(&scene);
    canvas.squares(&scene);
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            for square in scene.position.of(color, kind) {
                canvas.piece(color, kind, square);
            }
        }
    }
    canvas.flags(&scene);
    canvas.marks(&scene.repeats);
    for line in picture.lines {
        canvas.line(scene.position, line);
    }
    canvas.out.push_str("</svg>\n");
    canvas.out
}

/// The pieces as symbols for a page that draws boards of its own: `piece-K` to `piece-p`, each 45 wide and
/// high, named by their letters in FEN.
pub fn symbols() -> String {
    let mut out = String::new();
    for color in Color::ALL {
        let (fill, stroke, inner) = paint(color);
        for kind in PieceKind::ALL {
            let letter = letter(color, kind);
            let shapes = drawing(kind).replace("{i}", inner);
            // Writing to a String cannot fail.
            let _ = write!(
                out,
                r#"<symbol id="piece-{letter}" viewBox="0 0 45 45" fill="{fill}" stroke="{stroke}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">{shapes}</symbol>"#
            );
        }
    }
    out
}

/// Fill, outline and inner lines of a side's pieces.
const fn paint(color: Color) -> (&'static str, &'static str, &'static str) {
    match color {
        Color::White => ("#fdfaf3", "#2a211b", "#2a211b"),
        Color::Black => ("#3a322e", "#0f0c0a", "#d8cbb8"),
    }
}

/// A piece's letter as in FEN.
const fn letter(color: Color, kind: PieceKind) -> char {
    match color {
        Color::White => kind.letter(),
        Color::Black => kind.letter().to_ascii_lowercase(),
    }
}

struct Canvas {
    out: String,
    flip: bool,
    language: Language,
}

impl Canvas {
    fn add(&mut self, shape: Arguments) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{shape}");
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f32, f32) {
        let (column, row) = if self.flip {
            (7 - square.file(), square.rank())
        } else {
            (square.file(), 7 - square.rank())
        };
        (EDGE + FIELD * f32::from(column), EDGE + FIELD * f32::from(row))
    }

    fn centre(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.corner(square);
        (x + FIELD / 2.0, y + FIELD / 2.0)
    }

    /// Signs side by side around a point.
    fn word(&mut self, text: &str, (x, y): (f32, f32), scale: f32, color: &str) {
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

    fn coordinates(&mut self) {
        let far = SIZE - EDGE / 2.0;
        for index in 0..8 {
            let square = Square::at(index, index);
            let (x, y) = self.centre(square);
            let (file, rank) = (square.file_letter().to_string(), square.rank_digit().to_string());
            for near in [EDGE / 2.0, far] {
                self.word(&file, (x, near), 1.3, ON_FRAME);
                self.word(&rank, (near, y), 1.3, ON_FRAME);
            }
        }
    }

    /// In the corners of the frame: on the right a disc at the side to move, or the result; on the
    /// left how often the position has stood, if more than once.
    fn corners(&mut self, scene: &Scene) {
        let (near, far) = (EDGE / 2.0, SIZE - EDGE / 2.0);
        let side = scene.position.side_to_move();
        if let Some(outcome) = scene.outcome {
            let text = match outcome.winner {
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
                None => "1/2",
            };
            let name = outcome.winner_name();
            self.add(format_args!(
                r#"<g class="result" data-winner="{name}" data-reason="{}"><title>{}</title>"#,
                outcome.reason,
                self.language.outcome(outcome),
            ));
            self.word(text, (far, far), 0.95, "#f4d873");
            self.out.push_str("</g>\n");
        } else {
            let bottom = (side == Color::White) != self.flip;
            let y = if bottom { far } else { near };
            let (fill, stroke) = match side {
                Color::White => ("#fdfaf3", "#2a211b"),
                Color::Black => ("#1d1815", "#e8d9bf"),
            };
            let name = side.name();
            self.add(format_args!(
                r#"<circle class="turn" data-side="{name}" cx="{far}" cy="{y}" r="5" fill="{fill}" stroke="{stroke}" stroke-width="1.3"/>"#
            ));
        }
        if scene.repetitions > 1 {
            let times = scene.repetitions;
            self.add(format_args!(r#"<g class="repetitions" data-times="{times}">"#));
            self.word(&format!("{times}×"), (near + 0.5, far), 1.1, "#f4d873");
            self.out.push_str("</g>\n");
        }
    }

    fn squares(&mut self, scene: &Scene) {
        let goals = if scene.position.edition().has_conquest() {
            goal_rank(Color::White) | goal_rank(Color::Black)
        } else {
            Bitboard::EMPTY
        };
        for square in Bitboard::ALL {
            let light = (square.file() + square.rank()) % 2 == 1;
            let fill = match (goals.has(square), light) {
                (false, true) => LIGHT,
                (false, false) => DARK,
                (true, true) => GOAL_LIGHT,
                (true, false) => GOAL_DARK,
            };
            let (x, y) = self.corner(square);
            self.add(format_args!(
                r#"<rect class="square" x="{x}" y="{y}" width="{FIELD}" height="{FIELD}" fill="{fill}"/>"#
            ));
        }
        if let Some((before, m)) = scene.last {
            for square in Legs::of(&before, m).squares() {
                let (x, y) = self.corner(square);
                self.add(format_args!(
                    r#"<rect class="last" data-square="{square}" x="{x}" y="{y}" width="{FIELD}" height="{FIELD}" fill="{LAST}" opacity=".65"/>"#
                ));
            }
        }
        for square in scene.attacked {
            let (x, y) = self.centre(square);
            // Discs over one another stand for a gradient, which not every viewer draws.
            self.add(format_args!(
                r#"<g class="attacked" data-square="{square}" fill="{ATTACKED}" fill-opacity=".28"><circle cx="{x}" cy="{y}" r="22"/><circle cx="{x}" cy="{y}" r="19"/><circle cx="{x}" cy="{y}" r="15.5"/></g>"#
            ));
        }
    }

    fn piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        let (x, y) = self.corner(square);
        let (fill, stroke, inner) = paint(color);
        let shapes = drawing(kind).replace("{i}", inner);
        let letter = letter(color, kind);
        self.add(format_args!(
            r#"<g class="piece" data-piece="{letter}" data-square="{square}" transform="translate({x} {y})" fill="{fill}" stroke="{stroke}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">{shapes}</g>"#
        ));
    }

    /// A flag beside each King on its goal rank: red while it can still be taken, green when it has won.
    fn flags(&mut self, scene: &Scene) {
        for square in scene.arrived {
            let conquered = scene.outcome.is_some_and(|outcome| {
                let king = outcome.winner.and_then(|winner| scene.position.king(winner));
                outcome.reason == Reason::Conquest && king == Some(square)
            });
            let (meaning, color) = match (conquered, scene.ultimatum) {
                (true, _) => ("conquest", CONQUERED),
                (false, Some(_)) => ("ultimatum", ULTIMATUM),
                (false, None) => ("attacked", ULTIMATUM),
            };
            let (x, y) = self.corner(square);
            self.add(format_args!(
                r##"<g class="flag" data-flag="{meaning}" data-square="{square}" transform="translate({x} {y})" stroke="#2a211b" stroke-linejoin="round" stroke-linecap="round"><path d="M31 18 v-16" stroke-width="1.8"/><path d="M31 2.5 q3.5 -2 6 0 t6 0 v7.5 q-3.5 2 -6 0 t-6 0z" fill="{color}" stroke-width="1"/></g>"##
            ));
        }
    }

    /// The moves that would repeat a position: a thin dashed line, and at its end how often the
    /// position would have stood.
    fn marks(&mut self, repeats: &[Repeat]) {
        const WIDTH: f32 = 19.0;
        const HEIGHT: f32 = 13.0;
        for (index, repeat) in repeats.iter().enumerate() {
            let (m, times) = (repeat.m, repeat.times);
            let (color, name) = match repeat.verdict {
                Verdict::Wins => ("#1f8a3b", "wins"),
                Verdict::Loses => ("#c81e2b", "loses"),
                Verdict::Open => ("#4c5563", "open"),
            };
            let ((x1, y1), (x2, y2)) = (self.centre(m.from()), self.centre(m.to()));
            // Badges on the same square stand below one another.
            let before = repeats.iter().take(index).filter(|other| other.m.to() == m.to()).count();
            let (left, top) = self.corner(m.to());
            let (left, top) = (left + FIELD - WIDTH - 1.5, top + 1.5 + 14.0 * before as f32);
            let fate = repeat.ends.map(|outcome| format!(": {}", self.language.outcome(outcome)));
            self.add(format_args!(
                r#"<g class="mark" data-move="{m}" data-times="{times}" data-verdict="{name}"><title>{m} {times}×{}</title><path d="M{x1} {y1} L{x2} {y2}" stroke="{color}" stroke-width="2.2" stroke-dasharray="1 5" stroke-linecap="round"/><circle cx="{x2}" cy="{y2}" r="3" fill="{color}"/><rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="{color}"/>"#,
                fate.unwrap_or_default(),
            ));
            let middle = (left + WIDTH / 2.0, top + HEIGHT / 2.0);
            self.word(&format!("{times}×"), middle, 1.3, "#ffffff");
            self.out.push_str("</g>\n");
        }
    }

    /// A variation: each move's arrows, numbered when there is more than one move, the later ones paler.
    fn line(&mut self, start: &Position, line: &[Move]) {
        let mut position = *start;
        for (ply, &m) in line.iter().enumerate() {
            let opacity = (0.88 - 0.08 * ply as f32).max(0.45);
            let kind = format!("{:?}", m.kind());
            let kind = kind.split('(').next().unwrap_or_default().to_ascii_lowercase();
            self.add(format_args!(
                r#"<g class="arrow" data-move="{m}" data-kind="{kind}" data-ply="{}" opacity="{opacity:.2}">"#,
                ply + 1
            ));
            let color = if ply % 2 == 0 { ARROWS[0] } else { ARROWS[1] };
            let legs = Legs::of(&position, m);
            let (from, to) = legs.first;
            let (bend, second_bend) = match legs.second {
                None => (0.0, 0.0),
                // A swap: two arcs around one another. Else the King's arc beside the other's path.
                Some(second) if second == (to, from) => (0.35, 0.35),
                Some(_) => (0.45, 0.0),
            };
            if let Some((from, to)) = legs.second {
                self.arrow(from, to, second_bend, SECOND_ARROW);
            }
            let middle = self.arrow(from, to, bend, color);
            if line.len() > 1 {
                let (x, y) = middle;
                self.add(format_args!(
                    r##"<circle cx="{x:.1}" cy="{y:.1}" r="6.5" fill="{color}" stroke="#ffffff" stroke-width="1"/>"##
                ));
                self.word(&(ply + 1).to_string(), middle, 1.1, "#ffffff");
            }
            self.out.push_str("</g>\n");
            position = position.play(m);
        }
    }

    /// An arrow between the centres of two squares; `bend` is how far it bows to its left, as a share
    /// of its length. Gives the point halfway.
    fn arrow(&mut self, from: Square, to: Square, bend: f32, color: &str) -> (f32, f32) {
        let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
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
