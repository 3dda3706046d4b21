/* help_elementwise.c: the help of operations that go element by element. The functions themselves come from
 * op.h. */
#include "array/op.h"

#define X           "x: a number, complex number or array of any shape."
#define XR          "x: a real number or array of any shape."
#define XY          "x, y: numbers, complex numbers or arrays; shapes broadcast from the last dimension."
#define XYR         "x, y: real numbers or arrays; shapes broadcast from the last dimension."
#define DOMAIN_REAL "Outside its real domain a real x gives nan; complex(x) gives the complex value."

const op_help arr_help_elementwise[] = {
    {.name = "# arithmetic"},
    {"add", "x, y", "The sum, element by element: x + y.\n" XY,
     "add({1, 2}, 10):totable()  --> {11.0, 12.0}"},
    {"sub", "x, y", "The difference, element by element: x - y.\n" XY, "sub(10, 4)  --> 6.0"},
    {"mul", "x, y", "The product, element by element: x * y.\n" XY "\nThe product of matrices is matmul.",
     "mul({1, 2}, {3, 4}):totable()  --> {3.0, 8.0}"},
    {"div", "x, y",
     "The quotient, element by element: x / y.\n" XY "\nDivision by 0 gives inf or nan, as in IEEE 754.",
     "div(1, 4)  --> 0.25\n1 / 0  --> inf"},
    {"pow", "x, y", "x to the power y, element by element: x ^ y.\n" XY "\n" DOMAIN_REAL,
     "pow(2, {1, 2, 3}):totable()  --> {2.0, 4.0, 8.0}"},
    {"neg", "x", "The negative: -x.\n" X, "neg(3)  --> -3.0"},
    {"abs", "x", "The absolute value, |x|; of a complex number its modulus.\n" X, "abs(3 - 4*I)  --> 5.0"},
    {"sign", "x", "-1, 0 or 1, by the sign of x.\n" XR, "sign{-2, 0, 5}:totable()  --> {-1.0, 0.0, 1.0}"},
    {"square", "x", "The square, x * x.\n" X, "square(3)  --> 9.0"},
    {"hypot", "x, y", "sqrt(x^2 + y^2) without overflow on the way.\n" XYR, "hypot(3, 4)  --> 5.0"},
    {"minimum", "x, y",
     "The lesser of two, element by element.\n" XYR "\nnan wherever either is nan. min reduces one array.",
     "minimum({1, 5}, 3):totable()  --> {1.0, 3.0}"},
    {"maximum", "x, y",
     "The greater of two, element by element.\n" XYR "\nnan wherever either is nan. max reduces one array.",
     "maximum({1, 5}, 3):totable()  --> {3.0, 5.0}"},
    {"floor", "x", "The greatest whole number not above x.\n" XR, "floor(-1.5)  --> -2.0"},
    {"ceil", "x", "The least whole number not below x.\n" XR, "ceil(-1.5)  --> -1.0"},
    {"round", "x", "The nearest whole number; a tie goes to the even one.\n" XR,
     "round{0.5, 1.5, 2.6}:totable()  --> {0.0, 2.0, 3.0}"},

    {.name = "# elementary functions"},
    {"exp", "x", "The exponential, e^x.\n" X, "exp(0)  --> 1.0\nexp(I * pi).re  --> -1.0"},
    {"expm1", "x", "e^x - 1, exact also near 0.\n" XR, "expm1(1e-20)  --> 1e-20"},
    {"log", "x", "The natural logarithm.\n" X "\n" DOMAIN_REAL,
     "log(1)  --> 0.0\nlog(-1)  --> nan\nlog(complex(-1)).im == pi  --> true"},
    {"log1p", "x", "log(1 + x), exact also near 0.\n" XR, "log1p(1e-20)  --> 1e-20"},
    {"log2", "x", "The logarithm to base 2.\n" X, "log2(8)  --> 3.0"},
    {"sqrt", "x", "The square root.\n" X "\n" DOMAIN_REAL,
     "sqrt(2)  --> 1.4142135623730951\nsqrt(complex(-4))  --> 0 + 2i"},
    {"sin", "x", "The sine of an angle.\nx: radians; a number, complex number or array of any shape.",
     "sin(0)  --> 0.0\nsin(pi/2)  --> 1.0"},
    {"cos", "x", "The cosine of an angle.\nx: radians; a number, complex number or array of any shape.",
     "cos(0)  --> 1.0"},
    {"tan", "x", "The tangent of an angle.\nx: radians; a number, complex number or array of any shape.",
     "tan(0)  --> 0.0"},
    {"asin", "x", "The angle whose sine is x, in radians, from -π/2 to π/2.\n" X "\n" DOMAIN_REAL,
     "asin(1) == pi/2  --> true"},
    {"acos", "x", "The angle whose cosine is x, in radians, from 0 to π.\n" X "\n" DOMAIN_REAL,
     "acos(1)  --> 0.0"},
    {"atan", "x", "The angle whose tangent is x, in radians, from -π/2 to π/2.\n" X,
     "atan(1) == pi/4  --> true"},
    {"atan2", "y, x",
     "The angle of the point (x, y), in radians, from -π to π.\ny, x: real numbers or arrays; shapes "
     "broadcast.",
     "atan2(1, -1) == 3*pi/4  --> true"},
    {"sinh", "x", "The hyperbolic sine.\n" X, "sinh(0)  --> 0.0"},
    {"cosh", "x", "The hyperbolic cosine.\n" X, "cosh(0)  --> 1.0"},
    {"tanh", "x", "The hyperbolic tangent.\n" X, "tanh(0)  --> 0.0"},
    {"sigmoid", "x", "The logistic function 1 / (1 + e^-x), safe for large x.\n" XR, "sigmoid(0)  --> 0.5"},
    {"erf", "x", "The error function, 2/√π times the integral of e^(-t^2) from 0 to x.\n" XR,
     "erf(1)  --> 0.8427007929497149\ngrad(erf)(0) == 2/sqrt(pi)  --> true"},
    {"relu", "x", "x where x > 0, else 0.\n" XR, "relu{-1, 2}:totable()  --> {0.0, 2.0}"},

    {"quantize", "x, format",
     "x rounded to the numbers of a smaller format, its own dtype kept.\n" X
     "\nformat: \"f32\", \"f16\" (11 bits, up to 65504) or \"bf16\" (8 bits, the range of f32). To the "
     "nearest number, ties to even, once, as processors do; subnormals kept; inf beyond the largest.",
     "quantize(0.1, \"bf16\")  --> 0.10009765625\nquantize({1/3, 1e6}, \"f16\"):totable()  --> "
     "{0.333251953125, inf}"},

    {.name = "# complex numbers"},
    {"re", "x", "The real part.\n" X, "re(2 + 3*I)  --> 2.0"},
    {"im", "x", "The imaginary part; 0 of a real number.\n" X, "im(2 + 3*I)  --> 3.0"},
    {"conj", "x", "The complex conjugate, re - im i.\n" X, "conj(2 + 3*I)  --> 2 - 3i"},
    {"angle", "x", "The phase of a complex number, in radians, above -π up to π.\n" X,
     "angle(I) == pi/2  --> true"},

    {.name = "# comparison and choice"},
    {"eq", "x, y", "Where x equals y: booleans.\n" XY "\nA == B asks whether two arrays agree as a whole.",
     "eq({1, 2}, 2):totable()  --> {false, true}"},
    {"ne", "x, y", "Where x differs from y: booleans.\n" XY, "ne(1, 2)  --> true"},
    {"lt", "x, y", "Where x is less than y: booleans.\n" XYR, "lt({1, 2}, 2):totable()  --> {true, false}"},
    {"le", "x, y", "Where x is at most y: booleans.\n" XYR, "le(2, 2)  --> true"},
    {"gt", "x, y", "Where x is greater than y: booleans.\n" XYR, "gt(1, 2)  --> false"},
    {"ge", "x, y", "Where x is at least y: booleans.\n" XYR, "ge({1, 2}, 2):totable()  --> {false, true}"},
    {"logical_and", "x, y", "Where both are true.\nx, y: booleans or boolean arrays.",
     "logical_and({true, true}, {true, false}):totable()  --> {true, false}"},
    {"logical_or", "x, y", "Where at least one is true.\nx, y: booleans or boolean arrays.",
     "logical_or(true, false)  --> true"},
    {"logical_xor", "x, y", "Where exactly one is true.\nx, y: booleans or boolean arrays.",
     "logical_xor(true, true)  --> false"},
    {"logical_not", "x", "Where x is false.\nx: a boolean or boolean array.",
     "logical_not(lt({1, 2}, 2)):totable()  --> {false, true}"},
    {"where", "condition, x, y", "x where the condition is true, else y.\ncondition: booleans. " XY,
     "where(lt({1, 5}, 3), {1, 5}, 0):totable()  --> {1.0, 0.0}"},
    {"isnan", "x", "Where x is nan.\n" X, "isnan{1, nan}:totable()  --> {false, true}"},
    {"isfinite", "x", "Where x is neither infinite nor nan.\n" X,
     "isfinite{1, inf}:totable()  --> {true, false}"},
    {"allclose", "a, b [, {rtol=1e-5, atol=1e-8}]",
     "Whether |a - b| <= atol + rtol |b| everywhere.\na, b: numbers or arrays; shapes broadcast. Equal "
     "infinities agree, nan agrees with nothing. For a bound that is derived, use measure.",
     "allclose({1, 2}, {1, 2 + 1e-9})  --> true\nallclose({1, nan}, {1, nan})  --> false\n"
     "allclose(1, 1.1, {rtol=0.2})  --> true"},
    {.name = NULL},
};
