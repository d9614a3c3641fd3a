//! Points and which lies beside which: boards of up to 64 points.
//!
//! Point 0 is a1, then along the rank. The eight directions go round the compass, so that `direction ^ 4` is the way back.

use std::fmt;

/// A point of a board, below 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(pub u8);

/// A set of points, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Points(pub u64);

impl Point {
    /// The set that holds this point alone.
    #[inline]
    pub const fn set(self) -> Points {
        Points(1 << (self.0 & 63))
    }
}

impl Points {
    /// None.
    pub const EMPTY: Points = Points(0);

    /// Whether a point is among them.
    #[inline]
    pub const fn has(self, point: Point) -> bool {
        self.0 >> (point.0 & 63) & 1 != 0
    }

    /// How many there are.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let point = Point(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(point)
    }
}

macro_rules! by_bits {
    ($($trait:ident $method:ident),*) => {$(
        impl std::ops::$trait for Points {
            type Output = Points;

            #[inline]
            fn $method(self, other: Points) -> Points {
                Points(std::ops::$trait::$method(self.0, other.0))
            }
        }
    )*};
}

by_bits!(BitAnd bitand, BitOr bitor, BitXor bitxor);

impl std::ops::Not for Points {
    type Output = Points;

    #[inline]
    fn not(self) -> Points {
        Points(!self.0)
    }
}

/// North, where the ranks rise.
pub const NORTH: usize = 0;
/// East, where the files rise.
pub const EAST: usize = 2;
/// The directions along ranks and files.
pub const STRAIGHT: [usize; 4] = [NORTH, EAST, 4, 6];

/// Files and ranks of each direction's step.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Which diagonals a board has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Diagonals {
    /// None.
    None,
    /// Those through a1 and every other point.
    Alternate,
    /// All.
    All,
}

/// A board without men: its points and its lines.
#[derive(PartialEq, Eq)]
pub struct Grid {
    /// How many files, at most 9.
    pub files: u8,
    /// How many ranks, at most 9; `files × ranks` is at most 64.
    pub ranks: u8,
    /// The neighbour of each point along a line in each direction, or [`Grid::NONE`].
    neighbours: [[u8; 8]; 64],
    /// All of them together.
    around: [Points; 64],
}

impl Grid {
    const NONE: u8 = 64;

    /// A board of this size with these lines beside its ranks and files.
    pub const fn new(files: u8, ranks: u8, diagonals: Diagonals) -> Grid {
        assert!(files <= 9 && ranks <= 9 && files as u32 * ranks as u32 <= 64);
        let mut neighbours = [[Grid::NONE; 8]; 64];
        let mut around = [Points::EMPTY; 64];
        let mut point = 0;
        while point < files * ranks {
            let (file, rank) = (point % files, point / files);
            let mut direction = 0;
            while direction < 8 {
                let (step_file, step_rank) = STEPS[direction];
                let (to_file, to_rank) = (file as i8 + step_file, rank as i8 + step_rank);
                let inside =
                    to_file >= 0 && to_file < files as i8 && to_rank >= 0 && to_rank < ranks as i8;
                let line = direction % 2 == 0
                    || match diagonals {
                        Diagonals::None => false,
                        Diagonals::Alternate => (file + rank) % 2 == 0,
                        Diagonals::All => true,
                    };
                if inside && line {
                    let to = (to_rank as u8) * files + to_file as u8;
                    neighbours[point as usize][direction] = to;
                    around[point as usize].0 |= 1 << to;
                }
                direction += 1;
            }
            point += 1;
        }
        Grid { files, ranks, neighbours, around }
    }

    /// How many points there are.
    pub const fn size(&self) -> u8 {
        self.files * self.ranks
    }

    /// All points.
    pub const fn all(&self) -> Points {
        Points(u64::MAX >> (64 - self.size() as u32))
    }

    /// The point on a file and a rank, both from 0 and on the board.
    pub const fn at(&self, file: u8, rank: u8) -> Point {
        Point(rank * self.files + file)
    }

    /// File and rank of a point, both from 0.
    pub const fn place(&self, point: Point) -> (u8, u8) {
        (point.0 % self.files, point.0 / self.files)
    }

    /// The next point along a line in a direction (0 north, then clockwise, to 7 north-west).
    #[inline]
    pub const fn next(&self, point: Point, direction: usize) -> Option<Point> {
        let next = self.neighbours[(point.0 & 63) as usize][direction & 7];
        if next == Grid::NONE { None } else { Some(Point(next)) }
    }

    /// All points one step along a line away.
    #[inline]
    pub const fn around(&self, point: Point) -> Points {
        self.around[(point.0 & 63) as usize]
    }

    /// `c3`.
    pub fn name(&self, point: Point) -> String {
        let (file, rank) = self.place(point);
        format!("{}{}", (b'a' + file) as char, (b'1' + rank) as char)
    }

    /// Reads `c3`, the file in lower case.
    pub fn parse(&self, text: &str) -> Option<Point> {
        let &[file, rank] = text.as_bytes() else { return None };
        let (file, rank) = (file.checked_sub(b'a')?, rank.checked_sub(b'1')?);
        (file < self.files && rank < self.ranks).then(|| self.at(file, rank))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.files, self.ranks)
    }
}
