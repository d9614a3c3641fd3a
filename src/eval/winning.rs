//! From centipawns to chances: logistic curves.
//!
//! Uses `rules`. Parameters fitted by `examples/tune.rs`, see there.

use crate::rules::{Edition, Position};

/// How scores of an edition turn into chances.
struct Curve {
    /// Centipawns for one unit of the logistic curve: at this score the odds are e to 1.
    scale: f64,
    /// Half the width of the draws, in centipawns: the curve of winning lies so much to the right, that of
    /// losing so much to the left. 0 where no game is drawn.
    draw_margin: i32,
}

/// A first guess, not a fit.
const fn curve(edition: Edition) -> Curve {
    match edition {
        Edition::CaptureOrConquer | Edition::Classic => Curve { scale: 220.0, draw_margin: 0 },
        // Of level games half are drawn: three quarters of the way down the curve.
        Edition::Chess => Curve { scale: 250.0, draw_margin: 275 },
    }
}

/// The chance of the side to move to win, in thousandths, at a score of so many centipawns; in chess,
/// of winning plus half of drawing.
pub fn win_permille(score: i32, position: &Position) -> u32 {
    let chance = 1.0 / (1.0 + (-f64::from(score) / curve(position.edition()).scale).exp());
    (1000.0 * chance).round() as u32
}

/// Chances of the side to move to win, draw and lose, in thousandths; they add up to 1000. Only chess
/// has draws.
pub fn wdl(score: i32, position: &Position) -> [u32; 3] {
    let margin = curve(position.edition()).draw_margin;
    if !position.edition().has_draws() {
        let win = win_permille(score, position);
        return [win, 0, 1000 - win];
    }
    let win = win_permille(score - margin, position);
    let loss = win_permille(-score - margin, position);
    [win, 1000 - win - loss, loss]
}
