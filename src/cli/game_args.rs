//! The arguments that say which game is meant, the same for every sub-command:
//! `--variant`, `--fen`, `--moves`, `--letters` for the pieces in written moves, and `--lang`.

use clap::{Args, ValueEnum};

use crate::rules::notation::Letters;
use crate::rules::{Edition, FenError, GameRecord, Position, ReplayError};
use crate::text::Language;

use super::language::LanguageArguments;

/// Which game, from where, and what was played.
#[derive(Args, Debug)]
pub struct GameArguments {
    /// The edition: captureorconquer, captureorconquer-classic, chess (or normal)
    #[arg(long, value_name = "EDITION", value_parser = edition)]
    pub variant: Option<Edition>,

    /// The position from which the game starts, quoted [default: the edition's start position]
    #[arg(long)]
    pub fen: Option<String>,

    /// The moves played from there, in coordinates or SAN, up to the next option; a quoted list is
    /// split, and move numbers are passed over
    #[arg(long, value_name = "MOVE", num_args = 0..)]
    moves: Vec<String>,

    /// The letters of the pieces where SAN is read or written [default: those of --lang]
    #[arg(long, value_enum)]
    letters: Option<LettersArgument>,

    #[command(flatten)]
    language: LanguageArguments,
}

/// `--letters`.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum LettersArgument {
    /// English: K Q R B N
    En,
    /// Portuguese: R D T B C
    Pt,
}

/// Why the arguments describe no game.
#[derive(Debug, thiserror::Error)]
pub enum GameArgumentsError {
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl GameArgumentsError {
    /// The number of the move that is wrong, counted from 1; `None` when the start already is.
    pub const fn ply(&self) -> Option<usize> {
        match self {
            GameArgumentsError::Fen(_) => None,
            GameArgumentsError::Replay(error) => Some(error.ply),
        }
    }
}

impl GameArguments {
    /// The letters to read and write pieces by.
    pub const fn letters(&self) -> Letters {
        match self.letters {
            Some(LettersArgument::En) => Letters::English,
            Some(LettersArgument::Pt) => Letters::Portuguese,
            None => self.language().letters(),
        }
    }

    /// The language to speak to people.
    pub const fn language(&self) -> Language {
        self.language.language()
    }

    /// Whether the arguments describe a game of their own, beyond the edition.
    pub const fn is_given(&self) -> bool {
        self.fen.is_some() || !self.moves.is_empty()
    }

    /// The edition, today's when none was given.
    pub fn edition(&self) -> Edition {
        self.variant.unwrap_or_default()
    }

    /// The game that the arguments describe.
    ///
    /// # Errors
    /// When the FEN or a move is wrong.
    pub fn game(&self) -> Result<GameRecord, GameArgumentsError> {
        let words = self.moves.iter().flat_map(|list| list.split_whitespace());
        let moves: Vec<&str> = words.map(without_number).filter(|word| !word.is_empty()).collect();
        game(self.edition(), self.fen.as_deref(), &moves, self.letters())
    }
}

/// A word of a list of moves without the number before it: `e4` of `1.e4`, nothing of `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < word.len() && rest.starts_with('.');
    if numbered { rest.trim_start_matches('.') } else { word }
}

/// The game that starts from `fen`, or from the edition's start position, and goes on with `moves`.
///
/// # Errors
/// When the FEN or a move is wrong.
pub fn game<S: AsRef<str>>(
    edition: Edition,
    fen: Option<&str>,
    moves: &[S],
    letters: Letters,
) -> Result<GameRecord, GameArgumentsError> {
    let start = match fen {
        Some(fen) => Position::from_fen(edition, fen)?,
        None => Position::start(edition),
    };
    let mut game = GameRecord::new(start);
    game.replay(moves, letters)?;
    Ok(game)
}

/// Reads an edition's name, for `clap`.
///
/// # Errors
/// The names that there are.
pub fn edition(name: &str) -> Result<Edition, String> {
    Edition::parse(name).ok_or_else(|| {
        let names = Edition::ALL.map(Edition::name).join(", ");
        format!("the editions are {names} (or normal)")
    })
}
