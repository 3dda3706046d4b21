/* base.h: what every room stands on: status and message, one allocation door, checked sizes,
 * the interrupt flag.
 *
 * Invariant: nothing in the core prints, exits or jumps. A fallible function returns a ph_status, which the
 * compiler makes the caller look at, and leaves the words for a person in *err. Exception: none.
 */
#ifndef PH_BASE_H
#define PH_BASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __i386__ && !defined __SSE2_MATH__
#error "doubles would be computed in 80 bits, which changes results: -msse2 -mfpmath=sse"
#endif

typedef enum {
    PH_OK = 0,
    PH_ENOMEM,   /* the allocation door refused */
    PH_EARG,     /* an argument has the wrong type, shape, size or value */
    PH_EDOMAIN,  /* the mathematics is undefined there */
    PH_EOUTSIDE, /* defined, but no method here decides it: another statement may be needed, not more time */
    PH_EBUDGET,  /* more time, memory or digits than are allowed would decide it */
    PH_EUNABLE, /* this machine cannot: a library counts no further or is not there, an iteration does not converge */
    PH_EBUG, /* two parts of this program contradict each other: every caller passes it on, none goes another way */
    PH_EINTR, /* the interrupt flag was seen */
    PH_EIO    /* a file, socket or process failed */
} ph_status;

/* No answer, yet nothing is wrong: a caller that has another way may take it. All other failures are passed on. */
static inline bool ph_is_open(ph_status st) { return st >= PH_EDOMAIN && st <= PH_EUNABLE; }
/* Of an attempt whose refusal is no error: these failures still are. */
static inline bool ph_is_fatal(ph_status st) { return st == PH_ENOMEM || st == PH_EINTR || st == PH_EBUG; }
/* What kind of failure that is, for a person: "out of budget", "undefined", "contradiction". */
const char *ph_kind(ph_status st);

/* The message names what was seen and what was wanted, never a C path: "rope: x has 7 columns; rotation needs
 * an even number (pairs)". The room that raises it for Lua prefixes the user's file:line. */
typedef struct {
    ph_status code;
    char text[480];
} ph_err;

#if defined(__GNUC__)
#define PH_MUST         __attribute__((warn_unused_result))
#define PH_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PH_MUST
#define PH_PRINTF(f, a)
#endif

/* Fills *err (which may be NULL) and returns code, so that `return ph_fail(err, PH_EARG, "...", ...)` reads well. */
ph_status ph_fail(ph_err *err, ph_status code, const char *fmt, ...) PH_PRINTF(3, 4);
/* Puts "WHO: " in front of a message that does not begin so; the kind stays. Returns it. */
ph_status ph_fail_from(ph_err *err, const char *who);
/* "out of memory: N bytes wanted" */
ph_status ph_fail_nomem(ph_err *err, size_t bytes);
/* "interrupted" */
ph_status ph_fail_interrupted(ph_err *err);

/* Leave by one label: `PH_TRY(f(...))` jumps to `done:` with `st` set. */
#define PH_TRY(call)                                                                                         \
    do {                                                                                                     \
        if ((st = (call)) != PH_OK) goto done;                                                               \
    } while (0)

/* ---- the allocation door: every byte of the core's own memory comes through here ----------------------- */

/* A megabyte and more is refused, too, where it is more than the limit of blocks leaves: what is worked in may be large where the blocks that it
 * makes are empty. What grows (ph_realloc) has paid for its size. */
PH_MUST void *ph_alloc(size_t bytes);             /* NULL when refused; bytes 0 is served as 1 */
PH_MUST void *ph_calloc(uint64_t n, size_t size); /* zeroed; NULL when refused or when n*size wraps */
PH_MUST void *ph_realloc(void *p, size_t bytes);  /* as realloc; p stays valid when refused */
char *ph_strdup(const char *s) PH_MUST;
void ph_free(void *p); /* NULL is fine */
/* The same for zlib, which hands `unused` through. */
void *ph_zlib_alloc(void *unused, unsigned n, unsigned size);
void ph_zlib_free(void *unused, void *p);

/* Tests only: the n-th allocation from now on (1 = the next) and all after it are refused; 0 switches off. */
void ph_alloc_fail_from(size_t n);
/* For another allocator (blocks, a library's own): counts one allocation. True: a test wants it refused. */
PH_MUST bool ph_alloc_refused(void);

/* Large data blocks: 64-byte aligned, *not* zeroed. Freed blocks of at least 128 KB are kept for reuse up to a
 * cap (96 MB), because a fresh mapping costs more than most kernels; they are not carried over a fork. So are smaller ones
 * over 1 KB (8 MB of them) and, without a cap, the smallest. `bytes` in ph_block_free is what was asked for; p NULL is
 * fine. Main thread only. */
PH_MUST void *ph_block_alloc(size_t bytes);
void ph_block_free(void *p, size_t bytes);
size_t ph_block_live(void);   /* bytes handed out and not returned: what drives Lua's collector */
size_t ph_block_room(void);   /* bytes below the limit that are left */
size_t ph_block_cached(void); /* bytes kept for reuse, those of blocks up to 1 KB not counted */
void ph_block_trim(void);     /* gives the kept ones back */
/* Blocks of the same pool for objects that are made by the thousand and freed soon. They hold no data of the user, so they are neither counted as
 * live nor limited. */
PH_MUST void *ph_object_alloc(size_t bytes);
void ph_object_free(void *p, size_t bytes);
/* From now on a block is refused that would take the live bytes above the limit; SIZE_MAX: none, as at the start. */
void ph_block_set_limit(size_t bytes);

/* ---- checked sizes ------------------------------------------------------------------------------------- */

/* *out = a*b (a+b); false when it would wrap. Sizes are never multiplied anywhere else. A factor may be a count of 64 bits: where size_t has 32,
 * a cast would cut it. */
PH_MUST bool ph_mul_size(size_t *out, uint64_t a, uint64_t b);
PH_MUST bool ph_add_size(size_t *out, size_t a, size_t b);
/* Product of n dimensions times the item size; false when a dimension is negative or the product of the nonzero
 * dimensions passes PTRDIFF_MAX (so a zero among them hides no overflow). */
PH_MUST bool ph_shape_bytes(size_t *out, const int64_t *shape, int n, size_t item);

/* ---- interrupt ----------------------------------------------------------------------------------------- */

/* Tests only: the n-th look from now on (1 = the next) and all after it see an interrupt; 0 switches off. */
void ph_interrupt_from(size_t n);
size_t ph_interrupt_looks(void);     /* since then; while switched off, none is counted */
PH_MUST bool ph_interrupt_due(void); /* one look, where the flag is set */

/* Set by a signal handler, cleared by the session before each cell. Long loops poll it, about every 10 ms. */
extern volatile sig_atomic_t ph_interrupt_flag;
static inline bool ph_interrupted(void) { return ph_interrupt_flag != 0 && ph_interrupt_due(); }

/* Seconds on a monotonic clock; for time fields and progress only, never in a printed result. */
double ph_clock(void);

#endif
