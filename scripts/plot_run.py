#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["matplotlib>=3.6"]
# ///
"""Draws a run from its CSV files.

    scripts/plot_run.py results/quickstart                 # PNG files into results/quickstart/plots
    scripts/plot_run.py results/quickstart --format svg
    uv run scripts/plot_run.py results/quickstart          # fetches matplotlib by itself

Pictures: standings with error bars, the cross table, and the trajectory of Elo (and of the log-likelihood ratio with its
bounds, where the run had an SPRT) for every pairing. What has no file is left out: a run that has not ended has no standings yet.
"""

import argparse
import csv
import sys
from collections import OrderedDict
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("matplotlib is missing: `pip install matplotlib`, or run this script with `uv run`")

INK, ACCENT, BAND, GRID = "#20303c", "#1f6f8b", "#bcd9e2", "#d9dfe3"
LOSS, WIN = "#b4552d", "#2d7a4f"


def read(folder, name):
    """The rows of a CSV file of the run."""
    with (folder / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text):
    """A cell as a number; None when it is empty (undefined)."""
    return float(text) if text not in ("", None) else None


def new_axes(width, height, title):
    figure, axes = plt.subplots(figsize=(width, height), layout="constrained")
    axes.set_title(title, loc="left", color=INK, fontweight="bold")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=INK)
    axes.set_axisbelow(True)
    axes.grid(color=GRID, linewidth=0.8)
    return figure, axes


def first_engine(folder):
    """The first engine of a match, or None when no pair tells."""
    pairs = read(folder, "pairs.csv") if (folder / "pairs.csv").is_file() else []
    return pairs[0]["first"] if pairs else None


def plot_standings(folder):
    rows = read(folder, "standings.csv")
    title = "Elo (mean 0), 95% error"
    if len(rows) == 2:
        # The other engine has the same number with the other sign; the summary shows the first engine's.
        first = first_engine(folder) or rows[0]["engine"]
        rows = [row for row in rows if row["engine"] == first]
        title = f"Elo of {first} against {rows[0].get('elo_against') or 'the other'}, 95% error"
    figure, axes = new_axes(7.5, 1.4 + 0.5 * len(rows), title)
    for place, row in enumerate(rows):
        elo, error = number(row["elo"]), number(row["elo_error_95"])
        if elo is None:
            axes.annotate("no estimate", (0, place), color=INK, va="center")
            continue
        axes.errorbar(elo, place, xerr=error or 0, fmt="o", color=ACCENT, capsize=4, markersize=7)
        label = f"{elo:+.0f}" + (f" ± {error:.0f}" if error is not None else "")
        axes.annotate(
            label,
            (elo, place),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            color=INK,
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(rows)), [f"{row['engine']}\n{row['games']} games" for row in rows], fontsize=9)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("Elo")
    return figure


def plot_crosstable(folder):
    engines = [row["engine"] for row in read(folder, "standings.csv")]
    cells = {(row["engine"], row["opponent"]): row for row in read(folder, "crosstable.csv")}
    size = len(engines)
    figure, axes = new_axes(2.8 + 1.15 * size, 1.6 + 0.75 * size, "Score of the row against the column")
    axes.grid(visible=False)
    grid = [[number(cells[a, b]["score"]) if (a, b) in cells else float("nan") for b in engines] for a in engines]
    grid = [[float("nan") if value is None else value for value in line] for line in grid]
    image = axes.imshow(grid, cmap="RdYlGn", vmin=0.2, vmax=0.8, aspect="auto", alpha=0.85)
    for y, a in enumerate(engines):
        for x, b in enumerate(engines):
            row = cells.get((a, b))
            if row is not None and number(row["score"]) is not None:
                text = f"{100 * float(row['score']):.1f}%\n+{row['wins']} ={row['draws']} -{row['losses']}"
                ink = INK if 0.28 < float(row["score"]) < 0.72 else "white"
                axes.text(x, y, text, ha="center", va="center", fontsize=8, color=ink)
    for edge in range(1, size):
        axes.axhline(edge - 0.5, color="white", linewidth=2)
        axes.axvline(edge - 0.5, color="white", linewidth=2)
    axes.set_xticks(range(size), engines, rotation=25, ha="right", fontsize=9)
    axes.set_yticks(range(size), engines, fontsize=9)
    figure.colorbar(image, ax=axes, shrink=0.8, format=lambda value, _: f"{100 * value:.0f}%")
    return figure


def trajectories(folder):
    """The rows of pairs.csv by pairing, in the order in which the pairings first occur."""
    pairings = OrderedDict()
    for row in read(folder, "pairs.csv"):
        pairings.setdefault((row["first"], row["second"]), []).append(row)
    return pairings


def column(rows, name):
    return [number(row.get(name)) for row in rows]


def plot_elo(pairing, rows):
    pairs = range(1, len(rows) + 1)
    known = [
        (pair, elo, error)
        for pair, elo, error in zip(pairs, column(rows, "elo"), column(rows, "elo_error_95"))
        if elo is not None and error is not None
    ]
    if not known:
        return None
    figure, axes = new_axes(7.5, 3.6, f"{pairing[0]} against {pairing[1]}: Elo")
    x, elo, error = zip(*known)
    axes.fill_between(
        x,
        [e - d for e, d in zip(elo, error)],
        [e + d for e, d in zip(elo, error)],
        color=BAND,
        linewidth=0,
        label="95%",
    )
    axes.plot(x, elo, color=ACCENT, linewidth=1.6, label="Elo")
    axes.axhline(0, color=INK, linewidth=1)
    # The first few pairs say nothing and would squeeze the rest.
    settled = known[len(known) // 10 :]
    low = min(0, *(elo - error for _, elo, error in settled))
    high = max(0, *(elo + error for _, elo, error in settled))
    if low < high:
        margin = 0.1 * (high - low)
        axes.set_ylim(low - margin, high + margin)
    axes.set_xlim(1, max(len(rows), 2))
    axes.set_xlabel("pairs of games")
    axes.set_ylabel("Elo")
    axes.legend(frameon=False, loc="best")
    return figure


def plot_llr(pairing, rows):
    known = [(pair, llr) for pair, llr in enumerate(column(rows, "llr"), 1) if llr is not None]
    if not known:
        return None
    lower = next(filter(lambda v: v is not None, column(rows, "llr_lower")), None)
    upper = next(filter(lambda v: v is not None, column(rows, "llr_upper")), None)
    figure, axes = new_axes(7.5, 3.6, f"{pairing[0]} against {pairing[1]}: log-likelihood ratio")
    axes.plot(*zip(*known), color=ACCENT, linewidth=1.6)
    if upper is not None:
        axes.axhline(upper, color=WIN, linestyle="--", linewidth=1.2, label="H1 accepted")
    if lower is not None:
        axes.axhline(lower, color=LOSS, linestyle="--", linewidth=1.2, label="H0 accepted")
    axes.axhline(0, color=INK, linewidth=1)
    axes.set_xlim(1, max(len(rows), 2))
    axes.set_xlabel("pairs of games")
    axes.set_ylabel("LLR")
    if upper is not None or lower is not None:
        axes.legend(frameon=False, loc="center right")
    return figure


def file_name(*parts):
    safe = ["".join(c if c.isalnum() or c in "._+-" else "_" for c in part) for part in parts]
    return "-".join(safe)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="results folder of a run")
    parser.add_argument("--out", type=Path, help="where the pictures go (default: FOLDER/plots)")
    parser.add_argument("--format", choices=["png", "svg"], default="png")
    arguments = parser.parse_args()
    folder = arguments.folder
    out = arguments.out or folder / "plots"

    missing = [name for name in ("standings.csv", "crosstable.csv", "pairs.csv") if not (folder / name).is_file()]
    if len(missing) == 3:
        sys.exit(f"there is no {', '.join(missing)} in {folder}: is it the results folder of a run?")
    for name in missing:
        print(f"without {name}: it is not in {folder}", file=sys.stderr)
    pictures = {}
    if "standings.csv" not in missing:
        pictures["standings"] = plot_standings(folder)
        if "crosstable.csv" not in missing:
            pictures["crosstable"] = plot_crosstable(folder)
    for pairing, rows in ({} if "pairs.csv" in missing else trajectories(folder)).items():
        pictures[file_name("elo", *pairing)] = plot_elo(pairing, rows)
        pictures[file_name("llr", *pairing)] = plot_llr(pairing, rows)

    out.mkdir(parents=True, exist_ok=True)
    for name, figure in pictures.items():
        if figure is None:
            continue
        path = out / f"{name}.{arguments.format}"
        figure.savefig(path, dpi=130)
        plt.close(figure)
        print(path)


if __name__ == "__main__":
    main()
