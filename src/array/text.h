/* text.h: private to array/. One number as text. Buffers of at least 40 bytes, 80 for complex. */
#ifndef PH_ARRAY_TEXT_H
#define PH_ARRAY_TEXT_H

#include "array/array.h"

char *arr_f32_text(char *buf, size_t cap, float x);    /* shortest that reads back as the same float */
char *arr_short_text(char *buf, size_t cap, double x); /* six digits; a nonzero never becomes 0 */

#endif
