/* wraps.c: see wraps.h. Expressions are read by their operators' precedence, with one stack; statements need no grammar, since what is no
 * operand and no operator ends an expression. */
#include "session/wraps.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/product.h"
#include "session/lex.h"

#define TAKEN (INT64_C(1) << 53) /* a formula takes integers up to this */

/* An operand: what Lua computes, and what is true, lua + turns 2^64. An operator: its precedence in Lua's manual, 3.4.8. A bracket: no precedence. */
typedef struct {
    enum { OPERAND, BINARY, UNARY, OPEN } what;
    bool known, lost; /* lost: the turns are too many for 64 bits */
    int64_t lua, turns;
    int precedence;
    char op;       /* '+', '-', '*', 'l' for <<; 0: any other */
    bool grouping; /* OPEN: (…) around an operand; else arguments, an index or a table */
    size_t at, end;
} item;

/* A name that the text itself gives a value. */
typedef struct {
    const char *name;
    size_t n;
    int times;    /* how often it is bound */
    bool reached; /* has its assignment been read? Before that the variable is what it was */
    bool known;   /* bound once, outside every block, to an integer that has been read already */
    int64_t value;
} bound;

typedef struct {
    const char *code;
    lex_token *tok; /* without comments and blanks; the last is LEX_END */
    size_t ntok, tokcap;
    item *stack;
    size_t depth, depthcap;
    bound *names;
    size_t nnames, namecap;
    bound *target; /* of the assignment that is being read */
    int blocks;
    ses_known *known;
    void *ctx;
    bool nomem, found;
    item wrong;
} pass;

static bool grow(pass *p, void **array, size_t *cap, size_t want, size_t size) {
    p->nomem |= !ph_list_reserve(array, cap, want, size);
    return !p->nomem;
}

static bool is(const pass *p, size_t i, const char *word) {
    return i < p->ntok && ses_lex_is(p->code, &p->tok[i], word);
}
static bool is_kind(const pass *p, size_t i, lex_kind kind) { return i < p->ntok && p->tok[i].kind == kind; }

static void read_tokens(pass *p, size_t n, bool file) {
    lex_state lx = {p->code, n, 0, file};
    lex_token t;
    do {
        ses_lex(&lx, &t);
        if (t.kind == LEX_COMMENT || t.kind == LEX_SPACE) continue;
        if (!grow(p, (void **)&p->tok, &p->tokcap, p->ntok + 1, sizeof t)) return;
        p->tok[p->ntok++] = t;
    } while (t.kind != LEX_END);
}

/* ---- names that the text binds ------------------------------------------------------------------------- */

static bound *find(const pass *p, size_t i) {
    for (size_t k = 0; k < p->nnames; k++)
        if (p->names[k].n == p->tok[i].len &&
            !memcmp(p->names[k].name, p->code + p->tok[i].at, p->names[k].n))
            return &p->names[k];
    return NULL;
}

static void bind(pass *p, size_t i) {
    bound *b = p->tok[i].kind == LEX_NAME ? find(p, i) : NULL;
    if (b) b->times++;
    if (b || p->tok[i].kind != LEX_NAME ||
        !grow(p, (void **)&p->names, &p->namecap, p->nnames + 1, sizeof *b))
        return;
    p->names[p->nnames++] = (bound){p->code + p->tok[i].at, p->tok[i].len, 1, false, false, 0};
}

/* The names from i up to one of the words that end a list of them. */
static void bind_list(pass *p, size_t i, const char *end, const char *other) {
    for (; i + 1 < p->ntok && !is(p, i, end) && !is(p, i, other); i++) {
        bind(p, i);
        if (!is_kind(p, i, LEX_NAME) && !is(p, i, ",") && !is(p, i, "...")) return;
    }
}

/* Whatever may change a variable or hide it: local, for, parameters, assignments (keys of tables too, which does no harm). */
static void bind_names(pass *p) {
    for (size_t i = 0; i + 1 < p->ntok; i++) {
        if (is(p, i, "local") && !is(p, i + 1, "function")) {
            size_t k = i + 1;
            while (is_kind(p, k, LEX_NAME) && is(p, k + 1, ",")) bind(p, k), k += 2;
            if (!is(p, k + 1, "=")) bind(p, k); /* else bound by its = */
            if (is(p, k + 1, "<")) bind(p, k);  /* not followed */
        } else if (is(p, i, "for")) bind_list(p, i + 1, "=", "in");
        else if (is(p, i, "function")) {
            for (i++; i + 1 < p->ntok && !is(p, i, "("); i++) bind(p, i);
            bind_list(p, i + 1, ")", ")");
        } else if (is(p, i, "=")) {
            size_t k = i;
            for (; k >= 2 && is_kind(p, k - 1, LEX_NAME) && is(p, k - 2, ","); k -= 2)
                bind(p, k - 1), bind(p, k - 1);
            if (k >= 1) bind(p, k - 1);
            if (k >= 1 && k < i) bind(p, k - 1); /* of several none is followed: they count twice */
        }
    }
}

/* ---- values -------------------------------------------------------------------------------------------- */

static void push(pass *p, item it) {
    if (grow(p, (void **)&p->stack, &p->depthcap, p->depth + 1, sizeof it)) p->stack[p->depth++] = it;
}

static item integer(int64_t v, const lex_token *t) {
    return (item){.what = OPERAND, .known = true, .lua = v, .at = t->at, .end = t->at + t->len};
}

static item unknown(const lex_token *t) {
    return (item){.what = OPERAND, .at = t->at, .end = t->at + t->len};
}

/* A numeral that is an integer in Lua: decimal below 2^63, hexadecimal of any length (it wraps). */
static item numeral(const pass *p, const lex_token *t) {
    const char *s = p->code + t->at;
    bool hexa = t->len > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    item it = integer(0, t);
    uint64_t v = 0;
    for (size_t i = hexa ? 2 : 0; i < t->len; i++) {
        char c = s[i];
        int d = c >= '0' && c <= '9'                         ? c - '0'
                : hexa && (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                             : -1;
        if (d < 0 || (!hexa && v > (uint64_t)(INT64_MAX - d) / 10)) return unknown(t);
        it.lost |= hexa && v >> 60; /* but 0xFFFFFFFFFFFFFFFF is how -1 is written */
        v = v * (hexa ? 16 : 10) + (uint64_t)d;
    }
    it.lua = (int64_t)v;
    return it;
}

static item variable(const pass *p, size_t i) {
    const lex_token *t = &p->tok[i];
    const bound *b = find(p, i);
    int64_t v;
    if (b && b->known) return integer(b->value, t);
    if (b && (b->times > 1 || b->reached || p->blocks)) return unknown(t);
    return p->known && p->known(p->ctx, p->code + t->at, t->len, &v) ? integer(v, t) : unknown(t);
}

/* An operand that something else than integer arithmetic takes: is it what it seems? */
static void look(pass *p, const item *it) {
    if (p->found || it->what != OPERAND || !it->known) return;
    if ((!it->lost && !it->turns) || it->lua > TAKEN || it->lua < -TAKEN) return;
    p->found = true;
    p->wrong = *it;
}

/* The values of a + b and a - b. */
static void add(item *r, const item *a, const item *b, bool minus) {
    int64_t own = 0;
    if (minus ? __builtin_sub_overflow(a->lua, b->lua, &r->lua)
              : __builtin_add_overflow(a->lua, b->lua, &r->lua))
        own = a->lua < 0 ? -1 : 1;
    r->lost |= minus ? __builtin_sub_overflow(a->turns, b->turns, &r->turns)
                     : __builtin_add_overflow(a->turns, b->turns, &r->turns);
    r->lost |= __builtin_add_overflow(r->turns, own, &r->turns);
}

/* The value of a b: (x + s 2^64)(y + t 2^64) = x y + (x t + s y) 2^64 + s t 2^128. */
static void multiply(item *r, const item *a, const item *b) {
    ph_product_signed p = ph_product_of_signed(a->lua, b->lua);
    int64_t cross;
    r->lua = (int64_t)p.lo;
    r->lost |= a->turns && b->turns;
    r->lost |= __builtin_mul_overflow(a->turns ? a->turns : b->turns, a->turns ? b->lua : a->lua, &cross);
    r->lost |= __builtin_add_overflow(p.hi + (r->lua < 0), cross, &r->turns);
}

/* The value of a << b, where Lua takes b >= 0; 2^63 is its own negative there. */
static void shift(item *r, const item *a, const item *b) {
    item power = {.lua = b->lua < 64 ? (int64_t)(UINT64_C(1) << b->lua) : 0, .turns = b->lua == 63};
    multiply(r, a, &power);
    r->lost |= (a->lua || a->turns) && (b->lua > 63 || b->turns);
}

static item fold(pass *p, const item *op, const item *a, const item *b) {
    item r = {.what = OPERAND, .at = a->at, .end = b->end};
    if (op->op && a->known && b->known && !(op->op == 'l' && b->lua < 0)) {
        r.known = true;
        r.lost = a->lost || b->lost;
        if (op->op == 'l') shift(&r, a, b);
        else if (op->op == '*') multiply(&r, a, b);
        else add(&r, a, b, op->op == '-');
    } else look(p, a), look(p, b);
    return r;
}

/* ---- the stack ----------------------------------------------------------------------------------------- */

/* Works off the operators on top that bind at least as strongly as `precedence`. */
static void reduce(pass *p, int precedence) {
    while (p->depth >= 2 && p->stack[p->depth - 1].what == OPERAND) {
        item *top = &p->stack[p->depth - 1], *op = top - 1;
        if ((op->what != BINARY && op->what != UNARY) || op->precedence < precedence) return;
        if (op->what == UNARY) {
            item zero = {.what = OPERAND, .known = true, .at = op->at};
            if (op->op != '-') zero.known = false;
            *op = fold(p, op, &zero, top);
            p->depth--;
        } else {
            if (p->depth < 3 || op[-1].what != OPERAND) return;
            op[-1] = fold(p, op, op - 1, top);
            p->depth -= 2;
        }
    }
}

/* Ends the expressions since the innermost bracket; the value, when it was one and alone. Unless that is only grouped, it is looked at. */
static item flush(pass *p, const lex_token *t, bool grouped) {
    item last = unknown(t);
    int count = 0;
    reduce(p, 0);
    while (p->depth && p->stack[p->depth - 1].what != OPEN) {
        last = p->stack[--p->depth];
        if (count++ || !grouped) look(p, &last);
    }
    return count == 1 && last.what == OPERAND ? last : unknown(t);
}

/* The end of a statement, or of one of several expressions. */
static void boundary(pass *p, size_t i) {
    item v = flush(p, &p->tok[i], false);
    if (p->target && !p->depth && !is(p, i, ",") && v.known && !p->nomem)
        p->target->known = true, p->target->value = v.lua;
    if (!p->depth) p->target = NULL;
}

static void close_bracket(pass *p, size_t i) {
    size_t k = p->depth;
    while (k && p->stack[k - 1].what != OPEN) k--;
    item open = k ? p->stack[k - 1] : (item){0}, v = flush(p, &p->tok[i], open.grouping);
    if (p->depth) p->depth--;
    if (open.grouping) {
        v.at = open.at, v.end = p->tok[i].at + 1;
        push(p, v);
    } else if (p->depth && p->stack[p->depth - 1].what == OPERAND)
        p->stack[p->depth - 1].end = p->tok[i].at + 1;
}

/* ---- tokens -------------------------------------------------------------------------------------------- */

/* In Lua's order of precedence; .op where it is followed. */
static const struct {
    const char *text;
    int precedence;
    char op;
} operators[] = {{"or", 1, 0},  {"and", 2, 0}, {"<", 3, 0},   {">", 3, 0},   {"<=", 3, 0},   {">=", 3, 0},
                 {"~=", 3, 0},  {"==", 3, 0},  {"|", 4, 0},   {"~", 5, 0},   {"&", 6, 0},    {"<<", 7, 'l'},
                 {">>", 7, 0},  {"..", 8, 0},  {"+", 9, '+'}, {"-", 9, '-'}, {"*", 10, '*'}, {"/", 10, 0},
                 {"//", 10, 0}, {"%", 10, 0},  {"^", 12, 0}};
#define PREFIX 11

static bool operator(pass *p, size_t i, bool *expects) {
    const lex_token *t = &p->tok[i];
    if (*expects) {
        if (!is(p, i, "-") && !is(p, i, "not") && !is(p, i, "#") && !is(p, i, "~")) return false;
        push(p, (item){.what = UNARY, .precedence = PREFIX, .op = is(p, i, "-") ? '-' : 0, .at = t->at});
        return true;
    }
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        if (!is(p, i, operators[k].text)) continue;
        int right =
            operators[k].precedence == 12 || operators[k].precedence == 8; /* associates to the right */
        reduce(p, operators[k].precedence + right);
        push(p,
             (item){
                 .what = BINARY, .precedence = operators[k].precedence, .op = operators[k].op, .at = t->at});
        return *expects = true;
    }
    return false;
}

/* What stands in front of an index, arguments or a field is no integer. */
static void forget(pass *p) {
    if (p->depth && p->stack[p->depth - 1].what == OPERAND) p->stack[p->depth - 1].known = false;
}

static bool bracket(pass *p, size_t i, bool *expects) {
    const lex_token *t = &p->tok[i];
    if (is(p, i, ")") || is(p, i, "]") || is(p, i, "}")) {
        close_bracket(p, i);
        *expects = false;
        return true;
    }
    if (!is(p, i, "(") && !is(p, i, "[") && !is(p, i, "{")) return false;
    if (!*expects) forget(p);
    else if (is(p, i, "{")) push(p, unknown(t));
    push(p, (item){.what = OPEN, .grouping = *expects && is(p, i, "("), .at = t->at});
    return *expects = true;
}

/* math.maxinteger and math.mininteger at i. */
static bool extreme(pass *p, size_t i) {
    if (!is(p, i, "math") || !is(p, i + 1, ".") ||
        !(is(p, i + 2, "maxinteger") || is(p, i + 2, "mininteger")))
        return false;
    item it = integer(is(p, i + 2, "maxinteger") ? INT64_MAX : INT64_MIN, &p->tok[i]);
    it.end = p->tok[i + 2].at + p->tok[i + 2].len;
    push(p, it);
    return true;
}

static size_t operand(pass *p, size_t i, bool *expects) {
    const lex_token *t = &p->tok[i];
    if (!*expects && t->kind == LEX_STRING) return forget(p), i; /* f "text" */
    if (!*expects) boundary(p, i);
    *expects = false;
    if (extreme(p, i)) return i + 2;
    push(p, t->kind == LEX_NUMBER ? numeral(p, t) : t->kind == LEX_NAME ? variable(p, i) : unknown(t));
    return i;
}

static void assignment(pass *p, size_t i) {
    bool plain = i && p->tok[i - 1].kind == LEX_NAME && !(i > 1 && is(p, i - 2, "."));
    bound *b = plain && !p->depth ? find(p, i - 1) : NULL;
    if (b) b->reached = true;
    p->target = b && b->times == 1 && !p->blocks ? b : NULL;
}

/* Blocks: what is assigned in one may be assigned often, or never. */
static void count_blocks(pass *p, size_t i) {
    if (is(p, i, "function") || is(p, i, "do") || is(p, i, "if") || is(p, i, "repeat")) p->blocks++;
    if ((is(p, i, "end") || is(p, i, "until")) && p->blocks) p->blocks--;
}

static size_t token(pass *p, size_t i, bool *expects) {
    lex_kind kind = p->tok[i].kind;
    bool value = is(p, i, "nil") || is(p, i, "true") || is(p, i, "false") || is(p, i, "...");
    if (kind == LEX_NUMBER || kind == LEX_NAME || kind == LEX_STRING || value) return operand(p, i, expects);
    if (operator(p, i, expects) || bracket(p, i, expects)) return i;
    if ((is(p, i, ".") || is(p, i, ":")) && is_kind(p, i + 1, LEX_NAME)) return forget(p), i + 1;
    boundary(p, i);
    *expects = true;
    if (is(p, i, "=")) assignment(p, i);
    count_blocks(p, i);
    if (is(p, i, "end")) push(p, unknown(&p->tok[i])), *expects = false;
    return i;
}

static ph_status say(const pass *p, size_t *at, ph_err *err) {
    size_t n = p->wrong.end - p->wrong.at;
    *at = p->wrong.at;
    return ph_fail(
        err, PH_EARG,
        "%.*s%s is %lld in Lua, whose integers wrap at 2^63; write rat(…) around one of its numbers for the exact value, "
        "or a float such as 2.0",
        n < 60 ? (int)n : 60, p->code + p->wrong.at, n < 60 ? "" : "…", (long long)p->wrong.lua);
}

ph_status ses_wraps(const char *code, size_t n, bool file, ses_known *known, void *ctx, size_t *at,
                    ph_err *err) {
    pass p = {.code = code, .known = known, .ctx = ctx};
    bool expects = true;
    ph_status st = PH_OK;
    read_tokens(&p, n, file);
    if (!p.nomem) bind_names(&p);
    for (size_t i = 0; i < p.ntok && !p.nomem && !p.found; i++) i = token(&p, i, &expects);
    if (p.nomem) st = ph_fail_nomem(err, n);
    else if (p.found) st = say(&p, at, err);
    ph_free(p.tok);
    ph_free(p.stack);
    ph_free(p.names);
    return st;
}
