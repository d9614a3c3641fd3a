//! A position to learn from, packed: tens of millions of them stay in memory.

use std::path::Path;

use crate::board::{Color, PieceKind};
use crate::data::positions::{self, samples};
use crate::data::record::Source;
use crate::data::{DataError, Reader};
use crate::eval::{evaluate, network};
use crate::rules::{Edition, Position};

/// Most pieces of a sample.
const MOST_PIECES: usize = 32;

/// A position as its side to move sees the board, its score and result for that side.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    occupied: u64,
    /// Four bits a piece, in the order of the squares: the kind, and 8 for the other side's.
    pieces: [u8; MOST_PIECES / 2],
    /// What a search found, in centipawns.
    pub score: i16,
    /// What the network's output is added to, in centipawns.
    pub base: i16,
    /// Half points: 2 won, 1 drawn, 0 lost.
    pub half_points: u8,
    /// Whether the mirrored board (a-file to h-file) is worth the same: nobody may castle.
    pub has_mirror: bool,
}

impl Sample {
    /// Packs a position; `None` if it has more than 32 pieces.
    pub fn new(sample: &positions::Sample, base: i16) -> Option<Sample> {
        let position = &sample.position;
        let side = position.side_to_move();
        let occupied = position.occupied().relative(side);
        let mut pieces = [0; MOST_PIECES / 2];
        for (i, square) in occupied.enumerate() {
            let (color, kind) = position.piece_at(square.relative(side))?;
            let code = kind as u8 | u8::from(color != side) << 3;
            *pieces.get_mut(i / 2)? |= code << (4 * (i % 2));
        }
        let half_points = (2.0 * sample.result) as u8;
        let has_mirror = position.castling().bits() == 0;
        Some(Sample {
            occupied: occupied.0,
            pieces,
            score: sample.score,
            base,
            half_points,
            has_mirror,
        })
    }

    /// The inputs that are 1, as the side to move and as the other side see the board; of the mirrored board if asked.
    #[inline]
    pub fn inputs(&self, mirrored: bool) -> impl Iterator<Item = (usize, usize)> {
        let flip = if mirrored { 7 } else { 0 };
        let mut rest = self.occupied;
        let mut i = 0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let square = rest.trailing_zeros() as usize ^ flip;
            rest &= rest - 1;
            let code = usize::from(self.pieces[i / 2] >> (4 * (i % 2)) & 15);
            i += 1;
            let (kind, other) = (code & 7, code >> 3);
            let ours = other * 384 + kind * 64 + square;
            let theirs = (1 - other) * 384 + kind * 64 + (square ^ 56);
            Some((ours, theirs))
        })
    }
}

/// The samples of files, those to learn from and those to be tried on, which come from other games.
#[derive(Default)]
pub struct Samples {
    /// To learn from.
    pub training: Vec<Sample>,
    /// To be tried on.
    pub validation: Vec<Sample>,
    /// Games read.
    pub games: u64,
}

/// One game in so many is kept for validation.
pub const VALIDATION_SHARE: u32 = 20;

/// Reads the files; `progress` hears of each game. The order of games and files does not matter.
///
/// # Errors
/// When a file cannot be read, is damaged or of another edition than the first.
pub fn read(
    files: &[impl AsRef<Path>],
    base: network::Base,
    mut progress: impl FnMut(),
) -> Result<Samples, DataError> {
    let worth = |position: &Position| match base {
        network::Base::Nothing => 0,
        network::Base::HandMade => evaluate(position) as i16,
    };
    let mut games: Vec<(Source, Vec<Sample>)> = Vec::new();
    let mut edition: Option<Edition> = None;
    for file in files {
        let reader = Reader::open(file.as_ref())?;
        let edition = *edition.get_or_insert(reader.edition());
        for game in reader.of(edition)? {
            let game = game?;
            let fit = samples(&game).filter_map(|s| Sample::new(&s, worth(&s.position)));
            games.push((game.source, fit.collect()));
            progress();
        }
    }
    // Games lie in files as they ended, which hangs on the threads that played them.
    games.sort_by_key(|(source, _)| (source.seed, source.nodes, source.number));
    let mut read = Samples { games: games.len() as u64, ..Samples::default() };
    for (source, fit) in games {
        match source.number % VALIDATION_SHARE {
            0 => read.validation.extend(fit),
            _ => read.training.extend(fit),
        }
    }
    Ok(read)
}

// The packed code of a piece is its place in the input.
const _: () = assert!(PieceKind::King as u8 == 5 && Color::White as u8 == 0);
