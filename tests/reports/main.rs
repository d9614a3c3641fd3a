//! What went wrong in other engines and must not here: cases adapted from public bug reports, each
//! test named by the case and its symptom, with the report it comes from. The engine is a process
//! seen from outside. Repeats are fewer than in the reports where that shows the same.

#[path = "../common/mod.rs"]
mod common;

mod fen;
mod notation;
mod search;
mod uci;
