//! A node below the root: negamax with the principal variation's window, and what spares it work.
//!
//! Each step has a name and a line on why it is sound in this game. Steps that guess never decide a
//! game: a proven loss is claimed only when every move was searched, a proven win only when a move was.

use arrayvec::ArrayVec;
use once_cell::sync::Lazy;

use crate::board::PieceKind;
use crate::rules::{Move, Position};

use super::params;
use super::picker::Picker;
use super::score::{
    Bound, DRAW, EVAL_LIMIT, INFINITE, MAX_PLY, is_decisive, is_proven, loss_in, of_outcome, win_in,
};
use super::see;
use super::table::Hit;
use super::worker::{Played, Worker};

/// Reductions in 1/1024 ply, by depth and number of the move.
static REDUCTIONS: Lazy<Box<[[i32; 64]; 64]>> = Lazy::new(|| {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, entry) in row.iter_mut().enumerate().skip(1) {
            let plies = f64::from(params::reduction_base()) / 100.0
                + 100.0 * (depth as f64).ln() * (count as f64).ln()
                    / f64::from(params::reduction_divisor());
            *entry = (1024.0 * plies) as i32;
        }
    }
    table
});

/// The base of a late move's reduction, in 1/1024 ply.
pub(super) fn reduction(depth: i32, count: usize) -> i32 {
    REDUCTIONS[(depth.max(0) as usize).min(63)][count.min(63)]
}

/// What a node knows of itself while its moves are searched.
struct Node {
    ply: usize,
    depth: i32,
    danger: bool,
    improving: bool,
    cut_node: bool,
    eval: i32,
    hit: Option<Hit>,
}

/// The moves a node has tried, to be blamed when another one turns out good.
#[derive(Default)]
struct Tried {
    quiets: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 32>,
}

impl Worker<'_> {
    /// The score of a position for its side to move, searched `depth` plies deep.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<PV>(position, alpha, beta, ply, 0);
        }
        if self.stopped {
            return 0;
        }
        if let Some(score) = self.known::<PV>(position, ply) {
            return score;
        }
        // Mate distance: no line from here beats a win already in hand. Exact, whatever the game.
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let excluded = self.frames[ply].excluded;
        let key = self.table_key(position);
        let hit = if excluded.is_some() { None } else { self.shared().table.probe(key, ply) };
        if !PV
            && let Some(hit) = hit
            && hit.depth >= depth
            && hit.cuts(alpha, beta)
            && !near_fifty_moves(position)
        {
            return hit.score;
        }

        let danger = self.frames[ply].danger;
        let raw_eval = if danger || excluded.is_some() {
            None
        } else {
            Some(self.raw_eval(position, ply, &hit))
        };
        let eval = self.judge(position, ply, raw_eval, &hit);
        let improving = !danger
            && match ply.checked_sub(2).and_then(|p| self.frames[p].eval) {
                Some(before) => self.frames[ply].eval.is_some_and(|now| now > before),
                None => true,
            };
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 1].excluded = None;

        if !PV && !danger && excluded.is_none() {
            if let Some(score) = reverse_futility(eval, beta, depth, improving) {
                return score;
            }
            if let Some(score) = self.razor(position, alpha, eval, depth, ply) {
                return score;
            }
            if let Some(score) = self.null_move(position, beta, eval, depth, ply) {
                return score;
            }
        }
        let table_move =
            hit.and_then(|hit| Move::from_bits(hit.best)).filter(|&m| position.is_legal(m));
        // Internal reduction: without a first move to try, a shallower search finds one for next time.
        if table_move.is_none() && depth >= params::INTERNAL_REDUCTION_DEPTH && (PV || cut_node) {
            depth -= 1;
        }
        let node = Node { ply, depth, danger, improving, cut_node, eval, hit };
        let (best, best_move) =
            self.search_moves::<PV>(position, &node, alpha, beta, table_move, excluded);
        if self.stopped {
            return 0;
        }
        if excluded.is_none() {
            self.remember(
                position,
                key,
                &node,
                raw_eval,
                best,
                best_move,
                Bound::of(best, alpha, beta),
                PV,
            );
        }
        best
    }

    /// What needs no search: what the rules settle, or the tables of endings know.
    #[inline]
    pub(super) fn known<const PV: bool>(&mut self, position: &Position, ply: usize) -> Option<i32> {
        self.settled::<PV>(position, ply).or_else(|| self.ending(position, ply))
    }

    /// What the rules settle: the game is over, or the side to move wins with its next move (a capture
    /// of the King was ruled out by the move before, a safe arrival is looked for). In chess: the draws.
    pub(super) fn settled<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
    ) -> Option<i32> {
        self.pv[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if position.edition().has_draws() {
            return chess_draw(position, ply);
        }
        if let Some(outcome) = position.finished() {
            return Some(of_outcome(outcome, position.side_to_move(), ply));
        }
        let arrival = position.safe_arrival(position.side_to_move())?;
        if PV {
            self.pv[ply].push(arrival);
        }
        Some(win_in(ply + 1))
    }

    /// The static evaluation, corrected by what was learnt and by the table's score if that says more.
    fn judge(
        &mut self,
        position: &Position,
        ply: usize,
        raw_eval: Option<i32>,
        hit: &Option<Hit>,
    ) -> i32 {
        let Some(raw_eval) = raw_eval else {
            if self.frames[ply].excluded.is_none() {
                self.frames[ply].eval = None;
            }
            return self.frames[ply].eval.unwrap_or(0);
        };
        let eval = self.corrected(position, raw_eval);
        self.frames[ply].eval = Some(eval);
        match hit {
            Some(hit) if !is_decisive(hit.score) && is_bound_beyond(hit, eval) => hit.score,
            _ => eval,
        }
    }

    /// The evaluation without corrections, from the table if it is there.
    pub(super) fn raw_eval(&mut self, position: &Position, ply: usize, hit: &Option<Hit>) -> i32 {
        hit.and_then(|hit| hit.eval).unwrap_or_else(|| {
            self.evaluator.evaluate(position, ply).clamp(-EVAL_LIMIT, EVAL_LIMIT)
        })
    }

    /// The evaluation with the correction histories applied.
    pub(super) fn corrected(&self, position: &Position, raw_eval: i32) -> i32 {
        (raw_eval + self.histories.correction(position)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Razoring: far below alpha at low depth, only a capture can help, which quiescence sees. Never in
    /// danger, where a quiet move may be the point; wins in one were ruled out before.
    fn razor(
        &mut self,
        position: &Position,
        alpha: i32,
        eval: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        if depth > params::RAZOR_DEPTH
            || is_decisive(alpha)
            || eval + params::razor() * depth > alpha
        {
            return None;
        }
        let score = self.quiesce::<false>(position, alpha, alpha + 1, ply, 0);
        if self.stopped {
            return Some(0);
        }
        (score <= alpha && !is_decisive(score)).then_some(score)
    }

    /// Null move: if passing is good enough, a move is. Passing may only be better than every move when
    /// there are few of them (having no move loses, so zugzwang is real): not without pieces, not in
    /// danger, and verified at high depth. A win found through it is not a win.
    fn null_move(
        &mut self,
        position: &Position,
        beta: i32,
        eval: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let us = position.side_to_move();
        let simple = position.pieces(PieceKind::Pawn) | position.pieces(PieceKind::King);
        let after_null = ply > 0 && self.frames[ply - 1].played.is_none();
        if depth < params::NULL_DEPTH
            || eval < beta
            || is_decisive(beta)
            || after_null
            || ply < self.null_from
            || (position.color(us) & !simple).is_empty()
        {
            return None;
        }
        let deeper = ((eval - beta) / params::null_eval()).min(3);
        let reduction = (params::null_base() + params::null_depth() * depth) / 100 + deeper;
        let next = self.play_null(position, ply);
        let score =
            -self.search::<false>(&next, -beta, -beta + 1, depth - reduction, ply + 1, true);
        self.undo();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        let score = if is_decisive(score) { beta } else { score };
        if depth < params::NULL_VERIFY_DEPTH || self.null_from > 0 {
            return Some(score);
        }
        self.null_from = ply + (3 * (depth - reduction).max(1) / 4) as usize;
        let verified =
            self.search::<false>(position, beta - 1, beta, depth - reduction, ply, false);
        self.null_from = 0;
        if self.stopped {
            return Some(0);
        }
        (verified >= beta).then_some(score)
    }

    /// Searches the moves one by one; the best score and, if one raised alpha, the best move.
    fn search_moves<const PV: bool>(
        &mut self,
        position: &Position,
        node: &Node,
        mut alpha: i32,
        beta: i32,
        table_move: Option<Move>,
        excluded: Option<Move>,
    ) -> (i32, Option<Move>) {
        let &Node { ply, depth, .. } = node;
        let before = self.before(ply);
        let mut picker = Picker::new(table_move, self.frames[ply].killers, before);
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut searched = 0;
        let mut any = false;

        while let Some(m) = picker.next(position, self.histories) {
            any = true;
            if Some(m) == excluded {
                continue;
            }
            let quiet = !position.is_capture(m) && m.promotion().is_none();
            if best > -EVAL_LIMIT && !node.danger {
                match self.hopeless(position, m, node, alpha, searched, quiet, &before) {
                    Hope::Search => {}
                    Hope::Skip => continue,
                    Hope::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            let extension = if Some(m) == table_move && excluded.is_none() {
                match self.singular(position, m, node, beta) {
                    Singular::Extend(plies) => plies,
                    Singular::Cut(score) => return (score, None),
                }
            } else {
                0
            };
            if self.stopped {
                return (0, None);
            }
            let score = match self.play(position, m, ply) {
                Played::Decided(score) => score,
                Played::Open(next) => {
                    searched += 1;
                    let extension = match extension {
                        0 => self.danger_extension(position, m, node),
                        singular => singular,
                    };
                    self.frames[ply + 1].double_extensions =
                        self.frames[ply].double_extensions + u32::from(extension > 1);
                    let reduction =
                        self.late_reduction::<PV>(position, m, node, searched, quiet, &before);
                    let new_depth = depth - 1 + extension;
                    let score = self.explore::<PV>(
                        &next,
                        alpha,
                        beta,
                        new_depth,
                        reduction,
                        ply + 1,
                        searched == 1,
                        node.cut_node,
                    );
                    self.undo();
                    score
                }
            };
            if self.stopped {
                return (0, None);
            }
            if score > best {
                best = score;
                if PV && (score > alpha || searched <= 1) {
                    self.update_pv(ply, m);
                }
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if score >= beta {
                        self.learn(position, node, m, quiet, &tried, &before);
                        break;
                    }
                }
            }
            if best_move != Some(m) {
                if quiet {
                    let _ = tried.quiets.try_push(m);
                } else {
                    let _ = tried.noisy.try_push(m);
                }
            }
        }
        if !any {
            // No move: lost in Capture or Conquer; mate or stalemate in chess.
            let stalemate = position.edition().has_draws() && !node.danger;
            best = if stalemate { DRAW } else { loss_in(ply) };
        } else if best == -INFINITE {
            best = alpha; // only the excluded move
        }
        (best, best_move)
    }

    /// A move's search: with a null window and reduced if it comes late, then as deep and as wide as its
    /// score asks for. A reduced search decides nothing alone: what beats alpha is searched in full.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn explore<const PV: bool>(
        &mut self,
        next: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
        cut_node: bool,
    ) -> i32 {
        if PV && first {
            return -self.search::<true>(next, -beta, -alpha, depth, ply, false);
        }
        let mut score = alpha + 1;
        let reduced = (depth - reduction).clamp(1.min(depth), depth + 1);
        if reduction > 0 && reduced < depth {
            score = -self.search::<false>(next, -alpha - 1, -alpha, reduced, ply, true);
        }
        if score > alpha && !self.stopped {
            score = -self.search::<false>(next, -alpha - 1, -alpha, depth, ply, !cut_node);
        }
        if PV && score > alpha && !self.stopped {
            score = -self.search::<true>(next, -beta, -alpha, depth, ply, false);
        }
        score
    }

    /// Pruning of single moves at low depth. Only when another move is known not to lose, so that no
    /// loss is claimed for want of looking; never in danger. Moves that win at once never come here.
    #[allow(clippy::too_many_arguments)]
    fn hopeless(
        &self,
        position: &Position,
        m: Move,
        node: &Node,
        alpha: i32,
        searched: usize,
        quiet: bool,
        before: &super::history::Before,
    ) -> Hope {
        let depth = node.depth;
        if quiet {
            let reduced = (depth - reduction(depth, searched) / 1024).max(0);
            // Move count: after many quiet moves another one rarely changes the picture.
            let enough = (params::move_count() + depth * depth) / (2 - i32::from(node.improving));
            if depth <= params::MOVE_COUNT_DEPTH && searched as i32 >= enough {
                return Hope::SkipQuiets;
            }
            // Futility: a quiet move gains no material, and the evaluation is too far below alpha.
            let hoped = node.eval + params::futility_base() + params::futility() * reduced;
            if reduced <= params::FUTILITY_DEPTH && !is_decisive(alpha) && hoped <= alpha {
                return Hope::SkipQuiets;
            }
            let side = position.side_to_move();
            if depth <= params::HISTORY_PRUNING_DEPTH
                && self.histories.quiet(side, position.moved(m), m, before)
                    < -params::history_pruning() * depth
            {
                return Hope::Skip;
            }
        }
        // Exchange: the move loses material on the square it goes to.
        let threshold = if quiet {
            -params::see_quiet() * depth * depth
        } else {
            -params::see_capture() * depth
        };
        let is_king = position.moved(m) == PieceKind::King;
        if depth <= params::SEE_DEPTH && !is_king && !see::at_least(position, m, threshold) {
            return Hope::Skip;
        }
        Hope::Search
    }

    /// Singular extension: if all other moves fall short of the table's score by a margin, the line
    /// hangs on this one move and is searched deeper. If they beat beta as well, the node is cut.
    fn singular(&mut self, position: &Position, m: Move, node: &Node, beta: i32) -> Singular {
        let Some(hit) = node.hit else { return Singular::Extend(0) };
        let ply = node.ply;
        if node.depth < params::singular_depth()
            || hit.depth < node.depth - params::SINGULAR_ENTRY
            || hit.bound == Bound::Upper
            || is_decisive(hit.score)
            || ply >= MAX_PLY / 2
        {
            return Singular::Extend(0);
        }
        let singular_beta = hit.score - params::singular() * node.depth / 10;
        self.frames[ply].excluded = Some(m);
        let depth = (node.depth - 1) / 2;
        let score = self.search::<false>(
            position,
            singular_beta - 1,
            singular_beta,
            depth,
            ply,
            node.cut_node,
        );
        self.frames[ply].excluded = None;
        if score < singular_beta {
            let clearly = score < singular_beta - params::double_extension();
            if clearly && self.frames[ply].double_extensions < 6 {
                return Singular::Extend(2);
            }
            return Singular::Extend(1);
        }
        // Never against a proven loss: that some shallow searches did not see it is no defence.
        if singular_beta >= beta && !is_decisive(singular_beta) && !is_decisive(beta) {
            return Singular::Cut(singular_beta);
        }
        Singular::Extend(if hit.score >= beta { -1 } else { 0 })
    }

    /// Danger extension: a move that puts the enemy in danger without losing material leaves it few
    /// answers and is searched a ply deeper, so that short wins are not reduced away. Only where the line is
    /// not yet long against the depth that is left.
    fn danger_extension(&self, position: &Position, m: Move, node: &Node) -> i32 {
        let near = (node.ply as i32) < 2 * node.depth + params::DANGER_EXTENSION_PLIES;
        let endangers = self.frames[node.ply + 1].danger;
        i32::from(endangers && near && see::at_least(position, m, 0))
    }

    /// Late move reduction: how many plies shallower a move is searched first. Less on the principal
    /// variation, in danger, for killers, for moves that put the enemy in danger and
    /// for those with a good history.
    fn late_reduction<const PV: bool>(
        &self,
        position: &Position,
        m: Move,
        node: &Node,
        searched: usize,
        quiet: bool,
        before: &super::history::Before,
    ) -> i32 {
        if node.depth < 3 || searched < 2 + usize::from(PV) {
            return 0;
        }
        let mut plies = reduction(node.depth, searched);
        if !quiet {
            plies /= 2;
        }
        plies -= 1024 * i32::from(PV);
        plies += params::reduction_cut() * i32::from(node.cut_node);
        plies += params::reduction_not_improving() * i32::from(!node.improving);
        plies -= 1024 * i32::from(node.danger);
        plies -= params::reduction_danger() * i32::from(self.frames[node.ply + 1].danger);
        if quiet {
            let side = position.side_to_move();
            let killer = self.frames[node.ply].killers.contains(&Some(m));
            plies -= params::reduction_killer() * i32::from(killer);
            let history = self.histories.quiet(side, position.moved(m), m, before);
            plies -= 1024 * history / params::reduction_history();
        }
        plies / 1024
    }

    /// Puts a move before the line of the position it leads to.
    pub(super) fn update_pv(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }

    /// A move was good enough: praise it, blame those tried before it.
    fn learn(
        &mut self,
        position: &Position,
        node: &Node,
        m: Move,
        quiet: bool,
        tried: &Tried,
        before: &super::history::Before,
    ) {
        let side = position.side_to_move();
        let bonus = (params::history_bonus() * node.depth).min(params::history_bonus_max());
        if quiet {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            self.histories.learn_quiet(side, position.moved(m), m, before, bonus);
            for &other in &tried.quiets {
                self.histories.learn_quiet(side, position.moved(other), other, before, -bonus);
            }
        } else {
            self.learn_capture(position, m, bonus);
        }
        for &other in &tried.noisy {
            self.learn_capture(position, other, -bonus);
        }
    }

    fn learn_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let taken = position.captured(m).unwrap_or(PieceKind::King);
        let side = position.side_to_move();
        self.histories.learn_capture(side, position.moved(m), m, taken, bonus);
    }

    /// Writes the result into the table, unless it hangs on a repetition in the line; and lets the
    /// correction histories learn how far the static evaluation was off.
    #[allow(clippy::too_many_arguments)]
    fn remember(
        &mut self,
        position: &Position,
        key: u64,
        node: &Node,
        raw_eval: Option<i32>,
        best: i32,
        best_move: Option<Move>,
        bound: Bound,
        was_pv: bool,
    ) {
        if is_decisive(best) && !is_proven(best) {
            return;
        }
        let hint = best_move.map_or(0, Move::bits);
        let hit = Hit { best: hint, score: best, eval: raw_eval, depth: node.depth, bound, was_pv };
        self.shared().table.store(key, node.ply, hit);
        let Some(eval) = self.frames[node.ply].eval else { return };
        let quiet = best_move.is_none_or(|m| !position.is_capture(m) && m.promotion().is_none());
        let says_more = match bound {
            Bound::Exact => true,
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
        };
        if !node.danger && quiet && says_more && !is_decisive(best) {
            self.histories.learn_correction(position, node.depth, best - eval);
        }
    }
}

/// What to do with a move that looks bad.
enum Hope {
    Search,
    Skip,
    SkipQuiets,
}

/// What the search without the table's move said.
enum Singular {
    /// Plies to search it deeper.
    Extend(i32),
    /// The node's score: several moves beat beta.
    Cut(i32),
}

/// Reverse futility: the evaluation is so far above beta that a few plies will not change it. Not in
/// danger, where the evaluation means nothing.
fn reverse_futility(eval: i32, beta: i32, depth: i32, improving: bool) -> Option<i32> {
    let margin = params::reverse_futility() * (depth - i32::from(improving));
    (depth <= params::REVERSE_FUTILITY_DEPTH && !is_decisive(beta) && eval - margin >= beta)
        .then_some((eval + beta) / 2)
}

/// Chess only: dead material, and a hundred plies without capture or pawn's move unless they mate.
fn chess_draw(position: &Position, ply: usize) -> Option<i32> {
    if position.dead().is_some() {
        return Some(DRAW);
    }
    if position.halfmove_clock() < 100 {
        return None;
    }
    position.outcome().map(|outcome| of_outcome(outcome, position.side_to_move(), ply))
}

/// Chess only: the table knows nothing of the clock, and a draw by it may be near.
fn near_fifty_moves(position: &Position) -> bool {
    position.halfmove_clock() >= 90 && position.edition().has_draws()
}

/// Whether the table's score says more about the value than `eval`.
pub(super) fn is_bound_beyond(hit: &Hit, eval: i32) -> bool {
    match hit.bound {
        Bound::Exact => true,
        Bound::Lower => hit.score > eval,
        Bound::Upper => hit.score < eval,
    }
}
