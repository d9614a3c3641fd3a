//! Sums over a file of games.

use std::collections::BTreeMap;
use std::fmt;

use crate::board::Color;
use crate::rules::notation::{Letters, Style, write_move};

use super::positions::samples;
use super::record::Game;

/// What is counted.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    games: u64,
    /// Games won by White, won by Black, drawn.
    results: [u64; 3],
    endings: BTreeMap<String, u64>,
    positions: u64,
    kept: u64,
    lengths: Vec<u32>,
    /// By the first searched or random move of the game: how often, and how often White won.
    first_moves: BTreeMap<String, (u64, u64)>,
    bytes: u64,
}

impl Stats {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        let place = match game.winner {
            Some(Color::White) => 0,
            Some(Color::Black) => 1,
            None => 2,
        };
        self.results[place] += 1;
        let ending = game.reason.map_or("a proven win".to_owned(), |reason| reason.to_string());
        *self.endings.entry(ending).or_default() += 1;
        self.positions += game.moves.len() as u64;
        self.kept += samples(game).count() as u64;
        self.lengths.push((game.opening.len() + game.moves.len()) as u32);
        let first = game.opening.first().copied().or(game.moves.first().map(|&(m, _)| m));
        if let Some(m) = first.filter(|&m| game.start.is_legal(m)) {
            let text = write_move(&game.start, m, Style::San, Letters::English);
            let entry = self.first_moves.entry(text).or_default();
            entry.0 += 1;
            entry.1 += u64::from(place == 0);
        }
        self.bytes += game.to_bytes().map_or(0, |bytes| bytes.len() as u64 + 8);
    }

    /// Positions fit to learn from.
    pub const fn kept(&self) -> u64 {
        self.kept
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let [white, black, drawn] = self.results;
        writeln!(f, "games       {}", self.games)?;
        writeln!(
            f,
            "results     {white} won by White ({:.1} %), {black} by Black, {drawn} drawn",
            share(white, self.games)
        )?;
        let mut endings: Vec<_> = self.endings.iter().collect();
        endings.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        let endings: Vec<String> = endings
            .iter()
            .map(|(name, n)| format!("{name} {:.1} %", share(**n, self.games)))
            .collect();
        writeln!(f, "ended by    {}", endings.join(", "))?;
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let at = |share: f64| lengths.get((share * lengths.len() as f64) as usize).unwrap_or(&0);
        writeln!(
            f,
            "plies       median {}, a tenth under {}, a tenth over {}",
            at(0.5),
            at(0.1),
            at(0.9)
        )?;
        writeln!(
            f,
            "positions   {} searched, {} ({:.1} %) fit to learn from",
            self.positions,
            self.kept,
            share(self.kept, self.positions)
        )?;
        let bytes = self.bytes as f64 / self.positions.max(1) as f64;
        writeln!(f, "size        {bytes:.1} bytes a searched move")?;
        let mut first: Vec<_> = self.first_moves.iter().collect();
        first.sort_by_key(|&(_, (n, _))| std::cmp::Reverse(*n));
        writeln!(f, "first move  games, White won")?;
        for (text, (n, won)) in first {
            writeln!(f, "  {text:<9} {n:>6} {:>6.1} %", share(*won, *n))?;
        }
        Ok(())
    }
}
