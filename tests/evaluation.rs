//! What must hold of any evaluation: the same for both sides, and on both wings where the rules are.

mod random;

use random::{Random, thrown_position};
use usurper::board::{Color, PieceKind, Square};
use usurper::eval::{self, evaluate, win_permille};
use usurper::rules::{Edition, GameRecord, Position};

/// Calls `visit` with positions thrown together, a board full of Queens among them.
fn thrown_positions(mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(7);
    for edition in Edition::ALL {
        for _ in 0..5_000 {
            if let Ok(position) =
                Position::from_fen(edition, &thrown_position(&mut random, edition))
            {
                visit(&position);
            }
        }
    }
}

/// Calls `visit` with the positions of some hundred random games of each edition.
fn random_positions(mut visit: impl FnMut(&Position)) {
    let mut seed = 7u64;
    for edition in Edition::ALL {
        for _ in 0..150 {
            let mut game = GameRecord::from_start(edition);
            while game.outcome().is_none() && game.moves().len() < 200 {
                visit(game.position());
                let moves = game.position().legal_moves();
                seed = usurper::board::zobrist::splitmix(seed);
                let choice = moves[(seed % moves.len() as u64) as usize];
                game.play(choice).expect("a legal move");
            }
        }
    }
}

#[test]
fn both_colours_are_judged_alike() {
    let mut judged = 0;
    let mut judge = |position: &Position| {
        assert_eq!(evaluate(position), evaluate(&position.mirrored()), "{}", position.to_fen());
        assert!(evaluate(position).abs() <= eval::LIMIT);
        judged += 1;
    };
    random_positions(&mut judge);
    thrown_positions(&mut judge);
    assert!(judged > 20_000);
}

/// The FEN with files mirrored, without castling and en passant.
fn other_wing(position: &Position) -> Position {
    let fen = position.to_fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    fields[0] = fields[0]
        .split('/')
        .map(|row| row.chars().rev().collect::<String>())
        .collect::<Vec<_>>()
        .join("/");
    fields[2] = "-".to_owned();
    fields[3] = "-".to_owned();
    Position::from_fen(position.edition(), &fields.join(" ")).expect("a mirrored FEN is valid")
}

#[test]
fn both_wings_are_judged_alike_in_todays_edition() {
    random_positions(|position| {
        if position.edition() == Edition::CaptureOrConquer {
            let mirrored = other_wing(position);
            assert_eq!(evaluate(position), evaluate(&mirrored), "{}", position.to_fen());
        }
    });
}

/// More is better: a side that gets a Queen for nothing is never judged worse by it than by a pawn's
/// worth of misplacement.
#[test]
fn a_queen_more_is_worth_much() {
    random_positions(|position| {
        let us = position.side_to_move();
        let Some(queen) = position.of(us, PieceKind::Queen).first() else { return };
        let mut fields: Vec<String> = position.to_fen().split(' ').map(str::to_owned).collect();
        fields[0] = without(position, queen);
        fields[3] = "-".to_owned();
        let Ok(poorer) = Position::from_fen(position.edition(), &fields.join(" ")) else { return };
        let drop = evaluate(position) - evaluate(&poorer);
        assert!(drop > 200, "{} {drop}", position.to_fen());
    });
}

/// The placement field without the piece on a square.
fn without(position: &Position, square: Square) -> String {
    let mut rows = Vec::new();
    for rank in (0..8).rev() {
        let mut row = String::new();
        for file in 0..8 {
            let at = Square::at(file, rank);
            row.push(match position.piece_at(at).filter(|_| at != square) {
                None => '1',
                Some((Color::White, kind)) => kind.letter(),
                Some((Color::Black, kind)) => kind.letter().to_ascii_lowercase(),
            });
        }
        rows.push(row);
    }
    rows.join("/")
}

#[test]
fn winning_chances_rise_with_the_score_and_mirror() {
    for edition in Edition::ALL {
        let position = Position::start(edition);
        assert_eq!(win_permille(0, &position), 500);
        for score in (0..2_000).step_by(50) {
            assert!(win_permille(score + 50, &position) >= win_permille(score, &position));
            let sum = win_permille(score, &position) + win_permille(-score, &position);
            assert!((999..=1001).contains(&sum), "{score}: {sum}");
        }
        assert!(win_permille(1_500, &position) > 980);
    }
}

/// What the tuner is told is what the player plays with.
#[test]
fn coefficients_times_weights_are_the_value() {
    let conquest = |position: &Position| {
        if position.edition().has_draws() {
            return; // the value is scaled down towards draws
        }
        let weights: Vec<_> = eval::weight_table(position.edition())
            .into_iter()
            .flat_map(|(_, weights)| weights)
            .collect();
        let (mut full, mut empty) = (0, 0);
        for (index, times) in eval::coefficients(position) {
            full += weights[index].0 * times;
            empty += weights[index].1 * times;
        }
        let phase = eval::phase(position);
        let value = (full * phase + empty * (eval::FULL_PHASE - phase)) / eval::FULL_PHASE;
        let value = value.clamp(-eval::LIMIT, eval::LIMIT);
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        assert_eq!(evaluate(position), sign * value, "{}", position.to_fen());
    };
    random_positions(conquest);
    thrown_positions(conquest);
}

/// The three chances are chances, mirrored when the score is, and there is no draw where the rules know none.
#[test]
fn chances_sum_to_one() {
    for edition in Edition::ALL {
        let start = Position::start(edition);
        for score in (-3_000..=3_000).step_by(50) {
            let [win, draw, loss] = eval::wdl(score, &start);
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert_eq!(eval::wdl(-score, &start), [loss, draw, win], "{score}");
            assert!(edition.has_draws() || draw == 0, "{score}");
        }
    }
}

/// The table for people ends with the value the player uses, and its columns line up.
#[test]
fn trace_tells_the_value() {
    thrown_positions(|position| {
        let text = eval::trace(position);
        let last = text.lines().last().expect("a line");
        let value = format!("{:+} for the side to move", evaluate(position));
        assert!(last.ends_with(&value), "{text}");
        let mut bars = text
            .lines()
            .filter(|line| line.contains('|'))
            .map(|line| line.match_indices('|').map(|(at, _)| at).collect::<Vec<_>>());
        let first = bars.next().expect("a head");
        assert!(bars.all(|others| others == first), "{text}");
    });
}
