//! Static evaluation: material and little else, until the real one stands here.
//!
//! Uses `board` and `rules`.

use crate::board::{Color, PieceKind};
use crate::rules::Position;

/// The value of a position in centipawns, seen from the side to move; within ±20,000.
pub fn evaluate(position: &Position) -> i32 {
    let us = position.side_to_move();
    (side(position, us) - side(position, !us)).clamp(-19_000, 19_000)
}

fn side(position: &Position, color: Color) -> i32 {
    let mut sum = 0;
    for (kind, value) in PieceKind::ALL.into_iter().zip([100, 320, 330, 500, 950, 0]) {
        for square in position.of(color, kind) {
            let rank = i32::from(color.relative_rank(square.rank()));
            let centre = 7 - (2 * i32::from(square.file()) - 7).abs();
            sum += value
                + match kind {
                    PieceKind::Pawn => rank * rank + centre,
                    PieceKind::King => 0,
                    _ => centre * 2 + 4 * rank.min(7 - rank),
                };
        }
    }
    sum
}
