//! `usurper board`: a picture of where a game stands, in the terminal or as SVG.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::games::{self, AnyGame, Playable};
use crate::picture;
use crate::rules::notation::Letters;

use super::CommandResult;
use super::color::ColorArguments;
use super::game_args::GameArguments;

const EXAMPLES: &str = "\
Examples:
  usurper board --moves e4 e5 Nf3
  usurper board --flip --fen '7k/8/4K3/8/8/8/8/8 w - - 0 1'
  usurper board --moves e4 e5 --arrow Nf3 Nc6 Bc4 --svg variation.svg
  usurper board --fen '2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1' \\
                --arrow EBe6 --arrow Dg6 --svg - | rsvg-convert -o board.png
  usurper board --variant fanorona --moves e2e3+ --arrow d4e4+ --svg fanorona.svg

The goal ranks are gold, the squares of the last move green. A yellow 2× or 3× in the corner says that \
the position stands for the second or third time. A flag stands by a King on its goal \
rank, and 2× or 3× on each move that would bring a position back for the second or third time: \
red if the one who makes it would lose the game by it, green if he would win, grey if nothing comes of it yet. Arrows of one --arrow \
are a variation, move after move; each further --arrow starts again from the board. \
In a board game a cross stands where the last move took a man.";

/// Show where a game stands, in the terminal or as an SVG picture
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    #[command(flatten)]
    arrows: Arrows,

    /// Seen from Black's side
    #[arg(long)]
    flip: bool,

    /// Write an SVG picture instead of text; - is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    color: ColorArguments,
}

/// `--arrow`, a list for each time it is given: clap's derived parsers would join them.
#[derive(Debug)]
struct Arrows(Vec<Vec<String>>);

impl Args for Arrows {
    fn augment_args(command: Command) -> Command {
        command.arg(
            Arg::new("arrow")
                .long("arrow")
                .value_name("MOVE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help("Draw a move as arrows; several are a variation; can be given again"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Arrows::augment_args(command)
    }
}

impl FromArgMatches for Arrows {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Arrows, clap::Error> {
        let lists = matches.get_occurrences::<String>("arrow").into_iter().flatten();
        let words = |list: &String| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Ok(Arrows(lists.map(|list| list.flat_map(words).collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Arrows::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Arrows {
    /// The moves of each variation.
    fn read<G: Playable>(&self, game: &G, letters: Letters) -> Result<Vec<Vec<G::Move>>, String> {
        let read = |words: &Vec<String>| {
            let mut line = game.clone();
            line.advance_all(words, letters).map_err(|error| {
                let (ply, fault) = (error.ply().unwrap_or(0), error.fault());
                let after = match ply.checked_sub(2).and_then(|before| words.get(before)) {
                    Some(before) => format!(" after {before}"),
                    None => String::new(),
                };
                format!("--arrow: move {ply}{after}: {fault}")
            })?;
            Ok(line.played().split_off(game.plies()))
        };
        self.0.iter().map(read).collect()
    }
}

/// The picture, as SVG or else for a terminal, with colours or without.
fn draw(arguments: &Arguments, game: &AnyGame, svg: bool, color: bool) -> Result<String, String> {
    let (letters, language) = (arguments.game.letters(), arguments.game.language());
    let flip = arguments.flip;
    Ok(match game {
        AnyGame::Chess(game) => {
            let lines = &arguments.arrows.read(game, letters)?;
            let picture = picture::Picture { game, lines, flip, letters, language };
            if svg { picture::svg(&picture) } else { picture::terminal(&picture, color) }
        }
        AnyGame::Board(record) => {
            let lines = &arguments.arrows.read(record, letters)?;
            let picture = games::picture::Picture { record, lines, flip, language };
            if svg {
                games::picture::svg(&picture)
            } else {
                games::picture::terminal(&picture, color)
            }
        }
    })
}

/// Draws.
///
/// # Errors
/// When the arguments describe no game or no arrow, or the output cannot be written.
pub fn run(arguments: &Arguments) -> CommandResult {
    let game = arguments.game.game()?;
    match arguments.svg.as_deref() {
        Some(path) if path == Path::new("-") => {
            let mut out = io::stdout().lock();
            out.write_all(draw(arguments, &game, true, false)?.as_bytes())?;
            out.flush()?;
        }
        Some(path) => std::fs::write(path, draw(arguments, &game, true, false)?)
            .map_err(|error| format!("{}: {error}", path.display()))?,
        None => {
            let (mut out, color) = arguments.color.stdout();
            out.write_all(draw(arguments, &game, false, color)?.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}
