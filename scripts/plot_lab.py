#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["matplotlib>=3.6"]
# ///
"""Draws the lab's CSV files.

    scripts/plot_lab.py results/profile results/audit             # the folders that profile and audit wrote
    scripts/plot_lab.py ablation.csv sweep.csv effects.csv        # what ablate, sweep and factorial wrote with --csv
    scripts/plot_lab.py ablation.csv --out pictures --format svg
    uv run scripts/plot_lab.py ablation.csv                       # fetches matplotlib by itself

What a file is, its columns say:

  profile's moves.csv   heat maps over depth and move number: how often moves were reduced, by how much, and how many
                        reduced searches failed high
  audit's roc.csv       ROC curves, with the band of their 95% intervals, of the best predictors and of the policy itself
  ablate                what each rule changes, with errors; and nodes against accuracy: the Pareto picture
  sweep                 a curve over one parameter, or a map over two, of each measure; and the Pareto picture
  factorial             effects on nodes and on Elo, with errors

Pictures go beside the file, or into --out.
"""

import argparse
import csv
import sys
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import MaxNLocator
except ImportError:
    sys.exit("matplotlib is missing: `pip install matplotlib`, or run this script with `uv run`")

INK, ACCENT, BAND, GRID = "#20303c", "#1f6f8b", "#bcd9e2", "#d9dfe3"
LOSS, WIN = "#b4552d", "#2d7a4f"
LINES = ["#1f6f8b", "#b4552d", "#2d7a4f", "#7a4f9a", "#a08020", "#607080"]

# The columns of the measures that ablate and sweep share: value, low end, high end or error, title, and where nothing changes.
MEASURES = [
    {"value": "nodes_ratio", "low": "nodes_ratio_low_95", "high": "nodes_ratio_high_95",
     "title": "Nodes to depth, against the policy as named", "zero": 1.0, "better": "low"},
    {"value": "solved_gain", "error": "solved_gain_error_95",
     "title": "Positions solved, more than by the policy as named", "zero": 0.0, "better": "high"},
    {"value": "missed_rate", "low": "missed_rate_low_95", "high": "missed_rate_high_95",
     "title": "Share of dismissed moves that were missed", "zero": None, "better": "low"},
    {"value": "elo", "error": "elo_error_95", "title": "Elo against the policy as named", "zero": 0.0, "better": "high"},
]  # fmt: skip


def number(text):
    """A cell as a number; None when it is empty (undefined)."""
    return float(text) if text not in ("", None) else None


def new_axes(width, height, title):
    figure, axes = plt.subplots(figsize=(width, height), layout="constrained")
    axes.set_title(title, loc="left", color=INK, fontweight="bold", fontsize=10)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=INK)
    axes.set_axisbelow(True)
    axes.grid(color=GRID, linewidth=0.8)
    return figure, axes


def interval(measure, row):
    """Value, and how far the 95% interval goes below and above it (0 where it is not known)."""
    value = number(row[measure["value"]])
    if value is None:
        return None
    if "error" in measure:
        error = number(row[measure["error"]]) or 0.0
        return value, error, error
    low, high = number(row[measure["low"]]), number(row[measure["high"]])
    return value, value - low if low is not None else 0.0, high - value if high is not None else 0.0


def measures_of(rows):
    return [measure for measure in MEASURES if measure["value"] in rows[0]]


def bars(labels, values, title, zero, better, width=8.0):
    """Points with errors, one below the other; a point whose interval leaves out the line of no change has a colour."""
    figure, axes = new_axes(width, 1.3 + 0.34 * len(labels), title)
    for place, (value, below, above) in enumerate(values):
        color = ACCENT
        if zero is not None and not value - below <= zero <= value + above:
            color = WIN if (value > zero) == (better == "high") else LOSS
        axes.errorbar(value, place, xerr=[[below], [above]], fmt="o", color=color, capsize=3, markersize=6)
    if zero is not None:
        axes.axvline(zero, color=INK, linewidth=1)
    axes.set_yticks(range(len(labels)), labels, fontsize=9)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    return figure


def pareto(rows, label):
    """Nodes against accuracy; what nothing else beats in both is joined by a line."""
    cost = next((m for m in measures_of(rows) if m["value"] == "nodes_ratio"), None)
    figures = {}
    for measure in measures_of(rows):
        if cost is None or measure is cost:
            continue
        points = []
        for row in rows:
            x, y = interval(cost, row), interval(measure, row)
            if y is None and measure["zero"] is not None and x is not None and x[0] == 1.0 and x[1:] == (0.0, 0.0):
                y = (measure["zero"], 0.0, 0.0)
            if x is not None and y is not None:
                points.append((x, y, label(row)))
        if len(points) < 3:
            continue
        figure, axes = new_axes(7.5, 5.0, f"{measure['title']}, by nodes")
        sign = 1 if measure["better"] == "high" else -1
        front = [
            p for p in points if not any(q[0][0] <= p[0][0] and sign * q[1][0] > sign * p[1][0] for q in points)
            and not any(q[0][0] < p[0][0] and sign * q[1][0] >= sign * p[1][0] for q in points)
        ]  # fmt: skip
        front.sort(key=lambda p: p[0][0])
        axes.plot([p[0][0] for p in front], [p[1][0] for p in front], color=BAND, linewidth=3, zorder=1)
        for x, y, name in points:
            on_front = any(p[2] == name for p in front)
            axes.errorbar(
                x[0], y[0], xerr=[[x[1]], [x[2]]], yerr=[[y[1]], [y[2]]],
                fmt="o", color=ACCENT if on_front else "#9aa7b0", elinewidth=0.7, markersize=5, zorder=2,
            )  # fmt: skip
            if on_front or len(points) <= 16:
                axes.annotate(name, (x[0], y[0]), xytext=(5, 4), textcoords="offset points", fontsize=8, color=INK)
        axes.set_xlabel("nodes to depth, against the policy as named (less is cheaper)")
        axes.set_ylabel(measure["title"], fontsize=9)
        figures[f"pareto-{measure['value']}"] = figure
    return figures


def plot_ablation(rows):
    named = rows[0]["policy"]
    figures = {}
    for measure in measures_of(rows):
        known = [(row["switched"] or "the whole", interval(measure, row)) for row in rows]
        known = [(name, value) for name, value in known if value is not None]
        if measure["zero"] is not None:
            known = [(name, value) for name, value in known if name != "the whole"]
        if not known:
            continue
        title = f"{named}\n{measure['title'].replace('the policy as named', 'the whole')}"
        figures[measure["value"]] = bars(
            [name for name, _ in known], [value for _, value in known], title, measure["zero"], measure["better"]
        )
    figures.update(pareto(rows, lambda row: row["switched"] or "the whole"))
    return figures


def heat_map(grid, xs, ys, xlabel, ylabel, title, digits=3):
    """A map with its values written into it, unless there are too many to be read (0 digits)."""
    figure, axes = new_axes(1.9 + 0.62 * max(len(xs), 5), 1.7 + 0.42 * max(len(ys), 4), title)
    axes.grid(visible=False)
    masked = [[float("nan") if value is None else value for value in line] for line in grid]
    image = axes.imshow(masked, aspect="auto", cmap="viridis")
    known = [value for line in grid for value in line if value is not None]
    middle = (min(known) + max(known)) / 2 if known else 0.0
    if digits:
        for y, line in enumerate(grid):
            for x, value in enumerate(line):
                if value is not None:
                    text = f"{value:.{digits}g}" if abs(value) < 1000 else f"{value:.0f}"
                    ink = "white" if value < middle else INK
                    axes.text(x, y, text, ha="center", va="center", fontsize=8, color=ink)
    axes.set_xticks(range(len(xs)), xs, fontsize=8)
    axes.set_yticks(range(len(ys)), ys, fontsize=8)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    figure.colorbar(image, ax=axes, shrink=0.85)
    return figure


def plot_sweep(rows):
    columns = list(rows[0])
    parameters = columns[: columns.index("policy")]
    figures = {}
    for measure in measures_of(rows):
        if len(parameters) == 1:
            (name,) = parameters
            points = [(float(row[name]), interval(measure, row)) for row in rows]
            points = [(x, y) for x, y in points if y is not None]
            if not points:
                continue
            figure, axes = new_axes(7.5, 3.8, measure["title"])
            axes.plot([x for x, _ in points], [y[0] for _, y in points], color=BAND, linewidth=1.6, zorder=1)
            for x, (value, below, above) in points:
                # The policy as named has no interval: it is what the others are compared with.
                itself = below == above == 0.0 and value == measure["zero"]
                axes.errorbar(
                    x, value, yerr=[[below], [above]], fmt="o", color=ACCENT, capsize=3, markersize=6,
                    markerfacecolor="white" if itself else ACCENT, zorder=2,
                )  # fmt: skip
            if all(x.is_integer() for x, _ in points):
                axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            if measure["zero"] is not None:
                axes.axhline(measure["zero"], color=INK, linewidth=1)
            axes.set_xlabel(f"{name} (bars: 95% intervals)")
            figures[measure["value"]] = figure
        elif len(parameters) == 2:
            down, right = parameters
            ys = list(dict.fromkeys(row[down] for row in rows))
            xs = list(dict.fromkeys(row[right] for row in rows))
            cells = {(row[down], row[right]): number(row[measure["value"]]) for row in rows}
            grid = [[cells.get((y, x)) for x in xs] for y in ys]
            if any(value is not None for line in grid for value in line):
                figures[measure["value"]] = heat_map(grid, xs, ys, right, down, measure["title"])
    figures.update(pareto(rows, lambda row: ", ".join(row[name] for name in parameters)))
    return figures


def plot_factorial(rows):
    def label(row):
        if row["effect"] == "main":
            return row["factor"]
        if row["effect"] == "interaction":
            return f"{row['factor']} × {row['other']}"
        return f"{row['factor']} where {row['other']} is {row['level']}"

    figures = {}
    nodes = {"value": "nodes_factor", "low": "nodes_low_95", "high": "nodes_high_95"}
    elo = {"value": "elo", "error": "elo_error_95"}
    for measure, title, zero, better in [
        (nodes, "Effects on nodes (a factor)", 1.0, "low"),
        (elo, "Effects on Elo", 0.0, "high"),
    ]:
        known = [(label(row), interval(measure, row)) for row in rows]
        known = [(name, value) for name, value in known if value is not None]
        if known:
            figures[measure["value"]] = bars(
                [name for name, _ in known], [value for _, value in known], title, zero, better, width=8.5
            )
    return figures


def by_policy(rows):
    policies = {}
    for row in rows:
        policies.setdefault(row["policy"], []).append(row)
    return policies


MOVES, DEPTHS = 24, 16


def plot_moves(rows):
    """Heat maps over depth and move number, from the counts of profile's moves.csv."""
    figures = {}
    for policy, mine in by_policy(rows).items():
        def sums(column):
            cells = {}
            for row in mine:
                depth, move = int(row["depth"]), min(int(row["move_number"]), MOVES)
                if depth <= DEPTHS and number(row[column]) is not None:
                    cells[depth, move] = cells.get((depth, move), 0.0) + float(row[column])
            return cells

        def quotient(part, whole):
            part, whole = sums(part), sums(whole)
            return {key: part.get(key, 0.0) / count for key, count in whole.items() if count > 0}

        maps = [
            ("reduced", "share of the late moves that were reduced", "reduced", "moves"),
            ("plies", "mean reduction of reduced moves, in plies", "plies", "reduced"),
            ("failed_high", "reduced searches that failed high", "failed_high", "reduced"),
        ]
        for name, title, part, whole in maps:
            if part not in mine[0] or whole not in mine[0]:
                continue
            cells = quotient(part, whole)
            if not cells:
                continue
            depths = sorted({depth for depth, _ in cells}, reverse=True)
            moves = sorted({move for _, move in cells})
            grid = [[cells.get((depth, move)) for move in moves] for depth in depths]
            xs = [f"{move}+" if move == MOVES else str(move) for move in moves]
            figure = heat_map(
                grid, xs, depths, "move number", "depth, plies", f"{policy}: {title}",
                digits=2 if len(moves) * len(depths) <= 240 else 0,
            )  # fmt: skip
            figures[f"{name}-{policy}"] = figure
    return figures


SHOWN_CURVES = 4


def plot_roc(rows):
    figures = {}
    for policy, mine in by_policy(rows).items():
        curves = {}
        for row in mine:
            curves.setdefault(row["predictor"], []).append(row)
        figure, axes = new_axes(6.4, 6.0, f"{policy}: how well facts predict a fail low (ROC)")
        axes.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=":")
        # The file has the policy's own reduction first, then the best.
        for color, (name, points) in zip(LINES, list(curves.items())[: SHOWN_CURVES + 1]):
            x = [float(point[ROC["x"]]) for point in points]
            y = [float(point[ROC["y"]]) for point in points]
            ends = [(number(point[ROC["low"]]), number(point[ROC["high"]])) for point in points]
            if all(low is not None and high is not None for low, high in ends):
                axes.fill_between(x, [e[0] for e in ends], [e[1] for e in ends], color=color, alpha=0.15, linewidth=0)
            title = f"{name} (the policy)" if name == "reduction" else name
            axes.plot(x, y, color=color, linewidth=2.4 if name == "reduction" else 1.4, label=title)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_aspect("equal")
        axes.set_xlabel("dismissed share of the moves that raise alpha")
        axes.set_ylabel("dismissed share of the moves that fail low")
        axes.legend(frameon=False, loc="lower right", fontsize=9)
        figures[f"roc-{policy}"] = figure
    return figures


ROC = {"x": "raising_reduced", "y": "low_reduced", "low": "low_reduced_lower_95", "high": "low_reduced_upper_95"}

# Which plot a file is for: a name, and columns that it must have.
KINDS = [
    ("ablation", {"switched", "policy"}, plot_ablation),
    ("factorial", {"effect", "factor", "other", "level"}, plot_factorial),
    ("roc", {"policy", "predictor", ROC["x"], ROC["y"]}, plot_roc),
    ("profile", {"policy", "depth", "move_number", "reduced"}, plot_moves),
]


def kind_of(columns):
    for _, needed, plot in KINDS:
        if needed <= set(columns):
            return plot
    if "policy" in columns and columns.index("policy") > 0 and any(m["value"] in columns for m in MEASURES):
        return plot_sweep
    return None


def file_name(text):
    return "".join(c if c.isalnum() or c in "._+-" else "_" for c in text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="CSV files, or folders of profile and audit")
    parser.add_argument("--out", type=Path, help="where the pictures go (default: beside each file)")
    parser.add_argument("--format", choices=["png", "svg"], default="png")
    arguments = parser.parse_args()
    drawn = 0
    for path in arguments.paths:
        files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
        for file in files:
            if not file.is_file():
                sys.exit(f"{file} is missing")
            with file.open(newline="", encoding="utf-8") as handle:
                reader = csv.DictReader(handle)
                rows, columns = list(reader), list(reader.fieldnames or [])
            plot = kind_of(columns)
            if plot is None:
                if not path.is_dir():
                    sys.exit(f"{file} has none of the columns of ablate, sweep, factorial, profile or audit")
                continue
            if not rows:
                print(f"{file} has no rows", file=sys.stderr)
                continue
            out = arguments.out or file.parent
            out.mkdir(parents=True, exist_ok=True)
            for name, figure in plot(rows).items():
                picture = out / f"{file_name(file.stem)}-{file_name(name)}.{arguments.format}"
                figure.savefig(picture, dpi=130)
                plt.close(figure)
                print(picture)
                drawn += 1
    if not drawn:
        sys.exit("nothing to draw")


if __name__ == "__main__":
    main()
