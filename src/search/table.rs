//! The transposition table: what the search knows of positions it has met, shared by all threads.
//!
//! Without locks and without unsafe code: an entry is two atomic words, the data and the key xor the
//! data (Robert Hyatt's "lockless hashing"). Two threads that write at once leave a pair that fits no
//! key and so reads as a miss. Invariants: an entry's score is counted from its own position, not from
//! the root; scores that hang on the path to the position never come in here.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::score::{Bound, is_proven};

/// Entries that share a place: 64 bytes, a cache line.
const WAYS: usize = 4;

/// Searches are told apart by this many generations.
const GENERATIONS: u8 = 32;

type Entry = [AtomicU64; 2];

/// A table of fixed size.
pub struct Table {
    entries: Box<[Entry]>,
    /// Entries at the beginning that are left out so that the first place begins a cache line.
    skipped: usize,
    places: u64,
    generation: AtomicU8,
}

/// What an entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// A hint of the best move, or of the one that was good enough: what it means is its search's affair. 0: none.
    pub best: u16,
    /// Counted from the root of the asking search.
    pub score: i32,
    /// The static evaluation, if it was worked out.
    pub eval: Option<i32>,
    /// Remaining depth of the search that wrote the entry; 0 is quiescence.
    pub depth: i32,
    /// What `score` is to the value.
    pub bound: Bound,
    /// Whether the position was on the principal variation.
    pub was_pv: bool,
}

impl Hit {
    /// Whether the score settles a search with this window, if the entry is deep enough.
    #[inline]
    pub fn cuts(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

const NO_EVAL: i16 = i16::MIN;

/// Bit positions in an entry's data: hint of the move 0–15, score 16–31, evaluation 32–47, depth 48–55,
/// generation 56–60, principal variation 61, bound 62–63 (never 0, so that data are never 0).
fn pack(hit: &Hit, generation: u8) -> u64 {
    let eval = hit.eval.map_or(NO_EVAL, |eval| eval as i16);
    let bound = match hit.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(hit.best)
        | u64::from(hit.score as i16 as u16) << 16
        | u64::from(eval as u16) << 32
        | u64::from(hit.depth.clamp(0, 255) as u8) << 48
        | u64::from(generation) << 56
        | u64::from(hit.was_pv) << 61
        | bound << 62
}

fn unpack(data: u64) -> Option<Hit> {
    let bound = match data >> 62 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let eval = (data >> 32) as i16;
    Some(Hit {
        best: data as u16,
        score: i32::from((data >> 16) as i16),
        eval: (eval != NO_EVAL).then_some(i32::from(eval)),
        depth: depth_of(data),
        bound,
        was_pv: data >> 61 & 1 != 0,
    })
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

/// A proven score counts plies from the root; in the table it counts them from the position.
fn from_root(score: i32, ply: usize) -> i32 {
    if is_proven(score) { score + score.signum() * ply as i32 } else { score }
}

fn to_root(score: i32, ply: usize) -> i32 {
    if is_proven(score) { score - score.signum() * ply as i32 } else { score }
}

impl Table {
    /// An empty table of about `mebibytes` (at least 1), or of the half, the quarter and so on when
    /// there is no room for so much; memory is taken as it is written to.
    pub fn new(mebibytes: usize) -> Table {
        let mut mebibytes = mebibytes.max(1);
        let entries: Box<[Entry]> = loop {
            let bytes = mebibytes.saturating_mul(1 << 20);
            match bytemuck::try_zeroed_slice_box(bytes / size_of::<Entry>()) {
                Ok(entries) => break entries,
                Err(()) => {
                    log::warn!("no room for a table of {mebibytes} MiB");
                    assert!(mebibytes > 1, "no room for the smallest table");
                    mebibytes /= 2;
                }
            }
        };
        let misaligned = entries.as_ptr().addr() % (WAYS * size_of::<Entry>());
        let skipped = (WAYS - misaligned / size_of::<Entry>()) % WAYS;
        // One fewer than there is room for at best, so that where the memory lies changes no search.
        let places = (entries.len() / WAYS - 1) as u64;
        Table { entries, skipped, places, generation: AtomicU8::new(0) }
    }

    /// Its size in MiB.
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.entries) >> 20
    }

    /// Says that a new search begins: what earlier ones wrote is replaced first.
    pub fn new_search(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    #[inline]
    fn place(&self, key: u64) -> &[Entry] {
        // Multiply and shift maps the key onto any number of places without a division.
        let place = ((u128::from(key) * u128::from(self.places)) >> 64) as usize;
        let first = self.skipped + place * WAYS;
        &self.entries[first..first + WAYS]
    }

    /// Begins to fetch the place of a key, to have it at hand when it is asked for.
    #[inline]
    pub fn touch(&self, key: u64) {
        std::hint::black_box(self.place(key)[0][0].load(Relaxed));
    }

    /// What is known of the position with this key, `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Hit> {
        for entry in self.place(key) {
            let data = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ data == key
                && let Some(mut hit) = unpack(data)
            {
                hit.score = to_root(hit.score, ply);
                return Some(hit);
            }
        }
        None
    }

    /// Writes what a search `ply` plies from the root has found. A deeper entry of the same position is
    /// kept, unless the new one is exact or the old one comes from an earlier search.
    pub fn store(&self, key: u64, ply: usize, mut hit: Hit) {
        let generation = self.generation.load(Relaxed);
        let age = |data: u64| {
            let written = (data >> 56) as u8 % GENERATIONS;
            i32::from((GENERATIONS + generation - written) % GENERATIONS)
        };
        hit.score = from_root(hit.score, ply);
        let mut slot = None;
        let mut least = i32::MAX;
        for entry in self.place(key) {
            let data = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ data == key && data != 0 {
                if hit.bound != Bound::Exact && hit.depth + 3 < depth_of(data) && age(data) == 0 {
                    return;
                }
                if hit.best == 0 {
                    hit.best = data as u16;
                }
                slot = Some(entry);
                break;
            }
            let worth = if data == 0 { i32::MIN } else { depth_of(data) - 4 * age(data) };
            if worth < least {
                least = worth;
                slot = Some(entry);
            }
        }
        if let Some(entry) = slot {
            let data = pack(&hit, generation);
            entry[0].store(key ^ data, Relaxed);
            entry[1].store(data, Relaxed);
        }
    }

    /// How much of the table this search has filled, in permille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.entries[self.skipped..][..1000];
        let current = |entry: &&Entry| {
            let data = entry[1].load(Relaxed);
            data != 0 && (data >> 56) as u8 % GENERATIONS == generation
        };
        sample.iter().filter(current).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::splitmix;
    use crate::search::score::{loss_in, win_in};

    fn hit(score: i32, depth: i32, bound: Bound) -> Hit {
        Hit { best: 0x31c, score, eval: Some(-77), depth, bound, was_pv: true }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = Table::new(1);
        for (i, bound) in [Bound::Exact, Bound::Lower, Bound::Upper].into_iter().enumerate() {
            for score in [0, -1, 345, -20_000, 28_000] {
                let key = splitmix(i as u64 ^ (score as u64) << 3);
                let stored = Hit { eval: None, was_pv: false, ..hit(score, 37, bound) };
                assert_eq!(table.probe(key, 5), None);
                table.store(key, 9, stored);
                assert_eq!(table.probe(key, 5), Some(stored));
            }
        }
    }

    /// A win five plies below a position is that, wherever the position is met.
    #[test]
    fn proven_scores_are_counted_from_the_position() {
        let table = Table::new(1);
        table.store(11, 4, hit(win_in(9), 3, Bound::Exact));
        assert_eq!(table.probe(11, 0).map(|h| h.score), Some(win_in(5)));
        assert_eq!(table.probe(11, 10).map(|h| h.score), Some(win_in(15)));
        table.store(12, 4, hit(loss_in(10), 3, Bound::Exact));
        assert_eq!(table.probe(12, 1).map(|h| h.score), Some(loss_in(7)));
    }

    /// Any size works, each place is reachable and no index leaves the table.
    #[test]
    fn odd_sizes() {
        for mebibytes in [1, 3, 5, 7] {
            let table = Table::new(mebibytes);
            for key in [0, 1, u64::MAX, u64::MAX / 3, 1 << 63] {
                table.store(key, 0, hit(1, 1, Bound::Exact));
                assert_eq!(table.probe(key, 0).map(|h| h.score), Some(1), "key {key}");
            }
            let used = (table.places as usize * WAYS + table.skipped) * 16;
            assert!(used <= mebibytes << 20 && used + 128 > mebibytes << 20);
        }
        assert_eq!(Table::new(0).entries.len(), 65_536);
    }

    #[test]
    fn a_half_written_entry_is_a_miss() {
        let table = Table::new(1);
        table.store(77, 0, hit(1, 1, Bound::Exact));
        let entry = table.place(77).iter().find(|e| e[1].load(Relaxed) != 0).expect("stored");
        entry[1].fetch_xor(1 << 20, Relaxed);
        assert_eq!(table.probe(77, 0), None);
    }

    #[test]
    fn deeper_and_younger_entries_stay() {
        let table = Table::new(1);
        table.store(5, 0, hit(1, 20, Bound::Lower));
        table.store(5, 0, hit(2, 3, Bound::Lower));
        assert_eq!(table.probe(5, 0).map(|h| h.score), Some(1));
        table.store(5, 0, hit(3, 3, Bound::Exact));
        assert_eq!(table.probe(5, 0).map(|h| h.score), Some(3));
        table.store(5, 0, hit(4, 20, Bound::Lower));
        table.new_search();
        table.store(5, 0, hit(5, 1, Bound::Lower));
        assert_eq!(table.probe(5, 0).map(|h| h.score), Some(5));
        // Five positions for four ways: the old shallow one goes.
        for key in 6..=9 {
            table.store(key, 0, hit(0, 9, Bound::Lower));
        }
        assert_eq!(table.probe(5, 0), None);
        assert!((6..=9).all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn hashfull_counts_this_search_only() {
        let table = Table::new(1);
        assert_eq!(table.hashfull(), 0);
        for i in 0..200_000 {
            table.store(splitmix(i), 0, hit(0, 1, Bound::Exact));
        }
        assert!(table.hashfull() > 900);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }
}
