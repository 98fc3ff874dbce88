/*
 * JSON through jansson. It prints keys in the order in which they were set.
 * Reals print with 15 significant digits: all that a double holds of any
 * decimal, so 0.1 prints as 0.1 and not as 0.10000000000000001.
 */
#include "report/json.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "netpram/output.h"
#include "netpram/version.h"

#define FLAGS (JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))

static void drop(json_t **container, json_t *value)
{
    json_decref(value);
    json_decref(*container);
    *container = NULL;
}

void np_json_set(json_t **container, const char *key, json_t *value)
{
    if (!*container || !value)
        drop(container, value);
    else if (json_object_set_new(*container, key, value))
        drop(container, NULL);
}

void np_json_append(json_t **container, json_t *value)
{
    if (!*container || !value)
        drop(container, value);
    else if (json_array_append_new(*container, value))
        drop(container, NULL);
}

json_t *np_json_head(const char *command)
{
    json_t *object = json_object();
    np_json_set(&object, "netpram", json_string(np_version()));
    np_json_set(&object, "json_version", json_integer(NP_REPORT_JSON_VERSION));
    np_json_set(&object, "command", np_json_text(command ? command : ""));
    return object;
}

json_t *np_json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *ascii = np_memory_text(text);
    if (!ascii)
        return NULL;
    for (char *p = ascii; *p; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    value = json_string(ascii);
    np_memory_free(ascii);
    return value;
}

json_t *np_json_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *np_json_whole(uint64_t value)
{
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    return json_sprintf("%llu", (unsigned long long)value);
}

/* Whole measures have whole extremes and quantiles, whatever their mean. */
static json_t *level(double value, bool whole)
{
    return whole && value >= 0 && value < 9e15 ? json_integer((json_int_t)value) : np_json_real(value);
}

json_t *np_json_summary(const np_summary *summary, bool whole)
{
    json_t *object = json_object();
    np_json_set(&object, "mean", np_json_real(summary->mean));
    np_json_set(&object, "variance", np_json_real(summary->variance));
    np_json_set(&object, "min", level(summary->min, whole));
    np_json_set(&object, "max", level(summary->max, whole));
    np_json_set(&object, "p50", level(summary->p50, whole));
    np_json_set(&object, "p99", level(summary->p99, whole));
    np_json_set(&object, "ci95", np_json_real(summary->ci95));
    return object;
}

static void print_value(const json_t *value, int depth, int open, FILE *stream);

static void new_line(int depth, FILE *stream) { fprintf(stream, "\n%*s", 2 * depth, ""); }

static void print_object(const json_t *object, int depth, int open, FILE *stream)
{
    const char *key, *separator = "";
    json_t *value;
    fputc('{', stream);
    json_object_foreach((json_t *)object, key, value)
    {
        fputs(separator, stream);
        new_line(depth + 1, stream);
        fprintf(stream, "\"%s\": ", key); /* our own keys: nothing to escape */
        print_value(value, depth + 1, open, stream);
        separator = ",";
    }
    new_line(depth, stream);
    fputc('}', stream);
}

static void print_array(const json_t *array, int depth, int open, FILE *stream)
{
    fputc('[', stream);
    for (size_t i = 0; i < json_array_size(array); i++) {
        fputs(i ? "," : "", stream);
        new_line(depth + 1, stream);
        print_value(json_array_get(array, i), depth + 1, open, stream);
    }
    new_line(depth, stream);
    fputc(']', stream);
}

/* Holds containers: what does not is short enough for one line. */
static bool nests(const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    json_object_foreach((json_t *)value, key, member) if (json_is_object(member) || json_is_array(member)) return true;
    json_array_foreach(value, i, member) if (json_is_object(member) || json_is_array(member)) return true;
    return false;
}

static void print_value(const json_t *value, int depth, int open, FILE *stream)
{
    bool broken = depth < open && nests(value);
    if (broken && json_is_object(value))
        print_object(value, depth, open, stream);
    else if (broken)
        print_array(value, depth, open, stream);
    else
        (void)json_dumpf(value, stream, FLAGS); /* a failed write shows in the stream's error flag */
}

np_status np_json_print(json_t *object, int open, FILE *stream)
{
    if (!object)
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for a report in JSON");
    print_value(object, 0, open, stream);
    fputc('\n', stream);
    json_decref(object);
    return np_output_check(stream, "the report");
}
