//! A review in words, in a language.

use crate::picture;
use crate::rules::notation::{Letters, san};
use crate::rules::{MoveKind, Reason};
use crate::search::Score;
use crate::text::{Language, fill};

use super::review::{Finding, Force, Mark, Review, Step};

/// A language and the piece letters that go with it here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// The language.
    pub language: Language,
    /// The letters of pieces in moves.
    pub letters: Letters,
}

impl Words {
    /// The mark's name: `Blunder`.
    pub const fn mark(self, mark: Mark) -> &'static str {
        let texts = self.language.texts();
        match mark {
            Mark::Inaccuracy => texts.inaccuracy,
            Mark::Mistake => texts.mistake,
            Mark::Blunder => texts.blunder,
        }
    }

    /// The mark's name for several: `Blunders`.
    pub const fn marks(self, mark: Mark) -> &'static str {
        let texts = self.language.texts();
        match mark {
            Mark::Inaccuracy => texts.inaccuracies,
            Mark::Mistake => texts.mistakes,
            Mark::Blunder => texts.blunders,
        }
    }

    /// A score: pawns, or `#` and the moves to the end.
    pub fn score(self, score: Score) -> String {
        match score {
            Score::Cp(cp) => self.language.pawns(cp),
            Score::Mate(moves) => format!("#{moves}"),
        }
    }

    /// A chance in percent, without the sign.
    pub fn percent(self, chance: f64) -> String {
        self.language.decimal(100.0 * chance, 0)
    }

    /// What the rules say of a step.
    pub fn finding(self, step: &Step, finding: Finding) -> String {
        let texts = self.language.texts();
        let after = step.before.play(step.m);
        let with_move = |text: &str, m: String| fill(text, &[("move", &m)]);
        let instead = |m| san(&step.before, m, self.letters);
        let answer = |m| san(&after, m, self.letters);
        match finding {
            Finding::MissedWin(m, reason) => {
                let text = match (reason, m.kind()) {
                    (Reason::Capture, _) => texts.missed_capture,
                    (Reason::Conquest, MoveKind::Escort) => texts.missed_escort_conquest,
                    (Reason::Conquest, _) => texts.missed_conquest,
                    _ => texts.missed_end,
                };
                let reason = self.language.reason(reason);
                fill(text, &[("move", &instead(m)), ("reason", &reason)])
            }
            Finding::UltimatumIgnored(square, m) => {
                fill(texts.ultimatum_ignored, &[("move", &instead(m)), ("square", &square)])
            }
            Finding::MissedEscort(m) => with_move(texts.missed_escort, instead(m)),
            Finding::MissedDecoy(m) => with_move(texts.missed_decoy, instead(m)),
            Finding::KingExposed(m) => with_move(texts.king_exposed, answer(m)),
            Finding::ConquestAllowed(m) => with_move(texts.conquest_allowed, answer(m)),
            Finding::Repetition { loser, forced } => {
                let text = match forced {
                    None => texts.repetition_free,
                    Some(Force::Attacked) => texts.repetition_attacked,
                    Some(Force::OnlyMove) => texts.repetition_only,
                };
                fill(text, &[("loser", &self.language.side(loser))])
            }
        }
    }

    /// All there is to say of a step, as one sentence with a full stop; empty if it is nothing.
    pub fn step(self, review: &Review, ply: usize) -> String {
        let Some(step) = review.steps.get(ply) else { return String::new() };
        let mut parts: Vec<String> =
            step.findings.iter().map(|&finding| self.finding(step, finding)).collect();
        let named = step.findings.iter().any(|finding| {
            !matches!(
                finding,
                Finding::KingExposed(_) | Finding::ConquestAllowed(_) | Finding::Repetition { .. }
            )
        });
        if step.mark.is_some()
            && !named
            && let Some(&best) = review.better(ply).and_then(<[_]>::first)
        {
            let best = san(&step.before, best, self.letters);
            parts.push(fill(self.language.texts().best_was, &[("move", &best)]));
        }
        let head = step.mark.map(|mark| self.mark(mark).to_owned());
        match (head, parts.is_empty()) {
            (None, true) => String::new(),
            (Some(head), true) => format!("{head}."),
            (Some(head), false) => format!("{head}: {}.", parts.join("; ")),
            (None, false) => {
                let text = parts.join("; ");
                let mut letters = text.chars();
                let first = letters.next().map(|c| c.to_uppercase().to_string());
                format!("{}{}.", first.unwrap_or_default(), letters.as_str())
            }
        }
    }

    /// A step as it is written with its number and sign: `12... Qe7??`.
    pub fn numbered(self, step: &Step) -> String {
        let sign = step.mark.map_or("", Mark::sign);
        format!("{}{sign}", picture::numbered(&step.before, step.m, self.letters))
    }
}
