//! The command line: without a sub-command the engine speaks its protocol on standard input and
//! output; each sub-command has a file of its own here.
//!
//! Exit codes: 0 success, 1 bad input, 2 wrong usage. Errors go to standard error.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod analyse;
mod bench;
mod board;
mod color;
mod data;
mod datagen;
mod game_args;
mod interrupt;
mod judge;
mod language;
mod match_;
mod perft;
mod play;
mod progress;
mod review;
mod solve;
mod tablebase;
#[cfg(feature = "train")]
mod train;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::protocol;

const EXAMPLES: &str = "\
Examples:
  usurper                        the engine, for a graphical interface
  echo 'go perft 4' | usurper    one command, answered and done
  usurper judge --moves e2e4 e7e5 where a game stands
  usurper board --moves e2e4 e7e5 the same as a picture
  usurper analyse --moves e2e4   what the engine thinks of it
  usurper review game.pgn        where a game was lost
  usurper play --elo 1200        a game against the engine
  usurper solve --fen F --max 5  the shortest forced win, proven
  usurper perft 5                count move paths
  usurper bench                  measure the search
  usurper play --variant konane  one of the board games alquerque, konane, fanorona,
                                 seega, surakarta; the engine and most commands know them";

/// An engine for the chess variant Capture or Conquer, for chess and for five board games.
///
/// Without a command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "usurper", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant)] // one value a process
enum Command {
    #[command(alias = "analyze")]
    Analyse(analyse::Arguments),
    Bench(bench::Arguments),
    Board(board::Arguments),
    Data(data::Arguments),
    Datagen(datagen::Arguments),
    Judge(judge::Arguments),
    Match(match_::Arguments),
    Perft(perft::Arguments),
    Play(play::Arguments),
    Review(review::Arguments),
    Solve(solve::Arguments),
    Tablebase(tablebase::Arguments),
    #[cfg(feature = "train")]
    Train(train::Arguments),
    /// Not in this build
    #[cfg(not(feature = "train"))]
    #[command(hide = true, disable_help_flag = true)]
    Train {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        _arguments: Vec<std::ffi::OsString>,
    },
}

/// What a sub-command gives back. An error is shown on standard error and makes the exit code 1.
pub type CommandResult = Result<(), Box<dyn Error>>;

/// Runs the program with the process's arguments.
pub fn run() -> ExitCode {
    let result: CommandResult = match Arguments::parse().command {
        None => protocol::serve(std::io::stdin(), std::io::stdout()).map_err(Into::into),
        Some(Command::Analyse(arguments)) => analyse::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Board(arguments)) => board::run(&arguments),
        Some(Command::Data(arguments)) => data::run(&arguments),
        Some(Command::Datagen(arguments)) => datagen::run(&arguments),
        Some(Command::Judge(arguments)) => judge::run(&arguments),
        Some(Command::Match(arguments)) => match_::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Review(arguments)) => review::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Tablebase(arguments)) => tablebase::run(&arguments),
        #[cfg(feature = "train")]
        Some(Command::Train(arguments)) => train::run(&arguments),
        #[cfg(not(feature = "train"))]
        Some(Command::Train { .. }) => {
            Err("this build has no trainer: cargo build --release --features train".into())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has had enough: not our failure.
        Err(error) if is_broken_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            // `eprintln!` would panic where standard error cannot be written.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(1)
        }
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// clap breaks what is longer than the terminal, at most this wide; what is broken already looks torn then.
    const WIDEST: usize = 100;

    #[test]
    fn what_stands_below_a_help_is_broken_once() {
        let root = Arguments::command();
        let mut seen = 0;
        for command in root.get_subcommands().chain([&root]) {
            let Some(below) = command.get_after_help().map(ToString::to_string) else { continue };
            seen += 1;
            let name = command.get_name();
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
            let lines: Vec<&str> = below.lines().collect();
            for pair in lines.windows(2) {
                let [first, second] = pair else { continue };
                let goes_on = is_prose(first) && is_prose(second);
                assert!(!goes_on, "{name}: a paragraph is one line: {first}");
            }
            for line in lines.iter().filter(|line| !is_prose(line)) {
                assert!(line.chars().count() <= WIDEST, "{name}: {line}");
            }
        }
        assert!(seen >= 10, "{seen}");
    }
}
