/*
 * Code of statements. A level's registers are given out like a stack: those of a statement's temporaries are free after
 * it, those of a block's variables after the block.
 */
#include <string.h>

#include "machine/script/compiler.h"

/* The symbol can be named from here to the end of its block. */
static np_status make_visible(np_compiler *compiler, const np_symbol *symbol)
{
    np_visible *visible;
    np_status st = np_pool_take(compiler->pool, &visible, sizeof *visible);
    if (!st) {
        *visible = (np_visible){symbol, compiler->visible};
        compiler->visible = visible;
    }
    return st;
}

static np_status add_frame(np_compiler *compiler, uint32_t given, uint32_t *out)
{
    np_program_code *program = compiler->program;
    np_status st = np_pool_room(compiler->pool, &program->frame, program->frames, sizeof *program->frame);
    if (st)
        return st;
    program->frame[program->frames] = (np_frame_plan){.registers = given, .given = given};
    *out = program->frames++;
    return NP_OK;
}

/* ---- Statements ---- */

static np_status compile_block(np_compiler *compiler, const np_block *block);

static np_status compile_inside(np_compiler *compiler, np_code *code, const np_block *block)
{
    np_code *before = np_compile_into(compiler, code);
    np_status st = compile_block(compiler, block);
    np_compile_into(compiler, before);
    return st;
}

static np_status set_variable(np_compiler *compiler, const np_symbol *symbol, const np_expression *value)
{
    np_operand from;
    np_status st = np_compile_value(compiler, value, &from);
    return st ? st
              : np_compile_local(compiler,
                                 (np_local){.kind = NP_LOCAL_SET, .to = np_compile_in(symbol->at), .a = from});
}

static np_status compile_declare(np_compiler *compiler, const np_statement *s)
{
    static const np_expression zero = {.kind = NP_EXPRESSION_INT}; /* the bits of 0.0 and false, too */
    s->symbol->at = np_compile_registers(compiler, 1);
    uint32_t *used = &compiler->registers[compiler->level], mark = *used;
    np_status st = set_variable(compiler, s->symbol, s->value ? s->value : &zero);
    *used = mark;
    return st ? st : make_visible(compiler, s->symbol);
}

static np_status compile_allocate(np_compiler *compiler, const np_statement *s)
{
    static const np_expression zero = {.kind = NP_EXPRESSION_INT};
    uint32_t at = np_compile_registers(compiler, np_compile_size(s->symbol));
    uint32_t mark = compiler->registers[compiler->level], ends = np_compile_registers(compiler, 2 * s->count);
    np_instruction *node;
    np_status st = NP_OK;
    s->symbol->at = at;
    for (uint32_t i = 0; i < s->count && !st; i++) {
        st = np_compile_register(compiler, s->extent[i].low ? s->extent[i].low : &zero, ends + 2 * i);
        if (!st)
            st = np_compile_register(compiler, s->extent[i].high, ends + 2 * i + 1);
    }
    if (st || (st = np_compile_node(compiler, NP_INSTRUCTION_ALLOCATE, s->symbol->place, s->symbol->place, &node)))
        return st;
    node->to = at;
    node->a = ends;
    node->count = s->count;
    node->symbol = s->symbol;
    for (uint32_t i = 0; i < s->count && !st; i++) /* [n] is 0 .. n-1 */
        if (!s->extent[i].low)
            node->b |= UINT32_C(1) << i;
    compiler->registers[compiler->level] = mark;
    return make_visible(compiler, s->symbol);
}

static np_status compile_assign(np_compiler *compiler, const np_statement *s)
{
    uint32_t value, address;
    np_instruction *node;
    np_status st;
    if (s->target->kind == NP_EXPRESSION_NAME)
        return set_variable(compiler, s->target->symbol, s->value);
    if ((st = np_compile_fresh(compiler, s->value, &value)) ||
        (st = np_compile_address(compiler, s->target, &address)) ||
        (st = np_compile_node(compiler, NP_INSTRUCTION_WRITE, s->target->place, s->target->end, &node)))
        return st;
    node->a = address;
    node->b = value;
    node->symbol = s->target->symbol;
    return NP_OK;
}

static np_status compile_if(np_compiler *compiler, const np_statement *s)
{
    np_instruction *branch;
    np_status st = np_compile_branch(compiler, s->value, &branch);
    if (st)
        return st;
    branch->may_return = s->may_return;
    if ((st = compile_inside(compiler, &branch->body, &s->body)))
        return st;
    return compile_inside(compiler, &branch->other, &s->other);
}

static np_status compile_test(np_compiler *compiler, np_code *code, const np_expression *e, uint32_t *to)
{
    np_code *before = np_compile_into(compiler, code);
    np_status st = np_compile_fresh(compiler, e, to);
    np_compile_into(compiler, before);
    return st;
}

static np_status begin_loop(np_compiler *compiler, const np_statement *s, np_instruction_kind kind,
                            np_instruction **out)
{
    np_status st = np_compile_node(compiler, kind, s->place, s->place, out);
    if (!st)
        (*out)->may_return = s->may_return;
    return st;
}

static np_status compile_while(np_compiler *compiler, const np_statement *s)
{
    np_instruction *loop;
    np_status st = begin_loop(compiler, s, NP_INSTRUCTION_LOOP, &loop);
    if (st || (st = compile_test(compiler, &loop->test, s->value, &loop->a)))
        return st;
    return compile_inside(compiler, &loop->body, &s->body);
}

/* The condition sees the variables of the body: they are one block. */
static np_status compile_repeat(np_compiler *compiler, const np_statement *s)
{
    np_instruction *loop;
    np_status st = begin_loop(compiler, s, NP_INSTRUCTION_REPEAT, &loop);
    if (st || (st = compile_inside(compiler, &loop->body, &s->body)))
        return st;
    compiler->registers[compiler->level] = compiler->program->frame[compiler->frame[compiler->level]].registers;
    return compile_test(compiler, &loop->test, s->value, &loop->a);
}

/*
 * for i in low..high by step: while turns are left, body, then i := i + step. The turns are counted before the loop, so
 * that an index never passes the end of the words.
 */
static np_status compile_for(np_compiler *compiler, const np_statement *s)
{
    static const np_expression one = {.kind = NP_EXPRESSION_INT, .constant = {.whole = 1}};
    static const np_expression zero = {.kind = NP_EXPRESSION_INT};
    uint32_t i = np_compile_registers(compiler, 1), step = np_compile_registers(compiler, 1);
    uint32_t left = np_compile_registers(compiler, 1), unit = np_compile_registers(compiler, 1);
    uint32_t none = np_compile_registers(compiler, 1), test = np_compile_registers(compiler, 1), site;
    np_instruction *loop;
    np_status st;
    s->symbol->at = i;
    if ((st = np_compile_site(compiler, s->place, s->place, &site)) ||
        (st = np_compile_register(compiler, s->low, i)) || (st = np_compile_register(compiler, s->high, left)) ||
        (st = np_compile_register(compiler, s->by ? s->by : &one, step)) ||
        (st = np_compile_register(compiler, &one, unit)) || (st = np_compile_register(compiler, &zero, none)) ||
        (st = np_compile_local(compiler, (np_local){.kind = NP_LOCAL_TURNS,
                                                    .to = np_compile_in(left),
                                                    .a = np_compile_in(i),
                                                    .b = np_compile_in(left),
                                                    .c = np_compile_in(step),
                                                    .site = site})) ||
        (st = begin_loop(compiler, s, NP_INSTRUCTION_LOOP, &loop)))
        return st;
    loop->a = test;
    np_code *before = np_compile_into(compiler, &loop->test);
    st = np_compile_local(compiler, (np_local){.kind = NP_LOCAL_OPERATOR,
                                               .op = NP_OP_LE,
                                               .to = np_compile_in(test),
                                               .a = np_compile_in(none),
                                               .b = np_compile_in(left),
                                               .site = site});
    np_compile_into(compiler, &loop->body);
    const np_visible *visible = compiler->visible;
    if (!st && !(st = make_visible(compiler, s->symbol)))
        st = compile_block(compiler, &s->body);
    compiler->visible = visible;
    for (int pass = 0; pass < 2 && !st; pass++) { /* left--, i += step, of the lanes that are on */
        np_local next = {.kind = NP_LOCAL_OPERATOR,
                         .op = pass ? NP_OP_ADD : NP_OP_SUB,
                         .to = np_compile_in(test),
                         .a = np_compile_in(pass ? i : left),
                         .b = np_compile_in(pass ? step : unit)};
        if (!(st = np_compile_local(compiler, next)))
            st = np_compile_local(
                compiler,
                (np_local){.kind = NP_LOCAL_SET, .to = np_compile_in(pass ? i : left), .a = np_compile_in(test)});
    }
    np_compile_into(compiler, before);
    return st;
}

/* The range of a pardo; with a step *high is how many processors there are, less 1. */
static np_status compile_range(np_compiler *compiler, const np_statement *s, uint32_t *low, uint32_t *high,
                               uint32_t *step)
{
    np_local turns = {.kind = NP_LOCAL_TURNS};
    np_status st = np_compile_fresh(compiler, s->low, low);
    *step = 0;
    if (st || (st = np_compile_fresh(compiler, s->high, high)) || !s->by)
        return st;
    if ((st = np_compile_fresh(compiler, s->by, step)) ||
        (st = np_compile_site(compiler, s->place, s->place, &turns.site)))
        return st;
    turns.to = turns.b = np_compile_in(*high);
    turns.a = np_compile_in(*low);
    turns.c = np_compile_in(*step);
    return np_compile_local(compiler, turns);
}

static np_status compile_pardo(np_compiler *compiler, const np_statement *s)
{
    uint32_t low, high, step;
    np_instruction *pardo, *branch;
    np_status st;
    if ((st = compile_range(compiler, s, &low, &high, &step)) ||
        (st = np_compile_node(compiler, NP_INSTRUCTION_PARDO, s->place, s->place, &pardo)) ||
        (st = add_frame(compiler, 0, &pardo->frame)))
        return st;
    const uint32_t nesting = compiler->nesting;
    pardo->a = low;
    pardo->b = high;
    pardo->to = step;
    pardo->count = s->by != NULL;
    compiler->frame[++compiler->level] = pardo->frame;
    compiler->registers[compiler->level] = 0;
    np_code *before = np_compile_into(compiler, &pardo->body);
    const np_visible *visible = compiler->visible;
    if ((st = make_visible(compiler, s->symbol)))
        return st;
    if (!s->value)
        st = compile_block(compiler, &s->body);
    else if (!(st = np_compile_branch(compiler, s->value, &branch)))
        st = compile_inside(compiler, &branch->body, &s->body);
    pardo->nests = compiler->nesting != nesting;
    np_compile_into(compiler, before);
    compiler->visible = visible;
    compiler->level--;
    return st;
}

/* The result's register follows those of the parameters. */
static np_status compile_return(np_compiler *compiler, const np_statement *s)
{
    uint32_t result = compiler->program->frame[compiler->frame[0]].given - 1;
    np_instruction *node;
    np_operand value;
    np_status st;
    if (s->value &&
        ((st = np_compile_value(compiler, s->value, &value)) ||
         (st = np_compile_local(compiler, (np_local){.kind = NP_LOCAL_SET, .to = np_compile_in(result), .a = value}))))
        return st;
    if ((st = np_compile_instruction(compiler, NP_INSTRUCTION_RETURN, &node)))
        return st;
    node->may_return = true;
    return NP_OK;
}

static np_status compile_print(np_compiler *compiler, const np_statement *s)
{
    np_printed *printed;
    np_instruction *node;
    np_status st = np_pool_take(compiler->pool, &printed, s->count * sizeof *printed);
    for (uint32_t i = 0; i < s->count && !st; i++) {
        printed[i] = (np_printed){.text = s->item[i].text};
        if (!s->item[i].value)
            continue;
        printed[i].type = s->item[i].value->type;
        st = np_compile_fresh(compiler, s->item[i].value, &printed[i].from);
    }
    if (st || (st = np_compile_instruction(compiler, NP_INSTRUCTION_PRINT, &node)))
        return st;
    node->printed = printed;
    node->count = s->count;
    return NP_OK;
}

static np_status compile_assert(np_compiler *compiler, const np_statement *s)
{
    uint32_t condition;
    np_instruction *node;
    np_status st;
    if ((st = np_compile_fresh(compiler, s->value, &condition)) ||
        (st = np_compile_node(compiler, NP_INSTRUCTION_ASSERT, s->value->place, s->value->end, &node)))
        return st;
    node->a = condition;
    node->text = s->text;
    return NP_OK;
}

static np_status compile_call(np_compiler *compiler, const np_statement *s)
{
    uint32_t unused;
    return np_compile_call(compiler, s->value, &unused);
}

static np_status compile_statement(np_compiler *compiler, const np_statement *s)
{
    static np_status (*const compile[])(np_compiler *, const np_statement *) = {
        [NP_STATEMENT_DECLARE] = compile_declare, [NP_STATEMENT_ALLOCATE] = compile_allocate,
        [NP_STATEMENT_ASSIGN] = compile_assign,   [NP_STATEMENT_CALL] = compile_call,
        [NP_STATEMENT_IF] = compile_if,           [NP_STATEMENT_WHILE] = compile_while,
        [NP_STATEMENT_REPEAT] = compile_repeat,   [NP_STATEMENT_FOR] = compile_for,
        [NP_STATEMENT_PARDO] = compile_pardo,     [NP_STATEMENT_RETURN] = compile_return,
        [NP_STATEMENT_PRINT] = compile_print,     [NP_STATEMENT_ASSERT] = compile_assert,
    };
    return compile[s->kind](compiler, s);
}

/* Are there arrays that end with the block? */
static bool declares_arrays(const np_block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (block->statement[i]->kind == NP_STATEMENT_ALLOCATE && !block->statement[i]->symbol->global)
            return true;
    return false;
}

static np_status compile_statements(np_compiler *compiler, const np_block *block)
{
    uint32_t *used = &compiler->registers[compiler->level];
    np_status st = NP_OK;
    for (uint32_t i = 0; i < block->count && !st; i++) {
        const np_statement *s = block->statement[i];
        bool declares = s->kind == NP_STATEMENT_DECLARE || s->kind == NP_STATEMENT_ALLOCATE;
        uint32_t mark = *used;
        compiler->strip = NULL; /* a strip is of one statement: so no temporary is wanted later */
        st = compile_statement(compiler, s);
        if (!declares)
            *used = mark;
    }
    return st;
}

static np_status compile_block(np_compiler *compiler, const np_block *block)
{
    uint32_t *used = &compiler->registers[compiler->level], mark = *used;
    const np_visible *visible = compiler->visible;
    np_instruction *scope;
    np_status st;
    if (!declares_arrays(block)) {
        st = compile_statements(compiler, block);
    } else if (!(st = np_compile_instruction(compiler, NP_INSTRUCTION_SCOPE, &scope))) {
        np_code *before = np_compile_into(compiler, &scope->body);
        scope->may_return = compiler->procedure && !compiler->level && compiler->procedure->returns;
        st = compile_statements(compiler, block);
        np_compile_into(compiler, before);
    }
    compiler->visible = visible;
    *used = mark;
    return st;
}

/* ---- Programs ---- */

static np_status compile_procedure(np_compiler *compiler, np_procedure *p)
{
    np_procedure_code *code = &compiler->program->procedure[p->number];
    const np_visible *visible = compiler->visible; /* what the program has */
    uint32_t given = 0;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < p->parameters && !st; i++) {
        p->parameter[i]->at = given;
        given += np_compile_size(p->parameter[i]);
        st = make_visible(compiler, p->parameter[i]);
    }
    if (st || (st = add_frame(compiler, given + 1, &code->frame)))
        return st;
    compiler->procedure = p;
    compiler->level = 0;
    compiler->frame[0] = code->frame;
    compiler->registers[0] = given + 1;
    code->returns = p->returns;
    np_compile_into(compiler, &code->body);
    st = compile_block(compiler, &p->body);
    compiler->visible = visible;
    return st;
}

/* Registers of the program's own frame: n, the inputs and the options, which the library fills in (run.c). */
static np_status place_inputs(np_compiler *compiler)
{
    const np_syntax *syntax = compiler->syntax;
    syntax->size->at = np_compile_registers(compiler, 1);
    np_status st = make_visible(compiler, syntax->size);
    for (uint32_t i = 0; i < syntax->inputs; i++) {
        const np_declared_input *input = &syntax->input[i];
        np_symbol *const symbols[] = {input->array, input->n,      input->m,     input->tail,
                                      input->head,  input->weight, input->first, input->twin};
        for (size_t k = 0; k < sizeof symbols / sizeof *symbols && !st; k++)
            if (symbols[k]) {
                symbols[k]->at = np_compile_registers(compiler, np_compile_size(symbols[k]));
                st = make_visible(compiler, symbols[k]);
            }
    }
    for (uint32_t i = 0; i < syntax->options && !st; i++) {
        syntax->option[i].symbol->at = np_compile_registers(compiler, 1);
        st = make_visible(compiler, syntax->option[i].symbol);
    }
    return st;
}

np_status np_script_compile(const np_syntax *syntax, np_pool *pool, np_program_code *out)
{
    np_compiler compiler = {.syntax = syntax, .pool = pool, .program = out};
    *out = (np_program_code){.procedures = syntax->procedures};
    np_status st = np_pool_take(pool, &out->procedure, (syntax->procedures + 1) * sizeof *out->procedure);
    for (uint32_t i = 0; i < syntax->procedures; i++)
        syntax->procedure[i]->number = i;
    if (st || (st = add_frame(&compiler, 0, &compiler.frame[0])) || (st = place_inputs(&compiler)))
        return st;
    np_compile_into(&compiler, &out->body);
    st = compile_statements(&compiler, &syntax->body); /* its variables last until the end */
    out->visible = compiler.visible;
    for (uint32_t i = 0; i < syntax->procedures && !st; i++)
        st = compile_procedure(&compiler, syntax->procedure[i]);
    return st;
}
