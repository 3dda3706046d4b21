/* cmplx.h: C's complex numbers, with CMPLX under every compiler: glibc defines it only where the compiler calls itself
 * gcc 4.7 or newer, which clang does not. x + I*y is no substitute: it spoils infinities and the sign of zero. */
#ifndef PH_CMPLX_H
#define PH_CMPLX_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif
#ifndef CMPLXL
#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))
#endif

#endif
