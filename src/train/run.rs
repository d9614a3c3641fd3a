//! Training: the samples again and again, in another order each time, in batches shared among threads.
//!
//! A batch is cut into `PARTS` of fixed size, each with a gradient of its own, summed in their order: so
//! the result does not hang on the number of threads.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::board::zobrist::splitmix;
use crate::eval::network::{Base, Network};

use super::model::{Goal, Pass, Shape, begin, parameters_of, quantised, sigmoid};
use super::optimiser::{AdamW, rate};
use super::sample::{Sample, Samples};

/// Into so many parts a batch is cut.
const PARTS: usize = 16;

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Hidden units.
    pub hidden: usize,
    /// Times that all samples are seen.
    pub epochs: u32,
    /// Samples a step.
    pub batch: usize,
    /// The first and the last rate of learning.
    pub rates: (f32, f32),
    /// The decay of weights.
    pub decay: f32,
    /// The weight of scores beside results, 0 to 1.
    pub lambda: f32,
    /// Centipawns for an output of 1.
    pub scale: u16,
    /// What the network is added to.
    pub base: Base,
    /// What first weights and the order of samples are drawn by.
    pub seed: u64,
}

impl Plan {
    fn goal(&self) -> Goal {
        Goal { lambda: self.lambda, scale: f32::from(self.scale) }
    }

    const fn shape(&self) -> Shape {
        Shape { hidden: self.hidden }
    }
}

/// What an epoch came to: mean squared distances of chances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// On the samples learnt from, while they were learnt.
    pub training: f64,
    /// On the samples kept apart.
    pub validation: f64,
}

/// A training between two epochs.
pub struct Training {
    plan: Plan,
    parameters: Vec<f32>,
    optimiser: AdamW,
    /// The epochs behind it.
    pub epochs: Vec<Epoch>,
}

impl Training {
    /// Before the first epoch.
    pub fn new(plan: Plan) -> Training {
        let shape = plan.shape();
        Training {
            parameters: begin(shape, plan.seed),
            optimiser: AdamW::new(shape.len(), plan.decay),
            epochs: Vec::new(),
            plan,
        }
    }

    /// Learns from all samples once. `progress` hears of each batch's size. Returns false, with nothing
    /// changed that counts, when `stop` was set: the state before is to be taken up again.
    pub fn epoch(
        &mut self,
        samples: &Samples,
        stop: &AtomicBool,
        progress: impl Fn(usize),
    ) -> bool {
        let epoch = self.epochs.len() as u32;
        let order = splitmix(self.plan.seed ^ u64::from(epoch) << 32);
        let order = permutation(samples.training.len(), order);
        let goal = self.plan.goal();
        let mut passes: Vec<Pass> = (0..PARTS).map(|_| Pass::new(self.plan.shape())).collect();
        let mut gradient = vec![0.0; self.parameters.len()];
        let batches = samples.training.len().div_ceil(self.plan.batch).max(1);
        let steps = (batches as u32 * self.plan.epochs).max(1) as f32;
        let mut loss = 0.0;
        for (number, batch) in order.chunks(self.plan.batch).enumerate() {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let parameters = &self.parameters;
            let training = &samples.training;
            let part = batch.len().div_ceil(PARTS);
            passes.par_iter_mut().zip(batch.par_chunks(part)).for_each(|(pass, part)| {
                pass.clear();
                for &index in part {
                    let sample = &training[index as usize];
                    let coin = splitmix(u64::from(index) << 32 | u64::from(epoch)) & 1 == 1;
                    pass.learn(parameters, sample, coin && sample.has_mirror, &goal);
                }
            });
            let used = &passes[..batch.len().div_ceil(part)];
            loss += used.iter().map(|pass| pass.loss).sum::<f64>();
            let share = 1.0 / batch.len() as f32;
            gradient.par_chunks_mut(8_192).enumerate().for_each(|(i, gradient)| {
                gradient.fill(0.0);
                for pass in used {
                    let part = &pass.gradient[i * 8_192..][..gradient.len()];
                    gradient.iter_mut().zip(part).for_each(|(sum, g)| *sum += share * g);
                }
            });
            let done = (epoch as usize * batches + number) as f32;
            let (first, last) = self.plan.rates;
            self.optimiser.step(&mut self.parameters, &gradient, rate(done / steps, first, last));
            progress(batch.len());
        }
        let training = loss / samples.training.len().max(1) as f64;
        self.epochs.push(Epoch { training, validation: self.loss(&samples.validation) });
        true
    }

    /// The mean loss on samples.
    pub fn loss(&self, samples: &[Sample]) -> f64 {
        let losses: Vec<f64> = samples
            .par_chunks(4_096)
            .map(|part| {
                let mut pass = Pass::new(self.plan.shape());
                for sample in part {
                    pass.try_on(&self.parameters, sample, &self.plan.goal());
                }
                pass.loss
            })
            .collect();
        losses.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The mean loss of the base alone on samples: what a network that says nothing comes to.
    pub fn loss_of_base(&self, samples: &[Sample]) -> f64 {
        let goal = self.plan.goal();
        let chance = |sample: &Sample| sigmoid(f32::from(sample.base) / goal.scale);
        let losses = samples.iter().map(|s| f64::from((chance(s) - goal.target(s)).powi(2)));
        losses.sum::<f64>() / samples.len().max(1) as f64
    }

    /// The network as the engine computes it.
    pub fn network(&self, description: String) -> Network {
        let Plan { scale, base, .. } = self.plan;
        quantised(self.plan.shape(), &self.parameters, base, scale, description)
    }

    /// The same training with the weights rounded to those of a network, to see what rounding costs.
    pub fn rounded(&self) -> Training {
        Training {
            plan: self.plan.clone(),
            parameters: parameters_of(&self.network(String::new())),
            optimiser: AdamW::new(0, 0.0),
            epochs: self.epochs.clone(),
        }
    }

    /// Writes the state to a file, whole or not at all.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut bytes = Vec::new();
        bytes.extend(fingerprint(&self.plan).to_le_bytes());
        bytes.extend(self.optimiser.steps.to_le_bytes());
        bytes.extend((self.epochs.len() as u32).to_le_bytes());
        for epoch in &self.epochs {
            bytes.extend(epoch.training.to_le_bytes());
            bytes.extend(epoch.validation.to_le_bytes());
        }
        for row in [&self.parameters, &self.optimiser.mean, &self.optimiser.size] {
            bytes.extend(row.iter().flat_map(|x| x.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let new = path.with_extension("new");
        fs::write(&new, bytes)?;
        fs::rename(new, path)
    }

    /// Takes up what was saved of the same plan; `None` if the file is something else.
    pub fn load(plan: &Plan, bytes: &[u8]) -> Option<Training> {
        let (body, checksum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let mut rest = body;
        let mut word = || {
            let (first, others) = rest.split_first_chunk::<4>()?;
            rest = others;
            Some(*first)
        };
        if u32::from_le_bytes(word()?) != fingerprint(plan) {
            return None;
        }
        let steps = u32::from_le_bytes(word()?);
        let count = u32::from_le_bytes(word()?);
        let mut long = || {
            let [[a, b, c, d], [e, f, g, h]] = [word()?, word()?];
            Some(f64::from_le_bytes([a, b, c, d, e, f, g, h]))
        };
        let epochs = (0..count)
            .map(|_| Some(Epoch { training: long()?, validation: long()? }))
            .collect::<Option<_>>()?;
        let length = plan.shape().len();
        let mut row =
            || (0..length).map(|_| word().map(f32::from_le_bytes)).collect::<Option<Vec<f32>>>();
        let [parameters, mean, size] = [row()?, row()?, row()?];
        let optimiser = AdamW { decay: plan.decay, steps, mean, size };
        rest.is_empty().then(|| Training { plan: plan.clone(), parameters, optimiser, epochs })
    }
}

/// Tells plans apart.
fn fingerprint(plan: &Plan) -> u32 {
    crc32fast::hash(format!("{plan:?}").as_bytes())
}

/// The numbers below `count` in an order drawn by a seed (Fisher and Yates).
fn permutation(count: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut state = seed;
    for i in (1..count).rev() {
        state = splitmix(state);
        order.swap(i, (state % (i as u64 + 1)) as usize);
    }
    order
}
