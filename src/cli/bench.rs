//! `usurper bench`: searches a fixed set of positions and measures.

use std::io::{Write, stdout};

use clap::Args;

use crate::search::bench::{self, DEFAULT_DEPTH};

use super::CommandResult;

const EXAMPLES: &str = "\
Examples:
  usurper bench
  usurper bench --depth 14 --threads 2 --hash 64

One line for each edition, then the total. With one thread the node count is the same on every run: \
it is the signature of the search.";

/// Search a fixed set of positions: node counts and nodes a second
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// How deep, in plies
    #[arg(long, default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: u32,

    /// How many threads search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// The size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

/// Searches and prints.
///
/// # Errors
/// When the output is closed.
pub fn run(arguments: &Arguments) -> CommandResult {
    let mut out = stdout().lock();
    let mut closed = None;
    let threads = usize::from(arguments.threads);
    let total = bench::run(arguments.depth, threads, arguments.hash as usize, |edition, part| {
        if closed.is_none() {
            closed = writeln!(out, "{edition}: {part}").and_then(|()| out.flush()).err();
        }
    });
    match closed {
        Some(error) => Err(error.into()),
        None => Ok(writeln!(out, "{total}")?),
    }
}
