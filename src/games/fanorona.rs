//! Fanorona: a man takes the row that it moves towards or away from, and may go on.

use crate::rules::Outcome;

use super::grid::{Diagonals, Grid, Point, Points};
use super::moves::{Mark, Move, Step};
use super::position::{Position, eliminated, few_men};
use super::terms::{chase, freedom, lead};
use super::{Drawing, Game};

static GRIDS: [Grid; 1] = [Grid::new(9, 5, Diagonals::Alternate)];

/// The men each side begins with.
const MEN: u32 = 22;

/// See the module.
pub struct Fanorona;

impl Game for Fanorona {
    fn name(&self) -> &'static str {
        "fanorona"
    }

    fn grids(&self) -> &'static [Grid] {
        &GRIDS
    }

    fn start(&self) -> &'static str {
        "ppppppppp/ppppppppp/pPpP1pPpP/PPPPPPPPP/PPPPPPPPP w - 0 1"
    }

    fn limit(&self) -> Option<u16> {
        Some(120)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        few_men(position, MEN)
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in position.men(position.side()) {
            let mut way = Move { own: from.set(), ..Move::default() };
            way.way.push(Step(from, Mark::Plain));
            take(position, from, from.set(), None, &mut way, &mut moves);
        }
        if moves.is_empty() {
            for from in position.men(position.side()) {
                let steps = position.grid().around(from) & position.vacant();
                moves.extend(steps.map(|to| Move::slide(from, to, Points::EMPTY)));
            }
        }
        moves
    }

    fn finished(&self, position: &Position) -> Option<Outcome> {
        eliminated(position, 1)
    }

    fn evaluate(&self, position: &Position) -> i32 {
        lead(position, 200) + 3 * freedom(position) + chase(position)
    }

    fn can_capture(&self, position: &Position) -> bool {
        let (enemies, vacant) = (position.men(!position.side()), position.vacant());
        let grid = position.grid();
        position.men(position.side()).into_iter().any(|from| {
            (0..8).any(|direction| captures(grid, from, direction, enemies, vacant).is_some())
        })
    }

    fn drawing(&self) -> Drawing {
        Drawing::Diagonals
    }
}

/// The unbroken row of enemies from beside `from` on in a direction.
fn row(grid: &Grid, from: Point, direction: usize, enemies: Points) -> Points {
    let mut row = Points::EMPTY;
    let mut at = from;
    while let Some(next) = grid.next(at, direction).filter(|&next| enemies.has(next)) {
        row = row | next.set();
        at = next;
    }
    row
}

/// Where a step leads, and what it takes by approach and by withdrawal; `None` if it takes nothing or cannot be made.
fn captures(
    grid: &Grid,
    from: Point,
    direction: usize,
    enemies: Points,
    vacant: Points,
) -> Option<(Point, [(Mark, Points); 2])> {
    let to = grid.next(from, direction).filter(|&to| vacant.has(to))?;
    let approach = row(grid, to, direction, enemies);
    let withdrawal = row(grid, from, direction ^ 4, enemies);
    let some = !(approach | withdrawal).is_empty();
    some.then_some((to, [(Mark::Approach, approach), (Mark::Withdrawal, withdrawal)]))
}

/// Adds all captures that go on from where `so_far` has come; it may stop after each.
fn take(
    position: &Position,
    from: Point,
    visited: Points,
    before: Option<usize>,
    so_far: &mut Move,
    moves: &mut Vec<Move>,
) {
    let enemies = position.men(!position.side()) & !so_far.taken;
    let vacant = (position.vacant() | so_far.taken) & !visited;
    for direction in (0..8).filter(|&direction| Some(direction) != before) {
        let Some((to, both)) = captures(position.grid(), from, direction, enemies, vacant) else {
            continue;
        };
        for (mark, taken) in both.into_iter().filter(|(_, taken)| !taken.is_empty()) {
            so_far.taken = so_far.taken | taken;
            so_far.way.push(Step(to, mark));
            moves.push(Move { own: so_far.own ^ to.set(), ..so_far.clone() });
            take(position, to, visited | to.set(), Some(direction), so_far, moves);
            so_far.way.pop();
            so_far.taken = so_far.taken & !taken;
        }
    }
}
