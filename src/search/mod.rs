//! Finding a good move: the engine, its search and what they are made of.
//!
//! Uses `board`, `rules`, `eval` and `tablebase`. [`Engine`] is the door: it takes a game and [`Limits`], runs the
//! search on its own threads and tells [`Event`]s. The driver (`engine`, `limits`, `clock`, `shared`, `table`, `score`) knows
//! no game and serves the board games too; the rest is the chess family's.

pub mod bench;
mod chess;
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

pub use clock::{Progress, Settled, TimePlan};
pub use engine::{Choice, Engine, Memory, Order, Task, Thought};
pub use limits::{Clock, Event, Info, Limits, Settings};
pub use score::{Bound, MAX_PLY, Score};
pub use shared::{Shared, Signals};
pub use table::{Hit, Table};
