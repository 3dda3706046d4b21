/* graphics.h: terminals that show images: asking for it, and showing one. */
#ifndef PH_REPL_GRAPHICS_H
#define PH_REPL_GRAPHICS_H

#include "base/base.h"

typedef enum { GRAPHICS_NONE, GRAPHICS_KITTY, GRAPHICS_SIXEL } graphics;

/* What the terminal on stdin and stdout answers when it is asked which images it shows: kitty's protocol, else sixels. It is
 * asked only when it tells by TERM or COLORTERM that it is a modern one, or when $PHASOR_GRAPHICS is "ask"; "kitty",
 * "sixel" and "none" there settle it. What was typed meanwhile goes to `typed`. At most a second; Linux's console and a pipe
 * are never asked. */
graphics repl_graphics_ask(void (*typed)(const char *s, size_t n));

/* The MIME type of the images it shows: "image/png", "image/sixel"; NULL: none. */
const char *repl_graphics_mime(graphics g);

/* How wide an image is that takes so many columns, in pixels; by 10 a column where the terminal does not say. */
int repl_graphics_width(int columns);

/* Writes an image of that type (PNG: base64) to stdout, and ends its line. */
void repl_graphics_show(graphics g, const char *data);

#endif
