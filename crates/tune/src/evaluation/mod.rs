//! Fitting the weights of the evaluation to games of this engine, by Texel's method.
//!
//! The engine plays [games](generate) against itself, or a tournament has [played them](collect). Quiet
//! [positions](samples) of these games are [kept](selection), with the result of the game and the score of the search. The weights are [fitted](fit) so that the evaluation, put through a logistic
//! curve, predicts the result. They are written as a [source file](weights_file) of the engine. Source: Peter Österlund,
//! "How Texel's evaluation is tuned", talkchess.com, 2014; the Chess Programming Wiki's page "Texel's Tuning Method".
//!
//! From the same positions the neural network of the engine is [trained](train). Networks are [judged](judge) by others.

pub mod collect;
mod curve;
pub mod fit;
pub mod generate;
pub mod judge;
mod model;
mod network_model;
pub mod samples;
pub mod selection;
pub mod train;
pub mod weights_file;
