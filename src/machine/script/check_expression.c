/* The types of expressions. Whole numbers become reals where reals are wanted; nothing else changes by itself. */
#include <string.h>

#include "machine/pram/values.h"
#include "machine/script/checker.h"
#include "machine/script/language.h"

const char *np_type_name(np_type type)
{
    return type == NP_TYPE_NONE ? "no value" : np_cell_type_name(np_cell_type_of(type));
}

static np_status refuse(const np_checker *checker, np_place place, np_type type, const char *what, const char *wanted)
{
    return NP_CHECK_RAISE(checker, place, "%s is of type %s: it must be %s", what, np_type_name(type), wanted);
}

/* Puts an operator of one operand around the expression. */
static np_status wrap(np_checker *checker, np_expression **e, np_operator op, np_type type)
{
    np_expression *around;
    np_status st = np_pool_take(checker->pool, &around, sizeof *around);
    if (st || (st = np_pool_take(checker->pool, &around->argument, sizeof *around->argument)))
        return st;
    around->kind = NP_EXPRESSION_UNARY;
    around->op = op;
    around->type = type;
    around->place = (*e)->place;
    around->end = (*e)->end;
    around->count = 1;
    around->careful = (*e)->careful;
    around->argument[0] = *e;
    *e = around;
    return NP_OK;
}

static np_status to_real(np_checker *checker, np_expression **e)
{
    if ((*e)->kind == NP_EXPRESSION_INT) { /* 1 is 1.0 */
        (*e)->kind = NP_EXPRESSION_REAL;
        (*e)->type = NP_TYPE_REAL;
        (*e)->constant.real = (double)(*e)->constant.whole;
        return NP_OK;
    }
    return wrap(checker, e, NP_OP_TO_REAL, NP_TYPE_REAL);
}

np_status np_check_typed(np_checker *checker, np_expression **e, np_type type, const char *what)
{
    np_status st = np_check_expression(checker, e);
    if (st || (*e)->type == type)
        return st;
    if (type == NP_TYPE_REAL && (*e)->type == NP_TYPE_INT)
        return to_real(checker, e);
    return refuse(checker, (*e)->place, (*e)->type, what, np_type_name(type));
}

/* Both of the same type; an int beside a real becomes a real. */
static np_status agree(np_checker *checker, np_expression **a, np_expression **b, np_place place)
{
    if ((*a)->type == (*b)->type)
        return NP_OK;
    if ((*a)->type == NP_TYPE_REAL && (*b)->type == NP_TYPE_INT)
        return to_real(checker, b);
    if ((*a)->type == NP_TYPE_INT && (*b)->type == NP_TYPE_REAL)
        return to_real(checker, a);
    return NP_CHECK_RAISE(checker, place, "a value of type %s beside one of type %s", np_type_name((*a)->type),
                          np_type_name((*b)->type));
}

static np_status check_arguments(np_checker *checker, np_expression *e)
{
    np_status st = NP_OK;
    for (uint32_t i = 0; i < e->count && !st; i++)
        st = np_check_expression(checker, &e->argument[i]);
    return st;
}

/* ---- Operators ---- */

static np_status check_operand(const np_checker *checker, const np_expression *e, np_takes takes)
{
    static const char *const wanted[] = {
        [NP_TAKES_NUMBERS] = "int or real",   [NP_TAKES_WHOLE] = "int",        [NP_TAKES_REALS] = "real",
        [NP_TAKES_ANY] = "int, real or bool", [NP_TAKES_BITS] = "int or bool", [NP_TAKES_TRUTH] = "bool"};
    if (strstr(wanted[takes], np_type_name(e->type)))
        return NP_OK;
    return refuse(checker, e->place, e->type, "the operand", wanted[takes]);
}

static np_status check_operator(np_checker *checker, np_expression *e)
{
    const np_signature signature = np_signatures[e->op];
    np_status st = check_arguments(checker, e);
    if (!st && signature.takes == NP_TAKES_REALS && e->argument[0]->type == NP_TYPE_INT)
        st = to_real(checker, &e->argument[0]);
    for (uint32_t i = 0; i < e->count && !st; i++)
        st = check_operand(checker, e->argument[i], signature.takes);
    if (!st && e->count == 2)
        st = agree(checker, &e->argument[0], &e->argument[1], e->place);
    e->type = !st && signature.gives ? signature.gives : e->argument[0]->type;
    if (e->op == NP_OP_RANDOM)
        e->draw = checker->syntax->draws++;
    return st;
}

static np_status check_truth(np_checker *checker, np_expression *e)
{
    const char *what = e->kind == NP_EXPRESSION_AND ? "an operand of 'and'" : "an operand of 'or'";
    np_status st = np_check_typed(checker, &e->argument[0], NP_TYPE_BOOL, what);
    e->type = NP_TYPE_BOOL;
    return st ? st : np_check_typed(checker, &e->argument[1], NP_TYPE_BOOL, what);
}

static np_status check_conditional(np_checker *checker, np_expression *e)
{
    np_status st;
    if ((st = np_check_typed(checker, &e->argument[0], NP_TYPE_BOOL, "the condition of 'if'")) ||
        (st = np_check_expression(checker, &e->argument[1])) || (st = np_check_expression(checker, &e->argument[2])) ||
        (st = agree(checker, &e->argument[1], &e->argument[2], e->place)))
        return st;
    e->type = e->argument[1]->type;
    return NP_OK;
}

/* ---- Names and cells ---- */

static np_status check_name(np_checker *checker, np_expression *e)
{
    np_status st = np_scope_find(checker, e->name, e->place, &e->symbol);
    if (st)
        return st;
    e->type = e->symbol->type;
    if (e->symbol->kind == NP_SYMBOL_PROCEDURE)
        return NP_CHECK_RAISE(checker, e->place, "'%s' is a procedure: write %s(...)", e->name, e->name);
    if (e->symbol->kind == NP_SYMBOL_PRIVATE)
        return NP_OK;
    if (e->symbol->rank)
        return NP_CHECK_RAISE(checker, e->place, "'%s' is an array: write %s[...] for one of its cells", e->name,
                              e->name);
    e->kind = NP_EXPRESSION_CELL;
    return NP_OK;
}

static np_status check_cell(np_checker *checker, np_expression *e)
{
    np_status st = np_scope_find(checker, e->name, e->place, &e->symbol);
    if (st)
        return st;
    if (e->symbol->kind != NP_SYMBOL_SHARED || !e->symbol->rank)
        return NP_CHECK_RAISE(checker, e->place, "'%s' is no array", e->name);
    if (e->symbol->rank != e->count)
        return NP_CHECK_RAISE(checker, e->place, "%u indices of '%s': it has %u", e->count, e->name, e->symbol->rank);
    for (uint32_t i = 0; i < e->count && !st; i++)
        st = np_check_typed(checker, &e->argument[i], NP_TYPE_INT, "an index");
    e->type = e->symbol->type;
    return st;
}

/* A whole array, named where one is wanted. */
static np_status check_array(np_checker *checker, np_expression *e, const char *of)
{
    if (e->kind != NP_EXPRESSION_NAME)
        return NP_CHECK_RAISE(checker, e->place, "%s wants the name of an array here", of);
    np_status st = np_scope_find(checker, e->name, e->place, &e->symbol);
    if (st)
        return st;
    if (e->symbol->kind != NP_SYMBOL_SHARED || !e->symbol->rank)
        return NP_CHECK_RAISE(checker, e->place, "'%s' is no array, but %s wants one here", e->name, of);
    e->kind = NP_EXPRESSION_ARRAY;
    e->type = e->symbol->type;
    return NP_OK;
}

/* ---- Calls ---- */

static np_status refuse_count(const np_checker *checker, const np_expression *e, uint32_t wanted)
{
    return NP_CHECK_RAISE(checker, e->place, "%u argument%s of '%s': it has %u", e->count, e->count == 1 ? "" : "s",
                          e->name, wanted);
}

/* length(a), length(a, d): of dimension d, from 1 */
static np_status check_length(np_checker *checker, np_expression *e)
{
    np_status st;
    e->type = NP_TYPE_INT;
    if (e->count < 1 || e->count > 2)
        return refuse_count(checker, e, 1);
    if ((st = check_array(checker, e->argument[0], "length")))
        return st;
    np_word dimension = 1;
    if (e->count == 2) {
        if (e->argument[1]->kind != NP_EXPRESSION_INT)
            return NP_CHECK_RAISE(checker, e->argument[1]->place, "the dimension of length is a number, such as 1");
        dimension = e->argument[1]->constant.whole;
    }
    if (dimension < 1 || dimension > e->argument[0]->symbol->rank)
        return NP_CHECK_RAISE(checker, e->place, "'%s' has dimensions 1 to %u", e->argument[0]->name,
                              e->argument[0]->symbol->rank);
    e->constant.whole = dimension - 1;
    e->count = 1;
    return NP_OK;
}

static np_status check_fetch(np_checker *checker, np_expression *e)
{
    np_status st;
    if (e->count != 2)
        return refuse_count(checker, e, 2);
    if ((st = np_check_expression(checker, &e->argument[0])))
        return st;
    if (e->argument[0]->kind != NP_EXPRESSION_CELL)
        return NP_CHECK_RAISE(checker, e->argument[0]->place, "%s works on a shared cell", e->name);
    e->type = e->argument[0]->type;
    if (!np_values_fetched(np_cell_type_of(e->type), e->fetch))
        return NP_CHECK_RAISE(checker, e->argument[0]->place, "%s does not combine values of type %s", e->name,
                              np_type_name(e->type));
    return np_check_typed(checker, &e->argument[1], e->type, "the operand of a fetch");
}

static np_status check_parameter(np_checker *checker, np_expression *call, uint32_t i)
{
    const np_symbol *p = call->symbol->procedure->parameter[i];
    np_expression **e = &call->argument[i];
    if (p->kind == NP_SYMBOL_PRIVATE)
        return np_check_typed(checker, e, p->type, "the argument");
    np_status st = check_array(checker, *e, call->name);
    if (!st && ((*e)->symbol->rank != p->rank || (*e)->type != p->type))
        return NP_CHECK_RAISE(checker, (*e)->place, "'%s' has %u dimension%s of %s: '%s' of %s has %u of %s",
                              (*e)->name, (*e)->symbol->rank, (*e)->symbol->rank == 1 ? "" : "s",
                              np_type_name((*e)->type), p->name, call->name, p->rank, np_type_name(p->type));
    return st;
}

static np_status check_user_call(np_checker *checker, np_expression *e)
{
    np_status st = np_scope_find(checker, e->name, e->place, &e->symbol);
    if (st)
        return st;
    if (e->symbol->kind != NP_SYMBOL_PROCEDURE)
        return NP_CHECK_RAISE(checker, e->place, "'%s' is no procedure%s", e->name,
                              e->symbol->kind == NP_SYMBOL_SHARED ? ": the cells of an array are written with [ ]"
                                                                  : "");
    if (e->count != e->symbol->procedure->parameters)
        return refuse_count(checker, e, e->symbol->procedure->parameters);
    for (uint32_t i = 0; i < e->count && !st; i++)
        st = check_parameter(checker, e, i);
    e->type = e->symbol->type;
    return st;
}

np_status np_check_call(np_checker *checker, np_expression **expression)
{
    np_expression *e = *expression;
    const np_notation *function = np_language_find(e->name, strlen(e->name), NP_FORM_FUNCTION);
    if (!function)
        return check_user_call(checker, e);
    e->kind = function->kind;
    if (function->kind == NP_EXPRESSION_LENGTH)
        return check_length(checker, e);
    if (function->kind == NP_EXPRESSION_FETCH) {
        e->fetch = (np_fetch_op)function->op;
        return check_fetch(checker, e);
    }
    const uint32_t operands = function->kind == NP_EXPRESSION_UNARY ? 1 : 2;
    if (e->count != operands)
        return refuse_count(checker, e, operands);
    e->op = (np_operator)function->op;
    return check_operator(checker, e);
}

static np_status check_kind(np_checker *checker, np_expression **expression)
{
    np_expression *e = *expression;
    np_status st;
    switch (e->kind) {
    case NP_EXPRESSION_INT:
    case NP_EXPRESSION_REAL:
    case NP_EXPRESSION_BOOL: /* the parser knows their types */
        return NP_OK;
    case NP_EXPRESSION_NAME:
        return check_name(checker, e);
    case NP_EXPRESSION_CELL:
        return check_cell(checker, e);
    case NP_EXPRESSION_UNARY:
    case NP_EXPRESSION_BINARY:
        return check_operator(checker, e);
    case NP_EXPRESSION_AND:
    case NP_EXPRESSION_OR:
        return check_truth(checker, e);
    case NP_EXPRESSION_CONDITIONAL:
        return check_conditional(checker, e);
    case NP_EXPRESSION_CALL:
        if ((st = np_check_call(checker, expression)))
            return st;
        if ((*expression)->type == NP_TYPE_NONE)
            return NP_CHECK_RAISE(checker, e->place, "'%s' is a procedure, which has no value: write a function",
                                  e->name);
        return NP_OK;
    default:
        return NP_RAISE(NP_ERROR_INTERNAL, "an expression that the parser does not make");
    }
}

/* Its operands know it already. */
static bool is_careful(const np_expression *e)
{
    bool careful = e->kind == NP_EXPRESSION_CELL || e->kind == NP_EXPRESSION_CALL || e->kind == NP_EXPRESSION_FETCH;
    if (e->kind == NP_EXPRESSION_BINARY || e->kind == NP_EXPRESSION_UNARY)
        careful = np_signatures[e->op].undefined && e->type == NP_TYPE_INT;
    for (uint32_t i = 0; i < e->count && !careful; i++)
        careful = e->argument[i]->careful;
    return careful;
}

np_status np_check_expression(np_checker *checker, np_expression **e)
{
    if (checker->nested == NP_SCRIPT_NESTED)
        return np_script_raise(checker->syntax, (*e)->place, NP_ERROR_LIMIT,
                               "an expression with more than %d others around it", NP_SCRIPT_NESTED);
    checker->nested++;
    np_status st = check_kind(checker, e);
    checker->nested--;
    (*e)->careful = !st && is_careful(*e);
    return st;
}
