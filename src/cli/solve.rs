//! `usurper solve`: the shortest forced win, proven, with the whole winning tree.
//!
//! The tree is written as it is walked, never held. Every end in it is judged by the rules on the game
//! itself: a tree that is printed is a proof by itself.

use std::fmt::Display;
use std::io::{BufWriter, Write, stdout};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use crate::proof::{Answer, Solver};
use crate::rules::notation::{Letters, san};
use crate::rules::{GameError, GameRecord, Move, Outcome};
use crate::text::{Language, fill};

use super::CommandResult;
use super::game_args::GameArguments;
use super::{interrupt, progress};

const EXAMPLES: &str = "\
Examples:
  usurper solve --fen '7k/5Q2/8/4K3/8/8/8/8 w - - 0 1'
  usurper solve --max 4 --fen '7k/5Q2/8/4K3/8/8/8/8 w - - 0 1' --json
  usurper solve --variant captureorconquer-classic --moves e4 e5 --max 3

The side to move is to win, by whatever the edition counts as a win, against every defence; what was \
played with --moves counts where a position comes back. Each line of the tree is a winning move \
and its distance in plies, below it every answer. Answers that lose at once share a line.

Ctrl-C ends the search; what was proved until then is said.";

/// Prove the shortest forced win, and show the whole winning tree
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The longest win to look for, in moves of the side to move
    #[arg(long, value_name = "MOVES", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=60))]
    max: u32,

    /// The memory of the search in MiB
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    /// Write one JSON object instead of text
    #[arg(long)]
    json: bool,

    /// Leave the tree out
    #[arg(long)]
    no_tree: bool,
}

/// Searches and prints.
///
/// # Errors
/// When the arguments describe no game, or one that is over; when the output is closed.
pub fn run(arguments: &Arguments) -> CommandResult {
    let game = arguments.game.chess_game("solve")?;
    if let Some(outcome) = game.outcome() {
        return Err(GameError::Over(outcome).into());
    }
    let stop = interrupt::watch()?;
    let language = arguments.game.language();
    let texts = language.texts();
    let bar = progress::bar(None, "{spinner} {elapsed_precise} {msg}");
    bar.enable_steady_tick(Duration::from_millis(200));
    let began = Instant::now();
    let mut solver = Solver::new(&game, arguments.hash as usize, &stop);
    let answer = solver.solve(2 * arguments.max, |plies, nodes| {
        let rate = nodes as f64 / began.elapsed().as_secs_f64().max(1e-3) / 1e6;
        bar.set_message(fill(
            texts.solve_progress,
            &[
                ("plies", &language.plies(plies as usize)),
                ("nodes", &nodes),
                ("rate", &language.decimal(rate, 1)),
            ],
        ));
    });
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    let nodes = solver.nodes();
    let side = game.position().side_to_move();
    let letters = arguments.game.letters();
    let mut out = BufWriter::new(stdout().lock());

    let (plies, stopped) = match answer {
        Answer::Win(plies) => {
            let winners: Vec<Move> = solver.winners(plies).collect();
            let mut tree = Tree { solver, out: &mut out, letters, language };
            if arguments.json {
                let winners: Vec<String> = winners.iter().map(Move::to_string).collect();
                let head = json!({
                    "edition": game.position().edition().name(),
                    "fen": game.position().to_fen(),
                    "winner": side.name(),
                    "plies": plies,
                    "moves": plies.div_ceil(2),
                    "winning_moves": winners,
                    "nodes": nodes,
                    "seconds": round(seconds),
                });
                let head = head.to_string();
                write!(tree.out, "{}", head.trim_end_matches('}'))?;
                if !arguments.no_tree {
                    write!(tree.out, ",\"tree\":")?;
                    tree.json(&game, plies)?;
                }
                writeln!(tree.out, "}}")?;
            } else {
                let names: Vec<String> =
                    winners.iter().map(|&m| san(game.position(), m, letters)).collect();
                let values: [(&str, &dyn Display); 4] = [
                    ("side", &language.side(side)),
                    ("moves", &language.moves(plies.div_ceil(2) as usize)),
                    ("plies", &language.plies(plies as usize)),
                    ("winners", &names.join(", ")),
                ];
                writeln!(tree.out, "{}", fill(texts.solved_win, &values))?;
                writeln!(tree.out, "{}", effort(language, nodes, seconds))?;
                if !arguments.no_tree {
                    writeln!(tree.out)?;
                    tree.text(&game, plies, 0)?;
                }
            }
            out.flush()?;
            return Ok(());
        }
        Answer::NoWin(plies) => (plies, false),
        Answer::Stopped(plies) => (plies, true),
    };
    if arguments.json {
        let answer = json!({
            "edition": game.position().edition().name(),
            "fen": game.position().to_fen(),
            "winner": Value::Null,
            "no_win_within_plies": plies,
            "no_win_within_moves": plies / 2,
            "stopped": stopped,
            "nodes": nodes,
            "seconds": round(seconds),
        });
        writeln!(out, "{answer}")?;
    } else {
        let values: [(&str, &dyn Display); 3] = [
            ("side", &language.side(side)),
            ("moves", &language.moves(plies as usize / 2)),
            ("plies", &language.plies(plies as usize)),
        ];
        let text = if stopped { texts.solved_in_part } else { texts.solved_none };
        writeln!(out, "{}", fill(text, &values))?;
        writeln!(out, "{}", effort(language, nodes, seconds))?;
    }
    out.flush()?;
    Ok(())
}

fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn effort(language: Language, nodes: u64, seconds: f64) -> String {
    let seconds = language.decimal(seconds, 2);
    fill(language.texts().solve_nodes, &[("nodes", &nodes), ("seconds", &seconds)])
}

/// The proof does not bear itself out: a bug, or two positions that the search took for one.
#[derive(Debug, thiserror::Error)]
#[error("the proof breaks off at {0}")]
struct Broken(String);

/// Walks the winning tree and writes it.
struct Tree<'s, 'o, W: Write> {
    solver: Solver<'s>,
    out: &'o mut W,
    letters: Letters,
    language: Language,
}

impl<W: Write> Tree<'_, '_, W> {
    /// The best move at `game`, where the winner is to move, its distance, and how it ends the game if it does.
    fn best(
        &mut self,
        game: &GameRecord,
        limit: u32,
    ) -> Result<(Move, u32, Option<Outcome>), Broken> {
        let broken = || Broken(game.position().to_fen());
        let (m, plies) = self.solver.best(limit).ok_or_else(broken)?;
        let end = game.outcome_after(m);
        let won = end.map(|end| end.winner == Some(game.position().side_to_move()));
        // One ply is an end, more are not, and the end is the right one.
        match won {
            Some(true) if plies == 1 => Ok((m, plies, end)),
            None if plies > 1 => Ok((m, plies, end)),
            _ => Err(broken()),
        }
    }

    /// All replies to a move that has led to `game`, each with the end that it brings if it does.
    fn replies(&self, game: &GameRecord) -> Result<Vec<(Move, Option<Outcome>)>, Broken> {
        let loser = game.position().side_to_move();
        let moves = game.position().legal_moves();
        let replies: Vec<_> = moves.iter().map(|&m| (m, game.outcome_after(m))).collect();
        let lost = |end: &Option<Outcome>| end.is_none_or(|end| end.winner == Some(!loser));
        if replies.is_empty() || !replies.iter().all(|(_, end)| lost(end)) {
            return Err(Broken(game.position().to_fen()));
        }
        Ok(replies)
    }

    fn wins_by(&self, name: &str, end: Outcome) -> String {
        let reason = self.language.reason(end.reason);
        fill(self.language.texts().move_wins_by, &[("move", &name), ("reason", &reason)])
    }

    /// Writes what the winner, to move, does and all that follows, as indented lines.
    fn text(&mut self, game: &GameRecord, limit: u32, depth: usize) -> CommandResult {
        let (m, plies, end) = self.best(game, limit)?;
        let indent = "  ".repeat(depth);
        let name = san(game.position(), m, self.letters);
        if let Some(end) = end {
            return Ok(writeln!(self.out, "{indent}{}", self.wins_by(&name, end))?);
        }
        writeln!(self.out, "{indent}{name}  ({plies})")?;
        let after = self.go(game, m)?;
        // Replies that lose at once, by what takes advantage of them.
        let mut at_once: Vec<(String, Vec<String>)> = Vec::new();
        for (reply, end) in self.replies(&after)? {
            let name = san(after.position(), reply, self.letters);
            let answer = match end {
                Some(end) => fill(
                    self.language.texts().loses_by,
                    &[("reason", &self.language.reason(end.reason))],
                ),
                None => {
                    let next = self.go(&after, reply)?;
                    let (m, plies, end) = self.best(&next, plies - 2)?;
                    let answer =
                        end.map(|end| self.wins_by(&san(next.position(), m, self.letters), end));
                    if answer.is_none() {
                        writeln!(self.out, "{indent}  {name}")?;
                        self.text(&next, plies, depth + 2)?;
                    }
                    self.solver.undo();
                    match answer {
                        Some(answer) => answer,
                        None => continue,
                    }
                }
            };
            match at_once.iter_mut().find(|(known, _)| *known == answer) {
                Some((_, names)) => names.push(name),
                None => at_once.push((answer, vec![name])),
            }
        }
        self.solver.undo();
        for (answer, names) in at_once {
            writeln!(self.out, "{indent}  {}: {answer}", names.join(" "))?;
        }
        Ok(())
    }

    /// The same as nested objects.
    fn json(&mut self, game: &GameRecord, limit: u32) -> CommandResult {
        let (m, plies, end) = self.best(game, limit)?;
        let name = san(game.position(), m, self.letters);
        write!(self.out, "{{\"move\":\"{m}\",\"san\":\"{name}\",\"plies\":{plies}")?;
        if let Some(end) = end {
            return Ok(write!(self.out, ",\"wins_by\":\"{}\"}}", end.reason)?);
        }
        let after = self.go(game, m)?;
        for (index, (reply, end)) in self.replies(&after)?.into_iter().enumerate() {
            let comma = if index == 0 { ",\"replies\":[" } else { "," };
            let name = san(after.position(), reply, self.letters);
            write!(self.out, "{comma}{{\"move\":\"{reply}\",\"san\":\"{name}\"")?;
            match end {
                Some(end) => write!(self.out, ",\"loses_by\":\"{}\"", end.reason)?,
                None => {
                    let next = self.go(&after, reply)?;
                    write!(self.out, ",\"answer\":")?;
                    self.json(&next, plies - 2)?;
                    self.solver.undo();
                }
            }
            write!(self.out, "}}")?;
        }
        self.solver.undo();
        write!(self.out, "]}}")?;
        Ok(())
    }

    /// Plays a move that does not end the game, for the solver too.
    fn go(&mut self, game: &GameRecord, m: Move) -> Result<GameRecord, Box<dyn std::error::Error>> {
        let mut next = game.clone();
        next.play(m)?;
        self.solver.play(m);
        Ok(next)
    }
}
