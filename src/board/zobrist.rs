//! Random numbers for position keys (Zobrist hashing), made at compile time from a fixed seed,
//! so that a key means the same in every build.
//!
//! Uses the board's types.

use super::types::{Color, PieceKind, Square};

/// The SplitMix64 generator's output function (Sebastiano Vigna, public domain): one well mixed
/// number for each input.
pub const fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn numbers<const N: usize>(stream: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = splitmix(splitmix(stream) ^ i as u64);
        i += 1;
    }
    table
}

static PIECES: [u64; 768] = numbers(1);
static CASTLING: [u64; 16] = {
    let mut table = numbers(2);
    table[0] = 0; // no rights, no change: the two keys then agree
    table
};
static EN_PASSANT: [u64; 8] = numbers(3);

/// Toggled when Black is to move.
pub const BLACK_TO_MOVE: u64 = splitmix(4);

/// The number of a piece on a square.
#[inline]
pub fn piece(color: Color, kind: PieceKind, square: Square) -> u64 {
    PIECES[(color.index() * 6 + kind.index()) * 64 + square.index()]
}

/// The number of a set of castling rights (four bits).
#[inline]
pub fn castling(rights: u8) -> u64 {
    CASTLING[(rights & 15) as usize]
}

/// The number of a capturable en passant square, by its file.
#[inline]
pub fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.file() as usize]
}
