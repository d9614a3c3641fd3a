//! A move in sixteen bits.
//!
//! Layout: from (bits 0–5), to (6–11), kind (12–15). From and to differ, so a move is never zero and
//! `Option<Move>` is no larger. Escort and Decoy fit, since the King's two squares determine them.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use crate::board::{PieceKind, Square};

/// No position has more moves, whatever stands on the board.
///
/// A target can be reached along at most 8 lines and by at most 8 Knights, a Queen has at most 27
/// moves and a Knight 8. With Q line pieces, K Knights and T targets, Q + K + T ≤ 64, the moves are
/// at most min(8T, 27Q) + min(8T, 8K) ≤ 446; promotions add at most 3 for each of 3 ways to 8
/// squares, Escorts 8, Decoys 8: 534.
pub const MAX_MOVES: usize = 544;

/// The legal moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move does beside putting a piece from one square onto another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A step or a capture.
    Normal,
    /// A pawn takes the pawn that has just passed it.
    EnPassant,
    /// Castling, written as the King's move.
    Castle,
    /// The King jumps over the line piece that slides beside it; written as the King's move.
    Escort,
    /// The King swaps with an own pawn; written as the King's move onto the pawn.
    Decoy,
    /// A pawn reaches the last rank and becomes this piece.
    Promotion(PieceKind),
}

/// A move: where from, where to, and of what kind. Says nothing of whether it is legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Makes a move; `from` and `to` must differ (all callers take `to` from a set without `from`).
    ///
    /// # Panics
    /// When both squares are a1 and the kind is normal.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let kind = match kind {
            MoveKind::Normal => 0,
            MoveKind::EnPassant => 1,
            MoveKind::Castle => 2,
            MoveKind::Escort => 3,
            MoveKind::Decoy => 4,
            MoveKind::Promotion(piece) => 8 + piece as u16,
        };
        let bits = from.index() as u16 | (to.index() as u16) << 6 | kind << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move from a1 to a1"),
        }
    }

    /// The sixteen bits, never zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of these bits, or `None` if they encode none: equal squares, an unknown kind.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let kind_is_known = matches!(bits >> 12, 0..=4 | 9..=12);
        if bits & 63 == bits >> 6 & 63 || !kind_is_known {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The square the moving piece leaves (the King's in castling, Escort and Decoy).
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.bits() as u8)
    }

    /// The square the moving piece arrives on.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.bits() >> 6) as u8)
    }

    /// The kind of move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 12 {
            0 => MoveKind::Normal,
            1 => MoveKind::EnPassant,
            2 => MoveKind::Castle,
            3 => MoveKind::Escort,
            4 => MoveKind::Decoy,
            promotion => MoveKind::Promotion(PieceKind::ALL[(promotion & 7) as usize]),
        }
    }

    /// Whether this is a plain step or capture: the common case, asked first.
    #[inline]
    pub const fn is_normal(self) -> bool {
        self.bits() >> 12 == 0
    }

    /// What a pawn becomes, if it does.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    /// The coordinate form: `e2e4`, `e7e8q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", piece.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        if self.is_normal() { Ok(()) } else { write!(f, " ({:?})", self.kind()) }
    }
}
