/* analysis.h: what a set of frequencies, a score matrix or a table of position vectors does, in numbers.
 *
 * Letters: θ_i frequencies (P of them), w_i their weights, k distance, A (..., T, S) scores, X (T, d) position vectors.
 */
#ifndef PH_ATTENTION_ANALYSIS_H
#define PH_ATTENTION_ANALYSIS_H

#include "array/dd.h"

/* S(k) = Σ_i w_i cos(k θ_i) for k = first, first+1, …, n of them; or for k of `list` (NULL: none). The θ_i are taken as the
 * double-doubles they are, w NULL means 1. *out (n), f64.
 *
 * The run: with J a power of two near √n, (J b + j) θ_i is the angle of b plus that of j, so
 *     S(first + J b + j) = Σ_i w_i cos((first + J b) θ_i) cos(j θ_i) - w_i sin((first + J b) θ_i) sin(j θ_i)
 * is a product of a matrix (n/J, 2P) and one (2P, J): n (2P) multiplications and only √n sines.
 *
 * Error, u = 2^-53: an entry of either matrix is off by 1 ulp, at most 2u times what it would be at 1 (and once more u by w);
 * |cos cos| + |sin sin| <= 1, |cos| + |sin| <= √2. So a pair is off by |w_i| u (2 √2 + 2 √2 + 2), and the 2P products and
 * sums add 2P u Σ|w_i|: |error| <= (8 + 2P) u Σ|w_i|, where |k θ_i| <= 2^20. For w = 1 and d = 2P <= 1790 that is below
 * 1e-13 d. A list: (2 + P) u Σ|w_i|.
 *
 * EARG: θ no vector, shapes of w and θ differ, something is not finite, n < 0, or sizes beyond memory; EINTR. */
PH_MUST ph_status att_decay_curve(arr *out, const arr_dd *theta, const arr *w, double first, int64_t n,
                                  const arr *list, ph_err *err);

/* The nearest Toeplitz matrix to each A in the Frobenius norm: every diagonal at its mean. An orthogonal projection, so
 *     deviation = |A - part|_F / |A|_F
 * lies in [0, 1]: 0 for a function of m - n, 1 for a matrix whose diagonals all have mean 0; 0 for A = 0. spread: the largest
 * difference of two entries of one diagonal; half of it is the distance to the nearest Toeplitz matrix in the largest
 * entry. `lower`: only entries with n <= m + S - T count, the others are 0 in part (attention to earlier keys: the last
 * query stands at the last key). Equal entries have exactly their value as mean, so a Toeplitz matrix has deviation 0.
 * part (..., T, S), deviation and spread (...), f64. EARG: A is no real matrix, or an entry that counts is not finite. */
PH_MUST ph_status att_toeplitz(arr *part, arr *deviation, arr *spread, const arr *a, bool lower,
                               const char *who, ph_err *err);

/* The least Euclidean distance between two rows of X (T, d), T >= 2, and which rows (0-based, *i < *j; the first such pair).
 * The squares are summed from differences, so relative error is under (d/2 + 2) 2^-53. EARG: shape, or not finite. */
PH_MUST ph_status att_margin(double *margin, int64_t *i, int64_t *j, const arr *x, ph_err *err);

#endif
