//! Training of networks on the engine's own games; built only with the feature `train`.
//!
//! `sample` is what is learnt from, `model` the network in floating point with its gradient, `optimiser` AdamW, `run`
//! goes through the samples again and again, `curve` draws the loss. Uses `rules`, `eval` and `data`. Everything is a
//! function of the games, the plan and its seed, on any number of threads.

pub mod curve;
pub mod model;
pub mod optimiser;
pub mod run;
pub mod sample;
