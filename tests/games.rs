//! The board games against the cases of an independent reference program, `tests/vectors/folk-*.jsonl`, which decide any doubt.

use std::fs;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use usurper::games::perft::perft;
use usurper::games::{Position, Record, game};

fn cases<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("the vectors lie beside the tests");
    let parse = |line| serde_json::from_str(line).expect("one JSON object a line");
    text.lines().map(parse).collect()
}

fn position(name: &str, fen: &str) -> Position {
    let game = game(name).expect("a known game");
    let position =
        Position::from_fen(game, fen).unwrap_or_else(|error| panic!("{name} {fen}: {error}"));
    assert_eq!(position.to_fen(), fen);
    position
}

#[derive(Deserialize)]
struct PerftCase {
    edition: String,
    fen: String,
    nodes: Vec<u64>,
}

#[test]
fn perft_counts() {
    let cases: Vec<PerftCase> = cases("folk-perft.jsonl");
    assert_eq!(cases.len(), 35);
    for case in cases {
        let position = position(&case.edition, &case.fen);
        for (depth, &nodes) in (1..).zip(&case.nodes) {
            assert_eq!(perft(&position, depth), nodes, "{position:?} at depth {depth}");
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
    legal: Vec<String>,
}

#[test]
fn whole_games() {
    let cases: Vec<GameCase> = cases("folk-games.jsonl");
    assert_eq!(cases.len(), 127);
    for case in cases {
        let mut record = Record::new(position(&case.edition, &case.fen));
        record
            .replay(&case.moves)
            .unwrap_or_else(|error| panic!("{} {}: {error}", case.edition, case.fen));
        let at = format!("{} {} {:?}", case.edition, case.fen, case.moves);
        assert_eq!(record.moves().len(), case.plies, "{at}");
        assert_eq!(record.position().to_fen(), case.final_fen, "{at}");
        let outcome = record.outcome();
        assert_eq!(outcome.map(|o| o.winner_name().to_owned()), case.winner, "{at}");
        assert_eq!(outcome.map(|o| o.reason.to_string()), case.reason, "{at}");
        let grid = record.position().grid();
        let mut legal: Vec<String> = record.legal().iter().map(|m| m.text(grid)).collect();
        legal.sort_unstable();
        assert_eq!(legal, case.legal, "{at}");
    }
}
