//! The match runner as a black box: engines good and bad, files that can be believed, and the cases of
//! `f-match` among the public reports, by their numbers.

mod common;

#[path = "matches/breakage.rs"]
mod breakage;
#[cfg(unix)]
#[path = "matches/terminal.rs"]
mod terminal;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

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
    format!("cmd=python3 -IS {}/tests/stubs/stub.py {modes}", env!("CARGO_MANIFEST_DIR"))
}

/// The same of the stub that speaks XBoard's protocol.
fn xboard_stub(modes: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    format!("cmd=python3 -IS {root}/tests/stubs/xboard_stub.py {modes},proto=xboard")
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

    /// The moves and the result of each game by its number.
    fn by_number(&self) -> BTreeMap<u64, (&Value, &Value)> {
        let game = |line: &'_ Value| line["game"].as_u64().expect("a number");
        self.lines.iter().map(|line| (game(line), (&line["moves"], &line["result"]))).collect()
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
                // Finer names for two of the judge's reasons.
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

/// Engines that speak XBoard's protocol, with more or fewer of its features, play whole games; what one claims of
/// the result is not believed. Our own engine is one of them, over either protocol.
#[test]
fn engines_of_xboards_protocol_play() {
    for (name, engine) in [
        ("x-own", format!("cmd={USURPER},proto=xboard,option.memory=8")),
        ("x-sound", xboard_stub("log=sent")),
        ("x-bare", xboard_stub("no-ping no-done once")),
        ("x-claims", xboard_stub("late=0.3 claim")),
    ] {
        let dir = folder(name);
        let arguments = "--depth 2 --games 4 --concurrency 2";
        let outcome = play(command(&dir, &[engine, good()], arguments));
        assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.notes);
        assert_eq!(outcome.lines.len(), 4, "{name}: {}", outcome.notes);
        for line in &outcome.lines {
            let ending = line["ending"].as_str().expect("an ending");
            assert!(["capture", "conquest", "ultimatum", "no-moves"].contains(&ending), "{line}");
        }
        if name == "x-sound" {
            let sent = std::fs::read_to_string(dir.join("sent")).expect("a log");
            for expected in ["protover 2", "variant captureorconquer", "sd 2", "rejected strange"] {
                assert!(sent.lines().any(|line| line.ends_with(expected)), "{expected}");
            }
        }
    }
}

/// B277 (cutechess/cutechess#695): the scores of both sides are written, whichever protocol they speak.
#[test]
fn b277_both_sides_have_scores() {
    let dir = folder("b277");
    let engines = [format!("cmd={USURPER},proto=xboard,name=x"), good()];
    let outcome = play(command(&dir, &engines, "--depth 3 --games 2"));
    assert_eq!(outcome.games.len(), 2, "{}", outcome.notes);
    for game in &outcome.games {
        // After the moves of the opening: a score in pawns or to the end, and the depth.
        for ply in 9..=game.record.moves().len() {
            let comment = game.comment(ply);
            let (score, rest) = comment.split_once('/').expect("a score");
            assert!(score.starts_with(['+', '-']) || score == "0.00", "{comment}");
            let depth = rest.split(' ').next().and_then(|depth| depth.parse::<u32>().ok());
            assert!(depth.is_some_and(|depth| (1..=3).contains(&depth)), "{comment}");
        }
    }
}

/// They lose by the same faults, and are refused for what they cannot do.
#[test]
fn faults_over_xboards_protocol() {
    for (name, modes, ending) in [
        ("x-garbage", "move=xyzzy", "illegal"),
        ("x-crash", "crash=3", "crash"),
        ("x-refuse", "refuse=2", "illegal"),
        ("x-resign", "resign=2", "resignation"),
    ] {
        let dir = folder(name);
        let outcome = play(command(&dir, &[xboard_stub(modes), good()], "--depth 1 --games 2"));
        assert_eq!(outcome.endings(), BTreeMap::from([(ending, 2)]), "{name}: {}", outcome.notes);
        assert_eq!(outcome.losers(), [Some(0); 2], "{name}");
    }
    for (name, modes, arguments, told) in [
        ("x-chess-only", "normal", "--depth 1", "captureorconquer"),
        ("x-no-setboard", "no-setboard", "--depth 1", "setboard"),
        ("x-nodes", "", "--nodes 100", "positions"),
        ("x-silent", "silent", "--depth 1 --patience 1", "feature done=1"),
    ] {
        let dir = folder(name);
        let outcome = play(command(&dir, &[xboard_stub(modes), good()], arguments));
        assert_eq!(outcome.code, Some(1), "{name}: {}", outcome.notes);
        assert!(outcome.notes.contains(told), "{name}: {}", outcome.notes);
        assert!(outcome.lines.is_empty());
    }
}

/// An engine that does not answer, or floods, is not waited for beyond the patience asked for, and takes
/// no memory.
#[track_caller]
fn loses_by_a_hang(mode: &str) {
    let dir = folder(mode);
    let arguments = "--nodes 50 --games 2 --concurrency 2 --patience 5";
    let mut child = command(&dir, &[stub(mode), good()], arguments).spawn().expect("a match");
    let mut peak = 0;
    let status = loop {
        peak = peak.max(peak_kib(&child));
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None => sleep(Duration::from_millis(100)),
        }
    };
    assert_eq!(status.code(), Some(0));
    let (games, lines) = (read_games(&dir.join("o.pgn")), read_lines(&dir.join("o.jsonl")));
    check_files(&dir, &games, &lines);
    let endings: Vec<&Value> = lines.iter().map(|line| &line["ending"]).collect();
    assert_eq!(endings, ["hang", "hang"]);
    assert!(
        lines.iter().all(|line| line["result"] == if line["white"] == 0 { "0-1" } else { "1-0" })
    );
    assert!(peak < 100 << 10, "{peak} KiB");
}

/// The most memory that a process has used, where the system tells; else 0.
fn peak_kib(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

#[test]
fn no_answer_loses() {
    loses_by_a_hang("mute");
}

#[test]
fn a_flood_loses() {
    loses_by_a_hang("flood");
}

#[test]
fn a_flood_without_lines_loses() {
    loses_by_a_hang("flood=line");
}

/// Nothing is played with an engine that cannot play: the message names it.
#[test]
fn what_cannot_be_played_is_refused_at_once() {
    let book = folder("refused-books").join("book.epd.gz");
    std::fs::write(&book, b"\x1f\x8b\x08\x00junk").expect("a file");
    let book = format!("--openings {}", book.display());
    for (name, engine, arguments, told) in [
        ("no-file", "/no/such/file".into(), "", "/no/such/file"), // B215
        ("silent", stub("silent"), "--patience 1", "no uciok"),
        ("option", format!("cmd={USURPER},option.Hsah=1"), "", "Hsah"),
        ("range", format!("cmd={USURPER},option.Hash=0"), "", "Hash"),
        ("variant", format!("cmd={USURPER},variant=shogi"), "", "shogi"),
        ("key", format!("cmd={USURPER},hash=1"), "", "hash"),
        ("gzip", good(), &book, "gzip"), // B227
        ("sprt", good(), "--sprt elo0=5 elo1=0", "elo0"),
    ] {
        let dir = folder(name);
        let outcome = play(command(&dir, &[good(), engine], arguments));
        assert_eq!(outcome.code, Some(1), "{name}: {}", outcome.notes);
        assert!(outcome.notes.contains(told), "{name}: {}", outcome.notes);
        assert!(!outcome.notes.contains("panicked"), "{name}: {}", outcome.notes);
        assert!(outcome.lines.is_empty());
    }
    let one = command(&folder("one"), &[good()], "").output().expect("a match");
    assert_eq!(one.status.code(), Some(1));
}

/// B235, B237: the clock is the runner's; its margin is an option; losses on time are counted once.
#[test]
fn late_moves_lose_beyond_the_margin() {
    let late = [stub("slow=1.02"), good()];
    let dir = folder("late");
    let outcome = play(command(&dir, &late, "--tc 1+0 --games 2 --random-plies 2 --timemargin 0"));
    assert_eq!(outcome.endings(), BTreeMap::from([("time", 2)]));
    assert_eq!(outcome.losers(), [Some(0); 2]);
    assert!(outcome.table.contains("ended by: time 2"), "{}", outcome.table);
    assert!(outcome.games.iter().all(|game| game.tag("Termination") == Some("time forfeit")));
    let dir = folder("late-forgiven");
    let arguments = "--tc 1+0 --games 2 --random-plies 2 --max-plies 4 --timemargin 60000";
    let outcome = play(command(&dir, &late, arguments));
    assert_eq!(outcome.endings(), BTreeMap::from([("unfinished", 2)]), "{}", outcome.notes);
}

/// B239: minutes and seconds, as the engine hears of them.
#[test]
fn b239_the_first_go() {
    let dir = folder("b239");
    let arguments = "--tc 40/1:30+1 --games 2 --random-plies 2 --max-plies 3";
    play(command(&dir, &[stub("quick log=sent"), format!("{},nodes=50", good())], arguments));
    let sent = std::fs::read_to_string(dir.join("sent")).expect("a log");
    let go = sent.lines().find(|line| line.contains(" go ")).expect("a go line");
    assert!(go.contains("time 90000") && go.contains("movestogo 40"), "{go}");
}

/// B217, B219, B241: whatever stops the runner, what was finished stays, no engine is left, and the
/// resumed match has each game once, in both files.
#[cfg(unix)]
#[test]
fn stopped_matches_are_resumed() {
    let dir = folder("resumed");
    let engines = [stub("log=sent"), good()];
    let games = "--nodes 400 --games 16 --concurrency 2";
    let start = |more: &str| -> Child {
        let mut command = command(&dir, &engines, &format!("{games} {more}"));
        command.stdout(Stdio::null()).spawn().expect("a match")
    };
    let finished = || read_lines_whole(&dir.join("o.jsonl"));

    let mut child = start("");
    wait_until("two games", || finished() >= 2);
    child.kill().expect("killed"); // as kill -9 does
    child.wait().expect("an end");
    wait_until("no engine", || running(&dir.join("sent")) == 0);
    let after_kill = finished();
    // As if it had been killed while it wrote.
    append(&dir.join("o.pgn"), "[Event \"half a ga");
    append(&dir.join("o.jsonl"), "{\"game\":9,\"whi");

    let mut again = start("--resume");
    wait_until("four games", || finished() >= after_kill + 2);
    let mut before = after_kill;
    for name in ["-INT", "-TERM"] {
        signal(name, &again);
        let output = wait_with_stderr(&mut again);
        assert!(output.1.contains("--resume"), "{name}: {}", output.1);
        assert_eq!(output.0, Some(1), "{name}");
        assert_eq!(running(&dir.join("sent")), 0, "{name}");
        check_files(&dir, &read_games(&dir.join("o.pgn")), &read_lines(&dir.join("o.jsonl")));
        if name == "-INT" {
            before = finished().max(before);
            again = start("--resume");
            wait_until("another game", || finished() > before);
        }
    }

    let refused = play_unchecked(command(&dir, &engines, games));
    assert!(refused.contains("o.pgn exists"), "{refused}");
    let other = play_unchecked(command(&dir, &engines, "--nodes 300 --games 16 --resume"));
    assert!(other.contains("not the same match"), "{other}");

    let outcome = play(command(&dir, &engines, &format!("{games} --resume")));
    assert_eq!(outcome.code, Some(0), "{}", outcome.notes);
    let mut numbers: Vec<u64> =
        outcome.lines.iter().map(|line| line["game"].as_u64().expect("a number")).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..16).collect::<Vec<u64>>());
    assert!(outcome.table.contains(": 16 games"), "{}", outcome.table);

    // The very games of a match that nothing stopped.
    let whole = play(command(&folder("not-resumed"), &engines, games));
    assert_eq!(outcome.by_number(), whole.by_number());
}

/// An engine that does not go when told to is killed, and what it has started too.
#[cfg(unix)]
#[test]
fn engines_that_stay_are_killed() {
    let dir = folder("stay");
    let outcome =
        play(command(&dir, &[stub("ignore-eof log=sent"), good()], "--nodes 300 --games 2"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.notes);
    assert_eq!(running(&dir.join("sent")), 0);
}

/// A disk that is full stops the match; no game counts that was not written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let dir = folder("full");
    let mut command = command(&dir, &[good(), good()], "--nodes 20 --games 4");
    command.args(["--pgnout", "/dev/full"]);
    let output = command.output().expect("a match");
    assert_eq!(output.status.code(), Some(1));
    let notes = String::from_utf8(output.stderr).expect("text");
    assert!(notes.contains("/dev/full"), "{notes}");
    assert_eq!(read_lines(&dir.join("o.jsonl")).len(), 0);
}

/// B221: three bad scores in a row of the same engine, its own third move being the last.
#[test]
fn b221_resignation_counts_one_engine() {
    let dir = folder("b221");
    let arguments = "--nodes 30 --games 2 --resign movecount=3 score=600 --random-plies 2";
    // In quotation marks, as the score has a blank in it.
    let outcome = play(command(&dir, &[stub("'score=cp -900'"), good()], arguments));
    assert_eq!(outcome.endings(), BTreeMap::from([("resignation", 2)]), "{}", outcome.notes);
    assert_eq!(outcome.losers(), [Some(0); 2]);
    for (game, line) in outcome.games.iter().zip(&outcome.lines) {
        let by_stub = (3..=game.record.moves().len())
            .filter(|&ply| game.comment(ply).starts_with("-9.00/"))
            .count();
        assert_eq!(by_stub, 3);
        assert!(game.comment(line["moves"].as_array().expect("moves").len()).starts_with("-9.00/"));
        assert_eq!(game.tag("Termination"), Some("adjudication"));
    }
    // Both must agree where that is asked for: the good engine does not.
    let dir = folder("b221-twosided");
    let arguments =
        "--nodes 30 --games 2 --resign movecount=3 score=9000 twosided=true --max-plies 20";
    let outcome = play(command(&dir, &[stub("'score=cp -9999'"), good()], arguments));
    assert_eq!(outcome.endings().get("resignation"), None);
}

/// B223, B225: scores are from the side to move; a large one is no mate.
#[test]
fn b223_b225_scores_are_the_movers() {
    let dir = folder("b223");
    let arguments = "--nodes 30 --games 4 --resign movecount=2 score=400 --max-plies 24";
    let outcome = play(command(&dir, &[stub("'score=cp 11963'"), good()], arguments));
    for line in outcome.lines.iter().filter(|line| line["ending"] == "resignation") {
        let loser = if line["result"] == "1-0" { "black" } else { "white" };
        assert_eq!(line[loser], 1, "the engine with the good scores gave up");
    }
    let comments: Vec<&str> =
        outcome.games.iter().flat_map(|game| (9..12).map(|ply| game.comment(ply))).collect();
    assert!(comments.iter().any(|comment| comment.starts_with("+119.63/")), "{comments:?}");
}

/// B229: the counters of an EPD line.
#[test]
fn b229_counters_of_epd() {
    let dir = folder("b229");
    let line = "4k3/8/8/8/8/8/8/4K2R w - - hmvc 4; fmvn 7;\n";
    std::fs::write(dir.join("one.epd"), line).expect("a file");
    let outcome = play(command(&dir, &[good(), good()], "--nodes 30 --games 2 --openings one.epd"));
    assert_eq!(outcome.games.len(), 2, "{}", outcome.notes);
    for game in &outcome.games {
        assert!(game.tag("FEN").is_some_and(|fen| fen.ends_with(" 4 7")), "{:?}", game.tags);
    }
}

/// B243: an engine that says very much at the start does not lead to more games at the same time.
#[test]
fn b243_no_more_games_than_asked_for() {
    let dir = folder("b243");
    let engines = [stub("many-options log=sent"), good()];
    let outcome = play(command(&dir, &engines, "--nodes 300 --games 8 --concurrency 3"));
    assert_eq!(outcome.endings().values().sum::<usize>(), 8, "{}", outcome.notes);
    let sent = std::fs::read_to_string(dir.join("sent")).expect("a log");
    // One to see whether it works, and one for each of three games at a time.
    assert!(sent.lines().filter(|line| line.ends_with(" start")).count() <= 4);
}

/// B245: a book of game lines, several games at once, and no illegal move.
#[test]
fn b245_openings_of_a_file() {
    let dir = folder("b245");
    let book =
        "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 *\n\n[Event \"b\"]\n\n1. d4 d5 2. c4 *\n";
    std::fs::write(dir.join("book.pgn"), book).expect("a file");
    let arguments = "--nodes 300 --games 12 --concurrency 2 --openings book.pgn --order sequential";
    let outcome = play(command(&dir, &[good(), good()], arguments));
    assert_eq!(outcome.lines.len(), 12, "{}", outcome.notes);
    assert!(outcome.endings().keys().all(|ending| *ending != "illegal"));
    for line in &outcome.lines {
        let opening = line["game"].as_u64().expect("a number") / 2 % 2;
        assert_eq!(line["opening"], if opening == 0 { 6 } else { 3 });
    }
}

/// B247: a capital letter for a promotion is the engine's own matter.
#[test]
fn b247_promotions_in_capitals() {
    let dir = folder("b247");
    let line = "4k3/P7/8/8/8/8/7p/1K6 w - - 0 1\n";
    std::fs::write(dir.join("one.epd"), line).expect("a file");
    let arguments = "--nodes 200 --games 2 --openings one.epd";
    let outcome = play(command(&dir, &[stub("uppercase"), good()], arguments));
    assert!(outcome.endings().keys().all(|ending| *ending != "illegal"), "{}", outcome.notes);
    let promoted = |line: &Value| {
        let moves = line["moves"].as_array().expect("moves");
        moves.iter().any(|text| text.as_str().is_some_and(|text| text.ends_with('q')))
    };
    assert!(outcome.lines.iter().any(promoted));
}

/// B249: a warning that can be used, and the game goes on.
#[test]
fn b249_a_line_that_cannot_be_played() {
    let dir = folder("b249");
    let arguments = "--nodes 30 --games 2 --max-plies 30";
    let outcome = play(command(&dir, &[stub("badpv name=Liar"), good()], arguments));
    assert!(outcome.endings().keys().all(|ending| *ending != "illegal"), "{}", outcome.notes);
    let warning = outcome.notes.lines().find(|line| line.contains("a1a1")).expect("a warning");
    assert!(
        warning.contains("Liar") && warning.contains(" w ") | warning.contains(" b "),
        "{warning}"
    );
    assert!(outcome.notes.matches("cannot be played").count() <= 5, "{}", outcome.notes);
}

/// B251: any name can be written and read back. Bytes that are no text do no harm.
#[test]
fn b251_names_with_quotation_marks() {
    let dir = folder("b251");
    let name = r#"The "good" \ one"#;
    let engines = [stub(&format!("binary 'name={name}'")), good()];
    let outcome = play(command(&dir, &engines, "--nodes 30 --games 2 --max-plies 20"));
    assert_eq!(outcome.games.len(), 2, "{}", outcome.notes);
    for game in &outcome.games {
        let named = [game.tag("White"), game.tag("Black")];
        assert!(named.contains(&Some(name)) && named.contains(&Some("good")), "{named:?}");
    }
}

#[test]
fn a_test_ends_the_match_when_it_is_decided() {
    let dir = folder("decided");
    let arguments = "--nodes 20 --games 1000 --sprt elo0=0 elo1=100 --random-plies 2";
    let outcome = play(command(&dir, &[good(), stub("move=xyzzy")], arguments));
    assert_eq!(outcome.code, Some(0), "{}", outcome.notes);
    assert!(outcome.lines.len() < 100, "{}", outcome.lines.len());
    assert!(outcome.table.contains("accepted: elo1"), "{}", outcome.table);
}

/// The parts of a match, played apart and merged, are the match played at once.
#[test]
fn shards_merge_into_the_whole() {
    let dir = folder("shards");
    let engines = [good(), format!("cmd={USURPER},name=weak,nodes=100")];
    let arguments = "--nodes 300 --games 12 --sprt elo0=0 elo1=200";
    let whole = play(command(&dir, &engines, arguments));
    let mut merge = Command::new(USURPER);
    merge.args(["match", "--merge"]);
    for number in 1..=3 {
        let part = folder(&format!("shard-{number}"));
        let outcome = play(command(&part, &engines, &format!("{arguments} --shard {number}/3")));
        assert_eq!(outcome.lines.len(), 4);
        merge.arg(part.join("o.jsonl"));
    }
    let output = merge.output().expect("a merge");
    let merged = String::from_utf8(output.stdout).expect("text");
    // All but the times of the engines.
    let games = |table: &str| table.split("\n\n").next().map(str::to_owned);
    assert_eq!(games(&merged), games(&whole.table));
    assert!(merged.contains("LLR"), "{merged}");
    let twice = merge.arg(folder("shards").join("..").join("shard-1").join("o.jsonl")).output();
    assert_eq!(twice.expect("a merge").status.code(), Some(1));
}

#[test]
fn more_than_two_engines() {
    let named = |name: &str| format!("cmd={USURPER},name={name}");
    let engines = [named("a"), named("b"), named("c")];
    for (mode, games) in [("round-robin", 6), ("gauntlet", 4)] {
        let dir = folder(mode);
        let arguments = format!("--nodes 300 --games 2 --tournament {mode}");
        let outcome = play(command(&dir, &engines, &arguments));
        assert_eq!(outcome.lines.len(), games, "{}", outcome.notes);
        assert!(outcome.table.contains("a against c: 2 games"), "{}", outcome.table);
    }
}

/// Engines that think in the opponent's time: hits and misses, and all games are whole.
#[test]
fn pondering() {
    let dir = folder("ponder");
    let engines = [format!("{},ponder=true", good()), format!("cmd={USURPER},name=b")];
    let arguments = "--tc 0.5+0.02 --timemargin 60000 --games 2 --max-plies 40";
    let mut command = command(&dir, &engines, arguments);
    command.env("RUST_LOG", "usurper::arena=trace");
    let outcome = play(command);
    for sent in ["< go ponder", "< ponderhit", "< stop"] {
        assert!(outcome.notes.contains(sent), "{sent}");
    }
    assert_eq!(outcome.lines.len(), 2);
    for ending in outcome.endings().keys() {
        assert!(!["illegal", "hang", "crash", "time"].contains(ending), "{ending}");
    }
}

/// Pieces of a match that was stopped.
fn read_lines_whole(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

fn append(path: &Path, text: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("a file");
    std::io::Write::write_all(&mut file, text.as_bytes()).expect("written");
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + 3 * common::PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn signal(name: &str, child: &Child) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("a signal").success());
}

/// How many of the processes that a stub's log names still run.
#[cfg(unix)]
fn running(log: &Path) -> usize {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let starts = text.lines().filter_map(|line| line.strip_suffix(" start"));
    let alive = |pid: &&str| {
        // One that has ended and is not yet waited for does not count.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    starts.filter(alive).count()
}

fn wait_with_stderr(child: &mut Child) -> (Option<i32>, String) {
    let mut text = String::new();
    if let Some(mut errors) = child.stderr.take() {
        std::io::Read::read_to_string(&mut errors, &mut text).expect("text");
    }
    (child.wait().expect("an end").code(), text)
}

/// What a match that must fail says.
fn play_unchecked(mut command: Command) -> String {
    let output = command.output().expect("a match");
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).expect("text")
}
