//! `usurper judge`: replays a game and says where it stands.
//!
//! [`Verdict`] is the record that is written for programs, and the only place that says what belongs
//! into it. `--jsonl` judges one game a line: in parallel, in order, holding a bounded part of the
//! input, and answering at once what has come when the input pauses.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use serde::{Deserialize, Deserializer, Serialize};

use crate::board::Color;
use crate::games::{AnyGame, AnyMove, Playable, Variant};
use crate::protocol::error::quote;
use crate::rules::Outcome;
use crate::rules::notation::Letters;
use crate::search::Task;
use crate::text::{Language, fill};

use super::CommandResult;
use super::game_args::{self, GameArguments};

const EXAMPLES: &str = "\
Examples:
  usurper judge --moves e2e4 e7e5 Nf3
  usurper judge --variant chess --moves \"f2f3 e7e5 g2g4 Qh4\"
  usurper judge --fen '7k/8/4K3/8/8/8/8/8 w - - 0 1' --json
  usurper judge --variant konane --moves d4 d5
  usurper judge --jsonl games.jsonl > verdicts.jsonl
  echo '{\"edition\":\"chess\",\"moves\":[\"e4\",\"e5\"]}' | usurper judge --jsonl -

A line for --jsonl is an object with \"edition\" (or \"variant\"; also a board game), \"fen\" and \"moves\", each of which may be \
left out. The answer to a line that is no game is {\"error\": …, \"at\": …}, where \"at\" is the number of \
the move that is wrong, or null. Where a line has \"winner\" or \"reason\", the answer says whether the rules \
agree (\"agrees\"); the exit code is 1 if they do not in any line.";

/// Replay a game: who has won and why, what can be played, what would end it
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// Write one JSON object instead of text
    #[arg(long)]
    json: bool,

    /// Judge one JSON object a line; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "json"])]
    jsonl: Option<PathBuf>,
}

/// Where a game stands, for programs. The order of the fields is that of the output.
#[derive(Serialize, Debug)]
struct Verdict {
    edition: &'static str,
    /// The position that the game has reached.
    fen: String,
    /// `white`, `black`, `draw`; `None` while the game goes on.
    winner: Option<&'static str>,
    reason: Option<String>,
    /// How many moves were played.
    plies: usize,
    /// Whether the King of the side to move stands attacked; false when it is missing, and in board games.
    in_check: bool,
    /// How often the position has stood, this time included.
    repetitions: usize,
    /// The legal moves as coordinates and SAN, sorted bytewise; none when the game is over. A board game has one notation,
    /// which stands twice.
    moves: Vec<(String, String)>,
    /// Whether a result that the line records is this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
    /// The legal moves that end the game, in the same order, with the winner and the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    ending_moves: Option<Vec<(String, &'static str, String)>>,
}

/// What is wrong with a line, for programs.
#[derive(Serialize, Debug)]
struct Fault {
    error: String,
    /// The number of the move that is wrong, counted from 1.
    at: Option<usize>,
}

/// A line of `--jsonl`.
#[derive(Deserialize)]
struct Line {
    /// Also by the name that it has on the command line.
    #[serde(alias = "variant")]
    edition: Option<String>,
    fen: Option<String>,
    moves: Option<Vec<String>>,
    /// A result by the rules to be compared; `Some(None)` for one that says null.
    #[serde(default, deserialize_with = "given")]
    winner: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    reason: Option<Option<String>>,
}

/// Tells null from nothing.
fn given<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(field).map(Some)
}

/// A legal move, and what comes of it.
struct Choice {
    coordinates: String,
    san: String,
    ends: Option<Outcome>,
}

/// The legal moves sorted by their texts; none when the game is over.
fn choices(game: &AnyGame, letters: Letters) -> Vec<Choice> {
    let choice = |(m, san): (AnyMove, String)| Choice {
        coordinates: m.to_string(),
        san,
        ends: game.end_by(&m),
    };
    let mut choices: Vec<Choice> = game.named(letters).into_iter().map(choice).collect();
    choices.sort_unstable_by(|a, b| (&a.coordinates, &a.san).cmp(&(&b.coordinates, &b.san)));
    choices
}

impl Verdict {
    fn of(game: &AnyGame, letters: Letters) -> Verdict {
        let outcome = game.outcome();
        Verdict {
            edition: game.variant().name(),
            fen: game.fen(),
            winner: outcome.map(|outcome| outcome.winner_name()),
            reason: outcome.map(|outcome| outcome.reason.to_string()),
            plies: game.plies(),
            in_check: in_check(game),
            repetitions: game.times_stood(),
            moves: choices(game, letters).into_iter().map(|c| (c.coordinates, c.san)).collect(),
            agrees: None,
            ending_moves: None,
        }
    }

    /// The verdict with the moves that end the game.
    fn with_endings(game: &AnyGame, letters: Letters) -> Verdict {
        let endings = choices(game, letters).into_iter().filter_map(|choice| {
            let ends = choice.ends?;
            Some((choice.coordinates, ends.winner_name(), ends.reason.to_string()))
        });
        Verdict { ending_moves: Some(endings.collect()), ..Verdict::of(game, letters) }
    }
}

/// Judges and prints.
///
/// # Errors
/// When the arguments describe no game, a file cannot be read, the output is closed, or a line of `--jsonl` records
/// another result than the rules give. A bad line of it is answered, and no error.
pub fn run(arguments: &Arguments) -> CommandResult {
    let letters = arguments.game.letters();
    if let Some(path) = &arguments.jsonl {
        return judge_lines(path, arguments.game.variant(), letters);
    }
    let mut out = BufWriter::new(stdout().lock());
    let game = match arguments.game.game() {
        Ok(game) => game,
        Err(error) => {
            if arguments.json {
                let fault = Fault { error: error.to_string(), at: error.ply() };
                writeln!(out, "{}", serde_json::to_string(&fault)?)?;
                out.flush()?;
            }
            return Err(error.into());
        }
    };
    if arguments.json {
        let verdict = Verdict::with_endings(&game, letters);
        writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
    } else {
        describe(&game, letters, arguments.game.language(), &mut out)?;
    }
    out.flush()?;
    Ok(())
}

/// Whether the King of the side to move stands attacked.
fn in_check(game: &AnyGame) -> bool {
    game.chess().is_some_and(|game| game.position().in_check())
}

/// How many men White and Black have yet to place, if any.
fn to_place(game: &AnyGame) -> Option<[u8; 2]> {
    let AnyGame::Board(record) = game else { return None };
    let men = Color::ALL.map(|color| record.position().hand(color));
    (men != [0; 2]).then_some(men)
}

/// The verdict as text for people.
fn describe(
    game: &AnyGame,
    letters: Letters,
    language: Language,
    out: &mut impl Write,
) -> io::Result<()> {
    let texts = language.texts();
    writeln!(out, "{}", game.diagram())?;
    let line = |out: &mut dyn Write, name: &str, text: &str| writeln!(out, "{name:<10}{text}");
    let label = if game.chess().is_some() { texts.label_edition } else { texts.label_game };
    line(out, label, game.variant().name())?;
    line(out, "FEN", &game.fen())?;
    let plies = language.plies(game.plies());
    line(out, texts.label_played, &plies)?;
    let side = language.side(game.side());
    let to_move = match in_check(game) {
        true => fill(texts.its_king_attacked, &[("side", &side)]),
        false => side.to_owned(),
    };
    line(out, texts.label_to_move, &to_move)?;
    if let Some([white, black]) = to_place(game) {
        let men = fill(texts.both_sides, &[("white", &white), ("black", &black)]);
        line(out, texts.label_to_place, &men)?;
    }
    let stood = match game.times_stood() {
        1 => texts.first_time.to_owned(),
        2 => texts.second_time.to_owned(),
        times => fill(texts.so_many_times, &[("times", &times)]),
    };
    line(out, texts.label_stands, &stood)?;
    match game.outcome() {
        Some(outcome) => return line(out, texts.label_result, &language.outcome(outcome)),
        None => line(out, texts.label_result, texts.none_yet)?,
    }

    let choices = choices(game, letters);
    let legal = language.count(choices.len(), texts.legal_move_one, texts.legal_move_many);
    writeln!(out, "\n{legal}:")?;
    let coordinates = choices.iter().map(|c| c.coordinates.len()).max().unwrap_or(0);
    let san = choices.iter().map(|c| c.san.len()).max().unwrap_or(0);
    // A board game has one notation.
    let san = if game.chess().is_some() { san } else { 0 };
    let names = |choice: &Choice| match san {
        0 => format!("{:<coordinates$}", choice.coordinates),
        _ => format!("{:<coordinates$} {:<san$}", choice.coordinates, choice.san),
    };
    let columns = 78 / (coordinates + san + 4);
    for row in choices.chunks(columns.max(1)) {
        let mut text = String::new();
        for choice in row {
            text += &format!("  {} ", names(choice));
        }
        writeln!(out, "{}", text.trim_end())?;
    }

    let mut ends = choices.iter().filter_map(|c| c.ends.map(|ends| (c, ends))).peekable();
    if ends.peek().is_some() {
        writeln!(out, "\n{}:", texts.ending_moves)?;
    }
    for (choice, outcome) in ends {
        writeln!(out, "  {}  {}", names(choice), language.outcome(outcome))?;
    }
    Ok(())
}

/// About as many bytes of input are taken in before they are judged.
const BATCH: usize = 1 << 20;

/// A longer line is no game: it would hold some million moves.
const LONGEST_LINE: usize = 16 << 20;

/// A line above the limit.
#[derive(Debug, thiserror::Error)]
#[error("the line is longer than {} MiB", LONGEST_LINE >> 20)]
struct TooLong;

fn judge_lines(path: &Path, variant: Variant, letters: Letters) -> CommandResult {
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Box::new(file)
    };
    let mut input = BufReader::with_capacity(BATCH, input);
    let mut out = BufWriter::new(stdout().lock());
    let (mut number, mut disagreeing, mut first) = (0_u64, 0_u64, None);
    loop {
        let lines =
            next_lines(&mut input).map_err(|error| format!("{}: {error}", path.display()))?;
        if lines.is_empty() {
            break;
        }
        let answers: Vec<(String, bool)> =
            lines.par_iter().map(|line| judge_line(line, variant, letters)).collect();
        for (answer, disagrees) in answers {
            number += 1;
            if disagrees {
                disagreeing += 1;
                first.get_or_insert(number);
            }
            writeln!(out, "{answer}")?;
        }
        out.flush()?;
    }
    match first {
        None => Ok(()),
        Some(line) => Err(format!(
            "{}: {disagreeing} of {number} lines record another result, the first is line {line}",
            path.display()
        )
        .into()),
    }
}

/// Waits for a line, then takes all that have come with it; none at the end of the input.
fn next_lines(input: &mut BufReader<impl Read>) -> io::Result<Vec<Result<Vec<u8>, TooLong>>> {
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
        if line.len() == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            lines.push(Err(TooLong));
        } else if !line.is_empty() {
            lines.push(Ok(line));
        }
        if !input.buffer().contains(&b'\n') {
            return Ok(lines);
        }
    }
}

/// The answer to a line, without a line end, and whether the line records another result.
fn judge_line(
    line: &Result<Vec<u8>, TooLong>,
    variant: Variant,
    letters: Letters,
) -> (String, bool) {
    let judged = match line {
        Ok(line) => {
            // A byte order mark is what some systems put before a file's text.
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            judge_object(line.trim_ascii(), variant, letters)
        }
        Err(error) => Err(Fault { error: error.to_string(), at: None }),
    };
    let disagrees = judged.as_ref().is_ok_and(|verdict| verdict.agrees == Some(false));
    let answer = match judged {
        Ok(verdict) => serde_json::to_string(&verdict),
        Err(fault) => serde_json::to_string(&fault),
    };
    let answer = answer.unwrap_or_else(|error| format!("{{\"error\":\"{error}\",\"at\":null}}"));
    (answer, disagrees)
}

fn judge_object(line: &[u8], variant: Variant, letters: Letters) -> Result<Verdict, Fault> {
    let fault = |error: String| Fault { error, at: None };
    // Else an array of three would be taken for the three fields.
    if !line.starts_with(b"{") {
        return Err(fault("JSON: the line is not an object".to_owned()));
    }
    let line: Line =
        serde_json::from_slice(line).map_err(|error| fault(format!("JSON: {error}")))?;
    let variant = match line.edition {
        Some(name) => game_args::variant(&name)
            .map_err(|error| fault(format!("no edition {}: {error}", quote(&name))))?,
        None => variant,
    };
    let moves = line.moves.unwrap_or_default();
    let game = game_args::game(variant, line.fen.as_deref(), &moves, letters)
        .map_err(|error| Fault { error: error.to_string(), at: error.ply() })?;
    let verdict = Verdict::of(&game, letters);
    let winner = line.winner.as_ref().map(|winner| winner.as_deref() == verdict.winner);
    let reason = line.reason.as_ref().map(|reason| *reason == verdict.reason);
    let agrees = match (winner, reason) {
        (None, None) => None,
        (winner, reason) => Some(winner.unwrap_or(true) && reason.unwrap_or(true)),
    };
    Ok(Verdict { agrees, ..verdict })
}
