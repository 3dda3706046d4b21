/* sort.h: a line of numbers in order. Private to array/.
 *
 * NaN stands after every number, -0 just before 0. The bits are the same on every machine: equal keys are equal bits. */
#ifndef PH_ARRAY_SORT_H
#define PH_ARRAY_SORT_H

#include "base/base.h"

size_t arr_sort_scratch(int64_t n); /* bytes that a line of n numbers wants, aligned as doubles are */
/* Both leave the line half done when the interrupt flag is seen. */
void arr_sort_line(double *x, void *scratch, int64_t n);
/* x becomes the places, from `base` on, at which its numbers stood; equal ones, 0 and -0 too, in the order in which they came. */
void arr_argsort_line(double *x, void *scratch, int64_t n, int base);

#endif
