/* symbols.h: LaTeX names of characters, in order of their bytes. Internal to session/. */
#ifndef PH_SES_SYMBOLS_H
#define PH_SES_SYMBOLS_H

typedef struct {
    const char *name;      /* "theta", "_1", "^T" */
    const char *character; /* UTF-8 */
} ses_symbol;

extern const ses_symbol ses_symbols[]; /* ends with name == NULL */

#endif
