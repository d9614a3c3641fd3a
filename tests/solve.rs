//! The solver: against exhaustive search, against a walk through whole games by the book, against wins
//! counted by hand; and `usurper solve` from outside.

mod random;
mod solver;

use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use random::{Random, thrown_position};
use serde_json::Value;
use usurper::proof::{Answer, Solver};
use usurper::rules::notation::Letters;
use usurper::rules::{Edition, GameRecord, Position};

const TODAY: Edition = Edition::CaptureOrConquer;

static NEVER: AtomicBool = AtomicBool::new(false);

fn game(edition: Edition, fen: &str, moves: &str) -> GameRecord {
    let mut game = GameRecord::new(Position::from_fen(edition, fen).expect("a good FEN"));
    let moves: Vec<&str> = moves.split_whitespace().collect();
    game.replay(&moves, Letters::English).expect("legal moves");
    game
}

fn solve(game: &GameRecord, limit: u32) -> Option<u32> {
    match Solver::new(game, 16, &NEVER).solve(limit, |_, _| ()) {
        Answer::Win(plies) => Some(plies),
        Answer::NoWin(_) => None,
        Answer::Stopped(_) => panic!("nobody stops it"),
    }
}

/// A random game of few plies from a thrown position with few men, so that it is quick to exhaust.
fn small_game(random: &mut Random, edition: Edition, most_men: u32, plies: usize) -> GameRecord {
    loop {
        let fen = thrown_position(random, edition);
        let Ok(position) = Position::from_fen(edition, &fen) else { continue };
        let mut game = GameRecord::new(position);
        if position.occupied().count() > most_men || game.outcome().is_some() {
            continue;
        }
        let plies = random.below(plies + 1);
        shuffle(random, &mut game, plies);
        return game;
    }
}

/// Plays to and fro, so that positions come back, without ending the game.
fn shuffle(random: &mut Random, game: &mut GameRecord, plies: usize) {
    for _ in 0..plies {
        let before = game.moves().len().checked_sub(2).map(|i| game.moves()[i]);
        let moves = game.position().legal_moves();
        let back = before
            .and_then(|b| moves.iter().copied().find(|m| (m.from(), m.to()) == (b.to(), b.from())));
        let Some(m) = back
            .filter(|_| random.chance(85))
            .or_else(|| (!moves.is_empty()).then(|| random.pick(&moves)))
        else {
            break;
        };
        if game.outcome_after(m).is_some() {
            break;
        }
        game.play(m).expect("legal");
    }
}

/// Distances and winning moves against the exhaustive solver of the tests, with and without a past.
#[test]
fn agrees_with_exhaustive_search() {
    let mut random = Random::new(5);
    let mut won = 0;
    for edition in [TODAY, Edition::Classic] {
        for _ in 0..300 {
            let game = small_game(&mut random, edition, 5, 9);
            let mut naive = solver::Solver::new(&game);
            let expected = naive.distance(5);
            let context = format!("{} moves {:?}", game.start().to_fen(), game.moves());
            assert_eq!(solve(&game, 5), expected, "{edition} {context}");
            if let Some(plies) = expected {
                won += u32::from(plies > 1);
                let mut solver = Solver::new(&game, 1, &NEVER);
                let winners: Vec<_> = solver.winners(plies).collect();
                assert_eq!(winners, naive.winners(plies), "{edition} {context}");
            }
        }
    }
    assert!(won > 60, "{won} wins of more than one ply");
}

/// Whether the attacker wins within so many plies, each line played out as a game.
fn by_the_book(game: &GameRecord, attacker: usurper::board::Color, plies: u32) -> bool {
    let moves = game.position().legal_moves();
    let attacks = game.position().side_to_move() == attacker;
    let wins = |m| match game.outcome_after(m) {
        Some(outcome) => outcome.winner == Some(attacker),
        None => {
            plies > 1 && {
                let mut next = game.clone();
                next.play(m).expect("legal");
                by_the_book(&next, attacker, plies - 1)
            }
        }
    };
    if attacks { moves.into_iter().any(wins) } else { moves.into_iter().all(wins) }
}

#[test]
fn agrees_with_whole_games_in_chess() {
    let mut random = Random::new(8);
    let mut won = 0;
    for _ in 0..300 {
        let game = small_game(&mut random, Edition::Chess, 5, 9);
        let side = game.position().side_to_move();
        let expected = (1..=3).find(|&plies| by_the_book(&game, side, plies));
        let context = format!("{} moves {:?}", game.start().to_fen(), game.moves());
        assert_eq!(solve(&game, 3), expected, "{context}");
        won += u32::from(expected.is_some());
    }
    assert!(won > 10, "{won}");
}

/// Kings in their own corners among pawns that block one another: hardly a move for anybody.
fn cage(random: &mut Random, edition: Edition) -> Option<GameRecord> {
    let mut squares = ['.'; 64];
    squares[random.below(16)] = 'K';
    squares[48 + random.below(16)] = 'k';
    for _ in 0..3 + random.below(6) {
        let at = 8 + random.below(40);
        if squares[at] == '.' && squares[at + 8] == '.' {
            (squares[at], squares[at + 8]) = ('P', 'p');
        }
    }
    let side = random.pick(&["w", "b"]);
    let fen = format!("{} {side} - - 0 1", random::placement(|square| squares[square]));
    let position = Position::from_fen(edition, &fen).ok()?;
    let quiet =
        |p: &Position| p.noisy_moves().is_empty() && (1..=3).contains(&p.legal_move_count());
    let game = GameRecord::new(position);
    (game.outcome().is_none() && quiet(&position) && quiet(&position.play_null())).then_some(game)
}

/// Deep enough for positions to come back three times inside the search, each line played to its end by the
/// game's own rules. Most of the wins are repetitions: no King gets to its goal so soon.
#[test]
fn agrees_with_whole_games_where_positions_come_back() {
    let mut random = Random::new(9);
    let (mut compared, mut won) = (0, [0; 10]);
    for edition in [TODAY, Edition::Classic] {
        let mut left = 400;
        while left > 0 {
            let Some(mut game) = cage(&mut random, edition) else { continue };
            left -= 1;
            let plies = if left % 5 == 0 { 0 } else { random.below(11) };
            shuffle(&mut random, &mut game, plies);
            let side = game.position().side_to_move();
            let expected = (1..=9).find(|&plies| by_the_book(&game, side, plies));
            let context = format!("{edition} {} {:?}", game.start().to_fen(), game.moves());
            assert_eq!(solve(&game, 9), expected, "{context}");
            compared += 1;
            won[expected.unwrap_or(0) as usize] += 1;
        }
    }
    let late: u32 = won[3..].iter().sum();
    assert!(late >= 5, "{won:?} of {compared}");
}

/// Counted by hand.
#[test]
fn wins_that_can_be_counted() {
    for (edition, fen, moves, plies) in [
        // The King steps onto its goal rank, nobody attacks a8, b8, c8.
        (TODAY, "8/1K6/8/8/8/8/6k1/8 w - - 0 1", "", Some(1)),
        // Two steps to go, and Black needs three.
        (TODAY, "8/8/1K6/8/6k1/8/8/8 w - - 0 1", "", Some(3)),
        // Black needs one: no win for White, who moves first but has six steps to go.
        (TODAY, "8/8/8/8/8/8/1K4k1/8 w - - 0 1", "", None),
        // The Rook slides to f7 and the King jumps to f8, which it has left.
        (TODAY, "5R2/8/5K2/8/8/8/k7/8 w - - 0 1", "", Some(1)),
        // Without a Rook the King comes a move too late.
        (TODAY, "8/8/5K2/8/8/8/k7/8 w - - 0 1", "", None),
        // Chess, mate in two by a Rook on the seventh: 1. Rb7 leaves the King the eighth rank, then Ra8 mates.
        (Edition::Chess, "7k/8/8/8/8/8/1R6/R3K3 w - - 0 1", "", Some(3)),
    ] {
        assert_eq!(solve(&game(edition, fen, moves), 4), plies, "{edition} {fen}");
    }
}

/// A King that is driven to and fro by a Rook is forced, and wins by the third repetition: the way here
/// decides, not the position.
#[test]
fn what_was_played_decides() {
    let fen = "k7/8/8/8/8/7K/8/1R6 w - - 0 1";
    let driven = game(TODAY, fen, "Ra1 Kb8 Rb1 Ka8 Ra1 Kb8 Rb1");
    assert!(driven.position().in_check());
    let fresh = GameRecord::new(*driven.position());
    assert_eq!(solve(&driven, 2), Some(1), "back to a8 for the third time, forced");
    assert_eq!(solve(&fresh, 2), None);
}

#[test]
fn a_search_that_is_stopped_claims_only_what_it_has_finished() {
    let stop = AtomicBool::new(false);
    let game = GameRecord::from_start(TODAY);
    let mut solver = Solver::new(&game, 16, &stop);
    let answer = solver.solve(40, |plies, _| {
        if plies == 4 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert!(matches!(answer, Answer::Stopped(4..20)), "{answer:?}");
}

fn usurper(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_usurper")).arg("solve").args(arguments).assert()
}

/// Walks a written tree: all answers are there, and every line ends as it says, on time.
fn check_tree(game: &GameRecord, tree: &Value) -> u64 {
    let plies = tree["plies"].as_u64().expect("plies");
    let mut after = game.clone();
    let us = game.position().side_to_move();
    let text = tree["move"].as_str().expect("a move");
    after.replay(&[text], Letters::English).expect("legal");
    if let Some(outcome) = after.outcome() {
        assert_eq!((plies, outcome.winner), (1, Some(us)));
        assert_eq!(tree["wins_by"], outcome.reason.to_string());
        return 1;
    }
    let replies = tree["replies"].as_array().expect("replies");
    let mut named: Vec<&str> =
        replies.iter().map(|r| r["move"].as_str().expect("a move")).collect();
    let mut legal: Vec<String> =
        after.position().legal_moves().iter().map(ToString::to_string).collect();
    named.sort_unstable();
    legal.sort_unstable();
    assert_eq!(named, legal);
    let mut longest = 1;
    for reply in replies {
        let mut next = after.clone();
        let text = reply["move"].as_str().expect("a move");
        next.replay(&[text], Letters::English).expect("legal");
        match next.outcome() {
            Some(outcome) => assert_eq!(outcome.winner, Some(us)),
            None => longest = longest.max(1 + check_tree(&next, &reply["answer"])),
        }
    }
    assert_eq!(plies, longest + 1);
    plies
}

#[test]
fn the_written_tree_is_a_proof() {
    let suites = ["captureorconquer", "captureorconquer-classic"];
    let mut checked = 0;
    for edition in suites {
        let path = format!("{}/tests/suites/must-find-{edition}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the suite");
        for line in text.lines() {
            let case: Value = serde_json::from_str(line).expect("JSON");
            if case["plies"].as_u64() > Some(5) || checked % 3 != 0 {
                checked += 1;
                continue;
            }
            checked += 1;
            let fen = case["fen"].as_str().expect("a FEN");
            let moves: Vec<&str> =
                case["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
            let mut arguments =
                vec!["--variant", edition, "--fen", fen, "--json", "--hash", "16", "--moves"];
            arguments.extend(&moves);
            let run = usurper(&arguments).success();
            let answer: Value = serde_json::from_slice(&run.get_output().stdout).expect("JSON");
            assert_eq!(answer["plies"], case["plies"], "{line}");
            let mut best: Vec<&str> = answer["winning_moves"]
                .as_array()
                .expect("moves")
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let mut expected: Vec<&str> =
                case["best"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
            best.sort_unstable();
            expected.sort_unstable();
            assert_eq!(best, expected, "{line}");
            let game = game(Edition::parse(edition).expect("an edition"), fen, &moves.join(" "));
            check_tree(&game, &answer["tree"]);
        }
    }
    assert!(checked > 60);
}

#[test]
fn the_text_and_the_exit_codes() {
    let text = |arguments: &[&str]| {
        String::from_utf8(usurper(arguments).success().get_output().stdout.clone()).expect("UTF-8")
    };
    let won = text(&["--fen", "8/1K6/8/8/8/8/6k1/8 w - - 0 1"]);
    assert!(won.starts_with("White wins in 1 move (1 ply): Ka8, Kb8, Kc8\n"), "{won}");
    assert!(won.ends_with("Ka8  wins by conquest\n"), "{won}");
    let none = text(&["--max", "2"]);
    assert!(none.starts_with("no win within 2 moves: White cannot force one in 4 plies"), "{none}");

    let over = usurper(&["--fen", "8/8/8/8/8/8/8/k7 w - - 0 1"]).code(1);
    let error = String::from_utf8_lossy(&over.get_output().stderr).into_owned();
    assert_eq!(error, "error: the game is over: black by capture\n");
    usurper(&["--max", "0"]).code(2);
    usurper(&["--moves", "e2e5"]).code(1);
}
