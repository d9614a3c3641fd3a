//! Random numbers, a player who plays by chance and little sense, and positions that nobody would play to, for the tests.

#![allow(dead_code)] // each test file uses its part

use usurper::board::PieceKind;
use usurper::rules::{Edition, Move, Position};

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True in `percent` cases out of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The FEN of a position with pieces thrown on the board: few or many, Kings near their goals,
/// a crowd of Queens, both Kings at one end of the board, Rooks at home with castling rights, pawns that have just passed one another,
/// now and then a King missing. Kings are one a colour at most; whether the edition accepts the
/// position is the reader's to say.
pub fn thrown_position(random: &mut Random, edition: Edition) -> String {
    let mut squares = ['.'; 64];
    let style = random.below(6);
    let one_end = random.chance(50);
    let mut castling = "-";
    for king in ['K', 'k'] {
        let missing = edition != Edition::Chess && random.chance(2);
        if missing {
            continue;
        }
        let near_goal = random.chance(40);
        loop {
            let rank = if near_goal { 5 + random.below(3) } else { random.below(8) };
            let rank = match style {
                // Both Kings at one end of the board.
                5 => (if one_end { 5 } else { 0 }) + random.below(3),
                _ if king == 'K' => rank,
                _ => 7 - rank,
            };
            let square = rank * 8 + random.below(8);
            if squares[square] == '.' {
                squares[square] = king;
                break;
            }
        }
    }
    if style == 3 {
        // Kings and Rooks at home.
        squares = squares.map(|letter| if "Kk".contains(letter) { '.' } else { letter });
        for (rank, men) in [(0, ['R', 'K', 'R']), (7, ['r', 'k', 'r'])] {
            for (file, man) in [0, 4, 7].into_iter().zip(men) {
                squares[rank * 8 + file] = man;
            }
        }
        castling = random.pick(&["KQkq", "Kq", "Qk", "KQ", "kq", "-"]);
    }
    let (men, letters) = match style {
        0 => (random.below(6), "PPpNnBbRrQq"),
        1 => (6 + random.below(12), "PPPpppNnBbRrQq"),
        2 => (20 + random.below(42), "PPPPppppNnBbRrQq"),
        3 => (random.below(20), "PPPPppppNnBb"),
        5 => (1 + random.below(3), "PPpnNNbBrRqQ"),
        _ => (4 + random.below(30), "QqQqRB"),
    };
    let letters: Vec<char> = letters.chars().collect();
    for _ in 0..men {
        let square = random.below(64);
        let letter = random.pick(&letters);
        let edge = matches!(square / 8, 0 | 7) && "Pp".contains(letter);
        if squares[square] == '.' && !edge {
            squares[square] = letter;
        }
    }
    let white = random.chance(50);
    let mut passed = "-".to_owned();
    if random.chance(25) {
        // A pawn that may just have passed an enemy pawn; the square may well be untrue.
        let file = random.below(8);
        let (rank, own, enemy) = if white { (4, 'p', 'P') } else { (3, 'P', 'p') };
        let beside = if file > 0 { file - 1 } else { file + 1 };
        for (file, letter) in [(file, own), (beside, enemy)] {
            let at = rank * 8 + file;
            if !"Kk".contains(squares[at]) {
                squares[at] = letter;
            }
        }
        passed = format!("{}{}", (b'a' + file as u8) as char, if white { 6 } else { 3 });
    }
    let side = if white { 'w' } else { 'b' };
    let (half, full) = (random.below(110), 1 + random.below(200));
    format!("{} {side} {castling} {passed} {half} {full}", placement(|square| squares[square]))
}

/// The first field of a FEN, from the letter (`.` for none) on each square a1 = 0 … h8 = 63.
pub fn placement(letter: impl Fn(usize) -> char) -> String {
    let row = |rank: usize| {
        let mut text = String::new();
        let mut gap = 0;
        for square in rank * 8..rank * 8 + 8 {
            match letter(square) {
                '.' => gap += 1,
                letter => {
                    if gap > 0 {
                        text.push_str(&gap.to_string());
                    }
                    gap = 0;
                    text.push(letter);
                }
            }
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        text
    };
    (0..8).rev().map(row).collect::<Vec<_>>().join("/")
}

fn value(kind: PieceKind) -> i32 {
    [100, 300, 320, 500, 900, 0][kind.index()]
}

/// A move that takes what is to be had, leaves little to be taken, does not lose at once and likes
/// its King to advance; with a good deal of chance.
pub fn crude_move(random: &mut Random, position: &Position) -> Move {
    let score = |random: &mut Random, m: Move| {
        let gain = position.captured(m).map_or(0, value);
        let promotion = if m.promotion().is_some() { 800 } else { 0 };
        let after = position.play(m);
        if after.finished().is_some() {
            return random.below(600) as i32; // so that not every game ends where it could
        }
        if after.winning_move().is_some() {
            return -5000;
        }
        let hanging = after.noisy_moves().into_iter().filter_map(|reply| {
            let back = after.play(reply).attackers_of(
                position.side_to_move(),
                reply.to(),
                after.occupied(),
            );
            let loss = if back.has_any() { value(after.moved(reply)) } else { 0 };
            after.captured(reply).map(|kind| value(kind) - loss)
        });
        let hanging = hanging.max().unwrap_or(0).max(0);
        let advance = if position.moved(m) == PieceKind::King { 40 } else { 0 };
        gain + promotion - hanging + advance + random.below(120) as i32
    };
    let moves = position.legal_moves();
    let scored = moves.into_iter().map(|m| (score(random, m), m));
    scored.max_by_key(|&(score, _)| score).map(|(_, m)| m).expect("the game goes on")
}
