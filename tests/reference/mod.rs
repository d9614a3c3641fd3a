//! The rules a second time: slow, plain, and written from the text of the rules alone.
//!
//! Shares no code and no idea with `src/rules`: a board of 64 letters, every move made by writing
//! letters, every legality by trying. Only the tests use it, to compare the two statements.

#![allow(dead_code)] // each test file uses its part

use usurper::rules::Edition;

/// A winner (`white`, `black`, `draw`) and a reason, by the names that the project prints.
pub type Result = (&'static str, &'static str);

/// A position: FEN letters on squares a1 = 0 … h8 = 63, `.` for an empty one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Board {
    pub edition: Edition,
    pub squares: [char; 64],
    pub white: bool,
    /// Whether the rights `K Q k q` stand.
    pub castling: [bool; 4],
    pub en_passant: Option<usize>,
    pub halfmoves: u32,
    pub fullmove: u32,
}

/// A legal move with the position it leads to.
#[derive(Clone, Debug)]
pub struct Step {
    pub from: usize,
    pub to: usize,
    pub piece: char,
    pub captures: bool,
    pub promotion: Option<char>,
    pub special: Special,
    pub after: Board,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Special {
    None,
    EnPassant,
    Castle,
    Escort { supporter: char, beside: usize },
    Decoy,
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const RIGHTS: [char; 4] = ['K', 'Q', 'k', 'q'];
const JUMPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn all_directions() -> impl Iterator<Item = (i32, i32)> {
    STRAIGHT.into_iter().chain(DIAGONAL)
}

/// The square `n` steps from `square` in a direction, if the board reaches so far.
fn go(square: usize, (files, ranks): (i32, i32), n: i32) -> Option<usize> {
    let file = (square % 8) as i32 + files * n;
    let rank = (square / 8) as i32 + ranks * n;
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

pub fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

fn square(name: &str) -> usize {
    let bytes = name.as_bytes();
    (bytes[0] - b'a') as usize + 8 * (bytes[1] - b'1') as usize
}

fn color_name(white: bool) -> &'static str {
    if white { "white" } else { "black" }
}

impl Board {
    /// Reads a well-formed FEN of six fields.
    pub fn from_fen(edition: Edition, fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut squares = ['.'; 64];
        for (row, text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(gap) => file += gap as usize,
                    None => {
                        squares[(7 - row) * 8 + file] = letter;
                        file += 1;
                    }
                }
            }
        }
        let mut board = Board {
            edition,
            squares,
            white: fields[1] == "w",
            castling: RIGHTS.map(|right| fields[2].contains(right)),
            en_passant: None,
            halfmoves: fields[4].parse().unwrap(),
            fullmove: fields[5].parse().unwrap(),
        };
        board.drop_untrue_castling();
        if fields[3] != "-" {
            board.take_over_en_passant(square(fields[3]));
        }
        board
    }

    pub fn fen(&self) -> String {
        let rows: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                let mut row: String = self.squares[rank * 8..rank * 8 + 8].iter().collect();
                for gap in (1..=8).rev() {
                    row = row.replace(&".".repeat(gap), &gap.to_string());
                }
                row
            })
            .collect();
        let side = if self.white { 'w' } else { 'b' };
        let rights = RIGHTS.iter().zip(self.castling).filter(|&(_, stands)| stands);
        let mut castling: String = rights.map(|(right, _)| right).collect();
        if castling.is_empty() {
            castling.push('-');
        }
        let passed = self.en_passant.map_or("-".to_owned(), name);
        let (half, full) = (self.halfmoves, self.fullmove);
        format!("{} {side} {castling} {passed} {half} {full}", rows.join("/"))
    }

    fn chess(&self) -> bool {
        self.edition == Edition::Chess
    }

    fn is(&self, square: usize, white: bool) -> bool {
        let letter = self.squares[square];
        letter != '.' && letter.is_uppercase() == white
    }

    fn kind(&self, square: usize) -> char {
        self.squares[square].to_ascii_uppercase()
    }

    fn of(white: bool, kind: char) -> char {
        if white { kind } else { kind.to_ascii_lowercase() }
    }

    pub fn king(&self, white: bool) -> Option<usize> {
        self.squares.iter().position(|&letter| letter == Board::of(white, 'K'))
    }

    fn only_kings(&self) -> bool {
        self.squares.iter().all(|letter| ".Kk".contains(*letter))
    }

    /// Whether a piece of that colour attacks the square: look from every piece.
    pub fn attacks(&self, by_white: bool, target: usize) -> bool {
        if self.edition == Edition::Classic && self.only_kings() {
            return false;
        }
        (0..64).any(|from| self.is(from, by_white) && self.reaches(from).contains(&target))
    }

    /// The squares that the piece on `from` attacks, whoever stands there.
    fn reaches(&self, from: usize) -> Vec<usize> {
        let slide = |directions: Vec<(i32, i32)>, furthest: i32| {
            let mut reached = Vec::new();
            for direction in directions {
                for n in 1..=furthest {
                    let Some(to) = go(from, direction, n) else { break };
                    reached.push(to);
                    if self.squares[to] != '.' {
                        break;
                    }
                }
            }
            reached
        };
        match self.kind(from) {
            'P' => {
                let up = if self.squares[from] == 'P' { 1 } else { -1 };
                slide(vec![(-1, up), (1, up)], 1)
            }
            'N' => slide(JUMPS.to_vec(), 1),
            'B' => slide(DIAGONAL.to_vec(), 7),
            'R' => slide(STRAIGHT.to_vec(), 7),
            'Q' => slide(all_directions().collect(), 7),
            _ => slide(all_directions().collect(), 1),
        }
    }

    pub fn king_attacked(&self, white: bool) -> bool {
        self.king(white).is_some_and(|king| self.attacks(!white, king))
    }

    /// Whether a FEN of this position is accepted: one King a colour, at least one King; in chess
    /// both, and the side not to move not in check (unless the game is drawn by dead material).
    pub fn is_acceptable(&self) -> bool {
        let kings = |king| self.squares.iter().filter(|&&letter| letter == king).count();
        match (kings('K'), kings('k')) {
            (1, 1) => {
                !self.chess() || self.insufficient().is_some() || !self.king_attacked(!self.white)
            }
            (1, 0) | (0, 1) => !self.chess(),
            _ => false,
        }
    }

    fn on_goal(&self, white: bool) -> bool {
        self.king(white).is_some_and(|king| king / 8 == if white { 7 } else { 0 })
    }

    /// Capture or conquest, as the board alone shows it.
    pub fn finished(&self) -> Option<Result> {
        if self.chess() {
            return None;
        }
        for white in [true, false] {
            if self.king(white).is_none() {
                return Some((color_name(!white), "capture"));
            }
        }
        let won = |white| Some((color_name(white), "conquest"));
        let safe = |white| self.on_goal(white) && !self.king_attacked(white);
        let (us, them) = (self.white, !self.white);
        match self.edition {
            Edition::CaptureOrConquer if self.on_goal(us) => won(us),
            Edition::CaptureOrConquer if safe(them) => won(them),
            Edition::Classic if safe(them) => won(them),
            Edition::Classic if safe(us) => won(us),
            _ => None,
        }
    }

    fn stuck(&self) -> Option<Result> {
        if !self.steps().is_empty() {
            return None;
        }
        Some(match (self.chess(), self.king_attacked(self.white)) {
            (false, _) => (color_name(!self.white), "no-moves"),
            (true, true) => (color_name(!self.white), "checkmate"),
            (true, false) => ("draw", "stalemate"),
        })
    }

    fn insufficient(&self) -> Option<Result> {
        let men: Vec<usize> =
            (0..64).filter(|&s| self.squares[s] != '.' && self.kind(s) != 'K').collect();
        let shade = |s: usize| (s % 8 + s / 8) % 2;
        let bishops_alike = men.iter().all(|&s| self.kind(s) == 'B' && shade(s) == shade(men[0]));
        let one_knight = men.len() == 1 && self.kind(men[0]) == 'N';
        (bishops_alike || one_knight).then_some(("draw", "insufficient"))
    }

    /// The result of the position alone.
    pub fn result(&self) -> Option<Result> {
        if !self.chess() {
            return self.finished().or_else(|| self.stuck());
        }
        let fifty = (self.halfmoves >= 100).then_some(("draw", "fifty-moves"));
        self.stuck().or_else(|| self.insufficient()).or(fifty)
    }

    /// The position without the clocks, and in Capture or Conquer without what is no part of the
    /// board: what a repeated position is told by.
    fn identity(&self) -> Board {
        let mut same = Board { halfmoves: 0, fullmove: 0, ..*self };
        if !self.chess() {
            same.castling = [false; 4];
            same.en_passant = None;
        }
        same
    }

    /// All legal moves.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.finished().is_some() {
            return steps;
        }
        for from in (0..64).filter(|&s| self.is(s, self.white)) {
            match self.kind(from) {
                'P' => self.pawn_steps(from, &mut steps),
                piece => {
                    for to in self.reaches(from) {
                        let spared = self.edition == Edition::Classic
                            && self.only_kings()
                            && self.squares[to] != '.';
                        if !self.is(to, self.white) && !spared {
                            steps.push(self.step(from, to, None, Special::None));
                        }
                    }
                    if piece == 'K' {
                        self.king_steps(from, &mut steps);
                    }
                }
            }
        }
        if self.chess() {
            steps.retain(|step| !step.after.king_attacked(self.white));
        }
        steps
    }

    fn pawn_steps(&self, from: usize, steps: &mut Vec<Step>) {
        let (up, second, last) = if self.white { (1, 1, 7) } else { (-1, 6, 0) };
        let mut add = |to: usize, special| {
            if to / 8 != last {
                steps.push(self.step(from, to, None, special));
                return;
            }
            for becomes in if self.chess() { "QRBN" } else { "Q" }.chars() {
                steps.push(self.step(from, to, Some(becomes), special));
            }
        };
        let ahead = go(from, (0, up), 1).unwrap();
        if self.squares[ahead] == '.' {
            add(ahead, Special::None);
            if from / 8 == second {
                let two = go(from, (0, up), 2).unwrap();
                if self.squares[two] == '.' {
                    add(two, Special::None);
                }
            }
        }
        for to in self.reaches(from) {
            if self.is(to, !self.white) {
                add(to, Special::None);
            } else if self.en_passant == Some(to) {
                add(to, Special::EnPassant);
            }
        }
    }

    fn king_steps(&self, king: usize, steps: &mut Vec<Step>) {
        if self.edition == Edition::CaptureOrConquer {
            for direction in all_directions() {
                // Escort: the first piece met, at distance two or more, own, sliding along the line.
                let met = (1..8)
                    .map_while(|n| go(king, direction, n).map(|s| (n, s)))
                    .find(|&(_, s)| self.squares[s] != '.');
                let slider = if STRAIGHT.contains(&direction) { 'R' } else { 'B' };
                if let Some((distance, from)) = met
                    && distance >= 2
                    && self.is(from, self.white)
                    && (self.kind(from) == 'Q' || self.kind(from) == slider)
                {
                    let beside = go(king, direction, 1).unwrap();
                    let to = go(king, direction, 2).unwrap();
                    let special = Special::Escort { supporter: self.kind(from), beside };
                    let mut step = self.step(king, to, None, special);
                    if from != to {
                        step.after.squares[from] = '.';
                    }
                    step.after.squares[beside] = self.squares[from];
                    steps.push(step);
                }
                // Decoy: an own pawn next to the King, beyond its own third rank.
                if let Some(pawn) = go(king, direction, 1)
                    && self.squares[pawn] == Board::of(self.white, 'P')
                    && if self.white { pawn / 8 >= 3 } else { pawn / 8 <= 4 }
                {
                    steps.push(self.step(king, pawn, None, Special::Decoy));
                }
            }
            return;
        }
        let home = if self.white { 4 } else { 60 };
        for (right, rook_file, way) in [('K', 7, [5, 6, 6]), ('Q', 0, [3, 2, 1])] {
            let right = Board::of(self.white, right);
            if !RIGHTS.iter().zip(self.castling).any(|(&r, stands)| r == right && stands) {
                continue;
            }
            let row = home - 4;
            assert_eq!((king, self.kind(row + rook_file)), (home, 'R'), "a right without its men");
            if way.iter().any(|file| self.squares[row + file] != '.') {
                continue;
            }
            // In chess neither out of attack, nor through it, nor into it.
            let crossed = [4, way[0], way[1]];
            if self.chess() && crossed.iter().any(|file| self.attacks(!self.white, row + file)) {
                continue;
            }
            steps.push(self.step(king, row + way[1], None, Special::Castle));
        }
    }

    /// Makes a move by writing letters; an Escort's supporter is the caller's to move.
    fn step(&self, from: usize, to: usize, promotion: Option<char>, special: Special) -> Step {
        let mut after = *self;
        let letter = self.squares[from];
        let captures = special == Special::EnPassant || self.is(to, !self.white);
        after.squares[from] = '.';
        after.squares[to] = promotion.map_or(letter, |kind| Board::of(self.white, kind));
        match special {
            Special::None | Special::Escort { .. } => {}
            Special::EnPassant => after.squares[from / 8 * 8 + to % 8] = '.',
            Special::Castle => {
                let (corner, beside) =
                    if to % 8 == 6 { (to + 1, to - 1) } else { (to - 2, to + 1) };
                after.squares.swap(corner, beside);
            }
            Special::Decoy => after.squares[from] = self.squares[to],
        }
        after.white = !self.white;
        after.en_passant = None;
        let pawn_moves = self.kind(from) == 'P';
        after.halfmoves = if captures || pawn_moves { 0 } else { self.halfmoves + 1 };
        after.fullmove += u32::from(!self.white);
        after.drop_untrue_castling();
        if pawn_moves && from.abs_diff(to) == 16 {
            after.take_over_en_passant((from + to) / 2);
        }
        Step { from, to, piece: self.kind(from), captures, promotion, special, after }
    }

    /// A right goes for good with the King or the Rook leaving home, or the Rook being taken.
    fn drop_untrue_castling(&mut self) {
        let is_home = [(4, 7, 'K', 'R'), (4, 0, 'K', 'R'), (60, 63, 'k', 'r'), (60, 56, 'k', 'r')]
            .map(|(e, corner, king, rook)| self.squares[e] == king && self.squares[corner] == rook);
        for (stands, is_home) in self.castling.iter_mut().zip(is_home) {
            *stands &= is_home && self.edition != Edition::CaptureOrConquer;
        }
    }

    /// Sets the en passant square if it can be true and a pawn can capture there by a legal move.
    fn take_over_en_passant(&mut self, passed: usize) {
        let (third, back, ahead) = if self.white { (5, 8, -8) } else { (2, -8, 8) };
        let beyond = (passed as i32 + back) as usize; // the pawn's origin, off the board if wrong
        let pawn = (passed as i32 + ahead) as usize;
        let believable = passed / 8 == third
            && self.squares[passed] == '.'
            && self.squares[beyond] == '.'
            && self.squares[pawn] == Board::of(!self.white, 'P');
        if !believable {
            return;
        }
        self.en_passant = Some(passed);
        let probe = Board { castling: [false; 4], ..*self };
        let capturable = (0..64).any(|from| {
            self.squares[from] == Board::of(self.white, 'P')
                && self.reaches(from).contains(&passed)
                && {
                    let after = probe.step(from, passed, None, Special::EnPassant).after;
                    !self.chess() || !after.king_attacked(self.white)
                }
        });
        if !capturable {
            self.en_passant = None;
        }
    }
}

impl Step {
    /// The move in coordinates.
    pub fn coordinates(&self) -> String {
        let becomes = self.promotion.map(|kind| kind.to_ascii_lowercase());
        format!(
            "{}{}{}",
            name(self.from),
            name(self.to),
            becomes.map_or(String::new(), String::from)
        )
    }

    /// The move in standard algebraic notation: the shortest origin that no other legal move shares.
    pub fn san(&self, all: &[Step]) -> String {
        let to = name(self.to);
        match self.special {
            Special::Castle if self.to % 8 == 6 => return self.with_check("O-O".to_owned()),
            Special::Castle => return self.with_check("O-O-O".to_owned()),
            Special::Escort { supporter, beside } => {
                return format!("E{supporter}{}", name(beside));
            }
            Special::Decoy => return format!("D{to}"),
            _ => {}
        }
        let takes = if self.captures { "x" } else { "" };
        let from = name(self.from);
        if self.piece == 'P' {
            let origin = if self.captures { &from[..1] } else { "" };
            let becomes = self.promotion.map_or(String::new(), |kind| format!("={kind}"));
            return self.with_check(format!("{origin}{takes}{to}{becomes}"));
        }
        let rivals: Vec<String> = all
            .iter()
            .filter(|s| s.piece == self.piece && s.to == self.to && s.from != self.from)
            .filter(|s| s.special == Special::None)
            .map(|s| name(s.from))
            .collect();
        let origin = ["", &from[..1], &from[1..], &from]
            .into_iter()
            .find(|origin| rivals.iter().all(|rival| !rival.contains(*origin)))
            .unwrap();
        self.with_check(format!("{}{origin}{takes}{to}", self.piece))
    }

    fn with_check(&self, text: String) -> String {
        let after = &self.after;
        if !after.chess() || !after.king_attacked(after.white) {
            return text;
        }
        text + if after.steps().is_empty() { "#" } else { "+" }
    }
}

/// A game with its history.
#[derive(Clone, Debug)]
pub struct Game {
    pub board: Board,
    stood: Vec<Board>,
    pub result: Option<Result>,
}

impl Game {
    pub fn new(board: Board) -> Game {
        Game { stood: vec![board.identity()], result: board.result(), board }
    }

    /// How often the current position has stood.
    pub fn repetitions(&self) -> usize {
        self.times(&self.board)
    }

    fn times(&self, board: &Board) -> usize {
        let identity = board.identity();
        self.stood.iter().filter(|&stood| *stood == identity).count()
    }

    /// The result that a legal move brings.
    pub fn result_after(&self, step: &Step) -> Option<Result> {
        let (before, after) = (&self.board, &step.after);
        let mover = before.white;
        let third = self.times(after) >= 2;
        if before.chess() {
            let repetition = third.then_some(("draw", "repetition"));
            let fifty = (after.halfmoves >= 100).then_some(("draw", "fifty-moves"));
            return after.stuck().or_else(|| after.insufficient()).or(repetition).or(fifty);
        }
        if after.king(!mover).is_none() {
            return Some((color_name(mover), "capture"));
        }
        let safe = |white| after.on_goal(white) && !after.king_attacked(white);
        if before.edition == Edition::CaptureOrConquer {
            if before.on_goal(!mover) {
                return Some((color_name(!mover), "conquest")); // the ultimatum is upheld
            }
            if safe(mover) {
                return Some((color_name(mover), "conquest"));
            }
        } else {
            for white in [mover, !mover] {
                if safe(white) {
                    return Some((color_name(white), "conquest"));
                }
            }
        }
        if third {
            let forced = before.edition == Edition::CaptureOrConquer
                && (before.king_attacked(mover) || before.steps().len() == 1);
            return Some((color_name(mover == forced), "repetition"));
        }
        after.stuck()
    }

    pub fn play(&mut self, step: &Step) {
        self.result = self.result_after(step);
        self.board = step.after;
        self.stood.push(self.board.identity());
    }
}
