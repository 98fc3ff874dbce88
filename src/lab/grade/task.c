/* The file of a task. Reading is strict: an unknown key, and a value that does not fit, is an error with its name. */
#include <stdarg.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/parse.h"
#include "lab/grade/parts.h"
#include "machine/pram/judge.h"
#include "machine/script/script.h"
#include "show/table/json.h"

np_status np_grade_raise(const np_grade_task *task, np_status status, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return NP_RAISE(status, "%.100s: %s", task->path, what);
}

/* ---- Values ---- */

np_status np_grade_check_keys(const np_grade_task *task, json_t *object, const char *what, const char *const *keys,
                              size_t count)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%s is a table of keys and values", what);
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (i < count && strcmp(keys[i], key) != 0)
            i++;
        if (i == count)
            return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%s has no key '%.40s': %s", what, key,
                                  np_parse_hint_of(key, keys, count).text);
    }
    return NP_OK;
}

np_status np_grade_text(const np_grade_task *task, json_t *object, const char *key, const char **out)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return NP_OK;
    *out = json_string_value(value);
    return *out && **out ? NP_OK : NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'%s' is a text", key);
}

np_status np_grade_whole(const np_grade_task *task, json_t *object, const char *key, uint64_t low, uint64_t high,
                         uint64_t *out)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return NP_OK;
    const json_int_t whole = json_integer_value(value);
    if (!json_is_integer(value) || whole < 0 || (uint64_t)whole < low || (uint64_t)whole > high)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'%s' is a whole number of %llu to %llu", key,
                              (unsigned long long)low, (unsigned long long)high);
    *out = (uint64_t)whole;
    return NP_OK;
}

/* From 0 to 1. */
static np_status read_tolerance(np_grade_task *task)
{
    json_t *value = json_object_get(task->root, "tolerance");
    task->tolerance = json_number_value(value);
    if (!value || (json_is_number(value) && task->tolerance >= 0 && task->tolerance <= 1))
        return NP_OK;
    return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'tolerance' is a number from 0 to 1");
}

np_status np_grade_truth(const np_grade_task *task, json_t *object, const char *key, bool *out)
{
    json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'%s' is true or false", key);
    *out = value ? json_is_true(value) : *out;
    return NP_OK;
}

/* "64M" */
static np_status read_memory(const np_grade_task *task, json_t *object, uint64_t *out)
{
    static const np_field row = {"memory", NP_FIELD_BYTES, .at = 0};
    const char *text = NULL;
    np_status st = np_grade_text(task, object, "memory", &text);
    if (st || !text)
        return st;
    return np_field_set(&row, out, text) ? NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%.200s", np_last_error()) : NP_OK;
}

/* An array of texts; *count of them. */
static np_status read_texts(np_grade_task *task, json_t *object, const char *key, size_t *count, const char ***out)
{
    json_t *array = json_object_get(object, key);
    *count = json_array_size(array);
    if (array && !json_is_array(array))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'%s' is a list of texts: [\"...\"]", key);
    np_status st = np_pool_take(&task->pool, out, (*count + 1) * sizeof **out);
    for (size_t i = 0; i < *count && !st; i++)
        if (!((*out)[i] = json_string_value(json_array_get(array, i))))
            st = NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'%s' is a list of texts: [\"...\"]", key);
    return st;
}

np_status np_grade_path(np_grade_task *task, const char *name, const char **out)
{
    const size_t room = strlen(task->folder) + strlen(name) + 2;
    char *path;
    np_status st = np_pool_take(&task->pool, &path, room);
    if (!st)
        snprintf(path, room, "%s%s%s", *name == '/' ? "" : task->folder, *name == '/' ? "" : "/", name);
    *out = path;
    return st;
}

/* ---- Parts ---- */

/* What programs read, as they declare it: takes = ["x : array below 10"]. A program that does nothing else. */
static np_status read_takes(np_grade_task *task)
{
    const char **texts;
    size_t count, length = 1, at = 0;
    char *text;
    np_status st = read_texts(task, task->root, "takes", &count, &texts);
    if (st)
        return st;
    if (count > NP_GRADE_INPUTS)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'takes' has %zu inputs: at most %d", count, NP_GRADE_INPUTS);
    for (size_t i = 0; i < count; i++)
        length += strlen(texts[i]) + 8;
    if ((st = np_pool_take(&task->pool, &text, length)))
        return st;
    for (size_t i = 0; i < count; i++) {
        if (strpbrk(texts[i], "\n;#"))
            return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'takes' has an input a text, as \"x : array below 10\"");
        at += (size_t)snprintf(text + at, length - at, "input %s\n", texts[i]);
    }
    task->declared = text;
    if (np_script_create("takes", text, at, NULL, &task->takes))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'takes' is not as a program declares its inputs: %.200s",
                              np_last_error());
    if (np_script_inputs(task->takes) != count)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'takes' has an input a text, as \"x : array below 10\"");
    return NP_OK;
}

/* Is there such a problem, of the inputs that the task has? */
static np_status check_judge(const np_grade_task *task)
{
    const np_judge *judge;
    char kinds[NP_SCRIPT_KINDS];
    if (np_judge_find(task->answer, &judge))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle]: %.300s", np_last_error());
    return strcmp(np_script_kinds(task->takes, judge, kinds), judge->entry.takes) != 0
               ? NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle]: %s has inputs: %s; and 'takes': %.100s", task->answer,
                                judge->entry.takes, kinds)
               : NP_OK;
}

static np_status read_oracle(np_grade_task *task)
{
    static const char *const keys[] = {"program", "text", "judge", "command", "seconds", "memory"};
    static const np_grade_oracle kinds[] = {NP_GRADE_PROGRAM, NP_GRADE_TEXT, NP_GRADE_JUDGE, NP_GRADE_COMMAND};
    json_t *oracle = json_object_get(task->root, "oracle");
    size_t given = 0, words;
    if (!oracle)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "no table [oracle]: who says what is right?");
    np_status st = np_grade_check_keys(task, oracle, "[oracle]", keys, sizeof keys / sizeof *keys);
    for (size_t i = 0; i < 4; i++)
        if (json_object_get(oracle, keys[i])) {
            task->oracle = kinds[i];
            given++;
        }
    if (!st && given != 1)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] has one of 'program', 'text', 'judge' and 'command'");
    if (!st && task->oracle == NP_GRADE_COMMAND)
        st = read_texts(task, oracle, "command", &words, &task->command);
    else if (!st)
        st = np_grade_text(task, oracle, keys[task->oracle], &task->answer);
    if (!st && task->oracle == NP_GRADE_COMMAND && !words)
        st = NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'command' has a program and its arguments: [\"python3\", \"a.py\"]");
    if (!st && task->oracle != NP_GRADE_COMMAND &&
        (json_object_get(oracle, "seconds") || json_object_get(oracle, "memory")))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "[oracle] has 'seconds' and 'memory' of a command only");
    if (!st && task->oracle == NP_GRADE_JUDGE)
        st = check_judge(task);
    if (!st && !(st = np_grade_whole(task, oracle, "seconds", 1, 3600, &task->oracle_seconds)))
        st = read_memory(task, oracle, &task->oracle_memory);
    return st;
}

static np_status read_limits(np_grade_task *task)
{
    static const char *const keys[] = {"steps", "memory", "seconds"};
    json_t *limits = json_object_get(task->root, "limits");
    if (!limits)
        return NP_OK;
    np_status st = np_grade_check_keys(task, limits, "[limits]", keys, sizeof keys / sizeof *keys);
    if (st || (st = np_grade_whole(task, limits, "steps", 1, UINT32_MAX, &task->steps)) ||
        (st = np_grade_whole(task, limits, "seconds", 1, 3600, &task->seconds)))
        return st;
    return read_memory(task, limits, &task->memory);
}

/* "T <= 8 * log2(n) + 20" */
static np_status read_bound(np_grade_task *task, const char *text, np_grade_bound *bound)
{
    const char *than = strstr(text, "<=");
    char what[160], left[16] = "";
    size_t length = than ? (size_t)(than - text) : 0;
    while (length && text[length - 1] == ' ')
        length--;
    if (length < sizeof left)
        snprintf(left, sizeof left, "%.*s", (int)length, text);
    *bound = (np_grade_bound){.text = text, .measure = NP_GRADE_T};
    while (bound->measure < NP_GRADE_MEASURES && strcmp(np_grade_measure_names[bound->measure], left) != 0)
        bound->measure++;
    snprintf(what, sizeof what, "the bound '%.120s'", text);
    if (bound->measure == NP_GRADE_MEASURES)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%s begins with T, W, T_p or processors, and '<='", what);
    if (bound->measure == NP_GRADE_T_P && !task->share)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%s needs a number of processors: p = \"n / log2(n)\"", what);
    return np_grade_formula(task, what, than + 2, &bound->formula);
}

static np_status read_bounds(np_grade_task *task)
{
    const char *share = NULL, **texts;
    size_t count;
    json_t *p = json_object_get(task->root, "p");
    np_status st = NP_OK;
    if (json_is_number(p)) {
        char number[NP_DECIMAL_ROOM];
        np_decimal_write(json_number_value(p), number);
        st = np_pool_text(&task->pool, number, strlen(number), &share);
    } else if (p && !json_is_string(p))
        st = NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'p' is a number or a formula: p = \"n / log2(n)\"");
    else
        st = np_grade_text(task, task->root, "p", &share);
    if (!st && share)
        st = np_grade_formula(task, "'p'", share, &task->share);
    if (st || (st = read_texts(task, task->root, "bounds", &count, &texts)) ||
        (st = np_pool_take(&task->pool, &task->bound, (count + 1) * sizeof *task->bound)))
        return st;
    if (count > NP_GRADE_BOUNDS)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "'bounds' has %zu bounds: at most %d", count, NP_GRADE_BOUNDS);
    for (size_t i = 0; i < count && !st; i++) {
        st = read_bound(task, texts[i], &task->bound[i]);
        task->bounds += !st;
    }
    return st;
}

static np_status read_inputs(np_grade_task *task)
{
    json_t *inputs = json_object_get(task->root, "inputs");
    uint32_t hidden = 0;
    np_status st = NP_OK;
    if (!json_array_size(inputs))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "no [[inputs]]: on what are programs run?");
    for (size_t i = 0; i < json_array_size(inputs) && !st; i++)
        st = np_grade_cases(task, json_array_get(inputs, i), (uint32_t)i + 1, &hidden);
    return st;
}

static np_status read_task(np_grade_task *task)
{
    static const char *const keys[] = {"title", "rule",   "takes",  "imports", "tolerance",
                                       "p",     "bounds", "oracle", "limits",  "inputs"};
    const char *rule = NULL;
    np_status st = np_grade_check_keys(task, task->root, "a task", keys, sizeof keys / sizeof *keys);
    if (st || (st = np_grade_text(task, task->root, "title", &task->title)) ||
        (st = np_grade_text(task, task->root, "rule", &rule)))
        return st;
    if (!rule)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "no 'rule': by which access rule are programs run?");
    if (np_access_rule_parse(rule, &task->rule))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%.300s", np_last_error());
    task->imports.folder = task->folder;
    if ((st = read_tolerance(task)) || (st = read_takes(task)) ||
        (st = read_texts(task, task->root, "imports", &task->imports.count, (const char ***)&task->imports.allowed)) ||
        (st = read_oracle(task)) || (st = read_limits(task)) || (st = read_bounds(task)))
        return st;
    return read_inputs(task);
}

/* ---- A task ---- */

static np_status create(np_grade_task *task, const char *path, const char *text, size_t length)
{
    const char *slash = strrchr(path, '/');
    json_error_t error;
    np_status st = np_pool_text(&task->pool, path, strlen(path), &task->path);
    if (!st)
        st = slash ? np_pool_text(&task->pool, path, (size_t)(slash - path) + (slash == path), &task->folder)
                   : np_pool_text(&task->pool, ".", 1, &task->folder);
    if (st)
        return st;
    task->title = slash ? slash + 1 : path;
    task->steps = 1000000;
    task->memory = UINT64_C(256) << 20;
    task->seconds = task->oracle_seconds = 10;
    task->oracle_memory = UINT64_C(512) << 20;
    task->root = np_json_load(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!task->root)
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "line %d: %.200s", error.line, error.text);
    if (task->title != path || !slash)
        st = np_pool_text(&task->pool, task->title, strlen(task->title), &task->title);
    return st ? st : read_task(task);
}

np_status np_grade_task_create(const char *path, const char *text, size_t length, np_grade_task **out)
{
    np_grade_task *task;
    *out = NULL;
    np_status st = np_memory_zeroed(&task, 1, sizeof *task, "a task");
    if (st)
        return st;
    if ((st = create(task, path, text, length))) {
        np_grade_task_free(task);
        return st;
    }
    *out = task;
    return NP_OK;
}

void np_grade_task_free(np_grade_task *task)
{
    if (!task)
        return;
    for (size_t i = 0; i < task->cases; i++) {
        np_script_result_free(task->item[i].made);
        np_script_result_free(task->item[i].expected);
    }
    for (size_t i = 0; i < task->bounds; i++)
        np_script_free(task->bound[i].formula);
    np_script_free(task->share);
    np_script_free(task->takes);
    json_decref(task->root);
    np_pool_clear(&task->pool);
    np_memory_free(task);
}
