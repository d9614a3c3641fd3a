//! The engine: its threads, its memory and the life of a search. Nothing of how a search thinks.
//!
//! The engine owns one rayon pool. A search is one long job on it, which runs worker 0 and gives the
//! other workers to the pool; no worker calls rayon below that, so that none is ever handed another's
//! work while it searches. The thread that owns the engine never runs on the pool, so that a stop is
//! heard at once. A worker that panics ends the search; a best move is told all the same.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::board::zobrist::splitmix;
use crate::rules::{GameRecord, Move};

use super::history::Histories;
use super::limits::{Event, Info, Limits, Settings};
use super::score::{Bound, INFINITE, is_proven};
use super::shared::{Shared, Signals};
use super::table::Table;
use super::weak::Weakness;
use super::worker::{RootMove, Worker};

/// The search recurses once a ply, quiescence included; a frame takes some ten kilobytes.
const STACK_BYTES: usize = 16 << 20;

/// What outlives a search: the table, and what each worker has learnt.
struct Memory {
    table: Table,
    histories: Vec<Histories>,
}

impl Memory {
    fn new(settings: &Settings) -> Memory {
        Memory {
            table: Table::new(settings.hash_mb),
            histories: (0..settings.threads.max(1)).map(|_| Histories::new()).collect(),
        }
    }
}

/// What a search came to; see [`Engine::think`].
#[derive(Clone, Default, Debug)]
pub struct Thought {
    /// The move to play; `None` when the game is over.
    pub best: Option<Move>,
    /// The last that was told of the best line.
    pub info: Option<Info>,
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

    /// Begins to search where the game stands and returns at once; waits for a running search first.
    /// `sink` is called from the search's threads: some infos, and exactly one best move.
    pub fn start(
        &mut self,
        game: GameRecord,
        limits: Limits,
        sink: impl Fn(Event) + Send + Sync + 'static,
    ) {
        self.wait();
        self.signals.begin(limits.ponder);
        let signals = Arc::clone(&self.signals);
        let memory = Arc::clone(&self.memory);
        let settings = self.settings.clone();
        let job = move || {
            let run = || run(&game, &limits, &settings, &mut lock(&memory), &signals, &sink);
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                // Not even the worker's result could be told: any legal move is better than silence.
                let best = game.position().legal_moves().first().copied();
                let tell = || sink(Event::BestMove { best, ponder: None });
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
    pub fn think(&mut self, game: &GameRecord, limits: Limits) -> Thought {
        let thought = Arc::new(Mutex::new(Thought::default()));
        let listener = Arc::clone(&thought);
        self.start(game.clone(), limits, move |event| {
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

    /// Whether a search runs: from [`Engine::start`] until its best move has been told.
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
fn run(
    game: &GameRecord,
    limits: &Limits,
    settings: &Settings,
    memory: &mut Memory,
    signals: &Signals,
    sink: &(dyn Fn(Event) + Sync),
) {
    if let Some(outcome) = game.outcome() {
        sink(Event::GameOver(outcome));
        signals.wait_for_leave(limits.infinite);
        sink(Event::BestMove { best: None, ponder: None });
        return;
    }
    let weakness = Weakness::of(settings);
    let (mut limits, mut weakened) = (limits.clone(), settings.clone());
    if let Some(weakness) = weakness {
        weakness.weaken(&mut weakened, &mut limits);
    }
    memory.table.new_search();
    let shared = Shared::new(game, &limits, &weakened, &memory.table, signals);
    let mut workers: Vec<Worker> = memory
        .histories
        .iter_mut()
        .take(shared.threads())
        .enumerate()
        .map(|(id, histories)| Worker::new(&shared, histories, id))
        .collect();
    // A weakened search has more lines than were asked for.
    let tell = |event| match event {
        Event::Info(ref info) if info.multipv > settings.multi_pv.max(1) as u32 => {}
        event => sink(event),
    };
    if let Some((main, helpers)) = workers.split_first_mut() {
        rayon::scope(|scope| {
            for helper in helpers {
                scope.spawn(|_| guarded(|| helper.think(&|_| ()), signals));
            }
            guarded(|| main.think(&tell), signals);
            signals.wait_for_leave(limits.infinite);
            signals.stop();
        });
    }
    if let (Some(weakness), Some(worker)) = (weakness, workers.first_mut()) {
        play_weakly(worker, weakness, sink);
    }
    let (best, ponder) = choose(&workers, sink);
    sink(Event::BestMove { best, ponder });
}

/// Runs a worker; if it panics, the whole search ends and what was found so far counts.
fn guarded(work: impl FnOnce(), signals: &Signals) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        log::error!("a searching thread has panicked; the search ends");
        signals.stop();
    }
}

/// Puts the line that a weakened player chooses first, and tells it if it is another.
fn play_weakly(worker: &mut Worker, weakness: Weakness, sink: &dyn Fn(Event)) {
    let lines = worker.root_moves.iter().take(worker.shared().settings.multi_pv);
    let scores: Vec<i32> =
        lines.map(|line| line.score).take_while(|&score| score > -INFINITE).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let seed = worker.shared().game.position().key() ^ splitmix(now);
    let chosen = weakness.choose(&scores, seed);
    if chosen > 0 {
        worker.root_moves.swap(0, chosen);
        let best = &worker.root_moves[0];
        sink(Event::Info(worker.info(best, worker.completed.max(1), 1)));
    }
}

/// The move to play, by all workers, and the answer to expect: worker 0's choice unless another has
/// searched at least as deep and thinks better of its own. The line of another is told first.
fn choose(workers: &[Worker], sink: &dyn Fn(Event)) -> (Option<Move>, Option<Move>) {
    let Some(main) = workers.first() else { return (None, None) };
    let mut chosen = main;
    if main.shared().settings.multi_pv <= 1 {
        for other in &workers[1..] {
            if is_better(other, chosen) {
                chosen = other;
            }
        }
    }
    let Some(best) = chosen.root_moves.first() else { return (None, None) };
    let info = chosen.info(best, chosen.completed.max(1), 1);
    let pv = info.pv.clone();
    if !std::ptr::eq(chosen, main) {
        sink(Event::Info(info));
    }
    // No answer to a move that ends the game, nor one that ends it.
    let ponder = pv.get(1).copied().filter(|_| pv.len() > 2 || !is_proven(best.score));
    let ponder = ponder.filter(|&answer| {
        let mut game = main.shared().game.clone();
        pv[0] == best.m && game.play(best.m).is_ok() && game.outcome_after(answer).is_none()
    });
    (Some(best.m), ponder)
}

fn is_better(other: &Worker, than: &Worker) -> bool {
    let settled = |worker: &Worker| -> Option<RootMove> {
        let best = worker.root_moves.first()?;
        (best.score > -INFINITE && best.bound == Bound::Exact).then(|| best.clone())
    };
    match (settled(other), settled(than)) {
        (Some(a), Some(b)) if is_proven(a.score) || is_proven(b.score) => {
            a.score > b.score && (a.score > 0 || other.completed >= than.completed)
        }
        (Some(a), Some(b)) => other.completed > than.completed && a.score >= b.score,
        _ => false,
    }
}
