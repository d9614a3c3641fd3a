//! A position of any of the games.

use std::fmt;

use crate::board::Color;
use crate::board::zobrist::{BLACK_TO_MOVE, splitmix};
use crate::rules::{Outcome, Reason};

use super::Game;
use super::grid::{Grid, Point, Points};
use super::moves::{Mark, Move};

/// Men on a board, whose turn it is, and the numbers of the FEN. Playing a move gives a new one.
#[derive(Clone, Copy)]
pub struct Position {
    game: &'static dyn Game,
    grid: &'static Grid,
    pub(super) men: [Points; 2],
    pub(super) side: Color,
    /// Men still to be placed, White's first.
    pub(super) hand: [u8; 2],
    /// Plies since the last capture.
    pub(super) quiet: u16,
    /// The number of the move, which rises after Black's.
    pub(super) number: u16,
}

impl Position {
    /// The start position on a game's usual board.
    pub fn start(game: &'static dyn Game) -> Position {
        Position::from_fen(game, game.start()).expect("a game's start position can be read")
    }

    /// A board of a game without men.
    pub(super) fn empty(game: &'static dyn Game, grid: &'static Grid) -> Position {
        let men = [Points::EMPTY; 2];
        Position { game, grid, men, side: Color::White, hand: [0; 2], quiet: 0, number: 1 }
    }

    /// The game.
    pub const fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// The board.
    #[inline]
    pub const fn grid(&self) -> &'static Grid {
        self.grid
    }

    /// Who moves.
    #[inline]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// A player's men.
    #[inline]
    pub const fn men(&self, color: Color) -> Points {
        self.men[color.index()]
    }

    /// Points without a man.
    #[inline]
    pub fn vacant(&self) -> Points {
        self.grid.all() & !(self.men[0] | self.men[1])
    }

    /// How many men a player has yet to place.
    pub const fn hand(&self, color: Color) -> u8 {
        self.hand[color.index()]
    }

    /// Plies since the last capture, as the game counts them.
    pub const fn quiet(&self) -> u16 {
        self.quiet
    }

    /// The number of the move, as the FEN has it.
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Equal for two positions that count as a repetition: same men, same side, same men to place. Random otherwise.
    pub fn key(&self) -> u64 {
        let hand = u64::from(self.hand[0]) << 8 | u64::from(self.hand[1]);
        let side = if self.side == Color::Black { BLACK_TO_MOVE } else { 0 };
        splitmix(self.men[0].0 ^ splitmix(self.men[1].0 ^ splitmix(hand))) ^ side
    }

    /// The result that the board alone shows: elimination, or no move.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game
            .finished(self)
            .or_else(|| self.game.moves(self).is_empty().then(|| self.game.stuck(self)))
    }

    /// The moves; none when the board shows that the game is over. Repetition and the limit are not looked at.
    pub fn moves(&self) -> Vec<Move> {
        if self.game.finished(self).is_some() { Vec::new() } else { self.game.moves(self) }
    }

    /// The position after one of its moves.
    pub fn play(&self, m: &Move) -> Position {
        self.game.play(self, m)
    }

    /// What a move does in every game: men go and come, the numbers go on, the other side moves.
    pub(super) fn after(&self, m: &Move) -> Position {
        let mut after = *self;
        let us = self.side.index();
        after.men[us] = self.men[us] ^ m.own;
        after.men[1 - us] = self.men[1 - us] & !m.taken;
        let placed = m.way.iter().filter(|step| step.1 == Mark::Placed).count() as u8;
        after.hand[us] -= placed;
        // A way of one point is a man that leaves the board.
        let quiet = m.taken.is_empty() && placed == 0 && m.way.len() != 1;
        after.quiet = if quiet { self.quiet.saturating_add(1) } else { 0 };
        after.number = self.number.saturating_add(us as u16);
        after.side = !self.side;
        after
    }

    /// Whose man stands on a point.
    pub fn man(&self, point: Point) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.men(color).has(point))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game.name(), self.to_fen())
    }
}

impl PartialEq for Position {
    /// All that the FEN says, and the game.
    fn eq(&self, other: &Position) -> bool {
        self.game.name() == other.game.name()
            && self.grid == other.grid
            && (self.men, self.side, self.hand) == (other.men, other.side, other.hand)
            && (self.quiet, self.number) == (other.quiet, other.number)
    }
}

impl Eq for Position {}

/// The end of a game whose sides lose with fewer than so many men; the side to move first, if both have.
pub(super) fn eliminated(position: &Position, needed: u32) -> Option<Outcome> {
    let loser =
        [position.side, !position.side].into_iter().find(|&c| position.men(c).count() < needed)?;
    Some(Outcome::won(!loser, Reason::Elimination))
}

/// Checks a position of a game in which nothing is in hand and each side begins with so many men.
pub(super) fn few_men(position: &Position, most: u32) -> Result<(), String> {
    if position.hand != [0; 2] {
        return Err("there are no men in hand in this game".to_owned());
    }
    for color in Color::ALL {
        let count = position.men(color).count();
        if count > most {
            return Err(format!("{} has {count} men, more than {most}", color.name()));
        }
    }
    if position.men[0].is_empty() && position.men[1].is_empty() {
        return Err("both sides are without men".to_owned());
    }
    Ok(())
}
