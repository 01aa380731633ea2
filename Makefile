# A thin face: CMake does the work. `make run` and `make test` set up everything they need.

CASE   ?= cases/dam_break/case.lua
ARGS   ?=
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
BUILD  := build/release

.PHONY: all setup build run test test-long bench generated site gallery format tidy install clean help
all: build

help:
	@echo 'make run [CASE=path] [ARGS=...]  set up, build, run a case'
	@echo 'make test                        set up, build, run every test but the long ones'
	@echo 'make test-long                   the long ones'
	@echo 'make build | bench | generated | site | gallery | format | tidy | install [PREFIX=path] | clean'

setup:
	@sh cmake/setup.sh

# A build folder that came along with a moved or copied checkout is configured anew.
build: setup
	@grep -qsxF 'CMAKE_HOME_DIRECTORY:INTERNAL=$(CURDIR)' $(BUILD)/CMakeCache.txt || rm -rf $(BUILD)
	@mkdir -p build
	@cmake --preset release > build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
	@cmake --build $(BUILD) -j $(JOBS)

run: build
	@sh cmake/run_case.sh $(BUILD)/edgewise '$(CASE)' $(ARGS)

test: build
	@bash cmake/run_tests.sh $(BUILD) -LE '^long$$' $(ARGS)

# What takes minutes each: label `long`.
test-long: build
	@bash cmake/run_tests.sh $(BUILD) -L '^long$$' $(ARGS)

bench: build
	$(BUILD)/edgewise bench $(or $(ARGS),shallow_water)

# The kernels that are shipped, and those that the tests know by heart.
# With PROFILE=FILE those with a device's settings, in a folder of their own.
generated: build
	sh generated/regenerate.sh $(CURDIR)/$(BUILD)/dslc generated $(PROFILE)
	test -n '$(PROFILE)' || sh tests/golden/kernels/bless.sh $(CURDIR)/$(BUILD)/dslc

# The documentation as HTML, in build/site. With pictures and times of the cases as this machine runs them: `make gallery [ARGS="--device c rain"]`.
site:
	@python3 site/build.py . build/site build/gallery

gallery: build
	@python3 site/gallery.py $(BUILD)/edgewise . build/gallery $(ARGS)
	@$(MAKE) -s site

format:
	git ls-files -z '*.c' '*.h' | xargs -0 clang-format -i

tidy: setup
	cmake --preset tidy
	cmake --build build/tidy -j $(JOBS)

install: build
	cmake -DCMAKE_INSTALL_PREFIX='$(PREFIX)' $(BUILD)
	cmake --build $(BUILD) -j $(JOBS)
	cmake --install $(BUILD)

clean:
	rm -rf build
