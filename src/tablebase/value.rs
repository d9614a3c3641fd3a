//! What is known of a position, and how it follows from what its moves lead to.

use crate::rules::Position;

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
}

/// The value of a position that is not over, from the values `after` its moves that do not end the game; `None`
/// as soon as one of these is not known.
pub fn by_moves(
    position: &Position,
    mut after: impl FnMut(&Position) -> Option<Value>,
) -> Option<Value> {
    let us = position.side_to_move();
    let mut win: Option<u8> = None;
    let mut longest: Option<u8> = Some(0); // none once a move does not lose
    for m in position.moves() {
        let next = position.play(m);
        let value = match next.outcome() {
            // Won already, or lost already, for the side that is to move there.
            Some(end) if end.winner == Some(us) => Value::Loss(0),
            Some(_) => Value::Win(0),
            None => after(&next)?,
        };
        match value {
            Value::Loss(plies) => win = Some(win.map_or(plies, |best| best.min(plies))),
            Value::Win(plies) => longest = longest.map(|most| most.max(plies)),
            Value::Unresolved => longest = None,
        }
    }
    Some(match (win, longest) {
        (Some(plies), _) => Value::Win(plies.saturating_add(1)),
        (None, Some(plies)) => Value::Loss(plies.saturating_add(1)),
        (None, None) => Value::Unresolved,
    })
}
