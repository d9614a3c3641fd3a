//! The search of all board games: what the driver asks of it, and how its threads share the work.
//!
//! The threads of one search share the table and nothing else ("lazy SMP"): each deepens on its own, what one has found
//! spares the others work, and the first one's choice counts. How one of them thinks is in `worker`.
//!
//! What a score means: [`Score::Cp`](crate::search::Score::Cp) is in hundredths of a man,
//! [`Score::Mate`](crate::search::Score::Mate) a proven end as in chess, a draw is 0. `Settings::elo`, `Settings::evaluation` and
//! `Settings::endings` are the chess family's: here they change nothing.

mod worker;

use crate::rules::Outcome;
use crate::search::{self, Choice, Engine, Event, Memory, Order, Shared, Task};

use super::{Move, Record};

use worker::Worker;

/// When a search ends.
pub type Limits = search::Limits<Move>;

/// What a search came to.
pub type Thought = search::Thought<Move>;

/// Begins to search where the game stands and returns at once; as [`Engine::start`] for the chess family.
pub fn start(
    engine: &mut Engine,
    record: Record,
    limits: Limits,
    sink: impl Fn(Event<Move>) + Send + Sync + 'static,
) {
    engine.start_task(record, limits, sink);
}

/// Searches and waits for the end; as [`Engine::think`] for the chess family.
pub fn think(engine: &mut Engine, record: &Record, limits: Limits) -> Thought {
    engine.think_task(record.clone(), limits)
}

impl Task for Record {
    type Move = Move;

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn any_move(&self) -> Option<Move> {
        self.legal().into_iter().next()
    }

    fn search(&self, order: Order<'_, Move>, memory: &mut Memory) -> Choice<Move> {
        let shared = Shared::new(order.limits, order.settings, &memory.table, order.signals);
        let mut workers: Vec<Worker> =
            (0..shared.threads()).map(|id| Worker::new(self, &shared, id)).collect();
        shared.run(&mut workers, |worker| worker.think(order.tell));
        choose(&workers[0], self)
    }
}

/// The move to play and the answer to expect: no answer to a move that ends the game, nor one that ends it.
fn choose(worker: &Worker, record: &Record) -> Choice<Move> {
    let line = worker.best_line();
    let mut after = record.clone();
    let mut moves = line.into_iter();
    let best = moves.next();
    after.play_all(best.iter().cloned());
    let goes_on = |m: &Move| after.outcome().is_none() && after.outcome_after(m).is_none();
    Choice { best, ponder: moves.next().filter(goes_on) }
}
