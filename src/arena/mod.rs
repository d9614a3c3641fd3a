//! Games between players, and games as files.
//!
//! Uses `rules` (and, for players, `protocol` and `search`). What ends a game outside the rules, time,
//! resignation, a move that is none, is decided here and nowhere else.

pub mod pgn;
pub mod stats;
