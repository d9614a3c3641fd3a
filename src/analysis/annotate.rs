//! A review as PGN: glyphs, scores as `[%eval …]` from White's side, a sentence, and the better line.

use crate::arena::pgn::PgnGame;
use crate::search::Score;

use super::review::{Mark, Review};
use super::words::Words;

/// No variation is written longer than this, in plies.
const LONGEST: usize = 12;

/// The game with what the review says of it. Scores of an earlier review are replaced, other comments stay.
pub fn annotate(review: &Review, words: Words) -> PgnGame {
    let mut game = review.game.clone();
    for comment in &mut game.comments {
        *comment = without_scores(comment);
    }
    for (ply, step) in review.steps.iter().enumerate() {
        game.glyphs.push(step.mark.map_or(0, Mark::glyph));
        let marked = step.mark.is_some();
        let better = review.better(ply).filter(|_| marked).unwrap_or_default();
        game.variations.push(better.iter().take(LONGEST).copied().collect());
        let sentence = words.step(review, ply);
        // Said already, when the file was reviewed before.
        if !game.comment(ply + 1).contains(&sentence) {
            game.add_comment(ply + 1, &sentence);
        }
        let evaluation = review.evaluations.get(ply + 1);
        if let Some(score) = evaluation.and_then(|e| e.white_score(!step.before.side_to_move())) {
            // In front, where programs look for it.
            let comment = format!("[%eval {}] {}", eval(score), game.comment(ply + 1));
            game.set_comment(ply + 1, comment.trim_end());
        }
    }
    game.set_tag("Annotator", format!("usurper {}", env!("CARGO_PKG_VERSION")));
    game
}

/// The score in the form that programs read, whatever the language.
fn eval(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

/// A comment without its `[%eval …]`.
pub(super) fn without_scores(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%eval") {
        text.push_str(before);
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
