//! One search as XBoard sees it: lines of thinking while it runs, and what came of it.
//!
//! The search's threads write the lines and leave the result; only the thread that reads commands
//! plays a move, once it has been woken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::board::Color;
use crate::rules::{Move, Outcome};
use crate::search::{Bound, Event, Info, Score};

use super::super::vampirc::nodes_per_second;
use super::super::writer::Writer;

/// What XBoard takes for a proven end of the game: this and the number of moves to it.
const MATE: i32 = 100_000;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The engine's move.
    Move,
    /// Thinking in the opponent's time, as if he had played this move.
    Ponder(Move),
    /// Lines for a person, until told to stop.
    Analysis,
    /// A move to suggest.
    Hint,
}

/// A search that runs or has ended.
pub struct Search {
    /// What it is for.
    pub purpose: Purpose,
    /// When it began, for the clock: when a ponder move came true, then.
    pub began: Instant,
    progress: Arc<Progress>,
}

/// What the search's threads leave for the reader of commands.
#[derive(Default)]
struct Progress {
    /// Its lines are no longer wanted.
    muted: AtomicBool,
    /// The move that it ponders on has been played.
    hit: AtomicBool,
    found: Mutex<Found>,
}

/// How far a search has come.
#[derive(Clone, Default)]
pub struct Found {
    /// The last line of the best move.
    pub info: Option<Info>,
    /// The best move, when the search has ended, and the answer to expect. There is no move when the
    /// game is over.
    pub best: Option<(Option<Move>, Option<Move>)>,
}

/// Where a search's lines go.
pub struct Output {
    /// The way out.
    pub writer: Arc<Writer>,
    /// Whether lines are wanted now; they always are of an analysis.
    pub post: Arc<AtomicBool>,
    /// Called when the search has ended.
    pub wake: Arc<dyn Fn() + Send + Sync>,
    /// Whose move it is where the search starts.
    pub side: Color,
}

impl Search {
    /// A search about to begin, and what must hear its events.
    pub fn new(purpose: Purpose, output: Output) -> (Search, impl Fn(Event) + Send + Sync) {
        let progress = Arc::new(Progress::default());
        let search = Search { purpose, began: Instant::now(), progress: Arc::clone(&progress) };
        (search, move |event| progress.event(event, purpose, &output))
    }

    /// Lets it write no more.
    pub fn mute(&self) {
        self.progress.muted.store(true, Ordering::Relaxed);
    }

    /// The move that it ponders on has been played: it is a search for a move from now on.
    pub fn hit(&mut self) {
        self.purpose = Purpose::Move;
        self.began = Instant::now();
        self.progress.hit.store(true, Ordering::Relaxed);
    }

    /// How far it has come.
    pub fn found(&self) -> Found {
        self.progress.found().clone()
    }
}

impl Progress {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn event(&self, event: Event, purpose: Purpose, output: &Output) {
        let wanted = match purpose {
            Purpose::Hint => false,
            Purpose::Analysis => true,
            Purpose::Move | Purpose::Ponder(_) => output.post.load(Ordering::Relaxed),
        };
        let wanted = wanted && !self.muted.load(Ordering::Relaxed);
        match event {
            Event::Info(info) => {
                // A score that is too high a bound says nothing of the move it comes with.
                if wanted && info.bound != Bound::Upper {
                    let expected = match purpose {
                        Purpose::Ponder(m) if !self.hit.load(Ordering::Relaxed) => Some(m),
                        _ => None,
                    };
                    output.writer.line(&line(&info, expected));
                }
                if info.multipv <= 1 {
                    self.found().info = Some(info);
                }
            }
            Event::GameOver(outcome) => {
                if wanted {
                    output.writer.line(&over(&outcome, output.side));
                }
            }
            Event::BestMove { best, ponder } => {
                self.found().best = Some((best, ponder));
                (output.wake)();
            }
        }
    }
}

/// `PLY SCORE TIME NODES SELDEPTH NPS TBHITS`, a tabulator, the variation; times in hundredths of a
/// second. While pondering the expected move stands before the variation, in parentheses.
fn line(info: &Info, expected: Option<Move>) -> String {
    let expected = expected.map(|m| format!("({m})"));
    let moves = info.pv.iter().map(ToString::to_string);
    format!(
        "{} {} {} {} {} {} 0\t{}",
        info.depth,
        score(info.score),
        centiseconds(info.time),
        info.nodes,
        info.seldepth,
        nodes_per_second(info.nodes, info.time),
        expected.into_iter().chain(moves).collect::<Vec<_>>().join(" ")
    )
}

/// The line for a game that is over at the root.
fn over(outcome: &Outcome, side: Color) -> String {
    let score = match outcome.winner {
        None => 0,
        Some(winner) if winner == side => MATE,
        Some(_) => -MATE,
    };
    format!("0 {score} 0 0")
}

/// Centipawns; a proven win or loss in N moves is ±(100000 + N).
pub fn score(score: Score) -> i32 {
    match score {
        Score::Cp(centipawns) => centipawns,
        Score::Mate(moves) if moves > 0 => MATE + moves,
        Score::Mate(moves) => moves - MATE,
    }
}

/// The answer to `.`: time, nodes, depth, moves left to look at, moves in all.
pub fn status(found: &Found, moves: usize) -> Option<String> {
    let info = found.info.as_ref()?;
    let time = centiseconds(info.time);
    Some(format!("stat01: {time} {} {} 0 {moves}", info.nodes, info.depth))
}

fn centiseconds(time: Duration) -> u128 {
    time.as_millis() / 10
}
