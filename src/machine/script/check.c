/*
 * Statements, declarations and levels. The level of a place is how many pardos of its procedure are around it: each has
 * processors of its own. A private variable belongs to the processors of its level. The processors inside can read it,
 * and only its own level can change it.
 */
#include <string.h>

#include "machine/script/checker.h"

static np_status check_block(np_checker *checker, np_block *block, bool *may_return);

static np_status check_declare(np_checker *checker, np_statement *s, uint32_t block)
{
    np_symbol *symbol = s->symbol;
    np_status st = NP_OK;
    symbol->of = checker->procedure;
    symbol->level = checker->level;
    symbol->global = !checker->procedure && !checker->blocks;
    if (s->value) {
        st = symbol->type == NP_TYPE_NONE ? np_check_expression(checker, &s->value)
                                          : np_check_typed(checker, &s->value, symbol->type, "the value");
        if (symbol->type == NP_TYPE_NONE)
            symbol->type = s->value->type;
    }
    return st ? st : np_scope_declare(checker, symbol, block);
}

static np_status check_allocate(np_checker *checker, np_statement *s, uint32_t block)
{
    np_status st = NP_OK;
    s->symbol->of = checker->procedure;
    s->symbol->level = checker->level;
    s->symbol->global = !checker->procedure && !checker->blocks;
    for (uint32_t i = 0; i < s->count && !st; i++) {
        if (s->extent[i].low)
            st = np_check_typed(checker, &s->extent[i].low, NP_TYPE_INT, "the first index of an array");
        if (!st)
            st = np_check_typed(checker, &s->extent[i].high, NP_TYPE_INT, "the size of an array");
    }
    return st ? st : np_scope_declare(checker, s->symbol, block);
}

/* May the processors of this place change the variable? */
static np_status check_owner(np_checker *checker, const np_expression *target)
{
    const np_symbol *symbol = target->symbol;
    if (symbol->constant)
        return NP_CHECK_RAISE(checker, target->place, "'%s' cannot be assigned to: it is %s", symbol->name,
                              symbol->place.line ? "an index or an option" : "the size of the input");
    if (symbol->of != checker->procedure)
        return NP_CHECK_RAISE(
            checker, target->place,
            "'%s' belongs to the program outside of this procedure: give it as an argument, or declare "
            "it as shared",
            symbol->name);
    if (symbol->level != checker->level)
        return NP_CHECK_RAISE(checker, target->place,
                              "'%s' belongs to the processors outside of this pardo, which can only be read here: "
                              "declare it inside, or as shared",
                              symbol->name);
    return NP_OK;
}

static np_status check_assign(np_checker *checker, np_statement *s)
{
    np_status st = np_check_expression(checker, &s->target);
    if (st)
        return st;
    if (s->target->kind == NP_EXPRESSION_NAME && (st = check_owner(checker, s->target)))
        return st;
    return np_check_typed(checker, &s->value, s->target->type, "the value");
}

/* A block inside: what is declared in it ends with it. */
static np_status check_inner(np_checker *checker, np_block *block, bool *may_return)
{
    checker->blocks++;
    np_status st = check_block(checker, block, may_return);
    checker->blocks--;
    return st;
}

static np_status check_if(np_checker *checker, np_statement *s)
{
    const char *what = s->text ? "the condition of 'where'" : "the condition of 'if'";
    np_status st = np_check_typed(checker, &s->value, NP_TYPE_BOOL, what);
    if (!st)
        st = check_inner(checker, &s->body, &s->may_return);
    return st ? st : check_inner(checker, &s->other, &s->may_return);
}

static np_status check_while(np_checker *checker, np_statement *s)
{
    np_status st = np_check_typed(checker, &s->value, NP_TYPE_BOOL, "the condition of 'while'");
    return st ? st : check_inner(checker, &s->body, &s->may_return);
}

/* The condition of until sees what the body declares. */
static np_status check_repeat(np_checker *checker, np_statement *s)
{
    uint32_t symbols = checker->symbols;
    checker->blocks++;
    np_status st = check_block(checker, &s->body, &s->may_return);
    for (uint32_t i = 0; i < s->body.count && !st; i++) { /* again, for the condition */
        np_statement *inner = s->body.statement[i];
        if (inner->kind == NP_STATEMENT_DECLARE || inner->kind == NP_STATEMENT_ALLOCATE)
            st = np_scope_declare(checker, inner->symbol, symbols);
    }
    if (!st)
        st = np_check_typed(checker, &s->value, NP_TYPE_BOOL, "the condition of 'until'");
    np_scope_leave(checker, symbols);
    checker->blocks--;
    return st;
}

static np_status check_bounds(np_checker *checker, np_statement *s)
{
    np_status st = np_check_typed(checker, &s->low, NP_TYPE_INT, "the first index");
    if (!st)
        st = np_check_typed(checker, &s->high, NP_TYPE_INT, "the last index");
    if (!st && s->by)
        st = np_check_typed(checker, &s->by, NP_TYPE_INT, "the step of 'for'");
    return st;
}

static np_status check_loop(np_checker *checker, np_statement *s, bool *may_return)
{
    uint32_t symbols = checker->symbols;
    s->symbol->of = checker->procedure;
    s->symbol->level = checker->level;
    s->symbol->is_index = s->kind == NP_STATEMENT_PARDO;
    checker->blocks++;
    np_status st = np_scope_declare(checker, s->symbol, symbols);
    if (!st && s->kind == NP_STATEMENT_PARDO && s->value)
        st = np_check_typed(checker, &s->value, NP_TYPE_BOOL, "the condition of 'where'");
    if (!st)
        st = check_block(checker, &s->body, may_return);
    checker->blocks--;
    np_scope_leave(checker, symbols);
    return st;
}

static np_status check_for(np_checker *checker, np_statement *s)
{
    np_status st = check_bounds(checker, s);
    return st ? st : check_loop(checker, s, &s->may_return);
}

static np_status check_pardo(np_checker *checker, np_statement *s)
{
    bool returns = false;
    np_status st = check_bounds(checker, s);
    if (st)
        return st;
    if (checker->level == NP_SCRIPT_LEVELS)
        return np_script_raise(checker->syntax, s->place, NP_ERROR_LIMIT, "more than %d pardos within one another",
                               NP_SCRIPT_LEVELS);
    checker->level++;
    st = check_loop(checker, s, &returns);
    checker->level--;
    return st;
}

static np_status check_return(np_checker *checker, np_statement *s)
{
    np_procedure *p = checker->procedure;
    if (!p)
        return NP_CHECK_RAISE(checker, s->place, "'return' outside of a procedure");
    if (checker->level)
        return NP_CHECK_RAISE(checker, s->place,
                              "'return' inside of a pardo of '%s': its processors are not those that have called it",
                              p->symbol->name);
    p->returns = s->may_return = true;
    if (p->symbol->type == NP_TYPE_NONE)
        return s->value ? NP_CHECK_RAISE(checker, s->value->place, "'%s' is a procedure: only functions return a value",
                                         p->symbol->name)
                        : NP_OK;
    if (!s->value)
        return NP_CHECK_RAISE(checker, s->place, "the function '%s' returns a value: return %s", p->symbol->name,
                              np_type_name(p->symbol->type));
    return np_check_typed(checker, &s->value, p->symbol->type, "the value");
}

static np_status check_print(np_checker *checker, np_statement *s)
{
    np_status st = NP_OK;
    for (uint32_t i = 0; i < s->count && !st; i++)
        if (s->item[i].value)
            st = np_check_expression(checker, &s->item[i].value);
    return st;
}

static np_status check_statement(np_checker *checker, np_statement *s, uint32_t block)
{
    s->level = checker->level;
    switch (s->kind) {
    case NP_STATEMENT_DECLARE:
        return check_declare(checker, s, block);
    case NP_STATEMENT_ALLOCATE:
        return check_allocate(checker, s, block);
    case NP_STATEMENT_ASSIGN:
        return check_assign(checker, s);
    case NP_STATEMENT_CALL:
        return np_check_call(checker, &s->value);
    case NP_STATEMENT_IF:
        return check_if(checker, s);
    case NP_STATEMENT_WHILE:
        return check_while(checker, s);
    case NP_STATEMENT_REPEAT:
        return check_repeat(checker, s);
    case NP_STATEMENT_FOR:
        return check_for(checker, s);
    case NP_STATEMENT_PARDO:
        return check_pardo(checker, s);
    case NP_STATEMENT_RETURN:
        return check_return(checker, s);
    case NP_STATEMENT_PRINT:
        return check_print(checker, s);
    case NP_STATEMENT_ASSERT:
        return np_check_typed(checker, &s->value, NP_TYPE_BOOL, "what 'assert' says");
    }
    return NP_RAISE(NP_ERROR_INTERNAL, "a statement that the parser does not make");
}

static np_status check_block(np_checker *checker, np_block *block, bool *may_return)
{
    uint32_t symbols = checker->symbols;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < block->count && !st; i++) {
        st = check_statement(checker, block->statement[i], checker->blocks ? symbols : 0);
        *may_return |= block->statement[i]->may_return;
    }
    if (checker->blocks)
        np_scope_leave(checker, symbols);
    return st;
}

/* ---- Declarations ---- */

/* A symbol that the library fills; part: ".n" or "". */
static np_status declare_part(np_checker *checker, const np_declared_input *input, const char *part,
                              np_symbol_kind kind, uint8_t rank, np_symbol **out)
{
    np_symbol *symbol;
    np_status st = np_pool_take(checker->pool, &symbol, sizeof *symbol);
    if (st)
        return st;
    size_t letters = strlen(input->name); /* the parser leaves room for the part */
    memcpy(symbol->name, input->name, letters);
    memcpy(symbol->name + letters, part, strlen(part));
    symbol->place = input->place;
    symbol->kind = kind;
    symbol->type = input->type;
    symbol->rank = rank;
    symbol->global = symbol->input = true;
    symbol->constant = kind == NP_SYMBOL_PRIVATE;
    *out = symbol;
    return np_scope_declare(checker, symbol, 0);
}

/* Numbers of vertices and arcs are whole; the weights are of the type that is declared. */
static np_status declare_graph(np_checker *checker, np_declared_input *input)
{
    const np_type weights = input->type;
    np_status st;
    input->type = NP_TYPE_INT;
    if ((st = declare_part(checker, input, ".n", NP_SYMBOL_PRIVATE, 0, &input->n)) ||
        (st = declare_part(checker, input, ".m", NP_SYMBOL_PRIVATE, 0, &input->m)) ||
        (st = declare_part(checker, input, ".tail", NP_SYMBOL_SHARED, 1, &input->tail)) ||
        (st = declare_part(checker, input, ".head", NP_SYMBOL_SHARED, 1, &input->head)) ||
        (st = declare_part(checker, input, ".first", NP_SYMBOL_SHARED, 1, &input->first)) ||
        (!input->is_directed && (st = declare_part(checker, input, ".twin", NP_SYMBOL_SHARED, 1, &input->twin))))
        return st;
    input->type = weights;
    return declare_part(checker, input, ".weight", NP_SYMBOL_SHARED, 1, &input->weight);
}

static np_status declare_inputs(np_checker *checker)
{
    np_syntax *syntax = checker->syntax;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < syntax->inputs && !st; i++) {
        np_declared_input *input = &syntax->input[i];
        uint8_t rank = input->kind == NP_INPUT_KIND_MATRIX ? 2 : 1;
        st = input->kind == NP_INPUT_KIND_GRAPH
                 ? declare_graph(checker, input)
                 : declare_part(checker, input, "", NP_SYMBOL_SHARED, rank, &input->array);
    }
    for (uint32_t i = 0; i < syntax->options && !st; i++) {
        np_symbol *symbol = syntax->option[i].symbol;
        symbol->global = symbol->constant = symbol->input = true;
        st = np_scope_declare(checker, symbol, 0);
    }
    return st;
}

/* n: the size of the input, which every program has. */
static np_status declare_size(np_checker *checker)
{
    np_symbol *n;
    np_status st = np_pool_take(checker->pool, &n, sizeof *n);
    if (st)
        return st;
    *n = (np_symbol){
        .name = "n", .kind = NP_SYMBOL_PRIVATE, .type = NP_TYPE_INT, .global = true, .constant = true, .input = true};
    checker->syntax->size = n;
    return np_scope_declare(checker, n, 0);
}

static np_status check_procedure(np_checker *checker, np_procedure *p)
{
    uint32_t symbols = checker->symbols;
    np_status st = NP_OK;
    bool may_return = false;
    checker->procedure = p;
    checker->blocks = 1;
    for (uint32_t i = 0; i < p->parameters && !st; i++) {
        p->parameter[i]->of = p;
        st = np_scope_declare(checker, p->parameter[i], symbols);
    }
    if (!st)
        st = check_block(checker, &p->body, &may_return);
    if (!st && p->symbol->type != NP_TYPE_NONE && !p->returns)
        st = NP_CHECK_RAISE(checker, p->symbol->place, "the function '%s' never returns a value: write return",
                            p->symbol->name);
    np_scope_leave(checker, symbols);
    return st;
}

static np_status check_outputs(np_checker *checker)
{
    np_syntax *syntax = checker->syntax;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < syntax->outputs && !st; i++) {
        np_declared_output *output = &syntax->output[i];
        if ((st = np_scope_find(checker, output->name, output->place, &output->symbol)))
            return st;
        if (output->symbol->kind == NP_SYMBOL_PROCEDURE)
            st = np_script_raise(syntax, output->place, NP_ERROR_INPUT,
                                 "'%s' is a procedure: an output is an array or "
                                 "a variable",
                                 output->name);
    }
    return st;
}

np_status np_script_check(np_syntax *syntax, np_pool *pool)
{
    np_checker checker = {.syntax = syntax, .pool = pool};
    bool may_return = false;
    np_status st = declare_size(&checker);
    if (!st)
        st = declare_inputs(&checker);
    for (uint32_t i = 0; i < syntax->procedures && !st; i++)
        st = np_scope_declare(&checker, syntax->procedure[i]->symbol, 0);
    if (!st)
        st = check_block(&checker, &syntax->body, &may_return);
    if (!st)
        st = check_outputs(&checker);
    for (uint32_t i = 0; i < syntax->procedures && !st; i++)
        st = check_procedure(&checker, syntax->procedure[i]);
    return st;
}
