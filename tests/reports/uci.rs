//! Sessions in which other engines fell silent, lost an answer or died.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Engine, Info, PATIENCE, Search, play, position_line};
use usurper::rules::{Edition, GameRecord, Position};

const SECOND: Duration = Duration::from_secs(1);
const MS: fn(u64) -> Duration = Duration::from_millis;

/// Today's edition, White to move with a Rook that takes the King on e8.
const ROOK_TAKES_KING: &str = "position fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1";

fn no_best_move(lines: &[String]) {
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:#?}");
}

#[track_caller]
fn legal_at_start(text: &str) {
    play(&mut GameRecord::from_start(Edition::default()), text);
}

/// AndyGrant/Ethereal#177
#[test]
fn b025_isready_during_a_search() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite");
    engine.lines_for(MS(200));
    engine.send("isready");
    no_best_move(&engine.until_within("readyok", SECOND));
    no_best_move(&engine.lines_for(MS(200)));
    engine.send("stop");
    engine.until("bestmove");
    engine.quit();
}

/// SnowballSH/Avalanche#17
#[test]
fn b027_every_isready_is_answered() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo wtime 2000 btime 2000 winc 100 binc 100");
    engine.send("isready\nisready\nisready");
    let mut lines = engine.until("bestmove");
    lines.extend(engine.lines_for(MS(100)));
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 3);
    engine.quit();
}

/// nescitus/rodent-iv#15
#[test]
fn b029_infinite_does_not_end_by_itself() {
    let mut engine = Engine::start();
    engine.send(ROOK_TAKES_KING);
    engine.send("go infinite");
    no_best_move(&engine.lines_for(MS(700)));
    assert_eq!(engine.go("stop").best, "e1e8");
    engine.quit();
}

/// cutechess/cutechess#180: the game is won already when the pondering starts.
#[test]
fn b031_pondering_waits_for_ponderhit() {
    let mut engine = Engine::start();
    engine.send("position fen 8/8/2K5/7k/8/8/8/8 w - - 0 1 moves c6c7");
    engine.send("go ponder wtime 1000 btime 1000");
    no_best_move(&engine.lines_for(MS(700)));
    assert_ne!(engine.go("ponderhit").best, "(none)");
    no_best_move(&engine.lines_for(MS(50)));
    engine.quit();
}

/// lichess-bot-devs/lichess-bot#702
#[test]
fn b033_pondering_on_a_finished_game() {
    let mut engine = Engine::start();
    engine.send(&format!("{ROOK_TAKES_KING} moves e1e8"));
    for end in ["stop", "ponderhit"] {
        engine.send("go ponder wtime 1000 btime 1000");
        no_best_move(&engine.lines_for(MS(200)));
        let search = engine.go(end);
        assert_eq!((search.best.as_str(), search.ponder), ("(none)", None));
    }
    // Where the expected reply ends the game, there is nothing to ponder on.
    engine.ask("position fen 8/2K5/8/7k/8/8/8/8 b - - 0 1");
    assert_eq!(engine.go("go depth 4").ponder, None);
    engine.quit();
}

/// jdart1/arasan-chess#21
#[test]
fn b035_a_stray_stop_is_not_remembered() {
    let mut engine = Engine::start();
    engine.send("stop\nponderhit\nposition startpos\ngo infinite");
    no_best_move(&engine.lines_for(MS(200)));
    engine.send("stop\nstop");
    engine.until("bestmove");
    engine.send("stop\nponderhit\nposition startpos moves e2e3\ngo infinite\nisready");
    no_best_move(&engine.lines_for(MS(500)));
    engine.send("stop");
    engine.until("bestmove");
    no_best_move(&engine.lines_for(MS(50)));
    engine.quit();
}

/// official-stockfish/Stockfish#2262
#[test]
fn b037_new_game_during_a_search() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite\nucinewgame\nisready\nstop\nisready");
    let lines = [engine.until("readyok"), engine.until("readyok")].concat();
    let count = |lines: &[String]| lines.iter().filter(|l| l.starts_with("bestmove")).count();
    // The best move may come after the answer to the second isready.
    assert_eq!(count(&lines) + count(&engine.lines_for(MS(200))), 1);
    engine.quit();
}

/// LeelaChessZero/lc0#506
#[test]
fn b039_position_during_a_search_counts_for_the_next() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite");
    engine.lines_for(MS(100));
    engine.send("position startpos moves e2e3");
    no_best_move(&engine.lines_for(MS(200)));
    legal_at_start(&engine.go("stop").best);
    let mut game = GameRecord::from_start(Edition::default());
    play(&mut game, "e2e3");
    play(&mut game, &engine.go("go depth 2").best);
    engine.quit();
}

/// FitzOReilly/fatalii#68
#[test]
fn b041_two_searches_give_two_best_moves() {
    for _ in 0..20 {
        let mut engine = Engine::start();
        engine.send("position startpos\ngo depth 8\ngo depth 3");
        legal_at_start(&Search::from(engine.until("bestmove")).best);
        let second = Search::from(engine.until("bestmove"));
        legal_at_start(&second.best);
        assert_eq!(second.last().depth, 3);
        assert_eq!(engine.ask(""), [""; 0]);
        engine.quit();
    }
}

/// codedeliveryservice/Reckless#1120
#[test]
fn b043_end_of_input_during_a_search() {
    for go in ["go infinite", "go ponder wtime 1000", "go depth 200", "go wtime 9000000"] {
        let mut engine = Engine::start();
        engine.send("uci\nisready\nposition startpos");
        engine.send(go);
        engine.lines_for(MS(200));
        engine.close();
        let (status, errors) = engine.end_within(2 * SECOND);
        assert!(status.success() && errors.is_empty(), "{go}: {status}: {errors}");
    }
}

/// jeffreyan11/laser-chess-engine#34
#[test]
fn b045_end_of_input_when_idle() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci");
    engine.close();
    assert_eq!(engine.until("uciok").last().map(String::as_str), Some("uciok"));
    let (status, errors) = engine.end_within(2 * SECOND);
    assert!(status.success() && errors.is_empty(), "{status}: {errors}");
}

/// The other side of it: the client's reading end goes, its writing end stays.
#[cfg(unix)]
#[test]
fn b045_end_of_output_during_a_search() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_usurper"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"uci\nposition startpos\ngo infinite\n").expect("a living engine");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    output.read_line(&mut String::new()).expect("a line");
    drop(output);
    let end = Instant::now() + Duration::from_secs(5);
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        // A search at great depth has long pauses between lines.
        let _ = input.write_all(b"isready\n");
        assert!(Instant::now() < end, "the engine outlives its client");
        std::thread::sleep(MS(10));
    };
    assert!(status.success(), "{status}");
}

/// nescitus/cpw-engine#9
#[test]
fn b047_nothing_stays_in_a_buffer() {
    let mut engine = Engine::start();
    assert_eq!(engine.lines_for(MS(100)), [""; 0], "silent until the first word");
    engine.send("uci");
    engine.until_within("uciok", SECOND);
    engine.send("isready");
    engine.until_within("readyok", SECOND);
    engine.quit();
}

/// LeelaChessZero/lc0#296
#[test]
fn b049_names_of_options_have_no_case() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.until("uciok");
    assert_eq!(engine.ask("setoption name hash value 8"), [""; 0]);
    assert_eq!(engine.ask("SETOPTION NAME HASH VALUE 8"), [""; 0]);
    assert_eq!(engine.ask("setoption name mUlTiPv value 2"), [""; 0]);
    let search = engine.go("go depth 3");
    assert!(search.infos().iter().any(|info| info.multipv == 2), "{search:#?}");
    engine.quit();
}

/// LeelaChessZero/lc0#2171
#[test]
fn b051_a_doubled_value_is_no_number() {
    let mut engine = Engine::start();
    let error = engine.error("setoption name MultiPV value 1 value 2");
    assert!(error.contains("MultiPV") && error.contains("'1 value 2'"), "{error}");
    let search = engine.go("go depth 2");
    assert!(search.infos().iter().all(|info| info.multipv <= 1), "{search:#?}");
    engine.quit();
}

/// hansbinderup/meltdown-chess-engine#77
#[test]
fn b053_too_many_threads() {
    let mut engine = Engine::start();
    let clamped = engine.ask("setoption name Threads value 100000");
    assert_eq!(clamped.len(), 1);
    assert!(clamped[0].starts_with("info string Threads '100000' is not within 1 to"));
    legal_at_start(&engine.go("go depth 2").best);
    engine.ask("setoption name Threads value 256");
    legal_at_start(&engine.go("go depth 4").best);
    engine.quit();
}

/// paulsonkoly/chess-3#260
#[test]
fn b055_every_size_of_the_table_works() {
    let mut engine = Engine::start();
    for size in [5, 1, 3, 7, 100, 2] {
        assert_eq!(engine.ask(&format!("setoption name Hash value {size}")), [""; 0]);
        legal_at_start(&engine.go("go depth 5").best);
    }
    engine.quit();
}

/// official-stockfish/Stockfish#1271
#[test]
fn b057_unknown_words_are_skipped() {
    let mut engine = Engine::start();
    engine.send("blarg isready");
    assert_eq!(engine.until("readyok").len(), 1);
    let error = engine.error("foo bar baz");
    assert_eq!(error, "unknown command 'foo'");
    assert_eq!(engine.ask("\n  \n"), [""; 0]);
    engine.quit();
}

/// herohde/morlock#6
#[test]
fn b059_the_same_position_twice() {
    let mut engine = Engine::start();
    for _ in 0..2 {
        assert_eq!(engine.ask("position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1"), [""; 0]);
        assert_ne!(engine.go("go movetime 50").best, "(none)");
    }
    engine.quit();
}

/// LeelaChessZero/lc0#2046
#[test]
fn b061_a_move_from_an_empty_square() {
    let mut engine = Engine::start();
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    engine.ask(position);
    let before = engine.perft(1);
    let error = engine.error(&format!("{position} moves a5a6"));
    assert_eq!(error, "position: move 1: \"a5a6\" is not a legal move");
    assert_eq!(engine.perft(1), before);
    engine.quit();
}

/// official-stockfish/Stockfish#7131
#[test]
fn b063_half_numbers_are_refused_whole() {
    let mut engine = Engine::start();
    for (line, word) in [
        ("go depth 7q", "'7q'"),
        ("go movetime 250ms", "'250ms'"),
        ("go nodes 90zz", "'90zz'"),
        ("go depth -1", "'-1'"),
    ] {
        let error = engine.error(line);
        assert!(error.contains(word), "{line}: {error}");
        assert_eq!(engine.ask("stop"), [""; 0], "nothing was started");
    }
    engine.quit();
}

/// ptsouchlos/byte-knight#100
#[test]
fn b065_negative_times() {
    let mut engine = Engine::start();
    for line in ["go wtime -50 btime 1000 winc 0 binc 0", "go movetime -10"] {
        engine.send(line);
        legal_at_start(&Search::from(engine.until_within("bestmove", SECOND)).best);
    }
    engine.quit();
}

/// lynx-chess/Lynx#654
#[test]
fn b067_a_clock_of_zero_is_a_clock() {
    let mut engine = Engine::start();
    for line in ["go wtime 0 btime -2 winc 20 binc 20", "go wtime 0 btime 0"] {
        engine.send(line);
        legal_at_start(&Search::from(engine.until_within("bestmove", SECOND)).best);
    }
    engine.quit();
}

/// paulsonkoly/chess-3#163
#[test]
fn b069_a_millisecond_is_enough_for_a_move() {
    let mut engine = Engine::start();
    for _ in 0..150 {
        engine.send("position startpos");
        legal_at_start(&engine.go("go movetime 1").best);
    }
    engine.quit();
}

/// official-stockfish/Stockfish#5112
#[test]
fn b071_short_clocks_are_used_and_kept() {
    let mut engine = Engine::start();
    let mut used = |clock: u64| {
        let begin = Instant::now();
        legal_at_start(&engine.go(&format!("go wtime {clock} btime {clock}")).best);
        begin.elapsed()
    };
    let (more, less) = (used(800), used(100));
    assert!((MS(5)..MS(800)).contains(&more), "{more:?} of 800 ms");
    assert!(less < MS(400), "{less:?} of 100 ms"); // on a busy machine; far from a fixed time
    engine.quit();
}

/// official-stockfish/Stockfish#3732
#[test]
fn b073_nodes_stay_within_the_limit() {
    let mut engine = Engine::start();
    for limit in [1, 20, 1_000, 50_000] {
        engine.send("ucinewgame\nposition startpos");
        let search = engine.go(&format!("go nodes {limit}"));
        legal_at_start(&search.best);
        assert!(search.infos().iter().all(|info| info.nodes <= limit), "{search:#?}");
    }
    engine.quit();
}

/// AndyGrant/Ethereal#174
#[test]
fn b075_the_node_limit_is_for_all_threads() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 4\nposition startpos\ngo nodes 40000");
    let search = Search::from(engine.until_within("bestmove", Duration::from_secs(5)));
    let nodes = search.last().nodes;
    assert!((10_000..80_000).contains(&nodes), "{nodes}");
    engine.quit();
}

/// LeelaChessZero/lc0#1829
#[test]
fn b077_go_mate() {
    let mut engine = Engine::start();
    engine.send(ROOK_TAKES_KING);
    engine.send("go mate 1");
    let search = Search::from(engine.until_within("bestmove", Duration::from_secs(2)));
    assert_eq!((search.last().mate, search.best.as_str()), (Some(1), "e1e8"));
    engine.quit();
}

/// official-stockfish/Stockfish#5086
#[test]
fn b079_go_mate_ends_at_a_proved_loss() {
    let mut engine = Engine::start();
    engine.send("position fen 8/2K5/8/7k/8/8/8/8 b - - 0 1\ngo mate 2");
    let search = Search::from(engine.until_within("bestmove", Duration::from_secs(5)));
    assert_eq!(search.last().mate, Some(-1));
    engine.quit();
}

/// TerjeKir/weiss#378
#[test]
fn b081_go_mate_with_success_at_once() {
    let mut engine = Engine::start();
    engine.send("position fen 8/2K5/8/8/8/8/1k6/8 w - - 0 1");
    let best = engine.go("go mate 1").best;
    assert!(["c7b8", "c7c8", "c7d8"].contains(&best.as_str()), "{best}");
    engine.quit();
}

/// TerjeKir/weiss#539
#[test]
fn b083_more_lines_than_moves() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    engine.send("position fen k7/8/8/8/8/8/8/4K2R b - - 0 1");
    let search = engine.go("go depth 6 searchmoves a8a7 a8b7");
    let exact: Vec<_> = search.infos().into_iter().filter(|info| !info.bounded).collect();
    for depth in 1..=exact.iter().map(|info| info.depth).max().expect("a depth") {
        let ranks: Vec<_> =
            exact.iter().filter(|info| info.depth == depth).map(|info| info.multipv).collect();
        assert_eq!(ranks, [1, 2], "depth {depth}: {search:#?}");
    }
    for info in search.infos() {
        let first = info.pv.first().expect("a move");
        assert!(["a8a7", "a8b7"].contains(&first.as_str()), "{info:?}");
    }
    engine.quit();
}

/// AndyGrant/Ethereal#99
#[test]
fn b085_searchmoves_holds_for_one_search() {
    let mut engine = Engine::start();
    assert_eq!(engine.go("go depth 5 searchmoves a2a3").best, "a2a3");
    let best = engine.go("go depth 5 searchmoves a2a3 h2h3").best;
    assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{best}");
    let best = engine.go("go searchmoves a2a3 h2h3 depth 5").best;
    assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{best}");
    engine.send("setoption name MultiPV value 20");
    let free = engine.go("go depth 2");
    assert_eq!(free.infos().iter().map(|info| info.multipv).max(), Some(20));
    assert_eq!(
        engine.error("go depth 5 searchmoves a2a3 e2e5"),
        "go: searchmoves: move 2: \"e2e5\" is not a legal move"
    );
    engine.quit();
}

/// KierenP/Halogen#896
#[test]
fn b087_a_finished_root() {
    let mut engine = Engine::start();
    for (position, over, score) in [
        (
            "fen 2K5/8/8/8/8/8/1k6/8 b - - 0 1",
            "white by conquest",
            Some("info depth 0 score mate 0"),
        ),
        (
            "fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1 moves e1e8",
            "white by capture",
            Some("info depth 0 score mate 0"),
        ),
        // Its ultimatum was upheld: the side to move has won, and no score says so.
        ("fen 2K5/8/8/8/8/8/1k6/8 w - - 0 1", "white by conquest", None),
    ] {
        engine.send(&format!("position {position}"));
        let search = engine.go("go depth 5");
        assert_eq!((search.best.as_str(), &search.ponder), ("(none)", &None));
        let lines = [format!("info string game over: {over}")];
        let expected: Vec<_> = lines.into_iter().chain(score.map(str::to_owned)).collect();
        assert_eq!(search.lines, expected);
    }
    engine.send("setoption name UCI_Variant value chess");
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let search = engine.go("go depth 5");
    assert_eq!(
        search.lines,
        ["info string game over: draw by stalemate", "info depth 0 score cp 0"]
    );
    engine.quit();
}

/// LeelaChessZero/lc0#518
#[test]
fn b089_an_immediate_win_has_its_line() {
    let mut engine = Engine::start();
    engine.send(ROOK_TAKES_KING);
    let search = engine.go("go nodes 1000");
    let last = search.last();
    assert!(last.depth >= 1);
    assert_eq!((last.mate, last.pv), (Some(1), vec!["e1e8".to_owned()]));
    engine.quit();
}

/// cosmobobak/viridithas#143
#[test]
fn b091_the_last_line_is_whole() {
    let mut engine = Engine::start();
    for _ in 0..40 {
        engine.send("position startpos");
        let search = engine.go("go wtime 60 btime 60 winc 5 binc 5");
        let last = search.last();
        assert!(last.depth >= 1 && (last.cp.is_some() || last.mate.is_some()), "{search:#?}");
        assert_eq!(last.pv.first(), Some(&search.best));
    }
    engine.quit();
}

/// lynx-chess/Lynx#307
#[test]
fn b093_hashfull_is_permille() {
    let mut engine = Engine::start();
    for (size, time) in [(1, 700), (256, 300)] {
        engine.send(&format!("setoption name Hash value {size}"));
        let search = engine.go(&format!("go movetime {time}"));
        assert!(search.infos().iter().all(|info| info.hashfull <= 1000), "{search:#?}");
    }
    engine.quit();
}

/// jhonnold/berserk#87
#[test]
fn b095_perft_of_no_duration() {
    let mut engine = Engine::start();
    assert_eq!(engine.perft(0), (vec![], 1));
    assert_eq!(engine.perft(1).1, 20);
    assert_eq!(engine.perft(2).1, 400);
    engine.quit();
}

/// justNo4b/Drofa#207
#[test]
fn b097_perft_agrees_with_itself() {
    let mut engine = Engine::start();
    let mut deeper = Vec::new();
    for depth in 1..=3 {
        engine.ask("position startpos");
        let (root, total) = engine.perft(depth);
        assert_eq!(root.iter().map(|(_, count)| count).sum::<u64>(), total);
        if depth == 1 {
            assert_eq!(root.len() as u64, total);
        }
        for (m, count) in &root {
            engine.ask(&format!("position startpos moves {m}"));
            assert_eq!(engine.perft(depth - 1).1, *count, "{m}");
        }
        deeper.push(total);
    }
    assert!(deeper.is_sorted());
    engine.quit();
}

/// official-stockfish/Stockfish#3725
#[test]
fn b099_wrong_arguments_give_usage() {
    for arguments in [&["bench", "foo"][..], &["bench", "-1"], &["perft", "x"], &["nosuch"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_usurper"))
            .args(arguments)
            .output()
            .expect("the engine starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(
            errors.starts_with("error: ") && errors.contains("--help"),
            "{arguments:?}: {errors}"
        );
        assert!(output.stdout.is_empty());
    }
}

/// official-stockfish/Stockfish#6892
#[test]
fn b101_bench_leaves_the_session_alone() {
    let mut engine = Engine::start();
    engine.ask("position startpos moves e2e4");
    let lines = engine.ask("bench 2");
    let words: Vec<_> = lines.last().expect("a total").split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{lines:#?}");
    let mut game = GameRecord::from_start(Edition::default());
    play(&mut game, "e2e4");
    play(&mut game, &engine.go("go depth 3").best);
    engine.quit();
}

/// official-stockfish/Stockfish#859
#[test]
fn b103_one_thread_repeats_itself() {
    let mut engine = Engine::start();
    let mut round = || {
        engine.send("ucinewgame\nposition startpos");
        let first = engine.go("go nodes 6000");
        engine.send("position startpos moves e2e3 e7e6");
        let second = engine.go("go nodes 6000");
        let infos: Vec<Info> = first.infos().into_iter().chain(second.infos()).collect();
        (infos, first.best, second.best)
    };
    assert_eq!(round(), round());
    engine.quit();
}

/// hansbinderup/meltdown-chess-engine#80
#[test]
fn b105_long_position_lines() {
    let mut engine = Engine::start();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for plies in [3_000, 200_000] {
        let moves: Vec<_> =
            shuffle.iter().cycle().take(plies).map(|&text| text.to_owned()).collect();
        // The start position stands for the third time after eight plies, and Black repeated it.
        assert_eq!(
            engine.error(&position_line(&moves)),
            "position: move 9: \"g1f3\" comes after the end of the game, white by repetition"
        );
        legal_at_start(&engine.go("go depth 2").best);
    }
    engine.error(&format!("position fen {}", "8/".repeat(500_000)));
    engine.error(&"x".repeat(1_000_000));
    engine.error(&format!("position startpos moves {}", "y".repeat(1_000_000)));
    // A long game that goes on: in chess without a repetition.
    engine.ask("setoption name UCI_Variant value chess");
    let mut game = GameRecord::from_start(Edition::Chess);
    while game.moves().len() < 400 {
        let next =
            game.position().legal_moves().into_iter().find(|&m| game.outcome_after(m).is_none());
        let Some(m) = next else { break };
        game.play(m).expect("a legal move");
    }
    let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
    assert!(moves.len() > 100, "{}", moves.len());
    assert_eq!(engine.ask(&position_line(&moves)), [""; 0]);
    assert_eq!(engine.shown("FEN"), game.position().to_fen());
    engine.quit();
}

/// RZulu54/ChessBrainVB#8
#[test]
fn b107_only_id_and_option_before_uciok() {
    let mut engine = Engine::start();
    // In the middle of a search too.
    for before in ["", "go infinite"] {
        engine.send(before);
        engine.send("uci");
        let lines = engine.until("uciok");
        let start = lines.iter().position(|line| line.starts_with("id ")).expect("an id");
        for line in &lines[start..lines.len() - 1] {
            assert!(line.starts_with("id ") || line.starts_with("option "), "{line}");
            assert_eq!(line.trim_end(), line);
        }
    }
    engine.quit();
}

/// ddugovic/Stockfish#224
#[test]
fn b109_no_flood_of_lines() {
    let mut engine = Engine::start();
    let search = engine.go("go movetime 1000");
    assert!(search.lines.len() < 200, "{}", search.lines.len());
    assert!(search.lines.iter().all(|line| !line.contains("currmove")));
    engine.quit();
}

/// The start position answers to every edition's name.
#[test]
fn an_edition_brings_its_start_position() {
    let mut engine = Engine::start();
    engine.ask("position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    for edition in Edition::ALL {
        assert_eq!(engine.ask(&format!("setoption name UCI_Variant value {edition}")), [""; 0]);
        assert_eq!(engine.shown("Edition"), edition.name());
        assert_eq!(engine.shown("FEN"), Position::start(edition).to_fen());
    }
    engine.quit();
}

/// Any bytes, any order: the engine lives and answers.
#[test]
fn no_input_kills() {
    let mut random = crate::common::Random(7);
    let words = [
        "go",
        "depth",
        "1",
        "-3",
        "99999999999999999999",
        "nodes",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "4k3/8/8/8/8/8/8/4K2R",
        "w",
        "-",
        "setoption",
        "name",
        "value",
        "MultiPV",
        "UCI_Variant",
        "chess",
        "stop",
        "ponderhit",
        "debug",
        "on",
        "register",
        "d",
        "eval",
        "perft",
        "searchmoves",
        "ERf1",
        "\u{0}",
        "\u{1f600}",
        "ucinewgame",
        "isready",
        "uci",
        "movetime",
        "wtime",
        "mate",
        "movestogo",
        "0",
    ];
    let mut engine = Engine::start();
    for _ in 0..400 {
        let line: Vec<_> = (0..random.below(7)).map(|_| words[random.below(words.len())]).collect();
        // `go perft` with a huge number would count for ever, and rightly so.
        let line = line.join(" ").replace("perft 99999999999999999999", "perft 2");
        engine.send(&line);
        let noise: Vec<u8> = (0..random.below(40)).map(|_| random.below(256) as u8).collect();
        engine.send_bytes(&noise);
        engine.send("\nstop");
    }
    // `isready` was among the words: silence comes first, then the answer that is asked for.
    let deadline = Instant::now() + PATIENCE;
    while !engine.lines_for(MS(300)).is_empty() {
        assert!(Instant::now() < deadline);
    }
    assert_eq!(engine.ask(""), [""; 0]);
    engine.quit();
}
