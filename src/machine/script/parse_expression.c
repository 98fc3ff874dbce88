/*
 * Expressions, by recursive descent; operators by their precedence. From the weakest:
 *
 *     or xor      and      not      = != < <= > >=      | ^      &      << >>      + -      * / div mod      - ~
 *                 **
 */
#include "machine/script/language.h"
#include "machine/script/parser.h"

/* ---- What statements use, too ---- */

np_status np_parse_refuse(const np_parser *parser, const char *wanted)
{
    return np_script_raise(parser->syntax, parser->lexer.token.place, NP_ERROR_INPUT, "%s, and not %s", wanted,
                           np_lexer_show(&parser->lexer).text);
}

np_status np_parse_accept(np_parser *parser, const char *word, bool *there)
{
    *there = np_lexer_is(&parser->lexer, word);
    return *there ? np_lexer_next(&parser->lexer) : NP_OK;
}

np_status np_parse_expect(np_parser *parser, const char *word, const char *wanted)
{
    return np_lexer_is(&parser->lexer, word) ? np_lexer_next(&parser->lexer) : np_parse_refuse(parser, wanted);
}

np_status np_parse_letters(np_parser *parser, char *name, size_t room, const char *wanted)
{
    const np_token *token = &parser->lexer.token;
    if (token->kind != NP_TOKEN_NAME)
        return token->kind == NP_TOKEN_KEYWORD ? np_script_raise(parser->syntax, token->place, NP_ERROR_INPUT,
                                                                 "%s, and not %s, which is a word of the language",
                                                                 wanted, np_lexer_show(&parser->lexer).text)
                                               : np_parse_refuse(parser, wanted);
    if (token->length > room)
        return np_script_raise(parser->syntax, token->place, NP_ERROR_INPUT, "a name of more than %d letters",
                               NP_SCRIPT_NAME);
    memcpy(name, token->at, token->length);
    name[token->length] = '\0';
    return np_lexer_next(&parser->lexer);
}

np_status np_parse_name(np_parser *parser, char name[NP_SCRIPT_NAME + 1], const char *wanted)
{
    bool point = false;
    np_status st = np_parse_letters(parser, name, NP_SCRIPT_NAME, wanted);
    if (st || (st = np_parse_accept(parser, ".", &point)) || !point)
        return st;
    size_t length = strlen(name);
    if (length + 1 >= NP_SCRIPT_NAME)
        return np_parse_refuse(parser, "a shorter name before the point");
    name[length++] = '.';
    return np_parse_letters(parser, name + length, NP_SCRIPT_NAME - length, "the name of a part");
}

np_status np_parse_enter(np_parser *parser)
{
    if (parser->depth == NP_SCRIPT_DEPTH)
        return np_script_raise(parser->syntax, parser->lexer.token.place, NP_ERROR_LIMIT,
                               "blocks and expressions are nested more than %d deep", NP_SCRIPT_DEPTH);
    parser->depth++;
    return NP_OK;
}

/* ---- Expressions ---- */

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

/* The notation of the form at the present token, which is no name; NULL: there is none. */
static const np_notation *find_notation(const np_parser *parser, np_form form)
{
    const np_token *token = &parser->lexer.token;
    const bool can_be = token->kind == NP_TOKEN_SYMBOL || token->kind == NP_TOKEN_KEYWORD;
    return can_be ? np_language_find(token->at, token->length, form) : NULL;
}

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
    (*out)->type = kind == NP_EXPRESSION_INT ? NP_TYPE_INT : kind == NP_EXPRESSION_REAL ? NP_TYPE_REAL : NP_TYPE_BOOL;
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
static np_status parse_conversion(np_parser *parser, const np_notation *to, np_expression **out)
{
    np_status st = make(parser, to->kind, parser->lexer.token.place, 1, out);
    if (st)
        return st;
    (*out)->op = (np_operator)to->op;
    if ((st = np_lexer_next(&parser->lexer)) || (st = np_parse_expect(parser, "(", "'('")) ||
        (st = np_parse_expression(parser, &(*out)->argument[0])) || (st = np_parse_expect(parser, ")", "')'")))
        return st;
    (*out)->end = parser->lexer.before;
    return NP_OK;
}

/* Signs of other languages, and what stands for them here. */
static np_status refuse_foreign(np_parser *parser)
{
    static const char *const signs[][2] = {{"==", "equality is written ="},
                                           {"%", "the remainder is written mod"},
                                           {"&&", "of two conditions it is written and"},
                                           {"||", "of two conditions it is written or"},
                                           {"+=", "adding to x is written x := x + y"},
                                           {"//", "a comment begins with #"},
                                           {"/*", "a comment begins with #"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (np_lexer_is(&parser->lexer, signs[i][0]))
            return np_parse_refuse(parser, signs[i][1]);
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
    const np_notation *conversion = find_notation(parser, NP_FORM_FUNCTION);
    if (conversion)
        return parse_conversion(parser, conversion, out);
    if (np_lexer_is(lexer, "if"))
        return parse_conditional(parser, out);
    if (np_lexer_is(lexer, "("))
        return parse_parenthesis(parser, out);
    const np_status st = refuse_foreign(parser);
    return st ? st : np_parse_refuse(parser, "a value");
}

/* -a, ~a, not a */
static np_status parse_prefix(np_parser *parser, np_expression **out)
{
    const np_notation *prefix = find_notation(parser, NP_FORM_PREFIX);
    if (!prefix)
        return parse_primary(parser, out);
    np_status st = make(parser, prefix->kind, parser->lexer.token.place, 1, out);
    if (st || (st = np_lexer_next(&parser->lexer)))
        return st;
    (*out)->op = (np_operator)prefix->op;
    st = parse_binding(parser, prefix->binds, &(*out)->argument[0]);
    (*out)->end = parser->lexer.before;
    return st;
}

static np_status join(np_parser *parser, const np_notation *by, np_expression *left, np_expression *right,
                      np_expression **out)
{
    np_status st = make(parser, by->kind, left->place, 2, out);
    if (st)
        return st;
    (*out)->op = (np_operator)by->op;
    (*out)->argument[by->swaps] = left;
    (*out)->argument[!by->swaps] = right;
    return NP_OK;
}

/* An expression of operators that bind at least so strongly. 2 ** 3 ** 2 is 2 ** 9, all others bind to the left. */
static np_status parse_binding(np_parser *parser, uint8_t binds, np_expression **out)
{
    np_status st = np_parse_enter(parser);
    if (!st)
        st = parse_prefix(parser, out);
    bool compared = false;
    while (!st) {
        const np_notation *by = find_notation(parser, NP_FORM_INFIX);
        if ((st = refuse_foreign(parser)) || !by || by->binds < binds)
            break;
        if (by->binds == NP_BINDS_COMPARISON && compared)
            return np_parse_refuse(parser, "one comparison at a time: write a < b and b < c");
        compared = by->binds == NP_BINDS_COMPARISON;
        np_expression *left = *out, *right;
        const uint8_t inner = by->binds + (by->binds < NP_BINDS_POWER);
        if (!(st = np_lexer_next(&parser->lexer)) && !(st = parse_binding(parser, inner, &right)))
            st = join(parser, by, left, right, out);
    }
    np_parse_leave(parser);
    return st;
}

np_status np_parse_expression(np_parser *parser, np_expression **out) { return parse_binding(parser, 1, out); }
