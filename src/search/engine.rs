//! The engine: threads, the life of a search, and nothing of how a search thinks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use crate::eval::evaluate;
use crate::rules::{GameRecord, Move, Position};

use super::limits::{Event, Info, Limits, Settings};
use super::score::{Bound, INFINITE, Score, of_outcome, win_in};

/// What the engine's owner and the running search say to one another.
#[derive(Default)]
struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    searching: Mutex<bool>,
    changed: Condvar,
}

impl Signals {
    fn notify(&self) {
        let _guard = self.searching.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }
}

/// A chess engine without a protocol. Dropping it stops the search and waits for its end.
pub struct Engine {
    settings: Settings,
    signals: Arc<Signals>,
}

impl Engine {
    /// An engine with these settings, idle.
    pub fn new(settings: Settings) -> Engine {
        Engine { settings, signals: Arc::default() }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings; waits for a running search first.
    pub fn configure(&mut self, settings: Settings) {
        self.wait();
        self.settings = settings;
    }

    /// Forgets all earlier searches (a new game begins); waits for a running search first.
    pub fn clear(&mut self) {
        self.wait();
    }

    /// Begins to search where the game stands and returns at once; waits for a running search first.
    /// `sink` is called from the search's threads: some infos, and exactly one best move.
    pub fn start(
        &mut self,
        game: GameRecord,
        limits: Limits,
        sink: impl Fn(Event) + Send + Sync + 'static,
    ) {
        self.wait();
        let signals = Arc::clone(&self.signals);
        signals.stop.store(false, Ordering::SeqCst);
        signals.pondering.store(limits.ponder, Ordering::SeqCst);
        *signals.searching.lock().unwrap_or_else(PoisonError::into_inner) = true;
        std::thread::spawn(move || {
            run(&signals, &game, &limits, &sink);
            *signals.searching.lock().unwrap_or_else(PoisonError::into_inner) = false;
            signals.changed.notify_all();
        });
    }

    /// Asks the search to end and tell its best move; nothing happens when none runs.
    pub fn stop(&self) {
        self.signals.stop.store(true, Ordering::SeqCst);
        self.signals.notify();
    }

    /// The expected move was played: pondering becomes thinking. Ignored otherwise.
    pub fn ponderhit(&self) {
        self.signals.pondering.store(false, Ordering::SeqCst);
        self.signals.notify();
    }

    /// Whether a search runs: from [`Engine::start`] until its best move has been told.
    pub fn is_searching(&self) -> bool {
        *self.signals.searching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no search runs. A held search ([`Limits::infinite`], pondering) must be stopped first,
    /// else this waits for ever.
    pub fn wait(&self) {
        let mut searching = self.signals.searching.lock().unwrap_or_else(PoisonError::into_inner);
        while *searching {
            searching =
                self.signals.changed.wait(searching).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

fn run(signals: &Signals, game: &GameRecord, limits: &Limits, sink: &impl Fn(Event)) {
    let began = Instant::now();
    let best = match game.outcome() {
        Some(outcome) => {
            sink(Event::GameOver(outcome));
            None
        }
        None => {
            let side = game.position().side_to_move();
            let mut best: Option<(i32, Move)> = None;
            let mut nodes = 0;
            for m in game.position().legal_moves() {
                if !limits.search_moves.is_empty() && !limits.search_moves.contains(&m) {
                    continue;
                }
                let score = match game.outcome_after(m) {
                    Some(outcome) => of_outcome(outcome, side, 1),
                    None => {
                        -negamax(&game.position().play(m), -INFINITE, INFINITE, 2, 1, &mut nodes)
                    }
                };
                if best.is_none_or(|(old, _)| score > old) {
                    best = Some((score, m));
                }
            }
            if let Some((score, m)) = best {
                sink(Event::Info(Info {
                    depth: 3,
                    seldepth: 3,
                    multipv: 1,
                    score: Score::from_internal(score),
                    bound: Bound::Exact,
                    nodes,
                    time: began.elapsed(),
                    hashfull: 0,
                    pv: vec![m],
                }));
            }
            best.map(|(_, m)| m)
        }
    };
    if limits.infinite || limits.ponder {
        let mut guard = signals.searching.lock().unwrap_or_else(PoisonError::into_inner);
        while !signals.stop.load(Ordering::SeqCst)
            && (limits.infinite || signals.pondering.load(Ordering::SeqCst))
        {
            guard = signals.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
    sink(Event::BestMove { best, ponder: None });
}

fn negamax(
    p: &Position,
    mut alpha: i32,
    beta: i32,
    depth: u32,
    ply: usize,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    if let Some(outcome) = p.outcome() {
        return of_outcome(outcome, p.side_to_move(), ply);
    }
    if p.winning_move().is_some() {
        return win_in(ply + 1);
    }
    if depth == 0 {
        return evaluate(p);
    }
    let mut best = -INFINITE;
    for m in p.legal_moves() {
        let score = -negamax(&p.play(m), -beta, -alpha, depth - 1, ply + 1, nodes);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
