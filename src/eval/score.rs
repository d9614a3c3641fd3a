//! A pair of values, for the middlegame and the endgame, in one machine word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Middlegame and endgame value in centipawns, each within ±16,000, added and multiplied together.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Tapered = Tapered(0);

    /// Packs the two values.
    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((endgame << 16) + middlegame)
    }

    /// The middlegame value.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // Adding half a unit undoes the borrow that a negative middlegame value took.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// The value at a phase from 0 (bare Kings) to `full` (all pieces).
    #[inline]
    pub const fn at_phase(self, phase: i32, full: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (full - phase)) / full
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0 * factor)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_survive_arithmetic() {
        for (a, b) in [(0, 0), (5, -7), (-5, 7), (-300, -4000), (12_000, -12_000)] {
            for (c, d) in [(1, 1), (-1, 2), (250, -350)] {
                let sum = Tapered::new(a, b) + Tapered::new(c, d);
                assert_eq!((sum.middlegame(), sum.endgame()), (a + c, b + d));
                let difference = Tapered::new(a, b) - Tapered::new(c, d) * 3;
                assert_eq!((difference.middlegame(), difference.endgame()), (a - 3 * c, b - 3 * d));
            }
        }
        assert_eq!(Tapered::new(100, -50).at_phase(6, 24), (100 * 6 - 50 * 18) / 24);
    }
}
