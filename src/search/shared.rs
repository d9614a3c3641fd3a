//! What the threads of one search share, and how its owner reaches them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::rules::GameRecord;

use super::clock::TimePlan;
use super::front::Front;
use super::limits::{Limits, Settings};
use super::table::Table;

/// What the engine's owner and the running search say to one another. The search itself reads only
/// the atomics; the mutex serves those who wait.
#[derive(Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Whether a search runs.
    searching: Mutex<bool>,
    changed: Condvar,
}

impl Signals {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.searching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins.
    pub fn begin(&self, pondering: bool) {
        let mut searching = self.lock();
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(pondering, Ordering::Relaxed);
        *searching = true;
    }

    /// The search has ended and told its best move.
    pub fn end(&self) {
        *self.lock() = false;
        self.changed.notify_all();
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        *self.lock()
    }

    /// Waits until none runs.
    pub fn wait_for_end(&self) {
        let mut searching = self.lock();
        while *searching {
            searching = self.changed.wait(searching).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// All threads are to stop as soon as they look.
    pub fn stop(&self) {
        let _searching = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The time of pondering is over.
    pub fn ponderhit(&self) {
        let _searching = self.lock();
        self.pondering.store(false, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether to stop.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the opponent is still thinking.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Waits until the best move may be told: a stop, or the end of pondering unless `infinite`.
    pub fn wait_for_leave(&self, infinite: bool) {
        let mut searching = self.lock();
        while !self.stopped() && (infinite || self.pondering()) {
            searching = self.changed.wait(searching).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A counter that shares no cache line with another.
#[derive(Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

/// One search: its task, its table, its clock and its counters.
pub struct Shared<'a> {
    /// The game up to the root.
    pub game: &'a GameRecord,
    /// When to end.
    pub limits: &'a Limits,
    /// What is set.
    pub settings: &'a Settings,
    /// The time plan.
    pub plan: TimePlan,
    /// The transposition table.
    pub table: &'a Table,
    /// The owner's signals.
    pub signals: &'a Signals,
    began: Instant,
    nodes: Vec<Counter>,
    /// The last iteration that any thread has finished.
    pub front: Front,
}

impl<'a> Shared<'a> {
    /// A search that begins now.
    pub fn new(
        game: &'a GameRecord,
        limits: &'a Limits,
        settings: &'a Settings,
        table: &'a Table,
        signals: &'a Signals,
    ) -> Shared<'a> {
        Shared {
            game,
            limits,
            settings,
            plan: TimePlan::new(limits, settings.move_overhead),
            table,
            signals,
            began: Instant::now(),
            nodes: (0..settings.threads.max(1)).map(|_| Counter::default()).collect(),
            front: Front::default(),
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Publishes a worker's node count.
    #[inline]
    pub fn publish_nodes(&self, worker: usize, nodes: u64) {
        if let Some(counter) = self.nodes.get(worker) {
            counter.0.store(nodes, Ordering::Relaxed);
        }
    }

    /// Nodes of all workers, as last published.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }
}
