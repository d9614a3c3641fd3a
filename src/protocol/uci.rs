//! UCI over the session: commands to requests, events to lines.
//!
//! Invariants: every line that cannot be used gives one `info string error: …` and changes nothing;
//! the answer to `uci` is one block; moves leave as the notation option says, in the position that
//! was searched.

use std::sync::Arc;
use std::time::Duration;

use crate::board::{Color, Square};
use crate::eval;
use crate::picture;
use crate::rules::notation::{self, MoveError};
use crate::rules::{Outcome, Position, perft};
use crate::search::{Bound, Clock, Event, Info, Limits, Score, Settings, bench};

use super::error::{SyntaxError, clipped};
use super::grammar::{self, Command, Go};
use super::options::{Id, OptionError, TABLE};
use super::session::{Notation, PositionError, Session};
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
    Position(#[from] PositionError),
    #[error("setoption: {0}")]
    Option(#[from] OptionError),
    #[error("go: searchmoves: move {number}: {error}")]
    SearchMove { number: usize, error: MoveError },
    #[error("go: perft {0} is deeper than {MAX_PERFT_DEPTH}")]
    PerftDepth(u32),
    #[error("go: perft cannot have its threads: {0}")]
    PerftThreads(String),
}

/// A session that speaks UCI.
pub struct Uci {
    session: Session,
    writer: Arc<Writer>,
    debug: bool,
}

impl Uci {
    /// A session at its start; it says nothing unasked.
    pub fn new(writer: Arc<Writer>) -> Uci {
        Uci { session: Session::new(Arc::clone(&writer)), writer, debug: false }
    }

    /// The session underneath.
    pub const fn session(&self) -> &Session {
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
            Command::Bench(depth) => self.bench(depth),
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
        let position = *self.session.position();
        let mut search_moves = Vec::with_capacity(go.searchmoves.len());
        for (number, text) in (1..).zip(&go.searchmoves) {
            let m = self
                .session
                .read_move(&position, text)
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
            clock: clock(go, position.side_to_move()),
            search_moves,
        };
        if self.debug {
            let settings = format!("searching {} with {limits:?}", position.to_fen());
            self.writer.line(&vampirc::info_string(&settings));
        }
        let report = Report {
            writer: Arc::clone(&self.writer),
            position,
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
        let position = *self.session.position();
        let notation = self.session.notation();
        let counts = threads.install(|| perft::divide(&position, depth));
        let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|&(_, nodes)| nodes).sum() };
        let lines =
            counts.iter().map(|&(m, nodes)| format!("{}: {nodes}", notation.write(&position, m)));
        self.writer.block(lines.chain([format!("Nodes searched: {total}")]));
        Ok(())
    }

    fn display(&self) {
        let game = self.session.game();
        let position = game.position();
        let letters = self.session.notation().letters;
        let mut lines: Vec<_> = picture::text(position).lines().map(str::to_owned).collect();
        let outcome = match game.outcome() {
            Some(outcome) => format!("{} by {}", outcome.winner_name(), outcome.reason),
            None => "none".to_owned(),
        };
        let attackers = match position.king(position.side_to_move()) {
            Some(king) => position
                .attackers_of(!position.side_to_move(), king, position.occupied())
                .map(|square: Square| square.to_string())
                .collect::<Vec<_>>()
                .join(" "),
            None => String::new(),
        };
        let moves = match game.outcome() {
            Some(_) => Vec::new(),
            None => position.legal_moves().to_vec(),
        };
        let san: Vec<_> = moves.iter().map(|&m| notation::san(position, m, letters)).collect();
        lines.extend([
            String::new(),
            format!("Edition: {}", position.edition()),
            format!("FEN: {}", position.to_fen()),
            format!("Key: {:016X}", position.key()),
            format!("Outcome: {outcome}"),
            format!("Repetitions: {}", game.repetitions()),
            format!("King attacked from: {attackers}"),
            format!("Legal moves: {}", moves.len()),
            format!("SAN: {}", san.join(" ")),
        ]);
        self.writer.block(lines);
    }

    fn eval(&self) {
        let position = self.session.position();
        if let Some(outcome) = self.session.game().outcome() {
            let line = format!("Evaluation: none, the game is over: {}", over(&outcome));
            return self.writer.line(&line);
        }
        let trace = eval::trace(position);
        let score = self.session.evaluation().evaluate(position);
        let [win, draw, loss] = wdl(Score::Cp(score), position);
        let side = position.side_to_move().name();
        let total = format!("Evaluation: cp {score} wdl {win} {draw} {loss} for {side}, to move");
        self.writer.block(trace.lines().chain([total.as_str()]));
    }

    /// Searches before the next line is read, with an engine of its own; a running search is ended
    /// first.
    fn bench(&self, depth: Option<u32>) {
        self.session.finish();
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
        let Settings { threads, hash_mb, .. } = Settings::default();
        let total = bench::run(depth, threads, hash_mb, |edition, part| {
            self.writer.line(&format!("{edition}: {part}"));
        });
        self.writer.line(&total.to_string());
    }
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
    position: Position,
    notation: Notation,
    wdl: bool,
}

impl Report {
    fn event(&self, event: Event) {
        match event {
            Event::Info(info) => self.writer.line(&self.info(&info)),
            Event::GameOver(outcome) => self.game_over(&outcome),
            Event::BestMove { best: None, .. } => self.writer.line("bestmove (none)"),
            Event::BestMove { best: Some(best), ponder } => {
                let mut line = format!("bestmove {}", self.notation.write(&self.position, best));
                if let Some(ponder) = ponder {
                    let after = self.position.play(best);
                    line.push_str(&format!(" ponder {}", self.notation.write(&after, ponder)));
                }
                self.writer.line(&line);
            }
        }
    }

    fn info(&self, info: &Info) -> String {
        let mut score = match info.score {
            Score::Cp(centipawns) => format!("cp {centipawns}"),
            Score::Mate(moves) => format!("mate {moves}"),
        };
        score.push_str(match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        if self.wdl {
            let [win, draw, loss] = wdl(info.score, &self.position);
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
            pv: self.notation.write_line(&self.position, &info.pv),
        };
        line.write()
    }

    /// The score of a game that is over: none for the side that has won, as no score says so.
    fn game_over(&self, outcome: &Outcome) {
        let score = match outcome.winner {
            None => Some("cp 0"),
            Some(winner) if winner != self.position.side_to_move() => Some("mate 0"),
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
