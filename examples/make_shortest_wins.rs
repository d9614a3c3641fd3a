//! Makes `tests/suites/shortest-wins.jsonl`: two hundred positions of today's edition with a shortest win of one to
//! six moves, half of them drawn from tables of endings, half from games of a crude player with more men; every one
//! proven by the solver, which also names all moves that win so soon.
//!
//! ```sh
//! usurper tablebase generate --men 4 --out DIR
//! cargo run --release --example make_shortest_wins DIR [SEED]
//! ```
//!
//! The same seed gives the same file; `tests/must_find.rs` proves it again, `scripts/must_find.py` puts it to the engine.

#[path = "../tests/random/mod.rs"]
mod random;

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use random::{Random, crude_move, thrown_position};
use serde_json::json;
use usurper::proof::{Answer, Solver};
use usurper::rules::{Edition, GameRecord, Position};
use usurper::tablebase::{Material, Table, Value};

const EDITION: Edition = Edition::CaptureOrConquer;

/// How many positions from tables are won in 1, 2, … 6 moves.
const FROM_TABLES: [usize; 6] = [5, 15, 20, 20, 20, 20];

/// The same from games, where long wins are hard to prove.
const FROM_GAMES: [usize; 6] = [5, 15, 25, 25, 20, 10];

/// Where positions of few men are drawn from.
const MATERIALS: [&str; 12] = [
    "KvK", "KBvK", "KNvK", "KQvK", "KRvK", "KPvK", "KQvKR", "KBNvK", "KBvKN", "KRvKP", "KQvKP",
    "KPvKP",
];

/// A position with more winning moves is not much of a task.
const MOST_WINNERS: usize = 3;

/// A proof is given up after the number of plies that took it beyond so many positions.
const BUDGET: u64 = 200_000;

/// More men make a proof long.
const MOST_MEN: u32 = 16;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder of tables");
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut cases = from_games(&mut Random::new(seed));
    cases.extend(from_tables(&mut Random::new(seed), Path::new(&folder)));
    cases.sort();
    let text = cases.iter().fold(String::new(), |mut text, (_, line)| {
        let _ = writeln!(text, "{line}"); // writing to a String cannot fail
        text
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites/shortest-wins.jsonl");
    std::fs::write(path, text).expect("the suite can be written");
    println!("{path}: {} positions", cases.len());
}

/// The plies of a position's shortest win of at most six moves, and its line of the file.
fn case(position: &Position, source: &str) -> Option<(u32, String)> {
    let stop = AtomicBool::new(false);
    let game = GameRecord::new(*position);
    let mut solver = Solver::new(&game, 16, &stop);
    let answer = solver.solve(11, |_, nodes| stop.store(nodes > BUDGET, Ordering::Relaxed));
    let Answer::Win(plies) = answer else { return None };
    let winners: Vec<String> = solver.winners(plies).map(|m| m.to_string()).collect();
    if winners.is_empty() || winners.len() > MOST_WINNERS {
        return None;
    }
    let line = json!({
        "edition": EDITION.name(),
        "fen": position.to_fen(),
        "moves": [],
        "plies": plies,
        "mate": plies.div_ceil(2),
        "kind": source,
        "best": winners,
    });
    Some((plies, line.to_string()))
}

fn from_tables(random: &mut Random, folder: &Path) -> Vec<(u32, String)> {
    let tables: Vec<Table> = MATERIALS
        .iter()
        .map(|name| {
            let material = Material::parse(name).expect("a material");
            Table::read(folder, EDITION, &material).expect("a table")
        })
        .collect();
    let mut cases = Vec::new();
    for (moves, wanted) in (1u8..).zip(FROM_TABLES) {
        let mut seen = HashSet::new();
        while seen.len() < wanted {
            // Each material in turn, by chance where it has such wins.
            let table = &tables[random.below(tables.len())];
            let value = Value::Win(2 * moves - 1);
            let drawn = (0..100_000).find_map(|_| {
                let (position, found) = table.at(random.below(table.material().places()))?;
                (found == value).then_some(position)
            });
            let Some(position) = drawn else { continue };
            let Some((plies, line)) = case(&position, "tablebase") else { continue };
            // From nine plies on, repetition may hasten the end.
            if plies == 2 * u32::from(moves) - 1 && seen.insert(position.key()) {
                cases.push((plies, line));
            }
        }
        println!("{} positions from tables", cases.len());
    }
    cases
}

/// Positions of games of the crude player, some moves before their end.
fn from_games(random: &mut Random) -> Vec<(u32, String)> {
    let mut missing = FROM_GAMES;
    let mut cases = Vec::new();
    while missing.iter().any(|&left| left > 0) {
        let mut position = match Position::from_fen(EDITION, &thrown_position(random, EDITION)) {
            Ok(position) if random.chance(70) => position,
            _ => Position::start(EDITION),
        };
        let mut game = Vec::new();
        while position.outcome().is_none() && game.len() < 200 {
            game.push(position);
            position = position.play(crude_move(random, &position));
        }
        let Some(winner) = position.outcome().and_then(|end| end.winner) else { continue };
        let wanted: Vec<usize> = (0..6).filter(|&moves| missing[moves] > 0).collect();
        let moves = random.pick(&wanted);
        // One a game: neighbours are alike.
        let Some(candidate) = game.len().checked_sub(2 * moves + 1).map(|ply| game[ply]) else {
            continue;
        };
        let men = candidate.occupied().count();
        if candidate.side_to_move() != winner || !(5..=MOST_MEN).contains(&men) {
            continue;
        }
        if let Some((plies, line)) = case(&candidate, "solve") {
            let left = &mut missing[plies.div_ceil(2) as usize - 1];
            if *left > 0 {
                *left -= 1;
                cases.push((plies, line));
                println!("{missing:?}");
            }
        }
    }
    cases
}
