//! The evaluation laid open: what each term gives to each side.

use std::fmt::Write;

use super::*;

/// The ledger of the reader: adds up term by term.
struct Listing {
    weights: &'static Weights,
    totals: Vec<Tapered>,
}

impl Ledger for Listing {
    fn enter(&mut self, term: Term, index: usize, times: i32) {
        let place = weights::TERMS.iter().position(|t| *t == term);
        if let Some(total) = place.and_then(|i| self.totals.get_mut(i)) {
            *total += self.weights.get(term, index) * times;
        }
    }
}

/// A table of all terms: for White, for Black and the difference, in pawns, each with a full and
/// with an empty board; then the value from White's view and from the side to move.
pub fn trace(position: &Position) -> String {
    let listing = || Listing {
        weights: Weights::of(position.edition()),
        totals: vec![Tapered::ZERO; weights::TERMS.len()],
    };
    let mut ledgers = [listing(), listing()];
    enter_all(position, &mut ledgers);
    let [white, black] = ledgers;

    let mut text = String::new();
    let mut line = |name: &str, scores: [Tapered; 3]| {
        let [w, b, d] = scores.map(|s| {
            let pawns = |value: i32| f64::from(value) / 100.0;
            format!("{:7.2} {:7.2}", pawns(s.middle()), pawns(s.end()))
        });
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:18} |{w} |{b} |{d}");
    };
    let mut total = [Tapered::ZERO; 3];
    for (term, (&w, &b)) in weights::TERMS.iter().zip(white.totals.iter().zip(&black.totals)) {
        let mut difference = w;
        difference -= b;
        if [w, b] == [Tapered::ZERO; 2] {
            continue;
        }
        for (sum, part) in total.iter_mut().zip([w, b, difference]) {
            *sum += part;
        }
        line(term.name, [w, b, difference]);
    }
    line("total", total);

    let value = evaluate(position);
    let for_white = if position.side_to_move() == Color::White { value } else { -value };
    let head = format!("{:18} |{:^15} |{:^15} |{:^15}\n", "term", "white", "black", "difference");
    let unit = format!("{:18} |{}\n", "", ["   full   empty"; 3].join(" |"));
    format!(
        "{head}{unit}{text}phase {} of {FULL_PHASE}; {for_white:+} centipawns for White, {value:+} for the side to move",
        phase(position)
    )
}
