//! Prints the page of the ideas: `cargo run -p lmrlab-lab --example ideas_page > docs/ideas.md`.

use std::path::Path;

use lmrlab_diagnostics::Files;
use lmrlab_lab::ideas::library::known_ideas;
use lmrlab_lab::ideas::page::markdown;

fn main() {
    match known_ideas(
        &Files::on_disk(),
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")),
    ) {
        Ok((ideas, _)) => print!("{}", markdown(&ideas)),
        Err(wrong) => wrong.iter().for_each(|report| eprintln!("{report}")),
    }
}
