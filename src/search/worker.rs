//! One searching thread: its memory, the line it stands in, iterative deepening and the root.
//!
//! What happens at a node below the root is in `node`, quiescence in `quiesce`. Worker 0 owns the
//! clock and tells the lines; the others search the same root over the same table and look only at
//! the stop flag.

use crate::board::zobrist::splitmix;
use crate::board::{Bitboard, Square, attacks};
use crate::eval::Evaluator;
use crate::rules::{GameRecord, Move, Position};
use crate::tablebase::{Tables, Value};

use super::clock::Settled;
use super::front::Front;
use super::history::{Before, Histories, PieceTo};
use super::limits::{Event, Info};
use super::params;
use super::picker::Killers;
use super::score::{
    self, Bound, INFINITE, MAX_PLY, PROVEN, REPEATED, Score, is_decisive, is_proven, loss_in,
    win_in,
};
use super::shared::Shared;

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its score in this iteration; `-INFINITE` if it was only shown to be no better than another.
    pub score: i32,
    /// What `score` is to the value.
    pub bound: Bound,
    /// The line that begins with the move.
    pub pv: Vec<Move>,
    seldepth: usize,
    nodes: u64,
    /// The score in the iteration before.
    previous: i32,
    /// The last score that was found: what `bound` and `pv` belong to.
    known: i32,
    /// The score and the line after the move, if it ends the game (by the game's whole history) or is
    /// proven to.
    pub(super) decided: Option<(i32, Vec<Move>)>,
}

impl RootMove {
    /// A move of the root of which nothing is known yet but `score`.
    pub(super) fn found(m: Move, score: i32) -> RootMove {
        RootMove {
            m,
            score,
            bound: Bound::Exact,
            pv: vec![m],
            seldepth: 0,
            nodes: 0,
            previous: -INFINITE,
            known: score,
            decided: None,
        }
    }

    /// This move with what another worker's finished iteration has found of it, unless it was decided.
    pub(super) fn with_result_of(mut self, other: &RootMove) -> RootMove {
        if self.decided.is_none() {
            self.score = other.score;
            self.known = other.known;
            self.bound = other.bound;
            self.seldepth = other.seldepth;
            self.pv.clone_from(&other.pv);
        }
        self
    }
}

/// A position that stood: in the game or in the line that is searched.
#[derive(Clone, Copy)]
struct Stood {
    key: u64,
    /// How many positions before this one could be the same.
    reversible: u32,
}

/// What is kept for each ply of the line.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The move played here; `None` for a null move.
    pub played: Option<PieceTo>,
    /// Where the last move played here went.
    pub went_to: Option<Square>,
    /// The corrected static evaluation, unless in danger.
    pub eval: Option<i32>,
    /// A move left out, to see whether it is the only good one.
    pub excluded: Option<Move>,
    pub killers: Killers,
    /// Whether the side to move would lose at once if it passed.
    pub danger: bool,
    /// The pieces of the side to move whose move may leave its King attacked, once it is worked out.
    exposing: Option<Bitboard>,
    /// Extensions by two plies on the way here.
    pub double_extensions: u32,
}

/// What a move leads to.
#[allow(clippy::large_enum_variant)] // lives for a moment, on the stack
pub(super) enum Played {
    /// Something that needs no search; the score for the side that moved.
    Decided(i32),
    /// A position to search, to be left again by [`Worker::undo`].
    Open(Position),
}

/// One thread of a search. Aligned, so that two workers share no cache line.
#[repr(align(128))]
pub struct Worker<'a> {
    game: &'a GameRecord,
    shared: &'a Shared<'a>,
    front: &'a Front,
    pub(super) histories: &'a mut Histories,
    pub(super) evaluator: Evaluator<'a>,
    id: usize,
    /// The root's moves, the best first after each iteration.
    pub root_moves: Vec<RootMove>,
    /// The last iteration that was finished, and its best move.
    pub completed: i32,
    finished: Option<RootMove>,
    pub(super) frames: Vec<Frame>,
    pub(super) pv: Vec<Vec<Move>>,
    /// Positions of the game and of the line, the current one last.
    stood: Vec<Stood>,
    /// Where the root is in `stood`.
    root_index: usize,
    /// How often each class of keys stands in `stood`: most positions are seen to be new at a glance.
    seen: Box<[u16; 4096]>,
    /// Mixed into the table's keys: which positions the game has seen twice decides what is won.
    salt: u64,
    /// The tables of endings of the game's edition.
    endings: Option<&'a Tables>,
    pub(super) nodes: u64,
    poll_at: u64,
    /// The search unwinds: for good, or only this iteration, if another worker has finished it.
    pub(super) stopped: bool,
    overtaken: bool,
    /// The iteration that is searched, beyond all others while none is.
    iteration: i32,
    pub(super) seldepth: usize,
    /// No null move above this ply while one is verified.
    pub(super) null_from: usize,
    pub(super) proof: Proof,
}

/// The state of the proof of short wins.
#[derive(Default)]
pub(super) struct Proof {
    /// Whether it runs: then a repetition counts as in the game.
    pub active: bool,
    /// It gives up at this node count.
    pub until: u64,
    /// No win within so many plies; all of them once a win is proven to be the shortest.
    pub tried: usize,
    /// No new attempt below this node count.
    pub retry_at: u64,
}

impl<'a> Worker<'a> {
    /// A worker at the root.
    pub fn new(
        game: &'a GameRecord,
        shared: &'a Shared<'a>,
        front: &'a Front,
        histories: &'a mut Histories,
        id: usize,
    ) -> Worker<'a> {
        let mut worker = Worker {
            game,
            shared,
            front,
            histories,
            evaluator: Evaluator::new(
                &shared.settings.evaluation,
                game.position().edition(),
                MAX_PLY + 1,
            ),
            id,
            root_moves: root_moves(game, shared),
            completed: 0,
            finished: None,
            frames: vec![Frame::default(); MAX_PLY + 4],
            pv: vec![Vec::new(); MAX_PLY + 4],
            stood: Vec::with_capacity(game.keys().len() + MAX_PLY),
            root_index: 0,
            seen: Box::new([0; 4096]),
            salt: 0,
            endings: shared
                .settings
                .endings
                .as_deref()
                .filter(|tables| tables.edition() == game.position().edition()),
            nodes: 0,
            poll_at: 0,
            stopped: false,
            overtaken: false,
            iteration: i32::MAX,
            seldepth: 0,
            null_from: 0,
            proof: Proof::default(),
        };
        worker.remember_game();
        worker.set_poll();
        worker
    }

    /// The game up to the root.
    pub(super) fn game(&self) -> &'a GameRecord {
        self.game
    }

    /// What the threads share.
    pub(super) fn shared(&self) -> &'a Shared<'a> {
        self.shared
    }

    /// Enters the game's positions, and salts the table's keys by those that stood twice: a third time
    /// would end the game, which no search with another history knows.
    fn remember_game(&mut self) {
        let game = self.game;
        let mut position = *game.start();
        self.push(position.repetition_key(), 0);
        for &m in game.moves() {
            let reversible = self.reversible_after(&position, m);
            position = position.play(m);
            self.push(position.repetition_key(), reversible);
        }
        self.root_index = self.stood.len() - 1;
        let reversible = self.stood[self.root_index].reversible as usize;
        let recent = &self.stood[self.root_index - reversible..];
        for (i, stood) in recent.iter().enumerate() {
            if recent[..i].iter().filter(|earlier| earlier.key == stood.key).count() == 1 {
                self.salt ^= splitmix(stood.key);
            }
        }
    }

    fn push(&mut self, key: u64, reversible: u32) {
        self.stood.push(Stood { key, reversible });
        let class = &mut self.seen[key as usize % 4096];
        *class = class.saturating_add(1);
    }

    fn reversible_after(&self, position: &Position, m: Move) -> u32 {
        match self.stood.last() {
            Some(stood) if !position.is_irreversible(m) => stood.reversible + 1,
            _ => 0,
        }
    }

    /// The key under which the table knows a position in this game.
    #[inline]
    pub(super) fn table_key(&self, position: &Position) -> u64 {
        position.table_key() ^ self.salt
    }

    /// Plays a move, `ply` plies from the root. Decided without a search are: a repetition; a move that
    /// leaves the own King to be taken.
    pub(super) fn play(&mut self, position: &Position, m: Move, ply: usize) -> Played {
        let next = position.play(m);
        self.pv[ply + 1].clear();
        let reversible = self.reversible_after(position, m);
        let key = next.repetition_key();
        if reversible >= 4
            && self.seen[key as usize % 4096] > 0
            && let Some(score) = self.repetition(position, key, reversible, ply)
        {
            return Played::Decided(score);
        }
        let exposing = *self.frames[ply].exposing.get_or_insert_with(|| exposing(position));
        if (exposing.has(m.from()) || !m.is_normal())
            && let Some(capture) = next.king_capture()
        {
            self.pv[ply + 1].push(capture);
            return Played::Decided(loss_in(ply + 2));
        }
        self.shared.table.touch(self.table_key(&next));
        self.push(key, reversible);
        self.count_node();
        let side = position.side_to_move();
        self.frames[ply].played = Some(PieceTo::new(side, position.moved(m), m.to()));
        self.frames[ply].went_to = Some(m.to());
        self.frames[ply + 1].danger = next.in_danger();
        self.frames[ply + 1].exposing = None;
        Played::Open(next)
    }

    /// Plays a null move; what stood before cannot be reached through it.
    pub(super) fn play_null(&mut self, position: &Position, ply: usize) -> Position {
        let next = position.play_null();
        self.push(next.repetition_key(), 0);
        self.count_node();
        self.frames[ply].played = None;
        self.frames[ply + 1].danger = next.in_danger();
        self.frames[ply + 1].exposing = None;
        next
    }

    /// Takes back what [`Worker::play`] has opened.
    #[inline]
    pub(super) fn undo(&mut self) {
        if let Some(stood) = self.stood.pop() {
            self.seen[stood.key as usize % 4096] -= 1;
        }
    }

    /// The score for the side that moves at `position` if its move repeats a position. A third
    /// occurrence that the game's own history completes is exact. A second one inside the tree is scored
    /// as the third would be (whoever would lose by it had the same choices before) but as unproven:
    /// it hangs on the path.
    fn repetition(
        &self,
        position: &Position,
        key: u64,
        reversible: u32,
        ply: usize,
    ) -> Option<i32> {
        if self.proof.active {
            return self.third_occurrence(position, key, reversible, ply);
        }
        let now = self.stood.len();
        let oldest = now - (reversible as usize).min(now);
        let side = position.side_to_move();
        let mut in_tree = false;
        let mut in_game = 0; // the root included, through which every line goes
        let mut at = now - 4;
        while at >= oldest {
            if self.stood[at].key == key {
                in_tree |= at >= self.root_index;
                in_game += u32::from(at <= self.root_index);
                if in_game == 2 {
                    let third = position.repetition_outcome();
                    return Some(score::of_outcome(third, side, ply + 1));
                }
            }
            if at < 2 {
                break;
            }
            at -= 2;
        }
        in_tree.then(|| match position.repetition_outcome().winner {
            None => score::DRAW,
            Some(winner) if winner == side => REPEATED - ply as i32,
            Some(_) => ply as i32 - REPEATED,
        })
    }

    /// The score for the side that moves at `position` if its move brings the third occurrence, as the
    /// game would judge it; it hangs on the path.
    fn third_occurrence(
        &self,
        position: &Position,
        key: u64,
        reversible: u32,
        ply: usize,
    ) -> Option<i32> {
        let reachable = &self.stood[self.stood.len().saturating_sub(reversible as usize)..];
        (reachable.iter().filter(|stood| stood.key == key).count() >= 2).then(|| {
            score::of_outcome(position.repetition_outcome(), position.side_to_move(), ply + 1)
        })
    }

    /// What the tables of endings know of a position of the line: its proven score. They leave repetition
    /// out, which changes nothing but where a position of the game has stood twice and may come back.
    #[inline]
    pub(super) fn ending(&self, position: &Position, ply: usize) -> Option<i32> {
        let tables = self.endings?;
        if self.third_may_come() {
            return None;
        }
        match tables.probe(position)? {
            Value::Win(plies) => Some(win_in(ply + usize::from(plies))),
            Value::Loss(plies) => Some(loss_in(ply + usize::from(plies))),
            Value::Unresolved => None,
        }
    }

    /// Whether a position that has stood twice in the game may stand again after the line's last move.
    fn third_may_come(&self) -> bool {
        let plies = self.stood.len() - 1 - self.root_index;
        self.salt != 0 && self.stood.last().is_some_and(|now| now.reversible as usize >= plies)
    }

    /// Whether positions of the game can stand again.
    pub(super) fn has_past(&self) -> bool {
        self.stood[self.root_index].reversible > 0
    }

    /// From now on the root move at index `i` is known to have this score, with this line after it; it is
    /// put first.
    pub(super) fn decide(&mut self, i: usize, score: i32, line: Vec<Move>) {
        let mut decided = self.root_moves.remove(i);
        decided.score = score;
        decided.known = score;
        decided.bound = Bound::Exact;
        decided.pv = std::iter::once(decided.m).chain(line.iter().copied()).collect();
        decided.decided = Some((score, line));
        self.root_moves.insert(0, decided);
    }

    /// The moves before the one to be played at `ply`, for the continuation histories.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> Before {
        let at = |back: usize| ply.checked_sub(back).and_then(|ply| self.frames[ply].played);
        [at(1), at(2), at(4)]
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.poll_at {
            self.poll();
        }
    }

    /// Looks whether to stop, and whether another worker has finished this iteration.
    #[cold]
    fn poll(&mut self) {
        self.stopped |= self.shared.is_over(self.id, self.nodes);
        if !self.stopped && self.front.depth() >= self.iteration {
            self.overtaken = true;
            self.stopped = true;
        }
        self.set_poll();
    }

    fn set_poll(&mut self) {
        self.poll_at = self.shared.next_look(self.nodes);
    }

    /// Searches deeper and deeper until something says stop. Worker 0 tells its lines.
    pub fn think(&mut self, tell: &dyn Fn(Event)) {
        let shared = self.shared;
        let deepest =
            shared.limits.depth.map_or(MAX_PLY as i32, |d| d.clamp(1, MAX_PLY as u32) as i32);
        let lines = shared.settings.multi_pv.clamp(1, self.root_moves.len());
        let mut settled = Settled::default();
        while self.completed < deepest {
            let mut depth = self.completed + 1;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            self.iteration = depth;
            for line in 0..lines {
                self.seldepth = 0;
                self.search_line(depth, line, tell);
                if self.stopped {
                    break;
                }
            }
            self.iteration = i32::MAX;
            if std::mem::take(&mut self.overtaken) {
                self.stopped = false;
                depth = self.front.catch_up(&mut self.root_moves);
            } else if self.stopped {
                break;
            } else if shared.threads() > 1 {
                self.front.advance(depth, &self.root_moves);
            }
            self.completed = depth;
            if self.id == 0 {
                self.prove_short_win();
            }
            self.finished = self.root_moves.first().cloned();
            if self.id == 0 {
                self.tell_lines(depth, lines, tell);
                if self.is_enough(&mut settled, depth) {
                    break;
                }
            }
        }
        shared.publish_nodes(self.id, self.nodes);
        if self.stopped {
            self.accept_unfinished();
            if self.id == 0 {
                self.tell_lines(self.completed + 1, 1, tell);
            }
        }
    }

    /// Takes over what an unfinished iteration has found, and nothing that it has not shown: a move that
    /// was about to be searched again keeps the score and line that it had; a proven loss of the first
    /// move says nothing while the others were not looked at, so that the last finished iteration stands,
    /// or before there is one, the static evaluation and the first move not known to lose.
    fn accept_unfinished(&mut self) {
        for root_move in &mut self.root_moves {
            if root_move.score == -INFINITE {
                root_move.score = root_move.known;
            }
        }
        let best = &self.root_moves[0];
        if best.score > -PROVEN {
            return;
        }
        if let Some(finished) = self.finished.take() {
            let place = self.root_moves.iter().position(|r| r.m == finished.m).unwrap_or(0);
            self.root_moves[place] = finished;
            self.root_moves[..=place].rotate_right(1);
        } else if let Some(place) = self.root_moves.iter().position(|r| r.score == -INFINITE) {
            let root_move = &mut self.root_moves[place];
            let eval = self.evaluator.evaluate(self.game.position(), 0);
            root_move.score = eval.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT);
            root_move.bound = Bound::Exact;
            self.root_moves[..=place].rotate_right(1);
        }
    }

    /// Whether, after a finished iteration, another one is not worth its time or not wanted.
    fn is_enough(&mut self, settled: &mut Settled<Move>, depth: i32) -> bool {
        let shared = self.shared;
        let best = &self.root_moves[0];
        let node_share = best.nodes as f64 / self.nodes.max(1) as f64;
        let progress = settled.after_iteration(&best.m, best.score, node_share);
        if let Some(moves) = shared.limits.mate {
            let wanted = win_in((2 * moves as usize).min(MAX_PLY));
            if best.score <= -PROVEN || best.score >= wanted {
                return true;
            }
        }
        if shared.limits.infinite || shared.signals.pondering() {
            return false;
        }
        // No end is nearer; or the search, twice as deep as the proven one, has found none.
        let plies = score::MATE - best.score.abs();
        let one_line = shared.settings.multi_pv == 1 && shared.limits.depth.is_none();
        let shortest = best.score > 0 && self.proof.tried as i32 >= plies - 1;
        if is_proven(best.score) && one_line && (shortest || depth > 2 * plies + 6) {
            return true;
        }
        let elapsed = shared.elapsed();
        let only_move = self.root_moves.len() == 1 && depth >= 6;
        shared.plan.is_enough(if only_move { elapsed * 8 } else { elapsed }, progress)
    }

    /// Searches the best line but for the `line` better ones, with a window around its last score.
    fn search_line(&mut self, depth: i32, line: usize, tell: &dyn Fn(Event)) {
        let expected = self.root_moves[line].previous;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut width = params::aspiration();
        if depth >= params::ASPIRATION_DEPTH && !is_decisive(expected) {
            (alpha, beta) = (expected - width, expected + width);
        }
        loop {
            let score = self.search_root(alpha, beta, depth, line);
            // The sort is stable: what was not searched keeps its place.
            self.root_moves[line..].sort_by_key(|r| std::cmp::Reverse(r.score));
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
            } else {
                break;
            }
            if is_decisive(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            width += width / 2;
            if self.id == 0 && self.shared.elapsed().as_secs() >= 1 {
                self.tell_lines(depth, 1, tell);
            }
        }
        self.root_moves[..=line].sort_by_key(|r| std::cmp::Reverse(r.score));
    }

    /// The root: like any node with a full window, but without shortcuts, since each of its moves may be
    /// asked for; and what ends the game is judged by its whole history.
    fn search_root(&mut self, mut alpha: i32, beta: i32, depth: i32, line: usize) -> i32 {
        let root = *self.game.position();
        self.frames[0].danger = root.in_danger();
        self.frames[0].exposing = None;
        let mut best = -INFINITE;
        for i in line..self.root_moves.len() {
            self.root_moves[i].score = -INFINITE;
        }
        for i in line..self.root_moves.len() {
            let nodes_before = self.nodes;
            let m = self.root_moves[i].m;
            let first = i == line;
            let score = match &self.root_moves[i].decided {
                Some((score, line)) => {
                    self.pv[1].clone_from(line);
                    *score
                }
                None => match self.play(&root, m, 0) {
                    Played::Decided(score) => score,
                    Played::Open(next) => {
                        let quiet = !root.is_capture(m) && m.promotion().is_none();
                        let reduction = if quiet && i >= line + 3 && depth >= 3 {
                            super::node::reduction(depth, i - line) / 1024 - 1
                        } else {
                            0
                        };
                        let score = self.explore::<true>(
                            &next,
                            alpha,
                            beta,
                            depth - 1,
                            reduction,
                            1,
                            first,
                            false,
                        );
                        self.undo();
                        score
                    }
                },
            };
            self.root_moves[i].nodes += self.nodes - nodes_before;
            if self.stopped {
                return best;
            }
            if first || score > alpha {
                let pv = &self.pv[1];
                let root_move = &mut self.root_moves[i];
                root_move.score = score;
                root_move.known = score;
                root_move.bound = Bound::of(score, alpha, beta);
                root_move.seldepth = self.seldepth;
                root_move.pv.clear();
                root_move.pv.push(m);
                root_move.pv.extend_from_slice(pv);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn tell_lines(&self, depth: i32, lines: usize, tell: &dyn Fn(Event)) {
        self.shared.publish_nodes(self.id, self.nodes);
        for (i, root_move) in self.root_moves.iter().take(lines).enumerate() {
            if root_move.score > -INFINITE {
                tell(Event::Info(self.info(root_move, depth, i + 1)));
            }
        }
    }

    /// What to tell of a root move.
    pub fn info(&self, root_move: &RootMove, depth: i32, multipv: usize) -> Info {
        Info {
            depth: depth as u32,
            seldepth: root_move.seldepth.max(1) as u32,
            multipv: multipv as u32,
            score: Score::from_internal(root_move.score),
            bound: root_move.bound,
            nodes: self.shared.nodes(),
            time: self.shared.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: self.legal_line(root_move),
        }
    }

    /// The line as far as it is legal and the game goes on; a proven one that ends in a table of endings
    /// goes on as the table says.
    fn legal_line(&self, root_move: &RootMove) -> Vec<Move> {
        let mut game = self.game.clone();
        let mut pv: Vec<Move> =
            root_move.pv.iter().copied().take_while(|&m| game.play(m).is_ok()).collect();
        let plies = (score::MATE - root_move.score.abs()) as usize;
        if let Some(tables) = self.endings
            && is_proven(root_move.score)
        {
            while pv.len() < plies
                && let Some((m, _)) = tables.best(game.position())
                && game.play(m).is_ok()
            {
                pv.push(m);
            }
        }
        pv
    }
}

/// The pieces of the side to move whose ordinary move may leave its King attacked: the King, and those
/// that stand between it and an enemy line piece; all of them if it is attacked now. None in chess, where
/// such a move is not legal.
fn exposing(position: &Position) -> Bitboard {
    let us = position.side_to_move();
    let Some(king) = position.king(us) else { return Bitboard::EMPTY };
    if position.edition().has_draws() {
        return Bitboard::EMPTY;
    }
    let own = position.color(us);
    if position.is_attacked(king, !us) {
        return own;
    }
    let snipers = (attacks::bishop(king, Bitboard::EMPTY) & position.diagonal_sliders(!us))
        | (attacks::rook(king, Bitboard::EMPTY) & position.orthogonal_sliders(!us));
    let mut set = Bitboard::of(king);
    for sniper in snipers {
        let blockers = attacks::between(king, sniper) & position.occupied();
        if !blockers.many() {
            set |= blockers & own;
        }
    }
    set
}

/// The moves to search at the root: first those that win at once, last those that lose by the
/// opponent's next move, so that not even a search of one node plays them without need.
fn root_moves(game: &GameRecord, shared: &Shared) -> Vec<RootMove> {
    let side = game.position().side_to_move();
    let wanted = &shared.limits.search_moves;
    let legal = game.position().legal_moves();
    let any_wanted = legal.iter().any(|m| wanted.contains(m));
    let mut moves: Vec<RootMove> = legal
        .into_iter()
        .filter(|m| !any_wanted || wanted.contains(m))
        .map(|m| RootMove {
            decided: game
                .outcome_after(m)
                .map(|outcome| (score::of_outcome(outcome, side, 1), Vec::new())),
            ..RootMove::found(m, -INFINITE)
        })
        .collect();
    let at_a_glance = |root_move: &RootMove| {
        let loses = || game.position().play(root_move.m).winning_move().is_some();
        match root_move.decided {
            Some((score, _)) => score,
            None if loses() => loss_in(2),
            None => 0,
        }
    };
    moves.sort_by_cached_key(|root_move| std::cmp::Reverse(at_a_glance(root_move)));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Edition;

    /// A move that leaves the own King to be taken is always made by a piece of the set, or is no
    /// ordinary step; and the set is no larger than the King, if nothing attacks along a line.
    #[test]
    fn pieces_that_may_expose_the_king() {
        let mut seed = 3;
        let mut exposed = 0;
        for edition in Edition::ALL {
            for _ in 0..60 {
                let mut position = Position::start(edition);
                for _ in 0..100 {
                    let set = exposing(&position);
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    for &m in &moves {
                        if position.play(m).king_capture().is_some() {
                            assert!(set.has(m.from()) || !m.is_normal(), "{}", position.to_fen());
                            exposed += 1;
                        }
                    }
                    seed = splitmix(seed);
                    position = position.play(moves[seed as usize % moves.len()]);
                }
            }
            assert_eq!(
                exposing(&Position::start(edition)).count(),
                u32::from(!edition.has_draws())
            );
        }
        assert!(exposed > 1_000);
    }
}
