//! The cases of an independent reference program, `tests/vectors/*.jsonl`: move counts, move lists
//! with their notation, whole games with their results. They decide any doubt about the rules.

use std::fs;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use usurper::rules::notation::{Letters, parse_move, san};
use usurper::rules::perft::perft;
use usurper::rules::{Edition, GameRecord, Outcome, Position};

fn cases<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("the vectors lie beside the tests");
    let parse = |line| serde_json::from_str(line).expect("one JSON object a line");
    text.lines().map(parse).collect()
}

fn position(edition: &str, fen: &str) -> Position {
    let edition = Edition::parse(edition).expect("a known edition");
    Position::from_fen(edition, fen).unwrap_or_else(|error| panic!("{edition} {fen}: {error}"))
}

/// Winner and reason as the vectors write them.
fn result(outcome: Option<Outcome>) -> (Option<String>, Option<String>) {
    (outcome.map(|o| o.winner_name().to_owned()), outcome.map(|o| o.reason.to_string()))
}

#[derive(Deserialize)]
struct PerftCase {
    edition: String,
    fen: String,
    nodes: Vec<u64>,
}

#[test]
fn perft_counts() {
    let cases: Vec<PerftCase> = cases("perft.jsonl");
    assert_eq!(cases.len(), 73);
    for case in cases {
        let position = position(&case.edition, &case.fen);
        for (depth, &expected) in (1..).zip(&case.nodes) {
            let counted = perft(&position, depth);
            assert_eq!(counted, expected, "{} {} depth {depth}", case.edition, case.fen);
        }
    }
}

#[derive(Deserialize)]
struct MovesCase {
    edition: String,
    fen: String,
    result: Option<Vec<String>>,
    in_check: bool,
    moves: Vec<(String, String)>,
}

#[test]
fn move_lists() {
    let cases: Vec<MovesCase> = cases("moves.jsonl");
    assert_eq!(cases.len(), 180);
    for case in cases {
        let position = position(&case.edition, &case.fen);
        let name = format!("{} {}", case.edition, case.fen);
        let game = GameRecord::new(position);
        assert_eq!(position.in_check(), case.in_check, "{name}");
        let (winner, reason) = result(game.outcome());
        assert_eq!(case.result, winner.zip(reason).map(|(w, r)| vec![w, r]), "{name}");

        let mut moves = position.legal_moves();
        if game.outcome().is_some() {
            moves.clear();
        }
        let mut listed: Vec<(String, String)> =
            moves.iter().map(|&m| (m.to_string(), san(&position, m, Letters::English))).collect();
        listed.sort();
        assert_eq!(listed, case.moves, "{name}");
        for (coordinate, san) in &listed {
            let read = |text| parse_move(&position, text, Letters::English).expect("a legal move");
            assert_eq!(read(coordinate), read(san), "{name} {coordinate} {san}");
        }
    }
}

#[derive(Deserialize)]
struct GameCase {
    edition: String,
    fen: String,
    moves: Vec<String>,
    winner: Option<String>,
    reason: Option<String>,
    plies: usize,
    final_fen: String,
    why: Option<String>,
}

#[test]
fn games() {
    let cases: Vec<GameCase> = cases("games.jsonl");
    assert_eq!(cases.len(), 195);
    for case in cases {
        let name = format!("{} {} {:?} ({:?})", case.edition, case.fen, case.moves, case.why);
        let mut game = GameRecord::new(position(&case.edition, &case.fen));
        for text in &case.moves {
            assert_eq!(game.outcome(), None, "{name}: over before {text}");
            let m = parse_move(game.position(), text, Letters::English).expect("a legal move");
            game.play(m).expect("a legal move");
        }
        assert_eq!(result(game.outcome()), (case.winner, case.reason), "{name}");
        assert_eq!(game.moves().len(), case.plies, "{name}");
        assert_eq!(game.position().to_fen(), case.final_fen, "{name}");
    }
}
