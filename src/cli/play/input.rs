//! Lines from the person who plays: edited in a terminal, with history and completion; plain from
//! anything else.

use std::io::{self, BufRead, IsTerminal, StdinLock, stdin, stdout};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

/// Where lines come from.
pub enum Input {
    /// A terminal on both ends.
    Terminal(Box<Editor<Words, DefaultHistory>>),
    /// Anything else; with the number of the line read last.
    Plain(StdinLock<'static>, usize),
}

impl Input {
    /// Standard input, edited where it and standard output are a terminal.
    ///
    /// # Errors
    /// When the terminal cannot be set up.
    pub fn open() -> io::Result<Input> {
        if !stdin().is_terminal() || !stdout().is_terminal() {
            return Ok(Input::Plain(stdin().lock(), 0));
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .auto_add_history(true)
            .bracketed_paste(false)
            .build();
        let mut editor = Editor::with_config(config).map_err(other)?;
        editor.set_helper(Some(Words(Vec::new())));
        Ok(Input::Terminal(Box::new(editor)))
    }

    /// Whether a person sits at a terminal.
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// Where the last line came from, for a message about it: `line 3: ` of plain input.
    pub fn place(&self) -> String {
        match self {
            Input::Terminal(_) => String::new(),
            Input::Plain(_, number) => format!("line {number}: "),
        }
    }

    /// The next line without blanks around it, `None` at the end of the input or at Ctrl-C. `words` can
    /// be completed.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn line(&mut self, prompt: &str, words: Vec<String>) -> io::Result<Option<String>> {
        match self {
            Input::Terminal(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.0 = words;
                }
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line.trim().to_owned())),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(other(error)),
                }
            }
            Input::Plain(input, number) => {
                let mut bytes = Vec::new();
                *number += 1;
                if input.read_until(b'\n', &mut bytes)? == 0 {
                    return Ok(None);
                }
                Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
            }
        }
    }
}

fn other(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// Completes the first word of a line to one of these.
pub struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line.get(..position).unwrap_or_default();
        let exact = |word: &&String| word.starts_with(begun);
        let mut fitting: Vec<String> = self.0.iter().filter(exact).cloned().collect();
        if fitting.is_empty() {
            // `nf` means `Nf3` as long as nothing begins so.
            let begun = begun.to_ascii_lowercase();
            let alike = |word: &&String| word.to_ascii_lowercase().starts_with(&begun);
            fitting = self.0.iter().filter(alike).cloned().collect();
        }
        Ok((0, fitting))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
