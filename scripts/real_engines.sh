#!/usr/bin/env bash
# Plays configs/tournaments/real-engines.toml with its clock, and then the engines that obey `go nodes` at a fixed number
# of nodes; reads every PGN with python-chess.
#
#     scripts/real_engines.sh [PAIRS]
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/usr/games"
pairs="${1:-2}"
lmrlab=target/release/lmrlab
cargo build --release --locked -p lmrlab -p lmrlab-engine

file="$(mktemp --suffix .toml)"
trap 'rm -f "$file"' EXIT
sed "s/^pairs = .*/pairs = $pairs/" configs/tournaments/real-engines.toml > "$file"
$lmrlab run "$file" --force --out results/real-engines-clock
python3 scripts/check_pgn.py results/real-engines-clock

# Toga II and GNU Chess ignore `go nodes`: with them every game would wait for its deadline.
awk 'BEGIN { RS = ""; ORS = "\n\n" } !/name = "(toga2|gnuchess)"/' "$file" |
  sed 's/^tc = .*/nodes = 5000/' > "$file.nodes.toml"
trap 'rm -f "$file" "$file.nodes.toml"' EXIT
for threads in 1 2; do
  $lmrlab run "$file.nodes.toml" --force --threads "$threads" --out "results/real-engines-nodes-$threads"
  python3 scripts/check_pgn.py "results/real-engines-nodes-$threads"
done
cmp results/real-engines-nodes-1/games.csv results/real-engines-nodes-2/games.csv
echo "the same games.csv on one thread and on two"
