# fuzzers.mk: the programs of scripts/fuzz, read by the Makefile.

# The calls by which readers come by a text, which tests/fuzz/door.c answers from memory.
DOOR := -Wl,--wrap=open,--wrap=close,--wrap=fstat,--wrap=stat,--wrap=flock,--wrap=pread,--wrap=recvmsg
FUZZER = $(FLAGS) -Itests -fsanitize=fuzzer $(DOOR) -o $@
# Lua's readers are led by the lines of Lua that a text reaches (readers_lua.c), and by the counters of what C they call for a text: libFuzzer looks at
# every counter of a program after each text, and those of the whole would be sixty times as many.
CALLED := $(patsubst %,src/%.c,base/dd base/utf8 expr/decimal lua/parcel)
$(BUILD)/fuzzer: $(wildcard tests/fuzz/reader*.[ch] tests/fuzz/[dl]*.c) $(CALLED) $(LIB)
	$(Q)$(CC) $(FUZZER) $(filter %.c,$^) $(LIB) $(LIBS)
# The readers in C alone, with the counters of all that they call.
FUZZED := $(wildcard src/base/*.c src/files/*.c) $(patsubst %,src/%.c,array/array array/loop array/text array/view \
    kernel/connection kernel/library kernel/wire repl/history session/lex session/nfc session/prepass worker/wire)
$(BUILD)/fuzzer-bytes: tests/fuzz/readers.c tests/fuzz/readers_bytes.c tests/fuzz/door.c tests/fuzz/libfuzzer.c $(FUZZED) $(wildcard tests/fuzz/*.h) $(BUILD)/flags
	$(Q)$(CC) $(FUZZER) -O2 -fno-sanitize-coverage=trace-cmp -ffunction-sections -Wl,--gc-sections $(filter %.c,$^) $(LIBS)
