//! The tuned numbers of the search, together in one place.
//!
//! Margins are in centipawns, depths in plies. Where a number comes from elsewhere it is the order of
//! magnitude that strong open engines have in common; what was measured here is in `docs/strength.md`.
//!
//! A number that `scripts/spsa.py` may turn is a function of its name, with the range it may take. In a build with
//! the feature `tune` the variable `USURPER_SEARCH` of the environment sets them (`name=value:name=value`); in all
//! others each is its default, a constant to the compiler.

/// Declares the numbers that can be tuned: `name: default in lowest..=highest`.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal in $range:expr;)+) => {
        $(
            $(#[doc = $doc])+
            #[inline]
            pub fn $name() -> i32 {
                #[cfg(feature = "tune")]
                {
                    static VALUE: once_cell::sync::Lazy<i32> =
                        once_cell::sync::Lazy::new(|| tuned(stringify!($name), $default, $range));
                    *VALUE
                }
                #[cfg(not(feature = "tune"))]
                $default
            }
        )+

        #[cfg(test)]
        const DEFAULTS: &[(&str, i32, std::ops::RangeInclusive<i32>)] =
            &[$((stringify!($name), $default, $range)),+];
    };
}

/// What `USURPER_SEARCH` says of a number.
///
/// # Panics
/// When it says something that is no number of its range: a match would measure nothing.
#[cfg(feature = "tune")]
fn tuned(name: &str, default: i32, range: std::ops::RangeInclusive<i32>) -> i32 {
    let Ok(settings) = std::env::var("USURPER_SEARCH") else { return default };
    let setting = settings.split(':').find_map(|s| s.strip_prefix(name)?.strip_prefix('='));
    let Some(value) = setting else { return default };
    let value = value.parse().ok().filter(|value| range.contains(value));
    value.unwrap_or_else(|| panic!("USURPER_SEARCH: {name} takes {range:?}"))
}

numbers! {
    /// Half width of the first aspiration window.
    aspiration: 20 in 5..=60;

    /// Reverse futility: margin a ply.
    reverse_futility: 75 in 30..=150;

    /// Razoring: margin a ply.
    razor: 250 in 100..=450;

    /// Null move: reduction, in hundredths of a ply.
    null_base: 300 in 200..=500;
    /// Null move: further reduction a ply of depth, in hundredths.
    null_depth: 25 in 10..=45;
    /// Null move: one ply more for each of these many centipawns above beta.
    null_eval: 200 in 80..=400;

    /// Futility of a quiet move: margin at depth 0.
    futility_base: 90 in 20..=200;
    /// Futility of a quiet move: margin a ply.
    futility: 90 in 40..=180;

    /// Move-count pruning: moves looked at whatever the depth.
    move_count: 4 in 1..=10;

    /// A quiet move whose history is this far below zero, times the depth, is not searched at low depth.
    history_pruning: 4000 in 1500..=9000;

    /// Exchange pruning: loss a ply for a capture.
    see_capture: 90 in 30..=180;
    /// Exchange pruning: loss a ply squared for a quiet move.
    see_quiet: 25 in 8..=60;

    /// Singular extensions: least depth.
    singular_depth: 6 in 4..=10;
    /// Singular extensions: the margin below the table's score, in tenths of a centipawn a ply.
    singular: 20 in 5..=50;
    /// This far below the singular window the extension is two plies.
    double_extension: 25 in 5..=80;

    /// Late move reductions: at the least, in hundredths of a ply.
    reduction_base: 60 in 0..=150;
    /// Late move reductions: what ln(depth) · ln(count) is divided by, in hundredths.
    reduction_divisor: 220 in 140..=340;
    /// History of a move that is worth a ply of reduction.
    reduction_history: 9000 in 4000..=18000;
    /// Late move reductions: more at a node that is expected to fail high, in 1/1024 ply.
    reduction_cut: 1024 in 0..=2500;
    /// Late move reductions: more where the evaluation does not rise, in 1/1024 ply.
    reduction_not_improving: 512 in 0..=1500;
    /// Late move reductions: less for a move that puts the enemy in danger, in 1/1024 ply.
    reduction_danger: 1024 in 0..=2500;

    /// Late move reductions: less for a killer, in 1/1024 ply.
    reduction_killer: 1024 in 0..=2500;

    /// Quiescence: margin above the static evaluation and the captured piece.
    delta: 150 in 50..=350;

    /// What a quiet move gains in the order by leaving a square that a cheaper piece attacks, and loses by going to one.
    threat: 8000 in 0..=20000;
    /// What a quiet move gains in the order by attacking the enemy King.
    check: 8000 in 0..=20000;

    /// What a move gains in a history: a ply.
    history_bonus: 170 in 60..=350;
    /// What a move gains in a history, at most.
    history_bonus_max: 1700 in 700..=3500;
}

/// From this depth on the root is searched with an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 5;

/// Reverse futility: greatest depth.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// Razoring: greatest depth.
pub const RAZOR_DEPTH: i32 = 3;

/// Null move: least depth.
pub const NULL_DEPTH: i32 = 3;
/// From this depth on a null move's success is verified by a search without null moves.
pub const NULL_VERIFY_DEPTH: i32 = 12;

/// Without a table move, from this depth on, the search is one ply shallower.
pub const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Futility of a quiet move: greatest depth.
pub const FUTILITY_DEPTH: i32 = 8;

/// Move-count pruning: greatest depth.
pub const MOVE_COUNT_DEPTH: i32 = 8;

/// Pruning by history: greatest depth.
pub const HISTORY_PRUNING_DEPTH: i32 = 4;

/// Exchange pruning: greatest depth.
pub const SEE_DEPTH: i32 = 8;

/// Singular extensions: how much shallower than the node the table's entry may be.
pub const SINGULAR_ENTRY: i32 = 3;

/// Danger extension: plies from the root within which it is given, beside twice the depth that is left.
pub const DANGER_EXTENSION_PLIES: i32 = 8;

/// Proof of short wins: for whom it is tried, in centipawns; and the steps, each the plies of the win and
/// the nodes that must have been searched before.
pub const PROOF_SCORE: i32 = 300;
pub const PROOF_STEPS: [(usize, u64); 6] =
    [(2, 0), (3, 1_000), (4, 1_000), (5, 10_000), (6, 10_000), (7, 100_000)];

/// Quiescence: plies within which a side in danger tries all its moves.
pub const ESCAPE_PLIES: usize = 6;
/// Quiescence: from this ply on only what has just moved is captured.
pub const RECAPTURE_PLIES: usize = 8;
/// Quiescence: quiet moves that are tried in danger once one is known not to lose.
pub const QUIET_ESCAPES: usize = 2;

/// Histories keep their values within plus and minus this.
pub const HISTORY_LIMIT: i32 = 16_384;

/// Correction histories: entries' limit, and the weight of one entry in 1/`CORRECTION_SCALE`.
pub const CORRECTION_LIMIT: i32 = 1_024;
pub const CORRECTION_SCALE: i32 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_lies_within_its_range() {
        for (name, default, range) in DEFAULTS {
            assert!(range.start() < range.end() && range.contains(default), "{name}");
        }
    }
}
