//! What the threads of one search share, and how its owner reaches them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::rules::Move;

use super::clock::TimePlan;
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

/// One search, whatever its game: its limits, its table, its clock and its counters.
pub struct Shared<'a, M = Move> {
    /// When to end.
    pub limits: &'a Limits<M>,
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
}

/// Nodes between two looks at the stop flag and the clock.
const POLL_INTERVAL: u64 = 512;

impl<'a, M> Shared<'a, M> {
    /// A search that begins now.
    pub fn new(
        limits: &'a Limits<M>,
        settings: &'a Settings,
        table: &'a Table,
        signals: &'a Signals,
    ) -> Shared<'a, M> {
        Shared {
            limits,
            settings,
            plan: TimePlan::new(limits, settings.move_overhead),
            table,
            signals,
            began: Instant::now(),
            nodes: (0..settings.threads.max(1)).map(|_| Counter::default()).collect(),
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
    /// At which node count a worker that stands at `nodes` should look again whether it has to stop.
    pub fn next_look(&self, nodes: u64) -> u64 {
        let next = nodes + POLL_INTERVAL;
        match self.limits.nodes {
            Some(limit) if self.threads() == 1 => next.min(limit.max(nodes + 1)),
            _ => next,
        }
    }

    /// Looks whether a worker has to stop: by the stop flag, and worker 0 by the clock and the node limit too.
    pub fn is_over(&self, worker: usize, nodes: u64) -> bool {
        self.publish_nodes(worker, nodes);
        let at_limit = || {
            let late = !self.signals.pondering()
                && self.plan.hard.is_some_and(|hard| self.elapsed() >= hard);
            late || self.limits.nodes.is_some_and(|limit| self.nodes() >= limit)
        };
        worker == 0 && at_limit() || self.signals.stopped()
    }
}
