//! `usurper datagen`: games of the engine against itself, for training.

use std::collections::HashSet;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use crate::data::selfplay::{self, Plan};
use crate::data::{Game, Writer};
use crate::games::Variant;

use super::CommandResult;
use super::game_args::{chess_only, variant};
use super::{interrupt, progress};

const EXAMPLES: &str = "\
Examples:
  usurper datagen --games 10000 --seed 1 --out games.ugam
  usurper datagen --variant chess --nodes 1500 --games 20000 --seed 1 --out chess.ugam
  usurper data stats games.ugam

A run that was stopped or killed goes on when the same command is given again. The same seed gives the same games; \
files of different seeds are put together by `usurper data merge`.";

/// Play games of the engine against itself and keep them for training
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The edition: captureorconquer, captureorconquer-classic, chess (or normal)
    #[arg(long, value_name = "EDITION", default_value = "captureorconquer", value_parser = variant)]
    variant: Variant,

    /// Positions searched a move
    #[arg(long, value_name = "N", default_value_t = 1_200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    nodes: u32,

    /// How many games the file shall hold of this seed
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u32,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = num_cpus::get_physical() as u16, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// The file, which is begun or appended to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// What the openings are drawn by
    #[arg(long, value_name = "S")]
    seed: u64,
}

/// Plays and writes.
///
/// # Errors
/// When the file is something else or cannot be written.
pub fn run(arguments: &Arguments) -> CommandResult {
    let edition = chess_only(arguments.variant, "datagen")?;
    let mut done = HashSet::new();
    let mut writer = Writer::append(&arguments.out, edition, |game| {
        done.insert(game.source);
    })?;
    let plan = Plan {
        edition,
        nodes: arguments.nodes,
        numbers: (0, arguments.games),
        threads: usize::from(arguments.threads),
        seed: arguments.seed,
    };
    let others: Vec<u32> =
        done.iter().map(|source| source.nodes).filter(|&nodes| nodes != plan.nodes).collect();
    if let (Some(least), Some(most)) = (others.iter().min(), others.iter().max()) {
        let (path, count) = (arguments.out.display(), others.len());
        let there = if least == most { least.to_string() } else { format!("{least} to {most}") };
        writeln!(
            stderr(),
            "note: {path} holds {count} games of {there} nodes a move, which this run of {} does not count",
            plan.nodes
        )?;
    }
    let before = done.iter().filter(|source| plan.holds(source)).count() as u64;
    let stop = interrupt::watch()?;
    let report = Report::new(u64::from(arguments.games), before);
    selfplay::play(&plan, &done, &mut writer, &stop, |game| report.hear(game))?;
    let summary = report.finish();
    let path = arguments.out.display();
    writeln!(stdout(), "{path}: {before} games before, {summary}")?;
    if stop.load(Ordering::Relaxed) {
        writeln!(stdout(), "stopped; the same command goes on")?;
    }
    Ok(())
}

/// A bar on a terminal, a line now and then elsewhere.
struct Report {
    bar: ProgressBar,
    began: Instant,
    played: AtomicU64,
    dropped: AtomicU64,
    positions: AtomicU64,
}

/// Games between two lines where there is no terminal.
const LINE_EVERY: u64 = 1_000;

impl Report {
    fn new(games: u64, before: u64) -> Report {
        let bar = progress::bar(Some(games), "{wide_bar} {pos}/{len} games, {msg}, {eta} left");
        bar.set_position(before);
        bar.reset_eta();
        let count = AtomicU64::default;
        let began = Instant::now();
        Report { bar, began, played: count(), dropped: count(), positions: count() }
    }

    fn hear(&self, game: Option<&Game>) {
        self.bar.inc(1);
        let Some(game) = game else {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let played = self.played.fetch_add(1, Ordering::Relaxed) + 1;
        let positions = self.positions.fetch_add(game.moves.len() as u64, Ordering::Relaxed) as f64;
        let rate = positions / self.began.elapsed().as_secs_f64();
        self.bar.set_message(format!("{rate:.0} positions a second"));
        if self.bar.is_hidden() && played.is_multiple_of(LINE_EVERY) {
            let _ = writeln!(stderr(), "{played} games, {rate:.0} positions a second");
        }
    }

    fn finish(&self) -> String {
        self.bar.finish_and_clear();
        let [played, dropped, positions] =
            [&self.played, &self.dropped, &self.positions].map(|n| n.load(Ordering::Relaxed));
        let time = Duration::from_secs(self.began.elapsed().as_secs());
        format!(
            "{played} played ({positions} positions) and {dropped} too long ones thrown away in {}",
            indicatif::HumanDuration(time)
        )
    }
}
