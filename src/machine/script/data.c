/*
 * Inputs from memory: found by name, and held to the kind that the text declares. What a file is held to when it is
 * read (rows of one length, numbers of nodes), data is held to here; what both must be (a list, a tree) input.c checks.
 */
#include "machine/script/language.h"
#include "machine/script/data.h"

#include <inttypes.h>
#include <string.h>

#include "model/format/builder.h"
#include "machine/script/input.h"

const char *np_input_kind_word(const np_declared_input *input)
{
    return input->is_directed ? "digraph" : np_input_kinds[input->kind];
}

static np_status find(const np_syntax *syntax, const char *name, uint32_t *at)
{
    *at = 0;
    if (!syntax->inputs)
        return NP_RAISE(NP_ERROR_INPUT, "data for input '%.60s': %.100s declares no input", name ? name : "",
                        syntax->path);
    if (!name && syntax->inputs > 1)
        return NP_RAISE(NP_ERROR_INPUT, "data without the name of an input: %.100s declares %u, as '%s'", syntax->path,
                        syntax->inputs, syntax->input[0].name);
    while (name && *at < syntax->inputs && strcmp(syntax->input[*at].name, name) != 0)
        ++*at;
    if (*at == syntax->inputs)
        return NP_RAISE(NP_ERROR_INPUT, "data for input '%.60s': %.100s declares none of this name, but '%s'", name,
                        syntax->path, syntax->input[0].name);
    return NP_OK;
}

static np_status check_matrix(const np_script_data *data, const char *name)
{
    size_t columns = data->rows ? data->count / data->rows : 0;
    if (!columns || columns * data->rows != data->count)
        return NP_RAISE(NP_ERROR_INPUT, "input %s: %zu words are no matrix of %zu rows", name, data->count, data->rows);
    if (data->rows > UINT16_MAX || columns > UINT16_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "input %s: a matrix of %zu x %zu: at most %u rows and columns", name,
                        data->rows, columns, UINT16_MAX);
    return NP_OK;
}

static np_status check_graph(const np_script_data *data, const char *name)
{
    if (data->count && (!data->tail || !data->head))
        return NP_RAISE(NP_ERROR_INPUT, "input %s: a graph has tails and heads of its edges", name);
    if (data->rows > NP_LINKS_NODES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "input %s: %zu vertices: at most %d", name, data->rows, NP_LINKS_NODES_MAX);
    return NP_OK;
}

static np_status check(const np_declared_input *input, const np_script_data *data)
{
    if (input->kind == NP_INPUT_KIND_GRAPH)
        return check_graph(data, input->name);
    if (data->count && !data->word)
        return NP_RAISE(NP_ERROR_INPUT, "input %s: it is of words (%s), and the data has none", input->name,
                        np_input_kind_word(input));
    if (data->count > UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "input %s: %zu words: at most %" PRIu32, input->name, data->count, UINT32_MAX);
    return input->kind == NP_INPUT_KIND_MATRIX ? check_matrix(data, input->name) : NP_OK;
}

np_status np_script_data_find(const np_syntax *syntax, const np_script_options *options, const np_script_data **data)
{
    np_status st = NP_OK;
    for (uint32_t i = 0; i < syntax->inputs; i++)
        data[i] = NULL;
    for (size_t k = 0; k < options->data_count && !st; k++) {
        uint32_t i;
        if ((st = find(syntax, options->data[k].input, &i)))
            return st;
        if (data[i])
            return NP_RAISE(NP_ERROR_INPUT, "input %s: its data is given twice", syntax->input[i].name);
        data[i] = &options->data[k];
        st = check(&syntax->input[i], data[i]);
    }
    return st;
}

np_status np_script_data_graph(np_workspace *work, const np_script_data *data, const np_declared_input *input,
                               np_graph_read *out)
{
    const np_word *weights = data->word;
    np_word *word;
    np_status st = NP_OK;
    for (size_t i = 0; i < data->count; i++)
        if (data->tail[i] >= data->rows || data->head[i] >= data->rows)
            return NP_RAISE(NP_ERROR_INPUT,
                            "input %s: edge %zu is from %" PRIu32 " to %" PRIu32 ", and there are %zu vertices",
                            input->name, i, data->tail[i], data->head[i], data->rows);
    if (!weights && data->weight && !(st = np_workspace_take(work, &word, data->count, sizeof *word))) {
        weights = word;
        for (size_t i = 0; i < data->count; i++)
            word[i] = input->type == NP_TYPE_REAL ? np_word_of_real(data->weight[i]) : data->weight[i];
    }
    return st ? st : np_graph_of_links(work, input, data->rows, data->count, data->tail, data->head, weights, out);
}
