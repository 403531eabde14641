#!/usr/bin/env bash
# `make dist`: an archive with both programs for Linux, linked statically, in the folder dist below cargo's target folder.
# A commit gives the same bytes in any folder, with the same Rust. It needs python3 and `rustup target add x86_64-unknown-linux-musl`.
set -euo pipefail
cd "$(dirname "$0")/.."

target=x86_64-unknown-linux-musl
built=${CARGO_TARGET_DIR:-target}
version=$(cargo pkgid -p lmrlab | sed 's/.*[#@]//')
name=lmrlab-$version-$target
folder=$built/dist/$name

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_INCREMENTAL=0
# These replace the flags of .cargo/config.toml, which are for the machine that builds. Paths may have spaces.
flags=(-C "target-cpu=${CPU:-x86-64-v2}" "--remap-path-prefix=$PWD=lmrlab" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo")
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS
cargo build --release --locked --target "$target" -p lmrlab -p lmrlab-engine

rm -rf "$folder"
mkdir -p "$folder/completions" "$folder/include"
cp "$built/$target/release/lmrlab" "$built/$target/release/lmrlab-engine" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder"
# cargo strips no package that has a profile of its own.
strip "$folder/lmrlab-engine"
"$folder/lmrlab" man "$folder/man/man1" >/dev/null
"$folder/lmrlab" completions bash >"$folder/completions/lmrlab"
"$folder/lmrlab" completions zsh >"$folder/completions/_lmrlab"
"$folder/lmrlab" completions fish >"$folder/completions/lmrlab.fish"
"$folder/lmrlab" host header >"$folder/include/lmrlab.h"
python3 scripts/third_party_licences.py "$target" >"$folder/THIRD-PARTY-LICENCES"

chmod -R u=rwX,go=rX "$folder"
tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$built/dist" -c "$name" \
  | gzip -9n >"$folder.tar.gz"
(cd "$built/dist" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
