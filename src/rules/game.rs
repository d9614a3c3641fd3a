//! A game: where it started, what was played, and the result that its history gives.
//!
//! [`Position::outcome`] judges the board alone; [`GameRecord::outcome`] knows repetition too. Time,
//! resignation and illegal moves are no part of the rules.

use thiserror::Error;

use super::edition::Edition;
use super::moves::Move;
use super::notation::{Letters, MoveError, parse_move, shortened};
use super::outcome::{Outcome, Reason};
use super::position::Position;

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameError {
    /// The game has ended.
    #[error("the game is over: {} by {}", .0.winner_name(), .0.reason)]
    Over(Outcome),
    /// Not a legal move here.
    #[error("{0} is not legal")]
    Illegal(Move),
}

/// Why a list of moves could not be replayed to its end.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move {ply}: {fault}")]
pub struct ReplayError {
    /// Which move of the list, counted from 1.
    pub ply: usize,
    /// What is wrong with it.
    pub fault: ReplayFault,
}

/// What is wrong with a move of a list.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayFault {
    /// It cannot be read, or is not legal where it stands.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game is over before it.
    #[error("{text:?} comes after the end of the game, {} by {}", .outcome.winner_name(), .outcome.reason)]
    Over {
        /// The move as it was given.
        text: String,
        /// How the game ended.
        outcome: Outcome,
    },
}

/// A game from its start to where it stands.
#[derive(Clone, Debug)]
pub struct GameRecord {
    start: Position,
    current: Position,
    moves: Vec<Move>,
    /// Repetition keys of all positions, the start's first.
    keys: Vec<u64>,
    outcome: Option<Outcome>,
}

impl GameRecord {
    /// A game that starts from a position, which counts as its first occurrence.
    pub fn new(start: Position) -> GameRecord {
        GameRecord {
            start,
            current: start,
            moves: Vec::new(),
            keys: vec![start.repetition_key()],
            outcome: start.outcome(),
        }
    }

    /// A game from the edition's start position.
    pub fn from_start(edition: Edition) -> GameRecord {
        GameRecord::new(Position::start(edition))
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When the game is over or the move is not legal; the game then stays as it is.
    pub fn play(&mut self, m: Move) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome {
            return Err(GameError::Over(outcome));
        }
        if !self.current.is_legal(m) {
            return Err(GameError::Illegal(m));
        }
        self.advance(m);
        Ok(())
    }

    /// Plays a move known to be legal, in a game known not to be over.
    fn advance(&mut self, m: Move) {
        self.outcome = self.outcome_after(m);
        self.current = self.current.play(m);
        self.keys.push(self.current.repetition_key());
        self.moves.push(m);
    }

    /// Plays a list of moves in any notation that [`parse_move`] reads.
    ///
    /// # Errors
    /// At the first text that is no legal move where it stands, or comes after the end; the game then
    /// stands before it.
    pub fn replay<S: AsRef<str>>(
        &mut self,
        texts: &[S],
        letters: Letters,
    ) -> Result<(), ReplayError> {
        for (ply, text) in (1..).zip(texts) {
            let text = text.as_ref();
            let fault = |fault| ReplayError { ply, fault };
            if let Some(outcome) = self.outcome {
                return Err(fault(ReplayFault::Over { text: shortened(text), outcome }));
            }
            let m = parse_move(&self.current, text, letters)
                .map_err(|error| fault(ReplayFault::Move(error)))?;
            self.advance(m);
        }
        Ok(())
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Where the game stands.
    pub const fn position(&self) -> &Position {
        &self.current
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The repetition keys of all positions that stood, the start's first and the current one's last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The result, `None` while the game goes on.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How often the current position has stood, this time included: 1 or more.
    pub fn repetitions(&self) -> u32 {
        self.occurrences(self.current.repetition_key())
    }

    fn occurrences(&self, key: u64) -> u32 {
        self.keys.iter().filter(|&&k| k == key).count() as u32
    }

    /// The result that a legal move of the current position would bring, `None` if the game would go
    /// on. What counts first: the King taken, an ultimatum upheld, a safe arrival; then (chess) mate,
    /// stalemate, dead material; then the third repetition; then the other side without a move, or
    /// (chess) fifty moves.
    pub fn outcome_after(&self, m: Move) -> Option<Outcome> {
        let before = &self.current;
        let after = before.play(m);
        let royal = before.edition().rules().royal;
        if let Some(outcome) = after.finished() {
            return Some(outcome);
        }
        if royal && let Some(outcome) = after.stuck().or_else(|| after.dead()) {
            return Some(outcome);
        }
        if self.occurrences(after.repetition_key()) >= 2 {
            return Some(before.repetition_outcome());
        }
        after.outcome()
    }
}

impl Position {
    /// The result when the side to move here makes a position stand for the third time: it loses;
    /// in today's edition the other side loses if this one was forced. Chess: a draw.
    pub fn repetition_outcome(&self) -> Outcome {
        let rules = self.edition.rules();
        if rules.royal {
            return Outcome::drawn(Reason::Repetition);
        }
        let pardoned = rules.forced_repetition_pardoned && self.is_forced();
        let winner = if pardoned { self.side } else { !self.side };
        Outcome::won(winner, Reason::Repetition)
    }
}
