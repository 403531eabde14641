//! The compiler sees changes of the files that are built in, but no new ones.

fn main() {
    for folder in ["configs", "positions"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
