/* ulps.h: values of vector functions against Arb, at every level that the processor has. */
#ifndef TEST_ARRAY_ULPS_H
#define TEST_ARRAY_ULPS_H

#include "verify/flint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "array/vmath.h"
#include "base/parallel.h"
#include "base/rng.h"

#define EACH_LEVEL(l) for (ph_cpu_level l = PH_CPU_BASELINE, top = ph_set_cpu(PH_CPU_AVX512); l <= top; l++)

/* |got - want| in ulps of a type with `digits` bits and least exponent `e_min`, from above; NaN when
 * undefined. */
static inline double ulps(double got, const arb_t want, int digits, int e_min) {
    arb_t d;
    arb_init(d);
    arb_set_d(d, got);
    arb_sub(d, d, want, 200);
    mag_t m;
    mag_init(m);
    arb_get_mag(m, d);
    int e;
    (void)frexp(arf_get_d(arb_midref(want), ARF_RND_DOWN), &e);
    e = e - digits < e_min ? e_min : e - digits;
    mag_mul_2exp_si(m, m, -e);
    double u = mag_get_d(m);
    mag_clear(m);
    arb_clear(d);
    return u;
}

#endif
