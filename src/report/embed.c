/* An embedding: what is measured beside what is stated, and what a step of the guest costs the host. */
#include <inttypes.h>

#include "embed/embedding.h"
#include "netpram/output.h"
#include "netpram/route.h"
#include "report/embed.h"
#include "report/json.h"
#include "report/table.h"

enum { COLUMNS_MAX = 40, ROWS_MAX = 64 }; /* of a picture: ours, about a screen */

const char *np_report_embed_scheme(const np_report_map *map, const np_network *guest)
{
    if (map->guest_options->file)
        return NULL;
    return map->guest_options->scheme ? map->guest_options->scheme : np_scheme_default(guest);
}

/* ---- JSON ---- */

static json_t *network_json(const np_network *network)
{
    json_t *object = json_object();
    np_json_set(&object, "spec", np_json_text(np_network_spec(network)));
    np_json_set(&object, "nodes", np_json_whole(np_network_nodes(network)));
    np_json_set(&object, "links", np_json_whole(np_network_links(network)));
    return object;
}

static json_t *or_null(uint32_t stated) { return stated ? np_json_whole(stated) : json_null(); }

static json_t *stated_json(const np_embedding_stated *stated)
{
    json_t *object = json_object();
    np_json_set(&object, "load", or_null(stated->load));
    np_json_set(&object, "dilation", or_null(stated->dilation));
    np_json_set(&object, "congestion", or_null(stated->congestion));
    np_json_set(&object, "expansion", stated->expansion > 0 ? np_json_real(stated->expansion) : json_null());
    return object;
}

static json_t *run_json(const np_embedding_run_result *run)
{
    json_t *object = json_object(), *queued = json_object(), *scheduled = json_object();
    np_json_set(&queued, "steps", np_json_summary(&run->queued, true));
    np_json_set(&queued, "total", np_json_whole(run->queued_total));
    np_json_set(&queued, "queue_max", np_json_whole(run->queue_max));
    np_json_set(&scheduled, "steps", np_json_whole(run->scheduled));
    np_json_set(&scheduled, "total", np_json_whole(run->scheduled_total));
    np_json_set(&scheduled, "tries", np_json_whole(run->tries));
    np_json_set(&object, "guest_steps", np_json_whole(run->guest_steps));
    np_json_set(&object, "least", np_json_whole(run->least));
    np_json_set(&object, "scheduled", scheduled);
    np_json_set(&object, "queued", queued);
    return object;
}

static json_t *total_json(const np_summary *steps, uint64_t total)
{
    json_t *object = json_object();
    np_json_set(&object, "steps", np_json_summary(steps, true));
    np_json_set(&object, "total", np_json_whole(total));
    return object;
}

/* What the guest ran, or null. */
static json_t *guest_run_json(const np_report_map *map, const np_network *guest)
{
    const np_embedding_guest_result *run = map->guest;
    if (!run)
        return json_null();
    json_t *object = json_object(), *queued = total_json(&run->queued, run->queued_total);
    const char *scheme = np_report_embed_scheme(map, guest), *file = map->guest_options->file;
    np_json_set(&queued, "queue_max", np_json_whole(run->queue_max));
    np_json_set(&object, "traffic", np_json_text(map->guest_options->traffic));
    np_json_set(&object, "scheme", scheme ? np_json_text(scheme) : json_null());
    np_json_set(&object, "schedule_file", file ? np_json_text(file) : json_null());
    np_json_set(&object, "packets", np_json_whole(run->packets));
    np_json_set(&object, "guest_steps", np_json_whole(run->guest_steps));
    np_json_set(&object, "busy_steps", np_json_whole(run->busy_steps));
    np_json_set(&object, "hops", np_json_whole(run->hops));
    np_json_set(&object, "least", total_json(&run->least, run->least_total));
    np_json_set(&object, "scheduled", total_json(&run->scheduled, run->scheduled_total));
    np_json_set(&object, "queued", queued);
    np_json_set(&object, "full_total", np_json_whole(run->full_total));
    return object;
}

/* Consecutive indices whose nodes are neighbours. */
static np_status indexing_json(const np_network *host, const char *name, json_t **out)
{
    uint64_t pairs;
    np_status st = np_indexing_adjacent_pairs(name, host, &pairs);
    *out = json_object();
    np_json_set(out, "name", np_json_text(name));
    np_json_set(out, "adjacent_pairs", np_json_whole(pairs));
    np_json_set(out, "pairs", np_json_whole(np_network_nodes(host) - 1));
    return st;
}

static json_t *map_json(const np_embedding *embedding)
{
    json_t *array = json_array();
    for (np_node u = 0; u < embedding->guest->nodes; u++)
        np_json_append(&array, np_json_whole(embedding->map[u]));
    return array;
}

static np_status embed_json(const np_embedding *embedding, const np_embedding_facts *facts,
                            const np_embedding_run_result *run, const np_report_map *map,
                            const np_report_options *options, FILE *stream)
{
    const np_entry *entry = np_embedding_entry(embedding);
    json_t *object = np_json_head(options->command), *indexing = json_null();
    np_status st = NP_OK;
    if (map->indexing && (st = indexing_json(embedding->host, map->indexing, &indexing))) {
        json_decref(indexing);
        json_decref(object);
        return st;
    }
    np_json_set(&object, "seed", np_json_whole(run->seed));
    np_json_set(&object, "guest", network_json(embedding->guest));
    np_json_set(&object, "host", network_json(embedding->host));
    np_json_set(&object, "embedding", entry ? np_json_text(entry->name) : json_null());
    np_json_set(&object, "map_file", map->file ? np_json_text(map->file) : json_null());
    np_json_set(&object, "indexing", indexing);
    np_json_set(&object, "load", np_json_whole(facts->load));
    np_json_set(&object, "dilation", np_json_whole(facts->dilation));
    np_json_set(&object, "congestion", np_json_whole(facts->congestion));
    np_json_set(&object, "expansion", np_json_real(facts->expansion));
    np_json_set(&object, "stated", stated_json(&facts->stated));
    np_json_set(&object, "agrees", json_boolean(facts->agrees));
    np_json_set(&object, "dilation_mean", np_json_real(facts->dilation_mean));
    np_json_set(&object, "hops", np_json_whole(facts->hops));
    np_json_set(&object, "congestion_both", np_json_whole(facts->congestion_both));
    np_json_set(&object, "reverses", json_boolean(facts->reverses));
    np_json_set(&object, "run", run_json(run));
    np_json_set(&object, "guest_run", guest_run_json(map, embedding->guest));
    if (map->show)
        np_json_set(&object, "map", map_json(embedding));
    return np_json_print(object, 2, stream);
}

/* ---- table ---- */

static void head(const np_embedding *embedding, const np_report_map *map, FILE *stream)
{
    const np_entry *entry = np_embedding_entry(embedding);
    const np_network *guest = embedding->guest, *host = embedding->host;
    fprintf(stream, "guest      %s: %u nodes, %" PRIu64 " links\n", np_network_spec(guest), guest->nodes, guest->links);
    fprintf(stream, "host       %s: %u nodes, %" PRIu64 " links\n", np_network_spec(host), host->nodes, host->links);
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
    np_table_init(&table, "lrrl");
    np_table_add(&table, "%s", "");
    np_table_add(&table, "measured");
    np_table_add(&table, "stated");
    np_table_add(&table, "%s", "");
    figure_row(&table, "load", facts->load, facts->stated.load);
    np_table_add(&table, "%s", facts->load == 1 ? "injective" : "not injective");
    figure_row(&table, "dilation", facts->dilation, facts->stated.dilation);
    np_table_add(&table, "mean %.2f", facts->dilation_mean);
    figure_row(&table, "congestion", facts->congestion, facts->stated.congestion);
    np_table_add(&table, "paths over a directed link; %u over both directions%s", facts->congestion_both,
                 facts->reverses ? "" : "; not every path back is the reverse");
    figure_row(&table, "expansion", facts->expansion, facts->stated.expansion);
    np_table_add(&table, "%s", "");
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
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
    np_table_init(&table, "lrrl");
    np_table_add(&table, "%s", "");
    np_table_add(&table, "host steps");
    np_table_add(&table, "in all");
    np_table_add(&table, "%s", "");
    step_row(&table, "at least", run->least, (uint64_t)run->least * run->guest_steps);
    np_table_add(&table, "the larger of congestion and dilation");
    step_row(&table, "off line", run->scheduled, run->scheduled_total);
    np_table_add(&table, "%s", run->scheduled == run->least ? "the shortest schedule there is" : "");
    step_row(&table, "by queues", run->queued.mean, run->queued_total);
    np_table_add(&table, "FIFO; %.0f..%.0f, longest queue %u", run->queued.min, run->queued.max, run->queue_max);
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

/* What the guest ran. */
static np_status guest_steps(const np_report_map *map, const np_network *guest, FILE *stream)
{
    const np_embedding_guest_result *run = map->guest;
    const char *scheme = np_report_embed_scheme(map, guest);
    np_table table;
    fprintf(stream, "\nthe guest's packets: %s by %s%s: %u packets, %" PRIu64 " hops, %u steps on the guest%s\n",
            map->guest_options->traffic, scheme ? "scheme " : "the schedule of ",
            scheme ? scheme : map->guest_options->file, run->packets, run->hops, run->guest_steps,
            run->busy_steps < run->guest_steps ? ", in some of which nothing moves" : "");
    np_table_init(&table, "lrrl");
    np_table_add(&table, "%s", "");
    np_table_add(&table, "host steps");
    np_table_add(&table, "in all");
    np_table_add(&table, "%s", "");
    step_row(&table, "at least", run->least.mean, run->least_total);
    np_table_add(&table, "the larger of congestion and dilation of the links that a step crosses");
    step_row(&table, "off line", run->scheduled.mean, run->scheduled_total);
    np_table_add(&table, "by the schedule of a full step, which makes %" PRIu64 " in all", run->full_total);
    step_row(&table, "by queues", run->queued.mean, run->queued_total);
    np_table_add(&table, "FIFO; %.0f..%.0f, longest queue %u", run->queued.min, run->queued.max, run->queue_max);
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

/* ---- the map ---- */

/* Rows and columns of a grid of one or two dimensions that fits; false for other networks. */
static bool picture_size(const np_network *host, uint32_t *rows, uint32_t *columns)
{
    static const char *const grids[] = {"mesh", "torus", "array", "ring", NULL};
    if (!np_embed_is_of(host, grids) || host->dimensions > 2)
        return false;
    *columns = host->side[host->dimensions - 1];
    *rows = host->nodes / *columns;
    return *columns <= COLUMNS_MAX && *rows <= ROWS_MAX;
}

/* many: some host node has several guest nodes; of those the first is shown, and a plus. */
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
                          const np_embedding_run_result *run, const np_report_map *map,
                          const np_report_options *options, FILE *stream)
{
    np_status st;
    if (options->format == NP_REPORT_CSV)
        return np_report_embed_csv(embedding, facts, run, map, stream);
    if (options->format == NP_REPORT_JSON)
        return embed_json(embedding, facts, run, map, options, stream);
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
    if (options->command && *options->command)
        fprintf(stream, "\nrepeat     %s\n", options->command);
    return np_output_check(stream, "the report");
}
