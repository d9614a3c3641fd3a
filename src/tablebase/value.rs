//! What is known of a position, and how it follows from what its moves lead to.

use crate::board::Color;
use crate::rules::{Move, Outcome, Position};

/// What a table says of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The side to move wins in so many plies.
    Win(u8),
    /// The side to move loses in so many plies, 0 if it has lost already.
    Loss(u8),
    /// Neither side can force the end; the repetition rule decides.
    Unresolved,
}

impl Value {
    /// The greatest number of plies that a table can hold.
    pub const LONGEST: u8 = 127;

    /// The plies to the end of the game; `None` if it cannot be forced.
    pub const fn plies(self) -> Option<u8> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            Value::Unresolved => None,
        }
    }

    /// As a number: plies, negative for a loss, 0 if unresolved.
    pub const fn to_number(self) -> i8 {
        match self {
            Value::Win(plies) => plies as i8,
            Value::Loss(plies) => -(plies as i8),
            Value::Unresolved => 0,
        }
    }

    /// The value of a number that [`Value::to_number`] gives.
    pub const fn from_number(number: i8) -> Value {
        match number {
            0 => Value::Unresolved,
            1.. => Value::Win(number.unsigned_abs()),
            _ => Value::Loss(number.unsigned_abs()),
        }
    }

    /// The value where the game has ended, for the side that would be to move. There are no draws where there
    /// are tables.
    pub fn of_end(end: Outcome, side_to_move: Color) -> Value {
        if end.winner == Some(side_to_move) { Value::Win(0) } else { Value::Loss(0) }
    }

    /// The value, for the side to move, of a move that it plays; `after` tells the value of the next position unless
    /// the game ends there. `None` where it tells none.
    pub fn of_move(
        position: &Position,
        m: Move,
        after: impl FnOnce(&Position) -> Option<Value>,
    ) -> Option<Value> {
        let next = position.play(m);
        let value = match next.outcome() {
            Some(end) => Value::of_end(end, next.side_to_move()),
            None => after(&next)?,
        };
        Some(value.by_move())
    }

    /// The value for the side that leads into a position of this value by a move: the other's, a ply longer.
    const fn by_move(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies.saturating_add(1)),
            Value::Loss(plies) => Value::Win(plies.saturating_add(1)),
            Value::Unresolved => Value::Unresolved,
        }
    }

    /// Orders values from the best to the worst: short wins, long ones, unresolved, long losses, short ones.
    pub const fn rank(self) -> i32 {
        match self {
            Value::Win(plies) => plies as i32 - 1_000,
            Value::Unresolved => 0,
            Value::Loss(plies) => 1_000 - plies as i32,
        }
    }
}

/// The value of a position that is not over, from the values `after` its moves that do not end the game; `None`
/// as soon as one of these is not known.
pub fn by_moves(
    position: &Position,
    mut after: impl FnMut(&Position) -> Option<Value>,
) -> Option<Value> {
    let mut best: Option<Value> = None;
    for m in position.moves() {
        let value = Value::of_move(position, m, &mut after)?;
        if best.is_none_or(|best| value.rank() < best.rank()) {
            best = Some(value);
        }
    }
    best
}
