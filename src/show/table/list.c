/* The lists of all names that a user can choose, printed from the heads of the descriptors. */
#include <string.h>

#include "show/table/csv.h"
#include "show/table/json.h"
#include "show/table/table.h"

/* What to type: the example, or the name with its parameters. */
static void name_cell(np_table *table, const np_entry *e)
{
    const char *parameters = e->parameters ? e->parameters : "";
    bool colon = *parameters && *parameters != ':' && strncmp(parameters, "[:", 2);
    np_table_add(table, "  %s%s%s%s%s", e->operation ? e->operation : "", e->operation ? " " : "", e->name,
                 colon ? ":" : "", parameters);
}

/* What it is for, or what to type. */
static void use_cell(np_table *table, const np_entry *e)
{
    const char *const uses[] = {e->example, e->networks, e->rule, e->parameters ? "" : e->takes, ""};
    size_t i = 0;
    while (!uses[i])
        i++;
    if (e->guests)
        np_table_add(table, "%s > %s", e->guests, e->hosts);
    else
        np_table_add(table, "%s", uses[i]);
}

/* Networks have a column more: what their parameters may be. */
static void fill_table(np_list list, np_table *table)
{
    const np_entry *e;
    np_table_begin(table, list == NP_LIST_NETWORKS ? "lllll" : "llll", NULL);
    for (size_t i = 0; (e = np_list_get(list, i)); i++) {
        name_cell(table, e);
        use_cell(table, e);
        if (list == NP_LIST_NETWORKS)
            np_table_add(table, "%s", e->takes ? e->takes : "");
        np_table_add(table, "%s", e->help);
        np_table_add(table, *e->source ? "[%s]" : "%s", e->source);
    }
}

/* All tables are made before the first is printed: what takes too much memory prints nothing. */
static np_status list_table(np_list first, np_list end, FILE *stream)
{
    np_table table[NP_LISTS];
    np_status st = NP_OK;
    for (np_list list = first; list < end; list++) {
        fill_table(list, &table[list]);
        st = st ? st : table[list].status;
    }
    for (np_list list = first; list < end; list++) {
        if (!st && np_list_name(list)) {
            fprintf(stream, "%s%s\n", list > first ? "\n" : "", np_list_title(list));
            st = np_table_print(&table[list], stream);
        }
        np_table_clear(&table[list]);
    }
    return st ? st : np_output_check(stream, "the list");
}

/* The keys of JSON and the columns of CSV. */
static const struct {
    const char *key;
    size_t at; /* in np_entry */
} keys[] = {
    {"name", offsetof(np_entry, name)},       {"parameters", offsetof(np_entry, parameters)},
    {"example", offsetof(np_entry, example)}, {"networks", offsetof(np_entry, networks)},
    {"hosts", offsetof(np_entry, hosts)},     {"operation", offsetof(np_entry, operation)},
    {"ports", offsetof(np_entry, ports)},     {"guests", offsetof(np_entry, guests)},
    {"rule", offsetof(np_entry, rule)},       {"takes", offsetof(np_entry, takes)},
    {"help", offsetof(np_entry, help)},       {"source", offsetof(np_entry, source)},
};

enum { KEYS = sizeof keys / sizeof *keys };

static const char *text_of(const np_entry *e, size_t key)
{
    return *(const char *const *)((const char *)e + keys[key].at);
}

static json_t *entry_json(const np_entry *e)
{
    json_t *object = json_object();
    for (size_t i = 0; i < KEYS; i++)
        if (text_of(e, i))
            np_json_set(&object, keys[i].key, np_json_text(text_of(e, i)));
    return object;
}

/* A line for each name, with the list that it is in. */
static np_status list_csv(np_list first, np_list end, FILE *stream)
{
    const np_entry *e;
    fputs("list", stream);
    for (size_t i = 0; i < KEYS; i++)
        fprintf(stream, ",%s", keys[i].key);
    for (np_list list = first; list < end; list++)
        for (size_t i = 0; (e = np_list_get(list, i)); i++) {
            fprintf(stream, "\n%s", np_list_name(list));
            for (size_t k = 0; k < KEYS; k++) {
                fputc(',', stream);
                np_csv_field(text_of(e, k) ? text_of(e, k) : "", stream);
            }
        }
    fputc('\n', stream);
    return np_output_check(stream, "the list");
}

static np_status list_json(np_list first, np_list end, const char *command, FILE *stream)
{
    json_t *object = np_json_head(command);
    for (np_list list = first; list < end; list++) {
        if (!np_list_name(list))
            continue;
        json_t *array = json_array();
        const np_entry *e;
        for (size_t i = 0; (e = np_list_get(list, i)); i++)
            np_json_append(&array, entry_json(e));
        np_json_set(&object, np_list_name(list), array);
    }
    return np_json_print(object, 2, stream);
}

np_status np_report_list(np_list list, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    np_list first = list < NP_LISTS ? list : 0, end = list < NP_LISTS ? list + 1 : NP_LISTS;
    if (options.format == NP_REPORT_JSON)
        return list_json(first, end, options.command, stream);
    if (options.format == NP_REPORT_CSV)
        return list_csv(first, end, stream);
    return list_table(first, end, stream);
}
