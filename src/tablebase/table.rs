//! One table: the values of all positions of one material, and its file.
//!
//! A file begins with 24 bytes: `UTBL`, the version, the edition's place among [`Edition::ALL`], two zeros, the
//! material's name in 8 bytes filled up with zeros, the CRC-32 of the body and four zeros. The body
//! has a byte for each place of [`Material::places`]: plies to the end, negative for a loss of the side to move,
//! 0 if unresolved, -128 if no game goes on there. Files are written beside their name and then renamed, so
//! that one of that name is whole.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::rules::{Edition, Position};

use super::material::Material;
use super::value::Value;

const MAGIC: [u8; 4] = *b"UTBL";
/// The version of the format that is written.
pub const VERSION: u8 = 1;
const HEADER: usize = 24;
const NAME: usize = 8;

/// Marks a place where no game goes on: there is no such position, or it is finished.
pub(super) const NOTHING: i8 = i8::MIN;

/// Why a table cannot be used.
#[derive(Debug, Error)]
pub enum TableError {
    /// The system refuses.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It is something else.
    #[error("{}: not an ending's table of this version ({VERSION})", .0.display())]
    Foreign(PathBuf),
    /// It is the table of something else.
    #[error("{}: holds {edition} {name}, not what its name says", .path.display())]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// The edition that it holds.
        edition: Edition,
        /// The material that it holds.
        name: String,
    },
    /// Its length or its checksum is wrong.
    #[error("{}: damaged, {what} wrong; delete it and generate it again", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The length or the checksum.
        what: &'static str,
    },
}

/// The values of one material in one edition.
pub struct Table {
    edition: Edition,
    material: Material,
    values: Vec<i8>,
}

/// What a table holds, counted over positions with White's King on the files a to d.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Positions that the side to move wins.
    pub won: u64,
    /// Positions that the side to move loses.
    pub lost: u64,
    /// Positions that only the repetition rule decides.
    pub unresolved: u64,
    /// The longest win or loss, in plies, and a position of it.
    pub longest: Option<(u8, Position)>,
}

impl Table {
    pub(super) fn new(edition: Edition, material: Material, values: Vec<i8>) -> Table {
        debug_assert_eq!(values.len(), material.places());
        Table { edition, material, values }
    }

    /// The edition.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The material.
    pub const fn material(&self) -> &Material {
        &self.material
    }

    /// The value of a position of this material and edition, as if it had no en passant chance and no castling
    /// right, the colours exchanged if `swapped`; `None` if it is finished.
    #[inline]
    pub(super) fn value(&self, position: &Position, swapped: bool) -> Option<Value> {
        let number = *self.values.get(self.material.place(position, swapped))?;
        (number != NOTHING).then(|| Value::from_number(number))
    }

    /// The position at a place below [`Material::places`] and its value, if a game goes on there.
    pub fn at(&self, place: usize) -> Option<(Position, Value)> {
        let number = *self.values.get(place)?;
        if number == NOTHING {
            return None;
        }
        Some((self.material.position(self.edition, place)?, Value::from_number(number)))
    }

    /// Counts.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        let mut longest: Option<(u8, usize)> = None;
        for (place, &number) in self.values.iter().enumerate() {
            let plies = number.unsigned_abs();
            match number {
                NOTHING => continue,
                0 => summary.unresolved += 1,
                1.. => summary.won += 1,
                _ => summary.lost += 1,
            }
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, place));
            }
        }
        summary.longest = longest
            .filter(|&(plies, _)| plies > 0)
            .and_then(|(plies, place)| Some((plies, self.material.position(self.edition, place)?)));
        summary
    }

    /// Where the table of an edition and a material lies in a folder of tables.
    pub fn path(folder: &Path, edition: Edition, material: &Material) -> PathBuf {
        folder.join(edition.name()).join(format!("{material}.utbl"))
    }

    /// Reads a table.
    ///
    /// # Errors
    /// When the file cannot be read, is no table, is another one, or is damaged.
    pub fn read(folder: &Path, edition: Edition, material: &Material) -> Result<Table, TableError> {
        let path = Table::path(folder, edition, material);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(cause) => return Err(TableError::Io { path, cause }),
        };
        let Some((header, body)) = bytes.split_at_checked(HEADER) else {
            return Err(TableError::Foreign(path));
        };
        let version = header[4];
        let Some(&held) = Edition::ALL.get(usize::from(header[5])) else {
            return Err(TableError::Foreign(path));
        };
        if header[..4] != MAGIC || version != VERSION {
            return Err(TableError::Foreign(path));
        }
        let name = String::from_utf8_lossy(&header[8..8 + NAME]);
        let name = name.trim_end_matches('\0');
        if held != edition || name != material.to_string() {
            return Err(TableError::Misnamed { path, edition: held, name: name.to_owned() });
        }
        if body.len() != material.places() {
            return Err(TableError::Damaged { path, what: "its length is" });
        }
        if crc32fast::hash(body).to_le_bytes() != header[16..20] {
            return Err(TableError::Damaged { path, what: "its checksum is" });
        }
        let values = bytemuck::cast_slice::<u8, i8>(body).to_vec();
        Ok(Table::new(edition, material.clone(), values))
    }

    /// Writes the table into a folder of tables, which is made if need be. What stood under its name stays whole
    /// until the new file is.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&self, folder: &Path) -> Result<(), TableError> {
        let path = Table::path(folder, self.edition, &self.material);
        let body: &[u8] = bytemuck::cast_slice(&self.values);
        let mut header = [0; HEADER];
        header[..4].copy_from_slice(&MAGIC);
        header[4] = VERSION;
        header[5] = self.edition as u8;
        let name = self.material.to_string();
        for (byte, letter) in header[8..8 + NAME].iter_mut().zip(name.bytes()) {
            *byte = letter;
        }
        header[16..20].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
        let write = || -> io::Result<()> {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            let unfinished = path.with_extension("part");
            let mut file = fs::File::create(&unfinished)?;
            file.write_all(&header)?;
            file.write_all(body)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(|cause| TableError::Io { path: path.clone(), cause })
    }
}
