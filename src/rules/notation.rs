//! Moves as text: coordinates, and standard algebraic notation with the site's forms for the Escort
//! (`ERf1`) and the Decoy (`De5`), with English or Portuguese piece letters.
//!
//! Reading takes both kinds wherever a move is read, and forgives what people and programs do:
//! `+ # ! ?` after a move, needless origins, a left-out `x` or `=`, `0-0`. A given `x` must be true.
//! Writing gives one form.

use thiserror::Error;

use crate::board::{PieceKind, Square};

use super::moves::{Move, MoveKind, MoveList};
use super::position::Position;

/// Whose initials name the pieces. An Escort's are always English.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Letters {
    /// `K Q R B N`.
    #[default]
    English,
    /// Rei, Dama, Torre, Bispo, Cavalo: `R D T B C`; castling with zeros.
    Portuguese,
}

/// How a move is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Style {
    /// `e2e4`, `e7e8q`; Escort and Decoy as the King's move.
    #[default]
    Coordinate,
    /// Standard algebraic notation, the site's: `Nf3`, `ERf1`, `De5`.
    San,
}

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// Not the form of a move.
    #[error("{0:?} is not a move")]
    Unreadable(String),
    /// A move, but not a legal one.
    #[error("{0:?} is not a legal move")]
    Illegal(String),
    /// More than one legal move is meant.
    #[error("{text:?} may be {first} or {second}")]
    Ambiguous {
        /// What was read.
        text: String,
        /// One reading.
        first: Move,
        /// Another.
        second: Move,
    },
}

impl Letters {
    const fn letter(self, kind: PieceKind) -> char {
        match (self, kind) {
            (Letters::English, kind) => kind.letter(),
            (Letters::Portuguese, PieceKind::Pawn) => 'P',
            (Letters::Portuguese, PieceKind::Knight) => 'C',
            (Letters::Portuguese, PieceKind::Bishop) => 'B',
            (Letters::Portuguese, PieceKind::Rook) => 'T',
            (Letters::Portuguese, PieceKind::Queen) => 'D',
            (Letters::Portuguese, PieceKind::King) => 'R',
        }
    }

    fn kind(self, letter: char) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|&kind| self.letter(kind) == letter)
    }
}

/// Writes a legal move of the position.
pub fn write_move(position: &Position, m: Move, style: Style, letters: Letters) -> String {
    match style {
        Style::Coordinate => m.to_string(),
        Style::San => san(position, m, letters),
    }
}

/// Writes a legal move of the position in standard algebraic notation.
pub fn san(position: &Position, m: Move, letters: Letters) -> String {
    san_among(position, &position.legal_moves(), m, letters)
}

/// [`san`] when the legal moves, among which it must be told apart, are at hand.
pub fn san_among(position: &Position, moves: &MoveList, m: Move, letters: Letters) -> String {
    let mut text = String::with_capacity(8);
    match m.kind() {
        MoveKind::Castle => {
            let side = if letters == Letters::English { "O-O" } else { "0-0" };
            text.push_str(side);
            if m.to().file() == 2 {
                text.push_str(&side[1..]);
            }
        }
        MoveKind::Escort => {
            text.push('E');
            if let Some((supporter, beside)) = position.escort_supporter(m) {
                text.push(position.kind_on(supporter).letter());
                text.push_str(&beside.to_string());
            }
        }
        MoveKind::Decoy => {
            text.push('D');
            text.push_str(&m.to().to_string());
        }
        MoveKind::Normal | MoveKind::EnPassant | MoveKind::Promotion(_) => {
            let piece = position.moved(m);
            if piece == PieceKind::Pawn {
                if position.is_capture(m) {
                    text.push(m.from().file_letter());
                }
            } else {
                text.push(letters.letter(piece));
                push_origin(&mut text, position, moves, m, piece);
            }
            if position.is_capture(m) {
                text.push('x');
            }
            text.push_str(&m.to().to_string());
            if let Some(becomes) = m.promotion() {
                text.push('=');
                text.push(letters.letter(becomes));
            }
        }
    }
    if position.edition().rules().royal {
        let after = position.play(m);
        if after.in_check() {
            text.push(if after.stuck().is_some() { '#' } else { '+' });
        }
    }
    text
}

/// The origin's file, rank or both, as far as other pieces of the kind can go to the same square.
fn push_origin(
    text: &mut String,
    position: &Position,
    moves: &MoveList,
    m: Move,
    piece: PieceKind,
) {
    let rivals = moves.iter().filter(|other| {
        other.to() == m.to()
            && other.from() != m.from()
            && other.is_normal()
            && position.moved(**other) == piece
    });
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for rival in rivals {
        any = true;
        same_file |= rival.from().file() == m.from().file();
        same_rank |= rival.from().rank() == m.from().rank();
    }
    if any && (!same_file || same_rank) {
        text.push(m.from().file_letter());
    }
    if same_file {
        text.push(m.from().rank_digit());
    }
}

/// Reads a move of the position in coordinates or in standard algebraic notation.
///
/// # Errors
/// When the text is no move, not legal here, or fits more than one.
pub fn parse_move(position: &Position, text: &str, letters: Letters) -> Result<Move, MoveError> {
    let unreadable = || MoveError::Unreadable(shortened(text));
    let illegal = || MoveError::Illegal(shortened(text));
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let form = Form::read(position, bare, letters).ok_or_else(unreadable)?;
    let moves = position.legal_moves();
    let mut fitting = moves.iter().copied().filter(|&m| form.fits(position, m));
    let first = fitting.next().ok_or_else(illegal)?;
    match fitting.next() {
        None => Ok(first),
        Some(second) => Err(MoveError::Ambiguous { text: shortened(text), first, second }),
    }
}

/// A text for an error message, cut where somebody sent a whole book.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// What a text says about a move.
enum Form {
    Coordinate { from: Square, to: Square, promotion: Option<PieceKind> },
    Castle { short: bool },
    Escort { supporter: PieceKind, beside: Square },
    Decoy { pawn: Square },
    Piece(PieceForm),
}

struct PieceForm {
    piece: PieceKind,
    file: Option<u8>,
    rank: Option<u8>,
    captures: bool,
    to: Square,
    promotion: Option<PieceKind>,
}

impl Form {
    fn read(position: &Position, text: &str, letters: Letters) -> Option<Form> {
        if !text.is_ascii() {
            return None;
        }
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Form::Castle { short: true }),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Form::Castle { short: false }),
            _ => {}
        }
        if let Some(form) = Form::read_coordinate(text) {
            return Some(form);
        }
        if position.edition().rules().escort_and_decoy {
            if let Some(rest) = text.strip_prefix('E') {
                let supporter = PieceKind::from_letter(rest.chars().next()?)?;
                return Some(Form::Escort { supporter, beside: Square::parse(rest.get(1..)?)? });
            }
            if let Some(pawn) = text.strip_prefix('D').and_then(Square::parse) {
                // In Portuguese D is the Queen's letter too; a Queen cannot go onto an own pawn.
                let own_pawn = position.of(position.side_to_move(), PieceKind::Pawn).has(pawn);
                if letters == Letters::English || own_pawn {
                    return Some(Form::Decoy { pawn });
                }
            }
        }
        PieceForm::read(text, letters).map(Form::Piece)
    }

    fn read_coordinate(text: &str) -> Option<Form> {
        let from = Square::parse(text.get(..2)?)?;
        let to = Square::parse(text.get(2..4)?)?;
        let promotion = match text.get(4..)? {
            "" => None,
            letter if letter.len() == 1 => {
                let kind = PieceKind::from_letter(letter.to_ascii_uppercase().chars().next()?)?;
                Some(kind)
            }
            _ => return None,
        };
        Some(Form::Coordinate { from, to, promotion })
    }

    fn fits(&self, position: &Position, m: Move) -> bool {
        match *self {
            Form::Coordinate { from, to, promotion } => {
                (m.from(), m.to()) == (from, to) && promotion_fits(position, m, promotion)
            }
            Form::Castle { short } => {
                let side = if short { 6 } else { 2 };
                let home = Square::at(4, position.side_to_move().relative_rank(0));
                let sideways = m.from() == home && m.to() == Square::at(side, home.rank());
                // Where there is no castling, the Escort by a Rook that looks like it.
                sideways
                    && match m.kind() {
                        MoveKind::Castle => true,
                        MoveKind::Escort => position
                            .escort_supporter(m)
                            .is_some_and(|(s, _)| position.kind_on(s) == PieceKind::Rook),
                        _ => false,
                    }
            }
            Form::Escort { supporter, beside } => position
                .escort_supporter(m)
                .is_some_and(|(s, b)| position.kind_on(s) == supporter && b == beside),
            Form::Decoy { pawn } => m.kind() == MoveKind::Decoy && m.to() == pawn,
            Form::Piece(ref form) => {
                matches!(m.kind(), MoveKind::Normal | MoveKind::EnPassant | MoveKind::Promotion(_))
                    && position.moved(m) == form.piece
                    && m.to() == form.to
                    && form.file.is_none_or(|file| file == m.from().file())
                    && form.rank.is_none_or(|rank| rank == m.from().rank())
                    && (!form.captures || position.is_capture(m))
                    // A pawn's capture needs its file, else `e5` could be `dxe5`.
                    && (form.piece != PieceKind::Pawn
                        || form.file.is_some()
                        || !position.is_capture(m))
                    && promotion_fits(position, m, form.promotion)
            }
        }
    }
}

/// Whether the promotion that was written, or the lack of one, fits: it may be left out only where
/// there is but one piece to choose.
fn promotion_fits(position: &Position, m: Move, written: Option<PieceKind>) -> bool {
    match (m.promotion(), written) {
        (becomes, Some(_)) => becomes == written,
        (None, None) => true,
        (Some(_), None) => position.edition().promotions().len() == 1,
    }
}

impl PieceForm {
    fn read(text: &str, letters: Letters) -> Option<PieceForm> {
        let mut rest = text;
        let mut promotion = None;
        // A promotion at the end: `=Q`, `Q`.
        if let Some(letter) = rest.chars().last()
            && let Some(kind) = letters.kind(letter.to_ascii_uppercase())
        {
            promotion = Some(kind);
            rest = rest.get(..rest.len() - 1)?;
            rest = rest.strip_suffix('=').unwrap_or(rest);
        }
        let to = Square::parse(rest.get(rest.len().checked_sub(2)?..)?)?;
        rest = rest.get(..rest.len() - 2)?;

        let piece = rest.chars().next().and_then(|letter| letters.kind(letter));
        if piece.is_some() {
            rest = rest.get(1..)?;
        }
        let captures = rest.ends_with(['x', ':']);
        rest = rest.trim_end_matches(['x', ':', '-']);
        let (file, rank) = match rest.as_bytes() {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        let piece = piece.unwrap_or(PieceKind::Pawn);
        Some(PieceForm { piece, file, rank, captures, to, promotion })
    }
}
