//! Fits the weights of the hand-made evaluation, and the curve from scores to chances, to games that the engine
//! plays against itself.
//!
//! ```sh
//! # The games: `usurper datagen`.
//! usurper datagen --variant captureorconquer --seed 1 --nodes 1000 --games 20000 --out games.ugam
//! # The fit, from the weights the program is built with; writes src/eval/weights/EDITION.rs.
//! cargo run --release --example tune -- fit captureorconquer games.ugam
//! # The curve: prints the numbers for src/eval/winning.rs.
//! cargo run --release --example tune -- curve captureorconquer games.ugam
//! ```
//!
//! What is learnt from are the positions of `data::positions`. The method is that of Texel's tuning (Peter
//! Österlund): the logistic of the value should foretell the result, which is fitted by gradient descent, here Adam.
//! One game in ten is held back, to judge the fit by.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use usurper::board::Color;
use usurper::board::zobrist::splitmix;
use usurper::data::{Reader, positions};
use usurper::eval::{FULL_PHASE, coefficients, phase, weight_table};
use usurper::rules::Edition;

/// Positions whose score is further from level than this, in centipawns, are left out.
const SCORE_LIMIT: i16 = 1_500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [command, edition, files @ ..] = arguments.as_slice() else {
        return Err("usage: tune fit|curve EDITION FILE …".into());
    };
    let edition = Edition::parse(edition).ok_or("no such edition")?;
    match *command {
        "fit" => fit(edition, &read(edition, files)?)?,
        "curve" => curve(edition, &read(edition, files)?),
        other => return Err(format!("fit or curve, not \"{other}\"").into()),
    }
    Ok(())
}

// --- Data ----------------------------------------------------------------------------------------

/// A position as the fit sees it.
struct Sample {
    /// Weights that apply, and how often for White more than for Black.
    counts: Vec<(u16, f32)>,
    /// From 0, an empty board, to 1.
    fullness: f32,
    /// The score of the search, in centipawns, and the result, both as White sees them.
    score: f32,
    result: f32,
    /// Held back from the fit, to judge it by.
    judge: bool,
}

fn read(edition: Edition, files: &[&str]) -> Result<Vec<Sample>, Box<dyn std::error::Error>> {
    let mut samples = Vec::new();
    let mut known = HashSet::new();
    let mut games = 0;
    for file in files {
        for game in Reader::open(Path::new(file))?.of(edition)? {
            let game = game?;
            games += 1;
            for sample in positions::samples(&game) {
                let position = sample.position;
                if sample.score.abs() > SCORE_LIMIT || !known.insert(position.key()) {
                    continue;
                }
                let white = position.side_to_move() == Color::White;
                let counts = coefficients(&position).into_iter().map(|(i, n)| (i as u16, n as f32));
                let score = f32::from(sample.score);
                samples.push(Sample {
                    counts: counts.collect(),
                    fullness: phase(&position) as f32 / FULL_PHASE as f32,
                    score: if white { score } else { -score },
                    result: if white { sample.result } else { 1.0 - sample.result },
                    judge: game.source.number % 10 == 9,
                });
            }
        }
    }
    eprintln!("{games} games, {} positions", samples.len());
    Ok(samples)
}

// --- Weights -------------------------------------------------------------------------------------

/// How much of the target is the search's score instead of the result.
const SCORE_SHARE: f32 = 0.6;
/// How strongly a weight is held where it started, per sample and (centipawn / 100)².
const HOLD: f32 = 1e-6;
const EPOCHS: usize = 20;
const BATCH: usize = 1024;
/// In centipawns a step.
const RATE: f32 = 0.6;

fn logistic(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value / scale).exp())
}

impl Sample {
    fn value(&self, weights: &[[f32; 2]]) -> f32 {
        let sums = self.counts.iter().fold([0.0; 2], |[full, empty], &(index, count)| {
            let [f, e] = weights[usize::from(index)];
            [full + f * count, empty + e * count]
        });
        sums[0] * self.fullness + sums[1] * (1.0 - self.fullness)
    }

    fn target(&self, scale: f32) -> f32 {
        SCORE_SHARE * logistic(self.score, scale) + (1.0 - SCORE_SHARE) * self.result
    }
}

/// The mean squared error of foretelling results, over the positions held back or the others.
fn error(samples: &[Sample], judge: bool, weights: &[[f32; 2]], scale: f32) -> f64 {
    let some = samples.iter().filter(|s| s.judge == judge);
    let (sum, n) = some.fold((0.0, 0.0), |(sum, n), s| {
        let miss = f64::from(logistic(s.value(weights), scale) - s.result);
        (sum + miss * miss, n + 1.0)
    });
    sum / n
}

/// The scale of the logistic curve by which the values foretell results best.
fn best_scale(samples: &[Sample], weights: &[[f32; 2]]) -> f32 {
    let error = |scale: &f32| error(samples, false, weights, *scale);
    let scales: Vec<f32> = (10..80).map(|n| 10.0 * n as f32).collect();
    scales.into_iter().min_by(|a, b| error(a).total_cmp(&error(b))).unwrap_or(200.0)
}

fn fit(edition: Edition, samples: &[Sample]) -> Result<(), Box<dyn std::error::Error>> {
    let table = weight_table(edition);
    let start: Vec<[f32; 2]> = table
        .iter()
        .flat_map(|(_, pairs)| pairs.iter().map(|&(full, empty)| [full as f32, empty as f32]))
        .collect();
    let scale = best_scale(samples, &start);
    let report = |label: &str, weights: &[[f32; 2]]| {
        let [fitted, judged] = [false, true].map(|judge| error(samples, judge, weights, scale));
        eprintln!("{label}: error {fitted:.5}, held back {judged:.5}");
    };
    eprintln!("scale {scale}");
    report("before", &start);

    let mut weights = start.clone();
    let mut mean = vec![[0.0f32; 2]; weights.len()];
    let mut square = vec![[0.0f32; 2]; weights.len()];
    let mut order: Vec<usize> = (0..samples.len()).filter(|&i| !samples[i].judge).collect();
    let mut seed = 1;
    let mut steps = 0;
    for epoch in 0..EPOCHS {
        for i in (1..order.len()).rev() {
            seed = splitmix(seed);
            order.swap(i, (seed % (i as u64 + 1)) as usize);
        }
        let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![[0.0f32; 2]; weights.len()];
            for &i in batch {
                let sample = &samples[i];
                let guess = logistic(sample.value(&weights), scale);
                let slope = (guess - sample.target(scale)) * guess * (1.0 - guess);
                for &(index, count) in &sample.counts {
                    let g = &mut gradient[usize::from(index)];
                    g[0] += slope * count * sample.fullness;
                    g[1] += slope * count * (1.0 - sample.fullness);
                }
            }
            steps += 1;
            let warm = |decay: f32| 1.0 - decay.powi(steps.min(10_000));
            for index in 0..weights.len() {
                for half in 0..2 {
                    let away = weights[index][half] - start[index][half];
                    let g = gradient[index][half] / batch.len() as f32 + HOLD * away;
                    let (m, v) = (&mut mean[index][half], &mut square[index][half]);
                    *m = 0.9 * *m + 0.1 * g;
                    *v = 0.999 * *v + 0.001 * g * g;
                    let step = *m / warm(0.9) / ((*v / warm(0.999)).sqrt() + 1e-8);
                    weights[index][half] -= rate * step;
                }
            }
        }
        if epoch % 10 == 9 {
            report(&format!("epoch {}", epoch + 1), &weights);
        }
    }
    let path = format!("src/eval/weights/{}.rs", module(edition));
    fs::write(&path, file(edition, &table, &weights))?;
    eprintln!("{path} written");
    Ok(())
}

/// The module that holds the weights of an edition.
fn module(edition: Edition) -> &'static str {
    match edition {
        Edition::CaptureOrConquer => "captureorconquer",
        Edition::Classic => "classic",
        Edition::Chess => "chess",
    }
}

/// The weights as a source file.
fn file(edition: Edition, table: &[(&str, Vec<(i32, i32)>)], weights: &[[f32; 2]]) -> String {
    let mut text = format!(
        "//! The weights of the edition `{edition}`, in centipawns: s(full board, empty board).\n\
         //! Written by `examples/tune.rs`.\n\n\
         use super::Table;\nuse crate::eval::tapered::s;\n\n\
         #[rustfmt::skip]\npub const TABLE: Table = Table {{\n"
    );
    let mut weights = weights.iter().map(|[full, empty]| format!("s({full:.0}, {empty:.0})"));
    for (name, pairs) in table {
        let a_row = if pairs.len() == 32 { 4 } else { 8 };
        let row: Vec<String> = weights.by_ref().take(pairs.len()).collect();
        let rows: Vec<String> = row.chunks(a_row).map(|row| row.join(", ")).collect();
        // Writing to a string cannot fail.
        let _ = match rows.as_slice() {
            [row] => writeln!(text, "    {name}: [{row}],"),
            rows => writeln!(text, "    {name}: [\n        {},\n    ],", rows.join(",\n        ")),
        };
    }
    text.replace("-0)", "0)").replace("(-0,", "(0,") + "};\n"
}

// --- Curve ---------------------------------------------------------------------------------------

/// Prints the curve under which the results are likeliest, given the scores of the searches: for a few parts of
/// the board's fullness, and for all.
fn curve(edition: Edition, samples: &[Sample]) {
    let margins = if edition.has_draws() { 0..60 } else { 0..1 };
    for (from, to) in [(0.0, 0.34), (0.34, 0.67), (0.67, 1.01), (0.0, 1.01)] {
        let part: Vec<&Sample> =
            samples.iter().filter(|s| (from..to).contains(&s.fullness)).collect();
        let surprise = |scale: f32, margin: f32| -> f32 {
            let surprise = |s: &&Sample| {
                let win = logistic(s.score - margin, scale);
                let loss = logistic(-s.score - margin, scale);
                let chance = match s.result {
                    1.0 => win,
                    0.0 => loss,
                    _ => 1.0 - win - loss,
                };
                -chance.max(1e-6).ln()
            };
            part.iter().map(surprise).sum::<f32>() / part.len() as f32
        };
        let all =
            margins.clone().flat_map(|m| (8..80).map(move |s| (10.0 * s as f32, 10.0 * m as f32)));
        let best = all.map(|(s, m)| (surprise(s, m), s, m)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((surprise, scale, margin)) = best {
            println!(
                "fullness {from:.2} to {to:.2}: {} positions, scale {scale}, draw margin {margin}, \
                 surprise {surprise:.4}",
                part.len()
            );
        }
    }
}
