//! Tests of the example engines and of the tutorial that leads to them.

mod engine;
mod hosting;
mod rules;
mod rust;
mod steps;
mod tutorial;
