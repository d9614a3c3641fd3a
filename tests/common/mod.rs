//! The engine as a black box: a process to which lines are sent and from which lines are expected.

#![allow(dead_code)] // each test binary uses its own part

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use usurper::rules::{Edition, GameRecord, Position, notation};

/// How long to wait for a line that must come, on a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Engine {
    /// Starts the engine without arguments.
    pub fn start() -> Engine {
        Engine::start_with(|command| command)
    }

    /// Starts the engine with a command that `prepare` has changed.
    pub fn start_with(prepare: impl FnOnce(&mut Command) -> &mut Command) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_usurper"));
        command.env_remove("RUST_LOG");
        let mut child = prepare(&mut command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("a pipe");
        let mut errors = child.stderr.take().expect("a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                let line = String::from_utf8(line.expect("readable output")).expect("UTF-8");
                assert!(!line.ends_with('\r'), "lines end in a line feed alone");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        Engine { child, input, lines, errors: Some(errors) }
    }

    /// Sends a line, or several with line ends between them.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
        self.send_bytes(b"\n");
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("the input is open").write_all(bytes).expect("a living engine");
    }

    /// The next line, if one comes in time.
    pub fn next_within(&self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// All lines up to the first that starts with `word`, that one last.
    pub fn until(&self, word: &str) -> Vec<String> {
        self.until_within(word, PATIENCE)
    }

    /// As [`Engine::until`], within a time.
    #[track_caller]
    pub fn until_within(&self, word: &str, patience: Duration) -> Vec<String> {
        let end = Instant::now() + patience;
        let mut seen = Vec::new();
        loop {
            match self.next_within(end.saturating_duration_since(Instant::now())) {
                Some(line) => {
                    let found = line.split_whitespace().next() == Some(word);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                None => panic!("no {word} within {patience:?} after {seen:#?}"),
            }
        }
    }

    /// The lines that come within a time.
    pub fn lines_for(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut seen = Vec::new();
        while let Some(line) = self.next_within(end.saturating_duration_since(Instant::now())) {
            seen.push(line);
        }
        seen
    }

    /// Sends a line and `isready`; the lines before `readyok`.
    #[track_caller]
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a line that must give exactly one line, an error, and returns the error's text.
    #[track_caller]
    pub fn error(&mut self, text: &str) -> String {
        let lines = self.ask(text);
        assert_eq!(lines.len(), 1, "{text}: {lines:#?}");
        lines[0].strip_prefix("info string error: ").expect("an error").to_owned()
    }

    /// Sends a `go` line; what comes of it.
    #[track_caller]
    pub fn go(&mut self, text: &str) -> Search {
        self.send(text);
        Search::from(self.until("bestmove"))
    }

    /// The value of a line `NAME: VALUE` that `d` shows.
    #[track_caller]
    pub fn shown(&mut self, name: &str) -> String {
        let lines = self.ask("d");
        let prefix = format!("{name}:");
        let line = lines.iter().find_map(|line| line.strip_prefix(&prefix));
        line.unwrap_or_else(|| panic!("no {name} in {lines:#?}")).trim().to_owned()
    }

    /// The root moves and their counts, and the total, of `go perft DEPTH`.
    #[track_caller]
    pub fn perft(&mut self, depth: u32) -> (Vec<(String, u64)>, u64) {
        let mut lines = self.ask(&format!("go perft {depth}"));
        let total = lines.pop().expect("a total");
        let total = total.strip_prefix("Nodes searched: ").expect("a total").parse();
        let root = lines.iter().map(|line| {
            let (m, count) = line.split_once(": ").expect("a move and its count");
            (m.to_owned(), count.parse().expect("a number"))
        });
        (root.collect(), total.expect("a number"))
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process and gives its exit status and its error output.
    #[track_caller]
    pub fn end_within(&mut self, patience: Duration) -> (ExitStatus, String) {
        let end = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                let errors = self.errors.take().expect("not yet taken").join().expect("a reader");
                return (status, errors);
            }
            assert!(Instant::now() < end, "the process has not ended within {patience:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends `quit`; the process must end with success and an empty error output.
    #[track_caller]
    pub fn quit(mut self) {
        self.send("quit");
        let (status, errors) = self.end_within(PATIENCE);
        assert!(status.success(), "{status}: {errors}");
        assert_eq!(errors, "");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Already ended in most cases.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of one search.
#[derive(Debug)]
pub struct Search {
    /// All lines before `bestmove`.
    pub lines: Vec<String>,
    /// The best move as it was written.
    pub best: String,
    /// The move to ponder on.
    pub ponder: Option<String>,
}

impl From<Vec<String>> for Search {
    fn from(mut lines: Vec<String>) -> Search {
        let last = lines.pop().expect("a best move");
        let words: Vec<_> = last.split_whitespace().collect();
        assert!(matches!(words[..], ["bestmove", _] | ["bestmove", _, "ponder", _]), "{last}");
        Search {
            lines,
            best: words[1].to_owned(),
            ponder: words.get(3).map(|&word| word.to_owned()),
        }
    }
}

impl Search {
    /// The `info` lines with a score.
    pub fn infos(&self) -> Vec<Info> {
        self.lines.iter().filter_map(|line| Info::read(line)).collect()
    }

    /// The last `info` line of the best move.
    #[track_caller]
    pub fn last(&self) -> Info {
        let best = self.infos().into_iter().rfind(|info| info.multipv <= 1);
        best.unwrap_or_else(|| panic!("no score in {:#?}", self.lines))
    }
}

/// One `info` line with a score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    pub depth: u32,
    pub multipv: u32,
    pub cp: Option<i32>,
    pub mate: Option<i32>,
    pub bounded: bool,
    pub nodes: u64,
    pub hashfull: u32,
    pub wdl: Option<[u32; 3]>,
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line; `None` when it has no score. All numbers must be readable.
    pub fn read(line: &str) -> Option<Info> {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") || line.starts_with("info string") {
            return None;
        }
        let mut info = Info::default();
        let mut scored = false;
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_else(|| panic!("no {word} in {line}"));
            match word {
                "depth" => info.depth = value().parse().expect("a depth"),
                "multipv" => info.multipv = value().parse().expect("a rank"),
                "score" => scored = true,
                "cp" => info.cp = Some(value().parse().expect("centipawns")),
                "mate" => info.mate = Some(value().parse().expect("moves")),
                "lowerbound" | "upperbound" => info.bounded = true,
                "nodes" => info.nodes = value().parse().expect("nodes"),
                "hashfull" => info.hashfull = value().parse().expect("permille"),
                "wdl" => {
                    info.wdl = Some(std::array::from_fn(|_| value().parse().expect("permille")));
                }
                "seldepth" | "nps" | "time" => {
                    value().parse::<u64>().unwrap_or_else(|_| panic!("{word} in {line}"));
                }
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => panic!("{word} in {line}"),
            }
        }
        scored.then_some(info)
    }
}

/// Numbers that look random and are the same on every run (xorshift64*, Vigna 2016).
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    /// A game of up to `plies` random moves that is not over; its moves in coordinates.
    pub fn game(&mut self, edition: Edition, plies: usize) -> (GameRecord, Vec<String>) {
        let mut game = GameRecord::new(Position::start(edition));
        for _ in 0..plies {
            let moves = game.position().legal_moves();
            let m = moves[self.below(moves.len())];
            if game.outcome_after(m).is_some() {
                break;
            }
            game.play(m).expect("a legal move");
        }
        let moves = game.moves().iter().map(ToString::to_string).collect();
        (game, moves)
    }
}

/// A `position` line for a game from the start.
pub fn position_line(moves: &[String]) -> String {
    format!("position startpos moves {}", moves.join(" "))
}

/// Plays a move that the engine has written, in the game it searched; it must be legal.
#[track_caller]
pub fn play(game: &mut GameRecord, text: &str) {
    let m = notation::parse_move(game.position(), text, notation::Letters::English)
        .unwrap_or_else(|error| panic!("{error} in {}", game.position().to_fen()));
    game.play(m).unwrap_or_else(|error| panic!("{text}: {error}"));
}
