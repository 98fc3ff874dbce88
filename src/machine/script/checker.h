/* What the parts of the checker share: check.c does statements, check_expression.c expressions, scope.c names. */
#pragma once

#include "machine/script/script.h"

/* Found by its name: symbols whose names fall into the same bucket are chained, the innermost first. */
typedef struct np_scope_entry {
    np_symbol *symbol;
    uint32_t before; /* the next of the chain, from 1; 0: the last */
} np_scope_entry;

typedef struct np_checker {
    np_syntax *syntax;
    np_pool *pool;
    np_procedure *procedure; /* that is checked; NULL: the program's own statements */
    uint8_t level;           /* pardos around */
    uint32_t blocks;         /* around: 0 outside of all */
    uint32_t nested;         /* expressions around: at most NP_SCRIPT_NESTED */
    uint32_t symbols;        /* that are visible */
    np_scope_entry *symbol;  /* [symbols] the innermost last */
    uint32_t *bucket;        /* [buckets] the innermost symbol of each, from 1; 0: there is none */
    uint32_t buckets;        /* a power of two above the number of symbols; 0: none yet */
} np_checker;

/* Symbols from this one on are not visible any more. */
void np_scope_leave(np_checker *checker, uint32_t symbols);

/* Makes a symbol visible until np_scope_leave; NP_ERROR_INPUT if the name is taken in this block or by the language. */
np_status np_scope_declare(np_checker *checker, np_symbol *symbol, uint32_t block) NP_CHECKED;

/* The symbol of a name; NP_ERROR_INPUT with the nearest. */
np_status np_scope_find(const np_checker *checker, const char *name, np_place place, np_symbol **out) NP_CHECKED;

/* Checks an expression, which may be replaced. Its type may be NONE only if `procedure` allows calls of procedures. */
np_status np_check_expression(np_checker *checker, np_expression **e) NP_CHECKED;
np_status np_check_call(np_checker *checker, np_expression **e) NP_CHECKED;

/* The same, of a type that is wanted; an int becomes a real. what: "the condition of while". */
np_status np_check_typed(np_checker *checker, np_expression **e, np_type type, const char *what) NP_CHECKED;

/* Refuses the program, at a place. */
#define NP_CHECK_RAISE(checker, place, ...) np_script_raise((checker)->syntax, (place), NP_ERROR_INPUT, __VA_ARGS__)
