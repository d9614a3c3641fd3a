//! What can be wrong with a line of input, as typed errors, and how outside text is quoted in them.
//!
//! Every error is shown on one line whatever the input was; see [`quote`].

use std::fmt;

/// The command words do not have the shape that the command asks for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SyntaxError {
    /// No word of the line is a command.
    #[error("unknown command {word}")]
    Unknown {
        /// The first word.
        word: Quoted,
    },
    /// A word that does not belong where it stands, or the end of the line too early.
    #[error("{command}: expected {expected} at column {column}, found {found}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// What could have stood there.
        expected: &'static str,
        /// Where, in characters of the line counted from 1.
        column: usize,
        /// What stands there.
        found: Found,
    },
    /// A parameter that may be given only once.
    #[error("{command}: {parameter} is given twice")]
    Twice {
        /// The command.
        command: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
}

/// The word at the place of an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// This word.
    Word(Quoted),
    /// None: the line ends here.
    End,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Word(word) => word.fmt(f),
            Found::End => f.write_str("the end of the line"),
        }
    }
}

/// Text from outside, made fit for one line of output by [`quote`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quoted(String);

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The most characters of outside text that an error repeats.
const QUOTE_LENGTH: usize = 60;

/// `text` between quotation marks: control characters escaped, cut with `…` after 60 characters.
pub fn quote(text: &str) -> Quoted {
    let mut quoted = String::from("'");
    let mut characters = text.chars();
    for character in characters.by_ref().take(QUOTE_LENGTH) {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            quoted.extend(character.escape_default());
        } else {
            quoted.push(character);
        }
    }
    if characters.next().is_some() {
        quoted.push('…');
    }
    quoted.push('\'');
    Quoted(quoted)
}

/// The most characters of a message that are shown.
const MESSAGE_LENGTH: usize = 400;

/// A message; one that repeats long input is cut.
pub fn clipped(text: &str) -> String {
    if text.chars().count() <= MESSAGE_LENGTH {
        return text.to_owned();
    }
    text.chars().take(MESSAGE_LENGTH).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_text_stays_on_one_short_line() {
        assert_eq!(quote("e2e5").to_string(), "'e2e5'");
        assert_eq!(quote("a\nb\tc\u{0}").to_string(), "'a\\nb\\tc\\u{0}'");
        let long = quote(&"x".repeat(1_000_000)).to_string();
        assert_eq!(long.chars().count(), QUOTE_LENGTH + 3);
        assert!(long.ends_with("x…'"));
    }
}
