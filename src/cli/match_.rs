//! `usurper match`: games between engines.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::arena::clock::{Limit, TimeControl, seconds};
use crate::arena::engine_spec::EngineSpec;
use crate::arena::game::{Conditions, Resign};
use crate::arena::journal::{self, FORMAT, Header, Journal, Results};
use crate::arena::openings::{Openings, Order, RandomOpenings};
use crate::arena::player::Setting;
use crate::arena::report;
use crate::arena::results::{GameLine, Standings};
use crate::arena::runner::{self, Finish, Match, Observer};
use crate::arena::schedule::{Mode, Schedule, Shard};
use crate::arena::stats::{EloModel, Sprt};
use crate::games::Variant;

use super::CommandResult;
use super::game_args::variant;
use super::{interrupt, progress};

const EXAMPLES: &str = "\
Examples:
  usurper match --engine ./new --engine ./old --games 200 --tc 10+0.1 --pgnout games.pgn
  usurper match --engine cmd=./new,name=New,option.Hash=64 --engine cmd=./old,name=Old \\
      --nodes 10000 --games 20000 --sprt elo0=0 elo1=5 --jsonout match.jsonl
  usurper match --variant konane --engine ./new --engine ./old --games 100
  usurper match ... --jsonout match.jsonl --resume        go on where it was stopped
  usurper match --merge part-*.jsonl                      the table of all parts

An engine is a command, or KEY=VALUE,KEY=VALUE with the keys
  cmd dir arg      program and arguments, folder, one more argument
  name             in tables and game files
  proto            uci or xboard (which has no limit of nodes)
  tc st nodes depth  its own limits in place of the match's
  ponder           think in the opponent's time
  variant          its name for the game
  royal            true: plays with a royal King, needs a referee's services (chess family)
  option.NAME      an option of the engine
  stderr           a file for its standard error
Quotation marks protect commas and blanks in a value.

Every opening is played with both colours. A game counts when it is finished and written; a pair \
counts when both its games have a result. Who makes an illegal move or none, crashes, hangs or \
oversteps the time, loses; the engine is started anew for the next game. Interrupted games are \
played again by --resume.

A shard plays its part to the end; the test is decided over all parts by --merge. Parts need the same \
--seed. --merge may be asked at any time, and tells what is missing.

Times are seconds, or minutes:seconds. Results are one JSON object a line, the first about the match, \
each other a game that `usurper judge --jsonl` can read.";

/// More games than any match has, and few enough to be counted.
const MOST_GAMES: u64 = 10_000_000;

/// Play games between engines: a table of results, statistics, game files
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, args_override_self = true)]
pub struct Arguments {
    /// An engine: a command, or keys as below; give two or more
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,

    /// Keys that hold for every engine
    #[arg(long, value_name = "KEYS", default_value = "")]
    each: String,

    /// The edition, captureorconquer, captureorconquer-classic or chess (or normal), or a board game
    /// by its name
    #[arg(long, value_name = "NAME", value_parser = variant, default_value_t)]
    variant: Variant,

    /// Games between each two engines that meet, rounded up to an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,

    /// Who plays whom
    #[arg(long, value_enum, default_value_t)]
    tournament: Tournament,

    /// Clock: [moves/]time[+increment]
    #[arg(long, value_name = "CONTROL")]
    tc: Option<TimeControl>,

    /// Time for each move [default without any other limit: 0.1]
    #[arg(long, value_name = "SECONDS", value_parser = time)]
    st: Option<Duration>,

    /// Positions for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Plies for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Forgiven when the clock or the move's time is overstepped [default: 0 by the clock, 100 by --st]
    #[arg(long, value_name = "MS")]
    timemargin: Option<u64>,

    /// How long an engine may take where no clock runs: to start, to get ready, to move
    #[arg(long, value_name = "SECONDS", value_parser = time, default_value = "30")]
    patience: Duration,

    /// Engines think in the opponent's time
    #[arg(long)]
    ponder: bool,

    /// Games at the same time [default: physical cores by the threads of the engines]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    /// Start from the positions of an EPD file or the games of a PGN file
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,

    /// In which order
    #[arg(long, value_enum, default_value_t)]
    order: OrderArgument,

    /// Use so many plies of a game of the file [default: all]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Start from so many random plies that leave no win in one and a balanced position
    #[arg(long, value_name = "N", default_value_t = 8)]
    random_plies: usize,

    /// The most that a random opening may favour a side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 150)]
    score_limit: i32,

    /// What openings are drawn by [default: by the time of day; it is told]
    #[arg(long)]
    seed: Option<u64>,

    /// Use each opening for so many pairs of games
    #[arg(long, value_name = "N", num_args = 0..=1, default_value_t = 1, default_missing_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,

    /// Give a game up for the engine whose own last scores were that bad:
    /// movecount=3 score=600 [twosided=true]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,

    /// Leave a game unfinished, and uncounted, after so many plies
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,

    /// Stop when a sequential test is decided:
    /// elo0=0 elo1=10 alpha=.05 beta=.05 model=normalized|logistic
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,

    /// Write the games
    #[arg(long, alias = "pgn", value_name = "FILE")]
    pgnout: Option<PathBuf>,

    /// Write the results, by which a match can be resumed and merged
    #[arg(long, alias = "json", value_name = "FILE")]
    jsonout: Option<PathBuf>,

    /// Go on with the match of --jsonout, or begin it
    #[arg(long, requires = "jsonout", conflicts_with = "overwrite")]
    resume: bool,

    /// Begin anew where files exist
    #[arg(long)]
    overwrite: bool,

    /// Play only this part of the match, as in 3/16
    #[arg(long, value_name = "NUMBER/COUNT", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Play nothing: show the table of results files that are parts of one match
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "engines")]
    merge: Vec<PathBuf>,

    /// Where no terminal is: a line after so many games
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    rate_interval: u64,

    /// The name of the match in game files
    #[arg(long, default_value = "Engine match")]
    event: String,
}

/// `--tournament`.
#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum Tournament {
    /// Everybody plays everybody
    #[default]
    RoundRobin,
    /// The first plays each of the others
    Gauntlet,
}

impl Tournament {
    const fn mode(self) -> Mode {
        match self {
            Tournament::RoundRobin => Mode::RoundRobin,
            Tournament::Gauntlet => Mode::Gauntlet,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Tournament::RoundRobin => "round-robin",
            Tournament::Gauntlet => "gauntlet",
        }
    }
}

/// `--order`.
#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum OrderArgument {
    /// As they stand in the file
    Sequential,
    /// Shuffled by the seed
    #[default]
    Random,
}

fn time(text: &str) -> Result<Duration, String> {
    let time = seconds(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "say seconds, more than 0 and at most a day".into())
}

/// Plays, or merges, and shows the table.
///
/// # Errors
/// When the arguments do not fit together, an engine cannot play, a file cannot be read or written,
/// or the match was stopped before its end.
pub fn run(arguments: &Arguments) -> CommandResult {
    if !arguments.merge.is_empty() {
        return merge(arguments);
    }
    if arguments.engines.len() < 2 {
        return Err("a match needs two engines or more: --engine ENGINE --engine ENGINE".into());
    }
    let stop = interrupt::watch()?;

    let engines = arguments.engines()?;
    if arguments.variant.edition().is_none() && engines.iter().any(|spec| spec.royal) {
        return Err(format!("--engine: royal has no meaning in {}", arguments.variant).into());
    }
    let sprt = arguments.sprt()?;
    if sprt.is_some() && engines.len() != 2 {
        return Err("--sprt is a test between two engines".into());
    }
    let schedule = Schedule {
        engines: engines.len(),
        mode: arguments.tournament.mode(),
        pairs: arguments.games.div_ceil(2),
        repeat: arguments.repeat,
        shard: arguments.shard,
    };
    arguments.check()?;
    let earlier = arguments.earlier()?;
    let seed = arguments.seed(earlier.as_ref());
    let settings = arguments.settings(&engines, seed)?;
    let setting = Setting {
        variant: arguments.variant,
        patience: arguments.patience,
        stop: Arc::clone(&stop),
    };
    let names = runner::introduce(&engines, &setting)?;
    let header = Header {
        format: FORMAT.into(),
        engines: names.clone(),
        settings,
        mode: arguments.tournament.name().into(),
        sprt: (!arguments.sprt.is_empty()).then(|| arguments.sprt.join(" ")),
        pairs: schedule.pairs,
        shard: arguments.shard.to_string(),
    };
    let openings = arguments.openings(seed)?;
    let (results, games) = (arguments.jsonout.as_deref(), arguments.pgnout.as_deref());
    let (journal, done) = match (earlier, results) {
        (Some(earlier), Some(results)) => {
            check_same(&earlier.header, &header)?;
            (Journal::resume(results, games, &earlier)?, earlier.games)
        }
        _ => (Journal::create(results, games, &header, arguments.overwrite)?, Vec::new()),
    };
    let setup = Match {
        variant: arguments.variant,
        concurrency: arguments
            .concurrency
            .map_or_else(|| default_concurrency(&engines), usize::from),
        engines,
        names,
        schedule,
        conditions: arguments.conditions()?,
        sprt,
        event: arguments.event.clone(),
        stop,
    };
    let total = setup.schedule.jobs().count() as u64;
    tell(arguments.announcement(&setup, seed, total, done.len()));
    let screen = Screen::new(&setup, total, done.len() as u64, arguments.rate_interval);
    let (standings, finish) = runner::run(&setup, openings, journal, &done, &screen);
    screen.bar.finish_and_clear();
    let shown = show(&report::table(&standings, &setup.names, setup.sprt.as_ref()));
    match finish {
        Finish::Complete | Finish::Decided => Ok(shown?),
        Finish::Stopped => {
            let resume = if arguments.jsonout.is_some() { "; --resume goes on" } else { "" };
            Err(format!("stopped after {} of {total} games{resume}", standings.games).into())
        }
        Finish::Failed(error) => Err(error.into()),
    }
}

fn merge(arguments: &Arguments) -> CommandResult {
    let mut parts = Vec::new();
    for path in &arguments.merge {
        parts.push((path, journal::read(path)?));
    }
    let Some((_, Results { header, .. })) = parts.first() else { return Ok(()) };
    let header = header.clone();
    // A match may be made longer while its parts are played.
    let pairs = parts.iter().map(|(_, part)| part.header.pairs).max().unwrap_or(header.pairs);
    let test = if arguments.sprt.is_empty() {
        header.sprt.iter().flat_map(|text| text.split(' ')).map(str::to_owned).collect()
    } else {
        arguments.sprt.clone()
    };
    let sprt = sprt(&test)?;
    let schedule = Schedule {
        engines: header.engines.len(),
        mode: if header.mode == "gauntlet" { Mode::Gauntlet } else { Mode::RoundRobin },
        pairs,
        repeat: 1,
        shard: Shard::WHOLE,
    };
    let mut standings = Standings::new(&schedule);
    let mut seen = HashSet::new();
    let mut split: Option<u64> = None;
    let mut numbers = HashSet::new();
    for (path, part) in &parts {
        check_same(&header, &Header { shard: header.shard.clone(), ..part.header.clone() })
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let shard: Shard = part.header.shard.parse()?;
        if *split.get_or_insert(shard.count) != shard.count {
            let (path, first) = (path.display(), &header.shard);
            return Err(format!("{path}: part {shard}, where another is part {first}").into());
        }
        if !numbers.insert(shard.number) {
            return Err(format!("{}: part {shard} is there twice", path.display()).into());
        }
        for line in &part.games {
            if !seen.insert(line.game) {
                let number = line.game + 1;
                return Err(format!("{}: game {number} is there twice", path.display()).into());
            }
            standings.add(line);
        }
    }
    let missing: Vec<String> = (1..=split.unwrap_or(1))
        .filter(|number| !numbers.contains(number))
        .map(|number| number.to_string())
        .collect();
    if !missing.is_empty() {
        tell(format_args!("missing: part {}", missing.join(", ")));
    }
    let total = schedule.jobs().count() as u64;
    if standings.games < total {
        tell(format_args!("so far {} of {total} games", standings.games));
    }
    Ok(show(&report::table(&standings, &header.engines, sprt.as_ref()))?)
}

/// Writes a line to standard error; that nobody reads it any more is no reason to stop.
fn tell(line: impl Display) {
    let _ = writeln!(stderr(), "{line}");
}

/// Writes to standard output.
fn show(text: &str) -> std::io::Result<()> {
    stdout().write_all(text.as_bytes())
}

/// Whether two headers are of the same match; its length and its test may change.
///
/// # Errors
/// All that differs.
fn check_same(earlier: &Header, now: &Header) -> CommandResult {
    let facts = |header: &Header| {
        let mut facts = json!({
            "engines": header.settings.get("engines"),
            "names": header.engines,
            "tournament": header.mode,
            "shard": header.shard,
        });
        if let (Some(facts), Some(settings)) = (facts.as_object_mut(), header.settings.as_object())
        {
            facts.extend(settings.clone());
        }
        facts
    };
    let mut found = Vec::new();
    differences("", &facts(earlier), &facts(now), &mut found);
    if found.is_empty() {
        return Ok(());
    }
    Err(format!("not the same match: {}", found.join("; ")).into())
}

/// Adds what differs between two values, in words: `engine 2 limit was nodes=50, now it is nodes=60`.
fn differences(what: &str, earlier: &Value, now: &Value, found: &mut Vec<String>) {
    match (earlier, now) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, now) in b {
                let what = format!("{what} {key}");
                differences(what.trim_start(), a.get(key).unwrap_or(&Value::Null), now, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if what == "engines" && a.len() == b.len() => {
            for (number, (earlier, now)) in (1..).zip(a.iter().zip(b)) {
                differences(&format!("engine {number}"), earlier, now, found);
            }
        }
        _ if earlier == now => {}
        _ => found.push(format!("{what} was {}, now it is {}", plain(earlier), plain(now))),
    }
}

/// A value without the marks of JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "not set".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// The games that the machine can play at the same time, each engine thinking undisturbed.
fn default_concurrency(engines: &[EngineSpec]) -> usize {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = num_cpus::get_physical().min(available);
    let threads = engines.iter().map(EngineSpec::threads).max().unwrap_or(1);
    // Two that ponder think at the same time.
    let both = if engines.iter().any(|spec| spec.ponder) { 2 } else { 1 };
    (cores / (threads * both)).max(1)
}

impl Arguments {
    /// What each argument alone cannot say.
    fn check(&self) -> Result<(), String> {
        if self.shard != Shard::WHOLE && self.seed.is_none() {
            return Err("--shard needs a --seed: all parts must draw the same openings".into());
        }
        let same = |a: &Path, b: &Path| {
            std::path::absolute(a).ok().is_some_and(|a| std::path::absolute(b).ok() == Some(a))
        };
        match (&self.pgnout, &self.jsonout) {
            (Some(games), Some(results)) if same(games, results) => {
                Err("--pgnout and --jsonout need a file each".into())
            }
            _ => Ok(()),
        }
    }

    fn limit(&self) -> Limit {
        let limit =
            Limit { control: self.tc, movetime: self.st, nodes: self.nodes, depth: self.depth };
        if limit.is_some() {
            limit
        } else {
            Limit { movetime: Some(Duration::from_millis(100)), ..limit }
        }
    }

    fn engines(&self) -> Result<Vec<EngineSpec>, String> {
        let parse = |text: &String| {
            let mut spec = EngineSpec::parse(text, &self.each)
                .map_err(|error| format!("--engine {text}: {error}"))?;
            if !spec.limit.is_some() {
                spec.limit = self.limit();
            }
            spec.ponder |= self.ponder;
            Ok(spec)
        };
        self.engines.iter().map(parse).collect()
    }

    fn sprt(&self) -> Result<Option<Sprt>, String> {
        sprt(&self.sprt)
    }

    fn conditions(&self) -> Result<Conditions, String> {
        let margin = |default| Duration::from_millis(self.timemargin.unwrap_or(default));
        Ok(Conditions {
            resign: self.resign()?,
            max_plies: self.max_plies,
            clock_margin: margin(0),
            movetime_margin: margin(100),
            patience: self.patience,
        })
    }

    fn resign(&self) -> Result<Option<Resign>, String> {
        if self.resign.is_empty() {
            return Ok(None);
        }
        let mut resign = Resign { moves: 3, score: 600, two_sided: false };
        for (key, value) in key_values(&self.resign, "--resign")? {
            let wrong = || format!("--resign: {key}={value} cannot be");
            match key {
                "movecount" => {
                    resign.moves = value.parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
                }
                "score" => {
                    resign.score = value.parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
                }
                "twosided" => resign.two_sided = value.parse().map_err(|_| wrong())?,
                _ => return Err(format!("--resign: {key}: say movecount, score or twosided")),
            }
        }
        Ok(Some(resign))
    }

    /// The results so far of a match to be resumed; `None` when it was not begun.
    fn earlier(&self) -> Result<Option<Results>, journal::JournalError> {
        let Some(path) = self.jsonout.as_deref().filter(|_| self.resume) else { return Ok(None) };
        let begun = std::fs::read(path).is_ok_and(|bytes| bytes.contains(&b'\n'));
        if begun { journal::read(path).map(Some) } else { Ok(None) }
    }

    /// The seed: given, or of the match to be resumed, or by the time of day.
    fn seed(&self, earlier: Option<&Results>) -> u64 {
        let of_earlier = earlier.and_then(|results| results.header.settings.get("seed")?.as_u64());
        self.seed.or(of_earlier).unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            now.as_micros() as u64 & 0xffff_ffff
        })
    }

    fn openings(&self, seed: u64) -> Result<Openings, Box<dyn std::error::Error>> {
        let Some(path) = &self.openings else {
            if self.random_plies == 0 {
                tell("warning: all games begin alike: neither --openings nor --random-plies");
            }
            let random =
                RandomOpenings::new(self.variant, self.random_plies, self.score_limit, seed);
            return Ok(Openings::Random(random));
        };
        let order = match self.order {
            OrderArgument::Sequential => Order::Sequential,
            OrderArgument::Random => Order::Random,
        };
        Ok(Openings::read(path, self.variant, self.plies, order, seed)?)
    }

    /// All that makes two runs the same match.
    fn settings(&self, engines: &[EngineSpec], seed: u64) -> Result<Value, String> {
        let engines: Vec<Value> = engines
            .iter()
            .map(|spec| {
                json!({
                    "command": spec.command,
                    "options": spec.options,
                    "limit": spec.limit.to_string(),
                    "ponder": spec.ponder,
                    "variant": spec.variant,
                    "royal": spec.royal,
                })
            })
            .collect();
        let conditions = self.conditions()?;
        Ok(json!({
            "edition": self.variant.name(),
            "engines": engines,
            "openings": self.openings,
            "order": format!("{:?}", self.order),
            "plies": self.plies,
            "random_plies": self.random_plies,
            "score_limit": self.score_limit,
            "seed": seed,
            "repeat": self.repeat,
            "resign": conditions.resign.map(|resign| format!("{resign:?}")),
            "max_plies": self.max_plies,
            "clock_margin_ms": conditions.clock_margin.as_millis() as u64,
            "movetime_margin_ms": conditions.movetime_margin.as_millis() as u64,
        }))
    }

    /// What is going to be played.
    fn announcement(&self, setup: &Match, seed: u64, total: u64, done: usize) -> String {
        let names = setup.names.join(", ");
        let openings = match &self.openings {
            Some(path) => format!("openings of {}", path.display()),
            None => format!("{} random plies", self.random_plies),
        };
        let mut limits: Vec<String> =
            setup.engines.iter().map(|spec| spec.limit.to_string()).collect();
        limits.dedup();
        let done = if done > 0 { format!(", {done} played already") } else { String::new() };
        format!(
            "{names}: {total} games{done}; {}, {}, {openings}, seed {seed}, concurrency {}",
            self.variant,
            limits.join(" / "),
            setup.concurrency
        )
    }
}

/// Reads `elo0=0 elo1=10 alpha=.05 beta=.05 model=normalized`; nothing is no test.
fn sprt(words: &[String]) -> Result<Option<Sprt>, String> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut sprt =
        Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
    for (key, value) in key_values(words, "--sprt")? {
        let wrong = || format!("--sprt: {key}={value} cannot be");
        let number = || value.parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(wrong);
        match key {
            "elo0" => sprt.elo0 = number()?,
            "elo1" => sprt.elo1 = number()?,
            "alpha" => sprt.alpha = number()?,
            "beta" => sprt.beta = number()?,
            "model" => {
                sprt.model = match value {
                    "normalized" | "normalised" => EloModel::Normalized,
                    "logistic" => EloModel::Logistic,
                    _ => return Err(wrong()),
                }
            }
            _ => return Err(format!("--sprt: {key}: say elo0, elo1, alpha, beta or model")),
        }
    }
    let fair = |error: f64| error > 0.0 && error < 0.5;
    if sprt.elo0 >= sprt.elo1 || !fair(sprt.alpha) || !fair(sprt.beta) {
        return Err("--sprt: elo0 must be below elo1, alpha and beta between 0 and 0.5".into());
    }
    Ok(Some(sprt))
}

/// `key=value` words, however blanks and commas separate them.
fn key_values<'a>(words: &'a [String], option: &str) -> Result<Vec<(&'a str, &'a str)>, String> {
    let words = words.iter().flat_map(|word| word.split([',', ' ']));
    words
        .filter(|word| !word.is_empty())
        .map(|word| word.split_once('=').ok_or_else(|| format!("{option}: {word}: say KEY=VALUE")))
        .collect()
}

/// The bar on a terminal, or plain lines.
struct Screen<'a> {
    setup: &'a Match,
    bar: ProgressBar,
    total: u64,
    /// Games between two plain lines; none on a terminal.
    interval: Option<u64>,
}

impl Screen<'_> {
    fn new(setup: &Match, total: u64, done: u64, interval: u64) -> Screen<'_> {
        let wide = terminal_size::terminal_size_of(stderr()).is_none_or(|size| size.0.0 >= 80);
        let picture = if wide { "{bar:20} " } else { "" };
        let line = format!("{picture}{{pos}}/{{len}} {{elapsed}} eta {{eta}}  {{wide_msg}}");
        let bar = progress::bar(Some(total), &line);
        // Hidden where no terminal is, or one that cannot go back in a line.
        let interval = bar.is_hidden().then_some(interval);
        bar.set_position(done);
        bar.reset_eta();
        if interval.is_none() {
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        Screen { setup, bar, total, interval }
    }
}

impl Observer for Screen<'_> {
    fn game(&self, _: &GameLine, standings: &Standings) {
        let line = report::progress(standings, &self.setup.names, self.setup.sprt.as_ref());
        if let Some(interval) = self.interval
            && standings.games.is_multiple_of(interval)
        {
            tell(format_args!("{}/{}: {line}", standings.games, self.total));
        }
        self.bar.set_message(line);
        self.bar.set_position(standings.games);
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| tell(text));
    }
}
