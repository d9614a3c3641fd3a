//! Positions that other engines took wrongly.

use std::time::Duration;

use crate::common::{Engine, PATIENCE};

/// official-stockfish/Stockfish#6786
#[test]
fn b001_one_king_absent() {
    let mut engine = Engine::start();
    engine.ask("position fen 3k4/8/8/8/8/8/3R4/8 w - - 0 1");
    let search = engine.go("go depth 2");
    assert_eq!(search.best, "(none)");
    assert_eq!(
        search.lines,
        ["info string game over: black by capture", "info depth 0 score mate 0"]
    );
    assert_eq!(engine.ask(""), [""; 0]);
    engine.quit();
}

/// official-stockfish/Stockfish#4313
#[test]
fn b003_two_kings_of_one_colour() {
    let mut engine = Engine::start();
    let error = engine.error("position fen 4k3/8/8/8/8/8/8/K3K3 w - - 0 1");
    assert!(error.contains("white has 2 kings"), "{error}");
    assert_eq!(engine.perft(1).1, 20);
    let best = engine.go("go depth 3").best;
    assert!(engine.perft(1).0.iter().any(|(m, _)| *m == best), "{best}");
    engine.quit();
}

/// official-stockfish/Stockfish#5131
#[test]
fn b005_one_character() {
    let mut engine = Engine::start();
    let error = engine.error("position fen 7");
    assert!(error.contains("1 row instead of 8"), "{error}");
    let best = engine.go("go depth 2").best;
    assert!(engine.perft(1).0.iter().any(|(m, _)| *m == best), "{best}");
    engine.quit();
}

/// official-stockfish/Stockfish#5071
#[test]
fn b007_castling_right_of_a_king_that_has_moved() {
    for variant in ["captureorconquer", "captureorconquer-classic", "chess"] {
        let mut engine = Engine::start();
        engine.ask(&format!("setoption name UCI_Variant value {variant}"));
        engine.ask("position fen 3k3r/8/8/8/8/8/8/4K2R b Kk - 0 1");
        let (moves, _) = engine.perft(1);
        // The Rook on h8 is four files from the King: an Escort to f8 is the only joint move.
        let joint: Vec<_> = moves
            .iter()
            .map(|(m, _)| m.as_str())
            .filter(|m| ["d8b8", "d8f8", "d8g8"].contains(m))
            .collect();
        let escort: &[&str] = if variant == "captureorconquer" { &["d8f8"] } else { &[] };
        assert_eq!(joint, escort, "{variant}");
        let best = engine.go("go depth 5").best;
        assert!(moves.iter().any(|(m, _)| *m == best), "{best}");
        engine.quit();
    }
}

/// official-stockfish/Stockfish#6895
#[test]
fn b009_counters_missing_unreadable_or_an_epd_tail() {
    let mut engine = Engine::start();
    assert_eq!(
        engine.ask("position fen 4k3/8/8/8/8/8/8/4K2R w -"),
        ["info string error: position: FEN: the en passant square is missing"]
    );
    let error = engine.error("position fen 4k3/8/8/8/8/8/8/4K2R w - - x y");
    assert!(error.contains("\"x\""), "{error}");
    assert_eq!(engine.ask("position fen 4k3/8/8/8/8/8/8/4K2R w - -"), [""; 0]);
    assert_eq!(engine.shown("FEN"), "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!(engine.ask("position fen 4k3/8/8/8/8/8/8/4K1R1 w - - bm e1e2; id \"t1\";"), [""; 0]);
    assert_eq!(engine.shown("FEN"), "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1");
    assert_ne!(engine.go("go depth 2").best, "(none)");
    engine.quit();
}

/// niklasf/python-chess#1080, as far as it concerns a position line: the counters are kept.
#[test]
fn b011_counters_are_kept() {
    let mut engine = Engine::start();
    engine.ask("position fen 4k3/8/8/8/8/8/8/4K2R w - - 12 13");
    assert_eq!(engine.shown("FEN"), "4k3/8/8/8/8/8/8/4K2R w - - 12 13");
    engine.quit();
}

/// official-stockfish/Stockfish#867
#[test]
fn b013_en_passant_square_without_a_pawn() {
    let mut engine = Engine::start();
    engine.ask("position fen 4k3/8/3p4/3P4/8/8/8/4K3 w - e6 0 1");
    let (moves, total) = engine.perft(1);
    let mut moves: Vec<_> = moves.into_iter().map(|(m, _)| m).collect();
    moves.sort();
    assert_eq!(moves, ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"]);
    assert_eq!(total, 5);
    engine.quit();
}

/// pjpuzzler/cpp-chess#6
#[test]
fn b015_empty_bottom_rank() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("position fen 4k3/8/8/8/4K3/8/8/8 w - - 0 1"), [""; 0]);
    assert_eq!(engine.perft(1).1, 8);
    engine.quit();
}

/// official-stockfish/Stockfish#4558
#[test]
fn b017_board_full_of_queens() {
    let mut engine = Engine::start();
    for variant in ["captureorconquer", "captureorconquer-classic"] {
        engine.ask(&format!("setoption name UCI_Variant value {variant}"));
        let fen = "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q4k1Q/Q6Q/Q6Q/QQQKQQQQ w - - 0 1";
        assert_eq!(engine.ask(&format!("position fen {fen}")), [""; 0]);
        let (moves, total) = engine.perft(1);
        assert_eq!(moves.len() as u64, total);
        let search = engine.go("go depth 1");
        assert_eq!(search.last().mate, Some(1));
        assert_eq!(search.best.get(2..), Some("f4"), "a Queen takes the King");
    }
    engine.quit();
}

/// official-stockfish/Stockfish#6887
#[test]
fn b019_pawns_on_the_end_ranks() {
    let mut engine = Engine::start();
    engine.error("position fen 6P1/8/1k6/8/8/4K3/8/p7 w - - 0 1");
    for rank in [1, 8] {
        for file in 0..8 {
            for pawn in ['P', 'p'] {
                let mut row = String::new();
                if file > 0 {
                    row.push_str(&file.to_string());
                }
                row.push(pawn);
                if file < 7 {
                    row.push_str(&(7 - file).to_string());
                }
                let (top, bottom) =
                    if rank == 8 { (row.as_str(), "8") } else { ("8", row.as_str()) };
                let error =
                    engine.error(&format!("position fen {top}/8/1k6/8/8/4K3/8/{bottom} w - - 0 1"));
                let square = format!("{}{rank}", char::from(b'a' + file));
                assert!(error.contains(&square), "{error}: {square}");
            }
        }
    }
    assert_eq!(engine.perft(1).1, 20, "the start position has stayed");
    engine.quit();
}

/// official-stockfish/Stockfish#6315
#[test]
fn b021_malformed_fens() {
    let mut engine = Engine::start();
    for (fen, named) in [
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 rows"),
        ("4k3/8/8/8/4x3/8/8/4K3 w - - 0 1", "'x' in rank 4"),
        ("4k3/8/8/8/8/8/8/4K2R r - - 0 1", "\"r\""),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "\"KK\""),
        ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "\"X\""),
        ("4k3/8/8/8/8/8/8/4K2R w - z9 0 1", "\"z9\""),
    ] {
        let error = engine.error(&format!("position fen {fen}"));
        assert!(error.contains(named), "{error}: {named}");
        assert_eq!(engine.perft(1).1, 20, "the start position has stayed");
    }
    engine.quit();
}

/// martian56/raven#657
#[test]
fn b023_bytes_that_are_not_text() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\nisready\n\xffA\n");
    engine.until("readyok");
    assert_eq!(
        engine.lines_for(Duration::from_millis(300)),
        ["info string error: unknown command '\u{fffd}A'"]
    );
    engine.send("isready");
    engine.until("readyok");
    engine.close();
    let (status, errors) = engine.end_within(PATIENCE);
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
}
