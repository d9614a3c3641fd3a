//! What the program says to people, in the languages it speaks: one table, [`Texts`], and the few
//! sentences that the rules' values make.
//!
//! Uses `board` and `rules`. What programs read (names of results, keys, options) is no text and stands
//! in no table; neither do errors, which are English.

mod table;

use crate::board::Color;
use crate::rules::notation::Letters;
use crate::rules::{Edition, Outcome, Reason};

pub use table::Texts;

/// A language for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Portuguese, with the words of the game's own site: Conquista, Captura, Ultimato, Escolta, Chamariz.
    Portuguese,
}

impl Language {
    /// The table.
    pub const fn texts(self) -> &'static Texts {
        match self {
            Language::English => &table::ENGLISH,
            Language::Portuguese => &table::PORTUGUESE,
        }
    }

    /// The piece letters that go with the language.
    pub const fn letters(self) -> Letters {
        match self {
            Language::English => Letters::English,
            Language::Portuguese => Letters::Portuguese,
        }
    }

    /// The code of ISO 639-1, as a page's `lang` has it.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Portuguese => "pt",
        }
    }

    /// `White` or `Black`.
    pub const fn side(self, color: Color) -> &'static str {
        match color {
            Color::White => self.texts().white,
            Color::Black => self.texts().black,
        }
    }

    /// Whose, in a sentence: `White's`.
    pub const fn of_side(self, color: Color) -> &'static str {
        match color {
            Color::White => self.texts().of_white,
            Color::Black => self.texts().of_black,
        }
    }

    /// The way a game ended.
    pub const fn reason(self, reason: Reason) -> &'static str {
        let texts = self.texts();
        match reason {
            Reason::Capture => texts.capture,
            Reason::Conquest => texts.conquest,
            Reason::Repetition => texts.repetition,
            Reason::NoMoves => texts.no_moves,
            Reason::Checkmate => texts.checkmate,
            Reason::Stalemate => texts.stalemate,
            Reason::FiftyMoves => texts.fifty_moves,
            Reason::Insufficient => texts.insufficient,
            Reason::Elimination => texts.elimination,
            Reason::Blocked => texts.blocked,
            Reason::NoProgress => texts.no_progress,
        }
    }

    /// A result as a sentence without a full stop: `White wins by conquest`.
    pub fn outcome(self, outcome: Outcome) -> String {
        let reason = self.reason(outcome.reason);
        match outcome.winner {
            Some(color) => {
                fill(self.texts().wins_by, &[("side", &self.side(color)), ("reason", &reason)])
            }
            None => fill(self.texts().draw_by, &[("reason", &reason)]),
        }
    }

    /// An edition's name for people.
    pub const fn edition(self, edition: Edition) -> &'static str {
        match edition {
            Edition::CaptureOrConquer => self.texts().todays_edition,
            Edition::Classic => self.texts().earlier_edition,
            Edition::Chess => self.texts().chess,
        }
    }

    /// A number and the word for what is counted: `1 move`, `2 moves`.
    pub fn count(self, number: usize, one: &str, many: &str) -> String {
        format!("{number} {}", if number == 1 { one } else { many })
    }

    /// A number of full moves: `1 move`, `2 moves`.
    pub fn moves(self, number: usize) -> String {
        self.count(number, self.texts().move_one, self.texts().move_many)
    }

    /// A number of plies, moves of one side: `1 ply`, `2 plies`.
    pub fn plies(self, number: usize) -> String {
        self.count(number, self.texts().ply_one, self.texts().ply_many)
    }

    /// A decimal number with the language's mark.
    pub fn decimal(self, number: f64, places: usize) -> String {
        self.localised(format!("{number:.places$}"))
    }

    /// A score in pawns with its sign: `+0.31`.
    pub fn pawns(self, centipawns: i32) -> String {
        self.localised(format!("{:+.2}", f64::from(centipawns) / 100.0))
    }

    /// A whole number in groups of three.
    pub fn grouped(self, number: u64) -> String {
        let mark = match self {
            Language::English => ',',
            Language::Portuguese => '.',
        };
        let digits = number.to_string();
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(mark);
            }
            text.push(digit);
        }
        text
    }

    fn localised(self, number: String) -> String {
        match self {
            Language::English => number,
            Language::Portuguese => number.replace('.', ","),
        }
    }
}

/// A text with its places filled: `{name}` becomes the value of that name.
pub fn fill(text: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            rest = after;
            break;
        };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            filled.push_str(&value.to_string());
        }
        rest = after;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of a text's places, sorted.
    fn places(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> =
            text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn both_languages_fill_the_same_places() {
        for (name, english, portuguese) in table::pairs() {
            assert_eq!(places(english), places(portuguese), "{name}");
            assert!(!english.is_empty() && !portuguese.is_empty(), "{name}");
        }
    }

    #[test]
    fn values_are_never_taken_for_places() {
        assert_eq!(fill("{a} and {b}", &[("a", &"{b}"), ("b", &2)]), "{b} and 2");
    }

    #[test]
    fn numbers() {
        assert_eq!(Language::English.grouped(1_234_567), "1,234,567");
        assert_eq!(Language::Portuguese.grouped(1_000), "1.000");
        assert_eq!(Language::English.grouped(999), "999");
        assert_eq!(Language::English.pawns(-7), "-0.07");
        assert_eq!(Language::Portuguese.pawns(131), "+1,31");
    }
}
