/* rotation.h: what the rotations of q and k have in common: their x, its positions, their tables. Private to encoding/. */
#ifndef PH_ENCODING_ROTATION_H
#define PH_ENCODING_ROTATION_H

#include "encoding/phases.h"
#include "encoding/rope_scaling.h"
#include "encoding/rope_turn.h"

enum { ENC_INTERLEAVED, ENC_HALF };

#define ENC_X_ROW                                                                                            \
    { "x", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "an array (..., T, d) of queries or keys" }
#define ENC_LAYOUT_ROW                                                                                       \
    {                                                                                                        \
        "layout", ENC_WORD, ENC_NAMED, 0, 0, 0, "interleaved half", NULL, NULL,                              \
            "\"interleaved\" (pairs 2i, 2i+1: the paper, GPT-J) or \"half\" (pairs i, i+d/2: GPT-NeoX, "     \
            "transformers)"                                                                                  \
    }
#define ENC_BASE_ROW                                                                                         \
    {                                                                                                        \
        "base", ENC_NUM, ENC_OPTIONAL, 10000, 1e-200, 1e200, NULL, NULL, NULL,                               \
            "wavelengths run from 2 Pi to almost 2 Pi base"                                                  \
    }
#define ENC_POSITIONS_ROW                                                                                    \
    {                                                                                                        \
        "positions", ENC_POSITIONS, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL,                                 \
            "an array (T), when they are not 0, 1, ..., T-1"                                                 \
    }
#define ENC_OFFSET_ROW                                                                                       \
    {                                                                                                        \
        "offset", ENC_NUM, ENC_OPTIONAL, 0, -0x1p52, 0x1p52, NULL, NULL, "positions",                        \
            "what is added to every position"                                                                \
    }
#define ENC_INVERSE_ROW(text)                                                                                \
    { "inverse", ENC_FLAG, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL, text }

/* x is (..., T, d); `rotary` columns turn, 0: all, an even number then. */
PH_MUST ph_status enc_check_x(const arr *x, int64_t rotary, const char *who, ph_err *err);
/* EARG unless they are absent or an array (T). */
PH_MUST ph_status enc_check_positions(const enc_value *positions, int64_t T, const char *who, ph_err *err);
double enc_position(const enc_value *positions, double offset, int64_t r); /* of row r */
/* One position for each of T rows; `copy` owns a list. */
PH_MUST ph_status enc_row_positions(enc_positions *at, arr *copy, const enc_value *positions, double offset,
                                    int64_t T, ph_err *err);
/* cos and sin: (T, P) arrays of t, times the temperature, or one by it. */
PH_MUST ph_status enc_make_table(arr *cos, arr *sin, const enc_rope_setting *s, const enc_positions *at,
                                 arr_dtype t, bool inverse, ph_err *err);
void enc_negate(const arr *a); /* f32 or f64, contiguous */
/* out: x turned by the tables (T, P) of its dtype. */
PH_MUST ph_status enc_rotate(arr *out, const arr *x, const arr *cos, const arr *sin, bool half, ph_err *err);

/* x turned by cos and sin (T, pairs), brought to its dtype. */
op_val *enc_d_turned(op_ctx *c, op_val *x, op_val *cos, op_val *sin, bool half);
/* The columns of x that come first in n pairs, and those that come second. */
typedef struct {
    op_val *a, *b;
} enc_d_pair;
enc_d_pair enc_d_pairs_of(op_ctx *c, op_val *x, int64_t n, bool half);

/* A rotation is its tables (T, pairs), for x (..., T, d) of dtype t, its first argument; its layout is the second. */
typedef ph_status enc_tables_fn(arr *cos, arr *sin, const enc_value *v, int64_t T, int64_t d, arr_dtype t,
                                ph_err *err);
/* in_place: x is contiguous and gets the result, and out is another reference to it; an interrupt leaves some rows turned. */
PH_MUST ph_status enc_rotation_run(arr *out, const enc_value *v, bool in_place, enc_tables_fn *tables,
                                   ph_err *err);
/* The same by its definition. Where x alone is traced, its tables are those of the kernel. */
typedef void enc_d_tables_fn(const enc_def *d, op_val **cos, op_val **sin, int64_t T, int64_t columns);
void enc_rotation_define(const enc_def *d, op_val **y, const enc_param *params, enc_tables_fn *tables,
                         enc_d_tables_fn *defined);

#endif
