//! A position: what stands where, whose move it is, what may still be done; and playing a move.
//!
//! Copy-make: [`Position::play`] returns a new position and leaves the old one as it is.
//! Invariants: the two colour sets are disjoint and their union is that of the six kind sets; at
//! most one King a colour; no pawn on the first or last rank; `en_passant` is set only when a pawn can
//! capture there by a legal move; `castling` holds only rights that the board bears out; `key` equals
//! [`Position::computed_key`].

use crate::board::{Bitboard, Color, PieceKind, Square, attacks, zobrist};

use super::edition::Edition;
use super::moves::{Move, MoveKind};

/// Who may still castle where: four bits, White's short and long, Black's short and long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CastlingRights(pub(super) u8);

impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights(0);

    /// The right of one side, short (with the h-file's Rook) or long.
    pub const fn of(color: Color, short: bool) -> CastlingRights {
        CastlingRights(1 << (2 * color.index() + !short as usize))
    }

    /// Whether all of `other` is included.
    #[inline]
    pub const fn has(self, other: CastlingRights) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    pub const fn with(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// The four bits.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// The rights that remain when something moves from or to a square.
static RIGHTS_KEPT: [u8; 64] = {
    let mut kept = [15; 64];
    kept[4] = 15 & !3;
    kept[7] = 15 & !1;
    kept[0] = 15 & !2;
    kept[60] = 15 & !12;
    kept[63] = 15 & !4;
    kept[56] = 15 & !8;
    kept
};

/// The squares that a castling touches.
pub(super) struct CastlingSquares {
    pub king_from: Square,
    pub king_to: Square,
    pub rook_from: Square,
    pub rook_to: Square,
}

impl CastlingSquares {
    #[inline]
    pub(super) const fn of(color: Color, short: bool) -> CastlingSquares {
        let (king_to, rook_from, rook_to) = if short { (6, 7, 5) } else { (2, 0, 3) };
        CastlingSquares {
            king_from: Square::new(4).relative(color),
            king_to: Square::new(king_to).relative(color),
            rook_from: Square::new(rook_from).relative(color),
            rook_to: Square::new(rook_to).relative(color),
        }
    }
}

pub(super) const NO_SQUARE: u8 = 64;

/// A position of one edition. 80 bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) key: u64,
    pub(super) side: Color,
    pub(super) edition: Edition,
    pub(super) castling: CastlingRights,
    pub(super) en_passant: u8,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove: u16,
}

impl Position {
    /// The start position of an edition.
    pub fn start(edition: Edition) -> Position {
        let mut position = Position::empty(edition);
        let back = [3, 1, 2, 4, 5, 2, 1, 3].map(PieceKind::from_index);
        for (file, kind) in (0..).zip(back) {
            for color in Color::ALL {
                position.put(color, kind, Square::at(file, 0).relative(color));
                position.put(color, PieceKind::Pawn, Square::at(file, 1).relative(color));
            }
        }
        if edition.rules().castling {
            position.castling = CastlingRights(15);
        }
        position
    }

    pub(super) fn empty(edition: Edition) -> Position {
        Position {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            key: 0,
            side: Color::White,
            edition,
            castling: CastlingRights::NONE,
            en_passant: NO_SQUARE,
            halfmove_clock: 0,
            fullmove: 1,
        }
    }

    /// The position of some men, without castling rights or an en passant chance, its clocks at their
    /// beginning. `None` where two men stand on one square, a side has two Kings, or a pawn stands on
    /// the first or last rank.
    pub fn from_men(
        edition: Edition,
        side: Color,
        men: impl IntoIterator<Item = (Color, PieceKind, Square)>,
    ) -> Option<Position> {
        let mut position = Position::empty(edition);
        for (color, kind, square) in men {
            let second_king = kind == PieceKind::King && position.king(color).is_some();
            let edge = kind == PieceKind::Pawn && matches!(square.rank(), 0 | 7);
            if second_king || edge || position.occupied().has(square) {
                return None;
            }
            position.put(color, kind, square);
        }
        if side == Color::Black {
            position.side = side;
            position.key ^= zobrist::BLACK_TO_MOVE;
        }
        Some(position)
    }

    /// The edition this position belongs to.
    #[inline]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Whose move it is.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// All pieces of a kind, of both colours.
    #[inline]
    pub const fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// All pieces of a colour.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of one colour and kind.
    #[inline]
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.pieces(kind)
    }

    /// Bishops and Queens of a colour.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.pieces(PieceKind::Bishop) | self.pieces(PieceKind::Queen)) & self.color(color)
    }

    /// Rooks and Queens of a colour.
    #[inline]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        (self.pieces(PieceKind::Rook) | self.pieces(PieceKind::Queen)) & self.color(color)
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Where the King of a colour stands; `None` when it has been captured.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.of(color, PieceKind::King).first()
    }

    /// What stands on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<PieceKind> {
        if self.occupied().has(square) { Some(self.kind_on(square)) } else { None }
    }

    /// What stands on a square that is occupied: by adding up bits, without a branch.
    #[inline]
    pub(super) fn kind_on(&self, square: Square) -> PieceKind {
        let bit = |kind: usize| (self.kinds[kind].0 >> square.index()) as usize & 1;
        let index = bit(1) + 2 * bit(2) + 3 * bit(3) + 4 * bit(4) + 5 * bit(5);
        PieceKind::ALL[index]
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<(Color, PieceKind)> {
        let color = if self.colors[0].has(square) { Color::White } else { Color::Black };
        self.kind_at(square).map(|kind| (color, kind))
    }

    /// The castling rights; never any in today's edition.
    #[inline]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square where a pawn can capture en passant by a legal move.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        if self.en_passant == NO_SQUARE { None } else { Some(Square::new(self.en_passant)) }
    }

    /// Plies since the last capture or pawn move. Escort and Decoy count up.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, counted from 1, up by one after Black's.
    #[inline]
    pub const fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// The key of placement and side to move, and of nothing else.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key for a transposition table: placement, side, castling rights, a capturable en passant
    /// square. Derived from [`Position::key`] on demand, which is cheaper than keeping both.
    #[inline]
    pub fn table_key(&self) -> u64 {
        let mut key = self.key ^ zobrist::castling(self.castling.0);
        if let Some(square) = self.en_passant() {
            key ^= zobrist::en_passant(square);
        }
        key
    }

    /// The key by which this edition tells whether a position stands again: placement and side in
    /// Capture or Conquer; castling rights and en passant too in chess.
    #[inline]
    pub fn repetition_key(&self) -> u64 {
        if self.edition.rules().royal { self.table_key() } else { self.key }
    }

    /// [`Position::key`] worked out from the board.
    pub fn computed_key(&self) -> u64 {
        let mut key = if self.side == Color::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for square in self.of(color, kind) {
                    key ^= zobrist::piece(color, kind, square);
                }
            }
        }
        key
    }

    /// Pieces of both colours that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.attackers_of(Color::White, square, occupied)
            | self.attackers_of(Color::Black, square, occupied)
    }

    /// Pieces of one colour that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers_of(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let steppers = (attacks::pawn(!by, square) & self.pieces(PieceKind::Pawn))
            | (attacks::knight(square) & self.pieces(PieceKind::Knight))
            | (attacks::king(square) & self.pieces(PieceKind::King));
        (steppers & self.color(by))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders(by))
            | (attacks::rook(square, occupied) & self.orthogonal_sliders(by))
    }

    /// Whether a piece of `by` attacks the square.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.attackers_of(by, square, self.occupied()).has_any()
    }

    /// Whether the King of the side to move stands attacked; false when it is missing.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.king_attacked(self.side)
    }

    /// Whether the King of a colour stands attacked. Two bare Kings that spare one another
    /// (the earlier edition) are never attacked.
    #[inline]
    pub fn king_attacked(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.is_attacked(king, !color))
            && !self.bare_kings_truce()
    }

    /// Whether only the two Kings are left and this edition lets neither take the other.
    #[inline]
    pub(super) fn bare_kings_truce(&self) -> bool {
        self.edition.rules().bare_kings_truce && self.occupied() == self.pieces(PieceKind::King)
    }

    #[inline]
    pub(super) fn put(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.toggle(color, kind, Bitboard::of(square));
        self.key ^= zobrist::piece(color, kind, square);
    }

    #[inline]
    fn toggle(&mut self, color: Color, kind: PieceKind, squares: Bitboard) {
        self.kinds[kind.index()] ^= squares;
        self.colors[color.index()] ^= squares;
    }

    #[inline]
    pub(super) fn shift_piece(&mut self, color: Color, kind: PieceKind, from: Square, to: Square) {
        self.toggle(color, kind, Bitboard::of(from) | Bitboard::of(to));
        self.key ^= zobrist::piece(color, kind, from) ^ zobrist::piece(color, kind, to);
    }

    /// Whether the move takes a piece.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.color(!self.side).has(m.to()) || m.kind() == MoveKind::EnPassant
    }

    /// What the move takes.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<PieceKind> {
        if m.kind() == MoveKind::EnPassant {
            Some(PieceKind::Pawn)
        } else if self.color(!self.side).has(m.to()) {
            Some(self.kind_on(m.to()))
        } else {
            None
        }
    }

    /// What moves: the King in castling, Escort and Decoy. The move must be of this position.
    #[inline]
    pub fn moved(&self, m: Move) -> PieceKind {
        self.kind_on(m.from())
    }

    /// The supporting piece of an Escort: where it comes from and where it arrives.
    /// `None` for any other move, and for one that is not of this position.
    pub fn escort_supporter(&self, m: Move) -> Option<(Square, Square)> {
        if m.kind() != MoveKind::Escort {
            return None;
        }
        let (king, landing) = (m.from(), m.to());
        let beside = attacks::between(king, landing).first()?;
        // The first piece met from the King in that direction.
        let ray = attacks::queen(king, self.occupied()) & attacks::line(king, landing);
        let supporter = (ray & self.color(self.side))
            .find(|&s| s == landing || s == beside || attacks::between(king, s).has(beside))?;
        Some((supporter, beside))
    }

    /// The position after a legal move.
    ///
    /// A move that is not legal here gives a position that breaks the invariants: check moves from
    /// outside with [`Position::is_legal`] first.
    #[inline]
    pub fn play(&self, m: Move) -> Position {
        self.play_piece(self.kind_on(m.from()), m)
    }

    /// [`Position::play`] when the moving piece is known already.
    #[inline]
    pub(super) fn play_piece(&self, piece: PieceKind, m: Move) -> Position {
        let mut next = *self;
        let us = self.side;
        let (from, to) = (m.from(), m.to());
        next.side = !us;
        next.key ^= zobrist::BLACK_TO_MOVE;
        next.en_passant = NO_SQUARE;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        next.fullmove = self.fullmove.saturating_add(us as u16);
        if self.castling.0 != 0 {
            next.castling.0 &= RIGHTS_KEPT[from.index()] & RIGHTS_KEPT[to.index()];
        }

        if m.is_normal() {
            if self.color(!us).has(to) {
                next.put(!us, self.kind_on(to), to);
                next.halfmove_clock = 0;
            }
            next.shift_piece(us, piece, from, to);
            if piece == PieceKind::Pawn {
                next.halfmove_clock = 0;
                if from.index().abs_diff(to.index()) == 16 {
                    let passed = Square::new(((from.index() + to.index()) / 2) as u8);
                    let capturers = attacks::pawn(us, passed) & self.of(!us, PieceKind::Pawn);
                    if capturers.has_any() {
                        next.allow_en_passant(passed);
                    }
                }
            }
            return next;
        }

        match m.kind() {
            MoveKind::Normal => {}
            MoveKind::EnPassant => {
                next.put(!us, PieceKind::Pawn, Square::at(to.file(), from.rank()));
                next.shift_piece(us, PieceKind::Pawn, from, to);
                next.halfmove_clock = 0;
            }
            MoveKind::Promotion(becomes) => {
                if self.color(!us).has(to) {
                    next.put(!us, self.kind_on(to), to);
                }
                next.put(us, PieceKind::Pawn, from);
                next.put(us, becomes, to);
                next.halfmove_clock = 0;
            }
            MoveKind::Castle => {
                let squares = CastlingSquares::of(us, to.file() == 6);
                next.shift_piece(us, PieceKind::King, from, to);
                next.shift_piece(us, PieceKind::Rook, squares.rook_from, squares.rook_to);
            }
            MoveKind::Escort => {
                if let Some((supporter, beside)) = self.escort_supporter(m) {
                    next.shift_piece(us, self.kind_on(supporter), supporter, beside);
                    next.shift_piece(us, PieceKind::King, from, to);
                }
            }
            MoveKind::Decoy => {
                next.shift_piece(us, PieceKind::King, from, to);
                next.shift_piece(us, PieceKind::Pawn, to, from);
            }
        }
        next
    }

    /// Sets the en passant square if a pawn of the side to move can capture there legally.
    #[inline(never)] // rare, and it calls the function it is called from
    pub(super) fn allow_en_passant(&mut self, square: Square) {
        let us = self.side;
        let mut capturers = attacks::pawn(!us, square) & self.of(us, PieceKind::Pawn);
        let legal = capturers.any(|from| {
            let capture = Move::new(from, square, MoveKind::EnPassant);
            !self.edition.rules().royal
                || !self.play_piece(PieceKind::Pawn, capture).king_attacked(us)
        });
        self.en_passant = if legal { square.index() as u8 } else { NO_SQUARE };
    }

    /// The position with the other side to move and nothing else done, for a search's null move.
    /// An en passant chance passes.
    #[inline]
    pub fn play_null(&self) -> Position {
        let mut next = *self;
        next.side = !self.side;
        next.key ^= zobrist::BLACK_TO_MOVE;
        next.en_passant = NO_SQUARE;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        next.fullmove = self.fullmove.saturating_add(self.side as u16);
        next
    }

    /// The position seen from the other side: ranks mirrored, colours exchanged.
    pub fn mirrored(&self) -> Position {
        let mut mirror = Position::empty(self.edition);
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for square in self.of(color, kind) {
                    mirror.put(!color, kind, square.flip());
                }
            }
        }
        mirror.side = !self.side;
        if mirror.side == Color::Black {
            mirror.key ^= zobrist::BLACK_TO_MOVE;
        }
        mirror.castling = CastlingRights((self.castling.0 >> 2 | self.castling.0 << 2) & 15);
        mirror.en_passant = self.en_passant().map_or(NO_SQUARE, |s| s.flip().index() as u8);
        mirror.halfmove_clock = self.halfmove_clock;
        mirror.fullmove = self.fullmove;
        mirror
    }
}
