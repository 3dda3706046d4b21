/* bytes.h: an array as bytes, for another process of this program on this machine. */
#ifndef PH_ARRAY_BYTES_H
#define PH_ARRAY_BYTES_H

#include "array/array.h"
#include "base/text.h"

void arr_put_bytes(ph_text *t, const arr *a); /* of a contiguous one */
/* Takes one array from the front of b, whoever wrote it. EARG when there is none. */
PH_MUST ph_status arr_of_bytes(arr *out, ph_bytes *b, ph_err *err);

#endif
