/* help_linalg.c: the help of linear algebra. */
#include "array/op.h"

const op_help arr_help_linalg[] = {
    {.name = "# linear algebra"},
    {"matmul", "A, B",
     "The matrix product.\nA: (..., m, k), B: (..., k, n); the result is (..., m, n), and the dimensions "
     "before the last two broadcast. A vector on the left is a row, on the right a column; its dimension is "
     "left out of the result, so that two vectors give a number. A:mm(B) is the same.",
     "A = array{{1, 2}, {3, 4}}\nmatmul(A, {{0, 1}, {1, 0}}):totable()  --> {{2.0, 1.0}, {4.0, 3.0}}\n"
     "matmul(A, {1, 1}):totable()  --> {3.0, 7.0}\n"
     "matmul(ones(2, 3), ones(2, 3))  --> error: A is (2, 3) and B is (2, 3)"},
    {"dot", "A, B",
     "The product of vectors or matrices; of two vectors, a number.\nThe sum of A[i] B[i], without "
     "conjugation. "
     "Stacks of matrices are left to matmul. Of formulas too.",
     "dot({1, 2, 3}, {4, 5, 6})  --> 32.0\ndot(symmatrix(\"q\", 2), symmatrix(\"k\", 2))  --> q1*k1 + q2*k2"},
    {"outer", "x, y", "All products of two vectors: the matrix of x[i] y[j].\nx: (m), y: (n).",
     "outer({1, 2}, {10, 20}):totable()  --> {{10.0, 20.0}, {20.0, 40.0}}"},
    {"kron", "A, B",
     "The Kronecker product: each entry of A times all of B.\nA: (m, n), B: (p, q); the result is (m p, n "
     "q).",
     "kron({{1, 2}}, {{1}, {1}}):totable()  --> {{1.0, 2.0}, {1.0, 2.0}}"},
    {"trace", "A", "The sum of the diagonal.\nA: a square matrix.", "trace{{1, 2}, {3, 4}}  --> 5.0"},
    {"solve", "A, b",
     "The x with matmul(A, x) = b.\nA: (..., n, n). b: a vector (n), or columns (..., n, k); stacks "
     "broadcast. An error when A "
     "is singular to the last bit; when it is nearly so, cond(A) says how much to trust x.",
     "solve({{2, 0}, {0, 4}}, {2, 2}):totable()  --> {1.0, 0.5}\n"
     "solve(ones(2, 2), {1, 2})  --> error: A is singular"},
    {"lstsq", "A, b [, tol]",
     "Least squares: the x that makes |A x - b| least.\nA: (m, n), b: (m) or (m, q). Four results: x, the "
     "shortest when there are many; the "
     "residual |A x - b| (of each column); the rank of A; its singular values. Those up to tol times the "
     "largest count "
     "as 0; tol is max(m, n) eps when left out.",
     "A = array{{1, 0}, {1, 1}, {1, 2}}\nx, residual, r = lstsq(A, {1, 3, 5})\n"
     "allclose(x, {1, 2})  --> true\nr  --> 2.0"},
    {"inv", "A",
     "The inverse of a matrix.\nA: (..., n, n). solve(A, b) is faster and more accurate than inv(A) times b.",
     "inv{{2, 0}, {0, 4}}:totable()  --> {{0.5, 0.0}, {0.0, 0.25}}"},
    {"det", "A",
     "The determinant.\nA: a square matrix. Products over the range of numbers are an error; slogdet has no "
     "such range.",
     "det{{0, 2}, {3, 0}}  --> -6.0"},
    {"slogdet", "A",
     "The determinant's sign and the logarithm of its size.\nA: a square matrix. Two results; 0 and -inf "
     "when it is singular. The sign of a complex "
     "one has modulus 1.",
     "s, l = slogdet{{0, 2}, {3, 0}}\ns  --> -1.0\nabs(l - log(6)) < 1e-15  --> true"},
    {"cholesky", "A",
     "The lower triangular L with A = matmul(L, transpose(L)).\nA: (..., n, n), symmetric (Hermitian, with "
     "the conjugate transpose) and "
     "positive definite.",
     "cholesky{{4, 2}, {2, 2}}:totable()  --> {{2.0, 0.0}, {1.0, 1.0}}\n"
     "cholesky{{1, 2}, {2, 1}}  --> error: not positive definite"},
    {"qr", "A [, \"full\"]",
     "Orthonormal columns Q and triangular R with A = matmul(Q, R).\nA: (..., m, n); Q is (m, k), R is (k, "
     "n), k = min(m, n), or k = m with "
     "\"full\". The diagonal of R is not negative.",
     "Q, R = qr{{3, 1}, {4, 2}}\nallclose(R, {{5, 2.2}, {0, 0.4}})  --> true"},
    {"svd", "A [, \"full\"]",
     "Singular values: U, s, Vt with A = matmul(U * s, Vt).\nA: (..., m, n); U is (m, k), s is (k) and "
     "descends, Vt is (k, n) and holds V transposed (and "
     "conjugated); k = min(m, n). With \"full\" U and Vt are square. The first element of a column of U that "
     "is at least 0.9 "
     "of its largest is real and positive.",
     "U, s, Vt = svd{{0, 2}, {1, 0}}\ns:totable()  --> {2.0, 1.0}\nallclose(matmul(U * s, Vt), {{0, 2}, {1, "
     "0}})  --> true"},
    {"svdvals", "A",
     "The singular values alone, descending.\nA: (..., m, n); the result is (..., min(m, n)).",
     "svdvals{{0, 2}, {1, 0}}:totable()  --> {2.0, 1.0}"},
    {"rank", "A [, tol]",
     "The rank: how many singular values are not 0.\nA: a matrix. Those up to tol times the largest count as "
     "0; tol is max(m, n) eps when left "
     "out, eps the spacing of numbers at 1 in A's type.",
     "rank{{1, 2}, {2, 4}}  --> 1"},
    {"cond", "A",
     "The condition number: the largest singular value over the least.\nA: a matrix. How much solving with A "
     "can magnify a relative error; inf when "
     "singular.",
     "cond{{4, 0}, {0, 2}}  --> 2.0"},
    {"pinv", "A [, tol]",
     "The pseudo-inverse of Moore and Penrose.\nA: (..., m, n); the result is (..., n, m). Singular values "
     "up to tol times the largest count as 0; tol is "
     "max(m, n) eps when left out.\nDerivatives below full rank need a tol of your own: it keeps the rank, "
     "and they are those along matrices of that rank (Golub and Pereyra 1973).",
     "allclose(pinv{{2, 0}, {0, 0}}, {{0.5, 0}, {0, 0}})  --> true"},
    {"eigh", "A",
     "Eigenvalues, ascending, and vectors of a symmetric matrix.\nA: (..., n, n), symmetric or Hermitian. "
     "Two results: values (..., n) and vectors as "
     "columns, orthonormal. The first element of a vector that is at least 0.9 of its largest is real and "
     "positive.",
     "w, V = eigh{{0, 1}, {1, 0}}\nallclose(w, {-1, 1})  --> true"},
    {"eig", "A",
     "Eigenvalues and vectors of any square matrix, complex.\nA: (..., n, n). Two results: values (..., n), "
     "by real part and then imaginary part, and "
     "vectors as columns of norm 1. The first element of a vector that is at least 0.9 of its largest is "
     "real and positive.",
     "w = eig{{0, -1}, {1, 0}}\nallclose(im(w), {-1, 1})  --> true"},
    {"expm", "A",
     "The exponential of a matrix: 1 + A + A A/2 + ...\nA: (..., n, n). By scaling and squaring of Pade approximants (Higham 2005; Al-Mohy and Higham 2009). "
     "Where A is large digits are lost, at least |A| 2^-53 of the result unless A is nilpotent or nearly so; where none would be left it raises. "
     "exp works element by element.",
     "expm{{0, 1}, {0, 0}}:totable()  --> {{1.0, 1.0}, {0.0, 1.0}}"},
    {.name = NULL},
};
