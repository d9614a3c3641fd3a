//! One searching thread: iterative deepening, the root, a node, quiescence.
//!
//! Negamax with the principal variation's window; the table, killers and a history order the moves, and late ones are
//! searched less deep first. Nothing is left out altogether, so that a proven score is one: a win needs one move that wins,
//! a loss that all moves lose.
//!
//! Repetition. A position that stands for the second time within the searched line counts as the draw that the third would be:
//! whoever wants more than a draw had the same choices the first time, and a shortest win never comes back to a position. So
//! no win or loss is claimed that is none; a position of the game before the root counts only when it stands for the third
//! time. Estimates may hang on the path by which the table met them, as in all such searches. Proven scores of the table are
//! taken only where the limit of plies without a capture cannot come first, and near the limit the count is part of the key.

use crate::board::Color;
use crate::board::zobrist::splitmix;
use crate::games::{Game, LIMIT, Move, Position, Record};
use crate::search::score::{
    DRAW, INFINITE, MATE, PROVEN, is_decisive, is_proven, loss_in, of_outcome, win_in,
};
use crate::search::{Bound, Event, Hit, Info, MAX_PLY, Score, Settled, Shared};

/// Half the first window around the last iteration's score, in centimen, and the depth from which there is one.
const ASPIRATION: (i32, i32) = (40, 4);
/// Captures in a row before quiescence takes the evaluation, and how many of a position's captures are tried at each: those that
/// take most. In Fanorona there may be dozens.
const QUIESCENCE_PLIES: usize = 8;
const QUIESCENCE_WIDTHS: [usize; QUIESCENCE_PLIES] = [4, 2, 2, 1, 1, 1, 1, 1];
/// Moves that are searched in full before late ones are reduced, and the depth from which they are.
const REDUCTION_FROM: (usize, i32) = (3, 3);
/// Histories stay within this.
const HISTORY_MAX: i32 = 1 << 14;
/// So many plies before the limit without captures, the table tells positions apart by their count.
const NEAR_LIMIT: u16 = 24;

/// A move of the root and what is known of it.
#[derive(Clone)]
struct RootMove {
    m: Move,
    /// In this iteration; `-INFINITE` if it was only shown to be no better than another.
    score: i32,
    bound: Bound,
    pv: Vec<Move>,
    seldepth: usize,
    nodes: u64,
    /// The score in the iteration before.
    previous: i32,
    /// The last score that was found: what `bound` and `pv` belong to.
    known: i32,
    /// The score, if the move ends the game by its whole history.
    decided: Option<i32>,
}

/// Which quiet move is meant, roughly: by its first and last point.
fn slot(m: &Move) -> u16 {
    match (m.way.first(), m.way.last()) {
        (Some(from), Some(to)) => u16::from(from.0.0 & 63) << 6 | u16::from(to.0.0 & 63),
        _ => 0,
    }
}

/// No move's [`slot`].
const NO_SLOT: u16 = u16::MAX;

/// One thread of a search.
pub struct Worker<'a> {
    record: &'a Record,
    game: &'static dyn Game,
    shared: &'a Shared<'a, Move>,
    id: usize,
    /// The best first after each iteration.
    root_moves: Vec<RootMove>,
    /// The last iteration that was finished, and its best move.
    completed: i32,
    finished: Option<RootMove>,
    /// Keys of the game's positions and of the line's, the current one last; where the root is among them.
    keys: Vec<u64>,
    root_index: usize,
    /// The men of the root, of both sides, if their number counts: see [`Game::trade_price`].
    root_men: Option<i32>,
    /// Mixed into the table's keys: the game, which positions have stood twice, and what trades are counted from.
    salt: u64,
    history: Box<[[i32; 4096]; 2]>,
    killers: Vec<[u16; 2]>,
    pv: Vec<Vec<Move>>,
    nodes: u64,
    look_at: u64,
    stopped: bool,
    seldepth: usize,
}

impl<'a> Worker<'a> {
    /// A worker at the root.
    pub fn new(record: &'a Record, shared: &'a Shared<'a, Move>, id: usize) -> Worker<'a> {
        let keys = record.keys().to_vec();
        let position = record.position();
        let analysis = shared.settings.analyse || shared.limits.infinite;
        let counts = !analysis && position.game().trade_price() != 0;
        let root_men = counts.then(|| men_of(position));
        let taste = root_men.map_or(0, |men| splitmix(men as u64 * 2 + position.side() as u64 + 1));
        Worker {
            record,
            game: position.game(),
            shared,
            id,
            root_moves: root_moves(record, &shared.limits.search_moves),
            completed: 0,
            finished: None,
            root_index: keys.len() - 1,
            root_men,
            salt: salt(record) ^ taste,
            keys,
            history: Box::new([[0; 4096]; 2]),
            killers: vec![[NO_SLOT; 2]; MAX_PLY + 2],
            pv: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            look_at: shared.next_look(0),
            stopped: false,
            seldepth: 0,
        }
    }

    /// Searches deeper and deeper until something says stop. Worker 0 tells its lines.
    pub fn think(&mut self, tell: &dyn Fn(Event<Move>)) {
        let shared = self.shared;
        let deepest =
            shared.limits.depth.map_or(MAX_PLY, |d| (d as usize).clamp(1, MAX_PLY)) as i32;
        let lines = shared.settings.multi_pv.clamp(1, self.root_moves.len());
        let mut settled = Settled::default();
        // Every second thread is a ply ahead of the others.
        self.completed = (self.id % 2) as i32;
        while self.completed < deepest {
            let depth = self.completed + 1;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            for line in 0..lines {
                self.seldepth = 0;
                self.search_line(depth, line, tell);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
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

    /// Takes over what an unfinished iteration has found, but no loss of its first moves while others were not looked at:
    /// then the last finished iteration stands, or before there is one, the evaluation and the first move not known to lose.
    fn accept_unfinished(&mut self) {
        for root_move in &mut self.root_moves {
            if root_move.score == -INFINITE {
                root_move.score = root_move.known;
            }
        }
        if self.root_moves[0].score > -PROVEN {
            return;
        }
        if let Some(finished) = self.finished.take() {
            let place = self.root_moves.iter().position(|r| r.m == finished.m).unwrap_or(0);
            self.root_moves[place] = finished;
            self.root_moves[..=place].rotate_right(1);
        } else if let Some(place) = self.root_moves.iter().position(|r| r.score == -INFINITE) {
            self.root_moves[place].score = self.evaluate(self.record.position());
            self.root_moves[place].bound = Bound::Exact;
            self.root_moves[..=place].rotate_right(1);
        }
    }

    /// Whether, after a finished iteration, another one is not worth its time or not wanted.
    fn is_enough(&self, settled: &mut Settled<Move>, depth: i32) -> bool {
        let shared = self.shared;
        let best = &self.root_moves[0];
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let progress = settled.after_iteration(&best.m, best.score, share);
        if let Some(moves) = shared.limits.mate {
            let wanted = win_in((2 * moves as usize).min(MAX_PLY));
            if best.score <= -PROVEN || best.score >= wanted {
                return true;
            }
        }
        if shared.limits.infinite || shared.signals.pondering() {
            return false;
        }
        // Searched twice as deep as the proven end, and none is nearer.
        let plies = MATE - best.score.abs();
        let one_line = shared.settings.multi_pv == 1 && shared.limits.depth.is_none();
        if is_proven(best.score) && one_line && depth > 2 * plies + 6 {
            return true;
        }
        let elapsed = shared.elapsed();
        let only_move = self.root_moves.len() == 1 && depth >= 6;
        shared.plan.is_enough(if only_move { elapsed * 8 } else { elapsed }, progress)
    }

    /// Searches the best line but for the `line` better ones, with a window around its last score.
    fn search_line(&mut self, depth: i32, line: usize, tell: &dyn Fn(Event<Move>)) {
        let expected = self.root_moves[line].previous;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let (mut width, from_depth) = ASPIRATION;
        if depth >= from_depth && !is_decisive(expected) {
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
            width *= 2;
            if self.id == 0 && self.shared.elapsed().as_secs() >= 1 {
                self.tell_lines(depth, 1, tell);
            }
        }
        self.root_moves[..=line].sort_by_key(|r| std::cmp::Reverse(r.score));
    }

    /// The root: a node whose moves may each be asked for, and where the game's whole history judges what ends it.
    fn search_root(&mut self, mut alpha: i32, beta: i32, depth: i32, line: usize) -> i32 {
        let root = *self.record.position();
        for root_move in &mut self.root_moves[line..] {
            root_move.score = -INFINITE;
        }
        let mut best = -INFINITE;
        for i in line..self.root_moves.len() {
            let nodes_before = self.nodes;
            let first = i == line;
            let m = self.root_moves[i].m.clone();
            let score = match self.root_moves[i].decided {
                Some(score) => {
                    self.pv[1].clear();
                    score
                }
                None => {
                    let reduction = reduction(depth, i - line, true);
                    self.explore::<true>(&root, &m, alpha, beta, depth - 1, reduction, 0, first)
                }
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

    /// The score of a move made `ply` plies from the root, searched `depth` plies deep after it: with a null window and
    /// reduced if it comes late, then as deep and as wide as its score asks for.
    #[allow(clippy::too_many_arguments)]
    fn explore<const PV: bool>(
        &mut self,
        position: &Position,
        m: &Move,
        alpha: i32,
        beta: i32,
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
    ) -> i32 {
        let next = position.play(m);
        self.keys.push(next.key());
        self.count_node();
        let mut score = alpha + 1;
        if PV && first {
            score = -self.search::<true>(&next, -beta, -alpha, depth, ply + 1);
        } else {
            if reduction > 0 {
                let reduced = (depth - reduction).max(1);
                score = -self.search::<false>(&next, -alpha - 1, -alpha, reduced, ply + 1);
            }
            if score > alpha && !self.stopped {
                score = -self.search::<false>(&next, -alpha - 1, -alpha, depth, ply + 1);
            }
            if PV && score > alpha && !self.stopped {
                score = -self.search::<true>(&next, -beta, -alpha, depth, ply + 1);
            }
        }
        self.keys.pop();
        score
    }

    /// The score of a position for its side to move, searched `depth` plies deep.
    fn search<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
    ) -> i32 {
        if self.stopped {
            return 0;
        }
        self.pv[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.ended(position, ply) {
            return score;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(position, alpha, beta, ply, 0);
        }
        // Mate distance: no line from here beats a win already in hand, nor is worse than a loss at once.
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let key = self.table_key(position);
        let hit = self.shared.table.probe(key, ply);
        if !PV
            && let Some(hit) = hit
            && hit.depth >= depth
            && hit.cuts(alpha, beta)
            && comes_before_limit(position, hit.score, ply)
        {
            return hit.score;
        }
        let moves = self.game.moves(position);
        if moves.is_empty() {
            return of_outcome(self.game.stuck(position), position.side(), ply);
        }
        // A capture without choice costs a ply and decides nothing.
        let must = moves.iter().all(|m| !m.taken.is_empty());
        let forced = moves.len() == 1 && !moves[0].taken.is_empty();
        let depth = depth + i32::from(forced);

        let side = position.side().index();
        let mut order = self.order(&moves, side, hit.map_or(0, |hit| hit.best), ply);
        self.killers[ply + 1] = [NO_SLOT; 2];
        let old_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        for searched in 0..moves.len() {
            let m = &moves[pick(&mut order, searched)];
            let quiet = m.taken.is_empty();
            let mut reduction = reduction(depth, searched, PV);
            // Where all moves take, a late one is as doubtful as elsewhere.
            if !quiet && !must {
                reduction /= 2;
            }
            let first = searched == 0;
            let score =
                self.explore::<PV>(position, m, alpha, beta, depth - 1, reduction, ply, first);
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if PV && (score > alpha || first) {
                    self.update_pv(ply, m);
                }
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if score >= beta {
                        if quiet {
                            let tried = order[..searched].iter().map(|&(_, i)| &moves[i]);
                            self.learn(side, m, tried, depth, ply);
                        }
                        break;
                    }
                }
            }
        }
        let hint = best_move.map_or(0, Move::hint);
        let bound = Bound::of(best, old_alpha, beta);
        let hit = Hit { best: hint, score: best, eval: None, depth, bound, was_pv: PV };
        self.shared.table.store(key, ply, hit);
        best
    }

    /// The score when only captures are played. Where the side to move need not take, it may stand pat.
    fn quiesce(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        plies: usize,
    ) -> i32 {
        if self.stopped {
            return 0;
        }
        if plies >= QUIESCENCE_PLIES || ply >= MAX_PLY || !self.game.can_capture(position) {
            return self.evaluate(position);
        }
        let moves = self.game.moves(position);
        let must = moves.iter().all(|m| !m.taken.is_empty());
        let mut best = -INFINITE;
        if !must {
            best = self.evaluate(position);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let captures = moves.iter().enumerate().filter(|(_, m)| !m.taken.is_empty());
        let mut order: Vec<(i32, usize)> =
            captures.map(|(i, m)| (m.taken.count() as i32, i)).collect();
        let width = QUIESCENCE_WIDTHS[plies].min(order.len());
        let all = width == order.len();
        for searched in 0..width {
            let next = position.play(&moves[pick(&mut order, searched)]);
            self.count_node();
            self.seldepth = self.seldepth.max(ply + 1);
            // A capture cannot repeat a position nor reach the limit: only the board can end the game.
            let score = match self.game.finished(&next) {
                Some(outcome) => of_outcome(outcome, position.side(), ply + 1),
                None => -self.quiesce(&next, -beta, -alpha, ply + 1, plies + 1),
            };
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        // A loss is claimed only when every capture was tried.
        if all { best } else { best.max(-LIMIT) }
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let gone = self.root_men.map_or(0, |men| men - men_of(position));
        let mine = position.side() == self.record.position().side();
        let regret = self.game.trade_price() * if mine { gone } else { -gone };
        (self.game.evaluate(position) - regret).clamp(-LIMIT, LIMIT)
    }

    /// The score if the game is over at a position of the line, but for want of a move.
    fn ended(&self, position: &Position, ply: usize) -> Option<i32> {
        if let Some(outcome) = self.game.finished(position) {
            return Some(of_outcome(outcome, position.side(), ply));
        }
        // Where it stood before, the game went on: the board does not end it.
        if self.repeats(position) {
            return Some(DRAW);
        }
        let at_limit = self.game.limit().is_some_and(|limit| position.quiet() >= limit);
        at_limit.then(|| match position.outcome() {
            Some(outcome) => of_outcome(outcome, position.side(), ply),
            None => DRAW,
        })
    }

    /// Whether the current position stood in the line, or twice in the game before the root.
    fn repeats(&self, position: &Position) -> bool {
        let now = self.keys.len() - 1;
        if now < 4 {
            return false;
        }
        let oldest = now.saturating_sub(usize::from(position.quiet()));
        let mut in_game = 0;
        for at in (oldest..=now - 4).rev().step_by(2) {
            if self.keys[at] == self.keys[now] {
                in_game += 1;
                if at >= self.root_index || in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The key under which the table knows the current position.
    fn table_key(&self, position: &Position) -> u64 {
        let count = position.quiet();
        let near = self.game.limit().is_some_and(|limit| count + NEAR_LIMIT >= limit);
        let late = if near { splitmix(u64::from(count) + 1) } else { 0 };
        self.keys[self.keys.len() - 1] ^ self.salt ^ late
    }

    /// The moves' places, each with how early it is to be searched.
    fn order(&self, moves: &[Move], side: usize, hint: u16, ply: usize) -> Vec<(i32, usize)> {
        let killers = self.killers[ply];
        let mut hinted = hint != 0;
        let worth = |m: &Move| {
            if hinted && m.hint() == hint {
                hinted = false;
                return i32::MAX;
            }
            let slot = slot(m);
            let history = self.history[side][usize::from(slot)];
            match m.taken.count() as i32 {
                0 if slot == killers[0] => 2 * HISTORY_MAX + 1,
                0 if slot == killers[1] => 2 * HISTORY_MAX,
                0 => history,
                taken => 4 * HISTORY_MAX * taken + history,
            }
        };
        moves.iter().map(worth).enumerate().map(|(i, worth)| (worth, i)).collect()
    }

    /// A quiet move was good enough: praise it, blame those tried before it.
    fn learn<'m>(
        &mut self,
        side: usize,
        m: &Move,
        tried: impl Iterator<Item = &'m Move>,
        depth: i32,
        ply: usize,
    ) {
        let good = slot(m);
        let killers = &mut self.killers[ply];
        if killers[0] != good {
            *killers = [good, killers[0]];
        }
        let bonus = (16 * depth * depth).min(HISTORY_MAX / 8);
        let mut add = |slot: u16, bonus: i32| {
            let entry = &mut self.history[side][usize::from(slot)];
            *entry += bonus - *entry * bonus.abs() / HISTORY_MAX;
        };
        add(good, bonus);
        for other in tried.filter(|m| m.taken.is_empty()) {
            add(slot(other), -bonus);
        }
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.look_at {
            self.stopped |= self.shared.is_over(self.id, self.nodes);
            self.look_at = self.shared.next_look(self.nodes);
        }
    }

    /// Puts a move before the line of the position it leads to.
    fn update_pv(&mut self, ply: usize, m: &Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m.clone());
        line.extend_from_slice(&lower[0]);
    }

    fn tell_lines(&self, depth: i32, lines: usize, tell: &dyn Fn(Event<Move>)) {
        self.shared.publish_nodes(self.id, self.nodes);
        for (i, root_move) in self.root_moves.iter().take(lines).enumerate() {
            if root_move.score > -INFINITE {
                tell(Event::Info(self.info(root_move, depth, i + 1)));
            }
        }
    }

    fn info(&self, root_move: &RootMove, depth: i32, multipv: usize) -> Info<Move> {
        Info {
            depth: depth as u32,
            seldepth: root_move.seldepth.max(1) as u32,
            multipv: multipv as u32,
            score: Score::from_internal(root_move.score),
            bound: root_move.bound,
            nodes: self.shared.nodes(),
            time: self.shared.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: self.line(root_move),
        }
    }

    /// The best move and the line after it.
    pub fn best_line(&self) -> Vec<Move> {
        self.root_moves.first().map_or_else(Vec::new, |best| self.line(best))
    }

    /// The line as far as the game goes on.
    fn line(&self, root_move: &RootMove) -> Vec<Move> {
        let mut record = self.record.clone();
        let played = record.play_all(root_move.pv.iter().cloned());
        root_move.pv[..played].to_vec()
    }
}

/// The men of both sides, those to be placed too.
fn men_of(position: &Position) -> i32 {
    let men = |color| position.men(color).count() as i32 + i32::from(position.hand(color));
    men(Color::White) + men(Color::Black)
}

/// Whether a score that is proven for a position, counted from the root, can be had before the limit without captures ends
/// the game; a score that is not proven always is.
fn comes_before_limit(position: &Position, score: i32, ply: usize) -> bool {
    let Some(limit) = position.game().limit() else { return true };
    let plies = (MATE - score.abs()) as usize - ply;
    !is_proven(score) || usize::from(position.quiet()) + plies <= usize::from(limit)
}

/// How many plies less deep a move is searched first when so many were searched before it; less on the principal variation.
fn reduction(depth: i32, searched: usize, pv: bool) -> i32 {
    let (first, least) = REDUCTION_FROM;
    if depth < least || searched < first {
        return 0;
    }
    let plies = f64::from(depth).ln() * (searched as f64).ln() / 2.2;
    (plies as i32 - i32::from(pv)).max(0)
}

/// Brings the best of what is left to this place and gives the index that it stands for; what is equal stays in order.
fn pick(order: &mut [(i32, usize)], place: usize) -> usize {
    let best = (place..order.len()).rev().max_by_key(|&i| order[i].0).unwrap_or(place);
    order[place..=best].rotate_right(1);
    order[place].1
}

/// The root's moves: those that win at once first.
fn root_moves(record: &Record, wanted: &[Move]) -> Vec<RootMove> {
    let side = record.position().side();
    let legal = record.legal();
    let any_wanted = legal.iter().any(|m| wanted.contains(m));
    let wanted = legal.into_iter().filter(|m| !any_wanted || wanted.contains(m));
    let mut moves: Vec<RootMove> = wanted
        .map(|m| RootMove {
            score: -INFINITE,
            bound: Bound::Exact,
            pv: vec![m.clone()],
            seldepth: 0,
            nodes: 0,
            previous: -INFINITE,
            known: -INFINITE,
            decided: record.outcome_after(&m).map(|outcome| of_outcome(outcome, side, 1)),
            m,
        })
        .collect();
    moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.decided.unwrap_or(0)));
    moves
}

/// What sets the table's keys of this game apart: its name, and the positions that a third time would end it, which no search
/// with another history knows.
fn salt(record: &Record) -> u64 {
    let position = record.position();
    let name = position.game().name().bytes().chain([position.grid().files, position.grid().ranks]);
    let game = name.fold(1, |hash, byte| splitmix(hash ^ u64::from(byte)));
    let keys = record.keys();
    let recent = &keys[keys.len().saturating_sub(usize::from(position.quiet()) + 1)..];
    let twice = (0..recent.len())
        .filter(|&i| recent[..i].iter().filter(|&&earlier| earlier == recent[i]).count() == 1);
    twice.fold(game, |salt, i| salt ^ splitmix(recent[i]))
}
