//! `usurper board` from outside: what its SVG holds, read by an XML parser and held against the rules'
//! second statement; the board in the terminal; exit codes.

mod random;
mod reference;

use std::collections::BTreeMap;

use assert_cmd::Command as Run;
use random::Random;
use reference::{Board, Game};
use roxmltree::{Document, Node};
use usurper::picture::{Picture, svg, terminal};
use usurper::rules::notation::{Letters, parse_move};
use usurper::rules::{Edition, GameRecord, Position};

const ESCAPE: char = '\u{1b}';
/// The Queen on b1 attacks White's King; there are an Escort and a Decoy.
const ESCORT_AND_DECOY: &str = "2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1";

fn usurper() -> Run {
    let mut run = Run::new(env!("CARGO_BIN_EXE_usurper"));
    run.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    run
}

/// The standard output of `board` with these arguments, which succeeds silently.
fn board(arguments: &[&str]) -> String {
    let assert = usurper().arg("board").args(arguments).assert().success();
    let output = assert.get_output();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The standard error of `board` with these arguments, which fails with this exit code and shows nothing.
fn failure(code: i32, arguments: &[&str]) -> String {
    let assert = usurper().arg("board").args(arguments).assert().code(code);
    let output = assert.get_output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The elements of a class, each as the chosen attributes joined by blanks, sorted.
fn elements(svg: &str, class: &str, attributes: &[&str]) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed XML");
    let value = |node: Node, name: &str| node.attribute(name).unwrap_or("-").to_owned();
    let mut found: Vec<String> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some(class))
        .map(|node| attributes.iter().map(|name| value(node, name)).collect::<Vec<_>>().join(" "))
        .collect();
    found.sort();
    found
}

fn marks(svg: &str) -> Vec<String> {
    elements(svg, "mark", &["data-move", "data-times", "data-verdict"])
}

/// The arrows: for each its move and kind, and where each of its shafts leads.
fn arrows(svg: &str) -> Vec<(String, Vec<String>)> {
    let document = Document::parse(svg).expect("well-formed XML");
    let is = |node: &Node, class| node.attribute("class") == Some(class);
    let name = |node: &Node, name: &str| node.attribute(name).expect("the attribute").to_owned();
    let arrow = |arrow: Node| {
        let shafts = arrow.descendants().filter(|node| is(node, "shaft"));
        let mut shafts: Vec<String> = shafts
            .map(|node| format!("{}{}", name(&node, "data-from"), name(&node, "data-to")))
            .collect();
        shafts.sort();
        (format!("{} {}", name(&arrow, "data-move"), name(&arrow, "data-kind")), shafts)
    };
    document.descendants().filter(|node| is(node, "arrow")).map(arrow).collect()
}

/// The pieces of a FEN by square, told from its text.
fn placement(fen: &str) -> BTreeMap<String, char> {
    let mut pieces = BTreeMap::new();
    for (rank, row) in (1..=8).rev().zip(fen.split(['/', ' '])) {
        let mut file = b'a';
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as u8,
                None => {
                    pieces.insert(format!("{}{rank}", file as char), letter);
                    file += 1;
                }
            }
        }
    }
    pieces
}

fn drawn_pieces(svg: &str) -> BTreeMap<String, char> {
    let pieces = elements(svg, "piece", &["data-square", "data-piece"]);
    let pair = |text: &String| {
        let (square, letter) = text.split_once(' ').expect("two");
        (square.to_owned(), letter.chars().next().expect("a letter"))
    };
    pieces.iter().map(pair).collect()
}

#[test]
fn the_start_position() {
    let svg = board(&["--svg", "-"]);
    assert_eq!(drawn_pieces(&svg).len(), 32);
    assert_eq!(drawn_pieces(&svg), placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"));
    assert_eq!(elements(&svg, "square", &[]).len(), 64);
    assert_eq!(elements(&svg, "turn", &["data-side"]), ["white"]);
    for class in ["mark", "last", "attacked", "flag", "arrow", "repetitions", "result"] {
        assert_eq!(elements(&svg, class, &[]).len(), 0, "{class}");
    }
    // Gold marks the goal ranks; chess has none.
    let gold = |svg: &str| {
        let colors = elements(svg, "square", &["fill"]);
        colors.iter().filter(|fill| ["#f4d873", "#d3a52f"].contains(&fill.as_str())).count()
    };
    assert_eq!(gold(&svg), 16);
    assert_eq!(gold(&board(&["--svg", "-", "--variant", "chess"])), 0);
}

/// Knights go out and home. After each move the mark stands on the only one that brings back what stood.
#[test]
fn the_second_and_third_time() {
    let knights = ["Nf3", "Nc6", "Ng1", "Nb8", "Nf3", "Nc6", "Ng1", "Nb8"];
    let after = |moves: usize| {
        let list = ["e4", "e5"].iter().chain(&knights[..moves]).copied();
        board(&[&["--svg", "-", "--moves"][..], &list.collect::<Vec<_>>()].concat())
    };
    // Nothing stood before: a Knight that has just left can only come home once its fellow has, too.
    assert_eq!(marks(&after(2)), [""; 0]);
    assert_eq!(marks(&after(3)), ["c6b8 2 open"]);
    assert_eq!(marks(&after(4)), ["g1f3 2 open"]);
    assert_eq!(elements(&after(4), "repetitions", &["data-times"]), ["2"]);
    // Whose move makes it the third time loses: no King is attacked, and there are many moves.
    assert_eq!(marks(&after(7)), ["c6b8 3 loses"]);
    let end = after(8);
    assert_eq!(marks(&end), [""; 0]);
    assert_eq!(elements(&end, "result", &["data-winner", "data-reason"]), ["white repetition"]);
    assert_eq!(elements(&end, "turn", &[]).len(), 0);
    assert_eq!(elements(&end, "repetitions", &["data-times"]), ["3"]);
}

/// A Rook drives the King to and fro. The King, attacked, is forced: by today's rules he wins who was
/// forced to repeat; by those of the earlier edition he loses; in chess it is a draw.
#[test]
fn who_is_forced_to_repeat() {
    let moves = "b1a1 a8b8 a1b1 b8a8 b1a1 a8b8 a1b1";
    for (edition, verdict) in
        [("captureorconquer", "wins"), ("captureorconquer-classic", "loses"), ("chess", "open")]
    {
        let fen = "k7/8/8/8/8/7K/8/1R6 w - - 0 1";
        let svg = board(&["--variant", edition, "--fen", fen, "--moves", moves, "--svg", "-"]);
        assert_eq!(marks(&svg), [format!("b8a8 3 {verdict}")], "{edition}");
        assert_eq!(elements(&svg, "attacked", &["data-square"]), ["b8"]);
        assert_eq!(elements(&svg, "last", &["data-square"]), ["a1", "b1"]);
    }
}

/// A Decoy is undone by a Decoy, so that both swaps of a pair repeat.
#[test]
fn a_mark_on_a_pawn() {
    let fen = "7k/8/8/8/3PK3/8/8/8 w - - 0 1";
    let moves = ["Dd4", "Kg8", "De4"];
    let svg = board(&[&["--fen", fen, "--svg", "-", "--moves"][..], &moves].concat());
    // The King is home on e4 again; Black's going home makes the start stand for the second time.
    assert_eq!(marks(&svg), ["g8h8 2 open"]);
    assert_eq!(elements(&svg, "last", &["data-square"]), ["d4", "e4"]);
    let svg = board(&[&["--fen", fen, "--svg", "-", "--moves"][..], &moves, &["Kh8"]].concat());
    assert_eq!(marks(&svg), ["e4d4 2 open"]);
    assert!(board(&[&["--fen", fen, "--moves"][..], &moves, &["Kh8"]].concat()).contains("♙2×"));
}

#[test]
fn a_king_on_its_goal_rank() {
    let flags = |edition: &str| {
        let fen = "7k/3K4/8/8/8/8/8/3r4 w - - 0 1";
        let arguments = ["--variant", edition, "--fen", fen, "--moves", "d7d8"];
        let svg = board(&[&arguments[..], &["--svg", "-"]].concat());
        (elements(&svg, "flag", &["data-square", "data-flag"]), svg, board(&arguments))
    };
    // Attacked on arrival: today's rules leave Black one move, the earlier ones bind nobody.
    let (flag, svg, text) = flags("captureorconquer");
    assert_eq!(flag, ["d8 ultimatum"]);
    assert_eq!(elements(&svg, "attacked", &["data-square"]), ["d8"]);
    assert!(text.contains("ultimatum: Black must take the King on d8 now"), "{text}");
    let (flag, _, text) = flags("captureorconquer-classic");
    assert_eq!(flag, ["d8 attacked"]);
    assert!(text.contains("White's King is on its goal rank, attacked"), "{text}");
    assert!(!text.contains("ultimatum"), "{text}");

    // Unattacked on arrival: won.
    let won = ["--fen", "7k/3K4/8/8/8/8/8/r7 w - - 0 1", "--moves", "d7d8"];
    let svg = board(&[&won[..], &["--svg", "-"]].concat());
    assert_eq!(elements(&svg, "flag", &["data-square", "data-flag"]), ["d8 conquest"]);
    assert_eq!(elements(&svg, "result", &["data-winner", "data-reason"]), ["white conquest"]);
    assert!(board(&won).contains("White wins by conquest"));
    // Chess knows no goal.
    let chess = ["--variant", "chess", "--fen", "7k/3K4/8/8/8/8/8/r7 w - - 0 1", "--moves", "d7d8"];
    assert_eq!(elements(&board(&[&chess[..], &["--svg", "-"]].concat()), "flag", &[]).len(), 0);
}

#[test]
fn arrows_of_the_special_moves() {
    let both =
        board(&["--fen", ESCORT_AND_DECOY, "--arrow", "EBe6", "--arrow", "f5g6", "--svg", "-"]);
    let text = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        arrows(&both),
        [
            // The Bishop beside the King, the King behind it.
            ("f5d7 escort".to_owned(), text(&["c8e6", "f5d7"])),
            // A swap.
            ("f5g6 decoy".to_owned(), text(&["f5g6", "g6f5"])),
        ]
    );
    // The earlier edition castles: King and Rook.
    let castling =
        ["--variant", "captureorconquer-classic", "--fen", "7k/8/8/8/8/8/8/4K2R w K - 0 1"];
    let castling = board(&[&castling[..], &["--arrow", "O-O", "--svg", "-"]].concat());
    assert_eq!(arrows(&castling), [("e1g1 castle".to_owned(), text(&["e1g1", "h1f1"]))]);
    // A last move that moves two pieces is marked on four squares.
    let escorted = ["--fen", ESCORT_AND_DECOY, "--moves", "EBe6", "--svg", "-"];
    assert_eq!(elements(&board(&escorted), "last", &["data-square"]), ["c8", "d7", "e6", "f5"]);
}

/// Moves of one `--arrow` follow one another: the second is Black's, the third needs both.
#[test]
fn arrows_of_a_variation() {
    let line = ["--moves", "e4", "e5", "--arrow", "Nf3", "Nc6 Bc4", "--svg", "-"];
    let moves: Vec<_> = arrows(&board(&line)).into_iter().map(|(name, _)| name).collect();
    assert_eq!(moves, ["g1f3 normal", "b8c6 normal", "f1c4 normal"]);
    let text = board(&line[..6]);
    assert!(text.contains("2. Nf3 Nc6 3. Bc4"), "{text}");
}

#[test]
fn seen_from_black() {
    let place = |svg: &str, square: &str| {
        let document = Document::parse(svg).expect("well-formed XML");
        let piece =
            document.descendants().find(|node| node.attribute("data-square") == Some(square));
        piece.and_then(|node| node.attribute("transform")).expect("a place").to_owned()
    };
    let (white, black) = (board(&["--svg", "-"]), board(&["--flip", "--svg", "-"]));
    assert_eq!(place(&white, "a1"), place(&black, "h8"));
    assert_eq!(place(&white, "e8"), place(&black, "d1"));
    let rows = |text: &str| text.lines().map(|line| line.chars().nth(1)).collect::<Vec<_>>();
    let (upright, flipped) = (rows(&board(&[])), rows(&board(&["--flip"])));
    assert_eq!(upright[1..9], ['8', '7', '6', '5', '4', '3', '2', '1'].map(Some));
    assert_eq!(flipped[1..9], ['1', '2', '3', '4', '5', '6', '7', '8'].map(Some));
}

/// The eight rows hold the pieces of the FEN in its order, hollow ones White's.
#[test]
fn the_board_in_the_terminal() {
    let figures = |fen: &str| -> Vec<String> {
        let letters = "KQRBNPkqrbnp".chars().zip("♔♕♖♗♘♙♚♛♜♝♞♟".chars());
        let table: BTreeMap<char, char> = letters.collect();
        let rows = fen.split(' ').next().expect("placement").split('/');
        rows.map(|row| row.chars().filter_map(|letter| table.get(&letter)).collect()).collect()
    };
    for fen in
        [ESCORT_AND_DECOY, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b - - 0 1"]
    {
        let text = board(&["--fen", fen]);
        let rows: Vec<String> = text
            .lines()
            .skip(1)
            .take(8)
            .map(|line| line.chars().filter(|c| ('♔'..='♟').contains(c)).collect())
            .collect();
        assert_eq!(rows, figures(fen));
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    }
    let text = board(&["--fen", ESCORT_AND_DECOY, "--moves", "Dg6"]);
    assert!(text.contains("Black to move") && text.contains("last move 1. Dg6 (f5g6)"), "{text}");
    let text = board(&["--fen", ESCORT_AND_DECOY]);
    assert!(text.contains("♔!") && text.contains("White's King is attacked"), "{text}");
}

#[test]
fn colours_where_they_are_wanted() {
    let colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut run = usurper();
        run.arg("board").args(arguments).envs(variables.iter().copied());
        let output = run.assert().success().get_output().stdout.clone();
        String::from_utf8(output).expect("UTF-8").contains(ESCAPE)
    };
    // Standard output is a pipe here.
    assert!(!colored(&[], &[]));
    assert!(!colored(&["--color", "auto"], &[("NO_COLOR", "1")]));
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colored(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    // Every colour that is begun ends on its line.
    let text = board(&["--color", "always", "--moves", "e4"]);
    assert!(
        text.lines()
            .filter(|line| line.contains(ESCAPE))
            .all(|line| { line.rsplit(ESCAPE).next().is_some_and(|last| last.starts_with("[0m")) })
    );
}

#[test]
fn a_picture_as_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.svg");
    let name = path.to_str().expect("UTF-8");
    assert_eq!(board(&["--svg", name]), "");
    assert_eq!(std::fs::read_to_string(&path).expect("written"), board(&["--svg", "-"]));
}

#[test]
fn bad_input_is_one_line_that_names_it() {
    let one_line = |code, arguments: &[&str], parts: &[&str]| {
        let error = failure(code, arguments);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.starts_with("error: "), "{error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    one_line(1, &["--moves", "e4", "e6e4"], &["move 2", "e6e4"]);
    one_line(1, &["--arrow", "e4", "e6e4"], &["--arrow", "move 2 after e4", "e6e4"]);
    one_line(1, &["--fen", "8/8 w"], &["8"]);
    one_line(1, &["--svg", "/no/such/folder/x.svg"], &["/no/such/folder/x.svg"]);
    assert!(failure(2, &["--color", "blue"]).contains("blue"));
    assert!(failure(2, &["--variant", "draughts"]).contains("draughts"));
    assert!(failure(2, &["--arrow"]).contains("--arrow"));
}

/// Random games, judged by the second statement of the rules: the drawn pieces, attacked Kings and
/// marks are those of every position.
#[test]
fn pictures_of_random_games() {
    let mut random = Random::new(7);
    let mut seen = BTreeMap::new();
    for (edition, fen) in [
        (Edition::CaptureOrConquer, "k7/8/8/8/3P4/4K3/8/4R3 w - - 0 1"),
        (Edition::CaptureOrConquer, "4k3/8/8/1n6/3PK3/8/6q1/4R3 w - - 0 1"),
        (Edition::Classic, "k7/8/8/8/8/7K/8/1R6 w - - 0 1"),
        (Edition::Chess, "k7/8/8/8/8/7K/8/1R6 w - - 0 1"),
    ] {
        for _ in 0..40 {
            let mut game = Game::new(Board::from_fen(edition, fen));
            let mut record = GameRecord::new(Position::from_fen(edition, fen).expect("a FEN"));
            for _ in 0..40 {
                let svg = svg(&Picture::of(&record));
                assert_eq!(drawn_pieces(&svg), placement(&game.board.fen()));
                let kings = [true, false].into_iter().filter(|&white| {
                    game.board.king(white).is_some() && game.board.king_attacked(white)
                });
                let mut attacked: Vec<String> =
                    kings.filter_map(|white| game.board.king(white).map(reference::name)).collect();
                attacked.sort();
                assert_eq!(elements(&svg, "attacked", &["data-square"]), attacked);
                let steps = if game.result.is_some() { Vec::new() } else { game.board.steps() };
                let expected = expected_marks(&game, &steps);
                assert_eq!(marks(&svg), expected, "{} {:?}", game.board.fen(), record.moves());
                for mark in expected {
                    *seen
                        .entry(mark[mark.find(' ').expect("a blank")..].to_owned())
                        .or_insert(0) += 1;
                }
                if steps.is_empty() {
                    break;
                }
                // Back where it stood, more often than chance would have it.
                let back = steps.iter().find(|step| times_after(&game, step) > 1);
                let step = match back {
                    Some(back) if random.chance(50) => back.clone(),
                    _ => steps[random.below(steps.len())].clone(),
                };
                let text = step.coordinates();
                game.play(&step);
                let m = parse_move(record.position(), &text, Letters::English).expect("legal");
                record.play(m).expect("not over");
            }
            assert!(!terminal(&Picture::of(&record), false).contains(ESCAPE));
        }
    }
    // All kinds of marks came up.
    for kind in [" 2 open", " 3 open", " 3 loses", " 3 wins"] {
        assert!(seen.contains_key(kind), "{kind}: {seen:?}");
    }
}

/// How often the position after a step will have stood.
fn times_after(game: &Game, step: &reference::Step) -> usize {
    let mut next = game.clone();
    next.play(step);
    next.repetitions()
}

fn expected_marks(game: &Game, steps: &[reference::Step]) -> Vec<String> {
    let mover = if game.board.white { "white" } else { "black" };
    let mark = |step: &reference::Step| {
        let times = times_after(game, step);
        let verdict = match game.result_after(step) {
            Some((winner, _)) if winner == mover => "wins",
            Some(("draw", _)) | None => "open",
            Some(_) => "loses",
        };
        (times > 1).then(|| format!("{} {times} {verdict}", step.coordinates()))
    };
    let mut marks: Vec<String> = steps.iter().filter_map(mark).collect();
    marks.sort();
    marks
}

/// The pictures beside README are what the commands named there draw.
#[test]
fn pictures_of_the_documentation() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).expect("README");
    let commands: Vec<&str> = readme
        .lines()
        .filter(|line| line.starts_with("usurper board") && line.contains("--svg docs/"))
        .collect();
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        let command = command.split('#').next().unwrap_or_default();
        // Blanks inside quotation marks do not part words.
        let words = command.split('\'').enumerate().flat_map(|(i, part)| {
            if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }
        });
        let words: Vec<&str> = words.skip(2).collect();
        let (file, arguments) = words.split_last().expect("a file");
        let drawn = board(&[arguments, &["-"]].concat());
        assert_eq!(
            std::fs::read_to_string(format!("{root}/{file}")).expect("a picture"),
            drawn,
            "{file}"
        );
    }
}
