//! Seega: two stones a turn are placed, then they slide, and what is between two enemies is taken.

use crate::board::Color;
use crate::rules::{Outcome, Reason};

use super::grid::{Diagonals, Grid, Point, Points, STRAIGHT};
use super::moves::{Mark, Move, Step};
use super::position::{Position, eliminated};
use super::terms::{freedom, lead};
use super::{Drawing, Game};

static GRIDS: [Grid; 1] = [Grid::new(5, 5, Diagonals::None)];

/// The stones of each side.
const STONES: u8 = 12;

/// c3: nothing is placed on it and nothing taken.
const CENTRE: Point = Point(12);

/// See the module.
pub struct Seega;

impl Game for Seega {
    fn name(&self) -> &'static str {
        "seega"
    }

    fn grids(&self) -> &'static [Grid] {
        &GRIDS
    }

    fn start(&self) -> &'static str {
        "5/5/5/5/5 w 12,12 0 1"
    }

    fn limit(&self) -> Option<u16> {
        Some(120)
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let placing = position.hand != [0; 2];
        for color in Color::ALL {
            let (men, hand) = (position.men(color).count(), position.hand(color));
            let all = men + u32::from(hand);
            let name = color.name();
            if all > STONES.into() || placing && all < STONES.into() {
                return Err(format!(
                    "{name} has {men} stones on the board and {hand} in hand, {STONES} in all are right"
                ));
            }
            if hand % 2 != 0 {
                return Err(format!("{name} has {hand} stones in hand; two are placed at a time"));
            }
        }
        if placing && position.man(CENTRE).is_some() {
            return Err("a stone on c3, where none is placed".to_owned());
        }
        let [white, black] = position.hand;
        let ahead = if position.side() == Color::White { white } else { white + 2 };
        if placing && black != ahead {
            let side = position.side().name();
            return Err(format!(
                "{white} and {black} stones in hand with {side} to move; White places first, two at a time"
            ));
        }
        Ok(())
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let side = position.side();
        if position.hand(side) > 0 {
            return placings(position);
        }
        let mut moves = Vec::new();
        for from in position.men(side) {
            let steps = position.grid().around(from) & position.vacant();
            moves.extend(steps.map(|to| Move::slide(from, to, flanked(position, from, to))));
        }
        if moves.is_empty() && can_slide(position, !side) {
            moves.push(Move::pass());
        }
        moves
    }

    fn finished(&self, position: &Position) -> Option<Outcome> {
        if position.hand == [0; 2] { eliminated(position, 2) } else { None }
    }

    /// Nobody can slide: more stones win.
    fn stuck(&self, position: &Position) -> Outcome {
        let [white, black] = Color::ALL.map(|color| position.men(color).count());
        match white.cmp(&black) {
            std::cmp::Ordering::Greater => Outcome::won(Color::White, Reason::Blocked),
            std::cmp::Ordering::Less => Outcome::won(Color::Black, Reason::Blocked),
            std::cmp::Ordering::Equal => Outcome::drawn(Reason::Blocked),
        }
    }

    fn evaluate(&self, position: &Position) -> i32 {
        if position.hand != [0; 2] {
            return lead(position, 200) + 2 * freedom(position);
        }
        let us = position.side();
        lead(position, 200)
            + 3 * freedom(position)
            + 20 * (aims(position, us) - aims(position, !us))
    }

    fn can_capture(&self, position: &Position) -> bool {
        position.hand(position.side()) == 0
            && position.men(position.side()).into_iter().any(|from| {
                let mut steps = position.grid().around(from) & position.vacant();
                steps.any(|to| !flanked(position, from, to).is_empty())
            })
    }

    fn drawing(&self) -> Drawing {
        Drawing::Squares(CENTRE.set())
    }
}

/// All ways to place two stones.
fn placings(position: &Position) -> Vec<Move> {
    let grid = position.grid();
    let mut points: Vec<Point> = (position.vacant() & !CENTRE.set()).collect();
    points.sort_unstable_by_key(|&point| grid.place(point));
    let pair = |(i, &first): (usize, &Point)| {
        let second = points[i + 1..].iter();
        second
            .map(move |&second| Move {
                own: first.set() | second.set(),
                taken: Points::EMPTY,
                way: [first, second].map(|point| Step(point, Mark::Placed)).into_iter().collect(),
            })
            .collect::<Vec<_>>()
    };
    points.iter().enumerate().flat_map(pair).collect()
}

/// The enemies that a stone takes by sliding: each between it and another own stone.
fn flanked(position: &Position, from: Point, to: Point) -> Points {
    let grid = position.grid();
    let others = position.men(position.side()) & !from.set();
    let enemies = position.men(!position.side()) & !CENTRE.set();
    let taken = STRAIGHT.into_iter().filter_map(|direction| {
        let enemy = grid.next(to, direction).filter(|&enemy| enemies.has(enemy))?;
        let beyond = grid.next(enemy, direction)?;
        others.has(beyond).then_some(enemy)
    });
    taken.fold(Points::EMPTY, |set, enemy| set | enemy.set())
}

/// How many enemies have one of a player's stones on one side and an empty point on the other.
fn aims(position: &Position, color: Color) -> i32 {
    let (grid, own, vacant) = (position.grid(), position.men(color), position.vacant());
    let enemies = position.men(!color) & !CENTRE.set();
    let is_aim = |enemy: Point, direction| {
        let has =
            |set: Points, direction| grid.next(enemy, direction).is_some_and(|at| set.has(at));
        has(own, direction) && has(vacant, direction ^ 4)
    };
    enemies.map(|enemy| STRAIGHT.into_iter().filter(|&d| is_aim(enemy, d)).count() as i32).sum()
}

fn can_slide(position: &Position, color: Color) -> bool {
    let (grid, vacant) = (position.grid(), position.vacant());
    position.men(color).into_iter().any(|from| !(grid.around(from) & vacant).is_empty())
}
