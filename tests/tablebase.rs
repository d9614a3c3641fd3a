//! Endings: moves backward against moves forward, tables against the moves of each position and against the
//! solver, their files, `usurper tablebase` from outside, and the engine that looks them up.

mod random;

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};

use assert_cmd::Command;
use random::{Random, thrown_position};
use usurper::proof::{Answer, Solver};
use usurper::rules::notation::Letters;
use usurper::rules::{CastlingRights, Edition, GameRecord, MoveKind, Position};
use usurper::search::{Engine, Event, Limits, Settings};
use usurper::tablebase::{Generator, Material, Table, TableError, Tables, Value};

const TODAY: Edition = Edition::CaptureOrConquer;
const EDITIONS: [Edition; 2] = [TODAY, Edition::Classic];

static NEVER: AtomicBool = AtomicBool::new(false);

fn generate(edition: Edition, men: usize) -> Tables {
    let mut tables = Tables::new(edition);
    for material in (2..=men).flat_map(Material::all) {
        let table = Generator::run(&tables, &material, &NEVER, &|_| ()).expect("small endings");
        tables.add(table);
    }
    tables
}

static THREE_TODAY: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(generate(TODAY, 3)));
static THREE_CLASSIC: LazyLock<Arc<Tables>> =
    LazyLock::new(|| Arc::new(generate(Edition::Classic, 3)));

fn three(edition: Edition) -> &'static Arc<Tables> {
    if edition == TODAY { &THREE_TODAY } else { &THREE_CLASSIC }
}

fn position(edition: Edition, fen: &str) -> Position {
    Position::from_fen(edition, fen).expect("a good FEN")
}

/// The same men with the same side to move, nothing else.
fn bare(position: &Position) -> Position {
    let men = position
        .occupied()
        .into_iter()
        .filter_map(|square| position.piece_at(square).map(|(color, kind)| (color, kind, square)));
    Position::from_men(position.edition(), position.side_to_move(), men).expect("a position")
}

/// Each quiet move forward is found backward once, and each one backward is a move forward.
#[test]
fn moves_backward_are_moves_forward() {
    let mut random = Random::new(11);
    let (mut forward, mut backward, mut special) = (0, 0, 0);
    for edition in EDITIONS {
        for _ in 0..1_000 {
            let Ok(here) = Position::from_fen(edition, &thrown_position(&mut random, edition))
            else {
                continue;
            };
            let here = bare(&here);
            for m in here.legal_moves() {
                let next = here.play(m);
                if here.is_capture(m) || m.promotion().is_some() || next.en_passant().is_some() {
                    continue;
                }
                let mut found = 0;
                next.for_each_predecessor(|earlier| {
                    found += u32::from(earlier.key() == here.key())
                });
                assert_eq!(found, 1, "{} {m:?}", here.to_fen());
                forward += 1;
                special += u32::from(matches!(m.kind(), MoveKind::Escort | MoveKind::Decoy));
            }
            here.for_each_predecessor(|earlier| {
                assert_eq!(earlier.key(), earlier.computed_key());
                if earlier.finished().is_some() {
                    return;
                }
                let leads_here = |m: &&_| {
                    let next = earlier.play(**m);
                    next.key() == here.key() && next.en_passant().is_none()
                };
                let moves = earlier.legal_moves();
                assert_eq!(moves.iter().filter(leads_here).count(), 1, "{}", earlier.to_fen());
                backward += 1;
            });
        }
    }
    assert!(forward > 5_000 && backward > 5_000 && special > 300, "{forward} {backward} {special}");
}

/// Every value follows from the moves of its position: with that a table is proven, since every win leads to
/// a shorter one, and what leads to no loss of the enemy is none.
#[test]
fn every_value_of_three_men_follows_from_its_moves() {
    for edition in EDITIONS {
        let tables = three(edition);
        for table in tables.tables() {
            let wrong = tables.contradiction(table);
            assert_eq!(wrong.map(|p| p.to_fen()), None, "{edition} {}", table.material());
        }
    }
}

/// The same with an en passant chance, which takes four men.
#[test]
#[ignore = "more than a minute: .ci/run asks for it"]
fn every_value_of_two_pawns_follows_from_its_moves() {
    let mut tables = generate(TODAY, 3);
    for name in ["KQvKQ", "KQvKP", "KPvKP"] {
        let material = Material::parse(name).expect("a material");
        tables.add(Generator::run(&tables, &material, &NEVER, &|_| ()).expect("a table"));
        let table = tables.tables().last().expect("it was added");
        assert_eq!(tables.contradiction(table).map(|p| p.to_fen()), None, "{name}");
    }
}

/// Counted by hand.
#[test]
fn values_that_can_be_counted() {
    for (edition, fen, value) in [
        // A step onto the goal rank.
        (TODAY, "8/1K6/8/8/8/8/6k1/8 w - - 0 1", Value::Win(1)),
        // Two steps against two: White is first.
        (TODAY, "8/8/1K6/8/8/6k1/8/8 w - - 0 1", Value::Win(3)),
        // The same with three against two: whoever is to move, Black is first.
        (TODAY, "8/8/8/1K6/8/6k1/8/8 w - - 0 1", Value::Loss(4)),
        // The Escort to f8 in one move; the earlier edition has none, and Black's King is first.
        (TODAY, "5R2/8/5K2/8/8/8/k7/8 w - - 0 1", Value::Win(1)),
        // Kings side by side: the one to move takes the other, or in the earlier edition cannot.
        (TODAY, "8/8/8/3Kk3/8/8/8/8 w - - 0 1", Value::Win(1)),
    ] {
        assert_eq!(three(edition).probe(&position(edition, fen)), Some(value), "{edition} {fen}");
    }
    let side_by_side = position(Edition::Classic, "8/8/8/3Kk3/8/8/8/8 w - - 0 1");
    assert_ne!(three(Edition::Classic).probe(&side_by_side), Some(Value::Win(1)));
}

#[test]
fn what_no_table_knows() {
    let tables = three(TODAY);
    for fen in [
        "8/8/8/8/8/8/8/K7 w - - 0 1",       // finished
        "K7/8/8/8/8/8/8/7k w - - 0 1",      // finished too
        "8/8/8/3k4/8/3QR3/8/3K4 w - - 0 1", // four men
    ] {
        assert_eq!(tables.probe(&position(TODAY, fen)), None, "{fen}");
    }
    let castling = position(Edition::Classic, "8/8/8/3k4/8/8/8/4K2R w K - 0 1");
    assert_ne!(castling.castling(), CastlingRights::NONE);
    assert_eq!(three(Edition::Classic).probe(&castling), None);
    assert!(
        Generator::run(&Tables::new(Edition::Chess), &Material::all(2)[0], &NEVER, &|_| ())
            .is_err()
    );
    // A table that it leads to is missing.
    assert!(Generator::run(&Tables::new(TODAY), &Material::all(3)[0], &NEVER, &|_| ()).is_err());
}

/// Random positions that go on, some from each table.
fn samples(tables: &Tables, random: &mut Random, each: usize) -> Vec<(Position, Value)> {
    let mut found = Vec::new();
    for table in tables.tables() {
        let mut left = each;
        while left > 0 {
            if let Some(sample) = table.at(random.below(table.material().places())) {
                found.push(sample);
                left -= 1;
            }
        }
    }
    found
}

/// Up to seven plies, where no repetition can matter, the solver and the table say the same; beyond, the solver never
/// needs longer, since repetition can only hasten a win.
#[test]
fn tables_and_the_solver_agree() {
    let mut random = Random::new(2);
    let mut won = [0; 12];
    for edition in EDITIONS {
        for (position, value) in samples(three(edition), &mut random, 60) {
            let solve = |limit| match Solver::new(&GameRecord::new(position), 4, &NEVER)
                .solve(limit, |_, _| ())
            {
                Answer::Win(plies) => Some(plies),
                _ => None,
            };
            let context = format!("{edition} {}", position.to_fen());
            match value {
                Value::Win(plies @ ..=7) => assert_eq!(solve(7), Some(plies.into()), "{context}"),
                Value::Win(plies @ ..=11) => {
                    let solved = solve(plies.into());
                    assert!(
                        solved.is_some_and(|s| (8..=u32::from(plies)).contains(&s)),
                        "{context}"
                    );
                }
                _ => assert_eq!(solve(7), None, "{context}"),
            }
            if let Value::Win(plies @ ..=11) = value {
                won[usize::from(plies)] += 1;
            }
        }
    }
    assert!(won[3] > 10 && won[5] + won[7] > 10, "{won:?}");
}

/// The score in plies that the engine ends with, and how far it looked.
fn search(game: GameRecord, tables: Option<&Arc<Tables>>, nodes: u64) -> (Option<i32>, usize) {
    let settings = Settings { hash_mb: 1, endings: tables.cloned(), ..Settings::default() };
    let mut engine = Engine::new(settings);
    let (sender, events) = channel();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.start(game, limits, move |event| {
        let _ = sender.send(event); // nobody listens after the best move
    });
    let mut last = (None, 0);
    for event in events {
        match event {
            Event::Info(info) => last = (info.score.mate(), info.pv.len()),
            Event::GameOver(end) => panic!("the game is over: {end:?}"),
            Event::BestMove { .. } => return last,
        }
    }
    panic!("no best move");
}

/// A few hundred nodes and the tables give the exact distance, and the line to the end.
#[test]
fn the_engine_looks_endings_up() {
    let mut random = Random::new(4);
    let mut decided = 0;
    for edition in EDITIONS {
        let tables = three(edition);
        for (position, value) in samples(tables, &mut random, 12) {
            let moves = |plies: u8| i32::from(plies.div_ceil(2));
            let expected = match value {
                Value::Win(plies) => Some(moves(plies)),
                Value::Loss(plies) => Some(-moves(plies)),
                Value::Unresolved => None,
            };
            let (mate, line) = search(GameRecord::new(position), Some(tables), 2_000);
            assert_eq!(mate, expected, "{edition} {}", position.to_fen());
            if let Some(plies) = value.plies() {
                assert_eq!(line, usize::from(plies), "{edition} {}", position.to_fen());
                decided += 1;
            }
        }
    }
    assert!(decided > 100, "{decided}");
}

/// Search without tables, the tables and the solver name the same shortest wins.
#[test]
fn search_solver_and_tables_agree() {
    let mut random = Random::new(6);
    let mut compared = 0;
    for (position, value) in samples(three(TODAY), &mut random, 40) {
        let Value::Win(plies @ 1..=5) = value else { continue };
        let game = GameRecord::new(position);
        let solved = Solver::new(&game, 1, &NEVER).solve(6, |_, _| ());
        assert_eq!(solved, Answer::Win(plies.into()), "{}", position.to_fen());
        let (mate, _) = search(game, None, 400_000);
        assert_eq!(mate, Some(i32::from(plies.div_ceil(2))), "{}", position.to_fen());
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

/// What a game has seen twice may come a third time: the table's word is not taken for it.
#[test]
fn a_game_that_has_seen_a_position_twice_is_searched() {
    let fen = "k7/8/8/8/8/7K/8/1R6 w - - 0 1";
    let mut game = GameRecord::new(position(TODAY, fen));
    let moves = ["Ra1", "Kb8", "Rb1", "Ka8", "Ra1", "Kb8", "Rb1"];
    game.replay(&moves, Letters::English).expect("legal moves");
    // Black, attacked, goes back to a8 for the third time and wins, whatever the table says of b8.
    assert_ne!(three(TODAY).probe(game.position()), Some(Value::Win(1)));
    let (mate, _) = search(game, Some(three(TODAY)), 2_000);
    assert_eq!(mate, Some(1));
}

#[test]
fn files_are_whole_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let tables = three(TODAY);
    let material = Material::parse("KQvK").expect("a material");
    let table = tables.tables().iter().find(|t| *t.material() == material).expect("made");
    table.write(folder).expect("written");
    let path = Table::path(folder, TODAY, &material);
    let read = || Table::read(folder, TODAY, &material);
    assert_eq!(read().expect("whole").summary(), table.summary());

    let whole = fs::read(&path).expect("it is there");
    let names_it = |error: &TableError| error.to_string().starts_with(&path.display().to_string());
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        fs::write(&path, bytes).expect("written");
        let error = read().err().expect("an error");
        assert!(names_it(&error), "{error}");
        error
    };
    assert!(matches!(with(&|b| b[1000] ^= 1), TableError::Damaged { .. }));
    assert!(matches!(with(&|b| b.truncate(5000)), TableError::Damaged { .. }));
    assert!(matches!(with(&|b| b.push(0)), TableError::Damaged { .. }));
    assert!(matches!(with(&|b| b[16] ^= 1), TableError::Damaged { .. }));
    assert!(matches!(with(&|b| b.truncate(10)), TableError::Foreign(_)));
    assert!(matches!(with(&|b| b[4] = 9), TableError::Foreign(_)));
    assert!(matches!(with(&|b| b[5] = 1), TableError::Misnamed { .. }));
    assert!(matches!(with(&|b| b[9] = b'R'), TableError::Misnamed { .. }));
    fs::remove_file(&path).expect("removed");
    assert!(matches!(read().err(), Some(TableError::Io { .. })));
    assert!(Tables::open(&folder.join("nowhere"), TODAY).is_err());
}

fn usurper(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_usurper")).arg("tablebase").args(arguments).assert()
}

#[track_caller]
fn output(arguments: &[&str]) -> String {
    String::from_utf8(usurper(arguments).success().get_output().stdout.clone()).expect("UTF-8")
}

#[track_caller]
fn error(arguments: &[&str]) -> String {
    String::from_utf8(usurper(arguments).code(1).get_output().stderr.clone()).expect("UTF-8")
}

fn engine(lines: &str) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_usurper")).write_stdin(lines).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn from_outside() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().to_str().expect("UTF-8");
    let made = output(&["generate", "--men", "3", "--out", dir, "--threads", "2"]);
    assert_eq!(made.lines().count(), 6, "{made}");
    assert_eq!(output(&["generate", "--men", "3", "--out", dir]), "", "all is there");
    let left: Vec<_> = fs::read_dir(Path::new(dir).join(TODAY.name())).expect("made").collect();
    assert_eq!(left.len(), 6, "nothing unfinished is left");

    let fen = "8/8/1K6/8/8/6k1/8/8 w - - 0 1";
    let text = output(&["probe", "--dir", dir, "--fen", fen]);
    assert!(text.starts_with("White wins in 2 moves (3 plies)\n  K"), "{text}");
    let text = output(&["probe", "--dir", dir, "--fen", fen, "--lang", "pt"]);
    assert!(text.starts_with("Brancas vencem em 2 lances (3 meios-lances)\n  R"), "{text}");
    let json = output(&["probe", "--dir", dir, "--fen", fen, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["value"], &json["plies"]), (&"win".into(), &3.into()));
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(8), "all King's moves");

    // The engine reads them, for today's edition only, and one error tells of what it cannot read.
    let ask = format!("position fen {fen}\ngo depth 1\n");
    let told = engine(&format!("setoption name TablebasePath value {dir}\n{ask}"));
    assert!(told.contains("score mate 2") && !told.contains("error"), "{told}");
    let told = engine(&format!("setoption name TablebasePath value {dir}/nothing\n{ask}"));
    assert!(told.contains("info string error: setoption: TablebasePath: "), "{told}");

    assert!(
        error(&["probe", "--dir", dir, "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"]).contains("over")
    );
    let four = "8/8/3k4/8/8/8/3QR3/3K4 w - - 0 1";
    assert!(error(&["probe", "--dir", dir, "--fen", four]).contains("no table of KQRvK"));
    let none = error(&["probe", "--dir", "no-such-folder", "--fen", four]);
    assert!(none.contains("no-such-folder") && none.contains("tablebase generate"), "{none}");
    assert!(error(&["probe", "--dir", dir]).contains("32 men are too many"));
    assert!(error(&["probe", "--dir", dir, "--variant", "chess"]).contains("Capture or Conquer"));
    usurper(&["generate", "--men", "5"]).code(2);
    usurper(&["generate", "--men", "3", "--only", "KvKQ"]).code(2);

    let path = Table::path(Path::new(dir), TODAY, &Material::parse("KRvK").expect("a material"));
    let mut bytes = fs::read(&path).expect("made");
    bytes[4000] ^= 4;
    fs::write(&path, bytes).expect("written");
    let path = path.display().to_string();
    let told = error(&["probe", "--dir", dir, "--fen", fen]);
    assert!(told.contains(&path) && told.lines().count() == 1, "{told}");
    let told = engine(&format!("setoption name TablebasePath value {dir}\n"));
    assert!(told.contains(&path) && told.lines().count() == 1, "{told}");
    let again = output(&["generate", "--men", "3", "--out", dir]);
    assert!(again.starts_with("KRvK") && again.lines().count() == 1, "{again}");
}
