/*
 * The options of a verb, as fields for the page: the rows of the library's tables with their kinds, ranges, defaults
 * and help. Only those that the chosen scheme, sorter, operation, model or machine heeds.
 */
#include <stdio.h>
#include <string.h>

#include <emscripten.h>

#include "netpram/flows.h"
#include "page.h"

typedef np_status heeds_function(const char *who, const char *option);

static np_status load_heeds(const char *model, const char *option)
{
    const np_field *row = np_fields_find(&np_load_options_fields, option);
    return !row || !row->only || np_field_listed(row->only, model) ? NP_OK : NP_ERROR_APPLY;
}

/* `steps` is for a program that is no text. */
static np_status text_heeds(const char *who, const char *option)
{
    (void)who;
    return strcmp(option, "steps") ? NP_OK : NP_ERROR_APPLY;
}

static np_status all_heed(const char *who, const char *option)
{
    (void)who;
    (void)option;
    return NP_OK;
}

static const struct source {
    const char *verb;
    const np_fields *fields;
    heeds_function *heeds;
} sources[] = {
    {"route", &np_route_options_fields, np_scheme_heeds},
    {"sort", &np_sort_options_fields, np_sorter_heeds},
    {"collective", &np_collective_options_fields, np_collective_heeds},
    {"load", &np_load_options_fields, load_heeds},
    {"flows", &np_flows_options_fields, all_heed},
    {"throughput", &np_throughput_options_fields, all_heed},
    {"pram", &np_pram_options_fields, np_pram_machine_heeds},
    {"pram", &np_script_options_fields, text_heeds},
};

/* The page runs one thread in the memory that the browser gives, and has no files. `set` has a field for each option.
 */
static bool is_of_page(const np_field *row)
{
    return row->kind != NP_FIELD_OBJECT && row->kind != NP_FIELD_LIST && row->kind != NP_FIELD_BYTES &&
           strcmp(row->name, "threads") != 0 && strcmp(row->name, "certify") != 0 && strcmp(row->name, "set") != 0 &&
           !(row->placeholder && !strcmp(row->placeholder, "FILE"));
}

static bool is_whole(const np_field *row)
{
    return row->kind == NP_FIELD_U32 || row->kind == NP_FIELD_U64 || row->kind == NP_FIELD_SIZE ||
           row->kind == NP_FIELD_SEED;
}

static void say_range(const np_field *row)
{
    if (is_whole(row) && row->high)
        page_say(", \"low\": %llu, \"high\": %llu", (unsigned long long)row->low, (unsigned long long)row->high);
    else if (is_whole(row))
        page_say(", \"low\": %llu", (unsigned long long)row->low);
    else if (row->kind == NP_FIELD_REAL && row->most > 0)
        page_say(", \"low\": %.17g, \"high\": %.17g", row->least, row->most);
}

static void say_words(const np_field *row)
{
    page_say(", \"words\": [");
    for (size_t i = 0; row->kind == NP_FIELD_WORD && row->words[i]; i++) {
        page_say(i ? ", " : "");
        page_say_text(row->words[i]);
    }
    page_say("]");
}

/* A number with a reader of its own takes more than a number, such as "400kB". */
static const char *kind_of(const np_field *row)
{
    if (row->kind == NP_FIELD_BOOL || row->kind == NP_FIELD_WORD)
        return row->kind == NP_FIELD_BOOL ? "bool" : "word";
    if (row->set)
        return "text";
    return is_whole(row) ? "whole" : row->kind == NP_FIELD_REAL ? "real" : "text";
}

static void say_row(const np_field *row)
{
    page_say("{\"name\": ");
    page_say_text(row->name);
    page_say(", \"kind\": \"%s\", \"help\": ", kind_of(row));
    page_say_text(row->help);
    page_say(", \"preset\": ");
    page_say_text(strcmp(row->name, "rule") ? row->preset : "the program's");
    page_say(", \"placeholder\": ");
    page_say_text(row->placeholder);
    page_say(", \"list\": ");
    page_say_text(row->list);
    say_range(row);
    say_words(row);
    page_say("}");
}

/* What the text of a program declares is set by the option `set`: here as fields of their own, "set.NAME". */
static np_status say_declared(const char *source, const char *between)
{
    np_script *script = NULL;
    np_status st = np_script_create("text", source, strlen(source), NULL, &script);
    if (st)
        return st;
    for (size_t i = 0; i < np_script_about_get(script).options; i++, between = ", ") {
        const np_script_option option = np_script_option_get(script, i);
        const char *kind = *option.type == 'i' ? "integer" : *option.type == 'r' ? "real" : "bool";
        page_say("%s{\"name\": \"set.%s\", \"kind\": \"%s\", \"help\": ", between, option.name, kind);
        page_say_text(option.help);
        page_say(", \"preset\": ");
        page_say_text(option.preset);
        page_say(", \"placeholder\": null, \"list\": null, \"words\": []}");
    }
    np_script_free(script);
    return NP_OK;
}

static bool has_default(const char *verb) { return !strcmp(verb, "route") || !strcmp(verb, "sort"); }

/* Who routes or sorts where nobody is named. */
static np_status find_default(const char *verb, const char *spec, const char **who)
{
    np_network *network;
    const np_entry *sorter = NULL;
    np_status st = np_network_create(spec, &network);
    if (!st && !strcmp(verb, "route"))
        *who = np_scheme_default(network);
    else if (!st && !(st = np_sorter_default(network, &sorter)))
        *who = sorter->name;
    np_network_free(network);
    return st;
}

static void say_rows(const char *verb, const char *who, const char **between)
{
    const np_field *row;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (size_t i = 0; !strcmp(sources[s].verb, verb) && (row = np_fields_row(sources[s].fields, i, NULL)); i++) {
            if (!is_of_page(row) || sources[s].heeds(who, row->name))
                continue;
            page_say("%s", *between);
            *between = ", ";
            say_row(row);
        }
}

/**
 * The options of a verb that `who` heeds: [{"name", "kind", "help", "preset", "placeholder", "list", "low", "high",
 * "words"}, ...]. who: the scheme, sorter, operation, model or machine; "": the default one of the network. text: of a
 * PRAM program; else "".
 */
EMSCRIPTEN_KEEPALIVE const char *page_options(const char *verb, const char *who, const char *spec, const char *text)
{
    const char *between = "";
    page_begin();
    if (!*who && has_default(verb) && find_default(verb, spec, &who))
        return page_fail();
    page_say("[");
    say_rows(verb, who, &between);
    if (*text && say_declared(text, between))
        return page_fail();
    page_say("]");
    return page_text();
}
