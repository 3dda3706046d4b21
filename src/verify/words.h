/* words.h: the words of a verdict's line, for text.c. */
#ifndef PH_VERIFY_WORDS_H
#define PH_VERIFY_WORDS_H

#include "verify/verdict.h"

typedef enum {
    VER_W_UNKNOWN, /* in the order of ver_strength */
    VER_W_REFUTED,
    VER_W_MEASURED,
    VER_W_CERTIFIED,
    VER_W_PROVED,
    VER_W_OUTSIDE, /* in the order of ver_reason, from VER_OUTSIDE_THEORY on */
    VER_W_BUDGET,
    VER_W_DOMAIN,
    VER_W_DATA,
    VER_W_COLON,
    VER_W_SEMICOLON,
    VER_W_COMMA,
    VER_W_OPEN,
    VER_W_CLOSE,
    VER_W_HOLDS_FOR, /* between "proved" and "for all …" */
    VER_W_WITNESS,
    VER_W_NO_WITNESS,
    VER_W_MAX,
    VER_W_WORST,
    VER_W_DEVIATION,
    VER_W_NOT_WITHIN,
    VER_W_TERM, /* each followed by its plural */
    VER_W_TERMS,
    VER_W_BOX,
    VER_W_BOXES,
    VER_W_POINT,
    VER_W_POINTS,
    VER_W_SAMPLE,
    VER_W_SAMPLES,
    VER_W_RECHECKED, /* by Coq */
    VER_W_FOR_ALL,
    VER_W_REAL, /* symbols of a kind, in the order in which a line names them */
    VER_W_POSITIVE,
    VER_W_INTEGER,
    VER_W_NATURAL,
    VER_W_COMPLEX,
    VER_W_WITH, /* where no symbol was named */
    VER_W_AND_WITH,
    VER_W_UNMET,
    VER_W_LEFT,
    VER_W_RIGHT,
    VER_W_FOR_ALL_IN, /* a box */
    VER_W_FOR_ALL_INTEGERS,
    VER_W_IN,
    VER_W_WITHIN,
    VER_W_EXACTLY,
    VER_W_ROOT, /* followed by its plural */
    VER_W_ROOTS,
    VER_W_NO_ROOT,
    VER_W_INCREASING, /* in the order of monotone.c */
    VER_W_DECREASING,
    VER_W_NEVER_DECREASING,
    VER_W_NEVER_INCREASING,
    VER_W_VALUE_TO,
    VER_W_INTEGRAL_TO,
    VER_W_DIGITS,
    VER_W_GIVEN,
    VER_W_RISES,
    VER_W_FALLS,
    VER_W_ENTRY,
    VER_W_TRUE_VALUE,
    VER_W_WORST_OF,
    VER_W_BEYOND,
    VER_W_SEED,
    VER_W_SAMPLE_NUMBER,
    VER_W_AT, /* the place of an element */
    VER_W_THE_VALUE,
    VER_WORDS
} ver_word_id;

const char *ver_word(ver_lang lang, ver_word_id id);

typedef void ver_put_bytes(void *ctx, const char *s, size_t n);

/* Hands a reason to put, piece by piece, in that language; as it is where it is no sentence of ours (reasons.c): the message of an error. */
void ver_put_reason(const char *s, ver_lang lang, ver_put_bytes *put, void *ctx);

#endif
