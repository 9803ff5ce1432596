# Dispatch only: programs of tests/ do the work. Each step has a time bound.
#
#   make demo         a container with one GPU and one MIG device, on a simulated node
#   make test         every test
#   make bench        Berth beside NVIDIA's container toolkit, one line a figure
#   make compare      docs/peer-comparison.md anew: both specs side by side on every layout and mode
#   make lint         what else the gate asks for: format, clippy, documentation, dependencies
#   make clean-cache  remove what was fetched and built of others

CARGO ?= cargo
BOUND := timeout --kill-after=30
PACKAGES := $(CARGO) run --quiet --locked --package berth-packages --bin berth-packages --

.DELETE_ON_ERROR:
.PHONY: demo test bench compare lint format clippy docs deny advisories packages clean-cache

demo:
	$(BOUND) 900 $(CARGO) build --quiet --locked --package berth-fake-nvml --package berth-rig
	$(BOUND) 900 $(CARGO) run --quiet --locked --package berth-rig --bin berth-demo

test: packages
	$(BOUND) 1500 $(CARGO) build --quiet --locked --workspace
	$(BOUND) 2100 $(CARGO) test --locked --workspace --no-fail-fast

bench:
	$(BOUND) 1500 $(CARGO) build --quiet --locked --release --package berth-fake-nvml
	$(BOUND) 900 $(CARGO) build --quiet --locked --release --package berth-cdi --bin berth-cdi
	$(BOUND) 1800 $(CARGO) run --quiet --locked --release --package berth-rig --bin berth-bench

compare:
	$(BOUND) 900 $(CARGO) build --quiet --locked --package berth-fake-nvml --package berth-cdi --package berth-rig
	$(BOUND) 900 $(CARGO) run --quiet --locked --package berth-rig --bin berth-rig compare > docs/peer-comparison.new
	mv docs/peer-comparison.new docs/peer-comparison.md

lint: format clippy docs deny advisories

format:
	$(BOUND) 60 $(CARGO) fmt --all --check

clippy:
	$(BOUND) 1200 $(CARGO) clippy --quiet --locked --workspace --all-targets -- -D warnings

docs:
	RUSTDOCFLAGS='-D warnings' $(BOUND) 900 $(CARGO) doc --quiet --locked --workspace --no-deps

deny:
	$(BOUND) 1800 $(PACKAGES) cargo-deny
	$(BOUND) 120 "$$($(PACKAGES) cargo-deny)" --log-level warn check bans licenses sources

# The database of advisories is not to be had everywhere; what it says blocks nobody.
advisories:
	-@$(BOUND) 60 "$$($(PACKAGES) cargo-deny)" --log-level error check advisories \
	  || echo 'advisories: not checked, or some are open (this blocks nothing)'

packages:
	$(BOUND) 1800 $(PACKAGES)

clean-cache:
	rm -rf -- "$$($(PACKAGES) cache)"
