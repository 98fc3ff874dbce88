/* The result of a program on a reconfigurable array, as a table and as JSON (docs/json.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/reconfigure/run.h"
#include "show/table/shape.h"
#include "show/table/table.h"
#include "work/sort/keys.h"

static bool drawn(const np_reconfigure_result *result, uint32_t round) { return result->picture[round].setting; }

static bool was_read(const np_reconfigure_result *result) { return result->keys && result->input; }

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

/* ---- JSON ---- */

typedef struct view {
    const np_reconfigure_result *result;
    char *picture[NP_RECONFIGURE_ROUNDS]; /* lines, each ended by a zero; NULL: there is none */
    size_t lines[NP_RECONFIGURE_ROUNDS];
    bool list;  /* the answer to people */
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
    uint32_t number; /* from 1 */
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
    const round one = {&v->result->round[i], v->picture[i], v->lines[i], (uint32_t)i + 1};
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

/* What JSON has besides. */
static np_status complete(view *v)
{
    np_status st = is_sorted(v) && was_read(v->result) ? keep_keys(v) : NP_OK;
    for (uint32_t i = 0; i < v->result->rounds && !st; i++)
        st = draw(v, i);
    return st;
}

/* ---- For people ---- */

static void get_help(const void *object, np_value *value) { value->text = of(object)->result->program->help; }

static const np_field shown_round_rows[] = {
    {"number", NP_FIELD_U32, offsetof(round, number), .help = "from 1"},
    {NULL, NP_FIELD_INSET, offsetof(round, round), .flags = NP_FIELD_BEHIND, .fields = &np_switch_round_fields},
};

static const np_fields shown_round_fields = NP_FIELDS("round", "a round", round, shown_round_rows);

static const np_field shown_rows[] = {
    {"shown_rounds", NP_FIELD_LIST, .get = get_rounds, .fields = &shown_round_fields, .help = "rounds"},
    {"help", NP_FIELD_TEXT, .get = get_help, .help = "what the program does"},
    {NULL, NP_FIELD_INSET, .fields = &view_fields},
};

static const np_fields shown = NP_FIELDS("reconfigure_shown", "a program", view, shown_rows);

static const char layout[] =
    "program    {program}: {help}\n"
    "{n ? {ranks=null ? bits : keys}       {n}{kind ?  {kind}}{seed=null ?  :  random, seed {seed}}{input ?  from "
    "{input}}\n : {input ? settings   from {input}\n}}"
    "grid       {rows} x {columns}: {switches} switches, {pus} PUs\n"
    "settings   {settings:100, }\n"
    "rounds     {rounds}\n"
    "{parity=null ?  : answer     parity {parity}\n}"
    "outcome    {correct ? {heard=null ? correct : no conflict} : {conflicts ? CONFLICT : WRONG}: {wrong}}\n"
    "\nrounds (subnets with a signal; switches and other PUs that hear one)\n"
    "{table rlrrrr:   round|what|senders|subnets|switches|PUs\n"
    "{each shown_rounds:   {number}|{what}|{senders}|{subnets}|{switches}|{pus}\n}}";

static const char heard_layout[] = "{heard=null ?  : \nheard\n{each heard:   {pu} hears {from}\n}}";
static const char end[] = "{command ? \nrepeat     {command}\n}by         netpram {version}\n";

static np_status pictures(const np_reconfigure_result *result, FILE *stream)
{
    np_status st = NP_OK;
    for (uint32_t i = 0; !st && i < result->rounds && drawn(result, i); i++) {
        fprintf(stream, "\nround %u: %s\n\n", i + 1, result->round[i].what);
        st = np_report_reconfigure_picture(result, i, stream);
    }
    return st;
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

static np_status print(const void *object, const np_report_options *options, FILE *stream)
{
    const view *v = object;
    const np_reconfigure_result *result = v->result;
    np_status st = pictures(result, stream);
    if (!st && v->list && result->rank && result->correct)
        st = keys_table(result, stream);
    return st || !v->list ? st : np_layout_print(heard_layout, &shown, v, options->command, stream);
}

const np_report_form np_report_reconfigure_form = {{"reconfigure", &view_fields, &view_fields, columns},
                                                   .open = 2,
                                                   .list = "by_round",
                                                   .fields = &shown,
                                                   .layout = layout,
                                                   .rest = {end},
                                                   .people = print};

np_status np_report_reconfigure(const np_reconfigure_result *result, bool list, const np_report_options *given,
                                FILE *stream)
{
    view v = {.result = result, .list = list};
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (!st && options.format == NP_REPORT_JSON)
        st = complete(&v);
    if (!st)
        st = np_report_print(&np_report_reconfigure_form, &v, &options, stream);
    view_clear(&v);
    return st;
}
