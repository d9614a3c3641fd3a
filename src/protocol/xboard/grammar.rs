//! The grammar of an XBoard line: one line of text in, one typed [`Command`] out.
//!
//! The first word decides. Moves, positions and option values stay text: what they mean is decided
//! in `rules/` and by the options' table. Numbers must be numbers to their end.

use std::time::Duration;

/// One line of XBoard input, read.
#[derive(Clone, PartialEq, Debug)]
pub enum Command<'a> {
    /// `protover N`.
    ProtoVer(u64),
    /// `accepted FEATURE` or `rejected FEATURE`.
    Feature {
        /// Which one.
        name: &'a str,
        /// Whether the client takes it.
        accepted: bool,
    },
    /// `new`.
    New,
    /// `variant NAME`.
    Variant(&'a str),
    /// `setboard FEN`.
    SetBoard(&'a str),
    /// `edit`, the old way to set up a position.
    Edit,
    /// `usermove MOVE`.
    UserMove(&'a str),
    /// A first word that is no command: perhaps a move, as clients without `usermove` send it.
    Bare(&'a str),
    /// `force`.
    Force,
    /// `go`.
    Go,
    /// `playother`.
    PlayOther,
    /// `level MOVES BASE INCREMENT`.
    Level {
        /// Moves to a time control, 0 for the rest of the game.
        moves: u32,
        /// Time for them.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// `st SECONDS`.
    MoveTime(Duration),
    /// `sd PLIES`.
    Depth(u32),
    /// `nps N`: count time in positions; `None` for a clock of the usual kind.
    NodeRate(Option<u64>),
    /// `time CENTISECONDS`: the engine's clock.
    Time(Duration),
    /// `otim CENTISECONDS`: the opponent's.
    OpponentTime(Duration),
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(&'a str),
    /// `draw`.
    Draw,
    /// `result RESULT {COMMENT}`.
    Result,
    /// `hint`.
    Hint,
    /// `bk`.
    Book,
    /// `undo`.
    Undo,
    /// `remove`.
    Remove,
    /// `hard`, `easy`: ponder or not.
    Ponder(bool),
    /// `post`, `nopost`: show thinking or not.
    Post(bool),
    /// `analyze`.
    Analyze,
    /// `.`: how far is the analysis?
    Status,
    /// `exit`: end the analysis.
    Exit,
    /// `exclude MOVE|all`, `include MOVE|all`.
    Exclude {
        /// The move; `None` for all.
        m: Option<&'a str>,
        /// Whether it is taken out or put back.
        out: bool,
    },
    /// `computer`: the opponent is an engine too.
    Computer,
    /// `pause`, `resume`.
    Pause(bool),
    /// `memory MEGABYTES`.
    Memory(u64),
    /// `cores N`.
    Cores(&'a str),
    /// `option NAME[=VALUE]`.
    Option {
        /// The name.
        name: &'a str,
        /// What comes after `=`.
        value: Option<&'a str>,
    },
    /// `lift SQUARE`: the person has picked up what stands there.
    Lift(&'a str),
    /// Understood, and nothing to be done.
    Ignored,
    /// `quit`.
    Quit,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// Something must follow the command.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A command that clients have not to send to this engine.
    #[error("{0}")]
    Refused(&'static str),
}

/// Reads one line. `Ok(None)` for a blank line.
///
/// # Errors
/// When the first word is a command and what it takes does not follow.
pub fn parse(line: &str) -> Result<Option<Command<'_>>, LineError> {
    let line = line.trim();
    let (word, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    let rest = rest.trim();
    let some = |what| if rest.is_empty() { Err(LineError::Expected(what)) } else { Ok(rest) };
    Ok(Some(match word {
        "" => return Ok(None),
        "protover" => Command::ProtoVer(whole(rest).unwrap_or(1)),
        "accepted" => Command::Feature { name: rest, accepted: true },
        "rejected" => Command::Feature { name: rest, accepted: false },
        "new" => Command::New,
        "variant" => Command::Variant(some("the name of a variant")?),
        "setboard" => Command::SetBoard(some("a FEN")?),
        "edit" => Command::Edit,
        "usermove" => Command::UserMove(some("a move")?),
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => level(rest).ok_or(LineError::Expected("MOVES MINUTES[:SECONDS] SECONDS"))?,
        "st" => Command::MoveTime(seconds(rest).ok_or(LineError::Expected("a time in seconds"))?),
        "sd" => Command::Depth(plies(rest).ok_or(LineError::Expected("a depth"))?),
        "nps" => node_rate(rest).ok_or(LineError::Expected("a number of positions"))?,
        "time" => Command::Time(clock(rest)?),
        "otim" => Command::OpponentTime(clock(rest)?),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(rest),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "analyze" => Command::Analyze,
        "." => Command::Status,
        "exit" => Command::Exit,
        "exclude" | "include" => Command::Exclude {
            m: Some(some("a move or all")?).filter(|m| *m != "all"),
            out: word == "exclude",
        },
        "computer" => Command::Computer,
        "pause" => Command::Pause(true),
        "resume" => Command::Pause(false),
        "memory" => {
            Command::Memory(whole(rest).ok_or(LineError::Expected("a number of megabytes"))?)
        }
        "cores" => Command::Cores(some("a number of cores")?),
        "option" => {
            let (name, value) = match some("NAME=VALUE")?.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.trim())),
                None => (rest, None),
            };
            Command::Option { name, value }
        }
        "lift" => Command::Lift(rest),
        "white" | "black" => return Err(LineError::Refused("not used with colors=0")),
        "xboard" | "random" | "name" | "rating" | "ics" | "egtpath" | "put" | "hover" => {
            Command::Ignored
        }
        "quit" => Command::Quit,
        word => Command::Bare(word),
    }))
}

/// Whether a line belongs to the position editor that `edit` opens: `#`, `c`, a piece and its square.
pub fn is_editing(line: &str) -> bool {
    matches!(
        line.as_bytes(),
        b"#" | b"c" | [b'P' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'x', b'a'..=b'h', b'1'..=b'8']
    )
}

/// `MOVES BASE INCREMENT`, base in minutes or minutes:seconds, increment in seconds.
fn level(text: &str) -> Option<Command<'static>> {
    let mut words = text.split_whitespace();
    let moves = u32::try_from(whole(words.next()?)?).unwrap_or(u32::MAX);
    let base = words.next()?;
    let base = match base.split_once(':') {
        Some((minutes, rest)) => seconds(minutes)?.saturating_mul(60) + seconds(rest)?,
        None => seconds(base)?.saturating_mul(60),
    };
    let increment = seconds(words.next()?)?;
    words.next().is_none().then_some(Command::Level { moves, base, increment })
}

/// `nps N`: a rate of 0 or less is a clock of the usual kind.
fn node_rate(text: &str) -> Option<Command<'static>> {
    let negative = text.strip_prefix('-');
    let rate = whole(negative.unwrap_or(text))?;
    Some(Command::NodeRate((negative.is_none() && rate > 0).then_some(rate)))
}

fn plies(text: &str) -> Option<u32> {
    whole(text).map(|plies| u32::try_from(plies).unwrap_or(u32::MAX))
}

/// Hundredths of a second; an overdrawn clock is zero.
fn clock(text: &str) -> Result<Duration, LineError> {
    let centiseconds = match text.strip_prefix('-') {
        Some(overdrawn) => whole(overdrawn).map(|_| 0),
        None => whole(text),
    };
    let centiseconds = centiseconds.ok_or(LineError::Expected("a time in hundredths of a second"));
    centiseconds.map(|time| Duration::from_millis(time.saturating_mul(10)))
}

/// Digits only; a number too great is the greatest that fits.
fn whole(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Seconds with or without a fraction; at most some thousand years.
fn seconds(text: &str) -> Option<Duration> {
    const GREATEST: f64 = 1e11;
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| is_number)?;
    Some(Duration::from_secs_f64(seconds.min(GREATEST)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn command(line: &str) -> Command<'_> {
        parse(line).expect("a command").expect("not blank")
    }

    fn level_line(line: &str) -> (u32, Duration, Duration) {
        match command(line) {
            Command::Level { moves, base, increment } => (moves, base, increment),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn time_controls() {
        assert_eq!(level_line("level 40 5 0"), (40, MS(300_000), MS(0)));
        assert_eq!(level_line("level 0 6:13 2.5"), (0, MS(373_000), MS(2_500)));
        assert_eq!(level_line("level 0 0:10 0"), (0, MS(10_000), MS(0)));
        assert_eq!(level_line("level  0  1.5  0.05"), (0, MS(90_000), MS(50)));
        assert_eq!(command("st 1.5"), Command::MoveTime(MS(1_500)));
        assert_eq!(command("st .2"), Command::MoveTime(MS(200)));
        assert_eq!(command("sd 99999999999"), Command::Depth(u32::MAX));
        assert_eq!(command("time 35800"), Command::Time(MS(358_000)));
        assert_eq!(command("otim -12"), Command::OpponentTime(MS(0)));
        assert_eq!(command("nps 0"), Command::NodeRate(None));
        assert_eq!(command("nps -1"), Command::NodeRate(None));
        assert_eq!(command("nps 1000"), Command::NodeRate(Some(1_000)));
    }

    #[test]
    fn half_numbers_are_refused_whole() {
        for line in [
            "level",
            "level 40",
            "level 40 5",
            "level 40 5 0 0",
            "level x 5 0",
            "level 0 5:x 0",
            "level 0 5 inf",
            "level 0 -5 0",
            "st",
            "st 1e5",
            "st 1.2.3",
            "st nan",
            "sd 7q",
            "sd",
            "time",
            "time x",
            "time -",
            "otim 1.5",
            "nps",
            "nps x",
            "memory",
            "memory 1.5",
            "cores",
            "option",
            "usermove",
            "setboard",
            "variant",
            "exclude",
            "include",
        ] {
            assert!(matches!(parse(line), Err(LineError::Expected(_))), "{line}");
        }
    }

    #[test]
    fn words() {
        assert_eq!(parse("  "), Ok(None));
        assert_eq!(command("e2e4"), Command::Bare("e2e4"));
        assert_eq!(command(" usermove  e7e8q "), Command::UserMove("e7e8q"));
        assert_eq!(command("exclude all"), Command::Exclude { m: None, out: true });
        assert_eq!(command("include e2e4"), Command::Exclude { m: Some("e2e4"), out: false });
        assert_eq!(
            command("option Debug Log File=/tmp/a=b"),
            Command::Option { name: "Debug Log File", value: Some("/tmp/a=b") }
        );
        assert_eq!(
            command("option Clear Hash"),
            Command::Option { name: "Clear Hash", value: None }
        );
        assert!(is_editing("Pa4") && is_editing("#") && !is_editing("ping 1") && !is_editing("."));
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC*") {
            let _ = parse(&line);
        }

        #[test]
        fn no_arguments_panic(
            word in prop::sample::select(vec!["level", "st", "sd", "time", "nps", "memory", "option"]),
            rest in "[0-9:. =-]*",
        ) {
            let _ = parse(&format!("{word} {rest}"));
        }
    }
}
