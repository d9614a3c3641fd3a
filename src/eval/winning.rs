//! From centipawns to chances: logistic curves, fitted by `examples/tune.rs` to the scores and the results
//! of games at 2,000 nodes a move.
//!
//! Uses `rules`.

use crate::rules::{Edition, Position};

use super::{FULL_PHASE, phase};

/// How scores of an edition turn into chances.
struct Curve {
    /// Centipawns for one unit of the logistic curve: at this score the odds are e to 1.
    scale: f64,
    /// Half the width of the draws in centipawns, with an empty and with a full board: the curve of winning
    /// lies so much to the right, that of losing so much to the left. 0 where no game is drawn.
    draw_margin: [i32; 2],
}

/// Fitted to 3,651 games of today's edition, 19,994 of the earlier one (500 nodes a move), 1,022 of chess.
const fn curve(edition: Edition) -> Curve {
    match edition {
        Edition::CaptureOrConquer => Curve { scale: 180.0, draw_margin: [0, 0] },
        Edition::Classic => Curve { scale: 230.0, draw_margin: [0, 0] },
        Edition::Chess => Curve { scale: 160.0, draw_margin: [280, 90] },
    }
}

/// The chance of the side to move to win, in thousandths, at a score of so many centipawns; in chess,
/// of winning plus half of drawing.
pub fn win_permille(score: i32, position: &Position) -> u32 {
    let [win, draw, _] = wdl(score, position);
    win + draw / 2
}

/// Chances of the side to move to win, draw and lose, in thousandths; they add up to 1000. Only chess
/// has draws.
pub fn wdl(score: i32, position: &Position) -> [u32; 3] {
    let Curve { scale, draw_margin: [empty, full] } = curve(position.edition());
    let margin = empty + (full - empty) * phase(position) / FULL_PHASE;
    let chance = |score: i32| {
        let chance = 1.0 / (1.0 + (f64::from(margin - score) / scale).exp());
        (1000.0 * chance).round() as u32
    };
    let win = chance(score);
    let loss = if position.edition().has_draws() { chance(-score) } else { 1000 - win };
    [win, 1000 - win - loss, loss]
}
