//! The files of a match. A game is appended whole as it ends, to the game file first and to the
//! results then, whose line says how long the game file was. So whatever kills the runner, the results
//! say which games count, and a resumed match cuts off what was begun after the last of them. Two
//! runners never write to one file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::games::Playable;

use super::pgn::{self, PgnGame};
use super::results::GameLine;

/// The first line of a results file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// Names of the engines.
    pub engines: Vec<String>,
    /// All that makes two runs the same match, in the words of who wrote it.
    pub settings: serde_json::Value,
    /// Who plays whom: `round-robin` or `gauntlet`.
    pub mode: String,
    /// The sequential test, as the user wrote it.
    pub sprt: Option<String>,
    /// Pairs between each two engines that meet.
    pub pairs: u64,
    /// The part of the match.
    pub shard: String,
}

/// The name and version of the format of results.
pub const FORMAT: &str = "usurper match 1";

/// What can be wrong with the files of a match.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system refuses.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// Another runner writes to it.
    #[error("{} is in use by another match that runs", .0.display())]
    InUse(PathBuf),
    /// A file that would be lost.
    #[error("{} exists: --resume goes on with it, --overwrite begins anew", .0.display())]
    Exists(PathBuf),
    /// It is no results file, or a line of it is damaged.
    #[error("{}: line {line}: {what}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The game file is not the one that the results were written with.
    #[error("{}: shorter than the results say; its games cannot be those counted", .0.display())]
    Short(PathBuf),
}

/// A results file that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// Its first line.
    pub header: Header,
    /// The games, in the order in which they ended.
    pub games: Vec<GameLine>,
    /// Its length in bytes up to the last whole line.
    pub length: u64,
}

/// Reads a results file. A last line without its end, cut off when the runner was killed, is left out.
///
/// # Errors
/// When the file cannot be read, or a whole line cannot be understood.
pub fn read(path: &Path) -> Result<Results, JournalError> {
    let io = |cause| JournalError::Io { path: path.to_owned(), cause };
    let mut text = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut text)).map_err(io)?;
    let length = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    text.truncate(length);
    let damaged = |line, what: String| JournalError::Damaged { path: path.to_owned(), line, what };
    let mut lines = (1..).zip(text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()));
    let (_, first) = lines.next().ok_or_else(|| damaged(1, "the first line is missing".into()))?;
    let header: Header =
        serde_json::from_slice(first).map_err(|error| damaged(1, error.to_string()))?;
    if header.format != FORMAT {
        return Err(damaged(1, format!("the format is {:?}, not {FORMAT:?}", header.format)));
    }
    let games: Result<Vec<GameLine>, JournalError> = lines
        .map(|(number, line)| {
            serde_json::from_slice(line).map_err(|error| damaged(number, error.to_string()))
        })
        .collect();
    Ok(Results { header, games: games?, length: length as u64 })
}

/// A file to which whole records are appended.
struct Appended {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Appended {
    /// A new file, or one of which the first `keep` bytes stay.
    fn open(path: &Path, keep: Option<u64>, overwrite: bool) -> Result<Appended, JournalError> {
        let io = |cause| JournalError::Io { path: path.to_owned(), cause };
        let is_empty =
            std::fs::metadata(path).map_or(true, |data| !data.is_file() || data.len() == 0);
        if keep.is_none() && !overwrite && !is_empty {
            return Err(JournalError::Exists(path.to_owned()));
        }
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(io)?;
        let length = keep.unwrap_or(0);
        let data = file.metadata().map_err(io)?;
        if data.is_file() {
            // Held until the file is closed, by the system if the runner is killed. What cannot be
            // locked (some network folders) is used as it is.
            #[cfg(unix)]
            if let Err(rustix::io::Errno::WOULDBLOCK) =
                rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive)
            {
                return Err(JournalError::InUse(path.to_owned()));
            }
            if data.len() < length {
                return Err(JournalError::Short(path.to_owned()));
            }
            file.set_len(length).map_err(io)?;
            file.seek(SeekFrom::Start(length)).map_err(io)?;
        }
        Ok(Appended { path: path.to_owned(), file, length })
    }

    /// Writes a record whole or, if the system refuses, not at all.
    fn append(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if let Err(cause) = self.file.write_all(bytes) {
            self.cut(self.length);
            return Err(JournalError::Io { path: self.path.clone(), cause });
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn cut(&mut self, length: u64) {
        let _ = self.file.set_len(length);
        let _ = self.file.seek(SeekFrom::Start(length));
        self.length = length;
    }
}

/// The files of a running match.
#[derive(Default)]
pub struct Journal {
    results: Option<Appended>,
    games: Option<Appended>,
}

impl Journal {
    /// Begins files, either of which may be absent.
    ///
    /// # Errors
    /// When one exists and is not to be overwritten, or cannot be written.
    pub fn create(
        results: Option<&Path>,
        games: Option<&Path>,
        header: &Header,
        overwrite: bool,
    ) -> Result<Journal, JournalError> {
        let open = |path: Option<&Path>| {
            path.map(|path| Appended::open(path, None, overwrite)).transpose()
        };
        let mut journal = Journal { games: open(games)?, results: open(results)? };
        if let Some(results) = &mut journal.results {
            results.append(&json_line(header))?;
        }
        Ok(journal)
    }

    /// Goes on with the files of a match whose results were read.
    ///
    /// # Errors
    /// When a file cannot be written, or the game file does not hold the games.
    pub fn resume(
        results: &Path,
        games: Option<&Path>,
        read: &Results,
    ) -> Result<Journal, JournalError> {
        let kept = read.games.last().map_or(Some(0), |line| line.pgn_bytes);
        let games = games
            .map(|path| {
                let kept = kept.ok_or_else(|| JournalError::Short(path.to_owned()))?;
                Appended::open(path, Some(kept), false)
            })
            .transpose()?;
        let results = Some(Appended::open(results, Some(read.length), false)?);
        Ok(Journal { results, games })
    }

    /// Appends a finished game, and notes in the line how long the game file is now.
    ///
    /// # Errors
    /// When either file cannot be written: then neither holds the game.
    pub fn append<G: Playable>(
        &mut self,
        line: &mut GameLine,
        game: &PgnGame<G>,
    ) -> Result<(), JournalError> {
        let before = self.games.as_ref().map(|games| games.length);
        if let Some(games) = &mut self.games {
            let mut text = Vec::new();
            // Writing to memory does not fail.
            let _ = pgn::write(game, &mut text);
            games.append(&text)?;
            line.pgn_bytes = Some(games.length);
        }
        if let Some(results) = &mut self.results
            && let Err(error) = results.append(&json_line(line))
        {
            if let (Some(games), Some(before)) = (&mut self.games, before) {
                games.cut(before);
            }
            return Err(error);
        }
        Ok(())
    }
}

fn json_line(value: &impl Serialize) -> Vec<u8> {
    // These types have nothing that JSON cannot say.
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}
