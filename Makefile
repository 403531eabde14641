# For OpenBench and others that build engines with make: `make EXE=name` leaves the UCI engine as ./name.
# `./name bench` prints `N nodes M nps`; the nodes are the same on every machine.

EXE ?= lmrlab-engine

all:
	cargo rustc --release --locked -p lmrlab-engine --bin lmrlab-engine -- -C target-cpu=native --emit link=$(EXE)

.PHONY: all
