/* The names that are visible at a place of a program. A name hides the same name of an outer block, but for globals. */
#include <string.h>

#include "base/parse.h"
#include "script/checker.h"

static const struct {
    const char *name;
    np_operator op;
    uint32_t operands;
} operators[] = {{"min", NP_OP_MIN, 2},
                 {"max", NP_OP_MAX, 2},
                 {"abs", NP_OP_ABS, 1},
                 {"log2", NP_OP_LOG2, 1},
                 {"ceil_log2", NP_OP_CEIL_LOG2, 1},
                 {"sqrt", NP_OP_SQRT, 1},
                 {"floor", NP_OP_FLOOR, 1},
                 {"random", NP_OP_RANDOM, 1}};

static const char *const fetches[] = {"fetch_add", "fetch_min", "fetch_max", "fetch_and", "fetch_or", "fetch_xor"};

enum { OPERATORS = sizeof operators / sizeof *operators, FETCHES = sizeof fetches / sizeof *fetches };

np_operator np_scope_operator(const char *name, uint32_t *operands)
{
    for (size_t i = 0; i < OPERATORS; i++)
        if (!strcmp(name, operators[i].name)) {
            *operands = operators[i].operands;
            return operators[i].op;
        }
    return NP_OPS;
}

bool np_scope_fetch(const char *name, np_fetch_op *op)
{
    for (size_t i = 0; i < FETCHES; i++)
        if (!strcmp(name, fetches[i])) {
            *op = (np_fetch_op)i;
            return true;
        }
    return false;
}

static bool is_taken(const char *name)
{
    uint32_t operands;
    np_fetch_op op;
    return !strcmp(name, "length") || np_scope_operator(name, &operands) != NP_OPS || np_scope_fetch(name, &op);
}

np_status np_scope_declare(np_checker *checker, np_symbol *symbol, uint32_t block)
{
    if (is_taken(symbol->name))
        return np_script_raise(checker->syntax, symbol->place, NP_ERROR_INPUT,
                               "'%s' is a function of the language: take another name", symbol->name);
    for (uint32_t i = checker->symbols; i-- > block;) {
        const np_symbol *other = checker->symbol[i];
        if (strcmp(other->name, symbol->name))
            continue;
        if (!other->place.line)
            return np_script_raise(checker->syntax, symbol->place, NP_ERROR_INPUT,
                                   "'%s' is the size of the input: take another name", symbol->name);
        return np_script_raise(checker->syntax, symbol->place, NP_ERROR_INPUT, "'%s' is declared in line %u already",
                               symbol->name, other->place.line);
    }
    np_status st = np_pool_room(checker->pool, &checker->symbol, checker->symbols, sizeof *checker->symbol);
    if (!st)
        checker->symbol[checker->symbols++] = symbol;
    return st;
}

np_status np_scope_find(const np_checker *checker, const char *name, np_place place, np_symbol **out)
{
    np_parse_hint hint;
    np_parse_hint_init(&hint, name);
    for (uint32_t i = checker->symbols; i-- > 0;) {
        *out = checker->symbol[i];
        if (!strcmp((*out)->name, name)) {
            (*out)->used = true;
            return NP_OK;
        }
        np_parse_hint_add(&hint, (*out)->name);
    }
    for (size_t i = 0; i < OPERATORS; i++)
        np_parse_hint_add(&hint, operators[i].name);
    for (size_t i = 0; i < FETCHES; i++)
        np_parse_hint_add(&hint, fetches[i]);
    if (hint.nearest)
        return np_script_raise(checker->syntax, place, NP_ERROR_INPUT, "nothing is called '%s' here: %s", name,
                               hint.text);
    return np_script_raise(checker->syntax, place, NP_ERROR_INPUT,
                           "nothing is called '%s' here: declare it before, with var, shared, input or option", name);
}
