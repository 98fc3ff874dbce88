/* An embedding: measured figures beside stated ones, and the cost of a step of the guest on the host. */
#include <inttypes.h>

#include "base/decimal.h"
#include "base/plural.h"
#include "embed/embedding.h"
#include "netpram/base.h"
#include "netpram/route.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

enum { COLUMNS_MAX = 40, ROWS_MAX = 64 }; /* of a picture: ours, about a screen */

/* The scheme that routed the guest's packets; NULL: the schedule of a file. map->guest_options is not NULL. */
static const char *scheme_of(const np_report_map *map, const np_network *guest)
{
    if (map->guest_options->file)
        return NULL;
    return map->guest_options->scheme ? map->guest_options->scheme : np_scheme_default(guest);
}

/* ---- JSON and CSV ---- */

typedef struct view {
    const np_embedding *embedding;
    const np_network *guest, *host;
    const np_embedding_facts *facts;
    const np_embedding_run_result *run;
    const np_report_map *map;
    uint64_t adjacent_pairs, pairs; /* of the indexing, if there is one */
} view;

static const view *of(const void *object) { return object; }

static bool has_indexing(const void *object) { return of(object)->map->indexing; }
static bool has_guest_run(const void *object) { return of(object)->map->guest; }
static bool is_shown(const void *object) { return of(object)->map->show; }
static void get_seed(const void *object, np_value *value) { value->whole = of(object)->run->seed; }
static void get_map_file(const void *object, np_value *value) { value->text = of(object)->map->file; }
static void get_indexing(const void *object, np_value *value) { value->text = of(object)->map->indexing; }
static void get_self(const void *object, np_value *value) { value->object = object; }

static void get_embedding(const void *object, np_value *value)
{
    const np_entry *entry = np_embedding_entry(of(object)->embedding);
    value->text = entry ? entry->name : NULL;
}

static void get_traffic(const void *object, np_value *value) { value->text = of(object)->map->guest_options->traffic; }
static void get_file(const void *object, np_value *value) { value->text = of(object)->map->guest_options->file; }
static void get_scheme(const void *object, np_value *value)
{
    value->text = scheme_of(of(object)->map, of(object)->guest);
}
static void get_guest_run(const void *object, np_value *value) { value->object = of(object)->map->guest; }

static void get_map(const void *object, np_value *value)
{
    value->object = np_embedding_map(of(object)->embedding);
    value->count = np_network_nodes(of(object)->guest);
}

static const np_field indexing_rows[] = {
    {"name", NP_FIELD_TEXT, .get = get_indexing, .help = "of the indexing scheme"},
    {"adjacent_pairs", NP_FIELD_U64, offsetof(view, adjacent_pairs), .help = "those of neighbours among them"},
    {"pairs", NP_FIELD_U64, offsetof(view, pairs), .help = "of consecutive nodes of the host"},
};

static const np_fields indexing_fields = NP_FIELDS("indexing", "an indexing", view, indexing_rows);

static const np_field guest_run_rows[] = {
    {"traffic", NP_FIELD_TEXT, .get = get_traffic, .help = "its spec"},
    {"scheme", NP_FIELD_TEXT, .get = get_scheme, .help = "on the guest; `null`: by a schedule"},
    {"schedule_file", NP_FIELD_TEXT, .get = get_file, .help = "with that schedule; or `null`"},
    {NULL, NP_FIELD_INSET, .get = get_guest_run, .fields = &np_embedding_guest_result_fields},
};

static const np_fields guest_run_fields = NP_FIELDS("guest_run", "a guest's packets", view, guest_run_rows);

static const np_field view_rows[] = {
    {"seed", NP_FIELD_U64, .get = get_seed,
     .help = "where random traffic and the order of packets in their first queues come from"},
    {"guest", NP_FIELD_OBJECT, offsetof(view, guest), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network that is embedded"},
    {"host", NP_FIELD_OBJECT, offsetof(view, host), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network in which it is"},
    {"embedding", NP_FIELD_TEXT, .get = get_embedding, .help = "its name in the list; `null`: by a map"},
    {"map_file", NP_FIELD_TEXT, .get = get_map_file, .help = "of `--map`; or `null`"},
    {"indexing", NP_FIELD_OBJECT, .get = get_self, .fields = &indexing_fields, .known = has_indexing,
     .help = "of `--indexing`; or `null`"},
    {NULL, NP_FIELD_INSET, offsetof(view, facts), .flags = NP_FIELD_BEHIND, .fields = &np_embedding_facts_fields},
    {"run", NP_FIELD_OBJECT, offsetof(view, run), .flags = NP_FIELD_BEHIND, .fields = &np_embedding_run_result_fields,
     .help = "steps of the guest in which each of its links carries a packet"},
    {"guest_run", NP_FIELD_OBJECT, .get = get_self, .fields = &guest_run_fields, .known = has_guest_run,
     .help = "of `--traffic`; or `null`"},
    {"map", NP_FIELD_LIST, .get = get_map, .applies = is_shown,
     .help = "only with `--show`: the host node of each guest node"},
};

static const np_fields view_fields = NP_FIELDS("embed", "an embedding", view, view_rows);

static const char csv_columns[] =
    "guest=guest.spec,host=host.spec,embedding,map_file,indexing=indexing.name,load,load_stated=stated.load,dilation,"
    "dilation_stated=stated.dilation,congestion,congestion_stated=stated.congestion,expansion,"
    "expansion_stated=stated.expansion,agrees,dilation_mean,hops,congestion_both,reverses,guest_steps=run.guest_steps,"
    "least=run.least,scheduled=run.scheduled.steps,tries=run.scheduled.tries,seed,traffic=guest_run.traffic,"
    "scheme=guest_run.scheme,schedule_file=guest_run.schedule_file,packets=guest_run.packets,"
    "traffic_steps=guest_run.guest_steps,traffic_least=guest_run.least.total,"
    "traffic_scheduled=guest_run.scheduled.total,traffic_queued=guest_run.queued.total,queue_max=run.queued.queue_max,"
    "*=run.queued.steps";

const np_report_shape np_report_embed_shape = {"embed", &view_fields, &view_fields, csv_columns};

static np_status embed_fields(const np_embedding *embedding, const np_embedding_facts *facts,
                              const np_embedding_run_result *run, const np_report_map *map,
                              const np_report_options *options, FILE *stream)
{
    const np_network *guest = np_embedding_guest(embedding), *host = np_embedding_host(embedding);
    view v = {embedding, guest, host, facts, run, map, 0, np_network_nodes(host) - 1};
    np_status st;
    if (map->indexing && (st = np_indexing_adjacent_pairs(map->indexing, host, &v.adjacent_pairs)))
        return st;
    return options->format == NP_REPORT_CSV ? np_csv_report(&view_fields, &v, csv_columns, stream)
                                            : np_json_report(&view_fields, &v, options->command, 2, stream);
}

/* ---- table ---- */

static void head(const np_embedding *embedding, const np_report_map *map, FILE *stream)
{
    const np_entry *entry = np_embedding_entry(embedding);
    const np_network *guest = embedding->guest, *host = embedding->host;
    fprintf(stream, "guest      %s: %u node%s, %" PRIu64 " link%s\n", np_network_spec(guest), guest->nodes,
            np_plural(guest->nodes), guest->links, np_plural(guest->links));
    fprintf(stream, "host       %s: %u node%s, %" PRIu64 " link%s\n", np_network_spec(host), host->nodes,
            np_plural(host->nodes), host->links, np_plural(host->links));
    if (entry)
        fprintf(stream, "embedding  %s: %s%s%s%s\n", entry->name, entry->help, *entry->source ? " [" : "",
                entry->source, *entry->source ? "]" : "");
    else if (map->indexing)
        fprintf(stream, "embedding  node i on the i-th node, %s\n", map->indexing);
    else
        fprintf(stream, "embedding  the map of %s\n", map->file ? map->file : "the caller");
}

static np_status adjacency(const np_network *host, const char *indexing, FILE *stream)
{
    uint64_t pairs, all = np_network_nodes(host) - 1;
    np_status st = np_indexing_adjacent_pairs(indexing, host, &pairs);
    if (!st)
        fprintf(stream, "indexing   %" PRIu64 " of %" PRIu64 " pairs of consecutive nodes are neighbours\n", pairs,
                all);
    return st;
}

static void figure_row(np_table *table, const char *name, double measured, double stated)
{
    np_table_add(table, "%s", name);
    np_table_number(table, measured);
    if (stated > 0)
        np_table_number(table, stated);
    else
        np_table_add(table, "-");
}

static np_status figures(const np_embedding_facts *facts, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrrl", (const char *const[]){"", "measured", "stated", ""});
    figure_row(&table, "load", facts->load, facts->stated.load);
    np_table_add(&table, "%s", facts->load == 1 ? "injective" : "not injective");
    figure_row(&table, "dilation", facts->dilation, facts->stated.dilation);
    np_table_add(&table, "mean %s", NP_FIXED(facts->dilation_mean, 2));
    figure_row(&table, "congestion", facts->congestion, facts->stated.congestion);
    np_table_add(&table, "paths over a directed link; %u over both directions%s", facts->congestion_both,
                 facts->reverses ? "" : "; not every path back is the reverse");
    figure_row(&table, "expansion", facts->expansion, facts->stated.expansion);
    np_table_add(&table, "%s", "");
    return np_table_end(&table, stream);
}

static void step_row(np_table *table, const char *name, double steps, uint64_t total)
{
    np_table_add(table, "%s", name);
    np_table_number(table, steps);
    np_table_add(table, "%" PRIu64, total);
}

static np_status steps(const np_embedding_run_result *run, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrrl", (const char *const[]){"", "host steps", "in all", ""});
    step_row(&table, "at least", run->least, (uint64_t)run->least * run->guest_steps);
    np_table_add(&table, "the larger of congestion and dilation");
    step_row(&table, "off line", run->scheduled, run->scheduled_total);
    np_table_add(&table, "%s", run->scheduled == run->least ? "the shortest schedule there is" : "");
    step_row(&table, "by queues", run->queued.mean, run->queued_total);
    np_table_add(&table, "FIFO; %s..%s, longest queue %u", NP_FIXED(run->queued.min, 0), NP_FIXED(run->queued.max, 0),
                 run->queue_max);
    return np_table_end(&table, stream);
}

/* What the guest ran. */
static np_status guest_steps(const np_report_map *map, const np_network *guest, FILE *stream)
{
    const np_embedding_guest_result *run = map->guest;
    const char *scheme = scheme_of(map, guest);
    np_table table;
    fprintf(stream, "\nthe guest's packets: %s by %s%s: %u packet%s, %" PRIu64 " hop%s, %u step%s on the guest%s\n",
            map->guest_options->traffic, scheme ? "scheme " : "the schedule of ",
            scheme ? scheme : map->guest_options->file, run->packets, np_plural(run->packets), run->hops,
            np_plural(run->hops), run->guest_steps, np_plural(run->guest_steps),
            run->busy_steps < run->guest_steps ? ", in some of which nothing moves" : "");
    np_table_begin(&table, "lrrl", (const char *const[]){"", "host steps", "in all", ""});
    step_row(&table, "at least", run->least.mean, run->least_total);
    np_table_add(&table, "the larger of congestion and dilation of the links that a step crosses");
    step_row(&table, "off line", run->scheduled.mean, run->scheduled_total);
    np_table_add(&table, "by the schedule of a full step, which makes %" PRIu64 " in all", run->full_total);
    step_row(&table, "by queues", run->queued.mean, run->queued_total);
    np_table_add(&table, "FIFO; %s..%s, longest queue %u", NP_FIXED(run->queued.min, 0), NP_FIXED(run->queued.max, 0),
                 run->queue_max);
    return np_table_end(&table, stream);
}

/* ---- the map ---- */

/* Rows and columns of a grid of one or two dimensions that fits; false for other networks. */
static bool picture_size(const np_network *host, uint32_t *rows, uint32_t *columns)
{
    if (!np_network_is(host, NP_KIND_GRIDS) || host->dimensions > 2)
        return false;
    *columns = host->side[host->dimensions - 1];
    *rows = host->nodes / *columns;
    return *columns <= COLUMNS_MAX && *rows <= ROWS_MAX;
}

/* many: some host node has several guest nodes. Of several, the cell shows the first and a plus. */
static void cell(const np_embedding *embedding, np_node at, bool many, int width, FILE *stream)
{
    np_node first = NP_NONE;
    uint32_t count = 0;
    for (np_node u = 0; u < embedding->guest->nodes; u++)
        if (embedding->map[u] == at)
            first = count++ ? first : u;
    if (count)
        fprintf(stream, "%*u", width, first);
    else
        fprintf(stream, "%*c", width, '.');
    if (many)
        fputc(count > 1 ? '+' : ' ', stream);
}

static void show(const np_embedding *embedding, bool many, FILE *stream)
{
    uint32_t rows, columns;
    int width = snprintf(NULL, 0, "  %u", embedding->guest->nodes - 1);
    if (!picture_size(embedding->host, &rows, &columns)) {
        for (np_node u = 0; u < embedding->guest->nodes; u++)
            fprintf(stream, "%s%u > %u\n", u ? "" : "\n", u, embedding->map[u]);
        return;
    }
    fprintf(stream, "\nguest nodes on the host%s\n", many ? " ('+': with others)" : "");
    for (uint32_t i = 0; i < rows; i++) {
        if (i)
            fputc('\n', stream);
        for (uint32_t j = 0; j < columns; j++)
            cell(embedding, i * columns + j, many, width, stream);
    }
    fputc('\n', stream);
}

np_status np_report_embed(const np_embedding *embedding, const np_embedding_facts *facts,
                          const np_embedding_run_result *run, const np_report_map *map, const np_report_options *given,
                          FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format != NP_REPORT_TABLE)
        return embed_fields(embedding, facts, run, map, &options, stream);
    head(embedding, map, stream);
    if (map->indexing && (st = adjacency(embedding->host, map->indexing, stream)))
        return st;
    fputc('\n', stream);
    if ((st = figures(facts, stream)))
        return st;
    if (!facts->agrees)
        fprintf(stream, "NOT as stated\n");
    if (run->guest_steps > 1)
        fprintf(stream, "\n%u steps of the guest, in which each of its links carries a packet\n", run->guest_steps);
    else
        fputs("\na step of the guest, in which each of its links carries a packet\n", stream);
    if ((st = steps(run, stream)) || (map->guest && (st = guest_steps(map, embedding->guest, stream))))
        return st;
    if (map->show)
        show(embedding, facts->load > 1, stream);
    if (options.command && *options.command)
        fprintf(stream, "\nrepeat     %s\n", options.command);
    return np_output_check(stream, "the report");
}
