//! The statistics of matches against published formulas, worked out apart from the program, and the
//! error rates of the sequential test in simulated matches.
//!
//! Sources: M. Van den Bergh, "The generalized sequential probability ratio test" and "Normalized
//! Elo" (the notes behind fishtest); logistic Elo by its definition, score = 1 / (1 + 10^(-Elo/400)).

use usurper::arena::openings::Random;
use usurper::arena::stats::{EloModel, Sprt, Tally};

#[track_caller]
fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected} ± {tolerance}");
}

fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

/// 850 pairs: 45, 160, 400, 180, 65 of them with 0, ½, 1, 1½, 2 points. Mean and variance by hand give
/// the rest.
const PAIRS: [u64; 5] = [45, 160, 400, 180, 65];

#[test]
fn estimates_of_a_fixed_table() {
    let tally = Tally::pairs(PAIRS);
    let n = 850.0;
    let mean = (160.0 * 0.25 + 400.0 * 0.5 + 180.0 * 0.75 + 65.0) / n;
    let variance = (160.0 * 0.0625 + 400.0 * 0.25 + 180.0 * 0.5625 + 65.0) / n - mean * mean;
    close(tally.score(), mean, 1e-12);
    let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
    let half = 1.959_964 * (variance / n).sqrt();
    close(tally.elo().value, elo(mean), 1e-9);
    close(tally.elo().error, (elo(mean + half) - elo(mean - half)) / 2.0, 1e-6);
    let per_game = (2.0 * variance).sqrt();
    let unit = 800.0 / 10f64.ln();
    close(tally.normalized_elo().value, (mean - 0.5) / per_game * unit, 1e-9);
    close(tally.normalized_elo().error, half / per_game * unit, 1e-6);
}

/// The closed approximations of both tests, from the same notes: for logistic Elo
/// N (s1 − s0)(2 s − s0 − s1) / 2σ², for normalised Elo N/2 ln((1 + (t − t0)²) / (1 + (t − t1)²)).
#[test]
fn likelihood_ratios_agree_with_the_closed_approximations() {
    let tally = Tally::pairs(PAIRS);
    let n = 850.0;
    let mean = tally.score();
    let variance = (160.0 * 0.0625 + 400.0 * 0.25 + 180.0 * 0.5625 + 65.0) / n - mean * mean;
    for (elo0, elo1) in [(0.0, 5.0), (0.0, 10.0), (-3.0, 2.0), (10.0, 20.0)] {
        let [s0, s1] = [elo0, elo1].map(|elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
        let expected = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        close(sprt(elo0, elo1, EloModel::Logistic).llr(&tally), expected, 0.01);
        let t = (mean - 0.5) / variance.sqrt();
        let [t0, t1] = [elo0, elo1].map(|elo: f64| elo / (800.0 / 10f64.ln()) * 2f64.sqrt());
        let expected = n / 2.0 * ((1.0 + (t - t0).powi(2)) / (1.0 + (t - t1).powi(2))).ln();
        close(sprt(elo0, elo1, EloModel::Normalized).llr(&tally), expected, 0.03);
    }
}

/// How many of so many simulated matches end with the alternative. A game is won with chance `p` by
/// the first player and never drawn; the test is looked at after every pair.
fn accepted(test: &Sprt, p: f64, matches: u64, seed: u64) -> u64 {
    let (low, high) = test.bounds();
    let chance = (p * 2f64.powi(53)) as u64;
    let one = |number: u64| {
        let mut random = Random::new(Random::new(seed + number).next());
        let mut pairs = [0; 5];
        loop {
            let wins = (0..2).filter(|_| random.next() >> 11 < chance).count();
            pairs[2 * wins] += 1;
            let llr = test.llr(&Tally::pairs(pairs));
            if llr <= low || llr >= high {
                return llr >= high;
            }
        }
    };
    std::thread::scope(|scope| {
        let one = &one;
        let parts: Vec<_> = (0..2)
            .map(|part| {
                let numbers = (0..matches).filter(move |n| n % 2 == part);
                scope.spawn(move || numbers.filter(|&number| one(number)).count() as u64)
            })
            .collect();
        parts.into_iter().map(|part| part.join().expect("a part")).sum()
    })
}

/// 10,000 simulated matches: 2,500 for each model and each hypothesis. The share of wrong verdicts is at
/// most 5 %, and two per cent for chance and for the overshoot at the end.
#[test]
fn error_rates_of_the_sequential_test() {
    for model in [EloModel::Normalized, EloModel::Logistic] {
        let (elo0, elo1) = (0.0, 60.0);
        let test = sprt(elo0, elo1, model);
        // The chance of a win that is so much Elo: of games without draws, the spread is √(p (1 − p)).
        let p = |elo: f64| match model {
            EloModel::Logistic => 1.0 / (1.0 + 10f64.powf(-elo / 400.0)),
            EloModel::Normalized => {
                let t = elo / (800.0 / 10f64.ln());
                0.5 + t / (2.0 * (1.0 + t * t).sqrt())
            }
        };
        let matches = 2_500;
        let false_alternatives = accepted(&test, p(elo0), matches, 1 << 32);
        let false_nulls = matches - accepted(&test, p(elo1), matches, 2 << 32);
        for wrong in [false_alternatives, false_nulls] {
            let share = wrong as f64 / matches as f64;
            assert!((0.02..=0.07).contains(&share), "{model}: {share}");
        }
    }
}
