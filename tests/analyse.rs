//! `usurper analyse` from outside: the forms of output, suites of positions, bad input.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use assert_cmd::Command as Run;
use serde_json::{Value, json};
use usurper::analysis::epd::Record;
use usurper::rules::{Edition, Position};

/// White's King takes two moves to the goal rank, and Black's is too far away to guard it.
const RUN: &str = "8/8/4K3/8/8/7k/8/8 w - - 0 1";

fn usurper() -> Run {
    Run::new(env!("CARGO_BIN_EXE_usurper"))
}

fn analyse(arguments: &[&str]) -> Run {
    let mut run = usurper();
    run.arg("analyse").args(arguments);
    run
}

/// The standard output of a call that succeeds.
fn output(run: &mut Run) -> String {
    let run = run.assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
}

/// The objects of a call with `--json`.
fn objects(run: &mut Run) -> Vec<Value> {
    output(run).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The exit code, standard output and standard error of a call that fails.
fn failure(run: &mut Run, code: i32) -> (String, String) {
    let run = run.assert().code(code);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&run.get_output().stdout), text(&run.get_output().stderr))
}

/// README's example: its wins are of the suites that are proven by exhaustive search.
#[test]
fn the_example_suite_is_solved() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/suite.epd");
    let text = output(&mut analyse(&[file, "--nodes", "200000", "--check"]));
    assert!(text.contains("solved 6 of 6"), "{text}");
}

#[test]
fn the_object_of_a_position() {
    let answers =
        objects(&mut analyse(&["--fen", RUN, "--depth", "6", "--multipv", "3", "--json"]));
    assert_eq!(answers.len(), 1);
    let answer = &answers[0];
    let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    let expected = [
        "edition", "fen", "winner", "reason", "best", "best_san", "depth", "nodes", "time_ms",
        "lines",
    ];
    assert_eq!(keys, expected);
    assert_eq!(answer["edition"], "captureorconquer");
    assert_eq!(answer["fen"], RUN);
    assert_eq!((&answer["winner"], &answer["reason"]), (&Value::Null, &Value::Null));
    let lines = answer["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    let mut firsts = Vec::new();
    for (number, line) in (1..).zip(lines) {
        assert_eq!(line["multipv"], number);
        assert!(line["depth"].is_u64() && line["seldepth"].is_u64(), "{line}");
        let (moves, san) = (line["moves"].as_array(), line["san"].as_array());
        assert_eq!(moves.map(Vec::len), san.map(Vec::len), "{line}");
        firsts.push(line["moves"][0].clone());
    }
    // d7, e7 and f7 are as near to the goal rank: a win in two moves.
    let win = json!({"mate": 2});
    assert!(lines.iter().all(|line| line["score"] == win && line["win_permille"] == 1000));
    firsts.sort_by_key(ToString::to_string);
    assert_eq!(firsts, ["e6d7", "e6e7", "e6f7"]);
    assert_eq!(answer["best"], lines[0]["moves"][0]);
    assert_eq!(answer["best_san"], lines[0]["san"][0]);
}

#[test]
fn text_for_people_in_both_languages() {
    let english = output(&mut analyse(&["--fen", RUN, "--depth", "6"]));
    let rows: Vec<&str> = english.lines().collect();
    assert_eq!(rows.len(), 3, "{english}");
    assert!(rows[0].starts_with("White to move   depth "), "{english}");
    assert!(rows[1].trim_start().starts_with("#2  100 %  1. K"), "{english}");
    assert!(rows[2].starts_with("best K"), "{english}");
    // R is Rei, the King.
    let portuguese = output(&mut analyse(&["--fen", RUN, "--depth", "6", "--lang", "pt"]));
    let rows: Vec<&str> = portuguese.lines().collect();
    assert!(rows[0].starts_with("Brancas jogam   profundidade "), "{portuguese}");
    assert!(rows[1].trim_start().starts_with("#2  100 %  1. R"), "{portuguese}");
    assert!(rows[2].starts_with("melhor R"), "{portuguese}");
    let mixed =
        output(&mut analyse(&["--fen", RUN, "--depth", "6", "--lang", "pt", "--letters", "en"]));
    assert!(mixed.contains("melhor K"), "{mixed}");
}

#[test]
fn a_game_that_is_over_has_no_lines() {
    let over = ["--fen", "K7/8/8/8/8/7k/8/8 b - - 0 1"];
    assert_eq!(output(&mut analyse(&over)), "White wins by conquest\n");
    assert_eq!(
        output(&mut analyse(&[over[0], over[1], "--lang", "pt"])),
        "Brancas vencem por Conquista\n"
    );
    let answer = &objects(&mut analyse(&[over[0], over[1], "--json"]))[0];
    assert_eq!((&answer["winner"], &answer["reason"]), (&json!("white"), &json!("conquest")));
    assert_eq!((&answer["best"], &answer["lines"]), (&Value::Null, &json!([])));
}

/// The proven wins as an EPD suite; only those told by a position alone.
fn suite(edition: Edition) -> String {
    let path = format!("{}/tests/suites/must-find-{edition}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the suites lie beside the tests");
    let mut lines = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let case: Value = serde_json::from_str(line).expect("JSON");
        if case["moves"].as_array().is_some_and(|moves| !moves.is_empty()) {
            continue;
        }
        let position = Position::from_fen(edition, case["fen"].as_str().expect("a FEN"));
        let fen = position.expect("a position").to_fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let best: Vec<&str> =
            case["best"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
        let _ = writeln!(
            lines,
            "{} bm {}; dm {}; id \"case {number}\";",
            fields.join(" "),
            best.join(" "),
            case["mate"]
        );
    }
    lines
}

#[test]
fn the_suites_of_proven_wins_are_solved() {
    for edition in [Edition::CaptureOrConquer, Edition::Classic] {
        let suite = suite(edition);
        let total = suite.lines().count();
        assert!(total > 20);
        let name = edition.name();
        let arguments = ["-", "--variant", name, "--nodes", "400000", "--check", "--json"];
        let answers = objects(analyse(&arguments).write_stdin(suite));
        assert_eq!(answers.len(), total + 1);
        for answer in &answers[..total] {
            assert_eq!(answer["solved"], true, "{answer}");
            assert!(answer["solved_ms"].as_u64() <= answer["time_ms"].as_u64(), "{answer}");
            assert!(answer["id"].as_str().is_some_and(|id| id.starts_with("case ")));
        }
        let sum = &answers[total];
        assert_eq!((&sum["solved"], &sum["total"]), (&json!(total), &json!(total)));
        assert!(sum["median_ms"].as_u64() <= sum["longest_ms"].as_u64());
        assert!(sum["longest_ms"].as_u64() <= sum["sum_ms"].as_u64());
    }
}

#[test]
fn what_is_wanted_is_what_is_checked() {
    // From the position alone: Ke7, Kd7 and Kf7 win in two, Ke5 does not; nothing wins at once.
    let cases = [
        ("bm Ke7 Kd7 Kf7;", true),
        ("bm e6e7 e6d7 e6f7; dm 2;", true),
        ("dm 5;", true),
        ("am Ke5;", true),
        ("bm Ke5;", false),
        ("am Ke7 Kd7 Kf7;", false),
        ("dm 1;", false),
        ("bm Ke7 Kd7 Kf7; am Ke7 Kd7 Kf7;", false),
    ];
    let mut suite = String::from("# a comment\n\n");
    for (goals, _) in cases {
        let _ =
            writeln!(suite, "8/8/4K3/8/8/7k/8/8 w - - {goals} id \"{}\";", goals.replace(';', ""));
    }
    let text = output(analyse(&["-", "--depth", "8", "--check"]).write_stdin(suite));
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), cases.len() + 2, "{text}");
    for (row, (goals, solved)) in rows.iter().zip(cases) {
        assert_eq!(row.starts_with('+'), solved, "{row}");
        assert_eq!(row.contains("solved in "), solved, "{row}");
        assert_eq!(row.contains("not solved"), !solved, "{row}");
        assert!(row[2..].starts_with(&goals.replace(';', "")), "{row}");
    }
    assert_eq!(rows[cases.len()], "solved 4 of 8");
    assert!(rows[cases.len() + 1].starts_with("time to solution: median "), "{text}");
}

#[test]
fn epd_in_and_out() {
    let line = "8/8/4K3/8/8/7k/8/8 w - - hmvc 7; id \"a; run\"; c0 \"to \tthe goal\"; am Ke5;";
    let text = output(analyse(&["-", "--depth", "6", "--epd"]).write_stdin(line));
    assert!(text.starts_with(
        "8/8/4K3/8/8/7k/8/8 w - - hmvc 7; id \"a; run\"; c0 \"to \tthe goal\"; am Ke5; acd "
    ));
    let record = Record::read(Edition::default(), text.trim_end()).expect("a record");
    assert_eq!(record.position.halfmove_clock(), 7);
    assert_eq!(record.id(), Some("a; run"));
    let number = |code: &str| record.operands(code).and_then(|o| o[0].parse::<i64>().ok());
    assert_eq!(number("dm"), Some(2));
    // A win in two moves is one in three plies.
    assert_eq!(number("ce"), Some(32_764));
    assert!(number("acd") >= Some(1) && number("acn") >= Some(1) && number("acs") >= Some(0));
    assert_eq!(record.operands("pv").map(<[String]>::len), Some(3));
    // It asks already what not to play: no move is put into its mouth.
    assert_eq!(record.operands("bm"), None);
    assert_eq!(record.to_string(), text.trim_end());

    // Analysed again, the new finds replace the old; without a question the best move is the answer.
    let again = output(analyse(&["-", "--depth", "6", "--epd"]).write_stdin(text));
    assert_eq!(again.matches(" acd ").count(), 1);
    let fresh = output(&mut analyse(&["--fen", RUN, "--depth", "6", "--epd"]));
    let fresh = Record::read(Edition::default(), fresh.trim_end()).expect("a record");
    assert_eq!(fresh.operands("bm").map(|o| &o[0]), fresh.operands("pv").map(|o| &o[0]));
}

#[test]
fn bad_lines_are_named_and_the_others_are_done() {
    let input = "8/8/4K3/8/8/7k/8/8 w - - bm Ke7 Kd7 Kf7;\n\
        8/8/4K3/8/8/7k/8 w - - bm Ke7;\n\
        8/8/4K3/8/8/7k/8/8 w - - bm Qe7;\n\
        8/8/4K3/8/8/7k/8/8 w - - dm soon;\n\
        8/8/4K3/8/8/7k/8/8 w - - id \"no end;\n\
        8/8/4K3/8/8/7k/8/8 w - - id \"no question\";\n\
        8/8/4K3/8/8/7k/8/8 w - - 0 1 dm 2;\n";
    let (out, err) = failure(analyse(&["-", "--depth", "6", "--check"]).write_stdin(input), 1);
    assert!(out.contains("+ line 1: ") && out.contains("+ line 7: "), "{out}");
    assert!(out.contains("solved 2 of 2"), "{out}");
    let expected = "\
error: standard input, line 2: FEN: 7 rows instead of 8
error: standard input, line 3: bm: \"Qe7\" is not a legal move
error: standard input, line 4: dm: \"soon\" is no number from 1 to 10000
error: standard input, line 5: id: a quotation mark is missing
error: standard input, line 6: nothing to check: neither bm nor am nor dm
error: standard input: 5 lines were passed over
";
    assert_eq!(err, expected);
}

#[test]
fn errors_and_exit_codes() {
    let (_, err) = failure(&mut analyse(&["/does/not/exist.epd"]), 1);
    assert!(err.starts_with("error: /does/not/exist.epd: "), "{err}");
    let (_, err) = failure(&mut analyse(&["--moves", "e2e5"]), 1);
    assert_eq!(err, "error: move 1: \"e2e5\" is not a legal move\n");
    for usage in [
        &["--check"][..],
        &["--depth", "0"],
        &["--multipv", "0"],
        &["--json", "--epd"],
        &["--infinite", "--depth", "3"],
        &["suite.epd", "--fen", RUN],
        &["--lang", "de"],
    ] {
        let (out, err) = failure(&mut analyse(usage), 2);
        assert!(out.is_empty() && err.starts_with("error: "), "{usage:?}: {err}");
    }
    // The American spelling is the same command.
    let text = output(usurper().args(["analyze", "--fen", RUN, "--depth", "4"]));
    assert!(text.starts_with("White to move"), "{text}");
}

/// Ctrl-C ends an endless search, and what is known is told; a second signal at once, as `timeout -s INT` sends it, is no other wish.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_with_an_answer() {
    use rustix::process::{Pid, Signal, kill_process};
    let child = Command::new(env!("CARGO_BIN_EXE_usurper"))
        .args(["analyse", "--infinite", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_millis(700));
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    for _ in 0..2 {
        kill_process(pid, Signal::INT).expect("a process that nobody has waited for");
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut child = child;
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let answer = lines.next().expect("an answer").expect("UTF-8");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert!(answer["best"].is_string() && answer["depth"].as_u64() >= Some(1), "{answer}");
    assert!(child.wait().expect("it ends").success());
}
