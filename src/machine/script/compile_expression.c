/*
 * Code of expressions. Operands are worked out from left to right. A value that waits for another one, in which there
 * is an access, waits in a register; all others are temporaries of the strip. Cells that are read take a step each.
 */
#include <string.h>

#include "machine/script/compiler.h"

/* ---- What statements use, too ---- */

np_status np_compile_instruction(np_compiler *compiler, np_instruction_kind kind, np_instruction **out)
{
    np_code *code = compiler->code;
    np_status st = np_pool_room(compiler->pool, &code->node, code->count, sizeof *code->node);
    if (st)
        return st;
    *out = &code->node[code->count++];
    **out = (np_instruction){.kind = kind};
    compiler->strip = NULL;
    return NP_OK;
}

np_code *np_compile_into(np_compiler *compiler, np_code *code)
{
    np_code *before = compiler->code;
    compiler->code = code;
    compiler->strip = NULL;
    return before;
}

uint32_t np_compile_registers(np_compiler *compiler, uint32_t count)
{
    uint32_t *used = &compiler->registers[compiler->level], first = *used;
    np_frame_plan *plan = &compiler->program->frame[compiler->frame[compiler->level]];
    *used += count;
    if (plan->registers < *used)
        plan->registers = *used;
    return first;
}

enum { LABEL = 60 }; /* letters of the text in a label, at most (ours) */

np_status np_compile_site(np_compiler *compiler, np_place from, np_place end, uint32_t *out)
{
    np_program_code *program = compiler->program;
    np_status st = np_pool_room(compiler->pool, &program->site, program->sites, sizeof *program->site);
    if (st)
        return st;
    const np_source *file = np_script_file_of(compiler->syntax, from.line);
    char label[2 * LABEL + 16];
    size_t length;
    const char *text = np_script_between(compiler->syntax, from, end, &length);
    length = length < LABEL ? length : LABEL;
    np_site *site = &program->site[program->sites];
    site->place = from;
    site->visible = compiler->visible;
    site->procedure = compiler->procedure;
    site->level = (uint8_t)compiler->level;
    int size = snprintf(label, sizeof label, "%.*s%s%u: %.*s", LABEL, file->name, *file->name ? ":" : "",
                        from.line - file->before, (int)length, text);
    if ((st = np_pool_text(compiler->pool, label, (size_t)size, &site->label)) ||
        (st = np_pool_text(compiler->pool, text, length, &site->what)))
        return st;
    *out = program->sites++;
    return NP_OK;
}

np_status np_compile_node(np_compiler *compiler, np_instruction_kind kind, np_place from, np_place end,
                          np_instruction **out)
{
    uint32_t site;
    np_status st = np_compile_site(compiler, from, end, &site);
    if (!st && !(st = np_compile_instruction(compiler, kind, out)))
        (*out)->site = site;
    compiler->nesting += kind == NP_INSTRUCTION_PARDO || kind == NP_INSTRUCTION_CALL;
    return st;
}

np_status np_compile_branch(np_compiler *compiler, const np_expression *condition, np_instruction **out)
{
    uint32_t a;
    np_status st = np_compile_fresh(compiler, condition, &a);
    if (!st && !(st = np_compile_instruction(compiler, NP_INSTRUCTION_BRANCH, out)))
        (*out)->a = a;
    return st;
}

static np_operand operand(np_operand_kind kind, uint32_t index) { return (np_operand){kind, index}; }

/* A fresh temporary of the strip. */
static np_operand temporary(np_compiler *compiler)
{
    if (!compiler->strip)
        compiler->temporaries = 0;
    uint32_t index = compiler->temporaries++;
    if (compiler->program->strips < compiler->temporaries)
        compiler->program->strips = compiler->temporaries;
    return operand(NP_OPERAND_STRIP, index);
}

np_status np_compile_local(np_compiler *compiler, np_local local)
{
    np_instruction *strip = compiler->strip;
    np_status st = NP_OK;
    if (!strip) {
        if ((st = np_compile_instruction(compiler, NP_INSTRUCTION_STRIP, &strip)))
            return st;
        compiler->strip = strip;
    }
    if ((st = np_pool_room(compiler->pool, &strip->local, strip->count, sizeof *strip->local)))
        return st;
    strip->local[strip->count++] = local;
    return NP_OK;
}

/* Where the number of a constant is, or belongs: linear probing (Knuth 1973, 6.4). */
static uint32_t *place_of(const np_program_code *program, np_word word)
{
    uint32_t last = (UINT32_C(1) << program->finding) - 1;
    uint32_t at = (uint32_t)((uint64_t)word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - program->finding));
    while (program->found[at] && program->constant[program->found[at] - 1] != word)
        at = (at + 1) & last;
    return &program->found[at];
}

/* Room for one constant more: half of the table is empty. */
static np_status constant_room(np_compiler *compiler)
{
    np_program_code *program = compiler->program;
    np_status st = np_pool_room(compiler->pool, &program->constant, program->constants, sizeof *program->constant);
    if (st || (program->finding && 2 * program->constants < UINT32_C(1) << program->finding))
        return st;
    program->finding = program->finding ? program->finding + 1 : 6;
    if ((st = np_pool_take(compiler->pool, &program->found, sizeof *program->found << program->finding)))
        return st;
    for (uint32_t i = 0; i < program->constants; i++)
        *place_of(program, program->constant[i]) = i + 1;
    return NP_OK;
}

static np_status constant(np_compiler *compiler, np_word word, np_operand *out)
{
    np_program_code *program = compiler->program;
    np_status st = constant_room(compiler);
    if (st)
        return st;
    uint32_t *found = place_of(program, word);
    if (!*found) {
        program->constant[program->constants] = word;
        *found = ++program->constants;
    }
    *out = operand(NP_OPERAND_CONSTANT, *found - 1);
    return NP_OK;
}

/* A value that must outlive accesses: in a register of its own, unless it is in one already, or constant. */
static np_status keep(np_compiler *compiler, np_operand *value)
{
    if (value->kind != NP_OPERAND_STRIP)
        return NP_OK;
    np_operand to = np_compile_in(np_compile_registers(compiler, 1));
    np_status st = np_compile_local(compiler, (np_local){.kind = NP_LOCAL_COPY, .to = to, .a = *value});
    *value = to;
    return st;
}

/* ---- Names ---- */

/* A register of the level and procedure to which a symbol belongs, as an operand here. */
static np_status reach(np_compiler *compiler, const np_symbol *symbol, uint32_t index, np_operand *out)
{
    bool global = symbol->of != compiler->procedure, own = !global && symbol->level == compiler->level;
    if (own && !symbol->is_index) {
        *out = np_compile_in(index);
        return NP_OK;
    }
    np_local local = {.kind = own ? NP_LOCAL_INDEX : global ? NP_LOCAL_GLOBAL : NP_LOCAL_LIFT};
    local.up = (uint8_t)(global || own ? 0 : compiler->level - symbol->level);
    if (!symbol->is_index)
        local.a = np_compile_in(index);
    *out = local.to = temporary(compiler);
    return np_compile_local(compiler, local);
}

static np_status name_value(np_compiler *compiler, const np_expression *e, np_operand *out)
{
    return reach(compiler, e->symbol, e->symbol->at, out);
}

/* Part 0 of an array is its base; 1 + 2d and 2 + 2d are the least index and the extent of dimension d. */
static np_status array_part(np_compiler *compiler, const np_symbol *array, uint32_t part, np_operand *out)
{
    return reach(compiler, array, array->at + part, out);
}

/* ---- Cells ---- */

/* The indices, worked out before the address is: an index may take steps. */
static np_status indices_of(np_compiler *compiler, const np_expression *cell, np_operand index[NP_SCRIPT_DIMENSIONS])
{
    np_status st = NP_OK;
    for (uint32_t i = 0; i < cell->count && !st; i++) {
        st = np_compile_value(compiler, cell->argument[i], &index[i]);
        for (uint32_t j = i + 1; j < cell->count && !st; j++)
            if (cell->argument[j]->careful) {
                st = keep(compiler, &index[i]);
                break;
            }
    }
    return st;
}

/* The base comes in with the last index. */
np_status np_compile_address(np_compiler *compiler, const np_expression *cell, uint32_t *to)
{
    np_operand index[NP_SCRIPT_DIMENSIONS], base, offset = {0};
    uint32_t site;
    np_status st;
    if ((st = indices_of(compiler, cell, index)) || (st = np_compile_site(compiler, cell->place, cell->end, &site)) ||
        (st = array_part(compiler, cell->symbol, 0, &base)))
        return st;
    *to = np_compile_registers(compiler, 1);
    if (!cell->count)
        return np_compile_local(compiler, (np_local){.kind = NP_LOCAL_COPY, .to = np_compile_in(*to), .a = base});
    for (uint32_t d = 0; d < cell->count; d++) {
        bool last = d + 1 == cell->count;
        np_local local = {
            .kind = NP_LOCAL_OFFSET, .site = site, .dimension = (uint8_t)(d + 1), .a = offset, .b = index[d]};
        if ((st = array_part(compiler, cell->symbol, 1 + 2 * d, &local.d)) ||
            (st = array_part(compiler, cell->symbol, 2 + 2 * d, &local.c)))
            return st;
        if (last)
            local.e = base;
        offset = local.to = last ? np_compile_in(*to) : temporary(compiler);
        if ((st = np_compile_local(compiler, local)))
            return st;
    }
    return NP_OK;
}

static np_status access_node(np_compiler *compiler, np_instruction_kind kind, const np_expression *cell,
                             np_instruction **out)
{
    np_status st = np_compile_node(compiler, kind, cell->place, cell->end, out);
    if (!st)
        (*out)->symbol = cell->kind == NP_EXPRESSION_FETCH ? cell->argument[0]->symbol : cell->symbol;
    return st;
}

static np_status read_cell(np_compiler *compiler, const np_expression *cell, np_operand *out)
{
    uint32_t address;
    np_instruction *node;
    np_status st = np_compile_address(compiler, cell, &address);
    if (st || (st = access_node(compiler, NP_INSTRUCTION_READ, cell, &node)))
        return st;
    node->a = address;
    node->to = np_compile_registers(compiler, 1);
    *out = np_compile_in(node->to);
    return NP_OK;
}

/* ---- Calls ---- */

/* The parts of an array, copied into registers from `to` on. */
static np_status pass_array(np_compiler *compiler, const np_symbol *array, uint32_t to)
{
    np_status st = NP_OK;
    for (uint32_t part = 0; part < np_compile_size(array) && !st; part++) {
        np_operand value;
        if (!(st = array_part(compiler, array, part, &value)))
            st = np_compile_local(compiler,
                                  (np_local){.kind = NP_LOCAL_COPY, .to = np_compile_in(to + part), .a = value});
    }
    return st;
}

static np_status compile_user_call(np_compiler *compiler, const np_expression *e, uint32_t *to)
{
    const np_procedure *p = e->symbol->procedure;
    uint32_t size = 1, at;
    np_status st = NP_OK;
    np_instruction *node;
    for (uint32_t i = 0; i < p->parameters; i++)
        size += np_compile_size(p->parameter[i]);
    uint32_t first = at = np_compile_registers(compiler, size); /* the last one is for the result */
    for (uint32_t i = 0; i < p->parameters && !st; i++) {
        if (e->argument[i]->kind == NP_EXPRESSION_ARRAY)
            st = pass_array(compiler, e->argument[i]->symbol, at);
        else
            st = np_compile_register(compiler, e->argument[i], at);
        at += np_compile_size(p->parameter[i]);
    }
    if (st || (st = np_compile_node(compiler, NP_INSTRUCTION_CALL, e->place, e->end, &node)))
        return st;
    node->procedure = p->number;
    node->a = first;
    node->count = size - 1;
    node->to = *to = first + size - 1;
    return NP_OK;
}

static np_status compile_fetch(np_compiler *compiler, const np_expression *e, uint32_t *to)
{
    uint32_t address;
    np_instruction *node;
    np_status st;
    if ((st = np_compile_fresh(compiler, e->argument[1], to)) ||
        (st = np_compile_address(compiler, e->argument[0], &address)) ||
        (st = access_node(compiler, NP_INSTRUCTION_FETCH, e, &node)))
        return st;
    node->a = address;
    node->b = node->to = *to;
    node->fetch = e->fetch;
    return NP_OK;
}

np_status np_compile_call(np_compiler *compiler, const np_expression *e, uint32_t *to)
{
    if (e->kind == NP_EXPRESSION_FETCH)
        return compile_fetch(compiler, e, to);
    if (e->kind == NP_EXPRESSION_CALL)
        return compile_user_call(compiler, e, to);
    np_operand unused; /* min(a, b) as a statement: its cells are read all the same */
    *to = UINT32_MAX;
    return np_compile_value(compiler, e, &unused);
}

static np_status call_value(np_compiler *compiler, const np_expression *e, np_operand *out)
{
    uint32_t to;
    np_status st = np_compile_call(compiler, e, &to);
    *out = np_compile_in(to);
    return st;
}

/* ---- Operators ---- */

static np_status operator_value(np_compiler *compiler, const np_expression *e, np_operand *out)
{
    np_local local = {
        .kind = NP_LOCAL_OPERATOR, .op = e->op, .draw = e->draw, .real = e->argument[0]->type == NP_TYPE_REAL};
    np_status st = np_compile_value(compiler, e->argument[0], &local.a);
    if (!st && e->count == 2) {
        if (e->argument[1]->careful)
            st = keep(compiler, &local.a);
        if (!st)
            st = np_compile_value(compiler, e->argument[1], &local.b);
    }
    if (!st)
        st = np_compile_site(compiler, e->place, e->end, &local.site);
    if (st)
        return st;
    *out = local.to = temporary(compiler);
    return np_compile_local(compiler, local);
}

/* to = e in the lanes that are on, within a branch. */
static np_status set_in(np_compiler *compiler, np_code *code, const np_expression *e, uint32_t to)
{
    np_code *before = np_compile_into(compiler, code);
    np_operand value;
    np_status st = np_compile_value(compiler, e, &value);
    if (!st)
        st = np_compile_local(compiler, (np_local){.kind = NP_LOCAL_SET, .to = np_compile_in(to), .a = value});
    np_compile_into(compiler, before);
    return st;
}

/* a and b; a or b: what is known after the left side is the value where the right side is not asked. */
static np_status truth_value(np_compiler *compiler, const np_expression *e, np_operand *out)
{
    bool both = e->kind == NP_EXPRESSION_AND;
    np_instruction *branch;
    np_status st;
    if (!e->argument[1]->careful) {
        np_local local = {.kind = NP_LOCAL_OPERATOR, .op = both ? NP_OP_AND : NP_OP_OR};
        if ((st = np_compile_value(compiler, e->argument[0], &local.a)) ||
            (st = np_compile_value(compiler, e->argument[1], &local.b)))
            return st;
        *out = local.to = temporary(compiler);
        return np_compile_local(compiler, local);
    }
    if ((st = np_compile_branch(compiler, e->argument[0], &branch)))
        return st;
    *out = np_compile_in(branch->a);
    return set_in(compiler, both ? &branch->body : &branch->other, e->argument[1], branch->a);
}

static np_status conditional_value(np_compiler *compiler, const np_expression *e, np_operand *out)
{
    np_instruction *branch;
    np_status st;
    if (!e->argument[1]->careful && !e->argument[2]->careful) {
        np_local local = {.kind = NP_LOCAL_SELECT};
        if ((st = np_compile_value(compiler, e->argument[0], &local.a)) ||
            (st = np_compile_value(compiler, e->argument[1], &local.b)) ||
            (st = np_compile_value(compiler, e->argument[2], &local.c)))
            return st;
        *out = local.to = temporary(compiler);
        return np_compile_local(compiler, local);
    }
    const uint32_t to = np_compile_registers(compiler, 1);
    if ((st = np_compile_branch(compiler, e->argument[0], &branch)) ||
        (st = set_in(compiler, &branch->body, e->argument[1], to)))
        return st;
    *out = np_compile_in(to);
    return set_in(compiler, &branch->other, e->argument[2], to);
}

np_status np_compile_value(np_compiler *compiler, const np_expression *e, np_operand *out)
{
    switch (e->kind) {
    case NP_EXPRESSION_INT:
    case NP_EXPRESSION_BOOL:
    case NP_EXPRESSION_REAL: /* the bits of a real */
        return constant(compiler, e->constant.whole, out);
    case NP_EXPRESSION_NAME:
        return name_value(compiler, e, out);
    case NP_EXPRESSION_CELL:
        return read_cell(compiler, e, out);
    case NP_EXPRESSION_UNARY:
    case NP_EXPRESSION_BINARY:
        return operator_value(compiler, e, out);
    case NP_EXPRESSION_AND:
    case NP_EXPRESSION_OR:
        return truth_value(compiler, e, out);
    case NP_EXPRESSION_CONDITIONAL:
        return conditional_value(compiler, e, out);
    case NP_EXPRESSION_LENGTH:
        return array_part(compiler, e->argument[0]->symbol, 2 + 2 * (uint32_t)e->constant.whole, out);
    default:
        return call_value(compiler, e, out);
    }
}

/* The last operation of the strip can write to the register itself, unless the register is of a variable. */
static bool redirect(np_compiler *compiler, np_operand value, uint32_t to)
{
    np_instruction *strip = compiler->strip;
    if (value.kind != NP_OPERAND_STRIP || !strip || !strip->count)
        return false;
    np_local *last = &strip->local[strip->count - 1];
    if (last->to.kind != NP_OPERAND_STRIP || last->to.index != value.index)
        return false;
    last->to = np_compile_in(to);
    return true;
}

np_status np_compile_register(np_compiler *compiler, const np_expression *e, uint32_t to)
{
    np_operand value;
    np_status st = np_compile_value(compiler, e, &value);
    if (st || redirect(compiler, value, to))
        return st;
    return np_compile_local(compiler, (np_local){.kind = NP_LOCAL_COPY, .to = np_compile_in(to), .a = value});
}

np_status np_compile_fresh(np_compiler *compiler, const np_expression *e, uint32_t *to)
{
    *to = np_compile_registers(compiler, 1);
    return np_compile_register(compiler, e, *to);
}
