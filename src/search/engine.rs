//! The driver: the engine's threads, its memory and the life of a search. Nothing of how a search thinks, nor of which game.
//!
//! A [`Task`] is a game to be searched; the chess family's is in `chess`, the board games' in their own room.
//!
//! The engine owns one rayon pool. A search is one long job on it, which runs worker 0 and gives the
//! other workers to the pool; no worker calls rayon below that, so that none is ever handed another's
//! work while it searches. The thread that owns the engine never runs on the pool, so that a stop is
//! heard at once. A worker that panics ends the search; a best move is told all the same.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::rules::{Move, Outcome};

use super::history::Histories;
use super::limits::{Event, Info, Limits, Settings};
use super::shared::{Shared, Signals};
use super::table::Table;

/// The search recurses once a ply, quiescence included; a frame takes some ten kilobytes.
const STACK_BYTES: usize = 16 << 20;

/// What outlives a search: the table, and what each worker of the chess family's has learnt.
pub struct Memory {
    /// The transposition table; [`Task`]s share it, so each has keys of its own.
    pub table: Table,
    pub(super) histories: Vec<Histories>,
}

impl Memory {
    fn new(settings: &Settings) -> Memory {
        Memory {
            table: Table::new(settings.hash_mb),
            histories: (0..settings.threads.max(1)).map(|_| Histories::new()).collect(),
        }
    }
}

/// A game that the engine can search, as it stands.
pub trait Task: Send + 'static {
    /// Its moves.
    type Move: Clone + Send + Sync + 'static;

    /// The result, if the game is over: then there is nothing to search.
    fn outcome(&self) -> Option<Outcome>;

    /// Any legal move, for when the search has broken down; `None` when the game is over.
    fn any_move(&self) -> Option<Self::Move>;

    /// Searches until a limit is reached or a stop is asked for, and holds the move back as long as it must, which
    /// [`Shared::run`] does. Called only while the game is not over.
    fn search(&self, order: Order<'_, Self::Move>, memory: &mut Memory) -> Choice<Self::Move>;
}

/// What a search is told by the driver.
pub struct Order<'a, M> {
    /// When to end.
    pub limits: &'a Limits<M>,
    /// What is set.
    pub settings: &'a Settings,
    /// The owner's signals.
    pub signals: &'a Signals,
    /// Hears the lines.
    pub tell: &'a (dyn Fn(Event<M>) + Sync),
}

/// What a search has chosen.
pub struct Choice<M> {
    /// The move to play.
    pub best: Option<M>,
    /// The answer to expect; never a move that would end the game.
    pub ponder: Option<M>,
}

/// What a search came to; see [`Engine::think`].
#[derive(Clone, Debug)]
pub struct Thought<M = Move> {
    /// The move to play; `None` when the game is over.
    pub best: Option<M>,
    /// The last that was told of the best line.
    pub info: Option<Info<M>>,
}

impl<M> Default for Thought<M> {
    fn default() -> Thought<M> {
        Thought { best: None, info: None }
    }
}

/// An engine without a protocol. Dropping it stops the search and waits for its end.
pub struct Engine {
    settings: Settings,
    signals: Arc<Signals>,
    memory: Arc<Mutex<Memory>>,
    pool: Option<ThreadPool>,
}

impl Engine {
    /// An idle engine with these settings; see [`Engine::configure`].
    pub fn new(mut settings: Settings) -> Engine {
        let pool = build_pool(settings.threads);
        settings.threads = threads_of(pool.as_ref());
        let memory = Memory::new(&settings);
        settings.hash_mb = memory.table.mebibytes();
        let memory = Arc::new(Mutex::new(memory));
        Engine { settings, signals: Arc::default(), memory, pool }
    }

    /// The settings in force: what was asked for, as far as it was to be had.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings; waits for a running search first. Another table size empties the table.
    /// Where the machine has not so many threads or so much memory to give, there are fewer and less.
    pub fn configure(&mut self, mut settings: Settings) {
        self.wait();
        let mut memory = lock(&self.memory);
        if settings.hash_mb != self.settings.hash_mb {
            memory.table = Table::new(1); // the old one goes before the new one comes
            memory.table = Table::new(settings.hash_mb);
            settings.hash_mb = memory.table.mebibytes();
        }
        if settings.threads != self.settings.threads {
            self.pool = build_pool(settings.threads);
            settings.threads = threads_of(self.pool.as_ref());
            memory.histories.resize_with(settings.threads.max(1), Histories::new);
        }
        drop(memory);
        self.settings = settings;
    }

    /// Forgets all earlier searches, for a new game; waits for a running search first.
    pub fn clear(&mut self) {
        self.wait();
        let mut memory = lock(&self.memory);
        memory.table = Table::new(1);
        *memory = Memory::new(&self.settings);
    }

    /// Begins to search a game where it stands and returns at once; waits for a running search first.
    /// `sink` is called from the search's threads: some infos, and exactly one best move.
    pub fn start_task<T: Task>(
        &mut self,
        task: T,
        limits: Limits<T::Move>,
        sink: impl Fn(Event<T::Move>) + Send + Sync + 'static,
    ) {
        self.wait();
        self.signals.begin(limits.ponder);
        let signals = Arc::clone(&self.signals);
        let memory = Arc::clone(&self.memory);
        let settings = self.settings.clone();
        let job = move || {
            let run = || run(&task, &limits, &settings, &mut lock(&memory), &signals, &sink);
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                // Not even the worker's result could be told: any legal move is better than silence.
                let tell = || sink(Event::BestMove { best: task.any_move(), ponder: None });
                let _ = catch_unwind(AssertUnwindSafe(tell));
            }
            signals.end();
        };
        match &self.pool {
            Some(pool) => pool.spawn(job),
            None => job(), // no thread to be had: better late than never
        }
    }

    /// Searches and waits for the end: for callers without a protocol. `limits` should have an end.
    pub fn think_task<T: Task>(&mut self, task: T, limits: Limits<T::Move>) -> Thought<T::Move> {
        let thought = Arc::new(Mutex::new(Thought::default()));
        let listener = Arc::clone(&thought);
        self.start_task(task, limits, move |event| {
            let mut thought = listener.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Info(info) if info.multipv == 1 => thought.info = Some(info),
                Event::BestMove { best, .. } => thought.best = best,
                Event::Info(_) | Event::GameOver(_) => {}
            }
        });
        self.wait();
        let thought = thought.lock().unwrap_or_else(PoisonError::into_inner);
        thought.clone()
    }

    /// Asks the search to end and tell its best move; nothing happens when none runs.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// The expected move was played: pondering becomes thinking. Ignored otherwise.
    pub fn ponderhit(&self) {
        self.signals.ponderhit();
    }

    /// Whether a search runs: from its start until its best move has been told.
    pub fn is_searching(&self) -> bool {
        self.signals.is_searching()
    }

    /// Waits until no search runs. One that holds its move back (infinite, pondering) must be stopped
    /// first, else this waits for ever.
    pub fn wait(&self) {
        self.signals.wait_for_end();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

/// A panicking worker leaves nothing half done that matters: tables of numbers, each valid.
fn lock(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many threads search.
fn threads_of(pool: Option<&ThreadPool>) -> usize {
    pool.map_or(1, ThreadPool::current_num_threads)
}

/// As many threads as can be had, up to the number wanted.
fn build_pool(threads: usize) -> Option<ThreadPool> {
    let mut threads = threads.max(1);
    loop {
        let built = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .thread_name(|i| format!("search-{i}"))
            .panic_handler(|_| log::error!("a search job has panicked"))
            .build();
        match built {
            Ok(pool) => return Some(pool),
            Err(error) if threads > 1 => {
                log::warn!("no pool of {threads} threads: {error}");
                threads /= 2;
            }
            Err(error) => {
                log::error!("no thread to search on: {error}");
                return None;
            }
        }
    }
}

/// One search from its beginning to its best move.
fn run<T: Task>(
    task: &T,
    limits: &Limits<T::Move>,
    settings: &Settings,
    memory: &mut Memory,
    signals: &Signals,
    sink: &(dyn Fn(Event<T::Move>) + Sync),
) {
    if let Some(outcome) = task.outcome() {
        sink(Event::GameOver(outcome));
        signals.wait_for_leave(limits.infinite);
        sink(Event::BestMove { best: None, ponder: None });
        return;
    }
    memory.table.new_search();
    let order = Order { limits, settings, signals, tell: sink };
    let Choice { best, ponder } = task.search(order, memory);
    sink(Event::BestMove { best, ponder });
}

impl<M: Sync> Shared<'_, M> {
    /// Lets all workers think, the first on this thread, until the first is done and its move may be told.
    pub fn run<W: Send>(&self, workers: &mut [W], think: impl Fn(&mut W) + Sync) {
        let Some((main, helpers)) = workers.split_first_mut() else { return };
        let think = &think;
        rayon::scope(|scope| {
            for helper in helpers {
                scope.spawn(move |_| guarded(|| think(helper), self.signals));
            }
            guarded(|| think(main), self.signals);
            self.signals.wait_for_leave(self.limits.infinite);
            self.signals.stop();
        });
    }
}

/// Runs a worker; if it panics, the whole search ends and what was found so far counts.
fn guarded(work: impl FnOnce(), signals: &Signals) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        log::error!("a searching thread has panicked; the search ends");
        signals.stop();
    }
}
