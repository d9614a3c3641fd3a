//! A board as plain text: letters, ranks and files, for a protocol's `d` and for people.

use std::fmt::Write;

use crate::board::{Color, Square};
use crate::rules::Position;

/// Eight rows from White's side, upper case for White, with the coordinates around them.
pub fn text(position: &Position) -> String {
    let mut out = String::with_capacity(400);
    for rank in (0..8).rev() {
        let _ = write!(out, "{} ", rank + 1); // writing to a String cannot fail
        for file in 0..8 {
            let letter = match position.piece_at(Square::at(file, rank)) {
                None => '.',
                Some((Color::White, kind)) => kind.letter(),
                Some((Color::Black, kind)) => kind.letter().to_ascii_lowercase(),
            };
            out.push(' ');
            out.push(letter);
        }
        out.push('\n');
    }
    out.push_str("\n   a b c d e f g h\n");
    out
}
