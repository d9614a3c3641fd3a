//! The options of the engine: one table of names, types, defaults and ranges, and their values.
//!
//! The table knows no protocol and no search: a protocol prints it in its own form, the session
//! acts on a change. Names and choices are compared without regard to the case of letters. A number
//! beyond its range is clamped and reported; a value that cannot be read changes nothing.

use std::sync::LazyLock;

use crate::games::Variant;

use super::error::{Quoted, quote};

/// Which option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// The game played.
    Variant,
    /// How moves are written.
    MoveNotation,
    /// The letters of the pieces in algebraic notation.
    PieceLetters,
    /// Size of the transposition table in MiB.
    Hash,
    /// Empties the transposition table and forgets all that was learned.
    ClearHash,
    /// Search threads.
    Threads,
    /// Number of best lines to show.
    MultiPv,
    /// Whether the client may let the engine think on its opponent's time.
    Ponder,
    /// Time lost between the engine and the clock for each move, in milliseconds.
    MoveOverhead,
    /// Whether the client analyses rather than plays.
    AnalyseMode,
    /// Whether `Elo` weakens the play.
    LimitStrength,
    /// The strength to play at when limited.
    Elo,
    /// The strength to play at in steps, 20 for full strength.
    SkillLevel,
    /// Whether the score carries chances of win, draw and loss.
    ShowWdl,
    /// What the engine is.
    EngineAbout,
    /// The file of the evaluation network.
    EvalFile,
    /// The folder of the tables of endings.
    TablebasePath,
    /// The file that records the session.
    DebugLogFile,
}

/// The type of an option with its default and range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// On or off.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of a list.
    Combo {
        /// The value at the start, as an index.
        default: usize,
        /// The list.
        choices: &'static [&'static str],
    },
    /// Any text.
    Text {
        /// The value at the start.
        default: &'static str,
    },
    /// Something to do, without a value.
    Button,
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Which option it is.
    pub id: Id,
    /// Its name, in the spelling shown to clients.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
}

/// The weakest play that can be asked for, in Elo.
pub const MIN_ELO: i64 = 800;
/// The strongest play short of full strength, in Elo.
pub const MAX_ELO: i64 = 2800;
/// The skill level that means full strength.
pub const FULL_SKILL: i64 = 20;

/// The names of all games.
static VARIANTS: LazyLock<Vec<&str>> =
    LazyLock::new(|| Variant::all().map(Variant::name).collect());

/// Options that mean nothing in a board game: it has one notation, no levels of strength, no model of
/// chances, an evaluation of its own and no tables of endings.
pub const CHESS_ONLY: [Id; 8] = [
    Id::MoveNotation,
    Id::PieceLetters,
    Id::LimitStrength,
    Id::Elo,
    Id::SkillLevel,
    Id::ShowWdl,
    Id::EvalFile,
    Id::TablebasePath,
];

/// The choice of `Move Notation` that writes an Escort and a Decoy as the game's own site does.
pub const SITE: &str = "site";
/// The choice of `Piece Letters` for Portuguese.
pub const PORTUGUESE: &str = "pt";

/// All options, in the order in which clients see them.
pub static TABLE: LazyLock<[Spec; 18]> = LazyLock::new(|| {
    const fn spec(id: Id, name: &'static str, kind: Kind) -> Spec {
        Spec { id, name, kind }
    }
    const fn check(default: bool) -> Kind {
        Kind::Check { default }
    }
    const fn spin(default: i64, min: i64, max: i64) -> Kind {
        Kind::Spin { default, min, max }
    }
    const fn combo(choices: &'static [&'static str]) -> Kind {
        Kind::Combo { default: 0, choices }
    }
    [
        spec(Id::Hash, "Hash", spin(64, 1, 65_536)),
        spec(Id::ClearHash, "Clear Hash", Kind::Button),
        spec(Id::Threads, "Threads", spin(1, 1, 512)),
        spec(Id::MultiPv, "MultiPV", spin(1, 1, 256)),
        spec(Id::Ponder, "Ponder", check(false)),
        spec(Id::MoveOverhead, "Move Overhead", spin(10, 0, 5_000)),
        spec(Id::Variant, "UCI_Variant", combo(VARIANTS.as_slice())),
        spec(Id::MoveNotation, "Move Notation", combo(&["coordinate", SITE])),
        spec(Id::PieceLetters, "Piece Letters", combo(&["en", PORTUGUESE])),
        spec(Id::AnalyseMode, "UCI_AnalyseMode", check(false)),
        spec(Id::LimitStrength, "UCI_LimitStrength", check(false)),
        spec(Id::Elo, "UCI_Elo", spin(1_500, MIN_ELO, MAX_ELO)),
        spec(Id::SkillLevel, "Skill Level", spin(FULL_SKILL, 0, FULL_SKILL)),
        spec(Id::ShowWdl, "UCI_ShowWDL", check(false)),
        spec(Id::EvalFile, "EvalFile", Kind::Text { default: "" }),
        spec(Id::TablebasePath, "TablebasePath", Kind::Text { default: "" }),
        spec(Id::DebugLogFile, "Debug Log File", Kind::Text { default: "" }),
        spec(Id::EngineAbout, "UCI_EngineAbout", Kind::Text { default: ABOUT }),
    ]
});

/// The text of `UCI_EngineAbout`.
const ABOUT: &str = concat!(
    "usurper ",
    env!("CARGO_PKG_VERSION"),
    ", an engine for Capture or Conquer, today's and the earlier edition, orthodox chess, and board games"
);

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option is named {0}")]
    Unknown(Quoted),
    /// The option needs a value.
    #[error("{0} needs a value")]
    Missing(&'static str),
    /// The value cannot be read as the option's type.
    #[error("{name} takes {expected}, not {found}")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        found: Quoted,
    },
    /// The value cannot be put to use.
    #[error("{name}: {reason}; the setting stays as it was")]
    Refused {
        /// The option.
        name: &'static str,
        /// Why not.
        reason: String,
    },
}

/// What came of setting an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Which option was set, or which button pressed.
    pub id: Id,
    /// A remark for the user: that the value was clamped.
    pub note: Option<String>,
}

/// The value of one option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Flag(bool),
    Number(i64),
    Choice(&'static str),
    Text(String),
    None,
}

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// In the order of [`TABLE`].
    values: Vec<Value>,
}

impl Default for Options {
    /// All options at their defaults.
    fn default() -> Self {
        Options { values: TABLE.iter().map(default_of).collect() }
    }
}

fn default_of(spec: &Spec) -> Value {
    match spec.kind {
        Kind::Check { default } => Value::Flag(default),
        Kind::Spin { default, .. } => Value::Number(default),
        Kind::Combo { default, choices } => {
            Value::Choice(choices.get(default).copied().unwrap_or_default())
        }
        Kind::Text { default } => Value::Text(default.to_owned()),
        Kind::Button => Value::None,
    }
}

impl Options {
    /// Sets the option `name` (in any case of letters) to `value`.
    ///
    /// # Errors
    /// When there is no such option, or the value is missing or cannot be read; nothing changes.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let spec = TABLE
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(quote(name)))?;
        let (value, note) = read(spec, value)?;
        self.put(spec.id, value);
        Ok(Change { id: spec.id, note })
    }

    /// The options that are not at their defaults.
    pub fn changed(&self) -> impl Iterator<Item = &'static Spec> {
        let values = TABLE.iter().zip(&self.values);
        values.filter(|(spec, value)| default_of(spec) != **value).map(|(spec, _)| spec)
    }

    /// Whether a check option is on; `false` for every other type.
    pub fn flag(&self, id: Id) -> bool {
        matches!(self.get(id), Some(Value::Flag(true)))
    }

    /// The value of a number option, which lies within its range; 0 for every other type.
    pub fn number(&self, id: Id) -> usize {
        match self.get(id) {
            Some(&Value::Number(number)) => usize::try_from(number).unwrap_or(0),
            _ => 0,
        }
    }

    /// Sets a number option to what could be had of it.
    pub fn lower(&mut self, id: Id, number: usize) {
        self.put(id, Value::Number(i64::try_from(number).unwrap_or(i64::MAX)));
    }

    /// The chosen word or the text of an option; empty for every other type.
    pub fn text(&self, id: Id) -> &str {
        match self.get(id) {
            Some(Value::Choice(choice)) => choice,
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The strength to play at, in Elo; `None` for full strength. `UCI_LimitStrength` comes first,
    /// then a `Skill Level` below 20, whose steps divide the range of `UCI_Elo` evenly.
    pub fn elo(&self) -> Option<u32> {
        let skill = self.number(Id::SkillLevel) as i64;
        let elo = if self.flag(Id::LimitStrength) {
            self.number(Id::Elo) as i64
        } else if skill < FULL_SKILL {
            MIN_ELO + (MAX_ELO - MIN_ELO) * skill / FULL_SKILL
        } else {
            return None;
        };
        u32::try_from(elo).ok()
    }

    fn get(&self, id: Id) -> Option<&Value> {
        let index = TABLE.iter().position(|spec| spec.id == id)?;
        self.values.get(index)
    }

    fn put(&mut self, id: Id, value: Value) {
        let index = TABLE.iter().position(|spec| spec.id == id);
        if let Some(slot) = index.and_then(|index| self.values.get_mut(index)) {
            *slot = value;
        }
    }
}

/// Reads `value` as the option's type. A remark comes with a clamped one.
fn read(spec: &Spec, value: Option<&str>) -> Result<(Value, Option<String>), OptionError> {
    let name = spec.name;
    let refused = |expected: String, found: &str| {
        Err(OptionError::Value { name, expected, found: quote(found) })
    };
    if spec.kind == Kind::Button {
        return Ok((Value::None, None));
    }
    let value = value.ok_or(OptionError::Missing(name))?.trim();
    // A text may be empty; the standard writes the empty text as `<empty>`.
    if let Kind::Text { .. } = spec.kind {
        let empty = value.eq_ignore_ascii_case("<empty>");
        return Ok((Value::Text(if empty { String::new() } else { value.to_owned() }), None));
    }
    if value.is_empty() {
        return Err(OptionError::Missing(name));
    }
    match spec.kind {
        Kind::Check { .. } => match value.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" => Ok((Value::Flag(true), None)),
            "false" | "off" | "0" => Ok((Value::Flag(false), None)),
            _ => refused("true or false".into(), value),
        },
        Kind::Spin { min, max, .. } => match whole_number(value) {
            Some(number) => {
                let clamped = number.clamp(min, max);
                let note = (clamped != number).then(|| {
                    format!("{name} {} is not within {min} to {max}, using {clamped}", quote(value))
                });
                Ok((Value::Number(clamped), note))
            }
            None => refused(format!("a whole number from {min} to {max}"), value),
        },
        Kind::Combo { choices, .. } => {
            match choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                Some(choice) => Ok((Value::Choice(choice), None)),
                None => refused(format!("one of {}", choices.join(", ")), value),
            }
        }
        Kind::Text { .. } | Kind::Button => Ok((Value::None, None)),
    }
}

/// A whole number with an optional sign; one beyond 64 bits is the nearest that fits.
fn whole_number(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| sign * digits.parse::<i64>().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> (Options, Result<Change, OptionError>) {
        let mut options = Options::default();
        let change = options.set(name, Some(value));
        (options, change)
    }

    #[test]
    fn the_table_is_sound() {
        for (index, spec) in TABLE.iter().enumerate() {
            let words = spec.name.to_ascii_lowercase();
            assert!(
                words.split(' ').all(|word| word != "name" && word != "value"),
                "{words} would confuse a reader"
            );
            for other in TABLE.iter().skip(index + 1) {
                assert_ne!(spec.id, other.id);
                assert!(!spec.name.eq_ignore_ascii_case(other.name));
            }
            match spec.kind {
                Kind::Spin { default, min, max } => {
                    assert!(0 <= min && min <= default && default <= max)
                }
                Kind::Combo { default, choices } => assert!(default < choices.len()),
                _ => {}
            }
        }
    }

    #[test]
    fn names_and_choices_have_no_case() {
        let (options, change) = set("hAsH", "128");
        assert_eq!(change, Ok(Change { id: Id::Hash, note: None }));
        assert_eq!(options.number(Id::Hash), 128);
        let (options, _) = set("uci_variant", "Chess");
        assert_eq!(options.text(Id::Variant), "chess");
        let (options, _) = set("move notation", "SITE");
        assert_eq!(options.text(Id::MoveNotation), "site");
    }

    #[test]
    fn numbers_out_of_range_are_clamped_with_a_note() {
        let (options, change) = set("Threads", "100000");
        assert_eq!(options.number(Id::Threads), 512);
        let note = change.ok().and_then(|change| change.note);
        assert_eq!(note.as_deref(), Some("Threads '100000' is not within 1 to 512, using 512"));
        assert_eq!(set("Hash", "0").0.number(Id::Hash), 1);
        assert_eq!(set("Hash", "-5").0.number(Id::Hash), 1);
        assert_eq!(set("Hash", "99999999999999999999999").0.number(Id::Hash), 65_536);
        assert_eq!(set("MultiPV", "-99999999999999999999999").0.number(Id::MultiPv), 1);
    }

    #[test]
    fn unreadable_values_change_nothing() {
        for (name, value) in [
            ("MultiPV", "1 value 2"),
            ("MultiPV", "2x"),
            ("Hash", "-"),
            ("Hash", "1.5"),
            ("Ponder", "maybe"),
            ("UCI_Variant", "shogi"),
        ] {
            let (options, change) = set(name, value);
            assert!(matches!(change, Err(OptionError::Value { .. })), "{name} {value}");
            assert_eq!(options, Options::default());
        }
    }

    #[test]
    fn errors_name_the_option_and_what_it_takes() {
        let message = |name, value| set(name, value).1.err().map(|error| error.to_string());
        assert_eq!(
            message("MultiPV", "1 value 2").as_deref(),
            Some("MultiPV takes a whole number from 1 to 256, not '1 value 2'")
        );
        assert_eq!(
            message("Ponder", "maybe").as_deref(),
            Some("Ponder takes true or false, not 'maybe'")
        );
        assert_eq!(
            message("Move Notation", "san").as_deref(),
            Some("Move Notation takes one of coordinate, site, not 'san'")
        );
        assert_eq!(message("Contempt", "3").as_deref(), Some("no option is named 'Contempt'"));
        assert_eq!(message("Hash", "").as_deref(), Some("Hash needs a value"));
    }

    #[test]
    fn a_button_needs_no_value() {
        let mut options = Options::default();
        assert_eq!(options.set("clear hash", None), Ok(Change { id: Id::ClearHash, note: None }));
        assert_eq!(options.set("Hash", None), Err(OptionError::Missing("Hash")));
    }

    #[test]
    fn texts_are_kept_as_given() {
        let (options, _) = set("Debug Log File", " C:\\My  Files\\log.txt ");
        assert_eq!(options.text(Id::DebugLogFile), "C:\\My  Files\\log.txt");
        assert_eq!(set("EvalFile", "<empty>").0.text(Id::EvalFile), "");
        assert_eq!(set("EvalFile", "").0.text(Id::EvalFile), "");
    }

    #[test]
    fn strength_is_full_unless_limited() {
        let mut options = Options::default();
        assert_eq!(options.elo(), None);
        assert!(options.set("UCI_Elo", Some("1234")).is_ok());
        assert_eq!(options.elo(), None);
        assert!(options.set("UCI_LimitStrength", Some("true")).is_ok());
        assert_eq!(options.elo(), Some(1234));
        let (options, _) = set("Skill Level", "0");
        assert_eq!(options.elo(), Some(MIN_ELO as u32));
        let (options, _) = set("Skill Level", "10");
        assert_eq!(options.elo(), Some(((MIN_ELO + MAX_ELO) / 2) as u32));
    }
}
