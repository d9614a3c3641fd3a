//! `--lang`: the language of what is printed for people.

use clap::{Args, ValueEnum};

use crate::text::Language;

/// `--lang`.
#[derive(Args, Clone, Copy, Debug)]
pub struct LanguageArguments {
    /// The language of what is printed for people, and of the piece letters in moves
    #[arg(long, value_enum, value_name = "LANG", default_value_t)]
    lang: LanguageArgument,
}

/// A value of `--lang`.
#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum LanguageArgument {
    /// English
    #[default]
    En,
    /// Portuguese
    Pt,
}

impl LanguageArguments {
    /// The language.
    pub const fn language(self) -> Language {
        match self.lang {
            LanguageArgument::En => Language::English,
            LanguageArgument::Pt => Language::Portuguese,
        }
    }
}
