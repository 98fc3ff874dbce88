/* Statements, by recursive descent: each function reads what its comment shows. docs/pram-language.md has the grammar.
 */
#include <strings.h>

#include "base/parse.h"
#include "machine/script/parser.h"

/* ---- What declarations use, too ---- */

np_status np_parse_text(np_parser *parser, const char **out)
{
    const np_token *token = &parser->lexer.token;
    if (token->kind != NP_TOKEN_TEXT)
        return np_parse_refuse(parser, "a text in quotes");
    np_status st = np_pool_text(parser->pool, token->at, token->length, out);
    return st ? st : np_lexer_next(&parser->lexer);
}

np_status np_parse_symbol(np_parser *parser, np_symbol_kind kind, const char *wanted, np_symbol **out)
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

np_status np_parse_type(np_parser *parser, np_type *out)
{
    for (np_type type = NP_TYPE_INT; type <= NP_TYPE_BOOL; type++)
        if (np_lexer_is(&parser->lexer, np_type_name(type))) {
            *out = type;
            return np_lexer_next(&parser->lexer);
        }
    return np_parse_refuse(parser, "a type: int, real or bool");
}

np_status np_parse_colon_type(np_parser *parser, np_type *out, bool *given)
{
    np_status st = np_parse_accept(parser, ":", given);
    return st || !*given ? st : np_parse_type(parser, out);
}

/* ---- Blocks ---- */

static bool at_separator(const np_parser *parser)
{
    return parser->lexer.token.kind == NP_TOKEN_NEWLINE || np_lexer_is(&parser->lexer, ";");
}

np_status np_parse_separators(np_parser *parser)
{
    np_status st = NP_OK;
    while (!st && at_separator(parser))
        st = np_lexer_next(&parser->lexer);
    return st;
}

bool np_parse_ends_block(const np_lexer *lexer)
{
    return lexer->token.kind == NP_TOKEN_END || np_lexer_is(lexer, "end") || np_lexer_is(lexer, "else") ||
           np_lexer_is(lexer, "elif") || np_lexer_is(lexer, "until");
}

np_status np_parse_separator(np_parser *parser)
{
    return at_separator(parser) || np_parse_ends_block(&parser->lexer)
               ? NP_OK
               : np_parse_refuse(parser, "the end of the statement: a new line or ';'");
}

np_status np_parse_block(np_parser *parser, np_block *block)
{
    np_status st = np_parse_enter(parser);
    while (!st && !(st = np_parse_separators(parser)) && !np_parse_ends_block(&parser->lexer))
        if (!(st = np_parse_statement(parser, block)))
            st = np_parse_separator(parser);
    np_parse_leave(parser);
    return st;
}

np_status np_parse_end(np_parser *parser, const char *of, np_place place)
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
            (st = np_parse_symbol(parser, NP_SYMBOL_SHARED, "the name of an array", &s->symbol)) ||
            (st = np_parse_accept(parser, "[", &brackets)) || (brackets && (st = parse_extents(parser, s))))
            return st;
        s->symbol->rank = (uint8_t)s->count;
        st = np_parse_accept(parser, ",", &more);
    }
    if (st || (st = np_parse_colon_type(parser, &type, &given)))
        return st;
    if (given && np_lexer_is(&parser->lexer, ","))
        return np_parse_refuse(parser, "the end of the statement: write shared again for other arrays");
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
        (st = np_parse_symbol(parser, NP_SYMBOL_PRIVATE, "the name of a variable", &s->symbol)) ||
        (st = np_parse_colon_type(parser, &type, &typed)) || (st = np_parse_accept(parser, ":=", &valued)) ||
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
        (st = np_parse_block(parser, &s->body)))
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
    if ((st = np_parse_accept(parser, "else", &otherwise)) || (otherwise && (st = np_parse_block(parser, &s->other))))
        return st;
    return np_parse_end(parser, "if", place);
}

static np_status parse_if(np_parser *parser, np_statement *s) { return parse_branches(parser, s, s->place); }

/* while value do body end */
static np_status parse_while(np_parser *parser, np_statement *s)
{
    np_status st = np_parse_expression(parser, &s->value);
    if (st || (st = np_parse_expect(parser, "do", "'do'")) || (st = np_parse_block(parser, &s->body)))
        return st;
    return np_parse_end(parser, "while", s->place);
}

/* repeat body until value */
static np_status parse_repeat(np_parser *parser, np_statement *s)
{
    np_status st = np_parse_block(parser, &s->body);
    if (!st)
        st = np_parse_expect(parser, "until", "'until'");
    return st ? st : np_parse_expression(parser, &s->value);
}

/* i in low..high [by step] */
static np_status parse_range(np_parser *parser, np_statement *s)
{
    np_status st = np_parse_symbol(parser, NP_SYMBOL_PRIVATE, "the name of an index", &s->symbol);
    if (st)
        return st;
    s->symbol->constant = true;
    bool by = false;
    if ((st = np_parse_expect(parser, "in", "'in', as in: for i in 0 .. n - 1")) ||
        (st = np_parse_expression(parser, &s->low)) || (st = np_parse_expect(parser, "..", "'..'")) ||
        (st = np_parse_expression(parser, &s->high)) || (st = np_parse_accept(parser, "by", &by)))
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
    return (st = np_parse_block(parser, &s->body)) ? st : np_parse_end(parser, "for", outer->place);
}

/* return [value] */
static np_status parse_return(np_parser *parser, np_statement *s)
{
    return at_separator(parser) || np_parse_ends_block(&parser->lexer) ? NP_OK : np_parse_expression(parser, &s->value);
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
        st = parser->lexer.token.kind == NP_TOKEN_TEXT ? np_parse_text(parser, &item->text)
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
    return more ? np_parse_text(parser, &s->text) : NP_OK;
}

/* What begins with a word, but for declarations. */
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

/*
 * A name, or a call before `do` or `then`, begins no statement. A word may be meant: one that differs by capitals, as
 * FOR, or, where more follows than the name, one that is near.
 */
static np_status raise_start(const np_parser *parser, const np_expression *e)
{
    static const char *const others[] = {"shared", "var", "end", "elif", "else", "until", "procedure", "function"};
    enum { STATEMENTS = sizeof statements / sizeof *statements, ALL = STATEMENTS + sizeof others / sizeof *others };
    np_token_kind next = parser->lexer.token.kind;
    bool alone = next == NP_TOKEN_NEWLINE || next == NP_TOKEN_END;
    np_parse_hint hint;
    np_parse_hint_init(&hint, e->name);
    for (size_t i = 0; i < ALL; i++) {
        const char *word = i < STATEMENTS ? statements[i].word : others[i - STATEMENTS];
        if (!alone || !strcasecmp(e->name, word))
            np_parse_hint_add(&hint, word);
    }
    return np_script_raise(parser->syntax, e->place, NP_ERROR_INPUT, "'%s' begins no statement: %s", e->name,
                           hint.nearest ? hint.text : "write x := ..., or call a procedure");
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
    if (np_lexer_is(&parser->lexer, ":") ||
        (e->kind == NP_EXPRESSION_BINARY && (e->op == NP_OP_EQ || e->op == NP_OP_LT))) /* x <- 1 */
        return np_script_raise(parser->syntax, e->place, NP_ERROR_INPUT, "assignment is written x := y");
    if ((st = np_parse_accept(parser, ":=", &assigned)))
        return st;
    if (!assigned) {
        s->value = e;
        bool opens = np_lexer_is(&parser->lexer, "do") || np_lexer_is(&parser->lexer, "then");
        if (e->kind == NP_EXPRESSION_NAME || (e->kind == NP_EXPRESSION_CALL && opens)) /* While (x < 3) do */
            return raise_start(parser, e);
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

np_status np_parse_statement(np_parser *parser, np_block *into)
{
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
