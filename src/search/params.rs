//! The tuned numbers of the search, together in one place.
//!
//! Margins are in centipawns, depths in plies. Where a number comes from elsewhere it is the order of
//! magnitude that strong open engines have in common; what was measured here is in `docs/strength.md`.

/// Half width of the first aspiration window.
pub const ASPIRATION: i32 = 20;
/// From this depth on the root is searched with an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 5;

/// Reverse futility: greatest depth, margin a ply.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;
pub const REVERSE_FUTILITY_MARGIN: i32 = 75;

/// Razoring: greatest depth, margin a ply.
pub const RAZOR_DEPTH: i32 = 3;
pub const RAZOR_MARGIN: i32 = 250;

/// Null move: least depth, reduction, one ply more for each of these many centipawns above beta.
pub const NULL_DEPTH: i32 = 3;
pub const NULL_REDUCTION: i32 = 3;
pub const NULL_DEPTH_DIVISOR: i32 = 4;
pub const NULL_EVAL_DIVISOR: i32 = 200;
/// From this depth on a null move's success is verified by a search without null moves.
pub const NULL_VERIFY_DEPTH: i32 = 12;

/// Without a table move, from this depth on, the search is one ply shallower.
pub const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Futility of a quiet move: greatest depth, margin at depth 0 and a ply.
pub const FUTILITY_DEPTH: i32 = 8;
pub const FUTILITY_BASE: i32 = 90;
pub const FUTILITY_MARGIN: i32 = 90;

/// Move-count pruning: greatest depth, moves looked at whatever the depth.
pub const MOVE_COUNT_DEPTH: i32 = 8;
pub const MOVE_COUNT_BASE: i32 = 4;

/// A quiet move with a history below this, times the depth, is not searched at low depth.
pub const HISTORY_PRUNING_DEPTH: i32 = 4;
pub const HISTORY_PRUNING: i32 = -4_000;

/// Exchange pruning: greatest depth, loss a ply for a capture, loss a ply squared for a quiet move.
pub const SEE_DEPTH: i32 = 8;
pub const SEE_CAPTURE: i32 = -90;
pub const SEE_QUIET: i32 = -25;

/// Singular extensions: least depth, how much shallower than the node the table's entry may be, the
/// margin below its score a ply.
pub const SINGULAR_DEPTH: i32 = 8;
pub const SINGULAR_ENTRY: i32 = 3;
pub const SINGULAR_MARGIN: i32 = 2;
/// This far below the singular window the extension is two plies.
pub const DOUBLE_EXTENSION_MARGIN: i32 = 25;

/// Danger extension: plies from the root within which it is given, beside twice the depth that is left.
pub const DANGER_EXTENSION_PLIES: i32 = 8;

/// Proof of short wins: for whom it is tried, in centipawns; and the steps, each the plies of the win and
/// the nodes that must have been searched before.
pub const PROOF_SCORE: i32 = 300;
pub const PROOF_STEPS: [(usize, u64); 6] =
    [(2, 0), (3, 1_000), (4, 1_000), (5, 10_000), (6, 10_000), (7, 100_000)];

/// Late move reductions: `base + ln(depth) * ln(count) / divisor` plies.
pub const REDUCTION_BASE: f64 = 0.6;
pub const REDUCTION_DIVISOR: f64 = 2.2;
/// History of a move that is worth a ply of reduction.
pub const REDUCTION_HISTORY: i32 = 9_000;

/// Quiescence: plies within which a side in danger tries all its moves.
pub const ESCAPE_PLIES: usize = 6;
/// Quiescence: from this ply on only what has just moved is captured.
pub const RECAPTURE_PLIES: usize = 8;
/// Quiescence: quiet moves that are tried in danger once one is known not to lose.
pub const QUIET_ESCAPES: usize = 2;
/// Quiescence: margin above the static evaluation and the captured piece.
pub const DELTA_MARGIN: i32 = 150;

/// Histories keep their values within plus and minus this.
pub const HISTORY_LIMIT: i32 = 16_384;
/// What a move gains or loses: a ply, at most.
pub const HISTORY_BONUS: i32 = 170;
pub const HISTORY_BONUS_MAX: i32 = 1_700;

/// Correction histories: entries' limit, and the weight of one entry in 1/`CORRECTION_SCALE`.
pub const CORRECTION_LIMIT: i32 = 1_024;
pub const CORRECTION_SCALE: i32 = 16;
