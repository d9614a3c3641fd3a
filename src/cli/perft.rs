//! `usurper perft`: counts the move paths behind each legal move.

use std::io::{Write, stdout};
use std::time::Instant;

use clap::Args;

use crate::games::Playable;
use crate::text::fill;

use super::CommandResult;
use super::game_args::GameArguments;

const EXAMPLES: &str = "\
Examples:
  usurper perft 5
  usurper perft 4 --variant chess --moves e2e4 e7e5
  usurper perft 4 --variant fanorona
  usurper perft 3 --threads 2 --fen '4k3/8/8/3PPP2/3PKP2/3PPP2/8/4r3 w - - 0 1'

The count is the number of different move sequences of that many plies. It checks a move \
generator, and measures it. Only what the board alone shows ends a game here: a King taken, a \
King that holds its goal rank, a side without men.";

/// Count move paths: a line for each move, then their sum, the time and the rate
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// How many plies, up to 30
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,

    #[command(flatten)]
    game: GameArguments,

    /// How many threads share the moves
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Counts and prints.
///
/// # Errors
/// When the arguments describe no game, or the output is closed.
pub fn run(arguments: &Arguments) -> CommandResult {
    let game = arguments.game.game()?;
    let threads = arguments.threads.into();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| format!("{threads} threads are not to be had: {error}"))?;
    let start = Instant::now();
    let counts = pool.install(|| game.divide(arguments.depth));
    let seconds = start.elapsed().as_secs_f64();

    let mut out = stdout().lock();
    for (m, nodes) in &counts {
        writeln!(out, "{m}: {nodes}")?;
    }
    let total = if arguments.depth == 0 { 1 } else { counts.iter().map(|&(_, nodes)| nodes).sum() };
    writeln!(out, "Nodes searched: {total}")?;
    let rate = total as f64 / seconds.max(1e-9);
    let language = arguments.game.language();
    let values: [(&str, &dyn std::fmt::Display); 2] =
        [("seconds", &language.decimal(seconds, 3)), ("rate", &language.decimal(rate / 1e6, 1))];
    writeln!(out, "{}", fill(language.texts().perft_time, &values))?;
    Ok(())
}
