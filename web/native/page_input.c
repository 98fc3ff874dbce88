/*
 * Inputs of a PRAM program that the page gives, as lines "NAME words ROWS WORD WORD ...", "NAME graph VERTICES TAIL
 * HEAD TAIL HEAD ..." or "NAME weighted VERTICES TAIL HEAD WEIGHT TAIL HEAD WEIGHT ...". Words and weights are numbers;
 * of a text the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { INPUTS_MAX = 16, ROOMS = 3 };

#define WHOLE_MAX 0x1.fffffffffffffp52 /* JSON has no larger whole numbers that are certain */

static struct {
    np_script_data data[INPUTS_MAX];
    void *room[INPUTS_MAX][ROOMS];
    size_t count;
} given;

static void forget(void)
{
    for (size_t i = 0; i < given.count; i++)
        for (size_t k = 0; k < ROOMS; k++)
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

/* A number of the type of the input, as its word. *text moves behind it and the blank. */
static np_status read_number(const char *input, char **text, bool real, np_word *word)
{
    char *end, *whole;
    const double value = strtod(*text, &end);
    *word = strtoll(*text, &whole, 10);
    if (end == *text || (!real && (whole != end || value > WHOLE_MAX || value < -WHOLE_MAX)))
        return np_status_raise(NP_ERROR_INPUT, "input %s: %.*s is not a whole number%s", input,
                               (int)strcspn(*text, " "), *text, whole == end ? " below 2^53" : "");
    if (real)
        memcpy(word, &value, sizeof value);
    *text = end + (*end == ' ');
    return NP_OK;
}

static np_status read_words(np_script_data *data, char *text, bool real)
{
    np_word *word = malloc((strlen(text) / 2 + 1) * sizeof *word);
    np_status st = NP_OK;
    data->word = given.room[given.count][0] = word;
    while (*text && !st)
        if (!(st = read_number(data->input, &text, real, &word[data->count])))
            data->count++;
    return st;
}

static np_status read_edges(np_script_data *data, char *text, bool weighted, bool real)
{
    const size_t most = strlen(text) / 4 + 1;
    np_node *tail = malloc(most * sizeof *tail), *head = malloc(most * sizeof *head);
    np_word *weight = weighted ? malloc(most * sizeof *weight) : NULL;
    np_status st = NP_OK;
    data->tail = given.room[given.count][0] = tail;
    data->head = given.room[given.count][1] = head;
    data->word = given.room[given.count][2] = weight;
    for (char *end; *text && !st;) {
        tail[data->count] = (np_node)strtoul(text, &end, 10);
        head[data->count] = (np_node)strtoul(end, &end, 10);
        text = end + (*end == ' ');
        if (weighted)
            st = read_number(data->input, &text, real, &weight[data->count]);
        data->count++;
    }
    return st;
}

static np_status read_line(const np_script *script, char *line)
{
    np_script_data *data = &given.data[given.count];
    const char *name = strsep(&line, " "), *kind = strsep(&line, " ");
    if (given.count == INPUTS_MAX)
        return np_status_raise(NP_ERROR_LIMIT, "input: at most %d", INPUTS_MAX);
    *data = (np_script_data){.input = name, .rows = strtoul(line, &line, 10)};
    line += *line == ' ';
    const bool real = is_real(script, name), weighted = !strcmp(kind, "weighted");
    np_status st =
        weighted || !strcmp(kind, "graph") ? read_edges(data, line, weighted, real) : read_words(data, line, real);
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
