/* help_shape.c: the help of operations that reduce, scan, sort and rearrange arrays. */
#include "array/op.h"

#define AXIS                                                                                                 \
    "x: an array. axis: from 1, or from -1 at the end; without one, everything (a number).\n"                \
    "keep: leaves the reduced dimension there, with size 1."
#define ALONG "x: an array. axis: from 1, or from -1 at the end; the last when left out."
#define VIEW  "A view where it can be: it shares the elements."

const op_help arr_help_shape[] = {
    {.name = "# reductions"},
    {"sum", "x [, axis] [, {keep=true}]",
     "The sum.\n" AXIS
     "\nAdded pairwise: the error grows with the logarithm of the length.\nOf formulas, with i an integer symbol: sum(f, i, lo, hi).",
     "A = array{{1, 2}, {3, 4}}\nsum(A)  --> 10.0\nsum(A, 1):totable()  --> {4.0, 6.0}\n"
     "i = sym(\"i\", \"integer\"); N = sym(\"N\", \"natural\")\nprove(sum(i, i, 1, N), N*(N + 1)/2).strength  --> proved"},
    {"prod", "x [, axis] [, {keep=true}]",
     "The product.\n" AXIS
     "\nOf formulas, with i an integer symbol: prod(f, i, lo, hi), written out where the bounds are integers; else exp(sum(log(f), i, lo, hi)), "
     "which is the product where no factor is 0.",
     "prod{1, 2, 3, 4}  --> 24.0\ni = sym(\"i\", \"integer\"); N = sym(\"N\", \"natural\")\nprove(prod(1 + 1/i, i, 1, N), N + 1).strength  --> proved"},
    {"mean", "x [, axis] [, {keep=true}]", "The arithmetic mean.\n" AXIS, "mean{1, 2, 6}  --> 3.0"},
    {"var", "x [, axis] [, {keep=true, ddof=1}]",
     "The variance: the mean squared deviation from the mean.\n" AXIS
     "\nddof: n - ddof divides; 0 when left out.",
     "var{1, 3}  --> 1.0\nvar({1, 3}, {ddof=1})  --> 2.0"},
    {"std", "x [, axis] [, {keep=true, ddof=1}]",
     "The standard deviation: the square root of var.\n" AXIS "\nddof: n - ddof divides; 0 when left out.",
     "std{1, 3}  --> 1.0"},
    {"norm", "x [, axis] [, {keep=true, ord=2}]",
     "The Euclidean norm, safe from overflow; of a matrix the Frobenius norm.\n" AXIS
     "\nord: 2, 1 for the sum of |x|, or inf for the largest |x|. The elements count as one vector, those of "
     "a matrix too; the matrix norms are max(svdvals(A)), max(sum(abs(A), 1)) and max(sum(abs(A), 2)).",
     "norm{3, 4}  --> 5.0\nnorm({3, -4}, {ord=1})  --> 7.0"},
    {"min", "x [, axis] [, {keep=true}]",
     "The least element.\n" AXIS "\nnan when one is nan. minimum compares two arrays.",
     "min{3, 1, 2}  --> 1.0"},
    {"max", "x [, axis] [, {keep=true}]",
     "The greatest element.\n" AXIS "\nnan when one is nan. maximum compares two arrays.",
     "max{3, 1, 2}  --> 3.0"},
    {"argmin", "x [, axis] [, {keep=true}]",
     "The index of the least element, from 1; the first of equals.\n" AXIS, "argmin{3, 1, 2}  --> 2"},
    {"argmax", "x [, axis] [, {keep=true}]",
     "The index of the greatest element, from 1; the first of equals.\n" AXIS, "argmax{3, 1, 2}  --> 1"},
    {"any", "x [, axis] [, {keep=true}]", "Whether at least one element is true.\n" AXIS,
     "any{false, true}  --> true"},
    {"all", "x [, axis] [, {keep=true}]", "Whether every element is true.\n" AXIS,
     "all(lt({1, 2}, 3))  --> true"},
    {"logsumexp", "x [, axis] [, {keep=true}]", "log of the sum of e^x, safe from overflow.\n" AXIS,
     "logsumexp{1000, -1000}  --> 1000.0"},

    {.name = "# scanning and sorting"},
    {"cumsum", "x [, axis]", "Running sums: the first, the first two, ...\n" ALONG,
     "cumsum{1, 2, 3}:totable()  --> {1.0, 3.0, 6.0}"},
    {"cumprod", "x [, axis]", "Running products: the first, the first two, ...\n" ALONG,
     "cumprod{1, 2, 3}:totable()  --> {1.0, 2.0, 6.0}"},
    {"sort", "x [, axis]", "The elements from least to greatest; nan last.\n" ALONG,
     "sort{3, 1, 2}:totable()  --> {1.0, 2.0, 3.0}"},
    {"argsort", "x [, axis]", "The indices, from 1, that sort x; equal elements keep their order.\n" ALONG,
     "argsort{3, 1, 2}:totable()  --> {2.0, 3.0, 1.0}"},

    {.name = "# rearranging"},
    {"reshape", "x, n, m, ...",
     "The same elements in row-major order under another shape.\nn, m, ...: the sizes, one by one or as a "
     "table; one may be -1 (what is left).\n" VIEW,
     "reshape(range(1, 4), 2, -1):totable()  --> {{1.0, 2.0}, {3.0, 4.0}}"},
    {"permute", "x, axis, axis, ...",
     "The dimensions in another order.\naxes: every axis once, one by one or as a table.\n" VIEW,
     "permute(zeros(2, 3, 4), 3, 1, 2).shape  --> {4, 2, 3}"},
    {"transpose", "x",
     "The last two dimensions swapped: of a matrix, or of each in a stack.\nx: at least two "
     "dimensions.\n" VIEW,
     "transpose(zeros(5, 2, 3)).shape  --> {5, 3, 2}"},
    {"broadcast_to", "x, n, m, ...",
     "x repeated to a larger shape, as operators do it.\nn, m, ...: the sizes, one by one or as a "
     "table.\n" VIEW,
     "broadcast_to({1, 2}, 2, 2):totable()  --> {{1.0, 2.0}, {1.0, 2.0}}"},
    {"squeeze", "x [, axis]", "Without dimensions of size 1; with an axis, without that one only.\n" VIEW,
     "squeeze(zeros(1, 3, 1)).shape  --> {3}"},
    {"unsqueeze", "x, axis",
     "A new dimension of size 1.\naxis: where it will stand, from 1, or from -1 at the end.\n" VIEW,
     "unsqueeze(zeros(3), 1).shape  --> {1, 3}"},
    {"flip", "x [, axis]", "The order of the elements reversed along an axis, or along all.\n" VIEW,
     "flip{1, 2, 3}:totable()  --> {3.0, 2.0, 1.0}"},
    {"roll", "x, shift [, axis]",
     "The elements moved on by shift places; what leaves comes back in front.\n" ALONG,
     "roll({1, 2, 3}, 1):totable()  --> {3.0, 1.0, 2.0}"},
    {"tile", "x, n, m, ...",
     "Copies of x side by side.\nn, m, ...: how many along each of the last dimensions.",
     "tile({1, 2}, 2):totable()  --> {1.0, 2.0, 1.0, 2.0}"},
    {"concat", "{A, B, ...} [, axis]",
     "Arrays joined along an axis they have.\naxis: the first when left out. Other sizes must agree.",
     "concat{ones(2), zeros(1)}:totable()  --> {1.0, 1.0, 0.0}"},
    {"stack", "{A, B, ...} [, axis]",
     "Arrays of one shape joined along a new axis.\naxis: where the new one will stand; first when left out.",
     "stack({ones(2), zeros(2)}, 2):totable()  --> {{1.0, 0.0}, {1.0, 0.0}}"},
    {"take", "x, index [, axis]",
     "The elements or rows at the given indices.\nindex: integers from 1, or from -1 at the end; of any "
     "shape. axis: the first when left out.",
     "take({10, 20, 30}, {3, 1, -1}):totable()  --> {30.0, 10.0, 30.0}"},
    {"diag", "x [, k]",
     "The diagonal of a matrix, or the matrix with this diagonal.\nk: how far above the main diagonal; "
     "negative: below; 0 when left out.",
     "diag{{1, 2}, {3, 4}}:totable()  --> {1.0, 4.0}\ndiag({5}, 1):totable()  --> {{0.0, 5.0}, {0.0, 0.0}}"},
    {"triu", "x [, k]",
     "The upper triangle; the rest becomes 0.\nx: a matrix or a stack of them. k: the lowest diagonal kept, "
     "0 the main one.",
     "triu(ones(2, 2)):totable()  --> {{1.0, 1.0}, {0.0, 1.0}}"},
    {"tril", "x [, k]",
     "The lower triangle; the rest becomes 0.\nx: a matrix or a stack of them. k: the highest diagonal kept, "
     "0 the main one.",
     "tril(ones(2, 2)):totable()  --> {{1.0, 0.0}, {1.0, 1.0}}"},
    {.name = NULL},
};
