//! UCI over the session: commands to requests, events to lines.
//!
//! Invariants: every line that cannot be used gives one `info string error: …` and changes nothing;
//! the answer to `uci` is one block; moves leave as the notation option says, in the position that
//! was searched.

use std::slice;
use std::sync::Arc;
use std::time::Duration;

use crate::board::{Color, Square};
use crate::eval;
use crate::games::bench::{self, Set};
use crate::games::{AnyGame, AnyMove, Playable, ReadError, Record, SetupError};
use crate::rules::{GameRecord, Outcome, Position};
use crate::search::{Bound, Clock, Event, Info, Limits, Score, Settings, Task};

use super::error::{SyntaxError, clipped};
use super::grammar::{self, Command, Go};
use super::options::{Id, OptionError, TABLE};
use super::session::{Notation, Session};
use super::vampirc::{self, Fixed, InfoLine};
use super::writer::Writer;

/// The engine's name and version, as `id name` gives it.
pub const NAME: &str = concat!("usurper ", env!("CARGO_PKG_VERSION"));
/// Who made it.
pub const AUTHOR: &str = "the usurper authors";

/// The greatest depth of `go perft`. Counting goes one call deeper for each ply.
const MAX_PERFT_DEPTH: u32 = 30;

/// Whether the session goes on after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The next line, please.
    Continue,
    /// The client wants to end.
    Quit,
}

/// Why a line was of no use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum UciError {
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    #[error("position: {0}")]
    Position(#[from] SetupError),
    #[error("setoption: {0}")]
    Option(#[from] OptionError),
    #[error("go: searchmoves: move {number}: {error}")]
    SearchMove { number: usize, error: ReadError },
    #[error("go: perft {0} is deeper than {MAX_PERFT_DEPTH}")]
    PerftDepth(u32),
    #[error("go: perft cannot have its threads: {0}")]
    PerftThreads(String),
}

/// A session that speaks UCI.
pub struct Uci {
    session: Session<AnyGame>,
    writer: Arc<Writer>,
    debug: bool,
}

impl Uci {
    /// A session at its start; it says nothing unasked.
    pub fn new(writer: Arc<Writer>) -> Uci {
        let session = Session::new(Arc::clone(&writer), AnyGame::default());
        Uci { session, writer, debug: false }
    }

    /// The session underneath.
    pub const fn session(&self) -> &Session<AnyGame> {
        &self.session
    }

    /// Does what one line asks for, or says why not.
    pub fn line(&mut self, line: &str) -> Flow {
        let result = grammar::parse(line).map_err(UciError::from).and_then(|command| {
            command.map_or(Ok(Flow::Continue), |command| self.command(command))
        });
        result.unwrap_or_else(|error| {
            self.writer
                .line(&vampirc::info_string(&format!("error: {}", clipped(&error.to_string()))));
            Flow::Continue
        })
    }

    fn command(&mut self, command: Command<'_>) -> Result<Flow, UciError> {
        match command {
            Command::Fixed(Fixed::Quit) => return Ok(Flow::Quit),
            Command::Fixed(fixed) => self.fixed(fixed),
            Command::Position(text) => self.session.set_position(text.fen, &text.moves)?,
            Command::SetOption { name, value } => {
                if let Some(note) = self.session.set_option(&name, value)? {
                    self.writer.line(&vampirc::info_string(&note));
                }
            }
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => self.perft(depth)?,
            Command::Display => self.display(),
            Command::Eval => self.eval(),
            Command::Bench { depth, set } => self.bench(depth, set),
        }
        Ok(Flow::Continue)
    }

    fn fixed(&mut self, fixed: Fixed) {
        match fixed {
            Fixed::Uci => self.introduce(),
            Fixed::IsReady => self.writer.line(&vampirc::ready_ok()),
            Fixed::NewGame => self.session.new_game(),
            Fixed::Stop => self.session.stop(),
            Fixed::PonderHit => self.session.ponderhit(),
            Fixed::Debug(on) => self.debug = on,
            Fixed::Register | Fixed::Quit => {}
        }
    }

    /// One block, so that no line of a running search comes between.
    fn introduce(&self) {
        let mut lines = vec![vampirc::id_name(NAME), vampirc::id_author(AUTHOR)];
        lines.extend(TABLE.iter().map(vampirc::option));
        lines.push(vampirc::uci_ok());
        self.writer.block(lines);
    }

    fn go(&mut self, go: &Go<'_>) -> Result<(), UciError> {
        let game = self.session.game();
        let mut search_moves = Vec::with_capacity(go.searchmoves.len());
        for (number, text) in (1..).zip(&go.searchmoves) {
            let m = self
                .session
                .read_move(text)
                .map_err(|error| UciError::SearchMove { number, error })?;
            if !search_moves.contains(&m) {
                search_moves.push(m);
            }
        }
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            movetime: go.movetime,
            mate: go.mate,
            infinite: go.infinite,
            ponder: go.ponder,
            clock: clock(go, game.side()),
            search_moves,
        };
        if self.debug {
            let settings = format!("searching {} with {limits:?}", game.fen());
            self.writer.line(&vampirc::info_string(&settings));
        }
        let report = Report {
            writer: Arc::clone(&self.writer),
            game: game.clone(),
            notation: self.session.notation(),
            wdl: self.session.options().flag(Id::ShowWdl),
        };
        self.session.start(limits, move |event| report.event(event));
        Ok(())
    }

    /// Counts before the next line is read; a running search is ended first.
    fn perft(&mut self, depth: u32) -> Result<(), UciError> {
        if depth > MAX_PERFT_DEPTH {
            return Err(UciError::PerftDepth(depth));
        }
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(self.session.options().number(Id::Threads))
            .build()
            .map_err(|error| UciError::PerftThreads(error.to_string()))?;
        self.session.finish();
        let game = self.session.game();
        let notation = self.session.notation();
        let counts = threads.install(|| game.divide(depth));
        let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|&(_, nodes)| nodes).sum() };
        let write = |m| notation.write(game, slice::from_ref(m)).concat();
        let lines = counts.iter().map(|(m, nodes)| format!("{}: {nodes}", write(m)));
        self.writer.block(lines.chain([format!("Nodes searched: {total}")]));
        Ok(())
    }

    fn display(&self) {
        let game = self.session.game();
        let outcome = game.outcome().map_or_else(|| "none".to_owned(), |outcome| over(&outcome));
        let (key, of_family) = match game {
            AnyGame::Chess(game) => (game.position().key(), self.of_chess(game)),
            AnyGame::Board(game) => (game.position().key(), of_board(game)),
        };
        let mut lines: Vec<_> = game.diagram().lines().map(str::to_owned).collect();
        lines.extend([
            String::new(),
            format!("Edition: {}", game.variant()),
            format!("FEN: {}", game.fen()),
            format!("Key: {key:016X}"),
            format!("Outcome: {outcome}"),
            format!("Repetitions: {}", game.times_stood()),
        ]);
        self.writer.block(lines.into_iter().chain(of_family));
    }

    /// What is shown of a game of the chess family only.
    fn of_chess(&self, game: &GameRecord) -> Vec<String> {
        let position = game.position();
        let attackers = match position.king(position.side_to_move()) {
            Some(king) => position
                .attackers_of(!position.side_to_move(), king, position.occupied())
                .map(|square: Square| square.to_string())
                .collect::<Vec<_>>()
                .join(" "),
            None => String::new(),
        };
        let letters = self.session.notation().letters;
        let moves = game.legal();
        let san: Vec<_> = moves.iter().map(|m| game.name_of(m, letters)).collect();
        vec![
            format!("King attacked from: {attackers}"),
            format!("Legal moves: {}", moves.len()),
            format!("SAN: {}", san.join(" ")),
        ]
    }

    fn eval(&self) {
        let game = self.session.game();
        if let Some(outcome) = game.outcome() {
            let line = format!("Evaluation: none, the game is over: {}", over(&outcome));
            return self.writer.line(&line);
        }
        let side = game.side().name();
        match game {
            AnyGame::Chess(game) => {
                let position = game.position();
                let score = self.session.evaluation().evaluate(position);
                let [win, draw, loss] = wdl(Score::Cp(score), position);
                let total =
                    format!("Evaluation: cp {score} wdl {win} {draw} {loss} for {side}, to move");
                self.writer.block(eval::trace(position).lines().chain([total.as_str()]));
            }
            AnyGame::Board(game) => {
                let score = game.position().game().evaluate(game.position());
                self.writer.line(&format!("Evaluation: cp {score} for {side}, to move"));
            }
        }
    }

    /// Searches before the next line is read, with an engine of its own; a running search is ended
    /// first.
    fn bench(&self, depth: Option<u32>, set: Set) {
        self.session.finish();
        let Settings { threads, hash_mb, .. } = Settings::default();
        let total = bench::run(set, depth, threads, hash_mb, |variant, part| {
            self.writer.line(&format!("{variant}: {part}"));
        });
        self.writer.line(&total.to_string());
    }
}

/// What is shown of a board game only.
fn of_board(game: &Record) -> Vec<String> {
    let grid = game.position().grid();
    let moves: Vec<_> = game.legal().iter().map(|m| m.text(grid)).collect();
    vec![format!("Legal moves: {}", moves.len()), format!("Moves: {}", moves.join(" "))]
}

/// The clock of the side to move. A time given for one side only counts for both.
fn clock(go: &Go<'_>, side: Color) -> Option<Clock> {
    let (time, other, increment) = match side {
        Color::White => (go.wtime, go.btime, go.winc),
        Color::Black => (go.btime, go.wtime, go.binc),
    };
    time.or(other).map(|remaining| Clock {
        remaining,
        increment: increment.unwrap_or(Duration::ZERO),
        moves_to_go: go.movestogo,
    })
}

/// Writes the events of one search.
struct Report {
    writer: Arc<Writer>,
    /// What is searched.
    game: AnyGame,
    notation: Notation,
    wdl: bool,
}

impl Report {
    fn event(&self, event: Event<AnyMove>) {
        match event {
            Event::Info(info) => self.writer.line(&self.info(&info)),
            Event::GameOver(outcome) => self.game_over(&outcome),
            Event::BestMove { best: None, .. } => self.writer.line("bestmove (none)"),
            Event::BestMove { best: Some(best), ponder } => {
                let moves = [Some(best), ponder].into_iter().flatten().collect::<Vec<_>>();
                let moves = self.notation.write(&self.game, &moves);
                self.writer.line(&format!("bestmove {}", moves.join(" ponder ")));
            }
        }
    }

    fn info(&self, info: &Info<AnyMove>) -> String {
        let mut score = match info.score {
            Score::Cp(centipawns) => format!("cp {centipawns}"),
            Score::Mate(moves) => format!("mate {moves}"),
        };
        score.push_str(match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        if self.wdl
            && let Some(game) = self.game.chess()
        {
            let [win, draw, loss] = wdl(info.score, game.position());
            score.push_str(&format!(" wdl {win} {draw} {loss}"));
        }
        let line = InfoLine {
            depth: info.depth,
            seldepth: Some(info.seldepth),
            multipv: Some(info.multipv),
            score: Some(score),
            nodes: Some(info.nodes),
            hashfull: Some(info.hashfull),
            time: Some(info.time),
            pv: self.notation.write(&self.game, &info.pv).join(" "),
        };
        line.write()
    }

    /// The score of a game that is over: none for the side that has won, as no score says so.
    fn game_over(&self, outcome: &Outcome) {
        let score = match outcome.winner {
            None => Some("cp 0"),
            Some(winner) if winner != self.game.side() => Some("mate 0"),
            Some(_) => None,
        };
        let text = vampirc::info_string(&format!("game over: {}", over(outcome)));
        let line = score
            .map(|score| InfoLine { score: Some(score.to_owned()), ..InfoLine::default() }.write());
        self.writer.block([text].into_iter().chain(line));
    }
}

/// `white by conquest`.
fn over(outcome: &Outcome) -> String {
    format!("{} by {}", outcome.winner_name(), outcome.reason)
}

/// Chances of win, draw and loss in permille for the side to move; they add up to 1000.
fn wdl(score: Score, position: &Position) -> [u32; 3] {
    match score {
        Score::Cp(centipawns) => eval::wdl(centipawns, position),
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
    }
}
