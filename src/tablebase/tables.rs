//! The tables of an edition that are at hand, and what they say of any position.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use crate::board::{Color, PieceKind};
use crate::rules::{CastlingRights, Edition, Move, Position};

use super::material::{MAX_MEN, Material};
use super::table::{Table, TableError};
use super::value::{Value, by_moves};

/// Some tables of one edition.
pub struct Tables {
    edition: Edition,
    tables: Vec<Table>,
    /// By the men of both colours, the table and whether the colours are exchanged in it.
    by_men: HashMap<u32, (usize, bool)>,
    men: u32,
}

/// The same edition and materials: the values then are the same too.
impl PartialEq for Tables {
    fn eq(&self, other: &Tables) -> bool {
        let materials = |tables: &Tables| -> Vec<_> {
            tables.tables.iter().map(|t| t.material().clone()).collect()
        };
        self.edition == other.edition && materials(self) == materials(other)
    }
}

impl Eq for Tables {}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tables of {}", self.tables.len(), self.edition)
    }
}

/// The men of a position as a number; each of the ten kinds of men beside the Kings counts up to three.
#[inline]
fn men(position: &Position) -> u32 {
    let mut number = 0;
    for color in Color::ALL {
        for kind in &PieceKind::ALL[..5] {
            number = number << 2 | position.of(color, *kind).count().min(3);
        }
    }
    number
}

impl Tables {
    /// No tables yet.
    pub fn new(edition: Edition) -> Tables {
        Tables { edition, tables: Vec::new(), by_men: HashMap::new(), men: 0 }
    }

    /// All tables of an edition in a folder that [`Table::write`] has filled.
    ///
    /// # Errors
    /// At the first file that cannot be used; when the folder is missing.
    pub fn open(folder: &Path, edition: Edition) -> Result<Tables, TableError> {
        if let Err(cause) = std::fs::read_dir(folder) {
            return Err(TableError::Io { path: folder.to_owned(), cause });
        }
        let mut tables = Tables::new(edition);
        for material in (2..=MAX_MEN).flat_map(Material::all) {
            if Table::path(folder, edition, &material).exists() {
                tables.add(Table::read(folder, edition, &material)?);
            }
        }
        Ok(tables)
    }

    /// One more table, of the same edition.
    pub fn add(&mut self, table: Table) {
        let place = self.tables.len();
        // Any position of the material tells what its men are called.
        let any = (0..table.material().places())
            .find_map(|place| table.material().position(self.edition, place));
        if let Some(position) = any {
            self.by_men.insert(men(&position.mirrored()), (place, true));
            self.by_men.insert(men(&position), (place, false));
            self.men = self.men.max(position.occupied().count());
        }
        self.tables.push(table);
    }

    /// The edition.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The most men of any table, 0 if there is none.
    pub const fn men(&self) -> u32 {
        self.men
    }

    /// The value of a position of this edition; `None` if it is finished, a table is missing or somebody may
    /// still castle.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        if position.occupied().count() > self.men {
            return None;
        }
        if position.castling() != CastlingRights::NONE {
            return None;
        }
        if position.en_passant().is_some() && position.finished().is_none() {
            return by_moves(position, |next| self.probe(next));
        }
        let &(table, swapped) = self.by_men.get(&men(position))?;
        self.tables.get(table)?.value(position, swapped)
    }

    /// A move of the best play: the shortest win, else one that keeps the position unresolved, else the longest
    /// defence, with the value after it for the side that made it. `None` if a value is not known.
    pub fn best(&self, position: &Position) -> Option<(Move, Value)> {
        self.moves(position)?.into_iter().min_by_key(|(_, value)| value.rank())
    }

    /// Every legal move with the value of the position for the side to move if it plays it. `None` if a
    /// value is not known.
    pub fn moves(&self, position: &Position) -> Option<Vec<(Move, Value)>> {
        let value = |m| Value::of_move(position, m, |next| self.probe(next));
        position.legal_moves().into_iter().map(|m| Some((m, value(m)?))).collect()
    }

    /// The first position of a table whose value does not follow from those its moves lead to: there is
    /// none, or the tables are wrong.
    pub fn contradiction(&self, table: &Table) -> Option<Position> {
        use rayon::prelude::*;
        (0..table.material().places()).into_par_iter().find_map_any(|place| {
            let (position, value) = table.at(place)?;
            (by_moves(&position, |next| self.probe(next)) != Some(value)).then_some(position)
        })
    }
}
