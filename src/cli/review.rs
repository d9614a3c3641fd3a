//! `usurper review`: looks through the games of a PGN file and says where they were lost.
//!
//! Each game that is done is told at once, and the annotated file holds it whole, so that Ctrl-C
//! loses no finished game; the page and the graphs are written at the end.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::Args;

use crate::analysis::annotate::annotate;
use crate::analysis::review::{Mark, Review, Reviewer};
use crate::analysis::words::Words;
use crate::analysis::{graph, page};
use crate::arena::pgn::{self, Reader};
use crate::board::Color;
use crate::games::Variant;
use crate::rules::notation::Letters;
use crate::search::{Limits, Settings};
use crate::text::fill;

use super::CommandResult;
use super::color::ColorArguments;
use super::game_args::{chess_only, variant};
use super::language::LanguageArguments;
use super::{interrupt, progress};

const EXAMPLES: &str = "\
Examples:
  usurper review game.pgn
  usurper review games.pgn --threads 2 --nodes 500000 --out annotated.pgn
  usurper review game.pgn --html report.html --svg graph.svg

A move is an inaccuracy (?!), a mistake (?) or a blunder (??) if it gives away 5, 10 or 15 % of winning \
chance. Whatever the scores say, a King not taken, a Conquest not made, an Ultimatum not answered \
and a lost repetition are named. A move with the comment {book} gets no mark. With several games, the graph of the second is graph-2.svg, and so on. \
Ctrl-C ends the review; games that are done are kept.";

/// Review games: marks, missed wins, accuracy; as text, PGN, graph and page
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The games
    #[arg(value_name = "GAME.pgn")]
    file: PathBuf,

    /// The edition of games without a Variant tag
    #[arg(long, value_name = "EDITION", value_parser = variant, default_value_t)]
    variant: Variant,

    /// How many positions are searched at each move
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How many threads search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// The size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    /// Write the games with marks, scores and better lines
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write a page to click through
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write a graph of winning chances
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    color: ColorArguments,

    #[command(flatten)]
    language: LanguageArguments,
}

impl Arguments {
    fn words(&self) -> Words {
        let language = self.language.language();
        Words { language, letters: language.letters() }
    }

    /// No output may be the file that is read.
    fn check_outputs(&self) -> Result<(), String> {
        let own = self.file.canonicalize().ok();
        for path in [&self.out, &self.html, &self.svg].into_iter().flatten() {
            if own.is_some() && path.canonicalize().ok() == own {
                return Err(format!("{}: this is the file to be reviewed", path.display()));
            }
        }
        Ok(())
    }
}

/// Reviews and writes.
///
/// # Errors
/// When the file cannot be read or holds a bad game (the others are done), an output cannot be
/// written, or the review was stopped.
pub fn run(arguments: &Arguments) -> CommandResult {
    let edition = chess_only(arguments.variant, "review")?;
    arguments.check_outputs()?;
    let path = &arguments.file;
    let named = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| named(path, error))?;
    let (mut games, mut bad) = (Vec::new(), 0_usize);
    for game in Reader::new(BufReader::new(file), edition) {
        match game {
            Ok(game) => games.push(game),
            Err(error) => {
                bad += 1;
                writeln!(stderr(), "error: {}: {error}", path.display())?;
            }
        }
    }
    if games.is_empty() {
        return Err(format!("{}: no game to review", path.display()).into());
    }
    let stop = interrupt::watch()?;
    let words = arguments.words();
    let annotated = match &arguments.out {
        None => None,
        Some(path) => Some((path, File::create(path).map_err(|error| named(path, error))?)),
    };
    let mut annotated = annotated.map(|(path, file)| (path, BufWriter::new(file)));
    let settings = Settings {
        threads: arguments.threads.into(),
        hash_mb: arguments.hash as usize,
        ..Settings::default()
    };
    let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
    let mut reviewer = Reviewer::new(settings, limits);
    let total = games.len();
    let positions: usize = games.iter().map(|game| game.record.moves().len() + 1).sum();
    let template = "{msg} {wide_bar} {percent} % {elapsed} eta {eta}";
    let bar = progress::bar(Some(positions as u64), template);
    let (out, color) = arguments.color.stdout();
    let mut report = Report { out, color, words, several: total > 1 };
    let mut reviews = Vec::new();
    for (number, game) in (1..).zip(games) {
        let values: [(&str, &dyn std::fmt::Display); 2] = [("number", &number), ("total", &total)];
        bar.set_message(fill(words.language.texts().looking, &values));
        let Some(review) = reviewer.review(game, &stop, &mut || bar.inc(1)) else { break };
        bar.suspend(|| report.game(number, &review))?;
        if let Some((path, file)) = &mut annotated {
            // What a PGN reader takes for moves is English.
            let words = Words { letters: Letters::English, ..words };
            pgn::write(&annotate(&review, words), file)
                .and_then(|()| file.flush())
                .map_err(|error| named(path, error))?;
        }
        reviews.push(review);
    }
    bar.finish_and_clear();
    if let Some(path) = &arguments.html {
        let limit =
            format!("{} {}", words.language.grouped(arguments.nodes), words.language.texts().nodes);
        std::fs::write(path, page::html(&reviews, words, &limit))
            .map_err(|error| named(path, error))?;
    }
    if let Some(path) = &arguments.svg {
        for (number, review) in (1..).zip(&reviews) {
            let path = numbered(path, number);
            std::fs::write(&path, graph::svg(review, words))
                .map_err(|error| named(&path, error))?;
        }
    }
    if stop.load(Ordering::Relaxed) {
        return Err(format!("stopped after {} of {total} games", reviews.len()).into());
    }
    if bad > 0 {
        let games = if bad == 1 { "game was" } else { "games were" };
        return Err(format!("{}: {bad} bad {games} passed over", path.display()).into());
    }
    Ok(())
}

/// The name of the graph of a game.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{}", extension.unwrap_or_default()))
}

/// What is told of each game in text.
struct Report {
    out: AutoStream<io::Stdout>,
    color: bool,
    words: Words,
    several: bool,
}

impl Report {
    fn game(&mut self, number: usize, review: &Review) -> io::Result<()> {
        let Words { language, letters } = self.words;
        let texts = language.texts();
        let tag = |name: &str| review.game.tag(name).unwrap_or("?").to_owned();
        if self.several {
            if number > 1 {
                writeln!(self.out)?;
            }
            write!(self.out, "{}: ", fill(texts.game_number, &[("number", &number)]))?;
        }
        let moves = review.steps.len().div_ceil(2);
        let moves = language.moves(moves);
        let result = review.game.result;
        writeln!(self.out, "{} – {}  {result}  ({moves})", tag("White"), tag("Black"))?;
        if let Some(outcome) = review.game.record.outcome() {
            writeln!(self.out, "{}", language.outcome(outcome))?;
        }

        let row = |out: &mut dyn Write, name: &str, cells: [String; 2]| {
            let [white, black] = cells;
            writeln!(out, "{name:<14}{white:>9}{black:>9}")
        };
        row(&mut self.out, "", Color::ALL.map(|color| language.side(color).to_owned()))?;
        let accuracy = |color| match review.accuracy(color) {
            Some(accuracy) => language.decimal(accuracy, 1),
            None => "–".to_owned(),
        };
        row(&mut self.out, texts.accuracy, Color::ALL.map(accuracy))?;
        for mark in Mark::ALL {
            let counts = Color::ALL.map(|color| review.count(color, mark).to_string());
            row(&mut self.out, self.words.marks(mark), counts)?;
        }

        let mut any = false;
        for (ply, step) in review.steps.iter().enumerate() {
            if step.mark.is_none() && step.findings.is_empty() {
                continue;
            }
            any = true;
            let us = step.before.side_to_move();
            let chance = |at: usize| {
                let evaluation = review.evaluations.get(at);
                self.words.percent(evaluation.map_or(0.5, |evaluation| evaluation.of(us)))
            };
            let (before, after) = (chance(ply), chance(ply + 1));
            let values: [(&str, &dyn std::fmt::Display); 2] =
                [("before", &before), ("after", &after)];
            let fell = fill(texts.chance_from_to, &values);
            let text = self.words.numbered(step);
            let style = if self.color { style(step.mark) } else { Style::new() };
            let sentence = self.words.step(review, ply);
            writeln!(self.out, "  {style}{text}{style:#}  {fell}  {sentence}")?;
            if step.mark.is_some()
                && let Some(better) = review.better(ply)
            {
                let line: Vec<_> = better.iter().take(8).copied().collect();
                let line = crate::picture::line(&step.before, &line, letters);
                writeln!(self.out, "      {line}")?;
            }
        }
        if !any {
            writeln!(self.out, "  {}", texts.no_marks)?;
        }
        self.out.flush()
    }
}

fn style(mark: Option<Mark>) -> Style {
    let color = match mark {
        None => return Style::new().bold(),
        Some(Mark::Inaccuracy) => AnsiColor::Yellow,
        Some(Mark::Mistake) => AnsiColor::Magenta,
        Some(Mark::Blunder) => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(color.into()))
}
