//! A board as SVG: one self-contained picture, no font, no script.

use std::fmt::Write;

use crate::board::{Bitboard, Color, PieceKind, Square};
use crate::rules::{Move, MoveKind, Position, goal_rank};

use super::pieces::{drawing, glyph};

/// Side of a square, in the picture's units.
const FIELD: f32 = 45.0;
/// Room for the coordinates around the board.
const EDGE: f32 = 18.0;

const LIGHT: &str = "#eeddc0";
const DARK: &str = "#b58a62";
const GOAL_LIGHT: &str = "#f4d873";
const GOAL_DARK: &str = "#d3a52f";
const LAST: &str = "#7fb069";
const ARROW: &str = "#1f6f8b";
const SECOND_ARROW: &str = "#c2571a";

/// What to draw beside the pieces.
#[derive(Clone, Default)]
pub struct Picture<'a> {
    /// Moves of the position, drawn as arrows: an Escort with both its legs, a Decoy as the swap it is.
    pub arrows: &'a [Move],
    /// The move that led here; its squares are marked.
    pub last: Option<Move>,
    /// Seen from Black's side.
    pub flip: bool,
}

/// Draws a position.
pub fn svg(position: &Position, picture: &Picture) -> String {
    let mut canvas = Canvas { out: String::with_capacity(16_384), flip: picture.flip };
    let size = 8.0 * FIELD + 2.0 * EDGE;
    canvas.add(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}">"#
    ));
    canvas.add(format_args!("<title>{}</title>", position.to_fen()));
    canvas.add(format_args!(r##"<rect width="{size}" height="{size}" rx="6" fill="#4a3426"/>"##));
    canvas.squares(position, picture.last);
    canvas.coordinates();
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            for square in position.of(color, kind) {
                canvas.piece(color, kind, square);
            }
        }
    }
    for &m in picture.arrows {
        canvas.move_arrows(position, m);
    }
    canvas.out.push_str("</svg>\n");
    canvas.out
}

struct Canvas {
    out: String,
    flip: bool,
}

impl Canvas {
    fn add(&mut self, shape: std::fmt::Arguments) {
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
        (EDGE + FIELD * column as f32, EDGE + FIELD * row as f32)
    }

    fn centre(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.corner(square);
        (x + FIELD / 2.0, y + FIELD / 2.0)
    }

    fn squares(&mut self, position: &Position, last: Option<Move>) {
        let goals = if position.edition().has_conquest() {
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
                r#"<rect x="{x}" y="{y}" width="{FIELD}" height="{FIELD}" fill="{fill}"/>"#
            ));
            if last.is_some_and(|m| m.from() == square || m.to() == square) {
                self.add(format_args!(
                    r#"<rect x="{x}" y="{y}" width="{FIELD}" height="{FIELD}" fill="{LAST}" opacity=".6"/>"#
                ));
            }
        }
    }

    fn coordinates(&mut self) {
        for index in 0..8 {
            let (x, _) = self.centre(Square::at(index, 0));
            let (_, y) = self.centre(Square::at(0, index));
            let file = glyph(Square::at(index, 0).file_letter());
            let rank = glyph(Square::at(0, index).rank_digit());
            let far = 2.0 * EDGE + 8.0 * FIELD;
            for (x, y, path) in [
                (x - 2.5, far - EDGE / 2.0 - 4.0, file),
                (x - 2.5, EDGE / 2.0 - 4.0, file),
                (EDGE / 2.0 - 2.5, y - 4.0, rank),
                (far - EDGE / 2.0 - 2.5, y - 4.0, rank),
            ] {
                self.add(format_args!(
                    r##"<path transform="translate({x} {y}) scale(1.3)" d="{path}" fill="none" stroke="#e8d9bf" stroke-linecap="round"/>"##
                ));
            }
        }
    }

    fn piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        let (x, y) = self.corner(square);
        let (fill, stroke, inner) = match color {
            Color::White => ("#fdfaf3", "#2a211b", "#2a211b"),
            Color::Black => ("#3a322e", "#0f0c0a", "#d8cbb8"),
        };
        let shapes = drawing(kind).replace("{i}", inner);
        self.add(format_args!(
            r#"<g transform="translate({x} {y})" fill="{fill}" stroke="{stroke}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">{shapes}</g>"#
        ));
    }

    fn move_arrows(&mut self, position: &Position, m: Move) {
        match m.kind() {
            MoveKind::Escort => {
                if let Some((supporter, beside)) = position.escort_supporter(m) {
                    self.arrow(supporter, beside, 0.0, SECOND_ARROW);
                }
                self.arrow(m.from(), m.to(), 0.45, ARROW);
            }
            MoveKind::Decoy => {
                self.arrow(m.from(), m.to(), 0.35, ARROW);
                self.arrow(m.to(), m.from(), 0.35, SECOND_ARROW);
            }
            _ => self.arrow(m.from(), m.to(), 0.0, ARROW),
        }
    }

    /// An arrow between the centres of two squares; `bend` is how far it bows to its left, as a share
    /// of its length.
    fn arrow(&mut self, from: Square, to: Square, bend: f32, color: &str) {
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
            r#"<g opacity=".85"><path d="M{x1:.1} {y1:.1} Q{cx:.1} {cy:.1} {base_x:.1} {base_y:.1}" fill="none" stroke="{color}" stroke-width="5" stroke-linecap="round"/><path d="M{tip_x:.1} {tip_y:.1} L{left_x:.1} {left_y:.1} L{right_x:.1} {right_y:.1}z" fill="{color}"/></g>"#
        ));
    }
}
