/* reading_internal.h: what the files that read formulas share. Private to them. */
#ifndef PH_VERIFY_READING_INTERNAL_H
#define PH_VERIFY_READING_INTERNAL_H

#include "verify/reading.h"

PH_MUST ph_status ver_read_outside(const reading *x, const char *what);
slong ver_read_var(const reading *x, slong gen);
uint64_t ver_read_mix(uint64_t h, uint64_t x);
/* What a monomial of the variables means, whatever their units: names an entry of the table of units. */
uint64_t ver_read_meaning(const reading *x, const slong *e);
slong *ver_read_unit(reading *x, uint64_t key);
/* The unit must be a multiple of den: if it is not, it grows, and the formula is read again. */
PH_MUST ph_status ver_read_widen(reading *x, uint64_t key, slong den);
PH_MUST ph_status ver_read_new(reading *x, slong *id, const read_gen *g);
void ver_read_gen(fmpz_mpoly_t out, const reading *x, slong id);
/* The fact that a variable lies between two rationals around the root of a constant. */
PH_MUST ph_status ver_read_bound(reading *x, slong id, const expr_node *e, slong root);
PH_MUST ph_status ver_read_symbol(ring_frac *out, reading *x, expr_node *e);
PH_MUST ph_status ver_read_atom(ring_frac *out, reading *x, expr_node *e);
PH_MUST ph_status ver_read_constant(ring_frac *out, reading *x, expr_node *e);
ver_sign ver_read_sign_of(reading *x, expr_node *e);
ver_sign ver_read_visible(const fmpz_mpoly_t f, const reading *x);
bool ver_read_is_real(const ring_frac *f, const reading *x);
/* f^(1/q) >= 0 of a real f >= 0, in place. */
PH_MUST ph_status ver_read_root(ring_frac *f, slong q, reading *x);
/* base^v for a real polynomial v; base NULL: e. */
PH_MUST ph_status ver_read_power(ring_frac *out, reading *x, expr_node *base, ring_frac *v);
/* e^(i·v) for a real polynomial v. */
PH_MUST ph_status ver_read_turn(ring_frac *out, reading *x, const ring_frac *v);

#endif
