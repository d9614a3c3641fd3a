//! XBoard's protocol (CECP version 2) over the session: commands to requests, events to lines.
//!
//! `grammar` reads lines, `thinking` writes those of a search, `time` knows the clock, `gui` what the
//! XBoard window must be told so that it shows this game rightly.
//!
//! Invariants: only the thread that reads commands plays moves; a search that was broken off says
//! nothing more; a line of no use changes nothing and gives `Illegal move: …`, `Error (…): …` or, for
//! a position, `tellusererror …`; `pong` comes when all before it is done, the engine's move included.

mod grammar;
mod gui;
mod thinking;
mod time;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::board::{Bitboard, Color, Square};
use crate::games::{ReadError, SetupError, game};
use crate::rules::notation::MoveError;
use crate::rules::{Edition, GameRecord, Move, Outcome, Position};
use crate::search::Limits;

use super::error::clipped;
use super::options::{Id, Kind, OptionError, Spec, TABLE};
use super::session::Session;
use super::uci::{Flow, NAME};
use super::writer::Writer;
use grammar::{Command, LineError};
use gui::{Correction, Figure, Owed, Plies, Ply};
use thinking::{Found, Output, Purpose, Search};
use time::Timing;

/// The option that lets the engine resign. Only this protocol has a word for it.
const RESIGN: &str = "Resign";
/// The option that says by which figure XBoard shows the King.
const FIGURE: &str = "Show King As";
/// What the program takes beside its table, of the memory that `memory` grants; in MiB.
const OWN_MEMORY: u64 = 8;
/// The positions that may be searched for a hint.
const HINT_NODES: u64 = 30_000;
/// A score, in centipawns, with which a game is hopelessly lost when it lasts.
const HOPELESS: i32 = -900;
/// For how many moves of the engine it must last.
const HOPELESS_MOVES: u32 = 3;

/// Options of the table that have commands of their own here, or no sense.
const NOT_SHOWN: [Id; 7] = [
    Id::Hash,        // memory
    Id::Threads,     // cores
    Id::Variant,     // variant
    Id::Ponder,      // hard, easy
    Id::AnalyseMode, // analyze, exit
    Id::MoveNotation,
    Id::ShowWdl,
];

/// Why a line was of no use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum XBoardError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error("unknown command")]
    Unknown,
    #[error("unknown variant")]
    UnknownVariant,
    #[error("a board game, played by UCI only")]
    BoardGame,
    #[error("command not legal now")]
    NotNow,
    #[error("not supported, use setboard")]
    Edit,
    #[error("no square")]
    NoSquare,
    #[error("illegal move")]
    Excluded,
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Answered as a move.
    #[error("illegal move")]
    Move(String),
    /// Answered as a position.
    #[error(transparent)]
    Position(#[from] SetupError),
}

/// Who moves by whose command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// The engine plays neither side.
    Force,
    /// The engine plays this side.
    Play(Color),
    /// The engine analyses whatever stands on the board.
    Analysis,
}

/// A session that speaks XBoard's protocol.
pub struct XBoard {
    session: Session<GameRecord>,
    writer: Arc<Writer>,
    /// Makes the reader of commands call [`XBoard::poll`].
    wake: Arc<dyn Fn() + Send + Sync>,
    mode: Mode,
    search: Option<Search>,
    /// What `pause` has interrupted.
    paused: Option<Purpose>,
    /// The game as XBoard counts it.
    plies: Plies,
    timing: Timing,
    /// Moves that the analysis leaves out.
    excluded: Vec<Move>,
    /// `ping`s to be answered after the engine's move.
    pings: Vec<String>,
    /// The answer that the engine expects to its last move.
    expected: Option<Move>,
    /// What the engine thought of its last move.
    score: Option<i32>,
    /// How many moves of the engine in a row were hopeless.
    hopeless: u32,
    post: Arc<AtomicBool>,
    ponder: bool,
    resigns: bool,
    figure: Figure,
    /// The opponent is an engine too.
    two_engines: bool,
    /// The client is XBoard's window: it marks squares, and its board needs corrections.
    window: bool,
    /// Lines that begin with `#` may be sent.
    remarks: bool,
    /// Lines of the old position editor are coming, and are not wanted.
    editing: bool,
}

impl XBoard {
    /// A session at the start of a game of chess, as the protocol has it; it says nothing unasked.
    /// `wake` is called by a search that has ended, and must lead to a call of [`XBoard::poll`].
    pub fn new(writer: Arc<Writer>, wake: Arc<dyn Fn() + Send + Sync>) -> XBoard {
        let mut xboard = XBoard {
            session: Session::new(Arc::clone(&writer), GameRecord::from_start(Edition::default())),
            writer,
            wake,
            mode: Mode::Play(Color::Black),
            search: None,
            paused: None,
            plies: Plies::default(),
            timing: Timing::default(),
            excluded: Vec::new(),
            pings: Vec::new(),
            expected: None,
            score: None,
            hopeless: 0,
            post: Arc::default(),
            ponder: false,
            resigns: false,
            figure: Figure::default(),
            two_engines: false,
            window: false,
            remarks: false,
            editing: false,
        };
        xboard.set_edition(Edition::Chess);
        xboard
    }

    /// The session underneath.
    pub const fn session(&self) -> &Session<GameRecord> {
        &self.session
    }

    /// Does what one line asks for, or says why not.
    pub fn line(&mut self, line: &str) -> Flow {
        self.poll();
        let line = line.trim();
        if self.editing {
            self.editing = grammar::is_editing(line);
            if self.editing || line == "." {
                return Flow::Continue;
            }
        }
        let result = grammar::parse(line).map_err(XBoardError::from).and_then(|command| {
            command.map_or(Ok(Flow::Continue), |command| self.command(command))
        });
        let flow = result.unwrap_or_else(|error| {
            self.refuse(&error, line);
            Flow::Continue
        });
        self.answer_pings();
        flow
    }

    /// Plays the move of a search that has ended.
    pub fn poll(&mut self) {
        let ended = self.search.as_ref().filter(|search| search.purpose == Purpose::Move);
        let found = ended.map(Search::found);
        if let Some(Found { best: Some((best, expected)), info }) = found {
            let spent = self.search.take().map_or(Duration::ZERO, |search| search.began.elapsed());
            self.score = info.map(|info| thinking::score(info.score));
            self.timing.spend(spent, self.played() + 1);
            match best {
                Some(m) => self.play_own(m, expected),
                None => self.announce(),
            }
            self.answer_pings();
        }
    }

    fn refuse(&self, error: &XBoardError, line: &str) {
        let line = clipped(line);
        self.writer.line(&match error {
            XBoardError::Move(text) => format!("Illegal move: {}", clipped(text)),
            XBoardError::Position(error) => {
                format!("tellusererror Illegal position: {}", clipped(&error.to_string()))
            }
            error => format!("Error ({}): {line}", clipped(&error.to_string())),
        });
    }

    fn command(&mut self, command: Command<'_>) -> Result<Flow, XBoardError> {
        match command {
            Command::Quit => return Ok(Flow::Quit),
            Command::Ignored => {}
            Command::ProtoVer(version) => self.introduce(version),
            Command::Feature { name, accepted } => self.feature(name, accepted),
            Command::Ping(number) => self.pings.push(number.to_owned()),
            Command::New => self.new_game(),
            Command::Variant(name) => self.variant(name)?,
            Command::SetBoard(fen) => self.set_board(fen)?,
            Command::Edit => {
                self.editing = true;
                return Err(XBoardError::Edit);
            }
            Command::UserMove(text) => self.user_move(text)?,
            Command::Bare(word) => self.bare(word)?,
            Command::Force => self.force(),
            Command::Go => self.go(),
            Command::PlayOther => {
                self.force();
                self.mode = Mode::Play(!self.position().side_to_move());
            }
            Command::MoveNow => {
                if self.is_thinking() {
                    self.session.finish();
                    self.poll();
                }
            }
            Command::Level { moves, base, increment } => self.timing.level(moves, base, increment),
            Command::MoveTime(time) => self.timing.move_time(time),
            Command::Depth(plies) => self.timing.depth = Some(plies),
            Command::NodeRate(rate) => self.timing.node_rate = rate,
            Command::Time(time) => self.timing.set_remaining(time),
            Command::OpponentTime(_) => {}
            Command::Undo => self.take_back(1)?,
            Command::Remove => self.take_back(2)?,
            Command::Result => {
                if self.mode != Mode::Analysis {
                    self.force();
                }
            }
            Command::Draw => self.draw(),
            Command::Hint => self.hint()?,
            Command::Book => self.writer.block(["\tthere is no opening book", ""]),
            Command::Ponder(on) => self.set_ponder(on),
            Command::Post(on) => self.post.store(on, Ordering::Relaxed),
            Command::Analyze => self.analyze(),
            Command::Status => self.status(),
            Command::Exit => {
                if self.mode != Mode::Analysis {
                    return Err(XBoardError::NotNow);
                }
                self.force();
            }
            Command::Exclude { m, out } => self.exclude(m, out)?,
            Command::Computer => self.two_engines = true,
            Command::Pause(true) => self.pause(),
            Command::Pause(false) => self.resume(),
            Command::Memory(mebibytes) => {
                let table = mebibytes.saturating_sub(OWN_MEMORY).max(1);
                self.set_option("Hash", Some(&table.to_string()))?;
            }
            Command::Cores(number) => self.set_option("Threads", Some(number))?,
            Command::Option { name, value } => self.option(name, value)?,
            Command::Lift(square) => self.lift(square)?,
        }
        Ok(Flow::Continue)
    }

    // ---- what the engine is, and how it is set ----

    fn introduce(&self, version: u64) {
        if version < 2 {
            return; // such a client does not know the word feature
        }
        let options = TABLE
            .iter()
            .filter(|spec| !NOT_SHOWN.contains(&spec.id))
            .filter_map(|spec| Some(format!("feature option=\"{}\"", describe(spec)?)));
        let lines = [
            "feature done=0".to_owned(),
            "feature ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 debug=1 analyze=1 \
             pause=1 memory=1 smp=1 nps=0 reuse=1 highlight=1 exclude=1"
                .to_owned(),
            format!("feature myname=\"{NAME}\""),
            format!(
                "feature variants=\"{},{},normal\"",
                Edition::CaptureOrConquer,
                Edition::Classic
            ),
        ];
        let own = [
            format!("feature option=\"{RESIGN} -check 0\""),
            format!("feature option=\"{FIGURE} -combo *man /// king\""),
            "feature done=1".to_owned(),
        ];
        self.writer.block(lines.into_iter().chain(options).chain(own));
    }

    fn feature(&mut self, name: &str, accepted: bool) {
        match name {
            // Of all clients only XBoard's own window takes it; others would be broken by corrections.
            "highlight" => self.window = accepted,
            "debug" => self.remarks = accepted,
            _ => {}
        }
    }

    fn option(&mut self, name: &str, value: Option<&str>) -> Result<(), XBoardError> {
        let invalid = |name, expected: &str, value: &str| {
            let found = super::error::quote(value);
            Err(OptionError::Value { name, expected: expected.to_owned(), found }.into())
        };
        if name.eq_ignore_ascii_case(RESIGN) {
            match value {
                Some("1") => self.resigns = true,
                Some("0") => self.resigns = false,
                other => return invalid(RESIGN, "0 or 1", other.unwrap_or_default()),
            }
            return Ok(());
        }
        if name.eq_ignore_ascii_case(FIGURE) {
            match value {
                Some("man") => self.figure = Figure::Man,
                Some("king") => self.figure = Figure::King,
                other => return invalid(FIGURE, "man or king", other.unwrap_or_default()),
            }
            return Ok(());
        }
        let hidden = TABLE
            .iter()
            .any(|spec| NOT_SHOWN.contains(&spec.id) && spec.name.eq_ignore_ascii_case(name));
        if hidden {
            return Err(OptionError::Unknown(super::error::quote(name)).into());
        }
        self.set_option(name, value)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), XBoardError> {
        if let Some(note) = self.session.set_option(name, value)?
            && self.remarks
        {
            self.writer.line(&format!("# {note}"));
        }
        Ok(())
    }

    fn set_edition(&mut self, edition: Edition) {
        let set = self.session.set_option("UCI_Variant", Some(edition.name()));
        if let Err(error) = set {
            log::error!("{error}"); // every edition has its name among the choices
        }
        self.forget_game();
    }

    /// What was said of a game does not count for the next one.
    fn forget_game(&mut self) {
        self.plies = Plies::default();
        self.excluded.clear();
        self.expected = None;
        self.score = None;
        self.hopeless = 0;
    }

    // ---- games and positions ----

    fn new_game(&mut self) {
        self.abort();
        self.set_edition(Edition::Chess);
        self.session.new_game();
        self.timing.reset();
        self.two_engines = false;
        if self.mode == Mode::Analysis {
            self.begin_analysis();
        } else {
            self.mode = Mode::Play(Color::Black);
        }
    }

    fn variant(&mut self, name: &str) -> Result<(), XBoardError> {
        let edition = Edition::parse(name).ok_or_else(|| match game(name) {
            Some(_) => XBoardError::BoardGame,
            None => XBoardError::UnknownVariant,
        })?;
        self.abort();
        self.set_edition(edition);
        self.writer.block(gui::setup(edition, self.figure));
        self.resume_analysis();
        Ok(())
    }

    fn set_board(&mut self, fen: &str) -> Result<(), XBoardError> {
        if let Owed::Pass(correction) = self.plies.owed()
            && self.shows(fen, &correction)
        {
            // The other engine's pass: XBoard has no other way to tell of it.
            self.plies.push(Ply::Pass);
            self.correct();
            self.think_if_on_move();
            return Ok(());
        }
        self.abort();
        self.session.set_position(Some(fen), &[])?;
        self.forget_game();
        self.resume_analysis();
        Ok(())
    }

    /// Whether a FEN is what XBoard shows of the game's position before a correction and after a pass.
    fn shows(&self, fen: &str, correction: &Correction) -> bool {
        let position = self.position();
        Position::from_fen(position.edition(), fen).is_ok_and(|shown| {
            shown.side_to_move() == correction.color && correction.explains(&shown, position)
        })
    }

    fn force(&mut self) {
        self.abort();
        if self.mode == Mode::Analysis {
            self.set_analyse_mode(false);
        }
        self.mode = Mode::Force;
    }

    fn go(&mut self) {
        if self.is_thinking() {
            return;
        }
        self.force();
        self.mode = Mode::Play(match self.plies.owed() {
            Owed::Correction(correction) => correction.color,
            _ => self.position().side_to_move(),
        });
        self.correct();
        self.think_if_on_move();
    }

    fn take_back(&mut self, count: usize) -> Result<(), XBoardError> {
        if self.plies.len() < count {
            return Err(XBoardError::NotNow);
        }
        self.abort();
        let taken = (0..count).filter_map(|_| self.plies.pop());
        let moves = taken.filter(|ply| matches!(ply, Ply::Move(_))).count();
        self.session.take_back(moves);
        self.excluded.clear();
        self.expected = None;
        self.hopeless = 0;
        self.resume_analysis();
        Ok(())
    }

    // ---- moves ----

    fn bare(&mut self, word: &str) -> Result<(), XBoardError> {
        match self.session.read_move(word) {
            Err(ReadError::Chess(MoveError::Unreadable(_))) if word != gui::PASS => {
                Err(XBoardError::Unknown)
            }
            _ => self.user_move(word),
        }
    }

    fn user_move(&mut self, text: &str) -> Result<(), XBoardError> {
        let illegal = || Err(XBoardError::Move(text.to_owned()));
        match self.plies.owed() {
            Owed::Pass(_) if text == gui::PASS => {
                self.plies.push(Ply::Pass);
                return Ok(());
            }
            Owed::Correction(correction) if correction.is(text) => {
                self.plies.push(Ply::Corrected);
                self.think_if_on_move();
                return Ok(());
            }
            // XBoard shows another board than the game's, after a move was taken back: first things first.
            Owed::Pass(_) | Owed::Correction(_) if matches!(self.mode, Mode::Play(_)) => {
                self.refuse(&XBoardError::Move(text.to_owned()), text);
                self.correct();
                self.think_if_on_move();
                return Ok(());
            }
            _ => {}
        }
        if self.is_thinking() {
            return illegal();
        }
        let Ok(m) = self.session.read_move(text) else { return illegal() };
        let correction = self.correction(m);
        if self.session.play(&m).is_err() {
            return illegal();
        }
        self.plies.push(Ply::Move(correction));
        self.excluded.clear();
        let expected = self.search.as_ref().is_some_and(|s| s.purpose == Purpose::Ponder(m));
        if !expected {
            self.abort();
        }
        match self.mode {
            Mode::Force => {}
            Mode::Analysis => self.begin_analysis(),
            Mode::Play(_) => {
                self.correct();
                self.think_if_on_move();
            }
        }
        Ok(())
    }

    /// Plays the engine's move and tells it.
    fn play_own(&mut self, m: Move, expected: Option<Move>) {
        let hopeless = self.score.is_some_and(|score| score <= HOPELESS);
        self.hopeless = if hopeless { self.hopeless + 1 } else { 0 };
        if self.resigns && self.hopeless >= HOPELESS_MOVES {
            self.mode = Mode::Force;
            self.writer.line("resign");
            return;
        }
        let correction = self.correction(m);
        if let Err(error) = self.session.play(&m) {
            log::error!("the engine's move: {error}"); // it searched this very position
            return;
        }
        self.plies.push(Ply::Move(correction));
        self.writer.line(&format!("move {m}"));
        if !self.two_engines {
            self.correct();
        }
        self.expected = expected;
        if self.session.game().outcome().is_some() {
            self.announce();
        } else if self.ponder {
            self.begin_pondering();
        }
    }

    /// What XBoard's window must be told after a move of the present position.
    fn correction(&self, m: Move) -> Option<Correction> {
        self.window.then(|| Correction::of(self.position(), m, self.figure)).flatten()
    }

    /// Tells XBoard what it does not know of an Escort: a pass of the one side, the supporter's move of
    /// the other. Between two engines each tells its own side's part.
    fn correct(&mut self) {
        let Mode::Play(own) = self.mode else { return };
        if let Owed::Pass(correction) = self.plies.owed()
            && (!self.two_engines || own != correction.color)
        {
            self.plies.push(Ply::Pass);
            self.writer.line(&format!("move {}", gui::PASS));
        }
        if let Owed::Correction(correction) = self.plies.owed()
            && (!self.two_engines || own == correction.color)
        {
            self.plies.push(Ply::Corrected);
            self.writer.line(&format!("move {correction}"));
        }
    }

    /// Says how the game has ended, once XBoard's board is that of the game: XBoard ends the game at
    /// this word. Between two engines XBoard takes a claim to have won for false, as it knows nothing of
    /// these wins, and gives the game to the other; a claim to have lost it believes.
    fn announce(&self) {
        let Some(outcome) = self.session.game().outcome() else { return };
        let won = matches!(self.mode, Mode::Play(own) if outcome.winner == Some(own));
        let disbelieved = self.window && self.two_engines && won;
        if self.plies.owed() == Owed::Nothing && !disbelieved {
            self.writer.line(&result(&outcome));
        }
    }

    // ---- thinking ----

    fn position(&self) -> &Position {
        self.session.position()
    }

    /// Whether the engine is searching for its move.
    fn is_thinking(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move)
    }

    /// How many moves of the game the engine's side has played.
    fn played(&self) -> u32 {
        let Mode::Play(own) = self.mode else { return 0 };
        let game = self.session.game();
        let first = usize::from(game.start().side_to_move() == own);
        u32::try_from((game.moves().len() + first) / 2).unwrap_or(u32::MAX)
    }

    /// The next step of a game that the engine plays in: its end, or the engine's thinking.
    fn think_if_on_move(&mut self) {
        let Mode::Play(own) = self.mode else { return };
        if self.session.game().outcome().is_some() {
            self.abort();
            self.announce();
        } else if self.position().side_to_move() == own && self.plies.owed() == Owed::Nothing {
            match &mut self.search {
                // The expected move was played.
                Some(search) => {
                    search.hit();
                    self.session.ponderhit();
                }
                None => {
                    let limits = self.timing.limits(self.played());
                    self.begin(Purpose::Move, limits);
                }
            }
        }
    }

    fn begin_pondering(&mut self) {
        if let Some(expected) = self.expected {
            let limits = Limits { ponder: true, ..self.timing.limits(self.played()) };
            self.begin(Purpose::Ponder(expected), limits);
        }
    }

    fn begin_analysis(&mut self) {
        let moves = self.position().legal_moves();
        let search_moves: Vec<Move> =
            moves.iter().copied().filter(|m| !self.excluded.contains(m)).collect();
        // With no move left there is nothing to look at, and no list means all.
        if !search_moves.is_empty() || moves.is_empty() {
            let limits = Limits { infinite: true, search_moves, ..Limits::default() };
            self.begin(Purpose::Analysis, limits);
        }
    }

    fn resume_analysis(&mut self) {
        if self.mode == Mode::Analysis {
            self.begin_analysis();
        }
    }

    fn begin(&mut self, purpose: Purpose, limits: Limits) {
        self.abort();
        let expected = match purpose {
            Purpose::Ponder(expected) => Some(expected),
            _ => None,
        };
        let side = self.position().side_to_move();
        let output = Output {
            writer: Arc::clone(&self.writer),
            post: Arc::clone(&self.post),
            wake: Arc::clone(&self.wake),
            side: if expected.is_some() { !side } else { side },
        };
        let (search, sink) = Search::new(purpose, output);
        self.search = Some(search);
        self.session.start_after(expected.as_slice(), limits, sink);
    }

    /// Ends the running search; it says nothing more.
    fn abort(&mut self) {
        self.paused = None;
        if let Some(search) = self.search.take() {
            search.mute();
            self.session.finish();
        }
    }

    fn set_ponder(&mut self, on: bool) {
        self.ponder = on;
        if !on && matches!(self.search, Some(Search { purpose: Purpose::Ponder(_), .. })) {
            self.abort();
        }
    }

    fn pause(&mut self) {
        let Some(search) = &self.search else { return };
        let (purpose, spent) = (search.purpose, search.began.elapsed());
        self.abort();
        if purpose == Purpose::Move {
            self.timing.pass(spent);
        }
        self.paused = Some(purpose);
    }

    fn resume(&mut self) {
        match self.paused.take() {
            Some(Purpose::Move) => self.think_if_on_move(),
            Some(Purpose::Ponder(_)) => self.begin_pondering(),
            Some(Purpose::Analysis) => self.begin_analysis(),
            Some(Purpose::Hint) | None => {}
        }
    }

    fn answer_pings(&mut self) {
        if !self.is_thinking() {
            let pongs = std::mem::take(&mut self.pings);
            self.writer.block(pongs.iter().map(|number| format!("pong {number}")));
        }
    }

    // ---- analysis and advice ----

    fn analyze(&mut self) {
        self.abort();
        self.mode = Mode::Analysis;
        self.set_analyse_mode(true);
        self.begin_analysis();
    }

    fn set_analyse_mode(&mut self, on: bool) {
        let value = if on { "true" } else { "false" };
        if let Err(error) = self.session.set_option("UCI_AnalyseMode", Some(value)) {
            log::error!("{error}"); // a check option takes both
        }
    }

    fn status(&self) {
        let moves = self.position().legal_move_count().saturating_sub(self.excluded.len());
        if let Some(search) = &self.search
            && search.purpose == Purpose::Analysis
            && let Some(line) = thinking::status(&search.found(), moves)
        {
            self.writer.line(&line);
        }
    }

    fn exclude(&mut self, text: Option<&str>, out: bool) -> Result<(), XBoardError> {
        match text {
            None if out => self.excluded = self.position().legal_moves().to_vec(),
            None => self.excluded.clear(),
            Some(text) => {
                let m = self.session.read_move(text);
                let m = m.map_err(|_| XBoardError::Excluded)?;
                self.excluded.retain(|&other| other != m);
                if out {
                    self.excluded.push(m);
                }
            }
        }
        if self.mode == Mode::Analysis {
            self.abort();
            self.begin_analysis();
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<(), XBoardError> {
        let found = self.search.as_ref().map(|search| (search.purpose, search.found()));
        let hint = match found {
            Some((Purpose::Move, _)) => return Err(XBoardError::NotNow),
            Some((Purpose::Ponder(expected), _)) => Some(expected),
            Some((_, found)) => found.info.and_then(|info| info.pv.first().copied()),
            None => self
                .expected
                .filter(|&m| self.position().is_legal(m))
                .or_else(|| self.think_briefly()),
        };
        if let Some(m) = hint {
            self.writer.line(&format!("Hint: {m}"));
        }
        Ok(())
    }

    /// The best move that a short look finds, while nothing else is searched.
    fn think_briefly(&mut self) -> Option<Move> {
        self.begin(Purpose::Hint, Limits { nodes: Some(HINT_NODES), ..Limits::default() });
        self.session.wait();
        let (best, _) = self.search.take()?.found().best?;
        best
    }

    /// A draw is offered. Capture or Conquer has none; in chess it is taken by who is not better.
    fn draw(&mut self) {
        let thinking = self.search.as_ref().filter(|search| search.purpose == Purpose::Move);
        let now = thinking.and_then(|search| search.found().info);
        let score = now.map(|info| thinking::score(info.score)).or(self.score);
        let playing = matches!(self.mode, Mode::Play(_));
        if playing && self.position().edition().has_draws() && score.is_some_and(|score| score <= 0)
        {
            self.writer.line("offer draw");
        }
    }

    /// The person has picked up a piece: shows where it can go.
    fn lift(&self, square: &str) -> Result<(), XBoardError> {
        let from = Square::parse(square).ok_or(XBoardError::NoSquare)?;
        let targets = match self.plies.owed() {
            Owed::Nothing => gui::targets(self.position(), from),
            Owed::Correction(correction) if correction.from == from => Bitboard::of(correction.to),
            _ => Bitboard::EMPTY,
        };
        self.writer.line(&gui::highlight(targets));
        Ok(())
    }
}

/// The end of a game as a claim: `1-0 {White wins by conquest}`.
fn result(outcome: &Outcome) -> String {
    match outcome.winner {
        Some(Color::White) => format!("1-0 {{White wins by {}}}", outcome.reason),
        Some(Color::Black) => format!("0-1 {{Black wins by {}}}", outcome.reason),
        None => format!("1/2-1/2 {{Draw by {}}}", outcome.reason),
    }
}

/// An option as `feature option` gives it; `None` for one that only tells.
fn describe(spec: &Spec) -> Option<String> {
    let name = spec.name;
    Some(match spec.kind {
        Kind::Check { default } => format!("{name} -check {}", u8::from(default)),
        Kind::Spin { default, min, max } => format!("{name} -spin {default} {min} {max}"),
        Kind::Combo { default, choices } => {
            let choices = choices.iter().enumerate().map(|(index, choice)| {
                let mark = if index == default { "*" } else { "" };
                format!("{mark}{choice}")
            });
            format!("{name} -combo {}", choices.collect::<Vec<_>>().join(" /// "))
        }
        Kind::Text { .. } if spec.id == Id::EngineAbout => return None,
        // The blank after the type must be there.
        Kind::Text { default } if spec.id == Id::TablebasePath => format!("{name} -path {default}"),
        Kind::Text { default } => format!("{name} -file {default}"),
        Kind::Button => format!("{name} -button"),
    })
}
