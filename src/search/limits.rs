//! What a search is told to do, what it is set to, and what it tells.
//!
//! Plain data; the protocols fill it in and print it. `M` is the kind of move: one of the chess family, if nothing else is said.

use std::sync::Arc;
use std::time::Duration;

use crate::eval::Evaluation;
use crate::rules::{Move, Outcome};
use crate::tablebase::Tables;

use super::score::{Bound, Score};

/// When a search ends. The default has no limit: it runs to the greatest depth. Limits add up: the
/// first that is reached ends the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M = Move> {
    /// Plies of iterative deepening, at least one is searched.
    pub depth: Option<u32>,
    /// Positions; never exceeded on one thread.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Stop when a win in this many moves, or any loss, is proven.
    pub mate: Option<u32>,
    /// Hold the best move back until [`Engine::stop`](super::Engine::stop).
    pub infinite: bool,
    /// Think in the opponent's time: hold the best move back, and do not look at the clock, until
    /// [`Engine::ponderhit`](super::Engine::ponderhit) or a stop.
    pub ponder: bool,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Search only these moves of the root; all if empty, or if none of them is legal.
    pub search_moves: Vec<M>,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            depth: None,
            nodes: None,
            movetime: None,
            mate: None,
            infinite: false,
            ponder: false,
            clock: None,
            search_moves: Vec::new(),
        }
    }
}

impl<M> Limits<M> {
    /// The same limits in other words for the moves; one that has none is left out.
    pub fn map<N>(&self, words: impl Fn(&M) -> Option<N>) -> Limits<N> {
        let Limits { depth, nodes, movetime, mate, infinite, ponder, clock, .. } = *self;
        let search_moves = self.search_moves.iter().filter_map(words).collect();
        Limits { depth, nodes, movetime, mate, infinite, ponder, clock, search_moves }
    }
}

/// A chess clock, as its owner sees it before his move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left; an overdrawn clock is zero.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What stays set from one search to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Searching threads, at least 1.
    pub threads: usize,
    /// Size of the transposition table in MiB (2^20 bytes), at least 1.
    pub hash_mb: usize,
    /// How many best lines are told, at least 1.
    pub multi_pv: usize,
    /// Time kept back on each move for the way to the clock and back.
    pub move_overhead: Duration,
    /// Play like a player of about this rating; `None` for full strength. For the chess family only: the board games are
    /// always played at full strength.
    pub elo: Option<u32>,
    /// The user analyses: weakened play is off, whatever `elo` says.
    pub analyse: bool,
    /// What a position's value comes from.
    pub evaluation: Evaluation,
    /// Tables of endings; those of another edition than the game's are not looked at.
    pub endings: Option<Arc<Tables>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            hash_mb: 16,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            elo: None,
            analyse: false,
            evaluation: Evaluation::BuiltIn,
            endings: None,
        }
    }
}

/// What a running search tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<M = Move> {
    /// How far it is.
    Info(Info<M>),
    /// There is nothing to search: the game is over. A best move `None` follows.
    GameOver(Outcome),
    /// The end of the search, told exactly once.
    BestMove {
        /// `None` only when the game is over.
        best: Option<M>,
        /// The expected answer; never a move that would end the game.
        ponder: Option<M>,
    },
}

impl<M> Event<M> {
    /// The same event in other words for the moves.
    pub fn map<N>(self, words: impl Fn(M) -> N) -> Event<N> {
        match self {
            Event::Info(info) => Event::Info(info.map(words)),
            Event::GameOver(outcome) => Event::GameOver(outcome),
            Event::BestMove { best, ponder } => {
                Event::BestMove { best: best.map(&words), ponder: ponder.map(&words) }
            }
        }
    }
}

/// One line of a search that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<M = Move> {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Place of this line among the best, from 1.
    pub multipv: u32,
    /// Worth of the line for the side to move.
    pub score: Score,
    /// Whether the score is the value or a bound of it.
    pub bound: Bound,
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Used part of the transposition table, in permille.
    pub hashfull: u32,
    /// The line: legal move by move, not beyond the end of the game.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// The same line in other words for the moves.
    pub fn map<N>(self, words: impl Fn(M) -> N) -> Info<N> {
        self.filter_map(|m| Some(words(m)))
    }

    /// The same line in other words for the moves; a move without any is left out.
    pub fn filter_map<N>(self, words: impl Fn(M) -> Option<N>) -> Info<N> {
        let Info { depth, seldepth, multipv, score, bound, nodes, time, hashfull, pv } = self;
        let pv = pv.into_iter().filter_map(words).collect();
        Info { depth, seldepth, multipv, score, bound, nodes, time, hashfull, pv }
    }
}
