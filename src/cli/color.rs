//! `--color`: whether what is printed for people has colours.

use std::io::{Stdout, stdout};

use anstream::{AutoStream, ColorChoice};
use clap::{Args, ValueEnum};

/// `--color`, for the sub-commands that draw.
#[derive(Args, Clone, Copy, Debug)]
pub struct ColorArguments {
    /// Colours: by themselves on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: When,
}

/// `--color`.
#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum When {
    /// On a terminal that can show them, unless the environment has NO_COLOR
    #[default]
    Auto,
    /// In any case
    Always,
    /// In no case
    Never,
}

impl ColorArguments {
    /// Standard output, and whether to write colours to it.
    pub fn stdout(self) -> (AutoStream<Stdout>, bool) {
        let choice = match self.color {
            When::Auto => AutoStream::choice(&stdout()),
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        (AutoStream::new(stdout(), choice), choice != ColorChoice::Never)
    }
}
