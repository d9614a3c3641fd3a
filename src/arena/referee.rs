//! The services of a referee to an engine that plays by rules of its own: one with a royal King,
//! which never leaves its King to be taken and so never sees that the other did; or one without
//! Escort and Decoy.
//!
//! Its King captures are made for it; where the list of moves holds one that its rules forbid, it is
//! given the position behind that move; and where its rules leave it no move, because every move
//! leaves its King to be taken, one is made for it. All this is of the chess family: board games have one set of rules.

use serde::{Deserialize, Serialize};

use crate::board::{Color, attacks};
use crate::games::{AnyGame, AnyMove};
use crate::rules::{Move, MoveKind, Position};

/// How often the services were used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Services {
    /// King captures made for it.
    pub captures: u32,
    /// Positions handed over in place of a list of moves.
    pub positions: u32,
    /// Moves made for it where its rules left it none.
    pub moves: u32,
}

impl Services {
    /// Whether any was used.
    pub fn any(&self) -> bool {
        *self != Services::default()
    }

    /// Adds those of another game.
    pub fn add(&mut self, other: &Services) {
        self.captures += other.captures;
        self.positions += other.positions;
        self.moves += other.moves;
    }
}

/// By which rules an engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// Those of the match.
    #[default]
    Own,
    /// Without Escort and Decoy.
    Plain,
    /// Without Escort and Decoy, and with a royal King.
    Royal,
}

impl Rules {
    /// Whether an engine with these rules can play the move, or take note of it.
    pub fn allow(self, game: &AnyGame, m: &AnyMove) -> bool {
        match (game, m) {
            (AnyGame::Chess(game), &AnyMove::Chess(m)) => self.allow_in(game.position(), m),
            _ => true,
        }
    }

    fn allow_in(self, position: &Position, m: Move) -> bool {
        match self {
            Rules::Own => true,
            Rules::Plain => is_plain(m),
            Rules::Royal => is_plain(m) && leaves_king_safe(position, m),
        }
    }

    /// The move that the referee makes for such an engine, if the engine is not to be asked.
    pub fn move_for(self, game: &AnyGame, services: &mut Services) -> Option<AnyMove> {
        self.move_in(game.chess()?.position(), services).map(AnyMove::Chess)
    }

    fn move_in(self, position: &Position, services: &mut Services) -> Option<Move> {
        if self != Rules::Royal {
            return None;
        }
        if let Some(capture) = position.king_capture() {
            services.captures += 1;
            return Some(capture);
        }
        let moves = position.legal_moves();
        if moves.iter().any(|&m| self.allow_in(position, m)) {
            return None;
        }
        let forced = moves.first().copied();
        services.moves += u32::from(forced.is_some());
        forced
    }
}

const fn is_plain(m: Move) -> bool {
    !matches!(m.kind(), MoveKind::Escort | MoveKind::Decoy)
}

/// Whether a move is legal where the King must not be left attacked and castles as in chess.
fn leaves_king_safe(position: &Position, m: Move) -> bool {
    let us = position.side_to_move();
    let attacked = |position: &Position, color: Color| {
        // Bare Kings too: for these rules they always attack one another.
        position.king(color).is_some_and(|king| position.is_attacked(king, !color))
    };
    if m.kind() == MoveKind::Castle {
        let through = attacks::between(m.from(), m.to());
        if attacked(position, us) || through.into_iter().any(|s| position.is_attacked(s, !us)) {
            return false;
        }
    }
    !attacked(&position.play(m), us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Edition;
    use crate::rules::notation::{Letters, parse_move};

    fn position(edition: Edition, fen: &str) -> Position {
        Position::from_fen(edition, fen).expect(fen)
    }

    fn allows(rules: Rules, edition: Edition, fen: &str, text: &str) -> bool {
        let position = position(edition, fen);
        rules.allow_in(&position, parse_move(&position, text, Letters::English).expect(text))
    }

    #[test]
    fn a_royal_king_is_not_left_attacked_and_castles_as_in_chess() {
        let classic = Edition::Classic;
        let fen = "5rk1/8/8/8/8/8/4P3/R3K2R w KQ - 0 1";
        assert!(allows(Rules::Royal, classic, fen, "O-O-O"));
        assert!(!allows(Rules::Royal, classic, fen, "O-O"), "through f1");
        assert!(!allows(Rules::Royal, classic, fen, "e1f2"));
        assert!(allows(Rules::Royal, classic, fen, "e1d2"));
        let checked = "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert!(!allows(Rules::Royal, classic, checked, "O-O-O"), "out of check");
        assert!(!allows(Rules::Royal, classic, checked, "a1b1"));
        assert!(allows(Rules::Own, classic, checked, "a1b1"));
    }

    #[test]
    fn escort_and_decoy_are_strange_to_plain_rules() {
        let today = Edition::CaptureOrConquer;
        let fen = "2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1";
        for text in ["EBe6", "Dg6"] {
            assert!(!allows(Rules::Plain, today, fen, text), "{text}");
            assert!(allows(Rules::Own, today, fen, text), "{text}");
        }
        assert!(allows(Rules::Plain, today, fen, "c8d7"));
    }

    #[test]
    fn the_referee_moves_only_where_the_engine_cannot() {
        let today = Edition::CaptureOrConquer;
        let mut services = Services::default();
        let start = Position::start(today);
        assert_eq!(Rules::Royal.move_in(&start, &mut services), None);
        let capture = position(today, "4k3/8/8/8/8/8/8/K3R3 w - - 0 1");
        let m = Rules::Royal.move_in(&capture, &mut services).expect("a capture");
        assert_eq!(m.to_string(), "e1e8");
        assert_eq!(Rules::Own.move_in(&capture, &mut services), None);
        let mated = position(today, "7k/8/8/8/8/8/r7/1r5K w - - 0 1");
        assert!(Rules::Royal.move_in(&mated, &mut services).is_some());
        assert_eq!(services, Services { captures: 1, positions: 0, moves: 1 });
    }
}
