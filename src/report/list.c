/* What there is to choose from, printed from the descriptors: never kept by hand. */
#include <string.h>

#include "netpram/collective.h"
#include "netpram/embed.h"
#include "netpram/keys.h"
#include "netpram/network.h"
#include "netpram/output.h"
#include "netpram/path.h"
#include "netpram/program.h"
#include "netpram/reconfigure.h"
#include "netpram/sort.h"
#include "report/json.h"
#include "report/table.h"

/* One thing to choose; fields that the kind does not have are NULL. Without a name: there is none. */
typedef struct entry {
    const char *name, *operation, *parameters, *example, *networks, *guests, *hosts, *rule, *takes, *ports, *help,
        *source;
} entry;

static entry network_entry(size_t i)
{
    const np_family_info *info = np_network_family(i);
    return info ? (entry){.name = info->name,
                          .parameters = info->parameters,
                          .example = info->example,
                          .help = info->help,
                          .source = info->source}
                : (entry){0};
}

static entry scheme_entry(size_t i)
{
    const np_scheme_info *info = np_scheme(i);
    return info ? (entry){.name = info->name, .networks = info->networks, .help = info->help, .source = info->source}
                : (entry){0};
}

static entry path_entry(size_t i)
{
    const np_path_info *info = np_path_rule(i);
    return info ? (entry){.name = info->name, .networks = info->networks, .help = info->help, .source = info->source}
                : (entry){0};
}

static entry traffic_entry(size_t i)
{
    const np_traffic_info *info = np_traffic_generator(i);
    return info
               ? (entry){.name = info->name, .parameters = info->parameters, .help = info->help, .source = info->source}
               : (entry){0};
}

static entry queue_entry(size_t i)
{
    const np_queue_info *info = np_queue(i);
    return info ? (entry){.name = info->name, .help = info->help, .source = info->source} : (entry){0};
}

static entry program_entry(size_t i)
{
    const np_program_info *info = np_program(i);
    return info ? (entry){.name = info->name,
                          .rule = np_access_rule_name(info->weakest),
                          .help = info->help,
                          .source = info->source}
                : (entry){0};
}

static entry machine_entry(size_t i)
{
    np_machine_info info;
    return np_pram_machine(i, &info)
               ? (entry){.name = info.name, .parameters = info.parameters, .help = info.help, .source = info.source}
               : (entry){0};
}

static entry sorter_entry(size_t i)
{
    const np_sorter_info *info = np_sorter(i);
    return info ? (entry){.name = info->name, .networks = info->networks, .help = info->help, .source = info->source}
                : (entry){0};
}

static entry order_entry(size_t i)
{
    const np_keys_order_info *info = np_keys_order(i);
    return info ? (entry){.name = info->name, .help = info->help, .source = ""} : (entry){0};
}

static entry embedding_entry(size_t i)
{
    const np_embedding_info *info = np_embedding_listed(i);
    return info ? (entry){.name = info->name,
                          .guests = info->guests,
                          .hosts = info->hosts,
                          .help = info->help,
                          .source = info->source}
                : (entry){0};
}

static entry indexing_entry(size_t i)
{
    const np_indexing_info *info = np_indexing(i);
    return info ? (entry){.name = info->name, .networks = info->grids, .help = info->help, .source = info->source}
                : (entry){0};
}

static entry collective_entry(size_t i)
{
    const np_collective_info *info = np_collective_algorithm(i);
    return info ? (entry){.name = info->name,
                          .operation = info->operation,
                          .networks = info->networks,
                          .ports = info->ports,
                          .help = info->help,
                          .source = info->source}
                : (entry){0};
}

static entry reconfigurable_entry(size_t i)
{
    const np_reconfigure_info *info = np_reconfigure_program(i);
    return info ? (entry){.name = info->name, .takes = info->takes, .help = info->help, .source = info->source}
                : (entry){0};
}

static const struct kind {
    const char *name, *title;
    entry (*entry)(size_t i);
} kinds[NP_REPORT_KINDS] = {
    [NP_REPORT_NETWORKS] = {"networks", "networks (the first argument of route and info)", network_entry},
    [NP_REPORT_SCHEMES] = {"schemes", "schemes (--scheme)", scheme_entry},
    [NP_REPORT_PATHS] = {"paths", "path rules (--paths)", path_entry},
    [NP_REPORT_TRAFFIC] = {"traffic", "traffic (--traffic)", traffic_entry},
    [NP_REPORT_QUEUES] = {"queues", "queue disciplines (--queue)", queue_entry},
    [NP_REPORT_PROGRAMS] = {"programs", "PRAM programs (the first argument of pram), and the rule each needs",
                            program_entry},
    [NP_REPORT_MACHINES] = {"machines", "machines for them (--machine)", machine_entry},
    [NP_REPORT_SORTERS] = {"sorters", "sorting algorithms (--algorithm of sort)", sorter_entry},
    [NP_REPORT_ORDERS] = {"orders", "orders of keys that sort makes (--order), n of them", order_entry},
    [NP_REPORT_EMBEDDINGS] = {"embeddings", "embeddings (--embedding of embed): the guests > the hosts",
                              embedding_entry},
    [NP_REPORT_INDEXINGS] = {"indexings", "indexing schemes of grids (--indexing of embed)", indexing_entry},
    [NP_REPORT_COLLECTIVES] = {"collectives",
                               "collective operations (collective), and algorithms for them (--algorithm)",
                               collective_entry},
    [NP_REPORT_RECONFIGURABLE] =
        {"reconfigurable", "programs of reconfigurable arrays (the first argument of reconfigure), and what they take",
         reconfigurable_entry},
};

const char *np_report_kind_name(np_report_kind kind) { return kind < NP_REPORT_KINDS ? kinds[kind].name : NULL; }

/* What to type: the example, or the name with its parameters. */
static void name_cell(np_table *table, np_report_kind kind, const entry *e)
{
    if (kind == NP_REPORT_NETWORKS || (kind == NP_REPORT_MACHINES && *e->parameters))
        np_table_add(table, "  %s:%s", e->name, e->parameters);
    else
        np_table_add(table, "  %s%s%s%s", e->operation ? e->operation : "", e->operation ? " " : "", e->name,
                     e->parameters ? e->parameters : "");
}

/* What it is for, or what to type. */
static void use_cell(np_table *table, const entry *e)
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

static np_status kind_table(np_report_kind kind, FILE *stream)
{
    np_table table;
    entry e;
    fprintf(stream, "%s\n", kinds[kind].title);
    np_table_init(&table, "llll");
    for (size_t i = 0; (e = kinds[kind].entry(i)).name; i++) {
        name_cell(&table, kind, &e);
        use_cell(&table, &e);
        np_table_add(&table, "%s", e.help);
        np_table_add(&table, *e.source ? "[%s]" : "%s", e.source);
    }
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

static np_status list_table(np_report_kind first, np_report_kind end, FILE *stream)
{
    for (np_report_kind kind = first; kind < end; kind++) {
        if (kind > first)
            fputc('\n', stream);
        np_status st = kind_table(kind, stream);
        if (st)
            return st;
    }
    return np_output_check(stream, "the list");
}

static json_t *entry_json(const entry *e)
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

static np_status list_json(np_report_kind first, np_report_kind end, const char *command, FILE *stream)
{
    json_t *object = np_json_head(command);
    for (np_report_kind kind = first; kind < end; kind++) {
        json_t *array = json_array();
        entry e;
        for (size_t i = 0; (e = kinds[kind].entry(i)).name; i++)
            np_json_append(&array, entry_json(&e));
        np_json_set(&object, kinds[kind].name, array);
    }
    return np_json_print(object, 2, stream);
}

np_status np_report_list(np_report_kind kind, const np_report_options *options, FILE *stream)
{
    np_report_kind first = kind < NP_REPORT_KINDS ? kind : 0, end = kind < NP_REPORT_KINDS ? kind + 1 : kind;
    if (options->format == NP_REPORT_CSV)
        return NP_RAISE(NP_ERROR_INPUT, "no format 'csv' for lists: they print as 'table' or 'json'");
    if (options->format == NP_REPORT_JSON)
        return list_json(first, end, options->command, stream);
    return list_table(first, end, stream);
}
