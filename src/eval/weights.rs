//! What is weighed: every term of the evaluation, how many weights it has and what each stands for.
//!
//! Uses `tapered`. The numbers stand in one file an edition beside this one, written by
//! `examples/tune.rs` and meant to be read. A weight is seen from its owner: what is good for a side is
//! positive, and ranks are counted from that side's own end, 0 to 7.

use crate::rules::Edition;

use super::tapered::Tapered;

mod captureorconquer;
mod chess;
mod classic;

/// One row of weights: where it lies in the flat list of all, and what it is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// The name, as the field of [`Table`].
    pub name: &'static str,
    /// The first weight's place in the flat list.
    pub start: usize,
    /// How many weights.
    pub len: usize,
}

macro_rules! terms {
    ($($(#[doc = $doc:literal])* $term:ident $field:ident $len:expr;)*) => {
        /// The weights of one edition, term by term.
        pub struct Table {
            $($(#[doc = $doc])* pub $field: [Tapered; $len],)*
        }

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($term,)* }

        const LENGTHS: &[usize] = &[$($len,)*];

        $($(#[doc = $doc])* pub const $term: Term = Term {
            name: stringify!($field),
            start: sum(LENGTHS, Order::$term as usize),
            len: $len,
        };)*

        /// All terms in the order of the flat list.
        pub const TERMS: &[Term] = &[$($term,)*];

        impl Table {
            /// The weights in one list.
            const fn flat(&self) -> Weights {
                let mut flat = [Tapered::ZERO; SIZE];
                $(
                    let mut i = 0;
                    while i < $len {
                        flat[$term.start + i] = self.$field[i];
                        i += 1;
                    }
                )*
                Weights(flat)
            }
        }
    };
}

const fn sum(lengths: &[usize], terms: usize) -> usize {
    let mut sum = 0;
    let mut i = 0;
    while i < terms {
        sum += lengths[i];
        i += 1;
    }
    sum
}

/// How many weights there are in all.
pub const SIZE: usize = sum(LENGTHS, LENGTHS.len());

/// All weights of an edition in one list.
pub struct Weights([Tapered; SIZE]);

impl Weights {
    /// The weights that an edition plays with.
    #[inline]
    pub fn of(edition: Edition) -> &'static Weights {
        static CAPTURE_OR_CONQUER: Weights = captureorconquer::TABLE.flat();
        static CLASSIC: Weights = classic::TABLE.flat();
        static CHESS: Weights = chess::TABLE.flat();
        match edition {
            Edition::CaptureOrConquer => &CAPTURE_OR_CONQUER,
            Edition::Classic => &CLASSIC,
            Edition::Chess => &CHESS,
        }
    }

    /// One weight of a term.
    #[inline]
    pub fn get(&self, term: Term, index: usize) -> Tapered {
        debug_assert!(index < term.len, "{}[{index}]", term.name);
        self.0[term.start + index]
    }
}

terms! {
    /// Pawn, Knight, Bishop, Rook, Queen.
    MATERIAL material 5;
    /// Pawn squares: rank × 4 + file counted from the nearer edge, as in all five that follow.
    PAWN_SQUARES pawn_squares 32;
    /// Knight squares.
    KNIGHT_SQUARES knight_squares 32;
    /// Bishop squares.
    BISHOP_SQUARES bishop_squares 32;
    /// Rook squares.
    ROOK_SQUARES rook_squares 32;
    /// Queen squares.
    QUEEN_SQUARES queen_squares 32;
    /// King squares.
    KING_SQUARES king_squares 32;
    /// To be on move.
    TEMPO tempo 1;

    /// Squares a Knight attacks that hold no own pawn and that no enemy pawn attacks: 0 to 8.
    KNIGHT_MOBILITY knight_mobility 9;
    /// The same of a Bishop.
    BISHOP_MOBILITY bishop_mobility 14;
    /// The same of a Rook.
    ROOK_MOBILITY rook_mobility 15;
    /// The same of a Queen.
    QUEEN_MOBILITY queen_mobility 28;

    /// Two Bishops or more.
    BISHOP_PAIR bishop_pair 1;
    /// Own pawns on the colour of a Bishop's square, each.
    BISHOP_PAWNS bishop_pawns 1;
    /// A Knight, a Bishop on ranks 4 to 6, protected by a pawn and out of the enemy pawns' reach for good.
    OUTPOST outpost 2;
    /// A Rook on a file without own pawns; without any.
    ROOK_FILE rook_file 2;

    /// A pawn without neighbours on the next files.
    ISOLATED isolated 1;
    /// A pawn with another in front of it.
    DOUBLED doubled 1;
    /// A pawn that no own pawn can ever protect and whose next square an enemy pawn attacks.
    BACKWARD backward 1;
    /// A pawn beside another, by rank.
    PHALANX phalanx 8;
    /// A pawn protected by a pawn, by rank.
    PROTECTED protected 8;

    /// A pawn that no enemy pawn can stop or take, by rank.
    PASSED passed 8;
    /// A passed pawn whose next square is free, by rank.
    PASSED_FREE passed_free 8;
    /// A passed pawn whose whole way is free and unattacked, by rank.
    PASSED_SAFE passed_safe 8;
    /// Distance of the own King from a passed pawn's next square (pawns from their fourth rank on).
    PASSED_OWN_KING passed_own_king 8;
    /// Distance of the enemy King from it.
    PASSED_ENEMY_KING passed_enemy_king 8;

    /// Enemy pieces attacked by a pawn: Pawn, Knight, Bishop, Rook, Queen.
    PAWN_THREAT pawn_threat 5;
    /// The same by a Knight or Bishop.
    MINOR_THREAT minor_threat 5;
    /// The same by a Rook.
    ROOK_THREAT rook_threat 5;
    /// Enemy pieces attacked and not protected, each.
    HANGING hanging 1;
    /// Enemy pieces that a pawn's safe step would attack, each.
    PUSH_THREAT push_threat 1;

    /// The attack on the enemy King, in units: see `king_danger`.
    KING_DANGER king_danger 24;
    /// Squares around the King that are neither own nor attacked: 0 to 8.
    KING_ROOM king_room 9;
    /// The nearest own pawn before the King, on its file (first four) and on each next file: none,
    /// one rank ahead, two, more.
    SHELTER shelter 8;
    /// The nearest enemy pawn before the King, in the same way.
    STORM storm 8;

    /// Steps that the King needs to its goal rank over squares that are neither own nor attacked
    /// as things stand: 1 to 7; 0 if there is no such way.
    WAY way 8;
    /// The same steps, for the side that would arrive first.
    WAY_FIRST way_first 8;
    /// The highest rank that the King can reach so.
    MARCH march 8;
    /// Squares of the goal rank that the enemy does not attack: 0 to 8.
    GOAL_OPEN goal_open 9;
    /// An Escort up the board onto a square that is not attacked, by the rank of the landing.
    RAMP ramp 8;
    /// An Escort up the board onto an attacked square.
    RAMP_ATTACKED ramp_attacked 1;
    /// An Escort sideways or back onto a square that is not attacked, each.
    EXIT exit 1;
    /// A Decoy onto a square that is not attacked, by the rank of the pawn.
    DECOY decoy 8;

    /// The right to castle short, long.
    CASTLING castling 2;
}
