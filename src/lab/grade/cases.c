/*
 * The inputs of a task. Each is made once, by a program of the task's own that declares what programs read and has
 * nothing but its inputs as outputs: so what a seed draws, and what a file has, is what it is everywhere in netpram.
 * All programs, and the oracle, get the same words.
 */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "lab/grade/parts.h"

static const uint64_t PROCESSORS = UINT64_C(1) << 53; /* most of T_p: all whole numbers up to it are doubles */

enum { CASES = 1000, MAKER = 1 << 16 }; /* of a task; bytes of the program that makes inputs (ours) */

void np_grade_options(const np_grade_task *task, const np_grade_case *item, np_pram_options *pram,
                      np_script_options *script)
{
    np_pram_options_init(pram);
    np_script_options_init(script);
    pram->rule = task->rule;
    pram->threads = 1; /* programs are graded at the same time, a process each */
    pram->seed = item ? item->seed : 1;
    script->program.n = item && !item->inputs ? item->n : 0;
    script->data = item ? item->data : NULL;
    script->data_count = item ? item->inputs : 0;
}

static bool is_graph(const np_script_input *input)
{
    return !strcmp(input->kind, "graph") || !strcmp(input->kind, "digraph");
}

/* ---- The program that makes inputs ---- */

static np_status make_maker(np_grade_task *task, np_script **out)
{
    char *text;
    np_status st = np_pool_take(&task->pool, &text, MAKER);
    if (st)
        return st;
    size_t at = (size_t)snprintf(text, MAKER, "%s", task->declared);
    for (size_t i = 0; i < np_script_inputs(task->takes) && at < MAKER; i++) {
        const np_script_input input = np_script_input_get(task->takes, i);
        const char *x = input.name;
        at += (size_t)(is_graph(&input)
                           ? snprintf(text + at, MAKER - at,
                                      "output %s.n, %s.tail, %s.head, %s.weight\nvar u%zu := %s.m\n", x, x, x, x, i, x)
                           : snprintf(text + at, MAKER - at, "output %s\n", x));
    }
    if (at >= MAKER)
        return NP_GRADE_RAISE(task, NP_ERROR_LIMIT, "'takes' has too many inputs");
    return np_script_create("takes", text, at, NULL, out);
}

/* What the program has put out is what others get. */
static np_status take_data(np_grade_task *task, np_grade_case *item)
{
    const np_script_output *output = item->made->output;
    item->inputs = np_script_inputs(task->takes);
    np_status st = np_pool_take(&task->pool, &item->data, (item->inputs + 1) * sizeof *item->data);
    for (size_t i = 0; i < item->inputs && !st; i++) {
        const np_script_input input = np_script_input_get(task->takes, i);
        np_script_data *data = &item->data[i];
        uint64_t extent[NP_SCRIPT_RANK_MAX];
        if (!is_graph(&input)) {
            *data = (np_script_data){.count = output->count, .word = output->word};
            data->rows = np_script_output_shape(output, extent) == 2 ? (size_t)extent[0] : 0;
            output++;
            continue;
        }
        np_node *end;
        const size_t arcs = output[1].count;
        if ((st = np_pool_take(&task->pool, &end, (2 * arcs + 1) * sizeof *end)))
            return st;
        for (size_t k = 0; k < 2 * arcs; k++)
            end[k] = (np_node)output[1 + k / (arcs ? arcs : 1)].word[k % (arcs ? arcs : 1)];
        *data = (np_script_data){
            .count = arcs, .rows = (size_t)output->word[0], .word = output[3].word, .tail = end, .head = end + arcs};
        item->m = item->m ? item->m : arcs;
        output += 4;
    }
    return st;
}

/* ---- What is right ---- */

static np_status make_oracle(np_grade_task *task, np_script **out)
{
    const char *path;
    np_status st = NP_OK;
    *out = NULL;
    if (task->oracle == NP_GRADE_PROGRAM)
        st = np_script_library(task->answer, out);
    else if (task->oracle == NP_GRADE_TEXT && !(st = np_grade_path(task, task->answer, &path)))
        st = np_script_read(path, NULL, out);
    return st ? NP_GRADE_RAISE(task, st, "[oracle]: %.300s", np_last_error()) : NP_OK;
}

/* Who is to say what is right keeps to the own rule, and solves what it says that it solves. */
static np_status check_oracle(const np_grade_task *task, const np_grade_case *item, np_access_rule rule)
{
    const np_script_result *result = item->expected;
    if (result->report.violations)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] on '%s': it violates its own rule, %s", item->name,
                              np_access_rule_name(rule));
    if (result->judged && !result->correct)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] on '%s': it does not solve %s: %.200s", item->name,
                              result->about.solves, result->wrong);
    return NP_OK;
}

/* The data, named as a program names its inputs. NP_ERROR_INPUT: it reads something else. */
static np_status ask(np_grade_task *task, const np_script *oracle, np_grade_case *item)
{
    np_pram_options pram;
    np_script_options script;
    np_status st = NP_OK;
    char message[NP_GRADE_MESSAGE];
    if (np_grade_reads_other(task, oracle, message))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] reads other inputs than 'takes': %.250s", message);
    np_grade_options(task, item, &pram, &script);
    pram.rule = np_script_about_get(oracle).rule;
    for (size_t i = 0; i < item->inputs; i++)
        item->data[i].input = np_script_input_get(oracle, i).name;
    st = np_script_run(oracle, &pram, &script, NULL, &item->expected);
    return st ? NP_GRADE_RAISE(task, st, "[oracle] on '%s': %.250s", item->name, np_last_error())
              : check_oracle(task, item, pram.rule);
}

static np_status raise_value(const np_grade_task *task, const np_grade_case *item, const char *what, double value,
                             const char *wanted)
{
    char text[NP_DECIMAL_ROOM];
    np_decimal_write(value, text);
    return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%.200s is %s on '%.60s' (n = %llu): %s", what, text, item->name,
                          (unsigned long long)item->n, wanted);
}

/* The processors of T_p. More than a step can have make no difference. */
static np_status work_out_p(const np_grade_task *task, np_grade_case *item)
{
    double p = 1;
    item->p = 1;
    if (!task->share)
        return NP_OK;
    np_status st = np_grade_formula_value(task, task->share, (double)item->n, (double)item->m, 1, &p);
    if (!st && !(p > 0))
        st = raise_value(task, item, "'p'", p, "it must be larger than 0");
    if (!st)
        item->p = p < (double)PROCESSORS ? (uint64_t)ceil(p) : PROCESSORS;
    return st;
}

static np_status work_out(np_grade_task *task, np_grade_case *item)
{
    np_status st = np_pool_take(&task->pool, &item->most, (task->bounds + 1) * sizeof *item->most);
    if (!st)
        st = work_out_p(task, item);
    for (size_t i = 0; i < task->bounds && !st; i++) {
        st = np_grade_formula_value(task, task->bound[i].formula, (double)item->n, (double)item->m, (double)item->p,
                                    &item->most[i]);
        if (!st && !isfinite(item->most[i]))
            st = raise_value(task, item, task->bound[i].text, item->most[i], "a bound is a finite number");
    }
    return st;
}

/* ---- Given inputs ---- */

static np_status read_word(const np_grade_task *task, const np_script_input *input, json_t *value, np_word *to)
{
    const bool real = *input->type == 'r';
    if (*input->type == 'b' ? json_is_boolean(value) : real ? json_is_number(value) : json_is_integer(value)) {
        *to = real                     ? np_word_of_real(json_number_value(value))
              : json_is_boolean(value) ? json_is_true(value)
                                       : (np_word)json_integer_value(value);
        return NP_OK;
    }
    return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'given' of %s: values of type %s", input->name, input->type);
}

static np_status read_row(np_grade_task *task, const np_script_input *input, json_t *row, np_word **to)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < json_array_size(row) && !st; i++)
        st = read_word(task, input, json_array_get(row, i), (*to)++);
    return st;
}

/* [1, 2, 3], of a matrix [[1, 2], [3, 4]], of a text "abc". */
static np_status read_given(np_grade_task *task, const np_script_input *input, json_t *value, np_script_data *data)
{
    const bool matrix = !strcmp(input->kind, "matrix"), text = !strcmp(input->kind, "text");
    const size_t rows = json_array_size(value), columns = matrix ? json_array_size(json_array_get(value, 0)) : 1;
    const size_t count = text ? json_string_length(value) : rows * columns;
    np_word *word, *to;
    if (is_graph(input))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'given' of %s: a graph comes from a file", input->name);
    if (text ? !json_is_string(value) : !json_is_array(value))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'given' of %s is %s", input->name,
                              text     ? "a text"
                              : matrix ? "a list of rows"
                                       : "a list of values");
    np_status st = np_pool_take(&task->pool, &word, (count + 1) * sizeof *word);
    to = word;
    for (size_t i = 0; i < count && text && !st; i++)
        word[i] = (unsigned char)json_string_value(value)[i];
    for (size_t i = 0; i < rows && matrix && !st; i++)
        st = json_array_size(json_array_get(value, i)) == columns
                 ? read_row(task, input, json_array_get(value, i), &to)
                 : NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'given' of %s: rows of one length", input->name);
    if (!st && !matrix && !text)
        st = read_row(task, input, value, &to);
    *data = (np_script_data){.input = input->name, .count = count, .rows = matrix ? rows : 0, .word = word};
    return st;
}

/* ---- Cases ---- */

/* One more, whose options say where its input comes from. */
static np_status add_case(np_grade_task *task, const np_script *maker, const np_grade_case *like,
                          np_script_options *script)
{
    np_pram_options pram;
    if (task->cases == CASES)
        return NP_GRADE_RAISE(task, NP_ERROR_LIMIT, "more than %d inputs", CASES);
    np_status st = np_pool_room(&task->pool, &task->item, task->cases, sizeof *task->item);
    if (st)
        return st;
    np_grade_case *item = &task->item[task->cases++];
    *item = *like;
    np_pram_options_init(&pram);
    pram.threads = 1;
    pram.seed = like->seed;
    if ((st = np_script_run(maker, &pram, script, NULL, &item->made)))
        return NP_GRADE_RAISE(task, st, "input '%.60s': %.250s", like->name, np_last_error());
    item->n = item->made->n;
    return take_data(task, item);
}

/* "x=DIR/a.txt,y=DIR/b.txt", of one input the path alone. */
static np_status read_files(np_grade_task *task, json_t *files, const char **out)
{
    size_t room = 1, at = 0;
    const char *key, *path;
    json_t *value;
    char *text;
    if (!json_is_object(files))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'files' has a name for an input: files = { x = \"x.txt\" }");
    json_object_foreach(files, key, value) room += strlen(key) + strlen(task->folder) + json_string_length(value) + 4;
    np_status st = np_pool_take(&task->pool, &text, room);
    json_object_foreach(files, key, value)
    {
        if (st || (st = json_is_string(value) ? np_grade_path(task, json_string_value(value), &path)
                                              : NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'files' has texts")))
            return st;
        if (np_script_inputs(task->takes) > 1 && strchr(path, ',')) /* it parts files */
            return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'files' of %.60s: a path with a comma: '%.200s'", key, path);
        at += (size_t)snprintf(text + at, room - at, "%s%s=%s", at ? "," : "", key, path);
    }
    const char *only = np_script_inputs(task->takes) == 1 ? np_script_input_get(task->takes, 0).name : "";
    *out = *only && !strncmp(text, only, strlen(only)) && text[strlen(only)] == '=' ? text + strlen(only) + 1 : text;
    return st;
}

static np_status add_given(np_grade_task *task, const np_script *maker, json_t *given, json_t *files,
                           const np_grade_case *like)
{
    const size_t inputs = np_script_inputs(task->takes);
    np_script_options script;
    np_script_data *data;
    size_t count = 0;
    np_script_options_init(&script);
    np_status st = np_pool_take(&task->pool, &data, (inputs + 1) * sizeof *data);
    for (size_t i = 0; i < inputs && !st; i++) {
        const np_script_input input = np_script_input_get(task->takes, i);
        json_t *value = json_object_get(given, input.name);
        if (value)
            st = read_given(task, &input, value, &data[count++]);
        else if (!json_object_get(files, input.name))
            st = NP_GRADE_RAISE(task, NP_ERROR_INPUT, "input '%.60s' has no '%s'", like->name, input.name);
    }
    if (!st && json_object_size(given) + json_object_size(files) != inputs)
        st = NP_GRADE_RAISE(task, NP_ERROR_INPUT, "input '%.60s' has other names than 'takes'", like->name);
    if (!st && files)
        st = read_files(task, files, &script.program.input);
    script.data = data;
    script.data_count = count;
    return st ? st : add_case(task, maker, like, &script);
}

static np_status add_drawn(np_grade_task *task, const np_script *maker, json_t *input, np_grade_case *like)
{
    json_t *sizes = json_object_get(input, "sizes");
    np_script_options script;
    np_status st = np_grade_whole(task, input, "seed", 0, INT64_MAX, &like->seed);
    np_script_options_init(&script);
    if (!st)
        st = np_grade_whole(task, input, "edges", 1, UINT32_MAX, &script.program.edges);
    if (!st && !json_array_size(sizes))
        st = NP_GRADE_RAISE(task, NP_ERROR_INPUT,
                            "input '%.60s' has 'given', 'files' or 'sizes', such as sizes = [16, 64]", like->name);
    like->drawn = true;
    for (size_t i = 0; i < json_array_size(sizes) && !st; i++) {
        json_t *size = json_array_get(sizes, i);
        if (!json_is_integer(size) || json_integer_value(size) < 1)
            return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'sizes' are whole numbers from 1");
        script.program.n = (uint64_t)json_integer_value(size);
        st = add_case(task, maker, like, &script);
    }
    return st;
}

static np_status add_cases(np_grade_task *task, json_t *input, np_grade_case *like)
{
    json_t *given = json_object_get(input, "given"), *files = json_object_get(input, "files");
    np_script *maker;
    np_status st = make_maker(task, &maker);
    if (st)
        return st;
    if (given || files)
        st = json_object_get(input, "sizes") || json_object_get(input, "seed") || json_object_get(input, "edges")
                 ? NP_GRADE_RAISE(task, NP_ERROR_INPUT,
                                  "input '%.60s' is given: 'sizes', 'seed' and 'edges' are for "
                                  "inputs that are drawn",
                                  like->name)
                 : add_given(task, maker, given, files, like);
    else
        st = add_drawn(task, maker, input, like);
    np_script_free(maker);
    return st;
}

np_status np_grade_cases(np_grade_task *task, json_t *input, uint32_t number, uint32_t *hidden)
{
    static const char *const keys[] = {"name", "hidden", "given", "files", "sizes", "seed", "edges"};
    np_grade_case like = {.seed = 1};
    const size_t first = task->cases;
    char name[32];
    bool hides = false;
    np_script *oracle = NULL;
    snprintf(name, sizeof name, "input %u", number);
    np_status st = np_grade_check_keys(task, input, "[[inputs]]", keys, sizeof keys / sizeof *keys);
    if (st || (st = np_pool_text(&task->pool, name, strlen(name), &like.name)) ||
        (st = np_grade_text(task, input, "name", &like.name)) || (st = np_grade_truth(task, input, "hidden", &hides)))
        return st;
    like.hidden = hides ? ++*hidden : 0;
    st = add_cases(task, input, &like);
    if (!st && task->oracle < NP_GRADE_JUDGE)
        st = make_oracle(task, &oracle);
    for (size_t i = first; i < task->cases && !st; i++) {
        st = work_out(task, &task->item[i]);
        if (!st && oracle)
            st = ask(task, oracle, &task->item[i]);
    }
    np_script_free(oracle);
    return st;
}
