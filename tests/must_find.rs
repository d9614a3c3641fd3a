//! The must-find suites: positions with a proven shortest win of one to four moves; and two hundred shortest wins
//! of one to six moves, from tables of endings and from games.
//!
//! Here most of the suites is proven again, by exhaustive search (`tests/solver`) or by the solver, which each test says of
//! its part; the rest was proven when the suites were made. The engine must find the wins with their exact distance, but for
//! as many of the longer ones as its tests say. It is given positions to look at, not time, so that a busy
//! machine makes no difference; `scripts/must_find.py` measures the time.

mod random;
mod solver;

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

use random::{Random, thrown_position};
use serde::Deserialize;
use solver::{Solver, kind};
use usurper::proof::Answer;
use usurper::rules::notation::Letters;
use usurper::rules::{Edition, GameRecord, Move, Position};
use usurper::search::{Engine, Event, Limits, Settings};

/// How many positions the engine may look at.
const NODES: u64 = 2_500_000;

#[derive(Deserialize)]
struct Case {
    edition: String,
    fen: String,
    moves: Vec<String>,
    plies: u32,
    mate: i32,
    kind: String,
    best: Vec<String>,
}

impl Case {
    fn game(&self) -> GameRecord {
        let edition = Edition::parse(&self.edition).expect("an edition");
        let start = Position::from_fen(edition, &self.fen).expect("a good FEN");
        let mut game = GameRecord::new(start);
        game.replay(&self.moves, Letters::English).expect("legal moves");
        game
    }

    fn name(&self) -> String {
        format!("{} {} moves {:?}", self.edition, self.fen, self.moves)
    }
}

fn suite(edition: Edition) -> Vec<Case> {
    file(&format!("must-find-{}", edition.name()))
}

fn file(name: &str) -> Vec<Case> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites");
    let path = format!("{directory}/{name}.jsonl");
    let text = std::fs::read_to_string(path).expect("the suites lie beside the tests");
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect()
}

fn suites() -> Vec<Case> {
    [Edition::CaptureOrConquer, Edition::Classic].into_iter().flat_map(suite).collect()
}

#[test]
fn there_are_enough_positions_of_every_kind() {
    assert!(suite(Edition::CaptureOrConquer).len() >= 40);
    assert!(suite(Edition::Classic).len() >= 25);
    let cases = suites();
    for kind in [
        "capture",
        "conquest-step",
        "conquest-capture",
        "conquest-escort",
        "mate",
        "threat",
        "zugzwang",
        "repetition",
    ] {
        let number = cases.iter().filter(|case| case.kind == kind).count();
        assert!(number >= 3, "{number} of {kind}");
    }
    for moves in 1..=4 {
        let number = cases.iter().filter(|case| case.mate == moves).count();
        assert!(number >= 8, "{number} in {moves} moves");
    }
    let mut names: Vec<String> = cases.iter().map(Case::name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "no position twice");
}

/// All wins of up to three moves, and those of four with ten men or fewer, where the proof is short.
#[test]
fn the_suites_are_proven() {
    let mut proven = 0;
    for case in suites() {
        let game = case.game();
        assert_eq!(case.mate, case.plies.div_ceil(2) as i32);
        if case.plies > 5 && game.position().occupied().count() > 10 {
            continue;
        }
        let mut solver = Solver::new(&game);
        assert_eq!(solver.distance(case.plies), Some(case.plies), "{}", case.name());
        let best: Vec<String> = solver.winners(case.plies).iter().map(Move::to_string).collect();
        assert_eq!(best, case.best, "{}", case.name());
        assert_eq!(kind(&game, case.plies).name(), case.kind, "{}", case.name());
        proven += 1;
    }
    assert!(proven >= 60, "{proven}");
}

/// The solver's own proof: the same by the book, each game played out move by move.
#[test]
fn the_solver_agrees_with_the_long_way() {
    fn wins(game: &GameRecord, plies: u32) -> bool {
        let us = game.position().side_to_move();
        game.position().legal_moves().into_iter().any(|m| {
            let mut next = game.clone();
            next.play(m).expect("legal");
            match next.outcome() {
                Some(outcome) => outcome.winner == Some(us),
                None => plies > 1 && holds(&next, plies - 1),
            }
        })
    }
    fn holds(game: &GameRecord, plies: u32) -> bool {
        let us = game.position().side_to_move();
        game.position().legal_moves().into_iter().all(|m| {
            let mut next = game.clone();
            next.play(m).expect("legal");
            match next.outcome() {
                Some(outcome) => outcome.winner == Some(!us),
                None => plies > 1 && wins(&next, plies - 1),
            }
        })
    }
    let mut random = Random::new(3);
    let mut won = [0; 4];
    for edition in [Edition::CaptureOrConquer, Edition::Classic] {
        for _ in 0..1500 {
            let Ok(start) = Position::from_fen(edition, &thrown_position(&mut random, edition))
            else {
                continue;
            };
            let mut game = GameRecord::new(start);
            // Half of the games with a history that repeats.
            for _ in 0..random.below(2) * 8 {
                let moves = game.position().legal_moves();
                let back = game.moves().len().checked_sub(2).map(|index| game.moves()[index]);
                let back = back.and_then(|b| {
                    moves.iter().find(|m| (m.from(), m.to()) == (b.to(), b.from())).copied()
                });
                if game.outcome().is_none() {
                    let m = back.unwrap_or_else(|| random.pick(&moves));
                    game.play(m).expect("legal");
                }
            }
            if game.outcome().is_some() || game.position().legal_move_count() > 40 {
                continue;
            }
            let name = format!("{edition} {} {:?}", start.to_fen(), game.moves());
            let long_way = (1..=3).find(|&plies| wins(&game, plies));
            assert_eq!(Solver::new(&game).distance(3), long_way, "{name}");
            won[long_way.unwrap_or(0) as usize] += 1;
        }
    }
    assert!(won[0] > 100 && won[1] > 100 && won[3] > 20, "{won:?}");
}

/// The last exact score and the best move of a search.
fn search(engine: &mut Engine, game: GameRecord, limits: Limits) -> (Option<i32>, Option<Move>) {
    let (sender, events) = channel();
    engine.clear();
    engine.start(game, limits, move |event| {
        let _ = sender.send(event); // nobody listens any more after the best move
    });
    let mut mate = None;
    for event in events {
        match event {
            Event::Info(info) => mate = info.score.mate(),
            Event::GameOver(outcome) => panic!("the game is over: {outcome:?}"),
            Event::BestMove { best, .. } => return (mate, best),
        }
    }
    panic!("no best move");
}

/// Every win of up to three moves; of those in four, which a selective search may reduce away while
/// it is busy with another win, three out of four. `scripts/must_find.py` tells of every miss.
#[test]
fn the_engine_finds_the_wins() {
    let settings = Settings { threads: 1, hash_mb: 16, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let (mut missed, mut missed_in_four) = (Vec::new(), Vec::new());
    let cases = suites();
    for case in &cases {
        let limits =
            Limits { nodes: Some(NODES), mate: Some(case.mate as u32), ..Limits::default() };
        let (mate, best) = search(&mut engine, case.game(), limits);
        let best = best.map_or("none".to_owned(), |m| m.to_string());
        if mate != Some(case.mate) || !case.best.contains(&best) {
            let missed = if case.mate == 4 { &mut missed_in_four } else { &mut missed };
            missed.push(format!(
                "{}: {best} with mate {mate:?} instead of {:?} in {}, {}",
                case.name(),
                case.best,
                case.mate,
                case.kind
            ));
        }
    }
    assert!(missed.is_empty(), "{} of {}: {missed:#?}", missed.len(), cases.len());
    let in_four = cases.iter().filter(|case| case.mate == 4).count();
    assert!(4 * missed_in_four.len() <= in_four, "{missed_in_four:#?}");
}

#[test]
fn the_shortest_wins_are_two_hundred() {
    let cases = file("shortest-wins");
    assert_eq!(cases.len(), 200);
    for (moves, least) in (1..=6).zip([8, 25, 40, 40, 35, 25]) {
        let number = cases.iter().filter(|case| case.mate == moves).count();
        assert!(number >= least, "{number} in {moves} moves");
    }
    for source in ["tablebase", "solve"] {
        assert_eq!(cases.iter().filter(|case| case.kind == source).count(), 100);
    }
    let mut names: Vec<String> = cases.iter().map(Case::name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 200, "no position twice");
}

/// All of up to three moves by the exhaustive search; of those in four and five moves a part, about every fourth, by
/// the solver; those in six not at all.
#[test]
fn the_shortest_wins_are_proven() {
    let never = AtomicBool::new(false);
    let mut proven = [0; 2];
    for (number, case) in file("shortest-wins").into_iter().enumerate() {
        let game = case.game();
        let (distance, winners): (_, Vec<Move>) = if case.plies <= 5 {
            proven[0] += 1;
            let mut solver = Solver::new(&game);
            (solver.distance(case.plies), solver.winners(case.plies))
        } else if case.plies <= 9 && number % 4 == 0 {
            proven[1] += 1;
            let mut solver = usurper::proof::Solver::new(&game, 16, &never);
            let Answer::Win(plies) = solver.solve(case.plies, |_, _| ()) else { panic!("no win") };
            (Some(plies), solver.winners(plies).collect())
        } else {
            continue;
        };
        assert_eq!(distance, Some(case.plies), "{}", case.name());
        let best: Vec<String> = winners.iter().map(Move::to_string).collect();
        assert_eq!(best, case.best, "{}", case.name());
    }
    assert!(proven[0] >= 73 && proven[1] >= 15, "{proven:?}");
}

/// Every fifth position, which is a few of each number of moves: never a loss, and the distance but for two.
#[test]
fn the_engine_finds_shortest_wins() {
    let mut engine = Engine::new(Settings { hash_mb: 16, ..Settings::default() });
    let mut missed = Vec::new();
    for case in file("shortest-wins").into_iter().step_by(5) {
        let limits =
            Limits { nodes: Some(NODES / 2), mate: Some(case.mate as u32), ..Limits::default() };
        let (mate, best) = search(&mut engine, case.game(), limits);
        assert!(mate.is_none_or(|mate| mate > 0), "{}: loses in {mate:?}", case.name());
        let best = best.map_or("none".to_owned(), |m| m.to_string());
        if mate != Some(case.mate) || !case.best.contains(&best) {
            missed.push(format!("{}: {best} with mate {mate:?}", case.name()));
        }
    }
    assert!(missed.len() <= 2, "{missed:#?}");
}
