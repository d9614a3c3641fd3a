//! Counting move paths. Repetition and the limit without captures are not looked at.

use rayon::prelude::*;

use super::{Move, Position};

/// The number of move paths of `depth` plies.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|m| perft(&position.play(m), depth - 1)).sum()
}

/// The number of paths behind each move, in the generator's order; empty at depth 0 and when the board shows that the game is
/// over. The moves are shared out over rayon's current pool.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.moves();
    moves.into_par_iter().map(|m| (m.clone(), perft(&position.play(&m), depth - 1))).collect()
}
