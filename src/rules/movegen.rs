//! Which moves there are.
//!
//! One generator serves every edition; it is compiled once for each, so that what an edition lacks
//! costs nothing. It yields sets (all targets of a piece, all pawns making the same step), so that
//! counting needs no list. In chess it yields legal moves by pins and check masks; elsewhere every
//! pseudo-legal move is legal. [`Position::is_legal`] judges a single move by other means, and the
//! tests hold the two against one another.

use crate::board::{Bitboard, Color, PieceKind, Square, attacks};
use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};

use super::edition::Edition;
use super::moves::{Move, MoveKind, MoveList};
use super::position::{CastlingRights, CastlingSquares, Position};

/// Moves that belong together.
pub(super) enum MoveSet {
    /// One piece, all squares it can go to.
    Piece { kind: PieceKind, from: Square, targets: Bitboard },
    /// Pawns that all make this step without promoting, by the squares they arrive on.
    Pawns { step: i8, targets: Bitboard },
    /// Pawns that all make this step onto the last rank.
    Promotions { step: i8, targets: Bitboard },
    /// En passant, castling, Escort, Decoy.
    One(PieceKind, Move),
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All.
    All,
    /// Captures and promotions.
    Noisy,
    /// The others.
    Quiet,
}

/// `$position.$method::<E>(…)` with `E` the position's edition as a constant.
macro_rules! by_edition {
    ($position:expr, $method:ident $(, $argument:expr)*) => {
        match $position.edition {
            Edition::CaptureOrConquer => $position.$method::<{ Edition::CaptureOrConquer as u8 }>($($argument),*),
            Edition::Classic => $position.$method::<{ Edition::Classic as u8 }>($($argument),*),
            Edition::Chess => $position.$method::<{ Edition::Chess as u8 }>($($argument),*),
        }
    };
}
pub(super) use by_edition;

/// In chess: what a move must respect so that the King does not stand attacked after it.
struct Safety {
    /// Where a piece other than the King may go: anywhere, or onto the checker or before it.
    allowed: Bitboard,
    /// Own pieces that may move only along the line through their King.
    pinned: Bitboard,
    checkers: Bitboard,
}

impl Safety {
    const FREE: Safety =
        Safety { allowed: Bitboard::ALL, pinned: Bitboard::EMPTY, checkers: Bitboard::EMPTY };
}

impl Position {
    #[inline]
    fn safety<const E: u8>(&self, king: Option<Square>) -> Safety {
        let Some(king) = king else { return Safety::FREE };
        if !const { Edition::from_number(E).rules().royal } {
            return Safety::FREE;
        }
        let them = !self.side;
        let occupied = self.occupied();
        let own = self.color(self.side);
        let mut checkers = (attacks::pawn(self.side, king) & self.of(them, Pawn))
            | (attacks::knight(king) & self.of(them, Knight));
        let snipers = (attacks::bishop(king, Bitboard::EMPTY) & self.diagonal_sliders(them))
            | (attacks::rook(king, Bitboard::EMPTY) & self.orthogonal_sliders(them));
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= Bitboard::of(sniper);
            } else if !blockers.many() {
                pinned |= blockers & own;
            }
        }
        let allowed = match checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checkers.many() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        Safety { allowed, pinned, checkers }
    }

    /// Yields all moves of a position that is not finished (see [`Position::finished`]).
    #[inline]
    pub(super) fn generate<const E: u8>(&self, wanted: Wanted, yields: &mut impl FnMut(MoveSet)) {
        let us = self.side;
        let king = self.king(us);
        let occupied = self.occupied();
        let safety = self.safety::<E>(king);
        let mut targets = match wanted {
            Wanted::All => !self.color(us),
            Wanted::Noisy => self.color(!us),
            Wanted::Quiet => !occupied,
        };
        if let Some(king) = king {
            self.king_moves::<E>(king, targets, &safety, wanted, yields);
        }
        if safety.allowed.is_empty() {
            return; // double check: only the King can move
        }
        self.pawn_moves::<E>(king, &safety, wanted, yields);

        targets &= safety.allowed;
        let free = !safety.pinned;
        for from in self.of(us, Knight) & free {
            yields(MoveSet::Piece { kind: Knight, from, targets: attacks::knight(from) & targets });
        }
        let mut slide = |kind, attacks: fn(Square, Bitboard) -> Bitboard| {
            for from in self.of(us, kind) {
                let mut reached = attacks(from, occupied) & targets;
                if safety.pinned.has(from)
                    && let Some(king) = king
                {
                    reached &= attacks::line(king, from);
                }
                yields(MoveSet::Piece { kind, from, targets: reached });
            }
        };
        slide(Bishop, attacks::bishop);
        slide(Rook, attacks::rook);
        slide(Queen, attacks::queen);
    }

    #[inline]
    fn king_moves<const E: u8>(
        &self,
        king: Square,
        targets: Bitboard,
        safety: &Safety,
        wanted: Wanted,
        yields: &mut impl FnMut(MoveSet),
    ) {
        let rules = const { Edition::from_number(E).rules() };
        let us = self.side;
        let mut reached = attacks::king(king) & targets;
        if rules.royal {
            let without_king = self.occupied() ^ Bitboard::of(king);
            for to in reached {
                if self.attackers_of(!us, to, without_king).has_any() {
                    reached ^= Bitboard::of(to);
                }
            }
        }
        if rules.bare_kings_truce && self.bare_kings_truce() {
            reached &= !self.color(!us);
        }
        yields(MoveSet::Piece { kind: King, from: king, targets: reached });

        if wanted == Wanted::Noisy {
            return;
        }
        if rules.castling && self.castling != CastlingRights::NONE && safety.checkers.is_empty() {
            for short in [true, false] {
                if self.may_castle(short) {
                    let to = CastlingSquares::of(us, short).king_to;
                    yields(MoveSet::One(King, Move::new(king, to, MoveKind::Castle)));
                }
            }
        }
        if rules.escort_and_decoy {
            for supporter in self.escort_supporters(us) {
                let to = escort_landing(king, supporter);
                yields(MoveSet::One(King, Move::new(king, to, MoveKind::Escort)));
            }
            for pawn in self.decoy_pawns(us) {
                yields(MoveSet::One(King, Move::new(king, pawn, MoveKind::Decoy)));
            }
        }
    }

    /// The pieces of a colour that can escort its King: line pieces that are the first thing met from the
    /// King on a line they slide along, not next to it. Of no meaning where there is no Escort.
    #[inline]
    pub fn escort_supporters(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
        let occupied = self.occupied();
        let straight = attacks::rook(king, occupied) & self.orthogonal_sliders(color);
        let diagonal = attacks::bishop(king, occupied) & self.diagonal_sliders(color);
        (straight | diagonal) & !attacks::king(king)
    }

    /// The pawns of a colour that can be its King's Decoy: next to it and beyond the own third rank.
    /// Of no meaning where there is no Decoy.
    #[inline]
    pub fn decoy_pawns(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
        attacks::king(king) & self.of(color, Pawn) & decoy_zone(color)
    }

    /// Whether the side to move, not in check, may castle: right and empty squares, and in chess an
    /// unattacked way for the King.
    fn may_castle(&self, short: bool) -> bool {
        let us = self.side;
        if !self.castling.has(CastlingRights::of(us, short)) {
            return false;
        }
        let squares = CastlingSquares::of(us, short);
        let occupied = self.occupied();
        if (attacks::between(squares.king_from, squares.rook_from) & occupied).has_any() {
            return false;
        }
        !self.edition.rules().royal
            || (!self.is_attacked(squares.rook_to, !us) && !self.is_attacked(squares.king_to, !us))
    }

    #[inline]
    fn pawn_moves<const E: u8>(
        &self,
        king: Option<Square>,
        safety: &Safety,
        wanted: Wanted,
        yields: &mut impl FnMut(MoveSet),
    ) {
        let us = self.side;
        let (up, east, west) = match us {
            Color::White => (8, 9, 7),
            Color::Black => (-8, -7, -9),
        };
        let last_rank = Bitboard::rank(7).relative(us);
        let empty = !self.occupied();
        let enemies = self.color(!us);
        let pawns = self.of(us, Pawn);
        // A pinned pawn may make a step that keeps it on the line through the King.
        let movable = |step: i8| {
            if safety.pinned.is_empty() {
                return pawns;
            }
            let line = king.map_or(Bitboard::ALL, |king| line_through(king, step));
            pawns & (!safety.pinned | line)
        };

        let pushed = forward(movable(up), up) & empty;
        let pushes = pushed & safety.allowed;
        let east_captures =
            forward(movable(east) & !Bitboard::FILE_H, east) & enemies & safety.allowed;
        let west_captures =
            forward(movable(west) & !Bitboard::FILE_A, west) & enemies & safety.allowed;
        if wanted != Wanted::Noisy {
            let double =
                forward(pushed & Bitboard::rank(2).relative(us), up) & empty & safety.allowed;
            yields(MoveSet::Pawns { step: up, targets: pushes & !last_rank });
            yields(MoveSet::Pawns { step: 2 * up, targets: double });
        }
        if wanted == Wanted::Quiet {
            return;
        }
        yields(MoveSet::Pawns { step: east, targets: east_captures & !last_rank });
        yields(MoveSet::Pawns { step: west, targets: west_captures & !last_rank });
        if ((pushes | east_captures | west_captures) & last_rank).has_any() {
            yields(MoveSet::Promotions { step: up, targets: pushes & last_rank });
            yields(MoveSet::Promotions { step: east, targets: east_captures & last_rank });
            yields(MoveSet::Promotions { step: west, targets: west_captures & last_rank });
        }
        if let Some(to) = self.en_passant() {
            for from in attacks::pawn(!us, to) & pawns {
                let m = Move::new(from, to, MoveKind::EnPassant);
                let royal = const { Edition::from_number(E).rules().royal };
                if !royal || !self.play_piece(Pawn, m).king_attacked(us) {
                    yields(MoveSet::One(Pawn, m));
                }
            }
        }
    }

    /// The legal moves; none when the game is over by capture or conquest.
    pub fn legal_moves(&self) -> MoveList {
        if self.finished().is_some() { MoveList::new() } else { self.moves() }
    }

    /// The legal moves of a position known not to be [`Position::finished`].
    #[inline]
    pub fn moves(&self) -> MoveList {
        by_edition!(self, collect, Wanted::All)
    }

    /// Captures and promotions, of a position known not to be [`Position::finished`].
    #[inline]
    pub fn noisy_moves(&self) -> MoveList {
        by_edition!(self, collect, Wanted::Noisy)
    }

    /// The moves that are neither captures nor promotions, of a position known not to be
    /// [`Position::finished`].
    #[inline]
    pub fn quiet_moves(&self) -> MoveList {
        by_edition!(self, collect, Wanted::Quiet)
    }

    /// How many legal moves there are, without listing them.
    pub fn legal_move_count(&self) -> usize {
        if self.finished().is_some() { 0 } else { by_edition!(self, count) as usize }
    }

    fn collect<const E: u8>(&self, wanted: Wanted) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<E>(wanted, &mut |set| set.each::<E>(|_, m| list.push(m)));
        list
    }

    #[inline]
    pub(super) fn count<const E: u8>(&self) -> u64 {
        let promotions = const { Edition::from_number(E).rules().promotions.len() as u64 };
        let mut count = 0;
        self.generate::<E>(Wanted::All, &mut |set| {
            count += match set {
                MoveSet::Piece { targets, .. } | MoveSet::Pawns { targets, .. } => {
                    targets.count() as u64
                }
                MoveSet::Promotions { targets, .. } => promotions * targets.count() as u64,
                MoveSet::One(..) => 1,
            }
        });
        count
    }

    /// Whether any move at all is legal.
    pub(super) fn has_move(&self) -> bool {
        by_edition!(self, count) > 0
    }

    /// Whether no earlier position of the game can ever stand again after this move: a capture, a
    /// promotion; a pawn's step too where no Decoy can take it back.
    #[inline]
    pub fn is_irreversible(&self, m: Move) -> bool {
        self.is_capture(m)
            || m.promotion().is_some()
            || (!self.edition.rules().escort_and_decoy && self.moved(m) == Pawn)
    }

    /// Whether the player to move is *forced* in the sense of today's repetition rule: his King
    /// stands attacked, or he has exactly one legal move.
    pub fn is_forced(&self) -> bool {
        self.in_check() || self.legal_move_count() == 1
    }

    /// Whether a move, from anywhere, is legal here.
    pub fn is_legal(&self, m: Move) -> bool {
        if self.finished().is_some() || !self.is_pseudo_legal(m) {
            return false;
        }
        !self.edition.rules().royal || !self.play(m).king_attacked(self.side)
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        let rules = self.edition.rules();
        let (us, from, to) = (self.side, m.from(), m.to());
        if !self.color(us).has(from) {
            return false;
        }
        let piece = self.kind_on(from);
        let occupied = self.occupied();
        match m.kind() {
            MoveKind::Decoy => {
                rules.escort_and_decoy && piece == King && self.decoy_pawns(us).has(to)
            }
            MoveKind::Escort => {
                rules.escort_and_decoy
                    && piece == King
                    && from.distance(to) == 2
                    && self.escort_supporter(m).is_some_and(|(supporter, _)| {
                        let kind = self.kind_on(supporter);
                        let straight = from.file() == to.file() || from.rank() == to.rank();
                        from.distance(supporter) >= 2
                            && (kind == Queen || kind == if straight { Rook } else { Bishop })
                    })
            }
            MoveKind::Castle => {
                let short = to.file() == 6;
                let squares = CastlingSquares::of(us, short);
                rules.castling
                    && (from, to) == (squares.king_from, squares.king_to)
                    && !(rules.royal && self.in_check())
                    && self.may_castle(short)
            }
            MoveKind::EnPassant => {
                piece == Pawn && self.en_passant() == Some(to) && attacks::pawn(us, from).has(to)
            }
            MoveKind::Normal | MoveKind::Promotion(_) if piece == Pawn => {
                let promotes = us.relative_rank(to.rank()) == 7;
                let kind_fits = match m.promotion() {
                    Some(becomes) => promotes && rules.promotions.contains(&becomes),
                    None => !promotes,
                };
                kind_fits
                    && (self.pawn_pushes(from) | (attacks::pawn(us, from) & self.color(!us)))
                        .has(to)
            }
            MoveKind::Promotion(_) => false,
            MoveKind::Normal => {
                let reached = match piece {
                    Knight => attacks::knight(from),
                    Bishop => attacks::bishop(from, occupied),
                    Rook => attacks::rook(from, occupied),
                    Queen => attacks::queen(from, occupied),
                    _ if self.bare_kings_truce() => attacks::king(from) & !self.color(!us),
                    _ => attacks::king(from),
                };
                (reached & !self.color(us)).has(to)
            }
        }
    }

    /// Where the own pawn on `from` can be pushed to.
    fn pawn_pushes(&self, from: Square) -> Bitboard {
        let up = if self.side == Color::White { 8 } else { -8 };
        let empty = !self.occupied();
        let one = forward(Bitboard::of(from), up) & empty;
        one | (forward(one & Bitboard::rank(2).relative(self.side), up) & empty)
    }
}

impl MoveSet {
    /// Calls `f` with each move of the set and the kind of the piece that moves.
    #[inline]
    pub(super) fn each<const E: u8>(self, mut f: impl FnMut(PieceKind, Move)) {
        match self {
            MoveSet::Piece { kind, from, targets } => {
                for to in targets {
                    f(kind, Move::new(from, to, MoveKind::Normal));
                }
            }
            MoveSet::Pawns { step, targets } => {
                for to in targets {
                    f(Pawn, Move::new(to.offset(-step), to, MoveKind::Normal));
                }
            }
            MoveSet::Promotions { step, targets } => {
                for to in targets {
                    for &becomes in const { Edition::from_number(E).rules().promotions } {
                        f(Pawn, Move::new(to.offset(-step), to, MoveKind::Promotion(becomes)));
                    }
                }
            }
            MoveSet::One(kind, m) => f(kind, m),
        }
    }
}

/// A set of pawns moved by one step; the caller has masked what would wrap around a file edge, and
/// no pawn stands where it could leave the board.
#[inline]
fn forward(pawns: Bitboard, step: i8) -> Bitboard {
    Bitboard(pawns.0.rotate_left(step as u32 & 63))
}

/// The line through `square` in the direction of a pawn's step.
#[inline]
fn line_through(square: Square, step: i8) -> Bitboard {
    let neighbour = |step: i8| {
        let next = square.offset(step);
        (square.distance(next) == 1).then(|| attacks::line(square, next))
    };
    neighbour(step).or_else(|| neighbour(-step)).unwrap_or(Bitboard::of(square))
}

/// Where a pawn must stand to be a Decoy: beyond its own third rank.
#[inline]
pub(super) const fn decoy_zone(color: Color) -> Bitboard {
    Bitboard(0x00ff_ffff_ff00_0000).relative(color)
}

/// Where the King lands in an Escort: at distance two towards the supporting piece.
#[inline]
pub fn escort_landing(king: Square, supporter: Square) -> Square {
    let towards = |from: u8, to: u8| 2 * (to as i8 - from as i8).signum();
    let file = king.file().wrapping_add_signed(towards(king.file(), supporter.file()));
    let rank = king.rank().wrapping_add_signed(towards(king.rank(), supporter.rank()));
    Square::at(file, rank)
}
