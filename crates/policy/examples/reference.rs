//! Prints the reference of the policy language: `cargo run -p lmrlab-policy --example reference > docs/policy-language.md`.

fn main() {
    print!("{}", lmrlab_policy::manual::markdown());
}
