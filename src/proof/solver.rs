//! The solver: the shortest forced win of the side to move, the *attacker*, against every defence.
//!
//! "Does the attacker win within n plies?" is asked for n = 1, 2, 3, …, and answered by searching all
//! legal moves of both sides, the suicidal ones included; the first yes is the shortest win. There is no
//! evaluation and no pruning but the stop at the first refutation, so the answer is exact, if the table
//! that spares repeated work tells nothing false. A position may be reached in many ways, and the
//! repetition rule makes its result hang on the way. Here is why the table can be trusted.
//!
//! **What hangs on the way.** The rule asks one thing of the past: has the position that a move
//! brings stood twice? Three cases:
//!
//! 1. It stood twice in the game before the root. That is the same whichever way it is reached: a fact
//!    of the root, like a wall. Both passes below know it.
//! 2. It stood once before the root and once in the line searched, or
//! 3. twice in the line. A position comes back after four plies at the earliest (two moves of
//!    each side), so case 3 takes eight plies from a root without a past, and case 2 five from one with.
//!
//! **The plain pass** leaves 2 and 3 out. Its answers hang on the position and n alone and may be stored
//! without more. *A win that it finds is a win:* let the attacker always play for the shortest plain
//! win. The plain distance then falls at every turn, so no position comes twice in any line, none
//! stands more than once beside its occurrence in the game, and cases 2 and 3 never arise. *What it
//! finds no win for* may still be won, by a defender who must repeat. So below eight (five) plies the
//! plain pass is everything, and from there on the second pass follows when the first says no.
//! (The rule takes two positions for one whose en passant or castling differ. An en passant chance comes
//! once, with a double step that nothing undoes, so that makes two occurrences at most. Castling rights go
//! one by one: while the root has any, the plain pass is left out as soon as it might err.)
//!
//! **The full pass** counts occurrences in the line as the game does. The key of an entry is then
//! the position and, for every position D of the line, how often D has stood, provided that this can
//! matter within the plies left: a D that stood twice can stand a third time once it is reached, a D
//! that stood once when it is reached and four plies have passed. How soon D can be reached is bounded from
//! below by the men that stand elsewhere: a move displaces at most two. Whatever is left
//! out of the key cannot change the answer, since no line so short can bring that third occurrence;
//! whatever is in it is equal for all who share the entry. How often D stood in the game itself is the
//! same for all lines and needs no place in the key. Where nothing in the line or the game can
//! matter, both passes mean the same and share the entry.
//!
//! An entry says "wins within a" or "does not win within b", and is used for more plies than a and fewer
//! than b. For the full pass too: if the same set of past positions matters at a and at n > a, a win
//! within a is a win within n; and if b > n, then what matters at n was among what mattered at b, and
//! equal keys mean that it is all of it.
//!
//! The winning tree needs no trust: whoever walks it (see [`Solver::best`]) plays every move by the
//! rules and sees the end with his own eyes. That there is *no* win rests on 96 bits telling positions apart.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::zobrist::splitmix;
use crate::board::{Bitboard, Color, PieceKind, attacks};
use crate::rules::{
    CastlingRights, Edition, GameRecord, Move, MoveList, Outcome, Position, goal_rank,
};

use super::memory::{Key, Memory};

/// Plies after which a position can come back at the earliest.
const RETURN: u32 = 4;

/// Mixed into the key of what only the full pass knows.
const FULL: u64 = 0x6a09_e667_f3bc_c908;

/// Nodes between two looks at the stop flag.
const POLL_INTERVAL: u64 = 4096;

/// What a search for a win has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The attacker wins in so many plies, and not sooner.
    Win(u32),
    /// There is no win within so many plies.
    NoWin(u32),
    /// The search was told to stop; there is no win within so many plies, beyond them nothing is known.
    Stopped(u32),
}

/// A position of the line that is searched.
#[derive(Clone, Copy)]
struct Stood {
    position: Position,
    key: u64,
    /// How often it has stood with this time, the game included.
    times: u32,
    /// The first place of the line whose position can still come back.
    since: usize,
}

/// Which repetitions are counted; see the top of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Plain,
    Full,
}

/// A search for the shortest win in one game. After [`Solver::solve`] has found it, the winning tree
/// can be walked by [`Solver::best`], [`Solver::play`] and [`Solver::undo`].
pub struct Solver<'a> {
    attacker: Color,
    /// The positions of the game that can come back, the root the last of them.
    past: Vec<Position>,
    /// How often each has stood.
    past_times: HashMap<u64, u32>,
    /// Whether one of them has stood twice.
    past_twice: bool,
    pass: Pass,
    /// From the position after the root's move to the current one.
    line: Vec<Stood>,
    /// How many positions of the line stood for the second time.
    twice_in_line: u32,
    /// The last refutation at each number of plies left.
    refutations: Vec<Option<Move>>,
    memory: Memory,
    stop: &'a AtomicBool,
    stopped: bool,
    nodes: u64,
}

impl<'a> Solver<'a> {
    /// A solver of a game that is not over, with a table of so many MiB. It gives up soon after `stop` is set.
    pub fn new(game: &GameRecord, mebibytes: usize, stop: &'a AtomicBool) -> Solver<'a> {
        let mut position = *game.start();
        let mut past = vec![position];
        for &m in game.moves() {
            if position.is_irreversible(m) {
                past.clear();
            }
            position = position.play(m);
            past.push(position);
        }
        let mut past_times = HashMap::new();
        for position in &past {
            *past_times.entry(position.repetition_key()).or_insert(0) += 1;
        }
        Solver {
            attacker: position.side_to_move(),
            past_twice: past_times.values().any(|&times| times >= 2),
            past,
            past_times,
            pass: Pass::Plain,
            line: Vec::new(),
            twice_in_line: 0,
            refutations: Vec::new(),
            memory: Memory::new(mebibytes),
            stop,
            stopped: false,
            nodes: 0,
        }
    }

    /// Positions looked at so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for the shortest win within `limit` plies. `tell` hears after each number of plies that there
    /// is no win within it, and the positions looked at so far.
    pub fn solve(&mut self, limit: u32, mut tell: impl FnMut(u32, u64)) -> Answer {
        for plies in 1..=limit {
            for pass in self.passes(plies) {
                self.pass = pass;
                if self.wins_within(plies) {
                    return Answer::Win(plies);
                }
                if self.stopped {
                    return Answer::Stopped(plies - 1);
                }
            }
            tell(plies, self.nodes);
        }
        Answer::NoWin(limit)
    }

    /// The passes that can find a win in exactly so many plies.
    fn passes(&self, plies: u32) -> impl Iterator<Item = Pass> + use<> {
        let edition = self.edition();
        // On an even ply the loser's own move ends the game: by a repetition, or in the earlier edition by
        // letting a King on its goal rank go unattacked.
        let plain = plies % 2 == 1 || self.past_twice || edition == Edition::Classic;
        let soonest = if self.past.len() > 1 { RETURN + 1 } else { 2 * RETURN };
        // In chess a repetition never wins, and castling rights tell positions apart.
        let full = plies >= soonest && !edition.has_draws();
        let plain = plain && !(full && self.position().castling() != CastlingRights::NONE);
        let passes = [plain.then_some(Pass::Plain), full.then_some(Pass::Full)];
        passes.into_iter().flatten()
    }

    fn edition(&self) -> Edition {
        self.position().edition()
    }

    /// Where the solver stands: at the root, or where [`Solver::play`] has led.
    pub fn position(&self) -> &Position {
        match self.line.last() {
            Some(stood) => &stood.position,
            // The past holds the root.
            None => &self.past[self.past.len() - 1],
        }
    }

    /// Goes on by a legal move that does not end the game.
    pub fn play(&mut self, m: Move) {
        let before = *self.position();
        self.push(&before, m, before.play(m));
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        if let Some(stood) = self.line.pop()
            && stood.times >= 2
        {
            self.twice_in_line -= 1;
        }
    }

    /// The shortest win of the attacker, who is to move, within `limit` plies: its first move and its plies.
    pub fn best(&mut self, limit: u32) -> Option<(Move, u32)> {
        let plies = (1..=limit).find(|&plies| self.wins_within(plies))?;
        self.winners(plies).next().map(|m| (m, plies))
    }

    /// The moves with which the attacker, who is to move, wins within `plies`, worked out one by one.
    pub fn winners(&mut self, plies: u32) -> impl Iterator<Item = Move> {
        let position = *self.position();
        self.make_room(plies);
        position.legal_moves().into_iter().filter(move |&m| self.wins_by(&position, m, plies))
    }

    fn wins_within(&mut self, plies: u32) -> bool {
        self.make_room(plies);
        let position = *self.position();
        let wins = self.wins(&position, plies);
        wins && !self.stopped
    }

    fn make_room(&mut self, plies: u32) {
        let places = self.refutations.len().max(plies as usize + 1);
        self.refutations.resize(places, None);
    }

    /// Whether the attacker, to move, wins within `plies`, at least one. Of no meaning once stopped.
    fn wins(&mut self, position: &Position, plies: u32) -> bool {
        self.count_node();
        if position.winning_move().is_some() {
            return true;
        }
        if plies == 1 && !self.may_win_otherwise(position) {
            return false;
        }
        self.remembered(position, plies, |solver, hint| {
            let moves = solver.attacking_moves(position, plies, hint);
            let winner = moves.into_iter().find(|&m| solver.wins_by(position, m, plies));
            (winner.is_some(), winner)
        })
    }

    fn wins_by(&mut self, position: &Position, m: Move, plies: u32) -> bool {
        let after = position.play(m);
        match self.end(position, m, &after) {
            Some(outcome) => outcome.winner == Some(self.attacker),
            None => {
                plies > 1
                    && !self.stopped
                    && self.one_on(position, m, after, |solver| solver.loses(&after, plies - 1))
            }
        }
    }

    /// Whether the attacker wins within `plies`, at least one, whatever the other side, to move, does.
    fn loses(&mut self, position: &Position, plies: u32) -> bool {
        self.count_node();
        if position.winning_move().is_some() {
            return false;
        }
        self.remembered(position, plies, |solver, hint| {
            let mut moves = position.moves();
            put_first(&mut moves, solver.refutations[plies as usize]);
            put_first(&mut moves, hint);
            let refutation = moves.into_iter().find(|&m| {
                let after = position.play(m);
                let lost = match solver.end(position, m, &after) {
                    Some(outcome) => outcome.winner == Some(solver.attacker),
                    None => {
                        plies > 1
                            && solver
                                .one_on(position, m, after, |solver| solver.wins(&after, plies - 1))
                    }
                };
                !lost || solver.stopped
            });
            if refutation.is_some() {
                solver.refutations[plies as usize] = refutation;
            }
            (refutation.is_none(), refutation)
        })
    }

    /// The result of a move, in the order of judgement; which repetitions count is the pass's to say.
    fn end(&self, before: &Position, m: Move, after: &Position) -> Option<Outcome> {
        if after.edition().has_draws() {
            let third = || self.is_third(before, m, after).then(|| before.repetition_outcome());
            return after.outcome().or_else(third);
        }
        after.finished().or_else(|| {
            if self.is_third(before, m, after) {
                Some(before.repetition_outcome())
            } else if has_room(after, after.side_to_move()) {
                None
            } else {
                after.outcome()
            }
        })
    }

    /// Whether the move makes a position stand for the third time, as far as this pass counts.
    fn is_third(&self, before: &Position, m: Move, after: &Position) -> bool {
        let counts = self.past_twice || (self.pass == Pass::Full && !self.line.is_empty());
        counts && !before.is_irreversible(m) && self.times(after.repetition_key()) >= 2
    }

    /// How often a position has stood, as far as this pass counts.
    fn times(&self, key: u64) -> u32 {
        let past = self.past_times.get(&key).copied().unwrap_or(0);
        if self.pass == Pass::Plain {
            return past;
        }
        let since = self.line.last().map_or(0, |stood| stood.since);
        let in_line = self.line.iter().skip(since).filter(|stood| stood.key == key).count();
        past + in_line as u32
    }

    fn push(&mut self, before: &Position, m: Move, after: Position) {
        let key = after.repetition_key();
        let now = self.line.len();
        let since = self.line.last().map_or(0, |stood| stood.since);
        let irreversible = before.is_irreversible(m);
        let since = if irreversible { now } else { since };
        let times = if irreversible || self.pass == Pass::Plain { 1 } else { self.times(key) + 1 };
        self.twice_in_line += u32::from(times >= 2);
        self.line.push(Stood { position: after, key, times, since });
    }

    fn one_on(
        &mut self,
        before: &Position,
        m: Move,
        after: Position,
        ask: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        self.push(before, m, after);
        let answer = ask(self);
        self.undo();
        answer
    }

    /// Whether the attacker, to move, may win at once though [`Position::winning_move`] knows no way: by
    /// mate in chess, by a repetition, by leaving the other side without a move, by shielding a King
    /// that stands on its goal rank.
    fn may_win_otherwise(&self, position: &Position) -> bool {
        let us = position.side_to_move();
        position.edition().has_draws()
            || self.past_twice
            || self.twice_in_line > 0
            || !has_room(position, !us)
            || position.king(us).is_some_and(|king| goal_rank(us).has(king))
    }

    /// Asks the table, else finds out (with a move to try first) and tells the table.
    fn remembered(
        &mut self,
        position: &Position,
        plies: u32,
        find_out: impl FnOnce(&mut Self, Option<Move>) -> (bool, Option<Move>),
    ) -> bool {
        let key = self.key(position, plies);
        let known = self.memory.probe(key, plies);
        if let Some(answer) = known.answer {
            return answer;
        }
        let (wins, best) = find_out(self, known.best);
        if !self.stopped {
            self.memory.store(key, plies, wins, best);
        }
        wins
    }

    /// The position with what can matter of its past within so many plies.
    fn key(&self, position: &Position, plies: u32) -> Key {
        let mut main = position.table_key();
        if self.pass == Pass::Full {
            main ^= self.what_matters(position, plies);
        }
        let clock = u32::from(position.halfmove_clock());
        if position.edition().has_draws() && clock + plies >= 100 {
            main ^= splitmix(u64::from(clock) ^ FULL);
        }
        let mut check = 0u64;
        for kind in PieceKind::ALL {
            check = (check ^ position.pieces(kind).0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            check ^= check >> 29;
        }
        check = (check ^ position.color(Color::White).0).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Key { main, check: (check >> 32) as u32 }
    }

    /// Zero if no third occurrence that the full pass alone would see can come within so many plies.
    fn what_matters(&self, position: &Position, plies: u32) -> u64 {
        if plies <= RETURN && self.twice_in_line == 0 {
            return 0;
        }
        let may_return = |earlier: &Position, times: u32| {
            let way = way_back(position, earlier);
            way.is_some_and(|way| way + if times >= 2 { 0 } else { RETURN } <= plies)
        };
        let since = self.line.last().map_or(0, |stood| stood.since);
        let mut matters = 0;
        for stood in self.line.iter().skip(since) {
            if may_return(&stood.position, stood.times) {
                matters ^= splitmix(stood.key ^ splitmix(u64::from(stood.times)));
            }
        }
        // What stood twice in the game is known to both passes.
        let past_matters = || since == 0 && self.past.iter().any(|earlier| may_return(earlier, 1));
        if matters != 0 || past_matters() { matters ^ FULL } else { 0 }
    }

    /// All moves, those first that leave the other side something to parry; few others win so soon.
    fn attacking_moves(&self, position: &Position, plies: u32, hint: Option<Move>) -> MoveList {
        let mut moves = position.moves();
        if plies >= 3 {
            let mut front = 0;
            for i in 0..moves.len() {
                if position.play(moves[i]).in_danger() {
                    moves.swap(front, i);
                    front += 1;
                }
            }
        }
        put_first(&mut moves, hint);
        moves
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) && self.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        }
    }
}

fn put_first(moves: &mut MoveList, first: Option<Move>) {
    if let Some(index) = moves.iter().position(|&m| Some(m) == first) {
        moves[..=index].rotate_right(1);
    }
}

/// Whether the King of a side has two neighbouring squares to go to, so that this side has a move now and,
/// whatever the other side plays, after that too. Of no use in chess.
fn has_room(position: &Position, color: Color) -> bool {
    let Some(king) = position.king(color) else { return false };
    let room = attacks::king(king) & !position.color(color) & !position.pieces(PieceKind::King);
    room.many()
}

/// How many plies it takes at least to get from a position to an earlier one (four back to itself);
/// `None` if that is impossible.
fn way_back(from: &Position, to: &Position) -> Option<u32> {
    if from.occupied().count() != to.occupied().count()
        || from.pieces(PieceKind::Pawn).count() != to.pieces(PieceKind::Pawn).count()
    {
        return None;
    }
    if from.repetition_key() == to.repetition_key() {
        return Some(RETURN);
    }
    let displaced = |color| -> u32 {
        let arrived = |kind| to.of(color, kind) & !from.of(color, kind);
        PieceKind::ALL.into_iter().map(|kind| Bitboard::count(arrived(kind))).sum()
    };
    let us = from.side_to_move();
    let moves = |color| displaced(color).div_ceil(2);
    Some(if to.side_to_move() == us {
        2 * moves(us).max(moves(!us)).max(1)
    } else {
        (2 * moves(us)).max(2 * moves(!us) + 2) - 1
    })
}
