//! A whole game, move by move: what each move was worth, and what the rules say was missed.
//!
//! Marks come from the loss in winning chance between two searches, before the move and after it;
//! [`Finding`]s come from the rules alone, but for the missed Escort and Decoy, which a search must
//! have preferred. Invariants: one evaluation more than steps; a step's loss is between 0 and 1.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::arena::pgn::PgnGame;
use crate::board::{Color, Square};
use crate::rules::{GameRecord, Move, MoveKind, Outcome, Position, Reason};
use crate::search::{Limits, Score, Settings};

use super::annotate::without_scores;
use super::think::{Thinker, chance};

/// What a search says of a position of the game.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The score for the side to move; `None` when the game is over.
    pub score: Option<Score>,
    /// White's chance to win, 0 to 1; in chess, of winning plus half of drawing.
    pub white: f64,
    /// The best line; empty when the game is over.
    pub line: Vec<Move>,
}

impl Evaluation {
    /// The chance of a side.
    pub fn of(&self, color: Color) -> f64 {
        match color {
            Color::White => self.white,
            Color::Black => 1.0 - self.white,
        }
    }

    /// The score as White sees it.
    pub fn white_score(&self, side_to_move: Color) -> Option<Score> {
        let score = self.score?;
        Some(match (side_to_move, score) {
            (Color::White, score) => score,
            (Color::Black, Score::Cp(cp)) => Score::Cp(-cp),
            (Color::Black, Score::Mate(moves)) => Score::Mate(-moves),
        })
    }
}

/// How bad a move was, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// It gave away 5 % of winning chance, or did not win where a move would have won at once.
    Inaccuracy,
    /// It gave away 10 %.
    Mistake,
    /// It gave away 15 %.
    Blunder,
}

impl Mark {
    /// All, the least first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The mark of a loss in winning chance, by the limits of Lichess (0.1, 0.2 and 0.3 on its scale from
    /// −1 to 1).
    pub fn of_loss(loss: f64) -> Option<Mark> {
        match loss {
            loss if loss >= 0.15 => Some(Mark::Blunder),
            loss if loss >= 0.10 => Some(Mark::Mistake),
            loss if loss >= 0.05 => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// The sign after the move.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of PGN.
    pub const fn glyph(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    /// The name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// What there is to say of a move by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// This move would have won at once, by this.
    MissedWin(Move, Reason),
    /// The enemy King stood on its goal rank and this move would have taken it.
    UltimatumIgnored(Square, Move),
    /// The best move was this Escort.
    MissedEscort(Move),
    /// The best move was this Decoy.
    MissedDecoy(Move),
    /// The King can be taken by this answer.
    KingExposed(Move),
    /// The enemy King can conquer by this answer.
    ConquestAllowed(Move),
    /// The position stood for the third time; this side loses, because the other was forced or it was free.
    Repetition {
        /// Who loses.
        loser: Color,
        /// Why the one who moved was forced, if that is what decides.
        forced: Option<Force>,
    },
}

/// Why a side was forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Force {
    /// Its King was attacked.
    Attacked,
    /// It had one legal move.
    OnlyMove,
}

/// A move of the game.
#[derive(Clone, Debug)]
pub struct Step {
    /// The position before it.
    pub before: Position,
    /// The move.
    pub m: Move,
    /// The winning chance it gave away, 0 to 1.
    pub loss: f64,
    /// How bad it was, if it was.
    pub mark: Option<Mark>,
    /// What the rules say of it.
    pub findings: Vec<Finding>,
    /// Whether it was given, not chosen: its comment is `book`, as match runners write. Then nothing is said of it.
    pub book: bool,
}

/// A game that has been looked through.
#[derive(Clone, Debug)]
pub struct Review {
    /// The game as it was read.
    pub game: PgnGame,
    /// Of each position, the start first.
    pub evaluations: Vec<Evaluation>,
    /// The moves.
    pub steps: Vec<Step>,
}

impl Review {
    /// How well a side played, 0 to 100: the mean over the moves that it chose; `None` if it chose none.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        let own = |step: &&Step| !step.book && step.before.side_to_move() == color;
        let moves = self.steps.iter().filter(own);
        let values: Vec<f64> = moves.map(|step| accuracy(step.loss)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// How many moves of a side have a mark.
    pub fn count(&self, color: Color, mark: Mark) -> usize {
        let is_one = |step: &&Step| step.before.side_to_move() == color && step.mark == Some(mark);
        self.steps.iter().filter(is_one).count()
    }

    /// The line that the search preferred to a step, if it is another than was played.
    pub fn better(&self, ply: usize) -> Option<&[Move]> {
        let (step, before) = (self.steps.get(ply)?, self.evaluations.get(ply)?);
        (before.line.first() != Some(&step.m) && !before.line.is_empty())
            .then_some(before.line.as_slice())
    }

    /// The game up to so many plies.
    pub fn until(&self, plies: usize) -> GameRecord {
        let mut game = GameRecord::new(*self.game.record.start());
        for step in self.steps.iter().take(plies) {
            if game.play(step.m).is_err() {
                break;
            }
        }
        game
    }
}

/// The accuracy of a move, 0 to 100, by the winning chance that it gave away: the curve of Lichess,
/// 103.17·exp(−4.354·loss) − 3.17.
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354_415 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Looks games through, one after the other.
pub struct Reviewer {
    thinker: Thinker,
    limits: Limits,
}

impl Reviewer {
    /// Each position gets a search with these limits.
    pub fn new(settings: Settings, limits: Limits) -> Reviewer {
        Reviewer { thinker: Thinker::new(settings), limits }
    }

    /// Reviews a game; tells after each position. `None` when `stop` was set before the end.
    ///
    /// It goes from the end to the start: what a later position has taught is then known to the earlier.
    pub fn review(
        &mut self,
        game: PgnGame,
        stop: &AtomicBool,
        told: &mut dyn FnMut(),
    ) -> Option<Review> {
        self.thinker.clear();
        let mut prefixes = vec![GameRecord::new(*game.record.start())];
        for &m in game.record.moves() {
            let mut next = prefixes.last()?.clone();
            next.play(m).ok()?;
            prefixes.push(next);
        }
        let mut evaluations = Vec::with_capacity(prefixes.len());
        for prefix in prefixes.iter().rev() {
            evaluations.push(self.evaluate(prefix, stop));
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            told();
        }
        evaluations.reverse();
        let steps = prefixes.iter().zip(game.record.moves()).zip(evaluations.windows(2));
        let steps = steps
            .filter_map(|((prefix, &m), pair)| match pair {
                _ if without_scores(game.comment(prefix.moves().len() + 1)) == "book" => {
                    Some(book(prefix, m))
                }
                [before, after] => Some(step(prefix, m, before, after)),
                _ => None,
            })
            .collect();
        Some(Review { game, evaluations, steps })
    }

    fn evaluate(&mut self, game: &GameRecord, stop: &AtomicBool) -> Evaluation {
        let position = game.position();
        if let Some(outcome) = game.outcome() {
            return Evaluation { score: None, white: white_chance(outcome), line: Vec::new() };
        }
        let thought = self.thinker.think(game, &self.limits, stop, &mut |_| ());
        let Some(line) = thought.first() else {
            return Evaluation { score: None, white: 0.5, line: Vec::new() };
        };
        let chance = chance(line.score, position);
        let white = match position.side_to_move() {
            Color::White => chance,
            Color::Black => 1.0 - chance,
        };
        Evaluation { score: Some(line.score), white, line: line.pv.clone() }
    }
}

fn white_chance(outcome: Outcome) -> f64 {
    match outcome.winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    }
}

/// A move that nobody chose.
fn book(game: &GameRecord, m: Move) -> Step {
    let before = *game.position();
    Step { before, m, loss: 0.0, mark: None, findings: Vec::new(), book: true }
}

/// What is to be said of a move, given the searches before and after it.
fn step(game: &GameRecord, m: Move, before: &Evaluation, after: &Evaluation) -> Step {
    let position = *game.position();
    let us = position.side_to_move();
    let best = before.line.first().copied();
    // What was the best move is no loss, whatever the two searches make of it.
    let fell = before.of(us) - after.of(us);
    let loss = if best == Some(m) { 0.0 } else { fell.clamp(0.0, 1.0) };
    let outcome = game.outcome_after(m);
    let missed = missed_win(game, outcome);
    let mark = Mark::of_loss(loss).max(missed.map(|_| Mark::Inaccuracy));
    let mut findings = Vec::new();

    match (pending_ultimatum(&position), missed) {
        (Some(king), Some((capture, Reason::Capture))) => {
            findings.push(Finding::UltimatumIgnored(king, capture));
        }
        (_, Some((win, reason))) => findings.push(Finding::MissedWin(win, reason)),
        (_, None) => {}
    }
    if let Some(best) = best.filter(|&best| best != m && mark.is_some())
        && missed.is_none_or(|(win, _)| win != best)
    {
        match best.kind() {
            MoveKind::Escort => findings.push(Finding::MissedEscort(best)),
            MoveKind::Decoy => findings.push(Finding::MissedDecoy(best)),
            _ => {}
        }
    }
    match outcome {
        Some(Outcome { winner: Some(winner), reason: Reason::Repetition }) => {
            let why = if position.in_check() { Force::Attacked } else { Force::OnlyMove };
            let forced = (winner == us).then_some(why);
            findings.push(Finding::Repetition { loser: !winner, forced });
        }
        None if mark.is_some() => {
            let next = position.play(m);
            if let Some(answer) = next.king_capture() {
                findings.push(Finding::KingExposed(answer));
            } else if let Some(answer) = next.safe_arrival(!us) {
                findings.push(Finding::ConquestAllowed(answer));
            }
        }
        _ => {}
    }
    Step { before: position, m, loss, mark, findings, book: false }
}

/// The enemy King that stands on its goal rank and wins if it is not taken now.
fn pending_ultimatum(position: &Position) -> Option<Square> {
    let passed = position.play_null().finished()?;
    let winner = passed.winner.filter(|&w| w != position.side_to_move())?;
    if passed.reason == Reason::Conquest { position.king(winner) } else { None }
}

/// A move that would have won at once where the one that was played, with this outcome, has not. The
/// capture of the King comes before other wins, and a step before an Escort.
fn missed_win(game: &GameRecord, played: Option<Outcome>) -> Option<(Move, Reason)> {
    let us = game.position().side_to_move();
    if played.is_some_and(|outcome| outcome.winner == Some(us)) {
        return None;
    }
    let moves = game.position().legal_moves();
    let wins = moves.iter().filter_map(|&m| {
        let outcome = game.outcome_after(m)?;
        (outcome.winner == Some(us)).then_some((m, outcome.reason))
    });
    wins.min_by_key(|(m, reason)| (*reason != Reason::Capture, m.kind() == MoveKind::Escort))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation::{Letters, parse_move};

    /// White's King on f5 is attacked; the Escort EBe6 and the Decoy Dg6 are among its ways out.
    const FEN: &str = "2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1";

    fn evaluation(white: f64, line: Vec<Move>) -> Evaluation {
        Evaluation { score: Some(Score::Cp(0)), white, line }
    }

    /// The step of a move after which White's chance is `after`, where it was a half with another move.
    fn judged(best: &str, played: &str, after: f64) -> Step {
        let edition = crate::rules::Edition::CaptureOrConquer;
        let position = Position::from_fen(edition, FEN).expect("a FEN");
        let read = |text| parse_move(&position, text, Letters::English).expect("a move");
        let before = evaluation(0.5, vec![read(best)]);
        step(&GameRecord::new(position), read(played), &before, &evaluation(after, Vec::new()))
    }

    fn has(step: &Step, wanted: fn(&Finding) -> bool) -> bool {
        step.findings.iter().any(wanted)
    }

    #[test]
    fn a_better_escort_or_decoy_is_named() {
        let escort = judged("EBe6", "Ke5", 0.3);
        assert_eq!(escort.mark, Some(Mark::Blunder));
        assert!(has(&escort, |finding| matches!(finding, Finding::MissedEscort(_))));
        let decoy = judged("Dg6", "Ke5", 0.38);
        assert_eq!(decoy.mark, Some(Mark::Mistake));
        assert!(has(&decoy, |finding| matches!(finding, Finding::MissedDecoy(_))));
        // Not where nothing is lost by it, and not where it was played.
        assert!(judged("EBe6", "Ke5", 0.46).findings.is_empty());
        let played = judged("EBe6", "EBe6", 0.1);
        assert_eq!((played.mark, played.loss), (None, 0.0));
    }

    #[test]
    fn a_king_left_to_be_taken_is_named() {
        // h2h3 does nothing about the attack on the King.
        let exposed = judged("EBe6", "h3", 0.0);
        assert!(has(&exposed, |finding| matches!(finding, Finding::KingExposed(_))));
    }

    #[test]
    fn marks_begin_at_their_limits() {
        assert_eq!(Mark::of_loss(0.049), None);
        assert_eq!(Mark::of_loss(0.05), Some(Mark::Inaccuracy));
        assert_eq!(Mark::of_loss(0.10), Some(Mark::Mistake));
        assert_eq!(Mark::of_loss(0.15), Some(Mark::Blunder));
        assert!(Mark::Blunder > Mark::Inaccuracy);
    }

    /// Nothing lost is everything right, the whole chance lost is nothing right.
    #[test]
    fn accuracy_falls_from_a_hundred_to_none() {
        assert!((accuracy(0.0) - 100.0).abs() < 0.01);
        assert!(accuracy(1.0) < 0.01);
        assert!(accuracy(0.1) > accuracy(0.2));
    }
}
