//! One game between two players. Our own record is the judge: who makes no move, an illegal one or an
//! unreadable one, who crashes, hangs or oversteps the time, loses, and the game ends there.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Color;
use crate::games::{AnyGame, AnyMove, Playable};
use crate::rules::notation::Letters;
use crate::rules::{Outcome, Reason};
use crate::search::Task;

use super::clock::{Limit, PlayerClock};
use super::pgn::GameResult;
use super::player::{Fault, Player, TextScore, Thought, Turn, first_illegal};
use super::referee::{Rules, Services};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A King was captured.
    Capture,
    /// A King arrived on its goal rank unattacked.
    Conquest,
    /// A King arrived attacked and was not taken at once.
    Ultimatum,
    /// A third occurrence, by a move that was forced.
    RepetitionForced,
    /// A third occurrence, by a free move.
    RepetitionFree,
    /// A third occurrence where it is a draw: chess and board games.
    Repetition,
    /// The side to move had no move.
    NoMoves,
    /// Chess: mate.
    Checkmate,
    /// Chess: no move, not in check.
    Stalemate,
    /// Chess: fifty moves.
    FiftyMoves,
    /// Chess: nobody can mate.
    Insufficient,
    /// Board games: a side has no men, or in Seega too few.
    Elimination,
    /// Seega: neither side can move.
    Blocked,
    /// Board games: too many plies without a capture.
    NoProgress,
    /// The clock.
    Time,
    /// No answer where no clock runs.
    Hang,
    /// An illegal, unreadable or missing move, or the refusal of a legal one.
    Illegal,
    /// The engine's process ended.
    Crash,
    /// Given up, by the engine itself or for it by its own scores.
    Resignation,
    /// Too long: no result.
    Unfinished,
}

impl Ending {
    /// As the rules ended a game whose last position is the record's.
    fn by_rules(record: &AnyGame, outcome: Outcome) -> Ending {
        let mover = !record.side();
        match outcome.reason {
            Reason::Capture => Ending::Capture,
            Reason::Conquest if outcome.winner == Some(mover) => Ending::Conquest,
            Reason::Conquest => Ending::Ultimatum,
            Reason::Repetition if outcome.winner == Some(mover) => Ending::RepetitionForced,
            Reason::Repetition if outcome.winner.is_some() => Ending::RepetitionFree,
            Reason::Repetition => Ending::Repetition,
            Reason::NoMoves => Ending::NoMoves,
            Reason::Checkmate => Ending::Checkmate,
            Reason::Stalemate => Ending::Stalemate,
            Reason::FiftyMoves => Ending::FiftyMoves,
            Reason::Insufficient => Ending::Insufficient,
            Reason::Elimination => Ending::Elimination,
            Reason::Blocked => Ending::Blocked,
            Reason::NoProgress => Ending::NoProgress,
        }
    }

    /// Whether an engine broke the rules of the match rather than lost by those of the game.
    pub const fn is_fault(self) -> bool {
        matches!(self, Ending::Time | Ending::Hang | Ending::Illegal | Ending::Crash)
    }

    /// The value of the tag `Termination`.
    pub const fn termination(self) -> &'static str {
        match self {
            Ending::Time => "time forfeit",
            Ending::Illegal => "illegal move",
            Ending::Hang | Ending::Crash => "abandoned",
            Ending::Resignation => "adjudication",
            Ending::Unfinished => "unterminated",
            _ => "normal",
        }
    }

    /// The name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Capture => "capture",
            Ending::Conquest => "conquest",
            Ending::Ultimatum => "ultimatum",
            Ending::RepetitionForced => "repetition-forced",
            Ending::RepetitionFree => "repetition-free",
            Ending::Repetition => "repetition",
            Ending::NoMoves => "no-moves",
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::FiftyMoves => "fifty-moves",
            Ending::Insufficient => "insufficient",
            Ending::Elimination => "elimination",
            Ending::Blocked => "blocked",
            Ending::NoProgress => "no-progress",
            Ending::Time => "time",
            Ending::Hang => "hang",
            Ending::Illegal => "illegal",
            Ending::Crash => "crash",
            Ending::Resignation => "resignation",
            Ending::Unfinished => "unfinished",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// When a game is given up for an engine whose own scores say it is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resign {
    /// So many of its moves in a row.
    pub moves: u32,
    /// Each with a score of at most minus this, in centipawns.
    pub score: i32,
    /// Only if the other engine's scores agree.
    pub two_sided: bool,
}

/// What ends a game beside the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// Resignation.
    pub resign: Option<Resign>,
    /// So many plies, those of the opening included, and the game is left unfinished.
    pub max_plies: Option<usize>,
    /// Time beyond a clock's zero that is forgiven.
    pub clock_margin: Duration,
    /// Time beyond a fixed time for each move that is forgiven.
    pub movetime_margin: Duration,
    /// How long a move may take without any clock.
    pub patience: Duration,
}

impl Conditions {
    /// How long a move may take.
    fn allowed(&self, limit: &Limit, clock: Option<PlayerClock>) -> Duration {
        let by_clock = clock.map(|clock| clock.remaining + self.clock_margin);
        let by_move = limit.movetime.map(|time| time + self.movetime_margin);
        by_clock.into_iter().chain(by_move).min().unwrap_or(self.patience)
    }
}

/// One of the two.
pub struct Side<'a> {
    /// Who moves.
    pub player: &'a mut dyn Player,
    /// Its limits.
    pub limit: Limit,
    /// By which rules it plays.
    pub rules: Rules,
    /// Whether it thinks in the opponent's time.
    pub ponder: bool,
}

/// What one side's moves took.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Moves that it was asked for and made.
    pub moves: u64,
    /// Their time in milliseconds.
    pub time_ms: f64,
    /// Positions searched, and the time of the moves that told them.
    pub nodes: u64,
    /// Time in milliseconds of the moves for which positions were told.
    pub nodes_ms: f64,
    /// Sum of the depths told.
    pub depth: u64,
    /// How many moves told a depth.
    pub depths: u64,
}

impl Effort {
    fn add_thought(&mut self, thought: &Thought) {
        let time = thought.time.as_secs_f64() * 1e3;
        self.moves += 1;
        self.time_ms += time;
        if let Some(nodes) = thought.nodes {
            self.nodes += nodes;
            self.nodes_ms += time;
        }
        if let Some(depth) = thought.depth {
            self.depth += u64::from(depth);
            self.depths += 1;
        }
    }

    /// Adds another game's.
    pub fn add(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.time_ms += other.time_ms;
        self.nodes += other.nodes;
        self.nodes_ms += other.nodes_ms;
        self.depth += other.depth;
        self.depths += other.depths;
    }
}

/// Where a move came from.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// The opening.
    Book,
    /// The engine.
    Thought(Thought),
    /// The referee, for an engine that cannot.
    Referee,
}

/// A game that was played.
#[derive(Debug)]
pub struct Played {
    /// The moves.
    pub record: AnyGame,
    /// Where each came from.
    pub sources: Vec<Source>,
    /// The result.
    pub result: GameResult,
    /// Why.
    pub ending: Ending,
    /// What the loser did, if the ending is a fault.
    pub detail: Option<String>,
    /// The last lines of the one at fault.
    pub last_lines: Vec<String>,
    /// What White's and Black's moves took.
    pub efforts: [Effort; 2],
    /// The services of a referee that White and Black had.
    pub services: [Services; 2],
    /// What should be known of a side, and ends nothing.
    pub warnings: Vec<(Color, String)>,
}

impl Played {
    /// Who broke the rules of the match.
    pub fn at_fault(&self) -> Option<Color> {
        match self.result {
            GameResult::Won(winner) if self.ending.is_fault() => Some(!winner),
            _ => None,
        }
    }
}

/// The match was stopped in the middle of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Plays a game from an opening. The players are White and Black.
///
/// # Errors
/// Only when the match is stopped.
pub fn play(
    sides: [Side<'_>; 2],
    opening: &AnyGame,
    conditions: &Conditions,
) -> Result<Played, Interrupted> {
    let mut game = Game::new(sides, opening.fresh());
    let start = opening.start_fen();
    for m in opening.played() {
        game.advance(&m, Source::Book);
    }
    for color in Color::ALL {
        if let Err(fault) = game.sides[color.index()].player.new_game(&start) {
            return game.fault(color, fault);
        }
    }
    loop {
        if let Some(outcome) = game.record.outcome() {
            let ending = Ending::by_rules(&game.record, outcome);
            return Ok(game.end(Some(outcome).into(), ending));
        }
        if conditions.max_plies.is_some_and(|plies| game.record.plies() >= plies) {
            return Ok(game.end(GameResult::Unfinished, Ending::Unfinished));
        }
        let color = game.record.side();
        let services = &mut game.services[color.index()];
        let rules = game.sides[color.index()].rules;
        if let Some(m) = rules.move_for(&game.record, services) {
            game.advance(&m, Source::Referee);
            continue;
        }
        match game.think(color, conditions) {
            Ok(()) => {}
            Err(End::Fault(fault)) => return game.fault(color, fault),
            Err(End::Illegal(detail)) => {
                game.detail = Some(detail);
                game.last_lines = game.sides[color.index()].player.last_lines();
                return Ok(game.end(GameResult::Won(!color), Ending::Illegal));
            }
        }
        if let Some(resign) = &conditions.resign
            && let Some(loser) = game.resigned(resign, color)
        {
            // A game that the rules have ended is not given up.
            if game.record.outcome().is_none() {
                return Ok(game.end(GameResult::Won(!loser), Ending::Resignation));
            }
        }
    }
}

enum End {
    Fault(Fault),
    Illegal(String),
}

struct Game<'a> {
    sides: [Side<'a>; 2],
    record: AnyGame,
    sources: Vec<Source>,
    clocks: [Option<PlayerClock>; 2],
    /// For each side: the ply from which the list of moves is one that it can play.
    bases: [usize; 2],
    /// For each side: how many of its own scores in a row were as bad, and as good, as a resignation asks.
    lost_streak: [u32; 2],
    won_streak: [u32; 2],
    efforts: [Effort; 2],
    services: [Services; 2],
    detail: Option<String>,
    last_lines: Vec<String>,
    warnings: Vec<(Color, String)>,
}

impl<'a> Game<'a> {
    fn new(sides: [Side<'a>; 2], record: AnyGame) -> Game<'a> {
        let clocks = [&sides[0], &sides[1]].map(|side| side.limit.control.map(PlayerClock::new));
        Game {
            sides,
            record,
            sources: Vec::new(),
            clocks,
            bases: [0; 2],
            lost_streak: [0; 2],
            won_streak: [0; 2],
            efforts: Default::default(),
            services: Default::default(),
            detail: None,
            last_lines: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Plays a move that is legal.
    fn advance(&mut self, m: &AnyMove, source: Source) {
        let allowed =
            [&self.sides[0], &self.sides[1]].map(|side| side.rules.allow(&self.record, m));
        if self.record.advance(m).is_err() {
            return;
        }
        self.sources.push(source);
        for color in Color::ALL {
            let side = color.index();
            if !allowed[side] {
                self.bases[side] = self.record.plies();
                self.services[side].positions += u32::from(self.record.outcome().is_none());
            }
        }
    }

    fn think(&mut self, color: Color, conditions: &Conditions) -> Result<(), End> {
        let side = color.index();
        let Side { player, limit, .. } = &mut self.sides[side];
        let turn = Turn {
            game: &self.record,
            base: self.bases[side],
            clocks: self.clocks,
            limit,
            allowed: conditions.allowed(limit, self.clocks[side]),
        };
        let thought = player.think(&turn).map_err(End::Fault)?;
        let m = self.record.read(&thought.text, Letters::English).map_err(|error| {
            let fen = self.record.fen();
            End::Illegal(match thought.text.as_str() {
                "" | "(none)" | "0000" | "none" | "null" => {
                    format!("no move ({:?}) in {fen}", thought.text)
                }
                _ => format!("{error} in {fen}"),
            })
        })?;
        if let Some(clock) = &mut self.clocks[side] {
            clock.spend(thought.time);
        }
        self.efforts[side].add_thought(&thought);
        if let Some(illegal) = first_illegal(&self.record, &thought.pv) {
            let (fen, line) = (self.record.fen(), thought.pv.join(" "));
            let warning = format!("{illegal} in its line {line} cannot be played, from {fen}");
            self.warnings.push((color, warning));
        }
        if let Some(resign) = &conditions.resign {
            let score = thought.score.map(TextScore::value);
            let count =
                |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
            count(&mut self.lost_streak[side], score.is_some_and(|score| score <= -resign.score));
            count(&mut self.won_streak[side], score.is_some_and(|score| score >= resign.score));
        }
        let expected = thought.ponder.clone();
        self.advance(&m, Source::Thought(thought));
        if self.sides[side].ponder
            && let Some(expected) = expected
        {
            self.ponder(side, &expected);
        }
        Ok(())
    }

    /// Lets a side think on the answer that it expects, where that answer leaves it something to do.
    fn ponder(&mut self, side: usize, expected: &str) {
        let Ok(m) = self.record.read(expected, Letters::English) else { return };
        let mut game = self.record.clone();
        let Side { player, limit, rules, .. } = &mut self.sides[side];
        let plain = rules.allow(&game, &m);
        if game.advance(&m).is_err() || game.outcome().is_some() || !plain {
            return;
        }
        if rules.move_for(&game, &mut Services::default()).is_some() {
            return;
        }
        player.ponder(&Turn {
            game: &game,
            base: self.bases[side],
            clocks: self.clocks,
            limit,
            allowed: Duration::ZERO,
        });
    }

    /// Who gives up after a move of `color`.
    fn resigned(&self, resign: &Resign, color: Color) -> Option<Color> {
        let holds = |color: Color| {
            self.lost_streak[color.index()] >= resign.moves
                && (!resign.two_sided || self.won_streak[(!color).index()] >= resign.moves)
        };
        [color, !color].into_iter().find(|&color| holds(color))
    }

    fn fault(mut self, color: Color, fault: Fault) -> Result<Played, Interrupted> {
        let ending = match fault {
            Fault::Interrupted => return Err(Interrupted),
            Fault::Crash(_) => Ending::Crash,
            Fault::Refusal(_) => Ending::Illegal,
            Fault::Resignation => Ending::Resignation,
            Fault::Hang { .. } => Ending::Hang,
            Fault::Time { .. } => Ending::Time,
        };
        self.detail = Some(fault.to_string());
        self.last_lines = self.sides[color.index()].player.last_lines();
        Ok(self.end(GameResult::Won(!color), ending))
    }

    fn end(self, result: GameResult, ending: Ending) -> Played {
        for side in self.sides {
            side.player.game_over(result);
        }
        Played {
            record: self.record,
            sources: self.sources,
            result,
            ending,
            detail: self.detail,
            last_lines: self.last_lines,
            efforts: self.efforts,
            services: self.services,
            warnings: self.warnings,
        }
    }
}
