//! Konane: a full board, two stones removed, then jumps alone; who cannot jump loses. Boards of 8, 6 or 4 points a side.

use crate::board::Color;
use crate::rules::Outcome;

use super::grid::{Diagonals, Grid, Point, Points, STRAIGHT};
use super::moves::{Mark, Move, Step};
use super::position::Position;
use super::{Drawing, Game};

static GRIDS: [Grid; 3] = [
    Grid::new(8, 8, Diagonals::None),
    Grid::new(6, 6, Diagonals::None),
    Grid::new(4, 4, Diagonals::None),
];

/// See the module.
pub struct Konane;

impl Game for Konane {
    fn name(&self) -> &'static str {
        "konane"
    }

    fn grids(&self) -> &'static [Grid] {
        &GRIDS
    }

    fn start(&self) -> &'static str {
        "PpPpPpPp/pPpPpPpP/PpPpPpPp/pPpPpPpP/PpPpPpPp/pPpPpPpP/PpPpPpPp/pPpPpPpP b - 0 1"
    }

    fn limit(&self) -> Option<u16> {
        None
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let grid = position.grid();
        if position.hand != [0; 2] {
            return Err("there are no men in hand in this game".to_owned());
        }
        for color in Color::ALL {
            let strangers = position.men(color) & !home(grid, color);
            if let Some(point) = strangers.into_iter().next() {
                let (point, name) = (grid.name(point), color.name());
                return Err(format!(
                    "a {name} stone on {point}: Black's stand on the dark points, a1's colour, and White's on the others"
                ));
            }
        }
        Ok(())
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let grid = position.grid();
        let side = position.side();
        let gaps = position.vacant();
        let removals = match (gaps.count(), side) {
            (0, Color::Black) => first_removals(grid),
            (1, Color::White) => gaps.fold(Points::EMPTY, |set, gap| set | grid.around(gap)),
            _ => return jumps(position, side),
        };
        let remove = |point: Point| Move {
            own: point.set(),
            way: [Step(point, Mark::Plain)].into_iter().collect(),
            ..Move::default()
        };
        (removals & position.men(side)).map(remove).collect()
    }

    fn finished(&self, _: &Position) -> Option<Outcome> {
        None
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let side = position.side();
        let can = |color| {
            let mut count = 0;
            each_jump(position, color, |_, _, _| count += 1);
            count
        };
        30 * (can(side) - can(!side))
    }

    fn can_capture(&self, _: &Position) -> bool {
        false
    }

    fn drawing(&self) -> Drawing {
        Drawing::Squares(Points::EMPTY)
    }
}

/// The points on which a player's stones stand.
fn home(grid: &Grid, color: Color) -> Points {
    let dark = |point: &Point| {
        let (file, rank) = grid.place(*point);
        (file + rank) % 2 == 0
    };
    let wanted = color == Color::Black;
    let points = grid.all().filter(|point| dark(point) == wanted);
    points.fold(Points::EMPTY, |set, point| set | point.set())
}

/// The dark points in the corners and in the middle.
fn first_removals(grid: &Grid) -> Points {
    let (last, middle) = (grid.files - 1, grid.files / 2);
    let points = [0, middle - 1, middle, last].map(|at| grid.at(at, at).set());
    points.into_iter().fold(Points::EMPTY, |set, point| set | point)
}

/// All jumps of a player, if it were his turn.
fn jumps(position: &Position, color: Color) -> Vec<Move> {
    let mut moves = Vec::new();
    each_jump(position, color, |from, to, taken| moves.push(Move::slide(from, to, taken)));
    moves
}

/// Calls `found` with each jump of a player, from where, to where and whom it takes: each goes on in its direction as far as it
/// will.
fn each_jump(position: &Position, color: Color, mut found: impl FnMut(Point, Point, Points)) {
    let grid = position.grid();
    let (enemies, vacant) = (position.men(!color), position.vacant());
    for from in position.men(color) {
        for direction in STRAIGHT {
            let mut taken = Points::EMPTY;
            let mut at = from;
            while let Some(over) = grid.next(at, direction).filter(|&over| enemies.has(over))
                && let Some(to) = grid.next(over, direction).filter(|&to| vacant.has(to))
            {
                taken = taken | over.set();
                found(from, to, taken);
                at = to;
            }
        }
    }
}
