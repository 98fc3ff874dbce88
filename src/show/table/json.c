/*
 * JSON through jansson, but for reals: jansson reads and prints them by the locale, and knows no point of several
 * bytes. Keys are printed in the order in which they were set. A real prints as the shortest number that is read as the
 * same bits: 0.1, and not 0.10000000000000001.
 */
#include "show/table/json.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/written.h"

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

/* Bytes that are no UTF-8 become \xe9. Returns out. */
static char *escape_bytes(const char *text, char *out)
{
    char *at = out;
    while (*text) {
        uint32_t code;
        bool plain;
        size_t bytes = np_written_next(text, &code, &plain);
        at += bytes ? sprintf(at, "%.*s", (int)bytes, text) : sprintf(at, "\\x%02x", *(const unsigned char *)text);
        text += bytes ? bytes : 1;
    }
    *at = 0;
    return out;
}

json_t *np_json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *escaped;
    if (np_memory_array(&escaped, 4 * strlen(text) + 1, 1, "a text"))
        return NULL;
    value = json_string(escape_bytes(text, escaped));
    np_memory_free(escaped);
    return value;
}

/* A number, or null if it is not finite. */
static json_t *number_of(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *np_json_whole(uint64_t value)
{
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    return json_sprintf("%llu", (unsigned long long)value);
}

/* Texts come in pieces of whole characters, and nothing else has any that are not ASCII. */
static int dump(const char *text, size_t size, void *stream)
{
    for (const char *end = text + size; text < end;) {
        uint32_t code;
        bool plain;
        char one[8] = "";
        memcpy(one, text, (size_t)(end - text) < 4 ? (size_t)(end - text) : 4);
        size_t bytes = np_written_next(one, &code, &plain);
        bytes = bytes ? bytes : 1;
        if (plain || code == '\n')
            fwrite(text, 1, bytes, stream);
        else
            fprintf(stream, "\\u%04x", (unsigned)code);
        text += bytes;
    }
    return 0;
}

void np_json_dump(const json_t *value, size_t flags, FILE *stream)
{
    (void)json_dump_callback(value, dump, stream, flags); /* a failed write shows in the stream's error flag */
}

/* ---- Tables of fields ---- */

static json_t *value_json(np_value *value);

static json_t *list_json(np_value *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count && array; i++) {
        np_value item;
        np_value_item(list, i, &item);
        np_json_append(&array, value_json(&item));
    }
    return array;
}

static json_t *value_json(np_value *value)
{
    json_t *object;
    switch (value->kind) {
    case NP_VALUE_BOOL:
        return json_boolean(value->truth);
    case NP_VALUE_WHOLE:
        return np_json_whole(value->whole);
    case NP_VALUE_INTEGER:
        return json_integer(value->integer);
    case NP_VALUE_REAL:
        return number_of(value->real);
    case NP_VALUE_TEXT:
        return np_json_text(value->text);
    case NP_VALUE_OBJECT:
        object = json_object();
        np_json_fields(&object, value->fields, value->object);
        return object;
    case NP_VALUE_LIST:
        return list_json(value);
    default:
        return json_null();
    }
}

/* Sets "a.b.c": key c in the object b of the object a. Makes a and b if they do not exist. */
static void set_path(json_t **container, const char *name, json_t *value)
{
    const char *dot = strchr(name, '.');
    char key[64];
    if (!dot) {
        np_json_set(container, name, value);
        return;
    }
    snprintf(key, sizeof key, "%.*s", (int)(dot - name), name);
    json_t *inner = json_object_get(*container, key);
    if (!inner) {
        np_json_set(container, key, json_object());
        inner = json_object_get(*container, key);
    }
    if (!inner) {
        drop(container, value);
        return;
    }
    json_t *held = json_incref(inner);
    set_path(&held, dot + 1, value);
    if (held)
        json_decref(held);
    else
        drop(container, NULL);
}

void np_json_fields(json_t **container, const np_fields *fields, const void *object)
{
    for (const np_field *row = fields->row; row < fields->row + fields->count && *container; row++) {
        np_value value;
        if (!np_field_get(row, object, &value))
            continue;
        if (row->kind != NP_FIELD_INSET)
            set_path(container, row->name, value_json(&value));
        else if (value.kind == NP_VALUE_OBJECT)
            np_json_fields(container, value.fields, value.object);
    }
}

np_status np_json_report(const np_fields *fields, const void *object, const char *command, int open, FILE *stream)
{
    json_t *json = np_json_head(command);
    np_json_fields(&json, fields, object);
    return np_json_print(json, open, stream);
}

/* ---- Printing ---- */

static void print_value(const json_t *value, int depth, int open, FILE *stream);

/* Texts and whole numbers. A failed write shows in the stream's error flag. */
static void print_plain(const json_t *value, FILE *stream) { np_json_dump(value, JSON_ENCODE_ANY, stream); }

/* Before a member, or before the end: a new line in a broken container, else a blank between two members. */
static void separate(bool broken, bool first, int depth, FILE *stream)
{
    if (!first)
        fputc(',', stream);
    if (broken)
        fprintf(stream, "\n%*s", 2 * depth, "");
    else if (!first)
        fputc(' ', stream);
}

static void print_object(const json_t *object, bool broken, int depth, int open, FILE *stream)
{
    const char *name;
    json_t *value;
    bool first = true;
    fputc('{', stream);
    json_object_foreach((json_t *)object, name, value)
    {
        json_t *key = json_string_nocheck(name);
        separate(broken, first, depth + 1, stream);
        print_plain(key, stream);
        fputs(": ", stream);
        print_value(value, depth + 1, open, stream);
        json_decref(key);
        first = false;
    }
    separate(broken, true, depth, stream);
    fputc('}', stream);
}

static void print_array(const json_t *array, bool broken, int depth, int open, FILE *stream)
{
    fputc('[', stream);
    for (size_t i = 0; i < json_array_size(array); i++) {
        separate(broken, !i, depth + 1, stream);
        print_value(json_array_get(array, i), depth + 1, open, stream);
    }
    separate(broken, true, depth, stream);
    fputc(']', stream);
}

/* Does the value hold containers? A value without containers is short enough for one line. */
static bool nests(const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    json_object_foreach((json_t *)value, key, member) if (json_is_object(member) || json_is_array(member)) return true;
    json_array_foreach(value, i, member) if (json_is_object(member) || json_is_array(member)) return true;
    return false;
}

/* "0.5", "3.0", "1e-6": a point or an exponent says that it is real; no sign and no zeros before the exponent, as
 * jansson. */
static void print_real(double value, FILE *stream)
{
    const np_decimal_text real = np_decimal_exact(value);
    const char *exponent = strchr(real.text, 'e');
    if (!exponent)
        fprintf(stream, "%s%s", real.text, strchr(real.text, '.') ? "" : ".0");
    else
        fprintf(stream, "%.*s%s%s", (int)(exponent - real.text) + 1, real.text, exponent[1] == '-' ? "-" : "",
                exponent + 2 + strspn(exponent + 2, "0"));
}

static void print_value(const json_t *value, int depth, int open, FILE *stream)
{
    bool broken = depth < open && nests(value);
    if (json_is_object(value))
        print_object(value, broken, depth, open, stream);
    else if (json_is_array(value))
        print_array(value, broken, depth, open, stream);
    else if (json_is_real(value))
        print_real(json_real_value(value), stream);
    else
        print_plain(value, stream);
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

/* ---- Reading ---- */

json_t *np_json_load(const char *text, size_t length, size_t flags, json_error_t *error)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *error = (json_error_t){.line = 1, .text = "no memory for the C locale"};
    error->text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_out_of_memory; /* where json_error_code looks */
    if (!plain)
        return NULL;
    locale_t before = uselocale(plain); /* of this thread */
    (void)NP_RAISE(NP_ERROR_INPUT, "this is no JSON");
    const size_t mark = np_text_mark(text, length);
    json_t *json = json_loadb(text + mark, length - mark, flags, error);
    if (!json && np_status_last() == NP_ERROR_MEMORY) /* jansson may call a name without memory a wrong one */
        error->text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_out_of_memory;
    (void)uselocale(before);
    freelocale(plain);
    return json;
}
