//! Networks: what is kept from one position to the next never differs from what is computed anew, a file comes back as it
//! was, and a bad one is refused with its reason.

mod random;

use random::Random;
use usurper::eval::network::{Base, INPUTS, Network, NetworkError, OUTPUT_LIMIT};
use usurper::eval::nnue::Accumulators;
use usurper::eval::{Evaluation, LIMIT};
use usurper::rules::{Edition, GameRecord, Position};

/// A network of weights at random.
fn network(hidden: usize, seed: u64, base: Base) -> Network {
    let mut random = Random::new(seed);
    let mut weights = |count: usize, limit: usize| -> Vec<i16> {
        (0..count).map(|_| random.below(2 * limit + 1) as i16 - limit as i16).collect()
    };
    Network {
        base,
        scale: 180,
        description: "at random — ação".to_owned(),
        features: weights(INPUTS * hidden, 120),
        bias: weights(hidden, 200),
        output: weights(2 * hidden, OUTPUT_LIMIT as usize),
        output_bias: -1_234,
    }
}

/// The built-in networks can be read, and serve the editions in which matches were for them.
#[test]
fn the_built_in_networks_are_whole() {
    let plays = |edition| Evaluation::BuiltIn.network(edition).is_some();
    assert!(plays(Edition::CaptureOrConquer) && plays(Edition::Classic) && !plays(Edition::Chess));
}

/// A naive statement of what a network computes, from the format's description, in floating point.
fn by_the_book(network: &Network, position: &Position) -> f64 {
    let fen = position.to_fen();
    let mut fields = fen.split(' ');
    let (placement, side) = (fields.next().expect("a field"), fields.next().expect("a field"));
    let hidden = network.bias.len();
    let mut output = f64::from(network.output_bias) / (255.0 * 64.0);
    // The side to move sees the board first.
    for (nth, viewer_is_white) in [side == "w", side != "w"].into_iter().enumerate() {
        let mut units: Vec<f64> = network.bias.iter().map(|&b| f64::from(b) / 255.0).collect();
        for (row, line) in placement.split('/').enumerate() {
            let mut file = 0;
            for letter in line.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let kind = "pnbrqk".find(letter.to_ascii_lowercase()).expect("a piece");
                let own = letter.is_ascii_uppercase() == viewer_is_white;
                let rank = if viewer_is_white { 7 - row } else { row };
                let input = if own { 0 } else { 384 } + 64 * kind + 8 * rank + file;
                for (unit, weight) in units.iter_mut().zip(&network.features[input * hidden..]) {
                    *unit += f64::from(*weight) / 255.0;
                }
                file += 1;
            }
        }
        for (i, unit) in units.iter().enumerate() {
            let clipped = unit.clamp(0.0, 1.0);
            output += clipped * clipped * f64::from(network.output[nth * hidden + i]) / 64.0;
        }
    }
    output * f64::from(network.scale)
}

/// Random games of all editions, each position with its ply.
fn random_lines(seed: u64, games: usize, mut visit: impl FnMut(&Position, usize)) {
    let mut random = Random::new(seed);
    for edition in Edition::ALL {
        for _ in 0..games {
            let mut game = GameRecord::from_start(edition);
            while game.outcome().is_none() && game.moves().len() < 150 {
                visit(game.position(), game.moves().len());
                let moves = game.position().legal_moves();
                let choice = moves[random.below(moves.len())];
                game.play(choice).expect("a legal move");
            }
        }
    }
}

#[test]
fn a_network_computes_what_its_description_says() {
    let network = network(32, 1, Base::Nothing);
    let mut differing = 0;
    random_lines(2, 10, |position, _| {
        let expected = by_the_book(&network, position).clamp(f64::from(-LIMIT), f64::from(LIMIT));
        let found = f64::from(network.evaluate(position));
        // Two divisions round towards zero.
        assert!((found - expected).abs() < 2.0, "{}: {found} {expected}", position.to_fen());
        differing += usize::from(found != f64::from(network.evaluate(&position.play_null())));
    });
    assert!(differing > 500, "the side to move counts");
}

#[test]
fn what_is_kept_equals_what_is_computed_anew() {
    let network = network(48, 3, Base::Nothing);
    let mut accumulators = Accumulators::new(&network, 100);
    let mut special = 0;
    let mut random = Random::new(4);
    random_lines(5, 40, |position, ply| {
        // In the line's order, beyond the last slot too, and at plies where something else stood.
        let plies = [ply, random.below(120)];
        for ply in plies {
            let found = accumulators.evaluate(position, ply);
            assert_eq!(found, network.evaluate(position), "{}", position.to_fen());
        }
        for m in position.legal_moves() {
            let next = position.play(m);
            if !m.is_normal() {
                special += 1;
                assert_eq!(accumulators.evaluate(&next, ply + 1), network.evaluate(&next));
            }
        }
    });
    assert!(special > 500, "Escorts, Decoys, castling, promotions and en passant: {special}");
}

#[test]
fn both_colours_are_judged_alike() {
    for base in [Base::Nothing, Base::HandMade] {
        let evaluation = Evaluation::Network(network(16, 6, base).into());
        random_lines(7, 10, |position, _| {
            assert_eq!(
                evaluation.evaluate(position),
                evaluation.evaluate(&position.mirrored()),
                "{}",
                position.to_fen()
            );
        });
    }
}

#[test]
fn a_file_comes_back_as_it_was() {
    for (hidden, base) in [(16, Base::Nothing), (64, Base::HandMade), (2_048, Base::Nothing)] {
        let mut network = network(hidden, 8, base);
        network.features.iter_mut().for_each(|weight| *weight /= 2);
        assert_eq!(Network::from_bytes(&network.to_bytes()), Ok(network));
    }
}

/// With its checksum made right again.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 4;
    let checksum = crc32(&bytes[..body]);
    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// CRC-32 (IEEE 802.3), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

#[test]
fn a_bad_file_is_refused_with_its_reason() {
    let good = network(16, 9, Base::Nothing).to_bytes();
    let read = |bytes: &[u8]| Network::from_bytes(bytes).expect_err("refused");
    assert_eq!(read(b""), NetworkError::Foreign);
    assert_eq!(read(b"hello, this is no network at all"), NetworkError::Foreign);
    for length in [12, 100, good.len() - 1] {
        let wanted = good.len();
        assert_eq!(read(&good[..length]), NetworkError::Length { found: length, wanted });
    }
    let changed = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    assert_eq!(read(&changed(4, 9)), NetworkError::Version(9));
    assert_eq!(read(&changed(5_000, good[5_000] ^ 1)), NetworkError::Damaged);
    assert_eq!(read(&sealed(changed(5, 7))), NetworkError::Impossible("base"));
    assert_eq!(read(&sealed(changed(12, 0xff))), NetworkError::Impossible("description"));
    // The output's weights lie before the bias and the checksum; 0x7fff is beyond their limit.
    let mut bytes = good.clone();
    let at = bytes.len() - 10;
    bytes[at..at + 2].copy_from_slice(&i16::MAX.to_le_bytes());
    assert_eq!(read(&sealed(bytes)), NetworkError::Impossible("output's weights"));
    // All hidden weights as large as can be: a full board would leave 16 bits.
    let mut huge = network(16, 9, Base::Nothing);
    huge.features.fill(i16::MAX / 32);
    assert_eq!(read(&huge.to_bytes()), NetworkError::Impossible("hidden weights"));
    // Nothing that is cut or changed anywhere brings the reader down.
    let mut random = Random::new(10);
    for _ in 0..2_000 {
        let mut bytes = good.clone();
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
        assert_ne!(
            Network::from_bytes(&bytes).ok().as_ref().map(Network::to_bytes),
            Some(good.clone())
        );
    }
}
