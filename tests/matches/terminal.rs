//! The progress of a match at a terminal, and where none is.

use std::io::{Read, Write};

use super::*;

/// A match at a terminal so many columns wide.
fn at_a_terminal(columns: u32, command: &Command) -> Command {
    let mut outer = Command::new("python3");
    outer.current_dir(command.get_current_dir().expect("a folder")).env("TERM", "xterm");
    outer.args(["-IS", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stubs/terminal.py")]);
    outer.arg(columns.to_string()).arg(command.get_program()).args(command.get_args());
    outer.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    outer
}

/// The pictures that were drawn in one line, one over the other.
fn pictures(screen: &str) -> Vec<&str> {
    screen.split(['\r', '\n']).filter(|picture| picture.contains(" eta ")).collect()
}

fn without_controls(picture: &str) -> String {
    picture.replace("\u{1b}[2K", "").trim_end().to_owned()
}

#[test]
fn the_progress_fits_the_terminal() {
    for (columns, bar) in [(100, true), (50, false), (20, false)] {
        let dir = folder(&format!("terminal-{columns}"));
        let engines = [good(), format!("cmd={USURPER},name=an engine with a long name")];
        let command = command(&dir, &engines, "--nodes 50 --games 4 --max-plies 20");
        let mut child = at_a_terminal(columns, &command).spawn().expect("a match");
        let mut screen = String::new();
        let mut output = child.stdout.take().expect("a pipe");
        output.read_to_string(&mut screen).expect("text");
        assert_eq!(child.wait().expect("an end").code(), Some(0), "{screen}");
        let drawn = pictures(&screen);
        assert!(drawn.iter().any(|picture| picture.contains("0/4 ")), "{screen:?}");
        assert!(drawn.len() > 1, "{screen:?}");
        for picture in drawn {
            let picture = without_controls(picture);
            assert!(picture.chars().count() <= columns as usize || columns < 40, "{picture:?}");
            assert_eq!(picture.contains('░') || picture.contains('█'), bar, "{picture:?}");
        }
        // The bar has gone, and the table stands alone.
        let (_, table) = screen.rsplit_once("\u{1b}[2K").expect("a line that was cleared");
        assert!(table.starts_with("good against an engine with a long name: "), "{table:?}");
        assert_eq!(read_lines(&dir.join("o.jsonl")).len(), 4);
    }
}

/// Ctrl-C at the terminal: the table of what is finished, how to go on, and a terminal as it was.
#[test]
fn the_key_ctrl_c() {
    let dir = folder("terminal-stopped");
    let log = dir.join("sent");
    let engines = [stub("log=sent"), good()];
    let command = command(&dir, &engines, "--nodes 400 --games 200 --concurrency 2");
    let mut outer = at_a_terminal(100, &command);
    outer.env("STUB_ENGINE", USURPER);
    let mut child = outer.spawn().expect("a match");
    wait_until("two games", || read_lines_whole(&dir.join("o.jsonl")) >= 2);
    child.stdin.take().expect("a pipe").write_all(b"c").expect("typed");
    let mut screen = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut screen).expect("text");
    assert_eq!(child.wait().expect("an end").code(), Some(1), "{screen}");
    assert!(screen.contains(" of 200 games; --resume goes on"), "{screen:?}");
    assert!(screen.contains("Games ended by: "), "{screen:?}");
    assert!(!screen.contains("\u{1b}[?25l"), "the cursor was never hidden");
    assert_eq!(running(&log), 0);
    check_files(&dir, &read_games(&dir.join("o.pgn")), &read_lines(&dir.join("o.jsonl")));
}

/// Where nothing can be drawn, plain lines: a pipe, and a terminal that says it cannot.
#[test]
fn plain_lines_elsewhere() {
    let arguments = "--nodes 50 --games 4 --max-plies 12 --rate-interval 2";
    let outcome = play(command(&folder("plain"), &[good(), good()], arguments));
    assert!(outcome.notes.contains("\n2/4: +"), "{}", outcome.notes);
    assert!(outcome.notes.contains("\n4/4: +"), "{}", outcome.notes);
    assert!(!outcome.notes.contains(['\u{1b}', '\r']), "{:?}", outcome.notes);

    let command = command(&folder("dumb"), &[good(), good()], arguments);
    let output = at_a_terminal(100, &command).env("TERM", "dumb").output().expect("a match");
    let screen = String::from_utf8(output.stdout).expect("text");
    assert!(screen.contains("\n2/4: +") && !screen.contains('\u{1b}'), "{screen:?}");
}
