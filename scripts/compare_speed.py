#!/usr/bin/env python3
"""Compares the speed of engines: nodes per second of their own CPU time, taking turns, as ratios to the first.

    scripts/compare_speed.py [--turns N] 'COMMAND' 'COMMAND' ...

A command runs a benchmark and ends; it prints its nodes as `N nodes` (lmrlab-engine bench, OpenBench's engines) or as
`Nodes searched: N` (Stockfish). For example:

    scripts/compare_speed.py 'stockfish bench 16 1 14 default depth classical' './lmrlab-engine bench 13'

Time is the CPU time that the system counts for the process (user), so that a busy machine disturbs less; it still does:
the spread is shown. Needs a Unix system and nothing beside Python.
"""

import argparse
import re
import resource
import shlex
import statistics
import subprocess
import sys

NODES = [re.compile(r"Nodes searched\s*:\s*(\d+)"), re.compile(r"(\d+) nodes")]


def fail(command, problem):
    """Ends the program as wrong input does."""
    print(f"error: {command}: {problem}", file=sys.stderr)
    sys.exit(2)


def speed(command):
    """Nodes and nodes per second of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        fail(command, error)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    for pattern in NODES:
        found = pattern.findall(done.stdout + done.stderr)
        if found and seconds > 0:
            return int(found[-1]), int(found[-1]) / seconds
    return fail(command, "printed no `N nodes` and no `Nodes searched: N`, or was too short to time")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=7, help="runs of each command (default: 7)")
    parser.add_argument("command", nargs="+", help="a benchmark, with its arguments in one word")
    arguments = parser.parse_args()
    runs = [[] for _ in arguments.command]
    for _ in range(max(1, arguments.turns)):
        for command, found in zip(arguments.command, runs):
            found.append(speed(command))
    print("ratio (least to greatest)  nodes/s     nodes  command")
    for command, found in zip(arguments.command, runs):
        ratios = sorted(one[1] / other[1] for one, other in zip(found, runs[0]))
        print(
            f"{statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"
            f"     {statistics.median(run[1] for run in found):9.0f} {found[-1][0]:9}  {command}"
        )


if __name__ == "__main__":
    main()
