# make: build/phasor, and
#   make run                 opens the laboratory (without a terminal: runs every check)
#   make test                builds and runs every test; the last line is "N passed, N failed"
#   make recheck             has Coq check what the lessons prove; ends with "N rechecked, M not expressible, K refused"
#   make kernel-test        puts the kernel under Jupyter's own tests (installs Jupyter's Python packages)
#   make notebooks          writes notebooks/ anew from the lessons, those of teachers executed by the kernel; notebook-test tries those of students
#   make book               writes the lessons as pages, build/book and for teachers build/teachers-book; book-test looks at them in browsers
#   make fuzz TIME=600 [READERS=] | coverage | determinism | mutate      see docs/reliability.md
#   make check | spoil | bench | sanitize | install, uninstall PREFIX= DESTDIR= | format | clean
#   make hunt TIME=600 [SEED=] looks for false verdicts on every core, from random statements
# Settings: BUILD= CC= OPT= CFLAGS= LDFLAGS= WERROR=-Werror READLINE=no BLAS=linked FLINT_LINK=linked PRECOMPILE=no
#           V=1 (shows the commands) SHARED=yes (program and tests share one object, for scripts/mutate)
# `run`, `test` and `bench` first install what the machine lacks (scripts/install-deps), so they look for libraries in a second make, after that.
VERSION := 0.1.0
BUILD   ?= build
PREFIX  ?= /usr/local
AR      ?= ar
Q       := $(if $(V),,@)
PKG     ?= pkg-config
OPT     ?= -O3 -g

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: missing all lib tests benches run test hunt recheck kernel-test notebooks notebook-test book book-test check fuzz coverage determinism mutate spoil bench sanitize install uninstall format clean FORCE

# ---- libraries -----------------------------------------------------------------------------------------------
# Homebrew keeps some of them out of pkg-config's sight.
SYSTEM := $(shell uname -sm)
ifeq ($(firstword $(SYSTEM)),Darwin)
empty :=
kegs := $(wildcard $(shell brew --prefix 2>/dev/null)/opt/*/lib/pkgconfig)
export PKG_CONFIG_PATH := $(subst $(empty) $(empty),:,$(strip $(PKG_CONFIG_PATH) $(kegs)))
endif
found = $(shell $(PKG) --exists '$(1)' 2>/dev/null && echo '$(firstword $(1))')

comma := ,
# Lua's pkg-config name differs by system; the first that is 5.4 is taken.
LUA := $(or $(call found,lua5.4 >= 5.4 lua5.4 < 5.5),$(call found,lua-5.4 >= 5.4 lua-5.4 < 5.5),$(call found,lua54 >= 5.4 lua54 < 5.5),$(call found,lua >= 5.4 lua < 5.5))
override READLINE := $(filter-out no,$(or $(READLINE),$(call found,readline)))
SECCOMP := $(call found,libseccomp)
PKGS := $(LUA) $(call found,jansson) $(call found,zlib) $(READLINE) $(SECCOMP)
# Where there is no lapacke.pc, LAPACKE is inside OpenBLAS, and its header beside OpenBLAS's. Where its file has a name that a
# program can ask the loader for, it is opened at the first product; BLAS=linked links it.
BLAS_PKGS := $(call found,openblas) $(call found,lapacke)
BLAS_PATH := $(if $(filter linked,$(BLAS)),,$(filter /%,$(shell $(CC) $(shell $(PKG) --libs-only-L openblas 2>/dev/null) -print-file-name=libopenblas.so)))
BLAS_FILE := $(if $(BLAS_PATH),$(shell readelf -d '$(BLAS_PATH)' 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p'))
# ZeroMQ is opened by the kernel alone: linked, it and what it needs would be loaded at every start, for one or two milliseconds.
ZMQ_PATH := $(filter /%,$(shell $(CC) $(shell $(PKG) --libs-only-L libzmq 2>/dev/null) -print-file-name=libzmq$(if $(filter Darwin,$(SYSTEM)),.dylib,.so)))
ZMQ_FILE := $(if $(ZMQ_PATH),$(or $(shell readelf -d '$(ZMQ_PATH)' 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p'),$(ZMQ_PATH)))
# FLINT 3 contains Arb; before, Arb is a library of its own, and neither has a .pc file.
FLINT := $(shell $(PKG) --libs 'flint >= 3' 2>/dev/null)
ifeq ($(FLINT),)
FLINT := $(if $(filter /%,$(shell $(CC) -print-file-name=libflint-arb.so 2>/dev/null)),-lflint-arb) -lflint -lgmp
endif
# Loading FLINT and what it needs in turn takes longer than all else at the start, so the program opens it at the first verdict;
# FLINT_LINK=linked links it, as the tests and other machines do.
LATE_FLINT := $(if $(or $(SAN),$(SHARED),$(filter linked,$(FLINT_LINK)),$(filter-out Linux x86_64,$(SYSTEM))),,$(filter /%,$(foreach l,$(patsubst -l%,%,$(filter -lflint%,$(FLINT))),$(shell $(CC) -print-file-name=lib$l.so))))
PKG_CFLAGS := $(if $(LUA),$(shell $(PKG) --cflags $(PKGS) $(BLAS_PKGS) $(call found,libzmq)))
PKG_LIBS   := $(if $(LUA),$(shell $(PKG) --libs $(PKGS)))
BLAS_LIBS  := $(if $(LUA),$(shell $(PKG) --libs $(BLAS_PKGS)))

# ---- flags ---------------------------------------------------------------------------------------------------
# Errors in gcc 14, and here: a function without its declaration hands back 32 bits, by which the prover took one prime for another.
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror=implicit -Werror=int-conversion -Werror=incompatible-pointer-types
# On i386 doubles are computed in registers of 80 bits, and files end at 2 GB, unless it is told otherwise.
FLAGS := -std=c11 -D_GNU_SOURCE -ffp-contract=off -fno-math-errno -fno-trapping-math $(if $(filter i%86,$(SYSTEM)),-msse2 -mfpmath=sse -D_FILE_OFFSET_BITS=64) $(OPT) $(WARN) -Isrc -I$(BUILD)/gen \
         -DPH_VERSION=\"$(VERSION)\" \
         $(if $(READLINE),-DPH_READLINE) $(if $(SECCOMP),-DPH_SECCOMP) $(PKG_CFLAGS) \
         $(if $(BLAS_FILE),-DPH_BLAS_FILE='"$(BLAS_FILE)"' -DPH_BLAS_PATH='"$(BLAS_PATH)"') -DPH_ZMQ_FILE='"$(ZMQ_FILE)"' -DPH_ZMQ_PATH='"$(ZMQ_PATH)"' $(SAN) $(CFLAGS)$(if $(SHARED), -fPIC)
FLAGS_array/vmath := $(shell $(CC) -Werror -fschedule-insns -fsched-pressure -x c -c -o /dev/null /dev/null 2>/dev/null && echo -fschedule-insns -fsched-pressure)
# GCC clears 64 bytes and more of a structure by one instruction, which takes as long as thirty: a product of 8 x 8 took 217 ns with it, 156 without.
VECTORS := -mmemset-strategy=vector_loop:512:noalign$(comma)libcall:-1:noalign
CLEARING := $(if $(shell $(CC) $(VECTORS) -E -x c /dev/null 2>&1 >/dev/null || echo no),,$(VECTORS))
# LAPACK looks for xerbla in the program first; one that is opened later finds only what the program exports.
LIBS  := $(PKG_LIBS) $(if $(BLAS_FILE),-Wl$(comma)--export-dynamic-symbol=xerbla_,$(BLAS_LIBS)) $(FLINT) -lm -lpthread -ldl $(SAN) $(LDFLAGS)$(if $(SHARED), -Wl$(comma)-rpath$(comma)'$(abspath $(BUILD))')
TEST_FLAGS = -Itests $(shell $(PKG) --cflags cmocka)
TEST_LIBS := $(shell $(PKG) --libs cmocka 2>/dev/null) -lutil

# ---- files ---------------------------------------------------------------------------------------------------
SRC    := $(sort $(wildcard src/*/*.c))
OBJ    := $(SRC:src/%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/embed.o $(BUILD)/obj/code.o $(BUILD)/obj/encodings.o
LIB    := $(BUILD)/libphasor.$(if $(SHARED),so,a)
MODULE := $(if $(SAN)$(SHARED),,$(if $(filter Linux,$(SYSTEM)),$(BUILD)/phasor.so))
TESTS  := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/*/test_*.c)))
BENCH  := $(patsubst tests/%.c,$(BUILD)/%,$(sort $(wildcard tests/bench/bench_*.c)))
# Texts that travel inside the binary: prelude, course, lessons, what Coq's files begin with, what it rechecked, what claims state. base/embed.h finds them by path.
EMBED  := $(sort $(wildcard src/*/*.lua lessons/*.lua lessons/experiments/* src/verify/*.v src/document/page.* lessons/rechecked lessons/stated))
CODE   := $(filter src/%.lua,$(EMBED)) lessons/ledger.lua

all: $(BUILD)/phasor
lib: $(LIB)
tests: $(TESTS) $(MODULE)
benches: $(BENCH)

$(BUILD)/phasor: $(BUILD)/obj/main.o $(LIB) $(if $(LATE_FLINT),$(BUILD)/obj/late.o)
	@echo 'link $@'
	$(Q)$(CC) -o $@ $^ $(if $(LATE_FLINT),$(filter-out -lflint%,$(LIBS)),$(LIBS))
# The module of a stock Lua, of the same objects: all but its entrance is local to it, and Lua's own names are those of the Lua that opens it.
$(BUILD)/phasor.so: src/module.c $(LIB) scripts/module.map
	$(Q)$(CC) $(FLAGS) -fPIC -shared -Wl,--version-script=scripts/module.map -o $@ $< $(LIB) $(FLINT) -lz -lm -lpthread -ldl $(LDFLAGS)
# What verify/ takes from FLINT: the functions that its objects lack and FLINT's files have.
$(BUILD)/gen/late.c: $(filter $(BUILD)/obj/verify/%,$(OBJ)) scripts/generate
	@nm -u $(filter $(BUILD)/obj/verify/%,$(OBJ)) | sed -n 's/^ *U //p' | LC_ALL=C sort -u > $(BUILD)/gen/lacking
	@nm -D --defined-only $(LATE_FLINT) | sed -n 's/^[0-9a-f]* T //p' | LC_ALL=C sort -u | LC_ALL=C comm -12 - $(BUILD)/gen/lacking \
	    | scripts/generate late $(foreach f,$(LATE_FLINT),$(shell readelf -d $f | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p'):$f) > $@
$(BUILD)/obj/late.o: $(BUILD)/gen/late.c $(BUILD)/flags
	$(Q)$(CC) -O2 $(CFLAGS) -c -o $@ $<
$(BUILD)/libphasor.so: $(OBJ) $(BUILD)/files
	$(Q)$(CC) -shared -Wl,-soname,libphasor.so -o $@ $(OBJ) $(LIBS)
$(BUILD)/libphasor.a: $(OBJ) $(BUILD)/files
	@rm -f $@
	$(Q)$(AR) rcs$(if $(filter Linux,$(SYSTEM)),T) $@ $(OBJ)
$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D) && echo 'cc $<'
	$(Q)$(CC) $(FLAGS) $(FLAGS_$*) $(CLEARING) $(WERROR) -MMD -MP -c -o $@ $<
$(BUILD)/obj/embed.o $(BUILD)/obj/code.o $(BUILD)/obj/encodings.o: $(BUILD)/obj/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS) -c -o $@ $<
$(BUILD)/gen/embed.c: $(EMBED) scripts/generate $(BUILD)/files
	$(Q)mkdir -p $(@D) && scripts/generate embed $(EMBED) > $@
# The Lua among them is compiled beforehand by the Lua that will run it; PRECOMPILE=no where the build cannot run what it makes.
$(BUILD)/gen/code.c: $(CODE) $(BUILD)/gen/precompile $(BUILD)/files
	$(Q)$(BUILD)/gen/precompile $(if $(filter no,$(PRECOMPILE)),,$(CODE)) > $@
$(BUILD)/gen/precompile: scripts/precompile.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(WARN) $(PKG_CFLAGS) $(CFLAGS) -o $@ $< $(shell $(PKG) --libs $(LUA)) $(LDFLAGS)
$(BUILD)/gen/encodings.c: $(wildcard src/encoding/*.c) scripts/generate $(BUILD)/files
	$(Q)mkdir -p $(@D) && scripts/generate encodings $(wildcard src/encoding/*.c) > $@
$(BUILD)/tests/%: tests/guard.c tests/%.c $(if $(SHARED),|) $(LIB)
	@mkdir -p $(@D) && echo 'cc tests/$*.c'
	$(Q)$(CC) $(FLAGS) $(TEST_FLAGS) $(WERROR) -MMD -MP -MF $@.d -MT $@ -o $@ $(filter %.c,$^) $(LIB) $(TEST_LIBS) $(LIBS)
# Programs of several files. GCC 12 takes acb_realref of an acb_t in a struct for its half alone.
$(BUILD)/tests/verify/test_hunt: $(wildcard tests/verify/hunt*.[ch])
$(BUILD)/tests/verify/test_hunt: TEST_FLAGS += -Wno-stringop-overflow -Wno-stringop-overread
$(BUILD)/tests/fuzz/test_readers: $(wildcard tests/fuzz/reader*.[ch])
$(BUILD)/tests/fuzz/test_calls: $(wildcard tests/fuzz/programs.[ch])
$(BUILD)/tests/fuzz/test_api: $(wildcard tests/fuzz/calls.[ch] tests/fuzz/programs.[ch])
$(BUILD)/bench/%: tests/bench/%.c $(LIB)
	@mkdir -p $(@D) && echo 'cc $<'
	$(Q)$(CC) $(FLAGS) $(WERROR) -MMD -MP -MF $@.d -MT $@ -o $@ $< $(LIB) -lutil $(LIBS) $(BLAS_LIBS)

# A stamp changes only when its text does: other flags rebuild everything, a removed file rebuilds what held it.
$(BUILD)/flags: STAMP = $(CC) $(FLAGS) $(LIBS)
$(BUILD)/files: STAMP = $(OBJ) $(EMBED)
$(BUILD)/flags: | $(if $(LUA),,missing)
$(BUILD)/flags $(BUILD)/files: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(STAMP))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(STAMP))' > $@
missing:
	@echo 'Libraries are missing; scripts/install-deps brings them.' >&2; exit 1

-include $(OBJ:.o=.d) $(BUILD)/obj/main.d $(TESTS:=.d) $(BENCH:=.d)

# ---- what people call ------------------------------------------------------------------------------------------
# The second make uses every core unless told otherwise.
MAKE2 = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN))

run:
	@scripts/install-deps
	+@$(MAKE2) -s all
	@if [ -t 0 ] && [ -t 1 ]; then sh -mc '$(BUILD)/phasor; exit $$?'; else $(BUILD)/phasor check --strict; fi
OF_TESTS = $(patsubst tests/%,%,$(if $(OF),$(shell scripts/tests-of $(OF))))
FILTERED = $(foreach t,$(TESTS),$(if $(strip $(foreach f,$(FILTER),$(findstring $f,$t))),$t)) $(MODULE)
test:
	@scripts/install-deps --dev
	+@$(MAKE2) -s all $(if $(OF),$(patsubst %.c,$(BUILD)/tests/%,$(filter %.c,$(OF_TESTS))),$(if $(FILTER),$(FILTERED),tests))
	@scripts/test $(BUILD) $(FILTER) $(if $(OF),$(or $(basename $(OF_TESTS)),'no test of $(OF)'))
hunt:
	@scripts/install-deps --dev
	+@$(MAKE2) -s $(BUILD)/tests/verify/test_hunt
	@HUNT_TIME=$(or $(TIME),600) HUNT_SEED=$(SEED) $(BUILD)/tests/verify/test_hunt
	@python3 tests/verify/hunt_beside.py $(BUILD)/tests/verify/test_hunt
bench:
	@scripts/install-deps --bench
	+@$(MAKE2) -s all benches
	@scripts/bench $(BUILD) $(if $(PEERS),--peers '$(PEERS)') $(BENCHFLAGS)
WANTS_recheck := --recheck
WANTS_kernel-test := --kernel
WANTS_notebooks := --kernel --pictures
WANTS_book-test := --browsers
recheck kernel-test notebooks notebook-test book-test:
	@scripts/install-deps $(WANTS_$(subst notebook-test,notebooks,$@))
	+@$(MAKE2) -s all
	@scripts/$@ $(BUILD)
book: all
	$(BUILD)/phasor page --all -o $(BUILD)/book --teachers $(BUILD)/teachers-book
check: all ; $(BUILD)/phasor check --strict
include tests/fuzz/fuzzers.mk
fuzz: ; @scripts/fuzz $(or $(TIME),60) $(READERS)
coverage determinism mutate: ; @scripts/$@ $(ARGS)
spoil: all ; $(BUILD)/phasor tests/lessons/spoil.lua
sanitize:
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 LSAN_OPTIONS=suppressions='$(CURDIR)/tests/others-leaks' \
	TEST_SECONDS=$${TEST_SECONDS:-300} \
	$(MAKE) BUILD=$(BUILD)/san OPT='-O1 -g -fno-omit-frame-pointer' SAN='-fsanitize=address,undefined -fno-sanitize-recover=undefined' test
install: all $(MODULE) ; @scripts/install '$(BUILD)' '$(PREFIX)' '$(DESTDIR)'
uninstall: ; @scripts/install --uninstall '$(BUILD)' '$(PREFIX)' '$(DESTDIR)'
format: ; clang-format -i $(wildcard src/*.c src/*/*.[ch] tests/*/*.[ch])
clean: ; rm -rf $(BUILD)
FORCE:
