//! Endings of few men, solved: for every position who wins, and in how many plies.
//!
//! Uses `board` and `rules`; no evaluation and nothing of the search.
//!
//! **What a value says.** Won in n plies, lost in n plies (to the end of the game, by the best play of
//! both), or unresolved: neither side can force the end, and only the repetition rule will bring it. Values
//! leave repetition out, and yet a win is a win and a loss a loss in every game of which no position has
//! stood twice: whoever plays for the shortest way comes nearer the end with each turn, so that no position
//! comes back. The number of plies is exact up to eight; from there on, the side that loses may be held to the
//! repetition rule and lose sooner. A game in which a position has stood twice may end at its third
//! occurrence, which no table knows: whoever probes in such a game must look to that.
//!
//! **What there is.** A table for each material of two to four men, both sides to move, without castling
//! rights; the side with more comes first. En passant chances have no place of their own: their value follows from
//! the moves. Today's and the earlier edition have tables, chess has none.

mod generate;
mod material;
mod table;
mod tables;
mod value;

pub use generate::{GenerateError, Generator, Step};
pub use material::{MAX_MEN, Material};
pub use table::{Summary, Table, TableError};
pub use tables::Tables;
pub use value::{Value, by_moves};
