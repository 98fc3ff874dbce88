/* The lists of all names that a user can choose, printed from the heads of the descriptors. */
#include <string.h>

#include "netpram/base.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

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
    const char *const uses[] = {e->example, e->networks, e->rule, e->takes, ""};
    size_t i = 0;
    while (!uses[i])
        i++;
    if (e->guests)
        np_table_add(table, "%s > %s", e->guests, e->hosts);
    else
        np_table_add(table, "%s", uses[i]);
}

static np_status one_table(np_list list, FILE *stream)
{
    np_table table;
    const np_entry *e;
    fprintf(stream, "%s\n", np_list_title(list));
    np_table_begin(&table, "llll", NULL);
    for (size_t i = 0; (e = np_list_get(list, i)); i++) {
        name_cell(&table, e);
        use_cell(&table, e);
        np_table_add(&table, "%s", e->help);
        np_table_add(&table, *e->source ? "[%s]" : "%s", e->source);
    }
    return np_table_end(&table, stream);
}

static np_status list_table(np_list first, np_list end, FILE *stream)
{
    for (np_list list = first; list < end; list++) {
        if (list > first)
            fputc('\n', stream);
        np_status st = one_table(list, stream);
        if (st)
            return st;
    }
    return np_output_check(stream, "the list");
}

static json_t *entry_json(const np_entry *e)
{
    const struct {
        const char *key, *text;
    } fields[] = {
        {"name", e->name},   {"parameters", e->parameters}, {"example", e->example}, {"networks", e->networks},
        {"hosts", e->hosts}, {"operation", e->operation},   {"ports", e->ports},     {"guests", e->guests},
        {"rule", e->rule},   {"takes", e->takes},           {"help", e->help},       {"source", e->source},
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].text)
            np_json_set(&object, fields[i].key, np_json_text(fields[i].text));
    return object;
}

static np_status list_json(np_list first, np_list end, const char *command, FILE *stream)
{
    json_t *object = np_json_head(command);
    for (np_list list = first; list < end; list++) {
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
    np_status st = np_report_take(given, "lists: they print", &options);
    if (st)
        return st;
    np_list first = list < NP_LISTS ? list : 0, end = list < NP_LISTS ? list + 1 : NP_LISTS;
    if (options.format == NP_REPORT_JSON)
        return list_json(first, end, options.command, stream);
    return list_table(first, end, stream);
}
