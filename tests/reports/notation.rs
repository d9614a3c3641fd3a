//! Moves written in ways that other programs took wrongly. MarkZH/Genetic_Chess#24 (B163) is of another
//! protocol; its promotions are in B161.

use std::collections::HashMap;

use usurper::rules::{Edition, Move, MoveKind, Position};

use crate::common::{Engine, Random, position_line};

/// The legal moves in coordinates (from `go perft 1`) and in algebraic notation (from `d`), which
/// come in the same order.
fn moves_and_san(engine: &mut Engine) -> Vec<(String, String)> {
    let (moves, _) = engine.perft(1);
    let san = engine.shown("SAN");
    let san: Vec<_> = san.split_whitespace().map(str::to_owned).collect();
    assert_eq!(moves.len(), san.len());
    moves.into_iter().map(|(m, _)| m).zip(san).collect()
}

/// ddugovic/Stockfish#19
#[test]
fn b147_king_takes_own_rook_is_no_castling() {
    for (variant, rights) in
        [("captureorconquer", "-"), ("captureorconquer-classic", "K"), ("chess", "K")]
    {
        let mut engine = Engine::start();
        engine.ask(&format!("setoption name UCI_Variant value {variant}"));
        let fen = format!("4k3/8/8/8/8/8/8/4K2R w {rights} - 0 1");
        engine.ask(&format!("position fen {fen}"));
        let error = engine.error(&format!("position fen {fen} moves e1h1"));
        assert_eq!(error, "position: move 1: \"e1h1\" is not a legal move");
        assert_eq!(engine.shown("FEN"), fen);
        engine.quit();
    }
}

/// zhelyabuzhsky/stockfish#65
#[test]
fn b149_a_step_of_the_king_is_only_a_step() {
    let mut engine = Engine::start();
    engine.ask("position fen 4k3/8/8/8/8/8/8/5K1R w - - 0 1");
    let (moves, _) = engine.perft(1);
    assert_eq!(moves.iter().filter(|(m, _)| m == "f1g1").count(), 1);
    engine.ask("position fen 4k3/8/8/8/8/8/8/5K1R w - - 0 1 moves f1g1");
    assert_eq!(engine.shown("FEN"), "4k3/8/8/8/8/8/8/6KR b - - 1 1");
    engine.quit();
}

/// fairy-stockfish/Fairy-Stockfish#524, over UCI: one move, three spellings, one written.
#[test]
fn b151_castling_spelling_of_an_escort() {
    let mut engine = Engine::start();
    for spelling in ["O-O", "0-0", "ERf1", "e1g1"] {
        let line = format!("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves {spelling}");
        assert_eq!(engine.ask(&line), [""; 0], "{spelling}");
        assert_eq!(engine.shown("FEN"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }
    engine.ask("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let search = engine.go("go depth 1 searchmoves O-O");
    assert_eq!((search.best.as_str(), search.last().pv[0].as_str()), ("e1g1", "e1g1"));
    engine.ask("setoption name Move Notation value site");
    let search = engine.go("go depth 1 searchmoves O-O");
    assert_eq!((search.best.as_str(), search.last().pv[0].as_str()), ("ERf1", "ERf1"));
    engine.quit();
}

/// cutechess/cutechess#244
#[test]
fn b153_no_two_moves_share_a_text() {
    let mut engine = Engine::start();
    let mut lines =
        vec![("captureorconquer", "position fen 4k3/8/8/8/8/8/8/R3K2R w - - 0 1".to_owned())];
    let mut random = Random(153);
    for edition in Edition::ALL {
        for _ in 0..20 {
            lines.push((edition.name(), position_line(&random.game(edition, 60).1)));
        }
    }
    for (variant, line) in lines {
        engine.ask(&format!("setoption name UCI_Variant value {variant}"));
        engine.ask(&line);
        let mut seen = HashMap::new();
        for (m, san) in moves_and_san(&mut engine) {
            if let Some(other) = seen.insert(san.clone(), m.clone()) {
                panic!("{line}: {san} is {other} and {m}");
            }
        }
    }
    engine.quit();
}

/// bhlangonijr/chesslib#38, as far as it concerns moves: read leniently, written strictly.
#[test]
fn b155_a_needless_origin_is_read_and_not_written() {
    let mut engine = Engine::start();
    let fen = "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1";
    assert_eq!(engine.ask(&format!("position fen {fen} moves Ng1e2")), [""; 0]);
    assert_eq!(engine.shown("FEN"), "4k3/8/8/8/8/8/4N3/4K3 b - - 1 1");
    engine.ask(&format!("position fen {fen}"));
    assert!(moves_and_san(&mut engine).contains(&("g1e2".into(), "Ne2".into())));
    engine.quit();
}

/// rudzen/ChessLib#65
#[test]
fn b157_nothing_is_pinned_where_there_is_no_check() {
    let mut engine = Engine::start();
    engine.ask("position fen 4k3/4b3/8/4R3/8/8/8/R5K1 w - - 0 1");
    let moves = moves_and_san(&mut engine);
    assert!(moves.contains(&("a1e1".into(), "Rae1".into())), "{moves:?}");
    assert!(moves.contains(&("e5e1".into(), "Ree1".into())), "{moves:?}");
    engine.quit();
}

/// niklasf/python-chess#128, as far as it concerns moves: an `x` must be true, marks are ignored.
#[test]
fn b159_a_capture_that_is_none_is_refused() {
    let mut engine = Engine::start();
    let error = engine.error("position startpos moves Nxf3+");
    assert_eq!(error, "position: move 1: \"Nxf3+\" is not a legal move");
    assert_eq!(engine.ask("position startpos moves Nf3+"), [""; 0]);
    engine.quit();
}

/// niklasf/python-chess#571
#[test]
fn b161_capital_promotion_letter() {
    let mut engine = Engine::start();
    for text in ["d7d8Q", "d7d8q", "d7d8"] {
        engine.ask("position startpos");
        let line = format!("position fen 7k/3P4/8/8/8/8/8/K7 w - - 0 1 moves {text}");
        assert_eq!(engine.ask(&line), [""; 0], "{text}");
        assert_eq!(engine.shown("FEN"), "3Q3k/8/8/8/8/8/8/K7 b - - 0 1");
    }
    assert_ne!(engine.go("go depth 2").best, "(none)");
    engine.quit();
}

/// gbtami/pychess-variants#58: the origin is written when and only when it is needed. Seen from the
/// outside by the count of pieces of one kind that reach one square.
#[test]
fn b165_origins_are_written_when_needed() {
    let mut engine = Engine::start();
    let mut random = Random(165);
    for edition in [Edition::CaptureOrConquer, Edition::Classic] {
        engine.ask(&format!("setoption name UCI_Variant value {edition}"));
        for _ in 0..30 {
            let (game, moves) = random.game(edition, 80);
            engine.ask(&position_line(&moves));
            check_origins(game.position(), &moves_and_san(&mut engine));
        }
    }
    engine.quit();
}

fn check_origins(position: &Position, texts: &[(String, String)]) {
    let legal = position.legal_moves();
    let find = |text: &str| legal.iter().copied().find(|m| m.to_string() == text);
    let is_piece_move = |m: Move| m.kind() == MoveKind::Normal && position.moved(m).letter() != 'P';
    for (coordinates, san) in texts {
        let m = find(coordinates).expect("a legal move");
        if !is_piece_move(m) {
            continue;
        }
        let rivals = legal
            .iter()
            .filter(|other| {
                is_piece_move(**other)
                    && other.to() == m.to()
                    && position.moved(**other) == position.moved(m)
            })
            .count();
        let bare = san.trim_end_matches(['+', '#']).replace('x', "");
        assert_eq!(bare.len() > 3, rivals > 1, "{san} for {coordinates} in {}", position.to_fen());
    }
}
