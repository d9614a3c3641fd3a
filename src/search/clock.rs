//! How long to think: a plan made before the search, and the question after each iteration whether
//! another one is worth it.
//!
//! Two bounds: the *soft* one is the time a move of average difficulty gets, stretched or shrunk by what
//! the search has seen; the *hard* one is never passed, whatever happens.

use std::time::Duration;

use super::limits::{Clock, Limits};

/// Moves that the rest of a game is expected to take. Games of Capture or Conquer are shorter than
/// those of chess: nobody holds a draw.
const MOVES_EXPECTED: f64 = 32.0;
/// The share of the remaining time that one move may take at most.
const GREATEST_SHARE: f64 = 0.4;
/// The hard bound in soft bounds, at most.
const GREATEST_STRETCH: f64 = 5.0;

/// When to stop, made from [`Limits`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimePlan {
    /// Time for a move of average difficulty; `None` without a clock.
    pub soft: Option<Duration>,
    /// Time that is never passed; `None` without a clock and a time for the move.
    pub hard: Option<Duration>,
}

/// What the last iteration showed of how settled the choice is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Iterations since the best move changed.
    pub stable_for: u32,
    /// The best move's share of the root's nodes, 0 to 1.
    pub node_share: f64,
    /// Centipawns that the score has fallen since the iteration before; negative when it rose.
    pub score_drop: i32,
}

/// How settled the choice of the best move is, from iteration to iteration.
pub struct Settled<M> {
    best: Option<M>,
    score: i32,
    stable_for: u32,
}

impl<M> Default for Settled<M> {
    /// Before the first iteration.
    fn default() -> Settled<M> {
        Settled { best: None, score: 0, stable_for: 0 }
    }
}

impl<M: PartialEq + Clone> Settled<M> {
    /// After an iteration with this best move, its score, and its share of the root's nodes (0 to 1).
    pub fn after_iteration(&mut self, best: &M, score: i32, node_share: f64) -> Progress {
        let same = self.best.as_ref() == Some(best);
        self.stable_for = if same { self.stable_for + 1 } else { 0 };
        let score_drop = if self.best.is_some() { self.score - score } else { 0 };
        self.best = Some(best.clone());
        self.score = score;
        Progress { stable_for: self.stable_for, node_share, score_drop }
    }
}

impl TimePlan {
    /// The plan for these limits, with `overhead` kept back.
    pub fn new<M>(limits: &Limits<M>, overhead: Duration) -> TimePlan {
        let clock = limits.clock.map(|clock| plan(clock, overhead));
        // A short time for the move is not eaten up by the overhead.
        let movetime = limits.movetime.map(|t| t.saturating_sub(overhead).max(t.mul_f64(0.75)));
        let hard = match (clock, movetime) {
            (Some((_, hard)), Some(movetime)) => Some(hard.min(movetime)),
            (Some((_, hard)), None) => Some(hard),
            (None, movetime) => movetime,
        };
        TimePlan { soft: clock.map(|(soft, _)| soft), hard }
    }

    /// Whether, `elapsed` into the search, no further iteration should begin.
    pub fn is_enough(&self, elapsed: Duration, progress: Progress) -> bool {
        let Some(soft) = self.soft else { return false };
        elapsed.as_secs_f64() >= soft.as_secs_f64() * stretch(progress)
    }
}

fn stretch(progress: Progress) -> f64 {
    let stability = match progress.stable_for {
        0 => 1.6,
        1 => 1.25,
        2 => 1.05,
        3 => 0.95,
        4 => 0.88,
        _ => 0.82,
    };
    let share = 1.75 - 1.15 * progress.node_share.clamp(0.0, 1.0);
    let drop = 1.0 + f64::from(progress.score_drop.clamp(-20, 60)) / 100.0;
    stability * share * drop
}

/// Soft and hard bound for a clock.
fn plan(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let remaining = clock.remaining.as_secs_f64();
    let increment = clock.increment.as_secs_f64();
    let overhead = overhead.as_secs_f64();
    // Kept for the way of each move to the clock; of a nearly empty clock half is used anyway.
    let usable = (remaining - overhead).max(remaining / 2.0);
    let moves = clock.moves_to_go.map_or(MOVES_EXPECTED, |n| f64::from(n.clamp(1, 50)) + 0.5);
    let soft = usable / moves + 0.8 * increment;
    let share = if clock.moves_to_go == Some(1) { 0.9 } else { GREATEST_SHARE };
    // An overdrawn clock that the other side forgives: about the increment is left.
    let hard =
        (usable * share).max((increment - overhead).min(usable)).min(soft * GREATEST_STRETCH);
    let hard = if remaining == 0.0 { (increment - overhead).max(0.001) } else { hard };
    (Duration::from_secs_f64(soft.min(hard)), Duration::from_secs_f64(hard))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    fn bounds(limits: &Limits) -> (u128, u128) {
        let plan = TimePlan::new(limits, Duration::from_millis(10));
        (plan.soft.expect("a clock").as_millis(), plan.hard.expect("a clock").as_millis())
    }

    /// With 800 ms and no increment a move gets tens of milliseconds.
    #[test]
    fn a_short_clock_is_spread_over_the_game() {
        let (soft, hard) = bounds(&limits(800, 0, None));
        assert!((10..80).contains(&soft), "soft {soft}");
        assert!((20..320).contains(&hard), "hard {hard}");
    }

    #[test]
    fn an_empty_clock_leaves_the_increment_without_the_overhead() {
        assert_eq!(bounds(&limits(0, 100, None)).1, 90);
        assert!(bounds(&limits(0, 0, None)).1 <= 1);
    }

    /// Playing on and on at the hard bound never loses on time.
    #[test]
    fn the_hard_bound_never_empties_the_clock() {
        for (increment, moves_to_go) in [(0, None), (10, None), (1_000, None), (0, Some(40))] {
            let mut clock = 3_000;
            for played in 0..100 {
                let left = moves_to_go.map(|n: u32| n.saturating_sub(played).max(1));
                let (soft, hard) = bounds(&limits(clock, increment, left));
                assert!(soft <= hard);
                assert!(hard < u128::from(clock), "{hard} of {clock}");
                clock = clock - hard as u64 + increment;
                if left == Some(1) {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_time_for_the_move_has_no_soft_bound() {
        let limits: Limits =
            Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
        let plan = TimePlan::new(&limits, Duration::from_millis(10));
        assert_eq!(plan, TimePlan { soft: None, hard: Some(Duration::from_millis(90)) });
        let settled = Progress { stable_for: 9, node_share: 0.99, score_drop: 0 };
        assert!(!plan.is_enough(Duration::from_secs(1), settled));
        assert_eq!(TimePlan::new(&Limits::<()>::default(), Duration::ZERO).hard, None);
    }

    #[test]
    fn doubt_takes_more_time_than_certainty() {
        let plan = TimePlan::new(&limits(60_000, 0, None), Duration::from_millis(10));
        let soft = plan.soft.expect("a clock");
        let settled = Progress { stable_for: 8, node_share: 0.95, score_drop: 0 };
        let doubtful = Progress { stable_for: 0, node_share: 0.3, score_drop: 50 };
        assert!(plan.is_enough(soft.mul_f64(0.7), settled));
        assert!(!plan.is_enough(soft.mul_f64(2.0), doubtful));
    }
}
