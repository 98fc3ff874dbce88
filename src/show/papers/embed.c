/* An embedding: measured figures beside stated ones, and the cost of a step of the guest on the host. */
#include "papers/embed/embedding.h"
#include "base/written.h"
#include "model/network/read_node.h"
#include "show/table/shape.h"

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

static void get_place(np_value *list, size_t u, np_value *item)
{
    const view *v = list->object;
    np_node_value(v->host, np_embedding_map(v->embedding)[u], item);
}

static void get_map(const void *object, np_value *value)
{
    value->object = object;
    value->count = np_network_nodes(of(object)->guest);
    value->item = get_place;
}

static bool is_shown_by_name(const void *object)
{
    np_value first;
    np_node_value(of(object)->guest, 0, &first);
    return is_shown(object) && first.kind == NP_VALUE_TEXT;
}

static void get_name(np_value *list, size_t u, np_value *item) { np_node_value(list->object, (np_node)u, item); }

static void get_names(const void *object, np_value *value)
{
    value->object = of(object)->guest;
    value->count = np_network_nodes(of(object)->guest);
    value->item = get_name;
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
     .help = "only with `--show`: the host node of each guest node, in the order of their numbers"},
    {"guest_names", NP_FIELD_LIST, .get = get_names, .applies = is_shown_by_name,
     .help = "only with `--show`, if the guest's nodes have names: these, in the order of `map`"},
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

/* ---- For people ---- */

static const np_embedding_run_result *run_of(const void *object) { return of(object)->run; }
static const np_entry *entry_of(const void *object) { return np_embedding_entry(of(object)->embedding); }
static void get_help(const void *object, np_value *value)
{
    value->text = entry_of(object) ? entry_of(object)->help : NULL;
}
static void get_source(const void *object, np_value *value)
{
    value->text = entry_of(object) ? entry_of(object)->source : NULL;
}

static void get_least_total(const void *object, np_value *value)
{
    value->whole = (uint64_t)run_of(object)->least * run_of(object)->guest_steps;
}

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &view_fields},
    {"help", NP_FIELD_TEXT, .get = get_help, .help = "what the embedding does"},
    {"source", NP_FIELD_TEXT, .get = get_source, .help = "of the embedding"},
    {"least_total", NP_FIELD_U64, .get = get_least_total, .help = "steps of the host"},
};

static const np_fields shown_fields = NP_FIELDS("embed_shown", "an embedding", view, shown_rows);

static const char layout[] =
    "guest      {guest.spec}: {guest.nodes node}, {guest.links link}\n"
    "host       {host.spec}: {host.nodes node}, {host.links link}\n"
    "embedding  {embedding ? {embedding}: {help}{source ?  [{source}]} : {with indexing: node i on the i-th node, "
    "{name}}"
    "{indexing=null ? the map of {map_file ? {map_file} : the caller}}}\n"
    "{with indexing: indexing   {adjacent_pairs} of {pairs} pairs of consecutive nodes are neighbours\n}"
    "\n{table lrrl: |measured|stated|\n"
    "load|{load}|{stated.load}|{load=1 ? injective : not injective}\n"
    "dilation|{dilation}|{stated.dilation}|mean {dilation_mean:.2}\n"
    "congestion|{congestion}|{stated.congestion}|paths over a directed link; {congestion_both} over both directions"
    "{reverses ?  : ; not every path back is the reverse}\n"
    "expansion|{expansion}|{stated.expansion}|\n}"
    "{agrees ?  : NOT as stated\n}"
    "{with run: \n{guest_steps>1 ? {guest_steps} steps : a step} of the guest, in which each of its links carries a "
    "packet\n"
    "{table lrrl: |host steps|in all|\n"
    "at least|{least}|{least_total}|the larger of congestion and dilation\n"
    "off line|{scheduled.steps}|{scheduled.total}|{scheduled.steps=least ? the shortest schedule there is}\n"
    "by queues|{queued.steps}|{queued.total}|FIFO; {queued.steps.min:.0}..{queued.steps.max:.0}, longest queue "
    "{queued.queue_max}\n}}"
    "{with guest_run: \nthe guest's packets: {traffic} by {scheme ? scheme {scheme} : the schedule of "
    "{schedule_file}}: "
    "{packets packet}, {hops hop}, {guest_steps step} on the guest"
    "{busy_steps<guest_steps ? , in some of which nothing moves}\n"
    "{table lrrl: |host steps|in all|\n"
    "at least|{least.steps}|{least.total}|the larger of congestion and dilation of the links that a step crosses\n"
    "off line|{scheduled.steps}|{scheduled.total}|by the schedule of a full step, which makes {full_total} in all\n"
    "by queues|{queued.steps}|{queued.total}|FIFO; {queued.steps.min:.0}..{queued.steps.max:.0}, longest queue "
    "{queued.queue_max}\n}}";

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
        fprintf(stream, "%*.*s", width, width - 2, NP_NODE_NAME(embedding->guest, first));
    else
        fprintf(stream, "%*c", width, '.');
    if (many)
        fputc(count > 1 ? '+' : ' ', stream);
}

/* Names of people come from outside. */
static void print_place(const np_embedding *embedding, np_node u, FILE *stream)
{
    fputs(u ? "" : "\n", stream);
    np_written(NP_MEDIUM_TERMINAL, NP_NODE_NAME(embedding->guest, u), stream);
    fputs(" > ", stream);
    np_written(NP_MEDIUM_TERMINAL, NP_NODE_NAME(embedding->host, embedding->map[u]), stream);
    fputc('\n', stream);
}

static void show(const np_embedding *embedding, bool many, FILE *stream)
{
    uint32_t rows, columns;
    int width = snprintf(NULL, 0, "  %u", embedding->guest->nodes - 1);
    if (!picture_size(embedding->host, &rows, &columns)) {
        for (np_node u = 0; u < embedding->guest->nodes; u++)
            print_place(embedding, u, stream);
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

static np_status print(const void *object, const np_report_options *options, FILE *stream)
{
    (void)options;
    if (of(object)->map->show)
        show(of(object)->embedding, of(object)->facts->load > 1, stream);
    return NP_OK;
}

const np_report_form np_report_embed_form = {
    {"embed", &view_fields, &view_fields, csv_columns}, .open = 2,      .fields = &shown_fields, .layout = layout,
    .rest = {"{command ? \nrepeat     {command}\n}"},   .people = print};

np_status np_report_embed(const np_embedding *embedding, const np_embedding_facts *facts,
                          const np_embedding_run_result *run, const np_report_map *map, const np_report_options *given,
                          FILE *stream)
{
    const np_network *guest = np_embedding_guest(embedding), *host = np_embedding_host(embedding);
    view v = {embedding, guest, host, facts, run, map, 0, np_network_nodes(host) - 1};
    np_status st = map->indexing ? np_indexing_adjacent_pairs(map->indexing, host, &v.adjacent_pairs) : NP_OK;
    return st ? st : np_report_print(&np_report_embed_form, &v, given, stream);
}
