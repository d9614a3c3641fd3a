//! Extended Position Description: a position and operations, one record a line.
//!
//! Read and written are all operations; understood are `id`, what to find (`bm` best moves, `am` moves
//! to avoid, `dm` a forced win in so many moves), and what a search has found (`acd` depth, `acn` nodes,
//! `acs` seconds, `ce` centipawns, `pv` the line, `dm`). A record is written back with what it had, and
//! what was found takes the place of what was found before. Moves are English SAN; coordinates are read too.
//! After the four fields a FEN's two counters may stand, or `hmvc` and `fmvn` among the operations.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::rules::notation::{Letters, MoveError, parse_move, san};
use crate::rules::{Edition, FenError, GameRecord, Move, Position};
use crate::search::{Info, Score};

use super::think::Thought;

/// Why a line is no record.
#[derive(Debug, Error)]
pub enum EpdError {
    /// The position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A text in quotation marks without its end.
    #[error("{0}: a quotation mark is missing")]
    Quote(String),
    /// An operation that names no move of the position.
    #[error("{code}: {error}")]
    Move {
        /// Which operation.
        code: String,
        /// Why not.
        error: MoveError,
    },
    /// An operation that should hold a number.
    #[error("{code}: {text:?} is no number from 1 to 10000")]
    Number {
        /// Which operation.
        code: String,
        /// What it holds.
        text: String,
    },
}

/// An operation: its code and what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// `bm`, `id`, …
    pub code: String,
    /// Moves, numbers, texts.
    pub operands: Vec<String>,
}

/// One line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position.
    pub position: Position,
    /// In the line's order.
    pub operations: Vec<Operation>,
}

/// What a record asks to be found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Goals {
    /// `bm`: one of these is to be played.
    pub best: Vec<Move>,
    /// `am`: none of these is to be played.
    pub avoid: Vec<Move>,
    /// `dm`: a win within so many moves is to be proven.
    pub win: Option<u32>,
}

impl Goals {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty() && self.win.is_none()
    }

    /// Whether a line meets all that is asked.
    pub fn are_met(&self, line: &Info) -> bool {
        let Some(m) = line.pv.first() else { return false };
        let proven = |moves| line.score.mate().is_some_and(|n| n > 0 && n as u32 <= moves);
        (self.best.is_empty() || self.best.contains(m))
            && !self.avoid.contains(m)
            && self.win.is_none_or(proven)
    }
}

/// Watches a search for the moment from which on its answer stays right.
#[derive(Debug)]
pub struct Check<'a> {
    goals: &'a Goals,
    since: Option<Duration>,
}

impl<'a> Check<'a> {
    /// Nothing seen yet.
    pub const fn new(goals: &'a Goals) -> Check<'a> {
        Check { goals, since: None }
    }

    /// Looks at what is known now.
    pub fn see(&mut self, thought: &Thought) {
        self.since = match thought.first() {
            Some(line) if self.goals.are_met(line) => self.since.or(Some(line.time)),
            _ => None,
        };
    }

    /// The time to solution, from the final thought; `None` if it is not solved.
    pub fn finish(mut self, thought: &Thought) -> Option<Duration> {
        self.see(thought);
        self.since
    }
}

impl Record {
    /// Reads a line that is neither empty nor a comment, see [`is_record`].
    ///
    /// # Errors
    /// When the position or an operation cannot be read.
    pub fn read(edition: Edition, line: &str) -> Result<Record, EpdError> {
        let line = line.trim_start_matches('\u{feff}').trim();
        let (mut fields, mut rest) = take_words(line, 4);
        let (counters, after) = take_words(rest, 2);
        let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
        let numbers = counters.iter().take_while(|word| is_number(word)).count();
        if numbers > 0 {
            fields.extend(counters.into_iter().take(numbers));
            rest = if numbers == 2 { after } else { take_words(rest, numbers).1 };
        }
        let operations = read_operations(rest)?;
        let counter = |code: &str| find(&operations, code)?.first().cloned();
        let mut fen = fields.join(" ");
        if fields.len() == 4 {
            let halfmoves = counter("hmvc").unwrap_or_else(|| "0".to_owned());
            let fullmoves = counter("fmvn").unwrap_or_else(|| "1".to_owned());
            fen = format!("{fen} {halfmoves} {fullmoves}");
        }
        Ok(Record { position: Position::from_fen(edition, &fen)?, operations })
    }

    /// What follows an operation's code, if it is there.
    pub fn operands(&self, code: &str) -> Option<&[String]> {
        find(&self.operations, code)
    }

    /// The name of the position.
    pub fn id(&self) -> Option<&str> {
        self.operands("id")?.first().map(String::as_str)
    }

    /// What the record asks to be found.
    ///
    /// # Errors
    /// When `bm` or `am` name no legal move, or `dm` no number.
    pub fn goals(&self) -> Result<Goals, EpdError> {
        let moves = |code: &str| {
            let texts = self.operands(code).unwrap_or_default();
            let read = |text: &String| {
                parse_move(&self.position, text, Letters::English)
                    .map_err(|error| EpdError::Move { code: code.to_owned(), error })
            };
            texts.iter().map(read).collect::<Result<Vec<Move>, EpdError>>()
        };
        let win = match self.operands("dm") {
            None => None,
            Some(operands) => {
                let text = operands.first().cloned().unwrap_or_default();
                let number = text.parse().ok().filter(|n| (1..=10_000).contains(n));
                let code = "dm".to_owned();
                Some(number.ok_or(EpdError::Number { code, text })?)
            }
        };
        Ok(Goals { best: moves("bm")?, avoid: moves("am")?, win })
    }

    /// Puts in what a search has found. A record that says nothing of the best move gets `bm`.
    pub fn put_found(&mut self, thought: &Thought) {
        let Some(line) = thought.first() else { return };
        let mut put = |code: &str, operands: Vec<String>| {
            let new = Operation { code: code.to_owned(), operands };
            match self.operations.iter_mut().find(|operation| operation.code == code) {
                Some(old) => *old = new,
                None => self.operations.push(new),
            }
        };
        put("acd", vec![line.depth.to_string()]);
        put("acn", vec![line.nodes.to_string()]);
        put("acs", vec![line.time.as_secs().to_string()]);
        put("ce", vec![centipawns(line.score).to_string()]);
        if let Some(moves) = line.score.mate().filter(|&n| n > 0) {
            put("dm", vec![moves.to_string()]);
        }
        let mut game = GameRecord::new(self.position);
        let mut texts = Vec::new();
        for &m in &line.pv {
            texts.push(san(game.position(), m, Letters::English));
            if game.play(m).is_err() {
                break;
            }
        }
        let best = texts.first().cloned();
        put("pv", texts);
        if let Some(best) = best
            && self.operands("bm").is_none()
            && self.operands("am").is_none()
        {
            self.operations.push(Operation { code: "bm".to_owned(), operands: vec![best] });
        }
    }
}

/// The standard's `ce`: centipawns for the side to move; a forced win is 32767 less its plies.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(n) if n > 0 => 32_767 - (2 * n - 1),
        Score::Mate(n) => -32_767 - 2 * n,
    }
}

impl fmt::Display for Record {
    /// The line, without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_fen();
        f.write_str(&take_words(&fen, 4).0.join(" "))?;
        let counters =
            [("hmvc", self.position.halfmove_clock(), 0), ("fmvn", self.position.fullmove(), 1)];
        for (code, value, usual) in counters {
            if value != usual && self.operands(code).is_none() {
                write!(f, " {code} {value};")?;
            }
        }
        for Operation { code, operands } in &self.operations {
            write!(f, " {code}")?;
            for operand in operands {
                let plain = operand.chars().all(|c| c.is_ascii_graphic() && c != ';' && c != '"');
                if plain && !operand.is_empty() && !is_text(code) {
                    write!(f, " {operand}")?;
                } else {
                    write!(f, " \"{}\"", operand.replace('"', "'"))?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// Whether the standard has the operand of this operation in quotation marks: `id` and `c0` to `c9`.
fn is_text(code: &str) -> bool {
    code == "id" || matches!(code.as_bytes(), [b'c', b'0'..=b'9'])
}

/// Whether a line of a file holds a record: it is not empty and does not begin with `#`.
pub fn is_record(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim_start();
    !line.is_empty() && !line.starts_with('#')
}

fn find<'a>(operations: &'a [Operation], code: &str) -> Option<&'a [String]> {
    let found = operations.iter().find(|operation| operation.code == code);
    found.map(|operation| operation.operands.as_slice())
}

/// So many words, or as many as there are, and what follows them.
fn take_words(text: &str, number: usize) -> (Vec<String>, &str) {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while words.len() < number && !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    (words, rest)
}

/// Operations, each ended by `;`, the last one's may be missing.
fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut finish = |words: &mut Vec<String>| {
        if !words.is_empty() {
            let code = words.remove(0);
            operations.push(Operation { code, operands: std::mem::take(words) });
        }
    };
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == ';' {
            finish(&mut words);
            rest = &rest[1..];
        } else if first == '"' {
            let Some((inside, after)) = rest[1..].split_once('"') else {
                return Err(EpdError::Quote(words.first().cloned().unwrap_or_default()));
            };
            words.push(inside.to_owned());
            rest = after;
        } else {
            let ends = |c: char| c.is_whitespace() || c == ';';
            let end = rest.find(ends).unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
        rest = rest.trim_start();
    }
    finish(&mut words);
    Ok(operations)
}
