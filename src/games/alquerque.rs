//! Alquerque: steps along the lines, and jumps that must be made and made to their end.

use crate::rules::Outcome;

use super::grid::{Diagonals, Grid, Point, Points};
use super::moves::{Mark, Move, Step};
use super::position::{Position, eliminated, few_men};
use super::terms::{chase, freedom, lead};
use super::{Drawing, Game};

static GRIDS: [Grid; 1] = [Grid::new(5, 5, Diagonals::Alternate)];

/// The men each side begins with.
const MEN: u32 = 12;

/// See the module.
pub struct Alquerque;

impl Game for Alquerque {
    fn name(&self) -> &'static str {
        "alquerque"
    }

    fn grids(&self) -> &'static [Grid] {
        &GRIDS
    }

    fn start(&self) -> &'static str {
        "ppppp/ppppp/pp1PP/PPPPP/PPPPP w - 0 1"
    }

    fn limit(&self) -> Option<u16> {
        Some(80)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        few_men(position, MEN)
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in position.men(position.side()) {
            let mut way = Move { own: from.set(), ..Move::default() };
            way.way.push(Step(from, Mark::Plain));
            jump(position, from, &mut way, &mut moves);
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
        lead(position, 1500) + 8 * freedom(position) + chase(position)
    }

    /// Games that come down to a man or two on either side end by repetition: `docs/strength.md`, "Board games".
    fn trade_price(&self) -> i32 {
        20
    }

    fn can_capture(&self, position: &Position) -> bool {
        let us = position.men(position.side());
        let enemies = position.men(!position.side());
        let vacant = position.vacant();
        us.into_iter().any(|from| targets(position.grid(), from, enemies, vacant).next().is_some())
    }

    fn drawing(&self) -> Drawing {
        Drawing::Diagonals
    }
}

/// Whom a man on `from` can jump over, and where to.
fn targets(
    grid: &'static Grid,
    from: Point,
    enemies: Points,
    vacant: Points,
) -> impl Iterator<Item = (Point, Point)> {
    (0..8).filter_map(move |direction| {
        let over = grid.next(from, direction).filter(|&over| enemies.has(over))?;
        let to = grid.next(over, direction).filter(|&to| vacant.has(to))?;
        Some((over, to))
    })
}

/// Adds all ways to go on from where `so_far` has come, each to its end; none if it has not yet jumped and cannot.
fn jump(position: &Position, from: Point, so_far: &mut Move, moves: &mut Vec<Move>) {
    let enemies = position.men(!position.side()) & !so_far.taken;
    let vacant = position.vacant() | so_far.taken | so_far.way[0].0.set();
    let mut ended = true;
    for (over, to) in targets(position.grid(), from, enemies, vacant) {
        ended = false;
        so_far.taken = so_far.taken | over.set();
        so_far.way.push(Step(to, Mark::Plain));
        jump(position, to, so_far, moves);
        so_far.way.pop();
        so_far.taken = so_far.taken & !over.set();
    }
    if ended && so_far.way.len() > 1 {
        let own = so_far.own ^ from.set();
        moves.push(Move { own, ..so_far.clone() });
    }
}
