//! `usurper play` from outside: by plain lines, by signals, and once by a terminal. What counts is the
//! file of the game, read back by the project's own reader.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;
use usurper::arena::pgn::{GameResult, PgnGame, Reader};
use usurper::board::Color;
use usurper::rules::Edition;

/// One move from safe arrival: nothing attacks d8.
const ARRIVING: &str = "7k/3K4/8/8/8/8/8/r7 w - - 0 1";

/// A folder of its own, in which the program runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_usurper"));
        command.current_dir(self.0.path()).arg("play").args(arguments);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("TERM", "xterm-256color");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs with these lines, which end the input.
    fn run(&self, arguments: &[&str], lines: &[&str]) -> Output {
        let mut child = self.command(arguments).spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        // The program may end before it has read all.
        let _ = input.write_all((lines.join("\n") + "\n").as_bytes());
        drop(input);
        child.wait_with_output().expect("an end")
    }

    /// Runs well, with nothing to complain of; what was shown.
    fn play(&self, arguments: &[&str], lines: &[&str]) -> String {
        let quick = ["--movetime", "10"];
        let output = self.run(&[&quick[..], arguments].concat(), lines);
        assert_eq!(text(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
        let shown = text(&output.stdout);
        assert!(!shown.contains('\u{1b}'), "no escapes where there is no terminal");
        shown
    }

    fn games(&self, name: &str) -> Vec<PgnGame> {
        games(&self.path(name))
    }

    /// The only game of the file, and its moves as coordinates.
    fn game(&self, name: &str) -> (PgnGame, Vec<String>) {
        let mut games = self.games(name);
        assert_eq!(games.len(), 1);
        let game = games.remove(0);
        let moves = game.record.moves().iter().map(ToString::to_string).collect();
        (game, moves)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> =
            entries.map(name).map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn games(path: &Path) -> Vec<PgnGame> {
    let bytes = fs::read(path).expect("a file");
    let games = Reader::new(&bytes[..], Edition::CaptureOrConquer);
    games.map(|game| game.expect("a readable game")).collect()
}

#[test]
fn a_game_is_kept_and_goes_on() {
    let folder = Folder::new();
    let shown = folder.play(&["--pgn", "game.pgn"], &["e4"]);
    assert!(shown.contains("usurper plays 1... "), "{shown}");
    assert!(shown.contains("the game is in game.pgn"), "{shown}");
    let (game, moves) = folder.game("game.pgn");
    assert_eq!((moves.len(), moves[0].as_str()), (2, "e2e4"));
    assert_eq!(game.result, GameResult::Unfinished);
    assert_eq!(game.tag("White"), Some("Player"));
    assert!(game.tag("Black").is_some_and(|name| name.starts_with("usurper ")));

    let shown = folder.play(&["--pgn", "game.pgn"], &["a3", "quit", "h3"]);
    assert!(shown.contains("going on after 2 plies"), "{shown}");
    let (_, more) = folder.game("game.pgn");
    assert_eq!(more.len(), 4, "nothing is played after quit");
    assert_eq!((&more[..2], more[2].as_str()), (&moves[..], "a2a3"));
    assert_eq!(folder.names(), ["game.pgn"], "no other file is left behind");
}

#[test]
fn without_a_name_the_file_gets_one() {
    let folder = Folder::new();
    folder.play(&[], &["quit"]);
    assert_eq!(folder.names(), [""; 0], "nothing was played, nothing is kept");
    folder.play(&[], &["e4"]);
    folder.play(&[], &["d4"]);
    let names = folder.names();
    assert_eq!(names.len(), 2);
    for (name, (number, first)) in names.iter().zip([(1, "e2e4"), (2, "d2d4")]) {
        assert!(name.starts_with("usurper-20") && name.ends_with(&format!("-{number}.pgn")));
        assert_eq!(folder.game(name).1[0], first);
    }
}

#[test]
fn the_engine_begins_when_the_person_is_black() {
    let folder = Folder::new();
    let shown = folder.play(&["--side", "b", "--pgn", "game.pgn"], &["a6"]);
    let (game, moves) = folder.game("game.pgn");
    assert_eq!((moves.len(), moves[1].as_str()), (3, "a7a6"));
    assert!(game.tag("White").is_some_and(|name| name.starts_with("usurper ")));
    // Seen from Black's side: the first rank above.
    assert_eq!(shown.lines().nth(1).and_then(|line| line.chars().nth(1)), Some('1'));
    // The file says who is who.
    folder.play(&["--pgn", "game.pgn"], &["h6"]);
    assert_eq!(folder.game("game.pgn").1[3], "h7h6");
}

#[test]
fn moves_in_any_notation() {
    let folder = Folder::new();
    // Black's King is far; nothing White plays here ends the game.
    let fen = "7k/8/8/8/4P3/4K3/8/R7 w - - 0 1";
    for (written, meant) in [("De4", "e3e4"), ("e3e4", "e3e4"), ("Ra5", "a1a5"), ("e5!", "e4e5")] {
        folder.play(&["--fen", fen, "--pgn", "game.pgn"], &[written]);
        assert_eq!(folder.game("game.pgn").1[0], meant, "{written}");
        fs::remove_file(folder.path("game.pgn")).expect("removed");
    }
    folder.play(&["--letters", "pt", "--moves", "e4", "e5", "--pgn", "game.pgn"], &["Cf3"]);
    assert_eq!(folder.game("game.pgn").1[..3], ["e2e4", "e7e5", "g1f3"]);
}

#[test]
fn taking_back() {
    let folder = Folder::new();
    folder.play(&["--pgn", "game.pgn"], &["e4", "undo", "d4"]);
    let (_, moves) = folder.game("game.pgn");
    assert_eq!((moves.len(), moves[0].as_str()), (2, "d2d4"));
    // As Black the engine's first move is not one's own to take back.
    let output = folder.run(&["--side", "b", "--movetime", "10", "--pgn", "b.pgn"], &["undo"]);
    assert_eq!(text(&output.stderr), "error: line 1: undo: there is nothing to take back\n");
    assert_eq!(folder.game("b.pgn").1.len(), 1);
    // Also when the game has ended.
    folder.play(&["--fen", ARRIVING, "--pgn", "c.pgn"], &["Kd8", "undo"]);
    let (game, moves) = folder.game("c.pgn");
    assert_eq!((game.result, moves.len()), (GameResult::Unfinished, 0));
    assert_eq!(game.tag("Termination"), None);
}

#[test]
fn a_finished_game_stays_as_it_is() {
    let folder = Folder::new();
    let shown = folder.play(&["--fen", ARRIVING, "--pgn", "game.pgn"], &["Kd8"]);
    assert!(shown.contains("White wins by conquest"), "{shown}");
    let (game, moves) = folder.game("game.pgn");
    assert_eq!((game.result, moves), (GameResult::Won(Color::White), vec!["d7d8".to_owned()]));
    let first = fs::read(folder.path("game.pgn")).expect("a file");
    // The next game comes after it.
    folder.play(&["--pgn", "game.pgn"], &["e4"]);
    let both = fs::read(folder.path("game.pgn")).expect("a file");
    assert!(both.starts_with(&first));
    let results: Vec<_> = folder.games("game.pgn").iter().map(|game| game.result).collect();
    assert_eq!(results, [GameResult::Won(Color::White), GameResult::Unfinished]);
    // And only the last goes on.
    folder.play(&["--pgn", "game.pgn"], &["a3"]);
    let games = folder.games("game.pgn");
    assert_eq!(games.iter().map(|game| game.record.moves().len()).collect::<Vec<_>>(), [1, 4]);
}

/// What the reader passes over, variations and glyphs of other games, is kept.
#[test]
fn other_games_in_the_file_are_untouched() {
    let folder = Folder::new();
    let others =
        "[Event \"a\"]\n\n1. e4 $1 (1. d4 {or this} d5) e5 1-0\n\n[Event \"b\"]\n\n1. c4 *\n\n";
    let last = "[Event \"c\"]\n[White \"A person\"]\n\n1. e4 {good} e5 *\n";
    fs::write(folder.path("game.pgn"), format!("{others}{last}")).expect("written");
    folder.play(&["--pgn", "game.pgn"], &["a3"]);
    let now = fs::read_to_string(folder.path("game.pgn")).expect("a file");
    assert!(now.starts_with(&format!("{others}[Event \"c\"]\n")), "{now}");
    let games = folder.games("game.pgn");
    assert_eq!(games.len(), 3);
    assert_eq!(games[2].record.moves().len(), 4);
    assert_eq!((games[2].tag("White"), games[2].comment(1)), (Some("A person"), "good"));
}

#[test]
fn resigning() {
    let folder = Folder::new();
    let shown = folder.play(&["--pgn", "game.pgn"], &["e4", "resign"]);
    assert!(shown.contains("White resigns, Black wins"), "{shown}");
    let (game, moves) = folder.game("game.pgn");
    assert_eq!((game.result, moves.len()), (GameResult::Won(Color::Black), 2));
    assert_eq!(game.tag("Ending"), Some("resignation"));
    // No move of the game is lost when the resignation is taken back.
    folder.play(&["--pgn", "other.pgn"], &["e4", "resign", "undo", "a3"]);
    let (game, moves) = folder.game("other.pgn");
    assert_eq!((game.result, moves.len()), (GameResult::Unfinished, 4));
    assert_eq!(game.tag("Ending"), None);
}

#[test]
fn what_the_commands_show() {
    let folder = Folder::new();
    let shown = folder.play(&["--fen", ARRIVING], &["moves"]);
    // Five steps on the ranks below and three onto the goal rank; only Black's Rook could object.
    assert_eq!(shown.matches(" (d7").count(), 8 + 3, "{shown}");
    assert!(shown.contains("Kd8 (d7d8): White wins by conquest"), "{shown}");

    let shown = folder.play(&["--fen", ARRIVING], &["hint"]);
    assert!(shown.contains("wins in 1 move"), "{shown}");
    assert_eq!(shown.matches("a  b  c").count(), 4, "a hint draws the board again: {shown}");

    let shown = folder.play(&[], &["help"]);
    for word in ["undo", "hint", "moves", "flip", "save [FILE]", "resign", "help", "quit"] {
        assert!(shown.contains(&format!("\n  {word} ")), "{word} in {shown}");
    }
    let shown = folder.play(&[], &["flip"]);
    let ranks = shown.lines().filter_map(|line| line.strip_prefix(" 8 ")).count();
    assert_eq!(ranks, 2, "{shown}");
}

#[test]
fn saving_elsewhere() {
    let folder = Folder::new();
    let shown = folder.play(&["--pgn", "a.pgn"], &["e4", "save b.pgn", "a3", "save"]);
    assert!(shown.contains("saved as b.pgn"), "{shown}");
    assert_eq!(folder.game("a.pgn").1.len(), 2);
    assert_eq!(folder.game("b.pgn").1.len(), 4);
    // A file that is there is not overwritten.
    let before = fs::read(folder.path("b.pgn")).expect("a file");
    let output = folder.run(&["--pgn", "c.pgn"], &["save b.pgn", "save no/such.pgn"]);
    let error = text(&output.stderr);
    assert!(error.starts_with("error: line 1: save: b.pgn exists already\n"), "{error}");
    assert!(error.contains("error: line 2: save: no/such.pgn: "), "{error}");
    assert_eq!(fs::read(folder.path("b.pgn")).expect("a file"), before);
}

/// Where the file cannot be written, the game goes on and can be kept elsewhere.
#[test]
fn a_file_that_cannot_be_written() {
    let folder = Folder::new();
    let play = |lines: &[&str]| {
        fs::create_dir_all(folder.path("gone")).expect("a folder");
        let mut command = folder.command(&["--movetime", "10", "--pgn", "gone/game.pgn"]);
        let mut child = command.spawn().expect("a start");
        let mut input = child.stdin.take().expect("a pipe");
        // The file was opened before the board is shown.
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut String::new()).expect("the board");
        fs::remove_dir(folder.path("gone")).expect("an empty folder");
        input.write_all((lines.join("\n") + "\n").as_bytes()).expect("written");
        drop(input);
        let shown = output.lines().map(|line| line.expect("UTF-8")).collect::<Vec<_>>().join("\n");
        let output = child.wait_with_output().expect("an end");
        assert!(shown.contains("not saved: gone/game.pgn"), "{shown}");
        (output.status.code(), text(&output.stderr))
    };
    let (code, error) = play(&["e4"]);
    assert_eq!((code, error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.starts_with("error: gone/game.pgn: "), "{error}");
    assert_eq!(play(&["e4", "save here.pgn"]), (Some(0), String::new()));
    assert_eq!(folder.game("here.pgn").1.len(), 2);
}

#[test]
fn bad_lines_are_named_and_change_nothing() {
    let folder = Folder::new();
    let lines = ["e5", "xyzzy", "undo 3", "e4", "\u{7f}\u{fffd}"];
    let output = folder.run(&["--movetime", "10", "--pgn", "game.pgn"], &lines);
    let error = text(&output.stderr);
    let errors: Vec<&str> = error.lines().collect();
    assert_eq!(errors.len(), 4, "{error}");
    for (error, (line, what)) in
        errors.iter().zip([(1, "\"e5\""), (2, "\"xyzzy\""), (3, "undo"), (5, "is not a move")])
    {
        assert!(error.starts_with(&format!("error: line {line}: ")), "{error}");
        assert!(error.contains(what), "{error}");
    }
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(folder.game("game.pgn").1.len(), 2);
}

#[test]
fn wrong_arguments() {
    let folder = Folder::new();
    let failure = |code: i32, arguments: &[&str], parts: &[&str]| {
        let output = folder.run(arguments, &[]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{arguments:?}: {error}");
        if code == 1 {
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    };
    failure(2, &["--elo", "5"], &["--elo"]);
    failure(2, &["--elo", "1500", "--movetime", "5"], &["--elo", "--movetime"]);
    failure(2, &["--side", "red"], &["red"]);
    failure(1, &["--fen", "8/8 w"], &["8"]);
    failure(1, &["--pgn", "no/such/game.pgn"], &["no/such/game.pgn"]);
    let broken = "[Event \"?\"]\n\n1. e4 e5 2. Ke8 *\n";
    fs::write(folder.path("broken.pgn"), broken).expect("written");
    failure(1, &["--pgn", "broken.pgn"], &["broken.pgn", "line 3", "Ke8"]);
    assert_eq!(fs::read_to_string(folder.path("broken.pgn")).expect("a file"), broken);
    // A game that goes on is not mixed up with another.
    folder.play(&["--pgn", "game.pgn"], &["e4"]);
    failure(1, &["--pgn", "game.pgn", "--fen", ARRIVING], &["game.pgn", "unfinished"]);
    failure(1, &["--pgn", "game.pgn", "--variant", "chess"], &["game.pgn", "captureorconquer"]);
    assert_eq!(folder.game("game.pgn").1.len(), 2);
}

#[test]
fn a_game_keeps_its_strength_and_edition() {
    let folder = Folder::new();
    let arguments = ["--elo", "900", "--variant", "captureorconquer-classic", "--pgn", "game.pgn"];
    assert_eq!(folder.run(&arguments, &["e4"]).status.code(), Some(0));
    assert_eq!(folder.game("game.pgn").0.tag("BlackElo"), Some("900"));
    assert_eq!(folder.run(&["--pgn", "game.pgn"], &["a3"]).status.code(), Some(0));
    let (game, moves) = folder.game("game.pgn");
    assert_eq!((game.tag("BlackElo"), moves.len()), (Some("900"), 4));
    assert_eq!(game.record.start().edition(), Edition::Classic);
    folder.play(&["--pgn", "game.pgn"], &[]);
}

/// Starts a game, waits for the answer to the first move, and leaves the program waiting for a line.
fn in_the_middle(folder: &Folder) -> Child {
    let mut child =
        folder.command(&["--movetime", "10", "--pgn", "game.pgn"]).spawn().expect("a start");
    child.stdin.as_mut().expect("a pipe").write_all(b"e4\n").expect("written");
    let output = BufReader::new(child.stdout.as_mut().expect("a pipe"));
    let mut lines = output.lines().map(|line| line.expect("UTF-8"));
    assert!(lines.any(|line| line.starts_with("usurper plays")), "an answer");
    child
}

#[test]
fn killed_and_nothing_is_lost() {
    let folder = Folder::new();
    let mut child = in_the_middle(&folder);
    child.kill().expect("killed");
    child.wait().expect("an end");
    // The answer is shown once it has been saved.
    assert_eq!(folder.game("game.pgn").1.len(), 2);
    assert_eq!(folder.names(), ["game.pgn"]);
}

#[cfg(unix)]
#[test]
fn interrupted() {
    use rustix::process::{Pid, Signal, kill_process};
    for signal in [Signal::INT, Signal::TERM] {
        let folder = Folder::new();
        let mut child = in_the_middle(&folder);
        kill_process(Pid::from_child(&child), signal).expect("sent");
        assert_eq!(child.wait().expect("an end").code(), Some(0));
        assert_eq!(folder.game("game.pgn").1.len(), 2);
        assert_eq!(folder.names(), ["game.pgn"]);
    }
}

#[cfg(unix)]
mod terminal {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::OwnedFd;
    use std::process::Child;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// The program at a terminal of our own.
    struct Terminal {
        child: Child,
        keys: File,
        bytes: Receiver<Vec<u8>>,
        screen: String,
    }

    impl Terminal {
        fn start(mut command: Command) -> Terminal {
            let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
            grantpt(&main).expect("granted");
            unlockpt(&main).expect("unlocked");
            let name = ptsname(&main, Vec::new()).expect("a name");
            let name = name.to_str().expect("UTF-8");
            let side = File::options().read(true).write(true).open(name).expect("its other side");
            let side: OwnedFd = side.into();
            let copy = || side.try_clone().expect("a copy");
            command.stdin(copy()).stdout(copy()).stderr(copy());
            let child = command.spawn().expect("the program starts");
            drop((command, side));
            let keys = File::from(main);
            let mut reader = keys.try_clone().expect("a copy");
            let (sender, bytes) = channel();
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                // At the end of the program there is an error instead of an end.
                while let Ok(count @ 1..) = reader.read(&mut buffer) {
                    if sender.send(buffer[..count].to_vec()).is_err() {
                        break;
                    }
                }
            });
            Terminal { child, keys, bytes, screen: String::new() }
        }

        /// Waits until a text has been shown since the last time.
        fn wait_for(&mut self, text: &str) {
            let end = Instant::now() + PATIENCE;
            loop {
                if let Some(at) = self.screen.find(text) {
                    self.screen.drain(..at + text.len());
                    return;
                }
                let left = end.saturating_duration_since(Instant::now());
                let bytes = self.bytes.recv_timeout(left);
                let bytes = bytes.unwrap_or_else(|_| panic!("no {text:?} in {:?}", self.screen));
                self.screen.push_str(&String::from_utf8_lossy(&bytes));
            }
        }

        fn press(&mut self, keys: &str) {
            self.keys.write_all(keys.as_bytes()).expect("a living program");
        }
    }

    #[test]
    fn a_game_at_a_terminal() {
        let folder = Folder::new();
        let mut terminal =
            Terminal::start(folder.command(&["--movetime", "10", "--pgn", "game.pgn"]));
        terminal.wait_for("\u{1b}[2J"); // the screen is cleared
        terminal.wait_for("\u{1b}[48;5;"); // and the board coloured
        terminal.wait_for("White> ");
        // Only one move begins so; the tabulator completes it.
        terminal.press("Na\t\r");
        terminal.wait_for("usurper plays 1... ");
        terminal.wait_for("White> ");
        // A wrong line is answered below the board, and the game goes on.
        terminal.press("e9\r");
        terminal.wait_for("\"e9\" is not a move");
        terminal.wait_for("White> ");
        terminal.press("und\t\r");
        terminal.wait_for("\u{1b}[2J"); // the prompt alone is shown again with every key
        terminal.wait_for("White> ");
        assert_eq!(folder.game("game.pgn").1.len(), 0);
        terminal.press("b1a\t\r");
        terminal.wait_for("usurper plays 1... ");
        terminal.wait_for("White> ");
        terminal.press("\u{3}"); // Ctrl-C
        terminal.wait_for("the game is in game.pgn");
        assert_eq!(terminal.child.wait().expect("an end").code(), Some(0));
        let (_, moves) = folder.game("game.pgn");
        assert_eq!((moves.len(), moves[0].as_str()), (2, "b1a3"));
    }
}
