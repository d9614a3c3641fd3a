//! Where each piece attacks: tables made at compile time.
//!
//! Uses the board's types and the multipliers in `magics`. Knight, King and pawn attacks are plain
//! tables; Bishop and Rook use magic bitboards (found by Lasse Hansen and others, in the "fancy" layout
//! of Pradu Kannan, see the Chess Programming Wiki): the blockers that matter, times a multiplier, shifted,
//! index a table of ready attack sets.

use super::bitboard::Bitboard;
use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::types::{Color, Square};

/// Steps along ranks and files, as (file, rank).
const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// Steps along diagonals, as (file, rank).
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

const fn step(square: u8, df: i8, dr: i8) -> Option<u8> {
    let file = (square & 7) as i8 + df;
    let rank = (square >> 3) as i8 + dr;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as u8) }
}

const fn leaper<const N: usize>(steps: [(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = step(square, steps[i].0, steps[i].1) {
                table[square as usize].0 |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leaper([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    leaper([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper([(1, 1), (-1, 1)]), leaper([(1, -1), (-1, -1)])];

/// The two lines a slider moves on, seen from `square`, which is left out.
const fn lines(square: u8, steps: [(i8, i8); 4]) -> [u64; 2] {
    let mut masks = [0; 2];
    let mut i = 0;
    while i < 4 {
        let mut at = square;
        while let Some(to) = step(at, steps[i].0, steps[i].1) {
            masks[i / 2] |= 1 << to;
            at = to;
        }
        i += 1;
    }
    masks
}

/// Squares reached by sliding along one line until a blocker, which is included: subtraction runs
/// a borrow up to the first blocker (the o^(o-2r) trick), once forwards and once bits reversed.
const fn slide_along(square: u8, occupied: u64, line: u64) -> u64 {
    let slider = 1u64 << square;
    let blockers = occupied & line;
    let forward = blockers.wrapping_sub(slider << 1);
    let backward = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (forward ^ backward) & line
}

/// The squares whose occupation changes what a slider on `square` attacks: its rays without their last square.
const fn relevant_blockers(square: u8, steps: [(i8, i8); 4]) -> u64 {
    let mut mask = 0;
    let mut i = 0;
    while i < 4 {
        let mut at = square;
        while let Some(to) = step(at, steps[i].0, steps[i].1) {
            if step(to, steps[i].0, steps[i].1).is_some() {
                mask |= 1 << to;
            }
            at = to;
        }
        i += 1;
    }
    mask
}

#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    multiplier: u64,
    offset: u32,
    shift: u32,
}

impl Magic {
    #[inline]
    const fn index(&self, occupied: u64) -> usize {
        self.offset as usize
            + ((occupied & self.mask).wrapping_mul(self.multiplier) >> self.shift) as usize
    }
}

const fn magics(multipliers: &[u64; 64], steps: [(i8, i8); 4]) -> [Magic; 64] {
    let mut table = [Magic { mask: 0, multiplier: 0, offset: 0, shift: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = relevant_blockers(square as u8, steps);
        let bits = mask.count_ones();
        table[square] = Magic { mask, multiplier: multipliers[square], offset, shift: 64 - bits };
        offset += 1 << bits;
        square += 1;
    }
    table
}

/// All subsets of the blockers on one line: each multiplied as [`Magic::index`] will, and the
/// attacks it leaves. A product of a sum is the sum of the products, so that two lines of a slider
/// combine by one addition; at compile time that is four times faster than entry by entry.
const fn line_table(square: u8, magic: Magic, line: u64) -> (usize, [u64; 64], [u64; 64]) {
    let mut products = [0; 64];
    let mut attacks = [0; 64];
    let mut count = 0;
    let mut blockers = 0u64;
    loop {
        products[count] = blockers.wrapping_mul(magic.multiplier);
        attacks[count] = slide_along(square, blockers, line);
        count += 1;
        // The next subset, by the carry-rippler trick.
        blockers = blockers.wrapping_sub(magic.mask & line) & magic.mask & line;
        if blockers == 0 {
            return (count, products, attacks);
        }
    }
}

const fn slider_table<const N: usize>(magics: &[Magic; 64], steps: [(i8, i8); 4]) -> [Bitboard; N] {
    let mut table = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < 64 {
        let magic = magics[square];
        let [first, second] = lines(square as u8, steps);
        let (first_count, first_products, first_attacks) = line_table(square as u8, magic, first);
        let (second_count, products, attacks) = line_table(square as u8, magic, second);
        let mut i = 0;
        while i < first_count {
            let product = first_products[i];
            let attack = first_attacks[i];
            let mut j = 0;
            while j < second_count {
                let slot = magic.offset as usize
                    + (product.wrapping_add(products[j]) >> magic.shift) as usize;
                table[slot] = Bitboard(attack | attacks[j]);
                j += 1;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static BISHOP: [Magic; 64] = magics(&BISHOP_MAGICS, DIAGONAL);
static ROOK: [Magic; 64] = magics(&ROOK_MAGICS, ORTHOGONAL);
static BISHOP_TABLE: [Bitboard; 5_248] = slider_table(&magics(&BISHOP_MAGICS, DIAGONAL), DIAGONAL);
#[allow(long_running_const_eval)] // a hundred thousand entries take a moment
static ROOK_TABLE: [Bitboard; 102_400] =
    slider_table(&magics(&ROOK_MAGICS, ORTHOGONAL), ORTHOGONAL);

const fn pairs() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (df, dr) =
                if direction < 4 { ORTHOGONAL[direction] } else { DIAGONAL[direction - 4] };
            let mut whole = 1u64 << from;
            let mut end = 0;
            while end < 2 {
                let sign = if end == 0 { 1 } else { -1 };
                let mut at = from;
                while let Some(to) = step(at, df * sign, dr * sign) {
                    whole |= 1 << to;
                    at = to;
                }
                end += 1;
            }
            let mut passed = 0u64;
            let mut at = from;
            while let Some(to) = step(at, df, dr) {
                between[from as usize][to as usize] = Bitboard(passed);
                line[from as usize][to as usize] = Bitboard(whole);
                passed |= 1 << to;
                at = to;
            }
            direction += 1;
        }
        from += 1;
    }
    (between, line)
}

static BETWEEN: [[Bitboard; 64]; 64] = pairs().0;
static LINE: [[Bitboard; 64]; 64] = pairs().1;

/// The squares a Knight on `square` attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a King on `square` attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares all pawns of `color` in `pawns` attack together.
#[inline]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let sides = pawns.west() | pawns.east();
    match color {
        Color::White => Bitboard(sides.0 << 8),
        Color::Black => Bitboard(sides.0 >> 8),
    }
}

/// The squares a Bishop on `square` attacks, up to and including the first blocker each way.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[BISHOP[square.index()].index(occupied.0)]
}

/// The squares a Rook on `square` attacks, up to and including the first blocker each way.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_TABLE[ROOK[square.index()].index(occupied.0)]
}

/// The squares a Queen on `square` attacks.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares strictly between two squares on one line; empty if they share none or touch.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares from edge to edge; empty if they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(square: Square, occupied: Bitboard, steps: [(i8, i8); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (df, dr) in steps {
            let mut at = square.index() as u8;
            while let Some(to) = step(at, df, dr) {
                attacks |= Bitboard::of(Square::new(to));
                if occupied.has(Square::new(to)) {
                    break;
                }
                at = to;
            }
        }
        attacks
    }

    /// The tables against a walk over the board, for every square and many occupations.
    #[test]
    fn sliders_equal_a_walk() {
        let mut seed = 1u64;
        for _ in 0..2_000 {
            seed = super::super::zobrist::splitmix(seed);
            let occupied = Bitboard(seed & super::super::zobrist::splitmix(seed ^ 0x55));
            for square in Bitboard::ALL {
                assert_eq!(bishop(square, occupied), walk(square, occupied, DIAGONAL));
                assert_eq!(rook(square, occupied), walk(square, occupied, ORTHOGONAL));
            }
        }
    }

    #[test]
    fn lines_and_betweens() {
        let square = |text: &str| Square::parse(text).expect("a square");
        let set = |text: &str| {
            text.split_whitespace().fold(Bitboard::EMPTY, |b, s| b | Bitboard::of(square(s)))
        };
        assert_eq!(between(square("a1"), square("d4")), set("b2 c3"));
        assert_eq!(between(square("e1"), square("e2")), Bitboard::EMPTY);
        assert_eq!(between(square("e1"), square("f3")), Bitboard::EMPTY);
        assert_eq!(line(square("b1"), square("c2")), set("b1 c2 d3 e4 f5 g6 h7"));
        assert_eq!(line(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(knight(square("a1")), set("b3 c2"));
        assert_eq!(king(square("h8")), set("g8 g7 h7"));
        assert_eq!(pawn(Color::Black, square("a7")), set("b6"));
        assert_eq!(pawns(Color::White, set("a2 h2 d4")), set("b3 g3 c5 e5"));
    }
}
