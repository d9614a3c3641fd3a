//! `usurper tablebase`: endings of few men, solved and looked up.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use serde_json::json;

use crate::games::Variant;
use crate::rules::notation::san;
use crate::rules::{Edition, GameError, GameRecord, Position};
use crate::tablebase::{
    GenerateError, Generator, MAX_MEN, Material, Step, Table, TableError, Tables, Value,
};
use crate::text::fill;

use super::CommandResult;
use super::game_args::{GameArguments, chess_only, variant};
use super::language::LanguageArguments;
use super::{interrupt, progress};

const EXAMPLES: &str = "\
Examples:
  usurper tablebase generate --men 3
  usurper tablebase generate --men 4 --out endings --check
  usurper tablebase probe --dir endings --fen '8/8/8/3k4/8/8/1Q6/K7 w - - 0 1'

Each table is a file DIR/EDITION/MATERIAL.utbl with a checksum. What is there and whole is not made again, so that \
a run that was stopped or killed goes on when the same command is given again.";

/// Solve endings of up to four men, and look positions up
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Generate(Generate),
    Probe(Probe),
}

/// Make the tables of all endings with up to so many men
#[derive(Args, Debug)]
struct Generate {
    /// The most men, Kings included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MAX_MEN as i64))]
    men: u8,

    /// The folder of the tables; those of 4 men take 16 MB each, 530 MB together
    #[arg(long, value_name = "DIR", default_value = "tablebase")]
    out: PathBuf,

    /// The edition: captureorconquer, captureorconquer-classic
    #[arg(long, value_name = "EDITION", default_value = "captureorconquer", value_parser = variant)]
    variant: Variant,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = num_cpus::get() as u16, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,

    /// Only this material, as KQvKR; what it leads to must be there
    #[arg(long, value_name = "NAME", value_parser = material)]
    only: Option<Material>,

    /// Hold every value against those that the position's moves lead to, old tables included
    #[arg(long)]
    check: bool,

    /// Write one JSON object a table instead of text
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    language: LanguageArguments,
}

/// Say who wins a position and by which moves
#[derive(Args, Debug)]
struct Probe {
    #[command(flatten)]
    game: GameArguments,

    /// The folder of the tables
    #[arg(long, value_name = "DIR", default_value = "tablebase")]
    dir: PathBuf,

    /// Write one JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn material(name: &str) -> Result<Material, String> {
    Material::parse(name).ok_or_else(|| {
        "a material is written KQvKR, the side with more men or stronger ones first".to_owned()
    })
}

/// Generates or probes.
///
/// # Errors
/// When a table is damaged, missing or cannot be written; when the arguments describe no position of few men.
pub fn run(arguments: &Arguments) -> CommandResult {
    match &arguments.command {
        Command::Generate(arguments) => generate(arguments),
        Command::Probe(arguments) => probe(arguments),
    }
}

/// What was made has a value that its moves do not bear out: a bug.
#[derive(Debug, thiserror::Error)]
#[error("{material}: the value of {fen} does not follow from its moves")]
struct Contradiction {
    material: String,
    fen: String,
}

fn generate(arguments: &Generate) -> CommandResult {
    let edition = chess_only(arguments.variant, "tablebase")?;
    if edition.has_draws() {
        return Err(GenerateError::Chess.into());
    }
    let stop = interrupt::watch()?;
    let threads = usize::from(arguments.threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut tables = Tables::new(edition);
    for material in (2..=usize::from(arguments.men)).flat_map(Material::all) {
        let wanted = arguments.only.as_ref().is_none_or(|only| *only == material);
        let began = Instant::now();
        let (table, made) = match there(&arguments.out, edition, &material)? {
            Some(table) => (table, false),
            None if !wanted => continue,
            None => {
                let table = pool.install(|| make(&tables, &material, &stop))?;
                table.write(&arguments.out)?;
                (table, true)
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        if made || (wanted && arguments.check) {
            report(arguments, &table, seconds)?;
        }
        tables.add(table);
        if wanted && arguments.check {
            let table = tables.tables().last();
            let wrong = table.and_then(|table| pool.install(|| tables.contradiction(table)));
            if let Some(position) = wrong {
                let (material, fen) = (material.to_string(), position.to_fen());
                return Err(Contradiction { material, fen }.into());
            }
        }
    }
    Ok(())
}

/// The table if it is there; one that is damaged is as good as none.
fn there(
    folder: &Path,
    edition: Edition,
    material: &Material,
) -> Result<Option<Table>, TableError> {
    if !Table::path(folder, edition, material).exists() {
        return Ok(None);
    }
    match Table::read(folder, edition, material) {
        Err(error @ TableError::Damaged { .. }) => {
            let _ = writeln!(stderr(), "{error}: making it anew");
            Ok(None)
        }
        other => other.map(Some),
    }
}

fn make(tables: &Tables, material: &Material, stop: &AtomicBool) -> Result<Table, GenerateError> {
    let bar = progress::bar(Some(1000), "{prefix:8} {wide_bar} {msg} {elapsed}");
    bar.set_prefix(material.to_string());
    bar.enable_steady_tick(Duration::from_millis(200));
    let table = Generator::run(tables, material, stop, &|step| match step {
        Step::Entering(thousandths) => bar.set_position(u64::from(thousandths)),
        Step::Ply(ply) => {
            bar.set_position(1000);
            bar.set_message(ply.to_string());
        }
    });
    bar.finish_and_clear();
    table
}

fn report(arguments: &Generate, table: &Table, seconds: f64) -> CommandResult {
    let summary = table.summary();
    let longest = summary.longest.as_ref();
    let fen = longest.map(|(_, position)| position.to_fen());
    let plies = longest.map_or(0, |&(plies, _)| plies);
    let name = table.material().to_string();
    if arguments.json {
        let line = json!({
            "edition": table.edition().name(),
            "material": name,
            "won": summary.won,
            "lost": summary.lost,
            "unresolved": summary.unresolved,
            "longest_plies": plies,
            "longest_fen": fen,
            "seconds": (seconds * 1000.0).round() / 1000.0,
        });
        return Ok(writeln!(stdout(), "{line}")?);
    }
    let language = arguments.language.language();
    let values: [(&str, &dyn Display); 7] = [
        ("material", &format!("{name:6}")),
        ("won", &summary.won),
        ("lost", &summary.lost),
        ("unresolved", &summary.unresolved),
        ("plies", &language.plies(plies.into())),
        ("fen", &fen.unwrap_or_default()),
        ("seconds", &language.decimal(seconds, 1)),
    ];
    Ok(writeln!(stdout(), "{}", fill(language.texts().table_summary, &values))?)
}

/// No table tells.
#[derive(Debug, thiserror::Error)]
enum NoAnswer {
    #[error("{0} men are too many, there are tables of up to {MAX_MEN}")]
    TooMany(u32),
    #[error("tables know nothing of castling rights; leave them out of the FEN")]
    Castling,
    #[error("{}: no folder of tables; `usurper tablebase generate --men 3` makes one, --dir names another", .0.display())]
    NoFolder(PathBuf),
    #[error("{}: no table of {material}; `usurper tablebase generate` makes it", .dir.display())]
    Missing { dir: PathBuf, material: String },
}

fn probe(arguments: &Probe) -> CommandResult {
    let game = arguments.game.chess_game("tablebase")?;
    let position = *game.position();
    if position.edition().has_draws() {
        return Err(GenerateError::Chess.into());
    }
    if let Some(end) = game.outcome() {
        return Err(GameError::Over(end).into());
    }
    if position.occupied().count() as usize > MAX_MEN {
        return Err(NoAnswer::TooMany(position.occupied().count()).into());
    }
    if position.castling() != crate::rules::CastlingRights::NONE {
        return Err(NoAnswer::Castling.into());
    }
    if !arguments.dir.is_dir() {
        return Err(NoAnswer::NoFolder(arguments.dir.clone()).into());
    }
    let tables = Tables::open(&arguments.dir, position.edition())?;
    let missing = |position: &Position| NoAnswer::Missing {
        dir: arguments.dir.clone(),
        material: Material::of(position).map_or(String::new(), |found| found.material.to_string()),
    };
    let value = tables.probe(&position).ok_or_else(|| missing(&position))?;
    let Some(mut moves) = tables.moves(&position) else {
        let unknown = position.legal_moves().into_iter().map(|m| position.play(m));
        let unknown = unknown
            .into_iter()
            .find(|next| next.outcome().is_none() && tables.probe(next).is_none());
        return Err(missing(&unknown.unwrap_or(position)).into());
    };
    moves.sort_by_key(|(_, value)| value.rank());
    say(arguments, &game, value, &moves)
}

fn name(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "win",
        Value::Loss(_) => "loss",
        Value::Unresolved => "unresolved",
    }
}

fn say(
    arguments: &Probe,
    game: &GameRecord,
    value: Value,
    moves: &[(crate::rules::Move, Value)],
) -> CommandResult {
    let position = game.position();
    let letters = arguments.game.letters();
    let mut out = stdout().lock();
    // The third occurrence of what stood twice would end the game.
    let keys = game.keys();
    let stood_twice =
        keys.iter().enumerate().any(|(i, key)| keys.iter().skip(i + 1).any(|k| k == key));
    if arguments.json {
        let moves: Vec<_> = moves
            .iter()
            .map(|&(m, value)| {
                json!({
                    "move": m.to_string(),
                    "san": san(position, m, letters),
                    "value": name(value),
                    "plies": value.plies(),
                })
            })
            .collect();
        let answer = json!({
            "edition": position.edition().name(),
            "fen": position.to_fen(),
            "value": name(value),
            "plies": value.plies(),
            "stood_twice": stood_twice,
            "moves": moves,
        });
        return Ok(writeln!(out, "{answer}")?);
    }
    let language = arguments.game.language();
    let texts = language.texts();
    let side = language.side(position.side_to_move());
    let sentence = |text, plies: u8| {
        let values: [(&str, &dyn Display); 3] = [
            ("side", &side),
            ("moves", &language.moves(plies.div_ceil(2).into())),
            ("plies", &language.plies(plies.into())),
        ];
        fill(text, &values)
    };
    let line = match value {
        Value::Win(plies) => sentence(texts.table_win, plies),
        Value::Loss(plies) => sentence(texts.table_loss, plies),
        Value::Unresolved => texts.table_unresolved.to_owned(),
    };
    writeln!(out, "{line}")?;
    if stood_twice {
        writeln!(out, "{}", texts.table_stood_twice)?;
    }
    for &(m, value) in moves {
        let name = san(position, m, letters);
        let text = match value {
            Value::Win(plies) => fill(texts.wins_in, &[("moves", &language.plies(plies.into()))]),
            Value::Loss(plies) => fill(texts.loses_in, &[("moves", &language.plies(plies.into()))]),
            Value::Unresolved => texts.table_open_move.to_owned(),
        };
        writeln!(out, "  {name:8} {text}")?;
    }
    Ok(())
}
