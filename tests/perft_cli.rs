//! `usurper perft` from outside: root lines, total, finished games, arguments, exit codes.

use assert_cmd::Command;

fn usurper() -> Command {
    Command::new(env!("CARGO_BIN_EXE_usurper"))
}

/// The lines of a successful run: root moves with their counts, the total, the last line.
fn perft(arguments: &[&str]) -> (Vec<(String, u64)>, u64, String) {
    let run = usurper().arg("perft").args(arguments).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8");
    let mut lines: Vec<&str> = text.lines().collect();
    let time = lines.pop().expect("a line about time").to_owned();
    let total = lines.pop().expect("a total").strip_prefix("Nodes searched: ").expect("a total");
    let root = lines
        .iter()
        .map(|line| {
            let (m, nodes) = line.split_once(": ").expect("a move and its count");
            (m.to_owned(), nodes.parse().expect("a number"))
        })
        .collect();
    (root, total.parse().expect("a number"), time)
}

#[test]
fn root_moves_total_and_time() {
    let (root, total, time) = perft(&["3"]);
    assert_eq!(root.len(), 20);
    assert!(root.contains(&("e2e4".to_owned(), 600)));
    assert_eq!(root.iter().map(|(_, nodes)| nodes).sum::<u64>(), total);
    assert_eq!(total, 8902);
    assert!(time.starts_with("Time: ") && time.ends_with(" million nodes a second"), "{time}");
    for depth in [("0", 1), ("1", 20), ("2", 400)] {
        assert_eq!(perft(&[depth.0]).1, depth.1);
    }
    assert_eq!(perft(&["0"]).0, []);
}

#[test]
fn the_arguments_of_a_game() {
    // Known counts: kiwipete in chess, and the start position after 1. e4 e5.
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(perft(&["3", "--variant", "chess", "--fen", kiwipete]).1, 97_862);
    assert_eq!(
        perft(&["--variant", "normal", "--threads", "2", "4", "--fen", kiwipete]).1,
        4_085_603
    );
    let one = perft(&["3", "--moves", "e2e4", "e7e5", "--threads", "1"]);
    let two = perft(&["3", "--moves", "e4 e5", "--threads", "2"]);
    assert_eq!((one.0, one.1), (two.0, two.1));
}

#[test]
fn a_finished_game_has_no_moves() {
    for (variant, fen) in [
        ("captureorconquer", "4K3/8/8/8/8/8/8/k7 w - - 0 1"),
        ("captureorconquer", "8/8/8/8/8/8/8/k7 w - - 0 1"),
        ("captureorconquer-classic", "4K3/8/8/8/8/8/8/3k4 w - - 0 1"),
    ] {
        let (root, total, _) = perft(&["3", "--variant", variant, "--fen", fen]);
        assert_eq!((root.len(), total), (0, 0), "{variant} {fen}");
    }
    // Repetition is not looked at.
    let shuffle = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8";
    assert_eq!(perft(&["1", "--moves", shuffle]).1, 20);
}

#[test]
fn errors_and_exit_codes() {
    let failure = |code: i32, arguments: &[&str]| {
        let assert = usurper().arg("perft").args(arguments).assert().code(code);
        let output = assert.get_output();
        assert!(output.stdout.is_empty(), "{arguments:?}");
        String::from_utf8(output.stderr.clone()).expect("UTF-8")
    };
    let illegal = failure(1, &["2", "--moves", "e2e5"]);
    assert_eq!(illegal, "error: move 1: \"e2e5\" is not a legal move\n");
    assert_eq!(failure(1, &["2", "--fen", "7"]), "error: FEN: 1 row instead of 8\n");
    for usage in
        [&[][..], &["x"], &["-1"], &["31"], &["2", "--threads", "0"], &["2", "--variant", "go"]]
    {
        assert!(failure(2, usage).starts_with("error: "), "{usage:?}");
    }
}
