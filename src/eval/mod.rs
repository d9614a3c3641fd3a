//! Static evaluation: what a position is worth without looking ahead.
//!
//! Uses `board` and `rules`. [`Evaluation`] says what is asked, [`Evaluator`] asks it node by node: a search calls nothing
//! else. [`evaluate`] is the hand-made part, a sum of terms, each with a weight for a full and for
//! an empty board, blended by the pieces left. `terms` sees, `weights` weighs; every sum is linear
//! in the weights, which `examples/tune.rs` fits to the results of games. `network` holds what a network is
//! and `nnue` computes it from one node to the next.
//!
//! Invariants: the value of a position equals that of its mirror; it lies within ±[`LIMIT`]. Positions whose game
//! is over may be asked for, and get some value.

pub mod network;
pub mod nnue;
mod source;
mod tapered;
mod terms;
mod trace;
mod weights;
mod winning;

use crate::board::{Color, PieceKind};
use crate::rules::Position;

use tapered::Tapered;
use terms::{Ledger, enter_all};
use weights::{Term, Weights};

pub use source::{Evaluation, Evaluator};
pub use trace::trace;
pub use winning::{wdl, win_permille};

/// No value is further from zero than this, in centipawns.
pub const LIMIT: i32 = 9_999;

/// [`phase`] with all pieces on the board.
pub const FULL_PHASE: i32 = 24;

/// The hand-made value of a position in centipawns, seen from the side to move; within ±[`LIMIT`].
pub fn evaluate(position: &Position) -> i32 {
    let weights = Weights::of(position.edition());
    let mut ledgers =
        [Sum { weights, total: Tapered::ZERO }, Sum { weights, total: Tapered::ZERO }];
    enter_all(position, &mut ledgers);
    let side = position.side_to_move();
    let mut total = ledgers[side.index()].total;
    total -= ledgers[(!side).index()].total;
    drawish(position, total.at(phase(position), FULL_PHASE)).clamp(-LIMIT, LIMIT)
}

/// The ledger of a player: adds up.
struct Sum {
    weights: &'static Weights,
    total: Tapered,
}

impl Ledger for Sum {
    #[inline(always)]
    fn enter(&mut self, term: Term, index: usize, times: i32) {
        self.total += self.weights.get(term, index) * times;
    }
}

/// Where games can be drawn: little is won without pawns and a Rook's worth more, nor as the fifty
/// moves run out. Elsewhere the value as it is.
fn drawish(position: &Position, value: i32) -> i32 {
    if !position.edition().has_draws() {
        return value;
    }
    let us = position.side_to_move();
    let ahead = if value > 0 { us } else { !us };
    let pieces = |color| {
        let count = |kind| position.of(color, kind).count() as i32;
        3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
            + 5 * count(PieceKind::Rook)
            + 9 * count(PieceKind::Queen)
    };
    let no_pawns = position.of(ahead, PieceKind::Pawn).is_empty();
    let scaled = if no_pawns && pieces(ahead) - pieces(!ahead) < 4 { value / 4 } else { value };
    scaled * (200 - i32::from(position.halfmove_clock()).min(100)) / 200
}

/// How full the board is of pieces, from 0 (Kings and pawns) to [`FULL_PHASE`].
#[inline]
pub fn phase(position: &Position) -> i32 {
    let count = |kind| position.pieces(kind).count() as i32;
    let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
    (minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen)).min(FULL_PHASE)
}

/// A position as its tuner sees it: how often each weight applies for White, less how often for Black.
/// The value for White is the sum of the weights so multiplied, blended by [`phase`].
pub fn coefficients(position: &Position) -> Vec<(usize, i32)> {
    let mut ledgers = [Count(vec![0; weights::SIZE]), Count(vec![0; weights::SIZE])];
    enter_all(position, &mut ledgers);
    let [white, black] = ledgers;
    let difference = white.0.iter().zip(&black.0).map(|(w, b)| w - b);
    difference.enumerate().filter(|&(_, n)| n != 0).collect()
}

/// The ledger of the tuner: counts.
struct Count(Vec<i32>);

impl Ledger for Count {
    fn enter(&mut self, term: Term, index: usize, times: i32) {
        self.0[term.start + index] += times;
    }
}

/// The weights an edition plays with: term by term its name and the pairs (full board, empty board).
pub fn weight_table(edition: crate::rules::Edition) -> Vec<(&'static str, Vec<(i32, i32)>)> {
    let weights = Weights::of(edition);
    let pairs = |term: &Term| {
        let pair = |i| weights.get(*term, i);
        (0..term.len).map(|i| (pair(i).middle(), pair(i).end())).collect()
    };
    weights::TERMS.iter().map(|term| (term.name, pairs(term))).collect()
}
