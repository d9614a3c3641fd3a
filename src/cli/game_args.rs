//! The arguments that say which game is meant, the same for every sub-command:
//! `--variant`, `--fen`, `--moves`, `--letters` for the pieces in written moves, and `--lang`.

use std::error::Error;

use clap::{Args, ValueEnum};

use crate::games::{AnyGame, Playable, SetupError, Variant};
use crate::rules::notation::Letters;
use crate::rules::{Edition, GameRecord};
use crate::text::Language;

use super::language::LanguageArguments;

/// Which game, from where, and what was played.
#[derive(Args, Debug)]
pub struct GameArguments {
    /// The edition, captureorconquer, captureorconquer-classic or chess (or normal), or a board game
    /// by its name
    #[arg(long, value_name = "NAME", value_parser = variant)]
    pub variant: Option<Variant>,

    /// The position from which the game starts, quoted [default: the variant's start position]
    #[arg(long)]
    pub fen: Option<String>,

    /// The moves played from there, in coordinates or SAN or as the board game writes them, up to the next option; a quoted list is
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

    /// What is played, today's edition when nothing was said.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or_default()
    }

    /// The edition, for a command that knows the chess family only; today's when none was given.
    ///
    /// # Errors
    /// When a board game was given; one sentence that names the command.
    pub fn edition(&self, command: &str) -> Result<Edition, String> {
        chess_only(self.variant(), command)
    }

    /// The game that the arguments describe.
    ///
    /// # Errors
    /// When the FEN or a move is wrong.
    pub fn game(&self) -> Result<AnyGame, SetupError> {
        self.game_of_kind()
    }

    /// The same, for a command that knows the chess family only.
    ///
    /// # Errors
    /// When a board game was given, or the FEN or a move is wrong.
    pub fn chess_game(&self, command: &str) -> Result<GameRecord, Box<dyn Error>> {
        self.edition(command)?;
        Ok(self.game_of_kind()?)
    }

    fn game_of_kind<G: Playable>(&self) -> Result<G, SetupError> {
        let words = self.moves.iter().flat_map(|list| list.split_whitespace());
        let moves: Vec<&str> = words.map(without_number).filter(|word| !word.is_empty()).collect();
        game(self.variant(), self.fen.as_deref(), &moves, self.letters())
    }
}

/// The edition that a variant is, for a command that knows the chess family only.
///
/// # Errors
/// One sentence that names the command, when it is a board game.
pub fn chess_only(variant: Variant, command: &str) -> Result<Edition, String> {
    let names = Edition::ALL.map(Edition::name).join(", ");
    let error = || format!("{command} is for the chess family ({names}), not for {variant}");
    variant.edition().ok_or_else(error)
}

/// A word of a list of moves without the number before it: `e4` of `1.e4`, nothing of `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < word.len() && rest.starts_with('.');
    if numbered { rest.trim_start_matches('.') } else { word }
}

/// The game that starts from `fen`, or from the variant's start position, and goes on with `moves`.
///
/// # Errors
/// When the FEN or a move is wrong.
pub fn game<G: Playable, S: AsRef<str>>(
    variant: Variant,
    fen: Option<&str>,
    moves: &[S],
    letters: Letters,
) -> Result<G, SetupError> {
    let mut game = G::begin(variant, fen)?;
    game.advance_all(moves, letters)?;
    Ok(game)
}

/// Reads a variant's name, for `clap`.
///
/// # Errors
/// The names that there are.
pub fn variant(name: &str) -> Result<Variant, String> {
    Variant::parse(name).ok_or_else(|| {
        let names = |chess: bool| {
            let wanted = Variant::all().filter(|variant| variant.edition().is_some() == chess);
            wanted.map(Variant::name).collect::<Vec<_>>().join(", ")
        };
        let (editions, games) = (names(true), names(false));
        format!("the editions are {editions} (or normal), the board games {games}")
    })
}
