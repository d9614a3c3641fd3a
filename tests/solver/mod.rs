//! Exhaustive proof of forced wins: every move of both sides, the game's history included.
//!
//! Not the engine's search: no evaluation, no table that may be overwritten, no pruning but the stop
//! at the first refutation. It asks the rules for moves and results and nothing else; where a short
//! cut is taken, it is one that is always right, and a test holds it against the long way.

#![allow(dead_code)] // each user takes its part

use std::collections::HashMap;

use usurper::board::{Color, PieceKind, attacks};
use usurper::rules::{GameRecord, Move, MoveList, Outcome, Position, Reason, goal_rank};

/// Proves wins of the side to move at the root, the *attacker*.
pub struct Solver {
    root: Position,
    attacker: Color,
    /// Repetition keys from the game's start to the position looked at.
    keys: Vec<u64>,
    /// Whether what is proven for a position holds however it was reached. A third repetition takes
    /// eight plies from a root without history, so up to seven it does.
    memo: Option<HashMap<(u64, u32), bool>>,
    /// The last refutation at each number of plies left, tried first.
    refutations: [Option<Move>; Solver::DEEPEST as usize + 1],
    /// Positions looked at.
    pub nodes: u64,
}

impl Solver {
    /// The most plies that may be asked for.
    pub const DEEPEST: u32 = 7;

    /// A solver of a game that is not over.
    pub fn new(game: &GameRecord) -> Solver {
        assert_eq!(game.outcome(), None);
        Solver {
            root: *game.position(),
            attacker: game.position().side_to_move(),
            keys: game.keys().to_vec(),
            memo: game.moves().is_empty().then(HashMap::new),
            refutations: [None; Solver::DEEPEST as usize + 1],
            nodes: 0,
        }
    }

    /// The plies of the shortest forced win, up to `limit`; an even number where the enemy's own move
    /// must end the game.
    pub fn distance(&mut self, limit: u32) -> Option<u32> {
        assert!(limit <= Solver::DEEPEST);
        let root = self.root;
        (1..=limit).find(|&plies| self.attacks(&root, plies))
    }

    /// All moves that force a win within that many plies.
    pub fn winners(&mut self, plies: u32) -> Vec<Move> {
        let root = self.root;
        let moves = root.legal_moves();
        moves.into_iter().filter(|&m| self.wins_by(&root, m, plies)).collect()
    }

    /// Whether the attacker, to move, forces a win within `plies`.
    fn attacks(&mut self, position: &Position, plies: u32) -> bool {
        self.nodes += 1;
        if position.winning_move().is_some() {
            return true;
        }
        if plies == 1 && self.memo.is_some() && !wins_otherwise(position) {
            return false;
        }
        self.remembered(position, plies, |solver| {
            solver.ordered(position, plies).into_iter().any(|m| {
                let wins = solver.wins_by(position, m, plies);
                if wins {
                    solver.refutations[plies as usize] = Some(m);
                }
                wins
            })
        })
    }

    fn wins_by(&mut self, position: &Position, m: Move, plies: u32) -> bool {
        let after = position.play(m);
        match self.outcome(position, &after) {
            Some(outcome) => outcome.winner == Some(self.attacker),
            None => plies > 1 && self.one_on(&after, |solver| solver.holds(&after, plies - 1)),
        }
    }

    /// Whether the attacker wins within `plies` whatever the enemy, to move, does.
    fn holds(&mut self, position: &Position, plies: u32) -> bool {
        self.nodes += 1;
        // Most often there is a way out in one move; the rules' answer spares playing all of them.
        if position.winning_move().is_some() {
            return false;
        }
        self.remembered(position, plies, |solver| {
            solver.ordered(position, plies).into_iter().all(|m| {
                let after = position.play(m);
                let lost = match solver.outcome(position, &after) {
                    Some(outcome) => outcome.winner == Some(solver.attacker),
                    None => {
                        plies > 1
                            && solver.one_on(&after, |solver| solver.attacks(&after, plies - 1))
                    }
                };
                if !lost {
                    solver.refutations[plies as usize] = Some(m);
                }
                lost
            })
        })
    }

    /// All legal moves, the last one that settled matters at this depth first.
    fn ordered(&self, position: &Position, plies: u32) -> MoveList {
        let mut moves = position.legal_moves();
        let first = self.refutations[plies as usize];
        if let Some(index) = moves.iter().position(|&m| Some(m) == first) {
            moves.swap(0, index);
        }
        moves
    }

    fn one_on(&mut self, after: &Position, ask: impl FnOnce(&mut Solver) -> bool) -> bool {
        self.keys.push(after.repetition_key());
        let answer = ask(self);
        self.keys.pop();
        answer
    }

    fn remembered(
        &mut self,
        position: &Position,
        plies: u32,
        ask: impl FnOnce(&mut Solver) -> bool,
    ) -> bool {
        let key = (position.table_key(), plies);
        if let Some(&known) = self.memo.as_ref().and_then(|memo| memo.get(&key)) {
            return known;
        }
        let answer = ask(self);
        if plies > 2
            && let Some(memo) = &mut self.memo
        {
            memo.insert(key, answer);
        }
        answer
    }

    /// The result of a move that led from `before` to `after`, in the order of judgement.
    fn outcome(&self, before: &Position, after: &Position) -> Option<Outcome> {
        after.finished().or_else(|| {
            let key = after.repetition_key();
            // A game without history cannot repeat within so few plies.
            if self.memo.is_none() && self.keys.iter().filter(|&&k| k == key).count() >= 2 {
                return Some(before.repetition_outcome());
            }
            if king_has_room(after, after.side_to_move()) { None } else { after.outcome() }
        })
    }
}

/// Whether the King of a side has a neighbouring square free of own men, so that this side has a move
/// now and, whatever the other side plays, after that too.
fn king_has_room(position: &Position, color: Color) -> bool {
    let Some(king) = position.king(color) else { return false };
    let room = attacks::king(king) & !position.color(color) & !position.pieces(PieceKind::King);
    room.many()
}

/// Whether the side to move, of a game without history, may have a move that wins at once though
/// [`Position::winning_move`] knows none: by leaving the enemy without a move, or in the earlier edition
/// by shielding the own King on its goal rank.
fn wins_otherwise(position: &Position) -> bool {
    let us = position.side_to_move();
    let at_goal = position.king(us).is_some_and(|king| goal_rank(us).has(king));
    at_goal || !king_has_room(position, !us)
}

/// How a won game is won, for the variety of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The King is taken at once.
    Capture,
    /// The King arrives by a step.
    ConquestStep,
    /// The King arrives by a capture.
    ConquestCapture,
    /// The King arrives by an Escort.
    ConquestEscort,
    /// The enemy, his King attacked, has only moves that leave it so.
    Mate,
    /// The enemy, threatened with a conquest, exposes his King by stopping it.
    Threat,
    /// The enemy is not even threatened, but every move exposes his King or lets the other in.
    Zugzwang,
    /// The enemy has no move.
    NoMoves,
    /// What was played before decides: without it the win would not be there.
    Repetition,
}

impl Kind {
    /// The name in a file.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Capture => "capture",
            Kind::ConquestStep => "conquest-step",
            Kind::ConquestCapture => "conquest-capture",
            Kind::ConquestEscort => "conquest-escort",
            Kind::Mate => "mate",
            Kind::Threat => "threat",
            Kind::Zugzwang => "zugzwang",
            Kind::NoMoves => "no-moves",
            Kind::Repetition => "repetition",
        }
    }
}

/// The kind of a win in `plies`: by its last moves when the enemy holds out as long as he can.
pub fn kind(game: &GameRecord, plies: u32) -> Kind {
    if !game.moves().is_empty() {
        let forgotten = GameRecord::new(*game.position());
        if Solver::new(&forgotten).distance(plies).is_none() {
            return Kind::Repetition;
        }
    }
    // Without a history, none comes about in so few plies that could matter, and forgetting is faster.
    let forget = game.moves().is_empty();
    let solver = |game: &GameRecord| {
        if forget { Solver::new(&GameRecord::new(*game.position())) } else { Solver::new(game) }
    };
    let (mut game, mut plies) = (game.clone(), plies);
    let mut threatened = None;
    loop {
        let position = *game.position();
        let m = solver(&game).winners(plies)[0];
        game.play(m).expect("a legal move");
        if let Some(outcome) = game.outcome() {
            let arrival = if position.is_capture(m) {
                Kind::ConquestCapture
            } else if m.kind() == usurper::rules::MoveKind::Escort {
                Kind::ConquestEscort
            } else {
                Kind::ConquestStep
            };
            return match (outcome.reason, threatened) {
                (Reason::Repetition, _) => Kind::Repetition,
                (Reason::NoMoves, _) => Kind::NoMoves,
                (Reason::Capture, None) => Kind::Capture,
                (Reason::Capture, Some((true, _))) => Kind::Mate,
                (Reason::Capture, Some((false, true))) => Kind::Threat,
                (_, Some((_, false))) => Kind::Zugzwang,
                _ => arrival,
            };
        }
        let enemy = *game.position();
        threatened = Some((enemy.in_check(), enemy.in_danger()));
        // The reply that puts the end off longest.
        let replies = enemy.legal_moves().into_iter().map(|reply| {
            let mut next = game.clone();
            next.play(reply).expect("a legal move");
            let left = match next.outcome() {
                Some(_) => 0,
                None => solver(&next).distance(plies - 2).expect("a won game"),
            };
            (left, next)
        });
        let (left, next) = replies.max_by_key(|&(left, _)| left).expect("a move");
        if let Some(outcome) = next.outcome() {
            assert_eq!(outcome.reason, Reason::Repetition, "how else should his own move end it?");
            return Kind::Repetition;
        }
        (game, plies) = (next, left);
    }
}
