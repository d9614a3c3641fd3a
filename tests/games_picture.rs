//! Pictures of the board games: what their SVG holds, read by an XML parser and held against the FEN and the boards as the
//! rules describe them; the boards in the terminal.

mod random;

use std::collections::BTreeSet;

use random::Random;
use roxmltree::{Document, Node};
use usurper::games::picture::{Picture, svg, terminal, text};
use usurper::games::{GAMES, Position, Record, game};
use usurper::text::Language;

const ESCAPE: char = '\u{1b}';

fn record(name: &str, fen: Option<&str>, moves: &str) -> Record {
    let game = game(name).expect("a known game");
    let start = match fen {
        Some(fen) => Position::from_fen(game, fen).expect("a good FEN"),
        None => Position::start(game),
    };
    let mut record = Record::new(start);
    let moves: Vec<&str> = moves.split_whitespace().collect();
    record.replay(&moves).unwrap_or_else(|error| panic!("{name} {moves:?}: {error}"));
    record
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

fn point(file: usize, rank: usize) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

/// The men of a FEN, as `a1 P`, told from its text; files and ranks of its board.
fn men(fen: &str) -> (Vec<String>, usize, usize) {
    let rows: Vec<&str> = fen.split(' ').next().expect("rows").split('/').collect();
    let (mut men, mut files) = (Vec::new(), 0);
    for (row, text) in rows.iter().enumerate() {
        files = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(empty) => files += empty as usize,
                None => {
                    men.push(format!("{} {letter}", point(files, rows.len() - 1 - row)));
                    files += 1;
                }
            }
        }
    }
    men.sort();
    (men, files, rows.len())
}

/// The lines of a board: ranks and files, and diagonals through the points whose numbers add up to an even one, if it has them.
fn lines(files: usize, ranks: usize, diagonals: bool) -> BTreeSet<(String, String)> {
    let mut lines = BTreeSet::new();
    let mut add = |one: (usize, usize), other: (usize, usize)| {
        let (one, other) = (point(one.0, one.1), point(other.0, other.1));
        lines.insert(if one < other { (one, other) } else { (other, one) });
    };
    for file in 0..files {
        for rank in 0..ranks {
            if file + 1 < files {
                add((file, rank), (file + 1, rank));
            }
            if rank + 1 < ranks {
                add((file, rank), (file, rank + 1));
            }
            // A diagonal of a cell joins two points of the same kind: one diagonal a cell is drawn.
            if diagonals && file + 1 < files && rank + 1 < ranks {
                match (file + rank) % 2 {
                    0 => add((file, rank), (file + 1, rank + 1)),
                    _ => add((file + 1, rank), (file, rank + 1)),
                }
            }
        }
    }
    lines
}

fn drawn_lines(svg: &str, class: &str) -> BTreeSet<(String, String)> {
    let drawn = elements(svg, class, &["data-from", "data-to"]);
    let pairs = drawn.iter().map(|pair| pair.split_once(' ').expect("two ends"));
    let sorted = pairs.map(|(from, to)| {
        let (from, to) = (from.to_owned(), to.to_owned());
        if from < to { (from, to) } else { (to, from) }
    });
    let set: BTreeSet<_> = sorted.collect();
    assert_eq!(set.len(), drawn.len(), "each once");
    set
}

/// What the rules say of the boards: 5 × 5 and 9 × 5 with every other diagonal, 6 × 6 with eight loops, and squares.
#[test]
fn the_boards() {
    for (name, squares, files, ranks, diagonals, marked) in [
        ("alquerque", false, 5, 5, true, &[][..]),
        ("konane", true, 8, 8, false, &[][..]),
        ("fanorona", false, 9, 5, true, &[][..]),
        // The point that is never placed on and never taken.
        ("seega", true, 5, 5, false, &["c3"][..]),
        ("surakarta", false, 6, 6, false, &[][..]),
    ] {
        let svg = svg(&Picture::of(&record(name, None, "")));
        let expected = if squares { BTreeSet::new() } else { lines(files, ranks, diagonals) };
        assert_eq!(drawn_lines(&svg, "line"), expected, "{name}");
        let fields = if squares { files * ranks } else { 0 };
        assert_eq!(elements(&svg, "square", &[]).len(), fields, "{name}");
        assert_eq!(elements(&svg, "marked", &["data-point"]), marked, "{name}");
        for class in ["last", "way", "taken", "arrow", "repetitions", "result"] {
            assert_eq!(elements(&svg, class, &[]).len(), 0, "{name} {class}");
        }
        let first = if name == "konane" { "black" } else { "white" };
        assert_eq!(elements(&svg, "turn", &["data-side"]), [first], "{name}");
    }
    // Counted by hand: 20 + 20 along ranks and files and a diagonal in each of 16 cells; 40 + 36 and 32 cells; 30 + 30.
    assert_eq!(lines(5, 5, true).len(), 56);
    assert_eq!(lines(9, 5, true).len(), 108);
    assert_eq!(lines(6, 6, false).len(), 60);
}

/// The rules name the eight loops by file and rank: b–5 and c–4 top left, e–5 and d–4 top right, and so on.
#[test]
fn the_loops() {
    let pairs = [
        ("b6", "a5"),
        ("c6", "a4"),
        ("e6", "f5"),
        ("d6", "f4"),
        ("b1", "a2"),
        ("c1", "a3"),
        ("e1", "f2"),
        ("d1", "f3"),
    ];
    let sorted = |(one, other): (&str, &str)| {
        let (one, other) = (one.to_owned(), other.to_owned());
        if one < other { (one, other) } else { (other, one) }
    };
    let expected: BTreeSet<_> = pairs.into_iter().map(sorted).collect();
    for flip in [false, true] {
        let record = record("surakarta", None, "");
        let svg = svg(&Picture { flip, ..Picture::of(&record) });
        assert_eq!(drawn_lines(&svg, "loop"), expected);
        // Each is three quarters of a circle that stays inside the frame: it bends away from the board, as far as it is wide.
        let document = Document::parse(&svg).expect("well-formed XML");
        let width: f32 =
            document.root_element().attribute("width").expect("a width").parse().unwrap();
        let middle = width / 2.0;
        for path in document.descendants().filter(|n| n.attribute("class") == Some("loop")) {
            let d = path.attribute("d").expect("a path").replace(['M', 'A'], "");
            let numbers: Vec<f32> = d.split_whitespace().map(|n| n.parse().unwrap()).collect();
            let [x1, y1, radius, _, _, large, sweep, x2, y2] = numbers[..] else { panic!("{d}") };
            // The circle's middle is the corner: below or above the file's end it is the rank's end's column.
            let (cx, cy) = (x2, y1);
            assert_eq!(((x1 - cx).abs(), (y2 - cy).abs()), (radius, radius), "{d}");
            assert_eq!(large, 1.0, "{d}");
            // Clockwise on a screen, the way from (x1, y1) sets out downwards if it lies right of the middle.
            let clockwise = sweep == 1.0;
            let sets_out_down = clockwise == (x1 > cx);
            let outwards_is_down = cy > middle;
            assert_eq!(sets_out_down, outwards_is_down, "{d}");
            let frame = 18.0;
            assert!(cx - radius > frame && cx + radius < width - frame, "{d}");
        }
    }
}

/// Random games: one mark for each man, the last move where it was, the turn or the result.
#[test]
fn pictures_of_random_games() {
    let mut random = Random::new(11);
    for game in GAMES {
        for _ in 0..3 {
            let mut record = Record::new(Position::start(game));
            loop {
                let svg = svg(&Picture::of(&record));
                let fen = record.position().to_fen();
                let (men, ..) = men(&fen);
                assert_eq!(elements(&svg, "man", &["data-point", "data-man"]), men, "{fen}");
                let named = record.moves().last().map_or(String::new(), |m| {
                    let text = m.text(record.position().grid());
                    if text == "pass" { String::new() } else { text }
                });
                // The points of a move's text: a letter and a digit each.
                let mut points: Vec<String> = named
                    .replace(['@', '+', '-'], "")
                    .as_bytes()
                    .chunks(2)
                    .map(|pair| String::from_utf8_lossy(pair).into_owned())
                    .collect();
                points.sort();
                points.dedup();
                assert_eq!(elements(&svg, "last", &["data-point"]), points, "{fen} {named}");
                let outcome = record.outcome();
                assert_eq!(elements(&svg, "result", &[]).len(), usize::from(outcome.is_some()));
                assert_eq!(elements(&svg, "turn", &[]).len(), usize::from(outcome.is_none()));
                let plain = terminal(&Picture::of(&record), false);
                assert!(!plain.contains(ESCAPE));
                let white = men.iter().filter(|man| man.ends_with('P')).count();
                assert_eq!(plain.matches('○').count(), white, "{fen}\n{plain}");
                assert_eq!(plain.matches('●').count(), men.len() - white, "{fen}\n{plain}");
                let legal = record.legal();
                if legal.is_empty() || record.moves().len() > 60 {
                    break;
                }
                record.play(legal[random.below(legal.len())].clone());
            }
        }
    }
}

#[test]
fn what_a_capture_leaves() {
    // e2–e3 takes the row beyond.
    let svg = svg(&Picture::of(&record("fanorona", None, "e2e3+")));
    assert_eq!(elements(&svg, "taken", &["data-point"]), ["e4", "e5"]);
    assert_eq!(elements(&svg, "way", &[]).len(), 0);
}

#[test]
fn a_way_that_turns() {
    // From a1 over b2 to c3, from there over c4 to c5.
    let jumped = record("alquerque", Some("p4/2p2/5/1p3/P4 w - 0 1"), "a1c3c5");
    let svg = svg(&Picture::of(&jumped));
    assert_eq!(elements(&svg, "taken", &["data-point"]), ["b2", "c4"]);
    assert_eq!(elements(&svg, "last", &["data-point"]), ["a1", "c3", "c5"]);
    assert_eq!(elements(&svg, "way", &[]).len(), 1);
    let text = terminal(&Picture::of(&jumped), false);
    assert!(text.contains("[○]") && text.contains("last move 1. a1c3c5"), "{text}");
    assert_eq!(text.matches('×').count(), 2, "{text}");
}

#[test]
fn men_in_hand() {
    let start = record("seega", None, "@a1@c2");
    let svg = svg(&Picture::of(&start));
    assert_eq!(elements(&svg, "hand", &["data-side", "data-men"]), ["black 12", "white 10"]);
    let english = terminal(&Picture::of(&start), false);
    assert!(english.contains("to be placed: White 10, Black 12"), "{english}");
    let language = Language::Portuguese;
    let portuguese = terminal(&Picture { language, ..Picture::of(&start) }, false);
    assert!(portuguese.contains("a colocar: Brancas 10, Pretas 12"), "{portuguese}");
}

#[test]
fn arrows() {
    let start = record("fanorona", None, "e2e3+");
    let mut line = start.clone();
    let moves: Vec<String> = (0..2)
        .map(|_| {
            let m = line.legal()[0].clone();
            let text = m.text(line.position().grid());
            line.play(m);
            text
        })
        .collect();
    let lines = [line.moves()[1..].to_vec()];
    let picture = Picture { lines: &lines, ..Picture::of(&start) };
    let svg = svg(&picture);
    let mut named = moves.clone();
    named.sort();
    assert_eq!(elements(&svg, "arrow", &["data-move"]), named);
    let legs: usize = moves.iter().map(|text| text.replace(['+', '-'], "").len() / 2 - 1).sum();
    assert_eq!(elements(&svg, "shaft", &[]).len(), legs, "{moves:?}");
    let text = terminal(&picture, false);
    assert!(text.contains(&format!("arrow  1... {} 2. {}", moves[0], moves[1])), "{text}");
    assert!(text.contains('(') && text.contains(')'), "{text}");

    // A removal and a placing have no direction.
    for (name, m, points) in [("konane", "d4", &["d4"][..]), ("seega", "@a1@c2", &["a1", "c2"][..])]
    {
        let start = record(name, None, "");
        let lines = [record(name, None, m).moves().to_vec()];
        let svg = self::svg(&Picture { lines: &lines, ..Picture::of(&start) });
        assert_eq!(elements(&svg, "shaft", &[]).len(), 0);
        assert_eq!(elements(&svg, "ring", &["data-point"]), points);
    }
}

#[test]
fn seen_from_black() {
    let place = |svg: &str, point: &str| {
        let document = Document::parse(svg).expect("well-formed XML");
        let mut nodes = document.descendants();
        let man = nodes.find(|node| {
            node.attribute("class") == Some("man") && node.attribute("data-point") == Some(point)
        });
        let circle = man.and_then(|man| man.first_element_child()).expect("a man");
        ["cx", "cy"].map(|name| circle.attribute(name).expect("a place").to_owned())
    };
    for (name, here, there) in [
        ("alquerque", "a1", "e5"),
        ("fanorona", "a1", "i5"),
        ("konane", "c2", "f7"),
        ("surakarta", "b2", "e5"),
    ] {
        let start = record(name, None, "");
        let upright = svg(&Picture::of(&start));
        let flipped = svg(&Picture { flip: true, ..Picture::of(&start) });
        assert_eq!(place(&upright, here), place(&flipped, there), "{name}");
        assert_ne!(place(&upright, here), place(&upright, there), "{name}");
        let first = |flip| {
            let text = terminal(&Picture { flip, ..Picture::of(&start) }, false);
            let rank = text.lines().filter_map(|line| line.chars().nth(1)).find(|&c| c != ' ');
            rank.expect("a rank")
        };
        assert_eq!(first(true), '1', "{name}");
        assert_ne!(first(false), '1', "{name}");
    }
}

/// A position that stands again says so, the result stands in the corner.
#[test]
fn repetition_and_result() {
    let shuffle = "a2a3 a5a4 a3a2 a4a5";
    let again = record("surakarta", None, shuffle);
    let picture = svg(&Picture::of(&again));
    assert_eq!(elements(&picture, "repetitions", &["data-times"]), ["2"]);
    let drawn = record("surakarta", None, &format!("{shuffle} {shuffle}"));
    let picture = svg(&Picture::of(&drawn));
    assert_eq!(elements(&picture, "result", &["data-winner", "data-reason"]), ["draw repetition"]);
    assert!(terminal(&Picture::of(&drawn), false).contains("a draw by repetition"));
}

#[test]
fn plain_letters() {
    let start = record("fanorona", None, "");
    assert_eq!(
        text(start.position()),
        "5  p p p p p p p p p\n4  p p p p p p p p p\n3  p P p P . p P p P\n2  P P P P P P P P P\n\
         1  P P P P P P P P P\n\n   a b c d e f g h i\n"
    );
}

/// Every colour that is begun ends on its line, and without colours the rest is the same board.
#[test]
fn colours() {
    for game in GAMES {
        let start = Record::new(Position::start(game));
        let text = terminal(&Picture::of(&start), true);
        let mut coloured = text.lines().filter(|line| line.contains(ESCAPE)).peekable();
        assert!(coloured.peek().is_some());
        for line in coloured {
            assert!(
                line.rsplit(ESCAPE).next().is_some_and(|last| last.starts_with("[0m")),
                "{line}"
            );
        }
        let (white, black) = (start.position().men(usurper::board::Color::White), "●");
        let all = text.matches(black).count() as u32;
        let other = start.position().men(usurper::board::Color::Black);
        assert_eq!(all, white.count() + other.count(), "{}", game.name());
    }
}
