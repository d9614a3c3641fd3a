//! Move generation beside cozy-chess, in one run: leaves a second, one thread, bulk counting.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench --bench perft`

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use usurper::rules::perft::perft;
use usurper::rules::{Edition, Position};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 5;

/// The same count by cozy-chess: legal moves as sets, counted at the last ply.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("kiwipete depth 5");
    group.sample_size(20).measurement_time(Duration::from_secs(12));

    let board: cozy_chess::Board = KIWIPETE.parse().expect("a valid FEN");
    let leaves = cozy_perft(&board, DEPTH);
    assert_eq!(leaves, 193_690_690, "the published count");
    group.throughput(Throughput::Elements(leaves));
    group.bench_function("cozy-chess, chess", |b| b.iter(|| cozy_perft(black_box(&board), DEPTH)));

    for edition in Edition::ALL {
        let position = Position::from_fen(edition, KIWIPETE).expect("a valid FEN");
        group.throughput(Throughput::Elements(perft(&position, DEPTH)));
        group.bench_function(format!("usurper, {edition}"), |b| {
            b.iter(|| perft(black_box(&position), DEPTH));
        });
    }
    group.finish();
}

criterion_group!(perft_benches, benches);
criterion_main!(perft_benches);
