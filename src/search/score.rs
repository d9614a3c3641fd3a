//! Scores inside the search, and how they are told to the world.
//!
//! Inside, a score is an `i32` in centipawns from the view of the side to move. From the outside in:
//!
//! | range | meaning |
//! | --- | --- |
//! | up to ±[`EVAL_LIMIT`] | an estimate |
//! | around ±[`REPEATED`] | decided by a repetition that has not quite happened: very likely, not proven |
//! | from ±[`PROVEN`] to ±[`MATE`] | a proven win or loss; the distance to `MATE` is the number of plies from the root |

use crate::rules::Outcome;

/// No line is longer than this many plies from the root.
pub const MAX_PLY: usize = 240;

/// Beyond every score; the first window's edge.
pub const INFINITE: i32 = 32_500;

/// A game won at the root itself. A win in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;

/// The least proven win.
pub const PROVEN: i32 = MATE - 2 * MAX_PLY as i32;

/// A win by a repetition inside the tree that stands for the third occurrence but is not one.
/// `REPEATED - ply` lies well above every estimate and below every proven win.
pub const REPEATED: i32 = 28_000;

/// Estimates are clamped to this.
pub const EVAL_LIMIT: i32 = 20_000;

/// A draw, which only chess knows.
pub const DRAW: i32 = 0;

/// The score of a side that wins `plies` after the root.
#[inline]
pub const fn win_in(plies: usize) -> i32 {
    MATE - plies as i32
}

/// The score of a side that loses `plies` after the root.
#[inline]
pub const fn loss_in(plies: usize) -> i32 {
    -MATE + plies as i32
}

/// Whether a score is a proven win or a proven loss.
#[inline]
pub const fn is_proven(score: i32) -> bool {
    score.abs() >= PROVEN
}

/// Whether a score is beyond estimates: proven, or decided by a repetition.
#[inline]
pub const fn is_decisive(score: i32) -> bool {
    score.abs() > EVAL_LIMIT
}

/// The score, `plies` after the root, of a side for which the game ended so.
#[inline]
pub fn of_outcome(outcome: Outcome, side: crate::board::Color, plies: usize) -> i32 {
    match outcome.winner {
        None => DRAW,
        Some(winner) if winner == side => win_in(plies),
        Some(_) => loss_in(plies),
    }
}

/// What a score is worth to the one who reads it, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// An estimate in centipawns.
    Cp(i32),
    /// A proven end of the game: the number of moves, plies / 2 rounded up; positive if the side to
    /// move wins, negative if it loses, 0 if it has lost already.
    Mate(i32),
}

impl Score {
    /// Reads an internal score counted from the root.
    pub const fn from_internal(score: i32) -> Score {
        if is_proven(score) {
            let moves = (MATE - score.abs() + 1) / 2;
            Score::Mate(if score > 0 { moves } else { -moves })
        } else {
            Score::Cp(score)
        }
    }

    /// The estimate, if it is one.
    pub const fn cp(self) -> Option<i32> {
        match self {
            Score::Cp(cp) => Some(cp),
            Score::Mate(_) => None,
        }
    }

    /// The moves to a proven end, if there is one.
    pub const fn mate(self) -> Option<i32> {
        match self {
            Score::Cp(_) => None,
            Score::Mate(moves) => Some(moves),
        }
    }
}

/// How a score relates to the true value of the search that gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Equal.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

impl Bound {
    /// What a score is to the value, given the window it was searched with.
    #[inline]
    pub const fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The protocol's rule: plies / 2 rounded up, negative for the side that loses.
    #[test]
    fn mates_are_counted_in_moves() {
        let mate = |score| Score::from_internal(score).mate();
        assert_eq!(mate(win_in(1)), Some(1));
        assert_eq!(mate(win_in(2)), Some(1)); // the loser's own move ends the game
        assert_eq!(mate(win_in(3)), Some(2));
        assert_eq!(mate(win_in(7)), Some(4));
        assert_eq!(mate(loss_in(0)), Some(0));
        assert_eq!(mate(loss_in(1)), Some(-1));
        assert_eq!(mate(loss_in(2)), Some(-1));
        assert_eq!(mate(loss_in(3)), Some(-2));
        assert_eq!(mate(loss_in(8)), Some(-4));
    }

    #[test]
    fn the_ranges_do_not_touch() {
        const { assert!(EVAL_LIMIT + 1_000 < REPEATED - MAX_PLY as i32) };
        const { assert!(REPEATED < PROVEN && PROVEN < MATE - MAX_PLY as i32) };
        const { assert!(MATE < INFINITE && INFINITE < i16::MAX as i32) };
        assert_eq!(Score::from_internal(REPEATED).mate(), None);
        assert_eq!(Score::from_internal(-35).cp(), Some(-35));
    }
}
