//! A board as text: plain letters for a protocol's `d` and for programs; figures for people in a terminal, with colours or
//! without.

use anstyle::Style;

use crate::board::Color;
use crate::picture::ink::{ARROW, BLACK, FAINT, LAST, PLAIN, WHITE, fg, on, styled};

use super::{
    Drawing, Grid, Picture, Point, Points, Position, is_light, line, lines, loops, title,
    way_points,
};

/// Behind points and lines, and the lines.
const BOARD: u8 = 137;
const INK: u8 = 94;
/// Where a man was taken.
const TAKEN: u8 = 124;

/// The rows from White's side, `P` for White, with the coordinates around them.
pub fn text(position: &Position) -> String {
    let grid = position.grid();
    let mut out = String::with_capacity(200);
    for rank in (0..grid.ranks).rev() {
        out += &format!("{} ", rank + 1);
        for file in 0..grid.files {
            out += match position.man(grid.at(file, rank)) {
                None => " .",
                Some(Color::White) => " P",
                Some(Color::Black) => " p",
            };
        }
        out.push('\n');
    }
    let files: String = (b'a'..).take(grid.files.into()).flat_map(|f| [' ', f.into()]).collect();
    out + "\n  " + &files + "\n"
}

/// A board for people: a disc for each man, where the game stands on the right of it, arrows below. With `color` the board is
/// coloured by ANSI sequences; without there are none, White's men are hollow, the last move stands in `[ ]`, and an arrow's
/// points in `( )`. `×` is where the last move took a man.
pub fn terminal(picture: &Picture, color: bool) -> String {
    let board = Board::new(picture, color);
    let mut rows = match board.drawing {
        Drawing::Squares(_) => board.squares(),
        _ => board.points(),
    };
    let mut panel = vec![(title(picture.position().game()), false), (String::new(), false)];
    panel.extend(picture.sentences().into_iter().enumerate().map(|(i, text)| (text, i == 0)));
    // Beside the board's own rows, or as low as it takes to show it all.
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    rows.resize_with(rows.len().max(panel.len() + 1), Vec::new);
    let mut out = String::with_capacity(4_096);
    for (row, cells) in rows.into_iter().enumerate() {
        let beside = row.checked_sub(1).and_then(|row| panel.get(row));
        let gap = match beside {
            Some((text, _)) if !text.is_empty() => width - cells.len() + 3,
            _ => 0,
        };
        let mut line = written(&cells, color) + &" ".repeat(gap);
        if let Some((text, strong)) = beside {
            let style = if *strong { Style::new().bold() } else { Style::new() };
            line += &styled(text, style, color);
        }
        out += line.trim_end();
        out.push('\n');
    }
    for moves in picture.lines {
        let words = line(picture.position(), moves);
        out += &format!("   {}  {words}\n", picture.language.texts().arrow);
    }
    out
}

/// A letter and how it looks.
type Cell = (char, Style);

/// Letters side by side, those that look the same in one piece.
fn written(cells: &[Cell], color: bool) -> String {
    let piece = |cells: &[Cell]| {
        let text: String = cells.iter().map(|cell| cell.0).collect();
        let style = cells.first().map_or(Style::new(), |cell| cell.1);
        styled(&text, style, color && style != Style::new())
    };
    cells.chunk_by(|a, b| a.1 == b.1).map(piece).collect()
}

struct Board {
    position: Position,
    grid: &'static Grid,
    drawing: Drawing,
    flip: bool,
    color: bool,
    last: Points,
    taken: Points,
    arrows: Points,
}

/// North, east, south, west of a cell, as bits: where lines leave it.
const WIRES: [u8; 4] = [1, 2, 4, 8];

/// The sign whose lines leave a cell in these directions.
fn sign(wires: u8, round: bool) -> char {
    let signs = [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
    match signs[usize::from(wires & 15)] {
        '└' if round => '╰',
        '┌' if round => '╭',
        '┘' if round => '╯',
        '┐' if round => '╮',
        sign => sign,
    }
}

impl Board {
    fn new(picture: &Picture, color: bool) -> Board {
        let position = *picture.position();
        let (last, taken) = picture.last_points();
        let arrows = picture.lines.iter().flatten().map(way_points);
        Board {
            position,
            grid: position.grid(),
            drawing: position.game().drawing(),
            flip: picture.flip,
            color,
            last,
            taken,
            arrows: arrows.fold(Points::EMPTY, |all, points| all | points),
        }
    }

    /// The point in a column and a row, both from 0 at the upper left.
    fn at(&self, column: u8, row: u8) -> Point {
        let (last_file, last_rank) = (self.grid.files - 1, self.grid.ranks - 1);
        if self.flip {
            self.grid.at(last_file - column, row)
        } else {
            self.grid.at(column, last_rank - row)
        }
    }

    /// Column and row of a point.
    fn place(&self, point: Point) -> (usize, usize) {
        let (file, rank) = self.grid.place(point);
        let (last_file, last_rank) = (self.grid.files - 1, self.grid.ranks - 1);
        let (column, row) =
            if self.flip { (last_file - file, rank) } else { (file, last_rank - rank) };
        (column.into(), row.into())
    }

    /// A point in three columns, with `beside` where nothing marks it, `empty` where no man stands.
    fn cell(&self, point: Point, beside: [char; 2], empty: char, ground: [u8; 2]) -> [Cell; 3] {
        let man = self.position.man(point);
        let figure = match man {
            None if self.taken.has(point) => '×',
            None => empty,
            Some(Color::White) if !self.color => '○',
            Some(_) => '●',
        };
        let shade = match self.drawing {
            Drawing::Squares(_) => usize::from(!is_light(self.grid, point)),
            _ => 0,
        };
        let (around, ground) = if self.arrows.has(point) {
            (['(', ')'], ARROW[shade])
        } else if self.last.has(point) {
            (['[', ']'], LAST[shade])
        } else {
            (beside, ground[shade])
        };
        let [left, right] = if self.color { beside } else { around };
        let paint = match man {
            Some(Color::White) => fg(WHITE).bold(),
            Some(Color::Black) => fg(BLACK),
            None if self.taken.has(point) => fg(TAKEN).bold(),
            None => fg(INK),
        };
        let side = on(fg(INK), ground);
        [(left, side), (figure, on(paint, ground)), (right, side)]
    }

    fn files(&self, between: usize, before: usize) -> Vec<Cell> {
        let mut text = " ".repeat(before);
        for column in 0..self.grid.files {
            let (file, _) = self.grid.place(self.at(column, 0));
            text.push((b'a' + file).into());
            if column + 1 < self.grid.files {
                text += &" ".repeat(between);
            }
        }
        text.chars().map(|letter| (letter, fg(FAINT))).collect()
    }

    fn rank(&self, row: u8) -> char {
        let (_, rank) = self.grid.place(self.at(0, row));
        (b'1' + rank).into()
    }

    /// Squares, three columns each.
    fn squares(&self) -> Vec<Vec<Cell>> {
        let Drawing::Squares(marked) = self.drawing else { return Vec::new() };
        let mut rows = vec![self.files(2, 4)];
        for row in 0..self.grid.ranks {
            let label = |text: String| text.chars().map(|c| (c, fg(FAINT))).collect::<Vec<_>>();
            let mut cells = label(format!(" {} ", self.rank(row)));
            for column in 0..self.grid.files {
                let point = self.at(column, row);
                let empty = match marked.has(point) {
                    true => '+',
                    false if self.color || is_light(self.grid, point) => ' ',
                    false => '·',
                };
                cells.extend(self.cell(point, [' '; 2], empty, PLAIN));
            }
            cells.extend(label(format!(" {}", self.rank(row))));
            rows.push(cells);
        }
        rows.push(self.files(2, 4));
        rows
    }

    /// Points and the lines between them: four columns and two rows from one to the next.
    fn points(&self) -> Vec<Vec<Cell>> {
        let (files, ranks) = (usize::from(self.grid.files), usize::from(self.grid.ranks));
        let deep = usize::from(loops(self.grid, self.drawing));
        let (left, top) = (2 + 3 * deep, deep);
        let (width, height) = (2 * left + 4 * (files - 1) + 1, 2 * top + 2 * (ranks - 1) + 1);
        let x = |column: usize| left + 4 * column;
        let y = |row: usize| top + 2 * row;
        let mut wires = vec![vec![0_u8; width]; height];
        let mut slants = Vec::new();
        let mut wire = |(x1, y1): (usize, usize), (x2, y2): (usize, usize)| {
            let (x1, x2, y1, y2) = (x1.min(x2), x1.max(x2), y1.min(y2), y1.max(y2));
            let [north, east, south, west] = WIRES;
            for x in x1..x2 {
                wires[y1][x] |= east;
                wires[y1][x + 1] |= west;
            }
            for y in y1..y2 {
                wires[y][x1] |= south;
                wires[y + 1][x1] |= north;
            }
        };
        for (from, to) in lines(self.grid, self.drawing) {
            let ((from_column, from_row), (to_column, to_row)) = (self.place(from), self.place(to));
            let (from, to) = ((x(from_column), y(from_row)), (x(to_column), y(to_row)));
            if from.0 == to.0 || from.1 == to.1 {
                wire(from, to);
            } else {
                let falls = (from.0 < to.0) == (from.1 < to.1);
                slants.push(((from.0 + to.0) / 2, (from.1 + to.1) / 2, falls));
            }
        }
        for depth in 1..=deep {
            for (right, low) in [(false, false), (true, false), (false, true), (true, true)] {
                let column = if right { files - 1 - depth } else { depth };
                let row = if low { ranks - 1 - depth } else { depth };
                let edge = (
                    if right { x(files - 1) } else { x(0) },
                    if low { y(ranks - 1) } else { y(0) },
                );
                let turn = (
                    if right { edge.0 + 3 * depth } else { edge.0 - 3 * depth },
                    if low { edge.1 + depth } else { edge.1 - depth },
                );
                wire((x(column), edge.1), (x(column), turn.1));
                wire((x(column), turn.1), turn);
                wire(turn, (turn.0, y(row)));
                wire((turn.0, y(row)), (edge.0, y(row)));
            }
        }
        let ink = on(fg(INK), BOARD);
        let on_board = |x: usize, y: usize| {
            let (right, low) = (left + 4 * files - 4, top + 2 * ranks - 2);
            (left..=right).contains(&x) && (top..=low).contains(&y)
        };
        let mut cells: Vec<Vec<Cell>> = (0..height)
            .map(|y| (0..width).map(|x| (sign(wires[y][x], !on_board(x, y)), ink)).collect())
            .collect();
        for (x, y, falls) in slants {
            cells[y][x].0 = if falls { '╲' } else { '╱' };
        }
        for point in self.grid.all() {
            let (column, row) = self.place(point);
            let (x, row) = (x(column), &mut cells[y(row)]);
            let beside = [row[x - 1].0, row[x + 1].0];
            let cell = self.cell(point, beside, row[x].0, [BOARD; 2]);
            row[x - 1..=x + 1].copy_from_slice(&cell);
        }
        let faint = |letter: char| (letter, fg(FAINT));
        let mut rows = vec![self.files(3, 3 + left)];
        for (y, row) in cells.into_iter().enumerate() {
            let rank = y.checked_sub(top).filter(|y| y % 2 == 0 && y / 2 < ranks);
            let rank = rank.map_or(' ', |y| self.rank((y / 2) as u8));
            let label = [' ', rank, ' '].map(faint);
            rows.push(label.into_iter().chain(row).chain([' ', rank].map(faint)).collect());
        }
        rows.push(self.files(3, 3 + left));
        rows
    }
}
