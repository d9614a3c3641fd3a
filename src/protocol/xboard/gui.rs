//! What the XBoard window needs to show this game rightly: the board it is given, the squares it
//! marks, and the corrections of what it draws wrong.
//!
//! XBoard 4.9 applies moves itself and knows nothing of the Escort: it moves the King alone. So the
//! supporter is put right by a pass of the other side (`@@@@`) and a move of the supporter, which
//! XBoard counts as two more plies. [`Plies`] counts as XBoard does; the game's record knows only
//! real moves.

use crate::board::{Bitboard, Color, PieceKind, Square};
use crate::rules::{Edition, Move, MoveKind, Position};

/// A pass, as XBoard writes it.
pub const PASS: &str = "@@@@";

/// By which of its pieces XBoard shows the King.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Figure {
    /// The Man, which XBoard does not take for royal: its own test of legality may stay on.
    #[default]
    Man,
    /// The King; XBoard must be started with `-testLegality false`.
    King,
}

/// How the pieces of today's edition move, for XBoard's own test: the King, the supporters that are
/// put right after an Escort, and a pawn that may promote.
const PIECES: [&str; 5] = [
    "piece K& KdKmdDmdA",
    "piece R& RmpR",
    "piece B& BmpB",
    "piece Q& QmpQ",
    "piece P& fmWfceFifmnD",
];

/// The answer to `variant`: which pieces there are and where they start. Chess needs none.
pub fn setup(edition: Edition, figure: Figure) -> Vec<String> {
    if edition == Edition::Chess {
        return Vec::new();
    }
    // The parent variant without castling shows a King onto its own piece as a swap.
    let parent = if edition.has_escort_and_decoy() { "nocastle" } else { "normal" };
    let (figures, figure) = match edition.has_escort_and_decoy() {
        true if figure == Figure::Man => ("PNBRQ.....K......pnbrq.....k......", figure),
        _ => ("PNBRQ...........Kpnbrq...........k", Figure::King),
    };
    let start = Position::start(edition).to_fen();
    let mut lines = vec![format!("setup ({figures}) 8x8+0_{parent} {start}")];
    if figure == Figure::Man {
        lines.extend(PIECES.map(str::to_owned));
    }
    lines
}

/// The `highlight` line that marks squares as legal targets, whatever XBoard itself thinks of them.
pub fn highlight(targets: Bitboard) -> String {
    let rows = (0..8).rev().map(|rank| {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..8 {
            if targets.has(Square::at(file, rank)) {
                if empty > 0 {
                    row.push_str(&empty.to_string());
                }
                empty = 0;
                row.push('Y');
            } else {
                empty += 1;
            }
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
        }
        row
    });
    format!("highlight {}", rows.collect::<Vec<_>>().join("/"))
}

/// Where the piece on `from` can go.
pub fn targets(position: &Position, from: Square) -> Bitboard {
    let moves = position.legal_moves();
    let from_here = moves.iter().filter(|m| m.from() == from);
    from_here.fold(Bitboard::EMPTY, |targets, m| targets | Bitboard::of(m.to()))
}

/// A supporter that XBoard leaves on the wrong square after an Escort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Correction {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub piece: PieceKind,
    /// Where XBoard shows it.
    pub from: Square,
    /// Where it stands.
    pub to: Square,
}

impl Correction {
    /// What is to be put right after the legal move `m`, if anything.
    pub fn of(position: &Position, m: Move, figure: Figure) -> Option<Correction> {
        if m.kind() != MoveKind::Escort {
            return None;
        }
        let (supporter, beside) = position.escort_supporter(m)?;
        let (color, piece) = position.piece_at(supporter)?;
        let (king, landing) = (m.from(), m.to());
        // XBoard takes a real King's step of two along a rank, towards a piece beyond, for castling.
        let looks_like_castling = figure == Figure::King
            && king.rank() == landing.rank()
            && king.distance(supporter) >= 3
            && !matches!(king.file(), 0 | 7);
        if looks_like_castling {
            return None;
        }
        // Onto its own supporter: XBoard swaps the two.
        let from = if supporter == landing { king } else { supporter };
        Some(Correction { color, piece, from, to: beside })
    }

    /// Whether `text` is the move that puts it right.
    pub fn is(&self, text: &str) -> bool {
        text == self.to_string()
    }

    /// Whether XBoard, before the correction, would show `shown` for what is really `position`.
    pub fn explains(&self, shown: &Position, position: &Position) -> bool {
        (0..64).map(Square::new).all(|square| {
            let expected = if square == self.to {
                None
            } else if square == self.from {
                Some((self.color, self.piece))
            } else {
                position.piece_at(square)
            };
            shown.piece_at(square) == expected
        })
    }
}

impl std::fmt::Display for Correction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// One ply as XBoard counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ply {
    /// A move of the game, with what XBoard must be told about it.
    Move(Option<Correction>),
    /// The pass before a correction.
    Pass,
    /// The correction.
    Corrected,
}

/// What XBoard still has to be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// Nothing.
    Nothing,
    /// A pass of the side to move, then the correction.
    Pass(Correction),
    /// The correction.
    Correction(Correction),
}

/// The game since its set-up, as XBoard counts it.
#[derive(Clone, Debug, Default)]
pub struct Plies(Vec<Ply>);

impl Plies {
    /// Adds one.
    pub fn push(&mut self, ply: Ply) {
        self.0.push(ply);
    }

    /// Takes the last one back.
    pub fn pop(&mut self) -> Option<Ply> {
        self.0.pop()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What the last plies leave to be said.
    pub fn owed(&self) -> Owed {
        match self.0.as_slice() {
            [.., Ply::Move(Some(correction))] => Owed::Pass(*correction),
            [.., Ply::Move(Some(correction)), Ply::Pass] => Owed::Correction(*correction),
            _ => Owed::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation::{Letters, parse_move};

    fn correction(fen: &str, text: &str, figure: Figure) -> Option<String> {
        let position = Position::from_fen(Edition::CaptureOrConquer, fen).expect("a FEN");
        let m = parse_move(&position, text, Letters::English).expect("a legal move");
        Correction::of(&position, m, figure).map(|correction| correction.to_string())
    }

    #[test]
    fn what_xboard_draws_wrong() {
        let file = "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1";
        let swap = "4k3/8/8/8/8/4R3/8/4K3 w - - 0 1";
        let rank = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
        let near = "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1";
        let edge = "4k3/8/8/8/8/8/8/K2R4 w - - 0 1";
        for figure in [Figure::Man, Figure::King] {
            assert_eq!(correction(file, "e1e3", figure).as_deref(), Some("e4e2"));
            assert_eq!(correction(swap, "e1e3", figure).as_deref(), Some("e1e2"));
            assert_eq!(correction(near, "e1g1", figure).as_deref(), Some("e1f1"));
            assert_eq!(correction(edge, "a1c1", figure).as_deref(), Some("d1b1"));
            assert_eq!(correction(file, "e1e2", figure), None);
        }
        assert_eq!(correction(rank, "e1g1", Figure::Man).as_deref(), Some("h1f1"));
        assert_eq!(correction(rank, "e1g1", Figure::King), None);
    }

    #[test]
    fn marked_squares() {
        let start = Position::start(Edition::CaptureOrConquer);
        let knight = targets(&start, Square::parse("g1").expect("a square"));
        assert_eq!(highlight(knight), "highlight 8/8/8/8/8/5Y1Y/8/8");
        let king = Square::parse("e1").expect("a square");
        assert_eq!(highlight(targets(&start, king)), "highlight 8/8/8/8/8/8/8/8");
        let escorts = "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1";
        let escorts = Position::from_fen(Edition::CaptureOrConquer, escorts).expect("a FEN");
        assert_eq!(highlight(targets(&escorts, king)), "highlight 8/8/8/8/8/4Y3/3YYY2/3Y1Y2");
    }

    /// The example that XBoard was seen to accept.
    #[test]
    fn the_board_of_todays_edition() {
        let lines = setup(Edition::CaptureOrConquer, Figure::Man);
        assert_eq!(
            lines[0],
            "setup (PNBRQ.....K......pnbrq.....k......) 8x8+0_nocastle \
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
        );
        assert_eq!(lines.len(), 6);
        assert_eq!(setup(Edition::CaptureOrConquer, Figure::King).len(), 1);
        assert!(setup(Edition::Chess, Figure::Man).is_empty());
    }
}
