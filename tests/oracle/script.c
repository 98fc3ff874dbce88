/*
 * Processors are in crews: those of one pardo, or the one of the program. A crew knows the words of its variables, the
 * parent of each processor in the crew outside, and who is active now. Where a failure or the end of patience is found,
 * the interpreter jumps out; what it had allocated is freed by a list.
 */
#include "oracle/script.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/rounded.h"

enum { PATIENCE = 3000, CREW_MOST = 500, CALLS_MOST = 40 };

typedef struct binding {
    struct binding *next;
    const np_symbol *symbol;
    np_word
        *word; /* [count] of a variable; of an array [count][1 + 2 rank]: base, and low and extent of each dimension */
} binding;

typedef struct crew {
    size_t count;
    struct crew *outer; /* NULL: the crew of a call, or of the program */
    size_t *parent;
    const np_symbol *index;
    np_word *index_word;
    binding *bindings;
    bool *returned; /* of a call */
    np_word *result;
} crew;

typedef struct piece {
    struct piece *next;
    max_align_t bytes[];
} piece;

typedef struct interpreter {
    const np_syntax *syntax;
    oracle_script_outcome *out;
    oracle_pram pram;
    uint64_t used;      /* cells */
    np_cell_type *type; /* [ORACLE_SCRIPT_CELLS] */
    crew *program;
    piece *blocks;
    uint32_t *drawn;
    unsigned turns, calls;
    jmp_buf leave;
} interpreter;

static void *take(interpreter *x, size_t count, size_t size)
{
    piece *b = calloc(1, sizeof *b + count * size + 1);
    if (!b)
        abort();
    b->next = x->blocks;
    x->blocks = b;
    return b->bytes;
}

static void leave(interpreter *x, oracle_script_end end, np_place place)
{
    x->out->end = end;
    x->out->place = place;
    longjmp(x->leave, 1);
}

static void fail(interpreter *x, const np_expression *e) { leave(x, ORACLE_SCRIPT_FAILED, e->place); }
static void give_up(interpreter *x) { leave(x, ORACLE_SCRIPT_TOO_LONG, (np_place){0, 0}); }

static void turn(interpreter *x)
{
    if (++x->turns > PATIENCE)
        give_up(x);
}

static bool any(const bool *active, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (active[i])
            return true;
    return false;
}

/* ---- Variables ---- */

static np_word *find(crew *c, size_t i, const np_symbol *symbol, size_t width)
{
    for (; c; i = c->outer ? c->parent[i] : 0, c = c->outer) {
        if (c->index == symbol)
            return &c->index_word[i];
        for (binding *b = c->bindings; b; b = b->next)
            if (b->symbol == symbol)
                return b->word + i * width;
    }
    return NULL;
}

/* The words of a symbol, as processor i of the crew sees it. */
static np_word *reach(interpreter *x, crew *c, size_t i, const np_symbol *symbol)
{
    size_t width = symbol->kind == NP_SYMBOL_SHARED ? 1 + 2u * symbol->rank : 1;
    np_word *word = find(c, i, symbol, width);
    if (!word)
        word = find(x->program, 0, symbol, width);
    if (!word) { /* a global array before its declaration: it has no cells */
        static np_word none[1 + 2 * NP_SCRIPT_DIMENSIONS];
        memset(none, 0, sizeof none);
        word = none;
    }
    return word;
}

static np_word *bind(interpreter *x, crew *c, const np_symbol *symbol)
{
    size_t width = symbol->kind == NP_SYMBOL_SHARED ? 1 + 2u * symbol->rank : 1;
    for (binding *b = c->bindings; b; b = b->next)
        if (b->symbol == symbol)
            return b->word; /* in a loop: the same variable again */
    binding *b = take(x, 1, sizeof *b);
    b->symbol = symbol;
    b->word = take(x, c->count * width, sizeof(np_word));
    b->next = c->bindings;
    c->bindings = b;
    return b->word;
}

/* ---- Accesses ---- */

static void note_accesses(interpreter *x, size_t count, const np_address *address, const bool *active,
                          const np_expression *cell, np_place place, np_access_kind kind, const np_word *value)
{
    oracle_script_outcome *out = x->out;
    for (size_t i = 0; i < count; i++)
        if (active[i] && out->accesses < ORACLE_SCRIPT_ACCESSES)
            out->access[out->accesses++] = (oracle_script_access){.step = x->pram.steps,
                                                                  .place = place,
                                                                  .processors = count,
                                                                  .processor = i,
                                                                  .kind = kind,
                                                                  .type = cell->symbol->type,
                                                                  .operand = kind == NP_ACCESS_FETCH ? value[i] : 0,
                                                                  .before = x->pram.memory[address[i]],
                                                                  .address = address[i]};
}

static void access_cells(interpreter *x, size_t count, const np_address *address, const bool *active,
                         const np_expression *cell, np_place place, np_access_kind kind, np_fetch_op op, np_word *value)
{
    uint8_t *on = take(x, count, 1);
    size_t noted = x->out->accesses;
    const np_pram_step step = {.count = count, .address = address, .active = on, .all = kind, .op = op, .value = value};
    for (size_t i = 0; i < count; i++)
        on[i] = active[i];
    if (oracle_pram_refuses(&x->pram, &step))
        leave(x, ORACLE_SCRIPT_FAILED, place);
    note_accesses(x, count, address, active, cell, place, kind, value);
    oracle_pram_step(&x->pram, &step, false);
    for (; noted < x->out->accesses; noted++) {
        oracle_script_access *access = &x->out->access[noted];
        access->value = value[access->processor];
        access->after = x->pram.memory[access->address];
    }
}

static void evaluate(interpreter *x, crew *c, const bool *active, const np_expression *e, np_word *out);

static np_address *address_of(interpreter *x, crew *c, const bool *active, const np_expression *cell)
{
    np_address *address = take(x, c->count, sizeof *address);
    np_word *index[NP_SCRIPT_DIMENSIONS];
    for (uint32_t d = 0; d < cell->count; d++)
        evaluate(x, c, active, cell->argument[d], index[d] = take(x, c->count, sizeof(np_word)));
    for (size_t i = 0; i < c->count; i++) {
        if (!active[i])
            continue;
        const np_word *array = reach(x, c, i, cell->symbol);
        uint64_t offset = 0;
        for (uint32_t d = 0; d < cell->count; d++) {
            uint64_t from_low = (uint64_t)index[d][i] - (uint64_t)array[1 + 2 * d];
            if (from_low >= (uint64_t)array[2 + 2 * d])
                fail(x, cell);
            offset = offset * (uint64_t)array[2 + 2 * d] + from_low;
        }
        address[i] = (np_address)array[0] + offset;
    }
    return address;
}

/* ---- Operators ---- */

static double real_of(np_word word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static np_word word_of(double value)
{
    np_word word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static np_word to_whole(interpreter *x, const np_expression *e, double value)
{
    if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0))
        fail(x, e);
    return (np_word)value;
}

static np_word on_reals(interpreter *x, const np_expression *e, double a, double b)
{
    switch (e->op) {
    case NP_OP_ADD:
        return word_of(a + b);
    case NP_OP_SUB:
        return word_of(a - b);
    case NP_OP_MUL:
        return word_of(a * b);
    case NP_OP_DIV:
        return word_of(a / b);
    case NP_OP_MIN:
        return word_of(isnan(a) || isnan(b) ? (double)NAN : a < b || (a == b && signbit(a)) ? a : b);
    case NP_OP_MAX:
        return word_of(isnan(a) || isnan(b) ? (double)NAN : a > b || (a == b && signbit(b)) ? a : b);
    case NP_OP_EQ:
        return a == b;
    case NP_OP_NE:
        return a != b;
    case NP_OP_LT:
        return a < b;
    case NP_OP_LE:
        return a <= b;
    case NP_OP_NEGATE:
        return word_of(-a);
    case NP_OP_ABS:
        return word_of(a < 0 ? -a : a);
    case NP_OP_SQRT:
        return word_of(sqrt(a));
    case NP_OP_EXP: /* tests/unit/test_rounded.c judges these by other means */
        return word_of(np_rounded_exp(a));
    case NP_OP_LOG:
        return word_of(np_rounded_log(a));
    case NP_OP_LOG2:
        return word_of(np_rounded_log2(a));
    case NP_OP_SIN:
        return word_of(np_rounded_sin(a));
    case NP_OP_COS:
        return word_of(np_rounded_cos(a));
    case NP_OP_TAN:
        return word_of(np_rounded_tan(a));
    case NP_OP_ATAN:
        return word_of(np_rounded_atan(a));
    case NP_OP_POWER:
        return word_of(np_rounded_power(a, b));
    case NP_OP_TO_REAL:
        return word_of(a);
    case NP_OP_TO_INT:
        return to_whole(x, e, a);
    case NP_OP_FLOOR:
        return to_whole(x, e, floor(a));
    default:
        abort();
    }
}

/* a = q b + r, where r has the sign of b. */
static void divide(interpreter *x, const np_expression *e, np_word a, np_word b, np_word *q, np_word *r)
{
    if (b == 0)
        fail(x, e);
    __int128 quotient = (__int128)a / b, rest = (__int128)a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) {
        quotient--;
        rest += b;
    }
    *q = (np_word)quotient;
    *r = (np_word)rest;
}

static np_word logarithm(interpreter *x, const np_expression *e, np_word a, bool up)
{
    np_word k = 0;
    if (a < 1)
        fail(x, e);
    while ((unsigned __int128)1 << (k + 1) <= (unsigned __int128)a)
        k++;
    return up && (unsigned __int128)1 << k < (unsigned __int128)a ? k + 1 : k;
}

static np_word power(interpreter *x, const np_expression *e, np_word a, np_word b)
{
    uint64_t result = 1, factor = (uint64_t)a;
    if (b < 0)
        fail(x, e);
    for (uint64_t left = (uint64_t)b; left; left /= 2, factor *= factor)
        if (left % 2)
            result *= factor;
    return (np_word)result;
}

static np_word shift(interpreter *x, const np_expression *e, np_word a, np_word b)
{
    if (b < 0 || b > 63)
        fail(x, e);
    if (e->op == NP_OP_SHIFT_LEFT)
        return (np_word)((uint64_t)a << b);
    np_word q, r;
    if (b == 63)
        return a < 0 ? -1 : 0;
    divide(x, e, a, (np_word)1 << b, &q, &r);
    return q;
}

static np_word on_ints(interpreter *x, const np_expression *e, np_word a, np_word b)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    np_word q = 0, r = 0;
    switch (e->op) {
    case NP_OP_ADD:
        return (np_word)(ua + ub);
    case NP_OP_SUB:
        return (np_word)(ua - ub);
    case NP_OP_MUL:
        return (np_word)(ua * ub);
    case NP_OP_DIV:
        divide(x, e, a, b, &q, &r);
        return q;
    case NP_OP_MOD:
        divide(x, e, a, b, &q, &r);
        return r;
    case NP_OP_POWER:
        return power(x, e, a, b);
    case NP_OP_MIN:
        return a < b ? a : b;
    case NP_OP_MAX:
        return a > b ? a : b;
    case NP_OP_EQ:
        return a == b;
    case NP_OP_NE:
        return a != b;
    case NP_OP_LT:
        return a < b;
    case NP_OP_LE:
        return a <= b;
    case NP_OP_AND:
        return a & b;
    case NP_OP_OR:
        return a | b;
    case NP_OP_XOR:
        return a ^ b;
    case NP_OP_SHIFT_LEFT:
    case NP_OP_SHIFT_RIGHT:
        return shift(x, e, a, b);
    case NP_OP_NEGATE:
        return (np_word)(0 - ua);
    case NP_OP_ABS:
        return a < 0 ? (np_word)(0 - ua) : a;
    case NP_OP_NOT:
        return !a;
    case NP_OP_INVERT:
        return ~a;
    case NP_OP_LOG2:
        return logarithm(x, e, a, false);
    case NP_OP_CEIL_LOG2:
        return logarithm(x, e, a, true);
    case NP_OP_TO_REAL:
        return word_of((double)a);
    case NP_OP_TO_INT:
        return a;
    default:
        abort();
    }
}

static void draw(interpreter *x, crew *c, const bool *active, const np_expression *e, const np_word *bound,
                 np_word *out)
{
    np_draws draws = {.seed = x->pram.seed, .purpose = NP_RANDOM_SCRIPT, .run = ++x->drawn[e->draw]};
    for (size_t i = 0; i < c->count; i++) {
        if (!active[i])
            continue;
        if (bound[i] < 1)
            fail(x, e);
        unsigned __int128 product = (unsigned __int128)np_random_u64(&draws, (uint32_t)i, e->draw) * (uint64_t)bound[i];
        out[i] = (np_word)(product >> 64);
    }
}

static void operate(interpreter *x, crew *c, const bool *active, const np_expression *e, np_word *out)
{
    np_word *a = take(x, c->count, sizeof *a), *b = take(x, c->count, sizeof *b);
    evaluate(x, c, active, e->argument[0], a);
    if (e->count == 2)
        evaluate(x, c, active, e->argument[1], b);
    if (e->op == NP_OP_RANDOM) {
        draw(x, c, active, e, a, out);
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        if (active[i])
            out[i] = e->argument[0]->type == NP_TYPE_REAL ? on_reals(x, e, real_of(a[i]), real_of(b[i]))
                                                          : on_ints(x, e, a[i], b[i]);
}

/* ---- Expressions ---- */

/* The right side only where `asks` is what the left side says. */
static void truth(interpreter *x, crew *c, const bool *active, const np_expression *e, bool asks, np_word *out)
{
    bool *open = take(x, c->count, sizeof *open);
    evaluate(x, c, active, e->argument[0], out);
    for (size_t i = 0; i < c->count; i++)
        open[i] = active[i] && (out[i] != 0) == asks;
    if (any(open, c->count))
        evaluate(x, c, open, e->argument[1], out);
}

static void conditional(interpreter *x, crew *c, const bool *active, const np_expression *e, np_word *out)
{
    bool *yes = take(x, c->count, sizeof *yes), *no = take(x, c->count, sizeof *no);
    np_word *condition = take(x, c->count, sizeof *condition);
    evaluate(x, c, active, e->argument[0], condition);
    for (size_t i = 0; i < c->count; i++) {
        yes[i] = active[i] && condition[i];
        no[i] = active[i] && !condition[i];
    }
    if (any(yes, c->count))
        evaluate(x, c, yes, e->argument[1], out);
    if (any(no, c->count))
        evaluate(x, c, no, e->argument[2], out);
}

static void execute(interpreter *x, crew *c, const bool *active, const np_block *block);

static void call(interpreter *x, crew *c, const bool *active, const np_expression *e, np_word *out)
{
    const np_procedure *p = e->symbol->procedure;
    crew callee = {.count = c->count};
    callee.returned = take(x, c->count, sizeof *callee.returned);
    callee.result = take(x, c->count, sizeof *callee.result);
    if (++x->calls > CALLS_MOST)
        give_up(x);
    turn(x);
    for (uint32_t k = 0; k < p->parameters; k++) {
        size_t width = p->parameter[k]->kind == NP_SYMBOL_SHARED ? 1 + 2u * p->parameter[k]->rank : 1;
        np_word *word = bind(x, &callee, p->parameter[k]);
        if (e->argument[k]->kind != NP_EXPRESSION_ARRAY)
            evaluate(x, c, active, e->argument[k], word);
        else
            for (size_t i = 0; i < c->count; i++)
                memcpy(word + i * width, reach(x, c, i, e->argument[k]->symbol), width * sizeof *word);
    }
    execute(x, &callee, active, &p->body);
    for (size_t i = 0; out && i < c->count; i++)
        if (active[i])
            out[i] = callee.result[i];
    x->calls--;
}

static void fetch(interpreter *x, crew *c, const bool *active, const np_expression *e, np_word *out)
{
    np_word *value = take(x, c->count, sizeof *value);
    evaluate(x, c, active, e->argument[1], value);
    np_address *address = address_of(x, c, active, e->argument[0]);
    access_cells(x, c->count, address, active, e->argument[0], e->place, NP_ACCESS_FETCH, e->fetch, value);
    for (size_t i = 0; i < c->count; i++)
        if (active[i])
            out[i] = value[i];
}

static void read_cells(interpreter *x, crew *c, const bool *active, const np_expression *e, np_word *out)
{
    np_word *value = take(x, c->count, sizeof *value);
    np_address *address = address_of(x, c, active, e);
    access_cells(x, c->count, address, active, e, e->place, NP_ACCESS_READ, NP_FETCH_ADD, value);
    for (size_t i = 0; i < c->count; i++)
        if (active[i])
            out[i] = value[i];
}

/* What each active processor has alone. */
static np_word plain(interpreter *x, crew *c, size_t i, const np_expression *e)
{
    switch (e->kind) {
    case NP_EXPRESSION_REAL:
        return word_of(e->constant.real);
    case NP_EXPRESSION_NAME:
        return *reach(x, c, i, e->symbol);
    case NP_EXPRESSION_LENGTH:
        return reach(x, c, i, e->argument[0]->symbol)[2 + 2 * e->constant.whole];
    default:
        return e->constant.whole;
    }
}

/* Only words of active processors are written. */
static void evaluate(interpreter *x, crew *c, const bool *active, const np_expression *e, np_word *out)
{
    switch (e->kind) {
    case NP_EXPRESSION_CELL:
        read_cells(x, c, active, e, out);
        return;
    case NP_EXPRESSION_UNARY:
    case NP_EXPRESSION_BINARY:
        operate(x, c, active, e, out);
        return;
    case NP_EXPRESSION_AND:
    case NP_EXPRESSION_OR:
        truth(x, c, active, e, e->kind == NP_EXPRESSION_AND, out);
        return;
    case NP_EXPRESSION_CONDITIONAL:
        conditional(x, c, active, e, out);
        return;
    case NP_EXPRESSION_CALL:
        call(x, c, active, e, out);
        return;
    case NP_EXPRESSION_FETCH:
        fetch(x, c, active, e, out);
        return;
    default:
        for (size_t i = 0; i < c->count; i++)
            if (active[i])
                out[i] = plain(x, c, i, e);
    }
}

/* ---- Statements ---- */

static void declare(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word *word = bind(x, c, s->symbol), *value = take(x, c->count, sizeof *value);
    if (s->value)
        evaluate(x, c, active, s->value, value);
    for (size_t i = 0; i < c->count; i++)
        if (active[i])
            word[i] = value[i];
}

static void allocate(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    size_t width = 1 + 2u * s->count;
    np_word *word = bind(x, c, s->symbol), *low = take(x, c->count, sizeof *low),
            *high = take(x, c->count, sizeof *high);
    for (uint32_t d = 0; d < s->count; d++) {
        if (s->extent[d].low)
            evaluate(x, c, active, s->extent[d].low, low);
        evaluate(x, c, active, s->extent[d].high, high);
        for (size_t i = 0; i < c->count; i++) {
            __int128 extent = s->extent[d].low ? (__int128)high[i] - low[i] + 1 : high[i];
            if (!active[i])
                continue;
            if (extent < 0 || extent > INT64_MAX)
                leave(x, ORACLE_SCRIPT_FAILED, s->symbol->place);
            word[i * width + 1 + 2 * d] = s->extent[d].low ? low[i] : 0;
            word[i * width + 2 + 2 * d] = (np_word)extent;
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        if (!active[i])
            continue;
        uint64_t cells = 1;
        for (uint32_t d = 0; d < s->count; d++)
            if (__builtin_mul_overflow(cells, (uint64_t)word[i * width + 2 + 2 * d], &cells))
                give_up(x);
        if (cells > ORACLE_SCRIPT_CELLS - x->used)
            give_up(x);
        word[i * width] = (np_word)x->used;
        for (; cells; cells--)
            x->type[x->used++] = s->symbol->type == NP_TYPE_REAL   ? NP_CELL_REAL
                                 : s->symbol->type == NP_TYPE_BOOL ? NP_CELL_BOOL
                                                                   : NP_CELL_INT;
    }
}

static void assign(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word *value = take(x, c->count, sizeof *value);
    evaluate(x, c, active, s->value, value);
    if (s->target->kind == NP_EXPRESSION_CELL) {
        np_address *address = address_of(x, c, active, s->target);
        access_cells(x, c->count, address, active, s->target, s->target->place, NP_ACCESS_WRITE, NP_FETCH_ADD, value);
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        if (active[i])
            *reach(x, c, i, s->target->symbol) = value[i];
}

/* The crew of the call around: the one in which `return` stands. */
static void subtract_returned(crew *c, bool *active)
{
    for (size_t i = 0; c->returned && i < c->count; i++)
        active[i] = active[i] && !c->returned[i];
}

/* Those of the active ones for which it is so, and who have not returned. */
static bool *where(interpreter *x, crew *c, const bool *active, const np_expression *e, bool wanted)
{
    bool *some = take(x, c->count, sizeof *some);
    np_word *condition = take(x, c->count, sizeof *condition);
    memcpy(some, active, c->count * sizeof *some);
    subtract_returned(c, some);
    if (!any(some, c->count))
        return some;
    evaluate(x, c, some, e, condition);
    for (size_t i = 0; i < c->count; i++)
        some[i] = some[i] && (condition[i] != 0) == wanted;
    return some;
}

static void choose(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    bool *yes = where(x, c, active, s->value, true), *no = take(x, c->count, sizeof *no);
    for (size_t i = 0; i < c->count; i++)
        no[i] = active[i] && !yes[i];
    execute(x, c, yes, &s->body);
    execute(x, c, no, &s->other);
}

static void repeat(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    bool *now = take(x, c->count, sizeof *now);
    memcpy(now, active, c->count * sizeof *now);
    while (any(now, c->count)) {
        turn(x);
        if (s->kind == NP_STATEMENT_REPEAT)
            execute(x, c, now, &s->body);
        now = where(x, c, now, s->value, s->kind == NP_STATEMENT_WHILE);
        if (s->kind == NP_STATEMENT_WHILE)
            execute(x, c, now, &s->body);
        subtract_returned(c, now);
    }
}

/* Of each processor; 1 if the text says none. */
static const np_word *step_of(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word *by = take(x, c->count, sizeof *by);
    for (size_t i = 0; i < c->count; i++)
        by[i] = 1;
    if (s->by)
        evaluate(x, c, active, s->by, by);
    for (size_t i = 0; i < c->count; i++)
        if (active[i] && !by[i])
            leave(x, ORACLE_SCRIPT_FAILED, s->place);
    return by;
}

static void count_up(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word *low = take(x, c->count, sizeof *low), *high = take(x, c->count, sizeof *high);
    np_word *index = bind(x, c, s->symbol);
    bool *now = take(x, c->count, sizeof *now);
    evaluate(x, c, active, s->low, low);
    evaluate(x, c, active, s->high, high);
    const np_word *by = step_of(x, c, active, s);
    for (size_t i = 0; i < c->count; i++) {
        if (active[i])
            index[i] = low[i];
        now[i] = active[i];
    }
    for (;;) {
        for (size_t i = 0; i < c->count; i++)
            now[i] = now[i] && (by[i] > 0 ? index[i] <= high[i] : index[i] >= high[i]);
        subtract_returned(c, now);
        if (!any(now, c->count))
            return;
        turn(x);
        execute(x, c, now, &s->body);
        for (size_t i = 0; i < c->count; i++)
            if (now[i] && __builtin_add_overflow(index[i], by[i], &index[i]))
                now[i] = false;
    }
}

static void fork_crew(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word *low = take(x, c->count, sizeof *low), *high = take(x, c->count, sizeof *high);
    evaluate(x, c, active, s->low, low);
    evaluate(x, c, active, s->high, high);
    const np_word *by = step_of(x, c, active, s);
    crew inner = {.outer = c, .index = s->symbol};
    inner.parent = take(x, CREW_MOST, sizeof *inner.parent);
    inner.index_word = take(x, CREW_MOST, sizeof *inner.index_word);
    for (size_t i = 0; i < c->count; i++)
        for (__int128 k = low[i]; active[i] && (by[i] > 0 ? k <= high[i] : k >= high[i]); k += by[i]) {
            if (inner.count == CREW_MOST)
                give_up(x);
            inner.parent[inner.count] = i;
            inner.index_word[inner.count++] = (np_word)k;
        }
    if (!inner.count)
        return;
    bool *all = take(x, inner.count, sizeof *all);
    for (size_t i = 0; i < inner.count; i++)
        all[i] = true;
    if (s->value)
        all = where(x, &inner, all, s->value, true);
    execute(x, &inner, all, &s->body);
}

static void give_back(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    if (s->value)
        evaluate(x, c, active, s->value, c->result);
    for (size_t i = 0; i < c->count; i++)
        c->returned[i] |= active[i];
}

static void say(interpreter *x, const char *text)
{
    size_t used = strlen(x->out->printed);
    snprintf(x->out->printed + used, sizeof x->out->printed - used, "%s", text);
}

static void print(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word **word = take(x, s->count, sizeof *word);
    for (uint32_t k = 0; k < s->count; k++)
        if (s->item[k].value)
            evaluate(x, c, active, s->item[k].value, word[k] = take(x, c->count, sizeof(np_word)));
    for (size_t i = 0; i < c->count; i++) {
        for (uint32_t k = 0; active[i] && k < s->count; k++) {
            char text[64];
            np_type type = s->item[k].value ? s->item[k].value->type : NP_TYPE_NONE;
            if (type == NP_TYPE_REAL)
                snprintf(text, sizeof text, "%.15g", real_of(word[k][i]));
            else if (type == NP_TYPE_INT)
                snprintf(text, sizeof text, "%" PRId64, word[k][i]);
            else if (type == NP_TYPE_BOOL)
                snprintf(text, sizeof text, "%s", word[k][i] ? "true" : "false");
            say(x, type == NP_TYPE_NONE ? s->item[k].text : text);
        }
        if (active[i])
            say(x, "\n");
    }
}

static void insist(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word *word = take(x, c->count, sizeof *word);
    evaluate(x, c, active, s->value, word);
    for (size_t i = 0; i < c->count; i++)
        if (active[i] && !word[i])
            fail(x, s->value);
}

static void execute_one(interpreter *x, crew *c, const bool *active, const np_statement *s)
{
    np_word *unused;
    switch (s->kind) {
    case NP_STATEMENT_DECLARE:
        declare(x, c, active, s);
        return;
    case NP_STATEMENT_ALLOCATE:
        allocate(x, c, active, s);
        return;
    case NP_STATEMENT_ASSIGN:
        assign(x, c, active, s);
        return;
    case NP_STATEMENT_CALL:
        unused = take(x, c->count, sizeof *unused);
        evaluate(x, c, active, s->value, unused);
        return;
    case NP_STATEMENT_IF:
        choose(x, c, active, s);
        return;
    case NP_STATEMENT_WHILE:
    case NP_STATEMENT_REPEAT:
        repeat(x, c, active, s);
        return;
    case NP_STATEMENT_FOR:
        count_up(x, c, active, s);
        return;
    case NP_STATEMENT_PARDO:
        fork_crew(x, c, active, s);
        return;
    case NP_STATEMENT_RETURN:
        give_back(x, c, active, s);
        return;
    case NP_STATEMENT_PRINT:
        print(x, c, active, s);
        return;
    case NP_STATEMENT_ASSERT:
        insist(x, c, active, s);
        return;
    }
}

static void execute(interpreter *x, crew *c, const bool *active, const np_block *block)
{
    bool *now = take(x, c->count, sizeof *now);
    memcpy(now, active, c->count * sizeof *now);
    for (uint32_t k = 0; k < block->count; k++) {
        subtract_returned(c, now);
        if (!any(now, c->count))
            return;
        execute_one(x, c, now, block->statement[k]);
    }
}

/* ---- The whole ---- */

static void keep_outputs(interpreter *x)
{
    oracle_script_outcome *out = x->out;
    for (uint32_t k = 0; k < x->syntax->outputs; k++) {
        const np_symbol *symbol = x->syntax->output[k].symbol;
        const np_word *word = reach(x, x->program, 0, symbol);
        uint64_t cells = 1;
        for (uint8_t d = 0; d < symbol->rank; d++)
            cells *= (uint64_t)word[2 + 2 * d];
        for (uint64_t i = 0; i < cells && out->words < ORACLE_SCRIPT_OUTPUTS; i++)
            out->word[out->words++] = symbol->kind == NP_SYMBOL_PRIVATE ? *word : x->pram.memory[(uint64_t)word[0] + i];
    }
}

static void run(interpreter *x, np_word n)
{
    const bool on = true;
    crew program = {.count = 1};
    x->program = &program;
    *bind(x, &program, x->syntax->size) = n;
    for (uint32_t i = 0; i < x->syntax->options; i++)
        *bind(x, &program, x->syntax->option[i].symbol) = x->syntax->option[i].preset;
    execute(x, &program, &on, &x->syntax->body);
    keep_outputs(x);
}

void oracle_script_run(const np_syntax *syntax, np_access_rule rule, uint64_t seed, np_word n,
                       oracle_script_outcome *out)
{
    interpreter x = {.syntax = syntax, .out = out};
    memset(out, 0, sizeof *out);
    x.pram = (oracle_pram){.rule = rule, .seed = seed, .cells = ORACLE_SCRIPT_CELLS, .clean = UINT32_MAX};
    x.pram.memory = take(&x, ORACLE_SCRIPT_CELLS, sizeof(np_word));
    x.pram.type = x.type = take(&x, ORACLE_SCRIPT_CELLS, sizeof(np_cell_type));
    x.drawn = take(&x, syntax->draws, sizeof *x.drawn);
    if (!setjmp(x.leave))
        run(&x, n);
    out->steps = x.pram.steps;
    out->work = x.pram.work;
    out->violations = x.pram.violations;
    while (x.blocks) {
        piece *next = x.blocks->next;
        free(x.blocks);
        x.blocks = next;
    }
}
