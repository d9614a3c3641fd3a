//! What the evaluations of several games are made of.
//!
//! Each term is for the side to move, in centimen if nothing else is said.

use super::grid::Point;
use super::position::Position;

/// The men of both sides at most at which whoever leads goes after the enemy, and what a point nearer is worth.
const ENDING: (u32, i32) = (8, 12);

/// The men that the side to move is ahead, worth more the fewer there are, by `trades` for a lead of all men: whoever leads
/// wants to trade.
pub(super) fn lead(position: &Position, trades: i32) -> i32 {
    let men = |color| position.men(color).count() as i32;
    let (us, them) = (men(position.side()), men(!position.side()));
    100 * (us - them) + trades * (us - them) / (us + them).max(1)
}

/// How many more steps to empty points the men of the side to move have than the enemy's: a number.
pub(super) fn freedom(position: &Position) -> i32 {
    let (grid, vacant) = (position.grid(), position.vacant());
    let steps = |color| {
        let each = position.men(color).map(|from| (grid.around(from) & vacant).count());
        each.sum::<u32>() as i32
    };
    steps(position.side()) - steps(!position.side())
}

/// Near the end, how close the men of whoever leads are to the enemy's.
pub(super) fn chase(position: &Position) -> i32 {
    let (ours, theirs) = (position.men(position.side()), position.men(!position.side()));
    let (us, them) = (ours.count(), theirs.count());
    let (most, worth) = ENDING;
    if us == them || us + them > most {
        return 0;
    }
    let distance = |one: Point, other: Point| {
        let grid = position.grid();
        let ((file, rank), (to_file, to_rank)) = (grid.place(one), grid.place(other));
        i32::from(file.abs_diff(to_file).max(rank.abs_diff(to_rank)))
    };
    let all: i32 = ours.flat_map(|one| theirs.map(move |other| distance(one, other))).sum();
    let mean = worth * all / (us * them) as i32;
    if us > them { -mean } else { mean }
}
