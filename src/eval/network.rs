//! A network: its weights, its file, and what it says of a position when asked without memory.
//!
//! Uses `board` and `rules`. The shape is 768 → hidden (twice: once as each player sees the board) → 1. An input is a
//! piece of a kind and a player on a square; a hidden unit is the sum of its inputs' weights and its bias, clipped
//! to [0, 1] and squared (SCReLU); the output weighs the units, those of the side to move first. Weights are whole
//! numbers: 1 in the hidden layer is [`QA`], 1 in the output's weights is [`QB`]. `nnue` keeps the hidden layer from
//! one position to the next and must say the same as [`Network::evaluate`].
//!
//! The file, all numbers little-endian: `UNET`, the version (1), the base (0 none, 1 the hand-made evaluation, to which
//! the network then adds), the hidden units (2 bytes), the scale (2 bytes: centipawns for an output of 1), the length of
//! the description (2 bytes) and the description (UTF-8: how the network was made); the weights of 2 bytes each: 768 rows of
//! hidden, the hidden biases, the output's weights for the side to move and for the other; the output's bias (4 bytes, in units of
//! 1 / (QA · QB)); the CRC-32 of all before.

use crate::board::{Color, PieceKind, Square};
use crate::rules::Position;

use super::LIMIT;

/// Inputs: two players, six kinds of pieces, 64 squares.
pub const INPUTS: usize = 768;
/// What 1 is in the hidden layer.
pub const QA: i32 = 255;
/// What 1 is in the output's weights.
pub const QB: i32 = 64;
/// The units are a multiple of this, so that the processor can take so many at a time.
pub const LANES: usize = 16;
/// The largest hidden layer.
pub const MOST_HIDDEN: usize = 2_048;
/// The output's weights are no further from zero: their product with a clipped unit then fits 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

const MAGIC: [u8; 4] = *b"UNET";
const VERSION: u8 = 1;

/// What a network's output is added to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// Nothing.
    Nothing,
    /// The hand-made evaluation.
    HandMade,
}

/// The weights of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// What its output is added to.
    pub base: Base,
    /// Centipawns for an output of 1.
    pub scale: u16,
    /// How it was made, for people.
    pub description: String,
    /// [`INPUTS`] rows of hidden weights.
    pub features: Vec<i16>,
    /// One a hidden unit.
    pub bias: Vec<i16>,
    /// One a hidden unit, as the side to move sees the board, then as the other does; within ±[`OUTPUT_LIMIT`].
    pub output: Vec<i16>,
    /// In units of 1 / ([`QA`] · [`QB`]).
    pub output_bias: i32,
}

/// What can be wrong with a network's file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// It is something else.
    #[error("not a network's file")]
    Foreign,
    /// It is of another version.
    #[error("a network's file of version {0}, not {VERSION}")]
    Version(u8),
    /// It is too short or too long for what it says it holds.
    #[error("{found} bytes where {wanted} belong")]
    Length {
        /// Its bytes.
        found: usize,
        /// What its header asks for.
        wanted: usize,
    },
    /// Bytes were changed.
    #[error("damaged: its checksum is wrong")]
    Damaged,
    /// A number in it cannot be.
    #[error("its {0} cannot be")]
    Impossible(&'static str),
}

/// The input of a piece as a player sees the board: his own pieces first, his own side below.
#[inline]
pub fn input(viewer: Color, color: Color, kind: PieceKind, square: Square) -> usize {
    let flip = match viewer {
        Color::White => 0,
        Color::Black => 56,
    };
    usize::from(color != viewer) * 384 + kind as usize * 64 + (square.index() ^ flip)
}

/// Whether networks may have so many hidden units.
pub const fn is_hidden_size(hidden: usize) -> bool {
    hidden > 0 && hidden <= MOST_HIDDEN && hidden.is_multiple_of(LANES)
}

impl Network {
    /// The number of hidden units.
    pub fn hidden(&self) -> usize {
        self.bias.len()
    }

    /// The weights of an input.
    #[inline]
    pub fn row(&self, input: usize) -> &[i16] {
        let hidden = self.hidden();
        &self.features[input * hidden..][..hidden]
    }

    /// What the network says of a position, in centipawns for the side to move, without its base; within ±[`LIMIT`].
    pub fn evaluate(&self, position: &Position) -> i32 {
        let units = Color::ALL.map(|viewer| {
            let mut units = self.bias.clone();
            for square in position.occupied() {
                if let Some((color, kind)) = position.piece_at(square) {
                    let row = self.row(input(viewer, color, kind, square));
                    units
                        .iter_mut()
                        .zip(row)
                        .for_each(|(unit, &weight)| *unit = unit.wrapping_add(weight));
                }
            }
            units
        });
        let side = position.side_to_move();
        self.output(&units[side.index()], &units[(!side).index()])
    }

    /// The output for hidden layers as the side to move and as the other see the board; as [`Network::evaluate`].
    #[inline]
    pub fn output(&self, ours: &[i16], theirs: &[i16]) -> i32 {
        let (for_ours, for_theirs) = self.output.split_at(self.hidden());
        let sum = squares(ours, for_ours) + squares(theirs, for_theirs);
        let output = sum / i64::from(QA) + i64::from(self.output_bias);
        let value = output * i64::from(self.scale) / i64::from(QA * QB);
        value.clamp(i64::from(-LIMIT), i64::from(LIMIT)) as i32
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.description.as_bytes();
        let text = &text[..text.len().min(usize::from(u16::MAX))];
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        bytes.push(u8::from(self.base == Base::HandMade));
        bytes.extend((self.hidden() as u16).to_le_bytes());
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text);
        for weight in self.features.iter().chain(&self.bias).chain(&self.output) {
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(self.output_bias.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a network's file.
    ///
    /// # Errors
    /// When it is none, of another version, damaged, or holds what cannot be.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        const HEADER: usize = 12;
        let (header, rest) = bytes.split_first_chunk::<HEADER>().ok_or(NetworkError::Foreign)?;
        let [m0, m1, m2, m3, version, base, h0, h1, s0, s1, t0, t1] = *header;
        if [m0, m1, m2, m3] != MAGIC {
            return Err(NetworkError::Foreign);
        }
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let [hidden, scale, text] = [[h0, h1], [s0, s1], [t0, t1]].map(u16::from_le_bytes);
        let [hidden, text] = [hidden, text].map(usize::from);
        let wanted = HEADER + text + 2 * (INPUTS + 3) * hidden + 8;
        if bytes.len() != wanted {
            return Err(NetworkError::Length { found: bytes.len(), wanted });
        }
        let Some((body, checksum)) = bytes.split_last_chunk::<4>() else {
            return Err(NetworkError::Foreign);
        };
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(NetworkError::Damaged);
        }
        if !is_hidden_size(hidden) {
            return Err(NetworkError::Impossible("number of hidden units"));
        }
        let base = match base {
            0 => Base::Nothing,
            1 => Base::HandMade,
            _ => return Err(NetworkError::Impossible("base")),
        };
        let (description, rest) = rest.split_at(text);
        let description = std::str::from_utf8(description)
            .map_err(|_| NetworkError::Impossible("description"))?
            .to_owned();
        let (weights, tail) = rest.split_at(2 * (INPUTS + 3) * hidden);
        let mut weights = weights.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let features: Vec<i16> = weights.by_ref().take(INPUTS * hidden).collect();
        let bias: Vec<i16> = weights.by_ref().take(hidden).collect();
        let output: Vec<i16> = weights.collect();
        let output_bias = i32::from_le_bytes(*tail.first_chunk().ok_or(NetworkError::Foreign)?);
        if output.iter().any(|weight| !(-OUTPUT_LIMIT..=OUTPUT_LIMIT).contains(weight)) {
            return Err(NetworkError::Impossible("output's weights"));
        }
        let network = Network { base, scale, description, features, bias, output, output_bias };
        if !network.fits() {
            return Err(NetworkError::Impossible("hidden weights"));
        }
        Ok(network)
    }

    /// Whether no board of 64 pieces can push a hidden unit out of 16 bits.
    fn fits(&self) -> bool {
        let hidden = self.hidden();
        (0..hidden).all(|unit| {
            let most = |square: usize| {
                let weights = (0..12).map(|kind| self.row(kind * 64 + square)[unit]);
                weights.map(|weight| i32::from(weight).abs()).max().unwrap_or(0)
            };
            let sum: i32 = (0..64).map(most).sum();
            sum + i32::from(self.bias[unit]).abs() <= i32::from(i16::MAX)
        })
    }
}

/// The clipped units, squared and weighed, summed; in units of 1 / (QA² · QB).
#[inline]
fn squares(units: &[i16], weights: &[i16]) -> i64 {
    let mut sums = [0i32; LANES];
    let pairs = units.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0);
    for (units, weights) in pairs {
        for lane in 0..LANES {
            let unit = units[lane].clamp(0, QA as i16);
            // |unit · weight| ≤ 255 · 127 fits.
            sums[lane] += i32::from(unit) * i32::from(unit * weights[lane]);
        }
    }
    sums.iter().copied().map(i64::from).sum()
}
