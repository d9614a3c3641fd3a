//! AdamW (Loshchilov and Hutter, 2019): steps by the gradient's running mean over its running size, and weights that
//! decay by themselves.

use super::model::WEIGHT_LIMIT;

const MEAN_DECAY: f32 = 0.9;
const SIZE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The optimiser's memory.
#[derive(Clone, PartialEq, Debug)]
pub struct AdamW {
    /// The share of a weight that goes with each step, times the rate.
    pub decay: f32,
    /// Steps taken.
    pub steps: u32,
    /// Running means of the gradient.
    pub mean: Vec<f32>,
    /// Running means of its square.
    pub size: Vec<f32>,
}

impl AdamW {
    /// For so many parameters.
    pub fn new(parameters: usize, decay: f32) -> AdamW {
        AdamW { decay, steps: 0, mean: vec![0.0; parameters], size: vec![0.0; parameters] }
    }

    /// One step down the gradient; parameters stay within ±[`WEIGHT_LIMIT`].
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let power = self.steps as i32;
        let mean_share = 1.0 / (1.0 - MEAN_DECAY.powi(power));
        let size_share = 1.0 / (1.0 - SIZE_DECAY.powi(power));
        let keep = 1.0 - rate * self.decay;
        let memory = self.mean.iter_mut().zip(&mut self.size);
        for ((parameter, g), (mean, size)) in parameters.iter_mut().zip(gradient).zip(memory) {
            *mean += (1.0 - MEAN_DECAY) * (g - *mean);
            *size += (1.0 - SIZE_DECAY) * (g * g - *size);
            let step = *mean * mean_share / ((*size * size_share).sqrt() + EPSILON);
            *parameter = (*parameter * keep - rate * step).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        }
    }
}

/// The rate at a share of the way, 0 to 1: half a cosine from `first` down to `last`.
pub fn rate(share: f32, first: f32, last: f32) -> f32 {
    last + 0.5 * (first - last) * (1.0 + (std::f32::consts::PI * share).cos())
}
