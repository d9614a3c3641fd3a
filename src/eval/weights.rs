//! The weights of the evaluation: their layout, and a table for each edition.
//!
//! Uses nothing but `Tapered`. The tables in `tables.rs` are written by `examples/tune.rs`.

use super::score::Tapered;

/// Lays groups of weights one after the other: for each its offset, its length, and a list of all.
macro_rules! layout {
    ($($(#[$doc:meta])* $name:ident $length_name:ident = $length:expr;)*) => {
        layout!(@offsets 0usize; $($(#[$doc])* $name $length_name = $length;)*);
        /// Name, offset and length of every group, in order.
        pub const GROUPS: &[(&str, usize, usize)] =
            &[$((stringify!($name), $name, $length)),*];
    };
    (@offsets $at:expr; $(#[$doc:meta])* $name:ident $length_name:ident = $length:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $at;
        #[allow(dead_code, missing_docs)]
        pub const $length_name: usize = $length;
        layout!(@offsets $at + $length; $($rest)*);
    };
    (@offsets $at:expr;) => {
        /// How many weights there are.
        pub const COUNT: usize = $at;
    };
}

layout! {
    /// A piece: Pawn to Queen.
    MATERIAL MATERIAL_LEN = 5;
    /// A piece on a square: by kind, rank from the own side, file from the nearer edge.
    PIECE_SQUARE PIECE_SQUARE_LEN = 6 * 32;
    /// A Knight with so many squares.
    KNIGHT_MOBILITY KNIGHT_MOBILITY_LEN = 9;
    /// A Bishop with so many squares.
    BISHOP_MOBILITY BISHOP_MOBILITY_LEN = 14;
    /// A Rook with so many squares.
    ROOK_MOBILITY ROOK_MOBILITY_LEN = 15;
    /// A Queen with so many squares.
    QUEEN_MOBILITY QUEEN_MOBILITY_LEN = 28;
    /// Two Bishops or more.
    BISHOP_PAIR BISHOP_PAIR_LEN = 1;
    /// A Rook on a file without pawns.
    ROOK_OPEN_FILE ROOK_OPEN_FILE_LEN = 1;
    /// A Rook on a file without own pawns.
    ROOK_HALF_OPEN_FILE ROOK_HALF_OPEN_FILE_LEN = 1;
    /// A pawn behind which an own pawn stands.
    DOUBLED_PAWN DOUBLED_PAWN_LEN = 1;
    /// A pawn without own pawns on the files beside it.
    ISOLATED_PAWN ISOLATED_PAWN_LEN = 1;
    /// A pawn protected by a pawn or with one beside it.
    SUPPORTED_PAWN SUPPORTED_PAWN_LEN = 1;
    /// A passed pawn, by its rank.
    PASSED_PAWN PASSED_PAWN_LEN = 8;
    /// A passed pawn whose next square is empty and unattacked, by its rank.
    PASSED_PAWN_SAFE_STEP PASSED_PAWN_SAFE_STEP_LEN = 8;
    /// A passed pawn with nothing before it, by its rank.
    PASSED_PAWN_FREE_WAY PASSED_PAWN_FREE_WAY_LEN = 8;
    /// The own King's distance from an advanced passed pawn's next square.
    PASSED_OWN_KING PASSED_OWN_KING_LEN = 8;
    /// The enemy King's distance from it.
    PASSED_ENEMY_KING PASSED_ENEMY_KING_LEN = 8;
    /// A piece attacked by a pawn.
    PAWN_THREAT PAWN_THREAT_LEN = 1;
    /// A Rook or Queen attacked by a Knight or Bishop.
    MINOR_THREAT MINOR_THREAT_LEN = 1;
    /// An enemy piece that is attacked and not protected.
    HANGING HANGING_LEN = 1;
    /// The own King, pressed so hard.
    KING_PRESSED KING_PRESSED_LEN = 24;
    /// So many own pawns right before the own King.
    SHELTER SHELTER_LEN = 4;
    /// Own pawns further before the own King, up to three.
    SHELTER_FAR SHELTER_FAR_LEN = 1;
    /// The King's safe way to its goal rank: none (0), or so many steps.
    KING_PATH KING_PATH_LEN = 10;
    /// Both Kings have a way and this one's is so many steps shorter (1, 2, 3 or more).
    RACE_LEAD RACE_LEAD_LEN = 4;
    /// An Escort forward onto a safe square, by the rank reached.
    RAMP RAMP_LEN = 8;
    /// A safe Escort elsewhere while the King is pressed.
    EXIT EXIT_LEN = 1;
    /// A Decoy onto a safe square.
    DECOY DECOY_LEN = 1;
    /// To be on move.
    TEMPO TEMPO_LEN = 1;
}

/// One weight for each feature.
pub type Weights = [Tapered; COUNT];

/// A starting point for tuning: chess values that are common knowledge, and guesses for what only
/// this game has.
pub const fn prior(conquest: bool) -> Weights {
    let mut table = [Tapered::ZERO; COUNT];
    let material = [(90, 110), (320, 310), (335, 330), (480, 540), (960, 980)];
    let mut kind = 0;
    while kind < 5 {
        table[MATERIAL + kind] = Tapered::new(material[kind].0, material[kind].1);
        kind += 1;
    }
    let mut square = 0;
    while square < 32 {
        let (rank, file) = (square as i32 / 4, square as i32 % 4);
        let centre = 2 * file + if rank < 4 { 2 * rank } else { 2 * (7 - rank) } - 6;
        let values = [
            (4 * file * (rank >= 2 && rank <= 5) as i32 + 3 * rank - 9, 4 * rank - 12),
            (6 * centre, 4 * centre),
            (4 * centre, 3 * centre),
            (2 * file - 3 + 10 * (rank == 6) as i32, 4 * (rank == 6) as i32),
            (centre, 3 * centre),
            (if rank == 0 { 10 - 10 * (file == 3) as i32 } else { -14 * rank }, 5 * centre),
        ];
        let mut kind = 0;
        while kind < 6 {
            let (mut middlegame, mut endgame) = values[kind];
            if kind == 5 && conquest {
                endgame += 8 * rank;
                middlegame += 2 * rank;
            }
            table[PIECE_SQUARE + kind * 32 + square] = Tapered::new(middlegame, endgame);
            kind += 1;
        }
        square += 1;
    }
    let mut squares = 0;
    while squares < 28 {
        let n = squares as i32;
        if squares < KNIGHT_MOBILITY_LEN {
            table[KNIGHT_MOBILITY + squares] = Tapered::new(6 * (n - 4), 6 * (n - 4));
        }
        if squares < BISHOP_MOBILITY_LEN {
            table[BISHOP_MOBILITY + squares] = Tapered::new(5 * (n - 6), 5 * (n - 6));
        }
        if squares < ROOK_MOBILITY_LEN {
            table[ROOK_MOBILITY + squares] = Tapered::new(3 * (n - 7), 5 * (n - 7));
        }
        table[QUEEN_MOBILITY + squares] = Tapered::new(2 * (n - 13), 4 * (n - 13));
        squares += 1;
    }
    table[BISHOP_PAIR] = Tapered::new(25, 45);
    table[ROOK_OPEN_FILE] = Tapered::new(25, 10);
    table[ROOK_HALF_OPEN_FILE] = Tapered::new(12, 8);
    table[DOUBLED_PAWN] = Tapered::new(-8, -18);
    table[ISOLATED_PAWN] = Tapered::new(-10, -12);
    table[SUPPORTED_PAWN] = Tapered::new(7, 6);
    table[PAWN_THREAT] = Tapered::new(45, 35);
    table[MINOR_THREAT] = Tapered::new(35, 30);
    table[HANGING] = Tapered::new(22, 18);
    table[SHELTER_FAR] = Tapered::new(6, 0);
    table[EXIT] = Tapered::new(12, 8);
    table[DECOY] = Tapered::new(6, 6);
    table[TEMPO] = Tapered::new(18, 14);
    let passed = [0, 0, 5, 15, 35, 70, 130, 0];
    let ramp = [0, 0, 0, 3, 6, 14, 40, 120];
    let path = [0, 200, 130, 90, 60, 40, 25, 12, 5, 0];
    let mut n = 0;
    while n < 10 {
        if n < 8 {
            let i = n as i32;
            table[PASSED_PAWN + n] = Tapered::new(passed[n] / 2, passed[n]);
            table[PASSED_PAWN_SAFE_STEP + n] = Tapered::new(passed[n] / 8, passed[n] / 4);
            table[PASSED_PAWN_FREE_WAY + n] = Tapered::new(passed[n] / 8, passed[n] / 4);
            table[PASSED_OWN_KING + n] = Tapered::new(0, 12 - 4 * i);
            table[PASSED_ENEMY_KING + n] = Tapered::new(0, 6 * i - 18);
            table[RAMP + n] = Tapered::new(ramp[n], ramp[n]);
        }
        if n < 4 {
            table[SHELTER + n] = Tapered::new(16 * n as i32 - 24, 0);
            table[RACE_LEAD + n] = Tapered::new(10 * n as i32, 40 * n as i32);
        }
        table[KING_PATH + n] = Tapered::new(path[n], path[n] + path[n] / 2);
        n += 1;
    }
    let mut units = 0;
    while units < KING_PRESSED_LEN {
        let n = units as i32;
        table[KING_PRESSED + units] = Tapered::new(-(n * n) * 2 / 3, -(n * n) / 6);
        units += 1;
    }
    table
}
