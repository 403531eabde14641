//! Writes the tables of docs/files.md again: `cargo run -p lmrlab-results --example files_page`.

use std::fs;

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/files.md");
    let page = fs::read_to_string(path)?;
    fs::write(path, lmrlab_results::files_page::written_again(&page))
}
