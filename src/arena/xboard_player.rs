//! An engine that speaks the Chess Engine Communication Protocol, version 2, as its author describes it
//! (H. G. Muller and T. Mann, "Chess Engine Communication Protocol").
//!
//! The engine keeps a board of its own. It is told moves one by one while it follows the game, and is
//! given a position (`setboard`) at the start of each game and where it could not follow. What it
//! claims about the result is passed over: our own board judges, and who claims in place of moving has not
//! moved. A line that it expects is free text in this protocol, and not looked at.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::games::{AnyMove, Playable, Variant};
use crate::rules::Edition;
use crate::rules::notation::Letters;

use super::clock::Limit;
use super::engine_spec::EngineSpec;
use super::pgn::GameResult;
use super::player::{
    Announced, Fault, Player, Preparation, Talk, TextScore, Thought, Turn, find_option, named,
};

/// An engine that has told features and no `done` has no more to tell after so long.
const FEATURE_TIME: Duration = Duration::from_secs(2);
/// A score beyond means so many moves to the end.
const MATE_SCORE: i32 = 100_000;

/// What an engine says it can do, with the protocol's defaults.
struct Features {
    name: String,
    ping: bool,
    setboard: bool,
    usermove: bool,
    time: bool,
    memory: bool,
    smp: bool,
    reuse: bool,
    variants: Vec<String>,
    options: Vec<Announced>,
    /// `done`, if it was said.
    done: Option<bool>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            name: String::new(),
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            memory: false,
            smp: false,
            reuse: true,
            variants: Vec::new(),
            options: Vec::new(),
            done: None,
        }
    }
}

impl Features {
    /// Takes a feature in; whether it is one that we use.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "time" => self.time = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "reuse" => self.reuse = on,
            "done" => self.done = Some(on),
            "myname" => self.name = value.trim().to_owned(),
            "variants" => {
                self.variants = value.split(',').map(|name| name.trim().to_owned()).collect();
            }
            "option" => self.options.extend(read_option(value)),
            // What is on or off without any effect on what we send.
            "colors" | "sigint" | "sigterm" | "debug" | "draw" | "analyze" => {}
            _ => return false,
        }
        true
    }

    /// Whether it plays a variant; chess is played by all.
    fn plays(&self, variant: &str) -> bool {
        variant == "normal" || self.variants.iter().any(|name| name == variant)
    }
}

/// An engine that speaks CECP.
pub(super) struct XboardPlayer {
    talk: Talk,
    features: Features,
    variant: String,
    limit: Limit,
    ponder: bool,
    pings: u32,
    /// The position that it was given, and the moves that it has made or was told from there on.
    board: Option<(String, Vec<AnyMove>)>,
    /// Whether it answers the next move by itself.
    playing: bool,
}

impl XboardPlayer {
    pub fn new(talk: Talk) -> XboardPlayer {
        XboardPlayer {
            talk,
            features: Features::default(),
            variant: String::new(),
            limit: Limit::default(),
            ponder: false,
            pings: 0,
            board: None,
            playing: false,
        }
    }

    /// Sets options, and sees that it can play what the match wants.
    pub fn prepare(&mut self, spec: &EngineSpec, variant: Variant) -> Result<(), Preparation> {
        let cannot = |what: &str| Err(Preparation::Option(what.to_owned()));
        if spec.limit.nodes.is_some() {
            return cannot("its protocol has no limit of positions: say tc, st or depth");
        }
        if spec.limit.control.is_some() && spec.limit.movetime.is_some() {
            return cannot("its protocol has a clock or a time for each move, not both");
        }
        self.limit = spec.limit;
        self.ponder = spec.ponder;
        self.talk.send("xboard");
        self.handshake()?;
        if !self.features.setboard {
            return cannot("has no feature setboard=1, by which it is given positions");
        }
        for (name, value) in &spec.options {
            self.set_option(name, value)?;
        }
        self.ready()?;
        let chess = variant == Variant::Chess(Edition::Chess);
        let own_name = if chess { "normal" } else { variant.name() };
        self.variant = spec.variant.as_deref().unwrap_or(own_name).to_owned();
        // A file of variants may have brought new ones.
        if !self.features.plays(&self.variant) {
            self.handshake()?;
        }
        if !self.features.plays(&self.variant) {
            let name = &self.variant;
            return cannot(&format!(
                "does not know the variant {name}; is a key variant= or an option for it missing?"
            ));
        }
        Ok(self.ready()?)
    }

    /// Asks for the features and waits until all are told.
    fn handshake(&mut self) -> Result<(), Fault> {
        self.features = Features::default();
        self.talk.send("protover 2");
        let since = Instant::now();
        let mut first = None;
        while self.features.done != Some(true) {
            let line = match first {
                // It says nothing of an end, and is not waited for longer than the protocol asks for.
                Some(first) if self.features.done.is_none() => {
                    let mut over = false;
                    let line = self.talk.line(first + FEATURE_TIME, || {
                        over = true;
                        Fault::Interrupted
                    });
                    if over {
                        return Ok(());
                    }
                    line?
                }
                _ => self.talk.answer("feature done=1", since)?,
            };
            if let Some(features) = line.text.trim_start().strip_prefix("feature ") {
                first = first.or(Some(line.at));
                for (name, value) in read_features(features) {
                    let known = self.features.set(name, value);
                    self.talk
                        .send(&format!("{} {name}", if known { "accepted" } else { "rejected" }));
                }
            }
        }
        Ok(())
    }

    fn set_option(&self, name: &str, value: &str) -> Result<(), Preparation> {
        let features = &self.features;
        let own = named(&features.options, name).is_some();
        let command = match name.to_ascii_lowercase().as_str() {
            "memory" | "hash" if features.memory && !own => "memory",
            "cores" | "threads" if features.smp && !own => "cores",
            _ => {
                let Announced { name, kind, .. } = find_option(&features.options, name, value)?;
                self.talk.send(&match (kind.as_str(), value) {
                    ("button" | "save" | "reset", _) => format!("option {name}"),
                    ("check", _) => format!("option {name}={}", u8::from(value == "true")),
                    _ => format!("option {name}={value}"),
                });
                return Ok(());
            }
        };
        match value.parse::<u32>() {
            Ok(number) if number > 0 => self.talk.send(&format!("{command} {number}")),
            _ => return Err(Preparation::Option(format!("{name:?} cannot be {value:?}"))),
        }
        Ok(())
    }

    /// Waits until everything is done that it was told. One that has no `ping` is believed.
    fn ready(&mut self) -> Result<(), Fault> {
        let since = Instant::now();
        if !self.features.ping {
            // What it had still to say of an earlier game is not an answer to anything later.
            while self.talk.line(since, || Fault::Interrupted).is_ok() {}
            return Ok(());
        }
        self.pings += 1;
        self.talk.send(&format!("ping {}", self.pings));
        let pong = format!("pong {}", self.pings);
        loop {
            let line = self.talk.answer("pong", since)?;
            if line.text.trim() == pong {
                return Ok(());
            }
            refusal(&line.text)?;
        }
    }

    /// Tells it the moves that it does not know, and that it is to move.
    fn go(&mut self, turn: &Turn<'_>) {
        let (base, moves) = (turn.base_fen(), turn.moves());
        let followed = match &self.board {
            Some((fen, known)) if *fen == base && moves.starts_with(known) => Some(known.len()),
            _ => None,
        };
        let new = moves.get(followed.unwrap_or(0)..).unwrap_or_default();
        let answers = self.playing && followed.is_some() && new.len() == 1;
        if answers {
            self.tell_clocks(turn);
        } else {
            self.talk.send("force");
            if followed.is_none() {
                self.talk.send(&format!("setboard {base}"));
            }
        }
        for m in new {
            let word = if self.features.usermove { "usermove " } else { "" };
            self.talk.send(&format!("{word}{m}"));
        }
        if !answers {
            self.tell_clocks(turn);
            self.talk.send("go");
        }
        self.board = Some((base, moves));
        self.playing = true;
    }

    /// The clocks in hundredths of a second: its own, and the opponent's.
    fn tell_clocks(&self, turn: &Turn<'_>) {
        if !self.features.time {
            return;
        }
        let us = turn.game.side();
        for (word, color) in [("time", us), ("otim", !us)] {
            if let Some(clock) = turn.clocks[color.index()] {
                self.talk.send(&format!("{word} {}", clock.remaining.as_millis() / 10));
            }
        }
    }
}

impl Player for XboardPlayer {
    fn name(&self) -> &str {
        &self.features.name
    }

    fn new_game(&mut self, start: &str) -> Result<(), Fault> {
        self.talk.send("new");
        if self.variant != "normal" {
            self.talk.send(&format!("variant {}", self.variant));
        }
        for line in ["force", "post", if self.ponder { "hard" } else { "easy" }] {
            self.talk.send(line);
        }
        limit_lines(&self.limit).iter().for_each(|line| self.talk.send(line));
        self.talk.send(&format!("setboard {start}"));
        self.board = Some((start.to_owned(), Vec::new()));
        self.playing = false;
        self.ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault> {
        let since = Instant::now();
        self.go(turn);
        let mut thought = Thought::default();
        loop {
            let line = self.talk.thinking(since, turn)?;
            let text = line.text.trim();
            refusal(text)?;
            if text == "resign" {
                return Err(Fault::Resignation);
            }
            if let Some(text) = text.strip_prefix("move ") {
                thought.text = text.trim().to_owned();
                thought.time = turn.time_of(&line, since)?;
                if let (Some((_, moves)), Ok(m)) =
                    (&mut self.board, turn.game.read(&thought.text, Letters::English))
                {
                    moves.push(m);
                }
                return Ok(thought);
            }
            read_thinking(&mut thought, text);
        }
    }

    /// It does so of its own accord.
    fn ponder(&mut self, _: &Turn<'_>) {}

    fn game_over(&mut self, result: GameResult) {
        self.talk.send("force");
        self.talk.send(&format!("result {result} {{game over}}"));
    }

    fn is_reusable(&self) -> bool {
        self.features.reuse
    }

    fn last_lines(&self) -> Vec<String> {
        self.talk.last_lines()
    }

    fn quit(self: Box<Self>) {
        self.talk.quit();
    }
}

/// Whether a line refuses what it was told, which is always legal.
fn refusal(text: &str) -> Result<(), Fault> {
    let text = text.trim();
    let said = text.strip_prefix("tellusererror ").unwrap_or(text).to_ascii_lowercase();
    if said.starts_with("illegal move") || said.starts_with("illegal position") {
        return Err(Fault::Refusal(text.to_owned()));
    }
    Ok(())
}

/// What limits its thinking, said before each game.
fn limit_lines(limit: &Limit) -> Vec<String> {
    let mut lines = Vec::new();
    match (limit.control, limit.movetime) {
        (Some(control), _) => {
            // Whole seconds, a begun one counted: the exact clock is told before each move.
            let seconds = control.base.as_millis().div_ceil(1000);
            let mut level = format!("level {} {}", control.moves.unwrap_or(0), seconds / 60);
            if seconds % 60 != 0 {
                let _ = write!(level, ":{:02}", seconds % 60);
            }
            lines.push(format!("{level} {}", control.increment.as_secs_f64()));
        }
        (None, Some(time)) => lines.push(format!("st {}", time.as_secs_f64())),
        // Its own default must not end what the depth alone shall end.
        (None, None) => lines.push("level 0 600 0".into()),
    }
    lines.extend(limit.depth.map(|depth| format!("sd {depth}")));
    lines
}

/// `name=value name="a value" …`.
fn read_features(text: &str) -> Vec<(&str, &str)> {
    let mut features = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        features.push((name.trim(), value));
        rest = after.trim_start();
    }
    features
}

/// `NAME -spin VALUE MIN MAX`, `NAME -check 0`, `NAME -combo A /// *B /// C`, `NAME -string TEXT`.
fn read_option(text: &str) -> Option<Announced> {
    let (name, rest) = text.split_once(" -")?;
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut option =
        Announced { name: name.trim().to_owned(), kind: kind.to_owned(), ..Announced::default() };
    match kind {
        "spin" | "slider" => {
            let mut numbers = rest.split_whitespace().map(|word| word.parse().ok());
            option.min = numbers.nth(1).flatten();
            option.max = numbers.next().flatten();
        }
        "combo" => {
            let choices = rest.split("///").map(|choice| choice.trim().trim_start_matches('*'));
            option.choices = choices.map(str::to_owned).collect();
        }
        _ => {}
    }
    Some(option)
}

/// Takes a line of thinking in: depth, score, time, positions, then what we do not look at.
fn read_thinking(thought: &mut Thought, text: &str) {
    let mut words = text.split_whitespace();
    let depth = words.next().and_then(|word| {
        word.trim_end_matches(|c: char| c.is_ascii_punctuation()).parse::<u32>().ok()
    });
    let (Some(depth), Some(score), Some(_), Some(nodes)) = (
        depth,
        words.next().and_then(|word| word.parse::<i32>().ok()),
        words.next().and_then(|word| word.parse::<u64>().ok()),
        words.next().and_then(|word| word.parse::<u64>().ok()),
    ) else {
        return;
    };
    thought.depth = Some(depth);
    thought.nodes = Some(nodes);
    thought.score = Some(match score {
        score if score >= MATE_SCORE => TextScore::Mate(score - MATE_SCORE),
        score if score <= -MATE_SCORE => TextScore::Mate(score.saturating_add(MATE_SCORE)),
        score => TextScore::Cp(score),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read() {
        let mut features = Features::default();
        let text =
            r#"ping=1 setboard=1 myname="The = one" variants="normal, atomic" reuse=0 x=2 done=0"#;
        let unknown: Vec<&str> = read_features(text)
            .into_iter()
            .filter(|(name, value)| !features.set(name, value))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(unknown, ["x"]);
        assert!(features.ping && features.setboard && features.time && !features.reuse);
        assert_eq!((features.name.as_str(), features.done), ("The = one", Some(false)));
        assert!(features.plays("atomic") && features.plays("normal") && !features.plays("x"));
        assert_eq!(read_features("a=1 b=\"never closed"), [("a", "1"), ("b", "never closed")]);
    }

    #[test]
    fn options_are_read() {
        let option = read_option("Skill Level -spin 20 -20 19").expect("an option");
        assert_eq!(
            (option.name.as_str(), option.min, option.max),
            ("Skill Level", Some(-20), Some(19))
        );
        let option = read_option("Style -combo Both /// *Off /// Very wild").expect("an option");
        assert_eq!(option.choices, ["Both", "Off", "Very wild"]);
        assert_eq!(
            read_option("Clear Hash -button").map(|option| option.kind),
            Some("button".into())
        );
        assert_eq!(read_option("nonsense"), None);
    }

    /// The protocol's own examples: 9 plies, 156 centipawns, 10.84 s, 48000 positions.
    #[test]
    fn thinking_is_read() {
        let mut thought = Thought::default();
        for line in [
            "9 156 1084 48000 Nf3 Nc6 Nc3 Nf6",
            "10& -20 1100 50000 5 40 7\tNf3",
            "telluser 3 4 5 6",
            "11 x 3 4",
        ] {
            read_thinking(&mut thought, line);
        }
        assert_eq!((thought.depth, thought.nodes), (Some(10), Some(50_000)));
        assert_eq!(thought.score, Some(TextScore::Cp(-20)));
        for (score, expected) in [("100003", 3), ("-100002", -2)] {
            read_thinking(&mut thought, &format!("1 {score} 0 1 e4"));
            assert_eq!(thought.score, Some(TextScore::Mate(expected)));
        }
    }

    /// The protocol's own examples: 40 moves in 5 minutes; 2 minutes and 12 seconds a move.
    #[test]
    fn limits_are_told() {
        for (text, line) in [
            ("40/5:00", "level 40 5 0"),
            ("2:00+12", "level 0 2 12"),
            ("40/0:30", "level 40 0:30 0"),
            ("1.5+0.1", "level 0 0:02 0.1"),
        ] {
            let control = Some(text.parse().expect(text));
            let limit = Limit { control, depth: Some(7), ..Limit::default() };
            assert_eq!(limit_lines(&limit), [line, "sd 7"]);
        }
        let movetime = Some(Duration::from_millis(500));
        assert_eq!(limit_lines(&Limit { movetime, ..Limit::default() }), ["st 0.5"]);
    }

    #[test]
    fn refusals_are_seen() {
        for text in [
            "Illegal move: e2e4",
            "Illegal move (in check): e2e4",
            "tellusererror Illegal position",
        ] {
            assert!(refusal(text).is_err(), "{text}");
        }
        for text in ["Error (unknown command): otim", "tellusererror Hello", "1-0 {White mates}"] {
            assert!(refusal(text).is_ok(), "{text}");
        }
    }
}
