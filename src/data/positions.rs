//! Which positions of a game a network learns from, and what it is told of each.
//!
//! A static evaluation is asked only where the board is quiet, so it learns only there: nobody is in danger of losing
//! at once, the move that the search chose takes nothing and promotes nothing, and the score is of this world.

use crate::board::Color;
use crate::rules::{Move, MoveKind, Position};

use super::record::Game;

/// Scores further from zero than this, in centipawns, are left out.
pub const SCORE_LIMIT: i16 = 3_000;
/// Plies after the opening that are left out: they follow random moves too closely.
pub const FIRST_PLIES: usize = 2;

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The score of its search, in centipawns for the side to move.
    pub score: i16,
    /// What the game came to for the side to move: 1 won, 0 lost, ½ drawn.
    pub result: f32,
}

/// The positions of a game that are fit to learn from.
pub fn samples(game: &Game) -> impl Iterator<Item = Sample> {
    let winner = game.winner;
    game.searched().enumerate().filter_map(move |(ply, (position, best, score))| {
        let fit = ply >= FIRST_PLIES && score.abs() <= SCORE_LIMIT && is_quiet(&position, best);
        fit.then(|| Sample { position, score, result: worth(winner, position.side_to_move()) })
    })
}

/// Whether nobody is about to win and the best move changes no material.
pub fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_danger()
        && !position.is_capture(best)
        && !matches!(best.kind(), MoveKind::Promotion(_))
}

fn worth(winner: Option<Color>, side: Color) -> f32 {
    match winner {
        None => 0.5,
        Some(winner) => f32::from(u8::from(winner == side)),
    }
}
