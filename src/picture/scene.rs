//! What a picture shows beside the pieces: the facts about a game that both kinds of picture draw, all
//! asked of the rules.

use std::fmt::Display;

use crate::board::{Bitboard, Color, PieceKind, Square};
use crate::rules::notation::{Letters, san};
use crate::rules::{GameRecord, Move, Outcome, Position, Reason, goal_rank};
use crate::text::{Language, fill};

/// A picture of where a game stands.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The game.
    pub game: &'a GameRecord,
    /// Variations from where the game stands, drawn as arrows. Each must be legal move by move.
    pub lines: &'a [Vec<Move>],
    /// Seen from Black's side.
    pub flip: bool,
    /// How moves are written where a picture has text.
    pub letters: Letters,
    /// The language of that text.
    pub language: Language,
}

impl<'a> Picture<'a> {
    /// The game from White's side, without arrows.
    pub const fn of(game: &'a GameRecord) -> Picture<'a> {
        Picture {
            game,
            lines: &[],
            flip: false,
            letters: Letters::English,
            language: Language::English,
        }
    }
}

/// A move of the position at hand that brings back a position which stood before.
pub(super) struct Repeat {
    pub m: Move,
    /// How often the position will have stood then, at least 2.
    pub times: u32,
    /// The end that the move would bring, if it would.
    pub ends: Option<Outcome>,
    /// What that is for the one who makes the move.
    pub verdict: Verdict,
}

/// What a move is for the one who makes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Wins,
    Loses,
    /// The game goes on, or is drawn.
    Open,
}

/// A move as what goes where.
pub(super) struct Legs {
    /// The piece that the move names.
    pub first: (Square, Square),
    /// The other own piece that moves with it: an Escort's supporter, a Decoy's pawn, a Rook that castles.
    pub second: Option<(Square, Square)>,
}

impl Legs {
    /// Told from the board before and after, so that no rule is known here.
    pub fn of(before: &Position, m: Move) -> Legs {
        let (us, after) = (before.side_to_move(), before.play(m));
        let second = PieceKind::ALL.into_iter().filter(|&kind| kind != before.moved(m));
        let second = second.filter_map(|kind| {
            let (old, new) = (before.of(us, kind), after.of(us, kind));
            Some(((old & !new).first()?, (new & !old).first()?))
        });
        Legs { first: (m.from(), m.to()), second: second.into_iter().next() }
    }

    /// The squares that the move touches.
    pub fn squares(&self) -> Bitboard {
        let (from, to) = self.first;
        let mut squares = Bitboard::of(from) | Bitboard::of(to);
        if let Some((from, to)) = self.second {
            squares |= Bitboard::of(from) | Bitboard::of(to);
        }
        squares
    }
}

/// From where to where a move's pieces go: the one that the move names first, then the one that moves
/// along, an Escort's supporter, a Decoy's pawn, a Rook that castles. The move must be legal.
pub fn legs(before: &Position, m: Move) -> Vec<(Square, Square)> {
    let legs = Legs::of(before, m);
    std::iter::once(legs.first).chain(legs.second).collect()
}

/// The facts.
pub(super) struct Scene<'a> {
    pub position: &'a Position,
    pub outcome: Option<Outcome>,
    /// How often the position has stood.
    pub repetitions: u32,
    /// The move that led here, and the position before it.
    pub last: Option<(Position, Move)>,
    /// Kings that stand attacked.
    pub attacked: Bitboard,
    /// Kings on their goal rank: attacked and waiting, or winners.
    pub arrived: Bitboard,
    /// Whose King wins unless the very next move takes it.
    pub ultimatum: Option<Color>,
    /// In the order of the legal moves.
    pub repeats: Vec<Repeat>,
}

impl<'a> Scene<'a> {
    pub fn of(game: &'a GameRecord) -> Scene<'a> {
        let position = game.position();
        let outcome = game.outcome();
        let kings = |chosen: &dyn Fn(Color, Square) -> bool| {
            let of_color = |color| position.king(color).filter(|&king| chosen(color, king));
            let squares = Color::ALL.into_iter().filter_map(of_color);
            squares.fold(Bitboard::EMPTY, |set, king| set | Bitboard::of(king))
        };
        let conquest = position.edition().has_conquest();
        // Who would have won if the side to move could pass: whoever is not taken in time.
        let passed = if outcome.is_none() { position.play_null().finished() } else { None };
        Scene {
            position,
            outcome,
            repetitions: game.repetitions(),
            last: last_move(game),
            attacked: kings(&|color, _| position.king_attacked(color)),
            arrived: kings(&|color, king| conquest && goal_rank(color).has(king)),
            ultimatum: passed.filter(|end| end.reason == Reason::Conquest).and_then(|o| o.winner),
            repeats: repeats(game),
        }
    }

    /// Where the game stands, in sentences for people: whose move it is or who has won, then what
    /// else there is to know.
    pub fn sentences(&self, language: Language) -> Vec<String> {
        let texts = language.texts();
        let side = self.position.side_to_move();
        let mut sentences = Vec::new();
        match self.outcome {
            Some(outcome) => sentences.push(language.outcome(outcome)),
            None => sentences.push(fill(texts.to_move, &[("side", &language.side(side))])),
        }
        if self.outcome.is_none() {
            for color in Color::ALL {
                let Some(king) = self.position.king(color) else { continue };
                let of = language.of_side(color);
                if self.ultimatum == Some(color) {
                    let side = language.side(!color);
                    let values: [(&str, &dyn Display); 2] = [("side", &side), ("square", &king)];
                    sentences.push(fill(texts.ultimatum_now, &values));
                } else if self.arrived.has(king) {
                    sentences.push(fill(texts.king_on_goal, &[("of", &of)]));
                } else if self.attacked.has(king) {
                    sentences.push(fill(texts.king_attacked, &[("of", &of)]));
                }
            }
        }
        sentences.extend(times_stood(self.repetitions as usize, language));
        sentences
    }

    /// The move that led here with its number, as in `12... EBe6 (f5d7)`.
    pub fn last_text(&self, letters: Letters) -> Option<String> {
        let (before, m) = self.last?;
        Some(format!("{} ({m})", numbered(&before, m, letters)))
    }
}

/// How often a position has stood, as a sentence, if more than once.
pub(crate) fn times_stood(times: usize, language: Language) -> Option<String> {
    let texts = language.texts();
    match times {
        0 | 1 => None,
        2 => Some(texts.stands_second.to_owned()),
        3 => Some(texts.stands_third.to_owned()),
        times => Some(fill(texts.stood_times, &[("times", &times)])),
    }
}

/// A move with its number, as in `12. Nf3` or `12... EBe6`.
pub fn numbered(before: &Position, m: Move, letters: Letters) -> String {
    let dots = if before.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", before.fullmove(), san(before, m, letters))
}

/// A variation with move numbers: `12. Nf3 Nc6 13. Bc4`. It must be legal move by move.
pub fn line(before: &Position, moves: &[Move], letters: Letters) -> String {
    let mut position = *before;
    let mut words = Vec::with_capacity(moves.len());
    for (ply, &m) in moves.iter().enumerate() {
        let white = position.side_to_move() == Color::White;
        words.push(if white || ply == 0 {
            numbered(&position, m, letters)
        } else {
            san(&position, m, letters)
        });
        position = position.play(m);
    }
    words.join(" ")
}

fn last_move(game: &GameRecord) -> Option<(Position, Move)> {
    let (&last, earlier) = game.moves().split_last()?;
    let before = earlier.iter().fold(*game.start(), |position, &m| position.play(m));
    Some((before, last))
}

fn repeats(game: &GameRecord) -> Vec<Repeat> {
    if game.outcome().is_some() {
        return Vec::new();
    }
    let position = game.position();
    let repeat = |&m: &Move| {
        // Most moves lead to a new position; only for the others the game is copied.
        if !game.keys().contains(&position.play(m).repetition_key()) {
            return None;
        }
        let mut next = game.clone();
        next.play(m).ok()?;
        let ends = next.outcome();
        let verdict = match ends.and_then(|outcome| outcome.winner) {
            Some(winner) if winner == position.side_to_move() => Verdict::Wins,
            Some(_) => Verdict::Loses,
            None => Verdict::Open,
        };
        Some(Repeat { m, times: next.repetitions(), ends, verdict })
    };
    position.legal_moves().iter().filter_map(repeat).collect()
}
