/* symbols.h: TeX's names of characters: what \theta and Tab types, and what a formula in $...$ shows. One table for the prompt, the
 * lessons, the pages, the pictures and the LaTeX of a formula. */
#ifndef PH_SYMBOLS_H
#define PH_SYMBOLS_H

#include "base/base.h"

typedef enum {
    PH_LETTER,   /* stands for a value: alpha, infty */
    PH_TYPED,    /* typed so, but no command of TeX: Alpha, bbR */
    PH_RELATION, /* between two formulas, set apart by blanks: le, times */
    PH_MARK,     /* a bracket or another sign: langle, cdot */
    PH_BIG,      /* carries its bounds below and above: sum */
    PH_FUNCTION, /* an upright name: sin */
    PH_ACCENT,   /* a combining mark, after the letter it stands on: hat */
    PH_SCRIPT,   /* a small character: ^2, _beta */
    PH_SPACE,    /* quad */
    PH_DROPPED   /* says how to set what follows, shows nothing: left */
} ph_symbol_kind;

typedef struct {
    const char *name;      /* "theta", "_1", "^T" */
    const char *character; /* UTF-8 */
    ph_symbol_kind kind;
} ph_symbol;

extern const ph_symbol ph_symbols[]; /* in the order of their bytes; ends with name == NULL */

const ph_symbol *ph_find_symbol(const char *name, size_t n);
/* The symbol that shows this character, by its shortest name; no script. */
const ph_symbol *ph_symbol_of(const char *character, size_t n);
/* The character raised (mark '^') or lowered ('_'), or NULL where Unicode has none. */
const char *ph_script(const char *character, size_t n, char mark);

#endif
