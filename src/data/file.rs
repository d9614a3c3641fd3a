//! Files of games: appended whole, each with its length and checksum, so that a run may be killed at any moment.
//!
//! A file begins with 8 bytes: `UGAM`, the version (1), the edition's place among [`Edition::ALL`], two zeros.
//! Each game follows as a frame: 4 bytes of length, 4 bytes of CRC-32 of the body (both little-endian), the
//! body. What a killed run leaves is at most one frame that is cut short, at the end; readers stop there, and a
//! [`Writer`] cuts it off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::rules::Edition;

use super::record::{Game, TooLong};

const MAGIC: [u8; 4] = *b"UGAM";
/// The version of the format that is written.
pub const VERSION: u8 = 1;
const HEADER: u64 = 8;
/// No game is longer than this, in bytes.
const LONGEST: u32 = 1 << 19;

/// What can be wrong with a file of games.
#[derive(Debug, Error)]
pub enum DataError {
    /// The system refuses.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It is something else.
    #[error("{}: not a file of games, or of a version other than {VERSION}", .0.display())]
    Foreign(PathBuf),
    /// It holds another edition than the one asked for.
    #[error("{}: games of the edition {found}, not {wanted}", .path.display())]
    Edition {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: Edition,
        /// What was asked for.
        wanted: Edition,
    },
    /// Bytes in the middle of it were changed.
    #[error("{}: damaged at byte {at}, after {games} whole games", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged frame begins.
        at: u64,
        /// Games before it.
        games: usize,
    },
    /// A game that the format cannot hold.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

/// The games of a file, in the order in which they ended; ends before a frame that was cut short.
pub struct Reader {
    path: PathBuf,
    edition: Edition,
    input: BufReader<File>,
    at: u64,
    length: u64,
    games: usize,
    failed: bool,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no file of games.
    pub fn open(path: &Path) -> Result<Reader, DataError> {
        let io = |cause| DataError::Io { path: path.to_owned(), cause };
        let file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let mut input = BufReader::new(file);
        let mut header = [0; HEADER as usize];
        input.read_exact(&mut header).map_err(|cause| match cause.kind() {
            ErrorKind::UnexpectedEof => DataError::Foreign(path.to_owned()),
            _ => io(cause),
        })?;
        let edition = match header {
            [m0, m1, m2, m3, VERSION, edition, 0, 0] if [m0, m1, m2, m3] == MAGIC => {
                Edition::ALL.get(usize::from(edition)).copied()
            }
            _ => None,
        };
        let edition = edition.ok_or_else(|| DataError::Foreign(path.to_owned()))?;
        let path = path.to_owned();
        Ok(Reader { path, edition, input, at: HEADER, length, games: 0, failed: false })
    }

    /// The same, if its games are of this edition.
    ///
    /// # Errors
    /// When they are of another.
    pub fn of(self, wanted: Edition) -> Result<Reader, DataError> {
        if self.edition == wanted {
            return Ok(self);
        }
        Err(DataError::Edition { path: self.path, found: self.edition, wanted })
    }

    /// The edition of all its games.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Where the next frame begins; after the last game, where the whole frames end.
    pub const fn position(&self) -> u64 {
        self.at
    }

    /// The file's length in bytes.
    pub const fn length(&self) -> u64 {
        self.length
    }

    fn read(&mut self) -> Result<Option<Game>, DataError> {
        let path = &self.path;
        let left = self.length.saturating_sub(self.at);
        if left < 8 {
            return Ok(None);
        }
        let io = |cause| DataError::Io { path: path.clone(), cause };
        let mut words = [[0; 4]; 2];
        self.input.read_exact(words.as_flattened_mut()).map_err(io)?;
        let [length, checksum] = words.map(u32::from_le_bytes);
        let damaged = || DataError::Damaged { path: path.clone(), at: self.at, games: self.games };
        if length > LONGEST {
            return Err(damaged());
        }
        let end = self.at + 8 + u64::from(length);
        if end > self.length {
            return Ok(None);
        }
        let mut body = vec![0; length as usize];
        self.input.read_exact(&mut body).map_err(io)?;
        if crc32fast::hash(&body) != checksum {
            // The last frame of a machine that lost its power may have its length but not its bytes.
            return if end == self.length { Ok(None) } else { Err(damaged()) };
        }
        let game = Game::from_bytes(self.edition, &body).ok_or_else(damaged)?;
        self.at = end;
        self.games += 1;
        Ok(Some(game))
    }
}

impl Iterator for Reader {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let read = self.read().transpose();
        self.failed = !matches!(read, Some(Ok(_)));
        read
    }
}

/// A file to which games are appended.
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Opens a file to append, or begins it; a frame that was cut short is cut off. `seen` is called for each
    /// game that is there.
    ///
    /// # Errors
    /// When the file is something else, of another edition or damaged, or the system refuses.
    pub fn append(
        path: &Path,
        edition: Edition,
        mut seen: impl FnMut(Game),
    ) -> Result<Writer, DataError> {
        let io = |cause| DataError::Io { path: path.to_owned(), cause };
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() < HEADER {
            // New, or killed before its first bytes were whole.
            let place = Edition::ALL.iter().position(|&e| e == edition).unwrap_or(0) as u8;
            let [m0, m1, m2, m3] = MAGIC;
            file.set_len(0).map_err(io)?;
            file.write_all(&[m0, m1, m2, m3, VERSION, place, 0, 0]).map_err(io)?;
        }
        let mut reader = Reader::open(path)?.of(edition)?;
        for game in &mut reader {
            seen(game?);
        }
        file.set_len(reader.position()).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(Writer { path: path.to_owned(), file })
    }

    /// Appends a game, whole, in one write.
    ///
    /// # Errors
    /// When the disk is full or the system refuses; what was written of the game is cut off again.
    pub fn write(&mut self, game: &Game) -> Result<(), DataError> {
        let body = game.to_bytes()?;
        let mut frame = Vec::with_capacity(body.len() + 8);
        frame.extend((body.len() as u32).to_le_bytes());
        frame.extend(crc32fast::hash(&body).to_le_bytes());
        frame.extend(body);
        let before = self.file.metadata().map(|metadata| metadata.len());
        self.file.write_all(&frame).map_err(|cause| {
            if let Ok(length) = before {
                let _ = self.file.set_len(length);
            }
            DataError::Io { path: self.path.clone(), cause }
        })
    }
}
