//! Evaluation along a line of play, one thread: the hand-made terms beside networks, in one run.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench --bench evaluation`
//!
//! A network's time is that of a search: its hidden layer is brought from a position to the next, and its output computed. The line is a
//! game, and beside each of its moves two others are tried from the same position, as a search does.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use usurper::board::zobrist::splitmix;
use usurper::eval::evaluate;
use usurper::eval::network::{Base, INPUTS, Network};
use usurper::eval::nnue::Accumulators;
use usurper::rules::{Edition, GameRecord, Position};

/// Weights at random: the time does not hang on them.
fn network(hidden: usize) -> Network {
    let mut state = 1;
    let mut weights = |count: usize| -> Vec<i16> {
        let mut next = || {
            state = splitmix(state);
            (state % 121) as i16 - 60
        };
        (0..count).map(|_| next()).collect()
    };
    Network {
        base: Base::Nothing,
        scale: 180,
        description: String::new(),
        features: weights(INPUTS * hidden),
        bias: weights(hidden),
        output: weights(2 * hidden),
        output_bias: 0,
    }
}

/// Positions of random games with their plies, siblings included.
fn line() -> Vec<(Position, usize)> {
    let mut line = Vec::new();
    let mut state = 7;
    for _ in 0..20 {
        let mut game = GameRecord::from_start(Edition::CaptureOrConquer);
        while game.outcome().is_none() && game.moves().len() < 60 {
            let moves = game.position().legal_moves();
            let ply = game.moves().len() + 1;
            let mut choice = moves[0];
            for _ in 0..3 {
                state = splitmix(state);
                choice = moves[(state % moves.len() as u64) as usize];
                line.push((game.position().play(choice), ply));
            }
            game.play(choice).expect("a legal move");
        }
    }
    line
}

fn benches(c: &mut Criterion) {
    let line = line();
    let mut group = c.benchmark_group("evaluation");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    group.throughput(Throughput::Elements(line.len() as u64));
    group.bench_function("hand-made", |b| {
        b.iter(|| line.iter().map(|(position, _)| evaluate(black_box(position))).sum::<i32>());
    });
    for hidden in [32, 64, 128, 256] {
        let network = network(hidden);
        let mut accumulators = Accumulators::new(&network, 64);
        group.bench_function(format!("network of {hidden}, kept up to date"), |b| {
            b.iter(|| {
                let values = line.iter().map(|(p, ply)| accumulators.evaluate(black_box(p), *ply));
                values.sum::<i32>()
            });
        });
    }
    let network = network(128);
    group.bench_function("network of 128, computed anew", |b| {
        b.iter(|| line.iter().map(|(p, _)| network.evaluate(black_box(p))).sum::<i32>());
    });
    group.finish();
}

criterion_group!(evaluation, benches);
criterion_main!(evaluation);
