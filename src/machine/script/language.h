/*
 * The language as tables, each fact once: words and signs, how operators and functions are written, what they take and
 * give, and the kinds of inputs. The lexer, the parser and the checker read them; a test holds the grammar for editors
 * to them.
 */
#pragma once

#include "machine/script/syntax.h"

/* How a text writes an operator. */
typedef enum np_form {
    NP_FORM_INFIX,   /* a + b */
    NP_FORM_PREFIX,  /* -a */
    NP_FORM_FUNCTION /* min(a, b) */
} np_form;

enum { NP_BINDS_NOT = 3, NP_BINDS_COMPARISON = 4, NP_BINDS_UNARY = 10, NP_BINDS_POWER = 11 };

/* A word or sign that computes. Operators have several, as / and div. */
typedef struct np_notation {
    const char *word;
    np_form form;
    np_expression_kind kind; /* what it makes */
    uint8_t op;              /* np_operator; of a fetch np_fetch_op */
    uint8_t binds;           /* of no function: stronger operators have larger numbers */
    bool swaps;              /* a > b is b < a */
} np_notation;

/* What an operator takes: both operands are of the same type. */
typedef enum np_takes {
    NP_TAKES_NUMBERS,
    NP_TAKES_WHOLE,
    NP_TAKES_REALS,
    NP_TAKES_ANY,
    NP_TAKES_BITS,
    NP_TAKES_TRUTH
} np_takes;

typedef struct np_signature {
    np_takes takes;
    np_type gives;         /* NONE: the type of its operands */
    const char *undefined; /* what it is where it is not defined, for some operands of type int; NULL: it always is */
} np_signature;

extern const np_signature np_signatures[NP_OPS];

/* The words of inputs, by np_input_kind. A directed graph is a digraph. */
extern const char *const np_input_kinds[];

/* The notation of this form; NULL: there is none. The conversions int and real are functions. */
const np_notation *np_language_find(const char *at, size_t length, np_form form);

/* The function with the number i, from 0; NULL: there are fewer. */
const np_notation *np_language_function_get(size_t i);

/* Is it a word that cannot be a name? */
bool np_language_reserves(const char *at, size_t length);

/* The reserved word that the name is but for capitals, as TRUE; NULL: none. */
const char *np_language_small(const char *name);

/* Letters of the longest sign with which the text begins; 0: none. */
size_t np_language_sign(const char *at, size_t left);

/* May a statement not end behind the word or sign? */
bool np_language_goes_on(const char *at, size_t length);
