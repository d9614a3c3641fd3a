//! Retrograde analysis: the values of a material, from the ends of the game backward.
//!
//! First every position is entered by its moves, as the rules give them: those that end the game, leave the
//! King to be taken or change the material have a value at once, the others are counted. Then, ply by ply, every
//! position whose value is final tells its predecessors: a loss makes them wins, a win takes one from their count,
//! and who has none left has lost. A position from which a double step gives an en passant chance is looked
//! at by its moves after each ply instead: the chance has no place of its own.
//!
//! Each place takes three bytes while a material is worked out. `Tables::contradiction` shows that what came out
//! is right without knowing how.

use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU8, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use crate::rules::{Edition, Position};

use super::material::Material;
use super::table::{NOTHING, Table};
use super::tables::Tables;
use super::value::{Value, by_moves};

/// Places that are worked on together.
const CHUNK: usize = 1 << 12;

/// More moves than there are: a side with one that does not lose. (Four men have fewer than a hundred.)
const NEVER: u8 = u8::MAX;

/// Plies without a new value after which none can come: an en passant chance adds two.
const PATIENCE: u32 = 3;

/// Why a table was not made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GenerateError {
    /// It was told to stop.
    #[error("stopped; the same command goes on")]
    Stopped,
    /// A win takes longer than a table can hold.
    #[error("{0} has wins of more than {longest} plies, which a table cannot hold", longest = Value::LONGEST)]
    TooLong(Material),
    /// A table of fewer men or with a promoted pawn is missing.
    #[error("{0} needs the table of an ending that it leads to")]
    Missing(Material),
    /// There are no tables of chess.
    #[error("there are tables of the two Capture or Conquer editions only")]
    Chess,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// So many thousandths of the places are entered.
    Entering(u32),
    /// All values of so many plies are known.
    Ply(u8),
}

/// Works out one material.
pub struct Generator<'a> {
    tables: &'a Tables,
    material: Material,
    /// Final once the ply of that number has come; a win may come down until then.
    values: Vec<AtomicI8>,
    /// Moves within the material that are not known to lose.
    left: Vec<AtomicU8>,
    /// The longest loss by a move that needed no counting.
    bound: Vec<AtomicU8>,
    stop: &'a AtomicBool,
    missing: AtomicBool,
    too_long: AtomicBool,
}

impl<'a> Generator<'a> {
    /// Works out the table of a material, whose captures and promotions lead to `tables`. Uses rayon's current
    /// pool and gives up soon after `stop` is set. `tell` hears how far it is.
    ///
    /// # Errors
    /// When it was stopped, a table is missing, or a win is too long for the format.
    pub fn run(
        tables: &'a Tables,
        material: &Material,
        stop: &'a AtomicBool,
        tell: &(dyn Fn(Step) + Sync),
    ) -> Result<Table, GenerateError> {
        if tables.edition().has_draws() {
            return Err(GenerateError::Chess);
        }
        let places = material.places();
        let cells = || (0..places).map(|_| AtomicU8::new(0)).collect();
        let generator = Generator {
            tables,
            material: material.clone(),
            values: (0..places).map(|_| AtomicI8::new(0)).collect(),
            left: cells(),
            bound: cells(),
            stop,
            missing: AtomicBool::new(false),
            too_long: AtomicBool::new(false),
        };
        let by_hand = generator.enter_all(tell)?;
        generator.spread_all(&by_hand, tell)?;
        let values = generator.values.into_iter().map(AtomicI8::into_inner).collect();
        Ok(Table::new(tables.edition(), material.clone(), values))
    }

    fn edition(&self) -> Edition {
        self.tables.edition()
    }

    fn check(&self) -> Result<(), GenerateError> {
        if self.stop.load(Ordering::Relaxed) {
            Err(GenerateError::Stopped)
        } else if self.missing.load(Ordering::Relaxed) {
            Err(GenerateError::Missing(self.material.clone()))
        } else if self.too_long.load(Ordering::Relaxed) {
            Err(GenerateError::TooLong(self.material.clone()))
        } else {
            Ok(())
        }
    }

    /// All places in chunks, on all threads; the rest is left out after a stop.
    fn chunks(&self) -> impl ParallelIterator<Item = std::ops::Range<usize>> {
        let places = self.values.len();
        (0..places.div_ceil(CHUNK))
            .into_par_iter()
            .filter(|_| !self.stop.load(Ordering::Relaxed))
            .map(move |chunk| chunk * CHUNK..((chunk + 1) * CHUNK).min(places))
    }

    /// Enters every position; gives the places of those that must be looked at by their moves.
    fn enter_all(&self, tell: &(dyn Fn(Step) + Sync)) -> Result<Vec<usize>, GenerateError> {
        let done = std::sync::atomic::AtomicUsize::new(0);
        let by_hand = self
            .chunks()
            .flat_map_iter(|chunk| {
                let done = done.fetch_add(chunk.len(), Ordering::Relaxed);
                tell(Step::Entering((done * 1000 / self.values.len()) as u32));
                chunk.filter(|&place| self.enter(place))
            })
            .collect();
        self.check().map(|()| by_hand)
    }

    /// Enters the position at a place by its moves. Whether it must be looked at by hand.
    fn enter(&self, place: usize) -> bool {
        let position = self.material.position(self.edition(), place);
        let Some(position) = position.filter(|position| position.outcome().is_none()) else {
            self.set(place, NOTHING, NEVER, 0);
            return false;
        };
        if position.winning_move().is_some() {
            self.set(place, 1, NEVER, 0);
            return false;
        }
        let ended = |end| Value::of_end(end, !position.side_to_move());
        let (mut left, mut bound, mut win) = (0u8, 0, None::<u8>);
        let (mut open, mut by_hand) = (false, false);
        for m in position.moves() {
            let next = position.play(m);
            let value = if let Some(end) = next.finished() {
                ended(end)
            } else if next.winning_move().is_some() {
                Value::Win(1)
            } else if let Some(end) = next.outcome() {
                ended(end)
            } else if position.is_capture(m) || m.promotion().is_some() {
                self.tables.probe(&next).unwrap_or_else(|| {
                    self.missing.store(true, Ordering::Relaxed);
                    Value::Unresolved
                })
            } else {
                by_hand |= next.en_passant().is_some();
                left += 1;
                continue;
            };
            match value {
                Value::Loss(plies) => win = Some(win.map_or(plies, |best| best.min(plies))),
                Value::Win(plies) => bound = bound.max(plies + 1),
                Value::Unresolved => open = true,
            }
        }
        let value = match win {
            Some(plies) => self.plies(plies + 1),
            None if left == 0 && !open => -self.plies(bound),
            None => 0,
        };
        let settled = value != 0 || open || by_hand;
        self.set(place, value, if settled { NEVER } else { left }, bound);
        by_hand
    }

    fn set(&self, place: usize, value: i8, left: u8, bound: u8) {
        self.values[place].store(value, Ordering::Relaxed);
        self.left[place].store(left, Ordering::Relaxed);
        self.bound[place].store(bound, Ordering::Relaxed);
    }

    /// A number of plies as it is kept.
    fn plies(&self, plies: u8) -> i8 {
        if plies > Value::LONGEST {
            self.too_long.store(true, Ordering::Relaxed);
        }
        plies.min(Value::LONGEST) as i8
    }

    /// Ply by ply, lets the final values tell their predecessors.
    fn spread_all(
        &self,
        by_hand: &[usize],
        tell: &(dyn Fn(Step) + Sync),
    ) -> Result<(), GenerateError> {
        let mut idle = 0;
        for ply in 1..=Value::LONGEST {
            let (now, later) = self
                .chunks()
                .map(|chunk| {
                    let (mut now, mut later) = (false, false);
                    for place in chunk {
                        let value = self.values[place].load(Ordering::Relaxed);
                        let plies = value.unsigned_abs();
                        if plies == ply {
                            now = true;
                            self.spread(place, value);
                        }
                        later |= plies > ply && value != NOTHING;
                    }
                    (now, later)
                })
                .reduce(|| (false, false), |a, b| (a.0 | b.0, a.1 | b.1));
            by_hand.par_iter().for_each(|&place| self.look_by_hand(place, ply));
            self.check()?;
            tell(Step::Ply(ply));
            idle = if now || later { 0 } else { idle + 1 };
            if idle >= PATIENCE {
                return Ok(());
            }
        }
        Err(GenerateError::TooLong(self.material.clone()))
    }

    /// The value at a place is final: its predecessors hear of it.
    fn spread(&self, place: usize, value: i8) {
        let Some(position) = self.material.position(self.edition(), place) else { return };
        // Who left this to his enemy has counted it already.
        if value == 1 && position.winning_move().is_some() {
            return;
        }
        let next = self.plies(value.unsigned_abs().saturating_add(1));
        position.for_each_predecessor(|earlier| {
            let at = self.material.place(earlier, false);
            if value < 0 {
                let known = self.values[at].load(Ordering::Relaxed);
                // All who find a win of this ply write the same.
                if known == 0 || known > next {
                    self.values[at].store(next, Ordering::Relaxed);
                }
            } else if self.left[at].fetch_sub(1, Ordering::Relaxed) == 1 {
                let bound = self.bound[at].load(Ordering::Relaxed);
                self.values[at].store(-next.max(self.plies(bound)), Ordering::Relaxed);
            }
        });
    }

    /// Looks whether a position's value follows from values of at most `ply` plies.
    fn look_by_hand(&self, place: usize, ply: u8) {
        let known = self.values[place].load(Ordering::Relaxed);
        if known != 0 && known.unsigned_abs() <= ply + 1 {
            return;
        }
        let Some(position) = self.material.position(self.edition(), place) else { return };
        let value = by_moves(&position, |next| self.so_far(next, ply));
        if let Some(value) = value
            && value.plies() == Some(ply + 1)
        {
            let next = self.plies(ply + 1);
            let number = if matches!(value, Value::Win(_)) { next } else { -next };
            self.values[place].store(number, Ordering::Relaxed);
        }
    }

    /// What is known of a position after values of `ply` plies are final.
    fn so_far(&self, position: &Position, ply: u8) -> Option<Value> {
        if position.en_passant().is_some() {
            return by_moves(position, |next| self.so_far(next, ply));
        }
        let found = Material::of(position)?;
        if found.material != self.material {
            return self.tables.probe(position);
        }
        let number =
            self.values[self.material.place(position, found.swapped)].load(Ordering::Relaxed);
        Some(if number.unsigned_abs() <= ply {
            Value::from_number(number)
        } else {
            Value::Unresolved
        })
    }
}
