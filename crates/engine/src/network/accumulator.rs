//! The hidden layers of the positions of a line.

use cozy_chess::{BitBoard, Color, Piece, Square};

use super::{HIDDEN, Network, Row, View};
use crate::position::Position;

/// The hidden layers of both sides in one position.
#[derive(Debug, Clone)]
pub(super) struct Accumulator {
    /// The position: pieces by kind, then by colour. No pieces at first.
    pieces: [BitBoard; Piece::NUM],
    colors: [BitBoard; Color::NUM],
    views: [View; Color::NUM],
    pub(super) hidden: [Row; Color::NUM],
}

impl Accumulator {
    /// The accumulator of an empty board.
    pub(super) fn empty(network: &Network) -> Self {
        Self {
            pieces: [BitBoard::EMPTY; Piece::NUM],
            colors: [BitBoard::EMPTY; Color::NUM],
            views: Color::ALL.map(|side| View::of(side, Square::A1)),
            hidden: [network.hidden_biases; Color::NUM],
        }
    }

    /// The number of squares that differ.
    #[inline]
    fn distance(&self, position: &Position) -> u32 {
        let board = position.board();
        let mut changed = BitBoard::EMPTY;
        for color in Color::ALL {
            changed |= self.colors[color as usize] ^ board.colors(color);
        }
        for piece in Piece::ALL {
            changed |= self.pieces[piece as usize] ^ board.pieces(piece);
        }
        changed.len()
    }

    /// Makes this the accumulator of a position.
    #[inline]
    pub(super) fn update(&mut self, network: &Network, position: &Position) {
        let board = position.board();
        let views = Color::ALL.map(|side| View::of(side, board.king(side)));
        for side in Color::ALL {
            let side = side as usize;
            if self.views[side] != views[side] {
                self.views[side] = views[side];
                self.refresh(network, side);
            }
        }
        for color in Color::ALL {
            for piece in Piece::ALL {
                let before = self.colors[color as usize] & self.pieces[piece as usize];
                let now = board.colored_pieces(color, piece);
                if before == now {
                    continue;
                }
                let mut gone = (before & !now).into_iter();
                let mut come = (now & !before).into_iter();
                loop {
                    match (gone.next(), come.next()) {
                        (Some(from), Some(to)) => self.shift(network, color, piece, from, to),
                        (Some(from), None) => self.change(network, color, piece, from, i16::wrapping_sub),
                        (None, Some(to)) => self.change(network, color, piece, to, i16::wrapping_add),
                        (None, None) => break,
                    }
                }
            }
        }
        self.colors = Color::ALL.map(|color| board.colors(color));
        self.pieces = Piece::ALL.map(|piece| board.pieces(piece));
    }

    /// Computes one side's hidden layer from all pieces.
    fn refresh(&mut self, network: &Network, side: usize) {
        self.hidden[side] = network.hidden_biases;
        let view = self.views[side];
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in self.colors[color as usize] & self.pieces[piece as usize] {
                    let weights = &network.inputs[view.input(color, piece, square)];
                    for (hidden, weight) in self.hidden[side].0.iter_mut().zip(&weights.0) {
                        *hidden = hidden.wrapping_add(*weight);
                    }
                }
            }
        }
    }

    #[inline]
    fn change(&mut self, network: &Network, color: Color, piece: Piece, square: Square, change: fn(i16, i16) -> i16) {
        for (hidden, view) in self.hidden.iter_mut().zip(self.views) {
            let weights = &network.inputs[view.input(color, piece, square)];
            for index in 0..HIDDEN {
                hidden.0[index] = change(hidden.0[index], weights.0[index]);
            }
        }
    }

    #[inline]
    fn shift(&mut self, network: &Network, color: Color, piece: Piece, from: Square, to: Square) {
        for (hidden, view) in self.hidden.iter_mut().zip(self.views) {
            let gone = &network.inputs[view.input(color, piece, from)];
            let come = &network.inputs[view.input(color, piece, to)];
            for index in 0..HIDDEN {
                hidden.0[index] = hidden.0[index].wrapping_add(come.0[index]).wrapping_sub(gone.0[index]);
            }
        }
    }
}

/// The accumulators of a line, by ply.
///
/// An entry belongs to the last position that was evaluated at its ply. An evaluation starts from the ply's own entry
/// or from the entry before it. It takes the one that differs in fewer squares, and updates those squares. So making a
/// move needs no bookkeeping.
#[derive(Debug)]
pub(crate) struct AccumulatorStack<'n> {
    network: &'n Network,
    entries: Box<[Accumulator]>,
}

impl<'n> AccumulatorStack<'n> {
    /// Entries for this number of plies.
    pub(crate) fn new(network: &'n Network, plies: usize) -> Self {
        Self {
            network,
            entries: vec![Accumulator::empty(network); plies].into_boxed_slice(),
        }
    }

    /// What the network adds to a position at a ply, in centipawns for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let (before, here) = self.entries.split_at_mut(ply);
        let Some(here) = here.first_mut() else {
            return 0;
        };
        if let Some(before) = before.last()
            && before.distance(position) <= here.distance(position)
        {
            here.clone_from(before);
        }
        here.update(self.network, position);
        self.network.output(here, position)
    }
}
