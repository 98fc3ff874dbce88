/*
 * A program's files and declarations, by recursive descent: each function reads what its comment shows.
 * docs/pram-language.md has the whole grammar.
 */
#include "machine/script/import.h"
#include "machine/script/language.h"
#include "machine/script/parser.h"
#include "machine/script/script.h"

/* a[] : int    x : real */
static np_status parse_parameter(np_parser *parser, np_procedure *p)
{
    bool brackets = false, given, comma = true;
    np_status st;
    if (p->parameters == NP_SCRIPT_PARAMETERS)
        return np_parse_refuse(parser, "a procedure has 32 parameters at most");
    if ((st = np_pool_room(parser->pool, &p->parameter, p->parameters, sizeof *p->parameter)) ||
        (st = np_parse_symbol(parser, NP_SYMBOL_PRIVATE, "the name of a parameter", &p->parameter[p->parameters])))
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
    return np_parse_colon_type(parser, &symbol->type, &given);
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
        (st = np_parse_symbol(parser, NP_SYMBOL_PROCEDURE, "the name of a procedure", &p->symbol)))
        return st;
    syntax->procedure[syntax->procedures++] = p;
    p->symbol->procedure = p;
    p->symbol->type = NP_TYPE_NONE;
    if ((st = parse_parameters(parser, p)))
        return st;
    if (function && ((st = np_parse_expect(parser, ":", "': ' and the type of the function's value")) ||
                     (st = np_parse_type(parser, &p->symbol->type))))
        return st;
    if ((st = np_parse_block(parser, &p->body)))
        return st;
    return np_parse_end(parser, function ? "function" : "procedure", place);
}

static np_status parse_source(np_parser *parser)
{
    np_status st = np_lexer_next(&parser->lexer);
    return st ? st : np_parse_text(parser, &parser->syntax->source);
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
    return st || parser->lexer.token.kind != NP_TOKEN_TEXT ? st : np_parse_text(parser, &parser->syntax->about);
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
        return np_script_raise(parser->syntax, place, NP_ERROR_INPUT, "%.280s", np_last_error());
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
    return parser->lexer.token.kind == NP_TOKEN_TEXT ? np_parse_text(parser, &syntax->counts) : NP_OK;
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
    return np_parse_type(parser, &input->type);
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
    return (st = parse_kind(parser, input)) ? st : parse_traits(parser, input);
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
    if ((st = np_parse_symbol(parser, NP_SYMBOL_PRIVATE, "the name of an option", &option->symbol)) ||
        (st = np_parse_colon_type(parser, &option->symbol->type, &given)) ||
        (st = np_parse_expect(parser, ":=", "':=' and the default of the option")) ||
        (st = parse_preset(parser, option, option->symbol->type)) || parser->lexer.token.kind != NP_TOKEN_TEXT)
        return st;
    return np_parse_text(parser, &option->help);
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
    return np_parse_statement(parser, &parser->syntax->body);
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
    while (!st && !(st = np_parse_separators(parser)) && parser->lexer.token.kind != NP_TOKEN_END) {
        if (np_parse_ends_block(&parser->lexer))
            return np_parse_refuse(parser, "a statement: no block is open here");
        if (!(st = parse(parser)))
            st = np_parse_separator(parser);
    }
    parser->syntax->file[file].open = false;
    return st;
}

/* import "scan.pram", a file; import scan, of the library */
static np_status parse_import(np_parser *parser)
{
    const np_place place = parser->lexer.token.place;
    char library[NP_SCRIPT_NAME + 1] = "";
    const char *name = library;
    uint32_t file;
    bool known;
    np_status st = np_lexer_next(&parser->lexer);
    if (st)
        return st;
    if (parser->lexer.token.kind == NP_TOKEN_NAME)
        st = np_parse_name(parser, library, "");
    else if (parser->lexer.token.kind == NP_TOKEN_TEXT)
        st = np_parse_text(parser, &name);
    else
        return np_parse_refuse(parser, "a file's name in quotes, or a name that 'netpram list imports' has");
    if (st || (st = np_parse_separator(parser)) ||
        (st = (*library ? np_import_library : np_import_file)(parser->syntax, parser->pool, place, name, &file,
                                                              &known)) ||
        known)
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
