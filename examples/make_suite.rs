//! Makes the must-find suites of `tests/suites/`: positions with a proven shortest win of one to four
//! moves, taken from games that a crude player plays against itself.
//!
//! `cargo run --release --example make_suite [SEED]` writes the files anew. The same seed gives the same
//! files; `tests/must_find.rs` proves them again and puts them to the engine.

#[path = "../tests/random/mod.rs"]
mod random;
#[path = "../tests/solver/mod.rs"]
mod solver;

use std::collections::HashMap;
use std::fmt::Write;

use random::{Random, crude_move, thrown_position};
use serde_json::json;
use solver::{Kind, Solver, kind};
use usurper::rules::{Edition, GameRecord, Move, Position};

/// How many positions are wanted of a kind, by the plies of the win: 1, 2 or 3, 4 or 5, 6 or 7.
type Wanted = (Kind, [usize; 4]);

const TODAY: &[Wanted] = &[
    (Kind::Capture, [2, 0, 0, 0]),
    (Kind::ConquestStep, [2, 3, 2, 2]),
    (Kind::ConquestCapture, [2, 2, 1, 0]),
    (Kind::ConquestEscort, [3, 3, 2, 1]),
    (Kind::Mate, [0, 4, 4, 3]),
    (Kind::Threat, [0, 2, 2, 1]),
    (Kind::Zugzwang, [0, 3, 2, 1]),
    (Kind::Repetition, [1, 4, 1, 0]),
];

const CLASSIC: &[Wanted] = &[
    (Kind::Capture, [1, 0, 0, 0]),
    (Kind::ConquestStep, [1, 3, 2, 2]),
    (Kind::ConquestCapture, [1, 1, 1, 0]),
    (Kind::Mate, [0, 4, 4, 3]),
    (Kind::Threat, [0, 2, 1, 0]),
    (Kind::Zugzwang, [0, 2, 2, 1]),
    (Kind::Repetition, [0, 3, 1, 0]),
];

/// How many are missing of a kind and a number of moves.
type Missing = HashMap<(Kind, u32), usize>;

/// A way to come by a missing case.
type Maker = fn(&mut Random, Edition, &Missing) -> Option<Case>;

/// A position of the suite.
struct Case {
    plies: u32,
    kind: Kind,
    line: String,
}

fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    for (edition, wanted) in [(Edition::CaptureOrConquer, TODAY), (Edition::Classic, CLASSIC)] {
        let cases = collect(&mut Random::new(seed), edition, wanted);
        let text = cases.iter().fold(String::new(), |mut text, case| {
            let _ = writeln!(text, "{}", case.line); // writing to a String cannot fail
            text
        });
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites");
        let path = format!("{directory}/must-find-{}.jsonl", edition.name());
        std::fs::write(&path, text).expect("the suite can be written");
        println!("{path}: {} positions", cases.len());
    }
}

fn collect(random: &mut Random, edition: Edition, wanted: &[Wanted]) -> Vec<Case> {
    let mut missing: Missing = HashMap::new();
    for &(kind, numbers) in wanted {
        for (moves, number) in (1..).zip(numbers) {
            missing.insert((kind, moves), number);
        }
    }
    let mut cases = Vec::new();
    for (make, repetition, games) in
        [(crude_game as Maker, false, 3_000), (shuffled_game, true, 200_000)]
    {
        for _ in 0..games {
            let done = |(key, left): (&(Kind, u32), &usize)| {
                *left == 0 || (key.0 == Kind::Repetition) != repetition
            };
            if missing.iter().all(done) {
                break;
            }
            if let Some(case) = make(random, edition, &missing) {
                let key = (case.kind, case.plies.div_ceil(2));
                *missing.get_mut(&key).expect("it was missing") -= 1;
                println!("{}", case.line);
                cases.push(case);
            }
        }
    }
    for (key, left) in missing {
        if left > 0 {
            println!("{edition}: {left} of {key:?} not found");
        }
    }
    cases.sort_by_key(|case| (case.plies, case.kind.name()));
    cases
}

/// A case of a game's present position, if it is one that is missing.
fn case(game: &GameRecord, limit: u32, missing: &Missing) -> Option<Case> {
    let mut solver = Solver::new(game);
    // Where five plies took long, seven would take for ever.
    let deep = |solver: &mut Solver| (solver.nodes < 30_000).then(|| solver.distance(limit));
    let plies = solver.distance(limit.min(5)).or_else(|| deep(&mut solver).flatten())?;
    let winners = solver.winners(plies);
    if winners.len() > 3 {
        return None; // not much to find
    }
    let kind = kind(game, plies);
    if missing.get(&(kind, plies.div_ceil(2))).is_none_or(|&left| left == 0) {
        return None;
    }
    let texts = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>();
    let line = json!({
        "edition": game.start().edition().name(),
        "fen": game.start().to_fen(),
        "moves": texts(game.moves()),
        "plies": plies,
        "mate": plies.div_ceil(2),
        "kind": kind.name(),
        "best": texts(&winners),
    });
    Some(Case { plies, kind, line: line.to_string() })
}

/// A game of the crude player, from the start position or from a thrown one; the first position in it that is
/// a missing case, taken without its history.
fn crude_game(random: &mut Random, edition: Edition, missing: &Missing) -> Option<Case> {
    let longest =
        missing.iter().filter(|&(_, &left)| left > 0).map(|(&(_, moves), _)| moves).max()?;
    let limit = 2 * longest - 1;
    let mut position = Position::start(edition);
    if random.chance(50) {
        position = Position::from_fen(edition, &thrown_position(random, edition)).ok()?;
    }
    for ply in 0..120 {
        if position.outcome().is_some() {
            return None;
        }
        // Easy wins abound: look at a position only now and then, so that games go on.
        let men = position.occupied().count();
        if ply >= 2 && (6..=26).contains(&men) && random.chance(35) {
            let found = case(&GameRecord::new(position), limit, missing);
            if found.is_some() {
                return found;
            }
        }
        position = position.play(crude_move(random, &position));
    }
    None
}

/// A side with its King, a few pieces and perhaps pawns against a King at the edge with little beside it.
fn cornered(random: &mut Random, edition: Edition) -> Option<Position> {
    let mut squares = ['.'; 64];
    let edge: Vec<usize> = (0..64).filter(|s| [0, 7].contains(&(s % 8)) || s / 8 == 7).collect();
    squares[random.pick(&edge)] = 'k';
    let mut men = vec!['K'];
    men.extend((0..1 + random.below(3)).map(|_| random.pick(&['Q', 'R', 'R', 'B', 'N'])));
    men.extend((0..random.below(4)).map(|_| random.pick(&['P', 'p', 'p'])));
    for man in men {
        let square = if "Pp".contains(man) { 8 + random.below(48) } else { random.below(64) };
        if squares[square] == '.' {
            squares[square] = man;
        }
    }
    let side = random.pick(&["w", "b"]);
    let fen = format!("{} {side} - - 0 1", random::placement(|square| squares[square]));
    let position = Position::from_fen(edition, &fen).ok()?;
    Some(if random.chance(50) { position.mirrored() } else { position })
}

/// A game between few men that go to and fro; the first position in it that is won by what was played.
fn shuffled_game(random: &mut Random, edition: Edition, missing: &Missing) -> Option<Case> {
    let start = cornered(random, edition)?;
    if start.outcome().is_some() {
        return None;
    }
    let mut game = GameRecord::new(start);
    while game.outcome().is_none() && game.moves().len() < 10 {
        let position = *game.position();
        let back = game.moves().len().checked_sub(2).map(|index| game.moves()[index]);
        let returning = back.and_then(|m| {
            let moves = position.legal_moves();
            moves.into_iter().find(|n| (n.from(), n.to()) == (m.to(), m.from()))
        });
        let m = match returning {
            Some(m) if random.chance(90) && position.play(m).winning_move().is_none() => m,
            _ => crude_move(random, &position),
        };
        game.play(m).expect("a legal move");
        if game.outcome().is_none() && game.repetitions() >= 2 {
            let found = case(&game, 5, missing).filter(|case| case.kind == Kind::Repetition);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}
