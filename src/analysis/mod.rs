//! What a search says of a position, of a suite of positions, of a whole game.
//!
//! Uses everything to the left; knows no terminal and no arguments. [`Thinker`] waits for a search;
//! [`epd`] reads and writes records of positions and judges whether a search has solved them; [`review`]
//! goes through a game and marks its moves, and [`words`], [`graph`], [`annotate`] and [`page`] show that.

pub mod annotate;
pub mod epd;
pub mod graph;
pub mod page;
pub mod review;
mod think;
pub mod words;

pub use think::{Thinker, Thought, chance};
