//! The session as a client sees it, beyond what the transcripts and the reports show.

mod common;

use std::fs;
use std::process::Command;
use std::time::Duration;

use common::{Engine, PATIENCE, play};
use usurper::rules::{Edition, GameRecord};

/// Every line that is read and written, on standard error when asked for.
#[test]
fn the_whole_session_is_logged_on_request() {
    let mut engine = Engine::start_with(|command| command.env("RUST_LOG", "usurper=trace"));
    engine.send("isready");
    engine.until("readyok");
    engine.send("position startpos\ngo depth 1\nnonsense");
    engine.until("bestmove");
    engine.close();
    let (status, errors) = engine.end_within(PATIENCE);
    assert!(status.success());
    for line in [
        ">> isready",
        "<< readyok",
        ">> position startpos",
        ">> go depth 1",
        "<< info depth 1",
        "<< bestmove",
        ">> nonsense",
        "<< info string error: unknown command 'nonsense'",
    ] {
        assert!(errors.contains(line), "no {line} in {errors}");
    }
}

#[test]
fn the_debug_log_file_holds_the_session() {
    let path = std::env::temp_dir().join(format!("usurper session {}.log", std::process::id()));
    let name = path.to_str().expect("a path in Unicode");
    let mut engine = Engine::start();
    assert_eq!(engine.ask(&format!("setoption name debug log file value {name}")), [""; 0]);
    engine.ask("go perft 1");
    assert_eq!(engine.ask("setoption name Debug Log File value <empty>"), [""; 0]);
    engine.ask("d");
    let text = fs::read_to_string(&path).expect("the log is there");
    fs::remove_file(&path).expect("the log can go");
    assert!(text.starts_with(">> isready\n<< readyok\n>> go perft 1\n<< "), "{text}");
    assert!(text.contains("<< Nodes searched: 20\n"), "{text}");
    assert!(!text.contains(">> d\n"), "{text}");
    let error = engine.error("setoption name Debug Log File value /no/such/folder/x.log");
    assert!(error.contains("Debug Log File: '/no/such/folder/x.log'"), "{error}");
    engine.quit();
}

/// No score says "draw" where there are no draws, and the chances add up.
#[test]
fn chances_add_up() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    for edition in Edition::ALL {
        engine.ask(&format!("setoption name UCI_Variant value {edition}"));
        engine.send("position startpos");
        for info in engine.go("go depth 4").infos() {
            let [win, draw, loss] = info.wdl.expect("chances");
            assert_eq!(win + draw + loss, 1000, "{info:?}");
            assert_eq!(draw > 0, edition == Edition::Chess, "{info:?}");
        }
    }
    engine.ask("setoption name UCI_Variant value captureorconquer");
    engine.send("position fen 8/2K5/8/7k/8/8/8/8 w - - 0 1");
    assert_eq!(engine.go("go depth 3").last().wdl, Some([1000, 0, 0]));
    engine.quit();
}

/// What is said during a search counts from the next one on.
#[test]
fn options_wait_for_the_next_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    let settings = [
        "setoption name MultiPV value 3",
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "setoption name UCI_Variant value chess",
    ];
    for line in settings {
        engine.send(line);
    }
    engine.send("isready");
    let lines = engine.until("readyok");
    assert!(lines.iter().all(|line| !line.contains("error") && !line.contains("multipv 2")));
    let mut game = GameRecord::from_start(Edition::default());
    play(&mut game, &engine.go("stop").best);
    let search = engine.go("go depth 3");
    assert!(search.infos().iter().any(|info| info.multipv == 3), "{search:#?}");
    assert_eq!(engine.shown("Edition"), "chess");
    engine.quit();
}

/// Weakened play is legal play, at the ends of the range and below.
#[test]
fn weakened_play_is_legal() {
    let mut engine = Engine::start();
    for setup in [
        "setoption name Skill Level value 0",
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 1",
        "setoption name UCI_Elo value 99999",
    ] {
        engine.ask(setup);
        let mut game = GameRecord::from_start(Edition::default());
        for _ in 0..6 {
            let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
            engine.send(&common::position_line(&moves));
            play(&mut game, &engine.go("go nodes 2000").best);
        }
    }
    engine.quit();
}

/// A search of one edition writes its moves as that edition does, whatever is set up meanwhile.
#[test]
fn a_search_speaks_of_the_position_it_began_with() {
    let mut engine = Engine::start();
    engine.ask("setoption name Move Notation value site");
    // The Rook slides up to its King, the King jumps over it.
    engine.send("position fen 8/4k3/2K5/8/2R5/8/8/8 w - - 0 1\ngo infinite searchmoves ERc5");
    engine.send("setoption name Move Notation value coordinate\nposition startpos");
    assert_eq!(
        engine
            .lines_for(Duration::from_millis(100))
            .iter()
            .filter(|l| l.contains("bestmove"))
            .count(),
        0
    );
    assert_eq!(engine.go("stop").best, "ERc5");
    engine.quit();
}

#[test]
fn the_program_says_what_it_is() {
    let run = |argument: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_usurper")).arg(argument).output();
        let output = output.expect("the program starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{argument}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert_eq!(run("--version"), format!("usurper {}\n", env!("CARGO_PKG_VERSION")));
    assert!(run("--help").contains("Examples:"));
}

/// A machine that cannot give what is asked for gives what it can.
#[cfg(target_os = "linux")]
#[test]
fn more_memory_than_there_is() {
    // The limit on address space makes any machine a small one.
    let mut engine = Engine::start_with(|command| {
        let engine = command.get_program().to_owned();
        *command = Command::new("sh");
        command.args(["-c", "ulimit -v 2000000; exec \"$0\""]).arg(engine)
    });
    let lines = engine.ask("setoption name Hash value 65536");
    assert_eq!(lines, ["info string Hash 65536 is more than there is, using 1024"]);
    assert_eq!(engine.ask("setoption name MultiPV value 2"), [""; 0]);
    assert_ne!(engine.go("go depth 4").best, "(none)");
    engine.quit();
}
