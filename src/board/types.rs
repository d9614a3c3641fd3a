//! The small vocabulary of the board: colours, kinds of piece, squares.
//!
//! Uses nothing else of the crate. Invariants: a [`Square`] is always below 64.

use std::fmt;
use std::ops::Not;

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Moves first, up the board; its goal rank is rank 8.
    White = 0,
    /// Moves down the board; its goal rank is rank 1.
    Black = 1,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name in lower case, as in a result: `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// `rank` (0 to 7, counted from White) as this side counts it from its own end of the board.
    #[inline]
    pub const fn relative_rank(self, rank: u8) -> u8 {
        match self {
            Color::White => rank,
            Color::Black => 7 - rank,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// What a piece is, whoever owns it. The order is that of the usual values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// Pawn.
    Pawn = 0,
    /// Knight.
    Knight = 1,
    /// Bishop.
    Bishop = 2,
    /// Rook.
    Rook = 3,
    /// Queen.
    Queen = 4,
    /// King.
    King = 5,
}

impl PieceKind {
    /// All six kinds in order.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// 0 (Pawn) to 5 (King).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this index.
    ///
    /// # Panics
    /// When `index` is above 5.
    #[inline]
    pub const fn from_index(index: usize) -> PieceKind {
        PieceKind::ALL[index]
    }

    /// The English letter in upper case: `P N B R Q K`.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self as usize]
    }

    /// The kind with this English letter in upper case.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        match letter {
            'P' => Some(PieceKind::Pawn),
            'N' => Some(PieceKind::Knight),
            'B' => Some(PieceKind::Bishop),
            'R' => Some(PieceKind::Rook),
            'Q' => Some(PieceKind::Queen),
            'K' => Some(PieceKind::King),
            _ => None,
        }
    }
}

/// A square, a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this number; the number is taken modulo 64.
    #[inline]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on `file` (0 = a) and `rank` (0 = the first), both below 8.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square::new(rank * 8 + file)
    }

    /// 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        // The mask says to the compiler what the invariant says to us, and spares a bounds check.
        (self.0 & 63) as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for rank 1 to 7 for rank 8.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square `step` further on in a1…h8 order; wraps around at the board's ends.
    #[inline]
    pub const fn offset(self, step: i8) -> Square {
        Square::new(self.0.wrapping_add_signed(step))
    }

    /// The same square seen from the other side: ranks mirrored.
    #[inline]
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The square as `color` sees it: unchanged for White, ranks mirrored for Black.
    #[inline]
    pub const fn relative(self, color: Color) -> Square {
        Square(self.0 ^ (56 * color as u8))
    }

    /// How many King's steps lie between the two squares: 0 to 7.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// Reads `e4`; the file in lower case.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::at(file - b'a', rank - b'1')),
            _ => None,
        }
    }

    /// The file's letter, `a` to `h`.
    pub const fn file_letter(self) -> char {
        (b'a' + self.file()) as char
    }

    /// The rank's digit, `1` to `8`.
    pub const fn rank_digit(self) -> char {
        (b'1' + self.rank()) as char
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank_digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
