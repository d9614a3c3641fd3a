//! A board as SVG: one self-contained picture, no font, no script.
//!
//! Shapes that say something carry a class, and what they are about as `data-…` attributes:
//! `square`, `line`, `loop`, `marked`, `man`, `last`, `way`, `taken`, `hand`, `arrow`, `turn`, `repetitions`, `result`.

use crate::board::Color;
use crate::picture::sheet::{DARK, EDGE, FIELD, LAST, LIGHT, ON_FRAME, Sheet, paint};

use super::{Drawing, Grid, Move, Picture, Point, is_light, kind, lines, loops, title, way_points};

/// Behind points and lines.
const BOARD: &str = "#ecd9b4";
/// Lines.
const INK: &str = "#7a5636";
/// A way of several steps, and where a man was taken.
const WAY: &str = "#3c7a34";
const TAKEN: &str = "#b3262f";
/// A man's radius.
const RADIUS: f32 = 15.0;
/// Room for the men in hand, above the board and below it.
const STRIP: f32 = 20.0;

/// Draws where a game stands.
pub fn svg(picture: &Picture) -> String {
    let (position, game) = (picture.position(), picture.position().game());
    let drawing = game.drawing();
    let grid = position.grid();
    // From the frame to the middle of the outermost points.
    let rim = match drawing {
        Drawing::Squares(_) => FIELD / 2.0,
        Drawing::Lines | Drawing::Diagonals => 28.0,
        Drawing::Loops => f32::from(loops(grid, drawing)) * FIELD + 18.0,
    };
    let strip = if position.hand == [0; 2] { 0.0 } else { STRIP };
    let side = |points: u8| 2.0 * (EDGE + rim) + f32::from(points - 1) * FIELD;
    let size = (side(grid.files), side(grid.ranks) + 2.0 * strip);
    let name = format_args!("{}, {}", title(game), position.to_fen());
    let sheet = Sheet::new(size, &name, &picture.sentences().join("; "));
    let mut board = Board { sheet, grid, drawing, size, strip, rim, flip: picture.flip };
    board.coordinates();
    let (outcome, times) = (picture.record.outcome(), picture.record.repetitions());
    board.sheet.corners(position.side(), outcome, times, picture.flip, picture.language);
    board.ground();
    board.last(picture);
    for color in Color::ALL {
        board.hand(color, position.hand(color));
        for point in position.men(color) {
            board.man(color, point);
        }
    }
    for moves in picture.lines {
        for (ply, m) in moves.iter().enumerate() {
            board.arrows(m, ply, moves.len() > 1);
        }
    }
    board.sheet.finish()
}

struct Board {
    sheet: Sheet,
    grid: &'static Grid,
    drawing: Drawing,
    size: (f32, f32),
    /// Above the upper frame and below the lower.
    strip: f32,
    /// From the frame to the middle of the outermost points.
    rim: f32,
    flip: bool,
}

impl Board {
    /// The middle of a point.
    fn centre(&self, point: Point) -> (f32, f32) {
        let (file, rank) = self.grid.place(point);
        let (last_file, last_rank) = (self.grid.files - 1, self.grid.ranks - 1);
        let (column, row) =
            if self.flip { (last_file - file, rank) } else { (file, last_rank - rank) };
        let start = EDGE + self.rim;
        (start + FIELD * f32::from(column), self.strip + start + FIELD * f32::from(row))
    }

    fn is_squares(&self) -> bool {
        matches!(self.drawing, Drawing::Squares(_))
    }

    fn coordinates(&mut self) {
        let (width, height) = self.size;
        for file in 0..self.grid.files {
            let (x, _) = self.centre(self.grid.at(file, 0));
            let letter = char::from(b'a' + file).to_string();
            for y in [self.strip + EDGE / 2.0, height - self.strip - EDGE / 2.0] {
                self.sheet.word(&letter, (x, y), 1.3, ON_FRAME);
            }
        }
        for rank in 0..self.grid.ranks {
            let (_, y) = self.centre(self.grid.at(0, rank));
            for x in [EDGE / 2.0, width - EDGE / 2.0] {
                self.sheet.word(&(rank + 1).to_string(), (x, y), 1.3, ON_FRAME);
            }
        }
    }

    /// What the board is without men.
    fn ground(&mut self) {
        if let Drawing::Squares(marked) = self.drawing {
            for point in self.grid.all() {
                let fill = if is_light(self.grid, point) { LIGHT } else { DARK };
                self.square("square", point, fill, 1.0);
            }
            for point in marked {
                let ((x, y), name) = (self.centre(point), self.grid.name(point));
                self.sheet.add(format_args!(
                    r#"<path class="marked" data-point="{name}" d="M{} {} l25 25 m0 -25 l-25 25" stroke="{INK}" stroke-width="2" stroke-linecap="round" opacity=".55"/>"#,
                    x - 12.5,
                    y - 12.5,
                ));
            }
            return;
        }
        let (width, height) = self.size;
        self.sheet.add(format_args!(
            r#"<rect x="{EDGE}" y="{}" width="{}" height="{}" rx="3" fill="{BOARD}"/>"#,
            self.strip + EDGE,
            width - 2.0 * EDGE,
            height - 2.0 * (self.strip + EDGE),
        ));
        self.sheet.add(format_args!(
            r#"<g fill="none" stroke="{INK}" stroke-width="2" stroke-linecap="round">"#
        ));
        for (from, to) in lines(self.grid, self.drawing) {
            let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
            let (from, to) = (self.grid.name(from), self.grid.name(to));
            self.sheet.add(format_args!(
                r#"<path class="line" data-from="{from}" data-to="{to}" d="M{x1} {y1} L{x2} {y2}"/>"#
            ));
        }
        self.loops();
        self.sheet.end_group();
        for point in self.grid.all() {
            let (x, y) = self.centre(point);
            self.sheet.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="3.2" fill="{INK}"/>"#));
        }
    }

    /// Three quarters of circles, each from a file's end round the corner to the rank's end as far from it.
    fn loops(&mut self) {
        let (files, ranks) = (self.grid.files, self.grid.ranks);
        for depth in 1..=loops(self.grid, self.drawing) {
            let radius = FIELD * f32::from(depth);
            for (east, north) in [(false, true), (true, true), (true, false), (false, false)] {
                let file = if east { files - 1 } else { 0 };
                let rank = if north { ranks - 1 } else { 0 };
                let from = self.grid.at(if east { file - depth } else { depth }, rank);
                let to = self.grid.at(file, if north { rank - depth } else { depth });
                let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
                // A board that is turned by half keeps the sense of a turn.
                let clockwise = u8::from(east == north);
                let (from, to) = (self.grid.name(from), self.grid.name(to));
                self.sheet.add(format_args!(
                    r#"<path class="loop" data-from="{from}" data-to="{to}" d="M{x1} {y1} A{radius} {radius} 0 1 {clockwise} {x2} {y2}"/>"#
                ));
            }
        }
    }

    /// A square filled with a colour.
    fn square(&mut self, class: &str, point: Point, fill: &str, opacity: f32) {
        let ((x, y), name) = (self.centre(point), self.grid.name(point));
        let (x, y) = (x - FIELD / 2.0, y - FIELD / 2.0);
        self.sheet.add(format_args!(
            r#"<rect class="{class}" data-point="{name}" x="{x}" y="{y}" width="{FIELD}" height="{FIELD}" fill="{fill}" opacity="{opacity}"/>"#
        ));
    }

    /// The last move: its points, its way when it turned, and where it took.
    fn last(&mut self, picture: &Picture) {
        let Some(last) = picture.record.moves().last() else { return };
        let (points, taken) = picture.last_points();
        for point in points {
            if self.is_squares() {
                self.square("last", point, LAST, 0.65);
                continue;
            }
            let ((x, y), name) = (self.centre(point), self.grid.name(point));
            self.sheet.add(format_args!(
                r#"<circle class="last" data-point="{name}" cx="{x}" cy="{y}" r="20" fill="{LAST}" opacity=".85"/>"#
            ));
        }
        let corners: Vec<(f32, f32)> = last.way.iter().map(|step| self.centre(step.0)).collect();
        if corners.len() > 2 {
            let path: Vec<String> = corners.iter().map(|(x, y)| format!("{x} {y}")).collect();
            self.sheet.add(format_args!(
                r#"<path class="way" d="M{}" fill="none" stroke="{WAY}" stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round"/>"#,
                path.join(" L"),
            ));
        }
        for point in taken {
            let ((x, y), name) = (self.centre(point), self.grid.name(point));
            self.sheet.add(format_args!(
                r#"<path class="taken" data-point="{name}" d="M{} {} l13 13 m0 -13 l-13 13" stroke="{TAKEN}" stroke-width="3" stroke-linecap="round"/>"#,
                x - 6.5,
                y - 6.5,
            ));
        }
    }

    fn man(&mut self, color: Color, point: Point) {
        let ((x, y), name) = (self.centre(point), self.grid.name(point));
        let (fill, stroke, inner) = paint(color);
        let letter = if color == Color::White { 'P' } else { 'p' };
        self.sheet.add(format_args!(
            r#"<g class="man" data-man="{letter}" data-point="{name}"><circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/><circle cx="{x}" cy="{y}" r="10" fill="none" stroke="{inner}" stroke-width="1.2" opacity=".45"/></g>"#
        ));
    }

    /// The men that a player has yet to place, in a row at his side of the board.
    fn hand(&mut self, color: Color, men: u8) {
        if men == 0 {
            return;
        }
        let (width, height) = self.size;
        let below = (color == Color::White) != self.flip;
        let y = if below { height - self.strip / 2.0 - 2.0 } else { self.strip / 2.0 + 2.0 };
        let (fill, _, _) = paint(color);
        let name = color.name();
        self.sheet.add(format_args!(
            r#"<g class="hand" data-side="{name}" data-men="{men}" fill="{fill}" stroke="{ON_FRAME}" stroke-width="1">"#
        ));
        let step = ((width - 4.0 * EDGE) / f32::from(men)).min(16.0);
        for i in 0..men {
            let x = width / 2.0 + step * (f32::from(i) - f32::from(men - 1) / 2.0);
            self.sheet.add(format_args!(r#"<circle cx="{x:.1}" cy="{y}" r="6"/>"#));
        }
        self.sheet.end_group();
    }

    /// A move of a variation: an arrow for each step, a ring for what comes or goes on one point.
    fn arrows(&mut self, m: &Move, ply: usize, numbered: bool) {
        let color = self.sheet.begin_arrows(&m.text(self.grid), kind(m), ply);
        let mut middle = None;
        if matches!(kind(m), "placing" | "removal") {
            for point in way_points(m) {
                let ((x, y), name) = (self.centre(point), self.grid.name(point));
                self.sheet.add(format_args!(
                    r#"<circle class="ring" data-point="{name}" cx="{x}" cy="{y}" r="18" fill="none" stroke="{color}" stroke-width="4"/>"#
                ));
                middle = middle.or(Some((x + 13.0, y - 13.0)));
            }
        } else {
            // A capture through a loop does not go straight.
            let bend =
                if self.drawing == Drawing::Loops && kind(m) == "capture" { 0.3 } else { 0.0 };
            for pair in m.way.windows(2) {
                let [from, to] = [&pair[0], &pair[1]].map(|step| step.0);
                let ends = [from, to].map(|point| (self.grid.name(point), self.centre(point)));
                let [from, to] = ends;
                let halfway = self.sheet.arrow(from, to, bend, color);
                middle = middle.or(Some(halfway));
            }
        }
        if let Some(middle) = middle.filter(|_| numbered) {
            self.sheet.number(ply, middle, color);
        }
        self.sheet.end_group();
    }
}
