//! The session as a client sees it, beyond what the transcripts and the reports show.

mod common;

use std::fs;
use std::process::Command;
use std::time::Duration;

use common::{Engine, PATIENCE, play};
use usurper::eval::network::{Base, INPUTS, Network, QA, QB};
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

/// A search that ends before its first iteration claims nothing that it has not seen: no loss while
/// moves were not looked at; and it takes a win in one, which needs no search.
#[test]
fn the_shortest_searches_claim_no_loss_and_take_a_win() {
    let mut engine = Engine::start();
    // White's King has safe squares, e1d1 is not one of them: not lost by the next move.
    engine.ask("position fen 3rk3/8/8/8/8/8/P7/4K3 w - - 0 1");
    for nodes in 1..40 {
        let search = engine.go(&format!("go nodes {nodes}"));
        assert_ne!(search.best, "e1d1", "{search:#?}");
        assert!(search.last().mate.is_none_or(|mate| !(-1..=0).contains(&mate)), "{search:#?}");
    }
    engine.ask("position fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1");
    let search = engine.go("go nodes 1");
    assert_eq!((search.best.as_str(), search.last().mate), ("e1e8", Some(1)));
    // Crowded enough that quiescence alone takes long; the Rooks on e6 and a5 can take the King.
    engine.ask("position fen 1k2r1R1/4RRRr/rR2rrrR/r3KR1r/1rR2RrR/1rr1R3/4R1rR/R1R2Rr1 b - - 0 1");
    let search = engine.go("go movetime 100");
    assert_eq!(search.last().mate, Some(1), "{search:#?}");
    engine.quit();
}

/// The best move is the first of the last line shown, wherever the search is cut off.
#[test]
fn the_best_move_is_the_one_shown_last() {
    let mut engine = Engine::start();
    for moves in ["a2a4 g7g5 h2h4 e7e6 g1f3", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6", "d2d4"] {
        engine.ask("ucinewgame");
        engine.ask(&format!("position startpos moves {moves}"));
        for nodes in (1..3_000).step_by(97) {
            let search = engine.go(&format!("go nodes {nodes}"));
            assert_eq!(search.last().pv.first(), Some(&search.best), "{search:#?}");
        }
    }
    engine.quit();
}

/// A mate search for more moves than a search can see is not content with less than a proven win.
#[test]
fn a_mate_search_wants_a_proof() {
    let mut engine = Engine::start();
    for moves in ["16000", "1000000", "2147483648", "4294967295"] {
        engine.ask("position startpos");
        engine.send(&format!("go mate {moves}"));
        assert!(!engine.lines_for(Duration::from_millis(150)).iter().any(|l| l.contains("best")));
        engine.go("stop");
        engine.ask("position fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1");
        assert_eq!(engine.go(&format!("go mate {moves}")).best, "e1e8");
    }
    engine.quit();
}

/// Blanks of any kind separate words, also where a command takes none.
#[test]
fn blanks_of_any_kind() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("stop\u{c}now"), [""; 0]);
    assert!(engine.ask("debug\u{a0}on").iter().all(|line| !line.contains("error")));
    assert!(engine.ask("uci\u{a0}x").contains(&"uciok".to_owned()));
    engine.send(&format!("register name {}", "a ".repeat(1_000_000)));
    engine.ask("");
    engine.send("quit\u{a0}now");
    assert!(engine.end_within(PATIENCE).0.success());
}

/// A log file that is no file is refused; opening a pipe would wait for its reader for ever.
#[cfg(unix)]
#[test]
fn the_debug_log_file_must_be_a_file() {
    let pipe = std::env::temp_dir().join(format!("usurper pipe {}", std::process::id()));
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let mut engine = Engine::start();
    let name = pipe.to_str().expect("a path in Unicode");
    let error = engine.error(&format!("setoption name Debug Log File value {name}"));
    assert!(error.contains("not a regular file"), "{error}");
    fs::remove_file(&pipe).expect("the pipe can go");
    engine.quit();
}

/// A network is loaded, refused with its reason, and put away again; what was in force stays in force.
#[test]
fn networks_are_loaded_and_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path.to_str().expect("a path in Unicode").to_owned()
    };
    // One that says 320 centipawns whatever stands on the board: an output of 2 at a scale of 160.
    let network = Network {
        base: Base::Nothing,
        scale: 160,
        description: String::new(),
        features: vec![0; INPUTS * 16],
        bias: vec![0; 16],
        output: vec![0; 32],
        output_bias: 2 * QA * QB,
    };
    let good = network.to_bytes();
    let value = |engine: &mut Engine| {
        let lines = engine.ask("eval");
        let last = lines.last().expect("a value").clone();
        last.split(' ').nth(2).expect("centipawns").parse::<i32>().expect("a number")
    };
    let mut engine = Engine::start();
    engine.ask("position fen 4k3/8/8/8/8/8/3PPP2/4K3 w - - 0 1");
    let built_in = value(&mut engine);
    assert_ne!(built_in, 320);
    let path = file("a good one.unet", &good);
    assert_eq!(engine.ask(&format!("setoption name EvalFile value {path}")), [""; 0]);
    assert_eq!(value(&mut engine), 320);
    let mut damaged = good.clone();
    damaged[100] ^= 1;
    for (path, reason) in [
        (file("damaged", &damaged), "checksum"),
        (file("short", &good[..good.len() - 1]), "bytes where"),
        (file("empty", b""), "not a network's file"),
        (folder.path().to_str().expect("a path in Unicode").to_owned(), "not a network's file"),
        (folder.path().join("none").to_str().expect("a path in Unicode").to_owned(), "none"),
    ] {
        let error = engine.error(&format!("setoption name EvalFile value {path}"));
        assert!(error.contains("EvalFile") && error.contains(reason), "{error}");
        assert_eq!(value(&mut engine), 320, "what was in force stays");
    }
    assert_eq!(engine.ask("setoption name EvalFile value <hand-made>"), [""; 0]);
    let hand_made = value(&mut engine);
    assert_ne!(hand_made, 320);
    assert_eq!(engine.ask("setoption name EvalFile value <empty>"), [""; 0]);
    assert_eq!(value(&mut engine), built_in);
    engine.quit();
}

/// The exit code is right even where the error cannot be shown.
#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_shown_is_still_an_error() {
    let full = fs::File::options().write(true).open("/dev/full").expect("Linux has /dev/full");
    let status = Command::new(env!("CARGO_BIN_EXE_usurper"))
        .args(["judge", "--fen", "x"])
        .stderr(full)
        .status()
        .expect("the engine starts");
    assert_eq!(status.code(), Some(1));
}
