//! `usurper train`: a network from training games. Built with the feature `train`.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};

use crate::eval::network::{Base, is_hidden_size};
use crate::train::run::{Plan, Training};
use crate::train::{curve, sample};

use super::CommandResult;
use super::{interrupt, progress};

const EXAMPLES: &str = "\
Examples:
  usurper train games.ugam --out today.unet --curve loss.svg
  usurper train a.ugam b.ugam --hidden 128 --epochs 30 --lambda 0.5 --seed 3 --out today.unet

A training that was stopped or killed goes on after its last whole epoch when the same command is given again.";

/// Train a network on files of games
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files of `usurper datagen`, of one edition
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The network's file; its state after each epoch is kept beside it (.part)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Hidden units, a multiple of 16
    #[arg(long, value_name = "N", default_value_t = 64)]
    hidden: usize,

    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,

    /// The weight of scores beside results, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    lambda: f32,

    /// What the network's output is added to
    #[arg(long, value_name = "BASE", default_value = "hand")]
    base: BaseName,

    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,

    /// The first rate of learning; it falls to a fiftieth
    #[arg(long, value_name = "RATE", default_value_t = 0.001)]
    rate: f32,

    /// Centipawns for an output of 1
    #[arg(long, value_name = "CP", default_value_t = 180, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    scale: u16,

    /// What first weights and the order of positions are drawn by
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = num_cpus::get_physical() as u16, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// Draw the losses over the epochs, as SVG
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum BaseName {
    /// The network stands alone
    None,
    /// The network corrects the hand-made evaluation
    Hand,
}

/// Trains and writes.
///
/// # Errors
/// When a file cannot be read or written, or the numbers make no network.
pub fn run(arguments: &Arguments) -> CommandResult {
    let hidden = arguments.hidden;
    if !is_hidden_size(hidden) {
        return Err(format!("--hidden {hidden}: a multiple of 16 up to 2048 is needed").into());
    }
    if !(0.0..=1.0).contains(&arguments.lambda) {
        return Err(format!("--lambda {}: a share from 0 to 1 is needed", arguments.lambda).into());
    }
    let base = match arguments.base {
        BaseName::None => Base::Nothing,
        BaseName::Hand => Base::HandMade,
    };
    let plan = Plan {
        hidden,
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        rates: (arguments.rate, arguments.rate / 50.0),
        decay: 0.01,
        lambda: arguments.lambda,
        scale: arguments.scale,
        base,
        seed: arguments.seed,
    };
    rayon::ThreadPoolBuilder::new().num_threads(usize::from(arguments.threads)).build_global()?;
    let stop = interrupt::watch()?;
    let mut out = stdout();

    let bar = progress::bar(None, "{spinner} {pos} games read");
    let samples = sample::read(&arguments.files, base, || bar.inc(1))?;
    bar.finish_and_clear();
    let (games, learn, tried) = (samples.games, samples.training.len(), samples.validation.len());
    if learn == 0 || tried == 0 {
        return Err("the files hold too few positions to learn from and to be tried on".into());
    }
    writeln!(out, "{games} games: {learn} positions to learn from, {tried} to be tried on")?;

    let part = arguments.out.with_extension("part");
    let saved = fs::read(&part).ok().and_then(|bytes| Training::load(&plan, &bytes));
    let mut training = saved.unwrap_or_else(|| Training::new(plan.clone()));
    writeln!(out, "the base alone: {:.6}", training.loss_of_base(&samples.validation))?;
    while training.epochs.len() < plan.epochs as usize {
        let begun = Instant::now();
        let number = training.epochs.len() + 1;
        let bar = progress::bar(Some(learn as u64), "{wide_bar} {msg} {per_sec} {eta}");
        bar.set_message(format!("epoch {number} of {}", plan.epochs));
        let whole = training.epoch(&samples, &stop, |count| bar.inc(count as u64));
        bar.finish_and_clear();
        if !whole {
            writeln!(out, "stopped; the same command goes on after epoch {}", number - 1)?;
            return Ok(());
        }
        training.save(&part)?;
        let rate = learn as f64 / begun.elapsed().as_secs_f64();
        if let Some(epoch) = training.epochs.last() {
            writeln!(
                out,
                "epoch {number}: {:.6} while learning, {:.6} on games kept apart, {rate:.0} positions a second",
                epoch.training, epoch.validation
            )?;
        }
        if let Some(path) = &arguments.curve {
            fs::write(path, curve::svg(&title(arguments, games), &training.epochs))?;
        }
    }
    let network = training.network(title(arguments, games));
    fs::write(&arguments.out, network.to_bytes())?;
    fs::remove_file(&part)?;
    let rounded = training.rounded().loss(&samples.validation);
    writeln!(out, "{}: {rounded:.6} with whole numbers", arguments.out.display())?;
    Ok(())
}

/// How the network is made.
fn title(arguments: &Arguments, games: u64) -> String {
    let Arguments { hidden, epochs, lambda, base, seed, .. } = arguments;
    format!(
        "{games} games, hidden {hidden}, epochs {epochs}, lambda {lambda}, base {base:?}, seed {seed}"
    )
}
