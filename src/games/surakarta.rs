//! Surakarta: steps to any side, captures by a run through the loops at the corners.

use crate::board::Color;
use crate::rules::Outcome;

use super::grid::{Diagonals, EAST, Grid, NORTH, Point, Points, STRAIGHT};
use super::moves::Move;
use super::position::{Position, eliminated, few_men};
use super::terms::lead;
use super::{Drawing, Game};

static GRIDS: [Grid; 1] = [Grid::new(6, 6, Diagonals::All)];

/// The men each side begins with.
const MEN: u32 = 12;
const SOUTH: usize = 4;
const WEST: usize = 6;
const LAST: u8 = 5;

/// What a point is worth beside the man on it, in centimen: the lines of the loops, most where two of them meet; least the corners,
/// which no loop touches.
#[rustfmt::skip]
const WORTH: [i8; 36] = [
    -20, 0, 4, 4, 0, -20,
    0, 10, 14, 14, 10, 0,
    4, 14, 16, 16, 14, 4,
    4, 14, 16, 16, 14, 4,
    0, 10, 14, 14, 10, 0,
    -20, 0, 4, 4, 0, -20,
];

/// See the module.
pub struct Surakarta;

impl Game for Surakarta {
    fn name(&self) -> &'static str {
        "surakarta"
    }

    fn grids(&self) -> &'static [Grid] {
        &GRIDS
    }

    fn start(&self) -> &'static str {
        "pppppp/pppppp/6/6/PPPPPP/PPPPPP w - 0 1"
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
            moves.extend(hits(position, from).map(|to| Move::slide(from, to, to.set())));
        }
        for from in position.men(position.side()) {
            let steps = position.grid().around(from) & position.vacant();
            moves.extend(steps.map(|to| Move::slide(from, to, Points::EMPTY)));
        }
        moves
    }

    fn finished(&self, position: &Position) -> Option<Outcome> {
        eliminated(position, 1)
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let us = position.side();
        let places = |color: Color| {
            position.men(color).map(|point| i32::from(WORTH[usize::from(point.0)])).sum::<i32>()
        };
        lead(position, 200) + places(us) - places(!us)
    }

    fn can_capture(&self, position: &Position) -> bool {
        position.men(position.side()).into_iter().any(|from| !hits(position, from).is_empty())
    }

    fn drawing(&self) -> Drawing {
        Drawing::Loops
    }
}

/// The enemies that a man can take.
fn hits(position: &Position, from: Point) -> Points {
    let runs = STRAIGHT.into_iter().filter_map(|direction| run(position, from, direction));
    let enemies = position.men(!position.side());
    runs.fold(Points::EMPTY, |set, hit| set | hit.set()) & enemies
}

/// The first man met by a runner that has come through a loop; its own place counts as empty.
fn run(position: &Position, from: Point, direction: usize) -> Option<Point> {
    let grid = position.grid();
    let men = (position.men(Color::White) | position.men(Color::Black)) & !from.set();
    let (mut at, mut heading, mut looped) = (from, direction, false);
    loop {
        (at, heading) = match grid.next(at, heading) {
            Some(next) => (next, heading),
            None => {
                looped = true;
                through_loop(grid, at, heading)?
            }
        };
        if men.has(at) {
            return looped.then_some(at);
        }
        if (at, heading) == (from, direction) {
            return None; // round and round
        }
    }
}

/// Where a loop leads that leaves the board at a point: onto which point, and in which direction from there. The second line
/// from a corner is joined to the second, the third to the third; the outermost have no loop.
fn through_loop(grid: &Grid, at: Point, heading: usize) -> Option<(Point, usize)> {
    let (file, rank) = grid.place(at);
    let upright = heading == NORTH || heading == SOUTH;
    let line = if upright { file } else { rank };
    let depth = line.min(LAST - line);
    if depth == 0 {
        return None;
    }
    // The corner: that to which the line is nearer, on the side that the runner leaves by.
    let (east, north) = match heading {
        NORTH => (line > 2, true),
        SOUTH => (line > 2, false),
        EAST => (true, line > 2),
        _ => (false, line > 2),
    };
    let near = |far: bool| if far { LAST - depth } else { depth };
    let edge = |far: bool| if far { LAST } else { 0 };
    Some(match upright {
        true => (grid.at(edge(east), near(north)), if east { WEST } else { EAST }),
        false => (grid.at(near(east), edge(north)), if north { SOUTH } else { NORTH }),
    })
}
