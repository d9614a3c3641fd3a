//! Who has won, by the position alone; and the facts about Kings that a search asks for.
//!
//! What depends on the game's history (repetition) is in `game`.

use std::fmt;

use crate::board::{Bitboard, Color, PieceKind, Square, attacks};

use super::edition::{Conquest, Edition};
use super::movegen::{by_edition, escort_landing};
use super::moves::{Move, MoveKind};
use super::position::Position;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A King was captured.
    Capture,
    /// A King holds its goal rank.
    Conquest,
    /// A position stood for the third time.
    Repetition,
    /// The side to move has no move and loses by it.
    NoMoves,
    /// Chess: mated.
    Checkmate,
    /// Chess: no move, and not in check.
    Stalemate,
    /// Chess: a hundred plies without a capture or a pawn's move.
    FiftyMoves,
    /// Chess: neither side can mate.
    Insufficient,
    /// Board games: a side has no men, or in Seega too few.
    Elimination,
    /// Seega: neither side can move.
    Blocked,
    /// Board games: too many plies without a capture.
    NoProgress,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Capture => "capture",
            Reason::Conquest => "conquest",
            Reason::Repetition => "repetition",
            Reason::NoMoves => "no-moves",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::FiftyMoves => "fifty-moves",
            Reason::Insufficient => "insufficient",
            Reason::Elimination => "elimination",
            Reason::Blocked => "blocked",
            Reason::NoProgress => "no-progress",
        })
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` is a draw, which Capture or Conquer does not know.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// A win.
    pub const fn won(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    /// A draw.
    pub const fn drawn(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// `white`, `black` or `draw`.
    pub const fn winner_name(&self) -> &'static str {
        match self.winner {
            Some(color) => color.name(),
            None => "draw",
        }
    }
}

/// The rank a side's King must reach, as a set of squares.
#[inline]
pub const fn goal_rank(color: Color) -> Bitboard {
    Bitboard::rank(7).relative(color)
}

impl Position {
    /// The result by capture or conquest, which the board alone shows. Always `None` in chess.
    #[inline]
    pub fn finished(&self) -> Option<Outcome> {
        by_edition!(self, finished_in)
    }

    #[inline]
    pub(super) fn finished_in<const E: u8>(&self) -> Option<Outcome> {
        let conquest = const { Edition::from_number(E).rules().conquest };
        if conquest == Conquest::Never {
            return None;
        }
        let kings = self.pieces(PieceKind::King);
        let arrived = (self.color(Color::White) & goal_rank(Color::White))
            | (self.color(Color::Black) & goal_rank(Color::Black));
        if kings.count() == 2 && (kings & arrived).is_empty() {
            return None; // nearly always
        }
        self.finished_now(conquest)
    }

    fn finished_now(&self, conquest: Conquest) -> Option<Outcome> {
        for color in Color::ALL {
            if self.king(color).is_none() {
                return Some(Outcome::won(!color, Reason::Capture));
            }
        }
        let us = self.side;
        let at_goal = |color| (self.of(color, PieceKind::King) & goal_rank(color)).has_any();
        let holds = |color| at_goal(color) && !self.king_attacked(color);
        // Under the ultimatum a King that is on its goal rank at its own turn has not been taken in time.
        let upheld = conquest == Conquest::Ultimatum && at_goal(us);
        let winner = if upheld {
            us
        } else if holds(!us) {
            !us
        } else if conquest == Conquest::Holding && holds(us) {
            us
        } else {
            return None;
        };
        Some(Outcome::won(winner, Reason::Conquest))
    }

    /// The result that the position alone shows: capture, conquest, no moves; in chess mate,
    /// stalemate, insufficient material, fifty moves.
    pub fn outcome(&self) -> Option<Outcome> {
        self.finished().or_else(|| self.stuck()).or_else(|| self.dead()).or_else(|| {
            let fifty = self.edition.rules().royal && self.halfmove_clock >= 100;
            fifty.then_some(Outcome::drawn(Reason::FiftyMoves))
        })
    }

    /// The result when the side to move has no move.
    pub(super) fn stuck(&self) -> Option<Outcome> {
        if self.has_move() {
            return None;
        }
        Some(match (self.edition.rules().royal, self.in_check()) {
            (false, _) => Outcome::won(!self.side, Reason::NoMoves),
            (true, true) => Outcome::won(!self.side, Reason::Checkmate),
            (true, false) => Outcome::drawn(Reason::Stalemate),
        })
    }

    /// Chess: the draw when no sequence of moves can mate by the usual count of material.
    pub fn dead(&self) -> Option<Outcome> {
        (self.edition.rules().royal && self.is_insufficient())
            .then_some(Outcome::drawn(Reason::Insufficient))
    }

    fn is_insufficient(&self) -> bool {
        const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
        let bishops = self.pieces(PieceKind::Bishop);
        let others = self.occupied() ^ self.pieces(PieceKind::King);
        if others == bishops {
            return (bishops & LIGHT).is_empty() || (bishops & !LIGHT).is_empty();
        }
        others == self.pieces(PieceKind::Knight) && others.count() == 1
    }

    /// A move of the side to move that takes the enemy King, if there is one. In chess there is none.
    #[inline]
    pub fn king_capture(&self) -> Option<Move> {
        let them = !self.side;
        let king = self.king(them)?;
        let attackers = self.attackers_of(self.side, king, self.occupied());
        let from = attackers.first()?;
        if self.bare_kings_truce() {
            return None;
        }
        let promotes = self.pieces(PieceKind::Pawn).has(from)
            && Bitboard::rank(7).relative(self.side).has(king);
        let kind = if promotes { MoveKind::Promotion(PieceKind::Queen) } else { MoveKind::Normal };
        Some(Move::new(from, king, kind))
    }

    /// A move by which the King of `color`, were it to move, arrives on its goal rank unattacked: a
    /// step, a capture, an Escort. A position that is finished already has no use for the answer.
    #[inline]
    pub fn safe_arrival(&self, color: Color) -> Option<Move> {
        let king = self.king(color)?;
        // A step reaches one rank ahead, an Escort two.
        if color.relative_rank(king.rank()) < 5 {
            return None;
        }
        self.safe_arrival_from(color, king)
    }

    fn safe_arrival_from(&self, color: Color, king: Square) -> Option<Move> {
        let rules = self.edition.rules();
        if rules.conquest == Conquest::Never {
            return None;
        }
        let goal = goal_rank(color);
        let occupied = self.occupied();
        let truce = self.bare_kings_truce();
        let attacked = |to: Square, occupied: Bitboard| {
            // What is captured on `to` no longer attacks; a piece does not attack its own square.
            // Where that was the last man, only Kings are left.
            let spared = rules.bare_kings_truce && occupied.count() == 2;
            !spared && self.attackers_of(!color, to, occupied).has_any()
        };
        let steps = attacks::king(king) & goal & !self.color(color);
        for to in steps & !if truce { self.color(!color) } else { Bitboard::EMPTY } {
            let occupied = (occupied & !Bitboard::of(king)) | Bitboard::of(to);
            if !attacked(to, occupied) {
                return Some(Move::new(king, to, MoveKind::Normal));
            }
        }
        if !rules.escort_and_decoy {
            return None;
        }
        for supporter in self.escort_supporters(color) {
            let to = escort_landing(king, supporter);
            if goal.has(to) {
                let beside = attacks::between(king, to);
                let gone = Bitboard::of(king) | Bitboard::of(supporter);
                if !attacked(to, (occupied & !gone) | beside | Bitboard::of(to)) {
                    return Some(Move::new(king, to, MoveKind::Escort));
                }
            }
        }
        None
    }

    /// A move that wins at once by taking the King or by a safe arrival, if there is one; the position
    /// must not be finished. In the earlier edition a move of another piece that leaves the own King,
    /// already on its goal rank, unattacked wins too and is not looked for here.
    #[inline]
    pub fn winning_move(&self) -> Option<Move> {
        self.king_capture().or_else(|| self.safe_arrival(self.side))
    }

    /// Whether the side to move would lose at once if it passed: its King is attacked, or the enemy's
    /// King has a safe way onto its goal rank. In chess: whether it is in check.
    #[inline]
    pub fn in_danger(&self) -> bool {
        self.in_check() || self.safe_arrival(!self.side).is_some()
    }
}
