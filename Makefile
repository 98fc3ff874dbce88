# A thin front end of CMake. `make help` lists the targets.
MAKEFLAGS += --no-print-directory
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
WERROR ?= OFF
# of `make bench-compare` and `make bench-table`: an output of netpram-bench; the kernels in it
BASELINE ?= bench/baseline.jsonl
KERNELS  ?= $(shell sed -n 's/.*"kernel":"\([^"]*\)".*/\1/p' $(BASELINE))
# of `make fuzz` and `make fuzz-plain`, over all targets
FUZZ_MINUTES ?= 60
# of `make mpi-test`: counts of ranks. Another MPI needs few; `make test` has 1, 2, 3, 4 and 7.
RANKS ?= 2;3
# of `make differential`
DIFFERENTIAL_CASES ?= 1000000
DIFFERENTIAL_SEED ?= 1
# of `make mutation`
MUTATION_RANDOM ?= 100
MUTATION_SEED ?= 1
# the distribution's, which has the packages of python/packages.txt
PYTHON ?= /usr/bin/python3

# of new build trees: make looks longer for what is to be built
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

configure = cmake -S . -DNETPRAM_WERROR=$(WERROR) -B
compile   = cmake --build $(1) --parallel $(JOBS)
# a test's seconds at most: 600, with the sanitizers 1800
# then how each that failed is run alone
ctest     = ctest --test-dir $(1) --output-on-failure --no-tests=error --timeout $(or $(2),600) \
  --parallel $(JOBS) $(3) || \
  { sed 's/^[0-9]*:/alone: ctest --test-dir $(1) --output-on-failure -R ^/; s/$$/$$/' \
    $(1)/Testing/Temporary/LastTestsFailed.log; false; }

# `build` makes what is installed, `whole` also tests, examples and benchmarks.
.PHONY: all help packages configure build whole demo test quick core sanitize-build sanitize everywhere \
  everywhere-packages races \
  bench bench-compare bench-table mpi-test soak fuzz fuzz-plain differential models faults mutation formats-test \
  python python-test web web-test abi abi-record configure-abi build-abi call-graph stack course site site-test dist \
  dist-test deb deb-test format install \
  clean

all: build

help:
	@echo 'make            build the libraries and the command, build/netpram'
	@echo 'make demo       build the command; route a permutation greedily and in two phases'
	@echo 'make test       build the rest; all tests'
	@echo 'make quick      the short ones, in under a minute; those of one wing: make quick WING=machine'
	@echo 'make core       the core without the annex (-DNETPRAM_PAPERS=OFF), and the tests that remain'
	@echo 'make sanitize   tests under the address and undefined-behaviour sanitizers, but for tests/unsanitized'
	@echo 'make everywhere the golden set by the compilers, processors, locales and threads that are here'
	@echo 'make everywhere-packages'
	@echo '                compilers, and libraries for other processors, for make everywhere'
	@echo 'make races      the threaded commands and tests under ThreadSanitizer (clang, Archer)'
	@echo 'make bench      benchmarks, as JSON lines'
	@echo 'make bench-compare'
	@echo '                those of BASELINE=$(BASELINE), as ratios to it'
	@echo 'make bench-table  the table of docs/performance.md, from BASELINE=$(BASELINE)'
	@echo 'make mpi-test   libnetpram-mpi and its tests with MPICH, in build-mpich, on RANKS=$(RANKS) ranks'
	@echo 'make soak       long sweeps'
	@echo 'make fuzz       inputs guided by coverage, under the sanitizers (clang), for FUZZ_MINUTES=$(FUZZ_MINUTES)'
	@echo 'make fuzz-plain as many inputs as FUZZ_MINUTES=$(FUZZ_MINUTES) of a processor can try, without sanitizers'
	@echo 'make differential'
	@echo '                DIFFERENTIAL_CASES=$(DIFFERENTIAL_CASES) drawn routings: engine, twin, threads'
	@echo 'make models     models of the protocols, searched exhaustively'
	@echo 'make mutation   plant bugs, MUTATION_RANDOM=$(MUTATION_RANDOM) of them drawn; do the tests find them?'
	@echo 'make faults     every system call of commands that write fails; kills at every call'
	@echo 'make formats-test  does netpram read what graphviz, igraph and networkx read, and they what it writes?'
	@echo 'make python     the Python package, in build-python; make python-test: its tests'
	@echo 'make web        the page, web/dist/index.html (Emscripten, npm); make web-test: its tests, in Chromium'
	@echo 'make abi        do programs made with this series still run with this library? make abi-record: they need not'
	@echo 'make stack      which functions call themselves, and how much of the stack each takes'
	@echo 'make course     the course: notebooks, pictures, and addresses for the page, in build/course'
	@echo 'make site       the pages as a site, site/dist; make site-test: all links, and the search in a browser'
	@echo 'make dist       the source archive, dist/netpram-VERSION.tar.xz, of the last commit; make dist-test: its test'
	@echo 'make deb        Debian packages of it, in dist; make deb-test: installs, tries and removes them'
	@echo 'make format     lay out every C file by .clang-format (version 14)'
	@echo 'make install    into PREFIX=$(PREFIX)'
	@echo 'make clean'

packages:
	@scripts/install-packages

configure: packages
	@$(configure) build

build: configure
	@$(call compile,build) --target netpram_product

demo: configure
	@$(call compile,build) --target netpram_command
	@scripts/demo build/netpram out

whole: configure
	@$(call compile,build)

test: whole
	@$(call ctest,build)

# WING: the tests of one wing of src/, or `command`
quick: whole
	@$(call ctest,build,,-LE 'long|soak' $(if $(WING),-L ^$(WING)$$))

# the core alone, without the annex
core: packages
	@$(configure) build-core -DNETPRAM_PAPERS=OFF
	@$(call compile,build-core)
	@$(call ctest,build-core)

sanitize-build: packages
	@$(configure) build-sanitize -DCMAKE_BUILD_TYPE=Debug \
	  -DCMAKE_C_FLAGS_DEBUG='-O1 -g1 -Wno-maybe-uninitialized -Wno-format-truncation' \
	  -DNETPRAM_SANITIZE=ON -DNETPRAM_SHARED=OFF -DNETPRAM_BENCH=OFF
	@$(call compile,build-sanitize)

sanitize: sanitize-build
	@$(call ctest,build-sanitize,1800)

# CELLS: some of the matrix
everywhere: packages
	@JOBS=$(JOBS) tests/everywhere/everywhere . build-everywhere $(CELLS)

everywhere-packages: packages
	@scripts/install-packages tests/everywhere/packages.txt
	@scripts/foreign-root arm64 build-everywhere/aarch64-root
	@scripts/foreign-root s390x build-everywhere/s390x-root

races: packages
	@$(configure) build-races -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g' \
	  -DNETPRAM_SANITIZE=thread -DNETPRAM_SHARED=OFF -DNETPRAM_BENCH=OFF
	@$(call compile,build-races) --target netpram_racing $$(cat tests/races/tests)
	@tests/races/races . build-races

bench: configure
	@$(call compile,build) --target netpram_bench
	build/netpram-bench

# BASELINE may be the last output, which is kept until the new one is compared.
bench-compare: configure
	@$(call compile,build) --target netpram_bench netpram_bench_compare
	@build/netpram-bench-compare $(BASELINE) $(BASELINE) > /dev/null
	build/netpram-bench $(KERNELS) > build/bench-new.jsonl
	build/netpram-bench-compare $(BASELINE) build/bench-new.jsonl
	@mv build/bench-new.jsonl build/bench.jsonl

bench-table:
	bench/table $(BASELINE) docs/performance.md

mpi-test: packages
	@scripts/install-packages tests/mpi/packages.txt
	@$(configure) build-mpich -DNETPRAM_RANKS='$(RANKS)' \
	  -DMPI_C_COMPILER=mpicc.mpich -DMPIEXEC_EXECUTABLE=$$(command -v mpiexec.mpich)
	@$(call compile,build-mpich) --target mpi_tests
	@$(call ctest,build-mpich,,-L mpi)

soak: whole
	$(call ctest,build,,-C soak -L soak)

fuzz: packages
	@$(configure) build-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g' \
	  -DNETPRAM_SANITIZE=address,undefined -DNETPRAM_LIBFUZZER=ON -DNETPRAM_SHARED=OFF -DNETPRAM_BENCH=OFF
	@$(call compile,build-fuzz) --target fuzzers
	@tests/fuzz/run guided build-fuzz $(FUZZ_MINUTES)

fuzz-plain: configure
	@$(call compile,build) --target fuzzers
	@tests/fuzz/run plain build $(FUZZ_MINUTES)

differential: configure
	@$(call compile,build) --target fuzz_differential
	build/tests/fuzz_differential tests/fuzz/corpus/differential $(DIFFERENTIAL_CASES) $(DIFFERENTIAL_SEED)

models: packages
	@tests/models/check build/models all

faults: configure
	@$(call compile,build) --target netpram_command supervise
	@tests/faults/faults $(CURDIR)/build/tests/supervise $(CURDIR)/build/netpram

mutation: packages
	tests/mutation/mutate . build-mutation --random $(MUTATION_RANDOM) --seed $(MUTATION_SEED)

formats-test: build
	@scripts/install-packages tests/formats/packages.txt
	tests/formats/others build/netpram || [ $$? -eq 77 ]

python: packages
	@scripts/install-packages python/packages.txt
	@$(PYTHON) -m venv --system-site-packages build-python
	@build-python/bin/pip install --quiet --no-build-isolation ./python

python-test: python build
	@build-python/bin/python -m pytest -p no:cacheprovider --quiet python/tests

# A node that is not the distribution's does not find its modules, which Emscripten uses.
web: packages
	@scripts/install-packages web/packages.txt
	@NODE_PATH=/usr/share/nodejs emcmake cmake -S web/native -B build-web > /dev/null
	@NODE_PATH=/usr/share/nodejs $(call compile,build-web)
	@cd web && npm ci --silent && npm run --silent check && npm run --silent build

web-test: web build
	@cd web && NETPRAM=$(CURDIR)/build/netpram npm test --silent

# What is installed, without optimisation, with debugging information and, if the compiler has it, its graph of calls.
# No cache of a compiler keeps the latter.
configure-abi: packages
	@scripts/install-packages tests/abi/packages.txt
	@$(configure) build-abi -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O0 -g' -DNETPRAM_CALL_GRAPH=ON \
	  -DCMAKE_C_COMPILER_LAUNCHER= -DNETPRAM_TESTS=OFF -DNETPRAM_BENCH=OFF

build-abi: configure-abi
	@$(call compile,build-abi) --target netpram_product

# Before all is compiled: does the compiler say it?
call-graph: configure-abi
	@grep -q '^NETPRAM_HAS_CALL_GRAPH:INTERNAL=1' build-abi/CMakeCache.txt || { echo "make stack reads who calls whom, \
	which $$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' build-abi/CMakeCache.txt) cannot say: take gcc 10 or later, as in \
	'rm -r build-abi; make stack CC=gcc'" >&2; false; }

abi: build-abi
	@tests/abi/abi tests/abi/baseline include/netpram build-abi/libnetpram.so build-abi/libnetpram-report.so

stack: call-graph build-abi
	@tests/cli/stack build-abi

abi-record: build-abi
	@tests/abi/abi --record tests/abi/baseline include/netpram build-abi/libnetpram.so build-abi/libnetpram-report.so

# SITE_URL: where the site will be, for its sitemap
# The course's notebooks, pictures and addresses for the page
course: build
	@examples/course/build build/netpram build/course
	@echo "build/course: a notebook and pictures for each week, and links.json"

site: build
	@scripts/install-packages site/packages.txt
	@site/make site/dist

site-test: site
	@scripts/install-packages tests/site/packages.txt
	@tests/site/links site/dist
	@tests/site/browser site/dist

dist:
	@scripts/dist dist

dist-test: dist
	@tests/install/dist dist

deb: packages dist
	@scripts/install-packages packaging/packages.txt
	@scripts/deb dist

deb-test: deb
	@tests/install/deb dist

format:
	@git ls-files -- '*.c' '*.h' | xargs clang-format -i

install: build
	cmake --install build --prefix "$(PREFIX)"

clean:
	rm -rf build build-core build-mpich build-sanitize build-everywhere build-fuzz build-races build-mutation \
	  build-python build-abi build-web build-cache \
	  python/build site/dist dist web/dist web/node_modules python/src/netpram/player.html
