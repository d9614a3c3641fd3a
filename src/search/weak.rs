//! Weakened play: a level in Elo becomes fewer nodes and a less certain judgement.
//!
//! A weak level looks at few positions, and chooses among its best lines as if each were worth a little
//! more or less than it found. So it overlooks what is deep and misjudges what is close, like a
//! player; it does not throw away what it has seen: a line that is lost by force is not chosen while
//! another is not, and a win in one is always taken.
//!
//! The mapping, from 800 to 2800: nodes double every 130 Elo from 50 on; the judgement's standard
//! deviation falls evenly from 90 centipawns to none. The scale is nominal: there is no rating list
//! of this game. What neighbouring levels score against one another is in `docs/strength.md`.
//!
//! It is the chess family's alone; the board games are always played at full strength.

use crate::board::zobrist::splitmix;

use super::limits::{Limits, Settings};
use super::score::{is_decisive, win_in};

/// The range of levels; beyond it the nearer end counts.
const LEVELS: (u32, u32) = (800, 2_800);
/// Nodes of the lowest level.
const LEAST_NODES: f64 = 50.0;
/// Elo for twice the nodes.
const DOUBLING: f64 = 130.0;
/// Standard deviation of the lowest level's judgement, in centipawns.
const GREATEST_NOISE: f64 = 90.0;
/// Lines to choose from.
const LINES: usize = 6;

/// A level of weakened play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weakness {
    nodes: u64,
    noise: f64,
}

impl Weakness {
    /// What the settings ask for; `None` for full strength.
    pub fn of(settings: &Settings) -> Option<Weakness> {
        let elo = settings.elo.filter(|_| !settings.analyse)?.clamp(LEVELS.0, LEVELS.1);
        let above = f64::from(elo - LEVELS.0);
        let below = f64::from(LEVELS.1 - elo) / f64::from(LEVELS.1 - LEVELS.0);
        Some(Weakness {
            nodes: (LEAST_NODES * (above / DOUBLING).exp2()) as u64,
            noise: GREATEST_NOISE * below,
        })
    }

    /// The search of this level: one thread, several lines, few nodes.
    pub fn weaken(self, settings: &mut Settings, limits: &mut Limits) {
        settings.threads = 1;
        settings.multi_pv = settings.multi_pv.max(LINES);
        limits.nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
    }

    /// Which of the lines to play, by their internal scores, the best first; `seed` decides.
    pub fn choose(self, scores: &[i32], seed: u64) -> usize {
        let Some(&best) = scores.first() else { return 0 };
        if best == win_in(1) {
            return 0;
        }
        let judged = scores.iter().enumerate().filter_map(|(i, &score)| {
            // What is lost by force is not for one who saw it, as long as there is something else.
            let spoilt = is_decisive(score) && score < 0 && score < best;
            let noise = self.noise * normal(splitmix(seed ^ i as u64));
            (!spoilt).then_some((i, f64::from(score) + noise))
        });
        judged.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i)
    }
}

/// A number of the standard normal distribution, nearly: the sum of twelve even ones (Irwin–Hall).
fn normal(seed: u64) -> f64 {
    let even =
        (1..=12).map(|i| (splitmix(seed.wrapping_add(i)) >> 11) as f64 / (1u64 << 53) as f64);
    even.sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::loss_in;

    fn level(elo: u32) -> Weakness {
        Weakness::of(&Settings { elo: Some(elo), ..Settings::default() }).expect("a level")
    }

    #[test]
    fn full_strength_is_not_weakened() {
        assert_eq!(Weakness::of(&Settings::default()), None);
        let analysis = Settings { elo: Some(900), analyse: true, ..Settings::default() };
        assert_eq!(Weakness::of(&analysis), None);
    }

    #[test]
    fn a_higher_level_sees_more_and_errs_less() {
        let levels: Vec<_> = (800..=2_800).step_by(100).map(level).collect();
        assert!(levels.windows(2).all(|w| w[0].nodes < w[1].nodes && w[0].noise > w[1].noise));
        assert_eq!(level(0), level(800));
        assert_eq!(level(9_999), level(2_800));
    }

    #[test]
    fn plausible_choices_only() {
        for seed in 0..500 {
            // A win in one is taken, a lost line is not, nor one that is far worse.
            assert_eq!(level(800).choose(&[win_in(1), 30, 20], seed), 0);
            assert_ne!(level(800).choose(&[10, 5, loss_in(2)], seed), 2);
            assert_ne!(level(800).choose(&[10, 5, -1_500], seed), 2);
            assert_eq!(level(2_800).choose(&[10, 5, 4], seed), 0);
            // When all is lost, the longest resistance or another.
            assert!(level(800).choose(&[loss_in(4), loss_in(2)], seed) == 0);
        }
        let varied = (0..500).filter(|&seed| level(1_200).choose(&[10, 0, -10], seed) > 0).count();
        assert!((100..450).contains(&varied), "{varied}");
    }

    #[test]
    fn the_noise_is_normal() {
        let draws: Vec<f64> = (0..10_000).map(|i| normal(splitmix(i))).collect();
        let mean = draws.iter().sum::<f64>() / 10_000.0;
        let variance = draws.iter().map(|d| d * d).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.05 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }
}
