//! Fitting the weights of the evaluation to games of this engine, by Texel's method.
//!
//! The engine plays [games](generate) against itself; quiet [positions](samples) of them, with the result of the game
//! and the score of the search, are what the weights are [fitted](fit) to: the evaluation, put through a logistic
//! curve, is to foretell the result. What comes out is [source] text of the engine. Source: Peter Österlund,
//! "How Texel's evaluation is tuned", talkchess.com, 2014; the Chess Programming Wiki's page "Texel's Tuning Method".

pub mod fit;
pub mod generate;
mod model;
pub mod samples;
pub mod source;
