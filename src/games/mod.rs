//! Five board games beside the chess family: Alquerque, Konane, Fanorona, Seega and Surakarta.
//!
//! Uses `board` (colours, random numbers), `rules` (what a result is), `text` and `picture` (for pictures) and `search` (the driver).
//! What stands for both families, `any`, uses the chess family's game too. A game is one file and one
//! row of [`GAMES`]: a [`Game`] says how its men move, who has won and what a position is worth. What they have in common is
//! here once: a [`Position`] is men of two kinds on a [`Grid`], a [`Move`] is some men gone, some come and the text of the way;
//! a [`Record`] knows repetition and the limit of plies without a capture.
//!
//! The rules are those of `protocol.md`, chapter "Five board games".

mod alquerque;
mod any;
pub mod bench;
mod fanorona;
mod fen;
mod grid;
mod konane;
mod moves;
pub mod perft;
pub mod picture;
mod position;
mod record;
pub mod search;
mod seega;
mod surakarta;
mod terms;

use crate::rules::Outcome;

pub use any::{AnyGame, AnyMove, PlayError, Playable, ReadError, SetupError, Variant};
pub use fen::FenError;
pub use grid::{Grid, Point, Points};
pub use moves::{Mark, Move, Step};
pub use position::Position;
pub use record::{MoveError, Record, ReplayError, ReplayFault};

/// All games. A sixth is a file of its own and a line here.
pub static GAMES: [&dyn Game; 5] = [
    &alquerque::Alquerque,
    &konane::Konane,
    &fanorona::Fanorona,
    &seega::Seega,
    &surakarta::Surakarta,
];

/// The game of this name; the case is free.
pub fn game(name: &str) -> Option<&'static dyn Game> {
    GAMES.into_iter().find(|game| game.name().eq_ignore_ascii_case(name))
}

/// What sets one game apart from the others.
///
/// A position given to any method is one of this game. None of them looks at history.
pub trait Game: Sync {
    /// The value of `UCI_Variant`, in lower case.
    fn name(&self) -> &'static str;

    /// The boards it is played on, the usual one first; a FEN says by its rows which one is meant.
    fn grids(&self) -> &'static [Grid];

    /// The FEN of the start position on the usual board.
    fn start(&self) -> &'static str;

    /// After so many plies without a capture the game is drawn; `None`: never.
    fn limit(&self) -> Option<u16>;

    /// Why a position cannot be, although its board and its numbers can be read: too many men, men where none can stand.
    ///
    /// # Errors
    /// One sentence that names what and where.
    fn check(&self, position: &Position) -> Result<(), String>;

    /// The moves of a position that is not [finished](Game::finished), in a fixed order; each text occurs once.
    fn moves(&self, position: &Position) -> Vec<Move>;

    /// The result that the board shows whoever can move: one side is eliminated.
    fn finished(&self, position: &Position) -> Option<Outcome>;

    /// The result when nobody is eliminated and [`Game::moves`] gives none: the side to move loses, if the game says no other.
    fn stuck(&self, position: &Position) -> Outcome {
        Outcome::won(!position.side(), crate::rules::Reason::NoMoves)
    }

    /// The position after one of its moves.
    fn play(&self, position: &Position, m: &Move) -> Position {
        position.after(m)
    }

    /// What a position is worth for the side to move, in centimen (a hundred is a man), within ±[`LIMIT`]; it is not over.
    fn evaluate(&self, position: &Position) -> i32;

    /// What each man that leaves the board, of either side, costs the side that thinks, in centimen, where few men are soon a
    /// draw. An analysis does not look at it. In chess engines something like it is known as contempt.
    fn trade_price(&self) -> i32 {
        0
    }

    /// Whether the side to move has to take, or can: such a position is not judged by [`Game::evaluate`] alone. `false` where
    /// there are no other moves than captures and so no quiet position to wait for.
    fn can_capture(&self, position: &Position) -> bool;

    /// What is drawn of the board.
    fn drawing(&self) -> Drawing;
}

/// No evaluation is further from zero, in centimen.
pub const LIMIT: i32 = 9_999;

/// What a board looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// Squares, chequered; those that are special are marked.
    Squares(Points),
    /// Points that ranks and files join.
    Lines,
    /// Points that ranks, files and the diagonals through every other point join.
    Diagonals,
    /// Ranks and files, and loops round the corners.
    Loops,
}
