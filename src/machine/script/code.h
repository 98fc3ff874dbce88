/*
 * Code for vectors: what a program's text is compiled to (compile.c), and what execute.c carries out.
 *
 * Processors of one level work in lock step: they are "lanes" 0, 1, 2, ... A *register* has a word for each lane. Lanes
 * that a condition has switched off take part in local work, whose results they do not keep, but make no access.
 *
 * Local work between two accesses is a *strip*: a few operations that are carried out for 512 lanes at a time, so that
 * what they hand on to one another stays in the cache. Their operands are constants, temporaries of the strip, and
 * registers. Everything else (accesses, branches, loops, calls, pardo) is done for all lanes at once.
 *
 * A level of a procedure has one frame of registers. Temporaries of different statements share registers.
 */
#pragma once

#include "machine/script/syntax.h"

enum { NP_STRIP = 512 }; /* lanes: 4 kB a temporary (ours) */

typedef enum np_operand_kind {
    NP_OPERAND_NONE,
    NP_OPERAND_CONSTANT,
    NP_OPERAND_STRIP,
    NP_OPERAND_REGISTER
} np_operand_kind;

typedef struct np_operand {
    np_operand_kind kind;
    uint32_t index;
} np_operand;

typedef enum np_local_kind {
    NP_LOCAL_OPERATOR, /* to = a op b */
    NP_LOCAL_COPY,     /* to = a, of all lanes */
    NP_LOCAL_SET,      /* to = a, of the lanes that are on */
    NP_LOCAL_SELECT,   /* to = a ? b : c */
    NP_LOCAL_INDEX,    /* to = the index of the level's pardo */
    NP_LOCAL_LIFT,     /* to = register a.index, or without a the index, of the frame `up` levels further out */
    NP_LOCAL_GLOBAL,   /* to = register a.index of the program's own frame */
    NP_LOCAL_TURNS,    /* to = how many turns a loop from a to b by c makes, less 1: -1 if it makes none */
    NP_LOCAL_OFFSET    /* to = (a or 0) * c + (b - d) + (e or 0), where b must be d .. d+c-1 */
} np_local_kind;

typedef struct np_local {
    np_local_kind kind;
    np_operator op;
    bool real;         /* the operator works on reals */
    uint8_t up;        /* of LIFT */
    uint8_t dimension; /* of OFFSET, from 1 */
    uint32_t site;     /* OFFSET, and operators that can fail */
    uint32_t draw;     /* of NP_OP_RANDOM */
    np_operand to, a, b, c, d, e;
} np_local;

typedef struct np_code np_code;
struct np_instruction;

struct np_code {
    uint32_t count;
    struct np_instruction *node; /* [count] */
};

typedef enum np_instruction_kind {
    NP_INSTRUCTION_STRIP,    /* local[0 .. count-1] */
    NP_INSTRUCTION_READ,     /* registers: to = the cells at a */
    NP_INSTRUCTION_WRITE,    /* the cells at a = b */
    NP_INSTRUCTION_FETCH,    /* to = the cells at a, which are combined with b; to and b are the same */
    NP_INSTRUCTION_BRANCH,   /* where a: body; elsewhere: other */
    NP_INSTRUCTION_LOOP,     /* test; while a: body */
    NP_INSTRUCTION_REPEAT,   /* body; test; until a */
    NP_INSTRUCTION_PARDO,    /* a .. b: body with frame `frame`; with count 1 the indices a + k to for k = 0 .. b */
    NP_INSTRUCTION_SCOPE,    /* body; its arrays end with it */
    NP_INSTRUCTION_ALLOCATE, /* registers to, to+1, ...: base, and low and extent of each dimension; their values are
                         the lows and highs of registers a, a+1, ... */
    NP_INSTRUCTION_CALL,     /* procedure `procedure`, parameters in registers a, a+1, ..., result in `to` */
    NP_INSTRUCTION_RETURN,
    NP_INSTRUCTION_PRINT, /* items */
    NP_INSTRUCTION_ASSERT /* a */
} np_instruction_kind;

typedef struct np_printed {
    const char *text; /* or: */
    np_type type;
    uint32_t from; /* register */
} np_printed;

typedef struct np_instruction {
    np_instruction_kind kind;
    uint32_t count, to, a, b;
    uint32_t site;
    np_fetch_op fetch;
    bool may_return;
    bool nests;              /* of PARDO: there may be another one inside */
    const np_symbol *symbol; /* of ALLOCATE; the array of READ, WRITE and FETCH */
    uint32_t procedure;
    uint32_t frame;
    np_local *local;     /* [count] */
    np_printed *printed; /* [count] */
    const char *text;    /* of ASSERT; NULL: none */
    np_code body, other, test;
} np_instruction;

/* What can be named at a place of the text: the innermost name first. */
typedef struct np_visible {
    const np_symbol *symbol;
    const struct np_visible *outer; /* NULL: no more */
} np_visible;

/* A place of the text that makes an access or can fail. */
typedef struct np_site {
    np_place place;
    const char *label; /* "12: D[i]" */
    const char *what;  /* "D[i]" */
    const np_visible *visible;
    const np_procedure *procedure; /* it is in; NULL: in none */
    uint8_t level;                 /* pardos of the procedure around it */
} np_site;

/* The registers of one level of one procedure. */
typedef struct np_frame_plan {
    uint32_t registers;
    uint32_t given; /* the first ones are the caller's: parameters and the result */
} np_frame_plan;

typedef struct np_procedure_code {
    uint32_t frame; /* its level 0 */
    bool returns;
    np_code body;
} np_procedure_code;

typedef struct np_program_code {
    uint32_t constants, sites, frames, procedures;
    uint32_t strips; /* temporaries that a strip has, at most */
    np_word *constant;
    uint32_t *found;  /* [2^finding] constants by the hash of their words: the number of one, from 1; 0: none */
    uint32_t finding; /* 0: no table yet */
    np_site *site;
    np_frame_plan *frame;
    np_procedure_code *procedure;
    np_code body;              /* with frame 0 */
    const np_visible *visible; /* at the end of the program */
} np_program_code;
