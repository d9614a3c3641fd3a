//! The chess family as the driver sees it: what one of its games is to search, and whose result counts.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::board::zobrist::splitmix;
use crate::rules::{GameRecord, Move, Outcome};

use super::engine::{Choice, Engine, Memory, Order, Task, Thought};
use super::front::Front;
use super::limits::{Event, Limits};
use super::score::{Bound, INFINITE, is_proven};
use super::shared::Shared;
use super::weak::Weakness;
use super::worker::{RootMove, Worker};

impl Engine {
    /// Begins to search where the game stands and returns at once; waits for a running search first.
    /// `sink` is called from the search's threads: some infos, and exactly one best move.
    pub fn start(
        &mut self,
        game: GameRecord,
        limits: Limits,
        sink: impl Fn(Event) + Send + Sync + 'static,
    ) {
        self.start_task(game, limits, sink);
    }

    /// Searches and waits for the end: for callers without a protocol. `limits` should have an end.
    pub fn think(&mut self, game: &GameRecord, limits: Limits) -> Thought {
        self.think_task(game.clone(), limits)
    }
}

impl Task for GameRecord {
    type Move = Move;

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn any_move(&self) -> Option<Move> {
        self.position().legal_moves().first().copied()
    }

    fn search(&self, order: Order<'_, Move>, memory: &mut Memory) -> Choice<Move> {
        let Order { settings, signals, tell: sink, .. } = order;
        let weakness = Weakness::of(settings);
        let (mut limits, mut weakened) = (order.limits.clone(), settings.clone());
        if let Some(weakness) = weakness {
            weakness.weaken(&mut weakened, &mut limits);
        }
        let front = Front::default();
        let shared = Shared::new(&limits, &weakened, &memory.table, signals);
        let mut workers: Vec<Worker> = memory
            .histories
            .iter_mut()
            .take(shared.threads())
            .enumerate()
            .map(|(id, histories)| Worker::new(self, &shared, &front, histories, id))
            .collect();
        // A weakened search has more lines than were asked for.
        let tell = |event| match event {
            Event::Info(ref info) if info.multipv > settings.multi_pv.max(1) as u32 => {}
            event => sink(event),
        };
        shared.run(&mut workers, |worker| worker.think(&tell));
        if let (Some(weakness), Some(worker)) = (weakness, workers.first_mut()) {
            play_weakly(worker, weakness, sink);
        }
        choose(&workers, sink)
    }
}

/// Puts the line that a weakened player chooses first, and tells it if it is another.
fn play_weakly(worker: &mut Worker, weakness: Weakness, sink: &dyn Fn(Event)) {
    let lines = worker.root_moves.iter().take(worker.shared().settings.multi_pv);
    let scores: Vec<i32> =
        lines.map(|line| line.score).take_while(|&score| score > -INFINITE).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let seed = worker.game().position().key() ^ splitmix(now);
    let chosen = weakness.choose(&scores, seed);
    if chosen > 0 {
        worker.root_moves.swap(0, chosen);
        let best = &worker.root_moves[0];
        sink(Event::Info(worker.info(best, worker.completed.max(1), 1)));
    }
}

/// The move to play, by all workers, and the answer to expect: worker 0's choice unless another has
/// searched at least as deep and thinks better of its own. The line of another is told first.
fn choose(workers: &[Worker], sink: &dyn Fn(Event)) -> Choice<Move> {
    let none = Choice { best: None, ponder: None };
    let Some(main) = workers.first() else { return none };
    let mut chosen = main;
    if main.shared().settings.multi_pv <= 1 {
        for other in &workers[1..] {
            if is_better(other, chosen) {
                chosen = other;
            }
        }
    }
    let Some(best) = chosen.root_moves.first() else { return none };
    let info = chosen.info(best, chosen.completed.max(1), 1);
    let pv = info.pv.clone();
    if !std::ptr::eq(chosen, main) {
        sink(Event::Info(info));
    }
    // No answer to a move that ends the game, nor one that ends it.
    let ponder = pv.get(1).copied().filter(|_| pv.len() > 2 || !is_proven(best.score));
    let ponder = ponder.filter(|&answer| {
        let mut game = main.game().clone();
        pv[0] == best.m && game.play(best.m).is_ok() && game.outcome_after(answer).is_none()
    });
    Choice { best: Some(best.m), ponder }
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
