//! The rules of the three editions, and nothing but the rules: positions, moves, results, texts.
//!
//! Uses `board`. Whatever is decided by the rules is decided here and asked for elsewhere.

mod edition;
mod fen;
mod game;
mod movegen;
mod moves;
pub mod notation;
mod outcome;
pub mod perft;
mod position;
mod retro;

pub use edition::Edition;
pub use fen::FenError;
pub use game::{GameError, GameRecord, ReplayError, ReplayFault};
pub use movegen::escort_landing;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use outcome::{Outcome, Reason, goal_rank};
pub use position::{CastlingRights, Position};
