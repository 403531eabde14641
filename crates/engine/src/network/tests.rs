//! The network, against sums by hand.

use cozy_chess::{Color, Piece};
use proptest::prelude::*;

use super::output::output_layer;
use super::{AccumulatorStack, HIDDEN, HIDDEN_UNIT, INPUTS, Network, View};
use crate::position::Position;
use crate::random_games::{choices, random_game, starts};

const HEAD: &[u8] = include_bytes!("standard.network");

/// The inputs that are 1 in a position, seen by one side.
fn active_inputs(position: &Position, side: Color) -> impl Iterator<Item = usize> {
    let view = View::of(side, position.board().king(side));
    Color::ALL.into_iter().flat_map(move |color| {
        Piece::ALL.into_iter().flat_map(move |piece| {
            position
                .pieces(color, piece)
                .into_iter()
                .map(move |square| view.input(color, piece, square))
        })
    })
}

/// The evaluation as the definition has it, from all inputs.
fn by_definition(network: &Network, position: &Position) -> i32 {
    let hidden = |side: Color| {
        let mut values = network.hidden_biases.0.map(i64::from);
        for input in active_inputs(position, side) {
            for (value, weight) in values.iter_mut().zip(network.inputs[input].0) {
                *value += i64::from(weight);
            }
        }
        values.map(|value| value.clamp(0, i64::from(HIDDEN_UNIT)))
    };
    let us = position.side_to_move();
    let layer = output_layer(position.board().occupied().len());
    let mut sum = 0;
    for (side, weights) in [us, !us].into_iter().zip(&network.outputs[layer]) {
        for (value, weight) in hidden(side).into_iter().zip(weights.0) {
            sum += value * value * i64::from(weight);
        }
    }
    let output = sum / 255 + i64::from(network.output_biases[layer]);
    (output * i64::from(network.centipawns) / (255 * 64)) as i32
}

#[test]
fn the_network_of_the_engine_is_read() {
    assert_eq!(Network::read(HEAD).as_ref(), Some(Network::standard()));
    for bad in [&b"a text"[..], b"a text\0ab"] {
        assert_eq!(Network::read(bad), None);
    }
    let initial = Network::standard().evaluate(&Position::initial());
    assert!((-60..=100).contains(&initial), "{initial}");
}

#[test]
fn inputs_are_one_for_each_piece() {
    let position = Position::initial();
    let mut inputs: Vec<usize> = active_inputs(&position, Color::White).collect();
    inputs.sort_unstable();
    inputs.dedup();
    assert_eq!(inputs.len(), 32);
    assert!(inputs.iter().all(|input| *input < INPUTS));
    assert_eq!(HIDDEN % 16, 0);
}

#[test]
fn output_layers_follow_the_number_of_pieces() {
    assert_eq!([2, 5, 6, 29, 30, 32].map(output_layer), [0, 0, 1, 6, 7, 7]);
}

proptest! {
    #[test]
    fn accumulators_follow_the_moves(
        start in starts(),
        choices in choices(),
        jumps in proptest::collection::vec(0_usize..120, 40),
    ) {
        let network = Network::standard();
        let positions = random_game(start, &choices);
        let mut accumulators = AccumulatorStack::new(network, 8);
        for (step, jump) in jumps.into_iter().enumerate() {
            let position = &positions[jump % positions.len()];
            prop_assert_eq!(
                accumulators.evaluate(position, step % 8),
                by_definition(network, position),
                "{}", position
            );
        }
    }
}
