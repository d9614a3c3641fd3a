//! What the evaluation counts: one function a group of features, each over one side.
//!
//! Uses `board`, `rules` and the layout of the weights. Every feature is a weight times a count, so
//! that the same code serves the evaluation (which adds up) and the tuner (which lists the counts).

use crate::board::{Bitboard, Color, PieceKind, Square, attacks};
use crate::rules::{Position, escort_landing, goal_rank};
use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};

use super::weights as w;

/// What becomes of a counted feature.
pub trait Sink {
    /// Counts feature `index` of the weights `count` times for `color`.
    fn add(&mut self, color: Color, index: usize, count: i32);
}

/// What one side attacks.
#[derive(Default)]
struct Attacks {
    all: Bitboard,
    pawns: Bitboard,
    minors: Bitboard,
    /// By everything but the King.
    pieces: Bitboard,
    /// How hard the enemy King's surroundings are pressed.
    king_units: i32,
}

/// How much a piece counts that attacks a square at the enemy King, by kind.
const KING_UNITS: [i32; 6] = [1, 2, 2, 3, 5, 0];

/// Counts all features of a position.
pub fn count(position: &Position, sink: &mut impl Sink) {
    let mut by = [Attacks::default(), Attacks::default()];
    for color in Color::ALL {
        by[color.index()] = pieces(position, color, sink);
    }
    let mut paths = [None; 2];
    for color in Color::ALL {
        let (own, enemy) = (&by[color.index()], &by[(!color).index()]);
        pawns(position, color, enemy, sink);
        threats(position, color, own, enemy, sink);
        king_safety(position, color, own, enemy, sink);
        if position.edition().has_conquest() {
            paths[color.index()] = king_march(position, color, enemy, sink);
        }
        if position.edition().has_escort_and_decoy() {
            escorts_and_decoys(position, color, enemy, sink);
        }
    }
    race(paths, sink);
    sink.add(position.side_to_move(), w::TEMPO, 1);
}

/// Index of a square in a table that is the same on both wings: 32 entries, White's first rank first.
fn half_square(color: Color, square: Square) -> usize {
    let file = usize::from(square.file().min(7 - square.file()));
    usize::from(color.relative_rank(square.rank())) * 4 + file
}

/// Material, piece squares, mobility, the pair of Bishops, Rooks on open files; and the attacks.
fn pieces(position: &Position, color: Color, sink: &mut impl Sink) -> Attacks {
    let occupied = position.occupied();
    let own_pawns = position.of(color, Pawn);
    let enemy_pawns = position.of(!color, Pawn);
    let enemy_pawn_attacks = attacks::pawns(!color, enemy_pawns);
    let ring = position.king(!color).map_or(Bitboard::EMPTY, king_ring);
    // Where a piece may go without being lost to a pawn or standing in its own way.
    let area = !(enemy_pawn_attacks | own_pawns | position.of(color, King));

    let mut by = Attacks { pawns: attacks::pawns(color, own_pawns), ..Attacks::default() };
    by.pieces = by.pawns;
    by.king_units = KING_UNITS[0] * (by.pawns & ring).count() as i32;
    for kind in PieceKind::ALL {
        for square in position.of(color, kind) {
            sink.add(color, w::PIECE_SQUARE + kind.index() * 32 + half_square(color, square), 1);
            if kind == King {
                by.all = by.pieces | attacks::king(square);
                continue;
            }
            sink.add(color, w::MATERIAL + kind.index(), 1);
            let reached = match kind {
                Knight => attacks::knight(square),
                Bishop => attacks::bishop(square, occupied),
                Rook => attacks::rook(square, occupied),
                Queen => attacks::queen(square, occupied),
                Pawn | King => continue,
            };
            let table = match kind {
                Knight => w::KNIGHT_MOBILITY,
                Bishop => w::BISHOP_MOBILITY,
                Rook => w::ROOK_MOBILITY,
                _ => w::QUEEN_MOBILITY,
            };
            sink.add(color, table + (reached & area).count() as usize, 1);
            by.pieces |= reached;
            if kind == Knight || kind == Bishop {
                by.minors |= reached;
            }
            let pressed = (reached & ring).count() as i32;
            if pressed > 0 {
                by.king_units += KING_UNITS[kind.index()] + pressed;
            }
            if kind == Rook && (Bitboard::file(square.file()) & own_pawns).is_empty() {
                let open = (Bitboard::file(square.file()) & enemy_pawns).is_empty();
                sink.add(color, if open { w::ROOK_OPEN_FILE } else { w::ROOK_HALF_OPEN_FILE }, 1);
            }
        }
    }
    by.all |= by.pieces;
    if position.of(color, Bishop).many() {
        sink.add(color, w::BISHOP_PAIR, 1);
    }
    by
}

/// A King's square and those around it.
fn king_ring(king: Square) -> Bitboard {
    attacks::king(king) | Bitboard::of(king)
}

/// All squares in front of a set, as `color` goes.
fn in_front(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(set.fill_north().0 << 8),
        Color::Black => Bitboard(set.fill_south().0 >> 8),
    }
}

/// Doubled, isolated and supported pawns; passed pawns by rank, free way and the Kings' distance.
fn pawns(position: &Position, color: Color, enemy: &Attacks, sink: &mut impl Sink) {
    let own = position.of(color, Pawn);
    let foes = position.of(!color, Pawn);
    let files = |set: Bitboard| set.fill_north() | set.fill_south();
    let neighbours = files(own.west() | own.east());
    sink.add(color, w::DOUBLED_PAWN, (own & in_front(color, own)).count() as i32);
    sink.add(color, w::ISOLATED_PAWN, (own & !neighbours).count() as i32);
    let supported = own & (attacks::pawns(color, own) | own.west() | own.east());
    sink.add(color, w::SUPPORTED_PAWN, supported.count() as i32);

    let guarded = in_front(!color, foes | foes.west() | foes.east());
    for pawn in own & !guarded & !in_front(!color, own) {
        let rank = usize::from(color.relative_rank(pawn.rank()));
        sink.add(color, w::PASSED_PAWN + rank, 1);
        let stop = Bitboard::of(pawn.offset(if color == Color::White { 8 } else { -8 }));
        if (stop & position.occupied()).is_empty() {
            let safe = (stop & enemy.all).is_empty();
            let way_is_free =
                (in_front(color, Bitboard::of(pawn)) & position.occupied()).is_empty();
            if safe {
                sink.add(color, w::PASSED_PAWN_SAFE_STEP + rank, 1);
            }
            if way_is_free {
                sink.add(color, w::PASSED_PAWN_FREE_WAY + rank, 1);
            }
        }
        let stop = stop.first().unwrap_or(pawn);
        if rank >= 3 {
            for (side, index) in [(color, w::PASSED_OWN_KING), (!color, w::PASSED_ENEMY_KING)] {
                if let Some(king) = position.king(side) {
                    sink.add(color, index + usize::from(king.distance(stop)), 1);
                }
            }
        }
    }
}

/// Attacks on pieces worth more than the attacker, and on pieces that nothing protects.
fn threats(
    position: &Position,
    color: Color,
    own: &Attacks,
    enemy: &Attacks,
    sink: &mut impl Sink,
) {
    let targets = position.color(!color) & !position.pieces(King);
    let pieces = targets & !position.pieces(Pawn);
    let heavy = pieces & (position.pieces(Rook) | position.pieces(Queen));
    sink.add(color, w::PAWN_THREAT, (own.pawns & pieces).count() as i32);
    sink.add(color, w::MINOR_THREAT, (own.minors & heavy).count() as i32);
    sink.add(color, w::HANGING, (own.all & targets & !enemy.all).count() as i32);
}

/// How hard the own King is pressed, and the pawns that shelter it.
fn king_safety(
    position: &Position,
    color: Color,
    own: &Attacks,
    enemy: &Attacks,
    sink: &mut impl Sink,
) {
    let Some(king) = position.king(color) else { return };
    let ring = king_ring(king);
    let bare = (ring & enemy.pieces & !own.pieces).count() as i32;
    let units = (enemy.king_units + bare).clamp(0, w::KING_PRESSED_LEN as i32 - 1);
    sink.add(color, w::KING_PRESSED + units as usize, 1);
    let front = Bitboard::of(king) | Bitboard::of(king).west() | Bitboard::of(king).east();
    let shelter = in_front(color, front) & position.of(color, Pawn);
    let near = shelter & (attacks::king(king));
    sink.add(color, w::SHELTER + near.count().min(3) as usize, 1);
    sink.add(color, w::SHELTER_FAR, (shelter & !near).count().min(3) as i32);
}

/// The King's shortest way to its goal rank over squares that the enemy does not attack now, in
/// steps: 1 to 7 or more, `None` if there is none.
fn king_march(
    position: &Position,
    color: Color,
    enemy: &Attacks,
    sink: &mut impl Sink,
) -> Option<usize> {
    let king = position.king(color)?;
    let free = !(position.color(color) | enemy.all);
    let mut reached = Bitboard::of(king);
    for steps in 1..w::KING_PATH_LEN {
        let column = reached | Bitboard(reached.0 << 8) | Bitboard(reached.0 >> 8);
        let next = (column | column.west() | column.east()) & free | reached;
        if (next & free & goal_rank(color)).has_any() {
            sink.add(color, w::KING_PATH + steps, 1);
            return Some(steps);
        }
        if next == reached {
            break;
        }
        reached = next;
    }
    sink.add(color, w::KING_PATH, 1);
    None
}

/// When both Kings have a way: the one with the shorter is ahead.
fn race(paths: [Option<usize>; 2], sink: &mut impl Sink) {
    if let [Some(white), Some(black)] = paths
        && white != black
    {
        let ahead = if white < black { Color::White } else { Color::Black };
        sink.add(ahead, w::RACE_LEAD + white.abs_diff(black).min(3), 1);
    }
}

/// Ramps: Escorts that take the King forward onto an unattacked square, by the rank they reach;
/// exits: other safe Escorts while the King is pressed; Decoys onto an unattacked square.
fn escorts_and_decoys(position: &Position, color: Color, enemy: &Attacks, sink: &mut impl Sink) {
    let Some(king) = position.king(color) else { return };
    let rank = color.relative_rank(king.rank());
    let mut exits = 0;
    for supporter in position.escort_supporters(color) {
        let landing = escort_landing(king, supporter);
        if enemy.all.has(landing) {
            continue;
        }
        let reached = color.relative_rank(landing.rank());
        if reached > rank {
            sink.add(color, w::RAMP + usize::from(reached), 1);
        } else {
            exits += 1;
        }
    }
    if (king_ring(king) & enemy.pieces).has_any() {
        sink.add(color, w::EXIT, exits);
    }
    let decoys = position.decoy_pawns(color) & !enemy.all;
    sink.add(color, w::DECOY, decoys.count() as i32);
}
