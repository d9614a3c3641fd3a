//! Positions as text: Forsyth-Edwards Notation, read leniently where other programs differ and
//! strictly where a wrong position would come of it.
//!
//! Four to six fields; XBoard's form without a castling field; an EPD tail after four fields, of
//! which `hmvc` and `fmvn` are heeded. An error says what is wrong and where.

use std::fmt::Write;

use thiserror::Error;

use crate::board::{Bitboard, Color, PieceKind, Square, zobrist};

use super::edition::Edition;
use super::notation::shortened;
use super::position::{CastlingRights, CastlingSquares, Position};

/// Why a FEN was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// The text ends too early.
    #[error("FEN: the {0} is missing")]
    Missing(&'static str),
    /// Not eight rows.
    #[error("FEN: {0} row{s} instead of 8", s = if *.0 == 1 { "" } else { "s" })]
    Rows(usize),
    /// A row that is not eight squares wide.
    #[error("FEN: rank {rank} ({row:?}) has {width} squares instead of 8")]
    Width {
        /// 1 to 8.
        rank: usize,
        /// The row's text.
        row: String,
        /// How many squares it describes.
        width: usize,
    },
    /// A letter that is no piece.
    #[error("FEN: {letter:?} in rank {rank} is no piece")]
    Piece {
        /// The letter.
        letter: char,
        /// 1 to 8.
        rank: usize,
    },
    /// A pawn where none can stand.
    #[error("FEN: a pawn on {0}")]
    PawnOnEdge(Square),
    /// Two Kings of one colour, or none where there must be one.
    #[error("FEN: {color} has {count} kings")]
    Kings {
        /// Whose.
        color: &'static str,
        /// How many.
        count: u32,
    },
    /// No King at all.
    #[error("FEN: both kings are missing")]
    NoKings,
    /// Chess: the side that has just moved stands in check.
    #[error("FEN: {0} is not to move but in check")]
    LeftInCheck(&'static str),
    /// A side that is neither `w` nor `b`.
    #[error("FEN: the side to move is {0:?}, not w or b")]
    Side(String),
    /// Castling rights that cannot be read.
    #[error("FEN: the castling rights {0:?} are not - or letters of KQkq, each once")]
    Castling(String),
    /// An en passant square that cannot be read.
    #[error("FEN: the en passant square {0:?} is no square")]
    EnPassant(String),
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
}

impl Position {
    /// Reads a FEN or the position of an EPD line.
    ///
    /// # Errors
    /// The first thing that is wrong, see [`FenError`]. Castling rights that the board does not bear out and
    /// an en passant square that cannot be true are dropped without a word.
    pub fn from_fen(edition: Edition, text: &str) -> Result<Position, FenError> {
        let mut position = Position::empty(edition);
        let mut fields = text.split_whitespace().peekable();
        position.read_placement(fields.next().ok_or(FenError::Missing("placement"))?)?;
        position.read_side(fields.next().ok_or(FenError::Missing("side to move"))?)?;

        let third = fields.next().ok_or(FenError::Missing("castling field"))?;
        let fourth = *fields.peek().ok_or(FenError::Missing("en passant square"))?;
        let castling_left_out = is_number(fourth);
        let (castling, en_passant) = if castling_left_out {
            ("-", third)
        } else {
            fields.next();
            (third, fourth)
        };
        position.read_castling(castling)?;
        let passed = match en_passant {
            "-" => None,
            text => Some(Square::parse(text).ok_or_else(|| FenError::EnPassant(shortened(text)))?),
        };

        let mut rest: Vec<&str> = fields.collect();
        let is_tail = |fields: &[&str]| {
            fields.first().is_some_and(|f| f.starts_with(|c: char| c.is_ascii_alphabetic()))
                && fields.iter().any(|f| f.ends_with(';'))
        };
        if !is_tail(&rest) {
            let mut counter = |name, target: &mut u16| match rest.first() {
                None => Ok(()),
                Some(text) => {
                    *target = read_counter(name, text)?;
                    rest.remove(0);
                    Ok(())
                }
            };
            counter("halfmove clock", &mut position.halfmove_clock)?;
            counter("move number", &mut position.fullmove)?;
        }
        if is_tail(&rest) {
            position.read_operations(&rest.join(" "))?;
        } else if let Some(text) = rest.first() {
            return Err(FenError::Trailing(shortened(text)));
        }
        position.fullmove = position.fullmove.max(1);

        position.check_kings()?;
        if let Some(square) = passed {
            position.believe_en_passant(square);
        }
        Ok(position)
    }

    fn read_placement(&mut self, text: &str) -> Result<(), FenError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 8 {
            return Err(FenError::Rows(rows.len()));
        }
        for (row, rank) in rows.iter().zip((1..=8usize).rev()) {
            let mut width = 0usize;
            for letter in row.chars() {
                if let Some(gap @ 1..=8) = letter.to_digit(10) {
                    width += gap as usize;
                    continue;
                }
                let kind = PieceKind::from_letter(letter.to_ascii_uppercase())
                    .ok_or(FenError::Piece { letter, rank })?;
                if width < 8 {
                    let color =
                        if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                    let square = Square::at(width as u8, rank as u8 - 1);
                    if kind == PieceKind::Pawn && (rank == 1 || rank == 8) {
                        return Err(FenError::PawnOnEdge(square));
                    }
                    self.put(color, kind, square);
                }
                width += 1;
            }
            if width != 8 {
                return Err(FenError::Width { rank, row: shortened(row), width });
            }
        }
        Ok(())
    }

    fn read_side(&mut self, text: &str) -> Result<(), FenError> {
        self.side = match text {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Side(shortened(text))),
        };
        if self.side == Color::Black {
            self.key ^= zobrist::BLACK_TO_MOVE;
        }
        Ok(())
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        let error = || FenError::Castling(shortened(text));
        let mut rights = CastlingRights::NONE;
        if text != "-" {
            for letter in text.chars() {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let short = match letter.to_ascii_lowercase() {
                    'k' => true,
                    'q' => false,
                    _ => return Err(error()),
                };
                let right = CastlingRights::of(color, short);
                if rights.has(right) {
                    return Err(error());
                }
                rights = rights.with(right);
            }
        }
        if self.edition.rules().castling {
            for color in Color::ALL {
                for short in [true, false] {
                    let right = CastlingRights::of(color, short);
                    let squares = CastlingSquares::of(color, short);
                    if rights.has(right)
                        && self.of(color, PieceKind::King).has(squares.king_from)
                        && self.of(color, PieceKind::Rook).has(squares.rook_from)
                    {
                        self.castling = self.castling.with(right);
                    }
                }
            }
        }
        Ok(())
    }

    fn read_operations(&mut self, tail: &str) -> Result<(), FenError> {
        for operation in tail.split(';') {
            let mut words = operation.split_whitespace();
            match (words.next(), words.next()) {
                (Some("hmvc"), Some(text)) => {
                    self.halfmove_clock = read_counter("hmvc operation", text)?;
                }
                (Some("fmvn"), Some(text)) => {
                    self.fullmove = read_counter("fmvn operation", text)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_kings(&self) -> Result<(), FenError> {
        let count = |color| self.of(color, PieceKind::King).count();
        if count(Color::White) == 0 && count(Color::Black) == 0 {
            return Err(FenError::NoKings);
        }
        let royal = self.edition.rules().royal;
        for color in Color::ALL {
            let count = count(color);
            if count > 1 || (royal && count == 0) {
                return Err(FenError::Kings { color: color.name(), count });
            }
        }
        // Dead material is a drawn game whoever stands in check: `tests/vectors/moves.jsonl` has such a case.
        if royal && self.dead().is_none() && self.king_attacked(!self.side) {
            return Err(FenError::LeftInCheck((!self.side).name()));
        }
        Ok(())
    }

    /// Takes over an en passant square if a pawn can just have passed it and can be captured there.
    fn believe_en_passant(&mut self, square: Square) {
        let them = !self.side;
        let pawn = Square::at(square.file(), square.rank() ^ 1);
        let origin = Bitboard::of(Square::at(square.file(), them.relative_rank(1)));
        if them.relative_rank(square.rank()) == 2
            && self.of(them, PieceKind::Pawn).has(pawn)
            && (self.occupied() & (origin | Bitboard::of(square))).is_empty()
        {
            self.allow_en_passant(square);
        }
    }

    /// Writes the position as a FEN of six fields.
    pub fn to_fen(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                match self.piece_at(Square::at(file, rank)) {
                    None => gap += 1,
                    Some((color, kind)) => {
                        if gap > 0 {
                            text.push((b'0' + gap) as char);
                            gap = 0;
                        }
                        text.push(match color {
                            Color::White => kind.letter(),
                            Color::Black => kind.letter().to_ascii_lowercase(),
                        });
                    }
                }
            }
            if gap > 0 {
                text.push((b'0' + gap) as char);
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text.push_str(if self.side == Color::White { " w " } else { " b " });
        for (bit, letter) in "KQkq".chars().enumerate() {
            if self.castling.bits() >> bit & 1 != 0 {
                text.push(letter);
            }
        }
        if self.castling == CastlingRights::NONE {
            text.push('-');
        }
        text.push(' ');
        match self.en_passant() {
            Some(square) => text.push_str(&square.to_string()),
            None => text.push('-'),
        }
        // Writing to a String cannot fail.
        let _ = write!(text, " {} {}", self.halfmove_clock, self.fullmove);
        text
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn read_counter(name: &'static str, text: &str) -> Result<u16, FenError> {
    let error = || FenError::Counter { name, text: shortened(text) };
    if !is_number(text) {
        return Err(error()); // `parse` would take a sign
    }
    text.parse().map_err(|_| error())
}
