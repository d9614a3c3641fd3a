//! `usurper`: an engine for the chess variant Capture or Conquer.
//!
//! The rooms, from left to right; a room uses only those to its left:
//! `board → rules → text → picture → eval → proof → tablebase → search → games → protocol → arena → data → train → analysis → cli`.

pub mod analysis;
pub mod arena;
pub mod board;
pub mod cli;
pub mod data;
pub mod eval;
pub mod games;
pub mod picture;
pub mod proof;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tablebase;
pub mod text;
#[cfg(feature = "train")]
pub mod train;
