//! Matches under adverse conditions: strange names, files that are full, locked, foreign or wrongly put
//! together, readers that leave, and settings that cannot be.

use super::*;

/// B231: nobody has given a book, and yet no two openings are alike.
#[test]
fn b231_games_differ_without_a_book() {
    let dir = folder("b231");
    let outcome = play(command(&dir, &[good(), good()], "--nodes 50 --games 20 --max-plies 16"));
    let mut openings: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in &outcome.lines {
        let moves = line["moves"].as_array().expect("moves");
        let opening = Value::from(moves[..8].to_vec()).to_string();
        openings.entry(opening).or_default().push(line["game"].as_u64().expect("a number") / 2);
    }
    assert_eq!(openings.len(), 10, "each pair has its own");
    assert!(openings.values().all(|pairs| pairs.len() == 2 && pairs[0] == pairs[1]));
    // Another day, another seed; it is told, so that the games can be had again.
    let other =
        play(command(&folder("b231-other"), &[good(), good()], "--seed 2 --nodes 50 --games 2"));
    assert!(other.notes.contains("8 random plies, seed 2"), "{}", other.notes);
    assert!(!openings.contains_key(
        &Value::from(other.lines[0]["moves"].as_array().expect("moves")[..8].to_vec()).to_string()
    ));
    // Who wants no openings is told what that means.
    let arguments = "--random-plies 0 --nodes 50 --games 2 --max-plies 8";
    let alike = play(command(&folder("b231-alike"), &[good(), good()], arguments));
    assert!(alike.notes.contains("all games begin alike"), "{}", alike.notes);
}

/// B141, B143: several threads an engine, and many games at the same time; all end.
#[test]
fn b141_b143_threads_and_games_side_by_side() {
    for threads in ["1", "2"] {
        let dir = folder(&format!("b141-{threads}"));
        let engine = format!("cmd={USURPER},option.Threads=4");
        let mut command =
            command(&dir, &[engine.clone(), engine], "--nodes 500 --games 2 --max-plies 30");
        command.env("RAYON_NUM_THREADS", threads);
        assert_eq!(play(command).lines.len(), 2);
    }
    let arguments = "--nodes 50 --games 64 --max-plies 16 --concurrency 8";
    let outcome = play(command(&folder("b143"), &[good(), good()], arguments));
    assert_eq!(outcome.by_number().len(), 64);
}

#[test]
fn settings_that_cannot_be() {
    for (name, arguments, code, told) in [
        ("no-games", "--games 0", 2, "--games"),
        ("too-many", "--games 99999999999", 2, "--games"),
        ("no-concurrency", "--concurrency 0", 2, "--concurrency"),
        ("no-repeat", "--repeat 0", 2, "--repeat"),
        ("one-file", "--pgnout ./o.jsonl", 1, "a file each"),
        ("folder", "--pgnout .", 1, "."),
        ("nowhere", "--jsonout no/such/folder/o.jsonl", 1, "no/such/folder"),
    ] {
        let dir = folder(name);
        let output = command(&dir, &[good(), good()], arguments).output().expect("a match");
        let notes = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(code), "{name}: {notes}");
        assert!(notes.contains(told) && !notes.contains("panicked"), "{name}: {notes}");
        assert_eq!(read_lines_whole(&dir.join("o.jsonl")), 0);
    }
    let mut shard = Command::new(USURPER);
    shard.args(["match", "--engine", USURPER, "--engine", USURPER, "--shard", "1/2"]);
    let output = shard.output().expect("a match");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--seed"));
}

/// An odd number of games is rounded up to whole pairs; the same engine twice has two names, in the table
/// and in the game file.
#[test]
fn odd_games_of_one_engine_twice() {
    let dir = folder("odd");
    let outcome = play(command(&dir, &[good(), good()], "--nodes 50 --games 3 --max-plies 12"));
    assert_eq!(outcome.lines.len(), 4);
    assert!(outcome.table.contains("good against good (2): "), "{}", outcome.table);
    for game in &outcome.games {
        let mut names = [game.tag("White"), game.tag("Black")];
        names.sort_unstable();
        assert_eq!(names, [Some("good"), Some("good (2)")]);
    }
}

/// Names of any text come back from the game file; those that would do harm to a terminal do none.
#[test]
fn names_of_any_text() {
    let dir = folder("names");
    let given = r#"Łódź, "é" \ ’王’ {1-0} [x] ; %"#;
    let own = "\u{1b}]0;owned\u{7}\u{1b}[2Jevil\u{9b}1m";
    let engines = [format!("cmd={USURPER},name='{given}'"), stub(&format!("'name={own}' badpv"))];
    let outcome = play(command(&dir, &engines, "--nodes 50 --games 2 --max-plies 20"));
    assert_eq!(outcome.games.len(), 2, "{}", outcome.notes);
    for game in &outcome.games {
        assert!([game.tag("White"), game.tag("Black")].contains(&Some(given)), "{:?}", game.tags);
    }
    assert!(outcome.table.contains(given) && outcome.table.contains("evil"), "{}", outcome.table);
    let file = std::fs::read_to_string(dir.join("o.pgn")).expect("text");
    for text in [&outcome.table, &outcome.notes, &file] {
        let control = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(control, None, "{text:?}");
    }
}

/// Books as other systems write them: a byte order mark, lines that end in CR LF, Latin-1.
#[test]
fn books_of_other_systems() {
    let pgn = b"\xef\xbb\xbf[Event \"caf\xe9\"]\r\n\r\n1. e4 {tr\xe8s bien} e5 *\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 *\r\n";
    let epd = b"\xef\xbb\xbf# Fran\xe7ais\r\n\r\n4k3/8/8/8/8/8/8/4K2R w - - id \"\xe9\";\r\n";
    for (name, bytes, openings) in
        [("book.pgn", pgn.as_slice(), vec![2, 1]), ("book.epd", epd.as_slice(), vec![0, 0])]
    {
        let dir = folder(&format!("systems-{name}"));
        std::fs::write(dir.join(name), bytes).expect("a file");
        let arguments =
            format!("--nodes 50 --games 4 --max-plies 12 --order sequential --openings {name}");
        let outcome = play(command(&dir, &[good(), good()], &arguments));
        let plies: Vec<&Value> =
            outcome.lines.iter().step_by(2).map(|line| &line["opening"]).collect();
        assert_eq!(plies, openings, "{}", outcome.notes);
    }
    for (name, bytes, told) in [
        ("utf-16.pgn", b"\xff\xfe[\0E\0".as_slice(), "binary"),
        ("empty.pgn", b"", "no openings"),
        ("over.epd", b"4k3/8/8/8/8/8/8/8 w - - 0 1\n", "over.epd"),
    ] {
        let dir = folder(name);
        std::fs::write(dir.join(name), bytes).expect("a file");
        let notes = play_unchecked(command(&dir, &[good(), good()], &format!("--openings {name}")));
        assert!(notes.contains(told), "{notes}");
    }
}

/// A file that cannot grow beyond some kilobytes: the match stops with an error, the files hold the same
/// whole games, and with more room it goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_gets_full() {
    for kilobytes in [6, 7, 8, 9] {
        let dir = folder(&format!("full-{kilobytes}"));
        let inner = command(&dir, &[good(), good()], "--nodes 50 --games 30 --max-plies 30");
        let mut limited = Command::new("bash");
        // Without a signal, as on a full disk: the write alone fails.
        limited.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &kilobytes.to_string()]);
        limited.arg(inner.get_program()).args(inner.get_args()).current_dir(&dir);
        let outcome = play(limited);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.notes.contains("error: o."), "{}", outcome.notes);
        assert!((1..30).contains(&outcome.lines.len()), "{}", outcome.lines.len());
        let arguments = "--nodes 50 --games 30 --max-plies 30 --resume";
        let outcome = play(command(&dir, &[good(), good()], arguments));
        assert_eq!(outcome.by_number().len(), 30, "{}", outcome.notes);
    }
}

/// Two runners do not write to the same files.
#[cfg(unix)]
#[test]
fn files_in_use_are_refused() {
    let dir = folder("in-use");
    let engines = [good(), good()];
    let mut first = command(&dir, &engines, "--nodes 2000 --games 500").spawn().expect("a match");
    wait_until("a game", || read_lines_whole(&dir.join("o.jsonl")) >= 1);
    for more in ["--resume", "--overwrite"] {
        let notes =
            play_unchecked(command(&dir, &engines, &format!("--nodes 2000 --games 500 {more}")));
        assert!(notes.contains("in use"), "{more}: {notes}");
    }
    first.kill().expect("killed");
    first.wait().expect("an end");
    check_files(&dir, &read_games(&dir.join("o.pgn")), &read_lines(&dir.join("o.jsonl")));
}

/// Another seed, other engines, other limits: not the same match, and nothing is changed.
#[test]
fn resumed_with_other_settings() {
    let dir = folder("other-settings");
    let engines = [good(), format!("cmd={USURPER},name=other")];
    let arguments = "--nodes 50 --games 4 --max-plies 12";
    play(command(&dir, &engines, arguments));
    let before = std::fs::read(dir.join("o.jsonl")).expect("results");
    let mut swapped = engines.clone();
    swapped.reverse();
    for (engines, more, told) in [
        (&engines, "--seed 2", "seed was 1, now it is 2"),
        (&engines, "--nodes 60", "engine 1 limit was nodes=50, now it is nodes=60"),
        (&engines, "--random-plies 6", "random_plies was 8, now it is 6"),
        (&engines, "--tournament gauntlet", "tournament was"),
        (&engines, "--variant chess", "edition was"),
        (&engines, "--shard 1/2", "shard was"),
        (&engines, "--max-plies 14", "max_plies was 12, now it is 14"),
        (&swapped, "", "names was"),
    ] {
        let notes = play_unchecked(command(&dir, engines, &format!("{arguments} {more} --resume")));
        assert!(notes.contains("not the same match") && notes.contains(told), "{more}: {notes}");
        assert_eq!(std::fs::read(dir.join("o.jsonl")).expect("results"), before);
    }
    // What is no results file is not touched.
    for text in ["no results\n", "{}\n", "{\"format\":\"usurper match 99\"}\n"] {
        std::fs::write(dir.join("o.jsonl"), text).expect("written");
        let notes = play_unchecked(command(&dir, &engines, &format!("{arguments} --resume")));
        assert!(notes.contains("o.jsonl: line 1: "), "{notes}");
        assert_eq!(std::fs::read_to_string(dir.join("o.jsonl")).expect("text"), text);
    }
    // Nor a game file that is not the one of the results.
    std::fs::write(dir.join("o.jsonl"), &before).expect("written");
    std::fs::write(dir.join("o.pgn"), "[Event \"mine\"]\n\n*\n").expect("written");
    let notes = play_unchecked(command(&dir, &engines, &format!("{arguments} --resume")));
    assert!(notes.contains("o.pgn: shorter"), "{notes}");
}

/// Parts that are not of one match, or overlap, are refused; what is missing is told.
#[test]
fn merging_what_does_not_fit() {
    let dir = folder("merging");
    let part = |name: &str, arguments: &str| -> String {
        let sub = folder(&format!("merging/{name}"));
        let games = "--nodes 50 --games 8 --max-plies 12";
        let outcome = play(command(&sub, &[good(), good()], &format!("{games} {arguments}")));
        assert_eq!(outcome.code, Some(0), "{}", outcome.notes);
        format!("{name}/o.jsonl")
    };
    let first = part("first", "--shard 1/3");
    let third = part("third", "--shard 3/3");
    let half = part("half", "--shard 2/2");
    let seed = part("seed", "--shard 2/3 --seed 9");
    let copy = "copy.jsonl".to_owned();
    std::fs::copy(dir.join(&first), dir.join(&copy)).expect("a copy");
    std::fs::write(dir.join("text"), "hello\n").expect("written");
    std::fs::write(dir.join("empty"), "").expect("written");
    let merge = |parts: &[&str]| {
        let mut merge = Command::new(USURPER);
        merge.current_dir(&dir).args(["match", "--merge"]).args(parts);
        let output = merge.output().expect("a merge");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for (parts, told) in [
        ([&first, &copy], "copy.jsonl: part 1/3 is there twice"),
        ([&first, &half], "half/o.jsonl: part 2/2, where another is part 1/3"),
        ([&first, &seed], "seed/o.jsonl: not the same match: seed"),
        ([&first, &"text".into()], "text: line 1"),
        ([&first, &"empty".into()], "empty: line 1: the first line is missing"),
        ([&first, &"none".into()], "none: "),
    ] {
        let (code, table, notes) = merge(&parts.map(String::as_str));
        assert_eq!((code, table.as_str()), (Some(1), ""), "{told}: {notes}");
        assert!(notes.contains(told), "{told}: {notes}");
    }
    // Four pairs: parts 1 and 3 have pairs 1 and 4, and 3.
    let (code, table, notes) = merge(&[&first, &third]);
    assert_eq!(code, Some(0), "{notes}");
    assert!(table.contains("good against good (2): "), "{table}");
    assert_eq!(notes, "missing: part 2\nso far 6 of 8 games\n");
}

/// Who reads what we say may leave: the match goes on to its end all the same.
#[cfg(unix)]
#[test]
fn readers_that_leave() {
    for (name, script) in [
        ("stdout", "\"$@\" | true; exit \"${PIPESTATUS[0]}\""),
        ("both", "\"$@\" 2>&1 | true; exit \"${PIPESTATUS[0]}\""),
        ("closed", "exec \"$@\" >&- 2>&-"),
        ("full", "exec \"$@\" 2>/dev/full"),
    ] {
        let dir = folder(&format!("readers-{name}"));
        // Faults, so that much is said.
        let engines = [stub("move=a1a1"), good()];
        let inner = command(&dir, &engines, "--nodes 50 --games 6 --rate-interval 1");
        let mut shell = Command::new("bash");
        shell.args(["-c", script, "-"]).arg(inner.get_program()).args(inner.get_args());
        shell.current_dir(&dir).env("STUB_ENGINE", USURPER);
        let outcome = play(shell);
        assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.notes);
        assert_eq!(outcome.endings(), BTreeMap::from([("illegal", 6)]), "{name}");
    }
}
