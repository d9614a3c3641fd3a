//! An engine that plays: what a game asks of one, whatever its language, and what the players of both
//! languages (`uci_player`, `xboard_player`) share.
//!
//! A player answers or has a [`Fault`]; it never blocks beyond the deadline it is given. It does not
//! judge: the text of its move goes to `game`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::games::{self, AnyGame, AnyMove, Playable, Variant};
use crate::rules::Position;
use crate::rules::notation::{Letters, parse_move};

use super::clock::{Limit, PlayerClock};
use super::engine_spec::{EngineSpec, Protocol};
use super::pgn::GameResult;
use super::process::{Line, Process, Wait};
use super::uci_player::UciPlayer;
use super::xboard_player::XboardPlayer;

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
    /// It does not accept a move or a position, all of which are legal.
    #[error("it says {0:?} of a game that is legal")]
    Refusal(String),
    /// It gives the game up.
    #[error("it resigns")]
    Resignation,
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
    pub game: &'a AnyGame,
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

    /// Prepares for a game that starts from this FEN.
    ///
    /// # Errors
    /// When it does not get ready.
    fn new_game(&mut self, start: &str) -> Result<(), Fault>;

    /// Asks for a move. A search in the opponent's time ends or is turned into this one.
    ///
    /// # Errors
    /// When none comes in time.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault>;

    /// Lets it think in the opponent's time, on `turn`, whose game ends with the expected move.
    fn ponder(&mut self, turn: &Turn<'_>);

    /// Tells it that the game is over.
    fn game_over(&mut self, result: GameResult);

    /// Whether it can play another game; else it is started anew.
    fn is_reusable(&self) -> bool {
        true
    }

    /// Its last lines, for a report.
    fn last_lines(&self) -> Vec<String>;

    /// Ends it.
    fn quit(self: Box<Self>);
}

/// What a player needs to know of the match.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The game that is played.
    pub variant: Variant,
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
    let program = spec.program().display().to_string();
    let process = Process::start(spec, Arc::clone(&setting.stop))
        .map_err(|cause| StartError::Program { program: program.clone(), cause })?;
    let talk = Talk { process, patience: setting.patience };
    let prepared = |result, last: Vec<String>| match result {
        Ok(()) => Ok(()),
        Err(Preparation::Option(what)) => Err(StartError::Option { program, what }),
        Err(Preparation::Fault(fault)) => Err(StartError::Fault { program, fault, last }),
    };
    match spec.protocol {
        Protocol::Uci => {
            let mut player = UciPlayer::new(talk);
            prepared(player.prepare(spec, setting.variant), player.last_lines())?;
            Ok(Box::new(player))
        }
        Protocol::Xboard => {
            let mut player = XboardPlayer::new(talk);
            prepared(player.prepare(spec, setting.variant), player.last_lines())?;
            Ok(Box::new(player))
        }
    }
}

/// What can go wrong while an engine is prepared.
pub(super) enum Preparation {
    Option(String),
    Fault(Fault),
}

impl From<Fault> for Preparation {
    fn from(fault: Fault) -> Preparation {
        Preparation::Fault(fault)
    }
}

/// The exchange of lines with an engine.
pub(super) struct Talk {
    process: Process,
    /// How long an answer may take for which no clock runs.
    pub patience: Duration,
}

impl Talk {
    /// Sends a line.
    pub fn send(&self, line: &str) {
        self.process.send(line);
    }

    /// The next line, for which no clock runs; `what` is awaited.
    pub fn answer(&mut self, what: &'static str, since: Instant) -> Result<Line, Fault> {
        let after = self.patience;
        self.line(since + after, || Fault::Hang { what, after })
    }

    /// The next line of an engine that has to move since that moment.
    pub fn thinking(&mut self, since: Instant, turn: &Turn<'_>) -> Result<Line, Fault> {
        self.line(since + turn.allowed, || turn.late(since.elapsed()))
    }

    /// The next line until a moment.
    pub fn line(&mut self, end: Instant, late: impl FnOnce() -> Fault) -> Result<Line, Fault> {
        match self.process.receive(end) {
            Wait::Line(line) => Ok(line),
            Wait::TimedOut => Err(late()),
            Wait::Closed => Err(Fault::Crash(match self.process.exit() {
                None => "it has closed its output".into(),
                Some(status) => format!("the process has ended, {status}"),
            })),
            Wait::Interrupted => Err(Fault::Interrupted),
        }
    }

    /// Its last lines, for a report.
    pub fn last_lines(&self) -> Vec<String> {
        self.process.last_lines()
    }

    /// Ends it.
    pub fn quit(self) {
        self.process.quit("quit");
    }
}

impl Turn<'_> {
    /// The position that is sent as a FEN.
    pub(super) fn base_fen(&self) -> String {
        self.game.until(self.base).fen()
    }

    /// The moves from there on.
    pub(super) fn moves(&self) -> Vec<AnyMove> {
        self.game.played().into_iter().skip(self.base).collect()
    }

    /// The fault of who has not moved in time.
    fn late(&self, used: Duration) -> Fault {
        if self.limit.control.is_some() || self.limit.movetime.is_some() {
            Fault::Time { used, left: self.allowed }
        } else {
            Fault::Hang { what: "move", after: self.allowed }
        }
    }

    /// How long a move took that came with this line, if it came in time.
    pub(super) fn time_of(&self, line: &Line, since: Instant) -> Result<Duration, Fault> {
        let time = line.at.saturating_duration_since(since);
        if time > self.allowed { Err(self.late(time)) } else { Ok(time) }
    }
}

/// An option that an engine announced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Announced {
    pub name: String,
    pub kind: String,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub choices: Vec<String>,
}

/// The option of this name, if it was announced; case makes no difference.
pub(super) fn named<'a>(options: &'a [Announced], name: &str) -> Option<&'a Announced> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The option of this name, which must be there and able to have the value.
pub(super) fn find_option<'a>(
    options: &'a [Announced],
    name: &str,
    value: &str,
) -> Result<&'a Announced, Preparation> {
    let Some(option) = named(options, name) else {
        let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
        let names = names.join(", ");
        return Err(Preparation::Option(format!("has no option {name:?}; it has: {names}")));
    };
    let Announced { name, kind, min, max, choices } = option;
    let fits = match kind.as_str() {
        "spin" | "slider" => value.parse::<i64>().is_ok_and(|number| {
            min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
        }),
        "check" => matches!(value, "true" | "false"),
        "combo" => choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)),
        _ => true,
    };
    if !fits || value.contains(['\n', '\r']) {
        return Err(Preparation::Option(format!("the option {name:?} cannot be {value:?}")));
    }
    Ok(option)
}

/// Replays a line from where a game stands, by what the boards show alone: `None` if every move can be played, else the first
/// that cannot.
pub fn first_illegal(game: &AnyGame, line: &[String]) -> Option<String> {
    let played = |play: &mut dyn FnMut(&str) -> bool| line.iter().find(|text| !play(text)).cloned();
    match game {
        AnyGame::Chess(game) => {
            let mut position = *game.position();
            played(&mut |text| play_in_chess(&mut position, text))
        }
        AnyGame::Board(game) => {
            let mut position = *game.position();
            played(&mut |text| play_on_board(&mut position, text))
        }
    }
}

fn play_in_chess(position: &mut Position, text: &str) -> bool {
    let read = || parse_move(position, text, Letters::English).ok();
    let after = position.finished().map_or_else(read, |_| None).map(|m| position.play(m));
    after.map(|after| *position = after).is_some()
}

fn play_on_board(position: &mut games::Position, text: &str) -> bool {
    let after = position.read_move(text).ok().map(|m| position.play(&m));
    after.map(|after| *position = after).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
