/* flint.h: the one place that knows where FLINT and Arb live. Before FLINT 3, Arb is a library of its own with its
 * headers outside flint/. FLINT's headers use I as a name, so <complex.h> must not come before them. */
#ifndef PH_VERIFY_FLINT_H
#define PH_VERIFY_FLINT_H

#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_vec.h>
#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_vec.h>
#include <flint/ulong_extras.h>
#if __FLINT_VERSION >= 3
#include <flint/acb.h>
#include <flint/acb_calc.h>
#include <flint/acb_hypgeom.h>
#include <flint/arb.h>
#include <flint/arb_calc.h>
#include <flint/arb_fmpz_poly.h>
#include <flint/arb_hypgeom.h>
#else
#include <acb.h>
#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <arb.h>
#include <arb_calc.h>
#include <arb_fmpz_poly.h>
#include <arb_hypgeom.h>
#endif

#endif
