//! Who plays whom, when, from which opening: a function of the settings alone, so that a match can be
//! resumed, or split over machines, and still be the same match.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
}

/// A numbered part of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1.
    pub number: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// The whole match.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };
}

/// A text that names no shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no shard: write NUMBER/COUNT, as in 3/16")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let parse = || {
            let (number, count) = text.split_once('/')?;
            Some(Shard { number: number.parse().ok()?, count: count.parse().ok()? })
        };
        parse()
            .filter(|shard| (1..=shard.count).contains(&shard.number))
            .ok_or_else(|| ShardError(text.chars().take(20).collect()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// The games of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How many engines.
    pub engines: usize,
    /// Who plays whom.
    pub mode: Mode,
    /// Pairs of games between each two engines that meet; the games of a pair have the same opening
    /// and the colours changed.
    pub pairs: u64,
    /// How many pairs in a row have the same opening, at least 1.
    pub repeat: u64,
    /// The part of the match that is played.
    pub shard: Shard,
}

/// One game of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its number in the whole match, from 0.
    pub game: u64,
    /// The number of its opening.
    pub opening: u64,
    /// The engine that has White.
    pub white: usize,
    /// The engine that has Black.
    pub black: usize,
}

impl Job {
    /// The number, from 0, of the pair of games to which it belongs.
    pub const fn pair(&self) -> u64 {
        self.game / 2
    }
}

impl Schedule {
    /// Which engines meet, the first of each two being the one whose score is told.
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        let firsts = match self.mode {
            Mode::RoundRobin => self.engines,
            Mode::Gauntlet => self.engines.min(1),
        };
        (0..firsts).flat_map(|a| (a + 1..self.engines).map(move |b| (a, b))).collect()
    }

    /// The games of this shard, in the order in which they are begun. Shards share out pairs.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + Send + use<> {
        let encounters = self.encounters();
        let Schedule { pairs, repeat, shard, .. } = *self;
        let all = pairs * encounters.len() as u64;
        let ours = (0..all).filter(move |pair| pair % shard.count == shard.number - 1);
        ours.flat_map(move |pair| {
            let (a, b) = encounters[(pair % encounters.len() as u64) as usize];
            let opening = pair / encounters.len() as u64 / repeat;
            [(a, b), (b, a)].into_iter().zip(0..).map(move |((white, black), second)| Job {
                game: pair * 2 + second,
                opening,
                white,
                black,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(engines: usize, mode: Mode, pairs: u64) -> Schedule {
        Schedule { engines, mode, pairs, repeat: 1, shard: Shard::WHOLE }
    }

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let jobs: Vec<Job> = schedule(2, Mode::RoundRobin, 3).jobs().collect();
        let told: Vec<_> = jobs.iter().map(|j| (j.game, j.opening, j.white, j.black)).collect();
        let expected =
            [(0, 0, 0, 1), (1, 0, 1, 0), (2, 1, 0, 1), (3, 1, 1, 0), (4, 2, 0, 1), (5, 2, 1, 0)];
        assert_eq!(told, expected);
    }

    #[test]
    fn all_meet_or_the_first_meets_all() {
        assert_eq!(schedule(3, Mode::RoundRobin, 1).encounters(), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(schedule(4, Mode::Gauntlet, 1).encounters(), [(0, 1), (0, 2), (0, 3)]);
        let jobs: Vec<Job> = schedule(3, Mode::RoundRobin, 2).jobs().collect();
        assert_eq!(jobs.len(), 12);
        assert!(jobs.iter().all(|job| job.opening == job.game / 6));
    }

    #[test]
    fn shards_are_the_whole_match_and_no_pair_is_split() {
        let whole = schedule(3, Mode::RoundRobin, 7);
        let mut parts: Vec<Job> = (1..=4)
            .flat_map(|number| Schedule { shard: Shard { number, count: 4 }, ..whole }.jobs())
            .collect();
        parts.sort_by_key(|job| job.game);
        assert_eq!(parts, whole.jobs().collect::<Vec<_>>());
        let first = Schedule { shard: Shard { number: 1, count: 4 }, ..whole };
        assert!(first.jobs().all(|job| job.pair() % 4 == 0));
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("3/16".parse(), Ok(Shard { number: 3, count: 16 }));
        for text in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
