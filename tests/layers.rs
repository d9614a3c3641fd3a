//! The order of the rooms: a room uses only those to its left. And the walls around what must not
//! spread: one file knows the crate `vampirc_uci`.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from left to right.
const ROOMS: [&str; 15] = [
    "board",
    "rules",
    "text",
    "picture",
    "eval",
    "proof",
    "tablebase",
    "search",
    "games",
    "protocol",
    "arena",
    "data",
    "train",
    "analysis",
    "cli",
];

/// The source text without comments, so that a path in a sentence is no use.
fn code(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        let mut in_string = false;
        let mut characters = line.char_indices().peekable();
        let mut end = line.len();
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' if in_string => {
                    characters.next();
                }
                '"' => in_string = !in_string,
                '/' if !in_string && line[at..].starts_with("//") => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        code.push_str(&line[..end]);
        code.push('\n');
    }
    code
}

/// The rooms that a file's text uses: `crate::room` anywhere, `crate::{room, …}` and, from a file in
/// `depth` folders below `src`, the same by `super::`.
fn uses(text: &str, depth: usize) -> Vec<String> {
    let code: String = code(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut roots = vec!["crate::".to_owned(), "usurper::".to_owned()];
    roots.push("super::".repeat(depth));
    let mut rooms = Vec::new();
    for root in roots {
        for (at, _) in code.match_indices(&root) {
            // `super::super::x` holds `super::x`: only the whole chain counts.
            if root.starts_with("super") && code[..at].ends_with("super::") {
                continue;
            }
            let rest = &code[at + root.len()..];
            match rest.strip_prefix('{') {
                None => rooms.extend(first_word(rest)),
                Some(list) => rooms.extend(members(list).filter_map(first_word)),
            }
        }
    }
    rooms.sort();
    rooms.dedup();
    rooms
}

fn first_word(text: &str) -> Option<String> {
    let word: String =
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!word.is_empty()).then_some(word)
}

/// The members of a list `a::b, c::{d, e}}…`, up to the bracket that closes it.
fn members(list: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut start) = (0, 0);
    let mut members = Vec::new();
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                members.push(&list[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                members.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    members.into_iter()
}

/// Arrows that point to the right, as sentences. `file` is a path below `src`.
fn violations(file: &str, text: &str) -> Vec<String> {
    let path = Path::new(file);
    let room = path.components().next().and_then(|c| c.as_os_str().to_str()).unwrap_or_default();
    let room = room.strip_suffix(".rs").unwrap_or(room);
    let Some(own) = ROOMS.iter().position(|&r| r == room) else {
        return vec![format!("{file} is in no known room")];
    };
    let folders = path.components().count() - 1;
    let is_room_itself = path.file_name().is_some_and(|name| name == "mod.rs") || folders == 0;
    // From `room/mod.rs`, `super` is the crate; from `room/file.rs`, `super::super`.
    let depth = if is_room_itself { folders.max(1) } else { folders + 1 };
    uses(text, depth)
        .into_iter()
        .filter(|used| ROOMS.iter().position(|r| r == used).is_some_and(|other| other > own))
        .map(|used| format!("{file} uses {used}, which stands to the right of {room}"))
        .collect()
}

fn source_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path: PathBuf = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).expect("below src").display().to_string();
                files.push((name, fs::read_to_string(&path).expect("UTF-8")));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn no_room_uses_one_to_its_right() {
    let files = source_files();
    assert!(files.iter().any(|(name, _)| name == "rules/movegen.rs"), "the files are found");
    let found: Vec<String> = files
        .iter()
        .filter(|(name, _)| name != "lib.rs" && name != "main.rs")
        .flat_map(|(name, text)| violations(name, text))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_check_can_fail() {
    let wrong = |file: &str, text: &str| violations(file, text).len();
    assert_eq!(wrong("rules/game.rs", "use crate::search::Engine;"), 1);
    assert_eq!(wrong("rules/game.rs", "use crate::{board::Square, search::Engine};"), 1);
    assert_eq!(
        wrong("rules/game.rs", "use crate::{\n    board::{Square, Color},\n    eval, search,\n};"),
        2
    );
    assert_eq!(wrong("rules/game.rs", "fn f() { crate::cli::run(); }"), 1);
    assert_eq!(wrong("rules/game.rs", "use super::super::protocol;"), 1);
    assert_eq!(wrong("rules/mod.rs", "use super::protocol;"), 1);
    assert_eq!(wrong("rules/deep/er.rs", "use super::super::super::protocol;"), 1);
    assert_eq!(wrong("rules/deep/mod.rs", "use super::super::protocol;"), 1);
    assert_eq!(wrong("protocol/uci.rs", "pub(crate) use crate::arena;"), 1);
    assert_eq!(wrong("eval.rs", "use crate::search;"), 1);
    assert_eq!(wrong("attic/old.rs", ""), 1);

    assert_eq!(wrong("rules/game.rs", "use crate::board::Square;"), 0);
    assert_eq!(wrong("rules/game.rs", "use crate::rules::Edition; use super::search;"), 0);
    assert_eq!(wrong("search/engine.rs", "use crate::{board, eval::evaluate, rules::{Move}};"), 0);
    assert_eq!(
        wrong("rules/game.rs", "// as crate::search does\n/// [`crate::search::Engine`]"),
        0
    );
    assert_eq!(wrong("rules/game.rs", "let x = \"// no comment\"; use crate::search;"), 1);
    assert_eq!(
        wrong("cli/judge.rs", "use crate::protocol; use crate::arena; use crate::rules;"),
        0
    );
    assert_eq!(wrong("board/x.rs", "use crate::board::searching::Evaluation;"), 0);
}

#[test]
fn one_file_knows_vampirc_uci() {
    let users: Vec<String> = source_files()
        .into_iter()
        .filter(|(_, text)| code(text).contains("vampirc_uci"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(users, ["protocol/vampirc.rs"]);
}

#[test]
fn the_library_is_made_of_these_rooms() {
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    let library = code(&library.expect("src/lib.rs"));
    let mut declared: Vec<&str> = library
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    declared.sort_unstable();
    let mut rooms = ROOMS.to_vec();
    rooms.sort_unstable();
    assert_eq!(declared, rooms);
}
