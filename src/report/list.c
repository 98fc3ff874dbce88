/* What there is to choose from, printed from the descriptors: never kept by hand. */
#include <string.h>

#include "netpram/collective.h"
#include "netpram/embed.h"
#include "netpram/keys.h"
#include "netpram/network.h"
#include "netpram/output.h"
#include "netpram/path.h"
#include "netpram/program.h"
#include "netpram/sort.h"
#include "report/json.h"
#include "report/table.h"

/* One thing to choose; fields that the kind does not have are NULL. */
typedef struct entry {
    const char *name, *parameters, *example, *networks, *rule, *help, *source, *operation, *ports;
} entry;

static bool network_entry(size_t i, entry *out)
{
    const np_family_info *info = np_network_family(i);
    if (info)
        *out = (entry){info->name, info->parameters, info->example, NULL, NULL, info->help, info->source, NULL, NULL};
    return info;
}

static bool scheme_entry(size_t i, entry *out)
{
    const np_scheme_info *info = np_scheme(i);
    if (info)
        *out = (entry){info->name, NULL, NULL, info->networks, NULL, info->help, info->source, NULL, NULL};
    return info;
}

static bool path_entry(size_t i, entry *out)
{
    const np_path_info *info = np_path_rule(i);
    if (info)
        *out = (entry){info->name, NULL, NULL, info->networks, NULL, info->help, info->source, NULL, NULL};
    return info;
}

static bool traffic_entry(size_t i, entry *out)
{
    const np_traffic_info *info = np_traffic_generator(i);
    if (info)
        *out = (entry){info->name, info->parameters, NULL, NULL, NULL, info->help, info->source, NULL, NULL};
    return info;
}

static bool queue_entry(size_t i, entry *out)
{
    const np_queue_info *info = np_queue(i);
    if (info)
        *out = (entry){info->name, NULL, NULL, NULL, NULL, info->help, info->source, NULL, NULL};
    return info;
}

/* Programs have their rule where others have networks. */
static bool program_entry(size_t i, entry *out)
{
    const np_program_info *info = np_program(i);
    if (info)
        *out = (entry){
            .name = info->name, .rule = np_access_rule_name(info->weakest), .help = info->help, .source = info->source};
    return info;
}

static bool machine_entry(size_t i, entry *out)
{
    np_machine_info info;
    if (!np_pram_machine(i, &info))
        return false;
    *out = (entry){info.name, info.parameters, NULL, NULL, NULL, info.help, info.source, NULL, NULL};
    return true;
}

static bool sorter_entry(size_t i, entry *out)
{
    const np_sorter_info *info = np_sorter(i);
    if (info)
        *out = (entry){info->name, NULL, NULL, info->networks, NULL, info->help, info->source, NULL, NULL};
    return info;
}

static bool order_entry(size_t i, entry *out)
{
    const np_keys_order_info *info = np_keys_order(i);
    if (info)
        *out = (entry){.name = info->name, .help = info->help, .source = ""};
    return info;
}

/* Embeddings have networks and, where programs have their rule, guests: those are the hosts. */
static bool embedding_entry(size_t i, entry *out)
{
    const np_embedding_info *info = np_embedding_listed(i);
    if (info)
        *out = (entry){
            .name = info->name, .rule = info->guests, .networks = info->hosts, .help = info->help, .source = info->source};
    return info;
}

static bool indexing_entry(size_t i, entry *out)
{
    const np_indexing_info *info = np_indexing(i);
    if (info)
        *out = (entry){.name = info->name, .networks = info->grids, .help = info->help, .source = info->source};
    return info;
}

/* The operation stands before the name, as they are typed. */
static bool collective_entry(size_t i, entry *out)
{
    const np_collective_info *info = np_collective_algorithm(i);
    if (info)
        *out = (entry){.name = info->name, .networks = info->networks, .help = info->help, .source = info->source,
                       .operation = info->operation, .ports = info->ports};
    return info;
}

static const struct kind {
    const char *name, *title;
    bool (*entry)(size_t i, entry *out);
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
    [NP_REPORT_COLLECTIVES] = {"collectives", "collective operations (collective), and algorithms for them (--algorithm)",
                               collective_entry},
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

static np_status kind_table(np_report_kind kind, FILE *stream)
{
    np_table table;
    entry e;
    fprintf(stream, "%s\n", kinds[kind].title);
    np_table_init(&table, "llll");
    for (size_t i = 0; kinds[kind].entry(i, &e); i++) {
        name_cell(&table, kind, &e);
        if (e.rule && e.networks)
            np_table_add(&table, "%s > %s", e.rule, e.networks);
        else
            np_table_add(&table, "%s", e.example ? e.example : e.networks ? e.networks : e.rule ? e.rule : "");
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
    json_t *object = json_object();
    np_json_set(&object, "name", np_json_text(e->name));
    if (e->parameters)
        np_json_set(&object, "parameters", np_json_text(e->parameters));
    if (e->example)
        np_json_set(&object, "example", np_json_text(e->example));
    if (e->networks)
        np_json_set(&object, e->rule ? "hosts" : "networks", np_json_text(e->networks));
    if (e->operation)
        np_json_set(&object, "operation", np_json_text(e->operation));
    if (e->ports)
        np_json_set(&object, "ports", np_json_text(e->ports));
    if (e->rule)
        np_json_set(&object, e->networks ? "guests" : "rule", np_json_text(e->rule));
    np_json_set(&object, "help", np_json_text(e->help));
    np_json_set(&object, "source", np_json_text(e->source));
    return object;
}

static np_status list_json(np_report_kind first, np_report_kind end, const char *command, FILE *stream)
{
    json_t *object = np_json_head(command);
    for (np_report_kind kind = first; kind < end; kind++) {
        json_t *array = json_array();
        entry e;
        for (size_t i = 0; kinds[kind].entry(i, &e); i++)
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
