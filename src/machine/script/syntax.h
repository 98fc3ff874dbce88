/*
 * The syntax tree of a PRAM program that is written as text (docs/pram-language.md has the grammar). parse.c makes it,
 * check.c finds what its names mean and of which kinds its values are, compile.c turns it into code for vectors. The
 * slow interpreter of tests/oracle walks it.
 *
 * A tree lives in a pool (pool.h) and is never changed after check.c.
 */
#pragma once

#include "netpram/script.h"
#include "machine/pram/judge.h"

/* Limits (ours): they bound the depth of recursion in this room, and what a program of noise can ask for. */
enum {
    NP_SCRIPT_DEPTH = 200,       /* of blocks and parentheses in the text */
    NP_SCRIPT_NESTED = 2000,     /* of expressions within one another: a + b + c is (a + b) + c */
    NP_SCRIPT_DIMENSIONS = 8,    /* of an array */
    NP_SCRIPT_LEVELS = 32,       /* of pardo in one procedure */
    NP_SCRIPT_PARAMETERS = 32,   /* of a procedure */
    NP_SCRIPT_NAME = 63,         /* letters of a name */
    NP_SCRIPT_TEXT_MAX = 1 << 24 /* bytes of a program */
};

typedef enum np_type { NP_TYPE_NONE, NP_TYPE_INT, NP_TYPE_REAL, NP_TYPE_BOOL } np_type;

/* Of the cells that have values of the type. */
static inline np_cell_type np_cell_type_of(np_type type) { return (np_cell_type)(type - NP_TYPE_INT); }

/* "int", "real", "bool", "no value". */
const char *np_type_name(np_type type);

typedef struct np_place {
    uint32_t line, column; /* from 1 */
} np_place;

typedef enum np_symbol_kind {
    NP_SYMBOL_PRIVATE,  /* a variable of each processor of its level */
    NP_SYMBOL_SHARED,   /* an array of cells; of rank 0 one cell */
    NP_SYMBOL_PROCEDURE /* a procedure, or a function if its type is not NONE */
} np_symbol_kind;

typedef enum np_input_kind {
    NP_INPUT_KIND_ARRAY,  /* x[0 .. n-1] */
    NP_INPUT_KIND_LIST,   /* x[0 .. n-1]: successors; the last item has itself */
    NP_INPUT_KIND_TREE,   /* x[0 .. n-1]: parents; the root has itself */
    NP_INPUT_KIND_GRAPH,  /* G.n, G.m, and G.tail, G.head, G.weight, G.twin [0 .. m-1], G.first [0 .. n]; no twins if
                             it is directed */
    NP_INPUT_KIND_MATRIX, /* x[0 .. rows-1, 0 .. columns-1] */
    NP_INPUT_KIND_TEXT    /* x[0 .. n-1]: bytes */
} np_input_kind;

struct np_procedure;

typedef struct np_symbol {
    char name[NP_SCRIPT_NAME + 1];
    np_place place;
    np_symbol_kind kind;
    np_type type;
    uint8_t rank;                   /* of a shared array */
    uint8_t level;                  /* how many pardos of its procedure are around it */
    bool global;                    /* declared outside of all procedures and blocks */
    bool constant;                  /* an index, an option, the size of an input: nobody assigns to it */
    bool input;                     /* the library fills it before the program begins */
    struct np_procedure *of;        /* whose private variable or array it is; NULL: of the program */
    struct np_procedure *procedure; /* of a procedure */
    bool used;                      /* check.c: the program names it */
    bool is_index;                  /* of a pardo: it has no register */
    uint32_t at;                    /* compile.c: its register, or the first of its registers */
} np_symbol;

typedef enum np_expression_kind {
    NP_EXPRESSION_INT,
    NP_EXPRESSION_REAL,
    NP_EXPRESSION_BOOL,
    NP_EXPRESSION_NAME,        /* a private variable */
    NP_EXPRESSION_CELL,        /* a shared cell: argument[0 .. count-1] are its indices */
    NP_EXPRESSION_ARRAY,       /* a whole array: as an argument, or of length() */
    NP_EXPRESSION_UNARY,       /* op argument[0] */
    NP_EXPRESSION_BINARY,      /* argument[0] op argument[1] */
    NP_EXPRESSION_AND,         /* the right side is worked out where the left side is true */
    NP_EXPRESSION_OR,          /* ... where it is false */
    NP_EXPRESSION_CONDITIONAL, /* if argument[0] then argument[1] else argument[2] */
    NP_EXPRESSION_CALL,        /* of a procedure or function */
    NP_EXPRESSION_FETCH,       /* argument[0] is a cell, argument[1] the operand */
    NP_EXPRESSION_LENGTH       /* of argument[0], an array, in dimension `constant` */
} np_expression_kind;

/* What processors compute on their own. Of two operands unless said otherwise. */
typedef enum np_operator {
    NP_OP_ADD,
    NP_OP_SUB,
    NP_OP_MUL,
    NP_OP_DIV, /* of whole numbers: rounded down */
    NP_OP_MOD, /* with the sign of the divisor */
    NP_OP_POWER,
    NP_OP_MIN,
    NP_OP_MAX,
    NP_OP_EQ,
    NP_OP_NE,
    NP_OP_LT,
    NP_OP_LE,
    NP_OP_AND, /* bit by bit */
    NP_OP_OR,
    NP_OP_XOR,
    NP_OP_SHIFT_LEFT,
    NP_OP_SHIFT_RIGHT,
    NP_OP_RANDOM, /* 0 .. a-1: one operand */
    NP_OP_NEGATE, /* one operand, from here on */
    NP_OP_ABS,
    NP_OP_NOT,       /* of a boolean */
    NP_OP_INVERT,    /* all bits */
    NP_OP_LOG2,      /* of a whole number rounded down */
    NP_OP_CEIL_LOG2, /* least k with 2^k >= a */
    NP_OP_SQRT,
    NP_OP_EXP,
    NP_OP_LOG, /* natural */
    NP_OP_SIN, /* of radians */
    NP_OP_COS,
    NP_OP_TAN,
    NP_OP_ATAN,
    NP_OP_TO_REAL,
    NP_OP_TO_INT, /* towards zero */
    NP_OP_FLOOR,
    NP_OPS
} np_operator;

typedef struct np_expression np_expression;
struct np_expression {
    np_expression_kind kind;
    np_type type; /* check.c; of constants parse_expression.c */
    bool careful; /* check.c: working it out can take a step, or fail. Then it is done only by lanes that need it */
    np_place place;
    union {
        np_word whole;
        double real;
    } constant;
    char name[NP_SCRIPT_NAME + 1]; /* of what is named, before check.c finds the symbol */
    np_symbol *symbol;
    np_operator op;
    np_fetch_op fetch;
    uint32_t draw; /* of random(): which call of the text it is */
    uint32_t count;
    np_expression **argument; /* [count] */
    np_place end;             /* the place after it, for labels */
};

typedef struct np_statement np_statement;

typedef struct np_block {
    uint32_t count;
    np_statement **statement; /* [count] */
} np_block;

typedef enum np_statement_kind {
    NP_STATEMENT_DECLARE,  /* symbol := value, if there is a value: else 0 */
    NP_STATEMENT_ALLOCATE, /* shared symbol with `extents` */
    NP_STATEMENT_ASSIGN,   /* target := value; the target is a name or a cell */
    NP_STATEMENT_CALL,     /* value is a call or a fetch whose result nobody needs */
    NP_STATEMENT_IF,       /* value; then body, else other */
    NP_STATEMENT_WHILE,    /* value; body */
    NP_STATEMENT_REPEAT,   /* body until value */
    NP_STATEMENT_FOR,      /* symbol in low..high by `by`; body, one after the other */
    NP_STATEMENT_PARDO,    /* symbol in low..high by `by`; body, where value, all at once */
    NP_STATEMENT_RETURN,   /* value, in a function */
    NP_STATEMENT_PRINT,    /* items */
    NP_STATEMENT_ASSERT    /* value; text */
} np_statement_kind;

typedef struct np_extent {
    np_expression *low, *high; /* low NULL: the extent is 0 .. high-1, else low .. high */
} np_extent;

/* What print prints: a text, or a value. */
typedef struct np_item {
    const char *text;
    np_expression *value;
} np_item;

struct np_statement {
    np_statement_kind kind;
    np_place place;
    np_symbol *symbol;
    np_expression *target, *value, *low, *high, *by;
    np_block body, other;
    uint32_t count;    /* of extents, or of items */
    np_extent *extent; /* [count] */
    np_item *item;     /* [count] */
    const char *text;  /* of an assertion; of IF the word before its condition; NULL: none, or `if` */
    bool may_return;   /* check.c: a return is inside */
    uint8_t level;     /* check.c: pardos of its procedure around it */
};

typedef struct np_procedure {
    np_symbol *symbol;
    uint32_t parameters;
    np_symbol **parameter; /* [parameters] */
    np_block body;
    bool returns;    /* some statement in it is a return */
    uint32_t number; /* compile.c */
} np_procedure;

typedef struct np_declared_input {
    char name[NP_SCRIPT_NAME + 1];
    np_place place;
    np_input_kind kind;
    np_type type;                                   /* of its words; of a graph, of the weights */
    uint64_t below;                                 /* drawn numbers are 0 .. below-1 */
    bool sorted;                                    /* an array in order, also from a file */
    bool is_directed;                               /* a digraph: arcs as they are */
    bool is_tree;                                   /* a graph that is a tree */
    np_symbol *array;                               /* of all kinds but graphs */
    np_symbol *n, *m;                               /* of graphs */
    np_symbol *tail, *head, *weight, *first, *twin; /* of graphs; twin NULL: of a digraph */
} np_declared_input;

typedef struct np_declared_option {
    np_symbol *symbol;
    np_word preset; /* the bits of a real */
    const char *help;
} np_declared_option;

typedef struct np_declared_output {
    char name[NP_SCRIPT_NAME + 1];
    np_place place;
    np_symbol *symbol;
} np_declared_output;

/* A file of a program: the first is the program itself, the others are imported. Their lines are numbered on. */
typedef struct np_source {
    const char *path, *text;
    const char *name; /* as the import has it */
    size_t length;
    uint32_t before, lines; /* of the files before it; its own */
    const char **line;      /* [lines + 1] where each begins; the last one: behind the text and one byte more */
    uint32_t importer, at;  /* the file that imports it first, and the line there */
    bool open;              /* it is being parsed */
    uint64_t device, inode; /* which file it is */
} np_source;

/* A whole program. */
typedef struct np_syntax {
    const char *path, *text; /* borrowed */
    size_t length;
    uint32_t lines, files; /* lines of all files */
    np_source *file;       /* [files] */
    bool imports;          /* it may import files */
    const np_script_imports
        *from; /* which ones; borrowed while it is parsed; NULL: any, from the importing file's folder */
    np_script_problem *problem; /* receives what is wrong with the program; borrowed; NULL: nobody asks */
    char name[NP_SCRIPT_NAME + 1];
    const char *about, *source; /* "" if the text has none */
    np_access_rule rule;
    const np_judge *solves; /* who judges the answer; NULL: nobody */
    np_place solves_place;
    uint64_t n_preset, n_most; /* sizes; 0: the text does not say */
    const char *counts;        /* what n counts; "" */
    uint32_t inputs, options, outputs, procedures, draws;
    np_declared_input *input;
    np_declared_option *option;
    np_declared_output *output;
    np_procedure **procedure;
    np_symbol *size; /* n: given to every program as an option */
    np_block body;
} np_syntax;
