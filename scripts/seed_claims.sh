#!/usr/bin/env bash
# Measures the claims of the documents that this project began with; docs/claims.md shows what came of it.
#
#     scripts/seed_claims.sh DIR
#
# DIR gets claims.csv (a line a match), the tables of the claims about many variants, and the standings of the gauntlets. What is
# there already is not played again, so a run that was interrupted goes on. LMRLAB names the program (default lmrlab).
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
cd "$(dirname "$0")/.."
out="$1" unfinished="$1/unfinished"
lmrlab="${LMRLAB:-lmrlab}"
seeds=configs/experiments/seeds
mkdir -p "$unfinished"
[ -f "$out/claims.csv" ] ||
  echo "claim,policy,baseline,preset,match_nodes,pairs,n_ll,n_ld,n_dd_wl,n_wd,n_ww,elo,elo_error_95" > "$out/claims.csv"

# CLAIM POLICY BASELINE PRESET
match() {
  local dir="$unfinished/$1-$4"
  grep -q "^$1,[^,]*,[^,]*,$4," "$out/claims.csv" && return
  if [ -f "$dir/manifest.toml" ]; then
    "$lmrlab" resume "$dir" --quiet
  else
    "$lmrlab" match "$2" "$3" --preset "$4" --pairs 100 --nodes 20000 --seed 9 --hash 8 --draw 40,8,10 --resign 4,800 \
      --maxmoves 200 --out "$dir" --quiet
  fi
  # The last line of pairs.csv: the counts and the Elo of all pairs, from the side of the first engine.
  tail -n 1 "$dir/pairs.csv" | awk -F, -v OFS=, -v claim="$1" -v preset="$4" \
    '{ print claim, $3, $4, preset, 20000, $7 + $8 + $9 + $10 + $11, $7, $8, $9, $10, $11, $12, $13 }' >> "$out/claims.csv"
  rm -r "$dir"
}

# TABLE PRESET COMMAND POLICY [OPTION..]: Elo of many variants
table() {
  local file="$out/$1-$2.csv" dir="$unfinished/$1-$2" preset="$2" rows=sweep.csv
  [ "$3" = ablate ] && rows=ablation.csv
  shift 2
  [ -f "$file" ] && return
  if [ -f "$dir/manifest.toml" ]; then
    "$lmrlab" resume "$dir" --quiet
  else
    "$lmrlab" "$@" --preset "$preset" --measures elo --pairs 100 --match-nodes 4000 --seed 9 --hash 4 --out "$dir" --quiet
  fi
  cp "$dir/$rows" "$file"
  rm -r "$dir"
}

# CLAIM WITH WITHOUT: two gauntlets against the same opponents; ratings of all players of both, with that of WITHOUT as 0
gauntlets() {
  [ -f "$out/$1.csv" ] && return
  local dirs=("$unfinished/$1-$2" "$unfinished/$1-$3")
  for dir in "${dirs[@]}"; do
    if [ -f "$dir/manifest.toml" ]; then
      "$lmrlab" resume "$dir" --quiet
    else
      "$lmrlab" run "$seeds/$(basename "$dir").toml" --out "$dir" --quiet
    fi
  done
  "$lmrlab" rate "${dirs[@]}" --anchor "$3=0" --out "$unfinished/$1" >/dev/null
  # The page cites the points alone.
  cut -d, -f1,2,5-10 "$unfinished/$1/ratings.csv" >"$out/$1.csv"
  rm -r "${dirs[@]}" "$unfinished/$1"
}

for preset in minimal mediocre-2007 standard; do
  match s01 $seeds/simplest.toml none $preset
done
for preset in minimal micromax-4 standard; do
  match s03 micromax-4 none $preset
  match s04 $seeds/all-quiet.toml none $preset
done
for preset in madchess-2015 standard; do
  match s05 madchess-2.0 none $preset
done
for preset in rebel standard; do
  match s06 rebel-starter none $preset
  match s09 $seeds/negative.toml rebel-advanced $preset
done
for preset in fruit-2005 standard; do
  for formula in senpai-1.0 senpai-2.0 fruit-reloaded-wiki fruit-reloaded logarithm; do
    match "s12-$formula" $formula wiki-common $preset
  done
done
for preset in minimal mediocre-2007 standard; do
  match s14 $seeds/no-research.toml mediocre-2007 $preset
done
for preset in rebel standard; do
  match s07 rebel-starter $seeds/history-everywhere.toml $preset
done
gauntlets s02 simplest none
gauntlets s05 madchess before
for preset in rebel standard; do
  table s08-steps $preset ablate rebel-advanced
  table s08-percent $preset sweep rebel-advanced --over percent=0:100:25
done
for preset in minimal standard; do
  table s11 $preset sweep wiki-common --over full_depth_moves=0:10:1
  table s13 $preset ablate $seeds/conditions.toml --additions
done
rmdir "$unfinished"
