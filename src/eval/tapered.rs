//! A pair of values, for a full board and for an empty one, in one machine word.
//!
//! Uses nothing. Both halves are in centipawns; 32 bits each, so that no number of pieces overflows.

use std::ops::{AddAssign, Mul, SubAssign};

/// A value with all pieces on the board (`middle`) and with none (`end`), in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i64);

/// Short for [`Tapered::new`], for the tables.
pub const fn s(middle: i32, end: i32) -> Tapered {
    Tapered::new(middle, end)
}

impl Tapered {
    /// Nothing.
    pub const ZERO: Tapered = Tapered(0);

    /// A pair of these two values.
    pub const fn new(middle: i32, end: i32) -> Tapered {
        Tapered(((end as i64) << 32) + middle as i64)
    }

    /// The value with all pieces on the board.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i32
    }

    /// The value with no pieces on the board.
    #[inline]
    pub const fn end(self) -> i32 {
        // A negative lower half has borrowed one from the upper: give it back.
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// The value at a phase from 0 (no pieces) to `full` (all).
    #[inline]
    pub const fn at(self, phase: i32, full: i32) -> i32 {
        (self.middle() * phase + self.end() * (full - phase)) / full
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

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline]
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0 * times as i64)
    }
}

impl std::fmt::Debug for Tapered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s({}, {})", self.middle(), self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The halves do not leak into one another, whatever their signs.
    #[test]
    fn halves_stay_apart() {
        for (m, e) in [(0, 0), (5, -7), (-5, 7), (-1, -1), (30_000, -30_000), (-30_000, 30_000)] {
            let pair = Tapered::new(m, e);
            assert_eq!((pair.middle(), pair.end()), (m, e));
            let tripled = pair * -3;
            assert_eq!((tripled.middle(), tripled.end()), (-3 * m, -3 * e));
            let mut sum = pair;
            sum += tripled;
            assert_eq!((sum.middle(), sum.end()), (-2 * m, -2 * e));
            sum -= pair;
            assert_eq!((sum.middle(), sum.end()), (-3 * m, -3 * e));
        }
    }

    #[test]
    fn tapers() {
        let pair = Tapered::new(100, -20);
        assert_eq!(pair.at(24, 24), 100);
        assert_eq!(pair.at(0, 24), -20);
        assert_eq!(pair.at(12, 24), 40);
    }
}
