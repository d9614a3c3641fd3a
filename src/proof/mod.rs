//! Exact answers about who wins: the shortest forced win of a game, proven by search.
//!
//! Uses `board` and `rules`, no evaluation and nothing of the engine's search. What is said here is
//! true or it is not said: a search that was ended early claims only what it has finished.

mod memory;
mod solver;

pub use solver::{Answer, Solver};
