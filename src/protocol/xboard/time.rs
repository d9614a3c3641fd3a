//! The engine's time, as XBoard tells it: a clock or a time for each move, and limits beside it.

use std::time::Duration;

use crate::search::{Clock, Limits};

/// Moves that the rest of a game is thought to take where positions are counted instead of time.
const MOVES_EXPECTED: u32 = 30;

/// How long a move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Control {
    /// `level`.
    Clock { moves: u32, base: Duration, increment: Duration },
    /// `st`.
    Move(Duration),
}

/// The time control and what is left of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timing {
    control: Option<Control>,
    /// What is left on the engine's clock.
    remaining: Duration,
    /// `sd`: plies at most.
    pub depth: Option<u32>,
    /// `nps`: positions that count as a second.
    pub node_rate: Option<u64>,
}

/// XBoard's own default, for clients that say nothing: forty moves in five minutes.
const DEFAULT: Control =
    Control::Clock { moves: 40, base: Duration::from_secs(300), increment: Duration::ZERO };

impl Timing {
    /// `level`: from here on a clock counts, and no time for each move.
    pub fn level(&mut self, moves: u32, base: Duration, increment: Duration) {
        self.control = Some(Control::Clock { moves, base, increment });
        self.remaining = base;
    }

    /// `st`: from here on a time for each move counts, and no clock.
    pub fn move_time(&mut self, time: Duration) {
        self.control = Some(Control::Move(time));
    }

    /// `time`.
    pub fn set_remaining(&mut self, remaining: Duration) {
        self.remaining = remaining;
    }

    /// `new`: the clock is full again, limits beside it are gone.
    pub fn reset(&mut self) {
        self.depth = None;
        self.node_rate = None;
        if let Some(Control::Clock { base, .. }) = self.control {
            self.remaining = base;
        }
    }

    /// Time has gone by on the engine's clock without a move.
    pub fn pass(&mut self, spent: Duration) {
        self.remaining = self.remaining.saturating_sub(spent);
    }

    /// The engine has played its `played`-th move of the game and took this time for it.
    pub fn spend(&mut self, spent: Duration, played: u32) {
        if let Some(Control::Clock { moves, base, increment }) = self.control {
            self.remaining = self.remaining.saturating_sub(spent).saturating_add(increment);
            if moves > 0 && played.is_multiple_of(moves) {
                self.remaining = self.remaining.saturating_add(base);
            }
        }
    }

    /// The limits for the engine's next move, after it has played `played` moves.
    pub fn limits(&self, played: u32) -> Limits {
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        let (control, remaining) = match self.control {
            Some(control) => (control, self.remaining),
            // Who limits the depth and nothing else wants that depth.
            None if self.depth.is_some() => return limits,
            None => (DEFAULT, Duration::from_secs(300)),
        };
        match control {
            Control::Move(time) => limits.movetime = Some(time),
            Control::Clock { moves, increment, .. } => {
                let moves_to_go = (moves > 0).then(|| moves - played % moves);
                limits.clock = Some(Clock { remaining, increment, moves_to_go });
            }
        }
        if let Some(rate) = self.node_rate {
            let time = match (limits.movetime.take(), limits.clock.take()) {
                (Some(time), _) => time,
                (None, Some(clock)) => {
                    let moves = clock.moves_to_go.unwrap_or(MOVES_EXPECTED).min(MOVES_EXPECTED);
                    clock.remaining / moves.max(1) + clock.increment
                }
                (None, None) => Duration::ZERO,
            };
            limits.nodes = Some(((time.as_secs_f64() * rate as f64) as u64).max(1));
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;

    fn clock(timing: &Timing, played: u32) -> (Duration, Option<u32>) {
        let clock = timing.limits(played).clock.expect("a clock");
        (clock.remaining, clock.moves_to_go)
    }

    #[test]
    fn the_last_word_counts() {
        let mut timing = Timing::default();
        timing.level(0, S(60), S(0));
        timing.move_time(S(2));
        let limits = timing.limits(0);
        assert_eq!((limits.movetime, limits.clock), (Some(S(2)), None));
        timing.level(0, S(10), S(1));
        let limits = timing.limits(0);
        assert_eq!((limits.movetime, limits.clock.map(|c| c.remaining)), (None, Some(S(10))));
    }

    #[test]
    fn the_clock_runs_on_without_being_told() {
        let mut timing = Timing::default();
        timing.level(3, S(60), S(2));
        assert_eq!(clock(&timing, 0), (S(60), Some(3)));
        timing.spend(S(10), 1);
        assert_eq!(clock(&timing, 1), (S(52), Some(2)));
        timing.spend(S(10), 2);
        timing.spend(S(10), 3);
        assert_eq!(clock(&timing, 3), (S(96), Some(3)));
        timing.set_remaining(S(5));
        assert_eq!(clock(&timing, 3).0, S(5));
        timing.reset();
        assert_eq!(clock(&timing, 0).0, S(60));
    }

    #[test]
    fn depth_alone_has_no_clock() {
        let mut timing = Timing { depth: Some(6), ..Timing::default() };
        assert_eq!(timing.limits(0), Limits { depth: Some(6), ..Limits::default() });
        timing.move_time(S(1));
        assert_eq!(timing.limits(0).movetime, Some(S(1)));
        timing.reset();
        assert_eq!(timing.limits(0).depth, None);
    }

    #[test]
    fn positions_instead_of_time() {
        let mut timing = Timing { node_rate: Some(1_000), ..Timing::default() };
        timing.move_time(S(2));
        let limits = timing.limits(0);
        assert_eq!((limits.nodes, limits.movetime, limits.clock), (Some(2_000), None, None));
        timing.level(0, S(60), S(1));
        assert_eq!(timing.limits(0).nodes, Some(3_000));
    }
}
