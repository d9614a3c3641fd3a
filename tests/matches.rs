//! The match runner as a black box: engines good and bad, files that can be believed, and the cases of
//! `f-match` among the public reports, by their numbers.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use usurper::arena::pgn::{self, PgnGame};
use usurper::rules::Edition;

const USURPER: &str = env!("CARGO_BIN_EXE_usurper");

/// A folder of its own for each test, emptied first.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matches").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// The engine's description of a stub in these modes; quotation marks protect what is in them.
fn stub(modes: &str) -> String {
    format!("cmd=python3 {}/tests/stubs/stub.py {modes}", env!("CARGO_MANIFEST_DIR"))
}

fn good() -> String {
    format!("cmd={USURPER},name=good")
}

/// A match in a folder, few positions a move; its games go to `o.pgn` and `o.jsonl`.
fn command(dir: &Path, engines: &[String], arguments: &str) -> Command {
    let mut command = Command::new(USURPER);
    command.current_dir(dir).env_remove("RUST_LOG").env("STUB_ENGINE", USURPER).arg("match");
    for engine in engines {
        command.args(["--engine", engine]);
    }
    command.args(["--pgnout", "o.pgn", "--jsonout", "o.jsonl"]);
    command.args(["--seed", "1", "--concurrency", "1"]).args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a match left behind.
struct Outcome {
    code: Option<i32>,
    table: String,
    notes: String,
    games: Vec<PgnGame>,
    lines: Vec<Value>,
}

impl Outcome {
    /// How many games ended how.
    fn endings(&self) -> BTreeMap<&str, usize> {
        let mut endings = BTreeMap::new();
        for line in &self.lines {
            *endings.entry(line["ending"].as_str().expect("an ending")).or_default() += 1;
        }
        endings
    }

    /// The number of the engine that lost each game.
    fn losers(&self) -> Vec<Option<u64>> {
        let loser = |line: &Value| match line["result"].as_str() {
            Some("1-0") => line["black"].as_u64(),
            Some("0-1") => line["white"].as_u64(),
            _ => None,
        };
        self.lines.iter().map(loser).collect()
    }
}

fn read_games(path: &Path) -> Vec<PgnGame> {
    let Ok(file) = std::fs::File::open(path) else { return Vec::new() };
    let reader = pgn::Reader::new(std::io::BufReader::new(file), Edition::default());
    reader.map(|game| game.expect("a game")).collect()
}

fn read_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Runs a match to its end, and holds its two files against one another and against the judge.
#[track_caller]
fn play(mut command: Command) -> Outcome {
    let dir = command.get_current_dir().expect("a folder").to_owned();
    let output = command.output().expect("a match");
    let outcome = Outcome {
        code: output.status.code(),
        table: String::from_utf8(output.stdout).expect("text"),
        notes: String::from_utf8(output.stderr).expect("text"),
        games: read_games(&dir.join("o.pgn")),
        lines: read_lines(&dir.join("o.jsonl")),
    };
    check_files(&dir, &outcome.games, &outcome.lines);
    outcome
}

/// The game file holds the games of the results, move by move, and the judge agrees with each.
#[track_caller]
fn check_files(dir: &Path, games: &[PgnGame], lines: &[Value]) {
    assert_eq!(games.len(), lines.len());
    for (game, line) in games.iter().zip(lines) {
        let moves: Vec<String> = game.record.moves().iter().map(ToString::to_string).collect();
        assert_eq!(Value::from(moves), line["moves"]);
        assert_eq!(game.result.to_string(), line["result"].as_str().expect("a result"));
        assert_eq!(game.tag("Ending"), line["ending"].as_str());
    }
    if lines.is_empty() {
        return;
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(dir.join("judge.jsonl"), text).expect("written");
    let judge = Command::new(USURPER)
        .current_dir(dir)
        .args(["judge", "--jsonl", "judge.jsonl"])
        .output()
        .expect("a judge");
    let verdicts = String::from_utf8(judge.stdout).expect("text");
    assert_eq!(verdicts.lines().count(), lines.len());
    for (verdict, line) in verdicts.lines().zip(lines) {
        let verdict: Value = serde_json::from_str(verdict).expect("JSON");
        let result = match verdict["winner"].as_str() {
            Some("white") => "1-0",
            Some("black") => "0-1",
            Some(_) => "1/2-1/2",
            None => "*",
        };
        match line["ending"].as_str().expect("an ending") {
            "time" | "hang" | "illegal" | "crash" | "resignation" | "unfinished" => {
                assert_eq!(result, "*", "{line}");
            }
            ending => {
                assert_eq!(line["result"], result, "{line}");
                let reason = verdict["reason"].as_str().expect("a reason");
                let stem = if ending == "ultimatum" { "conquest" } else { ending };
                assert!(stem.starts_with(reason), "{ending}: {reason}");
            }
        }
    }
}

#[test]
fn two_engines_play_pairs_of_games() {
    let dir = folder("pairs");
    let engines = [good(), format!("cmd={USURPER},name=weak,nodes=30")];
    let outcome = play(command(&dir, &engines, "--nodes 300 --games 8 --concurrency 2"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.notes);
    assert_eq!(outcome.lines.len(), 8);
    assert!(outcome.table.contains("good against weak: 8 games"), "{}", outcome.table);
    let mut by_number: Vec<&Value> = outcome.lines.iter().collect();
    by_number.sort_by_key(|line| line["game"].as_u64());
    for pair in by_number.chunks(2) {
        // The same opening with both colours.
        let opening = |line: &Value| {
            let plies = line["opening"].as_u64().expect("plies") as usize;
            line["moves"].as_array().expect("moves")[..plies].to_vec()
        };
        assert_eq!(opening(pair[0]).len(), 8);
        assert_eq!(opening(pair[0]), opening(pair[1]));
        assert_eq!(pair[0]["white"], pair[1]["black"]);
    }
    let first = outcome.games.first().expect("a game");
    assert_eq!(first.comment(1), "book");
    assert!(
        first.comment(9).ends_with('s') && first.comment(9).contains('/'),
        "{}",
        first.comment(9)
    );
}

/// Every kind of fault loses for the one who did it, in every game, whatever its colour; and the
/// engine plays the next game.
#[test]
fn faults_lose() {
    for (name, modes, ending) in [
        ("garbage", "move=xyzzy", "illegal"), // B209
        ("zeros", "move=0000", "illegal"),    // B211, and the next three
        ("none", "'move=(none)'", "illegal"),
        ("same-square", "move=a1a1", "illegal"),
        ("empty", "move=", "illegal"),
        ("crash", "crash=3", "crash"), // B213
        ("crash-at-once", "crash=0", "crash"),
        ("killed", "killed=2", "crash"),
    ] {
        let dir = folder(name);
        let engines = [stub(modes), good()];
        let outcome = play(command(&dir, &engines, "--nodes 50 --games 4 --concurrency 2"));
        assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.notes);
        assert_eq!(outcome.endings(), BTreeMap::from([(ending, 4)]), "{name}: {}", outcome.notes);
        assert_eq!(outcome.losers(), [Some(0); 4], "{name}");
        assert!(outcome.notes.contains(ending), "{name}: {}", outcome.notes);
        let termination = if ending == "illegal" { "illegal move" } else { "abandoned" };
        assert!(outcome.games.iter().all(|game| game.tag("Termination") == Some(termination)));
        assert!(outcome.table.contains(&format!("{ending} 4")), "{}", outcome.table);
        if name == "crash" {
            // With the last lines of the engine, and how it ended.
            assert!(outcome.notes.contains("king != NULL"), "{}", outcome.notes);
            assert!(outcome.notes.contains("exit status: 3"), "{}", outcome.notes);
        }
    }
}
