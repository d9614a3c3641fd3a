//! A game from its start to where it stands, and the result that its history gives.

use crate::rules::{Outcome, Reason};

use super::{Move, Position};

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not a legal move.
    #[error("{0:?} is not a legal move")]
    Illegal(String),
}

/// Why a list of moves could not be replayed to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {ply}: {fault}")]
pub struct ReplayError {
    /// Which move of the list, counted from 1.
    pub ply: usize,
    /// What is wrong with it.
    pub fault: ReplayFault,
}

/// What is wrong with a move of a list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayFault {
    /// It is not legal where it stands.
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

impl Position {
    /// Reads a move: one of the texts of the legal moves, whatever the case; `0000` for a pass, and placed points in any order.
    ///
    /// # Errors
    /// When it is none of them.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let asked = in_order(text);
        let asked = if asked == "0000" { "pass" } else { &asked };
        let legal = self.moves().into_iter().find(|m| m.text(self.grid()) == asked);
        legal.ok_or_else(|| MoveError::Illegal(text.chars().take(80).collect()))
    }
}

/// A move's text in lower case, the points of a placing in the order in which they are written.
fn in_order(text: &str) -> String {
    let text = text.to_ascii_lowercase();
    let Some(placed) = text.strip_prefix('@') else { return text };
    let mut points: Vec<&str> = placed.split('@').collect();
    points.sort_unstable();
    format!("@{}", points.join("@"))
}

/// A game.
#[derive(Clone, Debug)]
pub struct Record {
    start: Position,
    current: Position,
    moves: Vec<Move>,
    /// The keys of all positions, the start's first.
    keys: Vec<u64>,
    outcome: Option<Outcome>,
}

impl Record {
    /// A game that starts from a position, which counts as its first occurrence.
    pub fn new(start: Position) -> Record {
        let (moves, keys) = (Vec::new(), vec![start.key()]);
        Record { start, current: start, moves, keys, outcome: start.outcome() }
    }

    /// Plays a list of moves.
    ///
    /// # Errors
    /// At the first text that is no legal move where it stands, or comes after the end; the game then stands before it.
    pub fn replay<S: AsRef<str>>(&mut self, texts: &[S]) -> Result<(), ReplayError> {
        for (ply, text) in (1..).zip(texts) {
            self.play_text(text.as_ref()).map_err(|fault| ReplayError { ply, fault })?;
        }
        Ok(())
    }

    /// Plays a move by its text.
    ///
    /// # Errors
    /// When it is not legal, or the game is over; the game stays as it is.
    pub fn play_text(&mut self, text: &str) -> Result<(), ReplayFault> {
        if let Some(outcome) = self.outcome {
            let text = text.chars().take(80).collect();
            return Err(ReplayFault::Over { text, outcome });
        }
        let m = self.current.read_move(text)?;
        self.play(m);
        Ok(())
    }

    /// Plays one of the [legal moves](Record::legal).
    pub fn play(&mut self, m: Move) {
        self.outcome = self.outcome_after(&m);
        self.current = self.current.play(&m);
        self.keys.push(self.current.key());
        self.moves.push(m);
    }

    /// Plays moves that are legal one after the other, until the game is over; how many those were.
    pub fn play_all(&mut self, moves: impl IntoIterator<Item = Move>) -> usize {
        let mut played = 0;
        for m in moves {
            if self.outcome.is_some() {
                break;
            }
            self.play(m);
            played += 1;
        }
        played
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

    /// The keys of all positions that stood, the start's first and the current one's last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The result, `None` while the game goes on.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The moves that can be played; none when the game is over.
    pub fn legal(&self) -> Vec<Move> {
        if self.outcome.is_some() { Vec::new() } else { self.current.moves() }
    }

    /// How often the current position has stood, this time included: 1 or more.
    pub fn repetitions(&self) -> usize {
        self.occurrences(self.current.key())
    }

    fn occurrences(&self, key: u64) -> usize {
        self.keys.iter().filter(|&&k| k == key).count()
    }

    /// The result that a legal move would bring, `None` if the game would go on: what the board shows counts first, then the
    /// third repetition, then the limit of plies without a capture.
    pub fn outcome_after(&self, m: &Move) -> Option<Outcome> {
        let after = self.current.play(m);
        let repeated = || self.occurrences(after.key()) >= 2;
        let limit = after.game().limit();
        after
            .outcome()
            .or_else(|| repeated().then_some(Outcome::drawn(Reason::Repetition)))
            .or_else(|| {
                limit
                    .is_some_and(|limit| after.quiet() >= limit)
                    .then_some(Outcome::drawn(Reason::NoProgress))
            })
    }
}
