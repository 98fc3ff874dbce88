/* What a program came to on a reconfigurable array, as a table and as JSON (docs/json.md). */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "netpram/output.h"
#include "netpram/version.h"
#include "report/json.h"
#include "report/table.h"
#include "sort/keys.h"

static bool drawn(const np_reconfigure_result *result, uint32_t round) { return result->picture[round].setting; }

static const char *things(const np_reconfigure_result *result) { return result->rank ? "keys" : "bits"; }

/* ---- Table ---- */

static void input_line(const np_reconfigure_result *result, const np_report_reconfigure_input *input, FILE *stream)
{
    if (result->n) {
        fprintf(stream, "%s       %" PRIu64, things(result), result->n);
        if (input->keys)
            fprintf(stream, " %s", np_keys_kind_name(np_keys_kind(input->keys)));
        if (input->made)
            fprintf(stream, " random, seed %" PRIu64, input->seed);
    } else if (input->input) {
        fprintf(stream, "settings  ");
    }
    if (input->input)
        fprintf(stream, " from %s", input->input);
    if (result->n || input->input)
        fputc('\n', stream);
}

static void settings_line(const np_reconfigure_result *result, FILE *stream)
{
    const char *between = "settings   ";
    for (size_t i = 0; i < NP_SWITCH_SETTINGS; i++)
        if (result->settings >> i & 1) {
            fprintf(stream, "%s%s", between, np_switch_setting_name(np_switch_setting_at(i)));
            between = ", ";
        }
    fputc('\n', stream);
}

static void head(const np_reconfigure_result *result, const np_report_reconfigure_input *input, FILE *stream)
{
    fprintf(stream, "program    %s: %s\n", result->program->entry.name, result->program->entry.help);
    input_line(result, input, stream);
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
    np_table_init(&table, "rlrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        np_table_add(&table, "%s", titles[i]);
    for (uint32_t i = 0; i < result->rounds; i++) {
        const np_switch_round *round = &result->round[i];
        np_table_add(&table, "  %u", i + 1);
        np_table_add(&table, "%s", round->what);
        np_table_add(&table, "%" PRIu64, round->senders);
        np_table_add(&table, "%" PRIu64, round->nets);
        np_table_add(&table, "%" PRIu64, round->switches);
        np_table_add(&table, "%" PRIu64, round->pus);
    }
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
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
static char *key_text(const np_report_reconfigure_input *input, uint32_t i)
{
    char *text;
    const np_keys_line *line = &input->keys->line[i];
    if (np_memory_zeroed(&text, line->length + 1, 1, "a key"))
        return NULL;
    memcpy(text, line->at, line->length);
    return text;
}

/* Fit for a table: control characters as '?'. */
static np_status key_cell(np_table *table, const np_report_reconfigure_input *input, uint32_t i)
{
    if (!input->keys) {
        np_table_add(table, "%" PRIu64, input->key[i]);
        return NP_OK;
    }
    char *text = key_text(input, i);
    if (!text)
        return NP_ERROR_MEMORY;
    for (char *p = text; *p; p++)
        if (iscntrl((unsigned char)*p))
            *p = '?';
    np_table_add(table, "%s", text);
    np_memory_free(text);
    return NP_OK;
}

/* Sorted, if there is an order; else as they came, with their ranks. */
static np_status keys_table(const np_reconfigure_result *result, const np_report_reconfigure_input *input, FILE *stream)
{
    np_table table;
    np_status st = NP_OK;
    fputs(result->order ? "\nsorted (rank, number in the input, key)\n" : "\nranks (rank, number in the input, key)\n",
          stream);
    np_table_init(&table, "rrl");
    for (uint32_t i = 0; !st && i < result->n; i++) {
        uint32_t key = result->order ? result->order[i] : i;
        np_table_add(&table, "  %u", result->rank[key]);
        np_table_add(&table, "%u", key);
        st = key_cell(&table, input, key);
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

static np_status report_table(const np_reconfigure_result *result, const np_report_reconfigure_input *input,
                              const char *command, FILE *stream)
{
    np_status st;
    head(result, input, stream);
    if ((st = rounds_table(result, stream)) || (st = pictures(result, stream)))
        return st;
    if (input->list && result->rank && result->correct && (st = keys_table(result, input, stream)))
        return st;
    if (input->list && result->heard)
        heard_list(result, stream);
    if (command && *command)
        fprintf(stream, "\nrepeat     %s\n", command);
    fprintf(stream, "by         netpram %s\n", np_version());
    return np_output_check(stream, "the report");
}

/* ---- JSON ---- */

static json_t *place_json(np_pu_place place)
{
    char text[16];
    snprintf(text, sizeof text, "%c%u", np_switch_port_letter(place.side), place.index);
    return np_json_text(text);
}

static json_t *settings_json(const np_reconfigure_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < NP_SWITCH_SETTINGS; i++)
        if (result->settings >> i & 1)
            np_json_append(&list, np_json_text(np_switch_setting_name(np_switch_setting_at(i))));
    return list;
}

static json_t *numbers_json(const uint32_t *number, size_t count)
{
    json_t *list = json_array();
    if (!number) {
        json_decref(list);
        return json_null();
    }
    for (size_t i = 0; i < count; i++)
        np_json_append(&list, json_integer(number[i]));
    return list;
}

/* Lines of a file as strings, made keys as numbers. */
static json_t *sorted_json(const np_reconfigure_result *result, const np_report_reconfigure_input *input)
{
    if (!result->order || !result->correct)
        return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < result->n; i++) {
        uint32_t key = result->order[i];
        if (!input->keys) {
            np_json_append(&list, np_json_whole(input->key[key]));
            continue;
        }
        char *text = key_text(input, key);
        np_json_append(&list, text ? np_json_text(text) : NULL);
        np_memory_free(text);
    }
    return list;
}

static json_t *heard_json(const np_reconfigure_result *result)
{
    if (!result->heard)
        return json_null();
    json_t *list = json_array();
    for (uint32_t pu = 0; pu < result->pus; pu++) {
        if (result->heard[pu] == NP_NONE)
            continue;
        json_t *object = json_object();
        np_json_set(&object, "pu", place_json(result->place[pu]));
        np_json_set(&object, "from", place_json(result->place[result->heard[pu]]));
        np_json_append(&list, object);
    }
    return list;
}

/* The lines of the picture. NULL: no memory. */
static json_t *picture_json(const np_reconfigure_result *result, uint32_t round)
{
    char *text = NULL, *rest, *line;
    size_t size;
    json_t *list = json_array();
    if (!drawn(result, round)) {
        json_decref(list);
        return json_null();
    }
    FILE *stream = open_memstream(&text, &size);
    bool failed = !stream || np_report_reconfigure_picture(result, round, stream);
    if (stream && fclose(stream))
        failed = true;
    for (rest = text; !failed && (line = strsep(&rest, "\n")) && rest;)
        np_json_append(&list, np_json_text(line));
    free(text);
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *round_json(const np_reconfigure_result *result, uint32_t i)
{
    const np_switch_round *round = &result->round[i];
    json_t *object = json_object();
    np_json_set(&object, "what", np_json_text(round->what));
    np_json_set(&object, "senders", np_json_whole(round->senders));
    np_json_set(&object, "subnets", np_json_whole(round->nets));
    np_json_set(&object, "switches", np_json_whole(round->switches));
    np_json_set(&object, "pus", np_json_whole(round->pus));
    np_json_set(&object, "conflicts", np_json_whole(round->conflicts));
    np_json_set(&object, "picture", picture_json(result, i));
    return object;
}

static void subject_json(const np_reconfigure_result *result, const np_report_reconfigure_input *input, json_t **object)
{
    np_json_set(object, "program", np_json_text(result->program->entry.name));
    np_json_set(object, "seed", input->made ? np_json_whole(input->seed) : json_null());
    np_json_set(object, "input", input->input ? np_json_text(input->input) : json_null());
    np_json_set(object, "kind", input->keys ? np_json_text(np_keys_kind_name(np_keys_kind(input->keys))) : json_null());
    np_json_set(object, "n", np_json_whole(result->n));
    np_json_set(object, "rows", json_integer(result->rows));
    np_json_set(object, "columns", json_integer(result->columns));
    np_json_set(object, "switches", np_json_whole(result->switches));
    np_json_set(object, "pus", json_integer(result->pus));
    np_json_set(object, "settings", settings_json(result));
}

static np_status report_json(const np_reconfigure_result *result, const np_report_reconfigure_input *input,
                             const char *command, FILE *stream)
{
    json_t *object = np_json_head(command), *rounds = json_array();
    subject_json(result, input, &object);
    np_json_set(&object, "rounds", json_integer(result->rounds));
    np_json_set(&object, "conflicts", np_json_whole(result->conflicts));
    np_json_set(&object, "correct", json_boolean(result->correct));
    np_json_set(&object, "wrong", result->correct ? json_null() : np_json_text(result->wrong));
    np_json_set(&object, "parity", result->n && !result->rank ? json_integer(result->parity) : json_null());
    np_json_set(&object, "ranks", numbers_json(result->rank, result->n));
    np_json_set(&object, "order", numbers_json(result->order, result->n));
    np_json_set(&object, "sorted", sorted_json(result, input));
    np_json_set(&object, "heard", heard_json(result));
    for (uint32_t i = 0; i < result->rounds; i++)
        np_json_append(&rounds, round_json(result, i));
    np_json_set(&object, "by_round", rounds);
    return np_json_print(object, 2, stream);
}

np_status np_report_reconfigure(const np_reconfigure_result *result, const np_report_reconfigure_input *input,
                                const np_report_options *options, FILE *stream)
{
    if (options->format == NP_REPORT_CSV)
        return NP_RAISE(NP_ERROR_INPUT, "no format 'csv' for a reconfigurable array: it prints as 'table' or 'json'");
    if (options->format == NP_REPORT_JSON)
        return report_json(result, input, options->command, stream);
    return report_table(result, input, options->command, stream);
}
