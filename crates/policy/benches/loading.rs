//! The time to load and compile each shipped policy, including file access. The aim is at most 5 ms.

use std::path::{Path, PathBuf};

use divan::{Bencher, black_box};
use lmrlab_policy::Policy;

fn main() {
    divan::main();
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/policies")
}

#[divan::bench(args = lmrlab_diagnostics::Files::on_disk().toml_names(&folder()))]
fn load(bencher: Bencher<'_, '_>, name: &str) {
    let path = folder().join(format!("{name}.toml"));
    bencher.bench_local(|| match Policy::load(black_box(&path)) {
        Ok((policy, _)) => policy,
        Err(wrong) => {
            eprintln!("{wrong}");
            std::process::exit(1)
        }
    });
}
