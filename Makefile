# For OpenBench and others that build engines with make: `make EXE=name` leaves the UCI engine as ./name.
# `./name bench` prints `N nodes M nps`; the nodes are the same on every machine.

EXE ?= lmrlab-engine

# Sliding attacks by one instruction, where this machine has it.
ifneq (,$(findstring bmi2,$(shell rustc -C target-cpu=native --print cfg)))
FEATURES = --features pext
endif

all:
	cargo rustc --release --locked $(FEATURES) -p lmrlab-engine --bin lmrlab-engine -- -C target-cpu=native --emit link=$(EXE)

.PHONY: all
