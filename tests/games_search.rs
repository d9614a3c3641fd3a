//! The board games' search: its proofs against exhaustive play by the plain rules of `reference_games`, its limits, its play
//! against chance.

mod random;
mod reference_games;

use std::collections::HashMap;
use std::sync::mpsc;
use std::time::Duration;

use random::Random;
use reference_games::endings::{Alquerque, Value, konane, swapped};
use reference_games::{Board, Kind};
use usurper::games::search::{Limits, Thought, start, think};
use usurper::games::{GAMES, Game, Move, Position, Record, game};
use usurper::search::{Bound, Engine, Event, Info, Score, Settings};

fn engine() -> Engine {
    let settings = Settings { hash_mb: 4, move_overhead: Duration::ZERO, ..Settings::default() };
    Engine::new(settings)
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A game that begins at a position of the plain rules.
fn record(board: &Board) -> Record {
    let game = game(board.kind.name()).expect("a game");
    Record::new(Position::from_fen(game, &board.fen()).expect("a good FEN"))
}

/// A game after so many moves by chance, or fewer if it would end.
fn random_record(random: &mut Random, game: &'static dyn Game, plies: usize) -> Record {
    let mut record = Record::new(Position::start(game));
    for _ in 0..plies {
        let mut goes_on = record.legal();
        goes_on.retain(|m| record.outcome_after(m).is_none());
        if goes_on.is_empty() {
            break;
        }
        record.play(goes_on.swap_remove(random.below(goes_on.len())));
    }
    record
}

/// What the search must claim of a value: moves are plies by two, rounded up, negative for the loser.
fn mate(value: Value) -> Option<i32> {
    match value {
        Value::Win(plies) => Some(plies.div_ceil(2) as i32),
        Value::Loss(plies) => Some(-(plies.div_ceil(2) as i32)),
        Value::Draw => None,
    }
}

fn claimed(thought: &Thought) -> Option<i32> {
    thought.info.as_ref().and_then(|info| info.score.mate())
}

// ---- against exhaustive play ----

/// Positions of random play on the small boards, as far as the plain walk comes to an end: who wins, and in how many plies.
#[test]
fn konane_agrees_with_exhaustive_play() {
    let mut random = Random::new(1);
    let mut engine = engine();
    let starts = ["PpPp/pPpP/PpPp/pPpP", "PpPpPp/pPpPpP/PpPpPp/pPpPpP/PpPpPp/pPpPpP"];
    // As far as the walk goes, the whole small board among them.
    let (mut solved, mut longest, mut lost) = (0, 0, 0);
    for (start, games, least, plies) in [(starts[0], 40, 0, 6), (starts[1], 60, 8, 14)] {
        let begin = Board::from_fen(Kind::Konane, &format!("{start} b - 0 1"));
        for i in 0..games {
            let mut board = begin;
            for _ in 0..if i == 0 { least } else { least + random.below(plies) } {
                let steps = board.steps();
                if !steps.is_empty() {
                    board = steps[random.below(steps.len())].after;
                }
            }
            let mut known = HashMap::new();
            let Some(value) = konane(&board, &mut known, &mut 20_000) else { continue };
            solved += 1;
            let thought = think(&mut engine, &record(&board), nodes(3_000_000));
            let (Value::Win(n) | Value::Loss(n)) = value else { panic!("Konane has no draws") };
            longest = longest.max(n);
            lost += usize::from(matches!(value, Value::Loss(_)));
            if n == 0 {
                assert_eq!(thought.best, None, "{board:?}");
                continue;
            }
            assert_eq!(claimed(&thought), mate(value), "{}: {thought:?}", board.fen());
            // The move keeps the distance, by the plain rules.
            let best = thought.best.expect("a move").text(record(&board).position().grid());
            let step = board.steps().into_iter().find(|step| step.text == best).expect("legal");
            let after = konane(&step.after, &mut known, &mut 0);
            let kept = match value {
                Value::Win(n) => Value::Loss(n - 1),
                _ => Value::Win(n - 1),
            };
            assert_eq!(after, Some(kept), "{} {best}", board.fen());
        }
    }
    assert!(solved > 50 && longest >= 10 && lost > 15, "{solved} solved, {longest}, {lost} lost");
}

/// Endings of at most four men, solved backward: the search finds each win and loss of few plies at its distance, and claims
/// none in what is drawn, however long it looks.
#[test]
fn alquerque_agrees_with_solved_endings() {
    let solved = Alquerque::solve(4);
    let longest = solved.all().map(|(_, value)| match value {
        Value::Win(plies) | Value::Loss(plies) => plies,
        Value::Draw => 0,
    });
    assert!(longest.max() < Some(80), "the limit comes before the end of a won game");
    let mut by_distance: HashMap<Option<i32>, Vec<Board>> = HashMap::new();
    for (board, value) in solved.all() {
        by_distance.entry(mate(value)).or_default().push(board);
    }
    let mut random = Random::new(2);
    let mut engine = engine();
    let mut check = |wanted: Option<i32>, nodes_each: u64, count: usize| {
        let boards = by_distance.get(&wanted).unwrap_or_else(|| panic!("{wanted:?} occurs"));
        for _ in 0..count {
            let board = boards[random.below(boards.len())];
            let board = if random.chance(50) { swapped(&board) } else { board };
            let thought = think(&mut engine, &record(&board), nodes(nodes_each));
            assert_eq!(claimed(&thought), wanted, "{}: {thought:?}", board.fen());
        }
    };
    for moves in 1..=6 {
        check(Some(moves), 1_000_000, 15);
    }
    for moves in 1..=5 {
        check(Some(-moves), 1_000_000, 15);
    }
    check(None, 4_000, 120);
}

/// Near the limit of plies without a capture: a win that comes too late is none.
#[test]
fn alquerque_near_the_limit() {
    let solved = Alquerque::solve(3);
    let all: Vec<(Board, Value)> = solved.all().collect();
    let mut random = Random::new(3);
    let mut engine = engine();
    let (mut spoilt, mut won) = (0, 0);
    for _ in 0..150 {
        let (mut board, free) = all[random.below(all.len())];
        board.count = 72 + random.below(8) as u32;
        let value = solved.value_with_count(&board, &mut HashMap::new());
        spoilt += usize::from(value != free);
        won += usize::from(value != Value::Draw);
        let thought = think(&mut engine, &record(&board), nodes(20_000));
        let known = match value {
            // A win or a loss this far away may be beyond so few nodes.
            Value::Win(plies) | Value::Loss(plies) if plies > 10 => continue,
            value => value,
        };
        assert_eq!(claimed(&thought), mate(known), "{} {value:?}: {thought:?}", board.fen());
    }
    assert!(spoilt >= 20 && won >= 20, "{spoilt} spoilt, {won} won");
}

/// The signs, where they can be counted by hand: who takes the last man wins at once, and who must let it happen loses; in
/// Konane who is left without a jump.
#[test]
fn signs_of_proven_ends() {
    for (name, fen, moves) in [
        ("alquerque", "5/2p2/5/1p3/P4 w - 0 1", 1),
        ("alquerque", "5/2P2/5/1P3/p4 b - 0 1", 1),
        // White's last man cannot jump b2, and is jumped on a2 and on b1.
        ("alquerque", "5/5/p1p2/1p3/P1p2 w - 0 1", -1),
        ("fanorona", "9/9/9/9/PP1p5 w - 0 1", 1),
        ("surakarta", "6/6/6/1p4/6/1P4 w - 0 1", 1),
        ("seega", "5/5/5/PP1pP/4p w - 0 1", 1),
        ("konane", "8/8/8/8/8/8/8/pP1P4 b - 0 30", 1),
    ] {
        let game = game(name).expect("a game");
        let record = Record::new(Position::from_fen(game, fen).expect("a good FEN"));
        let thought = think(&mut engine(), &record, nodes(20_000));
        assert_eq!(claimed(&thought), Some(moves), "{name} {fen}: {thought:?}");
    }
}

// ---- against chance ----

#[test]
fn every_game_is_won_against_chance() {
    let mut engine = engine();
    for (i, game) in GAMES.into_iter().enumerate() {
        let mut random = Random::new(10 + i as u64);
        for number in 0..4 {
            engine.clear();
            let mut record = Record::new(Position::start(game));
            let first = record.position().side();
            let us = if number % 2 == 0 { first } else { !first };
            while record.outcome().is_none() {
                let m = if record.position().side() == us {
                    think(&mut engine, &record, nodes(1_500)).best.expect("the game goes on")
                } else {
                    let mut legal = record.legal();
                    legal.swap_remove(random.below(legal.len()))
                };
                record.play(m);
            }
            let winner = record.outcome().and_then(|outcome| outcome.winner);
            assert_eq!(winner, Some(us), "{}, game {number}: {record:?}", game.name());
        }
    }
}

// ---- determinism, limits, ends ----

/// Positions of each game: its start, some way on, and further.
fn samples() -> Vec<Record> {
    let mut random = Random::new(4);
    let mut samples = Vec::new();
    for game in GAMES {
        for plies in [0, 3, 10, 25] {
            samples.push(random_record(&mut random, game, plies));
        }
    }
    samples
}

/// Everything but the time.
fn told(info: Option<Info<Move>>) -> Option<(u32, u32, Score, Bound, u64, Vec<Move>)> {
    info.map(|i| (i.depth, i.seldepth, i.score, i.bound, i.nodes, i.pv))
}

#[test]
fn one_thread_thinks_the_same_every_time() {
    let mut used = engine();
    for record in samples() {
        let once = think(&mut engine(), &record, nodes(3_000));
        used.clear();
        let again = think(&mut used, &record, nodes(3_000));
        assert_eq!(once.best, again.best, "{:?}", record.position());
        assert_eq!(told(once.info), told(again.info), "{:?}", record.position());
    }
}

#[test]
fn limits_are_kept_and_moves_are_legal() {
    let mut engine = engine();
    for record in samples() {
        let at = format!("{:?}", record.position());
        for most in [1, 7, 100, 2_000] {
            let thought = think(&mut engine, &record, nodes(most));
            let info = thought.info.expect("it has searched");
            assert!(info.nodes <= most, "{at}: {} of {most} nodes", info.nodes);
            assert!(record.legal().contains(&thought.best.expect("a move")), "{at}");
            let mut line = record.clone();
            for m in &info.pv {
                assert!(line.legal().contains(m), "{at}: {m:?} of {:?}", info.pv);
                line.play(m.clone());
            }
        }
        let depth = Limits { depth: Some(3), ..Limits::default() };
        let info = think(&mut engine, &record, depth).info.expect("it has searched");
        assert_eq!(info.depth, 3, "{at}");
        let wanted = record.legal().pop().expect("a move");
        let only = Limits { search_moves: vec![wanted.clone()], ..nodes(500) };
        assert_eq!(think(&mut engine, &record, only).best, Some(wanted), "{at}");
        let timed = Limits { movetime: Some(Duration::from_millis(5)), ..Limits::default() };
        assert!(record.legal().contains(&think(&mut engine, &record, timed).best.expect("a move")));
    }
}

/// A search without a limit ends when it is told to, and not before.
#[test]
fn stop_ends_a_search() {
    let mut engine = engine();
    for game in GAMES {
        let record = Record::new(Position::start(game));
        let (sender, events) = mpsc::channel();
        let limits = Limits { infinite: true, ..Limits::default() };
        start(&mut engine, record.clone(), limits, move |event| {
            let _ = sender.send(event);
        });
        let first = events.recv().expect("it tells a line");
        assert!(matches!(first, Event::Info(_)), "{first:?}");
        assert!(engine.is_searching());
        engine.stop();
        engine.wait();
        let mut bests = events.iter().filter_map(|event| match event {
            Event::BestMove { best, .. } => Some(best),
            _ => None,
        });
        let best = bests.next().expect("a best move");
        assert!(record.legal().contains(&best.expect("the game goes on")), "{}", game.name());
        assert_eq!(bests.next(), None);
    }
}

#[test]
fn a_finished_game_has_no_best_move() {
    for (name, fen) in [
        ("alquerque", "5/5/5/1p3/5 w - 0 1"),
        ("alquerque", "5/5/ppp2/ppp2/Ppp2 w - 0 1"),
        ("konane", "8/8/8/8/8/8/8/4p3 w - 0 31"),
        ("fanorona", "9/9/9/9/P8 b - 0 1"),
        ("seega", "5/5/5/pp3/P4 w - 0 1"),
        ("surakarta", "6/6/6/6/6/P5 w - 0 1"),
    ] {
        let game = game(name).expect("a game");
        let record = Record::new(Position::from_fen(game, fen).expect("a good FEN"));
        assert!(record.outcome().is_some(), "{name} {fen}");
        let (sender, events) = mpsc::channel();
        let mut engine = engine();
        start(&mut engine, record.clone(), nodes(100), move |event| {
            let _ = sender.send(event);
        });
        engine.wait();
        let outcome = record.outcome().expect("over");
        let none = Event::BestMove { best: None, ponder: None };
        assert_eq!(events.iter().collect::<Vec<_>>(), [Event::GameOver(outcome), none], "{fen}");
    }
}
