//! What a game of either family can be asked, and a game of whichever family.
//!
//! Whoever only carries games about (sessions, matches, game files, the command line) needs no more than [`Playable`] or an
//! [`AnyGame`]. Which games there are is said by [`Edition::ALL`] and [`GAMES`] alone; nothing else lists them.

use std::fmt;

use crate::board::Color;
use crate::picture;
use crate::rules::notation::{self, Letters, parse_move, san, san_among};
use crate::rules::{self, Edition, GameRecord, Outcome};
use crate::search::{Choice, Event, Memory, Order, Task};

use super::{GAMES, Game, Grid, Position, Record, game};

/// Which game is played: an edition of the chess family, or a board game.
#[derive(Clone, Copy)]
pub enum Variant {
    /// One of the chess family.
    Chess(Edition),
    /// A board game.
    Board(&'static dyn Game),
}

impl Variant {
    /// All of them, the default first.
    pub fn all() -> impl Iterator<Item = Variant> {
        Edition::ALL.into_iter().map(Variant::Chess).chain(GAMES.into_iter().map(Variant::Board))
    }

    /// The value of `UCI_Variant`.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Chess(edition) => edition.name(),
            Variant::Board(game) => game.name(),
        }
    }

    /// The variant of this name; `normal` is chess. The case is free.
    pub fn parse(name: &str) -> Option<Variant> {
        Edition::parse(name).map(Variant::Chess).or_else(|| game(name).map(Variant::Board))
    }

    /// The edition; `None` of a board game.
    pub const fn edition(self) -> Option<Edition> {
        match self {
            Variant::Chess(edition) => Some(edition),
            Variant::Board(_) => None,
        }
    }
}

impl Default for Variant {
    fn default() -> Variant {
        Variant::Chess(Edition::default())
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Variant {}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a game could not be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The FEN is wrong, of the chess family.
    #[error(transparent)]
    ChessFen(#[from] rules::FenError),
    /// A move is.
    #[error(transparent)]
    ChessMove(#[from] rules::ReplayError),
    /// The FEN is wrong, of a board game.
    #[error(transparent)]
    BoardFen(#[from] super::FenError),
    /// A move is.
    #[error(transparent)]
    BoardMove(#[from] super::ReplayError),
    /// The game is of the other family.
    #[error("{variant} is not one of {family}")]
    Family {
        /// What is to be played.
        variant: Variant,
        /// What could be.
        family: &'static str,
    },
}

impl SetupError {
    /// The number of the move that is wrong, counted from 1; `None` when the start already is.
    pub const fn ply(&self) -> Option<usize> {
        match self {
            SetupError::ChessMove(error) => Some(error.ply),
            SetupError::BoardMove(error) => Some(error.ply),
            _ => None,
        }
    }

    /// What is wrong, without the number of the move.
    pub fn fault(&self) -> String {
        match self {
            SetupError::ChessMove(error) => error.fault.to_string(),
            SetupError::BoardMove(error) => error.fault.to_string(),
            _ => self.to_string(),
        }
    }
}

/// Why a text is no move where a game stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// In the chess family.
    #[error(transparent)]
    Chess(#[from] notation::MoveError),
    /// In a board game.
    #[error(transparent)]
    Board(#[from] super::MoveError),
}

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over: {} by {}", .0.winner_name(), .0.reason)]
    Over(Outcome),
    /// Not a legal move here.
    #[error("{0} is not legal")]
    Illegal(String),
}

impl From<rules::GameError> for PlayError {
    fn from(error: rules::GameError) -> PlayError {
        match error {
            rules::GameError::Over(outcome) => PlayError::Over(outcome),
            rules::GameError::Illegal(m) => PlayError::Illegal(m.to_string()),
        }
    }
}

/// A game from its start to where it stands, and how it goes on.
pub trait Playable: Task<Move: PartialEq + fmt::Debug> + Clone + Sync + fmt::Debug {
    /// A game from a FEN, or from the variant's start position.
    ///
    /// # Errors
    /// When the FEN is wrong, or the variant is none of this kind of game.
    fn begin(variant: Variant, fen: Option<&str>) -> Result<Self, SetupError>;

    /// The same game before its first move.
    fn fresh(&self) -> Self;

    /// What is played.
    fn variant(&self) -> Variant;

    /// The position before the first move.
    fn start_fen(&self) -> String;

    /// Where the game stands.
    fn fen(&self) -> String;

    /// The board as plain letters, a row a line.
    fn diagram(&self) -> String;

    /// Who moves.
    fn side(&self) -> Color;

    /// The number of the move that comes next, as game records have it.
    fn number(&self) -> u32;

    /// How many moves were played.
    fn plies(&self) -> usize;

    /// The moves played.
    fn played(&self) -> Vec<Self::Move>;

    /// The moves that can be played, in a fixed order; none when the game is over.
    fn legal(&self) -> Vec<Self::Move>;

    /// Reads a move in any notation of the game.
    ///
    /// # Errors
    /// When the text is no legal move here.
    fn read(&self, text: &str, letters: Letters) -> Result<Self::Move, ReadError>;

    /// Plays a move.
    ///
    /// # Errors
    /// When the game is over or the move is not legal; the game then stays as it is.
    fn advance(&mut self, m: &Self::Move) -> Result<(), PlayError>;

    /// Plays a list of moves.
    ///
    /// # Errors
    /// At the first text that is no legal move where it stands, or comes after the end; the game then stands before it.
    fn advance_all<S: AsRef<str>>(
        &mut self,
        texts: &[S],
        letters: Letters,
    ) -> Result<(), SetupError>;

    /// A legal move as it is written for people: standard algebraic notation where there is one.
    fn name_of(&self, m: &Self::Move, letters: Letters) -> String;

    /// The legal moves with their names.
    fn named(&self, letters: Letters) -> Vec<(Self::Move, String)> {
        let name = |m: Self::Move| {
            let name = self.name_of(&m, letters);
            (m, name)
        };
        self.legal().into_iter().map(name).collect()
    }

    /// The result that a legal move would bring, `None` if the game would go on.
    fn end_by(&self, m: &Self::Move) -> Option<Outcome>;

    /// How often the current position has stood, this time included: 1 or more.
    fn times_stood(&self) -> usize;

    /// Whether the side to move can win with its next move.
    fn wins_at_once(&self) -> bool;

    /// The number of paths of so many plies behind each move, on rayon's current pool; only what the board shows ends them.
    fn divide(&self, depth: u32) -> Vec<(Self::Move, u64)>;

    /// The game up to so many plies.
    fn until(&self, plies: usize) -> Self {
        let mut game = self.fresh();
        for m in self.played().iter().take(plies) {
            if game.advance(m).is_err() {
                break; // they have been played from there before
            }
        }
        game
    }

    /// A move with its number, for people: `12. Nf3`, `12... a1b2`.
    fn numbered(&self, m: &Self::Move, letters: Letters) -> String {
        let dots = if self.side() == Color::White { "." } else { "..." };
        format!("{}{dots} {}", self.number(), self.name_of(m, letters))
    }

    /// A variation with move numbers: `12. Nf3 Nc6 13. Bc4`. It must be legal move by move.
    fn line(&self, moves: &[Self::Move], letters: Letters) -> String {
        let mut game = self.clone();
        let mut words = Vec::with_capacity(moves.len());
        for (ply, m) in moves.iter().enumerate() {
            let numbered = ply == 0 || game.side() == Color::White;
            let word = if numbered { game.numbered(m, letters) } else { game.name_of(m, letters) };
            words.push(word);
            if game.advance(m).is_err() {
                break;
            }
        }
        words.join(" ")
    }
}

impl Playable for GameRecord {
    fn begin(variant: Variant, fen: Option<&str>) -> Result<GameRecord, SetupError> {
        let family = "the chess family";
        let edition = variant.edition().ok_or(SetupError::Family { variant, family })?;
        Ok(match fen {
            Some(fen) => GameRecord::new(rules::Position::from_fen(edition, fen)?),
            None => GameRecord::from_start(edition),
        })
    }

    fn fresh(&self) -> GameRecord {
        GameRecord::new(*self.start())
    }

    fn variant(&self) -> Variant {
        Variant::Chess(self.start().edition())
    }

    fn start_fen(&self) -> String {
        self.start().to_fen()
    }

    fn fen(&self) -> String {
        self.position().to_fen()
    }

    fn diagram(&self) -> String {
        picture::text(self.position())
    }

    fn side(&self) -> Color {
        self.position().side_to_move()
    }

    fn number(&self) -> u32 {
        self.position().fullmove().into()
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn played(&self) -> Vec<rules::Move> {
        self.moves().to_vec()
    }

    fn legal(&self) -> Vec<rules::Move> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.position().legal_moves().to_vec(),
        }
    }

    fn read(&self, text: &str, letters: Letters) -> Result<rules::Move, ReadError> {
        Ok(parse_move(self.position(), text, letters)?)
    }

    fn advance(&mut self, m: &rules::Move) -> Result<(), PlayError> {
        Ok(self.play(*m)?)
    }

    fn advance_all<S: AsRef<str>>(
        &mut self,
        texts: &[S],
        letters: Letters,
    ) -> Result<(), SetupError> {
        Ok(self.replay(texts, letters)?)
    }

    fn name_of(&self, m: &rules::Move, letters: Letters) -> String {
        san(self.position(), *m, letters)
    }

    fn named(&self, letters: Letters) -> Vec<(rules::Move, String)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let moves = self.position().legal_moves();
        moves.iter().map(|&m| (m, san_among(self.position(), &moves, m, letters))).collect()
    }

    fn end_by(&self, m: &rules::Move) -> Option<Outcome> {
        self.outcome_after(*m)
    }

    fn times_stood(&self) -> usize {
        self.repetitions() as usize
    }

    fn wins_at_once(&self) -> bool {
        self.position().winning_move().is_some()
    }

    fn divide(&self, depth: u32) -> Vec<(rules::Move, u64)> {
        rules::perft::divide(self.position(), depth)
    }
}

impl Playable for Record {
    fn begin(variant: Variant, fen: Option<&str>) -> Result<Record, SetupError> {
        let Variant::Board(game) = variant else {
            return Err(SetupError::Family { variant, family: "the board games" });
        };
        Ok(Record::new(match fen {
            Some(fen) => Position::from_fen(game, fen)?,
            None => Position::start(game),
        }))
    }

    fn fresh(&self) -> Record {
        Record::new(*self.start())
    }

    fn variant(&self) -> Variant {
        Variant::Board(self.start().game())
    }

    fn start_fen(&self) -> String {
        self.start().to_fen()
    }

    fn fen(&self) -> String {
        self.position().to_fen()
    }

    fn diagram(&self) -> String {
        super::picture::text(self.position())
    }

    fn side(&self) -> Color {
        self.position().side()
    }

    fn number(&self) -> u32 {
        self.position().number().into()
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn played(&self) -> Vec<super::Move> {
        self.moves().to_vec()
    }

    fn legal(&self) -> Vec<super::Move> {
        self.legal()
    }

    fn read(&self, text: &str, _: Letters) -> Result<super::Move, ReadError> {
        Ok(self.position().read_move(text)?)
    }

    fn advance(&mut self, m: &super::Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::Over(outcome));
        }
        if !self.legal().contains(m) {
            return Err(PlayError::Illegal(m.text(self.position().grid())));
        }
        self.play(m.clone());
        Ok(())
    }

    fn advance_all<S: AsRef<str>>(&mut self, texts: &[S], _: Letters) -> Result<(), SetupError> {
        Ok(self.replay(texts)?)
    }

    fn name_of(&self, m: &super::Move, _: Letters) -> String {
        m.text(self.position().grid())
    }

    fn end_by(&self, m: &super::Move) -> Option<Outcome> {
        self.outcome_after(m)
    }

    fn times_stood(&self) -> usize {
        self.repetitions()
    }

    fn wins_at_once(&self) -> bool {
        let us = Some(self.position().side());
        self.legal().iter().any(|m| self.outcome_after(m).is_some_and(|end| end.winner == us))
    }

    fn divide(&self, depth: u32) -> Vec<(super::Move, u64)> {
        super::perft::divide(self.position(), depth)
    }
}

/// A move of a game of whichever family; shown as coordinates, or as the board game writes it.
#[derive(Clone, PartialEq)]
pub enum AnyMove {
    /// Of the chess family.
    Chess(rules::Move),
    /// Of a board game on this board.
    Board(super::Move, &'static Grid),
}

impl AnyMove {
    /// The move of the chess family that it is.
    pub const fn chess(&self) -> Option<rules::Move> {
        match self {
            AnyMove::Chess(m) => Some(*m),
            AnyMove::Board(..) => None,
        }
    }

    /// Its name for people, given with the coordinates where those are another: `Nf3 (g1f3)`, `a1b2`.
    pub fn beside(&self, name: &str) -> String {
        match self {
            AnyMove::Chess(m) => format!("{name} ({m})"),
            AnyMove::Board(..) => name.to_owned(),
        }
    }

    /// The move of a board game that it is.
    pub fn board(&self) -> Option<super::Move> {
        match self {
            AnyMove::Chess(_) => None,
            AnyMove::Board(m, _) => Some(m.clone()),
        }
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyMove::Chess(m) => m.fmt(f),
            AnyMove::Board(m, grid) => f.pad(&m.text(grid)),
        }
    }
}

impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A game of whichever family. A move of the other family is no move here: it is illegal, and ends nothing.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// Of the chess family.
    Chess(GameRecord),
    /// A board game.
    Board(Record),
}

/// Asks the game whatever its family.
macro_rules! each {
    ($any:expr, $game:ident => $answer:expr) => {
        match $any {
            AnyGame::Chess($game) => $answer,
            AnyGame::Board($game) => $answer,
        }
    };
}

/// Asks the game about a move of its own family.
macro_rules! both {
    ($any:expr, $m:expr, ($game:ident, $own:ident) => $answer:expr, else $none:expr) => {
        match ($any, $m) {
            (AnyGame::Chess($game), AnyMove::Chess($own)) => $answer,
            (AnyGame::Board($game), AnyMove::Board($own, _)) => $answer,
            _ => $none,
        }
    };
}

impl AnyGame {
    /// The game, if it is of the chess family.
    pub const fn chess(&self) -> Option<&GameRecord> {
        match self {
            AnyGame::Chess(game) => Some(game),
            AnyGame::Board(_) => None,
        }
    }

    /// The same by value.
    pub fn into_chess(self) -> Option<GameRecord> {
        match self {
            AnyGame::Chess(game) => Some(game),
            AnyGame::Board(_) => None,
        }
    }
}

impl Default for AnyGame {
    /// The default edition at its start.
    fn default() -> AnyGame {
        AnyGame::Chess(GameRecord::from_start(Edition::default()))
    }
}

impl From<GameRecord> for AnyGame {
    fn from(game: GameRecord) -> AnyGame {
        AnyGame::Chess(game)
    }
}

impl From<Record> for AnyGame {
    fn from(game: Record) -> AnyGame {
        AnyGame::Board(game)
    }
}

/// What a family has to do with [`AnyMove`]s.
trait Kin: Playable {
    fn wrap(&self, m: Self::Move) -> AnyMove;
    fn unwrap(m: &AnyMove) -> Option<Self::Move>;

    fn wrap_all(&self, moves: Vec<Self::Move>) -> Vec<AnyMove> {
        moves.into_iter().map(|m| self.wrap(m)).collect()
    }

    /// The family's own search, told in other words.
    fn search_as_any(&self, order: &Order<'_, AnyMove>, memory: &mut Memory) -> Choice<AnyMove> {
        let limits = order.limits.map(Self::unwrap);
        let wrap = |m| self.wrap(m);
        let tell = |event: Event<Self::Move>| (order.tell)(event.map(wrap));
        let Order { settings, signals, .. } = *order;
        let own = Order { limits: &limits, settings, signals, tell: &tell };
        let Choice { best, ponder } = self.search(own, memory);
        Choice { best: best.map(wrap), ponder: ponder.map(wrap) }
    }
}

impl Kin for GameRecord {
    fn wrap(&self, m: rules::Move) -> AnyMove {
        AnyMove::Chess(m)
    }

    fn unwrap(m: &AnyMove) -> Option<rules::Move> {
        m.chess()
    }
}

impl Kin for Record {
    fn wrap(&self, m: super::Move) -> AnyMove {
        AnyMove::Board(m, self.start().grid())
    }

    fn unwrap(m: &AnyMove) -> Option<super::Move> {
        m.board()
    }
}

impl Task for AnyGame {
    type Move = AnyMove;

    fn outcome(&self) -> Option<Outcome> {
        each!(self, game => game.outcome())
    }

    fn any_move(&self) -> Option<AnyMove> {
        each!(self, game => game.any_move().map(|m| game.wrap(m)))
    }

    fn search(&self, order: Order<'_, AnyMove>, memory: &mut Memory) -> Choice<AnyMove> {
        each!(self, game => game.search_as_any(&order, memory))
    }
}

impl Playable for AnyGame {
    fn begin(variant: Variant, fen: Option<&str>) -> Result<AnyGame, SetupError> {
        Ok(match variant {
            Variant::Chess(_) => AnyGame::Chess(GameRecord::begin(variant, fen)?),
            Variant::Board(_) => AnyGame::Board(Record::begin(variant, fen)?),
        })
    }

    fn fresh(&self) -> AnyGame {
        each!(self, game => game.fresh().into())
    }

    fn variant(&self) -> Variant {
        each!(self, game => game.variant())
    }

    fn start_fen(&self) -> String {
        each!(self, game => game.start_fen())
    }

    fn fen(&self) -> String {
        each!(self, game => game.fen())
    }

    fn diagram(&self) -> String {
        each!(self, game => game.diagram())
    }

    fn side(&self) -> Color {
        each!(self, game => game.side())
    }

    fn number(&self) -> u32 {
        each!(self, game => game.number())
    }

    fn plies(&self) -> usize {
        each!(self, game => game.plies())
    }

    fn played(&self) -> Vec<AnyMove> {
        each!(self, game => game.wrap_all(game.played()))
    }

    fn legal(&self) -> Vec<AnyMove> {
        each!(self, game => game.wrap_all(game.legal()))
    }

    fn read(&self, text: &str, letters: Letters) -> Result<AnyMove, ReadError> {
        each!(self, game => Ok(game.wrap(game.read(text, letters)?)))
    }

    fn advance(&mut self, m: &AnyMove) -> Result<(), PlayError> {
        both!(self, m, (game, m) => game.advance(m), else Err(PlayError::Illegal(m.to_string())))
    }

    fn advance_all<S: AsRef<str>>(
        &mut self,
        texts: &[S],
        letters: Letters,
    ) -> Result<(), SetupError> {
        each!(self, game => game.advance_all(texts, letters))
    }

    fn name_of(&self, m: &AnyMove, letters: Letters) -> String {
        both!(self, m, (game, m) => game.name_of(m, letters), else m.to_string())
    }

    fn named(&self, letters: Letters) -> Vec<(AnyMove, String)> {
        each!(self, game => {
            game.named(letters).into_iter().map(|(m, name)| (game.wrap(m), name)).collect()
        })
    }

    fn end_by(&self, m: &AnyMove) -> Option<Outcome> {
        both!(self, m, (game, m) => game.end_by(m), else None)
    }

    fn times_stood(&self) -> usize {
        each!(self, game => game.times_stood())
    }

    fn wins_at_once(&self) -> bool {
        each!(self, game => game.wins_at_once())
    }

    fn divide(&self, depth: u32) -> Vec<(AnyMove, u64)> {
        each!(self, game => {
            game.divide(depth).into_iter().map(|(m, nodes)| (game.wrap(m), nodes)).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Engine, Limits, Settings};

    #[test]
    fn names_lead_back_to_their_variants() {
        let all: Vec<Variant> = Variant::all().collect();
        assert_eq!(all.len(), Edition::ALL.len() + GAMES.len());
        assert_eq!(all[0], Variant::default());
        for variant in &all {
            assert_eq!(Variant::parse(&variant.name().to_ascii_uppercase()), Some(*variant));
            assert_eq!(all.iter().filter(|other| *other == variant).count(), 1);
        }
        assert_eq!(Variant::parse("checkers"), None);
    }

    /// The family's own search and the same asked as any game's: the same nodes, the same lines.
    #[test]
    fn a_search_is_the_same_whatever_it_is_asked_as() {
        let limits = || Limits { depth: Some(5), ..Limits::default() };
        let engine = || Engine::new(Settings { hash_mb: 1, ..Settings::default() });
        for variant in Variant::all() {
            let any = AnyGame::begin(variant, None).expect("a start position");
            let thought = engine().think_task(any.clone(), limits());
            let info = thought.info.expect("a line");
            let line: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
            let (nodes, own) = each!(&any, game => {
                let limits = Limits { depth: Some(5), ..Limits::default() };
                let info = engine().think_task(game.clone(), limits).info.expect("a line");
                (info.nodes, info.pv.into_iter().map(|m| game.wrap(m).to_string()).collect::<Vec<_>>())
            });
            assert_eq!((info.nodes, &line), (nodes, &own), "{variant}");
            assert_eq!(thought.best.map(|m| m.to_string()).as_ref(), line.first(), "{variant}");
        }
    }

    #[test]
    fn only_wanted_moves_are_searched() {
        for variant in Variant::all() {
            let any = AnyGame::begin(variant, None).expect("a start position");
            let wanted = any.legal().pop().expect("a move");
            let limits =
                Limits { depth: Some(2), search_moves: vec![wanted.clone()], ..Limits::default() };
            let mut engine = Engine::new(Settings { hash_mb: 1, ..Settings::default() });
            assert_eq!(engine.think_task(any, limits).best, Some(wanted), "{variant}");
        }
    }

    #[test]
    fn moves_of_the_other_family_are_none() {
        let mut chess = AnyGame::default();
        let board = Variant::Board(GAMES[0]);
        let mut other = AnyGame::begin(board, None).expect("a start position");
        let (own, foreign) = (chess.legal().remove(0), other.legal().remove(0));
        assert!(chess.advance(&foreign).is_err() && other.advance(&own).is_err());
        assert!(chess.end_by(&foreign).is_none());
        assert_eq!((chess.plies(), other.plies()), (0, 0));
        assert!(matches!(GameRecord::begin(board, None), Err(SetupError::Family { .. })));
        assert!(matches!(Record::begin(Variant::default(), None), Err(SetupError::Family { .. })));
    }

    #[test]
    fn a_game_up_to_some_plies() {
        for variant in Variant::all() {
            let mut game = AnyGame::begin(variant, None).expect("a start position");
            let start = game.fen();
            for _ in 0..6 {
                let m = game.legal().remove(0);
                game.advance(&m).expect("a legal move");
            }
            assert_eq!(game.start_fen(), start);
            assert_eq!(game.until(0).fen(), start);
            assert_eq!(game.until(99).fen(), game.fen());
            assert_eq!(game.until(3).played(), game.played()[..3]);
            let texts: Vec<String> = game.played().iter().map(ToString::to_string).collect();
            let mut again = game.fresh();
            again.advance_all(&texts, Letters::English).expect("the same moves");
            assert_eq!(again.fen(), game.fen(), "{variant}");
        }
    }
}
