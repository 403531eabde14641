# For OpenBench and others that build engines with make: `make EXE=name` leaves the UCI engine as ./name.
# `./name bench` prints `N nodes M nps`; the nodes are the same on every machine.
#
# `make profile-build EXE=name` is the same engine, laid out for what it does most. It takes two builds to make. It
# needs `rustup component add llvm-tools`.
#
# `make dist` is something else: an archive of both programs for other machines, see scripts/dist.sh.

EXE ?= lmrlab-engine

# Sliding attacks by one instruction, where this machine has it.
ifneq (,$(findstring bmi2,$(shell rustc -C target-cpu=native --print cfg)))
FEATURES = --features pext
endif

ENGINE = --profile fastest --locked $(FEATURES) -p lmrlab-engine --bin lmrlab-engine

all:
	cargo rustc $(ENGINE) -- -C target-cpu=native --emit link=$(EXE)

# Profile-guided optimisation: a build that counts, searches for it to count, and a build by these counts.
PROFILE = $(CURDIR)/target/profile
PROFDATA = $(shell rustc --print sysroot)/lib/rustlib/$(shell rustc -vV | sed -n 's/^host: //p')/bin/llvm-profdata

profile-build:
	@test -x "$(PROFDATA)" || { echo "llvm-profdata is missing; add it with: rustup component add llvm-tools" >&2; exit 2; }
	rm -rf "$(PROFILE)/counts"
	RUSTFLAGS="-C target-cpu=native -C profile-generate=$(PROFILE)/counts" \
	    cargo build $(ENGINE) --target-dir "$(PROFILE)/counting"
	"$(PROFILE)/counting/fastest/lmrlab-engine" bench 12
	"$(PROFILE)/counting/fastest/lmrlab-engine" --preset minimal --policy none bench 4
	"$(PROFDATA)" merge -o "$(PROFILE)/counts.profdata" "$(PROFILE)/counts"
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PROFILE)/counts.profdata" \
	    cargo rustc $(ENGINE) --target-dir "$(PROFILE)/optimised" -- --emit link=$(EXE)

dist:
	bash scripts/dist.sh

.PHONY: all profile-build dist
