//! A match: games side by side on threads of their own, each with engines of its own, every finished
//! game written before it counts.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::games::{AnyGame, Variant};

use super::engine_spec::EngineSpec;
use super::game::{self, Conditions, Interrupted, Played, Side};
use super::journal::{Journal, JournalError};
use super::openings::{OpeningError, Openings};
use super::player::{self, Player, Setting, StartError, shown};
use super::referee::Rules;
use super::results::{GameLine, Standings, Tags, pgn_game};
use super::schedule::{Job, Schedule, Shard};
use super::stats::Sprt;

/// A match as it is to be played.
pub struct Match {
    /// The game.
    pub variant: Variant,
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// Their names, all different.
    pub names: Vec<String>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// What ends a game beside the rules.
    pub conditions: Conditions,
    /// Games at the same time, at least 1.
    pub concurrency: usize,
    /// A test that ends the match when it is decided; for two engines only. A shard does not end by it:
    /// the test is about the whole.
    pub sprt: Option<Sprt>,
    /// The tag `Event`.
    pub event: String,
    /// Setting it stops the match.
    pub stop: Arc<AtomicBool>,
}

/// Who is told how the match goes. Called from several threads, one at a time.
pub trait Observer: Sync {
    /// A game has ended and counts.
    fn game(&self, line: &GameLine, standings: &Standings);
    /// Something to know: a fault with the engine's last lines, a warning.
    fn note(&self, text: &str);
}

/// How a match ended.
#[derive(Debug)]
pub enum Finish {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided,
    /// It was stopped from outside.
    Stopped,
    /// It could not go on.
    Failed(MatchError),
}

/// Why a match cannot go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// An engine does not start any more.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A finished game cannot be written.
    #[error(transparent)]
    Write(#[from] JournalError),
    /// A thread cannot be started.
    #[error("{0}")]
    Thread(#[from] std::io::Error),
}

/// An engine is given so many tries to start before the match is given up.
const START_TRIES: u32 = 3;
/// What an engine calls itself is cut to so many characters.
const LONGEST_NAME: usize = 80;
/// Warnings about one engine's lines that are told.
const MOST_WARNINGS: u32 = 5;

/// Starts each engine once, to see that it plays this game and has its options; returns what they call
/// themselves. Those that call themselves the same are told apart by their commands, or else by numbers.
///
/// # Errors
/// For the first engine that does not.
pub fn introduce(engines: &[EngineSpec], setting: &Setting) -> Result<Vec<String>, StartError> {
    let mut names: Vec<String> = Vec::new();
    for spec in engines {
        let player = player::start(spec, setting)?;
        let own: String = player.name().chars().take(LONGEST_NAME).collect();
        let program = spec.program().file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = spec.name.clone().or(Some(own).filter(|name| !name.is_empty())).or(program);
        names.push(name.unwrap_or_else(|| "engine".into()));
        player.quit();
    }
    Ok(told_apart(engines, &names))
}

/// The names, made different.
fn told_apart(engines: &[EngineSpec], names: &[String]) -> Vec<String> {
    let mut different: Vec<String> = Vec::new();
    for (spec, name) in engines.iter().zip(names) {
        let namesakes: Vec<&EngineSpec> =
            engines.iter().zip(names).filter(|(_, other)| *other == name).map(|(e, _)| e).collect();
        let by_command =
            spec.name.is_none() && namesakes.iter().any(|other| other.command != spec.command);
        let name = match by_command {
            true => format!("{name} ({})", spec.command.join(" ")),
            false => name.clone(),
        };
        let mut unique = name.clone();
        let mut number = 2;
        while different.contains(&unique) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        different.push(unique);
    }
    different
}

impl EngineSpec {
    /// By which rules it plays a match of this variant: one that plays another knows neither Escort nor
    /// Decoy.
    pub fn rules(&self, variant: Variant) -> Rules {
        let foreign = self.variant.as_deref().is_some_and(|name| name != variant.name());
        match (self.royal, foreign) {
            (true, _) => Rules::Royal,
            (false, true) => Rules::Plain,
            (false, false) => Rules::Own,
        }
    }
}

/// Plays a match. Games in `done` are counted and not played again.
pub fn run(
    setup: &Match,
    openings: Openings,
    journal: Journal,
    done: &[GameLine],
    observer: &dyn Observer,
) -> (Standings, Finish) {
    let mut standings = Standings::new(&setup.schedule);
    done.iter().for_each(|line| standings.add(line));
    let played: HashSet<u64> = done.iter().map(|line| line.game).collect();
    let jobs = setup.schedule.jobs().filter(move |job| !played.contains(&job.game));
    let runner = Runner {
        setup,
        openings: Mutex::new(Source {
            // A pair that was begun is ended with the same opening, whatever a new build would choose.
            known: done.iter().filter_map(|line| Some((line.game / 2, line.opening()?))).collect(),
            openings,
        }),
        state: Mutex::new(State {
            jobs: Box::new(jobs),
            journal,
            finish: decided(setup, &standings).then_some(Finish::Decided),
            standings,
            warnings: HashMap::new(),
        }),
        observer,
    };
    thread::scope(|scope| {
        for number in 0..setup.concurrency.max(1) {
            let name = format!("game {number}");
            if let Err(error) =
                thread::Builder::new().name(name).spawn_scoped(scope, || runner.work())
            {
                runner.fail(error.into());
            }
        }
    });
    let mut state = runner.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let complete = state.jobs.next().is_none() && !setup.stop.load(Ordering::Relaxed);
    let rest = if complete { Finish::Complete } else { Finish::Stopped };
    (state.standings, state.finish.unwrap_or(rest))
}

fn decided(setup: &Match, standings: &Standings) -> bool {
    let (Some(sprt), [encounter]) = (&setup.sprt, standings.encounters.as_slice()) else {
        return false;
    };
    if setup.schedule.shard != Shard::WHOLE {
        return false;
    }
    let llr = sprt.llr(&encounter.pair_tally());
    let (low, high) = sprt.bounds();
    llr <= low || llr >= high
}

struct Runner<'a> {
    setup: &'a Match,
    openings: Mutex<Source>,
    state: Mutex<State>,
    observer: &'a dyn Observer,
}

struct Source {
    openings: Openings,
    known: HashMap<u64, AnyGame>,
}

struct State {
    jobs: Box<dyn Iterator<Item = Job> + Send>,
    journal: Journal,
    standings: Standings,
    finish: Option<Finish>,
    warnings: HashMap<usize, u32>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runner<'_> {
    /// Plays game after game.
    fn work(&self) {
        let mut players: HashMap<usize, Box<dyn Player>> = HashMap::new();
        while let Some(job) = self.next_job() {
            let Ok(played) = self.play(&job, &mut players) else { break };
            if let Some(loser) = played.at_fault() {
                players.remove(&[job.white, job.black][loser.index()]);
            }
            self.finish(&job, &played);
        }
        if !self.is_stopped() {
            players.into_values().for_each(Player::quit);
        }
    }

    fn is_stopped(&self) -> bool {
        self.setup.stop.load(Ordering::Relaxed)
    }

    fn next_job(&self) -> Option<Job> {
        let mut state = lock(&self.state);
        if self.is_stopped() || state.finish.is_some() { None } else { state.jobs.next() }
    }

    fn play(
        &self,
        job: &Job,
        players: &mut HashMap<usize, Box<dyn Player>>,
    ) -> Result<Played, Interrupted> {
        let opening = self.opening(job).map_err(|error| self.fail(error.into()))?;
        // Others would take memory for nothing.
        players.retain(|&engine, _| engine == job.white || engine == job.black);
        let mut seat = |engine| match players.remove(&engine) {
            Some(player) => Ok(player),
            None => self.start(engine).map_err(|error| self.fail(error.into())),
        };
        let mut white = seat(job.white)?;
        let mut black = seat(job.black)?;
        let side = |engine: usize, player| {
            let spec = &self.setup.engines[engine];
            let rules = spec.rules(self.setup.variant);
            Side { player, limit: spec.limit, rules, ponder: spec.ponder }
        };
        let sides = [side(job.white, white.as_mut()), side(job.black, black.as_mut())];
        let played = game::play(sides, &opening, &self.setup.conditions)?;
        for (engine, player) in [(job.white, white), (job.black, black)] {
            if player.is_reusable() {
                players.insert(engine, player);
            } else {
                player.quit();
            }
        }
        Ok(played)
    }

    fn opening(&self, job: &Job) -> Result<AnyGame, OpeningError> {
        let mut source = lock(&self.openings);
        match source.known.remove(&job.pair()) {
            Some(opening) => Ok(opening),
            None => source.openings.get(job.opening),
        }
    }

    fn start(&self, engine: usize) -> Result<Box<dyn Player>, StartError> {
        let setting = Setting {
            variant: self.setup.variant,
            patience: self.setup.conditions.patience,
            stop: Arc::clone(&self.setup.stop),
        };
        let mut tries = 1;
        loop {
            match player::start(&self.setup.engines[engine], &setting) {
                Ok(player) => return Ok(player),
                Err(error) if tries == START_TRIES || self.is_stopped() => return Err(error),
                Err(error) => {
                    self.observer.note(&format!("{}: {error}", self.setup.names[engine]));
                    thread::sleep(Duration::from_millis(200 * u64::from(tries)));
                }
            }
            tries += 1;
        }
    }

    /// The match cannot go on.
    fn fail(&self, error: MatchError) -> Interrupted {
        let mut state = lock(&self.state);
        if !self.setup.stop.swap(true, Ordering::Relaxed) && state.finish.is_none() {
            state.finish = Some(Finish::Failed(error));
        }
        Interrupted
    }

    /// Writes a game and counts it.
    fn finish(&self, job: &Job, played: &Played) {
        let names = [job.white, job.black].map(|engine| self.setup.names[engine].as_str());
        let controls = [job.white, job.black].map(|engine| self.setup.engines[engine].limit.tag());
        let game = pgn_game(job, played, &Tags { event: &self.setup.event, names, controls });
        let mut line = GameLine::new(job, played);
        let mut state = lock(&self.state);
        if let Err(error) = state.journal.append(&mut line, &game) {
            drop(state);
            self.fail(error.into());
            return;
        }
        state.standings.add(&line);
        if let (Some(loser), Some(detail)) = (played.at_fault(), &played.detail) {
            self.observer.note(&format!(
                "game {}: {} loses, {}: {detail}{}",
                job.game + 1,
                names[loser.index()],
                played.ending,
                shown(&played.last_lines)
            ));
        }
        for (color, warning) in &played.warnings {
            let engine = [job.white, job.black][color.index()];
            let count = state.warnings.entry(engine).or_default();
            *count += 1;
            if *count <= MOST_WARNINGS {
                let last = if *count == MOST_WARNINGS { " (the last such warning)" } else { "" };
                let name = names[color.index()];
                self.observer.note(&format!("game {}: {name}: {warning}{last}", job.game + 1));
            }
        }
        self.observer.game(&line, &state.standings);
        if state.finish.is_none() && decided(self.setup, &state.standings) {
            state.finish = Some(Finish::Decided);
            self.setup.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namesakes_are_told_apart() {
        let engine = |command: &str| EngineSpec::parse(command, "").expect("a command");
        let same = |count| vec!["usurper 0.1.0".to_owned(); count];
        let engines = [engine("new/usurper"), engine("old/usurper"), engine("old/usurper")];
        assert_eq!(
            told_apart(&engines, &same(3)),
            [
                "usurper 0.1.0 (new/usurper)",
                "usurper 0.1.0 (old/usurper)",
                "usurper 0.1.0 (old/usurper) (2)"
            ]
        );
        // Nothing but a number can do it here.
        assert_eq!(told_apart(&engines[1..], &same(2)), ["usurper 0.1.0", "usurper 0.1.0 (2)"]);
        // A name that was given stays as it is.
        let given = [engine("cmd=new/usurper,name=usurper 0.1.0"), engine("old/usurper")];
        assert_eq!(told_apart(&given, &same(2)), ["usurper 0.1.0", "usurper 0.1.0 (old/usurper)"]);
    }
}
