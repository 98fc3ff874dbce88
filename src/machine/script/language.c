/* See language.h. */
#include "machine/script/language.h"

#include <string.h>
#include <strings.h>

/*
 * Words and signs that do not compute. Words that only the declaration of an input has, such as sorted, may be names.
 */
static const char *const words[] = {
    "array", "assert",    "bool",    "by",    "do",     "elif",   "else",   "end",    "false",  "for",    "function",
    "graph", "if",        "import",  "input", "int",    "list",   "matrix", "of",     "option", "output", "pardo",
    "print", "procedure", "program", "real",  "repeat", "return", "rule",   "shared", "sizes",  "solves", "source",
    "text",  "then",      "tree",    "true",  "until",  "var",    "where",  "while"};
static const char *const signs[] = {":=", "..", "==", "&&", "||", "+=", "//", "/*", "(",
                                    ")",  "[",  "]",  ",",  ":",  ";",  ".",  "%"};

/* clang-format off */
static const np_notation notations[] = {
    {"or",        NP_FORM_INFIX,    NP_EXPRESSION_OR,     0,                 1,                   false},
    {"xor",       NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_XOR,         1,                   false},
    {"and",       NP_FORM_INFIX,    NP_EXPRESSION_AND,    0,                 2,                   false},
    {"not",       NP_FORM_PREFIX,   NP_EXPRESSION_UNARY,  NP_OP_NOT,         NP_BINDS_NOT,        false},
    {"=",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_EQ,          NP_BINDS_COMPARISON, false},
    {"!=",        NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_NE,          NP_BINDS_COMPARISON, false},
    {"<",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_LT,          NP_BINDS_COMPARISON, false},
    {"<=",        NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_LE,          NP_BINDS_COMPARISON, false},
    {">",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_LT,          NP_BINDS_COMPARISON, true},
    {">=",        NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_LE,          NP_BINDS_COMPARISON, true},
    {"|",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_OR,          5,                   false},
    {"^",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_XOR,         5,                   false},
    {"&",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_AND,         6,                   false},
    {"<<",        NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_SHIFT_LEFT,  7,                   false},
    {">>",        NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_SHIFT_RIGHT, 7,                   false},
    {"+",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_ADD,         8,                   false},
    {"-",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_SUB,         8,                   false},
    {"*",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_MUL,         9,                   false},
    {"/",         NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_DIV,         9,                   false},
    {"div",       NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_DIV,         9,                   false},
    {"mod",       NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_MOD,         9,                   false},
    {"-",         NP_FORM_PREFIX,   NP_EXPRESSION_UNARY,  NP_OP_NEGATE,      NP_BINDS_UNARY,      false},
    {"~",         NP_FORM_PREFIX,   NP_EXPRESSION_UNARY,  NP_OP_INVERT,      NP_BINDS_UNARY,      false},
    {"**",        NP_FORM_INFIX,    NP_EXPRESSION_BINARY, NP_OP_POWER,       NP_BINDS_POWER,      false},
    {"min",       NP_FORM_FUNCTION, NP_EXPRESSION_BINARY, NP_OP_MIN,         0,                   false},
    {"max",       NP_FORM_FUNCTION, NP_EXPRESSION_BINARY, NP_OP_MAX,         0,                   false},
    {"abs",       NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_ABS,         0,                   false},
    {"log2",      NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_LOG2,        0,                   false},
    {"ceil_log2", NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_CEIL_LOG2,   0,                   false},
    {"sqrt",      NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_SQRT,        0,                   false},
    {"exp",       NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_EXP,         0,                   false},
    {"log",       NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_LOG,         0,                   false},
    {"sin",       NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_SIN,         0,                   false},
    {"cos",       NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_COS,         0,                   false},
    {"tan",       NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_TAN,         0,                   false},
    {"atan",      NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_ATAN,        0,                   false},
    {"floor",     NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_FLOOR,       0,                   false},
    {"random",    NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_RANDOM,      0,                   false},
    {"int",       NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_TO_INT,      0,                   false},
    {"real",      NP_FORM_FUNCTION, NP_EXPRESSION_UNARY,  NP_OP_TO_REAL,     0,                   false},
    {"length",    NP_FORM_FUNCTION, NP_EXPRESSION_LENGTH, 0,                 0,                   false},
    {"fetch_add", NP_FORM_FUNCTION, NP_EXPRESSION_FETCH,  NP_FETCH_ADD,      0,                   false},
    {"fetch_min", NP_FORM_FUNCTION, NP_EXPRESSION_FETCH,  NP_FETCH_MIN,      0,                   false},
    {"fetch_max", NP_FORM_FUNCTION, NP_EXPRESSION_FETCH,  NP_FETCH_MAX,      0,                   false},
    {"fetch_and", NP_FORM_FUNCTION, NP_EXPRESSION_FETCH,  NP_FETCH_AND,      0,                   false},
    {"fetch_or",  NP_FORM_FUNCTION, NP_EXPRESSION_FETCH,  NP_FETCH_OR,       0,                   false},
    {"fetch_xor", NP_FORM_FUNCTION, NP_EXPRESSION_FETCH,  NP_FETCH_XOR,      0,                   false},
};

const np_signature np_signatures[NP_OPS] = {
    [NP_OP_ADD]         = {NP_TAKES_NUMBERS, NP_TYPE_NONE, NULL},
    [NP_OP_SUB]         = {NP_TAKES_NUMBERS, NP_TYPE_NONE, NULL},
    [NP_OP_MUL]         = {NP_TAKES_NUMBERS, NP_TYPE_NONE, NULL},
    [NP_OP_DIV]         = {NP_TAKES_NUMBERS, NP_TYPE_NONE, "division by 0"},
    [NP_OP_MOD]         = {NP_TAKES_WHOLE,   NP_TYPE_NONE, "remainder of a division by 0"},
    [NP_OP_POWER]       = {NP_TAKES_NUMBERS, NP_TYPE_NONE, "a negative power of a whole number"},
    [NP_OP_MIN]         = {NP_TAKES_NUMBERS, NP_TYPE_NONE, NULL},
    [NP_OP_MAX]         = {NP_TAKES_NUMBERS, NP_TYPE_NONE, NULL},
    [NP_OP_EQ]          = {NP_TAKES_ANY,     NP_TYPE_BOOL, NULL},
    [NP_OP_NE]          = {NP_TAKES_ANY,     NP_TYPE_BOOL, NULL},
    [NP_OP_LT]          = {NP_TAKES_NUMBERS, NP_TYPE_BOOL, NULL},
    [NP_OP_LE]          = {NP_TAKES_NUMBERS, NP_TYPE_BOOL, NULL},
    [NP_OP_AND]         = {NP_TAKES_WHOLE,   NP_TYPE_NONE, NULL},
    [NP_OP_OR]          = {NP_TAKES_WHOLE,   NP_TYPE_NONE, NULL},
    [NP_OP_XOR]         = {NP_TAKES_BITS,    NP_TYPE_NONE, NULL},
    [NP_OP_SHIFT_LEFT]  = {NP_TAKES_WHOLE,   NP_TYPE_NONE, "a shift by less than 0 or more than 63 bits"},
    [NP_OP_SHIFT_RIGHT] = {NP_TAKES_WHOLE,   NP_TYPE_NONE, "a shift by less than 0 or more than 63 bits"},
    [NP_OP_RANDOM]      = {NP_TAKES_WHOLE,   NP_TYPE_NONE, "a random number below a bound less than 1"},
    [NP_OP_NEGATE]      = {NP_TAKES_NUMBERS, NP_TYPE_NONE, NULL},
    [NP_OP_ABS]         = {NP_TAKES_NUMBERS, NP_TYPE_NONE, NULL},
    [NP_OP_NOT]         = {NP_TAKES_TRUTH,   NP_TYPE_NONE, NULL},
    [NP_OP_INVERT]      = {NP_TAKES_WHOLE,   NP_TYPE_NONE, NULL},
    [NP_OP_LOG2]        = {NP_TAKES_NUMBERS, NP_TYPE_NONE, "the logarithm of a number below 1"},
    [NP_OP_CEIL_LOG2]   = {NP_TAKES_WHOLE,   NP_TYPE_NONE, "the logarithm of a number below 1"},
    [NP_OP_SQRT]        = {NP_TAKES_REALS,   NP_TYPE_NONE, NULL},
    [NP_OP_EXP]         = {NP_TAKES_REALS,   NP_TYPE_NONE, NULL},
    [NP_OP_LOG]         = {NP_TAKES_REALS,   NP_TYPE_NONE, NULL},
    [NP_OP_SIN]         = {NP_TAKES_REALS,   NP_TYPE_NONE, NULL},
    [NP_OP_COS]         = {NP_TAKES_REALS,   NP_TYPE_NONE, NULL},
    [NP_OP_TAN]         = {NP_TAKES_REALS,   NP_TYPE_NONE, NULL},
    [NP_OP_ATAN]        = {NP_TAKES_REALS,   NP_TYPE_NONE, NULL},
    [NP_OP_TO_REAL]     = {NP_TAKES_NUMBERS, NP_TYPE_REAL, NULL},
    [NP_OP_TO_INT]      = {NP_TAKES_ANY,     NP_TYPE_INT,  "a real that is no whole number of 64 bits"},
    [NP_OP_FLOOR]       = {NP_TAKES_REALS,   NP_TYPE_INT,  "a real that is no whole number of 64 bits"},
};
/* clang-format on */

const char *const np_input_kinds[] = {[NP_INPUT_KIND_ARRAY] = "array",
                                      [NP_INPUT_KIND_LIST] = "list",
                                      [NP_INPUT_KIND_TREE] = "tree",
                                      [NP_INPUT_KIND_GRAPH] = "graph",
                                      [NP_INPUT_KIND_MATRIX] = "matrix",
                                      [NP_INPUT_KIND_TEXT] = "text",
                                      NULL};

enum {
    WORDS = sizeof words / sizeof *words,
    SIGNS = sizeof signs / sizeof *signs,
    NOTATIONS = sizeof notations / sizeof *notations
};

static bool is_word(const char *at, size_t length, const char *word)
{
    return *word == *at && strlen(word) == length && !memcmp(at, word, length);
}

const np_notation *np_language_find(const char *at, size_t length, np_form form)
{
    for (const np_notation *n = notations; n < notations + NOTATIONS; n++)
        if (n->form == form && is_word(at, length, n->word))
            return n;
    return NULL;
}

static bool is_operator(const char *at, size_t length)
{
    return np_language_find(at, length, NP_FORM_INFIX) || np_language_find(at, length, NP_FORM_PREFIX);
}

const np_notation *np_language_function_get(size_t i)
{
    const np_notation *n = notations;
    while (n < notations + NOTATIONS && (n->form != NP_FORM_FUNCTION || i--))
        n++;
    return n < notations + NOTATIONS ? n : NULL;
}

bool np_language_reserves(const char *at, size_t length)
{
    for (size_t i = 0; i < WORDS; i++)
        if (is_word(at, length, words[i]))
            return true;
    return is_operator(at, length);
}

const char *np_language_small(const char *name)
{
    for (size_t i = 0; i < WORDS; i++)
        if (!strcasecmp(name, words[i]))
            return words[i];
    return NULL;
}

size_t np_language_sign(const char *at, size_t left)
{
    size_t longest = 0;
    for (size_t i = 0; i < SIGNS + NOTATIONS; i++) {
        const char *sign = i < SIGNS ? signs[i] : notations[i - SIGNS].word;
        const size_t length = *sign == *at ? strlen(sign) : 0;
        if (length > longest && length <= left && !memcmp(at, sign, length))
            longest = length;
    }
    return longest;
}

bool np_language_goes_on(const char *at, size_t length)
{
    return is_word(at, length, ":=") || is_word(at, length, "..") || is_word(at, length, ",") ||
           is_operator(at, length);
}
