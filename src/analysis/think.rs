//! A search that is waited for: what it has found when it ends, or when somebody stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::eval::win_permille;
use crate::rules::{Move, Outcome, Position};
use crate::search::{Bound, Engine, Event, Info, Limits, Score, Settings, Task};

/// How long a request to stop may go unseen.
const HEARTBEAT: Duration = Duration::from_millis(50);

/// An engine that is asked one question after the other.
pub struct Thinker {
    engine: Engine,
}

/// What is known of a position: of the chess family, if nothing else is said.
#[derive(Clone, Debug)]
pub struct Thought<M = Move> {
    /// The lines, the best first; each begins with another move. Empty when the game is over.
    pub lines: Vec<Info<M>>,
    /// How the game has ended, if it has.
    pub over: Option<Outcome>,
    /// The lines of the deepest iteration that came to its end.
    whole: Vec<Info<M>>,
}

impl<M> Thought<M> {
    const fn of(over: Option<Outcome>) -> Thought<M> {
        Thought { lines: Vec::new(), over, whole: Vec::new() }
    }
}

impl<M: Clone + PartialEq> Thought<M> {
    /// The best line.
    pub fn first(&self) -> Option<&Info<M>> {
        self.lines.first()
    }

    /// The best move.
    pub fn best(&self) -> Option<M> {
        self.first()?.pv.first().cloned()
    }

    /// The lines in other words for the moves; a move without any is left out.
    pub fn filter_map<N>(&self, words: impl Fn(M) -> Option<N>) -> Thought<N> {
        let line = |line: &Info<M>| line.clone().filter_map(&words);
        let lines = |lines: &[Info<M>]| lines.iter().map(line).collect();
        Thought { lines: lines(&self.lines), over: self.over, whole: lines(&self.whole) }
    }

    /// Takes a line in. One whose score only says that it is no better counts where nothing else is known.
    /// Where its move stood before, the line that it displaces stands then: each move has one line, also
    /// when an iteration is cut off.
    fn tell(&mut self, info: Info<M>) {
        if self.first().is_some_and(|first| info.depth > first.depth) && self.is_even() {
            self.whole.clone_from(&self.lines);
        }
        let place = (info.multipv.max(1) - 1) as usize;
        let Some(old) = self.lines.get(place) else { return self.lines.push(info) };
        if info.bound == Bound::Upper {
            return;
        }
        let first = info.pv.first();
        let before = self.lines.iter().position(|line| line.pv.first() == first);
        if let Some(before) = before.filter(|&before| before != place) {
            self.lines[before] = old.clone();
        }
        self.lines[place] = info;
    }

    /// Whether all lines are of one iteration.
    fn is_even(&self) -> bool {
        self.lines.windows(2).all(|pair| matches!(pair, [a, b] if a.depth == b.depth))
    }

    /// The best move first, and each move once. Where an iteration of several lines was cut off, those of the one
    /// before stand, unless a win has been found meanwhile: scores of different depths do not compare.
    fn settle(&mut self, best: Option<M>) {
        let won = self.first().is_some_and(|line| matches!(line.score, Score::Mate(1..)));
        if !self.is_even() && !won && !self.whole.is_empty() {
            self.lines = std::mem::take(&mut self.whole);
            return;
        }
        let leads = |line: &Info<M>| best.is_some() && line.pv.first() == best.as_ref();
        if let Some(place) = self.lines.iter().position(leads) {
            let line = self.lines.remove(place);
            self.lines.insert(0, line);
        }
        let mut seen = Vec::new();
        self.lines.retain(|line| {
            let first = line.pv.first().cloned();
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
    pub fn think<T: Task<Move: PartialEq> + Clone>(
        &mut self,
        game: &T,
        limits: &Limits<T::Move>,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Thought<T::Move>),
    ) -> Thought<T::Move> {
        let (sender, events) = channel();
        let sender = Mutex::new(sender);
        self.engine.start_task(game.clone(), limits.clone(), move |event| {
            let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = sender.send(event);
        });
        let mut thought = Thought::of(game.outcome());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Edition;

    /// Tells lines (their place, the number of their move, their depth, their score) and lets the engine choose
    /// `best`; the numbers of the moves that come out, with their depths.
    fn told(lines: &[(u32, usize, u32, Score)], best: usize) -> Vec<(usize, u32)> {
        let moves = Position::start(Edition::default()).legal_moves();
        let info = |&(multipv, which, depth, score): &(u32, usize, u32, Score)| Info {
            depth,
            seldepth: depth,
            multipv,
            score,
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![moves[which]],
        };
        let mut thought = Thought::of(None);
        lines.iter().for_each(|line| thought.tell(info(line)));
        thought.settle(Some(moves[best]));
        let which = |line: &Info| moves.iter().position(|m| Some(m) == line.pv.first());
        thought.lines.iter().map(|line| (which(line).expect("a move"), line.depth)).collect()
    }

    const EVEN: [(u32, usize, u32, Score); 3] =
        [(1, 0, 5, Score::Cp(30)), (2, 1, 5, Score::Cp(20)), (3, 2, 5, Score::Cp(10))];

    #[test]
    fn an_iteration_cut_off_leaves_the_lines_of_the_one_before() {
        assert_eq!(told(&EVEN, 0), [(0, 5), (1, 5), (2, 5)]);
        let cut = [&EVEN[..], &[(1, 2, 6, Score::Cp(15))]].concat();
        assert_eq!(told(&cut, 2), [(0, 5), (1, 5), (2, 5)]);
        let done = [(1, 2, 6, Score::Cp(15)), (2, 0, 6, Score::Cp(5)), (3, 1, 6, Score::Cp(0))];
        assert_eq!(told(&[&EVEN[..], &done].concat(), 2), [(2, 6), (0, 6), (1, 6)]);
    }

    /// Each move has one line then too.
    #[test]
    fn a_win_counts_though_its_iteration_was_cut_off() {
        let cut = [&EVEN[..], &[(1, 2, 6, Score::Mate(3))]].concat();
        assert_eq!(told(&cut, 2), [(2, 6), (1, 5), (0, 5)]);
    }
}
