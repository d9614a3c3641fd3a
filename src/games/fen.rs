//! Positions of the games as text: `rows side hand count move`, rows from the top as in chess.

use std::str::FromStr;

use crate::board::Color;

use super::grid::Points;
use super::{Game, Position};

/// Why a FEN was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text ends too early.
    #[error("FEN: the {0} is missing")]
    Missing(&'static str),
    /// A board of another size.
    #[error("FEN: {rows} row{s} instead of {wanted}", s = if *.rows == 1 { "" } else { "s" })]
    Rows {
        /// How many there are.
        rows: usize,
        /// How many there may be: `5`, `4, 6 or 8`.
        wanted: String,
    },
    /// A row of another width.
    #[error("FEN: rank {rank} ({row:?}) has {width} points instead of {wanted}")]
    Width {
        /// From 1.
        rank: usize,
        /// The row's text.
        row: String,
        /// How many points it describes.
        width: usize,
        /// How many there are.
        wanted: u8,
    },
    /// A letter that is no man.
    #[error("FEN: {letter:?} in rank {rank} is no man; White's is P, Black's p")]
    Man {
        /// The letter.
        letter: char,
        /// From 1.
        rank: usize,
    },
    /// A side that is neither `w` nor `b`.
    #[error("FEN: the side to move is {0:?}, not w or b")]
    Side(String),
    /// Men in hand that cannot be read.
    #[error("FEN: the men in hand are {0:?}, neither - nor two numbers as in 12,12")]
    Hand(String),
    /// A counter that is no number from 0 to 65535.
    #[error("FEN: the {name} {text:?} is no number from 0 to 65535")]
    Counter {
        /// Which counter.
        name: &'static str,
        /// Its text.
        text: String,
    },
    /// Something after the end.
    #[error("FEN: {0:?} after the last field")]
    Trailing(String),
    /// What the game does not allow.
    #[error("FEN: {0}")]
    Impossible(String),
}

/// A text cut to what an error shows of it.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Position {
    /// Reads a position of a game. The last two fields may be missing: no plies without a capture, move 1.
    ///
    /// # Errors
    /// The first thing that is wrong, see [`FenError`].
    pub fn from_fen(game: &'static dyn Game, text: &str) -> Result<Position, FenError> {
        let mut fields = text.split_whitespace();
        let board = fields.next().ok_or(FenError::Missing("placement"))?;
        let mut position = read_board(game, board)?;
        position.side = match fields.next().ok_or(FenError::Missing("side to move"))? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Side(shown(other))),
        };
        position.hand = read_hand(fields.next().unwrap_or("-"))?;
        position.quiet = counter("count of plies without a capture", fields.next(), 0)?;
        position.number = counter("move number", fields.next(), 1)?;
        if let Some(rest) = fields.next() {
            return Err(FenError::Trailing(shown(rest)));
        }
        game.check(&position).map_err(FenError::Impossible)?;
        Ok(position)
    }

    /// Writes the position.
    pub fn to_fen(&self) -> String {
        let grid = self.grid();
        let mut text = String::new();
        for rank in (0..grid.ranks).rev() {
            let mut empty = 0;
            for file in 0..grid.files {
                let letter = match self.man(grid.at(file, rank)) {
                    None => {
                        empty += 1;
                        continue;
                    }
                    Some(Color::White) => 'P',
                    Some(Color::Black) => 'p',
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(letter);
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if self.side == Color::White { 'w' } else { 'b' };
        let hand = match self.hand {
            [0, 0] => "-".to_owned(),
            [white, black] => format!("{white},{black}"),
        };
        format!("{text} {side} {hand} {} {}", self.quiet, self.number)
    }
}

fn read_board(game: &'static dyn Game, text: &str) -> Result<Position, FenError> {
    let rows: Vec<&str> = text.split('/').collect();
    let Some(grid) = game.grids().iter().find(|grid| usize::from(grid.ranks) == rows.len()) else {
        let mut sizes: Vec<u8> = game.grids().iter().map(|grid| grid.ranks).collect();
        sizes.sort_unstable();
        return Err(FenError::Rows { rows: rows.len(), wanted: listed(&sizes) });
    };
    let mut position = Position::empty(game, grid);
    for (rank, row) in rows.iter().rev().enumerate() {
        let mut width = 0_usize;
        let mut men = [Points::EMPTY; 2];
        for letter in row.chars() {
            let color = match letter {
                'P' => Color::White,
                'p' => Color::Black,
                '1'..='9' => {
                    width += letter as usize - '0' as usize;
                    continue;
                }
                _ => return Err(FenError::Man { letter, rank: rank + 1 }),
            };
            if width < usize::from(grid.files) {
                let set = &mut men[color.index()];
                *set = *set | grid.at(width as u8, rank as u8).set();
            }
            width += 1;
        }
        if width != usize::from(grid.files) {
            let wanted = grid.files;
            return Err(FenError::Width { rank: rank + 1, row: shown(row), width, wanted });
        }
        for (all, new) in position.men.iter_mut().zip(men) {
            *all = *all | new;
        }
    }
    Ok(position)
}

/// Numbers as a sentence has them: `5`, `4, 6 or 8`.
fn listed(numbers: &[u8]) -> String {
    let texts: Vec<String> = numbers.iter().map(u8::to_string).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

fn read_hand(text: &str) -> Result<[u8; 2], FenError> {
    if text == "-" {
        return Ok([0; 2]);
    }
    let read = || {
        let (white, black) = text.split_once(',')?;
        Some([number(white)?, number(black)?])
    };
    read().ok_or_else(|| FenError::Hand(shown(text)))
}

fn counter(name: &'static str, text: Option<&str>, default: u16) -> Result<u16, FenError> {
    let Some(text) = text else { return Ok(default) };
    number(text).ok_or_else(|| FenError::Counter { name, text: shown(text) })
}

/// A number of digits alone: no sign.
fn number<N: FromStr>(text: &str) -> Option<N> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
