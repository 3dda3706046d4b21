/* keys.c: see keys.h. */
#include "repl/keys.h"

#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/utf8.h"
#include "repl/signals.h"

/* Bytes at … n-1 have been read and name no key yet. */
static char held[64];
static size_t at, n_held;

static bool raw(struct termios *before) {
    struct termios t;
    if (tcgetattr(STDIN_FILENO, before) != 0) return false;
    t = *before;
    t.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* Ctrl-C stays a signal */
    t.c_cc[VMIN] = 1, t.c_cc[VTIME] = 0;
    return tcsetattr(STDIN_FILENO, TCSANOW, &t) == 0;
}

static bool fill(double seconds) {
    if (!repl_signals_wait(STDIN_FILENO, seconds)) return false;
    ssize_t got = read(STDIN_FILENO, held, sizeof held);
    at = 0, n_held = got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* Arrows come as ESC [ A or ESC O A; an escape alone is the key of that name. */
static const char *escape(char name[KEY_NAME]) {
    static const char *const arrows[] = {"up", "down", "right", "left"};
    if (n_held - at < 2 || (held[at] != '[' && held[at] != 'O')) return strcpy(name, "escape");
    at++;
    while (at + 1 < n_held && (held[at] < '@' || held[at] > '~'))
        at++; /* of ESC [ 1 ; 5 C the letter counts */
    char letter = held[at++];
    return strcpy(name, letter >= 'A' && letter <= 'D' ? arrows[letter - 'A'] : "other");
}

static const char *next_key(char name[KEY_NAME]) {
    unsigned char c = (unsigned char)held[at++];
    if (c == '\033') return escape(name);
    if (c == '\r' || c == '\n') return strcpy(name, "enter");
    if (c == ' ') return strcpy(name, "space");
    if (c == 4) return strcpy(name, "end");
    if (c < ' ' || c == 127) return strcpy(name, "other");
    ph_utf8 u = ph_utf8_decode(held + at - 1, n_held - at + 1);
    size_t n = u.valid ? (size_t)u.bytes : 1;
    snprintf(name, KEY_NAME, "%.*s", (int)n, held + at - 1);
    at += n - 1;
    return name;
}

const char *repl_key_read(char name[KEY_NAME], double seconds) {
    struct termios before;
    bool got = at < n_held, terminal = true;
    if (got) return next_key(name);
    bool held_back = repl_signals_hold();
    while (!got && repl_signals_go_on() && (terminal = raw(&before))) {
        got = fill(seconds);
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
        if (seconds >= 0 && repl_signals_go_on()) break; /* none in time, or soon enough after a stop */
    }
    repl_signals_release(held_back);
    if (!terminal) return strcpy(name, "end");
    return got ? next_key(name) : NULL;
}
