/*
 * Statements and declarations, by recursive descent: each function reads what its comment shows. docs/pram-language.md
 * has the whole grammar.
 */
#include "machine/script/import.h"
#include "machine/script/language.h"
#include "machine/script/parser.h"
#include "machine/script/script.h"

/* Takes a text in quotes. */
static np_status parse_text(np_parser *parser, const char **out)
{
    const np_token *token = &parser->lexer.token;
    if (token->kind != NP_TOKEN_TEXT)
        return np_parse_refuse(parser, "a text in quotes");
    np_status st = np_pool_text(parser->pool, token->at, token->length, out);
    return st ? st : np_lexer_next(&parser->lexer);
}

static np_status make_symbol(np_parser *parser, np_symbol_kind kind, const char *wanted, np_symbol **out)
{
    np_symbol *symbol;
    np_status st = np_pool_take(parser->pool, &symbol, sizeof *symbol);
    if (st)
        return st;
    symbol->kind = kind;
    symbol->place = parser->lexer.token.place;
    symbol->type = NP_TYPE_INT;
    *out = symbol;
    return np_parse_letters(parser, symbol->name, NP_SCRIPT_NAME, wanted);
}

/* int, real or bool */
static np_status parse_type(np_parser *parser, np_type *out)
{
    for (np_type type = NP_TYPE_INT; type <= NP_TYPE_BOOL; type++)
        if (np_lexer_is(&parser->lexer, np_type_name(type))) {
            *out = type;
            return np_lexer_next(&parser->lexer);
        }
    return np_parse_refuse(parser, "a type: int, real or bool");
}

/* [ ':' type ] */
static np_status parse_colon_type(np_parser *parser, np_type *out, bool *given)
{
    np_status st = np_parse_accept(parser, ":", given);
    return st || !*given ? st : parse_type(parser, out);
}

/* ---- Blocks ---- */

static np_status parse_statement(np_parser *parser, np_block *into);

static bool at_separator(const np_parser *parser)
{
    return parser->lexer.token.kind == NP_TOKEN_NEWLINE || np_lexer_is(&parser->lexer, ";");
}

static np_status skip_separators(np_parser *parser)
{
    np_status st = NP_OK;
    while (!st && at_separator(parser))
        st = np_lexer_next(&parser->lexer);
    return st;
}

static bool ends_block(const np_lexer *lexer)
{
    return lexer->token.kind == NP_TOKEN_END || np_lexer_is(lexer, "end") || np_lexer_is(lexer, "else") ||
           np_lexer_is(lexer, "elif") || np_lexer_is(lexer, "until");
}

/* After a statement there is the end of a line, a semicolon, or the end of the block. */
static np_status parse_separator(np_parser *parser)
{
    return at_separator(parser) || ends_block(&parser->lexer)
               ? NP_OK
               : np_parse_refuse(parser, "the end of the statement: a new line or ';'");
}

/* Statements up to end, else, elif or until, or to the end of the text. */
static np_status parse_block(np_parser *parser, np_block *block)
{
    np_status st = np_parse_enter(parser);
    while (!st && !(st = skip_separators(parser)) && !ends_block(&parser->lexer))
        if (!(st = parse_statement(parser, block)))
            st = parse_separator(parser);
    np_parse_leave(parser);
    return st;
}

static np_status parse_end(np_parser *parser, const char *of, np_place place)
{
    if (np_lexer_is(&parser->lexer, "end"))
        return np_lexer_next(&parser->lexer);
    return np_script_raise(parser->syntax, parser->lexer.token.place, NP_ERROR_INPUT,
                           "'end' of the '%s' in %s, and not %s", of,
                           np_script_line_name(parser->syntax, place.line).text, np_lexer_show(&parser->lexer).text);
}

static np_status add_statement(np_parser *parser, np_block *into, np_statement_kind kind, np_statement **out)
{
    np_statement *s;
    np_status st = np_pool_take(parser->pool, &s, sizeof *s);
    if (st || (st = np_pool_room(parser->pool, &into->statement, into->count, sizeof(np_statement *))))
        return st;
    s->kind = kind;
    s->place = parser->lexer.token.place;
    into->statement[into->count++] = s;
    *out = s;
    return NP_OK;
}

/* ---- Statements ---- */

/* [ [low ..] high, ... ] */
static np_status parse_extents(np_parser *parser, np_statement *s)
{
    bool more = true;
    np_status st = NP_OK;
    while (!st && more) {
        if (s->count == NP_SCRIPT_DIMENSIONS)
            return np_script_raise(parser->syntax, parser->lexer.token.place, NP_ERROR_LIMIT,
                                   "an array of more than %d dimensions", NP_SCRIPT_DIMENSIONS);
        if ((st = np_pool_room(parser->pool, &s->extent, s->count, sizeof *s->extent)))
            return st;
        np_extent *extent = &s->extent[s->count++];
        bool range = false;
        if ((st = np_parse_expression(parser, &extent->high)) || (st = np_parse_accept(parser, "..", &range)))
            return st;
        if (range) {
            extent->low = extent->high;
            if ((st = np_parse_expression(parser, &extent->high)))
                return st;
        }
        st = np_parse_accept(parser, ",", &more);
    }
    return st ? st : np_parse_expect(parser, "]", "',' or ']'");
}

/* shared a[n], b[1..n, 1..m], c : real */
static np_status parse_shared(np_parser *parser, np_block *into)
{
    uint32_t first = into->count;
    np_type type = NP_TYPE_INT;
    bool more = true, given, brackets;
    np_status st = np_lexer_next(&parser->lexer);
    while (!st && more) {
        np_statement *s;
        if ((st = add_statement(parser, into, NP_STATEMENT_ALLOCATE, &s)) ||
            (st = make_symbol(parser, NP_SYMBOL_SHARED, "the name of an array", &s->symbol)) ||
            (st = np_parse_accept(parser, "[", &brackets)) || (brackets && (st = parse_extents(parser, s))))
            return st;
        s->symbol->rank = (uint8_t)s->count;
        st = np_parse_accept(parser, ",", &more);
    }
    if (st || (st = parse_colon_type(parser, &type, &given)))
        return st;
    while (first < into->count)
        into->statement[first++]->symbol->type = type;
    return NP_OK;
}

/* One name of var; *pending: the first of the statements before it that wait for a type. */
static np_status parse_variable(np_parser *parser, np_block *into, uint32_t *pending)
{
    np_statement *s;
    np_type type = NP_TYPE_INT;
    bool typed = false, valued = false;
    np_status st;
    if ((st = add_statement(parser, into, NP_STATEMENT_DECLARE, &s)) ||
        (st = make_symbol(parser, NP_SYMBOL_PRIVATE, "the name of a variable", &s->symbol)) ||
        (st = parse_colon_type(parser, &type, &typed)) || (st = np_parse_accept(parser, ":=", &valued)) ||
        (valued && (st = np_parse_expression(parser, &s->value))))
        return st;
    if (typed)
        for (uint32_t i = *pending; i < into->count; i++)
            into->statement[i]->symbol->type = type;
    else if (valued)
        s->symbol->type = NP_TYPE_NONE; /* that of the value */
    if (typed || valued)
        *pending = into->count;
    return NP_OK;
}

/* var a, b : int    var a := 0, b := 1    var a : real := 1: names without a type and a value have the next type */
static np_status parse_var(np_parser *parser, np_block *into)
{
    uint32_t pending = into->count;
    bool more = true;
    np_status st = np_lexer_next(&parser->lexer);
    while (!st && more)
        if (!(st = parse_variable(parser, into, &pending)))
            st = np_parse_accept(parser, ",", &more);
    return st;
}

/* then body { elif value then body } [ else body ] end */
static np_status parse_branches(np_parser *parser, np_statement *s, np_place place)
{
    np_status st;
    if ((st = np_parse_expression(parser, &s->value)) || (st = np_parse_expect(parser, "then", "'then'")) ||
        (st = parse_block(parser, &s->body)))
        return st;
    if (np_lexer_is(&parser->lexer, "elif")) {
        np_statement *other;
        if ((st = np_parse_enter(parser)) || (st = add_statement(parser, &s->other, NP_STATEMENT_IF, &other)) ||
            (st = np_lexer_next(&parser->lexer)))
            return st;
        st = parse_branches(parser, other, place);
        np_parse_leave(parser);
        return st;
    }
    bool otherwise = false;
    if ((st = np_parse_accept(parser, "else", &otherwise)) || (otherwise && (st = parse_block(parser, &s->other))))
        return st;
    return parse_end(parser, "if", place);
}

static np_status parse_if(np_parser *parser, np_statement *s) { return parse_branches(parser, s, s->place); }

/* while value do body end */
static np_status parse_while(np_parser *parser, np_statement *s)
{
    np_status st = np_parse_expression(parser, &s->value);
    if (st || (st = np_parse_expect(parser, "do", "'do'")) || (st = parse_block(parser, &s->body)))
        return st;
    return parse_end(parser, "while", s->place);
}

/* repeat body until value */
static np_status parse_repeat(np_parser *parser, np_statement *s)
{
    np_status st = parse_block(parser, &s->body);
    if (!st)
        st = np_parse_expect(parser, "until", "'until'");
    return st ? st : np_parse_expression(parser, &s->value);
}

/* i in low..high [by step] */
static np_status parse_range(np_parser *parser, np_statement *s)
{
    np_status st = make_symbol(parser, NP_SYMBOL_PRIVATE, "the name of an index", &s->symbol);
    if (st)
        return st;
    s->symbol->constant = true;
    bool by = false;
    if ((st = np_parse_expect(parser, "in", "'in'")) || (st = np_parse_expression(parser, &s->low)) ||
        (st = np_parse_expect(parser, "..", "'..'")) || (st = np_parse_expression(parser, &s->high)) ||
        (st = np_parse_accept(parser, "by", &by)))
        return st;
    return by ? np_parse_expression(parser, &s->by) : NP_OK;
}

/* The innermost of the ranges i in a..b, j in c..d by e: each is a statement of its own in the body of the one before
 * it. */
static np_status parse_ranges(np_parser *parser, np_statement *outer, np_statement **innermost, uint32_t *ranges)
{
    bool more = false;
    np_status st = parse_range(parser, outer);
    *innermost = outer;
    *ranges = 1;
    while (!st && !(st = np_parse_accept(parser, ",", &more)) && more) {
        np_statement *inner;
        if ((st = add_statement(parser, &(*innermost)->body, NP_STATEMENT_PARDO, &inner)))
            return st;
        *innermost = inner;
        ++*ranges;
        st = parse_range(parser, inner);
    }
    return st;
}

/* for i in a..b [by c] do body end    for i in a..b [by c], j in d..e [where value] pardo body end */
static np_status parse_for(np_parser *parser, np_statement *outer)
{
    np_statement *s;
    uint32_t ranges;
    bool where = false, together = false;
    np_status st = parse_ranges(parser, outer, &s, &ranges);
    if (st || (st = np_parse_accept(parser, "where", &where)) ||
        (where && (st = np_parse_expression(parser, &s->value))))
        return st;
    if ((st = np_parse_accept(parser, "pardo", &together)))
        return st;
    if (!together && (where || ranges > 1))
        return np_parse_refuse(parser, "'pardo': 'do' has one index and no 'where'");
    if (!together && (st = np_parse_expect(parser, "do", "'pardo' or 'do'")))
        return st;
    outer->kind = together ? NP_STATEMENT_PARDO : NP_STATEMENT_FOR;
    if ((st = parse_block(parser, &s->body)))
        return st;
    return parse_end(parser, "for", outer->place);
}

/* return [value] */
static np_status parse_return(np_parser *parser, np_statement *s)
{
    return at_separator(parser) || ends_block(&parser->lexer) ? NP_OK : np_parse_expression(parser, &s->value);
}

/* Items with commas between */
static np_status parse_items(np_parser *parser, np_statement *s)
{
    bool more = true;
    np_status st = NP_OK;
    while (!st && more) {
        if ((st = np_pool_room(parser->pool, &s->item, s->count, sizeof *s->item)))
            return st;
        np_item *item = &s->item[s->count++];
        *item = (np_item){0};
        st = parser->lexer.token.kind == NP_TOKEN_TEXT ? parse_text(parser, &item->text)
                                                       : np_parse_expression(parser, &item->value);
        if (!st)
            st = np_parse_accept(parser, ",", &more);
    }
    return st;
}

/* print "text", value, ... [where value]: with a condition it is a print within an if */
static np_status parse_print(np_parser *parser, np_statement *s)
{
    bool where = false;
    np_statement *inner;
    np_status st = parse_items(parser, s);
    if (st || (st = np_parse_accept(parser, "where", &where)) || !where)
        return st;
    if ((st = add_statement(parser, &s->body, NP_STATEMENT_PRINT, &inner)))
        return st;
    inner->place = s->place;
    inner->count = s->count;
    inner->item = s->item;
    s->kind = NP_STATEMENT_IF;
    s->count = 0;
    s->text = "where";
    return np_parse_expression(parser, &s->value);
}

/* assert value [, "text"] */
static np_status parse_assert(np_parser *parser, np_statement *s)
{
    bool more = false;
    np_status st = np_parse_expression(parser, &s->value);
    if (st || (st = np_parse_accept(parser, ",", &more)))
        return st;
    return more ? parse_text(parser, &s->text) : NP_OK;
}

/* target := value, or a call */
static np_status parse_simple(np_parser *parser, np_block *into)
{
    np_statement *s;
    np_expression *e;
    bool assigned = false;
    np_status st = add_statement(parser, into, NP_STATEMENT_CALL, &s);
    if (st || (st = np_parse_expression(parser, &e)))
        return st;
    if (np_lexer_is(&parser->lexer, ":") || (e->kind == NP_EXPRESSION_BINARY && e->op == NP_OP_EQ))
        return np_script_raise(parser->syntax, e->place, NP_ERROR_INPUT, "assignment is written x := y");
    if ((st = np_parse_accept(parser, ":=", &assigned)))
        return st;
    if (!assigned) {
        s->value = e;
        return e->kind == NP_EXPRESSION_CALL
                   ? NP_OK
                   : np_script_raise(parser->syntax, e->place, NP_ERROR_INPUT,
                                     "a value that nothing is done with: write x := ..., or call a procedure");
    }
    s->kind = NP_STATEMENT_ASSIGN;
    s->target = e;
    if (e->kind != NP_EXPRESSION_NAME && e->kind != NP_EXPRESSION_CELL)
        return np_script_raise(parser->syntax, e->place, NP_ERROR_INPUT,
                               "what is assigned to is a variable or a cell of an array");
    return np_parse_expression(parser, &s->value);
}

static np_status parse_statement(np_parser *parser, np_block *into)
{
    static const struct {
        const char *word;
        np_statement_kind kind;
        np_status (*parse)(np_parser *, np_statement *);
    } statements[] = {{"if", NP_STATEMENT_IF, parse_if},
                      {"while", NP_STATEMENT_WHILE, parse_while},
                      {"repeat", NP_STATEMENT_REPEAT, parse_repeat},
                      {"for", NP_STATEMENT_FOR, parse_for},
                      {"return", NP_STATEMENT_RETURN, parse_return},
                      {"print", NP_STATEMENT_PRINT, parse_print},
                      {"assert", NP_STATEMENT_ASSERT, parse_assert}};
    np_statement *s;
    if (np_lexer_is(&parser->lexer, "shared"))
        return parse_shared(parser, into);
    if (np_lexer_is(&parser->lexer, "var"))
        return parse_var(parser, into);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (np_lexer_is(&parser->lexer, statements[i].word)) {
            np_status st = add_statement(parser, into, statements[i].kind, &s);
            return st || (st = np_lexer_next(&parser->lexer)) ? st : statements[i].parse(parser, s);
        }
    return parse_simple(parser, into);
}

/* ---- Declarations ---- */

/* a[] : int    x : real */
static np_status parse_parameter(np_parser *parser, np_procedure *p)
{
    bool brackets = false, given, comma = true;
    np_status st;
    if (p->parameters == NP_SCRIPT_PARAMETERS)
        return np_parse_refuse(parser, "a procedure has 32 parameters at most");
    if ((st = np_pool_room(parser->pool, &p->parameter, p->parameters, sizeof *p->parameter)) ||
        (st = make_symbol(parser, NP_SYMBOL_PRIVATE, "the name of a parameter", &p->parameter[p->parameters])))
        return st;
    np_symbol *symbol = p->parameter[p->parameters++];
    if ((st = np_parse_accept(parser, "[", &brackets)))
        return st;
    if (brackets) {
        symbol->kind = NP_SYMBOL_SHARED;
        for (symbol->rank = 0; !st && comma; st = np_parse_accept(parser, ",", &comma))
            if (++symbol->rank > NP_SCRIPT_DIMENSIONS)
                return np_parse_refuse(parser, "an array has 8 dimensions at most");
        if (st || (st = np_parse_expect(parser, "]", "']' or ','")))
            return st;
    }
    return parse_colon_type(parser, &symbol->type, &given);
}

static np_status parse_parameters(np_parser *parser, np_procedure *p)
{
    bool more;
    np_status st = np_parse_expect(parser, "(", "'('");
    more = !st && !np_lexer_is(&parser->lexer, ")");
    while (!st && more)
        if (!(st = parse_parameter(parser, p)))
            st = np_parse_accept(parser, ",", &more);
    return st ? st : np_parse_expect(parser, ")", "',' or ')'");
}

/* procedure f(parameters) body end    function f(parameters) : type body end */
static np_status parse_procedure(np_parser *parser)
{
    np_syntax *syntax = parser->syntax;
    bool function = np_lexer_is(&parser->lexer, "function");
    np_place place = parser->lexer.token.place;
    np_procedure *p;
    np_status st;
    if ((st = np_pool_take(parser->pool, &p, sizeof *p)) ||
        (st = np_pool_room(parser->pool, &syntax->procedure, syntax->procedures, sizeof *syntax->procedure)) ||
        (st = np_lexer_next(&parser->lexer)) ||
        (st = make_symbol(parser, NP_SYMBOL_PROCEDURE, "the name of a procedure", &p->symbol)))
        return st;
    syntax->procedure[syntax->procedures++] = p;
    p->symbol->procedure = p;
    p->symbol->type = NP_TYPE_NONE;
    if ((st = parse_parameters(parser, p)))
        return st;
    if (function && ((st = np_parse_expect(parser, ":", "': ' and the type of the function's value")) ||
                     (st = parse_type(parser, &p->symbol->type))))
        return st;
    if ((st = parse_block(parser, &p->body)))
        return st;
    return parse_end(parser, function ? "function" : "procedure", place);
}

static np_status parse_source(np_parser *parser)
{
    np_status st = np_lexer_next(&parser->lexer);
    return st ? st : parse_text(parser, &parser->syntax->source);
}

/* A name of a list of netpram, such as crcw-xor, behind the present word. */
static np_status parse_joined(np_parser *parser, np_place *place, char name[NP_SCRIPT_NAME + 1])
{
    np_status st = np_lexer_joined(&parser->lexer);
    const np_token *token = &parser->lexer.token;
    *place = token->place;
    if (st)
        return st;
    memcpy(name, token->at, token->length);
    name[token->length] = '\0';
    return np_lexer_next(&parser->lexer);
}

/* prefix-sums "what it does" */
static np_status parse_program(np_parser *parser)
{
    np_place place;
    np_status st = parse_joined(parser, &place, parser->syntax->name);
    if (!st && !*parser->syntax->name)
        return np_parse_refuse(parser, "the name of the program");
    return st || parser->lexer.token.kind != NP_TOKEN_TEXT ? st : parse_text(parser, &parser->syntax->about);
}

/* rule crcw-arbitrary */
static np_status parse_rule(np_parser *parser)
{
    np_place place;
    char name[NP_SCRIPT_NAME + 1];
    np_status st = parse_joined(parser, &place, name);
    if (!st && np_access_rule_parse(name, &parser->syntax->rule))
        return np_script_raise(parser->syntax, place, NP_ERROR_INPUT, "%.280s", np_last_error());
    return st;
}

/* solves prefix-sums */
static np_status parse_solves(np_parser *parser)
{
    np_place place;
    char name[NP_SCRIPT_NAME + 1];
    np_status st = parse_joined(parser, &place, name);
    parser->syntax->solves_place = place;
    if (!st && np_judge_find(name, &parser->syntax->solves))
        return np_script_raise(parser->syntax, place, NP_ERROR_INPUT, "%.200s", np_last_error());
    return st;
}

static np_status parse_whole(np_parser *parser, const char *wanted, uint64_t *out)
{
    const np_token *token = &parser->lexer.token;
    if (token->kind != NP_TOKEN_INT || token->whole < 1)
        return np_parse_refuse(parser, wanted);
    *out = (uint64_t)token->whole;
    return np_lexer_next(&parser->lexer);
}

/* sizes 32 .. 2048 "rows" */
static np_status parse_sizes(np_parser *parser)
{
    np_syntax *syntax = parser->syntax;
    bool range = false;
    np_status st = np_lexer_next(&parser->lexer);
    if (st || (st = parse_whole(parser, "the default of n, from 1", &syntax->n_preset)) ||
        (st = np_parse_accept(parser, "..", &range)) ||
        (range && (st = parse_whole(parser, "the largest n, from 1", &syntax->n_most))))
        return st;
    return parser->lexer.token.kind == NP_TOKEN_TEXT ? parse_text(parser, &syntax->counts) : NP_OK;
}

/* array, digraph, directed graph */
static np_status parse_kind_word(np_parser *parser, np_declared_input *input)
{
    bool directed = false;
    np_status st = np_parse_accept(parser, "digraph", &input->is_directed);
    if (st || input->is_directed || (st = np_parse_accept(parser, "directed", &directed))) {
        input->kind = NP_INPUT_KIND_GRAPH;
        return st;
    }
    input->is_directed = directed;
    for (size_t i = 0; np_input_kinds[i]; i++)
        if (np_lexer_is(&parser->lexer, np_input_kinds[i]) && (!directed || i == NP_INPUT_KIND_GRAPH)) {
            input->kind = (np_input_kind)i;
            return np_lexer_next(&parser->lexer);
        }
    return np_parse_refuse(parser, directed
                                       ? "'graph' after 'directed'"
                                       : "the kind of an input: array, list, tree, graph, digraph, matrix or text");
}

/* [ "of" type ] behind it */
static np_status parse_kind(np_parser *parser, np_declared_input *input)
{
    bool of = false;
    np_status st = parse_kind_word(parser, input);
    if (st || (st = np_parse_accept(parser, "of", &of)) || !of)
        return st;
    if (input->kind == NP_INPUT_KIND_GRAPH && np_lexer_is(&parser->lexer, "bool"))
        return np_parse_refuse(parser, "weights of edges are int or real");
    if (input->kind != NP_INPUT_KIND_ARRAY && input->kind != NP_INPUT_KIND_MATRIX && input->kind != NP_INPUT_KIND_GRAPH)
        return np_parse_refuse(parser, "only arrays, matrices and graphs are 'of' a type");
    return parse_type(parser, &input->type);
}

/* [ "below" number ] [ "sorted" ] of arrays and matrices of int; [ "tree" ] of graphs */
static np_status parse_traits(np_parser *parser, np_declared_input *input)
{
    bool numbers =
        input->type == NP_TYPE_INT && (input->kind == NP_INPUT_KIND_ARRAY || input->kind == NP_INPUT_KIND_MATRIX);
    bool below = false;
    np_status st = NP_OK;
    if (input->kind == NP_INPUT_KIND_GRAPH)
        return input->is_directed ? NP_OK : np_parse_accept(parser, "tree", &input->is_tree);
    if (numbers && !(st = np_parse_accept(parser, "below", &below)) && below)
        st = parse_whole(parser, "the bound of numbers that are drawn, from 1", &input->below);
    if (!st && input->below > UINT32_MAX)
        return np_parse_refuse(parser, "a bound of 32 bits");
    return st || !numbers || input->kind == NP_INPUT_KIND_MATRIX ? st
                                                                 : np_parse_accept(parser, "sorted", &input->sorted);
}

/* input x : array of int */
static np_status parse_input(np_parser *parser)
{
    np_syntax *syntax = parser->syntax;
    np_status st = np_pool_room(parser->pool, &syntax->input, syntax->inputs, sizeof *syntax->input);
    if (st || (st = np_lexer_next(&parser->lexer)))
        return st;
    np_declared_input *input = &syntax->input[syntax->inputs++];
    *input = (np_declared_input){.place = parser->lexer.token.place, .type = NP_TYPE_INT};
    if ((st = np_parse_letters(parser, input->name, NP_SCRIPT_NAME - 8, "the name of an input")) ||
        (st = np_parse_expect(parser, ":", "': ' and the kind of the input")))
        return st;
    if ((st = parse_kind(parser, input)))
        return st;
    return parse_traits(parser, input);
}

/* A number with a sign, true or false. */
static np_status parse_preset(np_parser *parser, np_declared_option *option, np_type type)
{
    bool minus = false;
    np_status st = np_parse_accept(parser, "-", &minus);
    if (st)
        return st;
    const np_token *token = &parser->lexer.token;
    double real = token->kind == NP_TOKEN_REAL ? token->real : (double)token->whole;
    if (type == NP_TYPE_BOOL && !minus && (np_lexer_is(&parser->lexer, "true") || np_lexer_is(&parser->lexer, "false")))
        option->preset = token->at[0] == 't';
    else if (type == NP_TYPE_INT && token->kind == NP_TOKEN_INT)
        option->preset = minus ? -token->whole : token->whole;
    else if (type == NP_TYPE_REAL && (token->kind == NP_TOKEN_REAL || token->kind == NP_TOKEN_INT)) {
        option->preset = np_word_of_real(minus ? -real : real);
    } else
        return np_parse_refuse(parser, "the default of the option: a number of its type, true or false");
    return np_lexer_next(&parser->lexer);
}

/* option root : int := 0 "where the search begins" */
static np_status parse_option(np_parser *parser)
{
    np_syntax *syntax = parser->syntax;
    bool given;
    np_status st = np_pool_room(parser->pool, &syntax->option, syntax->options, sizeof *syntax->option);
    if (st || (st = np_lexer_next(&parser->lexer)))
        return st;
    np_declared_option *option = &syntax->option[syntax->options++];
    *option = (np_declared_option){.help = ""};
    if ((st = make_symbol(parser, NP_SYMBOL_PRIVATE, "the name of an option", &option->symbol)) ||
        (st = parse_colon_type(parser, &option->symbol->type, &given)) ||
        (st = np_parse_expect(parser, ":=", "':=' and the default of the option")) ||
        (st = parse_preset(parser, option, option->symbol->type)) || parser->lexer.token.kind != NP_TOKEN_TEXT)
        return st;
    return parse_text(parser, &option->help);
}

/* output a, b */
static np_status parse_output(np_parser *parser)
{
    np_syntax *syntax = parser->syntax;
    bool more = true;
    np_status st = np_lexer_next(&parser->lexer);
    while (!st && more) {
        if ((st = np_pool_room(parser->pool, &syntax->output, syntax->outputs, sizeof *syntax->output)))
            return st;
        np_declared_output *output = &syntax->output[syntax->outputs++];
        *output = (np_declared_output){.place = parser->lexer.token.place};
        if (!(st = np_parse_name(parser, output->name, "the name of an output")))
            st = np_parse_accept(parser, ",", &more);
    }
    return st;
}

static np_status parse_import(np_parser *parser);

static np_status parse_item(np_parser *parser)
{
    static const struct {
        const char *word;
        np_status (*parse)(np_parser *);
    } items[] = {{"import", parse_import}, {"program", parse_program},     {"source", parse_source},
                 {"rule", parse_rule},     {"input", parse_input},         {"option", parse_option},
                 {"output", parse_output}, {"procedure", parse_procedure}, {"function", parse_procedure},
                 {"solves", parse_solves}, {"sizes", parse_sizes}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (np_lexer_is(&parser->lexer, items[i].word))
            return items[i].parse(parser);
    return parse_statement(parser, &parser->syntax->body);
}

/* An imported file has procedures, functions and imports; what it says about itself is not of the program. */
static np_status parse_imported(np_parser *parser)
{
    static const char *const words[] = {"procedure", "function", "import", "program", "source"};
    np_syntax *syntax = parser->syntax;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (np_lexer_is(&parser->lexer, words[i])) {
            char name[NP_SCRIPT_NAME + 1];
            const char *about = syntax->about, *source = syntax->source;
            memcpy(name, syntax->name, sizeof name);
            np_status st = parse_item(parser);
            memcpy(syntax->name, name, sizeof name);
            syntax->about = about;
            syntax->source = source;
            return st;
        }
    return np_parse_refuse(parser, "a procedure or a function: an imported file has nothing else");
}

static np_status parse_file(np_parser *parser, uint32_t file, np_status (*parse)(np_parser *))
{
    np_status st = np_lexer_begin(&parser->lexer, parser->syntax, file);
    parser->syntax->file[file].open = true;
    while (!st && !(st = skip_separators(parser)) && parser->lexer.token.kind != NP_TOKEN_END) {
        if (ends_block(&parser->lexer))
            return np_parse_refuse(parser, "a statement: no block is open here");
        if (!(st = parse(parser)))
            st = parse_separator(parser);
    }
    parser->syntax->file[file].open = false;
    return st;
}

/* import "scan.pram" */
static np_status parse_import(np_parser *parser)
{
    const np_place place = parser->lexer.token.place;
    const char *name;
    uint32_t file;
    bool known;
    np_status st = np_lexer_next(&parser->lexer);
    if (st || (st = parse_text(parser, &name)) || (st = parse_separator(parser)) ||
        (st = np_import_file(parser->syntax, parser->pool, place, name, &file, &known)) || known)
        return st;
    const np_lexer outer = parser->lexer;
    st = parse_file(parser, file, parse_imported);
    parser->lexer = outer;
    return st;
}

np_status np_script_parse(np_syntax *syntax, np_pool *pool)
{
    np_parser parser = {.syntax = syntax, .pool = pool};
    syntax->rule = NP_RULE_CREW;
    syntax->about = syntax->source = syntax->counts = "";
    return parse_file(&parser, 0, parse_item);
}
