//! Finding a good move: the engine, its search and what they are made of.
//!
//! Uses `board`, `rules` and `eval`. [`Engine`] is the door: it takes a game and [`Limits`], runs the
//! search on its own threads and tells [`Event`]s.

pub mod bench;
mod clock;
mod engine;
mod front;
mod history;
mod limits;
mod node;
#[allow(missing_docs)] // named in groups
mod params;
mod picker;
mod prove;
mod quiesce;
pub mod score;
pub mod see;
mod shared;
mod table;
mod weak;
mod worker;

pub use engine::{Engine, Thought};
pub use limits::{Clock, Event, Info, Limits, Settings};
pub use score::{Bound, MAX_PLY, Score};
