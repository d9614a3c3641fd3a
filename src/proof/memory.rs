//! What a proof remembers: a table of fixed size.
//!
//! An entry says for a position (with the part of its past that matters, see `solver`) within how many
//! plies the attacker wins for certain, and within how many certainly not. Overwriting an entry
//! loses work and nothing else. Ninety-six bits tell positions apart.

use crate::rules::Move;

/// Entries that share a place.
const WAYS: usize = 4;

/// Names a position and what matters of its past.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    /// Sixty-four bits, which choose the place too.
    pub main: u64,
    /// Thirty-two more, worked out in another way.
    pub check: u32,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    main: u64,
    check: u32,
    /// The attacker wins within so many plies; 0 if that is not known of any number.
    wins_in: u8,
    /// The attacker does not win within so many plies.
    holds_for: u8,
    /// The move that settled it, or 0.
    best: u16,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Known {
    /// Whether the attacker wins within the plies that were asked for.
    pub answer: Option<bool>,
    /// A move to try first; it may not be legal.
    pub best: Option<Move>,
}

/// The table.
pub(super) struct Memory {
    entries: Vec<[Entry; WAYS]>,
}

impl Memory {
    /// An empty table of about so many MiB, at least one.
    pub fn new(mebibytes: usize) -> Memory {
        let places = (mebibytes.max(1) << 20) / size_of::<[Entry; WAYS]>();
        Memory { entries: vec![[Entry::default(); WAYS]; places] }
    }

    fn place(&self, key: Key) -> usize {
        ((u128::from(key.main) * self.entries.len() as u128) >> 64) as usize
    }

    /// What is known about a win within `plies`.
    pub fn probe(&self, key: Key, plies: u32) -> Known {
        let place = &self.entries[self.place(key)];
        let same = |e: &&Entry| e.main == key.main && e.check == key.check;
        let Some(entry) = place.iter().find(same) else { return Known::default() };
        let answer = if entry.wins_in > 0 && u32::from(entry.wins_in) <= plies {
            Some(true)
        } else if u32::from(entry.holds_for) >= plies {
            Some(false)
        } else {
            None
        };
        Known { answer, best: Move::from_bits(entry.best) }
    }

    /// Remembers whether the attacker wins within `plies`, and the move that showed it. An entry that
    /// took less work goes for it.
    pub fn store(&mut self, key: Key, plies: u32, wins: bool, best: Option<Move>) {
        let index = self.place(key);
        let place = &mut self.entries[index];
        let work = |e: &Entry| e.wins_in.max(e.holds_for);
        let same = place.iter().position(|e| e.main == key.main && e.check == key.check);
        let slot = same.unwrap_or_else(|| {
            let least = (0..WAYS).min_by_key(|&i| work(&place[i])).unwrap_or(0);
            place[least] = Entry { main: key.main, check: key.check, ..Entry::default() };
            least
        });
        let entry = &mut place[slot];
        let plies = plies.min(u32::from(u8::MAX)) as u8;
        if wins {
            entry.wins_in = if entry.wins_in == 0 { plies } else { entry.wins_in.min(plies) };
        } else {
            entry.holds_for = entry.holds_for.max(plies);
        }
        if let Some(best) = best {
            entry.best = best.bits();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_holds_for_more_plies_and_its_absence_for_fewer() {
        let mut memory = Memory::new(1);
        let key = Key { main: 77, check: 5 };
        assert_eq!(memory.probe(key, 3), Known::default());
        memory.store(key, 4, false, None);
        memory.store(key, 7, true, Move::from_bits(0x31c));
        let answer = |plies| memory.probe(key, plies).answer;
        assert_eq!([3, 4, 5, 6, 7, 8].map(answer), {
            [Some(false), Some(false), None, None, Some(true), Some(true)]
        });
        assert_eq!(memory.probe(Key { check: 6, ..key }, 7), Known::default());
    }

    #[test]
    fn the_entry_of_least_work_goes() {
        let mut memory = Memory::new(1);
        let key = |check| Key { main: 1, check };
        for (check, plies) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            memory.store(key(check), plies, false, None);
        }
        assert_eq!(memory.probe(key(2), 1), Known::default());
        assert!([1, 3, 4, 5].iter().all(|&c| memory.probe(key(c), 1).answer == Some(false)));
    }
}
