//! An engine that plays: what a game asks of one, and the one that speaks UCI.
//!
//! A player answers or has a [`Fault`]; it never blocks beyond the deadline it is given. It does not
//! judge: the text of its move goes to `game`.

use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::rules::notation::{Letters, parse_move};
use crate::rules::{Edition, GameRecord, Move, Position};

use super::clock::{Limit, PlayerClock};
use super::engine_spec::{EngineSpec, Protocol};
use super::process::{Line, Process, Wait};

/// What a player did wrong; it loses the game by it.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Fault {
    /// The process has ended.
    #[error("{0}")]
    Crash(String),
    /// No answer where no clock says how long one may take.
    #[error("no {what} within {} s", .after.as_secs_f64())]
    Hang {
        /// What was awaited.
        what: &'static str,
        /// How long.
        after: Duration,
    },
    /// No move before the clock, its margin included, ran out.
    #[error("no move after {:.3} s, {:.3} s were left", .used.as_secs_f64(), .left.as_secs_f64())]
    Time {
        /// How long the move took, as far as it was awaited.
        used: Duration,
        /// What was left for it.
        left: Duration,
    },
    /// The match was stopped: nobody's fault.
    #[error("stopped")]
    Interrupted,
}

/// Why an engine cannot play.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program does not start.
    #[error("cannot start {program}: {cause}")]
    Program {
        /// What was tried.
        program: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// It does not do what its protocol asks at the start.
    #[error("{program}: {fault}{}", shown(.last))]
    Fault {
        /// The program.
        program: String,
        /// What it did.
        fault: Fault,
        /// Its last lines.
        last: Vec<String>,
    },
    /// An option that it does not have, or a value that the option cannot have.
    #[error("{program}: {what}")]
    Option {
        /// The program.
        program: String,
        /// What is wrong.
        what: String,
    },
}

/// An engine's last lines under a message.
pub fn shown(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n    | {line}")).collect()
}

/// What there is to think about.
pub struct Turn<'a> {
    /// The game so far.
    pub game: &'a GameRecord,
    /// The position after so many plies is sent as a FEN, the moves from there on as moves.
    pub base: usize,
    /// The clocks of White and Black; `None` where there is none.
    pub clocks: [Option<PlayerClock>; 2],
    /// The player's limits.
    pub limit: &'a Limit,
    /// When the answer must have come, from now.
    pub allowed: Duration,
}

/// A player's view of the game, as its last line before the move told it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Thought {
    /// The move as it was written.
    pub text: String,
    /// The answer that it expects, as it was written.
    pub ponder: Option<String>,
    /// From the command to the answer.
    pub time: Duration,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// From the side to move.
    pub score: Option<TextScore>,
    /// The line it expects.
    pub pv: Vec<String>,
}

/// A score as engines write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to the end; negative if the side to move loses, and `-0` is 0.
    Mate(i32),
}

impl TextScore {
    /// One number for both, to be compared: a proven end is beyond all estimates.
    pub fn value(self) -> i32 {
        match self {
            TextScore::Cp(value) => value.clamp(-1_000_000, 1_000_000),
            TextScore::Mate(moves) if moves > 0 => 2_000_000 - moves.min(1000),
            TextScore::Mate(moves) => -2_000_000 - moves.max(-1000),
        }
    }
}

impl std::fmt::Display for TextScore {
    /// As comments in game files have it: `+0.35`, `+M5`, `-M2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TextScore::Cp(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            TextScore::Mate(moves) if *moves > 0 => write!(f, "+M{moves}"),
            TextScore::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}

/// An engine ready to play.
pub trait Player: Send {
    /// The name that it gives itself.
    fn name(&self) -> &str;

    /// Prepares for a game.
    ///
    /// # Errors
    /// When it does not get ready.
    fn new_game(&mut self, start: &Position) -> Result<(), Fault>;

    /// Asks for a move. A search in the opponent's time ends or is turned into this one.
    ///
    /// # Errors
    /// When none comes in time.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault>;

    /// Lets it think in the opponent's time, on `turn`, whose game ends with the expected move.
    fn ponder(&mut self, turn: &Turn<'_>);

    /// Tells it that the game is over.
    fn game_over(&mut self);

    /// Its last lines, for a report.
    fn last_lines(&self) -> Vec<String>;

    /// Ends it.
    fn quit(self: Box<Self>);
}

/// What a player needs to know of the match.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The game that is played.
    pub edition: Edition,
    /// How long an answer may take for which no clock runs.
    pub patience: Duration,
    /// Set when the match stops.
    pub stop: Arc<AtomicBool>,
}

/// Starts an engine and prepares it.
///
/// # Errors
/// When it does not start, or cannot play what the match wants.
pub fn start(spec: &EngineSpec, setting: &Setting) -> Result<Box<dyn Player>, StartError> {
    match spec.protocol {
        Protocol::Uci => Ok(Box::new(UciPlayer::start(spec, setting)?)),
        Protocol::Xboard => Err(StartError::Option {
            program: spec.program().display().to_string(),
            what: "proto=xboard is not there yet".into(),
        }),
    }
}

/// An option that an engine announced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Announced {
    name: String,
    kind: String,
    min: Option<i64>,
    max: Option<i64>,
    choices: Vec<String>,
}

/// An engine that speaks UCI.
pub struct UciPlayer {
    process: Process,
    setting: Setting,
    name: String,
    options: Vec<Announced>,
    /// The moves, in coordinates, of the game that it thinks about in the opponent's time.
    pondering: Option<Vec<Move>>,
}

impl UciPlayer {
    fn start(spec: &EngineSpec, setting: &Setting) -> Result<UciPlayer, StartError> {
        let program = spec.program().display().to_string();
        let process = Process::start(spec, Arc::clone(&setting.stop))
            .map_err(|cause| StartError::Program { program: program.clone(), cause })?;
        let mut player = UciPlayer {
            process,
            setting: setting.clone(),
            name: String::new(),
            options: Vec::new(),
            pondering: None,
        };
        match player.prepare(spec) {
            Ok(()) => Ok(player),
            Err(Preparation::Option(what)) => Err(StartError::Option { program, what }),
            Err(Preparation::Fault(fault)) => {
                Err(StartError::Fault { program, fault, last: player.process.last_lines() })
            }
        }
    }

    fn prepare(&mut self, spec: &EngineSpec) -> Result<(), Preparation> {
        self.handshake()?;
        for (name, value) in &spec.options {
            let line = self.set_option(name, value)?;
            self.process.send(&line);
        }
        self.ready()?;
        if spec.ponder && self.option("Ponder").is_some() {
            let line = self.set_option("Ponder", "true")?;
            self.process.send(&line);
        }
        self.choose_variant(spec)?;
        Ok(self.ready()?)
    }

    fn handshake(&mut self) -> Result<(), Fault> {
        self.options.clear();
        self.process.send("uci");
        self.answer("uciok", |player, line| player.announced(line))
    }

    /// Tells the engine the edition, where it lets itself be told.
    fn choose_variant(&mut self, spec: &EngineSpec) -> Result<(), Preparation> {
        let own_name = self.setting.edition.name();
        let name = spec.variant.as_deref().unwrap_or(own_name);
        let knows = |player: &UciPlayer| {
            let option = player.option("UCI_Variant");
            option.map(|option| option.choices.iter().any(|choice| choice == name))
        };
        // A file of variants may have brought new ones.
        if knows(self) == Some(false) {
            self.handshake()?;
        }
        match knows(self) {
            Some(true) => {
                let line = self.set_option("UCI_Variant", name)?;
                self.process.send(&line);
                Ok(())
            }
            Some(false) => Err(Preparation::Option(format!(
                "does not know the variant {name}; is a key variant= or an option for it missing?"
            ))),
            None if spec.variant.is_some() => {
                Err(Preparation::Option("has no option UCI_Variant".into()))
            }
            // It plays one game only, and is believed that it is this one.
            None => Ok(()),
        }
    }

    fn option(&self, name: &str) -> Option<&Announced> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The line that sets an option, which must be there and able to have the value.
    fn set_option(&self, name: &str, value: &str) -> Result<String, Preparation> {
        let Some(option) = self.option(name) else {
            let names: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
            let names = names.join(", ");
            return Err(Preparation::Option(format!("has no option {name:?}; it has: {names}")));
        };
        let Announced { name, kind, min, max, choices } = option;
        let fits = match kind.as_str() {
            "spin" => value.parse::<i64>().is_ok_and(|number| {
                min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
            }),
            "check" => matches!(value, "true" | "false"),
            "combo" => choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)),
            "button" => return Ok(format!("setoption name {name}")),
            _ => true,
        };
        if !fits || value.contains(['\n', '\r']) {
            return Err(Preparation::Option(format!("the option {name:?} cannot be {value:?}")));
        }
        Ok(format!("setoption name {name} value {value}"))
    }

    /// Takes a line of the handshake in.
    fn announced(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = name.trim().to_owned();
        } else if let Some(option) = read_option(line) {
            self.options.push(option);
        }
    }

    /// Waits for a line that begins with a word, for which no clock runs.
    fn answer(
        &mut self,
        word: &'static str,
        mut other: impl FnMut(&mut UciPlayer, &str),
    ) -> Result<(), Fault> {
        let after = self.setting.patience;
        let deadline = Instant::now() + after;
        loop {
            match self.process.receive(deadline) {
                Wait::Line(line) if line.text.split_whitespace().next() == Some(word) => {
                    return Ok(());
                }
                Wait::Line(line) => other(self, line.text.trim_start()),
                Wait::TimedOut => return Err(Fault::Hang { what: word, after }),
                Wait::Closed => return Err(self.crash()),
                Wait::Interrupted => return Err(Fault::Interrupted),
            }
        }
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.process.send("isready");
        self.answer("readyok", |_, _| {})
    }

    fn crash(&mut self) -> Fault {
        Fault::Crash(how_it_ended(self.process.exit()))
    }

    /// Waits for `bestmove`; the lines before it tell the thought.
    fn best_move(&mut self, since: Instant, turn: &Turn<'_>) -> Result<Thought, Fault> {
        let deadline = since + turn.allowed;
        let clocked = turn.limit.control.is_some() || turn.limit.movetime.is_some();
        let late = |used| match clocked {
            true => Fault::Time { used, left: turn.allowed },
            false => Fault::Hang { what: "bestmove", after: turn.allowed },
        };
        let mut thought = Thought::default();
        loop {
            match self.process.receive(deadline) {
                Wait::Line(Line { text, at }) => {
                    let mut words = text.split_whitespace();
                    match words.next() {
                        Some("info") => read_info(&mut thought, words),
                        Some("bestmove") => {
                            thought.text = words.next().unwrap_or_default().to_owned();
                            thought.ponder = match (words.next(), words.next()) {
                                (Some("ponder"), Some(text)) => Some(text.to_owned()),
                                _ => None,
                            };
                            thought.time = at.saturating_duration_since(since);
                            if thought.time > turn.allowed {
                                return Err(late(thought.time));
                            }
                            return Ok(thought);
                        }
                        _ => {}
                    }
                }
                Wait::TimedOut => return Err(late(since.elapsed())),
                Wait::Closed => return Err(self.crash()),
                Wait::Interrupted => return Err(Fault::Interrupted),
            }
        }
    }

    fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_some() {
            self.process.send("stop");
            self.answer("bestmove", |_, _| {})?;
        }
        Ok(())
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Position) -> Result<(), Fault> {
        self.stop_pondering()?;
        self.process.send("ucinewgame");
        self.ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault> {
        let since = Instant::now();
        match self.pondering.take() {
            Some(moves) if moves == turn.game.moves() => self.process.send("ponderhit"),
            pondering => {
                self.pondering = pondering;
                self.stop_pondering()?;
                self.process.send(&position_line(turn.game, turn.base));
                self.process.send(&go_line(turn, false));
            }
        }
        self.best_move(since, turn)
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        self.process.send(&position_line(turn.game, turn.base));
        self.process.send(&go_line(turn, true));
        self.pondering = Some(turn.game.moves().to_vec());
    }

    fn game_over(&mut self) {
        if self.pondering.is_some() {
            self.process.send("stop");
        }
    }

    fn last_lines(&self) -> Vec<String> {
        self.process.last_lines()
    }

    fn quit(self: Box<Self>) {
        self.process.quit("quit");
    }
}

/// What can go wrong while an engine is prepared.
enum Preparation {
    Option(String),
    Fault(Fault),
}

impl From<Fault> for Preparation {
    fn from(fault: Fault) -> Preparation {
        Preparation::Fault(fault)
    }
}

fn how_it_ended(status: Option<ExitStatus>) -> String {
    match status {
        None => "it has closed its output".into(),
        Some(status) => format!("the process has ended, {status}"),
    }
}

/// `position fen … moves …`. Always a FEN: engines differ in what their start position is.
fn position_line(game: &GameRecord, base: usize) -> String {
    let mut position = *game.start();
    let (before, after) = game.moves().split_at(base.min(game.moves().len()));
    for &m in before {
        position = position.play(m);
    }
    let mut line = format!("position fen {}", position.to_fen());
    if !after.is_empty() {
        line.push_str(" moves");
        for m in after {
            line.push_str(&format!(" {m}"));
        }
    }
    line
}

fn go_line(turn: &Turn<'_>, ponder: bool) -> String {
    let mut line = String::from(if ponder { "go ponder" } else { "go" });
    let [white, black] = turn.clocks;
    if turn.limit.control.is_some() {
        for (clock, time, increment) in [(white, "wtime", "winc"), (black, "btime", "binc")] {
            if let Some(clock) = clock {
                line.push_str(&format!(" {time} {}", clock.remaining.as_millis()));
                if !clock.increment().is_zero() {
                    line.push_str(&format!(" {increment} {}", clock.increment().as_millis()));
                }
            }
        }
        let own = turn.clocks[turn.game.position().side_to_move().index()];
        if let Some(moves) = own.and_then(|clock| clock.moves_to_go) {
            line.push_str(&format!(" movestogo {moves}"));
        }
    }
    let limit = turn.limit;
    for (word, value) in [
        ("movetime", limit.movetime.map(|time| time.as_millis() as u64)),
        ("nodes", limit.nodes),
        ("depth", limit.depth.map(u64::from)),
    ] {
        if let Some(value) = value {
            line.push_str(&format!(" {word} {value}"));
        }
    }
    line
}

/// Reads `option name … type …`, as far as it can be read.
fn read_option(line: &str) -> Option<Announced> {
    let rest = line.strip_prefix("option name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let mut words = rest.split_whitespace();
    let mut option = Announced {
        name: name.trim().to_owned(),
        kind: words.next()?.to_owned(),
        ..Announced::default()
    };
    let mut key = "";
    for word in words {
        match (key, word) {
            (_, "default" | "min" | "max" | "var") => {
                key = word;
                if word == "var" {
                    option.choices.push(String::new());
                }
            }
            ("min", number) => option.min = number.parse().ok(),
            ("max", number) => option.max = number.parse().ok(),
            ("var", word) => {
                if let Some(choice) = option.choices.last_mut() {
                    if !choice.is_empty() {
                        choice.push(' ');
                    }
                    choice.push_str(word);
                }
            }
            _ => {}
        }
    }
    Some(option)
}

/// Takes an `info` line in. Lines of lesser rank are passed over, and scores that are bounds; what
/// cannot be read is left out.
fn read_info<'a>(thought: &mut Thought, words: impl Iterator<Item = &'a str>) {
    let words: Vec<&str> = words.collect();
    let mut line = Thought::default();
    let mut words = words.iter().copied();
    let (mut bound, mut first) = (false, true);
    while let Some(word) = words.next() {
        match word {
            "string" => return,
            "depth" => line.depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => line.nodes = words.next().and_then(|word| word.parse().ok()),
            "multipv" => first = words.next().is_none_or(|rank| rank == "1"),
            "cp" => {
                line.score = words.next().and_then(|word| word.parse().ok()).map(TextScore::Cp);
            }
            "mate" => {
                line.score = words.next().and_then(|word| word.parse().ok()).map(TextScore::Mate);
            }
            "lowerbound" | "upperbound" => bound = true,
            "pv" => line.pv = words.by_ref().map(str::to_owned).collect(),
            _ => {}
        }
    }
    thought.nodes = line.nodes.or(thought.nodes);
    if !first {
        return;
    }
    if line.score.is_some() && (!bound || thought.score.is_none()) {
        thought.score = line.score;
    }
    if line.score.is_some() || !line.pv.is_empty() {
        thought.depth = line.depth.or(thought.depth);
    }
    if !line.pv.is_empty() {
        thought.pv = line.pv;
    }
}

/// Replays a line from a position: `None` if every move can be played, else the first that cannot.
pub fn first_illegal(position: &Position, line: &[String]) -> Option<String> {
    let mut position = *position;
    for text in line {
        if position.finished().is_some() {
            return Some(text.clone());
        }
        match parse_move(&position, text, Letters::English) {
            Ok(m) => position = position.play(m),
            Err(_) => return Some(text.clone()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let option = read_option("option name Skill Level type spin default 20 min -20 max 20");
        let option = option.expect("an option");
        assert_eq!(
            (option.name.as_str(), option.min, option.max),
            ("Skill Level", Some(-20), Some(20))
        );
        let option =
            read_option("option name X type combo default a b var a b var c").expect("one");
        assert_eq!(option.choices, ["a b", "c"]);
        assert_eq!(read_option("option name X"), None);
    }

    #[test]
    fn the_last_exact_line_tells_the_thought() {
        let mut thought = Thought::default();
        for line in [
            "depth 5 multipv 1 score cp 20 nodes 100 pv e2e4",
            "depth 6 multipv 2 score cp -90 nodes 150 pv a2a3",
            "depth 7 score cp 300 lowerbound nodes 200",
            "depth 8 currmove e2e4",
            "string score cp 7 depth 99",
        ] {
            read_info(&mut thought, line.split_whitespace());
        }
        assert_eq!(thought.score, Some(TextScore::Cp(20)));
        assert_eq!((thought.depth, thought.nodes), (Some(7), Some(200)));
        assert_eq!(thought.pv, ["e2e4"]);
    }

    #[test]
    fn scores_as_comments_have_them() {
        assert_eq!(TextScore::Cp(11_963).to_string(), "+119.63");
        assert_eq!(TextScore::Cp(-5).to_string(), "-0.05");
        assert_eq!(TextScore::Mate(5).to_string(), "+M5");
        assert_eq!(TextScore::Mate(-2).to_string(), "-M2");
        assert_eq!(TextScore::Mate(0).to_string(), "-M0");
        assert!(TextScore::Mate(-1).value() < TextScore::Mate(-9).value());
        assert!(TextScore::Mate(9).value() > TextScore::Cp(i32::MAX).value());
    }

    /// Ninety seconds for forty moves and a second more each, as the protocol says it.
    #[test]
    fn b239_the_first_go_line() {
        let control = "40/1:30+1".parse().expect("a time control");
        let game = GameRecord::from_start(Edition::CaptureOrConquer);
        let limit = Limit { control: Some(control), ..Limit::default() };
        let clock = Some(PlayerClock::new(control));
        let turn = Turn {
            game: &game,
            base: 0,
            clocks: [clock, clock],
            limit: &limit,
            allowed: Duration::from_secs(90),
        };
        assert_eq!(
            go_line(&turn, false),
            "go wtime 90000 winc 1000 btime 90000 binc 1000 movestogo 40"
        );
    }
}
