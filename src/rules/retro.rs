//! Moves backward: from which positions a quiet move leads to this one.
//!
//! For retrograde analysis in the two Capture or Conquer editions. The tests hold it against the
//! generator, move by move.

use crate::board::{Bitboard, PieceKind, Square, attacks, zobrist};
use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};

use super::movegen::decoy_zone;
use super::position::{NO_SQUARE, Position};

impl Position {
    /// Calls `f` with each position from which one move that takes nothing and promotes nothing leads to
    /// this placement with this side to move, once a move. Without castling rights, castling and en
    /// passant chances: neither what they lead to nor what leads to them. Some of the positions may be
    /// finished, so that no move is made in them. Not for chess.
    pub fn for_each_predecessor(&self, mut f: impl FnMut(&Position)) {
        debug_assert!(!self.edition.rules().royal);
        let us = !self.side; // whose move is taken back
        let occupied = self.occupied();
        let mut before = *self;
        before.side = us;
        before.key ^= zobrist::BLACK_TO_MOVE;
        before.en_passant = NO_SQUARE;
        before.halfmove_clock = 0;
        let mut take_back = |kind: PieceKind, to: Square, from: Square| {
            let mut earlier = before;
            earlier.shift_piece(us, kind, to, from);
            f(&earlier);
        };

        for kind in [Knight, Bishop, Rook, Queen, King] {
            for to in self.of(us, kind) {
                // No piece but the pawn goes other ways forward than backward.
                let reached = match kind {
                    Knight => attacks::knight(to),
                    Bishop => attacks::bishop(to, occupied),
                    Rook => attacks::rook(to, occupied),
                    Queen => attacks::queen(to, occupied),
                    _ => attacks::king(to),
                };
                for from in reached & !occupied {
                    take_back(kind, to, from);
                }
            }
        }
        let down = if us == crate::board::Color::White { -8 } else { 8 };
        for to in self.of(us, Pawn) {
            let rank = us.relative_rank(to.rank());
            let one = to.offset(down);
            if rank < 2 || occupied.has(one) {
                continue;
            }
            take_back(Pawn, to, one);
            if rank == 3 && !occupied.has(one.offset(down)) {
                // A double step that can be taken en passant leads to another position.
                let capturers = attacks::pawn(us, one) & self.of(self.side, Pawn);
                if capturers.is_empty() {
                    take_back(Pawn, to, one.offset(down));
                }
            }
        }
        if self.edition.rules().escort_and_decoy
            && let Some(king) = self.king(us)
        {
            self.take_back_escorts(&before, king, &mut f);
            if decoy_zone(us).has(king) {
                for pawn in attacks::king(king) & self.of(us, Pawn) {
                    let mut earlier = before;
                    earlier.shift_piece(us, King, king, pawn);
                    earlier.shift_piece(us, Pawn, pawn, king);
                    f(&earlier);
                }
            }
        }
    }

    /// The King stands beyond its supporter; both go back over one another.
    fn take_back_escorts(&self, before: &Position, king: Square, f: &mut impl FnMut(&Position)) {
        let us = before.side;
        let occupied = self.occupied();
        for beside in
            attacks::king(king) & (self.diagonal_sliders(us) | self.orthogonal_sliders(us))
        {
            let straight = king.file() == beside.file() || king.rank() == beside.rank();
            let kind = self.kind_on(beside);
            if kind != Queen && (kind == Rook) != straight {
                continue;
            }
            let beyond = |king: u8, beside: u8| (2 * beside).checked_sub(king).filter(|&at| at < 8);
            let (Some(file), Some(rank)) =
                (beyond(king.file(), beside.file()), beyond(king.rank(), beside.rank()))
            else {
                continue;
            };
            let home = Square::at(file, rank);
            if occupied.has(home) {
                continue;
            }
            // From where the King stands now, or from farther off on that line.
            let free = attacks::queen(king, occupied) & attacks::line(king, beside) & !occupied;
            for from in free | Bitboard::of(king) {
                let mut earlier = *before;
                earlier.shift_piece(us, King, king, home);
                earlier.shift_piece(us, kind, beside, from);
                f(&earlier);
            }
        }
    }
}
