//! The fixed vocabulary of UCI, by way of `vampirc-uci`: the words that take no free text in, and the
//! lines of plain shape out.
//!
//! The only file that imports that crate. `position`, `go` and `setoption` never reach it: version
//! 0.11.1 panics on `go depth 256`, reads `e2e4*d5` as `e2e4` and drops moves of this game without a
//! word. On the way out its typed fields are too narrow in places (depth is a `u8`, mate an `i8`, a
//! move always orthodox coordinates); those go through its free `Any` attribute.

use std::time::Duration;

use vampirc_uci::{Serializable, UciInfoAttribute, UciMessage, UciOptionConfig, parse_one};

use super::options::{Kind, Spec};

/// A command that consists of fixed words only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// `uci`: say who you are and which options you have.
    Uci,
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `ucinewgame`: forget earlier searches.
    NewGame,
    /// `stop`: end the search.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: end the process.
    Quit,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `register …`: accepted and without effect, as nothing has to be registered.
    Register,
}

/// The first words of the commands that [`parse`] reads.
pub const WORDS: [&str; 8] =
    ["uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "debug", "register"];

/// Reads a line whose first word is one of [`WORDS`] (in lower case); words that follow a complete
/// command are ignored. `None` when an argument is missing or unknown.
pub fn parse(line: &str) -> Option<Fixed> {
    match parse_one(line) {
        UciMessage::Uci => Some(Fixed::Uci),
        UciMessage::IsReady => Some(Fixed::IsReady),
        UciMessage::UciNewGame => Some(Fixed::NewGame),
        UciMessage::Stop => Some(Fixed::Stop),
        UciMessage::PonderHit => Some(Fixed::PonderHit),
        UciMessage::Quit => Some(Fixed::Quit),
        UciMessage::Debug(on) => Some(Fixed::Debug(on)),
        UciMessage::Register { .. } => Some(Fixed::Register),
        _ => None,
    }
}

/// `id name NAME`.
pub fn id_name(name: &str) -> String {
    UciMessage::id_name(name).serialize()
}

/// `id author AUTHOR`.
pub fn id_author(author: &str) -> String {
    UciMessage::id_author(author).serialize()
}

/// `uciok`.
pub fn uci_ok() -> String {
    UciMessage::UciOk.serialize()
}

/// `readyok`.
pub fn ready_ok() -> String {
    UciMessage::ReadyOk.serialize()
}

/// `info string TEXT`.
pub fn info_string(text: &str) -> String {
    UciMessage::info_string(text.to_owned()).serialize()
}

/// The `option name …` line that announces an option.
pub fn option(spec: &Spec) -> String {
    let name = spec.name.to_owned();
    let config = match spec.kind {
        Kind::Check { default } => UciOptionConfig::Check { name, default: Some(default) },
        Kind::Spin { default, min, max } => {
            UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
        }
        Kind::Combo { default, choices } => UciOptionConfig::Combo {
            name,
            default: choices.get(default).map(|&choice| choice.to_owned()),
            var: choices.iter().map(|&choice| choice.to_owned()).collect(),
        },
        // An empty default would leave a blank at the end of the line.
        Kind::Text { default } => {
            let default = if default.is_empty() { "<empty>" } else { default };
            UciOptionConfig::String { name, default: Some(default.to_owned()) }
        }
        Kind::Button => UciOptionConfig::Button { name },
    };
    UciMessage::Option(config).serialize()
}

/// What one `info` line says of a search; `None` and empty parts are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine {
    /// Completed depth, in plies.
    pub depth: u32,
    /// Greatest depth reached, in plies.
    pub seldepth: Option<u32>,
    /// Rank of this line among the best, counted from 1.
    pub multipv: Option<u32>,
    /// The score as UCI writes it: `cp 35`, `mate -2 lowerbound wdl 0 0 1000`.
    pub score: Option<String>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Fill of the transposition table, in permille.
    pub hashfull: Option<u32>,
    /// Time since `go`; the rate is derived from it.
    pub time: Option<Duration>,
    /// The principal variation, written out.
    pub pv: String,
}

impl InfoLine {
    /// The line, in the order `depth seldepth multipv score nodes nps hashfull time pv`.
    pub fn write(&self) -> String {
        let any = |name: &str, value: String| UciInfoAttribute::Any(name.to_owned(), value);
        let mut parts = vec![any("depth", self.depth.to_string())];
        parts.extend(self.seldepth.map(|depth| any("seldepth", depth.to_string())));
        parts.extend(self.multipv.map(|rank| any("multipv", rank.to_string())));
        parts.extend(self.score.clone().map(|score| any("score", score)));
        parts.extend(self.nodes.map(UciInfoAttribute::Nodes));
        if let (Some(nodes), Some(time)) = (self.nodes, self.time) {
            parts.push(UciInfoAttribute::Nps(nodes_per_second(nodes, time)));
        }
        parts.extend(self.hashfull.map(|fill| any("hashfull", fill.to_string())));
        parts.extend(self.time.map(|time| any("time", time.as_millis().to_string())));
        if !self.pv.is_empty() {
            parts.push(any("pv", self.pv.clone()));
        }
        UciMessage::Info(parts).serialize()
    }
}

/// Nodes a second, 0 when no time has passed yet.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    if time.is_zero() { 0 } else { u64::try_from(rate).unwrap_or(u64::MAX) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fixed_words_are_read() {
        assert_eq!(parse("uci"), Some(Fixed::Uci));
        assert_eq!(parse("ucinewgame"), Some(Fixed::NewGame));
        assert_eq!(parse("isready"), Some(Fixed::IsReady));
        assert_eq!(parse("stop"), Some(Fixed::Stop));
        assert_eq!(parse("ponderhit"), Some(Fixed::PonderHit));
        assert_eq!(parse("quit"), Some(Fixed::Quit));
        assert_eq!(parse("debug on"), Some(Fixed::Debug(true)));
        assert_eq!(parse("debug off"), Some(Fixed::Debug(false)));
        assert_eq!(parse("register later"), Some(Fixed::Register));
        assert_eq!(parse("register name A Name code 42"), Some(Fixed::Register));
    }

    #[test]
    fn words_after_a_complete_command_are_ignored() {
        for (line, fixed) in [
            ("uci please", Fixed::Uci),
            ("stop it", Fixed::Stop),
            ("isready ?", Fixed::IsReady),
            ("quit now", Fixed::Quit),
            ("debug on and more", Fixed::Debug(true)),
        ] {
            assert_eq!(parse(line), Some(fixed), "{line}");
        }
    }

    #[test]
    fn a_missing_argument_is_no_command() {
        assert_eq!(parse("debug"), None);
        assert_eq!(parse("debug maybe"), None);
        assert_eq!(parse("register"), None);
        assert_eq!(parse("register name only"), None);
    }

    #[test]
    fn wide_numbers_are_written_in_full() {
        let line = InfoLine {
            depth: 300,
            seldepth: Some(400),
            multipv: Some(1),
            score: Some("mate -200".into()),
            nodes: Some(12_345_678_901_234),
            hashfull: Some(1000),
            time: Some(Duration::from_secs(10)),
            pv: "e1g1 De5".into(),
        };
        assert_eq!(
            line.write(),
            "info depth 300 seldepth 400 multipv 1 score mate -200 nodes 12345678901234 \
             nps 1234567890123 hashfull 1000 time 10000 pv e1g1 De5"
        );
    }

    #[test]
    fn absent_parts_leave_no_trace() {
        let line = InfoLine { score: Some("mate 0".into()), ..InfoLine::default() };
        assert_eq!(line.write(), "info depth 0 score mate 0");
        assert_eq!(InfoLine::default().write(), "info depth 0");
    }

    #[test]
    fn no_time_is_no_division_by_zero() {
        assert_eq!(nodes_per_second(20, Duration::ZERO), 0);
        assert_eq!(nodes_per_second(u64::MAX, Duration::from_nanos(1)), u64::MAX);
    }

    proptest! {
        #[test]
        fn no_tail_panics(word in prop::sample::select(&WORDS[..]), tail in "\\PC*") {
            let _ = parse(&format!("{word} {tail}"));
        }
    }
}
