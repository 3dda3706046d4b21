#!/usr/bin/env python3
"""hunt_beside.py TEST_HUNT [CASES]: what SymPy and Maxima, where installed, say of a sample of the hunt's proved equalities.

The hunt writes its cases (HUNT_LOUD); each equality that was proved is read from its Lua by Python's own parser, and both sides
are evaluated to 40 digits at points of the symbols' kinds, by mpmath through SymPy and by Maxima's bigfloats. A difference is a
disagreement and ends in failure. Neither knows anything of phasor or of the hunt's evaluator.
"""
import ast, os, random, re, shutil, subprocess, sys

CASES, POINTS = int(sys.argv[2]) if len(sys.argv) > 2 else 3000, 3
REAL, POSITIVE, INTEGER, NATURAL, COMPLEX = "xyu", "ks", "nmij", "pr", "zw"


def proved(program):
    """Pairs of the two sides, in Lua, of equalities that were proved without members of families."""
    env = dict(os.environ, HUNT_LOUD="1", HUNT_CASES=str(CASES))
    text = subprocess.run([program], env=env, capture_output=True, text=True).stdout
    for line in text.splitlines():
        m = re.match(r"0 (?:equal|not equal|sums): prove\(eq\((.*)\)\) -- ", line)
        if m and not re.search(r"\b[abcd]\[", line) and "{where" not in line:
            yield m.group(1)


def read(lua):
    tree = ast.parse("f(%s)" % lua.replace("^", "**"), mode="eval").body
    return tree.args if len(tree.args) == 2 else None


def names(tree):
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and len(n.id) == 1 and n.id != "I"}


def draw(name):
    if name in INTEGER: return random.randint(-4, 7), 1
    if name in NATURAL: return random.randint(1, 7), 1
    p, q = random.randint(1, 30), random.randint(1, 7)
    return (p if name in POSITIVE or random.random() < 0.5 else -p), q


# ---- SymPy ---------------------------------------------------------------------------------------------------

def with_sympy():
    try:
        import sympy as S
    except ImportError:
        return None
    order = {"eq": S.Eq, "ne": S.Ne, "lt": S.Lt, "le": S.Le, "gt": S.Gt, "ge": S.Ge}

    def piecewise(*v):
        for condition, result in zip(v[0:-1:2], v[1::2]):
            if condition == True: return result
            if condition != False: raise ValueError("a condition is not decided")
        return v[-1]

    calls = dict(sin=S.sin, cos=S.cos, tan=S.tan, exp=S.exp, log=S.log, sqrt=S.sqrt, sinh=S.sinh, cosh=S.cosh, tanh=S.tanh,
                 atan=S.atan, Ci=S.Ci, Si=S.Si, abs=S.Abs, sign=S.sign, floor=S.floor, conj=S.conjugate, re=S.re, im=S.im,
                 minimum=S.Min, maximum=S.Max, rat=lambda p, q=1: S.Rational(p, q), piecewise=piecewise, **order)

    def value(t, point):
        if isinstance(t, ast.Constant): return S.Integer(t.value)
        if isinstance(t, ast.Name): return {"I": S.I, "Pi": S.pi}.get(t.id) or point[t.id]
        if isinstance(t, ast.UnaryOp): return -value(t.operand, point)
        if isinstance(t, ast.BinOp):
            a, b = value(t.left, point), value(t.right, point)
            return {"Add": lambda: a + b, "Sub": lambda: a - b, "Mult": lambda: a * b, "Div": lambda: a / b, "Pow": lambda: a**b}[type(t.op).__name__]()
        if t.func.id == "sum":
            body, index, lo, hi = t.args
            lo, hi = value(lo, point), value(hi, point)
            if not (lo.is_integer and hi.is_integer and -1 <= hi - lo <= 60): raise ValueError("bounds")
            return sum((value(body, {**point, index.id: S.Integer(k)}) for k in range(int(lo), int(hi) + 1)), S.Integer(0))
        return calls[t.func.id](*[value(a, point) for a in t.args])

    def differs(sides, point):
        at = {n: S.Rational(*v) for n, v in point.items()}
        l, r = (S.N(value(t, at), 40) for t in sides)
        if not (l.is_number and r.is_number and l.is_finite and r.is_finite): raise ValueError("undefined")
        return abs(l - r) > S.Float("1e-25", 40) * (1 + abs(l))

    return differs


# ---- Maxima ----------------------------------------------------------------------------------------------------

def with_maxima():
    if not shutil.which("maxima"): return None
    same = "sin cos tan exp log sqrt sinh cosh tanh atan abs floor conjugate".split()
    other = dict(sign="signum", conj="conjugate", re="realpart", im="imagpart", minimum="min", maximum="max")

    def text(t, point):
        if isinstance(t, ast.Constant): return str(t.value)
        if isinstance(t, ast.Name): return {"I": "%i", "Pi": "%pi"}.get(t.id) or point.get(t.id, "q_" + t.id)
        if isinstance(t, ast.UnaryOp): return "(-%s)" % text(t.operand, point)
        if isinstance(t, ast.BinOp):
            sign = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "Pow": "^"}[type(t.op).__name__]
            return "(%s%s%s)" % (text(t.left, point), sign, text(t.right, point))
        f, a = t.func.id, [text(x, point) for x in t.args if not (t.func.id == "sum" and x is t.args[1])]
        if f == "rat": return "(%s)" % "/".join(a)
        if f == "sum":
            inner = {n: v for n, v in point.items() if n != t.args[1].id}
            return "sum(%s,q_%s,%s,%s)" % (text(t.args[0], inner), t.args[1].id, a[1], a[2])
        if f in same or f in other: return "%s(%s)" % (other.get(f, f), ",".join(a))
        raise ValueError(f)

    def differs(sides, point):
        at = {n: "(%d/%d)" % v for n, v in point.items()}
        code = "fpprec:40$ domain:complex$ d:bfloat(rectform(%s-(%s)))$ print(if is(cabs(d)>1b-20)=true then 1 else 0)$" % tuple(text(t, at) for t in sides)
        out = subprocess.run(["maxima", "--very-quiet", "--batch-string", code], capture_output=True, text=True, timeout=20).stdout
        last = out.strip().splitlines()[-1].strip() if out.strip() else ""
        if last not in ("0", "1"): raise ValueError(out)
        return last == "1"

    return differs


def main():
    judges = [(n, j) for n, j in (("SymPy", with_sympy()), ("Maxima", with_maxima())) if j]
    if not judges:
        print("neither SymPy nor Maxima is installed: nothing is cross-checked")
        return 0
    random.seed(1)
    statements, bad = [s for s in proved(sys.argv[1])], 0
    for name, differs in judges:
        tried = passed = 0
        for lua in statements if name == "SymPy" else statements[:60]:
            try:
                sides = read(lua)
                if not sides: continue
                symbols, agreed = set().union(*(names(t) for t in sides)), 0
                if symbols & set(COMPLEX): continue
                for _ in range(POINTS):
                    point = {s: draw(s) for s in symbols}
                    try:
                        if differs(sides, point):
                            bad += 1
                            print("FAULT %s: prove(eq(%s)) at %s" % (name, lua, point))
                        agreed += 1
                    except Exception:  # undefined there, or beyond the other system
                        pass
                tried, passed = tried + 1, passed + (agreed > 0)
            except SyntaxError:
                pass
        print("%s: %d of %d proved statements compared, %d disagreements" % (name, passed, tried, bad))
    return bad > 0


sys.exit(main())
