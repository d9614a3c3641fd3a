//! XBoard's protocol from outside: what other engines got wrong (cases adapted from public bug reports,
//! named by the case and its symptom), then how this one plays, analyses and corrects the board of
//! XBoard's window. The transcripts of `protocol.md` show more.

mod common;

use std::time::{Duration, Instant};

use common::{Engine, PATIENCE};
use usurper::rules::notation::{Letters, parse_move};
use usurper::rules::{Edition, GameRecord, Position};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// What XBoard's own window says beyond other clients.
const WINDOW: &str = "accepted highlight";

/// An engine that has introduced itself.
fn start() -> Engine {
    let mut engine = Engine::start();
    engine.send("xboard\nprotover 2");
    let lines = engine.until("feature");
    assert_eq!(lines, ["feature done=0"]);
    while !engine.until("feature").last().expect("a line").ends_with("done=1") {}
    engine
}

/// Sends lines and a `ping`; what comes before its `pong`.
#[track_caller]
fn ask(engine: &mut Engine, text: &str) -> Vec<String> {
    engine.send(text);
    engine.send("ping 77");
    let mut lines = engine.until("pong");
    assert_eq!(lines.pop().as_deref(), Some("pong 77"));
    lines
}

/// The engine's next move.
#[track_caller]
fn its_move(engine: &Engine) -> String {
    let line = engine.until("move").pop().expect("a line");
    line.strip_prefix("move ").expect("a move").to_owned()
}

/// Whether a text is a legal move after these moves of chess from the start.
#[track_caller]
fn legal_in_chess(moves: &[&str], text: &str) {
    let mut game = GameRecord::from_start(Edition::Chess);
    game.replay(moves, Letters::English).expect("a game");
    parse_move(game.position(), text, Letters::English).expect("a legal move");
}

/// A line of thinking: depth, score, and the moves.
fn thinking(line: &str) -> Option<(i64, i64, Vec<&str>)> {
    let (numbers, moves) = line.split_once('\t')?;
    let numbers: Vec<i64> = numbers.split(' ').map(|n| n.parse().expect("a number")).collect();
    assert_eq!(numbers.len(), 7, "{line}");
    Some((numbers[0], numbers[1], moves.split(' ').collect()))
}

/// fairy-stockfish/Fairy-Stockfish#524
#[test]
fn b151_castling_is_read_as_it_is_said() {
    let mut engine = start();
    ask(&mut engine, "force\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(ask(&mut engine, "usermove O-O"), [""; 0]);
    // It is Black's move now.
    assert_eq!(ask(&mut engine, "usermove ERf1"), ["Illegal move: ERf1"]);
    assert_eq!(ask(&mut engine, "usermove e1g1"), ["Illegal move: e1g1"]);
    ask(&mut engine, "variant captureorconquer");
    for text in ["O-O", "ERf1", "e1g1"] {
        ask(&mut engine, "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(ask(&mut engine, &format!("usermove {text}")), [""; 0], "{text}");
        assert_eq!(ask(&mut engine, "usermove e1g1"), ["Illegal move: e1g1"]);
        assert_eq!(ask(&mut engine, "undo"), [""; 0]);
    }
    engine.quit();
}

/// MarkZH/Genetic_Chess#24
#[test]
fn b163_promotions() {
    let mut engine = start();
    ask(&mut engine, "force\nsetboard 7k/3P4/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(ask(&mut engine, "usermove d7d8q"), [""; 0]);
    assert_eq!(ask(&mut engine, "undo\nusermove d7d8"), ["Illegal move: d7d8"]);
    ask(&mut engine, "variant captureorconquer\nsetboard 7k/3P4/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(ask(&mut engine, "usermove d7d8\nundo\nusermove d7d8Q\nundo"), [""; 0]);
    assert_eq!(ask(&mut engine, "usermove d7d8n"), ["Illegal move: d7d8n"]);
    engine.quit();
}

/// fairy-stockfish/Fairy-Stockfish#525
#[test]
fn b253_remove_and_undo() {
    let mut engine = start();
    ask(&mut engine, "new\nforce\nusermove e2e3\nusermove e7e6");
    assert_eq!(ask(&mut engine, "remove\nusermove d2d3"), [""; 0]);
    let refused = "Error (command not legal now): undo";
    assert_eq!(ask(&mut engine, "undo\nundo\nundo"), [refused; 2]);
    assert_eq!(ask(&mut engine, "remove"), ["Error (command not legal now): remove"]);
    // One ply is not two: nothing is taken back.
    ask(&mut engine, "usermove e2e4");
    assert_eq!(ask(&mut engine, "remove"), ["Error (command not legal now): remove"]);
    assert_eq!(ask(&mut engine, "usermove e7e5"), [""; 0]);
    engine.quit();
}

/// georgvonzimmermann/Sunsetter#8
#[test]
fn b255_mates_are_counted_in_moves() {
    let mut engine = start();
    ask(&mut engine, "variant captureorconquer\npost\nforce\nsd 6");
    // Chess has no conquest: the game must be the right one. White's King walks home in two.
    engine.send("setboard 8/8/2K5/7k/8/8/8/8 w - - 0 1\ngo");
    let lines = engine.until("move");
    let last = lines.iter().rev().find_map(|line| thinking(line)).expect("a line of thinking");
    assert_eq!(last.1, 100_002, "{lines:#?}");
    // Black to move, whatever it does White's King is home in two moves more.
    engine.send("force\nsetboard 8/8/2K5/8/7k/8/8/8 b - - 0 1\ngo");
    let lines = engine.until("move");
    let last = lines.iter().rev().find_map(|line| thinking(line)).expect("a line of thinking");
    assert_eq!(last.1, -100_002, "{lines:#?}");
    engine.quit();
}

/// lrozenblyum/chess#207
#[test]
fn b257_moves_with_and_without_a_word() {
    let mut engine = start();
    for spelling in ["e2e3", "usermove e2e3"] {
        engine.send(&format!("new\nst 0.1\n{spelling}"));
        legal_in_chess(&["e2e3"], &its_move(&engine));
    }
    assert_eq!(ask(&mut engine, "force\nnew\ne2e5"), ["Illegal move: e2e5"]);
    assert_eq!(ask(&mut engine, "nonsense"), ["Error (unknown command): nonsense"]);
    engine.quit();
}

/// lichess-bot-devs/lichess-bot#703
#[test]
fn b259_odd_levels_before_each_move() {
    let mut engine = start();
    // The greatest share of a clock for one move leaves time to finish the test.
    assert_eq!(ask(&mut engine, "new\nlevel 0 6:13 2.5\nlevel 0 0:01 0.5"), [""; 0]);
    engine.send("usermove e2e3");
    let answer = its_move(&engine);
    assert_eq!(ask(&mut engine, "level 0 5:58 2.5\ntime 100\notim 36900"), [""; 0]);
    engine.send("usermove d2d3");
    legal_in_chess(&["e2e3", &answer, "d2d3"], &its_move(&engine));
    engine.quit();
}

/// lichess-bot-devs/lichess-bot#91
#[test]
fn b261_the_latest_time_control_wins() {
    let mut engine = start();
    ask(&mut engine, "new\nlevel 0 100 0\nst 0.3");
    let began = Instant::now();
    engine.send("usermove e2e3");
    its_move(&engine);
    assert!(began.elapsed() >= MS(150) && began.elapsed() < MS(2_500), "{:?}", began.elapsed());
    // With a clock of one second again: no move takes the 60 seconds of the time for a move.
    ask(&mut engine, "st 60\nlevel 0 0:10 0\ntime 100");
    let began = Instant::now();
    engine.send("usermove d2d3");
    its_move(&engine);
    assert!(began.elapsed() < MS(2_500), "{:?}", began.elapsed());
    engine.quit();
}

/// niklasf/python-chess#1211
#[test]
fn b263_fractions_of_seconds() {
    let mut engine = start();
    ask(&mut engine, "new");
    for (time, m) in [("0.4", "usermove e2e3"), ("0.2", "usermove d2d3")] {
        assert_eq!(ask(&mut engine, &format!("st {time}")), [""; 0]);
        engine.send(m);
        engine.until_within("move", MS(2_500));
    }
    engine.quit();
}

/// niklasf/python-chess#182
#[test]
fn b265_rarely_used_commands() {
    let mut engine = start();
    let lines = ask(
        &mut engine,
        "accepted usermove\nrejected foo\nnew\nrandom\nvariant normal\nhard\neasy\ncomputer\nname X\n\
         rating 2000 1900\nics freechess.org\nbk\nhint\ndraw\nwhite\nblack\nnps 0\nmemory 16\ncores 2\n\
         egtpath syzygy /x\noption Foo=1\npause\nresume\nedit\n.\nresult * {x}",
    );
    let (hints, others): (Vec<_>, Vec<_>) = lines.iter().partition(|l| l.starts_with("Hint: "));
    assert_eq!(
        others,
        [
            "\tthere is no opening book",
            "",
            "Error (not used with colors=0): white",
            "Error (not used with colors=0): black",
            "Error (no option is named 'Foo'): option Foo=1",
            "Error (not supported, use setboard): edit",
        ]
    );
    let [hint] = hints[..] else { panic!("{lines:#?}") };
    legal_in_chess(&[], &hint["Hint: ".len()..]);
    engine.quit();
}

/// cutechess/cutechess#217
#[test]
fn b267_cores() {
    let mut engine = Engine::start();
    engine.send("xboard\nprotover 2");
    let mut features = engine.until("feature");
    while !features.last().expect("a line").ends_with("done=1") {
        features.extend(engine.until("feature"));
    }
    let named = |name: &str| features.iter().any(|f| f.to_lowercase().contains(name));
    assert!(named("smp=1") && !named("option=\"cores") && !named("option=\"threads"));
    ask(&mut engine, "accepted debug\nnew\ncores 2");
    assert_eq!(
        ask(&mut engine, "option cores=4"),
        ["Error (no option is named 'cores'): option cores=4"]
    );
    assert_eq!(ask(&mut engine, "cores 0"), ["# Threads '0' is not within 1 to 512, using 1"]);
    assert_eq!(
        ask(&mut engine, "cores two"),
        ["Error (Threads takes a whole number from 1 to 512, not 'two'): cores two"]
    );
    engine.send("cores 2\nst 0.1\nusermove e2e3");
    legal_in_chess(&["e2e3"], &its_move(&engine));
    engine.quit();
}

/// cutechess/cutechess#645
#[test]
fn b269_resignation_is_one_word() {
    let mut engine = start();
    // Black has a bare King against two Queens, but may move until it is mated.
    let lost = "new\nforce\nsetboard 8/7k/8/8/8/8/QQ6/K7 w - - 0 1\nsd 3";
    ask(&mut engine, lost);
    let moves = ["b2c2", "c2b2", "b2c2"];
    let played = |engine: &mut Engine, setup: &str| {
        ask(engine, setup);
        ask(engine, "playother");
        let mut answers = Vec::new();
        for m in moves {
            engine.send(&format!("usermove {m}"));
            answers.push(engine.next_within(PATIENCE).expect("an answer"));
        }
        answers
    };
    let answers = played(&mut engine, "option Resign=0");
    assert!(answers.iter().all(|line| line.starts_with("move ")), "{answers:?}");
    ask(&mut engine, lost);
    let answers = played(&mut engine, "option Resign=1");
    assert!(answers[..2].iter().all(|line| line.starts_with("move ")), "{answers:?}");
    assert_eq!(answers[2], "resign");
    engine.quit();
}

/// cutechess/cutechess#405
#[test]
fn b271_no_thinking_unless_asked_for() {
    let mut engine = start();
    engine.send("new\nnopost\nlevel 0 0:01 0\nusermove e2e3");
    assert_eq!(engine.until("move").len(), 1);
    engine.send("post\nusermove d2d3");
    assert!(engine.until("move").iter().filter_map(|line| thinking(line)).count() > 0);
    engine.quit();
}

/// lichess-bot-devs/lichess-bot#181
#[test]
fn b273_history_counts_and_a_second_go_does_not() {
    let mut engine = start();
    engine.send("new\nvariant captureorconquer\nforce");
    for m in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        engine.send(&format!("usermove {m}"));
    }
    engine.send("level 0 0:01 0\ngo\ngo");
    assert_ne!(its_move(&engine), "f6g8");
    assert_eq!(ask(&mut engine, ""), [""; 0]);
    engine.quit();
}

/// fairy-stockfish/Fairy-Stockfish#103
#[test]
fn b275_rejected_features() {
    let mut engine = start();
    let lines = ask(&mut engine, "rejected e7e5\nrejected setboard\naccepted done\nnew\nst 0.1");
    assert_eq!(lines, [""; 0]);
    engine.send("usermove e2e3");
    legal_in_chess(&["e2e3"], &its_move(&engine));
    engine.quit();
}

/// niklasf/python-chess#572
#[test]
fn b279_features_come_after_protover() {
    let mut engine = Engine::start();
    assert_eq!(engine.lines_for(MS(150)), [""; 0]);
    engine.send("xboard");
    assert_eq!(engine.lines_for(MS(150)), [""; 0]);
    engine.send("protover 2");
    let mut lines = engine.until("feature");
    while !lines.last().expect("a line").ends_with("done=1") {
        lines.extend(engine.until("feature"));
    }
    for feature in
        ["ping=1", "setboard=1", "usermove=1", "captureorconquer,captureorconquer-classic,normal"]
    {
        assert!(lines.iter().any(|line| line.contains(feature)), "{feature}: {lines:#?}");
    }
    engine.quit();
}

/// pychess/pychess#515
#[test]
fn b281_analysis_of_a_decided_position() {
    let mut engine = start();
    ask(&mut engine, "variant captureorconquer\npost\nforce");
    engine.send("setboard 8/2K5/8/8/8/8/1k6/8 w - - 0 1\nanalyze");
    let line = engine.next_within(PATIENCE).expect("a line");
    let (_, score, moves) = thinking(&line).expect("a line of thinking");
    assert_eq!((score, moves.len()), (100_001, 1), "{line}");
    assert!(moves[0].starts_with("c7") && moves[0].ends_with('8'), "{line}");
    engine.lines_for(MS(100));
    assert!(ask(&mut engine, "exit").iter().all(|line| thinking(line).is_some()));
    engine.quit();
}

/// The first word chooses, and nothing is said before it.
#[test]
fn the_first_word_chooses_the_protocol() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask(""), [""; 0]);
    engine.send("xboard");
    assert_eq!(ask(&mut engine, "uci"), ["Error (unknown command): uci"]);
    engine.quit();
    let mut engine = Engine::start();
    engine.send("protover 1");
    assert_eq!(ask(&mut engine, ""), [""; 0]);
    engine.quit();
    let mut engine = Engine::start();
    engine.send("uci");
    engine.until("uciok");
    assert_eq!(engine.error("xboard"), "unknown command 'xboard'");
    engine.quit();
}

/// Each kind of bad line has its answer, and the game goes on.
#[test]
fn bad_lines_change_nothing() {
    let mut engine = start();
    ask(&mut engine, "variant captureorconquer\nforce\nusermove e2e4");
    for (line, answer) in [
        ("usermove e7e4", "Illegal move: e7e4"),
        ("usermove @@@@", "Illegal move: @@@@"),
        ("usermove", "Error (expected a move): usermove"),
        ("level 40 5", "Error (expected MOVES MINUTES[:SECONDS] SECONDS): level 40 5"),
        ("st soon", "Error (expected a time in seconds): st soon"),
        ("variant shogi", "Error (unknown variant): variant shogi"),
        ("setboard 8/8 w - - 0 1", "tellusererror Illegal position: FEN: 2 rows instead of 8"),
        ("exit", "Error (command not legal now): exit"),
        ("exclude a1a8", "Error (illegal move): exclude a1a8"),
        ("option Resign=maybe", "Error (Resign takes 0 or 1, not 'maybe'): option Resign=maybe"),
    ] {
        assert_eq!(ask(&mut engine, line), [answer]);
    }
    assert_eq!(ask(&mut engine, "usermove e7e5"), [""; 0]);
    let long = "x".repeat(100_000);
    assert!(ask(&mut engine, &long)[0].len() < 1_000);
    engine.quit();
}

/// While it thinks: the board is its own, a ping waits for the move, `?` fetches it, `force` does not.
#[test]
fn commands_while_it_thinks() {
    let mut engine = start();
    engine.send("new\nst 100\nusermove e2e4\nping 5");
    assert_eq!(engine.lines_for(MS(200)), [""; 0]);
    engine.send("usermove d2d4\nhint\nhard\neasy\ntime 6000\notim 6000\n?");
    let lines = engine.until("pong");
    assert_eq!(lines[..2], ["Illegal move: d2d4", "Error (command not legal now): hint"]);
    assert_eq!(lines.len(), 4, "{lines:#?}");
    legal_in_chess(&["e2e4"], lines[2].strip_prefix("move ").expect("its move"));
    assert_eq!(lines[3], "pong 5");
    engine.send("usermove a2a3");
    engine.lines_for(MS(50));
    assert_eq!(ask(&mut engine, "force"), [""; 0]);
    assert_eq!(engine.lines_for(MS(100)), [""; 0]);
    engine.send("go");
    engine.lines_for(MS(50));
    engine.send("quit");
    assert!(engine.end_within(MS(1_500)).0.success());
}

/// Paused, it neither thinks nor lets its clock run; resumed, it goes on.
#[test]
fn pause_and_resume() {
    let mut engine = start();
    ask(&mut engine, "new\nst 0.2");
    engine.send("usermove e2e4\npause");
    assert_eq!(engine.lines_for(MS(600)), [""; 0]);
    engine.send("resume");
    legal_in_chess(&["e2e4"], &its_move(&engine));
    engine.quit();
}

/// It ponders on the move it expects, and that move's answer comes at once or soon.
#[test]
fn pondering() {
    let mut engine = start();
    ask(&mut engine, "new\npost\nhard\nst 0.3");
    engine.send("usermove e2e4");
    let first = its_move(&engine);
    // Its lines name the move they are about; a hint is that move.
    let mut line = String::new();
    while !line.contains("\t(") {
        line = engine.next_within(PATIENCE).expect("it ponders");
    }
    let lines = ask(&mut engine, "hint");
    let hint =
        lines.iter().find_map(|line| line.strip_prefix("Hint: ")).expect("a hint").to_owned();
    assert!(line.contains(&format!("\t({hint})")), "{line} {hint}");
    engine.lines_for(MS(300));
    engine.send(&format!("usermove {hint}"));
    let second = its_move(&engine);
    legal_in_chess(&["e2e4", &first, &hint], &second);
    // Another move than the expected one, and no more pondering.
    ask(&mut engine, "easy");
    let mut game = GameRecord::from_start(Edition::Chess);
    game.replay(&["e2e4", &first, &hint, &second], Letters::English).expect("a game");
    engine.send(&format!("usermove {}", game.position().legal_moves()[0]));
    its_move(&engine);
    assert_eq!(engine.lines_for(MS(200)), [""; 0]);
    engine.quit();
}

/// Analysis follows the board and leaves out what it is told to.
#[test]
fn analysis() {
    let mut engine = start();
    ask(&mut engine, "variant captureorconquer\nforce\nanalyze");
    let first = |engine: &mut Engine, text: &str| {
        engine.send(text);
        engine.send("ping 3");
        engine.until("pong");
        let line = engine.next_within(PATIENCE).expect("a line");
        let (_, _, moves) = thinking(&line).expect("a line of thinking");
        moves[0].to_owned()
    };
    let board = "setboard 4k3/8/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(first(&mut engine, board), "e1e8");
    assert_ne!(first(&mut engine, "exclude e1e8"), "e1e8");
    assert_eq!(first(&mut engine, "include all"), "e1e8");
    ask(&mut engine, "exclude all");
    assert_eq!(engine.lines_for(MS(100)), [""; 0]);
    assert!(first(&mut engine, "include e1e2").starts_with("e1e2"));
    engine.lines_for(MS(50));
    let lines = ask(&mut engine, ".");
    let status = lines.iter().find(|line| line.starts_with("stat01: ")).expect("a status");
    assert_eq!(status.split_whitespace().count(), 6, "{status}");
    // The King is taken: the game is over, and lost for Black.
    ask(&mut engine, "usermove e1e8");
    ask(&mut engine, "undo\nexit");
    assert_eq!(ask(&mut engine, "exit"), ["Error (command not legal now): exit"]);
    engine.quit();
}

/// The engine's game is over: it says so, in words that name the winner.
#[test]
fn results() {
    let mut engine = start();
    ask(&mut engine, "variant captureorconquer\nforce\nsd 2");
    engine.send("setboard 4k3/8/8/8/8/8/8/K3R3 w - - 0 1\ngo");
    engine.until("move");
    assert_eq!(engine.next_within(PATIENCE).as_deref(), Some("1-0 {White wins by capture}"));
    // Told again, and no move after the end.
    assert_eq!(ask(&mut engine, "go"), ["1-0 {White wins by capture}"]);
    assert_eq!(ask(&mut engine, "usermove e8d8"), ["Illegal move: e8d8"]);
    // The person wins: the engine, Black, says so. In force mode it says nothing.
    let arrival = "force\nsetboard 8/2K5/8/7k/8/8/8/8 w - - 0 1";
    ask(&mut engine, arrival);
    assert_eq!(ask(&mut engine, "usermove c7c8"), [""; 0]);
    ask(&mut engine, arrival);
    assert_eq!(ask(&mut engine, "playother\nusermove c7c8"), ["1-0 {White wins by conquest}"]);
    ask(&mut engine, "new\nforce\nsetboard 7k/5Q2/8/6K1/8/8/8/8 w - - 0 1\nplayother");
    assert_eq!(ask(&mut engine, "usermove g5g6"), ["1/2-1/2 {Draw by stalemate}"]);
    engine.quit();
}

/// Draws are agreed to in chess only, and only by who is not better.
#[test]
fn draw_offers() {
    let mut engine = start();
    ask(&mut engine, "new\nsd 4\nforce");
    // Black, to move, is a Queen up, then a Queen down.
    for (fen, agreed) in [
        ("3qk3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1", false),
        ("4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1", true),
    ] {
        ask(&mut engine, &format!("force\nsetboard {fen}"));
        engine.send("go");
        its_move(&engine);
        let answer: &[&str] = if agreed { &["offer draw"] } else { &[] };
        assert_eq!(ask(&mut engine, "draw"), answer, "{fen}");
    }
    ask(
        &mut engine,
        "variant captureorconquer\nforce\nsetboard 4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1",
    );
    engine.send("go");
    its_move(&engine);
    assert_eq!(ask(&mut engine, "draw"), [""; 0]);
    engine.quit();
}

/// Positions counted instead of time: the same search on any machine.
#[test]
fn time_in_positions() {
    let mut engine = start();
    ask(&mut engine, "new\nnps 1000\nst 2\npost");
    engine.send("usermove e2e4");
    let lines = engine.until("move");
    let nodes = lines
        .iter()
        .filter(|l| thinking(l).is_some())
        .map(|line| line.split(' ').nth(3).expect("nodes").parse::<u64>().expect("a number"));
    assert!(nodes.max().is_some_and(|nodes| nodes <= 2_000), "{lines:#?}");
    engine.quit();
}

/// An Escort up the file, with nothing that attacks.
const ESCORT: &str = "7k/7p/8/8/4R3/8/P7/4K3 w - - 0 1";

/// The window's board is put right after the person's Escort, and only the window's.
#[test]
fn the_windows_board_after_a_persons_escort() {
    for (window, corrections) in [(false, &[][..]), (true, &["move @@@@", "move e4e2"])] {
        let mut engine = start();
        if window {
            engine.send(WINDOW);
        }
        ask(&mut engine, &format!("variant captureorconquer\nforce\nsetboard {ESCORT}\nsd 2"));
        ask(&mut engine, "playother");
        let mut lines = ask(&mut engine, "usermove e1e3");
        let reply = lines.pop().expect("a reply");
        assert_eq!(lines, corrections);
        let start = Position::from_fen(Edition::CaptureOrConquer, ESCORT).expect("a FEN");
        let mut game = GameRecord::new(start);
        game.replay(&["e1e3", reply.strip_prefix("move ").expect("a move")], Letters::English)
            .expect("legal moves");
        // Taken back as XBoard counts it: the reply and the correction, then the pass and the Escort.
        let undone = if window { "remove\nremove" } else { "remove" };
        assert_eq!(ask(&mut engine, undone), [""; 0]);
        let refused = "Error (command not legal now): undo";
        assert_eq!(ask(&mut engine, "undo"), [refused]);
        assert_eq!(ask(&mut engine, "lift e1"), ["highlight 8/8/8/8/8/4Y3/3YYY2/3Y1Y2"]);
        engine.quit();
    }
}

/// A game taken back to the middle of a correction goes on with the correction.
#[test]
fn taken_back_to_the_middle_of_a_correction() {
    let mut engine = start();
    engine.send(WINDOW);
    ask(&mut engine, &format!("variant captureorconquer\nforce\nsetboard {ESCORT}\nsd 2"));
    ask(&mut engine, "playother\nusermove e1e3");
    // XBoard shows the King on e3, the Rook still on e4, and White to move.
    assert_eq!(ask(&mut engine, "remove\nlift e4"), ["highlight 8/8/8/8/8/8/4Y3/8"]);
    assert_eq!(ask(&mut engine, "lift a2"), ["highlight 8/8/8/8/8/8/8/8"]);
    let lines = ask(&mut engine, "usermove a2a3");
    assert_eq!(lines[..2], ["Illegal move: a2a3", "move e4e2"]);
    assert!(lines[2].starts_with("move ") && lines.len() == 3, "{lines:#?}");
    // Or the person makes it.
    let lines = ask(&mut engine, "remove\nusermove e4e2");
    assert!(lines[0].starts_with("move ") && lines.len() == 1, "{lines:#?}");
    engine.quit();
}

/// Neither while analysing nor in force mode does the engine move pieces on the window's board; a game
/// that is stepped through again brings the corrections with it.
#[test]
fn no_corrections_unless_it_plays() {
    let mut engine = start();
    engine.send(WINDOW);
    ask(&mut engine, &format!("variant captureorconquer\nforce\nsetboard {ESCORT}"));
    assert_eq!(ask(&mut engine, "usermove e1e3\nusermove @@@@\nusermove e4e2"), [""; 0]);
    assert_eq!(ask(&mut engine, "usermove h7h6\nusermove e2e1"), [""; 0]);
    ask(&mut engine, &format!("setboard {ESCORT}\nanalyze"));
    let lines = ask(&mut engine, "usermove e1e3\nusermove h7h6\nexit");
    assert!(lines.iter().all(|line| thinking(line).is_some()), "{lines:#?}");
    engine.quit();
}

/// Two engines in XBoard share the correction: the other side passes, the mover moves its supporter.
#[test]
fn two_engines_share_the_correction() {
    // The receiver passes, and thinks when the supporter has been moved.
    let mut engine = start();
    engine.send(WINDOW);
    ask(
        &mut engine,
        &format!("variant captureorconquer\nforce\nsetboard {ESCORT}\nsd 2\ncomputer"),
    );
    assert_eq!(ask(&mut engine, "usermove e1e3\ngo"), ["move @@@@"]);
    let lines = ask(&mut engine, "usermove e4e2");
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:#?}");
    // The mover hears of the pass by the board that XBoard shows: no other move saves White's King.
    ask(&mut engine, "force\nsetboard 3r3R/8/8/8/8/1k6/8/3r3K w - - 0 1");
    engine.send("go");
    assert_eq!(its_move(&engine), "h1h3");
    assert_eq!(ask(&mut engine, ""), [""; 0]);
    let shown = "setboard 3r3R/8/8/8/8/1k5K/8/3r4 w - 0 1";
    assert_eq!(ask(&mut engine, shown), ["move h8h2"]);
    // The game went on from the right board, with its history.
    let lines = ask(&mut engine, "usermove d1d3");
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:#?}");
    engine.quit();
}

/// XBoard ends a game at the word of its result, so that comes after the correction of its board; and
/// of two engines it believes only the one that has lost.
#[test]
fn two_engines_end_a_game_by_an_escort() {
    let home = "variant captureorconquer\nforce\nsetboard 1R6/8/1K6/8/8/7k/8/8 w - - 0 1\ncomputer";
    let result = "1-0 {White wins by conquest}";
    let mut engine = start();
    engine.send(WINDOW);
    ask(&mut engine, home);
    assert_eq!(ask(&mut engine, "usermove b6b8\ngo"), ["move @@@@"]);
    assert_eq!(ask(&mut engine, "usermove b6b7"), [result]);
    ask(&mut engine, &format!("force\n{home}"));
    assert_eq!(ask(&mut engine, "go"), ["move b6b8"]);
    let shown = "setboard 1K6/8/1R6/8/8/7k/8/8 w - 0 1";
    assert_eq!(ask(&mut engine, shown), ["move b6b7"]);
    engine.quit();
}

/// The engine's own Escort: the window learns of the supporter at once.
#[test]
fn the_windows_board_after_the_engines_escort() {
    for (window, told) in
        [(false, &["move h1h3"][..]), (true, &["move h1h3", "move @@@@", "move h8h2"])]
    {
        let mut engine = start();
        if window {
            engine.send(WINDOW);
        }
        ask(&mut engine, "variant captureorconquer\nforce\nsd 2");
        ask(&mut engine, "setboard 3r3R/8/8/8/8/1k6/8/3r3K w - - 0 1");
        assert_eq!(ask(&mut engine, "go"), told);
        assert_eq!(ask(&mut engine, &"undo\n".repeat(told.len())), [""; 0]);
        engine.quit();
    }
}
