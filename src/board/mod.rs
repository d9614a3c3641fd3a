//! Squares, sets of squares, pieces, attack tables and the numbers for keys. Knows no rules.

pub mod attacks;
mod bitboard;
mod magics;
mod types;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use types::{Color, PieceKind, Square};
