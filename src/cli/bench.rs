//! `usurper bench`: searches a fixed set of positions and measures.

use std::io::{Write, stdout};

use clap::Args;

use crate::games::bench::{self, Set};

use super::CommandResult;

const EXAMPLES: &str = "\
Examples:
  usurper bench
  usurper bench --depth 14 --threads 2 --hash 64
  usurper bench --variant board-games

One line for each edition or game, then the total. With one thread the node count is the same on every run: \
it is the signature of the search.";

/// Search a fixed set of positions: node counts and nodes a second
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Only one edition or board game by its name, or board-games for all of those
    /// [default: the chess family]
    #[arg(long, value_name = "NAME", value_parser = set)]
    variant: Option<Set>,

    /// How deep, in plies [default: 11, of board games 6]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,

    /// How many threads search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// The size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

fn set(name: &str) -> Result<Set, String> {
    Set::parse(name).ok_or_else(|| format!("there are {}", Set::names()))
}

/// Searches and prints.
///
/// # Errors
/// When the output is closed.
pub fn run(arguments: &Arguments) -> CommandResult {
    let mut out = stdout().lock();
    let mut closed = None;
    let threads = usize::from(arguments.threads);
    let (set, hash) = (arguments.variant.unwrap_or_default(), arguments.hash as usize);
    let total = bench::run(set, arguments.depth, threads, hash, |variant, part| {
        if closed.is_none() {
            closed = writeln!(out, "{variant}: {part}").and_then(|()| out.flush()).err();
        }
    });
    match closed {
        Some(error) => Err(error.into()),
        None => Ok(writeln!(out, "{total}")?),
    }
}
