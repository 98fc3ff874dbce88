/* What the halves of the compiler share: compile.c does statements, compile_expression.c expressions. */
#pragma once

#include "machine/script/script.h"

typedef struct np_compiler {
    const np_syntax *syntax;
    np_pool *pool;
    np_program_code *program;
    np_procedure *procedure; /* that is compiled; NULL: the program's own statements */
    np_code *code;           /* that grows */
    np_instruction *strip;   /* its last node, if that is a strip that can grow */
    uint32_t temporaries;    /* of the strip */
    uint32_t nesting;        /* pardos and calls so far */
    uint32_t level;
    uint32_t frame[NP_SCRIPT_LEVELS + 1];     /* of each level */
    uint32_t registers[NP_SCRIPT_LEVELS + 1]; /* in use, of each level */
    const np_visible *visible;                /* at the present place */
} np_compiler;

static inline np_operand np_compile_in(uint32_t index) { return (np_operand){NP_OPERAND_REGISTER, index}; }

/* The registers of a variable, of a parameter, or of an array: its base, and the least index and extent of each
 * dimension. */
static inline uint32_t np_compile_size(const np_symbol *symbol)
{
    return symbol->kind == NP_SYMBOL_SHARED ? 1 + 2u * symbol->rank : 1;
}

/* Adds a node; a strip that was growing ends. */
np_status np_compile_instruction(np_compiler *compiler, np_instruction_kind kind, np_instruction **out) NP_CHECKED;
/* The same of a node that has a place in the text. */
np_status np_compile_node(np_compiler *compiler, np_instruction_kind kind, np_place from, np_place end,
                          np_instruction **out) NP_CHECKED;
/* A branch on the condition, whose register is *a. */
np_status np_compile_branch(np_compiler *compiler, const np_expression *condition, np_instruction **out) NP_CHECKED;

/* Code goes to *code until np_compile_leave(compiler, the code before). */
np_code *np_compile_into(np_compiler *compiler, np_code *code);

/*
 * The first of `count` fresh registers of the present level, which are free again when compiler->registers is set back.
 */
uint32_t np_compile_registers(np_compiler *compiler, uint32_t count);

/* A place of the text. */
np_status np_compile_site(np_compiler *compiler, np_place from, np_place end, uint32_t *out) NP_CHECKED;

/* Adds an operation to the strip. */
np_status np_compile_local(np_compiler *compiler, np_local local) NP_CHECKED;

/* The value of an expression: an operand that is valid until the next access or statement. */
np_status np_compile_value(np_compiler *compiler, const np_expression *e, np_operand *out) NP_CHECKED;

/* The value in register to; and in a fresh one, which *to receives. */
np_status np_compile_register(np_compiler *compiler, const np_expression *e, uint32_t to) NP_CHECKED;
np_status np_compile_fresh(np_compiler *compiler, const np_expression *e, uint32_t *to) NP_CHECKED;

/* The addresses of a cell, in a fresh register. */
np_status np_compile_address(np_compiler *compiler, const np_expression *cell, uint32_t *to) NP_CHECKED;

/* A call of a procedure, a function or a fetch; *to receives the register of its value, if it has one. */
np_status np_compile_call(np_compiler *compiler, const np_expression *e, uint32_t *to) NP_CHECKED;
