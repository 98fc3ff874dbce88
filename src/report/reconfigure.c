/* The result of a program on a reconfigurable array, as a table and as JSON (docs/json.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "netpram/base.h"
#include "reconfigure/fields.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"
#include "sort/keys.h"

static bool drawn(const np_reconfigure_result *result, uint32_t round) { return result->picture[round].setting; }

static const char *things(const np_reconfigure_result *result) { return result->rank ? "keys" : "bits"; }

/* ---- Table ---- */

static bool was_read(const np_reconfigure_result *result) { return result->keys && result->input; }

static void input_line(const np_reconfigure_result *result, FILE *stream)
{
    if (result->n) {
        fprintf(stream, "%s       %" PRIu64, things(result), result->n);
        if (was_read(result))
            fprintf(stream, " %s", np_keys_kind_name(np_keys_kind(result->keys)));
        if (result->drawn)
            fprintf(stream, " random, seed %" PRIu64, result->seed);
    } else if (result->input) {
        fprintf(stream, "settings  ");
    }
    if (result->input)
        fprintf(stream, " from %s", result->input);
    if (result->n || result->input)
        fputc('\n', stream);
}

static void settings_line(const np_reconfigure_result *result, FILE *stream)
{
    const char *between = "settings   ";
    for (size_t i = 0; i < NP_SWITCH_SETTINGS; i++)
        if (result->settings >> i & 1) {
            fprintf(stream, "%s%s", between, np_switch_setting_name(np_switch_setting_get(i)));
            between = ", ";
        }
    fputc('\n', stream);
}

static void head(const np_reconfigure_result *result, FILE *stream)
{
    fprintf(stream, "program    %s: %s\n", result->program->name, result->program->help);
    input_line(result, stream);
    fprintf(stream, "grid       %u x %u: %" PRIu64 " switches, %u PUs\n", result->rows, result->columns,
            result->switches, result->pus);
    settings_line(result, stream);
    fprintf(stream, "rounds     %u\n", result->rounds);
    if (result->n && !result->rank)
        fprintf(stream, "answer     parity %u\n", result->parity);
    if (result->correct)
        fprintf(stream, "outcome    %s\n", result->heard ? "no conflict" : "correct");
    else
        fprintf(stream, "outcome    %s: %s\n", result->conflicts ? "CONFLICT" : "WRONG", result->wrong);
}

static np_status rounds_table(const np_reconfigure_result *result, FILE *stream)
{
    static const char *const titles[] = {"  round", "what", "senders", "subnets", "switches", "PUs"};
    np_table table;
    fputs("\nrounds (subnets with a signal; switches and other PUs that hear one)\n", stream);
    np_table_begin(&table, "rlrrrr", titles);
    for (uint32_t i = 0; i < result->rounds; i++) {
        const np_switch_round *round = &result->round[i];
        np_table_add(&table, "  %u", i + 1);
        np_table_add(&table, "%s", round->what);
        np_table_add(&table, "%" PRIu64, round->senders);
        np_table_add(&table, "%" PRIu64, round->nets);
        np_table_add(&table, "%" PRIu64, round->switches);
        np_table_add(&table, "%" PRIu64, round->pus);
    }
    return np_table_end(&table, stream);
}

static np_status pictures(const np_reconfigure_result *result, FILE *stream)
{
    np_status st = NP_OK;
    for (uint32_t i = 0; !st && i < result->rounds && drawn(result, i); i++) {
        fprintf(stream, "\nround %u: %s\n\n", i + 1, result->round[i].what);
        st = np_report_reconfigure_picture(result, i, stream);
    }
    return st;
}

/* A key as it was read; the caller frees it. NULL: no memory. */
static char *key_text(const np_keys *keys, uint32_t i)
{
    char *text;
    const np_keys_line *line = &keys->line[i];
    if (np_memory_zeroed(&text, line->length + 1, 1, "a key"))
        return NULL;
    memcpy(text, line->at, line->length);
    return text;
}

/* A key as a cell of a table. */
static np_status key_cell(np_table *table, const np_keys *keys, uint32_t i)
{
    if (!keys->line) {
        np_table_add(table, "%" PRIu64, keys->word[i]);
        return NP_OK;
    }
    char *text = key_text(keys, i);
    if (!text)
        return np_status_last();
    np_table_add(table, "%s", text);
    np_memory_free(text);
    return NP_OK;
}

/* The keys in sorted order, if there is an order; else in the order of the input, with their ranks. */
static np_status keys_table(const np_reconfigure_result *result, FILE *stream)
{
    np_table table;
    np_status st = NP_OK;
    fputs(result->order ? "\nsorted (rank, number in the input, key)\n" : "\nranks (rank, number in the input, key)\n",
          stream);
    np_table_begin(&table, "rrl", NULL);
    for (uint32_t i = 0; !st && i < result->n; i++) {
        uint32_t key = result->order ? result->order[i] : i;
        np_table_add(&table, "  %u", result->rank[key]);
        np_table_add(&table, "%u", key);
        st = key_cell(&table, result->keys, key);
    }
    if (!st)
        st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

static void print_place(np_pu_place place, FILE *stream)
{
    fprintf(stream, "%c%u", np_switch_port_letter(place.side), place.index);
}

static void heard_list(const np_reconfigure_result *result, FILE *stream)
{
    fputs("\nheard\n", stream);
    for (uint32_t pu = 0; pu < result->pus; pu++) {
        if (result->heard[pu] == NP_NONE)
            continue;
        fputs("  ", stream);
        print_place(result->place[pu], stream);
        fputs(" hears ", stream);
        print_place(result->place[result->heard[pu]], stream);
        fputc('\n', stream);
    }
}

static np_status report_table(const np_reconfigure_result *result, bool list, const char *command, FILE *stream)
{
    np_status st;
    head(result, stream);
    if ((st = rounds_table(result, stream)) || (st = pictures(result, stream)))
        return st;
    if (list && result->rank && result->correct && (st = keys_table(result, stream)))
        return st;
    if (list && result->heard)
        heard_list(result, stream);
    if (command && *command)
        fprintf(stream, "\nrepeat     %s\n", command);
    fprintf(stream, "by         netpram %s\n", np_version());
    return np_output_check(stream, "the report");
}

/* ---- JSON ---- */

typedef struct view {
    const np_reconfigure_result *result;
    char *picture[NP_RECONFIGURE_ROUNDS]; /* lines, each ended by a zero; NULL: there is none */
    size_t lines[NP_RECONFIGURE_ROUNDS];
    char **key; /* [n] the keys of a file, by their numbers; NULL: there is no file */
} view;

static const view *of(const void *object) { return object; }

static bool was_made(const void *object) { return of(object)->result->drawn; }
static bool has_kind(const void *object) { return was_read(of(object)->result); }
static bool is_sorted(const void *object) { return of(object)->result->order && of(object)->result->correct; }
static void get_program(const void *object, np_value *value) { value->text = of(object)->result->program->name; }
static void get_seed(const void *object, np_value *value) { value->whole = of(object)->result->seed; }
static void get_input(const void *object, np_value *value) { value->text = of(object)->result->input; }

static void get_kind(const void *object, np_value *value)
{
    value->text = np_keys_kind_name(np_keys_kind(of(object)->result->keys));
}

/* A key of a file is a string, a generated key a number. */
static void get_key(np_value *list, size_t i, np_value *item)
{
    const view *v = list->object;
    uint32_t key = v->result->order[i];
    item->kind = v->key ? NP_VALUE_TEXT : NP_VALUE_WHOLE;
    if (v->key)
        item->text = v->key[key];
    else
        item->whole = v->result->keys->word[key];
}

static void get_sorted(const void *object, np_value *value)
{
    value->object = object;
    value->count = of(object)->result->n;
    value->item = get_key;
}

typedef struct round {
    const np_switch_round *round;
    const char *picture;
    size_t lines;
} round;

/* words[0] of the list: where the next line begins. */
static void get_line(np_value *list, size_t i, np_value *item)
{
    const char *text = (const char *)list->object + (i ? list->room.words[0] : 0);
    item->kind = NP_VALUE_TEXT;
    item->text = text;
    list->room.words[0] = (uint64_t)(text + strlen(text) + 1 - (const char *)list->object);
}

static void get_picture(const void *object, np_value *value)
{
    const round *of_round = object;
    value->object = of_round->picture;
    value->count = of_round->lines;
    value->item = get_line;
}

static bool has_picture(const void *object) { return ((const round *)object)->picture; }

static const np_field round_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(round, round), .flags = NP_FIELD_BEHIND, .fields = &np_switch_round_fields},
    {"picture", NP_FIELD_LIST, .get = get_picture, .known = has_picture,
     .help = "with `--show` a list of lines of text; else `null`"},
};

static const np_fields round_fields = NP_FIELDS("round", "a round", round, round_rows);

static void get_round(np_value *list, size_t i, np_value *item)
{
    const view *v = list->object;
    const round one = {&v->result->round[i], v->picture[i], v->lines[i]};
    np_value_hold(item, &one, sizeof one);
}

static void get_rounds(const void *object, np_value *value)
{
    value->object = object;
    value->count = of(object)->result->rounds;
    value->item = get_round;
}

static const np_field view_rows[] = {
    {"program", NP_FIELD_TEXT, .get = get_program, .help = "`parity`, `rank`, `sort` or `broadcast`"},
    {"seed", NP_FIELD_U64, .get = get_seed, .known = was_made,
     .help = "that bits or keys were drawn from; `null`: they were given"},
    {"input", NP_FIELD_TEXT, .get = get_input,
     .help = "the file that the keys or the settings were read from; or `null`"},
    {"kind", NP_FIELD_WORD, .get = get_kind, .known = has_kind,
     .help = "of the keys of a file: `integers`, `floats` or `text`; or `null`"},
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_reconfigure_grid_fields},
    {"sorted", NP_FIELD_LIST, .get = get_sorted, .known = is_sorted,
     .help = "of `sort`: the keys in order, the lines of a file as strings, drawn keys as integers; or `null`"},
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_reconfigure_heard_fields},
    {"by_round", NP_FIELD_LIST, .get = get_rounds, .fields = &round_fields, .help = "an object for each round"},
};

static const np_fields view_fields = NP_FIELDS("reconfigure", "a program", view, view_rows);

static const char columns[] =
    "program,seed,input,n,rows,columns,correct,what=by_round.what,senders=by_round.senders,subnets=by_round.subnets,"
    "switches=by_round.switches,pus=by_round.pus,conflicts=by_round.conflicts";

const np_report_shape np_report_reconfigure_shape = {"reconfigure", &view_fields, &view_fields, columns};

/* Keeps the lines of a round's picture, if it has one. */
static np_status draw(view *v, uint32_t i)
{
    size_t size;
    if (!drawn(v->result, i))
        return NP_OK;
    FILE *stream = open_memstream(&v->picture[i], &size);
    if (!stream)
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for a picture");
    np_status st = np_report_reconfigure_picture(v->result, i, stream);
    if (fclose(stream) && !st)
        st = NP_RAISE(NP_ERROR_MEMORY, "no memory for a picture");
    for (char *p = v->picture[i]; !st && (p = strchr(p, '\n')); *p++ = '\0')
        v->lines[i]++;
    return st;
}

static np_status keep_keys(view *v)
{
    np_status st = np_memory_zeroed(&v->key, v->result->n, sizeof *v->key, "keys");
    for (uint32_t i = 0; i < v->result->n && !st; i++)
        if (!(v->key[i] = key_text(v->result->keys, i)))
            st = np_status_last();
    return st;
}

static void view_clear(view *v)
{
    for (uint32_t i = 0; i < v->result->rounds; i++)
        free(v->picture[i]);
    for (uint32_t i = 0; i < v->result->n && v->key; i++)
        np_memory_free(v->key[i]);
    np_memory_free(v->key);
}

static np_status report_json(const np_reconfigure_result *result, const char *command, FILE *stream)
{
    view v = {.result = result};
    np_status st = is_sorted(&v) && was_read(result) ? keep_keys(&v) : NP_OK;
    for (uint32_t i = 0; i < result->rounds && !st; i++)
        st = draw(&v, i);
    if (!st)
        st = np_json_report(&view_fields, &v, command, 2, stream);
    view_clear(&v);
    return st;
}

np_status np_report_reconfigure(const np_reconfigure_result *result, bool list, const np_report_options *given,
                                FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return report_json(result, options.command, stream);
    if (options.format == NP_REPORT_CSV)
        return np_csv_list(&view_fields, &(view){.result = result}, "by_round", columns, stream);
    return report_table(result, list, options.command, stream);
}
