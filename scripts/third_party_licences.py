#!/usr/bin/env python3
"""Prints the licences of all crates that are in lmrlab and lmrlab-engine for a target, with their texts.

    scripts/third_party_licences.py x86_64-unknown-linux-musl

It needs cargo, and the crates as cargo has downloaded them. Equal texts are printed once.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

PROGRAMS = ("lmrlab", "lmrlab-engine")


def dependencies(metadata):
    """The packages from elsewhere that the programs are linked with or built by, by name and version."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [identity for identity, package in packages.items() if package["name"] in PROGRAMS]
    found = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_normal and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    elsewhere = [packages[identity] for identity in found if packages[identity]["source"]]
    return sorted(elsewhere, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """The texts of the licence files of a package."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.upper().startswith(("LICEN", "COPYING", "NOTICE")))
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", help="such as x86_64-unknown-linux-musl")
    target = parser.parse_args().target
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    packages = dependencies(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
    if not packages:
        sys.exit(f"error: cargo knows no dependencies of {' and '.join(PROGRAMS)}")
    print("lmrlab contains these crates, under these licences. The texts follow.\n")
    users = {}
    for package in packages:
        label = f"{package['name']} {package['version']}"
        found = texts(package)
        print(f"{label}: {package['license']}" + ("" if found else " (the crate has no text of it)"))
        for text in found:
            users.setdefault(text, []).append(label)
    for text, labels in users.items():
        labels = list(dict.fromkeys(labels))
        print(f"\n{'=' * 80}\n{', '.join(labels)}\n\n{text}")


if __name__ == "__main__":
    main()
