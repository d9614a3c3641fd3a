//! `usurper data`: looks into files of games made by `usurper datagen`, and puts them together.

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::data::stats::Stats;
use crate::data::{Reader, Writer};

use super::CommandResult;

/// Look into files of training games, or put them together
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Games, results, lengths, first moves, positions fit to learn from
    Stats {
        /// Files of `usurper datagen`
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Append the games of files to another; games that it has already are left out
    Merge {
        /// The file that grows, or is begun
        out: PathBuf,
        /// Files of `usurper datagen`, of one edition
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// Reads and tells.
///
/// # Errors
/// When a file cannot be read or written, is something else or damaged.
pub fn run(arguments: &Arguments) -> CommandResult {
    match &arguments.command {
        Command::Stats { files } => {
            let mut stats = Stats::default();
            for file in files {
                for game in Reader::open(file)? {
                    stats.add(&game?);
                }
            }
            write!(stdout(), "{stats}")?;
        }
        Command::Merge { out, files } => {
            let Some(first) = files.first() else { return Ok(()) };
            let edition = Reader::open(first)?.edition();
            let mut known = HashSet::new();
            let mut writer = Writer::append(out, edition, |game| {
                known.insert(game.source);
            })?;
            let (before, mut doubles) = (known.len(), 0);
            for file in files {
                let reader = Reader::open(file)?.of(edition)?;
                for game in reader {
                    let game = game?;
                    if known.insert(game.source) {
                        writer.write(&game)?;
                    } else {
                        doubles += 1;
                    }
                }
            }
            let added = known.len() - before;
            writeln!(stdout(), "{}: {added} games added, {doubles} known before", out.display())?;
        }
    }
    Ok(())
}
