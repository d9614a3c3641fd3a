//! The terms: what the evaluation sees in a position.
//!
//! Uses `board`, `rules` and the names in `weights`, but not one number of a table: a term enters into a
//! [`Ledger`] which weight applies how often, and the ledger does the rest: it sums up, or counts for
//! the tuner, or lists for the reader. Every term is worked out for one side at a time, with ranks as
//! that side counts them, so that mirrored positions get mirrored entries.

use crate::board::{Bitboard, Color, PieceKind, Square, attacks};
use crate::rules::{CastlingRights, Position, escort_landing, goal_rank};

use super::weights::{self as w, Term};

/// Takes down the weights that apply to one side.
pub trait Ledger {
    /// The weight `index` of a term applies `times` times.
    fn enter(&mut self, term: Term, index: usize, times: i32);
}

/// What the terms of both sides share: attack maps, worked out once.
pub struct Maps {
    occupied: Bitboard,
    kings: [Square; 2],
    /// Squares attacked by each side's pieces of each kind.
    by_kind: [[Bitboard; 6]; 2],
    /// Squares attacked by each side.
    all: [Bitboard; 2],
    /// Squares attacked by two pieces of a side or more.
    twice: [Bitboard; 2],
    /// Squares that each side's pawns attack or can ever come to attack.
    pawn_reach: [Bitboard; 2],
    /// Units of attack against the other side's King.
    pressure: [i32; 2],
    /// The way of each King to its goal rank, where there is conquest.
    ways: [Way; 2],
}

/// A King's way over squares that are neither own nor attacked.
#[derive(Clone, Copy, Default)]
struct Way {
    /// Steps to the goal rank, 0 if there is no way.
    steps: usize,
    /// The highest rank within reach.
    rank: usize,
}

/// Enters all terms of a position, White's and Black's. A position without both Kings has none.
#[inline]
pub fn enter_all<L: Ledger>(position: &Position, ledgers: &mut [L; 2]) {
    let (Some(white), Some(black)) = (position.king(Color::White), position.king(Color::Black))
    else {
        return;
    };
    let pawns = |color| position.of(color, PieceKind::Pawn);
    let mut maps = Maps {
        occupied: position.occupied(),
        kings: [white, black],
        by_kind: [[Bitboard::EMPTY; 6]; 2],
        all: [Bitboard::EMPTY; 2],
        twice: [Bitboard::EMPTY; 2],
        pawn_reach: [
            attacks::pawns(Color::White, pawns(Color::White).fill_north()),
            attacks::pawns(Color::Black, pawns(Color::Black).fill_south()),
        ],
        pressure: [0; 2],
        ways: [Way::default(); 2],
    };
    for color in Color::ALL {
        maps.add(color, PieceKind::Pawn, attacks::pawns(color, pawns(color)));
        maps.add(color, PieceKind::King, attacks::king(maps.kings[color.index()]));
    }
    ledgers[position.side_to_move().index()].enter(w::TEMPO, 0, 1);
    let [white, black] = ledgers;
    pieces(position, Color::White, &mut maps, white);
    pieces(position, Color::Black, &mut maps, black);
    if position.edition().has_conquest() {
        maps.ways = [way(position, Color::White, &maps), way(position, Color::Black, &maps)];
    }
    compared(position, Color::White, &maps, white);
    compared(position, Color::Black, &maps, black);
}

/// The terms that need the attack maps of both sides.
#[inline(always)] // twice, and each copy gets its colour as a constant; so for all below
fn compared<L: Ledger>(position: &Position, color: Color, maps: &Maps, ledger: &mut L) {
    pawns_and_king(position, color, maps, ledger);
    threats(position, color, maps, ledger);
    king_danger(position, color, maps, ledger);
    shelter(position, color, maps, ledger);
    if position.edition().has_conquest() {
        race(position, color, maps, ledger);
    }
    if position.edition().has_escort_and_decoy() {
        escorts_and_decoys(position, color, maps, ledger);
    } else {
        castling(position, color, ledger);
    }
}

impl Maps {
    #[inline]
    fn add(&mut self, color: Color, kind: PieceKind, attacked: Bitboard) {
        let c = color.index();
        self.by_kind[c][kind.index()] |= attacked;
        self.twice[c] |= self.all[c] & attacked;
        self.all[c] |= attacked;
    }
}

/// Place in a table of squares: rank × 4 + file from the nearer edge, as `color` sees it.
#[inline]
fn place(color: Color, square: Square) -> usize {
    let file = square.file();
    color.relative_rank(square.rank()) as usize * 4 + file.min(7 - file) as usize
}

/// The squares before each square of the set, on its file, as `color` moves.
#[inline]
fn ahead(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(set.0 << 8).fill_north(),
        Color::Black => Bitboard(set.0 >> 8).fill_south(),
    }
}

/// The set one rank further as `color` moves.
#[inline]
fn step(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// All squares a King's step away from the set, and the set.
#[inline]
fn widen(set: Bitboard) -> Bitboard {
    let row = set | set.east() | set.west();
    Bitboard(row.0 | row.0 << 8 | row.0 >> 8)
}

/// What an attack by a Knight, Bishop, Rook, Queen on the enemy King's surroundings counts in units of
/// danger.
const ATTACK_UNITS: [i32; 6] = [0, 2, 2, 3, 4, 0];
/// What an unhindered attack on the King itself by such a piece, next move, counts.
const CHECK_UNITS: [i32; 6] = [0, 3, 2, 4, 4, 0];

/// Material, squares, mobility, Bishops, outposts, Rooks' files; and the attack maps on the way.
#[inline(always)]
fn pieces<L: Ledger>(position: &Position, color: Color, maps: &mut Maps, ledger: &mut L) {
    use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
    let (us, them) = (color.index(), (!color).index());
    let own_pawns = position.of(color, Pawn);
    let enemy_pawns = position.of(!color, Pawn);
    let area = !(own_pawns | maps.by_kind[them][Pawn.index()]);
    let target = attacks::king(maps.kings[them]) | Bitboard::of(maps.kings[them]);
    let safe_from_pawns = !maps.pawn_reach[them]
        & maps.by_kind[us][Pawn.index()]
        & Bitboard(0x0000_ffff_ff00_0000).relative(color);

    let mut each = |kind: PieceKind, squares: Term, mobility: Term, ledger: &mut L| {
        let set = position.of(color, kind);
        ledger.enter(w::MATERIAL, kind.index(), set.count() as i32);
        for square in set {
            let attacked = match kind {
                Knight => attacks::knight(square),
                // Own line pieces of the same direction stand not in the way but behind one another.
                Bishop => attacks::bishop(square, maps.occupied ^ position.of(color, Queen)),
                Rook => attacks::rook(square, maps.occupied ^ position.orthogonal_sliders(color)),
                _ => attacks::queen(square, maps.occupied),
            };
            maps.add(color, kind, attacked);
            ledger.enter(squares, place(color, square), 1);
            ledger.enter(mobility, (attacked & area).count() as usize, 1);
            if (attacked & target).has_any() {
                maps.pressure[us] += ATTACK_UNITS[kind.index()];
            }
        }
        set
    };
    let knights = each(Knight, w::KNIGHT_SQUARES, w::KNIGHT_MOBILITY, ledger);
    let bishops = each(Bishop, w::BISHOP_SQUARES, w::BISHOP_MOBILITY, ledger);
    let rooks = each(Rook, w::ROOK_SQUARES, w::ROOK_MOBILITY, ledger);
    each(Queen, w::QUEEN_SQUARES, w::QUEEN_MOBILITY, ledger);

    if bishops.many() {
        ledger.enter(w::BISHOP_PAIR, 0, 1);
    }
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    let on_colour = |colour: Bitboard| (bishops & colour).count() * (own_pawns & colour).count();
    ledger.enter(w::BISHOP_PAWNS, 0, (on_colour(LIGHT) + on_colour(!LIGHT)) as i32);
    ledger.enter(w::OUTPOST, 0, (knights & safe_from_pawns).count() as i32);
    ledger.enter(w::OUTPOST, 1, (bishops & safe_from_pawns).count() as i32);
    let half_open = rooks & !(own_pawns.fill_north() | own_pawns.fill_south());
    let open = half_open & !(enemy_pawns.fill_north() | enemy_pawns.fill_south());
    ledger.enter(w::ROOK_FILE, 0, (half_open & !open).count() as i32);
    ledger.enter(w::ROOK_FILE, 1, open.count() as i32);
}

/// Pawns: material, squares, structure, passed pawns; and the King's square.
#[inline(always)]
fn pawns_and_king<L: Ledger>(position: &Position, color: Color, maps: &Maps, ledger: &mut L) {
    let (us, them) = (color.index(), (!color).index());
    let own = position.of(color, PieceKind::Pawn);
    let enemy = position.of(!color, PieceKind::Pawn);
    ledger.enter(w::KING_SQUARES, place(color, maps.kings[us]), 1);
    ledger.enter(w::MATERIAL, PieceKind::Pawn.index(), own.count() as i32);
    for square in own {
        ledger.enter(w::PAWN_SQUARES, place(color, square), 1);
    }
    let rank = |square: Square| color.relative_rank(square.rank()) as usize;

    let files = own.fill_north() | own.fill_south();
    let isolated = own & !(files.east() | files.west());
    let doubled = own & ahead(!color, own);
    let enemy_attacks = maps.by_kind[them][PieceKind::Pawn.index()];
    let backward =
        own & !isolated & !step(!color, maps.pawn_reach[us]) & step(!color, enemy_attacks);
    ledger.enter(w::ISOLATED, 0, isolated.count() as i32);
    ledger.enter(w::DOUBLED, 0, doubled.count() as i32);
    ledger.enter(w::BACKWARD, 0, backward.count() as i32);
    for square in own & (own.east() | own.west()) {
        ledger.enter(w::PHALANX, rank(square), 1);
    }
    for square in own & maps.by_kind[us][PieceKind::Pawn.index()] {
        ledger.enter(w::PROTECTED, rank(square), 1);
    }

    let stoppers = ahead(!color, enemy | enemy.east() | enemy.west());
    for square in own & !stoppers & !doubled {
        let rank = rank(square);
        let way = ahead(color, Bitboard::of(square));
        let next = square.offset(if color == Color::White { 8 } else { -8 });
        ledger.enter(w::PASSED, rank, 1);
        if !maps.occupied.has(next) {
            ledger.enter(w::PASSED_FREE, rank, 1);
        }
        if (way & (maps.occupied | maps.all[them])).is_empty() {
            ledger.enter(w::PASSED_SAFE, rank, 1);
        }
        if rank >= 3 {
            ledger.enter(w::PASSED_OWN_KING, next.distance(maps.kings[us]) as usize, 1);
            ledger.enter(w::PASSED_ENEMY_KING, next.distance(maps.kings[them]) as usize, 1);
        }
    }
}

/// Enemy pieces under attack by something worth less, or by anything if they are not protected.
#[inline(always)]
fn threats<L: Ledger>(position: &Position, color: Color, maps: &Maps, ledger: &mut L) {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    let (us, them) = (color.index(), (!color).index());
    let by = |kind: PieceKind| maps.by_kind[us][kind.index()];
    let minors = by(Knight) | by(Bishop);
    for kind in [Pawn, Knight, Bishop, Rook, Queen] {
        let targets = position.of(!color, kind);
        let mut enter = |term, attacked: Bitboard| {
            ledger.enter(term, kind.index(), (targets & attacked).count() as i32);
        };
        enter(w::PAWN_THREAT, by(Pawn));
        enter(w::MINOR_THREAT, minors);
        enter(w::ROOK_THREAT, by(Rook));
    }
    let pieces = position.color(!color) & !position.of(!color, King);
    let hanging = pieces & maps.all[us] & !maps.all[them];
    ledger.enter(w::HANGING, 0, hanging.count() as i32);

    let free = !maps.occupied;
    let one = step(color, position.of(color, Pawn)) & free;
    let two = step(color, one & Bitboard::rank(2).relative(color)) & free;
    let steps = (one | two) & !maps.by_kind[them][Pawn.index()] & (maps.all[us] | !maps.all[them]);
    let pushed = attacks::pawns(color, steps) & pieces & !position.of(!color, Pawn) & !by(Pawn);
    ledger.enter(w::PUSH_THREAT, 0, pushed.count() as i32);
}

/// The attack on the enemy King: pieces that reach its surroundings, attacks on it at the next move
/// from squares that are safe, and surroundings that only the King itself guards. An attack
/// on the King threatens to win on the spot.
#[inline(always)]
fn king_danger<L: Ledger>(position: &Position, color: Color, maps: &Maps, ledger: &mut L) {
    use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
    let (us, them) = (color.index(), (!color).index());
    let king = maps.kings[them];
    let ring = attacks::king(king);
    let by = |kind: PieceKind| maps.by_kind[us][kind.index()];
    let guarded = |kind: PieceKind| maps.by_kind[them][kind.index()];
    let guards = guarded(Pawn) | guarded(Knight) | guarded(Bishop) | guarded(Rook) | guarded(Queen);
    let weak = ring & maps.all[us] & !guards;

    let reachable = !position.color(color) & (!maps.all[them] | (weak & maps.twice[us]));
    let straight = attacks::rook(king, maps.occupied) & reachable;
    let diagonal = attacks::bishop(king, maps.occupied) & reachable;
    let checks = [
        (Knight, attacks::knight(king) & reachable),
        (Bishop, diagonal),
        (Rook, straight),
        (Queen, straight | diagonal),
    ];
    let mut units = maps.pressure[us] + weak.count() as i32;
    for (kind, from) in checks {
        if (from & by(kind)).has_any() {
            units += CHECK_UNITS[kind.index()];
        }
    }
    ledger.enter(w::KING_DANGER, (units as usize).min(w::KING_DANGER.len - 1), 1);

    let room = attacks::king(maps.kings[us]) & !position.color(color) & !maps.all[them];
    ledger.enter(w::KING_ROOM, room.count() as usize, 1);
}

/// Pawns before the King, own and enemy, on its file and the next ones.
#[inline(always)]
fn shelter<L: Ledger>(position: &Position, color: Color, maps: &Maps, ledger: &mut L) {
    let king = maps.kings[color.index()];
    let king_rank = color.relative_rank(king.rank());
    let before = match color {
        Color::White => Bitboard(!0 << (8 * king.rank())),
        Color::Black => Bitboard(!0 >> (8 * (7 - king.rank()))),
    };
    let own = position.of(color, PieceKind::Pawn) & before;
    let enemy = position.of(!color, PieceKind::Pawn) & before;
    let nearest = |pawns: Bitboard, file: u8| {
        let on_file = (pawns & Bitboard::file(file)).relative(color);
        on_file.first().map_or(0, |s| (s.rank() - king_rank).clamp(1, 3) as usize)
    };
    for file in king.file().saturating_sub(1)..=(king.file() + 1).min(7) {
        let side = if file == king.file() { 0 } else { 4 };
        ledger.enter(w::SHELTER, side + nearest(own, file), 1);
        ledger.enter(w::STORM, side + nearest(enemy, file), 1);
    }
}

/// How a King gets to its goal rank over squares that are free of own pieces and of attacks as things
/// stand. The first step may be an Escort or a Decoy.
#[inline(always)]
fn way(position: &Position, color: Color, maps: &Maps) -> Way {
    let goal = goal_rank(color);
    let king = maps.kings[color.index()];
    let attacked = maps.all[(!color).index()];
    let mut blocked = position.color(color);
    let mut jumps = Bitboard::EMPTY;
    if position.edition().has_escort_and_decoy() {
        blocked &= !position.decoy_pawns(color);
        for supporter in position.escort_supporters(color) {
            jumps |= Bitboard::of(escort_landing(king, supporter));
        }
    }
    let mut reach = Bitboard::of(king);
    let mut steps = 0;
    for step in 1..8 {
        let next = reach | ((widen(reach) | jumps) & !attacked & !(blocked & !jumps));
        jumps = Bitboard::EMPTY;
        if (next & goal).has_any() {
            steps = step;
            reach = next;
            break;
        }
        if next == reach {
            break;
        }
        reach = next;
    }
    let rank = 7 - (reach.relative(color).0.leading_zeros() / 8).min(7) as usize;
    Way { steps, rank }
}

/// The race of the Kings: who gets through to the goal rank, how fast, how far at least, and
/// how much of the goal rank lies open.
#[inline(always)]
fn race<L: Ledger>(position: &Position, color: Color, maps: &Maps, ledger: &mut L) {
    let own = maps.ways[color.index()];
    let enemy = maps.ways[(!color).index()];
    ledger.enter(w::WAY, own.steps, 1);
    ledger.enter(w::MARCH, own.rank, 1);
    let on_move = position.side_to_move() == color;
    let first = own.steps < enemy.steps || (own.steps == enemy.steps && on_move);
    if own.steps > 0 && (enemy.steps == 0 || first) {
        ledger.enter(w::WAY_FIRST, own.steps, 1);
    }
    let open = goal_rank(color) & !maps.all[(!color).index()];
    ledger.enter(w::GOAL_OPEN, open.count() as usize, 1);
}

/// Escorts: ramps up the board, exits to the side and back; and Decoys.
#[inline(always)]
fn escorts_and_decoys<L: Ledger>(position: &Position, color: Color, maps: &Maps, ledger: &mut L) {
    let king = maps.kings[color.index()];
    let attacked = maps.all[(!color).index()];
    let rank = |square: Square| color.relative_rank(square.rank()) as usize;
    for supporter in position.escort_supporters(color) {
        let landing = escort_landing(king, supporter);
        let safe = !attacked.has(landing);
        match (rank(landing) > rank(king), safe) {
            (true, true) => ledger.enter(w::RAMP, rank(landing), 1),
            (true, false) => ledger.enter(w::RAMP_ATTACKED, 0, 1),
            (false, true) => ledger.enter(w::EXIT, 0, 1),
            (false, false) => {}
        }
    }
    for pawn in position.decoy_pawns(color) & !attacked {
        ledger.enter(w::DECOY, rank(pawn), 1);
    }
}

/// The rights to castle, where there is castling.
#[inline(always)]
fn castling<L: Ledger>(position: &Position, color: Color, ledger: &mut L) {
    for (index, short) in [true, false].into_iter().enumerate() {
        if position.castling().has(CastlingRights::of(color, short)) {
            ledger.enter(w::CASTLING, index, 1);
        }
    }
}
