//! The rules of the five board games a second time: slow, plain, and written from the text of the rules alone.
//!
//! Shares no code and no idea with `src/games`: letters in rows, every move made by writing letters. Only the tests use it, to
//! compare the two statements.

#![allow(dead_code)] // each test file uses its part

pub mod endings;

/// A winner (`white`, `black`, `draw`) and a reason, by the names that the project prints.
pub type Verdict = (&'static str, &'static str);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Alquerque,
    Konane,
    Fanorona,
    Seega,
    Surakarta,
}

pub const KINDS: [Kind; 5] =
    [Kind::Alquerque, Kind::Konane, Kind::Fanorona, Kind::Seega, Kind::Surakarta];

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Alquerque => "alquerque",
            Kind::Konane => "konane",
            Kind::Fanorona => "fanorona",
            Kind::Seega => "seega",
            Kind::Surakarta => "surakarta",
        }
    }

    pub const fn start(self) -> &'static str {
        match self {
            Kind::Alquerque => "ppppp/ppppp/pp1PP/PPPPP/PPPPP w - 0 1",
            Kind::Konane => {
                "PpPpPpPp/pPpPpPpP/PpPpPpPp/pPpPpPpP/PpPpPpPp/pPpPpPpP/PpPpPpPp/pPpPpPpP b - 0 1"
            }
            Kind::Fanorona => "ppppppppp/ppppppppp/pPpP1pPpP/PPPPPPPPP/PPPPPPPPP w - 0 1",
            Kind::Seega => "5/5/5/5/5 w 12,12 0 1",
            Kind::Surakarta => "pppppp/pppppp/6/6/PPPPPP/PPPPPP w - 0 1",
        }
    }

    /// Plies without a capture that end the game.
    const fn limit(self) -> Option<u32> {
        match self {
            Kind::Alquerque => Some(80),
            Kind::Konane => None,
            Kind::Fanorona | Kind::Seega | Kind::Surakarta => Some(120),
        }
    }
}

/// A file and a rank, from 0.
type Place = (i32, i32);

/// A position: `P`, `p` or `.` at each rank and file, a1 first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub kind: Kind,
    pub files: i32,
    pub ranks: i32,
    cells: [[u8; 9]; 9],
    pub white: bool,
    /// Stones to place, White's and Black's.
    pub hand: [u32; 2],
    pub count: u32,
    pub number: u32,
}

/// A move: how it is written and what it leads to.
#[derive(Clone, Debug)]
pub struct Step {
    pub text: String,
    pub after: Board,
}

const STRAIGHT: [Place; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const ALL: [Place; 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

pub fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn place(name: &str) -> Place {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

const fn color_name(white: bool) -> &'static str {
    if white { "white" } else { "black" }
}

/// The tracks of Surakarta, each a closed way of four lines of six points with a loop between one line and the next: from b1
/// up to b6, by the loop at the top left to a5, right to f5, by the loop to e6, down to e1, to f2, left to a2, and to b1 again; and
/// so on the lines c, 4, d and 3.
fn tracks() -> [Vec<Place>; 2] {
    [1, 2].map(|near| {
        let far = 5 - near;
        let up = (0..6).map(|i| (near, i));
        let right = (0..6).map(|i| (i, far));
        let down = (0..6).rev().map(|i| (far, i));
        let left = (0..6).rev().map(|i| (i, near));
        up.chain(right).chain(down).chain(left).collect()
    })
}

impl Board {
    /// Reads a well-formed FEN of five fields.
    pub fn from_fen(kind: Kind, fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let rows: Vec<&str> = fields[0].split('/').rev().collect();
        let mut cells = [[b'.'; 9]; 9];
        let mut files = 0;
        for (rank, row) in rows.iter().enumerate() {
            let mut file = 0;
            for letter in row.bytes() {
                if letter.is_ascii_digit() {
                    file += usize::from(letter - b'0');
                } else {
                    cells[rank][file] = letter;
                    file += 1;
                }
            }
            files = file as i32;
        }
        let number = |text: &str| text.parse().expect("a number");
        let hand = fields[2].split_once(',').map_or([0, 0], |(w, b)| [number(w), number(b)]);
        let (count, moves) = (number(fields[3]), number(fields[4]));
        let (white, ranks) = (fields[1] == "w", rows.len() as i32);
        Board { kind, files, ranks, cells, white, hand, count, number: moves }
    }

    /// An empty board with White to move.
    pub fn empty(kind: Kind, files: i32, ranks: i32) -> Board {
        let cells = [[b'.'; 9]; 9];
        Board { kind, files, ranks, cells, white: true, hand: [0; 2], count: 0, number: 1 }
    }

    pub fn fen(&self) -> String {
        format!("{} {} {}", self.standing(), self.count, self.number)
    }

    /// What a repetition compares: the first three fields.
    pub fn standing(&self) -> String {
        let row = |rank: i32| {
            let mut text = String::new();
            for file in 0..self.files {
                let gap = text.bytes().last().filter(u8::is_ascii_digit);
                match (self.get((file, rank)), gap) {
                    (b'.', Some(gap)) => {
                        text.pop();
                        text.push((gap + 1) as char);
                    }
                    (b'.', None) => text.push('1'),
                    (man, _) => text.push(man as char),
                }
            }
            text
        };
        let rows: Vec<String> = (0..self.ranks).rev().map(row).collect();
        let hand = match self.hand {
            [0, 0] => "-".to_owned(),
            [white, black] => format!("{white},{black}"),
        };
        format!("{} {} {hand}", rows.join("/"), if self.white { 'w' } else { 'b' })
    }

    /// What stands at a place; a space beyond the edge.
    pub fn get(&self, (file, rank): Place) -> u8 {
        let inside = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        if inside { self.cells[rank as usize][file as usize] } else { b' ' }
    }

    pub fn set(&mut self, (file, rank): Place, man: u8) {
        self.cells[rank as usize][file as usize] = man;
    }

    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (files, ranks) = (self.files, self.ranks);
        (0..ranks).flat_map(move |rank| (0..files).map(move |file| (file, rank)))
    }

    pub fn men(&self, white: bool) -> Vec<Place> {
        self.places().filter(|&at| self.get(at) == man(white)).collect()
    }

    fn own(&self) -> u8 {
        man(self.white)
    }

    fn enemy(&self) -> u8 {
        man(!self.white)
    }

    /// The directions of the lines through a point.
    fn lines(&self, (file, rank): Place) -> &'static [Place] {
        match self.kind {
            Kind::Konane | Kind::Seega => &STRAIGHT,
            Kind::Surakarta => &ALL,
            // File number plus rank number, both from 1.
            Kind::Alquerque | Kind::Fanorona if (file + 1 + rank + 1) % 2 == 0 => &ALL,
            Kind::Alquerque | Kind::Fanorona => &STRAIGHT,
        }
    }

    /// The other side's turn; `counts` says whether the ply adds to the count or sets it to nothing.
    fn turn(mut self, counts: bool) -> Board {
        self.count = if counts { self.count + 1 } else { 0 };
        if !self.white {
            self.number += 1;
        }
        self.white = !self.white;
        self
    }

    /// Steps of all men to the empty points beside them.
    fn slides(&self) -> Vec<(Place, Place)> {
        let mut slides = Vec::new();
        for from in self.men(self.white) {
            for &way in self.lines(from) {
                if self.get(go(from, way)) == b'.' {
                    slides.push((from, go(from, way)));
                }
            }
        }
        slides
    }

    fn slid(&self, from: Place, to: Place) -> Board {
        let mut after = *self;
        after.set(from, b'.');
        after.set(to, self.own());
        after
    }

    fn plain_steps(&self) -> Vec<Step> {
        let step = |(from, to): (Place, Place)| Step {
            text: name(from) + &name(to),
            after: self.slid(from, to).turn(true),
        };
        self.slides().into_iter().map(step).collect()
    }

    /// All legal moves, as if the game went on.
    fn moves(&self) -> Vec<Step> {
        match self.kind {
            Kind::Alquerque => {
                let mut steps = Vec::new();
                for from in self.men(self.white) {
                    self.jump_on(from, name(from), true, &mut steps);
                }
                if steps.is_empty() { self.plain_steps() } else { steps }
            }
            Kind::Fanorona => {
                let mut steps = Vec::new();
                for from in self.men(self.white) {
                    self.take_on(&[from], name(from), &mut steps);
                }
                if steps.is_empty() { self.plain_steps() } else { steps }
            }
            Kind::Konane => self.konane(),
            Kind::Seega => self.seega(),
            Kind::Surakarta => {
                let mut steps = self.plain_steps();
                steps.extend(self.runs());
                steps
            }
        }
    }

    /// Alquerque: goes on jumping from `at` until no jump is left.
    fn jump_on(&self, at: Place, text: String, first: bool, steps: &mut Vec<Step>) {
        let mut ended = true;
        for &way in self.lines(at) {
            let (over, to) = (go(at, way), go(go(at, way), way));
            if self.get(over) == self.enemy() && self.get(to) == b'.' {
                ended = false;
                let mut after = self.slid(at, to);
                after.set(over, b'.');
                after.jump_on(to, text.clone() + &name(to), false, steps);
            }
        }
        if ended && !first {
            steps.push(Step { text, after: self.turn(false) });
        }
    }

    /// Fanorona: goes on taking with the man that has stood on these points in this turn.
    fn take_on(&self, stood: &[Place], text: String, steps: &mut Vec<Step>) {
        let at = stood[stood.len() - 1];
        for &way in self.lines(at) {
            let to = go(at, way);
            let same_way = stood.len() > 1 && go(stood[stood.len() - 2], way) == at;
            if self.get(to) != b'.' || stood.contains(&to) || same_way {
                continue;
            }
            let back = (-way.0, -way.1);
            for (sign, first, way) in [('+', go(to, way), way), ('-', go(at, back), back)] {
                if self.get(first) != self.enemy() {
                    continue;
                }
                let mut after = self.slid(at, to);
                let mut next = first;
                while self.get(next) == self.enemy() {
                    after.set(next, b'.');
                    next = go(next, way);
                }
                let text = format!("{text}{}{sign}", name(to));
                steps.push(Step { text: text.clone(), after: after.turn(false) });
                after.take_on(&[stood, &[to]].concat(), text, steps);
            }
        }
    }

    fn konane(&self) -> Vec<Step> {
        let gaps: Vec<Place> = self.places().filter(|&at| self.get(at) == b'.').collect();
        let removal = |at: Place| {
            let mut after = *self;
            after.set(at, b'.');
            Step { text: name(at), after: after.turn(false) }
        };
        if gaps.is_empty() && !self.white {
            let half = self.files / 2;
            let all = [0, half - 1, half, self.files - 1];
            return all.into_iter().map(|i| removal((i, i))).collect();
        }
        if gaps.len() == 1 && self.white {
            let beside = STRAIGHT.into_iter().map(|way| go(gaps[0], way));
            return beside.filter(|&at| self.get(at) == b'P').map(removal).collect();
        }
        let mut steps = Vec::new();
        for from in self.men(self.white) {
            for way in STRAIGHT {
                let (mut board, mut at) = (*self, from);
                loop {
                    let (over, to) = (go(at, way), go(go(at, way), way));
                    if board.get(over) != board.enemy() || board.get(to) != b'.' {
                        break;
                    }
                    board = board.slid(at, to);
                    board.set(over, b'.');
                    at = to;
                    steps.push(Step { text: name(from) + &name(at), after: board.turn(false) });
                }
            }
        }
        steps
    }

    fn seega(&self) -> Vec<Step> {
        let own = usize::from(!self.white);
        if self.hand[own] > 0 {
            let mut free: Vec<String> = self
                .places()
                .filter(|&at| self.get(at) == b'.' && at != (2, 2))
                .map(name)
                .collect();
            free.sort();
            let mut steps = Vec::new();
            for (i, first) in free.iter().enumerate() {
                for second in &free[i + 1..] {
                    let mut after = *self;
                    after.set(place(first), self.own());
                    after.set(place(second), self.own());
                    after.hand[own] -= 2;
                    let text = format!("@{first}@{second}");
                    steps.push(Step { text, after: after.turn(false) });
                }
            }
            return steps;
        }
        let mut steps = Vec::new();
        for (from, to) in self.slides() {
            let mut after = self.slid(from, to);
            let before = after;
            for way in STRAIGHT {
                let beside = go(to, way);
                let between =
                    before.get(beside) == self.enemy() && before.get(go(beside, way)) == self.own();
                if between && beside != (2, 2) {
                    after.set(beside, b'.');
                }
            }
            let counts = after == before;
            steps.push(Step { text: name(from) + &name(to), after: after.turn(counts) });
        }
        if steps.is_empty() {
            steps.push(Step { text: "pass".to_owned(), after: self.turn(true) });
        }
        steps
    }

    /// Surakarta: captures through the loops.
    fn runs(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for track in tracks() {
            for (start, &from) in track.iter().enumerate() {
                if self.get(from) != self.own() {
                    continue;
                }
                for onward in [true, false] {
                    let (mut at, mut loops) = (start, 0);
                    let met = (0..23).find_map(|_| {
                        let next = if onward { (at + 1) % 24 } else { (at + 23) % 24 };
                        loops += usize::from(at / 6 != next / 6);
                        at = next;
                        let man = self.get(track[at]);
                        (man != b'.' && track[at] != from).then_some(man)
                    });
                    let text = name(from) + &name(track[at]);
                    let known = steps.iter().any(|step| step.text == text);
                    if met == Some(self.enemy()) && loops > 0 && !known {
                        steps.push(Step { text, after: self.slid(from, track[at]).turn(false) });
                    }
                }
            }
        }
        steps
    }

    /// What the board shows.
    pub fn verdict(&self) -> Option<Verdict> {
        let men = [true, false].map(|white| self.men(white).len());
        let placing = self.hand != [0, 0];
        let needed = match self.kind {
            Kind::Konane => 0,
            Kind::Seega if placing => 0,
            Kind::Seega => 2,
            _ => 1,
        };
        for (white, men) in [(true, men[0]), (false, men[1])] {
            if men < needed {
                return Some((color_name(!white), "elimination"));
            }
        }
        if self.kind == Kind::Seega {
            let mut other = *self;
            other.white = !self.white;
            if placing || !self.slides().is_empty() || !other.slides().is_empty() {
                return None;
            }
            let winner = match men[0].cmp(&men[1]) {
                std::cmp::Ordering::Greater => "white",
                std::cmp::Ordering::Less => "black",
                std::cmp::Ordering::Equal => "draw",
            };
            return Some((winner, "blocked"));
        }
        self.moves().is_empty().then_some((color_name(!self.white), "no-moves"))
    }

    /// The moves; none when the board shows that the game is over.
    pub fn steps(&self) -> Vec<Step> {
        if self.verdict().is_some() { Vec::new() } else { self.moves() }
    }
}

const fn man(white: bool) -> u8 {
    if white { b'P' } else { b'p' }
}

fn go((file, rank): Place, (files, ranks): Place) -> Place {
    (file + files, rank + ranks)
}

/// A game with its history.
#[derive(Clone, Debug)]
pub struct Game {
    pub board: Board,
    stood: Vec<String>,
    pub verdict: Option<Verdict>,
}

impl Game {
    pub fn new(board: Board) -> Game {
        Game { board, stood: vec![board.standing()], verdict: board.verdict() }
    }

    /// How often the current position has stood.
    pub fn repetitions(&self) -> usize {
        let now = self.board.standing();
        self.stood.iter().filter(|standing| **standing == now).count()
    }

    /// The result that a move would bring.
    pub fn verdict_after(&self, step: &Step) -> Option<Verdict> {
        let mut after = self.clone();
        after.play(step);
        after.verdict
    }

    pub fn play(&mut self, step: &Step) {
        self.board = step.after;
        self.stood.push(self.board.standing());
        let at_limit = self.board.kind.limit().is_some_and(|limit| self.board.count >= limit);
        self.verdict = match self.board.verdict() {
            Some(shown) => Some(shown),
            None if self.repetitions() >= 3 => Some(("draw", "repetition")),
            None if at_limit => Some(("draw", "no-progress")),
            None => None,
        };
    }
}
