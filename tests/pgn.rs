//! Game files: what the wild writes is read, what we write is read back the same.
//!
//! The cases named `b…` are after public bug reports of other programs.

use std::cell::Cell;
use std::fs;
use std::io::{BufReader, Read};

use usurper::arena::pgn::{GameResult, PgnError, PgnGame, Reader, write};
use usurper::board::Color;
use usurper::rules::notation::{Letters, parse_move};
use usurper::rules::{Edition, GameRecord, Position};

fn read(text: &[u8]) -> Vec<Result<PgnGame, PgnError>> {
    Reader::new(text, Edition::CaptureOrConquer).collect()
}

/// All games of a text that must hold no error.
fn games(text: impl AsRef<[u8]>) -> Vec<PgnGame> {
    read(text.as_ref()).into_iter().map(|g| g.unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn moves(game: &PgnGame) -> String {
    let moves: Vec<String> = game.record.moves().iter().map(|m| m.to_string()).collect();
    moves.join(" ")
}

/// The moves of the only game in a text.
fn only(text: impl AsRef<[u8]>) -> String {
    let games = games(text);
    assert_eq!(games.len(), 1);
    moves(&games[0])
}

fn written(game: &PgnGame) -> String {
    let mut out = Vec::new();
    write(game, &mut out).expect("a Vec takes everything");
    String::from_utf8(out).expect("we write UTF-8")
}

#[test]
fn b155_needless_origins_are_read_and_not_written() {
    let text =
        "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K1N1 w - - 0 1\"]\n[Result \"*\"]\n\n1. Ng1e2 *\n";
    assert_eq!(only(text), "g1e2");
    assert!(written(&games(text)[0]).ends_with("\n\n1. Ne2 *\n\n"));
}

#[test]
fn b159_a_capture_that_takes_nothing_is_refused() {
    let errors = read(b"1. Nxf3+ *\n");
    let error = errors[0].as_ref().expect_err("g1f3 takes nothing");
    assert_eq!(
        error.to_string(),
        "game 1, line 1, column 4: move 1.: \"Nxf3+\" is not a legal move"
    );
}

#[test]
fn b167_escaped_quotation_marks_in_a_tag() {
    let games = games("[Event \"The \\\"closed\\\" cup\"]\n[Result \"*\"]\n\n1. e3 e6 *\n");
    assert_eq!(games[0].tag("Event"), Some("The \"closed\" cup"));
    assert_eq!(moves(&games[0]), "e2e3 e7e6");
}

#[test]
fn b169_moves_inside_a_tag_and_hidden_first_bytes() {
    let game = "[White \"Prep for 1...e6\"]\n[Result \"*\"]\n\n *\n\n";
    let games = games(format!("\u{feff}{game}{game}"));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|g| g.record.moves().is_empty()));
    assert_eq!(games[0].tag("White"), Some("Prep for 1...e6"));
}

#[test]
fn b171_a_byte_order_mark_without_tags() {
    assert_eq!(only("\u{feff}1. e3 e6 *\n"), "e2e3 e7e6");
}

#[test]
fn b173_text_that_is_not_utf_8() {
    let games = games(b"1. e3 {\x93quote\x94 \xe9} e6 *\n");
    assert_eq!(moves(&games[0]), "e2e3 e7e6");
    assert!(games[0].comment(1).ends_with('é'), "{}", games[0].comment(1));
}

#[test]
fn b175_compact_numbers_and_leading_blanks() {
    let text = "1.e3 e6 2.d3 d6\n 3.c3 c6 4.Nf3\n  Nf6 *\n";
    assert_eq!(only(text), "e2e3 e7e6 d2d3 d7d6 c2c3 c7c6 g1f3 g8f6");
}

#[test]
fn b177_zeros_for_castling_and_signs() {
    let head = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n";
    // In today's edition the Escort by the Rook that looks the same.
    assert_eq!(only(format!("{head}\n1. 0-0 += *\n")), "e1g1");
    let chess = format!("[Variant \"Standard\"]\n{head}\n1. 0-0 += *\n");
    assert_eq!(only(chess), "e1g1");
}

#[test]
fn b179_no_empty_line_between_tags_and_moves_all_indented() {
    let text = "    [Event \"x\"]\n    [Result \"*\"]\n    1.e3 e6\n    2.d3 *\n";
    assert_eq!(only(text), "e2e3 e7e6 d2d3");
}

#[test]
fn b181_comments_that_start_with_a_line_break() {
    let text = "1. e3 {\nlong note } e6 (1... d6 {\nsecond }) 2. d3 *\n";
    assert_eq!(only(text), "e2e3 e7e6 d2d3");
    assert_eq!(games(text)[0].comment(1), "long note");
}

#[test]
fn b183_a_stray_character_after_the_result() {
    let games = games("1. e3 e6 1-0`\n\n[Event \"2\"]\n[Result \"*\"]\n\n1. d3 *\n");
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].result, GameResult::Won(Color::White));
    assert_eq!(moves(&games[1]), "d2d3");
}

#[test]
fn b185_comments_to_the_end_of_the_line() {
    let text = "; header note\n;; <A - B>\n\n[Event \"x\"]\n[Result \"*\"]\n\n\
                1. e3 ; first 1-0 { not a comment\ne6 2. d3 *\n";
    assert_eq!(only(text), "e2e3 e7e6 d2d3");
}

#[test]
fn b187_comments_between_a_move_and_its_glyph() {
    assert_eq!(only("1. e3 {!} $16 e6 {x} $15 {y} $17 *\n"), "e2e3 e7e6");
    assert_eq!(only("1. e3$16 e6!$15 *\n"), "e2e3 e7e6");
}

#[test]
fn b189_a_null_move_is_an_error_for_its_game_alone() {
    let all = read(b"1. e3 -- 2. d3 e6 *\n\n[Event \"2\"]\n[Result \"*\"]\n\n1. d3 *\n");
    assert_eq!(all.len(), 2);
    let error = all[0].as_ref().expect_err("passing is no move");
    assert_eq!(error.to_string(), "game 1, line 1, column 7: move 1...: \"--\" is not a move");
    assert_eq!(moves(all[1].as_ref().expect("the second game is sound")), "d2d3");
}

#[test]
fn b191_bare_signs() {
    assert_eq!(only("1. e3? ± {x} e6 ∓ 2. d3 = *\n"), "e2e3 e7e6 d2d3");
}

#[test]
fn b193_a_fen_counts_whatever_set_up_says() {
    let text =
        "[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n[Result \"*\"]\n\n1. Rh2 *\n";
    assert_eq!(only(text), "h1h2");
}

#[test]
fn b195_black_to_move_first() {
    let text =
        "[SetUp \"1\"]\n[FEN \"4k2r/8/8/8/8/8/8/4K3 b - - 0 1\"]\n[Result \"*\"]\n\n1... Rh7 *\n";
    let out = written(&games(text)[0]);
    assert!(out.contains("\n\n1... Rh7 *\n"), "{out}");
    assert!(out.contains("[SetUp \"1\"]\n[FEN \"4k2r/8/8/8/8/8/8/4K3 b - - 0 1\"]"), "{out}");
}

#[test]
fn b197_games_of_tags_only() {
    let text =
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n[FEN \"4k3/8/8/8/8/8/8/4K1R1 w - - 0 1\"]\n\n";
    let fens: Vec<String> = games(text).iter().map(|g| g.record.start().to_fen()).collect();
    assert_eq!(fens, ["4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1"]);
    // The same without the blank line: a repeated name starts a game.
    assert_eq!(games(text.replace("\n\n", "\n")).len(), 2);
}

#[test]
fn b199_no_result_at_the_end() {
    assert_eq!(only("[Result \"*\"]\n\n{[#]}\n\n1. e3 e6 2. d3\n"), "e2e3 e7e6 d2d3");
}

/// A file of many short games that is nowhere as a whole: it is made while it is read, and counted.
struct Endless<'a> {
    game: &'a [u8],
    at: usize,
    games: usize,
    handed: &'a Cell<usize>,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.game.len() {
            self.at = 0;
            self.games -= 1;
        }
        if self.games == 0 {
            return Ok(0);
        }
        let count = buffer.len().min(self.game.len() - self.at);
        buffer[..count].copy_from_slice(&self.game[self.at..self.at + count]);
        self.at += count;
        self.handed.set(self.handed.get() + count);
        Ok(count)
    }
}

/// However long the file is, the reader takes no more of it than the game that it gives and a buffer.
#[test]
fn b201_a_long_file_is_streamed() {
    let game = b"[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {+0.35/18 1.2s} e5 2. Nf3 Nc6 1-0\n\n";
    let handed = Cell::new(0);
    let games = 20_000;
    let file = Endless { game, at: 0, games, handed: &handed };
    let reader = Reader::new(BufReader::with_capacity(4096, file), Edition::CaptureOrConquer);
    let mut read = 0;
    for copy in reader {
        let copy = copy.expect("a game");
        read += 1;
        assert_eq!(copy.record.moves().len(), 4);
        // All but the blank line after this game must have been handed over.
        let ahead = handed.get() + 1 - read * game.len();
        assert!(ahead <= 4096, "{ahead} bytes beyond game {read}");
    }
    assert_eq!(read, games);
}

#[test]
fn b203_nested_variations() {
    let text =
        "1. e3 (1. d3 (1. c3 c6 (1... d6)) 1... e6) 1... e6 (1... d6 ({x} 1... c6)) 2. d3 *\n";
    assert_eq!(only(text), "e2e3 e7e6 d2d3");
    for unbalanced in ["1. e3 (1. d3 e6 2. d3 *\n", "1. e3 ) e6 *\n"] {
        let error = read(unbalanced.as_bytes()).remove(0).expect_err("unbalanced");
        assert!(error.to_string().ends_with("unbalanced parentheses"), "{error}");
    }
}

#[test]
fn b205_empty_tags_and_clock_comments() {
    let text = "[Event \"blitz\"]\n[Round \"\"]\n[Annotator \"\"]\n[Result \"1-0\"]\n\n\
                1. e3 {[%emt 0:0:7]} e6 {[%emt 0:0:9]} 2. d3 {[%emt 0:1:2]} 1-0\n";
    let games = games(text);
    assert_eq!(moves(&games[0]), "e2e3 e7e6 d2d3");
    assert_eq!(games[0].result, GameResult::Won(Color::White));
    assert_eq!(games[0].comment(2), "[%emt 0:0:9]");
}

#[test]
fn b207_line_breaks_inside_comments_and_after_a_number() {
    let text = "1. e3 {+0.05/9} e6 {-0.11/9\n14} 2.\nd3 {+0.09/8 12} d6\n{-0.02/8 13} *\n";
    assert_eq!(only(text), "e2e3 e7e6 d2d3 d7d6");
    assert_eq!(games(text)[0].comment(2), "-0.11/9 14");
}

#[test]
fn errors_name_the_place_and_spare_the_other_games() {
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Qh8 Nc6 1-0\n\n[FEN \"8/8 w\"]\n\n*\n\n\
                [Event \"c\nmore\n\n[Variant \"shogi\"]\n\n1. e4 *\n\n[Event \"e\"]\n\n1. e4 e5 *\n";
    let all = read(text.as_bytes());
    let texts: Vec<String> =
        all.iter().map(|g| g.as_ref().map_or_else(|e| e.to_string(), moves)).collect();
    assert_eq!(
        texts,
        [
            "game 1, line 3, column 13: move 2.: \"Qh8\" is not a legal move",
            "game 2, line 7, column 1: FEN: 2 rows instead of 8",
            "game 3, line 9, column 1: \"[Event \\\"c\" is not a tag",
            "game 4, line 14, column 4: unknown variant \"shogi\"",
            "e2e4 e7e5",
        ]
    );
    let error = read(b"1. e4 {never closed\ne5 *\n").remove(0).expect_err("no closing brace");
    assert!(error.to_string().ends_with("a comment without its closing brace"), "{error}");
}

/// The games of the reference program, with comments on every ply, written and read back.
#[test]
fn a_written_file_read_back_gives_the_same_games() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/games.jsonl");
    let text = fs::read_to_string(path).expect("the vectors lie beside the tests");
    let mut file = Vec::new();
    let mut originals = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let edition = Edition::parse(case["edition"].as_str().expect("text")).expect("known");
        let start = Position::from_fen(edition, case["fen"].as_str().expect("text"));
        let mut record = GameRecord::new(start.expect("a valid FEN"));
        for m in case["moves"].as_array().expect("a list") {
            let text = m.as_str().expect("text");
            let m = parse_move(record.position(), text, Letters::English).expect("legal");
            record.play(m).expect("legal");
        }
        let mut game = PgnGame::new(record);
        game.set_tag("Event", format!("game \"{index}\" \\ of many"));
        game.set_tag("White", "A (very) [odd] {name}; 1-0");
        for plies in 0..=game.record.moves().len() {
            if (plies + index) % 3 != 0 {
                game.add_comment(plies, &format!("+0.{plies:02}/18 1.2s; 1. e4 (x) [y]"));
            }
        }
        write(&game, &mut file).expect("a Vec takes everything");
        originals.push(game);
    }
    let read_back = games(&file);
    assert_eq!(read_back.len(), originals.len());
    for (original, copy) in originals.iter().zip(&read_back) {
        assert_eq!(copy.record.start(), original.record.start());
        assert_eq!(copy.record.moves(), original.record.moves());
        assert_eq!(copy.result, original.result);
        for name in ["Event", "White"] {
            assert_eq!(copy.tag(name), original.tag(name));
        }
        for plies in 0..=original.record.moves().len() {
            assert_eq!(copy.comment(plies), original.comment(plies));
        }
    }
}
