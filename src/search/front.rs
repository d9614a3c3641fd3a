//! The front of a parallel search: the deepest iteration that any of its workers has finished.
//!
//! All workers search the same root over one table. Whoever finishes an iteration first puts its
//! moves here, and the others leave theirs and go on from it: what they have searched so far is in the
//! table. So an iteration takes as long as its fastest worker needs, and none falls behind.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::worker::RootMove;

/// The last iteration finished; none at first.
#[derive(Default)]
pub struct Front {
    depth: AtomicI32,
    finished: Mutex<(i32, Vec<RootMove>)>,
}

impl Front {
    /// The depth of the last iteration that was finished, in plies; 0 if none was.
    #[inline]
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// A worker has finished an iteration; of no effect unless it is the first to do so.
    pub fn advance(&self, depth: i32, root_moves: &[RootMove]) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > finished.0 {
            *finished = (depth, root_moves.to_vec());
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Puts the moves of a worker that was overtaken into the order, with the scores and lines, of the
    /// last iteration that was finished; returns that iteration's depth.
    pub fn catch_up(&self, root_moves: &mut Vec<RootMove>) -> i32 {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rest = std::mem::take(root_moves);
        for other in &finished.1 {
            if let Some(own) = rest.iter().position(|own| own.m == other.m) {
                root_moves.push(rest.swap_remove(own).with_result_of(other));
            }
        }
        root_moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
        finished.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Edition, Move, Position};
    use crate::search::Bound;

    fn moves(scores: [i32; 3]) -> Vec<RootMove> {
        let legal = Position::start(Edition::Chess).legal_moves();
        legal.iter().zip(scores).map(|(&m, score)| RootMove::found(m, score)).collect()
    }

    fn told(root_moves: &[RootMove]) -> Vec<(Move, i32)> {
        root_moves.iter().map(|root_move| (root_move.m, root_move.score)).collect()
    }

    /// The first to finish an iteration is heard, and nobody who is behind.
    #[test]
    fn only_the_first_moves_the_front() {
        let front = Front::default();
        assert_eq!(front.depth(), 0);
        front.advance(4, &moves([30, 20, 10]));
        front.advance(4, &moves([3, 2, 1]));
        front.advance(3, &moves([3, 2, 1]));
        let mut behind = moves([0, 0, 0]);
        assert_eq!((front.depth(), front.catch_up(&mut behind)), (4, 4));
        assert_eq!(told(&behind), told(&moves([30, 20, 10])));
    }

    /// The overtaken takes over the order, but keeps what it has proven itself.
    #[test]
    fn what_is_proven_stays() {
        let front = Front::default();
        let mut finished = moves([10, 20, 30]);
        finished.reverse();
        front.advance(5, &finished);
        let mut own = moves([1, 2, 3]);
        own[1].decided = Some((25, Vec::new()));
        own[1].score = 25;
        own[1].bound = Bound::Exact;
        let expected = [(own[2].m, 30), (own[1].m, 25), (own[0].m, 10)];
        front.catch_up(&mut own);
        assert_eq!(told(&own), expected);
    }
}
