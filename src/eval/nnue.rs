//! The hidden layer kept from one position to the next, so that a network costs little at every node.
//!
//! Uses `network`. A slot holds a board and the hidden layers that belong to it. A position is evaluated by the difference
//! between its board and that of a slot: whatever a move does, Escorts and Decoys and null moves included, it is some pieces
//! gone and some come, so nothing here knows of moves, and a slot that holds something old is a longer way, not an error.
//! A search asks at a ply, and the slots at that ply and the one before are close: they hold the position's sibling and its parent.

use crate::board::{Bitboard, Color, PieceKind};
use crate::rules::Position;

use super::network::{Network, input};

/// A board, as far as a network sees it.
type Board = [[Bitboard; 6]; 2];

fn board(position: &Position) -> Board {
    Color::ALL.map(|color| PieceKind::ALL.map(|kind| position.of(color, kind)))
}

/// In how many pieces on squares two boards differ.
#[inline]
fn distance(a: &Board, b: &Board) -> u32 {
    let sets = a.as_flattened().iter().zip(b.as_flattened());
    sets.map(|(a, b)| (*a ^ *b).count()).sum()
}

/// A board and the hidden layers that belong to it, White's view first.
struct Slot {
    board: Board,
    units: [Box<[i16]>; 2],
}

impl Clone for Slot {
    fn clone(&self) -> Slot {
        Slot { board: self.board, units: self.units.clone() }
    }

    fn clone_from(&mut self, other: &Slot) {
        self.board = other.board;
        for (mine, others) in self.units.iter_mut().zip(&other.units) {
            mine.copy_from_slice(others);
        }
    }
}

/// The hidden layers of the plies of a search's line.
pub struct Accumulators<'a> {
    network: &'a Network,
    /// One a ply, and an empty board at the end.
    slots: Vec<Slot>,
}

impl<'a> Accumulators<'a> {
    /// For a search of at most so many plies.
    pub fn new(network: &'a Network, plies: usize) -> Accumulators<'a> {
        let bias = network.bias.clone().into_boxed_slice();
        let empty = Slot { board: Board::default(), units: [bias.clone(), bias] };
        Accumulators { network, slots: vec![empty; plies + 1] }
    }

    /// The network that is computed.
    pub const fn network(&self) -> &'a Network {
        self.network
    }

    /// What the network says of a position `ply` plies from the root; as [`Network::evaluate`].
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let empty = self.slots.len() - 1;
        let ply = ply.min(empty - 1);
        let board = board(position);
        let candidates = [ply, ply.saturating_sub(1), empty];
        let from = candidates
            .into_iter()
            .min_by_key(|&slot| distance(&self.slots[slot].board, &board))
            .unwrap_or(empty);
        self.move_to(from, ply, board);
        let side = position.side_to_move();
        let units = &self.slots[ply].units;
        self.network.output(&units[side.index()], &units[(!side).index()])
    }

    /// Makes slot `to` hold `board`, from what slot `from` holds.
    fn move_to(&mut self, from: usize, to: usize, board: Board) {
        // Refused when both are the same slot.
        if let Ok([from, to]) = self.slots.get_disjoint_mut([from, to]) {
            to.clone_from(from);
        }
        let slot = &mut self.slots[to];
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let new = board[color.index()][kind as usize];
                let old = slot.board[color.index()][kind as usize];
                for square in old ^ new {
                    for viewer in Color::ALL {
                        let row = self.network.row(input(viewer, color, kind, square));
                        let units = &mut slot.units[viewer.index()];
                        let pairs = units.iter_mut().zip(row);
                        // On the way a sum may leave 16 bits; it comes back.
                        if new.has(square) {
                            pairs.for_each(|(unit, &weight)| *unit = unit.wrapping_add(weight));
                        } else {
                            pairs.for_each(|(unit, &weight)| *unit = unit.wrapping_sub(weight));
                        }
                    }
                }
            }
        }
        slot.board = board;
    }
}
