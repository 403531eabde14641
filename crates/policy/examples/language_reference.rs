//! Prints the reference of the policy language: `cargo run -p lmrlab-policy --example language_reference > docs/policy-language.md`.

fn main() {
    print!("{}", lmrlab_policy::language_reference::markdown());
}
