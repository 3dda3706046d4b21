/* help_linalg.c: the help of linear algebra. */
#include "lua/state.h"

const bind_row bind_help_linalg[] = {
    {.name = "# linear algebra"},
    {"matmul", NULL, "A, B",
     "The matrix product.\nA: (..., m, k), B: (..., k, n); the result is (..., m, n), and the dimensions "
     "before the last two broadcast. A vector on the left is a row, on the right a column; its dimension is "
     "left out of the result, so that two vectors give a number. A:mm(B) is the same.",
     "A = array{{1, 2}, {3, 4}}\nmatmul(A, {{0, 1}, {1, 0}}):totable()  --> {{2.0, 1.0}, {4.0, 3.0}}\n"
     "matmul(A, {1, 1}):totable()  --> {3.0, 7.0}\n"
     "matmul(ones(2, 3), ones(2, 3))  --> error: A is (2, 3) and B is (2, 3)"},
    {"dot", NULL, "A, B",
     "The product of vectors or matrices; of two vectors, a number.\nThe sum of A[i] B[i], without "
     "conjugation. "
     "Stacks of matrices are left to matmul.",
     "dot({1, 2, 3}, {4, 5, 6})  --> 32.0"},
    {"outer", NULL, "x, y", "All products of two vectors: the matrix of x[i] y[j].\nx: (m), y: (n).",
     "outer({1, 2}, {10, 20}):totable()  --> {{10.0, 20.0}, {20.0, 40.0}}"},
    {"kron", NULL, "A, B",
     "The Kronecker product: each entry of A times all of B.\nA: (m, n), B: (p, q); the result is (m p, n "
     "q).",
     "kron({{1, 2}}, {{1}, {1}}):totable()  --> {{1.0, 2.0}, {1.0, 2.0}}"},
    {"trace", NULL, "A", "The sum of the diagonal.\nA: a square matrix.", "trace{{1, 2}, {3, 4}}  --> 5.0"},
    {.name = NULL},
};
