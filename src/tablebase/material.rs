//! Which men stand on the board, and the place of each position among all with these men.

use std::fmt;

use arrayvec::ArrayVec;

use crate::board::{Color, PieceKind, Square};
use crate::rules::{Edition, Position};

/// The most men of a table, Kings included.
pub const MAX_MEN: usize = 4;

/// What may stand beside the Kings, the strongest first.
const KINDS: [PieceKind; 5] =
    [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn];

type Side = ArrayVec<PieceKind, { MAX_MEN - 2 }>;

/// The men of both sides, at most [`MAX_MEN`]. White has more of them, or stronger ones: the other way round is
/// the same with the colours exchanged.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// What stands beside the King of White and of Black, the strongest first.
    sides: [Side; 2],
}

/// A position's material, and which side plays White's part.
#[derive(Clone, Debug)]
pub struct Found {
    /// The material.
    pub material: Material,
    /// Whether the colours have to be exchanged.
    pub swapped: bool,
}

/// Orders the sides of a material: by number, then by strength.
fn weight(side: &Side) -> (usize, Vec<PieceKind>) {
    (side.len(), side.to_vec())
}

impl Material {
    /// All materials of so many men, in an order in which captures and promotions lead only to earlier ones
    /// (those of fewer men before all).
    pub fn all(men: usize) -> Vec<Material> {
        let extra = men.saturating_sub(2).min(MAX_MEN - 2);
        let mut found = Vec::new();
        let mut grow = vec![[Side::new(), Side::new()]];
        for _ in 0..extra {
            let longer = |sides: &[Side; 2]| {
                let sides = sides.clone();
                (0..2).flat_map(move |side| {
                    let sides = sides.clone();
                    KINDS.map(move |kind| {
                        let mut sides = sides.clone();
                        sides[side].push(kind);
                        sides
                    })
                })
            };
            grow = grow.iter().flat_map(longer).collect();
        }
        for sides in grow {
            let (material, _) = Material::ordered(sides);
            if !found.contains(&material) {
                found.push(material);
            }
        }
        found.sort_by_cached_key(|material| (material.pawns(), material.to_string()));
        found
    }

    fn ordered(mut sides: [Side; 2]) -> (Material, bool) {
        for side in &mut sides {
            side.sort_by(|a, b| b.cmp(a));
        }
        let swapped = weight(&sides[1]) > weight(&sides[0]);
        if swapped {
            sides.reverse();
        }
        (Material { sides }, swapped)
    }

    /// The material of a position; `None` if there are too many men or a King is missing.
    pub fn of(position: &Position) -> Option<Found> {
        let kings = Color::ALL.iter().filter(|&&color| position.king(color).is_some()).count();
        if position.occupied().count() as usize > MAX_MEN || kings < 2 {
            return None;
        }
        let side = |color| -> Side {
            let men = |kind| position.of(color, kind).into_iter().map(move |_| kind);
            KINDS.into_iter().flat_map(men).collect()
        };
        let (material, swapped) = Material::ordered([side(Color::White), side(Color::Black)]);
        Some(Found { material, swapped })
    }

    /// The material of a name like `KQvKR`; `None` if it is not written as it is shown.
    pub fn parse(name: &str) -> Option<Material> {
        let (white, black) = name.split_once('v')?;
        let side = |text: &str| -> Option<Side> {
            let kind =
                |letter| PieceKind::from_letter(letter).filter(|kind| *kind != PieceKind::King);
            let kinds: Option<Vec<PieceKind>> = text.strip_prefix('K')?.chars().map(kind).collect();
            Side::try_from(kinds?.as_slice()).ok()
        };
        let (material, _) = Material::ordered([side(white)?, side(black)?]);
        (material.to_string() == name && material.men() <= MAX_MEN).then_some(material)
    }

    /// How many men there are, the Kings included.
    pub fn men(&self) -> usize {
        2 + self.sides[0].len() + self.sides[1].len()
    }

    /// How many pawns there are.
    pub fn pawns(&self) -> usize {
        let pawns = |side: &Side| side.iter().filter(|&&kind| kind == PieceKind::Pawn).count();
        pawns(&self.sides[0]) + pawns(&self.sides[1])
    }

    /// The places of a table: both sides to move, White's King on the files a to d (the board mirrored if
    /// need be), every other man anywhere. Not every place is a position.
    pub fn places(&self) -> usize {
        2 * 32 * 64usize.pow(self.men() as u32 - 1)
    }

    /// The men beside the Kings in the order of the places.
    fn others(&self) -> impl Iterator<Item = (Color, PieceKind)> {
        let of = |color: Color| self.sides[color.index()].iter().map(move |&kind| (color, kind));
        of(Color::White).chain(of(Color::Black))
    }

    /// The place of a position of this material, the colours exchanged if `swapped`. Its en passant square
    /// and castling rights have no part in it.
    #[inline]
    pub(super) fn place(&self, position: &Position, swapped: bool) -> usize {
        let own = |color: Color| if swapped { !color } else { color };
        let flip = if swapped { 56 } else { 0 };
        // `Material::of` has seen both Kings.
        let king = |color| position.king(own(color)).map_or(0, Square::index) ^ flip;
        let white = king(Color::White);
        let mirror = if white & 4 != 0 { 7 } else { 0 };
        let white = white ^ mirror;
        let side = usize::from(own(position.side_to_move()) == Color::Black);
        let mut place = side * 32 + (white >> 3) * 4 + (white & 3);
        place = place * 64 + (king(Color::Black) ^ mirror);
        for (color, side) in Color::ALL.into_iter().zip(&self.sides) {
            let mut squares: ArrayVec<usize, { MAX_MEN - 2 }> = ArrayVec::new();
            for (i, &kind) in side.iter().enumerate() {
                if i > 0 && side[i - 1] == kind {
                    continue; // come with the first of them
                }
                let first = squares.len();
                for square in position.of(own(color), kind) {
                    if squares.try_push(square.index() ^ flip ^ mirror).is_err() {
                        break; // not of this material
                    }
                }
                squares[first..].sort_unstable();
            }
            place = squares.into_iter().fold(place, |place, square| place * 64 + square);
        }
        place
    }

    /// The position at a place; `None` where there is none: two men on one square, a pawn where no pawn
    /// stands, twins not in order.
    pub(super) fn position(&self, edition: Edition, place: usize) -> Option<Position> {
        let mut rest = place;
        let mut squares = [0usize; MAX_MEN];
        let men = self.men();
        for square in squares[1..men].iter_mut().rev() {
            *square = rest % 64;
            rest /= 64;
        }
        squares[0] = rest % 32 / 4 * 8 + rest % 4;
        let side = if rest / 32 == 0 { Color::White } else { Color::Black };
        let kings = [(Color::White, PieceKind::King), (Color::Black, PieceKind::King)];
        let mut last = None;
        let mut list: ArrayVec<(Color, PieceKind, Square), MAX_MEN> = ArrayVec::new();
        for ((color, kind), square) in kings.into_iter().chain(self.others()).zip(squares) {
            if last.is_some_and(|(c, k, s)| (c, k) == (color, kind) && s >= square) {
                return None;
            }
            last = Some((color, kind, square));
            list.push((color, kind, Square::new(square as u8)));
        }
        Position::from_men(edition, side, list)
    }
}

impl fmt::Display for Material {
    /// `KQvKR`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, side) in self.sides.iter().enumerate() {
            f.write_str(if i == 0 { "K" } else { "vK" })?;
            for kind in side {
                write!(f, "{}", kind.letter())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five kinds beside the Kings: 5 for one more man; for two more, 15 pairs on one side and 15 pairings.
    #[test]
    fn the_materials_are_counted() {
        let counts = [2, 3, 4].map(|men| Material::all(men).len());
        assert_eq!(counts, [1, 5, 30]);
        for material in (2..=4).flat_map(Material::all) {
            assert_eq!(Material::parse(&material.to_string()).as_ref(), Some(&material));
        }
        assert_eq!(Material::parse("KvKQ"), None);
        assert_eq!(Material::parse("KQvKRB"), None);
        assert_eq!(Material::parse("KKvK"), None);
    }

    /// Every position has its place, its mirror image and the other colours the same.
    #[test]
    fn places_and_positions_go_together() {
        for name in ["KvK", "KPvK", "KRRvK", "KBNvK", "KPvKP", "KQvKR"] {
            let material = Material::parse(name).expect("a material");
            let mut positions = 0;
            for place in (0..material.places()).step_by(97) {
                let Some(position) = material.position(Edition::CaptureOrConquer, place) else {
                    continue;
                };
                positions += 1;
                assert_eq!(material.place(&position, false), place, "{}", position.to_fen());
                let other = position.mirrored();
                let found = Material::of(&other).expect("few men");
                assert_eq!(found.material, material);
                let swapped = found.swapped || name == "KvK" || name == "KPvKP";
                assert_eq!(material.place(&other, swapped), place, "{}", position.to_fen());
            }
            assert!(positions > 30, "{name}");
        }
    }
}
