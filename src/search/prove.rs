//! Proof of short wins: a plain search of all moves for the shortest way to force the end.
//!
//! The main search guesses: it prunes and reduces, and where one side is far ahead every line looks
//! good enough, so that the shortest win may stay hidden behind a quiet move. This search guesses
//! nothing. It asks only "does the side to move win within so many plies?", so one refutation a
//! move is enough, and a few plies take thousands of nodes, not millions. Repetitions count as the game
//! would count them, the third occurrence and no earlier one. Since its answers may hang on the
//! path, it neither reads nor writes the table.

use crate::board::attacks;
use crate::rules::{Move, Position};

use super::params;
use super::picker::Picker;
use super::score::{MATE, MAX_PLY, is_proven, loss_in, win_in};
use super::worker::{Played, Worker};

/// Defenders with more men than this always have a move.
const MEN_THAT_MAY_BE_STUCK: u32 = 6;

impl Worker<'_> {
    /// Looks for a win of the root that is shorter than what is known, in growing steps and as the nodes
    /// searched so far warrant it. If there is one, the root's move is decided by it from now on.
    pub(super) fn prove_short_win(&mut self) {
        let best = &self.root_moves[0];
        let hopeful = best.score > params::PROOF_SCORE;
        let known = if is_proven(best.score) { (MATE - best.score) as usize } else { usize::MAX };
        for (plies, least_nodes) in params::PROOF_STEPS {
            // An even number of plies ends with the loser's own move: a repetition, which needs a past.
            if plies % 2 == 0 && !self.has_past() {
                continue;
            }
            let due =
                self.proof.tried < plies && self.nodes >= least_nodes.max(self.proof.retry_at);
            if !hopeful || plies >= known || !due || self.stopped {
                continue;
            }
            let budget = (self.nodes / 2).max(least_nodes);
            match self.prove(plies, budget) {
                Some(true) => {
                    self.proof.tried = MAX_PLY;
                    return;
                }
                Some(false) => self.proof.tried = plies,
                None => {
                    // Too much for now; again when twice as many nodes warrant twice the budget.
                    self.proof.retry_at = 2 * self.nodes;
                    return;
                }
            }
        }
    }

    /// Whether a move of the root wins within `plies`; `None` if the nodes did not suffice. A move
    /// that does is put first and decided.
    fn prove(&mut self, plies: usize, budget: u64) -> Option<bool> {
        let root = *self.game().position();
        self.proof.until = self.nodes + budget;
        self.proof.active = true;
        let mut found = None;
        for i in 0..self.root_moves.len() {
            if self.root_moves[i].decided.is_some() {
                continue; // no win, or it would have been seen
            }
            let m = self.root_moves[i].m;
            let won = match self.play(&root, m, 0) {
                Played::Decided(score) => score >= win_in(plies),
                Played::Open(next) => {
                    let won = self.loses_within(&next, 1, plies - 1);
                    self.undo();
                    won
                }
            };
            if self.proof_is_over() {
                break;
            }
            if won {
                found = Some(i);
                break;
            }
        }
        let complete = !self.proof_is_over();
        self.proof.active = false;
        if let Some(i) = found {
            let line = self.pv[1].clone();
            self.decide(i, win_in(line.len() + 1), line);
        }
        complete.then_some(found.is_some())
    }

    fn proof_is_over(&self) -> bool {
        self.stopped || self.nodes >= self.proof.until
    }

    /// Whether the side to move wins within `plies`, against any defence. The line is left in `pv`.
    fn wins_within(&mut self, position: &Position, ply: usize, plies: usize) -> bool {
        if let Some(score) = self.settled::<true>(position, ply) {
            return score >= win_in(ply + plies);
        }
        if plies == 0 || plies == 1 && !self.may_end_otherwise(position) {
            return false;
        }
        let mut picker = Picker::new(None, self.frames[ply].killers, self.before(ply));
        while let Some(m) = picker.next(position, self.histories) {
            let won = match self.play(position, m, ply) {
                Played::Decided(score) => score >= win_in(ply + plies),
                Played::Open(next) => {
                    let won = self.loses_within(&next, ply + 1, plies - 1);
                    self.undo();
                    won
                }
            };
            if self.proof_is_over() {
                return false;
            }
            if won {
                self.update_pv(ply, m);
                return true;
            }
        }
        false
    }

    /// Whether the side to move loses within `plies`, whatever it does. The longest defence is left in
    /// `pv`.
    fn loses_within(&mut self, position: &Position, ply: usize, plies: usize) -> bool {
        if let Some(score) = self.settled::<true>(position, ply) {
            return score <= loss_in(ply + plies);
        }
        if plies == 0 {
            return self.is_stuck(position, ply);
        }
        let mut picker = Picker::new(None, self.frames[ply].killers, self.before(ply));
        let mut longest: Option<(usize, Move, Vec<Move>)> = None;
        let mut any = false;
        while let Some(m) = picker.next(position, self.histories) {
            any = true;
            let lost = match self.play(position, m, ply) {
                Played::Decided(score) => score <= loss_in(ply + plies),
                Played::Open(next) => {
                    let lost = self.wins_within(&next, ply + 1, plies - 1);
                    self.undo();
                    lost
                }
            };
            if self.proof_is_over() {
                return false;
            }
            if !lost {
                // What refutes this move of the attacker may refute the next.
                self.frames[ply].killers[0] = Some(m);
                return false;
            }
            let line = &self.pv[ply + 1];
            if longest.as_ref().is_none_or(|(length, ..)| line.len() > *length) {
                longest = Some((line.len(), m, line.clone()));
            }
        }
        if !any {
            return self.is_stuck(position, ply);
        }
        if let Some((_, m, line)) = longest {
            self.pv[ply + 1] = line;
            self.update_pv(ply, m);
        }
        true
    }

    /// Whether the side to move might win with a move that is neither a safe arrival nor takes the King: by leaving the enemy
    /// without a move, or by a repetition. A King may step wherever no own man stands, attacked or not, and no move of the
    /// other side puts one there.
    fn may_end_otherwise(&self, position: &Position) -> bool {
        let them = !position.side_to_move();
        let walled_in = position
            .king(them)
            .is_none_or(|king| (attacks::king(king) & !position.color(them)).is_empty());
        position.edition().has_draws() || walled_in || self.has_past()
    }

    /// Whether the side to move has lost for want of a move.
    fn is_stuck(&self, position: &Position, ply: usize) -> bool {
        let chess = position.edition().has_draws();
        let lost = !chess || self.frames[ply].danger;
        let men = position.color(position.side_to_move()).count();
        let possible = chess || men <= MEN_THAT_MAY_BE_STUCK;
        lost && possible && position.legal_move_count() == 0
    }
}
