//! What a user says about an engine: `cmd=./engine,name=New,option.Hash=64,tc=10+0.1`.
//!
//! Keys are separated by commas; a part between quotation marks, single or double, is taken as it
//! stands. A text that does not begin with a key is a command line.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::clock::{Limit, TimeControl, seconds};

/// The language that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// Universal Chess Interface.
    #[default]
    Uci,
    /// Chess Engine Communication Protocol.
    Xboard,
}

/// An engine as a match needs to know it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The name in tables and game files; else the engine's own.
    pub name: Option<String>,
    /// The folder in which it runs; else the runner's.
    pub dir: Option<PathBuf>,
    /// Its language.
    pub protocol: Protocol,
    /// Its limits where they differ from the match's.
    pub limit: Limit,
    /// Whether it thinks in the opponent's time.
    pub ponder: bool,
    /// The name that it has for the edition, where that differs.
    pub variant: Option<String>,
    /// It plays with a royal King and needs a referee's services.
    pub royal: bool,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// A file that takes what it writes to standard error.
    pub stderr: Option<PathBuf>,
}

/// What is wrong with a description.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// A quotation mark without its partner.
    #[error("a quotation mark in {0:?} is never closed")]
    Quote(String),
    /// A key that there is not.
    #[error(
        "{0:?} is no key of an engine: cmd dir arg proto name tc st nodes depth ponder variant royal \
         option.NAME stderr"
    )]
    Key(String),
    /// A value that the key cannot have.
    #[error("{key}={value:?}: {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it should be.
        expected: String,
    },
    /// A command with keys behind it.
    #[error("keys behind a command need cmd= before it: say cmd={0}")]
    BareCommand(String),
    /// No program.
    #[error("no command: say cmd=PROGRAM")]
    NoCommand,
}

impl EngineSpec {
    /// Reads a description; `each` are keys that hold for all engines and are overridden here.
    ///
    /// # Errors
    /// A key or a value that is wrong, or no command.
    pub fn parse(text: &str, each: &str) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec::default();
        let mut arguments = Vec::new();
        if !each.is_empty() {
            for (key, value) in pairs(each)? {
                spec.set(&key, value, &mut arguments)?;
            }
        }
        if begins_with_key(text) {
            for (key, value) in pairs(text)? {
                spec.set(&key, value, &mut arguments)?;
            }
        } else {
            let keys = text.split_once(',').is_some_and(|(_, rest)| begins_with_key(rest));
            if keys && !Path::new(text).is_file() {
                return Err(SpecError::BareCommand(text.to_owned()));
            }
            spec.set("cmd", text.to_owned(), &mut arguments)?;
        }
        if spec.command.is_empty() {
            return Err(SpecError::NoCommand);
        }
        spec.command.append(&mut arguments);
        Ok(spec)
    }

    fn set(
        &mut self,
        key: &str,
        value: String,
        arguments: &mut Vec<String>,
    ) -> Result<(), SpecError> {
        let wrong = |expected: &str| SpecError::Value {
            key: key.to_owned(),
            value: value.clone(),
            expected: expected.to_owned(),
        };
        let truth = || match value.to_ascii_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => Ok(true),
            "false" | "off" | "no" | "0" => Ok(false),
            _ => Err(wrong("say true or false")),
        };
        match key {
            "cmd" => self.command = command(&value)?,
            "arg" => arguments.push(value),
            "dir" => self.dir = Some(value.into()),
            "name" => self.name = Some(value).filter(|name| !name.trim().is_empty()),
            "proto" => {
                self.protocol = match value.to_ascii_lowercase().as_str() {
                    "uci" => Protocol::Uci,
                    "xboard" | "cecp" | "winboard" => Protocol::Xboard,
                    _ => return Err(wrong("the protocols are uci and xboard")),
                }
            }
            "tc" => {
                self.limit.control =
                    Some(value.parse::<TimeControl>().map_err(|error| wrong(&error.to_string()))?);
            }
            "st" => {
                let time = seconds(&value).filter(|time| !time.is_zero());
                self.limit.movetime = Some(time.ok_or_else(|| wrong("say seconds"))?);
            }
            "nodes" => {
                self.limit.nodes = Some(value.parse().map_err(|_| wrong("say a number"))?);
            }
            "depth" => {
                self.limit.depth = Some(value.parse().map_err(|_| wrong("say a number"))?);
            }
            "ponder" => self.ponder = truth()?,
            "royal" => self.royal = truth()?,
            "variant" => self.variant = Some(value),
            "stderr" => self.stderr = Some(value.into()),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => {
                    self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                    self.options.push((name.to_owned(), value));
                }
                _ => return Err(SpecError::Key(key.to_owned())),
            },
        }
        Ok(())
    }

    /// The value of an option, if it is set.
    pub fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// How many threads it says it uses.
    pub fn threads(&self) -> usize {
        let set = self.option("Threads").or_else(|| self.option("cores"));
        set.and_then(|value| value.parse().ok()).unwrap_or(1).max(1)
    }

    /// The program, to be started: a name with a slash is a file, looked for from the runner's folder
    /// first and from the engine's own then; a bare name is looked for where the system looks.
    pub fn program(&self) -> PathBuf {
        let program = Path::new(self.command.first().map_or("", String::as_str));
        if program.components().count() < 2 && !program.is_absolute() {
            return program.to_owned();
        }
        let here = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
        match &self.dir {
            Some(dir) if !here.exists() => {
                let there = dir.join(program);
                std::path::absolute(&there).unwrap_or(there)
            }
            _ => here,
        }
    }
}

/// Whether a text begins with `word=` or `option.…=`.
fn begins_with_key(text: &str) -> bool {
    let Some((key, _)) = text.split_once('=') else { return false };
    key.starts_with("option.") || key.chars().all(|c| c.is_ascii_lowercase())
}

/// Splits `key=value,key=value`; quotation marks protect commas and are taken off.
fn pairs(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut pairs = Vec::new();
    for part in split(text, |c| c == ',')? {
        if part.raw.trim().is_empty() {
            continue;
        }
        let (key, _) = part.raw.split_once('=').ok_or_else(|| SpecError::Key(part.raw.clone()))?;
        let key = key.trim().to_owned();
        // A command line keeps its quotation marks: they part its words.
        let whole = if key == "cmd" { &part.raw } else { &part.plain };
        let value = whole.split_once('=').map_or("", |(_, value)| value);
        pairs.push((key, value.to_owned()));
    }
    Ok(pairs)
}

/// The words of a command line. A file of that whole name is the program, blanks or not.
fn command(text: &str) -> Result<Vec<String>, SpecError> {
    let text = text.trim();
    if Path::new(text).is_file() {
        return Ok(vec![text.to_owned()]);
    }
    let words = split(text, char::is_whitespace)?;
    Ok(words.into_iter().filter(|word| !word.raw.is_empty()).map(|word| word.plain).collect())
}

/// A part of a text, with its quotation marks and without them.
#[derive(Default)]
struct Part {
    raw: String,
    plain: String,
}

fn split(text: &str, separates: impl Fn(char) -> bool) -> Result<Vec<Part>, SpecError> {
    let mut parts = Vec::new();
    let mut part = Part::default();
    let mut quote = None;
    for character in text.chars() {
        match quote {
            None if separates(character) => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            None if matches!(character, '"' | '\'') => quote = Some(character),
            Some(open) if open == character => quote = None,
            _ => part.plain.push(character),
        }
        part.raw.push(character);
    }
    if quote.is_some() {
        return Err(SpecError::Quote(text.to_owned()));
    }
    parts.push(part);
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read() {
        let spec = EngineSpec::parse(
            r#"cmd=engine --fast,name="A, B",arg=x y,option.Hash=64,option.Eval File='a,b',tc=40/1:30+1,nodes=5,royal=true"#,
            "option.Hash=1,ponder=on",
        )
        .expect("a description");
        assert_eq!(spec.command, ["engine", "--fast", "x y"]);
        assert_eq!(spec.name.as_deref(), Some("A, B"));
        assert_eq!(spec.option("hash"), Some("64"));
        assert_eq!(spec.option("Eval File"), Some("a,b"));
        assert_eq!(spec.limit.to_string(), "tc=40/90+1 nodes=5");
        assert!(spec.royal && spec.ponder);
    }

    #[test]
    fn keys_behind_a_bare_command_name_cmd() {
        let error = EngineSpec::parse("./new,option.Hash=64", "").expect_err("a mistake");
        assert!(error.to_string().contains("cmd=./new,option.Hash=64"), "{error}");
    }

    #[test]
    fn a_plain_text_is_a_command_line() {
        let spec = EngineSpec::parse("python3 'my stub.py' crash a=b", "").expect("a command");
        assert_eq!(spec.command, ["python3", "my stub.py", "crash", "a=b"]);
        let spec = EngineSpec::parse(r#"cmd=python3 "a, b.py",name=x"#, "").expect("a command");
        assert_eq!(spec.command, ["python3", "a, b.py"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("name=x", "no command"),
            ("cmd=x,hash=64", "hash"),
            ("cmd=x,tc=soon", "soon"),
            ("cmd=x,royal=perhaps", "perhaps"),
            ("cmd=x,name=\"y", "never closed"),
            ("cmd=x,proto=usi", "usi"),
            ("cmd=x,st=0", "seconds"),
        ] {
            let error = EngineSpec::parse(text, "").expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
