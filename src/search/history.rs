//! What a worker learns about moves while it searches: which were good, wherever they are played.
//!
//! One set a worker, kept from move to move, so no sharing and no locks. All values stay within
//! ±[`HISTORY_LIMIT`] by "gravity": a bonus counts less the nearer the value is to the limit.

use crate::board::{Color, PieceKind, Square};
use crate::rules::{Move, Position};

use super::params::{CORRECTION_LIMIT, CORRECTION_SCALE, HISTORY_LIMIT};

/// A piece that went to a square, seen from its own side of the board: 0 to 383.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Of a side's move.
    #[inline]
    pub fn new(color: Color, kind: PieceKind, to: Square) -> PieceTo {
        PieceTo((kind.index() * 64 + to.relative(color).index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

const PIECE_TOS: usize = 6 * 64;
const CORRECTIONS: usize = 1 << 14;

/// The moves before: the opponent's last, our own last, our own before that. `None` at the beginning
/// of the game's tree and after a null move.
pub type Before = [Option<PieceTo>; 3];

/// All histories of one worker.
pub struct Histories {
    /// By side, from and to.
    quiet: Box<[[i16; 64 * 64]; 2]>,
    /// By side, piece and square it takes on, captured piece.
    capture: Box<[[[i16; 6]; PIECE_TOS]; 2]>,
    /// By a move before and this move; one table for the opponent's, one for our own.
    continuation: Box<[[[i16; PIECE_TOS]; PIECE_TOS]; 2]>,
    /// How far the static evaluation was off: by side and pawns, and by each colour's pieces.
    correction: Box<[[[i16; CORRECTIONS]; 2]; 3]>,
}

fn nudge(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    *entry = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
}

impl Histories {
    /// Nothing learnt yet.
    pub fn new() -> Histories {
        Histories {
            quiet: bytemuck::zeroed_box(),
            capture: bytemuck::zeroed_box(),
            continuation: bytemuck::zeroed_box(),
            correction: bytemuck::zeroed_box(),
        }
    }

    /// How good a quiet move has been, with the moves before.
    #[inline]
    pub fn quiet(&self, side: Color, piece: PieceKind, m: Move, before: &Before) -> i32 {
        let this = PieceTo::new(side, piece, m.to());
        let mut sum = i32::from(self.quiet[side.index()][from_to(m)]);
        for (i, earlier) in before.iter().enumerate() {
            if let Some(earlier) = earlier {
                let table = &self.continuation[usize::from(i > 0)];
                sum += i32::from(table[earlier.index()][this.index()]);
            }
        }
        sum
    }

    /// Praises or blames a quiet move.
    pub fn learn_quiet(
        &mut self,
        side: Color,
        piece: PieceKind,
        m: Move,
        before: &Before,
        bonus: i32,
    ) {
        let this = PieceTo::new(side, piece, m.to());
        nudge(&mut self.quiet[side.index()][from_to(m)], bonus);
        for (i, earlier) in before.iter().enumerate() {
            if let Some(earlier) = earlier {
                let table = &mut self.continuation[usize::from(i > 0)];
                nudge(&mut table[earlier.index()][this.index()], bonus);
            }
        }
    }

    /// How good a capture (or a promotion, as a capture of nothing) has been.
    #[inline]
    pub fn capture(&self, side: Color, piece: PieceKind, m: Move, taken: PieceKind) -> i32 {
        let this = PieceTo::new(side, piece, m.to());
        i32::from(self.capture[side.index()][this.index()][taken.index()])
    }

    /// Praises or blames a capture.
    pub fn learn_capture(
        &mut self,
        side: Color,
        piece: PieceKind,
        m: Move,
        taken: PieceKind,
        bonus: i32,
    ) {
        let this = PieceTo::new(side, piece, m.to());
        nudge(&mut self.capture[side.index()][this.index()][taken.index()], bonus);
    }

    /// What to add to the static evaluation, by what it was off in positions like this one.
    #[inline]
    pub fn correction(&self, position: &Position) -> i32 {
        let side = position.side_to_move().index();
        let sum: i32 = correction_slots(position)
            .into_iter()
            .zip(self.correction.iter())
            .map(|(slot, table)| i32::from(table[side][slot]))
            .sum();
        sum / CORRECTION_SCALE
    }

    /// Learns from a search of `depth` whose score was `error` above the corrected evaluation.
    pub fn learn_correction(&mut self, position: &Position, depth: i32, error: i32) {
        let side = position.side_to_move().index();
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (slot, table) in correction_slots(position).into_iter().zip(self.correction.iter_mut())
        {
            let entry = &mut table[side][slot];
            let value = i32::from(*entry);
            *entry = (value + bonus - value * bonus.abs() / CORRECTION_LIMIT) as i16;
        }
    }
}

#[inline]
fn from_to(m: Move) -> usize {
    usize::from(m.bits() & 0xfff)
}

/// Where the pawns and the pieces of each colour (Kings included: here they march) are filed.
#[inline]
fn correction_slots(position: &Position) -> [usize; 3] {
    let pawns = position.pieces(PieceKind::Pawn);
    let [white, black] = Color::ALL.map(|color| position.color(color));
    let kinds = |own: crate::board::Bitboard| {
        use PieceKind::{Bishop, King, Knight, Queen, Rook};
        // Each kind with its own odd multiplier: Fibonacci hashing of the sets.
        [Knight, Bishop, Rook, Queen, King].into_iter().zip(MULTIPLIERS).fold(
            0u64,
            |hash, (kind, multiplier)| {
                hash ^ (own & position.pieces(kind)).0.wrapping_mul(multiplier)
            },
        )
    };
    let by_pawns = (white & pawns).0.wrapping_mul(MULTIPLIERS[0])
        ^ (black & pawns).0.wrapping_mul(MULTIPLIERS[1]);
    [by_pawns, kinds(white), kinds(black)].map(|hash| (hash >> 50) as usize)
}

const MULTIPLIERS: [u64; 5] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd6e8_feb8_6659_fd93,
    0xa076_1d64_78bd_642f,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Edition, MoveKind};

    #[test]
    fn values_stay_within_the_limit() {
        let mut entry = 0;
        for _ in 0..1_000 {
            nudge(&mut entry, 1_700);
        }
        assert!(i32::from(entry) <= HISTORY_LIMIT && i32::from(entry) > HISTORY_LIMIT / 2);
        for _ in 0..1_000 {
            nudge(&mut entry, -100_000);
        }
        assert!(i32::from(entry) >= -HISTORY_LIMIT);
    }

    #[test]
    fn a_praised_move_is_better_after_the_same_move_only() {
        let mut histories = Histories::new();
        let square = |text| Square::parse(text).expect("a square");
        let m = Move::new(square("g1"), square("f3"), MoveKind::Normal);
        let after =
            |to| [Some(PieceTo::new(Color::Black, PieceKind::Pawn, square(to))), None, None];
        histories.learn_quiet(Color::White, PieceKind::Knight, m, &after("e5"), 500);
        let value = |to| histories.quiet(Color::White, PieceKind::Knight, m, &after(to));
        assert_eq!(value("e5"), 1_000);
        assert_eq!(value("d5"), 500);
        assert_eq!(histories.quiet(Color::Black, PieceKind::Knight, m, &after("d5")), 0);
    }

    #[test]
    fn corrections_go_towards_the_error() {
        let mut histories = Histories::new();
        let position = Position::start(Edition::CaptureOrConquer);
        assert_eq!(histories.correction(&position), 0);
        for _ in 0..50 {
            histories.learn_correction(&position, 8, 100);
        }
        assert!(histories.correction(&position) > 20);
        assert_eq!(histories.correction(&position.play_null()), 0);
    }
}
