//! Static evaluation: what a position is worth without looking ahead.
//!
//! Uses `board` and `rules`. [`evaluate`] is the seam: the search knows nothing else of this room.
//! The evaluation is a sum of weights times counts, tapered between middlegame and endgame, the same
//! for both colours; the weights of each edition were fitted to the results of its own games.

pub mod features;
mod score;
pub mod weights;

use std::fmt::Write;

use crate::board::{Color, PieceKind};
use crate::rules::{Edition, Position};
use features::Sink;
pub use score::Tapered;
use weights::{GROUPS, Weights, prior};

/// The phase with all pieces on the board; see [`phase`].
pub const FULL_PHASE: i32 = 24;

static CONQUEST: Weights = prior(true);
static CHESS: Weights = prior(false);

const fn weights_of(edition: Edition) -> &'static Weights {
    match edition {
        Edition::CaptureOrConquer | Edition::Classic => &CONQUEST,
        Edition::Chess => &CHESS,
    }
}

/// The value of a position in centipawns, seen from the side to move; within ±10,000. Never asked of
/// a finished game.
pub fn evaluate(position: &Position) -> i32 {
    let mut sum = Sum { weights: weights_of(position.edition()), total: Tapered::ZERO };
    features::count(position, &mut sum);
    let white = sum.total.at_phase(phase(position), FULL_PHASE);
    let value = match position.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    };
    drawish(position, value).clamp(-9_999, 9_999)
}

/// How much of the middlegame is left: Knight and Bishop count 1, Rook 2, Queen 4; 0 to
/// [`FULL_PHASE`].
pub fn phase(position: &Position) -> i32 {
    let count = |kind| position.pieces(kind).count() as i32;
    let phase = count(PieceKind::Knight)
        + count(PieceKind::Bishop)
        + 2 * count(PieceKind::Rook)
        + 4 * count(PieceKind::Queen);
    phase.min(FULL_PHASE)
}

/// Where games can be drawn: little is won without pawns and a Rook's worth more, nor as the fifty
/// moves run out. Elsewhere the value as it is.
fn drawish(position: &Position, value: i32) -> i32 {
    if !position.edition().has_draws() {
        return value;
    }
    let us = position.side_to_move();
    let ahead = if value > 0 { us } else { !us };
    let pieces = |color| {
        let count = |kind| position.of(color, kind).count() as i32;
        3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
            + 5 * count(PieceKind::Rook)
            + 9 * count(PieceKind::Queen)
    };
    let no_pawns = position.of(ahead, PieceKind::Pawn).is_empty();
    let scaled = if no_pawns && pieces(ahead) - pieces(!ahead) < 4 { value / 4 } else { value };
    scaled * (200 - i32::from(position.halfmove_clock()).min(100)) / 200
}

/// Adds up weights, White's view.
struct Sum {
    weights: &'static Weights,
    total: Tapered,
}

impl Sink for Sum {
    #[inline]
    fn add(&mut self, color: Color, index: usize, count: i32) {
        let value = self.weights[index] * count;
        match color {
            Color::White => self.total += value,
            Color::Black => self.total -= value,
        }
    }
}

/// The chance of the side to move to win, in thousandths, at a score of so many centipawns; in chess,
/// of winning plus half of drawing. A logistic curve.
pub fn win_permille(score: i32, position: &Position) -> u32 {
    let scale = if position.edition().has_draws() { 250.0 } else { 220.0 };
    let chance = 1.0 / (1.0 + (-f64::from(score) / scale).exp());
    (1000.0 * chance).round() as u32
}

/// Chances of the side to move to win, draw and lose, in thousandths; they add up to 1000. Only chess
/// has draws: there the curve of winning lies a margin to the right, that of losing to the left.
pub fn wdl(score: i32, position: &Position) -> [u32; 3] {
    /// Of level games half are drawn: three quarters of the way down a logistic curve of scale 250.
    /// An estimate, not a fit.
    const DRAW_MARGIN: i32 = 275;
    if !position.edition().has_draws() {
        let win = win_permille(score, position);
        return [win, 0, 1000 - win];
    }
    let win = win_permille(score - DRAW_MARGIN, position);
    let loss = win_permille(-score - DRAW_MARGIN, position);
    [win, 1000 - win - loss, loss]
}

/// The evaluation by groups of features, as a table for people: each side's middlegame and endgame
/// share, and the total from White's side.
pub fn trace(position: &Position) -> String {
    struct Groups {
        weights: &'static Weights,
        sums: Vec<[Tapered; 2]>,
    }
    impl Sink for Groups {
        fn add(&mut self, color: Color, index: usize, count: i32) {
            let group = GROUPS.iter().rposition(|(_, offset, _)| *offset <= index);
            if let Some(sums) = group.and_then(|group| self.sums.get_mut(group)) {
                sums[color.index()] += self.weights[index] * count;
            }
        }
    }
    let mut groups = Groups {
        weights: weights_of(position.edition()),
        sums: vec![[Tapered::ZERO; 2]; GROUPS.len()],
    };
    features::count(position, &mut groups);
    let mut out = String::from(
        "feature                   White mg   eg   Black mg   eg   total (White's view)\n",
    );
    for ((name, ..), [white, black]) in GROUPS.iter().zip(&groups.sums) {
        let total = (*white - *black).at_phase(phase(position), FULL_PHASE);
        let name = name.to_lowercase().replace('_', " ");
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{name:<24} {:>9} {:>4} {:>10} {:>4} {total:>7}",
            white.middlegame(),
            white.endgame(),
            black.middlegame(),
            black.endgame()
        );
    }
    let value = evaluate(position);
    let white = if position.side_to_move() == Color::White { value } else { -value };
    let _ =
        writeln!(out, "phase {} of {FULL_PHASE}, total {white:+} cp for White", phase(position));
    out
}
