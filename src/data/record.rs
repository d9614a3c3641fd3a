//! One game as bytes: its number, where it started, the moves with their scores, who won and why.
//!
//! All numbers are little-endian. A game takes 22 bytes, 2 a ply of the opening, 4 a ply that was searched, and the
//! FEN's length if it does not begin at the edition's start position:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | seed of the run |
//! | 4 | number of the game among those of its seed |
//! | 4 | nodes searched a move |
//! | 1 | winner: 0 Black, 1 White, 2 nobody |
//! | 1 | reason of the end, its place in [`REASONS`]; 255 if a search proved the win before |
//! | 1 | length of the FEN, 0 for the start position |
//! | 1 | plies of the opening, which have no score |
//! | 2 | plies in all |
//! | … | FEN; a move of 2 bytes for each ply of the opening; a move and a score for each other ply |
//!
//! A score is in centipawns for the side to move.

use crate::board::Color;
use crate::rules::{Edition, GameRecord, Move, Outcome, Position, Reason};

/// The reasons of an end by their numbers.
pub const REASONS: [Reason; 8] = [
    Reason::Capture,
    Reason::Conquest,
    Reason::Repetition,
    Reason::NoMoves,
    Reason::Checkmate,
    Reason::Stalemate,
    Reason::FiftyMoves,
    Reason::Insufficient,
];

const PROVEN: u8 = 255;

/// What a game was made from: the same source and the same engine give the same game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The seed of the run.
    pub seed: u64,
    /// The game's number among those of its seed, from 0.
    pub number: u32,
    /// Nodes searched a move, a soft limit.
    pub nodes: u32,
}

/// A finished game of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// What it was drawn by.
    pub source: Source,
    /// The position it started from.
    pub start: Position,
    /// The moves of the opening, drawn at random.
    pub opening: Vec<Move>,
    /// The moves that were searched, with the score in centipawns for the side to move.
    pub moves: Vec<(Move, i16)>,
    /// Who won; `None` for a draw (chess).
    pub winner: Option<Color>,
    /// Why; `None` when the game was left at a proven win.
    pub reason: Option<Reason>,
}

impl Game {
    /// A game that has ended.
    pub fn ended(
        source: Source,
        record: &GameRecord,
        opening: usize,
        scores: &[i16],
        end: End,
    ) -> Game {
        let (first, rest) = record.moves().split_at(opening.min(record.moves().len()));
        let (winner, reason) = match end {
            End::Over(outcome) => (outcome.winner, Some(outcome.reason)),
            End::Proven(winner) => (Some(winner), None),
        };
        Game {
            source,
            start: *record.start(),
            opening: first.to_vec(),
            moves: rest.iter().copied().zip(scores.iter().copied()).collect(),
            winner,
            reason,
        }
    }

    /// The game's bytes, without length and checksum.
    ///
    /// # Errors
    /// When a part is longer than its count can say.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TooLong> {
        let is_start = self.start == Position::start(self.start.edition());
        let fen = if is_start { String::new() } else { self.start.to_fen() };
        let plies = self.opening.len() + self.moves.len();
        let mut bytes = Vec::with_capacity(22 + fen.len() + 4 * plies);
        bytes.extend(self.source.seed.to_le_bytes());
        bytes.extend(self.source.number.to_le_bytes());
        bytes.extend(self.source.nodes.to_le_bytes());
        bytes.push(match self.winner {
            Some(Color::Black) => 0,
            Some(Color::White) => 1,
            None => 2,
        });
        let number = |reason| REASONS.iter().position(|&r| r == reason);
        bytes.push(self.reason.and_then(number).map_or(PROVEN, |number| number as u8));
        bytes.push(u8::try_from(fen.len()).map_err(|_| TooLong)?);
        bytes.push(u8::try_from(self.opening.len()).map_err(|_| TooLong)?);
        bytes.extend(u16::try_from(plies).map_err(|_| TooLong)?.to_le_bytes());
        bytes.extend(fen.as_bytes());
        for m in &self.opening {
            bytes.extend(m.bits().to_le_bytes());
        }
        for (m, score) in &self.moves {
            bytes.extend(m.bits().to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        Ok(bytes)
    }

    /// Reads the bytes of a game; `None` if they are none.
    pub fn from_bytes(edition: Edition, bytes: &[u8]) -> Option<Game> {
        let mut rest = bytes;
        let source = Source {
            seed: u64::from_le_bytes(take(&mut rest)?),
            number: u32::from_le_bytes(take(&mut rest)?),
            nodes: u32::from_le_bytes(take(&mut rest)?),
        };
        let [winner, reason, fen, opening] = take(&mut rest)?;
        let plies = usize::from(u16::from_le_bytes(take(&mut rest)?));
        let winner = match winner {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            2 => None,
            _ => return None,
        };
        let reason = match reason {
            PROVEN => None,
            number => Some(*REASONS.get(usize::from(number))?),
        };
        let (fen, mut rest) = rest.split_at_checked(usize::from(fen))?;
        let start = match fen {
            [] => Position::start(edition),
            fen => Position::from_fen(edition, std::str::from_utf8(fen).ok()?).ok()?,
        };
        let read_move = |rest: &mut &[u8]| Move::from_bits(u16::from_le_bytes(take(rest)?));
        let opening: Vec<Move> =
            (0..opening).map(|_| read_move(&mut rest)).collect::<Option<_>>()?;
        let searched = plies.checked_sub(opening.len())?;
        let moves = (0..searched)
            .map(|_| Some((read_move(&mut rest)?, i16::from_le_bytes(take(&mut rest)?))))
            .collect::<Option<_>>()?;
        rest.is_empty().then_some(Game { source, start, opening, moves, winner, reason })
    }

    /// The positions in which a move was searched, each with the move and its score; ends early where a move
    /// is not legal, which no written game has.
    pub fn searched(&self) -> impl Iterator<Item = (Position, Move, i16)> {
        let mut position = self.start;
        let mut legal = true;
        for &m in &self.opening {
            legal &= position.is_legal(m);
            if legal {
                position = position.play(m);
            }
        }
        self.moves.iter().map_while(move |&(m, score)| {
            legal &= position.is_legal(m);
            let before = position;
            legal.then(|| {
                position = position.play(m);
                (before, m, score)
            })
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rules.
    Over(Outcome),
    /// A search has proven that this side wins.
    Proven(Color),
}

/// A game with more plies than 65,535, an opening of more than 255 or a FEN of more than 255 letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game is too long for the file")]
pub struct TooLong;

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*first)
}
