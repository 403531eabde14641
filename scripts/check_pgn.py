#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["python-chess>=1.999"]
# ///
"""Reads a run's games.pgn with python-chess, as an independent witness.

    scripts/check_pgn.py results/quickstart

Every game must be legal from its FEN, end as its Termination and Result say, and agree with games.csv; the standings must
add up to the games. Results of tablebases are looked up in the folder that LMRLAB_SYZYGY names, if it does. Prints `N passed, N failed`; exit status 1 when anything failed.
"""

import argparse
import csv
import os
import sys
from collections import Counter
from pathlib import Path

try:
    import chess
    import chess.pgn
    import chess.syzygy
except ImportError:
    sys.exit("python-chess is missing: `pip install python-chess`, or run this script with `uv run`")


FAULTS = ("time_forfeit", "illegal_move", "no_move", "crash", "stall")
TAGS = {
    "time_forfeit": "time forfeit",
    "illegal_move": "rules infraction",
    "no_move": "rules infraction",
    "crash": "abandoned",
    "stall": "abandoned",
    "draw_adjudication": "adjudication",
    "win_adjudication": "adjudication",
    "move_limit": "adjudication",
    "tablebase": "adjudication",
}


def by_tables(game, row):
    """What is wrong with the result of tablebases. Without LMRLAB_SYZYGY it is not looked up. The fifty-move rule counts."""
    if not (folder := os.environ.get("LMRLAB_SYZYGY")):
        return None
    with chess.syzygy.open_tablebase(folder) as tables:
        board = game.end().board()
        if board.halfmove_clock or board.castling_rights:
            return f"no table has the value of {board.fen()}"
        value = tables.probe_wdl(board) * (1 if board.turn == chess.WHITE else -1)
    expected = {2: "1-0", -2: "0-1"}.get(value, "1/2-1/2")
    return None if row["result"] == expected else f"result {row['result']}, and the tables have {expected}"


def problem(game, row):
    """What is wrong with a game, or None."""
    if game.errors:
        return f"python-chess: {game.errors[0]}"
    board = game.end().board()
    moves = [move.uci() for move in game.mainline_moves()]
    if " ".join(moves) != row["moves"]:
        return "the moves differ from games.csv"
    headers = game.headers
    for tag, column in (("White", "white"), ("Black", "black"), ("Result", "result")):
        if headers.get(tag) != row[column]:
            return f"{tag} is {headers.get(tag)}, games.csv says {row[column]}"
    if len(moves) != int(row["plies"]):
        return f"{len(moves)} plies, games.csv says {row['plies']}"
    ending = row["termination"]
    if headers.get("Termination") != TAGS.get(ending, "normal"):
        return f"Termination is {headers.get('Termination')}, games.csv says {ending}"
    for column in ("scores", "depths", "nodes"):
        if len(row[column].split()) != len(moves):
            return f"{column} are not one a move"
    truth = {
        "checkmate": board.is_checkmate,
        "stalemate": board.is_stalemate,
        "repetition": lambda: board.is_repetition(3),
        "fifty_moves": board.is_fifty_moves,
        "insufficient_material": board.is_insufficient_material,
    }.get(ending)
    if ending == "win_adjudication":
        return None if row["result"] in ("1-0", "0-1") else f"result {row['result']}, but {ending}"
    if ending in ("draw_adjudication", "move_limit"):
        return None if row["result"] == "1/2-1/2" else f"result {row['result']}, but {ending}"
    if ending == "tablebase":
        return by_tables(game, row)
    if ending in FAULTS:
        if not row["fault"]:
            return f"{ending}, and no fault is told"
        # Nobody loses on time to a bare king.
        bare = [bin(board.occupied_co[color]).count("1") == 1 for color in (chess.BLACK, chess.WHITE)]
        drawn = row["result"] == "1/2-1/2"
        return None if not drawn or (ending == "time_forfeit" and any(bare)) else f"drawn by {ending}"
    if truth is None:
        return f"unknown termination {ending}"
    if not truth():
        return f"the final position is not a {ending}: {board.fen()}"
    expected = "1/2-1/2" if ending != "checkmate" else ("0-1" if board.turn == chess.WHITE else "1-0")
    return None if row["result"] == expected else f"result {row['result']}, but {ending} means {expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="results folder of a run")
    folder = parser.parse_args().folder
    with (folder / "games.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with (folder / "standings.csv").open(newline="", encoding="utf-8") as file:
        standings = list(csv.DictReader(file))

    failed = 0
    read = 0
    with (folder / "games.pgn").open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            read += 1
            wrong = problem(game, rows[read - 1]) if read <= len(rows) else "more games than in games.csv"
            if wrong:
                failed += 1
                print(f"game {read}: {wrong}")
    checks = {
        f"{read} games in games.pgn, {len(rows)} lines in games.csv": read == len(rows),
        "the standings' games add up": sum(int(row["games"]) for row in standings) == 2 * len(rows),
        "the standings' points add up": sum(float(row["points"]) for row in standings) == len(rows),
    }
    for name, fine in checks.items():
        if not fine:
            failed += 1
            print(f"wrong: {name}")
    for row in rows:
        if row["fault"]:
            print(f"game {row['game']}: {row['white']} - {row['black']} {row['result']}: {row['termination']}: {row['fault']}")
    print("terminations:", ", ".join(f"{name} {count}" for name, count in Counter(r["termination"] for r in rows).most_common()))
    print(f"{read + len(checks) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
