/*
 * Inputs of a PRAM program that the page gives, as lines "NAME words ROWS WORD WORD ..." or "NAME graph VERTICES TAIL
 * HEAD TAIL HEAD ...". Words are numbers; of a text the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { INPUTS_MAX = 16 };

static struct {
    np_script_data data[INPUTS_MAX];
    void *room[INPUTS_MAX][2];
    size_t count;
} given;

static void forget(void)
{
    for (size_t i = 0; i < given.count; i++)
        for (size_t k = 0; k < 2; k++)
            free(given.room[i][k]);
    memset(&given, 0, sizeof given);
}

static bool is_real(const np_script *script, const char *name)
{
    for (size_t i = 0; i < np_script_inputs(script); i++)
        if (!strcmp(np_script_input_get(script, i).name, name))
            return !strcmp(np_script_input_get(script, i).type, "real");
    return false;
}

static np_status read_words(np_script_data *data, char *text, bool real)
{
    np_word *word = malloc((strlen(text) / 2 + 1) * sizeof *word);
    data->word = given.room[given.count][0] = word;
    for (char *end; *text; text = end + (*end == ' ')) {
        const double value = strtod(text, &end);
        char *whole = end;
        if (real)
            memcpy(&word[data->count], &value, sizeof value);
        else
            word[data->count] = strtoll(text, &whole, 10);
        if (end == text || whole != end)
            return np_status_raise(NP_ERROR_INPUT, "input %s: %.*s is not a whole number", data->input,
                                   (int)strcspn(text, " "), text);
        data->count++;
    }
    return NP_OK;
}

static void read_edges(np_script_data *data, char *text)
{
    const size_t most = strlen(text) / 4 + 1;
    np_node *tail = malloc(most * sizeof *tail), *head = malloc(most * sizeof *head);
    for (char *end = text; *text; text = end) {
        tail[data->count] = (np_node)strtoul(text, &end, 10);
        head[data->count] = (np_node)strtoul(end, &end, 10);
        data->count++;
        end += *end == ' ';
    }
    data->tail = given.room[given.count][0] = tail;
    data->head = given.room[given.count][1] = head;
}

static np_status read_line(const np_script *script, char *line)
{
    np_script_data *data = &given.data[given.count];
    const char *name = strsep(&line, " "), *kind = strsep(&line, " ");
    if (given.count == INPUTS_MAX)
        return np_status_raise(NP_ERROR_LIMIT, "input: at most %d", INPUTS_MAX);
    *data = (np_script_data){.input = name, .rows = strtoul(line, &line, 10)};
    line += *line == ' ';
    np_status st = NP_OK;
    if (!strcmp(kind, "graph"))
        read_edges(data, line);
    else
        st = read_words(data, line, is_real(script, name));
    given.count++;
    return st;
}

np_status page_inputs(const np_script *script, char *lines, np_script_options *options)
{
    np_status st = NP_OK;
    forget();
    for (char *line; !st && (line = strsep(&lines, "\n"));)
        if (*line)
            st = read_line(script, line);
    options->data = given.data;
    options->data_count = given.count;
    return st;
}
