//! An engine that speaks the Universal Chess Interface.

use std::time::Instant;

use crate::games::{AnyMove, Playable, Variant};

use super::engine_spec::EngineSpec;
use super::pgn::GameResult;
use super::player::{
    Announced, Fault, Player, Preparation, Talk, TextScore, Thought, Turn, find_option, named,
};

/// An engine that speaks UCI.
pub(super) struct UciPlayer {
    talk: Talk,
    name: String,
    options: Vec<Announced>,
    /// The moves of the game that it thinks about in the opponent's time.
    pondering: Option<Vec<AnyMove>>,
}

impl UciPlayer {
    pub fn new(talk: Talk) -> UciPlayer {
        UciPlayer { talk, name: String::new(), options: Vec::new(), pondering: None }
    }

    /// Sets options and variant.
    pub fn prepare(&mut self, spec: &EngineSpec, variant: Variant) -> Result<(), Preparation> {
        self.handshake()?;
        for (name, value) in &spec.options {
            self.set_option(name, value)?;
        }
        self.ready()?;
        if spec.ponder && self.option("Ponder").is_some() {
            self.set_option("Ponder", "true")?;
        }
        self.choose_variant(spec, variant)?;
        Ok(self.ready()?)
    }

    fn handshake(&mut self) -> Result<(), Fault> {
        self.options.clear();
        self.talk.send("uci");
        self.answer("uciok", |player, line| player.announced(line))
    }

    /// Tells the engine the variant, where it lets itself be told.
    fn choose_variant(&mut self, spec: &EngineSpec, variant: Variant) -> Result<(), Preparation> {
        let name = spec.variant.as_deref().unwrap_or(variant.name());
        let knows = |player: &UciPlayer| {
            let option = player.option("UCI_Variant");
            option.map(|option| option.choices.iter().any(|choice| choice == name))
        };
        // A file of variants may have brought new ones.
        if knows(self) == Some(false) {
            self.handshake()?;
        }
        match knows(self) {
            Some(true) => self.set_option("UCI_Variant", name),
            Some(false) => Err(Preparation::Option(format!(
                "does not know the variant {name}; is a key variant= or an option for it missing?"
            ))),
            None if spec.variant.is_some() => {
                Err(Preparation::Option("has no option UCI_Variant".into()))
            }
            // It plays one game only, and is believed that it is this one.
            None => Ok(()),
        }
    }

    fn option(&self, name: &str) -> Option<&Announced> {
        named(&self.options, name)
    }

    fn set_option(&self, name: &str, value: &str) -> Result<(), Preparation> {
        let Announced { name, kind, .. } = find_option(&self.options, name, value)?;
        match kind.as_str() {
            "button" => self.talk.send(&format!("setoption name {name}")),
            _ => self.talk.send(&format!("setoption name {name} value {value}")),
        }
        Ok(())
    }

    /// Takes a line of the handshake in.
    fn announced(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = name.trim().to_owned();
        } else if let Some(option) = read_option(line) {
            self.options.push(option);
        }
    }

    /// Waits for a line that begins with a word, for which no clock runs.
    fn answer(
        &mut self,
        word: &'static str,
        mut other: impl FnMut(&mut UciPlayer, &str),
    ) -> Result<(), Fault> {
        let since = Instant::now();
        loop {
            let line = self.talk.answer(word, since)?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(());
            }
            other(self, line.text.trim_start());
        }
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.talk.send("isready");
        self.answer("readyok", |_, _| {})
    }

    /// Waits for `bestmove`; the lines before it tell the thought.
    fn best_move(&mut self, since: Instant, turn: &Turn<'_>) -> Result<Thought, Fault> {
        let mut thought = Thought::default();
        loop {
            let line = self.talk.thinking(since, turn)?;
            let mut words = line.text.split_whitespace();
            match words.next() {
                Some("info") => read_info(&mut thought, words),
                Some("bestmove") => {
                    thought.text = words.next().unwrap_or_default().to_owned();
                    thought.ponder = match (words.next(), words.next()) {
                        (Some("ponder"), Some(text)) => Some(text.to_owned()),
                        _ => None,
                    };
                    thought.time = turn.time_of(&line, since)?;
                    return Ok(thought);
                }
                _ => {}
            }
        }
    }

    fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_some() {
            self.talk.send("stop");
            self.answer("bestmove", |_, _| {})?;
        }
        Ok(())
    }
}

impl Player for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &str) -> Result<(), Fault> {
        self.stop_pondering()?;
        self.talk.send("ucinewgame");
        self.ready()
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault> {
        let since = Instant::now();
        match self.pondering.take() {
            Some(moves) if moves == turn.game.played() => self.talk.send("ponderhit"),
            pondering => {
                self.pondering = pondering;
                self.stop_pondering()?;
                self.talk.send(&position_line(turn));
                self.talk.send(&go_line(turn, false));
            }
        }
        self.best_move(since, turn)
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        self.talk.send(&position_line(turn));
        self.talk.send(&go_line(turn, true));
        self.pondering = Some(turn.game.played());
    }

    fn game_over(&mut self, _: GameResult) {
        if self.pondering.is_some() {
            self.talk.send("stop");
        }
    }

    fn last_lines(&self) -> Vec<String> {
        self.talk.last_lines()
    }

    fn quit(self: Box<Self>) {
        self.talk.quit();
    }
}

/// `position fen … moves …`. Always a FEN: engines differ in what their start position is.
fn position_line(turn: &Turn<'_>) -> String {
    let mut line = format!("position fen {}", turn.base_fen());
    let moves = turn.moves();
    if !moves.is_empty() {
        line.push_str(" moves");
        for m in moves {
            line.push_str(&format!(" {m}"));
        }
    }
    line
}

fn go_line(turn: &Turn<'_>, ponder: bool) -> String {
    let mut line = String::from(if ponder { "go ponder" } else { "go" });
    let [white, black] = turn.clocks;
    if turn.limit.control.is_some() {
        for (clock, time, increment) in [(white, "wtime", "winc"), (black, "btime", "binc")] {
            if let Some(clock) = clock {
                line.push_str(&format!(" {time} {}", clock.remaining.as_millis()));
                if !clock.increment().is_zero() {
                    line.push_str(&format!(" {increment} {}", clock.increment().as_millis()));
                }
            }
        }
        let own = turn.clocks[turn.game.side().index()];
        if let Some(moves) = own.and_then(|clock| clock.moves_to_go) {
            line.push_str(&format!(" movestogo {moves}"));
        }
    }
    let limit = turn.limit;
    for (word, value) in [
        ("movetime", limit.movetime.map(|time| time.as_millis() as u64)),
        ("nodes", limit.nodes),
        ("depth", limit.depth.map(u64::from)),
    ] {
        if let Some(value) = value {
            line.push_str(&format!(" {word} {value}"));
        }
    }
    line
}

/// Reads `option name … type …`, as far as it can be read.
fn read_option(line: &str) -> Option<Announced> {
    let rest = line.strip_prefix("option name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let mut words = rest.split_whitespace();
    let mut option = Announced {
        name: name.trim().to_owned(),
        kind: words.next()?.to_owned(),
        ..Announced::default()
    };
    let mut key = "";
    for word in words {
        match (key, word) {
            (_, "default" | "min" | "max" | "var") => {
                key = word;
                if word == "var" {
                    option.choices.push(String::new());
                }
            }
            ("min", number) => option.min = number.parse().ok(),
            ("max", number) => option.max = number.parse().ok(),
            ("var", word) => {
                if let Some(choice) = option.choices.last_mut() {
                    if !choice.is_empty() {
                        choice.push(' ');
                    }
                    choice.push_str(word);
                }
            }
            _ => {}
        }
    }
    Some(option)
}

/// Takes an `info` line in. Lines of lesser rank are passed over, and scores that are bounds; what
/// cannot be read is left out.
fn read_info<'a>(thought: &mut Thought, words: impl Iterator<Item = &'a str>) {
    let words: Vec<&str> = words.collect();
    let mut line = Thought::default();
    let mut words = words.iter().copied();
    let (mut bound, mut first) = (false, true);
    while let Some(word) = words.next() {
        match word {
            "string" => return,
            "depth" => line.depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => line.nodes = words.next().and_then(|word| word.parse().ok()),
            "multipv" => first = words.next().is_none_or(|rank| rank == "1"),
            "cp" => {
                line.score = words.next().and_then(|word| word.parse().ok()).map(TextScore::Cp);
            }
            "mate" => {
                line.score = words.next().and_then(|word| word.parse().ok()).map(TextScore::Mate);
            }
            "lowerbound" | "upperbound" => bound = true,
            "pv" => line.pv = words.by_ref().map(str::to_owned).collect(),
            _ => {}
        }
    }
    thought.nodes = line.nodes.or(thought.nodes);
    if !first {
        return;
    }
    if line.score.is_some() && (!bound || thought.score.is_none()) {
        thought.score = line.score;
    }
    if line.score.is_some() || !line.pv.is_empty() {
        thought.depth = line.depth.or(thought.depth);
    }
    if !line.pv.is_empty() {
        thought.pv = line.pv;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::arena::clock::{Limit, PlayerClock};
    use crate::games::AnyGame;

    use super::*;

    #[test]
    fn options_are_read() {
        let option = read_option("option name Skill Level type spin default 20 min -20 max 20");
        let option = option.expect("an option");
        assert_eq!(
            (option.name.as_str(), option.min, option.max),
            ("Skill Level", Some(-20), Some(20))
        );
        let option =
            read_option("option name X type combo default a b var a b var c").expect("one");
        assert_eq!(option.choices, ["a b", "c"]);
        assert_eq!(read_option("option name X"), None);
    }

    #[test]
    fn the_last_exact_line_tells_the_thought() {
        let mut thought = Thought::default();
        for line in [
            "depth 5 multipv 1 score cp 20 nodes 100 pv e2e4",
            "depth 6 multipv 2 score cp -90 nodes 150 pv a2a3",
            "depth 7 score cp 300 lowerbound nodes 200",
            "depth 8 currmove e2e4",
            "string score cp 7 depth 99",
        ] {
            read_info(&mut thought, line.split_whitespace());
        }
        assert_eq!(thought.score, Some(TextScore::Cp(20)));
        assert_eq!((thought.depth, thought.nodes), (Some(7), Some(200)));
        assert_eq!(thought.pv, ["e2e4"]);
    }

    /// Ninety seconds for forty moves and a second more each, as the protocol says it.
    #[test]
    fn b239_the_first_go_line() {
        let control = "40/1:30+1".parse().expect("a time control");
        let game = AnyGame::default();
        let limit = Limit { control: Some(control), ..Limit::default() };
        let clock = Some(PlayerClock::new(control));
        let turn = Turn {
            game: &game,
            base: 0,
            clocks: [clock, clock],
            limit: &limit,
            allowed: Duration::from_secs(90),
        };
        assert_eq!(
            go_line(&turn, false),
            "go wtime 90000 winc 1000 btime 90000 binc 1000 movestogo 40"
        );
    }
}
