//! A search that is waited for: what it has found when it ends, or when somebody stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::eval::win_permille;
use crate::rules::{GameRecord, Move, Outcome, Position};
use crate::search::{Bound, Engine, Event, Info, Limits, Score, Settings};

/// How long a request to stop may go unseen.
const HEARTBEAT: Duration = Duration::from_millis(50);

/// An engine that is asked one question after the other.
pub struct Thinker {
    engine: Engine,
}

/// What is known of a position.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// The lines, the best first; each begins with another move. Empty when the game is over.
    pub lines: Vec<Info>,
    /// How the game has ended, if it has.
    pub over: Option<Outcome>,
}

impl Thought {
    /// The best line.
    pub fn first(&self) -> Option<&Info> {
        self.lines.first()
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.first()?.pv.first().copied()
    }

    /// Takes a line in. One whose score only says that it is no better counts where nothing else is known.
    fn tell(&mut self, info: Info) {
        let place = (info.multipv.max(1) - 1) as usize;
        match self.lines.get_mut(place) {
            Some(line) if info.bound != Bound::Upper => *line = info,
            Some(_) => {}
            None => self.lines.push(info),
        }
    }

    /// The best move first, and each move once: an iteration that was cut off leaves lines of two depths.
    fn settle(&mut self, best: Option<Move>) {
        let leads = |line: &Info| best.is_some() && line.pv.first().copied() == best;
        if let Some(place) = self.lines.iter().position(leads) {
            let line = self.lines.remove(place);
            self.lines.insert(0, line);
        }
        let mut seen = Vec::new();
        self.lines.retain(|line| {
            let first = line.pv.first().copied();
            let fresh = first.is_some() && !seen.contains(&first);
            seen.push(first);
            fresh
        });
    }
}

impl Thinker {
    /// A thinker with an empty memory.
    pub fn new(settings: Settings) -> Thinker {
        Thinker { engine: Engine::new(Settings { analyse: true, ..settings }) }
    }

    /// Forgets what was learnt from earlier questions.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Searches where the game stands until a limit is reached or `stop` is set, and tells `told` of each
    /// line and of what is known with it.
    pub fn think(
        &mut self,
        game: &GameRecord,
        limits: &Limits,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Thought),
    ) -> Thought {
        let (sender, events) = channel();
        let sender = Mutex::new(sender);
        self.engine.start(game.clone(), limits.clone(), move |event| {
            let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = sender.send(event);
        });
        let mut thought = Thought { over: game.outcome(), ..Thought::default() };
        loop {
            let event = events.recv_timeout(HEARTBEAT);
            if stop.load(Ordering::Relaxed) {
                self.engine.stop();
            }
            match event {
                Ok(Event::Info(info)) => {
                    thought.tell(info);
                    told(&thought);
                }
                Ok(Event::GameOver(outcome)) => thought.over = Some(outcome),
                Ok(Event::BestMove { best, .. }) => {
                    thought.settle(best);
                    return thought;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return thought,
            }
        }
    }
}

/// The chance of the side to move to win, 0 to 1, at a score; in chess, of winning plus half of drawing.
pub fn chance(score: Score, position: &Position) -> f64 {
    match score {
        Score::Mate(moves) if moves > 0 => 1.0,
        Score::Mate(_) => 0.0,
        Score::Cp(cp) => f64::from(win_permille(cp, position)) / 1000.0,
    }
}
