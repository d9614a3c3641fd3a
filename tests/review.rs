//! `usurper review` from outside, on games whose marks follow from the rules.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command as Run;
use tempfile::TempDir;
use usurper::arena::pgn::{PgnGame, Reader};
use usurper::rules::Edition;

/// White could take the King on e8.
const CAPTURE: &str = "[White \"Ada\"]\n[Black \"Bob\"]\n[FEN \"4k3/8/8/8/8/8/4R3/K7 w - - 0 1\"]\n[Result \"*\"]\n\n1. Ka2 Kd7 *\n";
/// Each King is a step from its goal rank; White does not take it, Black does.
const ARRIVAL: &str = "[FEN \"8/K7/8/8/8/8/7k/8 w - - 0 1\"]\n[Result \"0-1\"]\n\n1. Kb6 Kg1 0-1\n";
/// The same, where White's way onto the goal rank is an Escort: the Rook slides to e7, the King jumps to e8.
const ESCORT: &str =
    "[FEN \"4R3/8/4K3/8/8/8/7k/8 w - - 0 1\"]\n[Result \"0-1\"]\n\n1. Kd6 Kg1 0-1\n";
/// White's King arrives under the Rook's attack and is not taken.
const ULTIMATUM: &str =
    "[FEN \"r7/4K3/8/8/7k/8/8/8 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. Ke8 Kg4 1-0\n";
/// Both could have played otherwise; Black makes the third occurrence.
const FREE: &str = "1. Nc3 Nc6 2. Nb1 Nb8 3. Nc3 Nc6 4. Nb1 Nb8 1-0\n";
/// White's King has one move at each turn.
const ONLY_MOVE: &str = "[FEN \"7k/8/8/8/p1p5/P1Pp4/RB1P4/1KB5 b - - 0 1\"]\n\n\
    1... Kg8 2. Ka1 Kh8 3. Kb1 Kg8 4. Ka1 Kh8 5. Kb1 1-0\n";
/// The Rook drives the King to and fro.
const ATTACKED: &str =
    "[FEN \"k7/8/8/8/8/7K/8/1R6 w - - 0 1\"]\n\n1. Ra1 Kb8 2. Rb1 Ka8 3. Ra1 Kb8 4. Rb1 Ka8 0-1\n";

struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, pgn: &str, options: &[&str]) -> Run {
        fs::write(self.path("game.pgn"), pgn).expect("a file");
        let mut run = Run::new(env!("CARGO_BIN_EXE_usurper"));
        run.current_dir(self.folder.path()).args(["review", "game.pgn"]);
        if !options.contains(&"--nodes") {
            run.args(["--nodes", "2000"]);
        }
        run.args(options);
        run
    }

    fn text(&self, pgn: &str, options: &[&str]) -> String {
        let run = self.run(pgn, options).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file that was written")
    }
}

fn review(pgn: &str, options: &[&str]) -> String {
    Desk::new().text(pgn, options)
}

/// The line about a move.
#[track_caller]
fn about<'a>(text: &'a str, m: &str) -> &'a str {
    text.lines()
        .map(str::trim_start)
        .find(|line| line.starts_with(m))
        .unwrap_or_else(|| panic!("nothing about {m} in {text}"))
}

fn games(text: &str) -> Vec<PgnGame> {
    Reader::new(text.as_bytes(), Edition::default()).map(|game| game.expect("a game")).collect()
}

/// README's example.
#[test]
fn the_example_game() {
    let game = include_str!("../examples/game.pgn");
    let text = review(game, &["--nodes", "500"]);
    assert!(text.contains("(47 moves)") && text.contains("Black wins by conquest"), "{text}");
}

#[test]
fn a_king_that_was_not_taken() {
    let text = review(CAPTURE, &[]);
    assert!(text.starts_with("Ada – Bob  *  (1 move)\n"), "{text}");
    let line = about(&text, "1. Ka2");
    assert!(line.contains("misses the Capture of the King: Rxe8"), "{line}");
    // However much White is still winning, it could have been over.
    assert!(line.starts_with("1. Ka2?"), "{line}");
}

#[test]
fn a_conquest_that_was_not_made() {
    let text = review(ARRIVAL, &[]);
    // From a certain win to a certain loss.
    let line = about(&text, "1. Kb6");
    assert!(line.starts_with("1. Kb6??  100 % to 0 %  Blunder: misses a Conquest: K"), "{line}");
    assert!(text.contains("Black wins by conquest\n"), "{text}");
    assert!(!text.contains("Kg1?"), "a winning move has no mark: {text}");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("Blunders")).collect();
    assert_eq!(rows[0].split_whitespace().collect::<Vec<_>>(), ["Blunders", "1", "0"]);
    let accuracy = text.lines().find(|line| line.starts_with("Accuracy")).expect("a row");
    assert_eq!(accuracy.split_whitespace().collect::<Vec<_>>(), ["Accuracy", "0.0", "100.0"]);
}

/// Moves of an opening book were nobody's choice.
#[test]
fn moves_of_the_book_have_no_mark() {
    let book = ARRIVAL.replace("1. Kb6 Kg1", "1. Kb6 {book} Kg1");
    let desk = Desk::new();
    let text = desk.text(&book, &["--out", "out.pgn"]);
    assert!(!text.contains("Kb6"), "{text}");
    let accuracy = text.lines().find(|line| line.starts_with("Accuracy")).expect("a row");
    assert_eq!(accuracy.split_whitespace().collect::<Vec<_>>(), ["Accuracy", "–", "100.0"]);
    // Nor when the annotated file is reviewed again.
    let again = desk.text(&desk.read("out.pgn"), &[]);
    assert!(!again.contains("Kb6"), "{again}");
}

#[test]
fn an_escort_that_would_have_conquered() {
    let text = review(ESCORT, &[]);
    let line = about(&text, "1. Kd6??");
    assert!(line.contains("Blunder: misses a Conquest by Escort: ERe7"), "{line}");
}

#[test]
fn an_ultimatum_that_was_ignored() {
    let text = review(ULTIMATUM, &[]);
    let line = about(&text, "1... Kg4??");
    assert!(line.contains("ignores the Ultimatum: Rxe8 would have taken the King on e8"), "{line}");
    assert!(line.contains("100 % to 0 %"), "{line}");
}

#[test]
fn repetitions_that_lost() {
    let free = review(FREE, &[]);
    let line = about(&free, "4... Nb8??");
    assert!(line.contains("third time without being forced: Black loses"), "{line}");

    // Black's King had a free way to its goal rank, seven moves away: a search that sees it.
    let only = review(ONLY_MOVE, &["--nodes", "100000"]);
    let line = about(&only, "5. Kb1  ");
    assert!(line.contains("forced because there was no other move: Black loses"), "{line}");
    assert!(only.contains("4... Kh8??"), "Black could have gone elsewhere: {only}");

    let attacked = review(ATTACKED, &[]);
    let line = about(&attacked, "4... Ka8  ");
    assert!(line.contains("forced because the King was attacked: White loses"), "{line}");
    assert!(attacked.contains("4. Rb1??"), "the Rook drove it there: {attacked}");
    // The earlier edition knows no excuse.
    let classic = review(ATTACKED, &["--variant", "captureorconquer-classic"]);
    let line = about(&classic, "4... Ka8");
    assert!(line.contains("third time without being forced: Black loses"), "{line}");
}

#[test]
fn chess_has_its_own_ends() {
    let text = review("1. f3 e5 2. g4 a6 3. a3 Qh4# 0-1\n", &["--variant", "chess"]);
    assert!(about(&text, "2... a6").contains("misses a win by checkmate: Qh4#"), "{text}");
    assert!(text.contains("Black wins by checkmate"), "{text}");
}

#[test]
fn in_portuguese() {
    let text = review(ULTIMATUM, &["--lang", "pt"]);
    assert!(text.contains("Brancas vencem por Conquista"), "{text}");
    // T is Torre, R is Rei.
    let line = about(&text, "1... Rg4??");
    assert!(line.contains("ignora o Ultimato: Txe8 teria capturado o Rei em e8"), "{line}");
    let text = review(ESCORT, &["--lang", "pt"]);
    // An Escort keeps its English letters.
    assert!(text.contains("deixa passar uma Conquista por Escolta: ERe7"), "{text}");
}

#[test]
fn a_bad_game_in_the_middle() {
    let desk = Desk::new();
    let bad = "[White \"Mallory\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n";
    let pgn = format!("{CAPTURE}\n{bad}\n{ARRIVAL}");
    let run = desk.run(&pgn, &["--out", "out.pgn", "--svg", "g.svg", "--html", "page.html"]);
    let run = { run }.assert().code(1);
    let text = String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8");
    assert!(text.contains("Game 1: Ada – Bob") && text.contains("Game 2: ? – ?"), "{text}");
    let errors = String::from_utf8(run.get_output().stderr.clone()).expect("UTF-8");
    assert_eq!(
        errors,
        "error: game.pgn: game 2, line 11, column 13: move 2.: \"Ke3\" is not a legal move\n\
         error: game.pgn: 1 bad game was passed over\n"
    );
    assert_eq!(games(&desk.read("out.pgn")).len(), 2);
    assert!(desk.path("g.svg").exists() && desk.path("g-2.svg").exists());
    assert_eq!(desk.read("page.html").matches("<section").count(), 2);
}

#[test]
fn the_annotated_game() {
    let desk = Desk::new();
    let pgn = format!("{ARRIVAL}\n[Event \"Second\"]\n\n{FREE}");
    let first = desk.text(&pgn, &["--out", "out.pgn"]);
    let written = desk.read("out.pgn");
    let (before, after) = (games(&pgn), games(&written));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.record.moves(), after.record.moves());
        assert_eq!(before.result, after.result);
    }
    // `$4` is a blunder; the better move is a variation; Black's side is the better one by #-1.
    let start = written.split("\n\n").nth(1).expect("moves");
    let words: Vec<&str> = start.split_whitespace().collect();
    let text = words.join(" ");
    assert!(text.starts_with("1. Kb6 $4 {[%eval #-1] Blunder: misses a Conquest: K"), "{text}");
    assert!(text.contains("} (1. K") && text.ends_with(") 1... Kg1 0-1"), "{text}");

    // Reviewed again, nothing doubles.
    let second = Desk::new();
    assert_eq!(second.text(&written, &["--out", "out.pgn"]), first);
    assert_eq!(second.read("out.pgn"), written);
}

#[test]
fn the_graph() {
    let desk = Desk::new();
    desk.text(ARRIVAL, &["--svg", "graph.svg"]);
    let text = desk.read("graph.svg");
    let graph = roxmltree::Document::parse(&text).expect("XML");
    let of = |class: &str| -> Vec<roxmltree::Node> {
        graph.descendants().filter(|n| n.attribute("class") == Some(class)).collect()
    };
    // Start, 1. Kb6, 1... Kg1: White's chance is all, nothing, nothing.
    assert_eq!(of("ply").len(), 3);
    let curve = of("chance")[0].attribute("d").expect("a path");
    let heights: Vec<&str> = curve.split_whitespace().skip(1).step_by(2).collect();
    assert_eq!(heights, ["0.0", "182.0", "182.0"]);
    let marks = of("mark");
    assert_eq!(marks.len(), 1);
    assert_eq!(marks[0].attribute("data-ply"), Some("1"));
    assert_eq!(marks[0].attribute("data-mark"), Some("blunder"));
    let axis: Vec<&str> = of("axis").iter().filter_map(|n| n.text()).collect();
    assert_eq!(axis, ["100 %   White's chance to win", "50 %", "0 %", "move"]);
}

/// After the blunder the page's line is the Conquest that was there instead, not the answer to the blunder.
#[test]
fn the_page_says_what_was_better() {
    let desk = Desk::new();
    desk.text(ARRIVAL, &["--html", "page.html"]);
    let page = desk.read("page.html");
    let (_, data) = page.split_once("id=\"games\">").expect("the data");
    let (data, _) = data.split_once("</script>").expect("its end");
    let games: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let position = &games[0]["positions"][1];
    assert_eq!(position["mark"], "blunder");
    let line = position["line"].as_str().expect("a line");
    assert!(line.starts_with("1. K") && line.contains('8'), "{line}");
}

#[test]
fn the_page_holds_all_it_needs() {
    let desk = Desk::new();
    let evil = CAPTURE
        .replace("Ada", "</script><script>alert(1)</script>")
        .replace("Bob", "B & \\\"b\\\"");
    desk.text(&format!("{evil}\n{ARRIVAL}"), &["--html", "page.html", "--lang", "pt"]);
    let page = desk.read("page.html");
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"pt\">"));
    assert!(!page.contains("alert(1)</script>") && page.contains("&lt;/script&gt;"), "escaped");
    assert!(page.contains("B &amp; &quot;b&quot;"));
    // Nothing is fetched: the one address is the name of SVG.
    let addresses = page.matches("http").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
    let data = page.split("id=\"games\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: serde_json::Value = serde_json::from_str(data.expect("data")).expect("JSON");
    let positions = data[1]["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 3);
    assert_eq!(positions[1]["mark"], "blunder");
    assert_eq!(positions[2]["flags"], serde_json::json!([["conquest", "g1"]]));
    assert!(page.matches("class=\"card\"").count() >= 1, "a picture of the turning point");
}

/// Ctrl-C: the game that is done is kept, the one at hand is not.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_games_that_are_done() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let desk = Desk::new();
    // The first needs no search worth the name, the second would take minutes.
    fs::write(desk.path("game.pgn"), format!("{ARRIVAL}\n[Event \"Long\"]\n\n{FREE}"))
        .expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_usurper"))
        .current_dir(desk.folder.path())
        .args([
            "review",
            "game.pgn",
            "--nodes",
            "100000000",
            "--out",
            "out.pgn",
            "--html",
            "page.html",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("UTF-8");
    assert!(first.starts_with("Game 1: "), "{first}");
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    kill_process(pid, Signal::INT).expect("a living process");
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert_eq!(errors, "error: stopped after 1 of 2 games\n");
    let kept = games(&desk.read("out.pgn"));
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].record.moves(), games(ARRIVAL)[0].record.moves());
    assert_eq!(desk.read("page.html").matches("<section").count(), 1);
}

#[test]
fn errors_and_exit_codes() {
    let desk = Desk::new();
    let failure = |run: &mut Run, code: i32| {
        let run = run.assert().code(code);
        String::from_utf8(run.get_output().stderr.clone()).expect("UTF-8")
    };
    let mut missing = Run::new(env!("CARGO_BIN_EXE_usurper"));
    let error = failure(missing.args(["review", "/does/not/exist.pgn"]), 1);
    assert!(error.starts_with("error: /does/not/exist.pgn: "), "{error}");
    let error = failure(&mut desk.run("", &[]), 1);
    assert_eq!(error, "error: game.pgn: no game to review\n");
    let error = failure(&mut desk.run(CAPTURE, &["--out", "game.pgn"]), 1);
    assert_eq!(error, "error: game.pgn: this is the file to be reviewed\n");
    assert_eq!(desk.read("game.pgn"), CAPTURE);
    let error = failure(&mut desk.run(CAPTURE, &["--out", "no/folder/out.pgn"]), 1);
    assert!(error.starts_with("error: no/folder/out.pgn: "), "{error}");
    for usage in [&["--nodes", "0"][..], &["--lang", "de"], &["--threads", "0"], &["--what"]] {
        let error = failure(&mut desk.run(CAPTURE, usage), 2);
        assert!(error.starts_with("error: "), "{usage:?}: {error}");
    }
    let mut nothing = Run::new(env!("CARGO_BIN_EXE_usurper"));
    failure(nothing.arg("review"), 2);
}
