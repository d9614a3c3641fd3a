//! The engine against itself, a few thousand nodes a move, on as many threads as are given.
//!
//! A game begins with eight or nine random plies after which neither side is far ahead, and ends by the rules or when a
//! search proves a win. The same seed and number give the same game, on any number of threads. Games
//! longer than [`PLY_LIMIT`] are thrown away.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::arena::openings::{Openings, RandomOpenings};
use crate::board::Color;
use crate::games::Variant;
use crate::rules::Edition;
use crate::search::{Engine, Limits, Score, Settings};

use super::file::{DataError, Writer};
use super::record::{End, Game, Source};

/// Games longer than this, in plies after the opening, are thrown away.
pub const PLY_LIMIT: usize = 400;
/// Openings further from level than this, in centipawns, are not played.
pub const OPENING_LIMIT: i32 = 500;
/// The table of each engine, in MiB: a game's searches are small.
const HASH: usize = 4;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The edition.
    pub edition: Edition,
    /// Nodes a move.
    pub nodes: u32,
    /// The first game's number and the one after the last.
    pub numbers: (u32, u32),
    /// Threads, at least 1; each plays games of its own.
    pub threads: usize,
    /// The seed.
    pub seed: u64,
}

impl Plan {
    /// Whether a game is one of the plan's.
    pub fn holds(&self, source: &Source) -> bool {
        let (first, end) = self.numbers;
        source.seed == self.seed
            && source.nodes == self.nodes
            && (first..end).contains(&source.number)
    }
}

/// Plays the games of a plan that `done` does not hold, and appends each as it ends; `progress` hears of each, `None`
/// for one that was thrown away. Ends early when `stop` is set: games begun are not kept.
///
/// # Errors
/// The first time a game cannot be written; all threads then end.
pub fn play(
    plan: &Plan,
    done: &HashSet<Source>,
    writer: &mut Writer,
    stop: &AtomicBool,
    progress: impl Fn(Option<&Game>) + Sync,
) -> Result<(), DataError> {
    let next = AtomicU32::new(plan.numbers.0);
    let output = Mutex::new((writer, None));
    let work = || {
        let mut player = Player::new(plan);
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.numbers.1 {
                break;
            }
            let source = Source { seed: plan.seed, number, nodes: plan.nodes };
            if done.contains(&source) {
                continue;
            }
            let game = player.play(source, stop);
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(game) = &game
                && let Err(error) = output.0.write(game)
            {
                stop.store(true, Ordering::Relaxed);
                output.1 = Some(error);
                break;
            }
            drop(output);
            progress(game.as_ref());
        }
    };
    thread::scope(|scope| {
        for _ in 1..plan.threads {
            scope.spawn(work);
        }
        work();
    });
    match output.into_inner().unwrap_or_else(PoisonError::into_inner).1 {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// One thread's engine and its openings of an even and an odd number of plies.
struct Player {
    engine: Engine,
    openings: [Openings; 2],
    limits: Limits,
}

impl Player {
    fn new(plan: &Plan) -> Player {
        let settings = Settings { hash_mb: HASH, ..Settings::default() };
        let openings = |plies| {
            let variant = Variant::Chess(plan.edition);
            Openings::Random(RandomOpenings::new(variant, plies, OPENING_LIMIT, plan.seed))
        };
        Player {
            engine: Engine::new(settings),
            openings: [openings(8), openings(9)],
            limits: Limits { nodes: Some(u64::from(plan.nodes)), ..Limits::default() },
        }
    }

    fn play(&mut self, source: Source, stop: &AtomicBool) -> Option<Game> {
        let number = u64::from(source.number);
        let mut game = self.openings[(number % 2) as usize].get(number).ok()?.into_chess()?;
        let opening = game.moves().len();
        let mut scores = Vec::new();
        self.engine.clear();
        while scores.len() < PLY_LIMIT && !stop.load(Ordering::Relaxed) {
            if let Some(outcome) = game.outcome() {
                return Some(Game::ended(source, &game, opening, &scores, End::Over(outcome)));
            }
            let side = game.position().side_to_move();
            let thought = self.engine.think(&game, self.limits.clone());
            match thought.info?.score {
                Score::Mate(moves) => {
                    let winner: Color = if moves > 0 { side } else { !side };
                    return Some(Game::ended(source, &game, opening, &scores, End::Proven(winner)));
                }
                Score::Cp(score) => scores.push(score as i16),
            }
            game.play(thought.best?).ok()?;
        }
        None
    }
}
