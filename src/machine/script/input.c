/*
 * The inputs of programs: drawn, read from files, or taken from memory (data.c). What is drawn: numbers
 * below 1000 (reals below 1), matrices of such numbers, texts of the letters a to d, lists in random order, trees in
 * which the parent of v is any of 0 .. v-1, graphs of random edges and digraphs of random arcs, whose weights are 1 ..
 * 1000, or reals below 1.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hot.h"
#include "base/matrix.h"
#include "base/plural.h"
#include "base/values.h"
#include "machine/script/data.h"
#include "machine/script/input.h"

enum { BOUND = 1000, LETTERS = 4, DEFAULT_SIZE = 1024 };

typedef struct loader {
    np_execution *x;
    const np_declared_input *input;
    const np_script_data *data; /* NULL: it is drawn or read */
    np_problem problem;         /* options.input: what messages call the input; NULL: it is drawn */
    np_word *word;              /* of all inputs but graphs; of data only read */
    size_t count;
    np_word rows, columns; /* of matrices */
    np_given given;
} loader;

/* ---- Drawn ---- */

/* Numbers are drawn below this. */
static uint32_t bound_of(const np_declared_input *input) { return input->below ? (uint32_t)input->below : BOUND; }

static np_status take_words(loader *l, size_t count)
{
    l->count = count;
    return np_workspace_take(&l->problem.work, &l->word, count, sizeof *l->word);
}

NP_HOT static void fill_numbers(np_draws draws, uint32_t bound, size_t count, np_word *number)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        number[i] = np_random_below(&draws, (uint32_t)i, 0, bound);
}

static np_status draw_array(loader *l, size_t count, uint32_t bound)
{
    np_status st = np_workspace_array(&l->problem.work, &l->word, count, sizeof *l->word);
    if (st)
        return st;
    l->count = count;
    fill_numbers(l->problem.draws, bound, count, l->word);
    for (size_t i = 0; i < count && l->input->type != NP_TYPE_INT; i++)
        l->word[i] =
            l->input->type == NP_TYPE_REAL ? np_word_of_real((double)l->word[i] / (double)bound) : l->word[i] & 1;
    return NP_OK;
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
    return draw_array(l, n * n, bound_of(l->input));
}

static np_status draw_text(loader *l, size_t n)
{
    np_status st = draw_array(l, n, LETTERS);
    for (size_t i = 0; i < n && !st; i++)
        l->word[i] += 'a';
    return st;
}

/* ---- Read ---- */

/* -x; of whole numbers -2^63 has no opposite. */
static np_status negate(const loader *l, const np_text *text, np_word *word)
{
    if (l->input->type == NP_TYPE_REAL) {
        *word = np_word_of_real(-np_real_of_word(*word));
        return NP_OK;
    }
    return __builtin_sub_overflow(0, *word, word) ? np_text_raise(text, NP_ERROR_INPUT, "-(-2^63) has no 64 bits")
                                                  : NP_OK;
}

/* Entries of one place are added. */
static np_status add_entry(const loader *l, const np_text *text, np_word value, np_word *cell)
{
    if (l->input->type != NP_TYPE_REAL)
        return __builtin_add_overflow(*cell, value, cell)
                   ? np_text_raise(text, NP_ERROR_INPUT, "the sum of the entries of one place has no 64 bits")
                   : NP_OK;
    *cell = np_word_of_real(np_real_of_word(*cell) + np_real_of_word(value));
    return NP_OK;
}

/* An entry of a symmetric matrix stands for the one on the other side of the diagonal, too. */
static np_status take_entry(loader *l, const np_matrix *m, const np_matrix_entry *e)
{
    const size_t at = e->row * m->columns + e->column, mirror = m->symmetric ? e->column * m->columns + e->row : at;
    np_word value = 1;
    np_status st = NP_OK;
    if (e->text.length)
        st = np_values_field(m->text, e->text, l->input->type == NP_TYPE_REAL, &value);
    else if (l->input->type == NP_TYPE_REAL)
        value = np_word_of_real(1);
    if (st || (st = add_entry(l, m->text, value, &l->word[at])) || mirror == at)
        return st;
    if (m->skew && (st = negate(l, m->text, &value)))
        return st;
    return add_entry(l, m->text, value, &l->word[mirror]);
}

/* Of a Matrix Market file, whose first line has been told. */
static np_status parse_matrix(loader *l, np_text *text)
{
    np_matrix matrix;
    np_matrix_entry entry;
    bool more;
    np_status st = np_matrix_open(&matrix, text, UINT16_MAX, "rows and columns");
    if (st)
        return st;
    l->rows = (np_word)matrix.rows;
    l->columns = (np_word)matrix.columns;
    if ((st = take_words(l, matrix.rows * matrix.columns)))
        return st;
    while (!(st = np_matrix_next(&matrix, &more, &entry)) && more)
        if ((st = take_entry(l, &matrix, &entry)))
            return st;
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

static np_status check_table(loader *l, const np_values *values)
{
    if (!values->columns)
        return NP_RAISE(NP_ERROR_INPUT,
                        "%.200s:%" PRIu64
                        ": a row of another length than those before: a matrix has rows of one length",
                        values->path, values->ragged);
    if (values->rows > UINT16_MAX || values->columns > UINT16_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%.200s: a matrix of %zu x %zu: at most %u rows and columns", values->path,
                        values->rows, values->columns, UINT16_MAX);
    l->rows = (np_word)values->rows;
    l->columns = (np_word)values->columns;
    return NP_OK;
}

static np_status parse_values(loader *l, const char *path, const char *data, size_t length)
{
    np_values values;
    np_status st = np_values_open(&values, path, data, length, l->input->type == NP_TYPE_REAL);
    if (!st && l->input->kind == NP_INPUT_KIND_MATRIX)
        st = check_table(l, &values);
    if (st || (st = take_words(l, values.count)))
        return st;
    return np_values_take(&values, l->word);
}

/* Is it a Matrix Market file? Moves the text behind its first line then. */
static bool begins_matrix(np_text *text, const char *path, const char *data, size_t length)
{
    return !memchr(data, '\0', length) && !np_text_open(text, path, data, length) && np_matrix_begins(text, path);
}

static np_status read_file(loader *l, const char *path)
{
    np_text text;
    NP_TEXT_FILE(file, path);
    if (file.status)
        return file.status;
    if (l->input->kind == NP_INPUT_KIND_TEXT)
        return take_bytes(l, file.data, file.length);
    if (l->input->kind == NP_INPUT_KIND_MATRIX && begins_matrix(&text, path, file.data, file.length))
        return parse_matrix(l, &text);
    return parse_values(l, path, file.data, file.length);
}

/* A file has the shape that the text asks for. */
static np_status check_shape(const loader *l, const char *path)
{
    if (l->input->kind == NP_INPUT_KIND_LIST)
        return np_check_list(path, l->count, l->word);
    if (l->input->kind == NP_INPUT_KIND_TREE)
        return np_check_parents(path, l->count, l->word);
    if (l->input->type == NP_TYPE_BOOL)
        return np_check_truths(path, l->count, l->word);
    return l->input->sorted ? np_check_sorted(path, l->count, l->word) : NP_OK;
}

static np_status draw_words(loader *l, size_t n)
{
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
        return draw_array(l, n, bound_of(l->input));
    }
}

static np_status take_data(loader *l)
{
    l->word = (np_word *)l->data->word;
    l->count = l->data->count;
    if (l->input->kind == NP_INPUT_KIND_MATRIX) {
        l->rows = (np_word)l->data->rows;
        l->columns = (np_word)(l->count / l->data->rows);
    }
    return NP_OK;
}

static np_status make_words(loader *l, size_t n)
{
    const char *path = l->problem.options.input;
    np_status st = l->data ? take_data(l) : path ? read_file(l, path) : draw_words(l, n);
    if (st || path)
        return st ? st : check_shape(l, path);
    if (l->input->sorted)
        np_sort_words(l->count, l->word);
    return NP_OK;
}

/* ---- Loaded ---- */

static void set_private(const np_execution *x, const np_symbol *symbol, np_word word)
{
    x->program->vector[symbol->at][0] = word;
}

/* Parts of a graph that the program never names take no cells. */
static np_status load_words(np_execution *x, const np_symbol *symbol, size_t count, const np_word *word)
{
    if (!symbol->used)
        return NP_OK;
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
    if (!symbol->used)
        return NP_OK;
    np_status st = np_memory_array(&word, count + 1, sizeof *word, "a part of a graph");
    for (size_t i = 0; i < count && word; i++)
        word[i] = number[i];
    if (!st)
        st = load_words(l->x, symbol, count, word);
    np_memory_free(word);
    return st;
}

/* In sorted order the arcs into a vertex come in the same order as the arcs from it. */
static np_status load_twins(loader *l, const np_graph *g)
{
    uint32_t *twin, *cursor;
    np_status st;
    if (!l->input->twin || !l->input->twin->used)
        return NP_OK;
    if ((st = np_workspace_take(&l->problem.work, &twin, g->arcs, sizeof *twin)) ||
        (st = np_workspace_take(&l->problem.work, &cursor, g->vertices, sizeof *cursor)))
        return st;
    for (size_t a = 0; a < g->arcs; a++)
        twin[a] = g->first[g->head[a]] + cursor[g->head[a]]++;
    return load_numbers(l, l->input->twin, g->arcs, twin);
}

/* Both directions of an edge have the same weight: 1 .. 1000, or reals below 1. */
static np_status draw_weights(loader *l, np_word **out)
{
    const np_graph *g = &l->problem.graph;
    np_status st = np_workspace_take(&l->problem.work, out, g->arcs, sizeof **out);
    for (size_t i = 0; i < g->arcs && !st; i++) {
        uint32_t a = g->tail[i], b = g->head[i];
        bool swap = !l->input->is_directed && a > b;
        np_word number = 1 + np_random_below(&l->problem.draws, swap ? b : a, 3 + (swap ? a : b), BOUND);
        (*out)[i] = l->input->type == NP_TYPE_REAL ? np_word_of_real((double)(number - 1) / BOUND) : number;
    }
    return st;
}

static __attribute__((format(printf, 2, 3))) np_status note(np_execution *x, const char *format, ...)
{
    char line[256];
    const char *copy;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    np_status st = np_pool_text(x->pool, line, strlen(line), &copy);
    if (st || (st = np_pool_room(x->pool, &x->note, x->notes, sizeof *x->note)))
        return st;
    x->note[x->notes++] = copy;
    return NP_OK;
}

/* What was made of the links of a file or of data. */
static np_status note_graph(loader *l, const np_graph_read *read)
{
    const char *name = l->input->name;
    const size_t kept = read->links - (read->both ? read->loops : 0);
    const size_t edges = read->both ? 2 * kept : read->doubled ? 2 * kept - read->loops : kept;
    char loops[80] = "", again[80] = "";
    if (read->loops)
        snprintf(loops, sizeof loops, ", %zu self-loop%s %s", read->loops, np_plural(read->loops),
                 read->both ? "dropped" : "kept");
    if (l->problem.graph.arcs < edges)
        snprintf(again, sizeof again, ", arcs that come again dropped: %zu", edges - l->problem.graph.arcs);
    return note(l->x, "%s: %zu edge%s %s%s%s", name, read->links, np_plural(read->links),
                read->both      ? "taken both ways"
                : read->doubled ? "taken as arcs, one each way"
                                : "taken as arcs, in their direction",
                loops, again);
}

/* Of a file or of data. */
static np_status read_graph(loader *l, const char *path, np_word **weight)
{
    np_graph_read read;
    np_status st = l->data ? np_script_data_graph(&l->problem.work, l->data, l->input, &read)
                           : np_graph_file_read(&l->problem.work, l->input, path, &read);
    if (st)
        return st;
    l->problem.graph = read.graph;
    *weight = read.weight;
    return note_graph(l, &read);
}

static np_status make_graph(loader *l, np_word **weight)
{
    const char *path = l->problem.options.input;
    np_graph *graph = &l->problem.graph;
    np_status st = path || l->data     ? read_graph(l, path, weight)
                   : l->input->is_tree ? np_draw_tree_graph(&l->problem)
                                       : np_draw_graph(&l->problem, l->input->is_directed);
    if (!st && path && l->input->is_tree)
        st = np_check_tree_graph(path, graph);
    l->problem.n = graph->vertices;
    return st || *weight ? st : draw_weights(l, weight);
}

static np_status load_graph(loader *l)
{
    const np_graph *g = &l->problem.graph;
    np_word *weight = NULL;
    np_status st = make_graph(l, &weight);
    if (st || (st = load_numbers(l, l->input->tail, g->arcs, g->tail)) ||
        (st = load_numbers(l, l->input->head, g->arcs, g->head)) ||
        (st = load_words(l->x, l->input->weight, g->arcs, weight)) ||
        (st = load_numbers(l, l->input->first, g->vertices + 1, g->first)) || (st = load_twins(l, g)))
        return st;
    l->given.graph = *g;
    l->given.weight = weight;
    set_private(l->x, l->input->n, (np_word)g->vertices);
    set_private(l->x, l->input->m, (np_word)g->arcs);
    return NP_OK;
}

/* For the judge. */
static void keep(np_execution *x, const np_declared_input *input, loader *l)
{
    x->given[input - x->syntax->input] = l->given;
    x->kept[input - x->syntax->input] = l->problem.work;
}

static np_status load_input(np_execution *x, const np_declared_input *input, const char *path,
                            const np_script_data *data, uint64_t *n)
{
    const np_program_options *options = &x->options->program;
    loader l = {.x = x, .input = input, .data = data};
    np_status st;
    path = data ? input->name : path;
    l.problem.draws = np_draws_for(x->draws, NP_RANDOM_INPUT);
    l.problem.draws.phase = (uint16_t)(input - x->syntax->input);
    l.problem.options = (np_program_options){.n = *n, .edges = options->edges ? options->edges : *n, .input = path};
    l.problem.n = (size_t)*n;
    if (input->kind == NP_INPUT_KIND_GRAPH) {
        st = load_graph(&l);
        *n = l.problem.n;
    } else if (!(st = make_words(&l, (size_t)*n))) {
        st = input->kind == NP_INPUT_KIND_MATRIX ? load_matrix(&l) : load_words(x, input->array, l.count, l.word);
        *n = input->kind == NP_INPUT_KIND_MATRIX ? (uint64_t)l.rows : l.count;
        l.given = (np_given){.count = l.count, .word = l.word, .rows = (size_t)l.rows, .columns = (size_t)l.columns};
    }
    if (!st && x->given)
        keep(x, input, &l);
    else
        np_workspace_clear(&l.problem.work);
    return st;
}

/* ---- Files of several inputs ---- */

static uint32_t find_input(const np_syntax *syntax, const char *name)
{
    uint32_t i = 0;
    while (i < syntax->inputs && strcmp(syntax->input[i].name, name) != 0)
        i++;
    return i;
}

/* The comma before the next NAME=; NULL: there is none. */
static char *find_comma(char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'";
    for (char *comma = strchr(at, ','); comma; comma = strchr(comma + 1, ',')) {
        size_t length = strspn(comma + 1, letters);
        if (length && comma[1 + length] == '=')
            return comma;
    }
    return NULL;
}

/* "a=FILE,b=FILE". Cuts the text into names and paths. */
static np_status split_paths(const np_syntax *syntax, char *at, const char **path)
{
    while (at) {
        char *equals = strchr(at, '='), *comma = find_comma(at);
        if (equals)
            *equals = '\0';
        uint32_t i = equals ? find_input(syntax, at) : syntax->inputs;
        if (i == syntax->inputs)
            return NP_RAISE(NP_ERROR_INPUT,
                            "input %.100s: %.100s declares %u inputs: write NAME=FILE,NAME=FILE, as %s=FILE", at,
                            syntax->path, syntax->inputs, syntax->input[0].name);
        if (path[i])
            return NP_RAISE(NP_ERROR_INPUT, "input %.100s: it is given twice", at);
        path[i] = equals + 1;
        if (comma)
            *comma++ = '\0';
        at = comma;
    }
    return NP_OK;
}

/* Is the text NAME=FILE, with this name? */
static bool is_named(const char *name, const char *text)
{
    size_t length = strlen(name);
    return !strncmp(text, name, length) && text[length] == '=';
}

/* path[i]: the file of input i; NULL: it is drawn. *copy, which holds them, is freed with np_memory_free. */
static np_status find_paths(np_execution *x, const char **path, char **copy)
{
    const np_syntax *syntax = x->syntax;
    const char *input = x->options->program.input;
    *copy = NULL;
    for (uint32_t i = 0; i < syntax->inputs; i++)
        path[i] = NULL;
    if (!input)
        return NP_OK;
    if (!syntax->inputs)
        return NP_RAISE(NP_ERROR_INPUT, "input %.100s: %.100s declares no input", input, syntax->path);
    if (syntax->inputs == 1) { /* its name may be left out, and the path may have commas */
        path[0] = is_named(syntax->input[0].name, input) ? strchr(input, '=') + 1 : input;
        return NP_OK;
    }
    *copy = np_memory_text(input);
    return *copy ? split_paths(syntax, *copy, path) : np_status_last();
}

/* A number of edges is of graphs that are drawn; those of a tree are known. */
static np_status check_edges(const np_execution *x, const char *const *path, const np_script_data *const *data)
{
    const np_syntax *syntax = x->syntax;
    for (uint32_t i = 0; i < syntax->inputs; i++)
        if (syntax->input[i].kind == NP_INPUT_KIND_GRAPH && !syntax->input[i].is_tree && !path[i] && !data[i])
            return NP_OK;
    if (!x->options->program.edges)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%" PRIu64 " edges: %.100s draws no graph of as many edges as it is told",
                    x->options->program.edges, syntax->path);
}

static np_status load_inputs(np_execution *x, uint64_t *n)
{
    const np_syntax *syntax = x->syntax;
    const np_script_data **data;
    const char **path;
    char *copy = NULL;
    np_stack_mark mark = np_stack_now(&x->stack);
    np_status st = np_stack_take(&x->stack, &path, syntax->inputs + 1u, sizeof *path);
    if (!st && !(st = np_stack_take(&x->stack, &data, syntax->inputs + 1u, sizeof *data)) &&
        !(st = find_paths(x, path, &copy)))
        st = np_script_data_find(syntax, x->options, data);
    if (!st)
        st = check_edges(x, path, data);
    for (uint32_t i = 0; i < syntax->inputs && !st; i++)
        st = path[i] && data[i] ? NP_RAISE(NP_ERROR_INPUT, "input %s: it has a file and data", syntax->input[i].name)
                                : load_input(x, &syntax->input[i], path[i], data[i], n);
    np_memory_free(copy);
    np_stack_back(&x->stack, mark);
    return st;
}

static np_status check_size(const np_syntax *syntax, uint64_t n)
{
    if (!syntax->n_most || n <= syntax->n_most)
        return NP_OK;
    return NP_RAISE(NP_ERROR_LIMIT, "%s of %" PRIu64 " %s: at most %" PRIu64, syntax->name, n,
                    *syntax->counts ? syntax->counts : "items", syntax->n_most);
}

/* What np_execution_clear frees. */
static np_status take_given(np_execution *x)
{
    np_status st = np_memory_zeroed(&x->given, x->syntax->inputs + 1u, sizeof *x->given, "the inputs of a program");
    return st ? st : np_memory_zeroed(&x->kept, x->syntax->inputs + 1u, sizeof *x->kept, "the inputs of a program");
}

np_status np_script_load(np_execution *x, uint64_t *n)
{
    const np_syntax *syntax = x->syntax;
    const np_program_options *options = &x->options->program;
    *n = options->n ? options->n : syntax->n_preset ? syntax->n_preset : DEFAULT_SIZE;
    if (options->input && (options->n || options->edges) && syntax->inputs < 2)
        return NP_RAISE(NP_ERROR_INPUT, "input %.100s beside a size: the file has its own", options->input);
    if (x->options->data_count && (options->n || options->edges) && syntax->inputs < 2)
        return NP_RAISE(NP_ERROR_INPUT, "data beside a size: it has its own");
    for (uint32_t i = 0; i < syntax->options; i++)
        set_private(x, syntax->option[i].symbol, syntax->option[i].preset);
    np_status st = options->input || x->options->data_count ? NP_OK : check_size(syntax, *n);
    const np_division *d = x->pram->division;
    if (!st && syntax->solves && !(d && d->job->rank)) /* rank 0 judges */
        st = take_given(x);
    if (st || (st = load_inputs(x, n)) || (st = check_size(syntax, *n)))
        return st;
    set_private(x, syntax->size, (np_word)*n);
    return np_script_set(x);
}
