//! The benchmark: a fixed set of positions searched to a fixed depth. With one thread its node count is
//! the same on every run and every machine, and so is a signature of the search: a change that is meant
//! to change no move must not change it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::rules::{Edition, GameRecord, Position};

use super::{Engine, Event, Limits, Settings};

/// The depth that is searched when none is named: a few seconds.
pub const DEFAULT_DEPTH: u32 = 11;

/// Start positions, known middle games, and positions from games of the engine against itself.
pub const POSITIONS: [(Edition, [&str; 12]); 3] = [
    (
        Edition::CaptureOrConquer,
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
            "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 12",
            "2r2rk1/1bqnbpp1/pp1ppn1p/8/2PNP3/1PN1BP2/P3BQPP/2RR2K1 w - - 0 17",
            "r1b1kb1r/p3nqpp/1p1p1p2/2pPn3/3NP2P/2N5/PPPBB1P1/R2Q1RK1 w - c6 0 14",
            "r1b1kb1r/p2p1pp1/8/BN1P3p/1p2n2P/PP6/5PP1/R3KB1R b - - 3 19",
            "5rk1/1pq5/5pp1/pB1nnb1p/P2Q3P/1P3PP1/2r1N3/3RKR2 w - - 0 24",
            "2r2rk1/5n1p/6p1/p1pP1b2/P1P1Np1q/3QP2P/8/R2K1B1R w - - 0 29",
            "8/p7/8/1ppk2p1/8/2K1PP2/P7/8 w - - 0 33",
            "8/4k2p/p5p1/1p1PK3/1P2BPP1/8/8/3r4 w - - 0 39",
            "4k3/4b3/p5p1/1bp1pq1p/7P/1PN1Q1P1/2PR3K/8 w - - 6 44",
            "2b1r3/8/p1P3k1/2R1B3/1P2K3/8/8/8 b - - 5 49",
        ],
    ),
    (
        Edition::Classic,
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
            "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 12",
            "2r2rk1/1bqnbpp1/pp1ppn1p/8/2PNP3/1PN1BP2/P3BQPP/2RR2K1 w - - 0 17",
            "r1bk1bnr/1qpp2pp/pp3p2/1P6/4P3/P1NP1Q2/2PB2PP/R3KB1R w KQ - 0 14",
            "r6r/pb1p1kp1/np1BQ1p1/3p4/2p4P/P7/1P3PP1/R2NKB1R b KQ - 0 19",
            "r7/1p1bb1kr/2q1p1p1/1Np1p1P1/P1PpP2p/3P1Q1N/3B3P/RR4K1 b - - 15 26",
            "4k3/4ppb1/1n4p1/4N3/3P3n/8/1BK1NP2/8 b - - 5 29",
            "4b3/4kp2/2n1p3/8/4PK2/p1P2N2/1r6/1N3R2 b - - 3 34",
            "2r5/5pkp/R3p1p1/3p2P1/p1r2PR1/2P4P/1P1K4/8 b - - 5 39",
            "8/1p3N1n/r7/2pR4/P1P1P2k/7P/6K1/8 w - - 4 45",
            "5k2/8/1P2r3/2R5/2N3rp/4P3/5K2/8 b - - 0 49",
        ],
    ),
    (
        Edition::Chess,
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
            "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 12",
            "2r2rk1/1bqnbpp1/pp1ppn1p/8/2PNP3/1PN1BP2/P3BQPP/2RR2K1 w - - 0 17",
            "3rkb1r/p3nppp/1pp2n2/2q5/4P1bP/1PN2N2/P1PBB1P1/R2QK2R w KQk - 5 14",
            "2r2rk1/p1qnbp2/bp1p2p1/1NpPp1Np/P1P1PPnP/3Q2P1/1P1BB3/3R1RK1 b - - 2 19",
            "1r1qkr2/4b3/2p5/2n1pp1p/PpP3bP/3PB1P1/3Q1R2/RNN2K2 w - - 0 24",
            "2kr1b2/1p1b2r1/pq1p4/RP1Bp2R/2P5/3QP3/3BKN2/8 b - - 0 28",
            "8/2r1k3/4p1p1/1P1pnb2/3N2p1/3BP3/2PK2R1/8 b - - 2 34",
            "k6r/p7/P5nP/4b3/8/1P5R/2R5/5K2 b - - 6 39",
            "3r3k/6q1/1p5r/2pn1BBQ/4b3/R6P/3R4/6K1 w - - 3 44",
            "8/2p1k3/2K3p1/7p/p2NPP1P/2nP4/8/8 w - - 0 49",
        ],
    ),
];

/// What a part of the benchmark took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Tally {
    /// Nodes a second, rounded down.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

impl fmt::Display for Tally {
    /// `N nodes M nps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

/// Runs the benchmark of some editions, calls `report` after each and gives the total.
pub fn run(
    editions: &[Edition],
    depth: u32,
    threads: usize,
    hash_mb: usize,
    mut report: impl FnMut(Edition, Tally),
) -> Tally {
    let settings = Settings { threads, hash_mb, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let mut total = Tally::default();
    for (edition, fens) in POSITIONS.into_iter().filter(|(edition, _)| editions.contains(edition)) {
        let mut part = Tally::default();
        for position in fens.into_iter().filter_map(|fen| Position::from_fen(edition, fen).ok()) {
            engine.clear();
            let begin = Instant::now();
            part.nodes += nodes(&mut engine, position, depth);
            part.time += begin.elapsed();
        }
        report(edition, part);
        total.nodes += part.nodes;
        total.time += part.time;
    }
    total
}

fn nodes(engine: &mut Engine, position: Position, depth: u32) -> u64 {
    let nodes = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&nodes);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.start(GameRecord::new(position), limits, move |event| {
        if let Event::Info(info) = event {
            told.store(info.nodes, Ordering::Relaxed);
        }
    });
    engine.wait();
    nodes.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_read_and_searched() {
        for (edition, fens) in POSITIONS {
            for fen in fens {
                let position = Position::from_fen(edition, fen).expect(fen);
                assert_eq!(position.to_fen(), fen);
                assert_eq!(position.outcome(), None, "{fen}");
            }
        }
    }

    #[test]
    fn one_thread_gives_the_same_count_on_every_run() {
        let mut editions = Vec::new();
        let first = run(&Edition::ALL, 5, 1, 1, |edition, _| editions.push(edition));
        assert_eq!(editions, Edition::ALL);
        assert_eq!(run(&Edition::ALL, 5, 1, 1, |_, _| ()).nodes, first.nodes);
        assert!(first.nodes > 36 * 100);
    }
}
