//! Searches that other engines got wrong. rayon-rs/rayon#446 and #1174 (B141, B143) need a match between
//! engines: `tests/matches/breakage.rs`.

use std::time::Duration;

use usurper::rules::{Edition, GameRecord, Position, Reason};

use crate::common::{Engine, Info, PATIENCE, Random, Search, play, position_line};

#[track_caller]
fn search(position: &str, go: &str) -> Search {
    let mut engine = Engine::start();
    engine.ask(position);
    let search = engine.go(go);
    engine.quit();
    search
}

fn game(position: &str) -> GameRecord {
    let (fen, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let start = Position::from_fen(Edition::CaptureOrConquer, fen).expect(fen);
    let mut game = GameRecord::new(start);
    moves.split_whitespace().for_each(|m| play(&mut game, m));
    game
}

/// The line is legal; with an exact `score mate` its last ply, and no earlier one, ends the game for
/// the side and at the distance told.
#[track_caller]
fn assert_line_keeps_its_word(game: &GameRecord, info: &Info) {
    let us = game.position().side_to_move();
    let mut line = game.clone();
    for m in &info.pv {
        play(&mut line, m);
    }
    let (Some(moves), false) = (info.mate, info.bounded) else { return };
    let outcome = line.outcome().unwrap_or_else(|| panic!("the game goes on after {info:?}"));
    assert_eq!(outcome.winner, Some(if moves > 0 { us } else { !us }), "{info:?}");
    let plies = 2 * moves.unsigned_abs() as usize;
    let usual = plies - usize::from(moves > 0);
    // By the rules of repetition the loser's own move may end the game.
    let own =
        outcome.reason == Reason::Repetition && info.pv.len() == plies - usize::from(moves < 0);
    assert!(info.pv.len() == usual || own, "{info:?}");
}

/// official-stockfish/Stockfish#3256
#[test]
fn b111_the_king_can_be_taken() {
    for (fen, best) in
        [("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "e1e8"), ("8/1K6/8/7k/8/8/1r6/8 b - - 0 1", "b2b7")]
    {
        let search = search(&format!("position fen {fen}"), "go depth 8");
        let last = search.last();
        assert_eq!((search.best.as_str(), last.mate, last.pv.len()), (best, Some(1), 1));
    }
}

/// fairy-stockfish/Fairy-Stockfish#653
#[test]
fn b113_a_step_onto_the_goal_rank_wins() {
    for (side, bests) in [("w", ["f7e8", "f7f8", "f7g8"]), ("b", ["d2c1", "d2d1", "d2e1"])] {
        let search =
            search(&format!("position fen 8/5K2/8/8/8/8/3k4/8 {side} - - 0 1"), "go depth 6");
        assert_eq!(search.last().mate, Some(1));
        assert!(bests.contains(&search.best.as_str()), "{}", search.best);
    }
}

/// fairy-stockfish/Fairy-Stockfish#13
#[test]
fn b115_the_second_player_has_no_reply() {
    let search = search("position fen 8/5K2/8/8/8/8/3k4/8 w - - 0 1 moves f7f8", "go depth 4");
    assert_eq!(search.best, "(none)");
    assert!(search.lines.iter().any(|line| line.contains("game over: white by conquest")));
}

/// fairy-stockfish/Fairy-Stockfish#635, Disservin/fastchess#906
#[test]
fn b117_b123_mates_keep_their_word() {
    let mut random = Random(117);
    let mut engine = Engine::start();
    let mut mates = 0;
    for round in 0..60 {
        let (game, moves) = random.game(Edition::CaptureOrConquer, 20 + 2 * round);
        engine.ask(&position_line(&moves));
        for info in engine.go("go depth 7").infos() {
            assert_line_keeps_its_word(&game, &info);
            mates += usize::from(info.mate.is_some());
        }
    }
    assert!(mates > 40, "{mates}");
    engine.quit();
}

/// The same along games of the engine against itself, where positions repeat and the table is warm.
#[test]
fn b117_b123_mates_keep_their_word_in_games() {
    let mut random = Random(123);
    let mut engine = Engine::start();
    for _ in 0..4 {
        let (mut game, mut moves) = random.game(Edition::CaptureOrConquer, 8);
        while game.outcome().is_none() && moves.len() < 300 {
            engine.ask(&position_line(&moves));
            let search = engine.go("go nodes 1500");
            for info in search.infos() {
                assert_line_keeps_its_word(&game, &info);
            }
            play(&mut game, &search.best);
            moves.push(search.best);
        }
        assert!(game.outcome().is_some());
    }
    engine.quit();
}

/// Quanticade/Quanticade#382
#[test]
fn b119_distances_are_counted_in_moves() {
    for (fen, mate) in [
        ("8/2K5/8/7k/8/8/8/8 w - - 0 1", 1),
        ("8/2K5/8/7k/8/8/8/8 b - - 0 1", -1),
        ("8/8/2K5/7k/8/8/8/8 w - - 0 1", 2),
        ("8/8/2K5/7k/8/8/8/8 b - - 0 1", -2),
    ] {
        let last = search(&format!("position fen {fen}"), "go depth 6").last();
        assert_eq!(last.mate, Some(mate), "{fen}");
    }
}

/// official-stockfish/Stockfish#2709
#[test]
fn b121_a_single_move_under_a_clock() {
    let fen = "k7/8/8/8/8/8/8/4K2R b - - 0 1";
    let search =
        search(&format!("position fen {fen}"), "go wtime 1000 btime 1000 searchmoves a8a7");
    assert_eq!(search.best, "a8a7");
    for info in search.infos() {
        assert_line_keeps_its_word(&game(fen), &info);
    }
}

/// maksimKorzh/bbc#1
#[test]
fn b125_later_moves_of_a_line_are_legal() {
    let mut random = Random(125);
    let mut engine = Engine::start();
    for edition in Edition::ALL {
        engine.ask(&format!("setoption name UCI_Variant value {}", edition.name()));
        for _ in 0..30 {
            let (game, moves) = random.game(edition, 80);
            engine.ask(&position_line(&moves));
            for info in engine.go("go depth 6").infos() {
                assert_line_keeps_its_word(&game, &info);
            }
        }
    }
    engine.quit();
}

/// ddugovic/Stockfish#6
#[test]
fn b127_a_second_occurrence_is_not_the_third() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1d1 e8d8 d1e1";
    let last = search(position, "go depth 1 searchmoves d8e8").last();
    assert!(last.mate.is_none() && last.cp.is_some_and(|cp| cp > -1_000), "{last:?}");
}

/// thomasahle/sunfish#7
#[test]
fn b129_the_table_does_not_hide_a_repetition() {
    let mut engine = Engine::start();
    engine.ask("position fen 3k4/8/8/8/8/8/8/4K3 b - - 0 4");
    engine.go("go depth 10");
    engine
        .ask("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1");
    assert_ne!(engine.go("go depth 4").best, "d8e8");
    engine.quit();
}

/// official-stockfish/Stockfish#6563
#[test]
fn b131_an_en_passant_square_without_a_capture() {
    let fen = "4k3/8/8/8/P7/8/8/4K3 b - a3 0 1";
    let moves = "e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8";
    let search = search(&format!("position fen {fen} moves {moves}"), "go depth 4");
    assert_ne!(search.best, "d1e1");
}

/// SH11235/rshogi#816
#[test]
fn b133_every_search_ends() {
    let mut random = Random(133);
    let mut engine = Engine::start();
    engine.ask("setoption name Hash value 1");
    for _ in 0..120 {
        let (game, moves) = random.game(Edition::CaptureOrConquer, 100);
        engine.ask(&position_line(&moves));
        let best = engine.go("go depth 6").best;
        play(&mut game.clone(), &best);
    }
    engine.quit();
}

/// fabianvdW/FabChess#27
#[test]
fn b135_several_threads() {
    let mut engine = Engine::start();
    engine.ask("setoption name Threads value 8");
    for _ in 0..15 {
        engine.ask("position startpos moves e2e3 e7e6 d2d3");
        assert_ne!(engine.go("go depth 7").best, "(none)");
    }
    engine.quit(); // checks that nothing was written to standard error
}

/// herohde/morlock#3
#[test]
fn b137_legal_moves_before_the_end() {
    let mut random = Random(137);
    let mut engine = Engine::start();
    engine.ask("setoption name Hash value 1");
    let mut near = 0;
    for _ in 0..200 {
        let (game, moves) = random.game(Edition::CaptureOrConquer, 120);
        engine.ask(&position_line(&moves));
        let search = engine.go("go depth 4");
        play(&mut game.clone(), &search.best);
        near += usize::from(search.last().mate.is_some_and(|n| (1..=3).contains(&n)));
    }
    assert!(near > 30, "{near}");
    engine.quit();
}

/// kelseyde/hobbes-chess-engine#314
#[test]
fn b139_deep_endgames() {
    let mut engine = Engine::start();
    engine.ask("position fen 8/1p4p1/8/4p2k/4P3/8/K5P1/8 b - - 0 50");
    engine.send("go wtime 588000 btime 588000 winc 10000 binc 10000");
    std::thread::sleep(Duration::from_millis(700));
    engine.send("stop");
    engine.until("bestmove");
    // Kings alone, behind pawns that stop one another: hundreds of plies and no end.
    engine.ask("position fen k7/8/p1p1p1p1/P1P1P1P1/8/8/8/K7 w - - 0 1");
    engine.send("go depth 240");
    std::thread::sleep(Duration::from_millis(700));
    engine.send("stop");
    engine.until_within("bestmove", PATIENCE);
    engine.ask("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    engine.send("go depth 240");
    std::thread::sleep(Duration::from_millis(700));
    engine.send("stop");
    engine.until_within("bestmove", PATIENCE);
    engine.quit();
}

/// lichess-org/lila#4248
#[test]
fn b145_a_winning_move_is_mate_in_one() {
    let search = search("position fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "go depth 10");
    assert!(search.infos().iter().all(|info| info.mate == Some(1)));
    assert_eq!(search.best, "e1e8");
}
