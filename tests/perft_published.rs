//! Move counts that others have published: the earlier edition as Fairy-Stockfish counts it, and the
//! Chess Programming Wiki's for chess. Deeper than the vectors, so that rare moves occur.

use usurper::rules::perft::perft;
use usurper::rules::{Edition, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const PROMOTIONS: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const TALKCHESS: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
const RACE: &str = "8/1k2P3/3K4/8/8/8/1p6/8 w - - 0 1";

fn check(edition: Edition, counts: &[(&str, &[u64])]) {
    for (fen, nodes) in counts {
        let position = Position::from_fen(edition, fen).expect("a valid FEN");
        for (depth, &expected) in (1..).zip(*nodes) {
            assert_eq!(perft(&position, depth), expected, "{edition} {fen} depth {depth}");
        }
    }
}

#[test]
fn earlier_edition_by_fairy_stockfish() {
    check(
        Edition::Classic,
        &[
            (START, &[20, 400, 8_902, 197_742, 4_897_256]),
            (KIWIPETE, &[48, 2_049, 98_903, 4_193_843]),
            (ENDGAME, &[16, 278, 4_840, 88_813, 1_602_135]),
            (PROMOTIONS, &[38, 1_623, 62_700, 2_743_368]),
            (TALKCHESS, &[41, 1_429, 61_002, 2_189_404]),
            (RACE, &[8, 72, 787, 6_656, 105_505, 1_658_187]),
        ],
    );
}

#[test]
fn chess_by_the_chess_programming_wiki() {
    check(
        Edition::Chess,
        &[
            (START, &[20, 400, 8_902, 197_281, 4_865_609]),
            (KIWIPETE, &[48, 2_039, 97_862, 4_085_603]),
            (ENDGAME, &[14, 191, 2_812, 43_238, 674_624]),
            (PROMOTIONS, &[6, 264, 9_467, 422_333]),
            (TALKCHESS, &[44, 1_486, 62_379, 2_103_487]),
        ],
    );
}
