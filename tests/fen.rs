//! Positions as text: every clause of what is read, what is written and what is refused, and that a
//! refusal says what is wrong and where.

mod random;

use proptest::prelude::*;
use random::Random;
use usurper::rules::{Edition, FenError, GameRecord, MAX_MOVES, Position};

use Edition::{CaptureOrConquer, Chess, Classic};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// What a text reads as, written again.
#[track_caller]
fn read(edition: Edition, text: &str) -> String {
    match Position::from_fen(edition, text) {
        Ok(position) => {
            assert_eq!(position.key(), position.computed_key(), "{text}");
            position.to_fen()
        }
        Err(error) => panic!("{edition} {text:?}: {error}"),
    }
}

#[track_caller]
fn refusal(edition: Edition, text: &str) -> String {
    match Position::from_fen(edition, text) {
        Ok(position) => panic!("{edition} {text:?} was read as {}", position.to_fen()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn start_positions() {
    let rights = format!("{START} w KQkq - 0 1");
    let none = format!("{START} w - - 0 1");
    assert_eq!(Position::start(CaptureOrConquer).to_fen(), none);
    assert_eq!(Position::start(Classic).to_fen(), rights);
    assert_eq!(Position::start(Chess).to_fen(), rights);
    for edition in Edition::ALL {
        // Today's edition ignores the rights.
        assert_eq!(Position::from_fen(edition, &rights), Ok(Position::start(edition)));
    }
}

#[test]
fn the_last_two_fields_may_be_missing() {
    let whole = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    for edition in Edition::ALL {
        assert_eq!(read(edition, "4k3/8/8/8/8/8/8/4K2R w - -"), whole);
        assert_eq!(read(edition, "4k3/8/8/8/8/8/8/4K2R w - - 7"), whole.replace("0 1", "7 1"));
        assert_eq!(read(edition, "  4k3/8/8/8/8/8/8/4K2R\tw  -   - 0 1  \r\n"), whole);
    }
}

#[test]
fn a_number_in_the_fourth_field_means_that_the_castling_field_was_left_out() {
    for edition in Edition::ALL {
        let read = |text| read(edition, text);
        assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w - 3 9"), "4k3/8/8/8/8/8/8/4K2R w - - 3 9");
        assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w - 3"), "4k3/8/8/8/8/8/8/4K2R w - - 3 1");
        assert_eq!(read("4k3/8/8/3pP3/8/8/8/4K3 w d6 0 2"), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    }
    assert_eq!(
        refusal(Classic, "4k3/8/8/8/8/8/8/4K2R w K 3 9"),
        "FEN: the en passant square \"K\" is no square"
    );
}

#[test]
fn counters() {
    let with = |tail: &str| format!("4k3/8/8/8/8/8/8/4K2R w - - {tail}");
    for edition in Edition::ALL {
        for tail in ["0 1", "12 13", "99 65535", "65535 1"] {
            assert_eq!(read(edition, &with(tail)), with(tail));
        }
        // Some programs count moves from 0.
        assert_eq!(read(edition, &with("5 0")), with("5 1"));
        assert_eq!(read(edition, &with("007 0020")), with("7 20"));
        for bad in ["x", "-1", "+1", "1.5", "65536", "99999999999999999999", "½"] {
            assert_eq!(
                refusal(edition, &with(&format!("{bad} 1"))),
                format!("FEN: the halfmove clock {bad:?} is no number from 0 to 65535")
            );
            assert_eq!(
                refusal(edition, &with(&format!("0 {bad}"))),
                format!("FEN: the move number {bad:?} is no number from 0 to 65535")
            );
        }
        assert_eq!(refusal(edition, &with("0 1 2")), "FEN: \"2\" after the last field");
        assert_eq!(refusal(edition, &with("0 1 moves")), "FEN: \"moves\" after the last field");
    }
}

#[test]
fn counters_stop_at_their_end() {
    let position = Position::from_fen(CaptureOrConquer, "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535");
    let position = position.expect("a good FEN");
    let next = position.play(position.legal_moves()[0]);
    assert!(next.to_fen().ends_with(" w - - 65535 65535"), "{}", next.to_fen());
}

#[test]
fn the_tail_of_an_epd_line() {
    let board = "4k3/8/8/8/8/8/8/4K2R w - -";
    for edition in Edition::ALL {
        let read = |tail: &str| read(edition, &format!("{board} {tail}"));
        assert_eq!(read("bm Rh8;"), format!("{board} 0 1"));
        assert_eq!(read("bm Rh8; id \"a name\";"), format!("{board} 0 1"));
        assert_eq!(read("hmvc 17; fmvn 40;"), format!("{board} 17 40"));
        assert_eq!(read("id \"x\"; fmvn 40; bm Rh8; hmvc 17;"), format!("{board} 17 40"));
        assert_eq!(read("fmvn 0;"), format!("{board} 0 1"));
        // Six fields and a tail: what the tail says comes last.
        assert_eq!(read("3 4 id \"x\";"), format!("{board} 3 4"));
        assert_eq!(read("3 4 fmvn 5;"), format!("{board} 3 5"));
    }
    let refusal = |tail: &str| refusal(Chess, &format!("{board} {tail}"));
    assert_eq!(
        refusal("hmvc many;"),
        "FEN: the hmvc operation \"many\" is no number from 0 to 65535"
    );
    assert_eq!(
        refusal("id \"x\"; fmvn 70000;"),
        "FEN: the fmvn operation \"70000\" is no number from 0 to 65535"
    );
    // Without its semicolon it is no operation, and a typing error in a counter no tail.
    assert_eq!(refusal("bm Rh8"), "FEN: the halfmove clock \"bm\" is no number from 0 to 65535");
    assert_eq!(refusal("x y"), "FEN: the halfmove clock \"x\" is no number from 0 to 65535");
}

#[test]
fn missing_fields_are_named() {
    for edition in Edition::ALL {
        assert_eq!(refusal(edition, ""), "FEN: the placement is missing");
        assert_eq!(refusal(edition, " \t "), "FEN: the placement is missing");
        assert_eq!(refusal(edition, START), "FEN: the side to move is missing");
        assert_eq!(refusal(edition, &format!("{START} w")), "FEN: the castling field is missing");
        assert_eq!(
            refusal(edition, &format!("{START} w -")),
            "FEN: the en passant square is missing"
        );
    }
}

#[test]
fn the_placement_must_fill_the_board() {
    let refusal = |placement: &str| refusal(CaptureOrConquer, &format!("{placement} w - - 0 1"));
    assert_eq!(refusal("7"), "FEN: 1 row instead of 8");
    assert_eq!(refusal("4k3/8/8/8/8/8/4K3"), "FEN: 7 rows instead of 8");
    assert_eq!(refusal("4k3/8/8/8/8/8/8/8/4K3"), "FEN: 9 rows instead of 8");
    assert_eq!(refusal("4k3/8/8/8/8/8/8/4K3/"), "FEN: 9 rows instead of 8");
    assert_eq!(refusal("4k3/8/8/7/8/8/8/4K3"), "FEN: rank 5 (\"7\") has 7 squares instead of 8");
    assert_eq!(
        refusal("4k3/8/8/8/8/8/8/4K3R"),
        "FEN: rank 1 (\"4K3R\") has 9 squares instead of 8"
    );
    assert_eq!(refusal("4k3/8/8/8//8/8/4K3"), "FEN: rank 4 (\"\") has 0 squares instead of 8");
    assert_eq!(
        refusal("4k3/88888888/8/8/8/8/8/4K3"),
        "FEN: rank 7 (\"88888888\") has 64 squares instead of 8"
    );
    assert_eq!(refusal("4k3/8/8/4x3/8/8/8/4K3"), "FEN: 'x' in rank 5 is no piece");
    assert_eq!(refusal("4k3/8/8/9/8/8/8/4K3"), "FEN: '9' in rank 5 is no piece");
    assert_eq!(refusal("4k3/80/8/8/8/8/8/4K3"), "FEN: '0' in rank 7 is no piece");
    assert_eq!(refusal("4k3/8/8/8/8/3é4/8/4K3"), "FEN: 'é' in rank 3 is no piece");
    // Gaps in pieces are gaps all the same.
    assert_eq!(
        read(Chess, "4k3/44/1232/8/8/8/11111111/4K3 w - -"),
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    );
}

#[test]
fn pawns_never_stand_on_the_first_or_last_rank() {
    for edition in Edition::ALL {
        for file in 0..8usize {
            let name = (b'a' + file as u8) as char;
            let row = |letter: char| {
                random::placement(|square| if square == file { letter } else { '.' })
            };
            let row =
                |letter: char| row(letter).rsplit('/').next().map(str::to_owned).expect("a row");
            for letter in ['P', 'p'] {
                let top = format!("{}/8/4k3/8/8/4K3/8/8 w - - 0 1", row(letter));
                assert_eq!(refusal(edition, &top), format!("FEN: a pawn on {name}8"));
                let bottom = format!("8/8/4k3/8/8/4K3/8/{} w - - 0 1", row(letter));
                assert_eq!(refusal(edition, &bottom), format!("FEN: a pawn on {name}1"));
            }
        }
    }
}

#[test]
fn sides() {
    for side in ["W", "B", "white", "r", "-", "wb"] {
        assert_eq!(
            refusal(Chess, &format!("{START} {side} KQkq - 0 1")),
            format!("FEN: the side to move is {side:?}, not w or b")
        );
    }
}

#[test]
fn kings() {
    for edition in Edition::ALL {
        let refusal = |text| refusal(edition, text);
        assert_eq!(refusal("8/8/8/8/8/8/8/8 w - - 0 1"), "FEN: both kings are missing");
        assert_eq!(refusal("4k3/8/8/8/8/8/8/K3K3 w - - 0 1"), "FEN: white has 2 kings");
        assert_eq!(refusal("kkk5/8/8/8/8/8/8/4K3 w - - 0 1"), "FEN: black has 3 kings");
        assert_eq!(refusal("8/8/8/8/8/8/8/K3K3 w - - 0 1"), "FEN: white has 2 kings");
    }
    assert_eq!(refusal(Chess, "8/8/8/8/8/8/8/4K3 w - - 0 1"), "FEN: black has 0 kings");
    assert_eq!(refusal(Chess, "4k3/8/8/8/8/8/8/8 w - - 0 1"), "FEN: white has 0 kings");
    // In Capture or Conquer a King is missing when the game is over.
    for edition in [CaptureOrConquer, Classic] {
        let position = Position::from_fen(edition, "3k4/8/8/8/8/8/3R4/8 w - - 0 1");
        let outcome = position.expect("a finished game").outcome().expect("it is over");
        assert_eq!(
            (outcome.winner_name(), outcome.reason.to_string().as_str()),
            ("black", "capture")
        );
    }
}

#[test]
fn in_chess_the_side_not_to_move_does_not_stand_in_check() {
    let fen = "4k3/8/8/8/8/8/8/4KR1r b - - 0 1";
    assert_eq!(read(Chess, fen), fen);
    let white_attacks = "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(refusal(Chess, white_attacks), "FEN: black is not to move but in check");
    let black_attacks = "4k3/8/8/8/8/8/8/3rK3 b - - 0 1";
    assert_eq!(refusal(Chess, black_attacks), "FEN: white is not to move but in check");
    for edition in [CaptureOrConquer, Classic] {
        assert_eq!(read(edition, white_attacks), white_attacks);
    }
}

#[test]
fn castling_rights_that_the_board_does_not_bear_out_are_dropped() {
    let cases = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "Kq"),
        ("4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "Qk"),
        ("3k3r/8/8/8/8/8/8/4K2R b Kk - 0 1", "K"),
        ("r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "-"),
        ("r3k2r/8/8/8/8/8/8/r3K2b w KQ - 0 1", "-"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-"),
    ];
    for (fen, rights) in cases {
        for edition in [Classic, Chess] {
            if let Ok(position) = Position::from_fen(edition, fen) {
                let written = position.to_fen();
                assert_eq!(written.split(' ').nth(2), Some(rights), "{edition} {fen}");
            } else {
                assert_eq!((edition, rights), (Chess, "-"), "{fen}");
            }
        }
        assert_eq!(read(CaptureOrConquer, fen).split(' ').nth(2), Some("-"), "{fen}");
    }
    for edition in Edition::ALL {
        for bad in ["X", "KK", "KQkqK", "Ha", "--", "K-", "0", "KQkq-"] {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {bad} - 0 1");
            assert_eq!(
                refusal(edition, &fen),
                format!("FEN: the castling rights {bad:?} are not - or letters of KQkq, each once")
            );
        }
    }
}

#[test]
fn the_en_passant_square_is_kept_only_where_a_pawn_can_capture() {
    for edition in Edition::ALL {
        let kept = |fen: &str| assert_eq!(read(edition, fen), fen, "{edition}");
        let dropped = |fen: &str| {
            let fields: Vec<&str> = fen.split(' ').collect();
            let without = fen.replacen(&format!(" {} ", fields[3]), " - ", 1);
            assert_eq!(read(edition, fen), without, "{edition}");
        };
        kept("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
        kept("4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 2");
        kept("4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 2");
        kept("4k3/8/8/8/6pP/8/8/4K3 b - h3 0 2");
        dropped("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2"); // nobody there to capture
        dropped("4k3/8/8/3p3P/8/8/8/4K3 w - d6 0 2"); // nobody beside it
        dropped("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 2"); // not across the board's edge
        dropped("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 2"); // the wrong side to move
        dropped("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 2"); // the wrong rank
        dropped("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 2");
        dropped("4k3/8/8/3pP3/8/8/8/4K3 w - h8 0 2");
        dropped("4k3/8/8/3pP3/8/8/8/4K3 w - a1 0 2");
        dropped("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 2"); // the square is occupied
        dropped("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 2"); // the pawn's origin is
        dropped("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 2"); // no pawn in front of it
        dropped("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 2"); // an own one
        dropped("4k3/8/3p4/3P4/8/8/8/4K3 w - e6 0 1");
        for bad in ["z9", "e9", "i3", "e", "e33", "E6", "0e", "--"] {
            assert_eq!(
                refusal(edition, &format!("4k3/8/8/3pP3/8/8/8/4K3 w - {bad} 0 2")),
                format!("FEN: the en passant square {bad:?} is no square")
            );
        }
    }
    // The capture would uncover the King: not legal in chess, nothing wrong elsewhere.
    let pinned = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2";
    assert_eq!(read(Chess, pinned), pinned.replace("d6", "-"));
    assert_eq!(read(CaptureOrConquer, pinned), pinned);
    // A finished game keeps it: the board alone decides.
    let finished = "4K3/8/8/3pP3/8/8/8/4k3 w - d6 0 2";
    assert_eq!(read(CaptureOrConquer, finished), finished);
}

#[test]
fn a_double_step_shows_the_square_only_where_it_can_be_captured() {
    let mut game = GameRecord::from_start(CaptureOrConquer);
    let mut play = |text: &str| {
        let m = game.position().legal_moves().into_iter().find(|m| m.to_string() == text);
        game.play(m.expect("legal")).expect("legal");
        game.position().to_fen()
    };
    assert!(play("e2e4").ends_with(" b - - 0 1"));
    assert!(play("a7a6").ends_with(" w - - 0 2"));
    assert!(play("e4e5").ends_with(" b - - 0 2"));
    assert!(play("d7d5").ends_with(" w - d6 0 3"));
    assert!(play("h2h4").ends_with(" b - - 0 3"));
}

#[test]
fn any_number_of_pieces_fits() {
    let queens = "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q4k1Q/Q6Q/Q6Q/QQQKQQQQ w - - 0 1";
    for edition in [CaptureOrConquer, Classic] {
        assert_eq!(read(edition, queens), queens);
    }
    assert_eq!(refusal(Chess, queens), "FEN: black is not to move but in check");
    let full = "knnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/NNNNNNNN/NNNNNNNN/NNNNNNNN/KNNNNNNN w - - 0 1";
    for edition in [CaptureOrConquer, Classic] {
        assert_eq!(read(edition, full), full);
    }
}

/// Climbs, by changing one square at a time, to a position with as many moves as it can find.
fn many_moves(random: &mut Random, edition: Edition, letters: &[char]) -> (usize, String) {
    let mut squares = ['.'; 64];
    squares[random.below(64)] = 'K';
    let fen = |squares: &[char; 64]| format!("{} w - - 0 1", random::placement(|s| squares[s]));
    let mut best = 0;
    for _ in 0..4000 {
        let mut next = squares;
        if random.chance(40) {
            next.swap(random.below(64), random.below(64));
        } else {
            next[random.below(64)] = random.pick(letters);
        }
        let Ok(position) = Position::from_fen(edition, &fen(&next)) else { continue };
        let count = position.moves().len();
        assert_eq!(
            count,
            position.moves().into_iter().collect::<std::collections::HashSet<_>>().len()
        );
        if count >= best {
            (best, squares) = (count, next);
        }
    }
    (best, fen(&squares))
}

#[test]
fn no_position_has_more_moves_than_a_list_holds() {
    let mut random = Random::new(5);
    let letters = ['.', 'Q', 'N', 'p', 'P', 'R', 'n'];
    for edition in [CaptureOrConquer, Classic] {
        // More than any position of a game (218), and well below the proven bound.
        let (most, fen) =
            (0..3).map(|_| many_moves(&mut random, edition, &letters)).max().expect("three");
        assert!((219..=MAX_MOVES).contains(&most), "{most}: {fen}");
    }
}

#[test]
fn errors_can_be_told_apart() {
    let error = |text| Position::from_fen(Chess, text).unwrap_err();
    assert_eq!(error("8/8/8/8/8/8/8/8 w - - 0 1"), FenError::NoKings);
    assert_eq!(error("7 w - - 0 1"), FenError::Rows(1));
    assert!(
        matches!(error("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x"), FenError::Trailing(text) if text == "x")
    );
}

proptest! {
    /// Whatever the text: an error of one line and of bearable length, or a position that is written
    /// and read again the same.
    #[test]
    fn any_text_is_refused_or_read(text in "\\PC{0,120}") {
        for edition in Edition::ALL {
            check_any_text(edition, &text)?;
        }
    }

    /// The same for texts that come close.
    #[test]
    fn nearly_good_text_is_refused_or_read(
        rows in prop::collection::vec("[1-8pnbrqkPNBRQK]{1,8}", 7..=9),
        side in "[wb]|[a-z]?",
        castling in "-|[KQkq]{1,4}|[A-Z]",
        passed in "-|[a-h][36]|[a-i][0-9]",
        tail in "( [0-9]{1,6})?( [0-9]{1,6})?( hmvc [0-9]{1,6};)?",
    ) {
        let text = format!("{} {side} {castling} {passed}{tail}", rows.join("/"));
        for edition in Edition::ALL {
            check_any_text(edition, &text)?;
        }
    }
}

fn check_any_text(edition: Edition, text: &str) -> Result<(), TestCaseError> {
    match Position::from_fen(edition, text) {
        Ok(position) => {
            let again = Position::from_fen(edition, &position.to_fen());
            prop_assert_eq!(again, Ok(position));
        }
        Err(error) => {
            let message = error.to_string();
            prop_assert!(message.starts_with("FEN: ") && !message.contains('\n'));
        }
    }
    Ok(())
}

#[test]
fn the_message_about_an_endless_text_is_short() {
    let long = "q".repeat(1_000_000);
    let texts = [
        format!("{long}/8/8/8/8/8/8/8 w - - 0 1"),
        format!("{START} {long} - - 0 1"),
        format!("{START} w {long} - 0 1"),
        format!("{START} w - {long} 0 1"),
        format!("{START} w - - {long} 1"),
        format!("{START} w - - 0 1 {long}"),
        format!("{START} w - - hmvc {long};"),
    ];
    for text in texts {
        assert!(refusal(CaptureOrConquer, &text).len() < 200, "{}", &text[..80]);
    }
}
