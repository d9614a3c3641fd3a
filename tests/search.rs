//! The search by what the rules say of its answers: lines that are legal and end where they say,
//! distances counted by hand, limits kept, exactly one best move whatever happens.

mod random;

use std::collections::HashSet;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use random::Random;
use usurper::board::Color;
use usurper::rules::{Edition, GameRecord, Move, Position, Reason, notation};
use usurper::search::{Bound, Clock, Engine, Event, Info, Limits, Score, Settings};

/// All that a search told.
struct Told {
    infos: Vec<Info>,
    over: bool,
    best: Option<Move>,
    ponder: Option<Move>,
}

impl Told {
    fn last(&self) -> &Info {
        self.infos.last().expect("a line was told")
    }

    fn mate(&self) -> Option<i32> {
        self.last().score.mate()
    }

    fn best(&self) -> String {
        self.best.map_or("(none)".into(), |m| m.to_string())
    }
}

fn think(engine: &mut Engine, game: &GameRecord, limits: Limits) -> Told {
    let (sender, events) = channel();
    engine.start(game.clone(), limits, move |event| {
        let _ = sender.send(event);
    });
    engine.wait();
    told(events.into_iter().collect())
}

fn told(events: Vec<Event>) -> Told {
    let mut told = Told { infos: Vec::new(), over: false, best: None, ponder: None };
    let mut ends = 0;
    for event in events {
        assert_eq!(ends, 0, "nothing is told after the best move");
        match event {
            Event::Info(info) => told.infos.push(info),
            Event::GameOver(_) => told.over = true,
            Event::BestMove { best, ponder } => {
                (told.best, told.ponder) = (best, ponder);
                ends += 1;
            }
        }
    }
    assert_eq!(ends, 1, "one best move");
    told
}

fn engine() -> Engine {
    Engine::new(Settings { hash_mb: 4, ..Settings::default() })
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn position(edition: Edition, fen: &str) -> Position {
    Position::from_fen(edition, fen).expect(fen)
}

fn find(position: &Position, text: &str) -> Move {
    notation::parse_move(position, text, notation::Letters::English).expect(text)
}

fn game(edition: Edition, fen: &str, moves: &str) -> GameRecord {
    let mut game = GameRecord::new(position(edition, fen));
    for text in moves.split_whitespace() {
        let m = find(game.position(), text);
        game.play(m).expect(text);
    }
    game
}

use Edition::{CaptureOrConquer as Today, Chess, Classic};

/// The line is legal to its last move; a proven score ends with it, for the side and at the distance told.
fn assert_ends_as_told(game: &GameRecord, info: &Info) {
    let context = || format!("{} {info:?}", game.position().to_fen());
    let us = game.position().side_to_move();
    let mut line = game.clone();
    for &m in &info.pv {
        line.play(m).unwrap_or_else(|error| panic!("{error}: {}", context()));
    }
    assert!(!info.pv.is_empty(), "{}", context());
    let (Score::Mate(moves), Bound::Exact) = (info.score, info.bound) else { return };
    let outcome = line.outcome().unwrap_or_else(|| panic!("the game goes on: {}", context()));
    let winner = if moves > 0 { us } else { !us };
    assert_eq!(outcome.winner, Some(winner), "{}", context());
    // The loser's own move ends the game only when it repeats.
    let full = 2 * moves.unsigned_abs() as usize - usize::from(moves > 0);
    let by_own_move = 2 * moves.unsigned_abs() as usize - usize::from(moves < 0);
    let by_repetition = outcome.reason == Reason::Repetition && info.pv.len() == by_own_move;
    assert!(info.pv.len() == full || by_repetition, "{}", context());
}

/// Distances that can be counted by hand.
#[test]
fn distances_to_the_end() {
    let cases = [
        // The Rook takes the King; the King takes the King.
        (Today, "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", 1),
        (Today, "8/8/8/4k3/4K3/8/8/8 b - - 0 1", 1),
        // A step onto the goal rank; the same lost in two, won in three, lost in four plies.
        (Today, "8/2K5/8/7k/8/8/8/8 w - - 0 1", 1),
        (Today, "8/2K5/8/7k/8/8/8/8 b - - 0 1", -1),
        (Today, "8/8/2K5/7k/8/8/8/8 w - - 0 1", 2),
        (Today, "8/8/2K5/7k/8/8/8/8 b - - 0 1", -2),
        (Classic, "8/8/2K5/7k/8/8/8/8 b - - 0 1", -2),
        // An Escort by the Rook, which slides from b8 to b7 while the King jumps to b8. Where there is no
        // Escort the King walks: b7, then a8 or c8.
        (Today, "1R6/8/1K6/8/7k/8/8/8 w - - 0 1", 1),
        (Classic, "1R6/8/1K6/8/7k/8/8/8 w - - 0 1", 2),
        // In chess a stalemate. Here every move of the King lets it be taken.
        (Today, "k7/8/1Q6/8/8/8/8/7K b - - 0 1", -1),
        (Classic, "k7/8/8/1Q6/8/8/8/7K w - - 0 1", 2),
        // Mate on the back rank, a smothered mate.
        (Chess, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1),
        (Chess, "6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", 1),
    ];
    for (edition, fen, expected) in cases {
        for mirrored in [false, true] {
            let position = position(edition, fen);
            let position = if mirrored { position.mirrored() } else { position };
            let game = GameRecord::new(position);
            let told = think(&mut engine(), &game, depth(8));
            assert_eq!(told.mate(), Some(expected), "{edition} {}", position.to_fen());
            for info in &told.infos {
                assert_ends_as_told(&game, info);
            }
        }
    }
}

#[test]
fn a_stalemate_in_chess_is_a_draw() {
    let game = game(Chess, "k7/8/8/1Q6/8/8/8/7K w - - 0 1", "");
    let only = Limits { search_moves: vec![find(game.position(), "b5b6")], ..depth(6) };
    assert_eq!(think(&mut engine(), &game, only).last().score, Score::Cp(0));
}

/// The draws of chess are seen: nothing to win with, a hundred plies without progress.
#[test]
fn dead_draws_in_chess() {
    for fen in ["7k/8/8/8/8/3b4/3p4/3K4 w - - 0 1", "7k/8/8/8/8/8/R7/K7 w - - 99 90"] {
        let game = game(Chess, fen, "");
        let told = think(&mut engine(), &game, depth(6));
        let drawn = fen.contains("R7") || told.best() == "d1d2";
        assert!(drawn && told.last().score == Score::Cp(0), "{fen} {:?}", told.last());
    }
}

/// Every line of searches over positions of random games and over wild positions.
#[test]
fn lines_are_legal_and_end_where_they_say() {
    let mut random = Random::new(117);
    let mut engine = engine();
    let mut proven = 0;
    for round in 0..90 {
        let edition = Edition::ALL[round % 3];
        let game = random_game(&mut random, edition, round % 2 == 0);
        if game.outcome().is_some() {
            continue;
        }
        let told = think(&mut engine, &game, Limits { nodes: Some(50_000), ..depth(7) });
        for info in &told.infos {
            assert_ends_as_told(&game, info);
            proven += usize::from(info.score.mate().is_some());
        }
        assert_eq!(told.best, told.last().pv.first().copied());
        if let Some(answer) = told.ponder {
            let mut game = game.clone();
            game.play(told.best.expect("a move")).expect("legal");
            assert_eq!(game.outcome_after(answer), None);
        }
    }
    assert!(proven > 60, "{proven}");
}

/// Random moves from the start, or from pieces thrown on the board.
fn random_game(random: &mut Random, edition: Edition, thrown: bool) -> GameRecord {
    let mut start = Position::start(edition);
    if thrown {
        let fens = std::iter::repeat_with(|| random::thrown_position(random, edition));
        start = fens
            .filter_map(|fen| Position::from_fen(edition, &fen).ok())
            .find(|position| position.outcome().is_none())
            .expect("one is good");
    }
    let mut game = GameRecord::new(start);
    for _ in 0..if thrown { random.below(4) } else { random.below(60) } {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        let mut next = game.clone();
        if next.play(random.pick(&moves)).is_ok() && next.outcome().is_none() {
            game = next;
        }
    }
    game
}

/// A win or loss in a few plies, told by a plain search of all moves to that depth, is found by the
/// engine with the same distance; and it claims none that there is not.
#[test]
fn short_wins_and_losses_equal_a_full_search() {
    let mut random = Random::new(2_024);
    let mut engine = engine();
    let mut decided = 0;
    for round in 0..150 {
        let edition = Edition::ALL[round % 3];
        let game = random_game(&mut random, edition, round % 4 != 0);
        if game.outcome().is_some() || game.position().legal_move_count() > 25 {
            continue;
        }
        let exact = full_search(&game, 4);
        let told = think(&mut engine, &game, depth(8));
        let mate = told.mate().filter(|moves| moves.abs() <= 2);
        let context = || format!("{edition} {} {:?}", game.position().to_fen(), told.last());
        match exact {
            Some(exact) => {
                decided += 1;
                assert_eq!(mate, Some(exact), "{}", context());
            }
            None => assert!(
                mate.is_none_or(|m| m == -2 || m == 2 && told.last().pv.len() == 4),
                "{}",
                context()
            ),
        }
    }
    assert!(decided > 15, "{decided}");
}

/// The distance in moves if either side can force the end within `plies`, by the game's rules alone.
fn full_search(game: &GameRecord, plies: u32) -> Option<i32> {
    let us = game.position().side_to_move();
    (1..=plies).find_map(|n| {
        let moves = n.div_ceil(2) as i32;
        match forced(game, n) {
            Some(winner) if winner == us => Some(moves),
            Some(_) => Some(-moves),
            None => None,
        }
    })
}

/// Who wins within `plies`, if anyone can force it.
fn forced(game: &GameRecord, plies: u32) -> Option<Color> {
    let us = game.position().side_to_move();
    let mut all_lose = true;
    for m in game.position().legal_moves() {
        let winner = match game.outcome_after(m) {
            Some(outcome) => outcome.winner,
            None if plies > 1 => {
                let mut next = game.clone();
                next.play(m).expect("a legal move");
                forced(&next, plies - 1)
            }
            None => None,
        };
        if winner == Some(us) {
            return winner;
        }
        all_lose &= winner.is_some();
    }
    all_lose.then_some(!us)
}

#[test]
fn a_node_limit_is_never_passed_on_one_thread() {
    let mut engine = engine();
    let game = GameRecord::from_start(Today);
    for nodes in [1, 2, 7, 100, 511, 512, 513, 1_000, 4_321] {
        let told = think(&mut engine, &game, Limits { nodes: Some(nodes), ..Limits::default() });
        assert!(told.infos.iter().all(|info| info.nodes <= nodes), "{nodes}");
        assert!(game.position().is_legal(told.best.expect("a move")));
    }
    let told = think(&mut engine, &game, Limits { nodes: Some(100_000), ..Limits::default() });
    assert!((90_000..=100_000).contains(&told.last().nodes), "{}", told.last().nodes);
}

#[test]
fn one_thread_is_deterministic() {
    let search = || {
        let told = think(&mut engine(), &GameRecord::from_start(Today), depth(9));
        told.infos.into_iter().map(|i| (i.depth, i.score, i.nodes, i.pv)).collect::<Vec<_>>()
    };
    assert_eq!(search(), search());
}

#[test]
fn multipv_tells_different_moves_the_best_first() {
    let settings = Settings { multi_pv: 4, hash_mb: 4, ..Settings::default() };
    let told = think(&mut Engine::new(settings), &GameRecord::from_start(Today), depth(6));
    let lines: Vec<_> = told.infos.iter().filter(|info| info.depth == 6).collect();
    assert_eq!(lines.iter().map(|i| i.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(lines.iter().map(|i| i.pv[0]).collect::<HashSet<_>>().len(), 4);
    let scores: Vec<_> = lines.iter().map(|i| i.score.cp().expect("no mate here")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(told.best, Some(lines[0].pv[0]));
}

/// With several lines, a line beside the win in one is searched like any other.
#[test]
fn multipv_beside_a_win_in_one() {
    let settings = Settings { multi_pv: 64, hash_mb: 4, ..Settings::default() };
    let game = game(Today, "8/2K5/8/7k/8/8/8/8 w - - 0 1", "");
    let told = think(&mut Engine::new(settings), &game, depth(5));
    let lines: Vec<_> = told.infos.iter().filter(|info| info.depth == 5).collect();
    assert_eq!(lines.len(), 8);
    let wins = lines.iter().filter(|i| i.score == Score::Mate(1)).count();
    assert_eq!(wins, 3); // b8, c8, d8
    assert!(lines.iter().all(|i| i.score.mate().is_some()));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let game = game(Today, "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "");
    let wanted = ["e1e2", "a1b1"].map(|text| find(game.position(), text));
    let told = think(&mut engine(), &game, Limits { search_moves: wanted.to_vec(), ..depth(5) });
    assert!(told.infos.iter().all(|info| wanted.contains(&info.pv[0])));
    assert!(wanted.contains(&told.best.expect("a move")));
}

#[test]
fn a_search_for_a_mate_ends_when_it_is_found() {
    let game = game(Today, "8/8/2K5/7k/8/8/8/8 w - - 0 1", "");
    let told = think(&mut engine(), &game, Limits { mate: Some(2), ..Limits::default() });
    assert_eq!(told.mate(), Some(2));
}

#[test]
fn a_finished_game_has_no_best_move() {
    let game = game(Today, "8/5K2/8/8/8/8/3k4/8 w - - 0 1", "f7f8");
    let told = think(&mut engine(), &game, depth(4));
    assert!(told.over && told.best.is_none() && told.ponder.is_none() && told.infos.is_empty());
}

/// The first line comes at once, and with it the win.
#[test]
fn a_win_in_one_is_played_without_thinking() {
    let game = game(
        Today,
        "r1bqkb1r/pppp1ppp/2n2n2/4N3/4P3/8/PPPP1PPP/RNBQKB1R b - - 0 4",
        "f8d6 e5f7 d8e7 a2a3 e8d8",
    );
    // The Knight on f7 attacks the King on d8.
    let begin = Instant::now();
    let clock = Clock { remaining: Duration::from_secs(300), ..Clock::default() };
    let told = think(&mut engine(), &game, Limits { clock: Some(clock), ..Limits::default() });
    assert_eq!((told.best().as_str(), told.mate()), ("f7d8", Some(1)));
    assert!(begin.elapsed() < Duration::from_secs(10)); // of 300 on the clock
}

#[test]
fn the_time_for_the_move_is_kept() {
    let limits = Limits { movetime: Some(Duration::from_millis(150)), ..Limits::default() };
    let mut engine = engine();
    let begin = Instant::now();
    think(&mut engine, &GameRecord::from_start(Today), limits);
    let taken = begin.elapsed();
    // How late it comes on a busy machine says more of the machine.
    assert!((Duration::from_millis(100)..Duration::from_secs(3)).contains(&taken), "{taken:?}");
}

#[test]
fn an_infinite_search_ends_with_a_stop_only() {
    // Also when the greatest depth is reached at once: the King is taken.
    for fen in ["4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "8/5K2/8/8/8/8/3k4/5R2 w - - 0 1"] {
        let mut engine = engine();
        let (sender, events) = channel();
        let limits = Limits { infinite: true, ..Limits::default() };
        engine.start(game(Today, fen, ""), limits, move |event| {
            let _ = sender.send(event);
        });
        std::thread::sleep(Duration::from_millis(80));
        engine.ponderhit(); // not for this search
        assert!(engine.is_searching());
        assert!(events.try_iter().all(|event| !matches!(event, Event::BestMove { .. })));
        let begin = Instant::now();
        engine.stop();
        engine.wait();
        assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        let ends = events.try_iter().filter(|event| matches!(event, Event::BestMove { .. }));
        assert_eq!(ends.count(), 1);
    }
}

#[test]
fn pondering_ends_with_the_opponents_move() {
    let mut engine = engine();
    let (sender, events) = channel();
    let clock = Clock { remaining: Duration::from_millis(1_000), ..Clock::default() };
    let limits = Limits { ponder: true, clock: Some(clock), ..Limits::default() };
    engine.start(GameRecord::from_start(Today), limits, move |event| {
        let _ = sender.send(event);
    });
    std::thread::sleep(Duration::from_millis(600)); // much more than the clock allows
    assert!(engine.is_searching());
    engine.ponderhit();
    engine.wait();
    let told = told(events.try_iter().collect());
    assert!(told.best.is_some());
}

/// A sink that panics stands for any fault in a searching thread.
#[test]
fn a_panic_in_the_search_still_gives_a_move() {
    let mut engine = engine();
    let (sender, events) = channel();
    let sender = std::sync::Mutex::new(sender);
    engine.start(GameRecord::from_start(Today), depth(5), move |event| match event {
        Event::Info(_) => panic!("on purpose"),
        event => sender.lock().expect("not poisoned").send(event).expect("heard"),
    });
    engine.wait();
    let events: Vec<_> = events.try_iter().collect();
    assert!(matches!(events[..], [Event::BestMove { best: Some(_), .. }]), "{events:?}");
    // And the next search is as good as ever.
    assert!(think(&mut engine, &GameRecord::from_start(Today), depth(4)).best.is_some());
}

#[test]
fn many_threads_and_changing_settings() {
    let mut engine = engine();
    for threads in [8, 1, 3, 2] {
        engine.configure(Settings { threads, hash_mb: threads, ..Settings::default() });
        for moves in ["", "e2e3 e7e6 d2d3"] {
            let start = Position::start(Today).to_fen();
            let game = game(Today, &start, moves);
            let told = think(&mut engine, &game, depth(7));
            assert!(game.position().is_legal(told.best.expect("a move")));
            for info in &told.infos {
                assert_ends_as_told(&game, info);
            }
            // Whichever thread finishes an iteration, the depths told rise to the one asked for.
            let depths: Vec<u32> = told.infos.iter().map(|info| info.depth).collect();
            assert!(depths.is_sorted() && depths.last() == Some(&7), "{threads}: {depths:?}");
        }
        engine.clear();
    }
}

/// Kings alone that have gone to and fro: the position after d8e8 would stand for the third time.
const TO_AND_FRO: &str = "e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1";

/// The mover of a third occurrence loses at once, if it was not forced. Only worse moves may remain.
#[test]
fn the_third_occurrence_loses() {
    for edition in [Today, Classic] {
        let game = game(edition, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", TO_AND_FRO);
        let only = Limits { search_moves: vec![find(game.position(), "d8e8")], ..depth(4) };
        let told = think(&mut engine(), &game, only);
        assert_eq!(told.mate(), Some(-1), "{edition}");
        assert_eq!(told.last().pv.len(), 1);
        assert_ne!(think(&mut engine(), &game, depth(4)).best(), "d8e8");
    }
    let chess = game(Chess, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "");
    assert!(chess.outcome().is_some()); // dead material: needs more on the board
    let chess = game(Chess, "4k3/8/8/8/8/8/R7/4K3 w - - 0 1", TO_AND_FRO);
    let only = Limits { search_moves: vec![find(chess.position(), "d8e8")], ..depth(4) };
    assert_eq!(think(&mut engine(), &chess, only).last().score, Score::Cp(0));
}

/// A second occurrence decides nothing at the root, and never a proven win or loss in the tree.
#[test]
fn a_second_occurrence_is_not_the_end() {
    let game = game(Today, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1 e8d8 d1e1");
    let only = Limits { search_moves: vec![find(game.position(), "d8e8")], ..depth(1) };
    let score = think(&mut engine(), &game, only).last().score;
    assert!(score.cp().is_some_and(|cp| cp.abs() < 5_000), "{score:?}");
}

/// The table, warm from the same positions without their history, does not hide the repetition.
#[test]
fn the_table_does_not_forget_history() {
    let mut engine = engine();
    let fen = "3k4/8/8/8/8/8/8/4K3 b - - 0 4";
    think(&mut engine, &game(Today, fen, ""), depth(10));
    let repeated = game(Today, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", TO_AND_FRO);
    assert_ne!(think(&mut engine, &repeated, depth(4)).best(), "d8e8");
    // Nor does what was learnt with the history remain without it.
    let again = think(&mut engine, &game(Today, fen, ""), depth(10));
    let cold = think(&mut self::engine(), &game(Today, fen, ""), depth(10));
    assert_eq!(again.mate().map(i32::signum), cold.mate().map(i32::signum));
}

/// Who is forced when he repeats wins by it: a King attacked three times by the same check.
#[test]
fn a_forced_third_occurrence_wins() {
    // White checks to and fro on the rank and the file; Black, in check, steps back for the third time.
    let fen = "7k/8/8/8/8/8/8/K5R1 w - - 0 1";
    let moves = "g1h1 h8g8 h1g1 g8h8 g1h1 h8g8 h1g1";
    let game = game(Today, fen, moves);
    assert!(game.position().is_forced() && game.repetitions() == 2);
    let told = think(&mut engine(), &game, depth(5));
    assert_eq!((told.best().as_str(), told.mate()), ("g8h8", Some(1)));
    // In the earlier edition the same move loses.
    let game = self::game(Classic, fen, moves);
    let only = Limits { search_moves: vec![find(game.position(), "g8h8")], ..depth(5) };
    assert_eq!(think(&mut engine(), &game, only).mate(), Some(-1));
}

/// Weak levels play legal moves, take a King that stands there and do not leave their own.
#[test]
fn weakened_play_is_plausible() {
    let wins = game(Today, "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "");
    // The King is attacked and has safe squares.
    let escape = game(Today, "7k/8/8/8/8/8/4P3/K6R b - - 0 1", "");
    let mut moves = HashSet::new();
    for round in 0..20 {
        let settings = Settings { elo: Some(800 + 20 * round), hash_mb: 1, ..Settings::default() };
        let mut engine = Engine::new(settings);
        assert_eq!(think(&mut engine, &wins, depth(3)).best(), "e1e8");
        let told = think(&mut engine, &escape, Limits::default());
        let mut after = escape.clone();
        after.play(told.best.expect("a move")).expect("legal");
        assert_eq!(after.position().king_capture(), None);
        assert!(told.infos.iter().all(|info| info.multipv == 1));
        moves.insert(think(&mut engine, &GameRecord::from_start(Today), Limits::default()).best);
    }
    assert!(moves.len() > 1, "a weak player varies");
}
