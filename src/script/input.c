/*
 * The inputs of programs. Numbers and graphs are made as for the programs of the library (src/pram/problem.c); lists,
 * trees, matrices and texts of the same draws. What is drawn: numbers below 1000 (reals below 1), matrices of such
 * numbers, texts of the letters a to d, lists in random order, trees in which the parent of v is any of 0 .. v-1, graphs
 * of random edges, whose weights are 1 .. 1000.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/matrix.h"
#include "base/parse.h"
#include "pram/program.h"
#include "script/diagnose.h"
#include "script/input.h"

enum { BOUND = 1000, LETTERS = 4, DEFAULT_SIZE = 1024 };

const char *const np_input_kind_words[] = {"array", "list", "tree", "graph", "matrix", "text", NULL};

typedef struct loader {
    np_execution *x;
    const np_declared_input *input;
    np_problem problem;
    np_word *word; /* of all inputs but graphs */
    size_t count;
    np_word rows, columns; /* of matrices */
} loader;

/* ---- Drawn ---- */

static np_word real_word(double value)
{
    np_word word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static np_status take_words(loader *l, size_t count)
{
    l->count = count;
    return np_workspace_take(&l->problem.work, &l->word, count, sizeof *l->word);
}

static np_status draw_array(loader *l, size_t count, uint32_t bound)
{
    bool real = l->input->type == NP_TYPE_REAL;
    np_status st = take_words(l, count);
    for (size_t i = 0; i < count && !st; i++) {
        uint32_t number = np_random_below(&l->problem.draws, (uint32_t)i, 0, bound);
        l->word[i] = real                             ? real_word(number / (double)bound)
                     : l->input->type == NP_TYPE_BOOL ? number & 1
                                                      : (np_word)number;
    }
    return st;
}

/* Successors of a random order; the last has itself. */
static np_status draw_list(loader *l, size_t n)
{
    uint32_t *order;
    np_status st = take_words(l, n);
    if (st || (st = np_workspace_take(&l->problem.work, &order, n, sizeof *order)))
        return st;
    for (size_t i = 0; i < n; i++) { /* inside out: Durstenfeld 1964 */
        size_t j = np_random_below(&l->problem.draws, (uint32_t)i, 1, (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    for (size_t i = 0; i < n; i++)
        l->word[order[i]] = order[i + 1 < n ? i + 1 : i];
    return NP_OK;
}

static np_status draw_tree(loader *l, size_t n)
{
    np_status st = take_words(l, n);
    for (size_t v = 1; v < n && !st; v++)
        l->word[v] = np_random_below(&l->problem.draws, (uint32_t)v, 2, (uint32_t)v);
    return st;
}

static np_status draw_matrix(loader *l, size_t n)
{
    if (n > UINT16_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a matrix of %zu x %zu: at most %u rows", n, n, UINT16_MAX);
    l->rows = l->columns = (np_word)n;
    return draw_array(l, n * n, BOUND);
}

static np_status draw_text(loader *l, size_t n)
{
    np_status st = draw_array(l, n, LETTERS);
    for (size_t i = 0; i < n && !st; i++)
        l->word[i] += 'a';
    return st;
}

/* ---- Read ---- */

/* A number with a sign, a fraction and an exponent. */
static np_status read_real(const np_text *line, np_word *out)
{
    np_text_field field = line->field[0];
    bool negative = field.length > 1 && *field.at == '-';
    double value;
    np_status st = np_text_count(line, 1, 1, "number");
    if (st)
        return st;
    field.at += negative;
    field.length -= negative;
    if (!np_decimal_real(field, &value))
        return np_text_raise(line, NP_ERROR_INPUT, "'%s' is no number: write 1.5 or 2e-3", np_text_show(line, 0).text);
    *out = real_word(negative ? -value : value);
    return NP_OK;
}

static np_status parse_reals(loader *l, np_text *text)
{
    np_text counter = *text;
    size_t count = 0;
    while (np_text_next(&counter))
        count++;
    np_status st = take_words(l, count);
    for (size_t i = 0; !st && np_text_next(text); i++)
        st = read_real(text, &l->word[i]);
    return st;
}

static np_status parse_matrix(loader *l, np_text *text, const char *path)
{
    np_matrix matrix;
    np_matrix_entry entry;
    bool more;
    np_status st = np_matrix_begins(text, path)
                       ? np_matrix_open(&matrix, text, true, UINT16_MAX, "rows and columns")
                       : np_text_raise(text, NP_ERROR_INPUT, "no matrix: the first line is %%%%MatrixMarket ...");
    if (st)
        return st;
    l->rows = (np_word)matrix.rows;
    l->columns = (np_word)matrix.columns;
    if ((st = take_words(l, matrix.rows * matrix.columns)))
        return st;
    while (!(st = np_matrix_next(&matrix, &more, &entry)) && more) {
        bool real = l->input->type == NP_TYPE_REAL;
        np_word value = real ? real_word((double)entry.value) : (np_word)entry.value;
        l->word[entry.row * matrix.columns + entry.column] = value;
        if (matrix.symmetric)
            l->word[entry.column * matrix.columns + entry.row] = value;
    }
    return st;
}

/* Every byte of the file is a word. */
static np_status take_bytes(loader *l, const char *data, size_t length)
{
    np_status st = take_words(l, length);
    for (size_t i = 0; i < length && !st; i++)
        l->word[i] = (unsigned char)data[i];
    return st;
}

static np_status read_file(loader *l, const char *path)
{
    char *data;
    size_t length;
    np_text text;
    np_status st = np_text_read(path, &data, &length);
    if (st)
        return st;
    if (l->input->kind == NP_INPUT_KIND_TEXT)
        st = take_bytes(l, data, length);
    else if (!(st = np_text_open(&text, path, data, length)))
        st = l->input->kind == NP_INPUT_KIND_MATRIX ? parse_matrix(l, &text, path) : parse_reals(l, &text);
    np_memory_free(data);
    return st;
}

/* Numbers and graphs, also drawn graphs: as the programs of the library have them. */
static np_status make_problem(loader *l, np_program_input kind)
{
    const np_program_ops ops = {
        .info = {.entry = {.name = "program"}, .input = kind, .takes_edges = true, .n_max = UINT32_MAX - 1},
        .bound = BOUND};
    np_status st = np_problem_make(&ops, &l->problem);
    l->word = l->problem.number;
    l->count = l->problem.n;
    return st;
}

/* Successors of a list, or parents of a tree: numbers of items. */
static np_status check_pointers(const loader *l, const char *path)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->word[i] < 0 || (size_t)l->word[i] >= l->count)
            return NP_RAISE(NP_ERROR_INPUT, "%.200s: item %zu has %" PRId64 ": the items are 0..%zu", path, i,
                            l->word[i], l->count - 1);
    return NP_OK;
}

static np_status make_words(loader *l, size_t n)
{
    const char *path = l->problem.options.input;
    bool array = l->input->kind == NP_INPUT_KIND_ARRAY;
    bool whole = l->input->kind <= NP_INPUT_KIND_TREE && l->input->type == NP_TYPE_INT;
    if (whole && (path || array)) {
        np_status st = make_problem(l, NP_INPUT_NUMBERS);
        return st || array ? st : check_pointers(l, path);
    }
    if (path)
        return read_file(l, path);
    switch (l->input->kind) {
    case NP_INPUT_KIND_LIST:
        return draw_list(l, n);
    case NP_INPUT_KIND_TREE:
        return draw_tree(l, n);
    case NP_INPUT_KIND_MATRIX:
        return draw_matrix(l, n);
    case NP_INPUT_KIND_TEXT:
        return draw_text(l, n);
    default:
        return draw_array(l, n, BOUND);
    }
}

/* ---- Loaded ---- */

static void set_private(const np_execution *x, const np_symbol *symbol, np_word word)
{
    x->program->vector[symbol->at][0] = word;
}

static np_status load_words(np_execution *x, const np_symbol *symbol, size_t count, const np_word *word)
{
    const np_word low = 0, extent = (np_word)count;
    np_address base;
    np_status st = np_execution_array(x, symbol, &low, &extent, &base);
    return st ? st : np_pram_put(x->pram, base, count, word);
}

static np_status load_matrix(loader *l)
{
    const np_word low[] = {0, 0}, extent[] = {l->rows, l->columns};
    np_address base;
    np_status st = np_execution_array(l->x, l->input->array, low, extent, &base);
    return st ? st : np_pram_put(l->x->pram, base, l->count, l->word);
}

static np_status load_numbers(loader *l, const np_symbol *symbol, size_t count, const uint32_t *number)
{
    np_word *word;
    np_status st = np_workspace_take(&l->problem.work, &word, count, sizeof *word);
    for (size_t i = 0; i < count && !st; i++)
        word[i] = number[i];
    return st ? st : load_words(l->x, symbol, count, word);
}

/* Both directions of an edge have the same weight. */
static np_status load_weights(loader *l)
{
    const np_graph *g = &l->problem.graph;
    np_word *word;
    np_status st = np_workspace_take(&l->problem.work, &word, g->arcs, sizeof *word);
    for (size_t i = 0; i < g->arcs && !st; i++) {
        uint32_t a = g->tail[i], b = g->head[i];
        word[i] = 1 + np_random_below(&l->problem.draws, a < b ? a : b, 3 + (a < b ? b : a), BOUND);
    }
    return st ? st : load_words(l->x, l->input->weight, g->arcs, word);
}

static np_status load_graph(loader *l)
{
    const np_graph *g = &l->problem.graph;
    np_status st = make_problem(l, NP_INPUT_GRAPH);
    if (st || (st = load_numbers(l, l->input->tail, g->arcs, g->tail)) ||
        (st = load_numbers(l, l->input->head, g->arcs, g->head)) || (st = load_weights(l)) ||
        (st = load_numbers(l, l->input->first, g->vertices + 1, g->first)))
        return st;
    set_private(l->x, l->input->n, (np_word)g->vertices);
    set_private(l->x, l->input->m, (np_word)g->arcs);
    return NP_OK;
}

static np_status load_input(np_execution *x, const np_declared_input *input, uint64_t *n)
{
    const np_program_options *options = &x->options->program;
    loader l = {.x = x, .input = input};
    np_status st;
    l.problem.draws = np_draws_for(x->draws, NP_RANDOM_INPUT);
    l.problem.draws.phase = (uint16_t)(input - x->syntax->input);
    l.problem.options =
        (np_program_options){.n = *n, .edges = options->edges ? options->edges : *n, .input = options->input};
    l.problem.n = (size_t)*n;
    if (input->kind == NP_INPUT_KIND_GRAPH) {
        st = load_graph(&l);
        *n = l.problem.n;
    } else if (!(st = make_words(&l, (size_t)*n))) {
        st = input->kind == NP_INPUT_KIND_MATRIX ? load_matrix(&l) : load_words(x, input->array, l.count, l.word);
        *n = input->kind == NP_INPUT_KIND_MATRIX ? (uint64_t)l.rows : l.count;
    }
    np_workspace_clear(&l.problem.work);
    return st;
}

/* ---- Options of the text ---- */

static bool parse_option(const char *text, size_t length, np_type type, np_word *out)
{
    bool negative = length > 1 && *text == '-';
    char copy[40];
    uint64_t whole;
    double real;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text + negative, length - negative);
    copy[length - negative] = '\0';
    if (type == NP_TYPE_BOOL) {
        *out = !strcmp(text, "true") || !strncmp(text, "true,", 5);
        return *out || (length == 5 && !memcmp(text, "false", 5));
    }
    if (type == NP_TYPE_REAL) {
        bool is = np_decimal_real((np_text_field){copy, length - negative}, &real);
        *out = is ? real_word(negative ? -real : real) : 0;
        return is;
    }
    if (!np_parse_whole(copy, 0, INT64_MAX, &whole))
        return false;
    *out = negative ? -(np_word)whole : (np_word)whole;
    return true;
}

static const np_declared_option *find_option(const np_syntax *syntax, const char *name, size_t length)
{
    for (uint32_t i = 0; i < syntax->options; i++) {
        const char *other = syntax->option[i].symbol->name;
        if (strlen(other) == length && !memcmp(name, other, length))
            return &syntax->option[i];
    }
    return NULL;
}

static np_status refuse_option(const np_syntax *syntax, const char *name, size_t length)
{
    char copy[NP_SCRIPT_NAME + 1];
    np_parse_hint hint;
    snprintf(copy, sizeof copy, "%.*s", (int)(length > NP_SCRIPT_NAME ? NP_SCRIPT_NAME : length), name);
    np_parse_hint_init(&hint, copy);
    for (uint32_t i = 0; i < syntax->options; i++)
        np_parse_hint_add(&hint, syntax->option[i].symbol->name);
    return NP_RAISE(NP_ERROR_INPUT, "set %s: %.100s declares no such option: %s", copy, syntax->path, hint.text);
}

/* "root=3,steps=10" */
static np_status set_options(np_execution *x)
{
    for (const char *at = x->options->set; at && *at;) {
        size_t entry = strcspn(at, ","), name = strcspn(at, "=,");
        const np_declared_option *option = find_option(x->syntax, at, name);
        np_word word;
        if (!option)
            return refuse_option(x->syntax, at, name);
        if (name == entry || !parse_option(at + name + 1, entry - name - 1, option->symbol->type, &word))
            return NP_RAISE(NP_ERROR_INPUT, "set %.*s: write %s=VALUE, with a value of type %s", (int)entry, at,
                            option->symbol->name,
                            option->symbol->type == NP_TYPE_INT    ? "int"
                            : option->symbol->type == NP_TYPE_REAL ? "real"
                                                                   : "bool");
        set_private(x, option->symbol, word);
        at += entry + (at[entry] == ',');
    }
    return NP_OK;
}

np_status np_script_load(np_execution *x, uint64_t *n)
{
    const np_syntax *syntax = x->syntax;
    const np_program_options *options = &x->options->program;
    np_status st = NP_OK;
    *n = options->n ? options->n : DEFAULT_SIZE;
    if (options->steps)
        return NP_RAISE(NP_ERROR_INPUT, "steps %u: only random-reads is told; a text declares options of its own",
                        options->steps);
    if (options->input && (options->n || options->edges))
        return NP_RAISE(NP_ERROR_INPUT, "input %.100s beside a size: the file has its own", options->input);
    if (options->input && syntax->inputs != 1)
        return NP_RAISE(NP_ERROR_INPUT, "input %.100s: %.100s declares %u inputs, and a file is for one",
                        options->input, syntax->path, syntax->inputs);
    for (uint32_t i = 0; i < syntax->options; i++)
        set_private(x, syntax->option[i].symbol, syntax->option[i].preset);
    for (uint32_t i = 0; i < syntax->inputs && !st; i++)
        st = load_input(x, &syntax->input[i], n);
    set_private(x, syntax->size, (np_word)*n);
    return st ? st : set_options(x);
}
