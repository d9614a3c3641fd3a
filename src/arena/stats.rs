//! What a match says: Elo with its error, normalised Elo, likelihood of superiority, and the
//! sequential probability ratio test.
//!
//! Games come in pairs, one opening with both colours; what counts is a pair's score, which the
//! opening's bias leaves alone. The test is the generalised one of Michel Van den Bergh ("The
//! generalized sequential probability ratio test", "Normalized Elo", as used by fishtest): the
//! likelihoods are maximal ones under each hypothesis, so that nothing need be known of the rates of
//! draws; a count of zero is taken as a thousandth, so that a game without draws does not stop it.

use std::fmt;

/// Counts of scores: (score from 0 to 1, how often).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    outcomes: Vec<(f64, f64)>,
    /// How many games one outcome stands for: 1, or 2 for pairs.
    games: u32,
}

/// The two models of Elo that a test can be about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EloModel {
    /// Elo in units of the spread of results: what a test needs in games depends on nothing else.
    #[default]
    Normalized,
    /// The usual Elo, a logistic function of the score.
    Logistic,
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloModel::Normalized => "normalized",
            EloModel::Logistic => "logistic",
        })
    }
}

/// A sequential test between two hypotheses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The accepted share of false alternatives, 0 to 1.
    pub alpha: f64,
    /// The accepted share of false nulls, 0 to 1.
    pub beta: f64,
    /// What the differences mean.
    pub model: EloModel,
}

/// An estimate with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the width of the interval; infinite when nothing can be said.
    pub error: f64,
}

/// 95 % of a normal distribution lies within so many standard deviations.
const TWO_SIDED_95: f64 = 1.959_964;
/// One unit of score per spread is so much normalised Elo.
const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

impl Tally {
    /// Single games: losses, draws, wins.
    pub fn games(losses: u64, draws: u64, wins: u64) -> Tally {
        Tally::of(1, &[(0.0, losses), (0.5, draws), (1.0, wins)])
    }

    /// Pairs by their points: 0, ½, 1, 1½, 2.
    pub fn pairs(counts: [u64; 5]) -> Tally {
        let [a, b, c, d, e] = counts;
        Tally::of(2, &[(0.0, a), (0.25, b), (0.5, c), (0.75, d), (1.0, e)])
    }

    fn of(games: u32, counts: &[(f64, u64)]) -> Tally {
        Tally { outcomes: counts.iter().map(|&(score, n)| (score, n as f64)).collect(), games }
    }

    /// How many outcomes were counted.
    pub fn count(&self) -> f64 {
        self.outcomes.iter().map(|(_, n)| n).sum()
    }

    /// Mean score, 0 to 1; one half when nothing was counted.
    pub fn score(&self) -> f64 {
        if self.count() == 0.0 { 0.5 } else { self.moments().0 }
    }

    fn moments(&self) -> (f64, f64) {
        moments(&self.outcomes)
    }

    /// The standard deviation of the mean score.
    fn standard_error(&self) -> f64 {
        (self.moments().1 / self.count()).sqrt()
    }

    /// Logistic Elo. Beyond a clean sweep it is infinite.
    pub fn elo(&self) -> Estimate {
        if self.count() == 0.0 {
            return Estimate { value: 0.0, error: f64::INFINITY };
        }
        let (score, deviation) = (self.score(), TWO_SIDED_95 * self.standard_error());
        let (low, high) = (elo_of_score(score - deviation), elo_of_score(score + deviation));
        // Outcomes that are all alike tell nothing of their spread.
        let error = if deviation > 0.0 { (high - low) / 2.0 } else { f64::INFINITY };
        Estimate { value: elo_of_score(score), error }
    }

    /// Normalised Elo.
    pub fn normalized_elo(&self) -> Estimate {
        let (mean, variance) = self.moments();
        if self.count() == 0.0 || variance == 0.0 {
            return Estimate { value: 0.0, error: f64::INFINITY };
        }
        // A pair's score is a mean over its games: its spread is narrower by that root.
        let per_game = NORMALIZED_UNIT / (f64::from(self.games) * variance).sqrt();
        Estimate {
            value: (mean - 0.5) * per_game,
            error: TWO_SIDED_95 * self.standard_error() * per_game,
        }
    }

    /// The likelihood that the first player is the stronger one, 0 to 1.
    pub fn superiority(&self) -> f64 {
        let error = self.standard_error();
        if self.count() == 0.0 || error == 0.0 {
            return match self.score() {
                score if score > 0.5 => 1.0,
                score if score < 0.5 => 0.0,
                _ => 0.5,
            };
        }
        normal_distribution((self.score() - 0.5) / error)
    }
}

impl Sprt {
    /// Below the first the null hypothesis is accepted, above the second the alternative.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio of the two hypotheses.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let total = tally.count();
        if total == 0.0 {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> = tally
            .outcomes
            .iter()
            .map(|&(score, n)| (score, if n == 0.0 { 1e-3 } else { n }))
            .collect();
        let total: f64 = counts.iter().map(|(_, n)| n).sum();
        let seen: Vec<(f64, f64)> = counts.iter().map(|&(score, n)| (score, n / total)).collect();
        let likely = |elo: f64| match self.model {
            EloModel::Logistic => most_likely_with_mean(&seen, score_of_elo(elo)),
            EloModel::Normalized => {
                let t = elo / NORMALIZED_UNIT * f64::from(tally.games).sqrt();
                most_likely_with_t(&seen, t)
            }
        };
        let (null, alternative) = (likely(self.elo0), likely(self.elo1));
        total
            * seen
                .iter()
                .zip(null.iter().zip(&alternative))
                .map(|((_, p), (p0, p1))| p * (p1 / p0).ln())
                .sum::<f64>()
    }
}

/// Mean and variance of a distribution, weights of any sum.
fn moments(distribution: &[(f64, f64)]) -> (f64, f64) {
    let total: f64 = distribution.iter().map(|(_, w)| w).sum();
    let mean = distribution.iter().map(|(x, w)| x * w).sum::<f64>() / total;
    let variance = distribution.iter().map(|(x, w)| (x - mean).powi(2) * w).sum::<f64>() / total;
    (mean, variance)
}

/// The probabilities that make what was seen most likely among all with this mean: each is
/// p / (1 + θ (x − mean)), with the one θ that makes the mean right.
fn most_likely_with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let low = seen.iter().map(|(x, _)| *x).fold(f64::INFINITY, f64::min);
    let high = seen.iter().map(|(x, _)| *x).fold(f64::NEG_INFINITY, f64::max);
    let excess = |theta: f64| -> f64 {
        seen.iter().map(|(x, p)| p * (x - mean) / (1.0 + theta * (x - mean))).sum()
    };
    // All denominators are positive between these two; the excess falls as θ grows.
    let (mut left, mut right) = (-1.0 / (high - mean), -1.0 / (low - mean));
    // Halved until no number lies between.
    let mut theta = (left + right) / 2.0;
    while left < theta && theta < right {
        if excess(theta) > 0.0 {
            left = theta
        } else {
            right = theta
        }
        theta = (left + right) / 2.0;
    }
    seen.iter().map(|(x, p)| p / (1.0 + theta * (x - mean))).collect()
}

/// As [`most_likely_with_mean`], for a given (mean − ½) / standard deviation: the condition made
/// linear around the last answer, until it no longer moves.
fn most_likely_with_t(seen: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut answer: Vec<f64> = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..50 {
        let current: Vec<(f64, f64)> =
            seen.iter().zip(&answer).map(|((x, _), p)| (*x, *p)).collect();
        let (mean, variance) = moments(&current);
        let spread = variance.sqrt();
        let linear: Vec<(f64, f64)> = seen
            .iter()
            .map(|(x, p)| (x - 0.5 - t * spread / 2.0 * (1.0 + ((mean - x) / spread).powi(2)), *p))
            .collect();
        let next = most_likely_with_mean(&linear, 0.0);
        let moved = next.iter().zip(&answer).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        answer = next;
        if moved < 1e-10 {
            break;
        }
    }
    answer
}

fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The normal distribution function, to about seven digits (Abramowitz and Stegun 26.2.17).
fn normal_distribution(x: f64) -> f64 {
    if x < 0.0 {
        return 1.0 - normal_distribution(-x);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * x);
    let coefficients =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let polynomial = coefficients.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    1.0 - (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected} ± {tolerance}");
    }

    /// Published results of another runner (a dispute over the value of its test): logistic Elo.
    #[test]
    fn b233_known_matches() {
        let test = sprt(0.0, 5.0, EloModel::Logistic);
        let tally = Tally::games(759, 1863, 880);
        close(tally.elo().value, 12.0, 0.05);
        close(tally.elo().error, 7.9, 0.05);
        close(test.llr(&tally), 2.95, 0.01);
        close(test.bounds().0, -2.94, 0.005);
        close(test.bounds().1, 2.94, 0.005);

        let test = sprt(0.0, 10.0, EloModel::Logistic);
        let tally = Tally::games(480, 0, 520);
        close(tally.elo().value, 13.9, 0.05);
        close(tally.elo().error, 21.6, 0.05);
        close(test.llr(&tally), 0.74, 0.01);
        let tally = Tally::games(440, 0, 560);
        close(tally.elo().value, 41.9, 0.05);
        close(tally.elo().error, 21.7, 0.05);
        close(test.llr(&tally), 3.06, 0.03);
    }

    /// Two independent games of a pair, each won with the same chance, say what single games say.
    #[test]
    fn pairs_of_independent_games_agree_with_single_games() {
        let games = Tally::games(9_800, 0, 10_200);
        let pairs = Tally::pairs([2_401, 0, 4_998, 0, 2_601]);
        close(pairs.score(), games.score(), 1e-12);
        close(pairs.elo().value, games.elo().value, 1e-9);
        close(pairs.elo().error, games.elo().error, 1e-9);
        close(pairs.normalized_elo().value, games.normalized_elo().value, 1e-9);
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let test = sprt(0.0, 10.0, model);
            let (a, b) = (test.llr(&games), test.llr(&pairs));
            assert!((a - b).abs() < 0.02 * a.abs(), "{model:?}: {a} and {b}");
        }
    }

    /// A fair coin's score has a spread of one half: 0.01 of score is 0.02 spreads.
    #[test]
    fn normalised_elo_by_hand() {
        let estimate = Tally::games(4_900, 0, 5_100).normalized_elo();
        close(estimate.value, 0.01 / 0.4999 * 800.0 / 10f64.ln(), 1e-3);
    }

    /// Both hypotheses are equally likely when the score lies in the middle between them.
    #[test]
    fn the_test_is_balanced_and_ends_without_draws() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let test = sprt(-10.0, 10.0, model);
            close(test.llr(&Tally::pairs([25, 0, 50, 0, 25])), 0.0, 1e-6);
            let strong = test.llr(&Tally::pairs([100, 0, 200, 0, 300]));
            let weak = test.llr(&Tally::pairs([300, 0, 200, 0, 100]));
            close(strong, -weak, 1e-6);
            assert!(strong > 2.94, "{strong}");
            assert!(test.llr(&Tally::pairs([0, 0, 0, 0, 40])).is_finite());
        }
    }

    #[test]
    fn superiority_by_the_normal_distribution() {
        close(normal_distribution(0.0), 0.5, 1e-7);
        close(normal_distribution(1.959_964), 0.975, 1e-6);
        close(normal_distribution(-1.0), 0.158_655, 1e-6);
        close(Tally::games(50, 0, 50).superiority(), 0.5, 1e-7);
        assert_eq!(Tally::games(0, 0, 4).superiority(), 1.0);
        assert_eq!(Tally::games(0, 0, 0).superiority(), 0.5);
    }
}
