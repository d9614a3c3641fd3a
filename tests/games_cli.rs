//! The board games from outside: the session by UCI, the sub-commands, a match and its files.

mod common;

use std::time::Duration;

use common::Engine;
use usurper::games::{AnyGame, GAMES, Playable, Variant};
use usurper::rules::notation::Letters;

fn names() -> impl Iterator<Item = &'static str> {
    GAMES.into_iter().map(|game| game.name())
}

fn start(name: &str) -> AnyGame {
    AnyGame::begin(Variant::parse(name).expect("a game"), None).expect("a start position")
}

/// An engine that plays this game.
fn engine(name: &str) -> Engine {
    let mut engine = Engine::start();
    assert_eq!(engine.ask(&format!("setoption name UCI_Variant value {name}")), [""; 0]);
    engine
}

/// Whether these moves can be played one after the other from where a game stands.
fn is_line(game: &AnyGame, moves: &[&str]) -> bool {
    game.clone().advance_all(moves, Letters::English).is_ok()
}

// ---- the session ----

#[test]
fn every_game_is_a_choice_of_uci_variant() {
    let mut engine = Engine::start();
    let lines = engine.ask("uci");
    let line = lines.iter().find(|line| line.starts_with("option name UCI_Variant ")).expect("one");
    for name in names() {
        assert!(line.split(' ').any(|word| word == name), "{name}: {line}");
        engine.ask(&format!("setoption name uci_variant value {}", name.to_uppercase()));
        assert_eq!(engine.shown("Edition"), name);
        assert_eq!(engine.shown("FEN"), start(name).fen());
        assert_eq!(engine.shown("Legal moves"), start(name).legal().len().to_string());
    }
    engine.ask("setoption name UCI_Variant value chess");
    assert_eq!(engine.shown("Legal moves"), "20");
    engine.quit();
}

/// Each limit ends the search with a legal move; the lines are legal move by move.
#[test]
fn every_limit_of_go() {
    for name in names() {
        let mut engine = engine(name);
        let mut game = start(name);
        let mut moves = Vec::new();
        for go in [
            "go depth 2",
            "go nodes 500",
            "go movetime 20",
            "go wtime 1000 btime 1000 winc 10 binc 10",
            "go wtime 500 movestogo 20",
            "go mate 1 depth 2",
        ] {
            let list = moves.join(" ");
            engine.send(&format!("position startpos moves {list}"));
            let search = engine.go(go);
            for line in search.lines.iter().filter(|line| line.starts_with("info depth")) {
                let (_, pv) = line.split_once(" pv ").expect("a line of moves");
                assert!(is_line(&game, &pv.split(' ').collect::<Vec<_>>()), "{name} {go}: {line}");
            }
            let m = game.read(&search.best, Letters::English).expect(go);
            game.advance(&m).expect(go);
            moves.push(m.to_string());
        }
        assert_eq!(engine.ask(&format!("position startpos moves {}", moves.join(" "))), [""; 0]);
        assert_eq!(engine.shown("FEN"), game.fen(), "{name}");
        engine.quit();
    }
}

#[test]
fn a_search_without_limit_waits_for_stop() {
    for name in names() {
        let mut engine = engine(name);
        let wanted = start(name).legal().pop().expect("a move").to_string();
        engine.send(&format!("go infinite searchmoves {wanted}"));
        let early = engine.lines_for(Duration::from_millis(50));
        assert!(early.iter().all(|line| line.starts_with("info")), "{early:?}");
        assert_eq!(engine.go("stop").best, wanted);
        engine.send("go ponder wtime 1000 btime 1000");
        assert!(is_line(&start(name), &[&engine.go("stop").best]));
        assert_eq!(engine.ask("stop"), [""; 0]);
        engine.quit();
    }
}

#[test]
fn several_lines() {
    for name in names() {
        let mut engine = engine(name);
        engine.ask("setoption name MultiPV value 3");
        let search = engine.go("go depth 2");
        let firsts: Vec<&str> = ["multipv 1 ", "multipv 2 ", "multipv 3 "]
            .map(|rank| {
                let line = search.lines.iter().rev().find(|line| line.contains(rank));
                let pv = line.and_then(|line| line.split_once(" pv ")).expect("a line").1;
                pv.split(' ').next().expect("a move")
            })
            .to_vec();
        assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
        engine.quit();
    }
}

/// The published counts of the reference program, by `go perft`.
#[test]
fn perft_of_the_session() {
    for (name, fen, depth, nodes) in [
        ("alquerque", "startpos", 6, 109),
        ("alquerque", "fen 1pp1p/p1p1p/5/2PPP/pPPPP w - 0 7", 4, 4_089),
    ] {
        let mut engine = engine(name);
        engine.send(&format!("position {fen}"));
        let (root, total) = engine.perft(depth);
        assert_eq!((root.iter().map(|(_, count)| count).sum::<u64>(), total), (nodes, nodes));
        engine.quit();
    }
}

#[test]
fn bad_lines_give_one_error_each_and_change_nothing() {
    let mut engine = engine("seega");
    engine.ask("position startpos moves @a1@b1");
    let before = engine.shown("FEN");
    for (line, error) in [
        (
            "position startpos moves @a1@b1 @b1@c1",
            "position: move 2: \"@b1@c1\" is not a legal move",
        ),
        ("position startpos moves Nf3", "position: move 1: \"Nf3\" is not a legal move"),
        ("position fen 5/5/5/5 w - 0 1", "position: FEN: 4 rows instead of 5"),
        ("position fen 5/5/5/5/5 x - 0 1", "position: FEN: the side to move is \"x\", not w or b"),
        ("go searchmoves @c3@c4", "go: searchmoves: move 1: \"@c3@c4\" is not a legal move"),
        ("go perft 31", "go: perft 31 is deeper than 30"),
        ("bench 2 checkers", "bench: expected the name of a game at column 9, found 'checkers'"),
    ] {
        assert_eq!(engine.error(line), error, "{line}");
        assert_eq!(engine.shown("FEN"), before, "{line}");
    }
    engine.quit();
}

#[test]
fn a_game_that_is_over() {
    // Black has no man left.
    let mut engine = engine("alquerque");
    engine.send("position fen 5/5/5/2P2/5 b - 0 9");
    let over = ["info string game over: white by elimination", "info depth 0 score mate 0"];
    assert_eq!(engine.go("go depth 3").lines, over);
    assert_eq!(engine.shown("Outcome"), "white by elimination");
    assert_eq!(engine.shown("Legal moves"), "0");
    assert_eq!(engine.ask("eval"), ["Evaluation: none, the game is over: white by elimination"]);
    // The man that can be taken is the last one.
    engine.send("position fen 5/5/2p2/2P2/5 w - 0 9");
    let search = engine.go("go depth 3");
    assert!(search.lines.iter().any(|line| line.contains("score mate 1 ")), "{search:?}");
    assert_eq!(search.best, "c2c4");
    engine.quit();
}

/// What belongs to chess is said to mean nothing, once and in one line; it is in force again in chess.
#[test]
fn options_of_chess_mean_nothing() {
    let mut engine = engine("konane");
    for (option, value) in [
        ("Move Notation", "site"),
        ("Piece Letters", "pt"),
        ("UCI_LimitStrength", "true"),
        ("UCI_Elo", "1000"),
        ("Skill Level", "3"),
        ("UCI_ShowWDL", "true"),
        ("EvalFile", "<hand-made>"),
    ] {
        let answer = engine.ask(&format!("setoption name {option} value {value}"));
        assert_eq!(answer, [format!("info string {option} has no meaning in konane")]);
    }
    for (option, value) in
        [("Hash", "2"), ("Threads", "2"), ("MultiPV", "2"), ("Move Overhead", "0")]
    {
        assert_eq!(engine.ask(&format!("setoption name {option} value {value}")), [""; 0]);
    }
    let search = engine.go("go depth 3");
    assert!(search.lines.iter().all(|line| !line.contains(" wdl ")), "{search:?}");
    assert_eq!(engine.ask("setoption name UCI_Variant value chess"), [""; 0]);
    assert!(engine.go("go depth 2").lines.iter().any(|line| line.contains(" wdl ")));
    assert_eq!(
        engine.ask("setoption name UCI_Variant value seega"),
        ["info string Move Notation, Piece Letters, UCI_LimitStrength, UCI_Elo, Skill Level, \
          UCI_ShowWDL, EvalFile have no meaning in seega"]
    );
    engine.quit();
}

#[test]
fn xboards_protocol_has_no_board_games() {
    let mut engine = Engine::start();
    engine.send("xboard\nprotover 2\nping 0");
    let features = engine.until("pong").join("\n");
    assert!(names().all(|name| !features.contains(name)), "{features}");
    for name in names() {
        engine.send(&format!("variant {name}\nping 1"));
        let answer = engine.until("pong");
        assert_eq!(
            answer,
            [format!("Error (a board game, played by UCI only): variant {name}"), "pong 1".into()]
        );
    }
    engine.quit();
}

/// The signature of the chess family is not touched by board games, and each of these has its own.
#[test]
fn benches_are_told_apart() {
    let mut engine = Engine::start();
    let nodes = |line: &String| {
        line.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a count")
    };
    let all = engine.ask("bench 2 board-games");
    assert_eq!(all.len(), GAMES.len() + 1);
    for (line, name) in all.iter().zip(names()) {
        assert!(line.starts_with(&format!("{name}: ")), "{line}");
        let alone = engine.ask(&format!("bench 2 {name}"));
        assert_eq!(nodes(&alone[0]), nodes(line), "{alone:?}");
        assert_eq!(alone.len(), 2);
    }
    let chess = engine.ask("bench 2");
    assert!(chess.len() == 4 && chess[0].starts_with("captureorconquer: "), "{chess:?}");
    engine.quit();
}
