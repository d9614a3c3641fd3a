//! Where games start: a file of openings (EPD or PGN), or random moves that leave the game balanced.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::games::{AnyGame, Playable, SetupError, Variant};
use crate::search::{Engine, Limits, Settings, Task};

use super::pgn;

/// Why there is no opening.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{}: {cause}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file is no text.
    #[error("{}: this is {what}, not text; unpack it first", .path.display())]
    Binary {
        /// The file.
        path: PathBuf,
        /// What it looks like.
        what: &'static str,
    },
    /// A line or a game of it is wrong.
    #[error("{}: {what}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What, and where.
        what: String,
    },
    /// There is no start position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// No balanced game was found.
    #[error("no balanced opening of {0} random plies among {ATTEMPTS} tries")]
    Unbalanced(usize),
}

/// In which order a file's openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The file's.
    Sequential,
    /// Shuffled by the seed.
    #[default]
    Random,
}

/// A source of openings. The same number gives the same opening, in every run and every shard.
pub enum Openings {
    /// Those of a file, at least one, used again from the first when all were used.
    Listed(Vec<AnyGame>),
    /// Random ones.
    Random(RandomOpenings),
}

impl Openings {
    /// The opening of this number.
    ///
    /// # Errors
    /// When no balanced one is found.
    pub fn get(&mut self, number: u64) -> Result<AnyGame, OpeningError> {
        match self {
            Openings::Listed(games) => Ok(games[(number % games.len() as u64) as usize].clone()),
            Openings::Random(random) => random.get(number),
        }
    }

    /// Reads a file: PGN by its name or its first character, else EPD or FEN, one a line.
    ///
    /// # Errors
    /// When it cannot be read, is no text, or holds a position or a game that is wrong or over.
    pub fn read(
        path: &Path,
        variant: Variant,
        plies: Option<usize>,
        order: Order,
        seed: u64,
    ) -> Result<Openings, OpeningError> {
        let io = |cause| OpeningError::Io { path: path.to_owned(), cause };
        let mut bytes = Vec::new();
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(io)?;
        let binary = match bytes.as_slice() {
            [0x1f, 0x8b, ..] => Some("gzip"),
            [b'P', b'K', 3, 4, ..] => Some("a zip archive"),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("zstd"),
            _ => bytes.contains(&0).then_some("a binary file"),
        };
        if let Some(what) = binary {
            return Err(OpeningError::Binary { path: path.to_owned(), what });
        }
        let is_pgn = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("pgn"))
            || String::from_utf8_lossy(&bytes).trim_start().starts_with('[');
        let content = |what: String| OpeningError::Content { path: path.to_owned(), what };
        let mut games = if is_pgn { read_pgn(&bytes, variant) } else { read_epd(&bytes, variant) }
            .map_err(content)?;
        for (number, game) in (1..).zip(&mut games) {
            if let Some(plies) = plies {
                *game = game.until(plies);
            }
            if game.outcome().is_some() {
                return Err(content(format!("opening {number} is a game that is over")));
            }
        }
        if games.is_empty() {
            return Err(content("no openings in it".into()));
        }
        if order == Order::Random {
            let mut random = Random::new(seed);
            for last in (1..games.len()).rev() {
                games.swap(last, random.below(last + 1));
            }
        }
        Ok(Openings::Listed(games))
    }
}

fn read_pgn(bytes: &[u8], variant: Variant) -> Result<Vec<AnyGame>, String> {
    pgn::Reader::of_any(BufReader::new(Cursor::new(bytes)), variant)
        .map(|game| match game {
            Ok(game) if game.record.variant() == variant => Ok(game.record),
            Ok(game) => Err(match game.record.variant() {
                Variant::Chess(edition) => format!("a game of the edition {edition}"),
                Variant::Board(game) => format!("a game of {}", game.name()),
            }),
            Err(error) => Err(error.to_string()),
        })
        .collect()
}

fn read_epd(bytes: &[u8], variant: Variant) -> Result<Vec<AnyGame>, String> {
    let text = String::from_utf8_lossy(bytes);
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .map(|(number, line)| {
            // A board game has no EPD: the line is a FEN.
            let fen = variant.edition().map_or_else(|| line.to_owned(), |_| fen_of_epd(line));
            AnyGame::begin(variant, Some(&fen)).map_err(|error| format!("line {number}: {error}"))
        })
        .collect()
}

/// The FEN of an EPD line: its four fields and the counters `hmvc` and `fmvn` of its operations. A
/// line with six fields is a FEN already.
fn fen_of_epd(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (fields, operations) = words.split_at(words.len().min(4));
    let is_number = |word: Option<&&str>| word.is_some_and(|word| word.parse::<u32>().is_ok());
    if is_number(operations.first()) && is_number(operations.get(1)) {
        return words.get(..6).unwrap_or(&words).join(" ");
    }
    let operations = operations.join(" ");
    let counter = |name: &str, default: &str| {
        let found = operations.split(';').find_map(|operation| {
            let mut words = operation.split_whitespace();
            (words.next() == Some(name)).then(|| words.next().map(str::to_owned)).flatten()
        });
        found.unwrap_or_else(|| default.to_owned())
    };
    format!("{} {} {}", fields.join(" "), counter("hmvc", "0"), counter("fmvn", "1"))
}

/// So many random games are tried for one opening.
const ATTEMPTS: u64 = 500;
/// Positions searched to see whether an opening is balanced.
const NODES: u64 = 4_000;

/// Random openings in which nobody wins with the next move and which a short search finds balanced.
pub struct RandomOpenings {
    variant: Variant,
    plies: usize,
    limit: i32,
    seed: u64,
    engine: Engine,
}

impl RandomOpenings {
    /// Openings of `plies` plies, whose score is at most `limit` centipawns (of board games: hundredths
    /// of a man) for either side.
    pub fn new(variant: Variant, plies: usize, limit: i32, seed: u64) -> RandomOpenings {
        let settings = Settings { threads: 1, hash_mb: 1, ..Settings::default() };
        RandomOpenings { variant, plies, limit, seed, engine: Engine::new(settings) }
    }

    fn get(&mut self, number: u64) -> Result<AnyGame, OpeningError> {
        let start = AnyGame::begin(self.variant, None)?;
        if self.plies == 0 {
            return Ok(start);
        }
        // Each opening has random numbers of its own, so that none depends on another.
        let mut random = Random::new(Random::new(self.seed ^ Random::new(number).next()).next());
        for _ in 0..ATTEMPTS {
            if let Some(game) = self.random_game(&start, &mut random)
                && self.is_balanced(&game)
            {
                return Ok(game);
            }
        }
        Err(OpeningError::Unbalanced(self.plies))
    }

    /// A random game, if it is not over and nobody wins at once.
    fn random_game(&self, start: &AnyGame, random: &mut Random) -> Option<AnyGame> {
        let mut game = start.clone();
        for _ in 0..self.plies {
            let moves = game.legal();
            game.advance(moves.get(random.below(moves.len().max(1)))?).ok()?;
        }
        let open = game.outcome().is_none() && !game.wins_at_once();
        open.then_some(game)
    }

    fn is_balanced(&mut self, game: &AnyGame) -> bool {
        self.engine.clear();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let score = self.engine.think_task(game.clone(), limits).info.map(|info| info.score);
        score.and_then(|score| score.cp()).is_some_and(|cp| cp.abs() <= self.limit)
    }
}

/// Random numbers that are the same everywhere: `SplitMix64` (Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_epd_lines() {
        let board = "4k3/8/8/8/8/8/8/4K2R w - -";
        for (line, counters) in [
            (format!("{board} hmvc 4; fmvn 7;"), "4 7"),
            (format!("{board} id \"x\"; fmvn 9;"), "0 9"),
            (board.to_owned(), "0 1"),
            (format!("{board} 3 12"), "3 12"),
            (format!("{board} bm Rh8;"), "0 1"),
        ] {
            assert_eq!(fen_of_epd(&line), format!("{board} {counters}"), "{line}");
        }
    }

    #[test]
    fn random_openings_are_balanced_and_the_same_again() {
        for variant in Variant::all() {
            let mut openings = RandomOpenings::new(variant, 8, 150, 7);
            let games: Vec<AnyGame> =
                (0..8).map(|number| openings.get(number).expect("an opening")).collect();
            for game in &games {
                assert_eq!(game.plies(), 8);
                assert!(game.outcome().is_none() && !game.wins_at_once());
            }
            // Alone and in another order: the same.
            let mut again = RandomOpenings::new(variant, 8, 150, 7);
            assert_eq!(again.get(5).expect("an opening").played(), games[5].played());
            let mut other = RandomOpenings::new(variant, 8, 150, 8);
            assert_ne!(other.get(5).expect("an opening").played(), games[5].played());
        }
    }

    /// The first numbers of the published generator for the seed 1234567.
    #[test]
    fn splitmix64_as_published() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(random.next(), 9_817_491_932_198_370_423);
    }
}
