//! What is kept of a match: a line a game, the sums over them, and the game as game files have it.

use std::collections::{BTreeMap, HashMap};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::board::Color;
use crate::games::{AnyGame, Playable, Variant};
use crate::rules::notation::Letters;

use super::game::{Effort, Ending, Played, Source};
use super::pgn::{GameResult, PgnGame};
use super::referee::Services;
use super::schedule::{Job, Schedule};
use super::stats::Tally;

/// A finished game, for programs: one line of the results. `edition`, `fen` and `moves` are what
/// `usurper judge --jsonl` reads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the whole match, from 0; games 2n and 2n + 1 are a pair.
    pub game: u64,
    /// The number of White's engine, from 0.
    pub white: usize,
    /// The number of Black's engine, from 0.
    pub black: usize,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`.
    pub result: String,
    /// Why it ended.
    pub ending: Ending,
    /// What the loser did, if the ending is a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The name of the edition or the board game.
    pub edition: String,
    /// Where it started.
    pub fen: String,
    /// All moves in coordinates, or as the board game writes them.
    pub moves: Vec<String>,
    /// How many of them are the opening's.
    pub opening: usize,
    /// What White's and Black's moves took.
    pub efforts: [Effort; 2],
    /// The services of a referee that White and Black had.
    pub services: [Services; 2],
    /// The length of the game file when this game was in it, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn_bytes: Option<u64>,
}

impl GameLine {
    /// The line of a game that was played.
    pub fn new(job: &Job, played: &Played) -> GameLine {
        let record = &played.record;
        GameLine {
            game: job.game,
            white: job.white,
            black: job.black,
            result: played.result.to_string(),
            ending: played.ending,
            detail: played.detail.clone(),
            edition: record.variant().name().to_owned(),
            fen: record.start_fen(),
            moves: record.played().iter().map(ToString::to_string).collect(),
            opening: played.sources.iter().filter(|source| **source == Source::Book).count(),
            efforts: played.efforts,
            services: played.services,
            pgn_bytes: None,
        }
    }

    /// The opening from which it was played; `None` if the line does not hold together.
    pub fn opening(&self) -> Option<AnyGame> {
        let mut game = AnyGame::begin(Variant::parse(&self.edition)?, Some(&self.fen)).ok()?;
        game.advance_all(self.moves.get(..self.opening)?, Letters::English).ok()?;
        Some(game)
    }

    /// White's points in halves; `None` if it is unfinished.
    fn white_halves(&self) -> Option<usize> {
        match GameResult::parse(&self.result)? {
            GameResult::Won(Color::White) => Some(2),
            GameResult::Drawn => Some(1),
            GameResult::Won(Color::Black) => Some(0),
            GameResult::Unfinished => None,
        }
    }
}

/// The games between two engines, from the first one's side.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Encounter {
    /// The first engine, and the second.
    pub engines: (usize, usize),
    /// Games won, drawn and lost.
    pub wins: u64,
    /// Not in Capture or Conquer.
    pub draws: u64,
    /// Lost by the first engine.
    pub losses: u64,
    /// Games without a result, which count nowhere else.
    pub unfinished: u64,
    /// Pairs of games by the first engine's points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Pairs of which one game is known: the first engine's points in halves, if it has a result.
    half_pairs: HashMap<u64, Option<usize>>,
}

impl Encounter {
    /// Games with a result.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Single games, for statistics.
    pub fn game_tally(&self) -> Tally {
        Tally::games(self.losses, self.draws, self.wins)
    }

    /// Pairs, for statistics.
    pub fn pair_tally(&self) -> Tally {
        Tally::pairs(self.pairs)
    }

    fn add(&mut self, line: &GameLine) {
        let first_is_white = line.white == self.engines.0;
        let halves = line.white_halves().map(|h| if first_is_white { h } else { 2 - h });
        match halves {
            Some(2) => self.wins += 1,
            Some(1) => self.draws += 1,
            Some(_) => self.losses += 1,
            None => self.unfinished += 1,
        }
        match self.half_pairs.remove(&(line.game / 2)) {
            None => {
                self.half_pairs.insert(line.game / 2, halves);
            }
            Some(other) => {
                if let (Some(a), Some(b)) = (halves, other) {
                    self.pairs[a + b] += 1;
                }
            }
        }
    }
}

/// What one engine did over all its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EngineSum {
    /// What its moves took.
    pub effort: Effort,
    /// The services of a referee that it had.
    pub services: Services,
    /// How often it lost by a fault.
    pub faults: BTreeMap<Ending, u64>,
}

/// The sums over the games of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// By the schedule's encounters.
    pub encounters: Vec<Encounter>,
    /// By engine.
    pub engines: Vec<EngineSum>,
    /// How often games ended how.
    pub endings: BTreeMap<Ending, u64>,
    /// All games, unfinished ones too.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
}

impl Standings {
    /// Nothing played yet.
    pub fn new(schedule: &Schedule) -> Standings {
        let encounter = |engines| Encounter { engines, ..Encounter::default() };
        Standings {
            encounters: schedule.encounters().into_iter().map(encounter).collect(),
            engines: vec![EngineSum::default(); schedule.engines],
            endings: BTreeMap::new(),
            games: 0,
            plies: 0,
        }
    }

    /// Adds a game. One between engines that do not meet counts in no encounter.
    pub fn add(&mut self, line: &GameLine) {
        self.games += 1;
        self.plies += line.moves.len() as u64;
        *self.endings.entry(line.ending).or_default() += 1;
        let meets = |encounter: &&mut Encounter| {
            let (a, b) = encounter.engines;
            (line.white, line.black) == (a, b) || (line.white, line.black) == (b, a)
        };
        if let Some(encounter) = self.encounters.iter_mut().find(meets) {
            encounter.add(line);
        }
        let lost = line.white_halves().map(|halves| halves == 0);
        for (side, engine) in [line.white, line.black].into_iter().enumerate() {
            let Some(sum) = self.engines.get_mut(engine) else { continue };
            sum.effort.add(&line.efforts[side]);
            sum.services.add(&line.services[side]);
            if line.ending.is_fault() && lost == Some(side == 0) {
                *sum.faults.entry(line.ending).or_default() += 1;
            }
        }
    }
}

/// What the tags of a game file need beside the game.
pub struct Tags<'a> {
    /// The name of the match.
    pub event: &'a str,
    /// Names of White and Black.
    pub names: [&'a str; 2],
    /// Their limits as the tag `TimeControl` has them.
    pub controls: [String; 2],
}

/// A game as game files have it.
pub fn pgn_game(job: &Job, played: &Played, tags: &Tags<'_>) -> PgnGame<AnyGame> {
    let mut game = PgnGame::new(played.record.clone());
    game.result = played.result;
    game.set_tag("Event", tags.event);
    game.set_tag("Site", "?");
    game.set_tag("Date", today());
    game.set_tag("Round", format!("{}.{}", job.pair() + 1, job.game % 2 + 1));
    game.set_tag("White", tags.names[0]);
    game.set_tag("Black", tags.names[1]);
    game.set_tag("Termination", played.ending.termination());
    game.set_tag("Ending", played.ending.name());
    let [white, black] = &tags.controls;
    if white == black {
        game.set_tag("TimeControl", white.clone());
    } else {
        game.set_tag("WhiteTimeControl", white.clone());
        game.set_tag("BlackTimeControl", black.clone());
    }
    game.set_tag("PlyCount", played.record.plies().to_string());
    for (ply, source) in (1..).zip(&played.sources) {
        game.add_comment(ply, &comment(source));
    }
    if let (Some(loser), Some(detail)) = (played.at_fault(), &played.detail) {
        game.add_comment(
            played.record.plies(),
            &format!("{} loses, {}: {detail}", loser.name(), played.ending),
        );
    }
    game
}

/// `+0.35/18 1.2s`.
fn comment(source: &Source) -> String {
    let thought = match source {
        Source::Book => return "book".into(),
        Source::Referee => return "referee".into(),
        Source::Thought(thought) => thought,
    };
    let time = thought.time.as_secs_f64();
    let time = if time < 1.0 { format!("{time:.3}s") } else { format!("{time:.1}s") };
    match (thought.score, thought.depth) {
        (Some(score), depth) => format!("{score}/{} {time}", depth.unwrap_or(0)),
        _ => time,
    }
}

/// Today's date in UTC, as game files write it.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil_date(since.as_secs() / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date
/// algorithms").
const fn civil_date(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let era = z / 146_097;
    let day_of_era = z % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + (month <= 2) as u64, month, day)
}

#[cfg(test)]
mod tests {
    use super::super::schedule::{Mode, Shard};
    use super::*;

    fn line(game: u64, white: usize, result: &str, ending: Ending) -> GameLine {
        GameLine {
            game,
            white,
            black: 1 - white,
            result: result.into(),
            ending,
            detail: None,
            edition: "chess".into(),
            fen: String::new(),
            moves: vec![String::new(); 10],
            opening: 0,
            efforts: Default::default(),
            services: Default::default(),
            pgn_bytes: None,
        }
    }

    #[test]
    fn pairs_are_counted_when_both_games_have_a_result() {
        let schedule = Schedule {
            engines: 2,
            mode: Mode::RoundRobin,
            pairs: 9,
            repeat: 1,
            shard: Shard::WHOLE,
        };
        let mut standings = Standings::new(&schedule);
        for (game, white, result, ending) in [
            (0, 0, "1-0", Ending::Capture),
            (3, 1, "0-1", Ending::Time), // the second game of a pair may end first
            (1, 1, "0-1", Ending::Conquest),
            (2, 0, "0-1", Ending::Illegal),
            (4, 0, "1/2-1/2", Ending::Stalemate),
            (5, 1, "1-0", Ending::Crash),
            (6, 0, "*", Ending::Unfinished),
            (7, 1, "1-0", Ending::Capture),
            (8, 0, "1-0", Ending::Capture),
        ] {
            standings.add(&line(game, white, result, ending));
        }
        let encounter = &standings.encounters[0];
        assert_eq!((encounter.wins, encounter.draws, encounter.losses), (4, 1, 3));
        assert_eq!(encounter.unfinished, 1);
        assert_eq!(encounter.pairs, [0, 1, 1, 0, 1]);
        assert_eq!(standings.games, 9);
        assert_eq!(standings.plies, 90);
        assert_eq!(
            standings.engines[0].faults,
            BTreeMap::from([(Ending::Illegal, 1), (Ending::Crash, 1)])
        );
        assert_eq!(standings.engines[1].faults, BTreeMap::from([(Ending::Time, 1)]));
    }

    #[test]
    fn dates_by_hand() {
        assert_eq!(civil_date(0), (1970, 1, 1));
        assert_eq!(civil_date(59), (1970, 3, 1));
        assert_eq!(civil_date(11_016), (2000, 2, 29));
        assert_eq!(civil_date(19_723), (2024, 1, 1));
    }
}
