//! Properties that hold for every position and every game, and agreement with a second, naive
//! statement of the rules (`tests/reference`), over random games and positions thrown at random.
//!
//! A seeded loop rather than a shrinking framework: a failure names the edition and the FEN, which is
//! all one needs to see it again, and the positions of a game are dear to make and useless to shrink.
//! `USURPER_TEST_SEED=n` takes other games, `USURPER_TEST_SCALE=n` n times as many.

mod random;
mod reference;

use std::collections::{BTreeSet, HashSet};

use random::{Random, thrown_position};
use reference::{Board, Game};
use usurper::rules::notation::{Letters, Style, parse_move, san, san_among, write_move};
use usurper::rules::perft::{divide, perft};
use usurper::rules::{Edition, GameRecord, Move, MoveKind, Outcome, Position};

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn random_for(test: u64) -> Random {
    Random::new(environment("USURPER_TEST_SEED", 1) << 32 | test)
}

fn scaled(count: usize) -> usize {
    count * environment("USURPER_TEST_SCALE", 1) as usize
}

/// Calls `check` with many positions of each edition: those of random games, and thrown ones.
fn each_position(test: u64, games: usize, thrown: usize, check: impl Fn(&Position)) {
    let mut random = random_for(test);
    for edition in Edition::ALL {
        for _ in 0..scaled(games) {
            let mut game = GameRecord::from_start(edition);
            while game.outcome().is_none() && game.moves().len() < 200 {
                check(game.position());
                let m = random_move(&mut random, game.position());
                game.play(m).expect("a generated move is legal");
            }
            check(game.position());
        }
        for _ in 0..scaled(thrown) {
            if let Ok(position) =
                Position::from_fen(edition, &thrown_position(&mut random, edition))
            {
                check(&position);
            }
        }
    }
}

/// A legal move, with a liking for what is rare: Escorts, Decoys, castling, King's moves.
fn random_move(random: &mut Random, position: &Position) -> Move {
    let moves = position.legal_moves();
    let rare: Vec<Move> = moves.iter().copied().filter(|m| !m.is_normal()).collect();
    if !rare.is_empty() && random.chance(20) {
        return random.pick(&rare);
    }
    // Leaving a King to be taken ends most games at once: rather not, three times out of four.
    let sound: Vec<Move> =
        moves.iter().copied().filter(|&m| position.play(m).king_capture().is_none()).collect();
    if !sound.is_empty() && random.chance(75) { random.pick(&sound) } else { random.pick(&moves) }
}

fn name(position: &Position) -> String {
    format!("{} {}", position.edition(), position.to_fen())
}

fn names(outcome: Option<Outcome>) -> Option<(&'static str, String)> {
    outcome.map(|o| (o.winner_name(), o.reason.to_string()))
}

fn reference_names(result: Option<reference::Result>) -> Option<(&'static str, String)> {
    result.map(|(winner, reason)| (winner, reason.to_owned()))
}

// ---- The second statement of the rules -------------------------------------------------------

/// The reference's moves as (coordinates, SAN, position after), sorted.
fn reference_moves(board: &Board) -> Vec<(String, String, String)> {
    let steps = board.steps();
    let mut listed: Vec<_> =
        steps.iter().map(|step| (step.coordinates(), step.san(&steps), step.after.fen())).collect();
    listed.sort();
    listed
}

fn engine_moves(position: &Position) -> Vec<(String, String, String)> {
    let moves = position.legal_moves();
    let mut listed: Vec<_> = moves
        .iter()
        .map(|&m| {
            let text = san_among(position, &moves, m, Letters::English);
            (m.to_string(), text, position.play(m).to_fen())
        })
        .collect();
    listed.sort();
    listed
}

#[test]
fn thrown_positions_agree_with_the_reference() {
    let mut random = random_for(1);
    let (mut accepted, mut finished) = (0, 0);
    for edition in Edition::ALL {
        for _ in 0..scaled(1500) {
            let fen = thrown_position(&mut random, edition);
            let board = Board::from_fen(edition, &fen);
            let Ok(position) = Position::from_fen(edition, &fen) else {
                assert!(!board.is_acceptable(), "{edition} {fen}: refused");
                continue;
            };
            assert!(board.is_acceptable(), "{edition} {fen}: accepted");
            accepted += 1;
            assert_eq!(position.to_fen(), board.fen(), "{edition} {fen}");
            assert_eq!(position.in_check(), board.king_attacked(board.white), "{edition} {fen}");
            let result = names(position.finished());
            assert_eq!(result, reference_names(board.finished()), "{edition} {fen}");
            let result = names(position.outcome());
            assert_eq!(result, reference_names(board.result()), "{edition} {fen}");
            finished += usize::from(result.is_some());
            if board.king_attacked(!board.white) && edition == Edition::Chess {
                continue; // dead material, and a King that could be taken: there are no such moves
            }
            assert_eq!(engine_moves(&position), reference_moves(&board), "{edition} {fen}");

            let game = Game::new(board);
            let record = GameRecord::new(position);
            for step in board.steps() {
                let text = step.coordinates();
                let m = parse_move(&position, &text, Letters::English).expect("legal in both");
                let result = names(record.outcome_after(m));
                assert_eq!(
                    result,
                    reference_names(game.result_after(&step)),
                    "{edition} {fen} {text}"
                );
            }
        }
    }
    assert!(
        accepted > scaled(2500) && finished > scaled(300),
        "{accepted} accepted, {finished} over"
    );
}

/// The reference is itself held to the vectors.
#[test]
fn the_reference_agrees_with_the_vectors() {
    let cases = |file: &str| -> Vec<serde_json::Value> {
        let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the vectors lie beside the tests");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("one JSON object a line"))
            .collect()
    };
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let board = |case: &serde_json::Value| {
        let edition =
            Edition::parse(case["edition"].as_str().expect("a name")).expect("an edition");
        // The reference reads six fields only; what stands there is for other tests to say.
        let fen = case["fen"].as_str().expect("a FEN").to_owned();
        let position = Position::from_fen(edition, &fen).expect("a good FEN");
        Board::from_fen(edition, &position.to_fen())
    };
    for case in cases("moves.jsonl") {
        let board = board(&case);
        let result = board.result().map(|(winner, reason)| serde_json::json!([winner, reason]));
        assert_eq!(result.unwrap_or_default(), case["result"], "{case}");
        let moves = if board.result().is_some() { Vec::new() } else { reference_moves(&board) };
        let listed: Vec<_> =
            moves.iter().map(|(text, san, _)| serde_json::json!([text, san])).collect();
        assert_eq!(serde_json::Value::from(listed), case["moves"], "{case}");
    }
    for case in cases("games.jsonl") {
        let mut game = Game::new(board(&case));
        for wanted in case["moves"].as_array().expect("a list") {
            assert_eq!(game.result, None, "{case}");
            let steps = game.board.steps();
            let step = steps
                .iter()
                .find(|step| step.coordinates() == *wanted || step.san(&steps) == *wanted)
                .unwrap_or_else(|| panic!("{case}: {wanted}"));
            game.play(step);
        }
        let (winner, reason) = game.result.unzip();
        assert_eq!(winner.map(str::to_owned), text(&case["winner"]), "{case}");
        assert_eq!(reason.map(str::to_owned), text(&case["reason"]), "{case}");
        assert_eq!(game.board.fen(), case["final_fen"], "{case}");
    }
}

/// Positions a ply before a side has no move, in Capture or Conquer and in chess.
const NEARLY_STUCK: [&str; 3] = [
    "4k3/8/8/8/p1p5/P1Pp4/RB1P4/KRB5 b - - 0 1",
    "4k1n1/8/8/8/5p1p/4pP1P/4P1BR/5BRK b - - 0 1",
    "k7/8/8/8/8/4QK2/8/4R3 w - - 0 1",
];

/// Plays a game in both, asking for everything after each move; notes each ending that it saw at
/// hand, played or not.
fn compare_game(
    random: &mut Random,
    edition: Edition,
    start: &str,
    plies: usize,
    endings: &mut BTreeSet<String>,
) {
    let Ok(position) = Position::from_fen(edition, start) else { return };
    let mut record = GameRecord::new(position);
    let mut game = Game::new(Board::from_fen(edition, start));
    let mut texts: Vec<String> = Vec::new();
    let mut back: Vec<(usize, usize)> = Vec::new();
    for _ in 0..plies {
        let here = format!("{edition} {start} moves {}", texts.join(" "));
        assert_eq!(names(record.outcome()), reference_names(game.result), "{here}");
        assert_eq!(record.repetitions() as usize, game.repetitions(), "{here}");
        assert_eq!(record.position().to_fen(), game.board.fen(), "{here}");
        if game.result.is_some() {
            break;
        }
        let steps = game.board.steps();
        assert_eq!(engine_moves(record.position()), reference_moves(&game.board), "{here}");
        let read = |text: &str| {
            parse_move(record.position(), text, Letters::English).expect("legal in both")
        };
        for step in &steps {
            let text = step.coordinates();
            let result = names(record.outcome_after(read(&text)));
            assert_eq!(result, reference_names(game.result_after(step)), "{here}, then {text}");
            endings.extend(result.map(|(_, reason)| format!("{edition} {reason}")));
        }
        // Going back where one came from makes positions repeat.
        let returning = back.len().checked_sub(2).and_then(|i| {
            steps.iter().find(|step| (step.to, step.from) == back[i] && step.promotion.is_none())
        });
        let wanted = match returning {
            Some(step) if random.chance(60) => step.coordinates(),
            _ => random_move(random, record.position()).to_string(),
        };
        let step = steps.iter().find(|step| step.coordinates() == wanted).expect("legal in both");
        back.push((step.from, step.to));
        let m = read(&wanted);
        record.play(m).expect("legal in both");
        game.play(step);
        texts.push(wanted);
    }
}

#[test]
fn games_agree_with_the_reference() {
    let mut random = random_for(2);
    let mut endings = BTreeSet::new();
    for edition in Edition::ALL {
        let start = Position::start(edition).to_fen();
        for _ in 0..scaled(10) {
            compare_game(&mut random, edition, &start, 120, &mut endings);
        }
        for _ in 0..scaled(80) {
            let start = thrown_position(&mut random, edition);
            compare_game(&mut random, edition, &start, 40, &mut endings);
        }
        for start in NEARLY_STUCK {
            for _ in 0..scaled(5) {
                compare_game(&mut random, edition, start, 4, &mut endings);
            }
        }
    }
    let seen: Vec<&str> = endings.iter().map(String::as_str).collect();
    let wanted = [
        "captureorconquer capture",
        "captureorconquer conquest",
        "captureorconquer no-moves",
        "captureorconquer repetition",
        "captureorconquer-classic capture",
        "captureorconquer-classic conquest",
        "captureorconquer-classic no-moves",
        "captureorconquer-classic repetition",
        "chess checkmate",
        "chess fifty-moves",
        "chess insufficient",
        "chess repetition",
        "chess stalemate",
    ];
    assert_eq!(seen, wanted, "every ending occurs");
}

// ---- Properties ------------------------------------------------------------------------------

#[test]
fn keys_are_kept() {
    each_position(3, 30, 1000, |position| {
        assert_eq!(position.key(), position.computed_key(), "{}", name(position));
        for m in position.legal_moves() {
            let after = position.play(m);
            assert_eq!(after.key(), after.computed_key(), "{} {m}", name(position));
            let read = Position::from_fen(after.edition(), &after.to_fen());
            if let Ok(read) = read {
                assert_eq!(read, after, "{} {m}", name(position));
                assert_eq!(read.table_key(), after.table_key(), "{} {m}", name(position));
            } else {
                // Only chess drawn by dead material goes on to positions that it would refuse.
                assert!(position.outcome().is_some(), "{} {m}", name(position));
            }
        }
        let null = position.play_null();
        assert_eq!(null.key(), null.computed_key(), "{}", name(position));
    });
}

#[test]
fn keys_tell_positions_apart() {
    let mut random = random_for(4);
    for edition in Edition::ALL {
        let mut texts = std::collections::HashMap::new();
        for _ in 0..scaled(30) {
            let mut game = GameRecord::from_start(edition);
            while game.outcome().is_none() && game.moves().len() < 150 {
                let m = random_move(&mut random, game.position());
                game.play(m).expect("a generated move is legal");
                let position = game.position();
                let fen = position.to_fen();
                let fields: Vec<&str> = fen.split(' ').collect();
                let placement = fields[..2].join(" ");
                let whole = fields[..4].join(" ");
                for (key, text) in [(position.key(), placement), (!position.table_key(), whole)] {
                    assert_eq!(texts.entry(key).or_insert_with(|| text.clone()), &text);
                }
            }
        }
    }
}

#[test]
fn legality_of_a_single_move_agrees_with_the_generator() {
    each_position(5, 3, 100, |position| {
        if position.edition() == Edition::Chess && position.king_attacked(!position.side_to_move())
        {
            return; // drawn by dead material, and no position that chess knows moves for
        }
        let moves = position.legal_moves();
        let set: HashSet<u16> = moves.iter().map(|m| m.bits()).collect();
        assert_eq!(set.len(), moves.len(), "{}: a move twice", name(position));
        assert_eq!(position.legal_move_count(), moves.len(), "{}", name(position));
        for bits in 0..=u16::MAX {
            let legal = Move::from_bits(bits).is_some_and(|m| position.is_legal(m));
            assert_eq!(
                legal,
                set.contains(&bits),
                "{} {:?}",
                name(position),
                Move::from_bits(bits)
            );
        }
    });
}

#[test]
fn moves_in_sixteen_bits() {
    for bits in 0..=u16::MAX {
        if let Some(m) = Move::from_bits(bits) {
            assert_eq!(Move::new(m.from(), m.to(), m.kind()), m);
            assert_eq!(m.bits(), bits);
            assert_ne!(m.from(), m.to());
        }
    }
}

#[test]
fn fen_survives_reading_and_writing() {
    each_position(6, 40, 3000, |position| {
        let fen = position.to_fen();
        let read = Position::from_fen(position.edition(), &fen);
        assert_eq!(read.as_ref(), Ok(position), "{}", name(position));
    });
}

#[test]
fn moves_survive_all_notations() {
    each_position(7, 5, 250, |position| {
        let moves = position.legal_moves();
        let styles = [
            (Style::Coordinate, Letters::English),
            (Style::Coordinate, Letters::Portuguese),
            (Style::San, Letters::English),
            (Style::San, Letters::Portuguese),
        ];
        for (style, letters) in styles {
            let mut texts = HashSet::new();
            for &m in &moves {
                let text = write_move(position, m, style, letters);
                let here = format!("{} {m:?} {text}", name(position));
                assert_eq!(parse_move(position, &text, letters), Ok(m), "{here}");
                assert!(texts.insert(text.clone()), "{here}: twice");
                for lenient in lenient_forms(position, m, &text, style) {
                    let read = parse_move(position, &lenient, letters);
                    assert_eq!(read, Ok(m), "{here} as {lenient}");
                }
            }
        }
    });
}

/// Other ways to write the same move that must be read.
fn lenient_forms(position: &Position, m: Move, text: &str, style: Style) -> Vec<String> {
    let mut forms: Vec<String> =
        ["+", "#", "!", "?", "!?", "++", "+!!"].map(|end| format!("{text}{end}")).into();
    if m.promotion().is_some() {
        let becomes = text.trim_end_matches(['+', '#']).len() - 1;
        forms.push(text[..becomes].to_owned() + &text[becomes..].to_lowercase());
        forms.push(text[..becomes].to_owned() + &text[becomes..].to_uppercase());
        if position.edition() != Edition::Chess {
            forms.push(text[..becomes].trim_end_matches('=').to_owned());
        }
    }
    if style == Style::Coordinate {
        return forms;
    }
    forms.push(text.trim_end_matches(['+', '#']).to_owned());
    match m.kind() {
        MoveKind::Castle => forms.extend([text.replace('0', "O"), text.replace('O', "0")]),
        MoveKind::Escort | MoveKind::Decoy => {}
        _ => {
            forms.push(text.replace('=', ""));
            // The whole origin, with and without the sign of a capture.
            let piece = text
                .chars()
                .next()
                .filter(char::is_ascii_uppercase)
                .map_or(String::new(), String::from);
            let becomes = text.find('=').map_or("", |at| &text[at..]);
            let (from, to) = (m.from(), m.to());
            forms.push(format!("{piece}{from}{to}{becomes}"));
            if position.is_capture(m) {
                forms.push(text.replace('x', ""));
                forms.push(format!("{piece}{from}x{to}{becomes}"));
            } else {
                forms.push(format!("{piece}{from}-{to}{becomes}"));
            }
        }
    }
    forms
}

/// Castling's signs for the Escort by a Rook along the first rank.
#[test]
fn castling_signs_name_the_rook_escort() {
    let edition = Edition::CaptureOrConquer;
    let read = |fen: &str, text: &str| {
        let position = Position::from_fen(edition, fen).expect("a good FEN");
        parse_move(&position, text, Letters::English).map(|m| (m.to_string(), m.kind()))
    };
    let white = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    let black = "r3k2r/8/8/8/8/8/8/4K3 b - - 0 1";
    for short in ["O-O", "0-0"] {
        assert_eq!(read(white, short), Ok(("e1g1".to_owned(), MoveKind::Escort)));
        assert_eq!(read(black, short), Ok(("e8g8".to_owned(), MoveKind::Escort)));
    }
    for long in ["O-O-O", "0-0-0"] {
        assert_eq!(read(white, long), Ok(("e1c1".to_owned(), MoveKind::Escort)));
        assert_eq!(read(black, long), Ok(("e8c8".to_owned(), MoveKind::Escort)));
    }
    // A Queen's Escort, and a King elsewhere, are none.
    assert!(read("4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1", "O-O").is_err());
    assert!(read("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "O-O").is_err());
    assert!(read("4k3/8/8/8/8/8/4K2R/8 w - - 0 1", "O-O").is_err());
    // It is not how the Escort is written.
    let position = Position::from_fen(edition, white).expect("a good FEN");
    let escort = parse_move(&position, "O-O", Letters::English).expect("read");
    assert_eq!(san(&position, escort, Letters::English), "ERf1");
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let mirrored = |m: Move| Move::new(m.from().flip(), m.to().flip(), m.kind());
    each_position(8, 25, 1000, |position| {
        let mirror = position.mirrored();
        assert_eq!(mirror.mirrored(), *position, "{}", name(position));
        assert_eq!(mirror.key(), mirror.computed_key(), "{}", name(position));
        let sorted = |mut bits: Vec<u16>| {
            bits.sort_unstable();
            bits
        };
        let moves = position.legal_moves();
        let here = sorted(moves.iter().map(|&m| mirrored(m).bits()).collect());
        let there = sorted(mirror.legal_moves().iter().map(|m| m.bits()).collect());
        assert_eq!(here, there, "{}", name(position));
        let turned = |outcome: Option<Outcome>| {
            outcome.map(|o| Outcome { winner: o.winner.map(|color| !color), reason: o.reason })
        };
        assert_eq!(turned(position.outcome()), mirror.outcome(), "{}", name(position));
        for &m in &moves {
            let after = position.play(m);
            let there = mirror.play(mirrored(m));
            assert_eq!(after.key(), there.mirrored().key(), "{} {m}", name(position));
            assert_eq!(turned(after.outcome()), there.outcome(), "{} {m}", name(position));
        }
    });
}

#[test]
fn noisy_moves_are_captures_and_promotions() {
    each_position(9, 60, 3000, |position| {
        if position.finished().is_some() {
            return;
        }
        let noisy: HashSet<Move> = position.noisy_moves().into_iter().collect();
        assert_eq!(noisy.len(), position.noisy_moves().len(), "{}", name(position));
        let wanted = position
            .legal_moves()
            .into_iter()
            .filter(|&m| position.is_capture(m) || m.promotion().is_some())
            .collect();
        assert_eq!(noisy, wanted, "{}", name(position));
        for m in position.legal_moves() {
            assert_eq!(
                position.is_capture(m),
                position.captured(m).is_some(),
                "{}",
                name(position)
            );
            let men = |p: &Position| p.occupied().count();
            let fewer = men(position) - men(&position.play(m));
            assert_eq!(fewer, u32::from(position.is_capture(m)), "{} {m}", name(position));
        }
    });
}

/// A move that wins by taking the King or by an arrival, found by playing all moves.
fn wins_by_king(position: &Position) -> (Vec<Move>, Vec<Move>) {
    let us = position.side_to_move();
    let goal = usurper::rules::goal_rank(us);
    let (mut captures, mut arrivals) = (Vec::new(), Vec::new());
    for m in position.legal_moves() {
        let after = position.play(m);
        if after.finished().and_then(|o| o.winner) != Some(us) {
            continue;
        }
        if after.king(!us).is_none() {
            captures.push(m);
        } else if position.king(us) == Some(m.from()) && goal.has(m.to()) {
            arrivals.push(m);
        }
    }
    (captures, arrivals)
}

fn check_winning_moves(position: &Position) {
    if position.outcome().is_some() {
        return;
    }
    let (captures, arrivals) = wins_by_king(position);
    let here = || name(position);
    match position.king_capture() {
        Some(m) => assert!(captures.contains(&m), "{}: {m} takes no King", here()),
        None => assert_eq!(captures, [], "{}", here()),
    }
    // A King that can be taken must be taken: an ultimatum allows nothing else.
    if captures.is_empty() {
        match position.safe_arrival(position.side_to_move()) {
            Some(m) => assert!(arrivals.contains(&m), "{}: {m} does not arrive", here()),
            None => assert_eq!(arrivals, [], "{}", here()),
        }
    }
    match position.winning_move() {
        Some(m) => assert!(captures.contains(&m) || arrivals.contains(&m), "{}: {m}", here()),
        None => assert!(captures.is_empty() && arrivals.is_empty(), "{}", here()),
    }
}

fn check_danger(position: &Position) {
    // Who can take the King is in no danger; an ultimatum pending is the case where it matters.
    if position.outcome().is_some() || position.king_capture().is_some() {
        return;
    }
    let null = position.play_null();
    assert_eq!(position.in_check(), null.king_capture().is_some(), "{}", name(position));
    let (captures, arrivals) = wins_by_king(&null);
    let lost = null.finished().is_some() || !captures.is_empty() || !arrivals.is_empty();
    if position.edition() != Edition::Chess {
        assert_eq!(position.in_danger(), lost, "{}", name(position));
    } else {
        assert_eq!(position.in_danger(), position.in_check(), "{}", name(position));
    }
}

#[test]
fn winning_moves_are_found_without_playing() {
    each_position(10, 60, 6000, check_winning_moves);
}

#[test]
fn danger_is_what_a_pass_would_lose_to() {
    each_position(11, 60, 6000, check_danger);
}

/// Every position of two Kings and one more man, the white King near its goal and, as left and right
/// are alike, on the left.
#[test]
fn winning_moves_and_danger_with_three_men() {
    for edition in [Edition::CaptureOrConquer, Edition::Classic] {
        for (white, black) in (40..64)
            .filter(|white| white % 8 < 4)
            .flat_map(|white| (0..64).map(move |black| (white, black)))
        {
            for man in (0..64).filter(|&man| man != white && man != black && white != black) {
                for letter in "PNBRQpnbrq".chars() {
                    if "Pp".contains(letter) && matches!(man / 8, 0 | 7) {
                        continue;
                    }
                    let fen = random::placement(|index| match index {
                        _ if index == white => 'K',
                        _ if index == black => 'k',
                        _ if index == man => letter,
                        _ => '.',
                    });
                    for side in ["w", "b"] {
                        let fen = format!("{fen} {side} - - 0 1");
                        let position = Position::from_fen(edition, &fen).expect("a good FEN");
                        check_winning_moves(&position);
                        check_danger(&position);
                    }
                }
            }
        }
    }
}

#[test]
fn results_announced_are_results_reached() {
    let mut random = random_for(12);
    for edition in Edition::ALL {
        for _ in 0..scaled(40) {
            let mut game = GameRecord::from_start(edition);
            while game.outcome().is_none() && game.moves().len() < 120 {
                let here = name(game.position());
                for m in game.position().legal_moves() {
                    let mut next = game.clone();
                    next.play(m).expect("a generated move is legal");
                    assert_eq!(next.outcome(), game.outcome_after(m), "{here} {m}");
                    assert_eq!(next.keys().len(), next.moves().len() + 1);
                    // What the board alone shows is never taken back by the history, except that a
                    // repetition is judged before a side without moves.
                    if let Some(outcome) = next.position().finished() {
                        assert_eq!(next.outcome(), Some(outcome), "{here} {m}");
                    } else if next.position().outcome().is_some() {
                        assert!(next.outcome().is_some(), "{here} {m}");
                    }
                }
                let m = random_move(&mut random, game.position());
                game.play(m).expect("a generated move is legal");
            }
        }
    }
}

#[test]
fn a_move_that_cannot_be_played_changes_nothing() {
    let mut game = GameRecord::from_start(Edition::CaptureOrConquer);
    let before = game.clone();
    for bits in (0..=u16::MAX).step_by(7) {
        let Some(m) = Move::from_bits(bits) else { continue };
        if !game.position().is_legal(m) {
            assert!(game.play(m).is_err());
            assert_eq!((game.position(), game.keys()), (before.position(), before.keys()));
        }
    }
}

#[test]
fn irreversible_moves_cannot_be_taken_back() {
    // After one, no earlier position of a random game ever stands again; a game's own keys show it.
    let mut random = random_for(13);
    for edition in Edition::ALL {
        for _ in 0..scaled(200) {
            let mut game = GameRecord::from_start(edition);
            let mut since = 0;
            while game.outcome().is_none() && game.moves().len() < 150 {
                let m = random_move(&mut random, game.position());
                let irreversible = game.position().is_irreversible(m);
                game.play(m).expect("a generated move is legal");
                if irreversible {
                    since = game.keys().len() - 1;
                }
                let now = game.position().repetition_key();
                assert!(!game.keys()[..since].contains(&now), "{}", name(game.position()));
            }
        }
    }
}

#[test]
fn perft_counts_what_the_moves_lead_to() {
    each_position(14, 1, 60, |position| {
        let two: usize =
            position.legal_moves().into_iter().map(|m| position.play(m).legal_move_count()).sum();
        assert_eq!(perft(position, 2), two as u64, "{}", name(position));
        let divided: u64 = divide(position, 2).iter().map(|&(_, nodes)| nodes).sum();
        assert_eq!(divided, two as u64, "{}", name(position));
        assert_eq!(perft(position, 1), position.legal_moves().len() as u64, "{}", name(position));
    });
}
