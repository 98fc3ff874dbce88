/*
 * Expressions that a debugger asks for. The text is parsed and checked as that of a program, over copies of the names
 * that can be named at the step; then it is worked out for one processor at a time, by walking the tree. Cells are read
 * as the step has left them, which takes no step of the PRAM.
 */
#include <inttypes.h>
#include <string.h>

#include "machine/script/checker.h"
#include "machine/script/kernels.h"
#include "machine/script/language.h"
#include "machine/script/parser.h"

struct np_script_expression {
    np_pool pool;
    np_syntax syntax;
    np_expression *tree; /* a symbol's `at` is its number at the step */
};

/* One processor at a step. */
typedef struct asker {
    const np_script_expression *of;
    const np_script_step *step;
    size_t processor;
} asker;

#define REFUSE(a, e, ...) np_script_raise(&(a)->of->syntax, (e)->place, NP_ERROR_INPUT, __VA_ARGS__)

static np_status evaluate(const asker *a, const np_expression *e, np_word *to);

/* ---- Cells ---- */

static np_status evaluate_cell(const asker *a, const np_expression *e, np_word *to)
{
    const np_script_array array = np_script_array_get(a->step, e->symbol->at, a->processor);
    uint64_t offset = 0;
    for (uint8_t d = 0; d < array.rank; d++) {
        np_word index;
        np_status st = evaluate(a, e->argument[d], &index);
        if (st)
            return st;
        const uint64_t place = (uint64_t)index - (uint64_t)array.low[d];
        if (place >= (uint64_t)array.extent[d])
            return REFUSE(a, e, "%s: index %u is %" PRId64 ", outside of %" PRId64 "..%" PRId64, e->name, d + 1, index,
                          array.low[d], array.low[d] + array.extent[d] - 1);
        offset = offset * (uint64_t)array.extent[d] + place;
    }
    if (!array.cells)
        return REFUSE(a, e, "%s has no cells yet", e->name);
    return np_pram_get(a->step->pram, array.base + offset, 1, to);
}

/* ---- Operators ---- */

static np_status evaluate_operator(const asker *a, const np_expression *e, np_word *to)
{
    np_word operand[2] = {0, 0};
    const bool real = e->argument[0]->type == NP_TYPE_REAL;
    for (uint32_t i = 0; i < e->count; i++) {
        np_status st = evaluate(a, e->argument[i], &operand[i]);
        if (st)
            return st;
    }
    if (e->op == NP_OP_RANDOM)
        return REFUSE(a, e, "random draws anew each time: it has no value here");
    if (np_kernel_operator(e->op, real, 1, &operand[0], &operand[1], NULL, to) != NP_KERNEL_FINE)
        return REFUSE(a, e, "%s", np_signatures[e->op].undefined);
    return NP_OK;
}

static np_status evaluate_truth(const asker *a, const np_expression *e, np_word *to)
{
    const bool open = e->kind == NP_EXPRESSION_AND;
    np_status st = evaluate(a, e->argument[0], to);
    return st || (*to != 0) != open ? st : evaluate(a, e->argument[1], to);
}

static np_status evaluate_conditional(const asker *a, const np_expression *e, np_word *to)
{
    np_word condition;
    np_status st = evaluate(a, e->argument[0], &condition);
    return st ? st : evaluate(a, e->argument[condition ? 1 : 2], to);
}

static np_status evaluate(const asker *a, const np_expression *e, np_word *to)
{
    switch (e->kind) {
    case NP_EXPRESSION_REAL:
        *to = np_word_of_real(e->constant.real);
        return NP_OK;
    case NP_EXPRESSION_INT:
    case NP_EXPRESSION_BOOL:
        *to = e->constant.whole;
        return NP_OK;
    case NP_EXPRESSION_NAME:
        *to = np_script_value_get(a->step, e->symbol->at, a->processor);
        return NP_OK;
    case NP_EXPRESSION_LENGTH:
        *to = np_script_array_get(a->step, e->argument[0]->symbol->at, a->processor).extent[e->constant.whole];
        return NP_OK;
    case NP_EXPRESSION_CELL:
        return evaluate_cell(a, e, to);
    case NP_EXPRESSION_UNARY:
    case NP_EXPRESSION_BINARY:
        return evaluate_operator(a, e, to);
    case NP_EXPRESSION_AND:
    case NP_EXPRESSION_OR:
        return evaluate_truth(a, e, to);
    case NP_EXPRESSION_CONDITIONAL:
        return evaluate_conditional(a, e, to);
    default:
        return REFUSE(a, e, "a debugger asks for values, and calls nothing that changes cells");
    }
}

/* ---- Made ---- */

/* Copies, so that the program's own symbols stay as they are; the outermost first. */
static np_status declare_names(np_checker *checker, const np_script_step *step)
{
    np_status st = NP_OK;
    for (size_t i = np_script_names(step); i-- > 0 && !st;) {
        const np_script_name name = np_script_name_get(step, i);
        np_symbol *symbol;
        if ((st = np_pool_take(checker->pool, &symbol, sizeof *symbol)))
            return st;
        memcpy(symbol->name, name.name, strlen(name.name));
        symbol->kind = name.shared ? NP_SYMBOL_SHARED : NP_SYMBOL_PRIVATE;
        symbol->type = *name.type == 'r' ? NP_TYPE_REAL : *name.type == 'b' ? NP_TYPE_BOOL : NP_TYPE_INT;
        symbol->rank = name.rank;
        symbol->at = (uint32_t)i;
        st = np_scope_declare(checker, symbol, checker->symbols); /* whatever has this name is outside */
    }
    return st;
}

static np_status compile(np_script_expression *x, const np_script_step *step, const char *text)
{
    const np_source source = {.path = "expression", .name = "", .length = strlen(text)};
    np_parser parser = {.syntax = &x->syntax, .pool = &x->pool};
    np_checker checker = {.syntax = &x->syntax, .pool = &x->pool};
    np_source own = source;
    np_status st = np_pool_text(&x->pool, text, source.length, &own.text);
    if (st || (st = np_script_add_file(&x->syntax, &x->pool, &own)) ||
        (st = np_lexer_begin(&parser.lexer, &x->syntax, 0)) || (st = np_parse_expression(&parser, &x->tree)))
        return st;
    if (parser.lexer.token.kind != NP_TOKEN_END)
        return np_parse_refuse(&parser, "the end of the expression");
    return (st = declare_names(&checker, step)) ? st : np_check_expression(&checker, &x->tree);
}

np_status np_script_expression_create(const np_script_step *step, const char *text, np_script_expression **out)
{
    np_script_expression *x;
    *out = NULL;
    np_status st = np_memory_zeroed(&x, 1, sizeof *x, "an expression");
    if (st)
        return st;
    if ((st = compile(x, step, text))) {
        np_script_expression_free(x);
        return st;
    }
    *out = x;
    return NP_OK;
}

const char *np_script_expression_type(const np_script_expression *expression)
{
    return np_type_name(expression->tree->type);
}

np_status np_script_expression_value(const np_script_expression *expression, const np_script_step *step,
                                     size_t processor, np_word *value)
{
    const asker a = {expression, step, processor};
    return evaluate(&a, expression->tree, value);
}

void np_script_expression_free(np_script_expression *expression)
{
    if (!expression)
        return;
    np_pool_clear(&expression->pool);
    np_memory_free(expression);
}
