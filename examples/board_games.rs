//! Matches of the board games' search against a random player and against itself at depth 1, for `docs/strength.md`.
//!
//! ```sh
//! cargo run --release --example board_games -- GAME OPPONENT [GAMES] [MILLISECONDS]
//! ```
//!
//! `GAME` is one game's name or `all`; `OPPONENT` is `random`, `depth1`, or `nodes=N` for itself with so many nodes. Games start
//! with random plies (two in Seega, else four), each opening twice with colours changed, the games after one another on one thread.

use std::time::Duration;

use usurper::board::zobrist::splitmix;
use usurper::games::search::{Limits, think};
use usurper::games::{GAMES, Game, Move, Position, Record};
use usurper::search::{Engine, Settings};

struct Random(u64);

impl Random {
    fn pick(&mut self, moves: &[Move]) -> Move {
        self.0 = splitmix(self.0);
        moves[self.0 as usize % moves.len()].clone()
    }
}

fn opening(game: &'static dyn Game, random: &mut Random) -> Record {
    let plies = if game.name() == "seega" { 2 } else { 4 };
    loop {
        let mut record = Record::new(Position::start(game));
        for _ in 0..plies {
            let legal = record.legal();
            if !legal.is_empty() {
                record.play(random.pick(&legal));
            }
        }
        if record.outcome().is_none() {
            return record;
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, opponent, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: board_games GAME OPPONENT [GAMES] [MILLISECONDS]");
        std::process::exit(2);
    };
    let number = |i: usize, default| rest.get(i).map_or(default, |n| n.parse().expect("a number"));
    let (games, milliseconds) = (number(0, 100), number(1, 20));
    let timed = Limits { movetime: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
    let weak = match opponent.as_str() {
        "random" => None,
        "depth1" => Some(Limits { depth: Some(1), ..Limits::default() }),
        other => {
            let nodes = other.strip_prefix("nodes=").and_then(|n| n.parse().ok());
            Some(Limits { nodes: Some(nodes.expect("an opponent")), ..Limits::default() })
        }
    };
    let settings = Settings { move_overhead: Duration::ZERO, ..Settings::default() };
    let mut engines = [Engine::new(settings.clone()), Engine::new(settings)];
    for game in GAMES.into_iter().filter(|game| name == "all" || game.name() == name) {
        let mut random = Random(7);
        let mut points = [0, 0, 0];
        let (mut plies, mut start) = (0, None);
        for number in 0..games {
            let mut record = match start.take() {
                Some(record) => record,
                None => start.insert(opening(game, &mut random)).clone(),
            };
            engines.iter_mut().for_each(Engine::clear);
            let first = record.position().side();
            let strong = if number % 2 == 0 { first } else { !first };
            while record.outcome().is_none() {
                let strong_moves = record.position().side() == strong;
                let m = match &weak {
                    None if !strong_moves => random.pick(&record.legal()),
                    Some(limits) if !strong_moves => {
                        think(&mut engines[1], &record, limits.clone()).best.expect("a move")
                    }
                    _ => think(&mut engines[0], &record, timed.clone()).best.expect("a move"),
                };
                record.play(m);
                plies += 1;
            }
            let outcome = record.outcome().expect("over");
            let result = outcome.winner.map_or(1, |winner| if winner == strong { 0 } else { 2 });
            points[result] += 1;
        }
        let [won, drawn, lost] = points;
        println!("{}: +{won} ={drawn} -{lost}, {} plies a game", game.name(), plies / games);
    }
}
