//! Games that the engine plays against itself, kept for training.
//!
//! `record` says how a game is written, `file` how a file of games survives being killed, `selfplay` plays,
//! `positions` picks what a network learns from, `stats` sums up. Uses `rules`, `eval`, `search` and the openings of
//! `arena`; `docs/data.md` describes the format for other programs.

pub mod file;
pub mod positions;
pub mod record;
pub mod selfplay;
pub mod stats;

pub use file::{DataError, Reader, Writer};
pub use record::Game;
