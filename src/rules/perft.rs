//! Counting move paths: the test of a move generator, and its speed.
//!
//! A position finished by capture or conquest has no moves; repetition and chess draws are not
//! looked at. At the last ply moves are counted, not played (bulk counting).

use rayon::prelude::*;

use super::edition::Edition;
use super::movegen::{Wanted, by_edition};
use super::moves::Move;
use super::position::Position;

/// The number of move paths of `depth` plies.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 { 1 } else { by_edition!(position, perft_in, depth) }
}

/// The number of paths behind each legal move, in the generator's order; empty at depth 0 and in a
/// finished position. The moves are shared out over rayon's current pool.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    moves.par_iter().map(|&m| (m, perft(&position.play(m), depth - 1))).collect()
}

impl Position {
    fn perft_in<const E: u8>(&self, depth: u32) -> u64 {
        if self.finished_in::<E>().is_some() {
            return 0;
        }
        if depth == 1 {
            return self.count::<E>();
        }
        let mut nodes = 0;
        self.generate::<E>(Wanted::All, &mut |set| {
            set.each::<E>(|kind, m| nodes += self.play_piece(kind, m).perft_in::<E>(depth - 1));
        });
        nodes
    }
}
