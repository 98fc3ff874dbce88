/*
 * Expressions, by recursive descent; operators by their precedence. From the weakest:
 *
 *     or xor      and      not      = != < <= > >=      | ^      &      << >>      + -      * / div mod      - ~      **
 */
#include "script/parser.h"

typedef struct infix {
    const char *word;
    uint8_t binds; /* stronger operators have larger numbers */
    np_expression_kind kind;
    np_operator op;
    bool swaps; /* a > b is b < a */
} infix;

static const infix infixes[] = {
    {"or", 1, NP_EXPRESSION_OR, 0, false},
    {"xor", 1, NP_EXPRESSION_BINARY, NP_OP_XOR, false},
    {"and", 2, NP_EXPRESSION_AND, 0, false},
    {"=", 4, NP_EXPRESSION_BINARY, NP_OP_EQ, false},
    {"!=", 4, NP_EXPRESSION_BINARY, NP_OP_NE, false},
    {"<", 4, NP_EXPRESSION_BINARY, NP_OP_LT, false},
    {"<=", 4, NP_EXPRESSION_BINARY, NP_OP_LE, false},
    {">", 4, NP_EXPRESSION_BINARY, NP_OP_LT, true},
    {">=", 4, NP_EXPRESSION_BINARY, NP_OP_LE, true},
    {"|", 5, NP_EXPRESSION_BINARY, NP_OP_OR, false},
    {"^", 5, NP_EXPRESSION_BINARY, NP_OP_XOR, false},
    {"&", 6, NP_EXPRESSION_BINARY, NP_OP_AND, false},
    {"<<", 7, NP_EXPRESSION_BINARY, NP_OP_SHIFT_LEFT, false},
    {">>", 7, NP_EXPRESSION_BINARY, NP_OP_SHIFT_RIGHT, false},
    {"+", 8, NP_EXPRESSION_BINARY, NP_OP_ADD, false},
    {"-", 8, NP_EXPRESSION_BINARY, NP_OP_SUB, false},
    {"*", 9, NP_EXPRESSION_BINARY, NP_OP_MUL, false},
    {"/", 9, NP_EXPRESSION_BINARY, NP_OP_DIV, false},
    {"div", 9, NP_EXPRESSION_BINARY, NP_OP_DIV, false},
    {"mod", 9, NP_EXPRESSION_BINARY, NP_OP_MOD, false},
};

enum { BINDS_NOT = 3, BINDS_COMPARISON = 4, BINDS_UNARY = 10 };

static np_status make(np_parser *parser, np_expression_kind kind, np_place place, uint32_t count, np_expression **out)
{
    np_expression *e;
    np_status st = np_pool_take(parser->pool, &e, sizeof *e);
    if (st)
        return st;
    e->kind = kind;
    e->place = place;
    e->count = count;
    e->end = parser->lexer.before;
    *out = e;
    return count ? np_pool_take(parser->pool, &e->argument, count * sizeof *e->argument) : NP_OK;
}

static np_status parse_binding(np_parser *parser, uint8_t binds, np_expression **out);

static np_status parse_constant(np_parser *parser, np_expression_kind kind, np_expression **out)
{
    const np_token token = parser->lexer.token;
    np_status st = make(parser, kind, token.place, 0, out);
    if (st)
        return st;
    if (kind == NP_EXPRESSION_REAL)
        (*out)->constant.real = token.real;
    else
        (*out)->constant.whole = kind == NP_EXPRESSION_INT ? token.whole : token.at[0] == 't';
    (*out)->end = token.end;
    return np_lexer_next(&parser->lexer);
}

/* Expressions with commas between, up to the closing parenthesis or bracket. */
static np_status parse_list(np_parser *parser, const char *close, np_expression *of)
{
    np_status st = NP_OK;
    bool more = !np_lexer_is(&parser->lexer, close);
    while (!st && more) {
        if ((st = np_pool_room(parser->pool, &of->argument, of->count, sizeof *of->argument)) ||
            (st = np_parse_expression(parser, &of->argument[of->count])))
            return st;
        of->count++;
        st = np_parse_accept(parser, ",", &more);
    }
    return st ? st : np_parse_expect(parser, close, *close == ')' ? "',' or ')'" : "',' or ']'");
}

/* x, G.n, x[i, j], f(x) */
static np_status parse_named(np_parser *parser, np_expression **out)
{
    np_place place = parser->lexer.token.place;
    char name[NP_SCRIPT_NAME + 1];
    bool brackets = false, parentheses = false;
    np_status st = np_parse_name(parser, name, "a name");
    if (st || (st = np_parse_accept(parser, "[", &brackets)) ||
        (!brackets && (st = np_parse_accept(parser, "(", &parentheses))))
        return st;
    np_expression_kind kind = brackets ? NP_EXPRESSION_CELL : parentheses ? NP_EXPRESSION_CALL : NP_EXPRESSION_NAME;
    if ((st = make(parser, kind, place, 0, out)))
        return st;
    memcpy((*out)->name, name, sizeof name);
    if (brackets || parentheses)
        st = parse_list(parser, brackets ? "]" : ")", *out);
    (*out)->end = parser->lexer.before;
    return st;
}

/* if a then b else c */
static np_status parse_conditional(np_parser *parser, np_expression **out)
{
    np_status st = make(parser, NP_EXPRESSION_CONDITIONAL, parser->lexer.token.place, 3, out);
    if (st || (st = np_lexer_next(&parser->lexer)) || (st = np_parse_expression(parser, &(*out)->argument[0])) ||
        (st = np_parse_expect(parser, "then", "'then'")) || (st = np_parse_expression(parser, &(*out)->argument[1])) ||
        (st = np_parse_expect(parser, "else", "'else': an expression with 'if' has a value in both cases")) ||
        (st = np_parse_expression(parser, &(*out)->argument[2])))
        return st;
    (*out)->end = parser->lexer.before;
    return NP_OK;
}

static np_status parse_parenthesis(np_parser *parser, np_expression **out)
{
    np_status st = np_lexer_next(&parser->lexer);
    if (st || (st = np_parse_expression(parser, out)))
        return st;
    return np_parse_expect(parser, ")", "')'");
}

/* int(x) and real(x): the names of types are keywords. */
static np_status parse_conversion(np_parser *parser, np_operator op, np_expression **out)
{
    np_status st = make(parser, NP_EXPRESSION_UNARY, parser->lexer.token.place, 1, out);
    if (st)
        return st;
    (*out)->op = op;
    if ((st = np_lexer_next(&parser->lexer)) || (st = np_parse_expect(parser, "(", "'('")) ||
        (st = np_parse_expression(parser, &(*out)->argument[0])) || (st = np_parse_expect(parser, ")", "')'")))
        return st;
    (*out)->end = parser->lexer.before;
    return NP_OK;
}

static np_status parse_primary(np_parser *parser, np_expression **out)
{
    const np_lexer *lexer = &parser->lexer;
    switch (lexer->token.kind) {
    case NP_TOKEN_INT:
        return parse_constant(parser, NP_EXPRESSION_INT, out);
    case NP_TOKEN_REAL:
        return parse_constant(parser, NP_EXPRESSION_REAL, out);
    case NP_TOKEN_NAME:
        return parse_named(parser, out);
    default:
        break;
    }
    if (np_lexer_is(lexer, "true") || np_lexer_is(lexer, "false"))
        return parse_constant(parser, NP_EXPRESSION_BOOL, out);
    if (np_lexer_is(lexer, "int") || np_lexer_is(lexer, "real"))
        return parse_conversion(parser, np_lexer_is(lexer, "int") ? NP_OP_TO_INT : NP_OP_TO_REAL, out);
    if (np_lexer_is(lexer, "if"))
        return parse_conditional(parser, out);
    if (np_lexer_is(lexer, "("))
        return parse_parenthesis(parser, out);
    return np_parse_refuse(parser, "a value");
}

/* a ** b, which binds to the right: 2 ** 3 ** 2 is 2 ** 9. */
static np_status parse_power(np_parser *parser, np_expression **out)
{
    np_expression *base, *power;
    bool there = false;
    np_status st = parse_primary(parser, out);
    base = *out;
    if (st || (st = np_parse_accept(parser, "**", &there)) || !there)
        return st;
    if ((st = parse_binding(parser, BINDS_UNARY, &power)) ||
        (st = make(parser, NP_EXPRESSION_BINARY, base->place, 2, out)))
        return st;
    (*out)->op = NP_OP_POWER;
    (*out)->argument[0] = base;
    (*out)->argument[1] = power;
    return NP_OK;
}

/* -a, ~a, not a */
static np_status parse_prefix(np_parser *parser, np_expression **out)
{
    static const struct {
        const char *word;
        np_operator op;
        uint8_t binds;
    } prefixes[] = {{"-", NP_OP_NEGATE, BINDS_UNARY}, {"~", NP_OP_INVERT, BINDS_UNARY}, {"not", NP_OP_NOT, BINDS_NOT}};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (!np_lexer_is(&parser->lexer, prefixes[i].word))
            continue;
        np_status st = make(parser, NP_EXPRESSION_UNARY, parser->lexer.token.place, 1, out);
        if (st || (st = np_lexer_next(&parser->lexer)))
            return st;
        (*out)->op = prefixes[i].op;
        st = parse_binding(parser, prefixes[i].binds, &(*out)->argument[0]);
        (*out)->end = parser->lexer.before;
        return st;
    }
    return parse_power(parser, out);
}

static const infix *find_infix(const np_lexer *lexer)
{
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++)
        if (np_lexer_is(lexer, infixes[i].word))
            return &infixes[i];
    return NULL;
}

static np_status refuse_foreign(np_parser *parser)
{
    if (np_lexer_is(&parser->lexer, "=="))
        return np_parse_refuse(parser, "equality is written =");
    if (np_lexer_is(&parser->lexer, "%"))
        return np_parse_refuse(parser, "the remainder is written mod");
    return NP_OK;
}

static np_status join(np_parser *parser, const infix *by, np_expression *left, np_expression *right,
                      np_expression **out)
{
    np_status st = make(parser, by->kind, left->place, 2, out);
    if (st)
        return st;
    (*out)->op = by->op;
    (*out)->argument[by->swaps] = left;
    (*out)->argument[!by->swaps] = right;
    return NP_OK;
}

/* An expression of operators that bind at least so strongly. */
static np_status parse_binding(np_parser *parser, uint8_t binds, np_expression **out)
{
    np_status st = np_parse_enter(parser);
    if (!st)
        st = parse_prefix(parser, out);
    bool compared = false;
    while (!st) {
        const infix *by = find_infix(&parser->lexer);
        if ((st = refuse_foreign(parser)) || !by || by->binds < binds)
            break;
        if (by->binds == BINDS_COMPARISON && compared)
            return np_parse_refuse(parser, "one comparison at a time: write a < b and b < c");
        compared = by->binds == BINDS_COMPARISON;
        np_expression *left = *out, *right;
        if (!(st = np_lexer_next(&parser->lexer)) && !(st = parse_binding(parser, by->binds + 1, &right)))
            st = join(parser, by, left, right, out);
    }
    np_parse_leave(parser);
    return st;
}

np_status np_parse_expression(np_parser *parser, np_expression **out) { return parse_binding(parser, 1, out); }
