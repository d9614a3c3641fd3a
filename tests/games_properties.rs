//! Properties of the board games that hold for every position and every game, and agreement with a second, naive statement of
//! their rules (`tests/reference_games`), over random games and boards with men thrown at random.
//!
//! `USURPER_TEST_SEED=n` takes other games, `USURPER_TEST_SCALE=n` n times as many.

mod random;
mod reference_games;

use std::collections::HashMap;

use random::Random;
use reference_games::{Board, KINDS, Kind, Verdict};
use usurper::board::Color;
use usurper::games::{Game, LIMIT, Position, Record, game};
use usurper::rules::Outcome;

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn random_for(test: u64) -> Random {
    Random::new(environment("USURPER_TEST_SEED", 1) << 32 | test)
}

fn scaled(count: usize) -> usize {
    count * environment("USURPER_TEST_SCALE", 1) as usize
}

fn the_game(kind: Kind) -> &'static dyn Game {
    game(kind.name()).expect("a known game")
}

/// Starts: the usual board, and Konane's smaller ones.
fn starts(kind: Kind) -> Vec<String> {
    let mut starts = vec![kind.start().to_owned()];
    if kind == Kind::Konane {
        starts.push("PpPpPp/pPpPpP/PpPpPp/pPpPpP/PpPpPp/pPpPpP b - 0 1".to_owned());
        starts.push("PpPp/pPpP/PpPp/pPpP b - 0 1".to_owned());
    }
    starts
}

/// Men thrown on the usual board, few or many, with all other fields.
fn thrown(random: &mut Random, kind: Kind) -> String {
    let start = Board::from_fen(kind, kind.start());
    let mut board = Board::empty(kind, start.files, start.ranks);
    let share = 5 + random.below(90);
    for (file, rank) in board.places().collect::<Vec<_>>() {
        if random.chance(share) {
            // Konane's men never leave the points of their colour.
            let white = match kind {
                Kind::Konane => (file + rank) % 2 == 1,
                _ => random.chance(50),
            };
            board.set((file, rank), if white { b'P' } else { b'p' });
        }
    }
    board.white = random.chance(50);
    board.count = random.below(70) as u32;
    board.number = 1 + random.below(200) as u32;
    board.fen()
}

/// Calls `check` with many positions of each game: those of random games, and thrown ones that it accepts.
fn each_position(test: u64, games: usize, throws: usize, mut check: impl FnMut(Kind, &Position)) {
    let mut random = random_for(test);
    for kind in KINDS {
        for start in starts(kind) {
            for _ in 0..scaled(games) {
                let start = Position::from_fen(the_game(kind), &start).expect("a good FEN");
                let mut record = Record::new(start);
                while record.outcome().is_none() && record.moves().len() < 150 {
                    check(kind, record.position());
                    let mut legal = record.legal();
                    record.play(legal.swap_remove(random.below(legal.len())));
                }
                check(kind, record.position());
            }
        }
        for _ in 0..scaled(throws) {
            if let Ok(position) = Position::from_fen(the_game(kind), &thrown(&mut random, kind)) {
                check(kind, &position);
            }
        }
    }
}

fn verdict(outcome: Option<Outcome>) -> Option<(&'static str, String)> {
    outcome.map(|outcome| (outcome.winner_name(), outcome.reason.to_string()))
}

fn expected(verdict: Option<Verdict>) -> Option<(&'static str, String)> {
    verdict.map(|(winner, reason)| (winner, reason.to_owned()))
}

/// Each move's text and the position after it, sorted.
fn moves(position: &Position) -> Vec<(String, String)> {
    let one = |m| (usurper::games::Move::text(m, position.grid()), position.play(m).to_fen());
    let mut moves: Vec<_> = position.moves().iter().map(one).collect();
    moves.sort();
    moves
}

fn reference_moves(board: &Board) -> Vec<(String, String)> {
    let mut moves: Vec<_> =
        board.steps().into_iter().map(|step| (step.text, step.after.fen())).collect();
    moves.sort();
    moves
}

// ---- the second statement of the rules ----

/// Whole games: moves, what each would bring, results, occurrences.
#[test]
fn games_agree_with_the_reference() {
    let mut random = random_for(1);
    let mut reasons: HashMap<(Kind, String), usize> = HashMap::new();
    for kind in KINDS {
        for start in starts(kind) {
            for number in 0..scaled(12) {
                let position = Position::from_fen(the_game(kind), &start).expect("a good FEN");
                let mut record = Record::new(position);
                let mut naive = reference_games::Game::new(Board::from_fen(kind, &start));
                // Games that shuffle end by repetition or the limit.
                let shuffles = number % 3 == 2;
                while record.outcome().is_none() {
                    let at =
                        format!("{:?} after {} plies", record.position(), record.moves().len());
                    assert_eq!(naive.verdict, None, "{at}");
                    assert_eq!(moves(record.position()), reference_moves(&naive.board), "{at}");
                    let mut steps = naive.board.steps();
                    if shuffles {
                        let quiet: Vec<_> =
                            steps.iter().filter(|step| step.after.count > 0).cloned().collect();
                        steps = if quiet.is_empty() { steps } else { quiet };
                    }
                    let step = steps.swap_remove(random.below(steps.len()));
                    let m = record.position().read_move(&step.text).expect("legal in both");
                    let announced = verdict(record.outcome_after(&m));
                    assert_eq!(
                        announced,
                        expected(naive.verdict_after(&step)),
                        "{at} {}",
                        step.text
                    );
                    record.play(m);
                    naive.play(&step);
                    assert_eq!(record.position().to_fen(), naive.board.fen(), "{at}");
                    assert_eq!(record.repetitions(), naive.repetitions(), "{at}");
                    assert_eq!(verdict(record.outcome()), announced, "{at}");
                }
                let reason = record.outcome().expect("over").reason.to_string();
                *reasons.entry((kind, reason)).or_default() += 1;
            }
        }
    }
    // What random games come to.
    for (kind, reason) in [
        (Kind::Alquerque, "elimination"),
        (Kind::Konane, "no-moves"),
        (Kind::Fanorona, "elimination"),
        (Kind::Seega, "elimination"),
        (Kind::Surakarta, "elimination"),
    ] {
        assert!(reasons.contains_key(&(kind, reason.to_owned())), "{kind:?} {reason}: {reasons:?}");
    }
    for reason in ["repetition", "no-progress"] {
        assert!(reasons.keys().any(|(_, other)| other == reason), "{reason}: {reasons:?}");
    }
}

/// Boards that nobody would play to: moves and what the board shows.
#[test]
fn thrown_positions_agree_with_the_reference() {
    let mut random = random_for(2);
    for kind in KINDS {
        let (mut accepted, mut over) = (0, 0);
        for _ in 0..scaled(500) {
            let fen = thrown(&mut random, kind);
            let Ok(position) = Position::from_fen(the_game(kind), &fen) else { continue };
            let board = Board::from_fen(kind, &fen);
            accepted += 1;
            // Both sides without enough men: no game comes there.
            if position.game().name() == "seega"
                && Color::ALL.into_iter().all(|color| position.men(color).count() < 2)
            {
                continue;
            }
            over += usize::from(position.outcome().is_some());
            assert_eq!(verdict(position.outcome()), expected(board.verdict()), "{kind:?} {fen}");
            assert_eq!(moves(&position), reference_moves(&board), "{kind:?} {fen}");
        }
        assert!(accepted > 100 && over < accepted, "{kind:?}: {accepted} accepted, {over} over");
    }
}

/// The reference has the moves of the vectors, so that both statements are held to the same judge.
#[test]
fn the_reference_agrees_with_the_vectors() {
    #[derive(serde::Deserialize)]
    struct Case {
        edition: String,
        fen: String,
        nodes: Vec<u64>,
    }
    fn count(board: &Board, depth: usize) -> u64 {
        let steps = board.steps();
        if depth <= 1 {
            return steps.len() as u64;
        }
        steps.iter().map(|step| count(&step.after, depth - 1)).sum()
    }
    let path = format!("{}/tests/vectors/folk-perft.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors lie beside the tests");
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).expect("one JSON object a line");
        let kind = KINDS.into_iter().find(|kind| kind.name() == case.edition).expect("a game");
        for (depth, &nodes) in (1..).zip(&case.nodes).take_while(|&(_, &nodes)| nodes < 3_000) {
            assert_eq!(count(&Board::from_fen(kind, &case.fen), depth), nodes, "{line}, {depth}");
        }
    }
}

// ---- what holds everywhere ----

#[test]
fn fen_and_key_survive_reading_and_writing() {
    each_position(3, 4, 150, |kind, position| {
        let fen = position.to_fen();
        let again = Position::from_fen(the_game(kind), &fen).expect("what is written can be read");
        assert_eq!((&again, again.to_fen()), (position, fen));
        assert_eq!(again.key(), position.key());
        // The counters are no part of what a repetition compares.
        let standing: Vec<&str> = again.to_fen().leak().split(' ').take(3).collect();
        let other = Position::from_fen(the_game(kind), &format!("{} 0 1", standing.join(" ")));
        assert_eq!(other.expect("a good FEN").key(), position.key());
    });
}

/// Two positions have the same key exactly if the first three fields of their FENs are the same.
#[test]
fn keys_tell_positions_apart() {
    let mut keys: HashMap<(Kind, u8, u64), String> = HashMap::new();
    each_position(4, 6, 150, |kind, position| {
        let fen = position.to_fen();
        let standing = fen.splitn(4, ' ').take(3).collect::<Vec<_>>().join(" ");
        let place = (kind, position.grid().files, position.key());
        let known = keys.entry(place).or_insert_with(|| standing.clone());
        assert_eq!(*known, standing);
    });
    let named = keys.iter().map(|((kind, ..), standing)| (kind.name(), standing));
    let mut different: Vec<(&str, &String)> = named.collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), keys.len());
    assert!(keys.len() > 1_000);
}

/// Every move is read from its text, in capitals too, and no two moves share one.
#[test]
fn moves_survive_their_text() {
    each_position(5, 4, 100, |_, position| {
        let mut legal = position.moves();
        legal.truncate(60);
        for m in &legal {
            let text = m.text(position.grid());
            assert_eq!(position.read_move(&text).as_ref(), Ok(m), "{position:?} {text}");
            assert_eq!(position.read_move(&text.to_uppercase()).as_ref(), Ok(m), "{position:?}");
            if let [_, one, other] = text.split('@').collect::<Vec<_>>()[..] {
                let turned = format!("@{other}@{one}");
                assert_eq!(position.read_move(&turned).as_ref(), Ok(m), "{position:?} {turned}");
            }
        }
        let mut hints: Vec<String> = legal.iter().map(|m| m.text(position.grid())).collect();
        hints.sort();
        hints.dedup();
        assert_eq!(hints.len(), legal.len(), "{position:?}");
    });
}

/// What a move does to the numbers of men, to the counters and to the turn.
#[test]
fn moves_do_what_moves_can() {
    each_position(6, 4, 100, |kind, position| {
        let us = position.side();
        let count = |position: &Position, color| position.men(color).count();
        let mut takes = false;
        for m in position.moves() {
            let after = position.play(&m);
            let at = format!("{position:?} {}", m.text(position.grid()));
            let taken = count(position, !us) - count(&after, !us);
            assert_eq!(taken, m.taken.count(), "{at}");
            takes |= taken > 0;
            let placed = position.hand(us) - after.hand(us);
            let gone = u32::from(kind == Kind::Konane && m.way.len() == 1);
            assert_eq!(count(&after, us) + gone, count(position, us) + u32::from(placed), "{at}");
            assert_eq!(after.side(), !us, "{at}");
            let irreversible = taken > 0 || placed > 0 || gone > 0;
            let quiet = if irreversible { 0 } else { position.quiet() + 1 };
            assert_eq!(after.quiet(), quiet, "{at}");
            let next = position.number() + u16::from(us == Color::Black);
            assert_eq!(after.number(), next, "{at}");
        }
        // In Konane there is nothing but captures, and no quiet position to wait for.
        if kind != Kind::Konane && position.outcome().is_none() {
            assert_eq!(position.game().can_capture(position), takes, "{position:?}");
        }
    });
}

/// The board turned by half a circle: its moves turn too, and it is worth the same. And the colours exchanged on the board
/// mirrored: the same for the other side.
#[test]
fn turned_and_exchanged_positions_are_worth_the_same() {
    /// Where a place goes to, by the numbers of files and ranks.
    type Way = fn(u8, u8, u8, u8) -> (u8, u8);
    let turned: Way = |file, rank, files, ranks| (files - 1 - file, ranks - 1 - rank);
    let mirrored: Way = |file, rank, files, _| (files - 1 - file, rank);
    let change = |position: &Position, way: Way, exchange: bool| {
        let board = Board::from_fen(
            KINDS.into_iter().find(|k| k.name() == position.game().name()).expect("a game"),
            &position.to_fen(),
        );
        let mut other = board;
        let (files, ranks) = (board.files as u8, board.ranks as u8);
        for (file, rank) in board.places() {
            let man = board.get((file, rank));
            let man = match man {
                b'P' if exchange => b'p',
                b'p' if exchange => b'P',
                man => man,
            };
            let (file, rank) = way(file as u8, rank as u8, files, ranks);
            other.set((file.into(), rank.into()), man);
        }
        if exchange {
            other.white = !board.white;
            other.hand.swap(0, 1);
        }
        Position::from_fen(position.game(), &other.fen()).expect("as good as before")
    };
    let change_text = |text: &str, position: &Position, way: Way| {
        let grid = position.grid();
        let mut changed = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letters.peek() {
                Some(digit) if letter.is_ascii_lowercase() && digit.is_ascii_digit() => {
                    let (file, rank) = (letter as u8 - b'a', *digit as u8 - b'1');
                    let (file, rank) = way(file, rank, grid.files, grid.ranks);
                    changed.push((b'a' + file) as char);
                    changed.push((b'1' + rank) as char);
                    letters.next();
                }
                _ => changed.push(letter),
            }
        }
        changed
    };
    each_position(7, 2, 100, |kind, position| {
        let gaps = position.vacant().count();
        for (way, exchange) in [(turned, false), (mirrored, true)] {
            // Konane's first removals are Black's, then White's, and in Seega White places first.
            let opening = match kind {
                Kind::Konane => gaps < 2,
                Kind::Seega => Color::ALL.into_iter().any(|color| position.hand(color) > 0),
                _ => false,
            };
            if exchange && opening {
                continue;
            }
            let other = change(position, way, exchange);
            if position.outcome().is_none() {
                let (one, two) = (position.game(), other.game());
                assert_eq!(one.evaluate(position), two.evaluate(&other), "{position:?} {other:?}");
            }
            let moves = position.moves();
            assert_eq!(moves.len(), other.moves().len(), "{position:?} {other:?}");
            for m in moves.iter().take(40) {
                let text = change_text(&m.text(position.grid()), position, way);
                let same = other.read_move(&text);
                let same = same.unwrap_or_else(|error| panic!("{position:?} {other:?}: {error}"));
                let (after, expected) =
                    (other.play(&same), change(&position.play(m), way, exchange));
                assert_eq!(after.key(), expected.key(), "{position:?} {text}");
            }
        }
    });
}

/// A score beyond the limit would be taken for a win that is proven.
#[test]
fn evaluations_stay_within_the_limit() {
    let mut seen = 0;
    each_position(8, 4, 200, |_, position| {
        if position.outcome().is_none() {
            let value = position.game().evaluate(position);
            assert!(value.abs() <= LIMIT, "{position:?}: {value}");
            seen += 1;
        }
    });
    assert!(seen > 1_000);
}

// ---- bad input ----

/// Texts that were positions once: each is read or refused with one short line, and what is read can be written.
#[test]
fn damaged_fens_are_refused_in_one_line() {
    let mut random = random_for(9);
    let letters: Vec<char> = "Pp19/w-b 0,@\u{e9}\u{0}\t".chars().collect();
    let mut refused = 0;
    for kind in KINDS {
        for _ in 0..scaled(600) {
            let mut text: Vec<char> = thrown(&mut random, kind).chars().collect();
            for _ in 0..1 + random.below(4) {
                let at = random.below(text.len().max(1));
                match random.below(4) {
                    0 if text.len() > 1 => drop(text.remove(at)),
                    0 | 1 => text.insert(at, random.pick(&letters)),
                    2 => text[at] = random.pick(&letters),
                    _ => text.truncate(at.max(1)),
                }
            }
            let text: String = text.into_iter().collect();
            match Position::from_fen(the_game(kind), &text) {
                Ok(position) => {
                    let again = Position::from_fen(the_game(kind), &position.to_fen());
                    assert_eq!(again, Ok(position), "{text:?}");
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with("FEN: ") && error.len() < 200, "{text:?}: {error}");
                    assert_eq!(error.lines().count(), 1, "{text:?}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// Texts that were moves once: a move is read only by its own text.
#[test]
fn damaged_moves_are_refused() {
    let mut random = random_for(10);
    let letters: Vec<char> = "abcdefi123459+-@x\u{e9} ".chars().collect();
    let mut refused = 0;
    each_position(11, 1, 30, |_, position| {
        for m in position.moves().iter().take(5) {
            let mut text: Vec<char> = m.text(position.grid()).chars().collect();
            let at = random.below(text.len());
            match random.below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, random.pick(&letters)),
                _ => text[at] = random.pick(&letters),
            }
            let text: String = text.into_iter().collect();
            match position.read_move(&text) {
                Ok(read) => assert!(position.moves().contains(&read), "{position:?} {text:?}"),
                Err(error) => {
                    assert!(error.to_string().contains(&format!("{text:?}")), "{error}");
                    refused += 1;
                }
            }
        }
    });
    assert!(refused > 500, "{refused}");
}
