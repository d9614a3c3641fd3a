//! A move of any of the games: what it does to the board, and the way that is written down.

use arrayvec::ArrayVec;

use crate::board::zobrist::splitmix;

use super::grid::{Grid, Point, Points};

/// How a step of a move is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// `c3`.
    Plain,
    /// `@c3`: a man is placed.
    Placed,
    /// `c3+`: it takes what it moves towards.
    Approach,
    /// `c3-`: it takes what it moves away from.
    Withdrawal,
}

/// A point that a move names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step(pub Point, pub Mark);

/// The points of the longest way: a man that takes 22 visits 23, and no game visits more.
pub const LONGEST: usize = 24;

/// A move. Two that do the same by different ways are different moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Move {
    /// The own men that go or come: each point here changes.
    pub own: Points,
    /// The enemy's men that go.
    pub taken: Points,
    /// The way, as it is written; a pass has none.
    pub way: ArrayVec<Step, LONGEST>,
}

impl Move {
    /// The move of a side that cannot move and is not beaten by it.
    pub fn pass() -> Move {
        Move::default()
    }

    /// A man that goes straight from one point to another and takes some.
    pub fn slide(from: Point, to: Point, taken: Points) -> Move {
        let way = [from, to].map(|point| Step(point, Mark::Plain));
        Move { own: from.set() ^ to.set(), taken, way: way.into_iter().collect() }
    }

    /// `a1b2`, `d4`, `e2e3+d4-`, `@a1@c2`, `pass`.
    pub fn text(&self, grid: &Grid) -> String {
        if self.way.is_empty() {
            return "pass".to_owned();
        }
        let step = |&Step(point, mark): &Step| {
            let name = grid.name(point);
            match mark {
                Mark::Plain => name,
                Mark::Placed => format!("@{name}"),
                Mark::Approach => format!("{name}+"),
                Mark::Withdrawal => format!("{name}-"),
            }
        };
        self.way.iter().map(step).collect()
    }

    /// Sixteen bits, never zero, by which the move is likely to be known again among the others of its position.
    pub fn hint(&self) -> u16 {
        let seed = splitmix(self.own.0 ^ splitmix(self.taken.0));
        let mix = |hash, &Step(point, mark): &Step| {
            splitmix(hash ^ (u64::from(point.0) << 2 | mark as u64))
        };
        (self.way.iter().fold(seed, mix) as u16).max(1)
    }
}
