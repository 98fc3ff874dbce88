/* What a command that is an oracle reads, and what it has written: numbers, true and false. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "lab/grade/parts.h"
#include "show/table/json.h"

static json_t *value_json(const char *type, np_word word)
{
    return *type == 'r' ? json_real(np_real_of_word(word)) : *type == 'b' ? json_boolean(word) : json_integer(word);
}

static json_t *case_json(const np_grade_task *task, const np_grade_case *item)
{
    json_t *root = json_object(), *inputs = json_object();
    for (size_t i = 0; i < item->inputs; i++) {
        const np_script_input input = np_script_input_get(task->takes, i);
        const np_script_data *data = &item->data[i];
        json_t *words = json_array();
        for (size_t k = 0; k < data->count; k++) {
            json_t *word = value_json(input.type, data->word[k]);
            json_array_append_new(
                words,
                data->tail ? json_pack("[I,I,o]", (json_int_t)data->tail[k], (json_int_t)data->head[k], word) : word);
        }
        json_object_set_new(inputs, input.name,
                            data->rows ? json_pack("{s:I,s:o}", data->tail ? "nodes" : "rows", (json_int_t)data->rows,
                                                   data->tail ? "arcs" : "values", words)
                                       : words);
    }
    json_object_set_new(root, "n", json_integer((json_int_t)item->n));
    json_object_set_new(root, "inputs", inputs);
    return root;
}

void np_grade_case_write(const np_grade_task *task, const np_grade_case *item, FILE *stream)
{
    json_t *json = case_json(task, item);
    np_json_dump(json, JSON_COMPACT, stream);
    json_decref(json);
}

bool np_grade_number(const char *word, double *out)
{
    static const struct {
        const char *word;
        double value;
    } named[] = {{"true", 1}, {"false", 0}, {"inf", HUGE_VAL}, {"-inf", -HUGE_VAL}, {"nan", NAN}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!strcmp(word, named[i].word))
            return *out = named[i].value, true;
    return np_decimal_signed((np_text_field){word, strlen(word)}, out);
}

np_status np_grade_case_answer(np_grade_task *task, np_grade_case *item, const char *text, size_t length)
{
    static const char blanks[] = " \t\r\n,";
    const char *copy;
    char *at, *rest;
    np_status st = np_pool_text(&task->pool, text, length, &copy);
    if (st)
        return st;
    if (memchr(text, '\0', length))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] on '%.60s': a zero byte in the answer", item->name);
    for (at = strtok_r((char *)copy, blanks, &rest); at && !st; at = strtok_r(NULL, blanks, &rest)) {
        double number;
        if (!np_grade_number(at, &number))
            return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] on '%.60s': '%.60s' is no number, true or false",
                                  item->name, at);
        if (!(st = np_pool_room(&task->pool, &item->word, item->words, sizeof *item->word)))
            item->word[item->words++] = at;
    }
    if (!st && !item->words)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] on '%.60s': an empty answer", item->name);
    return st;
}
