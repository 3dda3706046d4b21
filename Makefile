# make: build/phasor    make run | test | check | bench | sanitize | install PREFIX= | format | clean
BUILD  ?= build
PREFIX ?= /usr/local
CC     ?= cc
AR     ?= ar
PKG    ?= pkg-config

.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
VERSION := 0.1.0

# Libraries. Lua's pkg-config name differs by system; the first that answers is taken.
LUA := $(firstword $(foreach p,lua5.4 lua-5.4 lua54 lua,$(shell $(PKG) --exists '$p >= 5.4' 2>/dev/null && echo $p)))
LAPACKE := $(shell $(PKG) --exists lapacke 2>/dev/null && echo lapacke)
PKGS := $(LUA) openblas $(LAPACKE) jansson
READLINE := $(shell $(PKG) --exists readline 2>/dev/null && echo readline)

OPT    ?= -O3 -g
WARN   := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla $(WERROR)
CFLAGS_ALL = -std=c11 -D_GNU_SOURCE -ffp-contract=off $(OPT) $(WARN) -Isrc -I$(BUILD)/gen -DPH_VERSION='"$(VERSION)"' \
             $(if $(READLINE),-DPH_READLINE) $(shell $(PKG) --cflags $(PKGS) $(READLINE)) $(SAN) $(CFLAGS)
LIBS   = $(shell $(PKG) --libs $(PKGS) $(READLINE)) -lm -lpthread -ldl $(SAN) $(LDFLAGS)

SRC  := $(sort $(wildcard src/*/*.c))
OBJ  := $(SRC:src/%.c=$(BUILD)/obj/%.o)
LIB  := $(BUILD)/libphasor.a
TESTC := $(sort $(wildcard tests/*/test_*.c))
TESTS := $(TESTC:tests/%.c=$(BUILD)/tests/%)

# Arb, for the tests' oracles: a library of its own before FLINT 3.
FLINT := $(shell echo 'int main(void){return 0;}' | $(CC) -x c - -o /dev/null -lflint-arb 2>/dev/null && echo -lflint-arb) -lflint

# Lua that travels inside the binary: prelude, course, lessons. base/embed.h finds them by path.
EMBED := $(sort $(wildcard src/lua/*.lua src/course/*.lua lessons/*.lua))

.PHONY: all run test check bench sanitize install format clean tests lib
all: $(BUILD)/phasor
lib: $(LIB)
tests: $(TESTS)

$(BUILD)/phasor: $(BUILD)/obj/main.o $(LIB)
	$(CC) -o $@ $^ $(LIBS)
$(LIB): $(OBJ) $(BUILD)/obj/embed.o
	rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/obj/%.o: src/%.c | Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
$(BUILD)/obj/embed.o: $(BUILD)/gen/embed.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -c -o $@ $<
$(BUILD)/gen/embed.c: $(EMBED) scripts/generate
	@mkdir -p $(@D)
	scripts/generate embed $(EMBED) > $@
$(BUILD)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -Itests -MMD -MP -o $@ $< $(LIB) $(shell $(PKG) --libs cmocka) $(FLINT) $(LIBS)

test: all tests
	scripts/test $(BUILD)
run: all
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BUILD)/phasor; else exec $(BUILD)/phasor check; fi
check: all
	$(BUILD)/phasor check
bench: all
	scripts/bench $(BUILD)
sanitize:
	$(MAKE) BUILD=$(BUILD)/san OPT='-O1 -g -fno-omit-frame-pointer' SAN='-fsanitize=address,undefined' test
install: all
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BUILD)/phasor $(DESTDIR)$(PREFIX)/bin/phasor
format:
	clang-format -i $(wildcard src/*.c src/*/*.[ch] tests/*/*.[ch])
clean:
	rm -rf $(BUILD)

-include $(OBJ:.o=.d) $(BUILD)/obj/main.d $(TESTS:=.d)
