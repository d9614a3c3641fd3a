//! How a board of these games looks: as SVG, in a terminal, and as plain letters.
//!
//! A game says by [`Game::drawing`] what is drawn of its board; all else a picture asks of the record.

mod svg;
mod terminal;

use crate::board::Color;
use crate::picture::times_stood;
use crate::text::{Language, fill};

use super::grid::Points;
use super::{Drawing, Game, Grid, Mark, Move, Point, Position, Record};

pub use svg::svg;
pub use terminal::{terminal, text};

/// A picture of where a game stands.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The game.
    pub record: &'a Record,
    /// Variations from where the game stands, drawn as arrows. Each must be legal move by move.
    pub lines: &'a [Vec<Move>],
    /// Seen from Black's side.
    pub flip: bool,
    /// The language of what is written.
    pub language: Language,
}

impl<'a> Picture<'a> {
    /// The game from White's side, without arrows, in English.
    pub const fn of(record: &'a Record) -> Picture<'a> {
        Picture { record, lines: &[], flip: false, language: Language::English }
    }

    const fn position(&self) -> &'a Position {
        self.record.position()
    }

    /// The position before the last move, and that move.
    fn last(&self) -> Option<(Position, &'a Move)> {
        let (last, earlier) = self.record.moves().split_last()?;
        let before = earlier.iter().fold(*self.record.start(), |position, m| position.play(m));
        Some((before, last))
    }

    /// Where the game stands, in sentences for people: whose move it is or who has won, then what else there is to know.
    fn sentences(&self) -> Vec<String> {
        let (language, position) = (self.language, self.position());
        let texts = language.texts();
        let first = match self.record.outcome() {
            Some(outcome) => language.outcome(outcome),
            None => fill(texts.to_move, &[("side", &language.side(position.side()))]),
        };
        let hand = (position.hand != [0; 2]).then(|| {
            let [white, black] = position.hand;
            let men = fill(texts.both_sides, &[("white", &white), ("black", &black)]);
            fill(texts.to_be_placed, &[("men", &men)])
        });
        let stood = times_stood(self.record.repetitions(), language);
        let last = self
            .last()
            .map(|(before, m)| fill(texts.last_played, &[("move", &numbered(&before, m))]));
        [Some(first), hand, stood, last].into_iter().flatten().collect()
    }

    /// Points of the last move's way, and those where it took a man and none stands now.
    fn last_points(&self) -> (Points, Points) {
        let Some(last) = self.record.moves().last() else { return Default::default() };
        (way_points(last), last.taken & self.position().vacant())
    }
}

/// The points that a move names.
fn way_points(m: &Move) -> Points {
    m.way.iter().fold(Points::EMPTY, |set, step| set | step.0.set())
}

/// A game's name for people: that of `UCI_Variant` with a capital.
pub fn title(game: &dyn Game) -> String {
    let mut letters = game.name().chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// A move with its number, as in `12. a1b2` or `12... a5c5e5`.
pub fn numbered(before: &Position, m: &Move) -> String {
    let dots = if before.side() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", before.number, m.text(before.grid()))
}

/// A variation with move numbers: `12. a1b2 a5a4 13. b2c3`. It must be legal move by move.
pub fn line(before: &Position, moves: &[Move]) -> String {
    let mut position = *before;
    let mut words = Vec::with_capacity(moves.len());
    for (ply, m) in moves.iter().enumerate() {
        let white = position.side() == Color::White;
        words.push(if white || ply == 0 {
            numbered(&position, m)
        } else {
            m.text(position.grid())
        });
        position = position.play(m);
    }
    words.join(" ")
}

/// Whether a point's square is a light one; a1 is dark.
fn is_light(grid: &Grid, point: Point) -> bool {
    let (file, rank) = grid.place(point);
    (file + rank) % 2 == 1
}

/// The lines that are drawn, each once, between neighbouring points.
fn lines(grid: &'static Grid, drawing: Drawing) -> impl Iterator<Item = (Point, Point)> {
    let wanted = move |direction: usize| match drawing {
        Drawing::Squares(_) => false,
        Drawing::Lines | Drawing::Loops => direction.is_multiple_of(2),
        Drawing::Diagonals => true,
    };
    grid.all().flat_map(move |from| {
        // North, north-east, east, south-east: the other four are the ways back.
        let directions = (0..4).filter(move |&direction| wanted(direction));
        directions.filter_map(move |direction| Some((from, grid.next(from, direction)?)))
    })
}

/// How many loops go round each corner.
const fn loops(grid: &Grid, drawing: Drawing) -> u8 {
    let least = if grid.files < grid.ranks { grid.files } else { grid.ranks };
    if matches!(drawing, Drawing::Loops) { (least - 1) / 2 } else { 0 }
}

/// Whether a move puts men on the board, as a word for `data-kind`, and what else it may do.
fn kind(m: &Move) -> &'static str {
    match m.way.as_slice() {
        [] => "pass",
        [first, ..] if first.1 == Mark::Placed => "placing",
        [_] => "removal",
        _ if m.taken.is_empty() => "step",
        _ => "capture",
    }
}
