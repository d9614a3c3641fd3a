//! Exact play where it can be exhausted, by the plain rules beside: Alquerque's endings of few men, and Konane.

use std::collections::HashMap;

use super::{Board, Kind};

/// What a position is worth to the side to move: the plies to the end if both play for the shortest win and the longest loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Win(u32),
    Loss(u32),
    Draw,
}

impl Value {
    /// The value before a move to the best of these.
    fn before(after: impl Iterator<Item = Value>) -> Value {
        let turned = after.map(|value| match value {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
        });
        turned.max_by_key(|value| value.rank()).unwrap_or(Value::Loss(0))
    }

    /// Better values are higher.
    const fn rank(self) -> i64 {
        match self {
            Value::Win(plies) => 1_000_000 - plies as i64,
            Value::Draw => 0,
            Value::Loss(plies) => plies as i64 - 1_000_000,
        }
    }
}

/// All endings of Alquerque with so many men at most, solved backward from the ends of the game. A colour is as good as the
/// other, so that only positions with White to move are kept.
///
/// The limit of plies and repetition are not looked at. As no win takes as many plies as the limit they change nothing where
/// the count is 0: a shortest win comes back to no position.
pub struct Alquerque {
    places: HashMap<u64, u32>,
    values: Vec<Value>,
}

impl Alquerque {
    pub fn solve(most: u32) -> Alquerque {
        let boards = boards(most);
        let places: HashMap<u64, u32> =
            boards.iter().enumerate().map(|(i, board)| (code(board), i as u32)).collect();
        // The positions after each position's moves; an end that is shown at once has none.
        let mut next: Vec<Vec<u32>> = Vec::new();
        let mut values = Vec::new();
        for board in &boards {
            // A move that takes the last man leads to no position of the list.
            let steps = board.steps();
            let wins = steps.iter().any(|step| step.after.men(step.after.white).is_empty());
            let known = if wins {
                Value::Win(1)
            } else if steps.is_empty() {
                Value::Loss(0)
            } else {
                Value::Draw
            };
            values.push(known);
            let after = steps.iter().map(|step| places.get(&code(&swapped(&step.after))));
            next.push(if wins {
                Vec::new()
            } else {
                after.map(|i| *i.expect("in the list")).collect()
            });
        }
        // Each round finds the values of one ply more, until there is nothing new.
        loop {
            let round: Vec<Value> = (0..boards.len())
                .map(|i| match next[i].as_slice() {
                    [] => values[i],
                    next => Value::before(next.iter().map(|&after| values[after as usize])),
                })
                .collect();
            if round == values {
                return Alquerque { places, values };
            }
            values = round;
        }
    }

    /// All positions with White to move, and their values.
    pub fn all(&self) -> impl Iterator<Item = (Board, Value)> {
        let mut all: Vec<(u64, u32)> = self.places.iter().map(|(&code, &i)| (code, i)).collect();
        all.sort_unstable();
        all.into_iter().map(|(code, i)| (board(code), self.values[i as usize]))
    }

    /// The value whatever the count of plies without a capture: counted forward up to the limit, solved backward from there.
    pub fn value_with_count(&self, board: &Board, known: &mut HashMap<Board, Value>) -> Value {
        let mut standing = *board;
        standing.number = 1;
        if let Some(&value) = known.get(&standing) {
            return value;
        }
        let after = board.steps().into_iter().map(|step| match step.after {
            after if after.verdict().is_some() => Value::Loss(0),
            after if after.count >= 80 => Value::Draw,
            after if after.count == 0 => self.value(&after),
            after => self.value_with_count(&after, known),
        });
        let value = Value::before(after.collect::<Vec<_>>().into_iter());
        known.insert(standing, value);
        value
    }

    fn value(&self, board: &Board) -> Value {
        let board = if board.white { *board } else { swapped(board) };
        self.values[self.places[&code(&board)] as usize]
    }
}

/// White's men in the lower half of the number, Black's in the upper.
fn code(board: &Board) -> u64 {
    let men = |white| -> u64 {
        board.men(white).into_iter().map(|(file, rank)| 1 << (rank * 5 + file)).sum()
    };
    men(true) | men(false) << 32
}

fn board(code: u64) -> Board {
    let mut board = Board::empty(Kind::Alquerque, 5, 5);
    for at in board.places() {
        let bit = at.1 * 5 + at.0;
        if code >> bit & 1 == 1 {
            board.set(at, b'P');
        } else if code >> (32 + bit) & 1 == 1 {
            board.set(at, b'p');
        }
    }
    board
}

/// The same with the colours changed: the lines are the same for both.
pub fn swapped(board: &Board) -> Board {
    let mut other = *board;
    for at in board.places() {
        let man = board.get(at);
        other.set(at, if man == b'.' { man } else { man ^ b'P' ^ b'p' });
    }
    other.white = !board.white;
    other.hand.reverse();
    other
}

fn boards(most: u32) -> Vec<Board> {
    let mut codes = vec![0_u64];
    for bit in 0..25 {
        for i in 0..codes.len() {
            if codes[i].count_ones() < most {
                codes.push(codes[i] | 1 << bit);
                codes.push(codes[i] | 1 << (32 + bit));
            }
        }
    }
    codes.retain(|code| code & 0xffff_ffff != 0 && code >> 32 != 0);
    codes.into_iter().map(board).collect()
}

/// Konane: every game ends, so that a plain walk through all of them gives the value. `None` if there are more positions than
/// `budget`, which is what is left of it afterwards.
pub fn konane(board: &Board, known: &mut HashMap<Board, Value>, budget: &mut u32) -> Option<Value> {
    let mut standing = *board;
    (standing.count, standing.number) = (0, 0);
    if let Some(&value) = known.get(&standing) {
        return Some(value);
    }
    *budget = budget.checked_sub(1)?;
    let mut after = Vec::new();
    for step in board.steps() {
        after.push(konane(&step.after, known, budget)?);
    }
    let value = Value::before(after.into_iter());
    known.insert(standing, value);
    Some(value)
}
