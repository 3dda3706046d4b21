/* linalg_library.h: BLAS and LAPACK, opened when the first product or factorization asks. Private to array/.
 *
 * Opening OpenBLAS costs more than everything else that starts, and most sessions never multiply a matrix; and which kernels
 * OpenBLAS takes must be settled before its first call (linalg_library.c). So where the build knows the library's file
 * (PH_BLAS_FILE), the functions below are looked up in it once, and their names stand for the table's entries; else they are
 * linked as usual. LAPACK is called by its Fortran names: LAPACK_dgetrf(...) is dgetrf_(..., lengths of texts).
 */
#ifndef PH_ARRAY_LINALG_LIBRARY_H
#define PH_ARRAY_LINALG_LIBRARY_H

#include "array/linalg.h"

#include <cblas.h>
#include <lapacke.h>

#ifdef PH_BLAS_FILE

/* clang-format off */
#define LIN_FUNCTIONS(F)                                                                                     \
    F(openblas_get_config) F(openblas_get_corename) F(openblas_get_num_threads) F(openblas_set_num_threads)  \
    F(cblas_sgemm) F(cblas_dgemm) F(cblas_zgemm) F(cblas_ssyrk) F(cblas_dsyrk) F(cblas_zsyrk)                \
    F(cblas_sgemv) F(cblas_dgemv) F(cblas_zgemv) F(cblas_dsdot) F(cblas_ddot) F(cblas_zdotu_sub)             \
    F(sgetrf_) F(dgetrf_) F(zgetrf_) F(sgetrs_) F(dgetrs_) F(zgetrs_) F(sgetri_) F(dgetri_) F(zgetri_)       \
    F(spotrf_) F(dpotrf_) F(zpotrf_) F(sgeqrf_) F(dgeqrf_) F(zgeqrf_) F(sorgqr_) F(dorgqr_) F(zungqr_)       \
    F(dgesdd_) F(zgesdd_) F(dgelsd_) F(zgelsd_) F(dsyevd_) F(zheevd_) F(dgeev_) F(zgeev_) F(ilaver_)
/* clang-format on */

typedef struct {
#define FIELD(f) __typeof__(f) *f;
    LIN_FUNCTIONS(FIELD)
#undef FIELD
} lin_library;
extern lin_library arr_lin_library; /* filled by arr_lin_open */

/* The preprocessor does not replace a name inside its own replacement, so each becomes the table's field and no more. */
#define openblas_get_config      arr_lin_library.openblas_get_config
#define openblas_get_corename    arr_lin_library.openblas_get_corename
#define openblas_get_num_threads arr_lin_library.openblas_get_num_threads
#define openblas_set_num_threads arr_lin_library.openblas_set_num_threads
#define cblas_sgemm              arr_lin_library.cblas_sgemm
#define cblas_dgemm              arr_lin_library.cblas_dgemm
#define cblas_zgemm              arr_lin_library.cblas_zgemm
#define cblas_ssyrk              arr_lin_library.cblas_ssyrk
#define cblas_dsyrk              arr_lin_library.cblas_dsyrk
#define cblas_zsyrk              arr_lin_library.cblas_zsyrk
#define cblas_sgemv              arr_lin_library.cblas_sgemv
#define cblas_dgemv              arr_lin_library.cblas_dgemv
#define cblas_zgemv              arr_lin_library.cblas_zgemv
#define cblas_dsdot              arr_lin_library.cblas_dsdot
#define cblas_ddot               arr_lin_library.cblas_ddot
#define cblas_zdotu_sub          arr_lin_library.cblas_zdotu_sub
#define sgetrf_                  arr_lin_library.sgetrf_
#define dgetrf_                  arr_lin_library.dgetrf_
#define zgetrf_                  arr_lin_library.zgetrf_
#define sgetrs_                  arr_lin_library.sgetrs_
#define dgetrs_                  arr_lin_library.dgetrs_
#define zgetrs_                  arr_lin_library.zgetrs_
#define sgetri_                  arr_lin_library.sgetri_
#define dgetri_                  arr_lin_library.dgetri_
#define zgetri_                  arr_lin_library.zgetri_
#define spotrf_                  arr_lin_library.spotrf_
#define dpotrf_                  arr_lin_library.dpotrf_
#define zpotrf_                  arr_lin_library.zpotrf_
#define sgeqrf_                  arr_lin_library.sgeqrf_
#define dgeqrf_                  arr_lin_library.dgeqrf_
#define zgeqrf_                  arr_lin_library.zgeqrf_
#define sorgqr_                  arr_lin_library.sorgqr_
#define dorgqr_                  arr_lin_library.dorgqr_
#define zungqr_                  arr_lin_library.zungqr_
#define dgesdd_                  arr_lin_library.dgesdd_
#define zgesdd_                  arr_lin_library.zgesdd_
#define dgelsd_                  arr_lin_library.dgelsd_
#define zgelsd_                  arr_lin_library.zgelsd_
#define dsyevd_                  arr_lin_library.dsyevd_
#define zheevd_                  arr_lin_library.zheevd_
#define dgeev_                   arr_lin_library.dgeev_
#define zgeev_                   arr_lin_library.zgeev_
#define ilaver_                  arr_lin_library.ilaver_

#endif

/* The name that OpenBLAS has for the best kernels of a machine of this level, when those of `core` use fewer of its
 * instructions; NULL: `core` is as good. OpenBLAS takes SSE3 kernels ("Prescott") on a processor newer than itself. */
const char *arr_lin_better_core(const char *core, bool avx2, bool avx512);
/* Makes OpenBLAS use the kernels of that name; false when this build of it cannot change. Before the first product only. */
bool arr_lin_set_core(const char *core);

#endif
