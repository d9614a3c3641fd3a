//! The benchmark: of the chess family, which is [`search::bench`](crate::search::bench), and of the board games, a fixed set of
//! positions searched to a fixed depth. With one thread the node count of a game is the same on every run and every machine: the
//! signature of its search and its evaluation.

use std::time::Instant;

use crate::board::zobrist::splitmix;
use crate::rules::Edition;
use crate::search::bench::{self, Tally};
use crate::search::{Engine, Settings};

use super::search::{Limits, think};
use super::{GAMES, Game, Position, Record, Variant};

/// The depth that is searched of board games when none is named: a few seconds for all of them.
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

/// What is measured together; each has a signature of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Set {
    /// The chess family.
    #[default]
    Chess,
    /// All board games.
    BoardGames,
    /// One edition or one board game.
    One(Variant),
}

/// The name of [`Set::BoardGames`].
const BOARD_GAMES: &str = "board-games";

impl Set {
    /// Reads the name of a variant, or `board-games`. The case is free.
    pub fn parse(name: &str) -> Option<Set> {
        if name.eq_ignore_ascii_case(BOARD_GAMES) {
            return Some(Set::BoardGames);
        }
        Variant::parse(name).map(Set::One)
    }

    /// The names that there are.
    pub fn names() -> String {
        let names: Vec<&str> = Variant::all().map(Variant::name).chain([BOARD_GAMES]).collect();
        names.join(", ")
    }
}

/// Runs the benchmark of a set to a depth, or to the family's own, calls `report` after each variant and gives the total.
pub fn run(
    set: Set,
    depth: Option<u32>,
    threads: usize,
    hash_mb: usize,
    mut report: impl FnMut(Variant, Tally),
) -> Tally {
    let board = |games: &[&'static dyn Game], report: &mut dyn FnMut(Variant, Tally)| {
        run_games(games, depth.unwrap_or(DEFAULT_DEPTH), threads, hash_mb, report)
    };
    let chess = |editions: &[Edition], report: &mut dyn FnMut(Variant, Tally)| {
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
        let report = |edition, part| report(Variant::Chess(edition), part);
        bench::run(editions, depth, threads, hash_mb, report)
    };
    match set {
        Set::Chess => chess(&Edition::ALL, &mut report),
        Set::BoardGames => board(&GAMES, &mut report),
        Set::One(Variant::Chess(edition)) => chess(&[edition], &mut report),
        Set::One(Variant::Board(game)) => board(&[game], &mut report),
    }
}

fn run_games(
    games: &[&'static dyn Game],
    depth: u32,
    threads: usize,
    hash_mb: usize,
    report: &mut dyn FnMut(Variant, Tally),
) -> Tally {
    let mut engine = Engine::new(Settings { threads, hash_mb, ..Settings::default() });
    let mut total = Tally::default();
    for &game in games {
        let mut part = Tally::default();
        for position in positions(game) {
            engine.clear();
            let begin = Instant::now();
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let thought = think(&mut engine, &Record::new(position), limits);
            part.nodes += thought.info.map_or(0, |info| info.nodes);
            part.time += begin.elapsed();
        }
        report(Variant::Board(game), part);
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
            let total =
                run(Set::BoardGames, Some(3), 1, 1, |game, tally| counts.push((game, tally.nodes)));
            assert_eq!(total.nodes, counts.iter().map(|&(_, nodes)| nodes).sum::<u64>());
            counts
        };
        let first = counts();
        assert_eq!(first.len(), GAMES.len());
        assert!(first.iter().all(|&(_, nodes)| nodes > 100), "{first:?}");
        assert_eq!(counts(), first);
        for (game, nodes) in first {
            assert_eq!(run(Set::One(game), Some(3), 1, 1, |_, _| ()).nodes, nodes, "{game}");
        }
    }

    #[test]
    fn a_set_by_its_name() {
        assert_eq!(Set::parse("Board-Games"), Some(Set::BoardGames));
        for variant in Variant::all() {
            assert_eq!(Set::parse(variant.name()), Some(Set::One(variant)));
        }
        assert_eq!(Set::parse("checkers"), None);
    }

    #[test]
    fn every_game_has_several_positions() {
        for game in GAMES {
            assert!(positions(game).len() >= 3, "{}", game.name());
        }
    }
}
