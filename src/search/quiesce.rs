//! Quiescence: captures and promotions until the position is quiet; all moves when in danger.

use crate::rules::{Move, Position};

use super::node::is_bound_beyond;
use super::params;
use super::picker::Picker;
use super::score::{Bound, EVAL_LIMIT, INFINITE, MAX_PLY, is_decisive, is_proven, loss_in};
use super::see;
use super::table::Hit;
use super::worker::{Played, Worker};

impl Worker<'_> {
    /// The score of a position when only forcing moves are played. Out of danger the side to move may
    /// stand pat; in danger it must move, and a loss is claimed only when all moves lose. `plies` counts
    /// from where quiescence began: far from there danger is not looked at any more, and only what
    /// has just moved is captured, lest the lines never end.
    pub(super) fn quiesce<const PV: bool>(
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
        if let Some(score) = self.known::<PV>(position, ply) {
            return score;
        }
        let key = self.table_key(position);
        let hit = self.shared().table.probe(key, ply);
        if !PV
            && let Some(hit) = hit
            && hit.cuts(alpha, beta)
        {
            return hit.score;
        }
        let danger = self.frames[ply].danger && plies < params::ESCAPE_PLIES;
        if ply >= MAX_PLY {
            if danger {
                return 0;
            }
            let eval = self.raw_eval(position, ply, &hit);
            return self.corrected(position, eval);
        }
        let (old_alpha, mut best, mut best_move) = (alpha, -INFINITE, None);
        let mut raw = None;
        if !danger {
            let eval = self.raw_eval(position, ply, &hit);
            raw = Some(eval);
            best = self.corrected(position, eval);
            if let Some(hit) = hit
                && !is_decisive(hit.score)
                && is_bound_beyond(&hit, best)
            {
                best = hit.score;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let standing = best;
        let table_move = hit.and_then(|hit| Move::from_bits(hit.best)).filter(|&m| {
            let noisy = position.is_capture(m) || m.promotion().is_some();
            (danger || noisy) && position.is_legal(m)
        });
        let mut picker = if danger {
            Picker::new(table_move, [None; 2], self.before(ply))
        } else {
            Picker::noisy(table_move)
        };
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 1].excluded = None;
        let mut quiets = 0;
        let mut any = false;
        while let Some(m) = picker.next(position, self.histories) {
            any = true;
            if best > -EVAL_LIMIT {
                let late = plies >= params::RECAPTURE_PLIES && ply > 0;
                if picker.is_bad() {
                    break;
                }
                if late && self.frames[ply - 1].went_to != Some(m.to()) {
                    continue;
                }
                if danger {
                    let noisy = position.is_capture(m) || m.promotion().is_some();
                    quiets += usize::from(!noisy);
                    if quiets > params::QUIET_ESCAPES {
                        picker.skip_quiets();
                        continue;
                    }
                } else {
                    // Even with the piece won the score stays below alpha.
                    let gain = position.captured(m).map_or(0, see::value)
                        + m.promotion().map_or(0, see::value);
                    let hoped = standing + gain + params::delta();
                    if hoped <= alpha && !is_decisive(alpha) {
                        best = best.max(hoped);
                        continue;
                    }
                }
            }
            let score = match self.play(position, m, ply) {
                Played::Decided(score) => score,
                Played::Open(next) => {
                    let score = -self.quiesce::<PV>(&next, -beta, -alpha, ply + 1, plies + 1);
                    self.undo();
                    score
                }
            };
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if PV && (score > alpha || danger) {
                    self.update_pv(ply, m);
                }
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if danger && !any {
            return loss_in(ply);
        }
        if plies < params::ESCAPE_PLIES && (!is_decisive(best) || is_proven(best)) {
            let bound = Bound::of(best, old_alpha, beta);
            let hint = best_move.map_or(0, Move::bits);
            let hit = Hit { best: hint, score: best, eval: raw, depth: 0, bound, was_pv: PV };
            self.shared().table.store(key, ply, hit);
        }
        best
    }
}
