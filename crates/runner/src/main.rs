//! lmrlab
fn main() {}
