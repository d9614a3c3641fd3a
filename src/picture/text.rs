//! A board as text: plain letters for a protocol's `d` and for programs; Unicode pieces for people in
//! a terminal, with colours or without.

use std::fmt::Write;

use anstyle::Style;

use crate::board::{Bitboard, Color, PieceKind, Square};
use crate::rules::notation::san;
use crate::rules::{Position, goal_rank};
use crate::text::fill;

use super::ink::{ARROW, BLACK, FAINT, LAST, PLAIN, WHITE, fg, on, styled};
use super::scene::{Legs, Picture, Repeat, Scene, Verdict, line};

/// Eight rows from White's side, upper case for White, with the coordinates around them.
pub fn text(position: &Position) -> String {
    let mut out = String::with_capacity(400);
    for rank in (0..8).rev() {
        let _ = write!(out, "{} ", rank + 1); // writing to a String cannot fail
        for file in 0..8 {
            let letter = match position.piece_at(Square::at(file, rank)) {
                None => '.',
                Some((Color::White, kind)) => kind.letter(),
                Some((Color::Black, kind)) => kind.letter().to_ascii_lowercase(),
            };
            out.push(' ');
            out.push(letter);
        }
        out.push('\n');
    }
    out.push_str("\n   a b c d e f g h\n");
    out
}

/// Behind squares, light and dark, on the goal ranks, and behind an attacked King.
const GOAL: [u8; 2] = [178, 136];
const ATTACKED: u8 = 167;
/// Behind the mark of a move that repeats.
const WINS: u8 = 28;
const LOSES: u8 = 160;
const OPEN: u8 = 54;

/// A board for people: Unicode pieces, three columns a square, where the game stands on the right of
/// it, arrows and repeating moves below. With `color` the squares are coloured by ANSI sequences;
/// without there are none, White's pieces are hollow, the last move stands in `[ ]`, an arrow's squares
/// in `( )`, and an attacked King has a `!`.
pub fn terminal(picture: &Picture, color: bool) -> String {
    let scene = Scene::of(picture.game);
    let board = Board::new(picture, &scene, color);
    let panel = panel(picture, &scene);
    let mut out = String::with_capacity(4_096);
    let files: String =
        board.line().map(|i| format!(" {} ", Square::at(i, 0).file_letter())).collect();
    let files = board.styled(&format!("   {files}"), fg(FAINT));
    let _ = writeln!(out, "{}", files.trim_end()); // writing to a String cannot fail
    for (row, rank) in board.line().rev().enumerate() {
        let digit = Square::at(0, rank).rank_digit();
        let label = board.styled(&format!(" {digit} "), fg(FAINT));
        let cells: String = board.line().map(|file| board.cell(Square::at(file, rank))).collect();
        let right = board.styled(&format!(" {digit}"), fg(FAINT));
        let beside = match panel.get(row) {
            None => String::new(),
            Some((text, strong)) => {
                let style = if *strong { Style::new().bold() } else { Style::new() };
                format!("   {}", board.styled(text, style))
            }
        };
        let _ = writeln!(out, "{label}{cells}{right}{}", beside.trim_end());
    }
    let _ = writeln!(out, "{}", files.trim_end());
    for line in below(picture, &scene, &board) {
        let _ = writeln!(out, "{line}");
    }
    out
}

/// The text on the right, line by line, and whether it is set in bold.
fn panel(picture: &Picture, scene: &Scene) -> Vec<(String, bool)> {
    let (language, texts) = (picture.language, picture.language.texts());
    let name = language.edition(scene.position.edition());
    let mut panel = vec![(name.to_owned(), false), (String::new(), false)];
    let sentences = scene.sentences(language);
    panel.extend(sentences.into_iter().enumerate().map(|(i, text)| (text, i == 0)));
    if let Some(last) = scene.last_text(picture.letters) {
        panel.push((fill(texts.last_played, &[("move", &last)]), false));
    }
    panel
}

/// The lines below the board: arrows and repeating moves.
fn below(picture: &Picture, scene: &Scene, board: &Board) -> Vec<String> {
    let mut lines = Vec::new();
    for moves in picture.lines {
        let words = line(scene.position, moves, picture.letters);
        lines.push(format!("   {}  {words}", picture.language.texts().arrow));
    }
    for repeat in &scene.repeats {
        let text = format!(
            "{}× {} ({}){}",
            repeat.times,
            san(scene.position, repeat.m, picture.letters),
            repeat.m,
            repeat
                .ends
                .map(|outcome| format!(": {}", picture.language.outcome(outcome)))
                .unwrap_or_default(),
        );
        let style = match repeat.verdict {
            Verdict::Wins => fg(WINS).bold(),
            Verdict::Loses => fg(LOSES).bold(),
            Verdict::Open => Style::new(),
        };
        lines.push(format!("   {}", board.styled(&text, style)));
    }
    lines
}

/// What is needed to draw a square.
struct Board<'a> {
    scene: &'a Scene<'a>,
    flip: bool,
    color: bool,
    goals: Bitboard,
    last: Bitboard,
    arrows: Bitboard,
}

impl<'a> Board<'a> {
    fn new(picture: &Picture, scene: &'a Scene<'a>, color: bool) -> Board<'a> {
        let goals = if scene.position.edition().has_conquest() {
            goal_rank(Color::White) | goal_rank(Color::Black)
        } else {
            Bitboard::EMPTY
        };
        let last = scene.last.map(|(before, m)| Legs::of(&before, m).squares());
        let mut arrows = Bitboard::EMPTY;
        for line in picture.lines {
            let mut position = *scene.position;
            for &m in line {
                arrows |= Legs::of(&position, m).squares();
                position = position.play(m);
            }
        }
        let last = last.unwrap_or(Bitboard::EMPTY);
        Board { scene, flip: picture.flip, color, goals, last, arrows }
    }

    /// Files from left to right; ranks from bottom to top.
    fn line(&self) -> impl DoubleEndedIterator<Item = u8> + use<> {
        let flip = self.flip;
        (0..8).map(move |index| if flip { 7 - index } else { index })
    }

    fn styled(&self, text: &str, style: Style) -> String {
        styled(text, style, self.color)
    }

    /// A square in three columns.
    fn cell(&self, square: Square) -> String {
        let piece = self.scene.position.piece_at(square);
        let mark = self.mark(square);
        let light = (square.file() + square.rank()) % 2 == 1;
        let mut left = ' ';
        let mut middle = match piece {
            None if self.color || light => ' ',
            None => '·',
            Some((side, kind)) => self.figure(side, kind),
        };
        let mut right = ' ';
        if !self.color {
            if self.arrows.has(square) {
                (left, right) = ('(', ')');
            } else if self.last.has(square) {
                (left, right) = ('[', ']');
            }
            if self.scene.attacked.has(square) {
                right = '!';
            }
        }
        if self.scene.arrived.has(square) {
            right = '⚑';
        }
        if let Some(mark) = mark {
            // Only a Decoy's target is occupied, by the pawn that moves away.
            if let Some((side, kind)) = piece {
                left = self.figure(side, kind);
            }
            middle = char::from_digit(mark.times, 10).unwrap_or('+');
            right = '×';
        }
        let text: String = [left, middle, right].into_iter().collect();
        if !self.color {
            return text;
        }
        let shade = usize::from(!light);
        let ground = match mark.map(|mark| mark.verdict) {
            Some(Verdict::Wins) => WINS,
            Some(Verdict::Loses) => LOSES,
            Some(Verdict::Open) => OPEN,
            None if self.scene.attacked.has(square) => ATTACKED,
            None if self.arrows.has(square) => ARROW[shade],
            None if self.last.has(square) => LAST[shade],
            None if self.goals.has(square) => GOAL[shade],
            None => PLAIN[shade],
        };
        let white = mark.is_some() || matches!(piece, Some((Color::White, _)));
        let figure = if white { fg(WHITE).bold() } else { fg(BLACK) };
        self.styled(&text, on(figure, ground))
    }

    /// The mark on a square: the move onto it that repeats most often.
    fn mark(&self, square: Square) -> Option<&Repeat> {
        let onto = self.scene.repeats.iter().filter(|repeat| repeat.m.to() == square);
        onto.max_by_key(|repeat| repeat.times)
    }

    /// On coloured squares both sides have the filled figures, which read better.
    fn figure(&self, side: Color, kind: PieceKind) -> char {
        let filled = self.color || side == Color::Black;
        match (kind, filled) {
            (PieceKind::Pawn, false) => '♙',
            (PieceKind::Knight, false) => '♘',
            (PieceKind::Bishop, false) => '♗',
            (PieceKind::Rook, false) => '♖',
            (PieceKind::Queen, false) => '♕',
            (PieceKind::King, false) => '♔',
            (PieceKind::Pawn, true) => '♟',
            (PieceKind::Knight, true) => '♞',
            (PieceKind::Bishop, true) => '♝',
            (PieceKind::Rook, true) => '♜',
            (PieceKind::Queen, true) => '♛',
            (PieceKind::King, true) => '♚',
        }
    }
}
