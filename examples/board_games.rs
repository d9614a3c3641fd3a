//! Matches of the board games' search against a random player and against itself with little, for `docs/strength.md`.
//!
//! ```sh
//! cargo run --release --example board_games -- GAME OPPONENT [GAMES] [LIMIT]
//! ```
//!
//! `GAME` is one game's name or `all`; `OPPONENT` is `random`, `depth=N` or `nodes=N` for itself with no more; `LIMIT` what the
//! search has for a move, `20ms` if nothing is said, or `nodes=N`, by which a match is the same on every machine. Games begin
//! with random plies (two in Seega, eight in Alquerque, else four) that are judged to be about even, each opening twice with
//! colours changed, the games after one another on one thread. A draw counts half a point.

use std::time::Duration;

use usurper::board::zobrist::splitmix;
use usurper::games::search::{Limits, think};
use usurper::games::{GAMES, Game, Move, Position, Record};
use usurper::search::{Engine, Score, Settings};

/// An opening is even if a search of so many nodes judges it within so many hundredths of a man.
const JUDGING: u64 = 20_000;
const EVEN: i32 = 150;

struct Random(u64);

impl Random {
    fn pick(&mut self, moves: &[Move]) -> Move {
        self.0 = splitmix(self.0);
        moves[self.0 as usize % moves.len()].clone()
    }
}

/// A game after random plies that is judged to be about even.
fn opening(game: &'static dyn Game, random: &mut Random, judge: &mut Engine) -> Record {
    let plies = match game.name() {
        "seega" => 2,
        "alquerque" => 8,
        _ => 4,
    };
    loop {
        let mut record = Record::new(Position::start(game));
        for _ in 0..plies {
            let legal = record.legal();
            if !legal.is_empty() {
                record.play(random.pick(&legal));
            }
        }
        let limits = Limits { nodes: Some(JUDGING), ..Limits::default() };
        judge.clear();
        let score = think(judge, &record, limits).info.map(|info| info.score);
        let even = matches!(score, Some(Score::Cp(cp)) if cp.abs() <= EVEN);
        if record.outcome().is_none() && even {
            return record;
        }
    }
}

/// `20ms`, `depth=1`, `nodes=1000`.
fn limits(text: &str) -> Option<Limits> {
    let none = Limits::default();
    if let Some(depth) = text.strip_prefix("depth=") {
        return Some(Limits { depth: Some(depth.parse().ok()?), ..none });
    }
    if let Some(nodes) = text.strip_prefix("nodes=") {
        return Some(Limits { nodes: Some(nodes.parse().ok()?), ..none });
    }
    let milliseconds = text.strip_suffix("ms")?.parse().ok()?;
    Some(Limits { movetime: Some(Duration::from_millis(milliseconds)), ..none })
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, opponent, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: board_games GAME OPPONENT [GAMES] [LIMIT]");
        std::process::exit(2);
    };
    let games: usize = rest.first().map_or(100, |games| games.parse().expect("a number of games"));
    let strong = limits(rest.get(1).map_or("20ms", String::as_str)).expect("a limit");
    let weak = (opponent != "random").then(|| limits(opponent).expect("an opponent"));
    let settings = Settings { move_overhead: Duration::ZERO, ..Settings::default() };
    let mut engines = [Engine::new(settings.clone()), Engine::new(settings)];
    for game in GAMES.into_iter().filter(|game| name == "all" || game.name() == name) {
        let mut random = Random(7);
        let mut results = [0; 3];
        let (mut plies, mut start) = (0, None);
        for number in 0..games {
            let mut record = match start.take() {
                Some(record) => record,
                None => start.insert(opening(game, &mut random, &mut engines[0])).clone(),
            };
            engines.iter_mut().for_each(Engine::clear);
            let first = record.position().side();
            let us = if number % 2 == 0 { first } else { !first };
            while record.outcome().is_none() {
                let (engine, limits) = match &weak {
                    _ if record.position().side() == us => (0, &strong),
                    Some(limits) => (1, limits),
                    None => {
                        record.play(random.pick(&record.legal()));
                        plies += 1;
                        continue;
                    }
                };
                let thought = think(&mut engines[engine], &record, limits.clone());
                record.play(thought.best.expect("the game goes on"));
                plies += 1;
            }
            let outcome = record.outcome().expect("over");
            let result = outcome.winner.map_or(1, |winner| if winner == us { 0 } else { 2 });
            results[result] += 1;
            if result > 0 {
                let side = us.name();
                println!(
                    "  game {}: {} by {}, searched as {side}: {:?}",
                    number + 1,
                    outcome.winner_name(),
                    outcome.reason,
                    record.position()
                );
            }
        }
        let [won, drawn, lost] = results;
        println!("{}: +{won} ={drawn} -{lost}, {} plies a game", game.name(), plies / games.max(1));
    }
}
