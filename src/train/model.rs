//! The network in floating point: its value, its loss and the gradient, and its way into whole numbers.
//!
//! All parameters lie in one row of numbers, as the network's file has them: 768 rows of hidden weights, the hidden biases, the
//! output's weights for the side to move and for the other, the output's bias. The gradient has the same places.

use crate::board::zobrist::splitmix;
use crate::eval::network::{Base, INPUTS, Network, OUTPUT_LIMIT, QA, QB};

use super::sample::Sample;

/// Weights are kept within ±this, so that they fit the whole numbers of the engine.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// Where in the row of parameters each part begins, for so many hidden units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Hidden units.
    pub hidden: usize,
}

impl Shape {
    const fn bias(self) -> usize {
        INPUTS * self.hidden
    }

    const fn output(self) -> usize {
        self.bias() + self.hidden
    }

    const fn output_bias(self) -> usize {
        self.output() + 2 * self.hidden
    }

    /// The number of parameters.
    pub const fn len(self) -> usize {
        self.output_bias() + 1
    }

    /// No shape has none.
    pub const fn is_empty(self) -> bool {
        false
    }
}

/// What a network is asked to come to for a sample.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The weight of the score's winning chance; the rest is the result's.
    pub lambda: f32,
    /// Centipawns for an output of 1.
    pub scale: f32,
}

impl Goal {
    /// The chance to win that is asked for, 0 to 1.
    #[inline]
    pub fn target(&self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / self.scale);
        let result = f32::from(sample.half_points) / 2.0;
        self.lambda * score + (1.0 - self.lambda) * result
    }
}

/// The chance of an output, 0 to 1.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Parameters at random by a seed: uniform within ±1/√(typical inputs), biases zero.
pub fn begin(shape: Shape, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut uniform = |width: f32| {
        state = splitmix(state);
        width * ((state >> 40) as f32 / (1u64 << 23) as f32 - 1.0)
    };
    let hidden_width = 1.0 / (32.0f32).sqrt();
    let output_width = 1.0 / (2.0 * shape.hidden as f32).sqrt();
    let mut parameters = vec![0.0; shape.len()];
    parameters[..shape.bias()].fill_with(|| uniform(hidden_width));
    parameters[shape.output()..shape.output_bias()].fill_with(|| uniform(output_width));
    parameters
}

/// Room for a pass over samples.
pub struct Pass {
    shape: Shape,
    /// The gradient of the losses since it was cleared.
    pub gradient: Vec<f32>,
    /// The losses since it was cleared, summed.
    pub loss: f64,
    units: [Vec<f32>; 2],
    slopes: [Vec<f32>; 2],
    inputs: Vec<(usize, usize)>,
}

impl Pass {
    /// Room for networks of this shape.
    pub fn new(shape: Shape) -> Pass {
        let row = || vec![0.0; shape.hidden];
        Pass {
            shape,
            gradient: vec![0.0; shape.len()],
            loss: 0.0,
            units: [row(), row()],
            slopes: [row(), row()],
            inputs: Vec::with_capacity(32),
        }
    }

    /// Forgets the gradient and the loss.
    pub fn clear(&mut self) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
    }

    /// The chance to win that the parameters give a sample.
    fn forward(&mut self, parameters: &[f32], sample: &Sample, mirrored: bool, goal: &Goal) -> f32 {
        let Shape { hidden } = self.shape;
        self.inputs.clear();
        self.inputs.extend(sample.inputs(mirrored));
        let (features, rest) = parameters.split_at(self.shape.bias());
        let (bias, rest) = rest.split_at(hidden);
        let (weights, output_bias) = rest.split_at(2 * hidden);
        let [ours, theirs] = &mut self.units;
        ours.copy_from_slice(bias);
        theirs.copy_from_slice(bias);
        for &(our, their) in &self.inputs {
            add(ours, &features[our * hidden..][..hidden]);
            add(theirs, &features[their * hidden..][..hidden]);
        }
        let (for_ours, for_theirs) = weights.split_at(hidden);
        let output = weigh(ours, for_ours) + weigh(theirs, for_theirs) + output_bias[0];
        sigmoid(output + f32::from(sample.base) / goal.scale)
    }

    /// Adds the loss of a sample: the squared distance of the chance from the one asked for.
    pub fn try_on(&mut self, parameters: &[f32], sample: &Sample, goal: &Goal) {
        let chance = self.forward(parameters, sample, false, goal);
        self.loss += f64::from((chance - goal.target(sample)).powi(2));
    }

    /// Adds the loss of a sample and its gradient.
    pub fn learn(&mut self, parameters: &[f32], sample: &Sample, mirrored: bool, goal: &Goal) {
        let Shape { hidden } = self.shape;
        let chance = self.forward(parameters, sample, mirrored, goal);
        let error = chance - goal.target(sample);
        self.loss += f64::from(error * error);
        let slope = 2.0 * error * chance * (1.0 - chance);

        let weights = &parameters[self.shape.output()..self.shape.output_bias()];
        let (features, rest) = self.gradient.split_at_mut(self.shape.bias());
        let (bias, rest) = rest.split_at_mut(hidden);
        let (output, output_bias) = rest.split_at_mut(2 * hidden);
        output_bias[0] += slope;
        for side in 0..2 {
            let weights = &weights[side * hidden..][..hidden];
            let output = &mut output[side * hidden..][..hidden];
            let slopes = &mut self.slopes[side][..hidden];
            let units = &self.units[side][..hidden];
            for i in 0..hidden {
                let unit = units[i].clamp(0.0, 1.0);
                output[i] += slope * unit * unit;
                // Where the unit is clipped its slope is none; there `unit` is 0 or, as here, taken out.
                let open = f32::from(u8::from(units[i] < 1.0));
                slopes[i] = 2.0 * slope * weights[i] * unit * open;
            }
            add(bias, slopes);
        }
        let [ours, theirs] = &self.slopes;
        for &(our, their) in &self.inputs {
            add(&mut features[our * hidden..][..hidden], ours);
            add(&mut features[their * hidden..][..hidden], theirs);
        }
    }
}

#[inline]
fn add(sum: &mut [f32], row: &[f32]) {
    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

/// The units clipped and squared, weighed and summed. Sixteen sums at a time, for the processor.
#[inline]
fn weigh(units: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    let pairs = units.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0);
    for (units, weights) in pairs {
        for lane in 0..16 {
            let unit = units[lane].clamp(0.0, 1.0);
            sums[lane] += unit * unit * weights[lane];
        }
    }
    sums.iter().sum()
}

/// The network of the engine that is nearest to the parameters.
pub fn quantised(
    shape: Shape,
    parameters: &[f32],
    base: Base,
    scale: u16,
    description: String,
) -> Network {
    let round = |x: &f32, one: i32| (x * one as f32).round() as i16;
    let hidden = |part: &[f32]| part.iter().map(|x| round(x, QA)).collect();
    let output = parameters[shape.output()..shape.output_bias()].iter();
    Network {
        base,
        scale,
        description,
        features: hidden(&parameters[..shape.bias()]),
        bias: hidden(&parameters[shape.bias()..shape.output()]),
        output: output.map(|x| round(x, QB).clamp(-OUTPUT_LIMIT, OUTPUT_LIMIT)).collect(),
        output_bias: (parameters[shape.output_bias()] * (QA * QB) as f32).round() as i32,
    }
}

/// The parameters that a network of the engine stands for: [`quantised`] the other way.
pub fn parameters_of(network: &Network) -> Vec<f32> {
    let (qa, qb) = (QA as f32, QB as f32);
    let hidden = network.features.iter().chain(&network.bias).map(|&w| f32::from(w) / qa);
    let output = network.output.iter().map(|&w| f32::from(w) / qb);
    let output_bias = network.output_bias as f32 / (qa * qb);
    hidden.chain(output).chain([output_bias]).collect()
}
