//! The board games from outside: the session by UCI, the sub-commands, a match and its files.

mod common;

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use common::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;
use usurper::arena::pgn::{self, PgnGame};
use usurper::games::{AnyGame, GAMES, Playable, Variant};
use usurper::rules::notation::Letters;
use usurper::search::Task;

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
        let search = engine.go("go depth 1");
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
    let all = engine.ask("bench 1 board-games");
    assert_eq!(all.len(), GAMES.len() + 1);
    for (line, name) in all.iter().zip(names()) {
        assert!(line.starts_with(&format!("{name}: ")), "{line}");
        let alone = engine.ask(&format!("bench 1 {name}"));
        assert_eq!(nodes(&alone[0]), nodes(line), "{alone:?}");
        assert_eq!(alone.len(), 2);
    }
    let chess = engine.ask("bench 2");
    assert!(chess.len() == 4 && chess[0].starts_with("captureorconquer: "), "{chess:?}");
    engine.quit();
}

// ---- the sub-commands ----

fn usurper(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_usurper"));
    command.args(arguments);
    command
}

/// What a successful run writes.
fn output(command: &mut Command) -> String {
    let run = command.assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
}

/// The one line of a run that ends with the code 1.
fn failure(arguments: &[&str]) -> String {
    let run = usurper(arguments).assert().code(1);
    let text = String::from_utf8(run.get_output().stderr.clone()).expect("UTF-8");
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    text.trim_end().strip_prefix("error: ").expect("an error").to_owned()
}

/// The cases of the reference program, one JSON object a line.
fn vectors(file: &str) -> Vec<Value> {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("the vectors lie beside the tests");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// All recorded games go through at once; the reference program's results, places and moves come out.
#[test]
fn judge_agrees_with_the_recorded_games() {
    let cases = vectors("folk-games.jsonl");
    let lines: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let answers = output(usurper(&["judge", "--jsonl", "-"]).write_stdin(lines));
    assert_eq!(answers.lines().count(), cases.len());
    for (answer, case) in answers.lines().zip(&cases) {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        for (key, wanted) in [
            ("edition", "edition"),
            ("fen", "final_fen"),
            ("winner", "winner"),
            ("reason", "reason"),
            ("plies", "plies"),
        ] {
            assert_eq!(answer[key], case[wanted], "{key} of {case}");
        }
        assert_eq!(answer["agrees"], json!(true));
        assert_eq!(answer["in_check"], json!(false));
        let pairs = answer["moves"].as_array().expect("moves");
        let moves: Vec<&Value> = pairs.iter().map(|pair| &pair[0]).collect();
        assert!(pairs.iter().all(|pair| pair[0] == pair[1]));
        assert_eq!(json!(moves), case["legal"], "{case}");
    }
}

#[test]
fn judge_by_its_arguments() {
    let verdict =
        output(&mut usurper(&["judge", "--variant", "konane", "--json", "--moves", "d4 d5"]));
    let verdict: Value = serde_json::from_str(&verdict).expect("JSON");
    assert_eq!(verdict["edition"], json!("konane"));
    assert_eq!(verdict["plies"], json!(2));
    assert_eq!(verdict["repetitions"], json!(1));
    // The last man can be taken: that ends the game.
    let fen = "5/5/2p2/2P2/5 w - 0 9";
    let verdict =
        output(&mut usurper(&["judge", "--variant", "alquerque", "--json", "--fen", fen]));
    let verdict: Value = serde_json::from_str(&verdict).expect("JSON");
    assert_eq!(verdict["ending_moves"], json!([["c2c4", "white", "elimination"]]));
    let text = output(&mut usurper(&["judge", "--variant", "alquerque", "--fen", fen]));
    assert!(text.contains("Game      alquerque\n"), "{text}");
    assert!(text.ends_with("  c2c4  White wins by elimination\n"), "{text}");
    // Men that are yet to be placed are told as long as there are some.
    let placed = ["judge", "--variant", "seega", "--moves", "@a1@b1"];
    let text = output(&mut usurper(&placed));
    assert!(text.contains("\nTo place  White 10, Black 12\n"), "{text}");
    let sliding = ["judge", "--variant", "seega", "--fen", "3pP/4p/5/p4/Pp3 w - 5 20"];
    assert!(!output(&mut usurper(&sliding)).contains("To place"));
    let text = output(&mut usurper(&["judge", "--variant", "seega", "--lang", "pt"]));
    assert!(text.contains("Jogo      seega\n") && text.contains("276 lances legais"), "{text}");

    let error = failure(&["judge", "--variant", "seega", "--moves", "@a1@a2", "e4"]);
    assert_eq!(error, "move 2: \"e4\" is not a legal move");
    let error = failure(&["judge", "--variant", "surakarta", "--fen", "6/6 w - 0 1"]);
    assert_eq!(error, "FEN: 2 rows instead of 6");
    let line = "{\"edition\":\"konane\",\"moves\":[\"d4\",\"d4\"]}\n";
    let answer = output(usurper(&["judge", "--jsonl", "-"]).write_stdin(line));
    assert_eq!(answer, "{\"error\":\"move 2: \\\"d4\\\" is not a legal move\",\"at\":2}\n");
    // The line may name the game as the command line does.
    let line = line.replace("edition", "variant");
    assert_eq!(output(usurper(&["judge", "--jsonl", "-"]).write_stdin(line)), answer);
    let both = "{\"variant\":\"konane\",\"edition\":\"seega\"}\n";
    let answer = output(usurper(&["judge", "--jsonl", "-"]).write_stdin(both));
    assert!(answer.starts_with("{\"error\":\"JSON: duplicate field `edition`"), "{answer}");
}

/// The reference program's counts, as far as they are quick.
#[test]
fn perft_counts() {
    for case in vectors("folk-perft.jsonl") {
        let text = |key: &str| case[key].as_str().expect("a text").to_owned();
        let nodes = case["nodes"].as_array().expect("counts").iter();
        let few = nodes.take_while(|count| count.as_u64().is_some_and(|count| count < 5_000));
        let Some((depth, count)) = (1..).zip(few).last() else { continue };
        let (depth, fen) = (i32::to_string(&depth), text("fen"));
        let written =
            output(&mut usurper(&["perft", &depth, "--variant", &text("edition"), "--fen", &fen]));
        assert!(written.contains(&format!("Nodes searched: {count}\n")), "{case}: {written}");
    }
}

#[test]
fn bench_by_name() {
    let text = output(&mut usurper(&["bench", "--variant", "konane", "--depth", "2"]));
    assert!(text.starts_with("konane: ") && text.lines().count() == 2, "{text}");
    let run = usurper(&["bench", "--variant", "checkers"]).assert().code(2);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(names().all(|name| error.contains(name)) && error.contains("board-games"), "{error}");
}

/// In text with the men beside the board, and as SVG; variations are arrows. What is drawn is tested with the pictures.
#[test]
fn board_of_each_game() {
    for name in names() {
        let title = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        let text = output(&mut usurper(&["board", "--variant", name]));
        assert!(text.contains(&format!("   {title}\n")) && text.contains(" to move"), "{text}");
        let men = |figure| start(name).diagram().matches(figure).count();
        assert_eq!(text.matches('○').count(), men('P'), "{text}");
        assert_eq!(text.matches('●').count(), men('p'), "{text}");
        let coloured = output(&mut usurper(&["board", "--variant", name, "--color", "always"]));
        assert!(coloured.contains("\u{1b}["), "{name}");
        let svg = output(&mut usurper(&["board", "--variant", name, "--svg", "-"]));
        assert!(svg.contains(&format!("{title}, {}", start(name).fen())), "{svg}");
    }
    let konane = ["board", "--variant", "konane", "--moves", "d4", "d5"];
    let line = [&konane[..], &["--arrow", "d2d4", "d7d5 d4d6", "--arrow", "b4d4"]].concat();
    let text = output(&mut usurper(&line));
    assert!(text.ends_with("   arrow  2... d2d4 3. d7d5 d4d6\n   arrow  2... b4d4\n"), "{text}");
    let error = failure(&[&konane[..], &["--arrow", "d2d4", "d2d4"]].concat());
    assert_eq!(error, "--arrow: move 2 after d2d4: \"d2d4\" is not a legal move");
    let error = failure(&["board", "--variant", "seega", "--fen", "5/5 w - 0 1"]);
    assert_eq!(error, "FEN: 2 rows instead of 5");
}

/// A board has one size, but for Konane's; a number has no sign.
#[test]
fn bad_positions_name_what_is_wrong() {
    for (name, fen, error) in [
        ("konane", "5/5/5/5/5 b - 0 1", "5 rows instead of 4, 6 or 8"),
        ("konane", "8/8/8/8/8/8/8/P7 b - 0 1", "a white stone on a1: "),
        ("alquerque", "5/5/5/5/P3p b - +1 1", "the count of plies without a capture \"+1\" is"),
        ("seega", "5/5/5/5/PP3 b +10,12 0 1", "the men in hand are \"+10,12\", neither"),
        ("seega", "5/5/5/5/PP3 b 300,12 0 1", "the men in hand are \"300,12\", neither"),
        ("fanorona", "9/9/9/9/9 w - 0 1", "both sides are without men"),
    ] {
        let wrong = failure(&["judge", "--variant", name, "--fen", fen]);
        assert!(wrong.starts_with(&format!("FEN: {error}")), "{wrong}");
    }
}

#[test]
fn analyse_a_position() {
    for name in names() {
        let arguments = ["analyse", "--variant", name, "--nodes", "300", "--json"];
        let answer: Value = serde_json::from_str(&output(&mut usurper(&arguments))).expect("JSON");
        assert_eq!((&answer["edition"], &answer["fen"]), (&json!(name), &json!(start(name).fen())));
        let line = &answer["lines"][0];
        let moves: Vec<&str> =
            line["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
        assert!(is_line(&start(name), &moves) && answer["best"] == moves[0], "{answer}");
        assert_eq!((&line["win_permille"], &line["san"]), (&Value::Null, &line["moves"]));
    }
    let fen = "5/5/2p2/2P2/5 w - 0 9";
    let text =
        output(&mut usurper(&["analyse", "--variant", "alquerque", "--fen", fen, "--depth", "3"]));
    assert!(text.contains("#1   9. c2c4\n") && text.ends_with("best c2c4\n"), "{text}");
}

/// What is for the chess family says so.
#[test]
fn commands_that_know_no_board_game() {
    let only =
        "for the chess family (captureorconquer, captureorconquer-classic, chess), not for seega";
    for arguments in [
        &["solve"][..],
        &["tablebase", "generate", "--men", "3"],
        &["tablebase", "probe"],
        &["datagen", "--seed", "1", "--out", "nowhere.ugam"],
        &["review", "nothing.pgn"],
    ] {
        let error = failure(&[arguments, &["--variant", "seega"]].concat());
        assert_eq!(error, format!("{} is {only}", arguments[0]));
    }
    let error = failure(&["analyse", "--variant", "seega", "--epd"]);
    assert_eq!(error, format!("--epd is {only}"));
    let error = failure(&["analyse", "--variant", "seega", "suite.epd"]);
    assert_eq!(error, format!("a file of positions (EPD) is {only}"));
    assert_eq!(
        failure(&["play", "--variant", "seega", "--elo", "900"]),
        "--elo has no meaning in seega"
    );
    let engine = concat!("cmd=", env!("CARGO_BIN_EXE_usurper"), ",royal=true");
    let error = failure(&["match", "--variant", "seega", "--engine", engine, "--engine", engine]);
    assert_eq!(error, "--engine: royal has no meaning in seega");
}

// ---- matches ----

/// Plays a match of the engine against itself.
fn play_match(name: &str, dir: &Path, more: &[&str]) -> Command {
    let own = env!("CARGO_BIN_EXE_usurper");
    let mut command = usurper(&["match", "--variant", name, "--engine", own, "--engine", own]);
    command.args(["--nodes", "100", "--seed", "5", "--concurrency", "1"]);
    command.args(["--pgnout", "games.pgn", "--jsonout", "games.jsonl"]).args(more);
    command.current_dir(dir);
    command
}

fn read_games(dir: &Path) -> Vec<PgnGame<AnyGame>> {
    let file = fs::read(dir.join("games.pgn")).expect("a game file");
    pgn::Reader::of_any(file.as_slice(), Variant::default())
        .collect::<Result<_, _>>()
        .expect("readable games")
}

#[test]
fn a_match_and_what_judge_says_of_its_games() {
    for name in names() {
        let dir = TempDir::new().expect("a folder");
        // Balance is not what is tested.
        let more = ["--games", "2", "--random-plies", "4", "--score-limit", "9999"];
        output(&mut play_match(name, dir.path(), &more));
        let games = read_games(dir.path());
        assert_eq!(games.len(), 2, "{name}");
        // Each opening with both colours.
        assert_eq!(games[0].record.played()[..4], games[1].record.played()[..4]);
        for game in &games {
            assert_eq!(game.record.variant().name(), name);
            assert_eq!(game.tag("Variant"), Some(name));
            assert_eq!(game.result, game.record.outcome().into(), "{name}");
            let texts: Vec<String> = game.record.played().iter().map(ToString::to_string).collect();
            let verdict = output(&mut usurper(&[
                "judge",
                "--variant",
                name,
                "--json",
                "--moves",
                &texts.join(" "),
            ]));
            let verdict: Value = serde_json::from_str(&verdict).expect("JSON");
            let winner = match game.tag("Result") {
                Some("1-0") => "white",
                Some("0-1") => "black",
                _ => "draw",
            };
            assert_eq!(verdict["winner"], json!(winner), "{name}");
            assert_eq!(verdict["reason"].as_str(), game.tag("Ending"), "{name}");
        }
        // The results are lines that judge can read too.
        let lines = fs::read_to_string(dir.path().join("games.jsonl")).expect("results");
        let lines: String = lines.lines().skip(1).map(|line| format!("{line}\n")).collect();
        let answers = output(usurper(&["judge", "--jsonl", "-"]).write_stdin(lines));
        assert!(answers.lines().all(|line| line.contains(&format!("\"edition\":\"{name}\""))));
        assert_eq!(answers.lines().count(), 2);
    }
}

#[test]
fn a_match_goes_on_where_it_was_cut_off() {
    let dir = TempDir::new().expect("a folder");
    output(&mut play_match("konane", dir.path(), &["--games", "4"]));
    let whole = read_games(dir.path());
    // As if it had been killed within the third game's line.
    let path = dir.path().join("games.jsonl");
    let text = fs::read_to_string(&path).expect("results");
    let third = text.match_indices('\n').nth(2).expect("three lines").0;
    fs::write(&path, &text[..third + 20]).expect("a cut file");
    output(&mut play_match("konane", dir.path(), &["--games", "4", "--resume"]));
    let again = read_games(dir.path());
    assert_eq!(again.len(), 4);
    for (a, b) in whole.iter().zip(&again) {
        assert_eq!(a.record.played(), b.record.played());
    }
    let error = play_match("seega", dir.path(), &["--games", "4", "--resume"]).assert().code(1);
    let error = String::from_utf8_lossy(&error.get_output().stderr).into_owned();
    assert!(error.contains("edition was konane, now it is seega"), "{error}");
}

#[test]
fn openings_of_files() {
    let dir = TempDir::new().expect("a folder");
    let path = |name: &str| dir.path().join(name).display().to_string();
    // A stone of White's is next to be taken, whoever plays it.
    let fen = "5/5/2p2/2P2/5 w - 0 9";
    fs::write(path("starts.fen"), format!("# one position\n{fen}\n")).expect("a file");
    let openings = ["--games", "2", "--openings", &path("starts.fen")];
    output(&mut play_match("alquerque", dir.path(), &openings));
    let games = read_games(dir.path());
    assert!(games.iter().all(|game| game.record.start_fen() == fen && game.record.plies() == 1));
    // The games of that match are openings in turn; another game's are none.
    fs::copy(path("games.pgn"), path("openings.pgn")).expect("a file");
    let more = ["--games", "2", "--overwrite", "--openings", &path("openings.pgn"), "--plies", "0"];
    output(&mut play_match("alquerque", dir.path(), &more));
    assert_eq!(read_games(dir.path())[0].record.start_fen(), fen);
    let other = play_match("konane", dir.path(), &more).assert().code(1);
    let error = String::from_utf8_lossy(&other.get_output().stderr).into_owned();
    assert!(error.contains("a game of alquerque"), "{error}");
}

// ---- a game with a person ----

/// The program's move that stands in a game after these lines, and the game.
fn play_lines(dir: &Path, arguments: &[&str], lines: &str) -> (String, PgnGame<AnyGame>) {
    let mut command = usurper(&["play", "--pgn", "games.pgn", "--movetime", "20"]);
    command.args(arguments).current_dir(dir);
    let text = output(command.write_stdin(lines));
    (text, read_games(dir).pop().expect("a game"))
}

#[test]
fn a_person_plays_each_game() {
    for name in names() {
        let dir = TempDir::new().expect("a folder");
        let side = start(name).side();
        let letter = &side.name()[..1];
        let first = start(name).legal().remove(0).to_string();
        let arguments = ["--variant", name, "--side", letter];
        let (text, game) =
            play_lines(dir.path(), &arguments, &format!("moves\nhint\n{first}\nquit\n"));
        assert!(text.contains(&format!("  {first}")) && text.contains("hint: 1"), "{text}");
        assert!(text.contains("usurper plays "), "{text}");
        assert!(text.contains(&format!("your move, written like {first}, ")), "{text}");
        assert_eq!((game.record.variant().name(), game.record.plies()), (name, 2));
        assert_eq!(game.record.played()[0].to_string(), first);
        // The file says which game goes on; the person takes back, and gives up.
        let (text, game) = play_lines(dir.path(), &[], "undo\nresign\n");
        assert!(text.contains("going on after 2 plies"), "{text}");
        assert_eq!((game.record.plies(), game.tag("Ending")), (0, Some("resignation")));
        assert_eq!(game.record.variant().name(), name);
    }
}

#[test]
fn a_persons_bad_lines_and_a_won_game() {
    let dir = TempDir::new().expect("a folder");
    let fen = "5/5/2p2/2P2/5 w - 0 9";
    let mut command =
        usurper(&["play", "--variant", "alquerque", "--fen", fen, "--pgn", "games.pgn"]);
    let lines = "Nf3\nc2c3\nhelp\nc2c4\nmoves\n";
    let run = command.current_dir(dir.path()).write_stdin(lines).assert().success();
    let errors = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(
        errors,
        "error: line 1: \"Nf3\" is not a legal move; see moves and help\n\
         error: line 2: \"c2c3\" is not a legal move; see moves and help\n"
    );
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(text.contains("chapter Five board games"), "{text}");
    assert!(text.contains("  MOVE           written like c2c4; the command moves shows all\n"));
    assert!(text.contains("White wins by elimination; undo takes the move back"), "{text}");
    let game = read_games(dir.path()).pop().expect("a game");
    assert_eq!((game.tag("Result"), game.record.start_fen().as_str()), (Some("1-0"), fen));
    // Another game is asked for than the file holds.
    fs::write(dir.path().join("games.pgn"), "[Event \"x\"]\n[Variant \"seega\"]\n\n*\n")
        .expect("a file");
    let mut command = usurper(&["play", "--variant", "konane", "--pgn", "games.pgn"]);
    let run = command.current_dir(dir.path()).assert().code(1);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(error.contains("holds an unfinished game of seega"), "{error}");
}

/// A review names the board games of a file and goes through the others.
#[test]
fn review_passes_board_games_over() {
    let dir = TempDir::new().expect("a folder");
    let games = "[Event \"a\"]\n[Variant \"konane\"]\n\n1... d4 2. d5 *\n\n\
                 [Event \"b\"]\n\n1. e4 e5 *\n";
    fs::write(dir.path().join("games.pgn"), games).expect("a file");
    let mut command = usurper(&["review", "games.pgn", "--nodes", "100"]);
    let run = command.current_dir(dir.path()).assert().code(1);
    let errors = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(errors.contains("konane is not one of the chess family"), "{errors}");
    assert!(errors.ends_with("error: games.pgn: 1 bad game was passed over\n"), "{errors}");
    assert!(String::from_utf8_lossy(&run.get_output().stdout).contains("1 move"));
}
