/* graphics.c: see graphics.h.
 *
 * The question is kitty's query ("can you show this pixel?") followed by a request for the primary device attributes, which
 * every terminal answers: when that answer has come, no other will. Attribute 4 says sixels.
 */
#include "repl/graphics.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define QUESTION "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c"
#define PATIENCE 1.0  /* seconds; an answer from farther away would be taken for typing */
#define CHUNK    4096 /* the most base64 that one of kitty's commands takes */

static bool modern(void) {
    static const char *const known[] = {"kitty", "ghostty", "foot", "mlterm", "wezterm", "contour", "sixel"};
    const char *term = getenv("TERM"), *more = getenv("COLORTERM");
    if (!term || strcmp(term, "linux") == 0 || strcmp(term, "dumb") == 0) return false;
    if (more && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0)) return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(term, known[i])) return true;
    return false;
}

/* ---- the answers --------------------------------------------------------------------------------------- */

/* Where an answer begins at s: its length, 0 when s begins with none, -1 when it has not all come. */
static int answer_length(const char *s, size_t n) {
    if (n < 3 || s[0] != '\033' || (s[1] != '_' && s[1] != '[')) return n && s[0] == '\033' && n < 3 ? -1 : 0;
    if (s[1] == '_' && s[2] == 'G') {
        for (size_t i = 3; i + 1 < n; i++)
            if (s[i] == '\033' && s[i + 1] == '\\') return (int)i + 2;
        return -1;
    }
    if (s[1] != '[' || s[2] != '?') return 0;
    for (size_t i = 3; i < n; i++) {
        if (s[i] == 'c') return (int)i + 1;
        if (!strchr("0123456789;", s[i])) return 0;
    }
    return -1;
}

/* Is 4 among the attributes of "ESC [ ? 62 ; 4 ; 22 c"? */
static bool has_sixels(const char *s, size_t n) {
    for (size_t i = 2; i + 1 < n; i++)
        if ((s[i] == ';' || s[i] == '?') && s[i + 1] == '4' && i + 2 < n && strchr(";c", s[i + 2]))
            return true;
    return false;
}

/* Takes the answers out of the n bytes at s; what is left was typed. True when the last one has come. */
static bool take_answers(char *s, size_t *n, graphics *g) {
    bool last = false;
    for (size_t i = 0; i < *n;) {
        int length = answer_length(s + i, *n - i);
        if (length < 0) return false;
        if (length == 0) {
            i++;
            continue;
        }
        if (s[i + 1] == '_' && *n - i > 8 && strncmp(s + i, "\033_Gi=31;OK", 10) == 0) *g = GRAPHICS_KITTY;
        if (s[i + 1] == '[') {
            last = true;
            if (*g == GRAPHICS_NONE && has_sixels(s + i, (size_t)length)) *g = GRAPHICS_SIXEL;
        }
        memmove(s + i, s + i + length, *n - i - (size_t)length);
        *n -= (size_t)length;
    }
    return last;
}

static graphics listen_for_answers(void (*typed)(const char *s, size_t n)) {
    char text[512];
    size_t n = 0;
    graphics g = GRAPHICS_NONE;
    double end = ph_clock() + PATIENCE;
    for (double left = PATIENCE; left > 0 && n < sizeof text; left = end - ph_clock()) {
        struct pollfd p = {STDIN_FILENO, POLLIN, 0};
        if (poll(&p, 1, (int)(left * 1000) + 1) <= 0) break;
        ssize_t got = read(STDIN_FILENO, text + n, sizeof text - n);
        if (got <= 0) break;
        n += (size_t)got;
        if (take_answers(text, &n, &g)) break;
    }
    if (n) typed(text, n);
    return g;
}

graphics repl_graphics_ask(void (*typed)(const char *s, size_t n)) {
    const char *wish = getenv("PHASOR_GRAPHICS");
    struct termios before, raw;
    if (wish && strcmp(wish, "kitty") == 0) return GRAPHICS_KITTY;
    if (wish && strcmp(wish, "sixel") == 0) return GRAPHICS_SIXEL;
    if (wish && strcmp(wish, "none") == 0) return GRAPHICS_NONE;
    if (!(wish && strcmp(wish, "ask") == 0) && !modern()) return GRAPHICS_NONE;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
        return GRAPHICS_NONE;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0) return GRAPHICS_NONE;
    fputs(QUESTION, stdout);
    fflush(stdout);
    graphics g = listen_for_answers(typed);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    return g;
}

/* ---- images -------------------------------------------------------------------------------------------- */

const char *repl_graphics_mime(graphics g) {
    return g == GRAPHICS_KITTY ? "image/png" : g == GRAPHICS_SIXEL ? "image/sixel" : NULL;
}

int repl_graphics_width(int columns) {
    struct winsize w;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_xpixel / w.ws_col >= 4;
    return columns * (known ? w.ws_xpixel / w.ws_col : 10);
}

void repl_graphics_show(graphics g, const char *data) {
    size_t n = strlen(data);
    if (g == GRAPHICS_SIXEL) fputs(data, stdout);
    for (size_t at = 0; g == GRAPHICS_KITTY && at < n; at += CHUNK) {
        size_t part = n - at < CHUNK ? n - at : CHUNK;
        printf("\033_G%sm=%d;%.*s\033\\", at ? "" : "f=100,a=T,q=2,", at + part < n, (int)part, data + at);
    }
    fputc('\n', stdout);
}
