//! The board games' benchmark: a fixed set of positions searched to a fixed depth, as [`search::bench`](crate::search::bench)
//! does for the chess family. With one thread the node count of a game is the same on every run and every machine: the
//! signature of its search and its evaluation.

use std::time::Instant;

use crate::board::zobrist::splitmix;
use crate::search::bench::Tally;
use crate::search::{Engine, Settings};

use super::search::{Limits, think};
use super::{GAMES, Game, Position, Record};

/// The depth that is searched when none is named: a few seconds for all games.
pub const DEFAULT_DEPTH: u32 = 6;

/// After so many plies of the game by random numbers stand the positions of a game.
const PLIES: [usize; 5] = [0, 8, 16, 24, 32];

/// The positions of a game: its start, and those of one game by random numbers that are not over.
pub fn positions(game: &'static dyn Game) -> Vec<Position> {
    let mut record = Record::new(Position::start(game));
    let mut random = 1;
    let mut positions = Vec::new();
    for ply in 0.. {
        let legal = record.legal();
        if legal.is_empty() || ply > PLIES[PLIES.len() - 1] {
            break;
        }
        if PLIES.contains(&ply) {
            positions.push(*record.position());
        }
        random = splitmix(random);
        record.play(legal[random as usize % legal.len()].clone());
    }
    positions
}

/// Runs the benchmark, calls `report` with each game's name and figures after it, and gives the total.
pub fn run(
    depth: u32,
    threads: usize,
    hash_mb: usize,
    mut report: impl FnMut(&'static str, Tally),
) -> Tally {
    let mut engine = Engine::new(Settings { threads, hash_mb, ..Settings::default() });
    let mut total = Tally::default();
    for game in GAMES {
        let mut part = Tally::default();
        for position in positions(game) {
            engine.clear();
            let begin = Instant::now();
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let thought = think(&mut engine, &Record::new(position), limits);
            part.nodes += thought.info.map_or(0, |info| info.nodes);
            part.time += begin.elapsed();
        }
        report(game.name(), part);
        total.nodes += part.nodes;
        total.time += part.time;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_gives_the_same_counts_on_every_run() {
        let counts = || {
            let mut counts = Vec::new();
            let total = run(3, 1, 1, |name, tally| counts.push((name, tally.nodes)));
            assert_eq!(total.nodes, counts.iter().map(|&(_, nodes)| nodes).sum::<u64>());
            counts
        };
        let first = counts();
        assert_eq!(first.len(), GAMES.len());
        assert!(first.iter().all(|&(_, nodes)| nodes > 100), "{first:?}");
        assert_eq!(counts(), first);
    }

    #[test]
    fn every_game_has_several_positions() {
        for game in GAMES {
            assert!(positions(game).len() >= 3, "{}", game.name());
        }
    }
}
