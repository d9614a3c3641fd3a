//! The grammar of a UCI line: one line of text in, one typed [`Command`] out.
//!
//! The first word is split off here; unknown words before a known one are skipped, as the UCI
//! standard asks. `position`, `go` and `setoption` are read by `nom` parsers that must consume the
//! whole line; a keyword commits its parser, so that a wrong number after `depth` is an error at that
//! number and never a half-read line. FENs and moves stay text: what they mean is decided in `rules/`.

use std::time::Duration;

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::{all_consuming, cut, map_opt, opt, rest, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{many0, many1};
use nom::sequence::preceded;
use nom::{Err, IResult, Parser};

use crate::games::bench::Set;

use super::error::{Found, SyntaxError, quote};
use super::vampirc::{self, Fixed};

/// One line of UCI input, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// A command of fixed words.
    Fixed(Fixed),
    /// `position …`.
    Position(PositionText<'a>),
    /// `go …`.
    Go(Go<'a>),
    /// `go perft DEPTH`.
    Perft(u32),
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// The name, its words joined by single blanks.
        name: String,
        /// The value with outer blanks removed; `None` when the word `value` is missing.
        value: Option<&'a str>,
    },
    /// `d`: show the position.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `bench [DEPTH] [NAME]`: search a fixed set of positions.
    Bench {
        /// How deep, in plies.
        depth: Option<u32>,
        /// Of which games.
        set: Set,
    },
}

/// The parts of a `position` line, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionText<'a> {
    /// The FEN; `None` for `startpos`.
    pub fen: Option<&'a str>,
    /// The moves played from there, in order.
    pub moves: Vec<&'a str>,
}

/// The parameters of a `go` line. Times below zero are read as zero, numbers beyond their type as
/// its greatest value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go<'a> {
    /// `depth N`, in plies.
    pub depth: Option<u32>,
    /// `nodes N`.
    pub nodes: Option<u64>,
    /// `mate N`, in moves.
    pub mate: Option<u32>,
    /// `movetime MS`.
    pub movetime: Option<Duration>,
    /// `wtime MS`.
    pub wtime: Option<Duration>,
    /// `btime MS`.
    pub btime: Option<Duration>,
    /// `winc MS`.
    pub winc: Option<Duration>,
    /// `binc MS`.
    pub binc: Option<Duration>,
    /// `movestogo N`; 0 is the same as none.
    pub movestogo: Option<u32>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `searchmoves …`, as text; empty for all moves.
    pub searchmoves: Vec<&'a str>,
}

/// Reads one line, without its line end. `Ok(None)` for a blank line.
///
/// # Errors
/// When no word is a known command, or the known one is followed by something it does not take.
pub fn parse(line: &str) -> Result<Option<Command<'_>>, SyntaxError> {
    let line = line.trim();
    let (first, after_first) = split_word(line);
    if first.is_empty() {
        return Ok(None);
    }
    // The words beyond the standard count only at the start of a line: no chance text starts a bench.
    match first.to_ascii_lowercase().as_str() {
        "d" => return Ok(Some(Command::Display)),
        "eval" => return Ok(Some(Command::Eval)),
        "bench" => return read(line, after_first, "bench", bench).map(Some),
        _ => {}
    }

    let mut text = line;
    while !text.is_empty() {
        let (word, arguments) = split_word(text);
        if let Some(command) = standard_command(line, &word.to_ascii_lowercase(), arguments) {
            return command.map(Some);
        }
        text = arguments.trim_start();
    }
    Err(SyntaxError::Unknown { word: quote(first) })
}

/// The command that starts with `word`, or `None` when the standard has no such word.
fn standard_command<'a>(
    line: &'a str,
    word: &str,
    arguments: &'a str,
) -> Option<Result<Command<'a>, SyntaxError>> {
    Some(match word {
        "position" => read(line, arguments, "position", position),
        "setoption" => read(line, arguments, "setoption", set_option),
        "go" => read(line, arguments, "go", go).and_then(collect_go),
        _ => {
            let word = vampirc::WORDS.into_iter().find(|&known| known == word)?;
            fixed(line, word, arguments)
        }
    })
}

/// A command of fixed words.
fn fixed<'a>(
    line: &'a str,
    word: &'static str,
    arguments: &'a str,
) -> Result<Command<'a>, SyntaxError> {
    // Blanks of every kind become single ones, and what no person or client sends is cut: none of
    // these commands looks far.
    const FURTHEST: usize = 64;
    let words: Vec<&str> = arguments.split_whitespace().take(FURTHEST).collect();
    let line_of_words = [&[word], &words[..]].concat().join(" ");
    vampirc::parse(&line_of_words).map(Command::Fixed).ok_or_else(|| {
        let expected = if word == "debug" { "on or off" } else { "later, or name … code …" };
        unexpected(line, arguments, word, expected)
    })
}

/// The first word of `text` and what follows it, blanks included.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Runs a parser over all arguments of a command.
fn read<'a, T>(
    line: &'a str,
    arguments: &'a str,
    command: &'static str,
    parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> Result<T, SyntaxError> {
    match all_consuming(parser).parse(arguments) {
        Ok((_, value)) => Ok(value),
        Err(Err::Error(error) | Err::Failure(error)) => {
            Err(unexpected(line, error.at, command, error.what))
        }
        Err(Err::Incomplete(_)) => Err(unexpected(line, "", command, "more")),
    }
}

/// The error for the place `at`, which is a tail of `line`.
fn unexpected(line: &str, at: &str, command: &'static str, expected: &'static str) -> SyntaxError {
    let at = at.trim_start();
    let before = line.get(..line.len().saturating_sub(at.len())).unwrap_or(line);
    let (word, _) = split_word(at);
    let found = if word.is_empty() { Found::End } else { Found::Word(quote(word)) };
    SyntaxError::Unexpected { command, expected, column: before.chars().count() + 1, found }
}

/// The parsers' error: what was expected, and the input from that place on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Expected<'a> {
    at: &'a str,
    what: &'static str,
}

impl<'a> ParseError<&'a str> for Expected<'a> {
    fn from_error_kind(at: &'a str, kind: ErrorKind) -> Self {
        let what = if kind == ErrorKind::Eof { "the end of the line" } else { "a word" };
        Expected { at, what }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Expected<'a>>;

/// The next word, blanks before it skipped.
fn word(input: &str) -> Parsed<'_, &str> {
    preceded(take_while(char::is_whitespace), take_while1(|c: char| !c.is_whitespace()))
        .parse(input)
}

/// The next word, which must be `keyword` in any case of letters.
fn keyword<'a>(
    keyword: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Expected<'a>> {
    verify(word, move |word: &str| word.eq_ignore_ascii_case(keyword))
}

/// `parser`, whose failure is reported as a place where `what` was expected. One that a keyword has
/// committed to keeps its own report: it knows better.
fn expecting<'a, T>(
    what: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Expected<'a>> {
    move |input: &'a str| match parser.parse(input) {
        Err(Err::Error(_)) => Err(Err::Error(Expected { at: input, what })),
        result => result,
    }
}

/// The end of the line, reported as a place where `what` was expected.
fn end<'a>(what: &'static str) -> impl Parser<&'a str, Output = (), Error = Expected<'a>> {
    move |input: &'a str| {
        if input.trim_start().is_empty() {
            Ok(("", ()))
        } else {
            Err(Err::Error(Expected { at: input, what }))
        }
    }
}

/// A word of digits only; more than fit are the greatest value.
fn whole_number(input: &str) -> Parsed<'_, u64> {
    let digits = verify(word, |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()));
    expecting("a whole number", digits.map(|digits: &str| digits.parse().unwrap_or(u64::MAX)))
        .parse(input)
}

/// As [`whole_number`], in 32 bits.
fn small_number(input: &str) -> Parsed<'_, u32> {
    whole_number.map(|number| u32::try_from(number).unwrap_or(u32::MAX)).parse(input)
}

/// A time in milliseconds; a clock that has run below zero counts as zero.
fn milliseconds(input: &str) -> Parsed<'_, Duration> {
    let negative = verify(word, |word: &str| {
        word.strip_prefix('-')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    expecting(
        "a time in milliseconds",
        alt((whole_number.map(Duration::from_millis), negative.map(|_| Duration::ZERO))),
    )
    .parse(input)
}

/// `startpos | fen TEXT`, then `moves …` or nothing.
fn position(input: &str) -> Parsed<'_, Command<'_>> {
    let start = keyword("startpos").map(|_| None);
    let fen = preceded(keyword("fen"), cut(expecting("a FEN", fen_text))).map(Some);
    let (input, fen) = expecting("startpos or fen", alt((start, fen))).parse(input)?;
    let (input, moves) = opt(preceded(keyword("moves"), many0(word))).parse(input)?;
    let (input, ()) = end("moves").parse(input)?;
    Ok((input, Command::Position(PositionText { fen, moves: moves.unwrap_or_default() })))
}

/// Everything up to the word `moves` or the end, which must be something.
fn fen_text(input: &str) -> Parsed<'_, &str> {
    let field = verify(word, |word: &str| !word.eq_ignore_ascii_case("moves"));
    let (after, _) = many1(field).parse(input)?;
    let text = input.get(..input.len() - after.len()).unwrap_or(input);
    Ok((after, text.trim()))
}

/// `name WORDS [value TEXT]`.
fn set_option(input: &str) -> Parsed<'_, Command<'_>> {
    let (input, _) = expecting("name", keyword("name")).parse(input)?;
    let part = verify(word, |word: &str| !word.eq_ignore_ascii_case("value"));
    let (input, name) = expecting("the name of an option", many1(part)).parse(input)?;
    let (input, value) = opt(preceded(keyword("value"), rest)).parse(input)?;
    Ok((input, Command::SetOption { name: name.join(" "), value: value.map(str::trim) }))
}

/// `[DEPTH] [NAME]`.
fn bench(input: &str) -> Parsed<'_, Command<'_>> {
    let (input, depth) = opt(small_number).parse(input)?;
    let (input, set) = opt(map_opt(word, Set::parse)).parse(input)?;
    let expected =
        if depth.is_some() { "the name of a game" } else { "a depth or the name of a game" };
    let (input, ()) = end(expected).parse(input)?;
    Ok((input, Command::Bench { depth, set: set.unwrap_or_default() }))
}

/// One parameter of `go` with its value.
enum GoPart<'a> {
    Depth(u32),
    Nodes(u64),
    Mate(u32),
    MoveTime(Duration),
    WhiteTime(Duration),
    BlackTime(Duration),
    WhiteIncrement(Duration),
    BlackIncrement(Duration),
    MovesToGo(u32),
    Infinite,
    Ponder,
    SearchMoves(Vec<&'a str>),
}

/// The words that may follow `go`, and so end a list of moves.
const GO_WORDS: [&str; 13] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// What a `go` line asks for, before its parameters are put together.
enum GoLine<'a> {
    Perft(u32),
    Search(Vec<GoPart<'a>>),
}

/// `perft N`, or parameters in any order.
fn go(input: &str) -> Parsed<'_, GoLine<'_>> {
    let perft = preceded(keyword("perft"), cut(small_number)).map(GoLine::Perft);
    let search = many0(go_part).map(GoLine::Search);
    let (input, line) = alt((perft, search)).parse(input)?;
    let (input, ()) = end("a parameter of go").parse(input)?;
    Ok((input, line))
}

fn go_part(input: &str) -> Parsed<'_, GoPart<'_>> {
    fn with<'a, T>(
        name: &'static str,
        value: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
    ) -> impl Parser<&'a str, Output = T, Error = Expected<'a>> {
        preceded(keyword(name), cut(value))
    }
    let is_move = |word: &str| !GO_WORDS.iter().any(|go| word.eq_ignore_ascii_case(go));
    let moves = expecting("a move", many1(verify(word, is_move)));
    alt((
        with("depth", small_number).map(GoPart::Depth),
        with("nodes", whole_number).map(GoPart::Nodes),
        with("mate", small_number).map(GoPart::Mate),
        with("movetime", milliseconds).map(GoPart::MoveTime),
        with("wtime", milliseconds).map(GoPart::WhiteTime),
        with("btime", milliseconds).map(GoPart::BlackTime),
        with("winc", milliseconds).map(GoPart::WhiteIncrement),
        with("binc", milliseconds).map(GoPart::BlackIncrement),
        with("movestogo", small_number).map(GoPart::MovesToGo),
        keyword("infinite").map(|_| GoPart::Infinite),
        keyword("ponder").map(|_| GoPart::Ponder),
        with("searchmoves", moves).map(GoPart::SearchMoves),
    ))
    .parse(input)
}

/// Puts the parameters together; each may be given once.
fn collect_go(line: GoLine<'_>) -> Result<Command<'_>, SyntaxError> {
    fn once<T>(slot: &mut Option<T>, value: T, parameter: &'static str) -> Result<(), SyntaxError> {
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err(SyntaxError::Twice { command: "go", parameter }),
        }
    }
    let parts = match line {
        GoLine::Perft(depth) => return Ok(Command::Perft(depth)),
        GoLine::Search(parts) => parts,
    };
    let mut go = Go::default();
    let (mut infinite, mut ponder, mut searchmoves) = (None, None, None);
    for part in parts {
        match part {
            GoPart::Depth(depth) => once(&mut go.depth, depth, "depth")?,
            GoPart::Nodes(nodes) => once(&mut go.nodes, nodes, "nodes")?,
            GoPart::Mate(moves) => once(&mut go.mate, moves, "mate")?,
            GoPart::MoveTime(time) => once(&mut go.movetime, time, "movetime")?,
            GoPart::WhiteTime(time) => once(&mut go.wtime, time, "wtime")?,
            GoPart::BlackTime(time) => once(&mut go.btime, time, "btime")?,
            GoPart::WhiteIncrement(time) => once(&mut go.winc, time, "winc")?,
            GoPart::BlackIncrement(time) => once(&mut go.binc, time, "binc")?,
            GoPart::MovesToGo(moves) => once(&mut go.movestogo, moves, "movestogo")?,
            GoPart::Infinite => once(&mut infinite, (), "infinite")?,
            GoPart::Ponder => once(&mut ponder, (), "ponder")?,
            GoPart::SearchMoves(moves) => once(&mut searchmoves, moves, "searchmoves")?,
        }
    }
    go.movestogo = go.movestogo.filter(|&moves| moves > 0);
    go.infinite = infinite.is_some();
    go.ponder = ponder.is_some();
    go.searchmoves = searchmoves.unwrap_or_default();
    Ok(Command::Go(go))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::games::Variant;
    use crate::rules::Edition;

    use super::*;

    fn command(line: &str) -> Command<'_> {
        match parse(line) {
            Ok(Some(command)) => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn go_line(line: &str) -> Go<'_> {
        match command(line) {
            Command::Go(go) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn message(line: &str) -> String {
        match parse(line) {
            Err(error) => error.to_string(),
            other => panic!("{line}: {other:?}"),
        }
    }

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn blank_lines_are_nothing() {
        for line in ["", "  ", "\t", "\r"] {
            assert_eq!(parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(command("blarg isready"), Command::Fixed(Fixed::IsReady));
        assert_eq!(command("  joho  debug on "), Command::Fixed(Fixed::Debug(true)));
        assert_eq!(command("x go depth 3"), command("go depth 3"));
        assert_eq!(message("foo bar baz"), "unknown command 'foo'");
    }

    #[test]
    fn words_beyond_the_standard_stand_first() {
        assert_eq!(command("d"), Command::Display);
        assert_eq!(command("eval"), Command::Eval);
        let bench = |depth, set| Command::Bench { depth, set };
        assert_eq!(command("bench"), bench(None, Set::Chess));
        assert_eq!(command("bench 6"), bench(Some(6), Set::Chess));
        assert_eq!(command("bench board-games"), bench(None, Set::BoardGames));
        let chess = Set::One(Variant::Chess(Edition::Chess));
        assert_eq!(command("bench 6 Chess"), bench(Some(6), chess));
        assert_eq!(message("my bench"), "unknown command 'my'");
        assert_eq!(
            message("bench x"),
            "bench: expected a depth or the name of a game at column 7, found 'x'"
        );
    }

    #[test]
    fn letters_of_command_words_have_no_case() {
        assert_eq!(command("UCI"), Command::Fixed(Fixed::Uci));
        assert_eq!(command("Go Depth 3"), command("go depth 3"));
        assert_eq!(
            command("SETOPTION NAME HASH VALUE 8"),
            Command::SetOption { name: "HASH".into(), value: Some("8") }
        );
    }

    #[test]
    fn positions() {
        assert_eq!(
            command("position startpos"),
            Command::Position(PositionText { fen: None, moves: vec![] })
        );
        assert_eq!(command("position startpos moves"), command("position startpos"));
        assert_eq!(
            command(" position  startpos\tmoves e2e4  ERf1 De5 "),
            Command::Position(PositionText { fen: None, moves: vec!["e2e4", "ERf1", "De5"] })
        );
        assert_eq!(
            command("position fen 4k3/8/8/8/8/8/8/4K3 w -  moves e1e2"),
            Command::Position(PositionText {
                fen: Some("4k3/8/8/8/8/8/8/4K3 w -"),
                moves: vec!["e1e2"]
            })
        );
    }

    #[test]
    fn broken_positions_say_where() {
        let found_end = "found the end of the line";
        assert_eq!(
            message("position"),
            format!("position: expected startpos or fen at column 9, {found_end}")
        );
        assert_eq!(
            message("position fen"),
            format!("position: expected a FEN at column 13, {found_end}")
        );
        assert_eq!(
            message("position fen moves e2e4"),
            "position: expected a FEN at column 14, found 'moves'"
        );
        assert_eq!(
            message("position startpos e2e4"),
            "position: expected moves at column 19, found 'e2e4'"
        );
        assert_eq!(
            message("position start"),
            "position: expected startpos or fen at column 10, found 'start'"
        );
    }

    #[test]
    fn a_go_line_with_everything() {
        assert_eq!(
            go_line(
                "go ponder searchmoves e2e4 De5 wtime 1000 btime 2000 winc 10 binc 20 movestogo 40 \
                 depth 300 nodes 12345678901234 mate 3 movetime 500 infinite"
            ),
            Go {
                depth: Some(300),
                nodes: Some(12_345_678_901_234),
                mate: Some(3),
                movetime: Some(MS(500)),
                wtime: Some(MS(1000)),
                btime: Some(MS(2000)),
                winc: Some(MS(10)),
                binc: Some(MS(20)),
                movestogo: Some(40),
                infinite: true,
                ponder: true,
                searchmoves: vec!["e2e4", "De5"],
            }
        );
    }

    #[test]
    fn a_bare_go_has_no_limit() {
        assert_eq!(go_line("go"), Go::default());
        assert_eq!(go_line("go   "), Go::default());
    }

    #[test]
    fn clocks_below_zero_are_zero() {
        let go = go_line("go wtime -50 btime -2 movetime -10 movestogo 0");
        assert_eq!(go.wtime, Some(Duration::ZERO));
        assert_eq!(go.btime, Some(Duration::ZERO));
        assert_eq!(go.movetime, Some(Duration::ZERO));
        assert_eq!(go.movestogo, None);
    }

    #[test]
    fn numbers_too_great_are_the_greatest() {
        let go = go_line("go depth 99999999999 nodes 99999999999999999999999999");
        assert_eq!((go.depth, go.nodes), (Some(u32::MAX), Some(u64::MAX)));
    }

    #[test]
    fn half_numbers_are_refused_whole() {
        assert_eq!(message("go depth 7q"), "go: expected a whole number at column 10, found '7q'");
        assert_eq!(
            message("go movetime 250ms"),
            "go: expected a time in milliseconds at column 13, found '250ms'"
        );
        assert_eq!(message("go depth -1"), "go: expected a whole number at column 10, found '-1'");
        assert_eq!(
            message("go infinite nodes"),
            "go: expected a whole number at column 18, found the end of the line"
        );
        assert_eq!(
            message("go wtime - btime 5"),
            "go: expected a time in milliseconds at column 10, found '-'"
        );
    }

    #[test]
    fn odd_parameters_of_go_are_refused() {
        assert_eq!(
            message("go depth 3 quickly"),
            "go: expected a parameter of go at column 12, found 'quickly'"
        );
        assert_eq!(message("go depth 3 depth 4"), "go: depth is given twice");
        assert_eq!(
            message("go searchmoves depth 3"),
            "go: expected a move at column 16, found 'depth'"
        );
        assert_eq!(
            message("go perft"),
            "go: expected a whole number at column 9, found the end of the line"
        );
        assert_eq!(
            message("go perft 3 depth 2"),
            "go: expected a parameter of go at column 12, found 'depth'"
        );
    }

    #[test]
    fn perft() {
        assert_eq!(command("go perft 5"), Command::Perft(5));
    }

    #[test]
    fn options() {
        assert_eq!(
            command("setoption name Clear Hash"),
            Command::SetOption { name: "Clear Hash".into(), value: None }
        );
        assert_eq!(
            command("setoption name  Debug  Log File value  C:\\a  b.txt "),
            Command::SetOption { name: "Debug Log File".into(), value: Some("C:\\a  b.txt") }
        );
        assert_eq!(
            command("setoption name MultiPV value 1 value 2"),
            Command::SetOption { name: "MultiPV".into(), value: Some("1 value 2") }
        );
        assert_eq!(
            command("setoption name EvalFile value"),
            Command::SetOption { name: "EvalFile".into(), value: Some("") }
        );
        assert_eq!(
            message("setoption Hash value 3"),
            "setoption: expected name at column 11, found 'Hash'"
        );
        assert_eq!(
            message("setoption name value 3"),
            "setoption: expected the name of an option at column 16, found 'value'"
        );
    }

    #[test]
    fn fixed_words_with_arguments() {
        assert_eq!(
            message("debug"),
            "debug: expected on or off at column 6, found the end of the line"
        );
        assert_eq!(message("x debug 1"), "debug: expected on or off at column 9, found '1'");
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(message("é→ go depth ½"), "go: expected a whole number at column 13, found '½'");
    }

    #[test]
    fn a_megabyte_of_moves_is_read() {
        let line = format!("position startpos moves{}", " g1f3".repeat(200_000));
        match command(&line) {
            Command::Position(text) => assert_eq!(text.moves.len(), 200_000),
            other => panic!("{other:?}"),
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC*") {
            let _ = parse(&line);
        }

        #[test]
        fn no_mixture_of_known_words_panics(words in prop::collection::vec(
            prop::sample::select(vec![
                "go", "position", "fen", "startpos", "moves", "setoption", "name", "value", "depth",
                "nodes", "searchmoves", "e2e4", "-1", "99999999999999999999", "perft", "debug", "uci",
                "register", "later", "code", "stop", "\u{fffd}", "bench",
            ]),
            0..12,
        )) {
            let _ = parse(&words.join(" "));
        }
    }
}
