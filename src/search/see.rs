//! Static exchange evaluation: who gains when all pieces that attack a square take on it in turn, the
//! cheapest first.
//!
//! Uses `board` and `rules`. The King has a finite, huge value: it may take a protected piece (no rule
//! forbids it) and is then lost. There are no pins, since there is no check; in chess this makes it an
//! approximation, as in most engines. Slides uncovered by a capture (x-rays) are seen.

use crate::board::{Bitboard, PieceKind, attacks};
use crate::rules::{Move, MoveKind, Position};
use PieceKind::{Bishop, King, Pawn, Queen, Rook};

/// What pieces are worth in an exchange, in centipawns, Pawn to King.
pub const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// The value of a kind of piece in an exchange.
#[inline]
pub fn value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// Whether the exchange that a legal move begins gains at least `threshold` for its side.
///
/// After Marco Costalba's formulation in Stockfish: only the sign of the balance is carried along.
pub fn at_least(position: &Position, m: Move, threshold: i32) -> bool {
    let (from, to) = (m.from(), m.to());
    let gain = position.captured(m).map_or(0, value);
    let mut occupied = position.occupied() & !Bitboard::of(from);
    let (gain, at_risk) = match m.kind() {
        MoveKind::Normal => (gain, value(position.moved(m))),
        MoveKind::EnPassant => {
            let passed = crate::board::Square::at(to.file(), from.rank());
            occupied &= !Bitboard::of(passed);
            (gain, value(PieceKind::Pawn))
        }
        MoveKind::Promotion(becomes) => {
            (gain + value(becomes) - value(PieceKind::Pawn), value(becomes))
        }
        // Two pieces move: there is no exchange on one square to speak of.
        MoveKind::Castle | MoveKind::Escort | MoveKind::Decoy => return threshold <= 0,
    };
    // What the side that has just moved is ahead of the threshold, if it loses the piece and if not.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    balance = at_risk - balance;
    if balance <= 0 {
        return true;
    }

    occupied |= Bitboard::of(to);
    let mut side = position.side_to_move();
    let mut attackers = position.attackers_to(to, occupied);
    let diagonal = position.pieces(PieceKind::Bishop) | position.pieces(PieceKind::Queen);
    let orthogonal = position.pieces(PieceKind::Rook) | position.pieces(PieceKind::Queen);
    let mut wins = true;
    loop {
        side = !side;
        attackers &= occupied;
        let ours = attackers & position.color(side);
        let cheapest = PieceKind::ALL
            .into_iter()
            .find_map(|kind| (ours & position.pieces(kind)).first().map(|square| (kind, square)));
        let Some((kind, square)) = cheapest else { return wins };
        wins = !wins;
        balance = value(kind) - balance;
        if balance < i32::from(wins) {
            return wins;
        }
        occupied &= !Bitboard::of(square);
        if matches!(kind, Pawn | Bishop | Queen | King) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(kind, Rook | Queen | King) {
            attackers |= attacks::rook(to, occupied) & orthogonal;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Edition;

    /// The exact value of an exchange by taking back and forth, each side free to stop.
    fn exchange(position: &Position, m: Move) -> i32 {
        let gain = position.captured(m).map_or(0, value)
            + m.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        gain - replies(&position.play(m), m.to())
    }

    /// What the side to move can win on `square`, taking with its cheapest piece or not at all.
    fn replies(position: &Position, square: crate::board::Square) -> i32 {
        let Some(target) = position.kind_at(square) else { return 0 };
        let attackers = position.attackers_of(position.side_to_move(), square, position.occupied());
        let cheapest =
            PieceKind::ALL.into_iter().find_map(|kind| (attackers & position.pieces(kind)).first());
        match cheapest {
            // As in the swap, a pawn that takes on the last rank stays a pawn, and a King that is taken is
            // a dear piece like another.
            Some(from) => {
                let next = position.play(Move::new(from, square, MoveKind::Normal));
                (value(target) - replies(&next, square)).max(0)
            }
            None => 0,
        }
    }

    #[test]
    fn known_exchanges() {
        let at_least = |fen: &str, from_to: &str, threshold| {
            let position =
                Position::from_fen(Edition::CaptureOrConquer, fen).expect("a valid position");
            let m = position
                .legal_moves()
                .into_iter()
                .find(|m| m.to_string() == from_to)
                .expect("a legal move");
            super::at_least(&position, m, threshold)
        };
        // A Rook takes an unprotected pawn; the same pawn protected costs the Rook.
        let free = "1k6/8/8/4p3/8/8/8/1K2R3 w - - 0 1";
        assert!(at_least(free, "e1e5", 100) && !at_least(free, "e1e5", 101));
        let covered = "1k6/8/3p4/4p3/8/8/8/1K2R3 w - - 0 1";
        assert!(at_least(covered, "e1e5", -400) && !at_least(covered, "e1e5", -399));
        // A second Rook behind the first joins in: two pawns for a Rook.
        let battery = "1k6/8/3p4/4p3/8/8/4R3/1K2R3 w - - 0 1";
        assert!(at_least(battery, "e2e5", -300) && !at_least(battery, "e2e5", -299));
        // A King that takes a protected pawn is lost.
        let king = "k7/8/3p4/4p3/4K3/8/8/8 w - - 0 1";
        assert!(!at_least(king, "e4e5", -10_000));
        // It takes back safely when nothing protects the taker any more.
        let last = "8/8/3p4/2k1p3/8/3N4/8/1K6 w - - 0 1";
        assert!(at_least(last, "d3e5", -220) && !at_least(last, "d3e5", -219));
    }

    /// Against plain taking in turn on positions of random games.
    #[test]
    fn equals_taking_in_turn() {
        let mut seed = 7;
        let mut compared = 0;
        for _ in 0..40 {
            let mut position = Position::start(Edition::CaptureOrConquer);
            for _ in 0..80 {
                for m in position.noisy_moves() {
                    let ordinary = matches!(m.kind(), MoveKind::Normal | MoveKind::EnPassant);
                    if !ordinary || position.captured(m) == Some(PieceKind::King) {
                        continue;
                    }
                    let exact = exchange(&position, m);
                    assert!(at_least(&position, m, exact), "{} {m}", position.to_fen());
                    assert!(!at_least(&position, m, exact + 1), "{} {m}", position.to_fen());
                    compared += 1;
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = crate::board::zobrist::splitmix(seed);
                position = position.play(moves[seed as usize % moves.len()]);
            }
        }
        assert!(compared > 2_000);
    }
}
