//! Prints docs/files.md with its tables written again: `cargo run -p lmrlab-results --example files_page > docs/files.md`.

fn main() {
    print!(
        "{}",
        lmrlab_results::files_page::written_again(include_str!("../../../docs/files.md"))
    );
}
