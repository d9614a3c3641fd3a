//! The session: what is being played and how, whatever protocol asks for it.
//!
//! Holds the game, of one family or of any as its type says, the options and the engine. Knows no protocol's words: it takes texts
//! of positions, moves and option values, gives typed results, and hands the search's events to the
//! protocol that started it.
//!
//! Invariants: a request applies whole or, with an error, not at all. A running search is touched by
//! [`Session::stop`], [`Session::ponderhit`] and [`Session::start`] only; everything else that is
//! said meanwhile counts from the next search on.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::eval::Evaluation;
use crate::eval::network::{Network, NetworkError};
use crate::games::{AnyGame, AnyMove, PlayError, Playable, ReadError, SetupError, Variant};
use crate::rules::notation::{self, Letters, Style};
use crate::rules::{Edition, GameRecord, Move, MoveKind, Position};
use crate::search::{Engine, Event, Limits, Settings};
use crate::tablebase::{TableError, Tables};

use super::error::quote;
use super::options::{self, Id, OptionError, Options, TABLE};
use super::writer::Writer;

/// How moves are written to the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Notation {
    /// Whether an Escort and a Decoy are written as the game's site does, `ERf1` and `De5`.
    pub site: bool,
    /// The letters of the pieces where standard algebraic notation is read or shown.
    pub letters: Letters,
}

impl Notation {
    /// Writes moves that follow one another from where a game stands. All but Escort and Decoy are
    /// always coordinates.
    pub fn write(&self, game: &AnyGame, moves: &[AnyMove]) -> Vec<String> {
        let Some(game) = game.chess().filter(|_| self.site) else {
            return moves.iter().map(AnyMove::to_string).collect();
        };
        let mut position = *game.position();
        let write = |m: Move| {
            let special = matches!(m.kind(), MoveKind::Escort | MoveKind::Decoy);
            let style = if special { Style::San } else { Style::Coordinate };
            let text = notation::write_move(&position, m, style, self.letters);
            position = position.play(m);
            text
        };
        moves.iter().filter_map(AnyMove::chess).map(write).collect()
    }
}

/// One client's session with the engine.
pub struct Session<G> {
    game: G,
    options: Options,
    engine: Engine,
    /// The tables of endings that `TablebasePath` has given, an entry an edition.
    endings: Vec<Arc<Tables>>,
    writer: Arc<Writer>,
    /// What the option `EvalFile` has come to.
    evaluation: Evaluation,
    /// The engine has not heard of the last change of options yet.
    unsettled: bool,
    /// The engine has yet to forget earlier searches.
    forget: bool,
}

impl Session<GameRecord> {
    /// The position in which the game stands.
    pub const fn position(&self) -> &Position {
        self.game.position()
    }
}

impl<G: Playable> Session<G> {
    /// A session that begins with a game of the default variant; `writer` is where its log is kept.
    pub fn new(writer: Arc<Writer>, game: G) -> Session<G> {
        let options = Options::default();
        Session {
            game,
            engine: Engine::new(settings(&options, &Evaluation::BuiltIn, &[])),
            evaluation: Evaluation::BuiltIn,
            endings: Vec::new(),
            options,
            writer,
            unsettled: false,
            forget: false,
        }
    }

    /// The game as it stands.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// What positions are evaluated by.
    pub const fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The options and their values.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// How moves are written.
    pub fn notation(&self) -> Notation {
        let portuguese = self.options.text(Id::PieceLetters) == options::PORTUGUESE;
        Notation {
            site: self.options.text(Id::MoveNotation) == options::SITE,
            letters: if portuguese { Letters::Portuguese } else { Letters::English },
        }
    }

    /// Reads a move of the game's position, in any notation of the game.
    ///
    /// # Errors
    /// When the text is no move or not a legal one.
    pub fn read_move(&self, text: &str) -> Result<G::Move, ReadError> {
        self.game.read(text, self.notation().letters)
    }

    /// Sets up a position, the start position when `fen` is `None`, and plays moves from there.
    ///
    /// # Errors
    /// When the FEN or a move is wrong; the game before stays.
    pub fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), SetupError> {
        let mut game = G::begin(self.game.variant(), fen)?;
        game.advance_all(moves, self.notation().letters)?;
        self.game = game;
        Ok(())
    }

    /// Sets an option by its name. Gives a remark for the user when the value was clamped, or means
    /// nothing in the game that is played. A change of the variant sets up its start position.
    ///
    /// # Errors
    /// When there is no such option or the value is of no use; nothing changes.
    pub fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<String>, OptionError> {
        let mut options = self.options.clone();
        let change = options.set(name, value)?;
        let refuse = |name, reason: String| Err(OptionError::Refused { name, reason });
        match change.id {
            Id::Variant => {
                let variant = Variant::parse(options.text(Id::Variant)).unwrap_or_default();
                match G::begin(variant, None) {
                    Ok(game) => self.game = game,
                    Err(error) => return refuse("UCI_Variant", error.to_string()),
                }
            }
            Id::ClearHash => self.forget = true,
            Id::EvalFile => match evaluation(options.text(Id::EvalFile)) {
                Ok(evaluation) => {
                    // What the table holds was said by another.
                    self.forget |= self.evaluation != evaluation;
                    self.evaluation = evaluation;
                }
                Err(reason) => return refuse("EvalFile", reason),
            },
            Id::DebugLogFile => {
                let path = options.text(Id::DebugLogFile);
                if let Err(error) = self.writer.log_to(path) {
                    return refuse("Debug Log File", format!("{}: {error}", quote(path)));
                }
            }
            Id::TablebasePath => match open_endings(options.text(Id::TablebasePath)) {
                Ok(endings) => self.endings = endings,
                Err(reason) => return refuse("TablebasePath", reason),
            },
            // It tells, it is not told.
            Id::EngineAbout => return Ok(None),
            _ => {}
        }
        self.options = options;
        self.unsettled = true;
        let note = self.settle();
        // What was really to be had is the truer remark.
        Ok(note.or(change.note).or_else(|| self.without_meaning(change.id)))
    }

    /// A remark, if the option just set means nothing in a board game; of a variant just chosen, if
    /// some that were set do not.
    fn without_meaning(&self, id: Id) -> Option<String> {
        let variant = self.game.variant();
        let chess_only = |id: &Id| options::CHESS_ONLY.contains(id);
        let names = match id {
            Id::Variant => self.options.changed().filter(|spec| chess_only(&spec.id)).collect(),
            id => TABLE.iter().filter(|spec| spec.id == id && chess_only(&id)).collect::<Vec<_>>(),
        };
        if variant.edition().is_some() || names.is_empty() {
            return None;
        }
        let names: Vec<&str> = names.iter().map(|spec| spec.name).collect();
        let have = if names.len() == 1 { "has" } else { "have" };
        Some(format!("{} {have} no meaning in {variant}", names.join(", ")))
    }

    /// Forgets what earlier searches have learned, as for a new game. The position stays.
    pub fn new_game(&mut self) {
        self.forget = true;
        self.settle();
    }

    /// Plays a move in the game.
    ///
    /// # Errors
    /// When it is not legal or the game is over; the game stays as it is.
    pub fn play(&mut self, m: &G::Move) -> Result<(), PlayError> {
        self.game.advance(m)
    }

    /// Takes back the last `count` moves of the game, or all if there are fewer.
    pub fn take_back(&mut self, count: usize) {
        self.game = self.game.until(self.game.plies().saturating_sub(count));
    }

    /// Searches the game's position; `sink` hears the events, one best move the last of them. A
    /// search that still runs is stopped first, and says its best move before this one starts.
    pub fn start(
        &mut self,
        limits: Limits<G::Move>,
        sink: impl Fn(Event<G::Move>) + Send + Sync + 'static,
    ) {
        self.start_after(&[], limits, sink);
    }

    /// As [`Session::start`], of the position after some more moves, which are not played in the
    /// session's game; the first that is not legal ends them.
    pub fn start_after(
        &mut self,
        moves: &[G::Move],
        limits: Limits<G::Move>,
        sink: impl Fn(Event<G::Move>) + Send + Sync + 'static,
    ) {
        self.finish();
        self.settle();
        let mut game = self.game.clone();
        let _ = moves.iter().try_for_each(|m| game.advance(m));
        self.engine.start_task(game, limits, sink);
    }

    /// Ends the running search; without one nothing happens, now or later.
    pub fn stop(&self) {
        if self.engine.is_searching() {
            self.engine.stop();
        }
    }

    /// Lets a pondering search use its clock; without one nothing happens, now or later.
    pub fn ponderhit(&self) {
        if self.engine.is_searching() {
            self.engine.ponderhit();
        }
    }

    /// Whether a search is running.
    pub fn is_searching(&self) -> bool {
        self.engine.is_searching()
    }

    /// Waits until no search runs; one without a limit must be stopped first.
    pub fn wait(&self) {
        self.engine.wait();
    }

    /// Ends the running search and waits until it has said its best move.
    pub fn finish(&self) {
        self.stop();
        self.engine.wait();
    }

    /// As [`Session::finish`], but waits no longer than `patience`. Whether the search has ended.
    pub fn finish_within(&self, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        self.stop();
        while self.engine.is_searching() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        !self.engine.is_searching()
    }

    /// Tells an idle engine what has changed; one that searches is told before its next search. Gives
    /// a remark when the machine could not give all that was asked for.
    fn settle(&mut self) -> Option<String> {
        if self.engine.is_searching() {
            return None;
        }
        let mut note = None;
        if std::mem::take(&mut self.unsettled) {
            let wanted = settings(&self.options, &self.evaluation, &self.endings);
            if *self.engine.settings() != wanted {
                self.engine.configure(wanted.clone());
                let Settings { threads, hash_mb, .. } = *self.engine.settings();
                let less = [
                    (Id::Threads, "Threads", wanted.threads, threads),
                    (Id::Hash, "Hash", wanted.hash_mb, hash_mb),
                ];
                for (id, name, wanted, had) in less.into_iter().filter(|(.., w, had)| had < w) {
                    self.options.lower(id, had);
                    note = Some(format!("{name} {wanted} is more than there is, using {had}"));
                }
            }
        }
        if std::mem::take(&mut self.forget) {
            self.engine.clear();
        }
        note
    }
}

/// What `EvalFile` asks for: nothing, [`HAND_MADE`], or a network's file.
fn evaluation(path: &str) -> Result<Evaluation, String> {
    match path {
        "" => Ok(Evaluation::BuiltIn),
        HAND_MADE => Ok(Evaluation::HandMade),
        path => {
            let named = |error: &dyn Display| format!("{}: {error}", quote(path));
            let file = fs::metadata(path).map_err(|error| named(&error))?;
            // Opening a pipe would wait for its writer, a device may have no end.
            if !file.is_file() || file.len() > LARGEST_NETWORK {
                return Err(named(&NetworkError::Foreign));
            }
            let bytes = fs::read(path).map_err(|error| named(&error))?;
            let network = Network::from_bytes(&bytes).map_err(|error| named(&error))?;
            Ok(Evaluation::Network(Arc::new(network)))
        }
    }
}

/// No network's file has more bytes.
const LARGEST_NETWORK: u64 = 1 << 24;

/// The value of `EvalFile` for the hand-made terms alone.
const HAND_MADE: &str = "<hand-made>";

/// The tables of all editions in a folder; none without a path.
fn open_endings(path: &str) -> Result<Vec<Arc<Tables>>, String> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let open = |edition| Tables::open(Path::new(path), edition);
    let all: Result<Vec<Tables>, TableError> = Edition::ALL.into_iter().map(open).collect();
    let mut all = all.map_err(|error| error.to_string())?;
    all.retain(|tables| !tables.is_empty());
    if all.is_empty() {
        return Err(format!("{}: no table of endings is there", quote(path)));
    }
    Ok(all.into_iter().map(Arc::new).collect())
}

/// What the engine needs to know of the options, and the tables of endings of the edition.
fn settings(options: &Options, evaluation: &Evaluation, endings: &[Arc<Tables>]) -> Settings {
    let edition = Edition::parse(options.text(Id::Variant)).unwrap_or_default();
    Settings {
        threads: options.number(Id::Threads),
        hash_mb: options.number(Id::Hash),
        multi_pv: options.number(Id::MultiPv),
        move_overhead: Duration::from_millis(options.number(Id::MoveOverhead) as u64),
        elo: options.elo(),
        analyse: options.flag(Id::AnalyseMode),
        evaluation: evaluation.clone(),
        endings: endings.iter().find(|tables| tables.edition() == edition).cloned(),
    }
}
