//! Finding a good move: the engine, its search and what they are made of.
//!
//! Uses `board`, `rules` and `eval`. [`Engine`] is the door: it takes a game and [`Limits`], runs the
//! search on its own threads and tells [`Event`]s.

mod engine;
mod limits;
pub mod score;

pub use engine::Engine;
pub use limits::{Clock, Event, Info, Limits, Settings};
pub use score::{Bound, MAX_PLY, Score};
