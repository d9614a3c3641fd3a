//! A board as SVG: one self-contained picture, no font, no script.
//!
//! Shapes that say something carry a class, and what they are about as `data-…` attributes:
//! `square`, `piece`, `last`, `attacked`, `flag`, `arrow`, `mark`, `turn`, `repetitions`, `result`.

use std::fmt::{Arguments, Write};

use crate::board::{Bitboard, Color, PieceKind, Square};
use crate::rules::{Move, Position, Reason, goal_rank};
use crate::text::{Language, fill};

use super::pieces::drawing;
use super::scene::{Legs, Picture, Repeat, Scene, Verdict};
use super::sheet::{DARK, EDGE, FIELD, LAST, LIGHT, ON_FRAME, Sheet, paint};

/// Side of the picture.
const SIZE: f32 = 8.0 * FIELD + 2.0 * EDGE;

const GOAL_LIGHT: &str = "#f4d873";
const GOAL_DARK: &str = "#d3a52f";
const ATTACKED: &str = "#d7263d";
const ULTIMATUM: &str = "#d7263d";
const CONQUERED: &str = "#2e8b57";
/// The arrow of the piece that moves along: supporter, pawn, Rook.
const SECOND_ARROW: &str = "#c2571a";

/// Draws where a game stands.
pub fn svg(picture: &Picture) -> String {
    let scene = Scene::of(picture.game);
    let (language, texts) = (picture.language, picture.language.texts());
    let mut sentences = scene.sentences(language);
    let last = scene.last_text(picture.letters);
    sentences.extend(last.map(|last| fill(texts.last_played, &[("move", &last)])));
    let sheet = Sheet::new((SIZE, SIZE), &scene.position.to_fen(), &sentences.join("; "));
    let mut canvas = Canvas { sheet, flip: picture.flip, language };
    canvas.coordinates();
    let side = scene.position.side_to_move();
    let times = scene.repetitions as usize;
    canvas.sheet.corners(side, scene.outcome, times, picture.flip, language);
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
    canvas.sheet.finish()
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

/// A piece's letter as in FEN.
const fn letter(color: Color, kind: PieceKind) -> char {
    match color {
        Color::White => kind.letter(),
        Color::Black => kind.letter().to_ascii_lowercase(),
    }
}

struct Canvas {
    sheet: Sheet,
    flip: bool,
    language: Language,
}

impl Canvas {
    fn add(&mut self, shape: Arguments) {
        self.sheet.add(shape);
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

    fn coordinates(&mut self) {
        let far = SIZE - EDGE / 2.0;
        for index in 0..8 {
            let square = Square::at(index, index);
            let (x, y) = self.centre(square);
            let (file, rank) = (square.file_letter().to_string(), square.rank_digit().to_string());
            for near in [EDGE / 2.0, far] {
                self.sheet.word(&file, (x, near), 1.3, ON_FRAME);
                self.sheet.word(&rank, (near, y), 1.3, ON_FRAME);
            }
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
            self.sheet.word(&format!("{times}×"), middle, 1.3, "#ffffff");
            self.sheet.end_group();
        }
    }

    /// A variation: each move's arrows, numbered when there is more than one move, the later ones paler.
    fn line(&mut self, start: &Position, line: &[Move]) {
        let mut position = *start;
        for (ply, &m) in line.iter().enumerate() {
            let kind = format!("{:?}", m.kind());
            let kind = kind.split('(').next().unwrap_or_default().to_ascii_lowercase();
            let color = self.sheet.begin_arrows(&m, &kind, ply);
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
                self.sheet.number(ply, middle, color);
            }
            self.sheet.end_group();
            position = position.play(m);
        }
    }

    /// An arrow between the centres of two squares, see [`Sheet::arrow`].
    fn arrow(&mut self, from: Square, to: Square, bend: f32, color: &str) -> (f32, f32) {
        let ends = (self.centre(from), self.centre(to));
        self.sheet.arrow((from, ends.0), (to, ends.1), bend, color)
    }
}
