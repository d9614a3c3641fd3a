//! What a position's value comes from: the hand-made terms, a network, or both.

use std::sync::Arc;

use once_cell::sync::Lazy;

use crate::rules::{Edition, Position};

use super::network::{Base, Network};
use super::nnue::Accumulators;
use super::{LIMIT, drawish, evaluate};

/// Where values come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// The network in the program, for editions that have one; the hand-made terms for others.
    #[default]
    BuiltIn,
    /// The hand-made terms alone.
    HandMade,
    /// This network, in every edition.
    Network(Arc<Network>),
}

impl Evaluation {
    /// The network that is asked in an edition.
    pub fn network(&self, edition: Edition) -> Option<&Network> {
        match self {
            Evaluation::BuiltIn => built_in(edition),
            Evaluation::HandMade => None,
            Evaluation::Network(network) => Some(network),
        }
    }

    /// The value of a position in centipawns, seen from the side to move; within ±[`LIMIT`].
    pub fn evaluate(&self, position: &Position) -> i32 {
        match self.network(position.edition()) {
            None => evaluate(position),
            Some(network) => combine(network, position, network.evaluate(position)),
        }
    }
}

/// The network in the program that plays an edition. How it was made and what it is worth: `docs/strength.md`.
fn built_in(edition: Edition) -> Option<&'static Network> {
    fn read(bytes: &[u8]) -> Option<Network> {
        Network::from_bytes(bytes)
            .inspect_err(|error| log::error!("the built-in network: {error}"))
            .ok()
    }
    static CONQUEST: Lazy<Option<Network>> =
        Lazy::new(|| read(include_bytes!("networks/conquest-2.unet")));
    static CLASSIC: Lazy<Option<Network>> =
        Lazy::new(|| read(include_bytes!("networks/conquest-classic-1.unet")));
    match edition {
        Edition::CaptureOrConquer => CONQUEST.as_ref(),
        Edition::Classic => CLASSIC.as_ref(),
        Edition::Chess => None,
    }
}

/// The network's output on its base.
fn combine(network: &Network, position: &Position, output: i32) -> i32 {
    let value = match network.base {
        Base::Nothing => drawish(position, output),
        Base::HandMade => evaluate(position) + output,
    };
    value.clamp(-LIMIT, LIMIT)
}

/// An evaluation as one thread of a search asks it.
pub struct Evaluator<'a>(Option<Accumulators<'a>>);

impl<'a> Evaluator<'a> {
    /// For a search of an edition, at most so many plies deep.
    pub fn new(evaluation: &'a Evaluation, edition: Edition, plies: usize) -> Evaluator<'a> {
        let network = evaluation.network(edition);
        Evaluator(network.map(|network| Accumulators::new(network, plies)))
    }

    /// The value of a position `ply` plies from the root; as [`Evaluation::evaluate`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        match &mut self.0 {
            None => evaluate(position),
            Some(accumulators) => {
                let output = accumulators.evaluate(position, ply);
                combine(accumulators.network(), position, output)
            }
        }
    }
}
