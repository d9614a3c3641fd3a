//! Games between players, and games as files.
//!
//! Uses `rules` (and, for players, `protocol` and `search`). What ends a game outside the rules, time,
//! resignation, a move that is none, is decided here and nowhere else.

pub mod clock;
pub mod engine_spec;
pub mod game;
pub mod journal;
pub mod openings;
pub mod pgn;
pub mod player;
pub mod process;
pub mod referee;
pub mod report;
pub mod results;
pub mod runner;
pub mod schedule;
pub mod stats;
mod uci_player;
mod xboard_player;
