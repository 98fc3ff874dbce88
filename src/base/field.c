/*
 * Walks tables of fields: finds rows by name, reads them as values, sets them from text. The names, the kinds and the
 * meaning of a row are in netpram/field.h; this file knows no structure but np_summary.
 *
 * A row is found together with an offset: the offset of the row's structure in the outermost structure. Every inset and
 * every object on the way adds its own offset. A structure behind a pointer has no offset, so reading walks from object
 * to object instead (`read_path`).
 */
#include "netpram/field.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/parse.h"
#include "base/quantity.h"

enum { OPTIONS_MAX = 4096 }; /* ours: a structure of options that says it has more bytes is not initialised */

static const double REAL_MOST = 1e15; /* ours: sums stay exact in halves */

/* ---- Rows ---- */

/* If *name begins with `row` and ends or has a dot there: moves *name past it. '-' and '_' count as the same. */
static bool begins(const char **name, const char *row)
{
    const char *p = *name;
    for (; *row && *row == (*p == '-' ? '_' : *p); row++)
        p++;
    if (*row || (*p && *p != '.'))
        return false;
    *name = p;
    return true;
}

/* The table of a row's members; NULL: it has none that can be named. */
static const np_fields *members(const np_field *field)
{
    if (field->kind == NP_FIELD_SUMMARY)
        return field->flags & NP_FIELD_WHOLE ? &np_summary_whole_fields : &np_summary_fields;
    return field->kind == NP_FIELD_OBJECT || field->kind == NP_FIELD_LIST || field->kind == NP_FIELD_INSET
               ? field->fields
               : NULL;
}

/* The number of rows of a table, with the rows of its insets. */
static size_t rows_of(const np_fields *fields)
{
    size_t count = 0;
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++)
        count += row->kind == NP_FIELD_INSET ? rows_of(row->fields) : 1;
    return count;
}

const np_field *np_fields_row(const np_fields *fields, size_t i, size_t *offset)
{
    if (offset)
        *offset = 0;
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++) {
        size_t rows = row->kind == NP_FIELD_INSET ? rows_of(row->fields) : 1;
        if (i >= rows) {
            i -= rows;
            continue;
        }
        if (row->kind != NP_FIELD_INSET)
            return row;
        const np_field *found = np_fields_row(row->fields, i, offset);
        if (offset)
            *offset += row->at;
        return found;
    }
    return NULL;
}

/* *offset grows by the offset of the structure that the row found is of. */
static const np_field *find(const np_fields *fields, const char *name, size_t *offset)
{
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++) {
        bool named = row->kind != NP_FIELD_INSET;
        size_t inner = *offset + row->at;
        const char *rest = name;
        if (named && (!begins(&rest, row->name) || (*rest && !members(row))))
            continue;
        if (named && !*rest)
            return row;
        const np_field *found = find(members(row), rest + named, &inner);
        if (!found && !named)
            continue;
        *offset = inner;
        return found;
    }
    return NULL;
}

const np_field *np_fields_find(const np_fields *fields, const char *name)
{
    size_t offset = 0;
    return find(fields, name, &offset);
}

bool np_field_listed(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; at; at = strpbrk(at, ", ")) {
        at += strspn(at, ", ");
        if (!strncmp(at, name, length) && strchr(", ", at[length])) /* the end counts */
            return true;
    }
    return false;
}

static np_parse_hint hint_of(const np_fields *fields, const char *name)
{
    np_parse_hint hint;
    const np_field *row;
    np_parse_hint_init(&hint, name);
    for (size_t i = 0; (row = np_fields_row(fields, i, NULL)); i++)
        np_parse_hint_add(&hint, row->name);
    return hint;
}

const char *np_fields_nearest(const np_fields *fields, const char *name)
{
    const char *nearest = hint_of(fields, name).nearest;
    return nearest ? nearest : "";
}

/* ---- Values ---- */

static void set_real(np_value *value, double real, bool whole)
{
    bool is_whole = whole && real >= 0 && real < 9e15 && real == (double)(uint64_t)real; /* below 2^53: exact */
    value->kind = is_whole ? NP_VALUE_WHOLE : NP_VALUE_REAL;
    if (is_whole)
        value->whole = (uint64_t)real;
    else
        value->real = real;
}

static void set_whole(np_value *value, uint64_t whole)
{
    value->kind = NP_VALUE_WHOLE;
    value->whole = whole;
}

static void set_range(np_value *value, const uint32_t *range)
{
    value->kind = NP_VALUE_TEXT;
    value->text = value->room.text;
    if (range[0] == range[1])
        snprintf(value->room.text, sizeof value->room.text, "%" PRIu32, range[0]);
    else
        snprintf(value->room.text, sizeof value->room.text, "%" PRIu32 "..%" PRIu32, range[0], range[1]);
}

static void set_text(np_value *value, const char *text)
{
    value->kind = text ? NP_VALUE_TEXT : NP_VALUE_NULL;
    value->text = text;
}

static void set_object(np_value *value, const np_field *field, const void *place)
{
    value->object = field->flags & NP_FIELD_BEHIND ? *(void *const *)place : place;
    value->kind = value->object ? NP_VALUE_OBJECT : NP_VALUE_NULL;
    value->fields = members(field);
}

static void set_list(np_value *value, const np_field *field, const void *object, const void *place)
{
    value->object = *(void *const *)place;
    value->kind = value->object || !(field->flags & NP_FIELD_ZERO) ? NP_VALUE_LIST : NP_VALUE_NULL;
    value->count = *(const size_t *)(const void *)((const char *)object + field->count_at);
    value->fields = field->fields;
}

static const char *word_of(const np_field *field, unsigned value)
{
    for (unsigned i = 0; field->words[i]; i++)
        if (i == value)
            return field->words[i];
    return NULL;
}

static void read_place(const np_field *field, const void *object, np_value *value)
{
    const void *place = (const char *)object + field->at;
    switch (field->kind) {
    case NP_FIELD_BOOL:
        value->kind = NP_VALUE_BOOL;
        value->truth = *(const bool *)place;
        break;
    case NP_FIELD_U32:
    case NP_FIELD_NODE:
        set_whole(value, *(const uint32_t *)place);
        break;
    case NP_FIELD_U64:
    case NP_FIELD_SEED:
    case NP_FIELD_BYTES:
        set_whole(value, *(const uint64_t *)place);
        break;
    case NP_FIELD_SIZE:
        set_whole(value, *(const size_t *)place);
        break;
    case NP_FIELD_I64:
        value->kind = NP_VALUE_INTEGER;
        value->integer = *(const int64_t *)place;
        break;
    case NP_FIELD_REAL:
        set_real(value, *(const double *)place, field->flags & NP_FIELD_WHOLE);
        break;
    case NP_FIELD_TEXT:
        set_text(value, *(const char *const *)place);
        break;
    case NP_FIELD_CHARS:
        set_text(value, place);
        break;
    case NP_FIELD_WORD:
        set_text(value, word_of(field, *(const unsigned *)place));
        break;
    case NP_FIELD_SUMMARY:
    case NP_FIELD_OBJECT:
    case NP_FIELD_INSET:
        set_object(value, field, place);
        break;
    case NP_FIELD_RANGE:
        set_range(value, place);
        break;
    case NP_FIELD_LIST:
        set_list(value, field, object, place);
        break;
    }
}

/* Sets the kind of value by the row's kind before `get` is called: `get` need only set the value. */
static void prepare(const np_field *field, np_value *value)
{
    static const np_value_kind kinds[] = {
        [NP_FIELD_BOOL] = NP_VALUE_BOOL,   [NP_FIELD_U32] = NP_VALUE_WHOLE,      [NP_FIELD_U64] = NP_VALUE_WHOLE,
        [NP_FIELD_I64] = NP_VALUE_INTEGER, [NP_FIELD_SIZE] = NP_VALUE_WHOLE,     [NP_FIELD_BYTES] = NP_VALUE_WHOLE,
        [NP_FIELD_REAL] = NP_VALUE_REAL,   [NP_FIELD_TEXT] = NP_VALUE_TEXT,      [NP_FIELD_CHARS] = NP_VALUE_TEXT,
        [NP_FIELD_WORD] = NP_VALUE_TEXT,   [NP_FIELD_SUMMARY] = NP_VALUE_OBJECT, [NP_FIELD_OBJECT] = NP_VALUE_OBJECT,
        [NP_FIELD_SEED] = NP_VALUE_WHOLE,  [NP_FIELD_LIST] = NP_VALUE_LIST,      [NP_FIELD_INSET] = NP_VALUE_OBJECT,
        [NP_FIELD_RANGE] = NP_VALUE_TEXT,  [NP_FIELD_NODE] = NP_VALUE_WHOLE,
    };
    value->kind = kinds[field->kind];
    value->fields = field->kind == NP_FIELD_LIST ? field->fields : members(field);
}

static bool is_none(const np_field *field, const np_value *value)
{
    return field->flags & NP_FIELD_ZERO && np_value_number(value) == 0;
}

static void clear(np_value *value) { *value = (np_value){.kind = NP_VALUE_NULL}; }

bool np_field_get(const np_field *field, const void *object, np_value *value)
{
    clear(value);
    if (field->applies && !field->applies(object))
        return false;
    if (field->known && !field->known(object))
        return true;
    if (field->get) {
        prepare(field, value);
        field->get(object, value);
    } else {
        read_place(field, object, value);
    }
    if ((value->kind == NP_VALUE_TEXT && !value->text) || is_none(field, value))
        value->kind = NP_VALUE_NULL;
    return true;
}

/* *found: there is such a row, whether it applies or not. */
static bool read_path(const np_fields *fields, const void *object, const char *name, np_value *value, bool *found)
{
    for (const np_field *row = fields->row; row < fields->row + fields->count && !*found; row++) {
        const char *rest = name;
        np_value inner;
        if (row->kind != NP_FIELD_INSET && !begins(&rest, row->name))
            continue;
        if (row->kind != NP_FIELD_INSET && !*rest) {
            *found = true;
            return np_field_get(row, object, value);
        }
        rest += row->kind != NP_FIELD_INSET;
        if (!members(row) || !np_field_get(row, object, &inner))
            continue;
        if (inner.kind == NP_VALUE_OBJECT && read_path(inner.fields, inner.object, rest, value, found))
            return true;
        if (inner.kind == NP_VALUE_NULL && np_fields_find(members(row), rest))
            return *found = true;
    }
    return false;
}

bool np_fields_get(const np_fields *fields, const void *object, const char *name, np_value *value)
{
    bool found = false;
    clear(value);
    return read_path(fields, object, name, value, &found);
}

void np_value_item(np_value *list, size_t i, np_value *item)
{
    clear(item);
    item->fields = list->fields;
    item->kind = NP_VALUE_OBJECT;
    if (list->item)
        list->item(list, i, item);
    else if (list->fields)
        item->object = (const char *)list->object + i * list->fields->size;
    else
        set_whole(item, ((const uint32_t *)list->object)[i]);
    if (item->kind == NP_VALUE_TEXT && !item->text)
        item->kind = NP_VALUE_NULL;
}

void np_value_hold(np_value *value, const void *structure, size_t size)
{
    assert(size <= sizeof value->room);
    value->object = memcpy(&value->room, structure, size);
}

double np_value_number(const np_value *value)
{
    switch (value->kind) {
    case NP_VALUE_BOOL:
        return value->truth;
    case NP_VALUE_WHOLE:
        return (double)value->whole;
    case NP_VALUE_INTEGER:
        return (double)value->integer;
    case NP_VALUE_REAL:
        return value->real;
    default:
        return NAN;
    }
}

const char *np_value_text(const np_value *value, size_t size, char *text)
{
    *text = '\0';
    if (value->kind == NP_VALUE_BOOL)
        snprintf(text, size, "%s", value->truth ? "true" : "false");
    else if (value->kind == NP_VALUE_WHOLE)
        snprintf(text, size, "%" PRIu64, value->whole);
    else if (value->kind == NP_VALUE_INTEGER)
        snprintf(text, size, "%" PRId64, value->integer);
    else if (value->kind == NP_VALUE_REAL)
        snprintf(text, size, "%s", NP_EXACT(value->real));
    else if (value->kind == NP_VALUE_TEXT)
        snprintf(text, size, "%s", value->text);
    return text;
}

/* ---- Setting ---- */

/* The largest value of a whole number or a range. */
static uint64_t high_of(const np_field *field)
{
    if (field->high)
        return field->high;
    return field->kind == NP_FIELD_U32 || field->kind == NP_FIELD_RANGE ? UINT32_MAX
           : field->kind == NP_FIELD_SEED                               ? INT64_MAX
           : field->kind == NP_FIELD_SIZE                               ? SIZE_MAX
                                                                        : UINT64_MAX;
}

static np_status refuse_number(const np_field *field)
{
    return NP_RAISE(NP_ERROR_INPUT, "must be a whole number in %" PRIu64 "..%" PRIu64, field->low, high_of(field));
}

static np_status refuse_range(const np_field *field)
{
    return NP_RAISE(NP_ERROR_INPUT, "must be a length in %" PRIu64 "..%" PRIu64 " or a range such as 1..8", field->low,
                    high_of(field));
}

static np_status set_number(const np_field *field, void *place, const char *text)
{
    uint64_t value;
    if (!np_parse_whole(text, field->low, high_of(field), &value))
        return refuse_number(field);
    if (field->kind == NP_FIELD_U32)
        *(uint32_t *)place = (uint32_t)value;
    else if (field->kind == NP_FIELD_SIZE)
        *(size_t *)place = value;
    else
        *(uint64_t *)place = value;
    return NP_OK;
}

static bool is_range(const np_field *field, uint64_t least, uint64_t most)
{
    return least >= field->low && least <= most && most <= high_of(field);
}

static np_status set_range_of(const np_field *field, uint32_t *place, const char *text)
{
    uint64_t least, most;
    bool good = np_parse_u64(&text, &least);
    most = least;
    if (good && !strncmp(text, "..", 2)) {
        text += 2;
        good = np_parse_u64(&text, &most);
    }
    if (!good || *text || !is_range(field, least, most))
        return refuse_range(field);
    place[0] = (uint32_t)least;
    place[1] = (uint32_t)most;
    return NP_OK;
}

static np_status set_bytes(void *place, const char *text)
{
    double bytes;
    bool said;
    if (!np_size_read((np_text_field){text, strlen(text)}, &bytes, &said) && bytes >= 1 && bytes < 0x1p64 &&
        bytes == floor(bytes)) {
        *(uint64_t *)place = (uint64_t)bytes;
        return NP_OK;
    }
    return NP_RAISE(NP_ERROR_INPUT, "must be a number of bytes, as in 4G (4 * 2^30), 4GB (4 * 10^9) or 4GiB");
}

static double most_of(const np_field *field) { return field->most > 0 ? field->most : REAL_MOST; }

static bool is_real(const np_field *field, double value) { return value >= field->least && value <= most_of(field); }

static np_status refuse_real(const np_field *field)
{
    if (most_of(field) < REAL_MOST)
        return NP_RAISE(NP_ERROR_INPUT, "must be a number in %s..%s", NP_REAL(field->least, 6),
                        NP_REAL(field->most, 6));
    return NP_RAISE(NP_ERROR_INPUT, "must be a number in %s..1e15", NP_REAL(field->least, 6));
}

static np_status set_double(const np_field *field, void *place, const char *text)
{
    double value;
    if (!np_decimal_signed((np_text_field){text, strlen(text)}, &value) || !is_real(field, value))
        return refuse_real(field);
    *(double *)place = value;
    return NP_OK;
}

static np_status choose(const char *text, const char *const *words, unsigned *choice)
{
    unsigned count = 0;
    for (; words[count]; count++)
        if (!strcmp(words[count], text)) {
            *choice = count;
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT, "%s", np_parse_hint_of(text, words, count).text);
}

static np_status set_word(const np_field *field, void *place, const char *text)
{
    return choose(text, field->words, place);
}

static np_status set_bool(void *place, const char *text)
{
    static const char *const truths[] = {"false", "true", NULL};
    unsigned choice = 0;
    np_status st = choose(text, truths, &choice);
    if (!st)
        *(bool *)place = choice;
    return st;
}

np_status np_field_set(const np_field *field, void *object, const char *text)
{
    void *place = (char *)object + field->at;
    if (field->set)
        return field->set(object, field, text);
    switch (field->kind) {
    case NP_FIELD_BOOL:
        return set_bool(place, text);
    case NP_FIELD_U32:
    case NP_FIELD_U64:
    case NP_FIELD_SEED:
    case NP_FIELD_SIZE:
        return set_number(field, place, text);
    case NP_FIELD_BYTES:
        return set_bytes(place, text);
    case NP_FIELD_RANGE:
        return set_range_of(field, place, text);
    case NP_FIELD_REAL:
        return set_double(field, place, text);
    case NP_FIELD_TEXT:
        *(const char **)place = text;
        return NP_OK;
    case NP_FIELD_WORD:
        return set_word(field, place, text);
    default:
        return NP_RAISE(NP_ERROR_INTERNAL, "field '%s' cannot be set from text", field->name);
    }
}

np_status np_fields_set(const np_fields *fields, void *object, const char *name, const char *text)
{
    size_t offset = 0;
    const np_field *field = find(fields, name, &offset);
    if (!field)
        return NP_RAISE(NP_ERROR_INPUT, "no option '%s' of %s: %s", name, fields->of, hint_of(fields, name).text);
    np_status st = np_field_set(field, (char *)object + offset, text);
    if (!st)
        return NP_OK;
    return field->flags & NP_FIELD_SAYS ? np_status_prefix(st, "%s: ", name)
                                        : np_status_prefix(st, "%s %s: ", name, text);
}

static bool is_inset(const np_field *field)
{
    return field->kind == NP_FIELD_INSET && !(field->flags & NP_FIELD_BEHIND);
}

static void preset(const np_fields *fields, void *object)
{
    if (fields->sized)
        *(size_t *)object = fields->size;
    if (fields->begin)
        fields->begin(object);
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++) {
        np_status st = NP_OK;
        if (is_inset(row))
            preset(row->fields, (char *)object + row->at);
        else if (row->preset)
            st = np_field_set(row, object, row->preset);
        assert(!st); /* the row accepts its own preset: tests/unit/test_options.c checks all tables */
        (void)st;
    }
}

void np_fields_init(const np_fields *fields, void *object)
{
    memset(object, 0, fields->size);
    preset(fields, object);
}

/* ---- Checking ---- */

static np_status check_number(const np_field *field, uint64_t value)
{
    if ((value >= field->low && value <= high_of(field)) || (!value && !field->preset))
        return NP_OK;
    return np_status_prefix(refuse_number(field), "%s %" PRIu64 ": ", field->name, value);
}

static np_status check_range(const np_field *field, const uint32_t *value)
{
    if (is_range(field, value[0], value[1]))
        return NP_OK;
    return np_status_prefix(refuse_range(field), "%s %" PRIu32 "..%" PRIu32 ": ", field->name, value[0], value[1]);
}

static np_status check_real(const np_field *field, double value)
{
    if (is_real(field, value) || (value == 0 && !field->preset))
        return NP_OK;
    return np_status_prefix(refuse_real(field), "%s %s: ", field->name, NP_REAL(value, 6));
}

static np_status check_word(const np_field *field, unsigned value)
{
    unsigned count = 0;
    while (field->words && field->words[count])
        count++;
    return !field->words || value < count ? NP_OK
                                          : NP_RAISE(NP_ERROR_INPUT, "%s %u: must be in 0..%u, the last is '%s'",
                                                     field->name, value, count - 1, field->words[count - 1]);
}

static np_status check_row(const np_field *field, const void *object)
{
    const void *place = (const char *)object + field->at;
    switch (field->kind) {
    case NP_FIELD_U32:
        return check_number(field, *(const uint32_t *)place);
    case NP_FIELD_U64:
        return check_number(field, *(const uint64_t *)place);
    case NP_FIELD_SIZE:
        return check_number(field, *(const size_t *)place);
    case NP_FIELD_RANGE:
        return check_range(field, place);
    case NP_FIELD_REAL:
        return check_real(field, *(const double *)place);
    case NP_FIELD_WORD:
        return check_word(field, *(const unsigned *)place);
    default:
        return is_inset(field) ? np_fields_check(field->fields, place) : NP_OK;
    }
}

np_status np_fields_check(const np_fields *fields, const void *object)
{
    np_status st = NP_OK;
    for (const np_field *row = fields->row; !st && row < fields->row + fields->count; row++)
        st = check_row(row, object);
    return st;
}

bool np_field_differs(const np_field *field, const void *one, const void *other)
{
    static const size_t sizes[] = {
        [NP_FIELD_BOOL] = sizeof(bool),      [NP_FIELD_U32] = sizeof(uint32_t),      [NP_FIELD_U64] = sizeof(uint64_t),
        [NP_FIELD_SEED] = sizeof(uint64_t),  [NP_FIELD_I64] = sizeof(int64_t),       [NP_FIELD_SIZE] = sizeof(size_t),
        [NP_FIELD_BYTES] = sizeof(uint64_t), [NP_FIELD_REAL] = sizeof(double),       [NP_FIELD_TEXT] = sizeof(char *),
        [NP_FIELD_WORD] = sizeof(unsigned),  [NP_FIELD_RANGE] = sizeof(uint32_t[2]), [NP_FIELD_INSET] = 0,
    };
    return memcmp((const char *)one + field->at, (const char *)other + field->at, sizes[field->kind]) != 0;
}

/* ---- Options ---- */

void np_options_init(const np_fields *fields, void *options, size_t size)
{
    union {
        size_t size;
        max_align_t align;
        char bytes[OPTIONS_MAX];
    } full;
    assert(fields->sized && fields->size <= sizeof full && size >= sizeof full.size);
    np_fields_init(fields, &full);
    memset(options, 0, size);
    memcpy(options, &full, size < fields->size ? size : fields->size);
    *(size_t *)options = size;
}

np_status np_options_heeded(const np_fields *fields, const void *options, const char *who,
                            np_status (*heeds)(const char *who, const char *option))
{
    union {
        max_align_t align;
        char bytes[OPTIONS_MAX];
    } fresh;
    const np_field *field;
    size_t offset;
    assert(fields->size <= sizeof fresh);
    np_fields_init(fields, &fresh);
    for (size_t i = 0; (field = np_fields_row(fields, i, &offset)); i++) {
        bool set = np_field_differs(field, (const char *)options + offset, fresh.bytes + offset);
        np_status st = set ? heeds(who, field->name) : NP_OK;
        if (st)
            return np_status_prefix(st, "%s ", field->name);
    }
    return NP_OK;
}

static bool is_zero(const char *bytes, size_t count)
{
    while (count && !bytes[count - 1])
        count--;
    return !count;
}

np_status np_options_take(const np_fields *fields, const void *given, void *full)
{
    size_t size = given ? *(const size_t *)given : 0;
    size_t shared = size < fields->size ? size : fields->size;
    if (given && (size <= sizeof size || size > OPTIONS_MAX))
        return NP_RAISE(NP_ERROR_INPUT, "options of %s say that they have %zu bytes: initialise them by np_%s_init",
                        fields->of, size, fields->name);
    if (size > shared && !is_zero((const char *)given + shared, size - shared))
        return NP_RAISE(NP_ERROR_INPUT, "options of %s hold more than netpram %s knows: leave what is new at 0",
                        fields->of, np_version());
    if (shared < fields->size)
        np_fields_init(fields, full);
    if (shared)
        memcpy(full, given, shared);
    *(size_t *)full = fields->size;
    return np_fields_check(fields, full);
}
