//! `usurper analyse`: what the engine thinks of a position, or of each position of an EPD file.
//!
//! On a terminal the lines are shown while they grow; the result is text, JSON lines or EPD.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Map, Value, json};

use crate::analysis::epd::{Check, Goals, Record, is_record};
use crate::analysis::{Thinker, Thought, chance};
use crate::games::{AnyGame, AnyMove, Playable};
use crate::rules::notation::{Letters, san};
use crate::rules::{Edition, GameRecord, Move};
use crate::search::{Info, Limits, Score, Settings};
use crate::text::{Language, fill};

use super::CommandResult;
use super::game_args::GameArguments;
use super::{interrupt, progress};

const EXAMPLES: &str = "\
Examples:
  usurper analyse --moves e2e4 e7e5 --multipv 3
  usurper analyse --fen '7k/8/4K3/8/8/8/8/8 w - - 0 1' --depth 20 --json
  usurper analyse --variant fanorona --nodes 100000
  usurper analyse suite.epd --movetime 1000 --check
  usurper analyse positions.epd --nodes 100000 --epd > analysed.epd

Without a limit each position gets three seconds; Ctrl-C ends the search and shows what is known. \
Scores and chances are those of the side to move; #3 is a win in three moves. Of board games there are no chances and no EPD files, and a score counts men. \
--check reads what an EPD file asks for: bm (best moves), am (moves to avoid), dm (a win within so \
many moves). The time to solution is when the answer was right and stayed so.";

/// How long a position is searched when nothing else is asked for.
const THINKING: Duration = Duration::from_secs(3);

/// Analyse a position, or each position of an EPD file
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// Analyse each position of an EPD file; - is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    file: Option<PathBuf>,

    /// Search so many plies deep
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,

    /// Search so many positions
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search so long, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,

    /// Search until a win in so many moves is proven
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=120))]
    mate: Option<u32>,

    /// Search until Ctrl-C
    #[arg(long, conflicts_with_all = ["depth", "nodes", "movetime", "mate", "file"])]
    infinite: bool,

    /// How many lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,

    /// How many threads search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// The size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    /// Write one JSON object for each position
    #[arg(long)]
    json: bool,

    /// Write each position as a line of EPD, with what was found
    #[arg(long, conflicts_with = "json")]
    epd: bool,

    /// Check the answers against what the EPD file asks for
    #[arg(long, requires = "file", conflicts_with = "epd")]
    check: bool,
}

impl Arguments {
    fn limits(&self) -> Limits<AnyMove> {
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            mate: self.mate,
            ..Limits::default()
        };
        if limits == Limits::default() && !self.infinite {
            return Limits { movetime: Some(THINKING), ..limits };
        }
        limits
    }
}

/// Analyses and prints.
///
/// # Errors
/// When the arguments describe no position, a file cannot be read or has a bad line, or the output is
/// closed.
pub fn run(arguments: &Arguments) -> CommandResult {
    let settings = Settings {
        threads: arguments.threads.into(),
        hash_mb: arguments.hash as usize,
        multi_pv: arguments.multipv.into(),
        ..Settings::default()
    };
    let desk = Desk {
        thinker: Thinker::new(settings),
        limits: arguments.limits(),
        stop: interrupt::watch()?,
        screen: Screen::new(arguments.game.language(), arguments.game.letters()),
        out: BufWriter::new(stdout()),
        form: match (arguments.json, arguments.epd) {
            (true, _) => Form::Json,
            (_, true) => Form::Epd,
            _ => Form::Text,
        },
    };
    match &arguments.file {
        None => {
            if arguments.epd {
                arguments.game.edition("--epd")?;
            }
            desk.position(&arguments.game.game()?)
        }
        Some(path) => {
            let edition = arguments.game.edition("a file of positions (EPD)")?;
            desk.file(path, edition, arguments.check)
        }
    }
}

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Epd,
}

/// All that is needed for one position after the other.
struct Desk {
    thinker: Thinker,
    limits: Limits<AnyMove>,
    stop: Arc<AtomicBool>,
    screen: Screen,
    out: BufWriter<io::Stdout>,
    form: Form,
}

/// A position that is asked about.
struct Question<'a> {
    game: &'a AnyGame,
    /// The record of a file.
    record: Option<&'a Record>,
    /// What it is called: its `id`, or where it stands.
    name: Option<String>,
    /// What is to be found.
    goals: Option<&'a Goals>,
}

impl Desk {
    fn position(mut self, game: &AnyGame) -> CommandResult {
        let question = Question { game, record: None, name: None, goals: None };
        self.ask(&question)?;
        Ok(self.out.flush()?)
    }

    fn file(mut self, path: &Path, edition: Edition, check: bool) -> CommandResult {
        let name = match path == Path::new("-") {
            true => "standard input".to_owned(),
            false => path.display().to_string(),
        };
        let named = |error| format!("{name}: {error}");
        let input: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(path).map_err(named)?))
        };
        let (mut total, mut bad, mut times) = (0_usize, 0_usize, Vec::new());
        for (number, line) in (1_usize..).zip(input.split(b'\n')) {
            let line = line.map_err(named)?;
            let line = String::from_utf8_lossy(&line);
            if !is_record(&line) {
                continue;
            }
            let read = Record::read(edition, &line).and_then(|record| {
                let goals = if check { Some(record.goals()?) } else { None };
                Ok((record, goals))
            });
            let fault = match &read {
                Err(error) => Some(error.to_string()),
                Ok((_, Some(goals))) if goals.is_empty() => {
                    Some("nothing to check: neither bm nor am nor dm".to_owned())
                }
                Ok(_) => None,
            };
            if let Some(fault) = fault {
                bad += 1;
                self.out.flush()?;
                writeln!(io::stderr(), "error: {name}, line {number}: {fault}")?;
                continue;
            }
            let Ok((record, goals)) = read else { continue };
            total += 1;
            // Each position is judged by itself, whatever stands before it in the file.
            self.thinker.clear();
            let question = Question {
                game: &GameRecord::new(record.position).into(),
                name: Some(record.id().map_or_else(|| format!("line {number}"), str::to_owned)),
                record: Some(&record),
                goals: goals.as_ref(),
            };
            times.extend(self.ask(&question)?);
            self.out.flush()?;
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        if check {
            self.total(total, times)?;
        }
        self.out.flush()?;
        if bad > 0 {
            let lines = if bad == 1 { "line was" } else { "lines were" };
            return Err(format!("{name}: {bad} {lines} passed over").into());
        }
        Ok(())
    }

    /// Searches and writes what was found; the time to solution of a question with goals.
    fn ask(&mut self, question: &Question) -> Result<Option<Duration>, Box<dyn std::error::Error>> {
        let mut check = question.goals.map(Check::new);
        let screen = &self.screen;
        let game = question.game;
        let thought = self.thinker.think(game, &self.limits, &self.stop, &mut |thought| {
            if let Some(check) = &mut check {
                check.see(&of_chess(thought));
            }
            screen.show(game, thought, question.name.as_deref());
        });
        screen.clear();
        let solved = check.and_then(|check| check.finish(&of_chess(&thought)));
        match self.form {
            Form::Json => {
                let object = object(question, &thought, solved);
                writeln!(self.out, "{object}")?;
            }
            Form::Epd => {
                let bare = |game: &GameRecord| Record {
                    position: *game.position(),
                    operations: Vec::new(),
                };
                let record = question.record.cloned().or_else(|| game.chess().map(bare));
                if let Some(mut record) = record {
                    record.put_found(&of_chess(&thought));
                    writeln!(self.out, "{record}")?;
                }
            }
            Form::Text if question.goals.is_some() => self.checked(question, &thought, solved)?,
            Form::Text => self.text(question, &thought)?,
        }
        Ok(solved)
    }

    /// The result for people.
    fn text(&mut self, question: &Question, thought: &Thought<AnyMove>) -> io::Result<()> {
        let game = question.game;
        if let Some(name) = &question.name {
            writeln!(self.out, "{name}  {}", game.fen())?;
        }
        for line in self.screen.table(game, thought, usize::MAX) {
            writeln!(self.out, "{line}")?;
        }
        if let Some(best) = thought.best() {
            let text = best.beside(&game.name_of(&best, self.screen.letters));
            writeln!(
                self.out,
                "{}",
                fill(self.screen.language.texts().best_move, &[("move", &text)])
            )?;
        }
        if question.name.is_some() {
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// A line about a checked position.
    fn checked(
        &mut self,
        question: &Question,
        thought: &Thought<AnyMove>,
        solved: Option<Duration>,
    ) -> io::Result<()> {
        let (Some(goals), Some(game)) = (question.goals, question.game.chess()) else {
            return Ok(());
        };
        let Screen { language, letters, .. } = self.screen;
        let texts = language.texts();
        let write = |m: &Move| san(game.position(), *m, letters);
        let list = |moves: &[Move]| moves.iter().map(write).collect::<Vec<_>>().join(" ");
        let mut wanted = Vec::new();
        if !goals.best.is_empty() {
            wanted.push(fill(texts.wanted_best, &[("moves", &list(&goals.best))]));
        }
        if !goals.avoid.is_empty() {
            wanted.push(fill(texts.wanted_avoided, &[("moves", &list(&goals.avoid))]));
        }
        if let Some(win) = goals.win {
            let moves = language.moves(win as usize);
            wanted.push(fill(texts.wanted_win, &[("moves", &moves)]));
        }
        let mark = if solved.is_some() { '+' } else { '-' };
        let best = thought.best().as_ref().and_then(AnyMove::chess);
        let answer = best.as_ref().map(write).unwrap_or_default();
        let score = thought.first().map(|line| score(line.score, language)).unwrap_or_default();
        let verdict = match solved {
            Some(time) => fill(texts.solved, &[("time", &seconds(time, language))]),
            None => texts.not_solved.to_owned(),
        };
        let name = question.name.as_deref().unwrap_or_default();
        writeln!(self.out, "{mark} {name}: {answer} {score}, {}; {verdict}", wanted.join(", "))
    }

    /// How many were solved, and how fast.
    fn total(&mut self, total: usize, mut times: Vec<Duration>) -> io::Result<()> {
        times.sort_unstable();
        let solved = times.len();
        let median = times.get(solved.saturating_sub(1) / 2).copied().unwrap_or_default();
        let longest = times.last().copied().unwrap_or_default();
        let sum: Duration = times.iter().sum();
        if self.form == Form::Json {
            let total = json!({
                "solved": solved,
                "total": total,
                "median_ms": milliseconds(median),
                "longest_ms": milliseconds(longest),
                "sum_ms": milliseconds(sum),
            });
            return writeln!(self.out, "{total}");
        }
        let language = self.screen.language;
        let texts = language.texts();
        let counted = fill(texts.solved_total, &[("solved", &solved), ("total", &total)]);
        writeln!(self.out, "{counted}")?;
        if solved > 0 {
            let write = |time| seconds(time, language);
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("median", &write(median)), ("longest", &write(longest)), ("sum", &write(sum))];
            writeln!(self.out, "{}", fill(texts.solved_times, &values))?;
        }
        Ok(())
    }
}

/// What is known of a position of the chess family.
fn of_chess(thought: &Thought<AnyMove>) -> Thought {
    thought.filter_map(|m| m.chess())
}

/// The chance of the side to move to win, 0 to 1; of board games nothing is known of chances.
fn chance_in(game: &AnyGame, score: Score) -> Option<f64> {
    game.chess().map(|game| chance(score, game.position()))
}

/// The result for programs.
fn object(question: &Question, thought: &Thought<AnyMove>, solved: Option<Duration>) -> Value {
    let game = question.game;
    let san_line = |line: &Info<AnyMove>| {
        let mut here = game.clone();
        let write = |m: &AnyMove| {
            let text = here.name_of(m, Letters::English);
            here.advance(m).ok()?;
            Some(text)
        };
        line.pv.iter().map_while(write).collect::<Vec<String>>()
    };
    let lines: Vec<Value> = (1..)
        .zip(&thought.lines)
        .map(|(number, line)| {
            let score = match line.score {
                Score::Cp(cp) => json!({ "cp": cp }),
                Score::Mate(moves) => json!({ "mate": moves }),
            };
            json!({
                "multipv": number,
                "depth": line.depth,
                "seldepth": line.seldepth,
                "score": score,
                "win_permille": chance_in(game, line.score).map(|c| (1000.0 * c).round() as u32),
                "moves": line.pv.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "san": san_line(line),
            })
        })
        .collect();
    let first = thought.first();
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("edition", json!(game.variant().name()));
    put("fen", json!(game.fen()));
    if let Some(record) = question.record {
        put("id", json!(record.id()));
    }
    put("winner", json!(thought.over.map(|outcome| outcome.winner_name())));
    put("reason", json!(thought.over.map(|outcome| outcome.reason.to_string())));
    put("best", json!(thought.best().map(|m| m.to_string())));
    put("best_san", json!(thought.best().map(|m| game.name_of(&m, Letters::English))));
    let nodes = thought.lines.iter().map(|line| line.nodes).max();
    let time = thought.lines.iter().map(|line| line.time).max();
    put("depth", json!(first.map(|line| line.depth)));
    put("nodes", json!(nodes));
    put("time_ms", json!(time.map(milliseconds)));
    put("lines", Value::Array(lines));
    if question.goals.is_some() {
        put("solved", json!(solved.is_some()));
        put("solved_ms", json!(solved.map(milliseconds)));
    }
    Value::Object(object)
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}

fn seconds(time: Duration, language: Language) -> String {
    language.decimal(time.as_secs_f64(), 3)
}

/// A score as it is shown: pawns, or `#` and the moves to the end of the game.
fn score(score: Score, language: Language) -> String {
    match score {
        Score::Cp(cp) => language.pawns(cp),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

/// The table of lines, also while they grow.
struct Screen {
    language: Language,
    letters: Letters,
    bar: ProgressBar,
}

impl Screen {
    /// Draws on standard error if that is a terminal.
    fn new(language: Language, letters: Letters) -> Screen {
        Screen { language, letters, bar: progress::bar(None, "{msg}") }
    }

    fn show(&self, game: &AnyGame, thought: &Thought<AnyMove>, name: Option<&str>) {
        if self.bar.is_hidden() {
            return;
        }
        let width = terminal_size::terminal_size_of(io::stderr())
            .map_or(80, |(terminal_size::Width(width), _)| usize::from(width));
        let mut lines = self.table(game, thought, width.saturating_sub(1));
        if let Some(name) = name {
            lines.insert(0, cut(name, width.saturating_sub(1)));
        }
        self.bar.set_message(lines.join("\n"));
        self.bar.tick();
    }

    fn clear(&self) {
        self.bar.set_message("");
        self.bar.tick();
    }

    /// Whose move it is and how far the search is, then a line for each variation; no line is longer
    /// than `width`.
    fn table(&self, game: &AnyGame, thought: &Thought<AnyMove>, width: usize) -> Vec<String> {
        let (language, texts) = (self.language, self.language.texts());
        let Some(first) = thought.first() else {
            let over = thought.over.map(|outcome| language.outcome(outcome));
            return vec![over.unwrap_or_else(|| texts.thinking.to_owned())];
        };
        let side = language.side(game.side());
        let nodes = thought.lines.iter().map(|line| line.nodes).max().unwrap_or_default();
        let time = thought.lines.iter().map(|line| line.time).max().unwrap_or_default();
        let time = time.as_secs_f64();
        let speed = nodes as f64 / time.max(1e-6) / 1e6;
        let head = format!(
            "{}   {} {}/{}   {} {}   {} {}   {} s",
            fill(texts.to_move, &[("side", &side)]),
            texts.depth,
            first.depth,
            first.seldepth,
            language.grouped(nodes),
            texts.nodes,
            language.decimal(speed, 2),
            texts.per_second,
            language.decimal(time, 1),
        );
        let rows = thought.lines.iter().map(|line| {
            let score = score(line.score, language);
            let percent = match chance_in(game, line.score) {
                Some(chance) => format!("{:>4} %", language.decimal(100.0 * chance, 0)),
                None => String::new(),
            };
            format!("{score:>8} {percent}  {}", game.line(&line.pv, self.letters))
        });
        std::iter::once(head).chain(rows).map(|line| cut(&line, width)).collect()
    }
}

/// A line cut to so many characters.
fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}
