//! The file of a game: read to go on with it, and replaced whole after every move, so that whatever
//! kills the program, the file holds the game up to the last move.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::arena::pgn::{self, GameResult, PgnError, PgnGame};
use crate::arena::results::today;
use crate::games::{AnyGame, Playable, Variant};
use crate::search::Task;

/// What can be wrong with the file of a game.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system refuses.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// What it holds cannot be read.
    #[error("{}: {cause}", .path.display())]
    Pgn {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        cause: PgnError,
    },
    /// Where the last of several games begins cannot be told.
    #[error("{}: the last game has no Event tag; put it into a file of its own", .0.display())]
    NoEvent(PathBuf),
    /// A file that would be lost.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
}

/// A game as it is kept.
pub type Kept = PgnGame<AnyGame>;

/// Where a game is kept.
pub struct GameFile {
    /// None until a game without a given file is saved first.
    path: Option<PathBuf>,
    /// The games that stand in the file before this one, as they are.
    earlier: Vec<u8>,
}

impl GameFile {
    /// A file of a new name, `usurper-DATE-NUMBER.pgn` in the current folder, made when it is needed.
    pub const fn unnamed() -> GameFile {
        GameFile { path: None, earlier: Vec::new() }
    }

    /// The file of this name, and the game to go on with: its last, if that is unfinished. Games
    /// without a `Variant` tag are of `variant`.
    ///
    /// # Errors
    /// When the file cannot be read, or its folder is missing.
    pub fn open(path: &Path, variant: Variant) -> Result<(GameFile, Option<Kept>), FileError> {
        let io = |cause| FileError::Io { path: path.to_owned(), cause };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::metadata(folder(path)).map_err(io)?;
                Vec::new()
            }
            Err(error) => return Err(io(error)),
        };
        let games =
            |bytes: &[u8]| pgn::Reader::of_any(bytes, variant).collect::<Result<Vec<_>, _>>();
        let pgn = |cause| FileError::Pgn { path: path.to_owned(), cause };
        let mut all = games(&bytes).map_err(pgn)?;
        let unfinished =
            |game: &Kept| game.result == GameResult::Unfinished && game.record.outcome().is_none();
        let mut file = GameFile { path: Some(path.to_owned()), earlier: bytes };
        let Some(last) = all.pop().filter(unfinished) else {
            if !file.earlier.is_empty() {
                let end = file.earlier.trim_ascii_end().len();
                file.earlier.truncate(end);
                file.earlier.extend(b"\n\n");
            }
            return Ok((file, None));
        };
        let begin = if all.is_empty() { Some(0) } else { last_event(&file.earlier) };
        let (before, after) = begin
            .and_then(|begin| file.earlier.split_at_checked(begin))
            .ok_or_else(|| FileError::NoEvent(path.to_owned()))?;
        let split_well = games(before).is_ok_and(|games| games.len() == all.len())
            && games(after).is_ok_and(
                |games| matches!(&games[..], [game] if game.record.played() == last.record.played()),
            );
        if !split_well {
            return Err(FileError::NoEvent(path.to_owned()));
        }
        file.earlier.truncate(begin.unwrap_or_default());
        Ok((file, Some(last)))
    }

    /// The file's name, once it has one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Saves the game under another name and keeps it there from now on.
    ///
    /// # Errors
    /// When there is such a file already, or it cannot be written; the old file then remains.
    pub fn save_as(&mut self, path: &Path, game: &Kept) -> Result<(), FileError> {
        if self.path.as_deref() == Some(path) {
            return self.save(game);
        }
        if path.exists() {
            return Err(FileError::Exists(path.to_owned()));
        }
        let mut other = GameFile { path: Some(path.to_owned()), earlier: Vec::new() };
        other.save(game)?;
        *self = other;
        Ok(())
    }

    /// Writes the game: into another file first, which then takes the place of the old one at once.
    ///
    /// # Errors
    /// When the file cannot be written; the old one then stays as it was.
    pub fn save(&mut self, game: &Kept) -> Result<(), FileError> {
        let path = match &self.path {
            Some(path) => path.clone(),
            None => {
                let path = new_file()?;
                self.path = Some(path.clone());
                path
            }
        };
        let mut bytes = self.earlier.clone();
        let written = pgn::write(game, &mut bytes).and_then(|()| replace(&path, &bytes));
        written.map_err(|cause| FileError::Io { path, cause })
    }
}

/// The folder that a file lies in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Where the last line with an `Event` tag begins.
fn last_event(bytes: &[u8]) -> Option<usize> {
    let starts = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1);
    let is_event = |&start: &usize| bytes.get(start..).is_some_and(|b| b.starts_with(b"[Event \""));
    std::iter::once(0).chain(starts).rfind(is_event)
}

/// Makes an empty file of a name that was free.
fn new_file() -> Result<PathBuf, FileError> {
    let date = today().replace('.', "-");
    let mut number = 1;
    loop {
        let path = PathBuf::from(format!("usurper-{date}-{number}.pgn"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(cause) => return Err(FileError::Io { path, cause }),
        }
    }
}

/// Puts a file of this content in the place of another, so that at no time there is only half a file.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let part = folder(&path).join(name);
    let written = (|| {
        let mut file = File::create(&part)?;
        if let Ok(old) = fs::metadata(&path) {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, &path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}
