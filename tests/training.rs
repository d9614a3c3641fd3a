//! Training: the gradient is that of the loss, by finite differences and by PyTorch; what is learnt is learnt, the same on any number
//! of threads and after an interruption. Built with the feature `train`.
#![cfg(feature = "train")]

mod random;

use std::sync::atomic::{AtomicBool, Ordering};

use random::Random;
use usurper::data::selfplay::{self, Plan as Games};
use usurper::data::{Reader, Writer, positions};
use usurper::eval::Evaluation;
use usurper::eval::network::{Base, INPUTS};
use usurper::rules::{Edition, GameRecord, Position};
use usurper::train::model::{Goal, Pass, Shape, begin};
use usurper::train::run::{Plan, Training};
use usurper::train::sample::{self, Sample, Samples};

const GOAL: Goal = Goal { lambda: 0.3, scale: 180.0 };

/// Samples of random games of today's edition: the score counts Queens, the result is a coin's.
fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    let mut samples = Vec::new();
    while samples.len() < count {
        let mut game = GameRecord::from_start(Edition::CaptureOrConquer);
        while game.outcome().is_none() && game.moves().len() < 60 && samples.len() < count {
            let position = *game.position();
            let side = position.side_to_move();
            let queens =
                |color| position.of(color, usurper::board::PieceKind::Queen).count() as i16;
            let score = 300 * (queens(side) - queens(!side));
            let result = f32::from(u8::from(random.chance(50)));
            let base = random.below(100) as i16 - 50;
            samples.extend(Sample::new(&positions::Sample { position, score, result }, base));
            game.play(random.pick(&position.legal_moves())).expect("a legal move");
        }
    }
    samples
}

/// Parameters away from zero and from the bends, in double the usual spread.
fn parameters(shape: Shape) -> Vec<f32> {
    begin(shape, 5)
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let shape = Shape { hidden: 16 };
    let parameters = parameters(shape);
    let samples = samples(20, 1);
    let mut pass = Pass::new(shape);
    let loss = |pass: &mut Pass, parameters: &[f32]| {
        pass.clear();
        samples.iter().for_each(|sample| pass.try_on(parameters, sample, &GOAL));
        pass.loss
    };
    pass.clear();
    samples.iter().for_each(|sample| pass.learn(&parameters, sample, false, &GOAL));
    let gradient = pass.gradient.clone();
    let mut random = Random::new(2);
    let mut tried = 0;
    while tried < 300 {
        // Half of them among the few that are not of the first layer.
        let from = if tried % 2 == 0 { 0 } else { INPUTS * shape.hidden };
        let at = from + random.below(shape.len() - from);
        if gradient[at] == 0.0 {
            continue;
        }
        tried += 1;
        let step = 1e-3;
        let mut moved = parameters.clone();
        moved[at] += step;
        let above = loss(&mut pass, &moved);
        moved[at] -= 2.0 * step;
        let below = loss(&mut pass, &moved);
        let slope = (above - below) / f64::from(2.0 * step);
        let found = f64::from(gradient[at]);
        assert!((slope - found).abs() < 2e-3 + 0.03 * slope.abs(), "{at}: {found} is not {slope}");
    }
}

/// Outside what a sample stands on, its mirror included, nothing has a slope.
#[test]
fn only_what_stands_on_the_board_learns() {
    let shape = Shape { hidden: 16 };
    let parameters = parameters(shape);
    let position = Position::from_fen(Edition::CaptureOrConquer, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    let position = position.expect("a position");
    let sample = positions::Sample { position, score: 50, result: 1.0 };
    let sample = Sample::new(&sample, 0).expect("few pieces");
    // Own pawn a2, own King e1, their King e8; as the other sees it: his King e1, pawn a7 and King e8 of the first.
    let plain = [8, 5 * 64 + 4, 384 + 5 * 64 + 60, 5 * 64 + 4, 384 + 48, 384 + 5 * 64 + 60];
    let mirrored = [15, 5 * 64 + 3, 384 + 5 * 64 + 59, 5 * 64 + 3, 384 + 55, 384 + 5 * 64 + 59];
    for (mirror, expected) in [(false, plain), (true, mirrored)] {
        let mut pass = Pass::new(shape);
        pass.learn(&parameters, &sample, mirror, &GOAL);
        let mut rows: Vec<usize> = expected.to_vec();
        rows.sort_unstable();
        rows.dedup();
        let learning: Vec<usize> = (0..INPUTS)
            .filter(|row| pass.gradient[row * 16..][..16].iter().any(|&g| g != 0.0))
            .collect();
        assert_eq!(learning, rows);
    }
}

/// What PyTorch says of three positions by `scripts/torch_gradient.py`.
#[test]
fn pytorch_comes_to_the_same() {
    let text = include_str!("training/torch.json");
    let case: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let numbers = |name: &str| -> Vec<f32> {
        let list = case[name].as_array().expect(name);
        list.iter().map(|x| x.as_f64().expect("a number") as f32).collect()
    };
    let shape = Shape { hidden: 16 };
    // The parameters are a formula, so that the file need not hold them.
    let parameters: Vec<f32> =
        (0..shape.len()).map(|i| ((i * 7_919 % 1_009) as f32 / 1_009.0 - 0.45) / 2.0).collect();
    let mut pass = Pass::new(shape);
    for row in case["samples"].as_array().expect("samples") {
        let fen = row["fen"].as_str().expect("a FEN");
        let position = Position::from_fen(Edition::CaptureOrConquer, fen).expect("a position");
        let number = |name: &str| row[name].as_f64().expect(name);
        let (score, result) = (number("score") as i16, number("result") as f32);
        let sample = positions::Sample { position, score, result };
        let sample = Sample::new(&sample, number("base") as i16).expect("few pieces");
        pass.learn(&parameters, &sample, false, &GOAL);
    }
    let loss = case["loss"].as_f64().expect("a loss");
    assert!((pass.loss - loss).abs() < 1e-5 * loss, "{} is not {loss}", pass.loss);
    let rows = numbers("rows");
    assert!(rows.len() > 20);
    let mut expected = vec![0.0; shape.len()];
    for (row, values) in rows.iter().zip(numbers("slopes").chunks(16)) {
        expected[*row as usize * 16..][..16].copy_from_slice(values);
    }
    let tail = numbers("tail");
    let at = shape.len() - tail.len();
    expected[at..].copy_from_slice(&tail);
    for (i, (found, expected)) in pass.gradient.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() < 1e-6 + 1e-4 * expected.abs(), "{i}: {found} {expected}");
    }
}

fn plan(base: Base) -> Plan {
    Plan {
        hidden: 16,
        epochs: 4,
        batch: 100,
        rates: (0.01, 0.0002),
        decay: 0.01,
        lambda: 1.0,
        scale: 180,
        base,
        seed: 3,
    }
}

fn data() -> Samples {
    Samples { training: samples(20_000, 11), validation: samples(1_000, 12), games: 0 }
}

fn trained(threads: usize) -> Training {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut training = Training::new(plan(Base::Nothing));
    let data = data();
    pool.install(|| {
        while training.epochs.len() < 4 {
            assert!(training.epoch(&data, &AtomicBool::new(false), |_| ()));
        }
    });
    training
}

/// The score counts Queens; after a few epochs the network has seen that, on other games too, and its
/// whole numbers say the same.
#[test]
fn what_can_be_learnt_is_learnt() {
    let training = trained(2);
    let data = data();
    let none = training.loss_of_base(&data.validation);
    let learnt = training.loss(&data.validation);
    assert!(learnt < none / 3.0, "{learnt} against {none}");
    let rounded = training.rounded().loss(&data.validation);
    assert!((rounded - learnt).abs() < 0.02 * none, "{rounded} against {learnt}");
    let evaluation = Evaluation::Network(training.network(String::new()).into());
    let value = |fen: &str| {
        let position = Position::from_fen(Edition::CaptureOrConquer, fen).expect("a position");
        evaluation.evaluate(&position)
    };
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    let ahead = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    let behind = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w - - 0 1");
    assert!(behind + 50 < start && start + 50 < ahead, "{behind} {start} {ahead}");
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let whole = trained(2).network(String::new());
    assert_eq!(trained(1).network(String::new()), whole);

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.part");
    let data = data();
    let mut training = Training::new(plan(Base::Nothing));
    for epoch in 0..4 {
        training.save(&path).expect("written");
        // An epoch that is stopped half way is lost, the state before it is not.
        let stop = AtomicBool::new(false);
        assert!(!training.epoch(&data, &stop, |_| stop.store(true, Ordering::Relaxed)));
        let bytes = std::fs::read(&path).expect("readable");
        training = Training::load(&plan(Base::Nothing), &bytes).expect("the same plan");
        assert_eq!(training.epochs.len(), epoch);
        assert!(Training::load(&plan(Base::HandMade), &bytes).is_none(), "another plan");
        assert!(Training::load(&plan(Base::Nothing), &bytes[1..]).is_none(), "damaged");
        assert!(training.epoch(&data, &AtomicBool::new(false), |_| ()));
    }
    assert_eq!(training.network(String::new()), whole);
}

/// Two threads write their games in any order; the samples are the same.
#[test]
fn the_order_of_games_does_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let edition = Edition::CaptureOrConquer;
    let plan = Games { edition, nodes: 60, numbers: (0, 24), threads: 2, seed: 5 };
    let path = folder.path().join("games.ugam");
    let mut writer = Writer::append(&path, edition, |_| ()).expect("opens");
    let done = Default::default();
    selfplay::play(&plan, &done, &mut writer, &AtomicBool::new(false), |_| ()).expect("played");
    let games: Vec<_> =
        Reader::open(&path).expect("opens").map(|game| game.expect("whole")).collect();
    assert!(games.len() > 20);
    // The other way round, in two files.
    let parts = ["a", "b"].map(|name| folder.path().join(name));
    for (part, games) in parts.iter().zip(games.chunks(15)) {
        let mut writer = Writer::append(part, edition, |_| ()).expect("opens");
        games.iter().rev().for_each(|game| writer.write(game).expect("written"));
    }
    let read = |files: &[std::path::PathBuf]| {
        let samples = sample::read(files, Base::HandMade, || ()).expect("readable");
        assert_eq!(samples.games, games.len() as u64);
        assert!(samples.training.len() > 100 && !samples.validation.is_empty());
        format!("{:?} {:?}", samples.training, samples.validation)
    };
    let [a, b] = parts;
    assert_eq!(read(&[path]), read(&[b, a]));
}
