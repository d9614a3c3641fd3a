//! In which order a node's moves are tried: the table's move, captures that do not lose material, the
//! killers and the other quiet moves by their history, by threats left and entered and by checks, the captures that lose.
//!
//! Moves are generated as late as possible, since most nodes are decided by the first. A winning move
//! is never asked for here: the search has seen it before.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, PieceKind, attacks};
use crate::rules::{MAX_MOVES, Move, Position};

use super::history::{Before, Histories};
use super::params;
use super::see;

/// Two quiet moves that were good in sister nodes.
pub type Killers = [Option<Move>; 2];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// A move and its rank in the order.
#[derive(Clone, Copy)]
struct Ranked {
    rank: i32,
    m: Move,
}

/// Yields the moves of one node.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: Killers,
    before: Before,
    quiets: bool,
    /// Noisy moves first; those found to lose material are moved to the front, before `bad`.
    moves: ArrayVec<Ranked, MAX_MOVES>,
    next: usize,
    bad: ArrayVec<Move, 64>,
    next_bad: usize,
}

impl Picker {
    /// All moves. The table's move must be legal.
    pub fn new(table_move: Option<Move>, killers: Killers, before: Before) -> Picker {
        Picker {
            stage: if table_move.is_some() { Stage::Table } else { Stage::GenerateNoisy },
            table_move,
            killers,
            before,
            quiets: true,
            moves: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Captures and promotions only, those that lose material last.
    pub fn noisy(table_move: Option<Move>) -> Picker {
        Picker { quiets: false, ..Picker::new(table_move, [None; 2], [None; 3]) }
    }

    /// No quiet move from here on.
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
        if matches!(self.stage, Stage::GenerateQuiet | Stage::Quiet) {
            self.stage = Stage::BadNoisy;
        }
    }

    /// The next move, and whether it is a capture or a promotion.
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    return self.table_move;
                }
                Stage::GenerateNoisy => {
                    self.rank_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.best() {
                    None => {
                        self.stage =
                            if self.quiets { Stage::GenerateQuiet } else { Stage::BadNoisy }
                    }
                    Some(Ranked { rank, m }) => {
                        // A capture with a good history may lose a little and still come early.
                        if see::at_least(position, m, -rank / 32) || self.bad.is_full() {
                            return Some(m);
                        }
                        self.bad.push(m);
                    }
                },
                Stage::GenerateQuiet => {
                    self.rank_quiets(position, histories);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best() {
                    None => self.stage = Stage::BadNoisy,
                    Some(Ranked { m, .. }) => return Some(m),
                },
                Stage::BadNoisy => {
                    let m = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether the moves that come now are those that lose material.
    pub fn is_bad(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    fn rank_noisy(&mut self, position: &Position, histories: &Histories) {
        let side = position.side_to_move();
        self.moves.clear();
        self.next = 0;
        for m in position.noisy_moves() {
            if Some(m) == self.table_move {
                continue;
            }
            let piece = position.moved(m);
            let taken = position.captured(m);
            let gain = taken.map_or(0, see::value) + m.promotion().map_or(0, see::value);
            let history = histories.capture(side, piece, m, taken.unwrap_or(PieceKind::King));
            let rank = 7 * gain + history / 4;
            self.moves.push(Ranked { rank, m });
        }
    }

    fn rank_quiets(&mut self, position: &Position, histories: &Histories) {
        let side = position.side_to_move();
        self.moves.clear();
        self.next = 0;
        let threats = Threats::of(position);
        let checks = Checks::of(position);
        for m in position.quiet_moves() {
            if Some(m) == self.table_move {
                continue;
            }
            let killer = match self.killers.iter().position(|&k| k == Some(m)) {
                Some(0) => 40_000,
                Some(_) => 30_000,
                None => 0,
            };
            let piece = position.moved(m);
            let rank = killer
                + params::threat() * threats.relief(piece, m)
                + params::check() * i32::from(checks.has(piece, m))
                + histories.quiet(side, piece, m, &self.before);
            self.moves.push(Ranked { rank, m });
        }
    }

    /// Takes the best of the moves that are left: a selection sort, one step a call.
    fn best(&mut self) -> Option<Ranked> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        let mut rank = rest.first()?.rank;
        for (i, other) in rest.iter().enumerate() {
            if other.rank > rank {
                (best, rank) = (i, other.rank);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        rest.first().copied()
    }
}

/// From where each kind of piece of the side to move would attack the enemy King.
struct Checks([Bitboard; 6]);

impl Checks {
    fn of(position: &Position) -> Checks {
        let them = !position.side_to_move();
        let mut from = [Bitboard::EMPTY; 6];
        if let Some(king) = position.king(them) {
            let occupied = position.occupied();
            let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
            from[PieceKind::Pawn as usize] = attacks::pawns(them, Bitboard::of(king));
            from[PieceKind::Knight as usize] = attacks::knight(king);
            from[PieceKind::Bishop as usize] = bishop;
            from[PieceKind::Rook as usize] = rook;
            from[PieceKind::Queen as usize] = bishop | rook;
        }
        Checks(from)
    }

    /// Whether the piece that moves will attack the King; what its move uncovers is not seen.
    fn has(&self, piece: PieceKind, m: Move) -> bool {
        self.0[piece as usize].has(m.to())
    }
}

/// The squares where a piece of the side to move stands to be taken by a cheaper one.
struct Threats {
    by_pawns: Bitboard,
    /// By pawns, Knights and Bishops.
    by_minors: Bitboard,
    /// By all but Queens and the King.
    by_rooks: Bitboard,
}

impl Threats {
    fn of(position: &Position) -> Threats {
        let them = !position.side_to_move();
        let occupied = position.occupied();
        let all = |kind, attacks: &dyn Fn(_) -> Bitboard| {
            position
                .of(them, kind)
                .into_iter()
                .fold(Bitboard::EMPTY, |all, from| all | attacks(from))
        };
        let by_pawns = attacks::pawns(them, position.of(them, PieceKind::Pawn));
        let by_minors = by_pawns
            | all(PieceKind::Knight, &attacks::knight)
            | all(PieceKind::Bishop, &|from| attacks::bishop(from, occupied));
        let by_rooks = by_minors | all(PieceKind::Rook, &|from| attacks::rook(from, occupied));
        Threats { by_pawns, by_minors, by_rooks }
    }

    /// 1 if the move takes the piece out of a threat, −1 if into one, 0 if neither or both.
    fn relief(&self, piece: PieceKind, m: Move) -> i32 {
        let threatened = match piece {
            PieceKind::Knight | PieceKind::Bishop => self.by_pawns,
            PieceKind::Rook => self.by_minors,
            PieceKind::Queen => self.by_rooks,
            PieceKind::Pawn | PieceKind::King => return 0,
        };
        i32::from(threatened.has(m.from())) - i32::from(threatened.has(m.to()))
    }
}
