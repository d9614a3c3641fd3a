//! Files of training games: what is written comes back, whatever kills the writer; the same seed gives the same
//! games; and what is kept agrees with the rules.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use assert_cmd::Command;
use tempfile::TempDir;
use usurper::board::Color;
use usurper::data::record::{End, Source};
use usurper::data::selfplay::{self, Plan};
use usurper::data::{DataError, Game, Reader, Writer, positions};
use usurper::rules::{Edition, GameRecord, Position, Reason};

/// A game by its moves, the first two of which are the opening's.
fn game(edition: Edition, number: u32, fen: Option<&str>, moves: &str) -> Game {
    let start = fen.map_or(Position::start(edition), |fen| {
        Position::from_fen(edition, fen).expect("a position")
    });
    let mut record = GameRecord::new(start);
    let texts: Vec<&str> = moves.split_whitespace().collect();
    record.replay(&texts, Default::default()).expect("legal moves");
    let scores: Vec<i16> = (0..texts.len() as i16 - 2).map(|ply| 7 * ply - 300).collect();
    let end = record.outcome().map_or(End::Proven(Color::Black), End::Over);
    let source = Source { seed: 9, number, nodes: 100 };
    Game::ended(source, &record, 2, &scores, end)
}

fn examples() -> Vec<Game> {
    let today = Edition::CaptureOrConquer;
    vec![
        game(today, 0, None, "e4 e5 Nf3 Nc6"),
        game(today, 5, Some("2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1"), "EBe6 Kg8 Ke8"),
        game(today, 3, None, "f3 e5 g4 Qh4 a3 Qxe1"),
    ]
}

fn write(path: &Path, games: &[Game]) {
    let mut writer = Writer::append(path, games[0].start.edition(), |_| {}).expect("a file");
    for game in games {
        writer.write(game).expect("written");
    }
}

fn read(path: &Path) -> Vec<Game> {
    Reader::open(path).expect("a file").map(|game| game.expect("a game")).collect()
}

/// Games of another node count stay beside the new ones, and the run says so in a line.
#[test]
fn games_of_another_node_count_are_named() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("games");
    write(&path, &examples());
    let notes = |nodes: &str| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_usurper"));
        run.args(["datagen", "--games", "0", "--seed", "9", "--nodes", nodes, "--out"]);
        let run = run.arg(&path).assert().success();
        String::from_utf8(run.get_output().stderr.clone()).expect("UTF-8")
    };
    assert_eq!(notes("100"), "");
    let note = notes("77");
    assert!(note.contains("3 games of 100 nodes a move, which this run of 77"), "{note}");
    assert_eq!(note.lines().count(), 1, "{note}");
    assert_eq!(read(&path).len(), 3);
}

#[test]
fn what_is_written_comes_back() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("games");
    let games = examples();
    assert_eq!(games[2].reason, Some(Reason::Capture));
    assert_eq!(games[2].winner, Some(Color::Black));
    write(&path, &games);
    assert_eq!(read(&path), games);
    // 8 bytes of header; 8 a frame, 22 a game, 2 for a ply of the opening, 4 for another.
    let fen = games[1].start.to_fen().len() as u64;
    let expected = 8 + 3 * (8 + 22 + 4) + 4 * (2 + 1 + 4) + fen;
    assert_eq!(fs::metadata(&path).expect("there").len(), expected);
}

/// Wherever a killed writer stopped, the whole games before are read, and the next writer goes on from them.
#[test]
fn a_file_cut_short_anywhere_keeps_its_whole_games() {
    let folder = TempDir::new().expect("a folder");
    let whole = folder.path().join("whole");
    let games = examples();
    write(&whole, &games);
    let bytes = fs::read(&whole).expect("read");
    let mut ends = Vec::new();
    for count in 0..=games.len() {
        let path = folder.path().join(format!("first{count}"));
        drop(Writer::append(&path, Edition::CaptureOrConquer, |_| {}).expect("a file"));
        if count > 0 {
            write(&path, &games[..count]);
        }
        ends.push(fs::metadata(&path).expect("there").len() as usize);
    }
    for cut in 0..bytes.len() {
        let path = folder.path().join("cut");
        fs::write(&path, &bytes[..cut]).expect("written");
        let kept = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
        if cut >= 8 {
            assert_eq!(read(&path), games[..kept], "cut at {cut}");
        }
        let mut seen = Vec::new();
        let mut writer = Writer::append(&path, Edition::CaptureOrConquer, |game| seen.push(game))
            .expect("opens");
        assert_eq!(seen, games[..kept], "cut at {cut}");
        writer.write(&games[1]).expect("written");
        assert_eq!(read(&path)[kept..], games[1..2], "cut at {cut}");
    }
}

#[test]
fn damage_and_strangers_are_named() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("games");
    write(&path, &examples());
    let bytes = fs::read(&path).expect("read");
    // A changed byte of the first game's body.
    let mut changed = bytes.clone();
    changed[8 + 8 + 3] ^= 1;
    fs::write(&path, &changed).expect("written");
    let error = Reader::open(&path).expect("opens").next().expect("something");
    assert!(matches!(error, Err(DataError::Damaged { at: 8, games: 0, .. })), "{error:?}");
    // Classic's games do not go into today's file.
    fs::write(&path, &bytes).expect("written");
    let other = Writer::append(&path, Edition::Classic, |_| {});
    assert!(matches!(other, Err(DataError::Edition { .. })));
    for content in [&b"hello world"[..], b"", b"UGAM\x02\0\0\0", b"UGAM\x01\x09\0\0"] {
        fs::write(&path, content).expect("written");
        assert!(matches!(Reader::open(&path), Err(DataError::Foreign(_))));
        let output = Command::cargo_bin("usurper")
            .expect("built")
            .args(["data", "stats"])
            .arg(&path)
            .assert();
        let output = output.code(1).get_output().clone();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.starts_with("error: ") && told.contains("games"), "{told}");
    }
}

fn plan(seed: u64, games: u32, threads: usize) -> Plan {
    Plan { edition: Edition::CaptureOrConquer, nodes: 150, numbers: (0, games), threads, seed }
}

fn played(path: &Path, plan: &Plan, stop_after: usize) -> Vec<Game> {
    let mut done = HashSet::new();
    let mut writer = Writer::append(path, plan.edition, |game| {
        done.insert(game.source);
    })
    .expect("a file");
    let stop = AtomicBool::new(false);
    let heard = Mutex::new(0);
    selfplay::play(plan, &done, &mut writer, &stop, |_| {
        let mut heard = heard.lock().expect("sound");
        *heard += 1;
        stop.store(*heard >= stop_after, Ordering::Relaxed);
    })
    .expect("written");
    let mut games = read(path);
    games.sort_by_key(|game| game.source.number);
    games
}

/// Two threads play what one plays; a run that was stopped and goes on plays what one without a break plays.
#[test]
fn the_same_seed_gives_the_same_games() {
    let folder = TempDir::new().expect("a folder");
    let whole = played(&folder.path().join("whole"), &plan(4, 6, 1), usize::MAX);
    assert!(whole.len() >= 4, "{} of 6 games", whole.len());
    let path = folder.path().join("stopped");
    let part = played(&path, &plan(4, 6, 2), 2);
    assert!(part.len() < whole.len());
    OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("there")
        .write_all(&[9; 5])
        .expect("written");
    assert_eq!(played(&path, &plan(4, 6, 2), usize::MAX), whole);
    let other = played(&folder.path().join("other"), &plan(5, 6, 2), usize::MAX);
    assert_ne!(other[0].opening, whole[0].opening);
}

/// The rules confirm each game, and only quiet positions with a score are kept.
#[test]
fn games_are_legal_and_samples_quiet() {
    let folder = TempDir::new().expect("a folder");
    let mut samples = 0;
    for game in played(&folder.path().join("games"), &plan(6, 6, 2), usize::MAX) {
        let mut record = GameRecord::new(game.start);
        for &m in game.opening.iter().chain(game.moves.iter().map(|(m, _)| m)) {
            record.play(m).expect("legal, and the game not over");
        }
        match game.reason {
            Some(reason) => {
                let outcome = record.outcome().expect("over");
                assert_eq!((outcome.winner, outcome.reason), (game.winner, reason));
            }
            None => assert!(record.outcome().is_none() && game.winner.is_some()),
        }
        assert_eq!(game.searched().count(), game.moves.len());
        for sample in positions::samples(&game) {
            let side = sample.position.side_to_move();
            assert_eq!(sample.result, if game.winner == Some(side) { 1.0 } else { 0.0 });
            assert!(!sample.position.in_danger() && sample.score.abs() <= positions::SCORE_LIMIT);
            samples += 1;
        }
    }
    assert!(samples > 50, "{samples}");
}
