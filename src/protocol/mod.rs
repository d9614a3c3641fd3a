//! The protocols: lines of text in, lines of text out.
//!
//! Uses the rooms to its left. Outside text is never trusted here: nothing is indexed by it, nothing
//! unwrapped, and every line that cannot be used becomes one typed error and one line to the client,
//! with the state left as it was.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod error;
pub mod grammar;
pub mod input;
pub mod options;
pub mod vampirc;
pub mod writer;
