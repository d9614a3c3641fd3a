//! `usurper judge` from outside: the vectors through `--jsonl`, bad lines of all kinds, the forms of
//! output, exit codes.

mod random;
mod reference;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command as Run;
use random::Random;
use reference::{Board, Game};
use serde_json::{Value, json};
use usurper::rules::Edition;

fn usurper() -> Run {
    Run::new(env!("CARGO_BIN_EXE_usurper"))
}

/// Judges lines by `--jsonl -`; the answers, one for each line.
fn judge_lines(input: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = usurper().args(["judge", "--jsonl", "-"]).write_stdin(input).assert().success();
    let output = output.get_output();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Judges one game by arguments and `--json`.
fn judge(arguments: &[&str]) -> Value {
    let output = usurper().arg("judge").args(arguments).arg("--json").assert().success();
    serde_json::from_slice(&output.get_output().stdout).expect("one object")
}

/// The standard error of a call that fails with this exit code, and its standard output.
fn failure(code: i32, arguments: &[&str]) -> (String, String) {
    let assert = usurper().args(arguments).assert().code(code);
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stderr), text(&output.stdout))
}

fn vectors(file: &str) -> Vec<Value> {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors lie beside the tests");
    text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

/// One line for each value.
fn lines(values: &[Value]) -> String {
    values.iter().fold(String::new(), |mut text, value| {
        let _ = writeln!(text, "{value}"); // writing to a String cannot fail
        text
    })
}

#[test]
fn all_games_of_the_vectors() {
    let games = vectors("games.jsonl");
    let answers = judge_lines(lines(&games));
    assert_eq!(answers.len(), games.len());
    for (game, answer) in games.iter().zip(&answers) {
        assert_eq!(answer["edition"], game["edition"]);
        for (field, expected) in
            [("winner", "winner"), ("reason", "reason"), ("plies", "plies"), ("fen", "final_fen")]
        {
            assert_eq!(answer[field], game[expected], "{field} of {game}");
        }
    }
}

#[test]
fn all_move_lists_of_the_vectors() {
    let cases = vectors("moves.jsonl");
    let answers = judge_lines(lines(&cases).replace("\"moves\":", "\"unknown\":"));
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(&answers) {
        let result =
            if case["result"].is_null() { json!([null, null]) } else { case["result"].clone() };
        assert_eq!(json!([answer["winner"], answer["reason"]]), result, "{case}");
        assert_eq!(answer["in_check"], case["in_check"], "{case}");
        assert_eq!(answer["moves"], case["moves"], "{case}");
    }
}

#[test]
fn the_record() {
    let answers = judge_lines(
        "{\"edition\":\"chess\",\"moves\":[\"e4\",\"e5\",\"Bc4\",\"Nc6\",\"Qh5\",\"Nf6\",\"Qxf7#\"]}\n",
    );
    let expected = json!([{
        "edition": "chess",
        "fen": "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
        "winner": "white",
        "reason": "checkmate",
        "plies": 7,
        "in_check": true,
        "repetitions": 1,
        "moves": [],
    }]);
    assert_eq!(json!(answers), expected);
    // The fields come in this order.
    let output = usurper().args(["judge", "--jsonl", "-"]).write_stdin("{}\n").assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8");
    let start = "{\"edition\":\"captureorconquer\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\",\
        \"winner\":null,\"reason\":null,\"plies\":0,\"in_check\":false,\"repetitions\":1,\"moves\":[[\"a2a3\",\"a3\"],";
    assert!(text.starts_with(start), "{text}");
    assert!(text.ends_with("[\"h2h4\",\"h4\"]]}\n"), "{text}");
}

#[test]
fn what_is_left_out_of_a_line() {
    let whole = json!({
        "edition": "captureorconquer",
        "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "moves": [],
    });
    let answers = judge_lines(
        [
            whole.to_string().as_str(),
            "{}",
            "{\"edition\":null,\"fen\":null,\"moves\":null}",
            "  { \"moves\" : [ ] , \"comment\" : { \"any\" : [ 1 ] } }\r",
            "{\"edition\":\"captureorconquer\"}",
            "{\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"}",
        ]
        .join("\n"), // the last line without its end
    );
    assert_eq!(answers.len(), 6);
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer["plies"] == 0));

    // The edition given outside is that of lines without one.
    let run = usurper()
        .args(["judge", "--variant", "normal", "--jsonl", "-"])
        .write_stdin("{}\n{\"edition\":\"captureorconquer-classic\"}\n")
        .assert()
        .success();
    let text = String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8");
    let editions: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["edition"].take())
        .collect();
    assert_eq!(editions, ["chess", "captureorconquer-classic"]);
}

/// A recorded result is compared; that somebody gave up or that nothing was recorded is none.
#[test]
fn recorded_results_are_compared() {
    // The King on e8 is taken.
    let game = |more: &str| {
        format!("{{\"fen\":\"4k3/8/8/8/8/8/4R3/K7 w - - 0 1\",\"moves\":[\"e2e8\"]{more}}}\n")
    };
    let good = [
        "",
        ",\"winner\":\"white\",\"reason\":\"capture\"",
        ",\"winner\":\"white\"",
        ",\"reason\":\"capture\"",
    ];
    let answers = judge_lines(good.map(game).concat() + "{\"winner\":null,\"reason\":null}\n");
    let agrees: Vec<Value> = answers.iter().map(|answer| answer["agrees"].clone()).collect();
    assert_eq!(agrees, [Value::Null, true.into(), true.into(), true.into(), true.into()]);

    let bad = [
        ",\"winner\":\"black\",\"reason\":\"capture\"",
        ",\"winner\":\"white\",\"reason\":\"conquest\"",
        ",\"winner\":null",
    ];
    let input = game("") + &bad.map(game).concat() + &game(good[1]);
    let run = usurper().args(["judge", "--jsonl", "-"]).write_stdin(input).assert().code(1);
    let output = run.get_output();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().count(), 5, "all lines are answered");
    assert_eq!(text.matches("\"agrees\":false").count(), 3, "{text}");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("3 of 5 lines record another result, the first is line 2"), "{error}");
}

#[test]
fn move_numbers_are_passed_over() {
    let moves = |list: &str| {
        let run = usurper().args(["judge", "--json", "--moves", list]).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
    };
    let plain = moves("e4 e5 Nf3 Nc6");
    assert_eq!(moves("1. e4 e5 2. Nf3 Nc6"), plain);
    assert_eq!(moves("1.e4 1...e5 2.Nf3 2... Nc6"), plain);
    let (error, _) = failure(1, &["judge", "--moves", "1. e4 e4"]);
    assert!(error.contains("move 2: \"e4\""), "{error}");
}

#[test]
fn bad_lines_are_answered_and_the_run_goes_on() {
    let bad: &[(&[u8], &str, Option<u64>)] = &[
        (b"", "JSON: the line is not an object", None),
        (b"   ", "JSON: the line is not an object", None),
        (b"nonsense", "JSON: the line is not an object", None),
        (b"[\"chess\",null,[]]", "JSON: the line is not an object", None),
        (b"null", "JSON: the line is not an object", None),
        (b"{", "JSON: EOF while parsing an object at line 1 column 1", None),
        (b"{\"moves\":[\"e2e4\"]", "JSON: EOF while parsing an object at line 1 column 17", None),
        (b"{} {}", "JSON: trailing characters at line 1 column 4", None),
        (
            b"{\"moves\":\"e2e4\"}",
            "JSON: invalid type: string \"e2e4\", expected a sequence at line 1 column 15",
            None,
        ),
        (
            b"{\"moves\":[1]}",
            "JSON: invalid type: integer `1`, expected a string at line 1 column 11",
            None,
        ),
        (
            b"{\"fen\":7}",
            "JSON: invalid type: integer `7`, expected a string at line 1 column 8",
            None,
        ),
        (b"{\"fen\":\"\xff\"}", "JSON: invalid unicode code point at line 1 column 9", None),
        (b"\xff\xfe", "JSON: the line is not an object", None),
        (b"{\"moves\":[],\"moves\":[]}", "JSON: duplicate field `moves` at line 1 column 19", None),
        (
            b"{\"edition\":\"checkers\"}",
            "no edition 'checkers': the editions are captureorconquer, captureorconquer-classic, chess (or normal), \
             the board games alquerque, konane, fanorona, seega, surakarta",
            None,
        ),
        (b"{\"fen\":\"7 w - -\"}", "FEN: 1 row instead of 8", None),
        (b"{\"fen\":\"\"}", "FEN: the placement is missing", None),
        (b"{\"fen\":\"7 w - -\",\"moves\":[\"e2e4\"]}", "FEN: 1 row instead of 8", None),
        (b"{\"moves\":[\"e2e5\"]}", "move 1: \"e2e5\" is not a legal move", Some(1)),
        (
            b"{\"moves\":[\"e2e4\",\"e7e5\",\"e4e5\"]}",
            "move 3: \"e4e5\" is not a legal move",
            Some(3),
        ),
        (b"{\"moves\":[\"e2e4\",\"what\"]}", "move 2: \"what\" is not a move", Some(2)),
        (b"{\"moves\":[\"e2e4\",\"\"]}", "move 2: \"\" is not a move", Some(2)),
        (b"{\"moves\":[\"e2e4\",\"a\\nb\\u0000\"]}", "move 2: \"a\\nb\\0\" is not a move", Some(2)),
        (
            b"{\"fen\":\"4k3/K7/8/8/8/8/8/8 w - -\",\"moves\":[\"a7a8\",\"e8e7\"]}",
            "move 2: \"e8e7\" comes after the end of the game, white by conquest",
            Some(2),
        ),
        (
            b"{\"fen\":\"K3k3/8/8/8/8/8/8/8 b - -\",\"moves\":[\"e8e7\"]}",
            "move 1: \"e8e7\" comes after the end of the game, white by conquest",
            Some(1),
        ),
        (
            b"{\"edition\":\"chess\",\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\",\"a3\"]}",
            "move 5: \"a3\" comes after the end of the game, black by checkmate",
            Some(5),
        ),
        (
            b"{\"fen\":\"4k3/8/8/8/8/8/8/N3K3 w - -\",\"edition\":\"chess\",\"moves\":[\"Nb3\"]}",
            "move 1: \"Nb3\" comes after the end of the game, draw by insufficient",
            Some(1),
        ),
        (
            b"{\"fen\":\"4k3/8/8/8/8/2N3N1/8/4K3 w - -\",\"moves\":[\"Ne2\"]}",
            "move 1: \"Ne2\" may be c3e2 or g3e2",
            Some(1),
        ),
    ];
    let mut input = Vec::new();
    for (line, ..) in bad {
        input.extend_from_slice(line);
        input.extend_from_slice(b"\n{\"moves\":[\"e2e4\"]}\n");
    }
    let answers = judge_lines(input);
    assert_eq!(answers.len(), 2 * bad.len());
    for (pair, (line, error, at)) in answers.chunks(2).zip(bad) {
        let expected = json!({"error": error, "at": at});
        assert_eq!(pair[0], expected, "{}", String::from_utf8_lossy(line));
        assert_eq!(pair[1]["plies"], 1, "the line after it");
    }
}

#[test]
fn a_very_long_line() {
    let shuffle = ["b1c3", "b8c6", "c3b1", "c6b8"];
    let moves: Vec<&str> = shuffle.into_iter().cycle().take(400_000).collect();
    let too_many = json!({ "moves": moves }).to_string();
    let endless = "x".repeat(40 << 20);
    let answers = judge_lines(format!("{too_many}\n{{}}\n{endless}\n{{}}\n"));
    assert_eq!(answers.len(), 4);
    assert_eq!(
        answers[0],
        json!({
            "error": "move 9: \"b1c3\" comes after the end of the game, white by repetition",
            "at": 9,
        })
    );
    assert_eq!(answers[2], json!({"error": "the line is longer than 16 MiB", "at": null}));
    assert!(answers[1]["plies"] == 0 && answers[3] == answers[1]);
}

/// A partner that sends a line and waits is answered before it sends the next.
#[test]
fn an_answer_does_not_wait_for_more_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_usurper"))
        .args(["judge", "--jsonl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for plies in 0..3 {
        let moves = vec!["e2e4", "e7e5"].into_iter().take(plies).collect::<Vec<_>>();
        writeln!(input, "{}", json!({ "moves": moves })).expect("a living program");
        let answer = output.next().expect("an answer").expect("readable");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["plies"], plies);
    }
    drop(input);
    assert!(output.next().is_none());
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn who_stops_reading_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_usurper"))
        .args(["judge", "--jsonl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    for _ in 0..100_000 {
        if input.write_all(b"{}\n").is_err() {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_hundred_thousand_lines_take_seconds() {
    let mut random = Random::new(9);
    let openings = [
        vec![],
        vec!["e2e4", "e7e5", "e1e2", "e8e7"],
        vec!["d4", "d5", "c4", "dxc4", "Nc3", "Nf6"],
        vec!["g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7"],
    ];
    let editions = ["captureorconquer", "captureorconquer-classic", "chess"];
    let mut input = String::new();
    for number in 0..100_000 {
        let moves = &openings[random.below(openings.len())];
        let line = json!({"edition": editions[random.below(3)], "moves": moves, "number": number});
        let _ = writeln!(input, "{line}");
    }
    let start = Instant::now();
    let run = usurper().args(["judge", "--jsonl", "-"]).write_stdin(input).assert().success();
    assert_eq!(run.get_output().stdout.split(|&byte| byte == b'\n').count(), 100_001);
    // Some two seconds on two cores; minutes would be wrong.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn answers_come_in_the_order_of_the_lines() {
    let mut input = String::new();
    for number in 0..20_000 {
        let shuffle = ["b1c3", "b8c6", "c3b1", "c6b8"];
        let moves: Vec<&str> = shuffle.into_iter().cycle().take(number % 7).collect();
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 {}", number + 1);
        let _ = writeln!(input, "{}", json!({"fen": fen, "moves": moves}));
    }
    for (number, answer) in judge_lines(input).iter().enumerate() {
        let fen = answer["fen"].as_str().expect("a FEN");
        let fullmove = (number + 1 + number % 7 / 2).to_string();
        assert_eq!(fen.rsplit(' ').next(), Some(fullmove.as_str()), "line {number}");
        assert_eq!(answer["plies"], number % 7);
    }
}

#[test]
fn a_game_by_arguments() {
    let expected = judge(&["--moves", "e2e4", "e7e5", "Nf3"]);
    assert_eq!(expected["fen"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b - - 1 2");
    assert_eq!(expected["plies"], 3);
    for same in [
        &["--moves", "e2e4 e7e5 Nf3"][..],
        &["--moves", " e2e4  e7e5", "Nf3 "],
        &["--moves", "e2e4", "e7e5", "--variant", "captureorconquer", "--moves", "Nf3"],
        &["--moves", "e4", "e5", "Cf3", "--letters", "pt"],
        &[
            "--fen",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "--moves",
            "e4 e5 Nf3",
        ],
    ] {
        let mut answer = judge(same);
        if same.contains(&"pt") {
            assert!(answer["moves"].to_string().contains("\"Cc6\""));
            answer["moves"] = expected["moves"].clone();
        }
        assert_eq!(answer, expected, "{same:?}");
    }
    // No moves at all, and chess by its other name.
    assert_eq!(judge(&["--moves"])["plies"], 0);
    assert_eq!(judge(&["--variant", "normal"])["edition"], "chess");
}

#[test]
fn moves_that_end_the_game() {
    let arrival = judge(&["--fen", "4k3/1K6/8/8/8/8/6p1/8 w - - 0 1"]);
    let white = |m: &str| json!([m, "white", "conquest"]);
    assert_eq!(arrival["ending_moves"], json!([white("b7a8"), white("b7b8"), white("b7c8")]));

    // Who repeats a third time loses, unless he is forced.
    let shuffle = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1";
    let free = judge(&["--moves", shuffle]);
    assert_eq!(free["ending_moves"], json!([["c6b8", "white", "repetition"]]));
    assert_eq!((free["repetitions"].as_u64(), &free["winner"]), (Some(2), &Value::Null));
    let over = judge(&["--moves", &format!("{shuffle} c6b8")]);
    assert_eq!(over["ending_moves"], json!([]));
    assert_eq!((&over["winner"], &over["reason"]), (&json!("white"), &json!("repetition")));
    assert_eq!((over["repetitions"].as_u64(), &over["moves"]), (Some(3), &json!([])));
    let drawn = judge(&["--variant", "chess", "--moves", shuffle]);
    assert_eq!(drawn["ending_moves"], json!([["c6b8", "draw", "repetition"]]));

    let forced = judge(&[
        "--fen",
        "7k/8/8/8/p1p5/P1Pp4/RB1P4/1KB5 b - - 0 1",
        "--moves",
        "h8g8 b1a1 g8h8 a1b1 h8g8 b1a1 g8h8",
    ]);
    assert_eq!(forced["ending_moves"], json!([["a1b1", "white", "repetition"]]));
    assert_eq!(forced["moves"], json!([["a1b1", "Kb1"]]));
}

/// The record of positions in the midst of games against the naive statement of the rules.
#[test]
fn records_agree_with_the_reference() {
    let mut random = Random::new(31);
    let (mut input, mut expected) = (String::new(), Vec::new());
    for edition in Edition::ALL {
        for _ in 0..30 {
            let fen = random::thrown_position(&mut random, edition);
            let board = Board::from_fen(edition, &fen);
            if !board.is_acceptable()
                || edition == Edition::Chess && board.king_attacked(!board.white)
            {
                continue;
            }
            let mut game = Game::new(board);
            let mut moves = Vec::new();
            for _ in 0..random.below(12) {
                let steps = game.board.steps();
                if game.result.is_some() {
                    break;
                }
                let step = &steps[random.below(steps.len())];
                moves.push(if random.chance(50) { step.san(&steps) } else { step.coordinates() });
                game.play(step);
            }
            let _ = writeln!(
                input,
                "{}",
                json!({"edition": edition.name(), "fen": fen, "moves": moves})
            );
            let steps = if game.result.is_some() { vec![] } else { game.board.steps() };
            let mut listed: Vec<_> =
                steps.iter().map(|step| (step.coordinates(), step.san(&steps))).collect();
            listed.sort();
            expected.push(json!({
                "edition": edition.name(),
                "fen": game.board.fen(),
                "winner": game.result.map(|(winner, _)| winner),
                "reason": game.result.map(|(_, reason)| reason),
                "plies": moves.len(),
                "in_check": game.board.king_attacked(game.board.white),
                "repetitions": game.repetitions(),
                "moves": listed,
            }));
        }
    }
    assert!(expected.len() > 60);
    assert_eq!(judge_lines(input), expected);
}

#[test]
fn the_text_for_people() {
    let run = usurper()
        .args(["judge", "--fen", "4k3/1K6/8/8/8/8/6p1/8 w - - 0 1", "--moves", "b7c7", "g2g1q"])
        .assert()
        .success();
    let text = String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8");
    let expected = "\
8  . . . . k . . .
7  . . K . . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  . . . . . . . .
1  . . . . . . q .

   a b c d e f g h

Edition   captureorconquer
FEN       4k3/2K5/8/8/8/8/8/6q1 w - - 0 2
Played    2 plies
To move   White
Stands    for the first time
Result    none yet

8 legal moves:
  c7b6 Kb6   c7b7 Kb7   c7b8 Kb8   c7c6 Kc6   c7c8 Kc8   c7d6 Kd6   c7d7 Kd7
  c7d8 Kd8

Moves that end the game:
  c7b8 Kb8  White wins by conquest
  c7c8 Kc8  White wins by conquest
";
    assert_eq!(text, expected);

    let over = usurper().args(["judge", "--fen", "8/8/4K3/8/8/8/8/8 b - - 3 9"]).assert().success();
    let text = String::from_utf8(over.get_output().stdout.clone()).expect("UTF-8");
    assert!(text.ends_with("Result    White wins by capture\n"), "{text}");
}

#[test]
fn errors_and_exit_codes() {
    let (error, output) = failure(1, &["judge", "--moves", "e2e4", "e2e4"]);
    assert_eq!(
        (error.as_str(), output.as_str()),
        ("error: move 2: \"e2e4\" is not a legal move\n", "")
    );
    let (error, output) = failure(1, &["judge", "--json", "--moves", "e2e4", "e2e4"]);
    assert_eq!(error, "error: move 2: \"e2e4\" is not a legal move\n");
    assert_eq!(output, "{\"error\":\"move 2: \\\"e2e4\\\" is not a legal move\",\"at\":2}\n");
    let (error, output) = failure(1, &["judge", "--json", "--fen", "7"]);
    assert_eq!(error, "error: FEN: 1 row instead of 8\n");
    assert_eq!(output, "{\"error\":\"FEN: 1 row instead of 8\",\"at\":null}\n");
    let (error, _) = failure(1, &["judge", "--jsonl", "/does/not/exist"]);
    assert!(error.starts_with("error: /does/not/exist: "), "{error}");

    for usage in [
        &["judge", "--variant", "checkers"][..],
        &["judge", "--what"],
        &["judge", "e2e4"],
        &["judge", "--fen"],
        &["judge", "--jsonl"],
        &["judge", "--jsonl", "-", "--moves", "e2e4"],
        &["judge", "--jsonl", "-", "--json"],
        &["judge", "--letters", "de"],
    ] {
        let (error, output) = failure(2, usage);
        assert!(error.starts_with("error: ") && output.is_empty(), "{usage:?}: {error}");
    }
    let (error, _) = failure(2, &["judge", "--variant", "checkers"]);
    let editions = "captureorconquer, captureorconquer-classic, chess (or normal)";
    assert!(error.contains(editions), "{error}");

    let help = usurper().args(["judge", "--help"]).assert().success();
    let help = String::from_utf8(help.get_output().stdout.clone()).expect("UTF-8");
    assert!(help.contains("Examples:\n  usurper judge --moves"), "{help}");
}
