//! Time controls, other limits of a move, and the clock of a player in a game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// A time control: so much time for so many moves, or for the whole game, and so much more each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves until the time is given again; `None` is the whole game.
    pub moves: Option<u32>,
    /// Time for these moves.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no time control: write [moves/]time[+increment], as in 10+0.1 or 40/1:30+1")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `[moves/]time[+increment]`: seconds, or `minutes:seconds`, or `hours:minutes:seconds`.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError(text.chars().take(40).collect());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.trim().parse().map_err(|_| error())?), rest),
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (base, seconds(increment).ok_or_else(error)?),
            None => (rest, Duration::ZERO),
        };
        let base = seconds(base).ok_or_else(error)?;
        if moves == Some(0) || (base + increment).is_zero() {
            return Err(error());
        }
        Ok(TimeControl { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    /// As the `TimeControl` tag of game files has it, in seconds: `40/90+1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Reads a time of up to a day: `1.5`, `1:30`, `1:00:00`, in seconds, minutes, hours.
pub fn seconds(text: &str) -> Option<Duration> {
    let mut total = 0.0;
    let mut parts = 0;
    for part in text.trim().split(':') {
        let plain = !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || c == '.');
        total = total * 60.0 + part.parse::<f64>().ok().filter(|_| plain)?;
        parts += 1;
    }
    (parts <= 3 && total <= 86_400.0).then(|| Duration::from_secs_f64(total))
}

/// What ends a player's thinking on one move. All that are given hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// A clock.
    pub control: Option<TimeControl>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Positions searched for each move.
    pub nodes: Option<u64>,
    /// Plies searched for each move.
    pub depth: Option<u32>,
}

impl Limit {
    /// Whether there is any limit.
    pub const fn is_some(&self) -> bool {
        self.control.is_some()
            || self.movetime.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
    }

    /// The value of the tag `TimeControl`.
    pub fn tag(&self) -> String {
        match (self.control, self.movetime) {
            (Some(control), _) => control.to_string(),
            (None, Some(time)) => format!("{}/move", time.as_secs_f64()),
            (None, None) => "-".into(),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.control.map(|control| format!("tc={control}")),
            self.movetime.map(|time| format!("st={}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// The clock of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerClock {
    control: TimeControl,
    /// Time left.
    pub remaining: Duration,
    /// Moves to the next control.
    pub moves_to_go: Option<u32>,
}

impl PlayerClock {
    /// A clock before the first move.
    pub const fn new(control: TimeControl) -> PlayerClock {
        PlayerClock { control, remaining: control.base, moves_to_go: control.moves }
    }

    /// Added after each move.
    pub const fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Takes the time of a move off and adds what a move brings. A time within the margin may leave
    /// the clock at zero.
    pub fn spend(&mut self, time: Duration) {
        self.remaining = self.remaining.saturating_sub(time) + self.control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = self.control.moves.unwrap_or(1);
                self.remaining += self.control.base;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> (Option<u32>, u128, u128) {
        let control: TimeControl = text.parse().expect(text);
        (control.moves, control.base.as_millis(), control.increment.as_millis())
    }

    #[test]
    fn time_controls_are_read() {
        assert_eq!(control("10+0.1"), (None, 10_000, 100));
        assert_eq!(control("40/1:30+1"), (Some(40), 90_000, 1_000));
        assert_eq!(control("1:00:00"), (None, 3_600_000, 0));
        assert_eq!(control("0+1"), (None, 0, 1_000));
        assert_eq!(control(".5"), (None, 500, 0));
        assert_eq!("40/1:30+1".parse::<TimeControl>().expect("read").to_string(), "40/90+1");
    }

    #[test]
    fn what_is_no_time_control_is_refused() {
        for text in
            ["", "x", "0", "0/10", "10+", "-1", "1e9", "inf", "nan", "1:2:3:4", "10+0.1s", "/5"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_given_again() {
        let mut clock = PlayerClock::new("2/10+1".parse().expect("read"));
        clock.spend(Duration::from_secs(4));
        assert_eq!((clock.remaining.as_secs(), clock.moves_to_go), (7, Some(1)));
        clock.spend(Duration::from_secs(7));
        assert_eq!((clock.remaining.as_secs(), clock.moves_to_go), (11, Some(2)));
        clock.spend(Duration::from_secs(12));
        assert_eq!((clock.remaining.as_secs(), clock.moves_to_go), (1, Some(1)));
    }
}
