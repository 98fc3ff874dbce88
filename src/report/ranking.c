/* Off-line ranks: what was promised, what they leave possible, what was measured. */
#include "netpram/output.h"
#include "report/json.h"
#include "report/table.h"

/* ---- JSON ---- */

static json_t *phases_json(const np_ranking *ranking)
{
    json_t *array = json_array();
    for (size_t i = 0; i < ranking->phases; i++) {
        const np_ranking_phase *phase = &ranking->phase[i];
        json_t *object = json_object();
        np_json_set(&object, "name", np_json_text(phase->name));
        np_json_set(&object, "packets", json_integer(phase->packets));
        np_json_set(&object, "levels", json_integer(phase->levels));
        np_json_set(&object, "congestion", json_integer(phase->congestion));
        np_json_set(&object, "steps", json_integer(phase->steps));
        np_json_set(&object, "own_ranks", json_boolean(phase->own_ranks));
        np_json_append(&array, object);
    }
    return array;
}

static json_t *random_json(const np_summary *random)
{
    json_t *object;
    if (!random->count)
        return json_null();
    object = json_object();
    np_json_set(&object, "runs", np_json_whole(random->count));
    np_json_set(&object, "mean", np_json_real(random->mean));
    np_json_set(&object, "min", json_integer((json_int_t)random->min));
    np_json_set(&object, "max", json_integer((json_int_t)random->max));
    return object;
}

static json_t *estimate_json(const np_ranking *ranking)
{
    json_t *object;
    if (ranking->file)
        return json_null();
    object = json_object();
    np_json_set(&object, "first", np_json_real(ranking->estimate_first));
    np_json_set(&object, "last", np_json_real(ranking->estimate_last));
    return object;
}

static np_status report_json(const np_ranking *ranking, const char *command, FILE *stream)
{
    json_t *object = np_json_head(command);
    np_json_set(&object, "seed", np_json_whole(ranking->seed));
    np_json_set(&object, "network", np_json_text(ranking->network));
    np_json_set(&object, "traffic", np_json_text(ranking->traffic));
    np_json_set(&object, "paths", np_json_text(ranking->paths));
    np_json_set(&object, "queue_size", json_integer(ranking->queue_size));
    np_json_set(&object, "room", np_json_text(ranking->freed ? "freed" : "begin"));
    np_json_set(&object, "packets", json_integer(ranking->packets));
    np_json_set(&object, "rank_range", json_integer(ranking->range));
    np_json_set(&object, "file", ranking->file ? np_json_text(ranking->file) : json_null());
    np_json_set(&object, "phases", phases_json(ranking));
    np_json_set(&object, "promised", ranking->promised ? json_integer(ranking->promised) : json_null());
    np_json_set(&object, "bound", json_integer(ranking->bound));
    np_json_set(&object, "steps", json_integer(ranking->steps));
    np_json_set(&object, "kept", json_boolean(ranking->kept));
    np_json_set(&object, "random", random_json(&ranking->random));
    np_json_set(&object, "estimate", estimate_json(ranking));
    np_json_set(&object, "attempts", json_integer(ranking->rounds));
    return np_json_print(object, 3, stream);
}

/* ---- The table ---- */

static void head(const np_ranking *ranking, FILE *stream)
{
    fprintf(stream, "network  %s\n", ranking->network);
    fprintf(stream, "traffic  %s: %u packets\n", ranking->traffic, ranking->packets);
    fprintf(stream, "scheme   ranked: paths %s, queues of %u packets%s\n", ranking->paths, ranking->queue_size,
            ranking->freed ? ", room once freed" : "");
    if (ranking->file)
        fprintf(stream, "ranks    in 1..%u, from %s\n\n", ranking->range, ranking->file);
    else
        fprintf(stream, "ranks    in 1..%u, found by conditional expectations\n\n", ranking->range);
}

static np_status phases(const np_ranking *ranking, FILE *stream)
{
    static const char *const titles[] = {"phase", "packets", "L", "c", "steps", ""};
    np_table table;
    np_table_init(&table, "lrrrrl");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        np_table_add(&table, "%s", titles[i]);
    for (size_t i = 0; i < ranking->phases; i++) {
        const np_ranking_phase *phase = &ranking->phase[i];
        np_table_add(&table, "%s", phase->name);
        np_table_add(&table, "%u", phase->packets);
        np_table_add(&table, "%u", phase->levels);
        np_table_add(&table, "%u", phase->congestion);
        np_table_add(&table, "%u", phase->steps);
        np_table_add(&table, "%s", phase->own_ranks ? "ranks of its own: not counted below" : "");
    }
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

static void promise(const np_ranking *ranking, FILE *stream)
{
    if (ranking->file && !ranking->promised)
        fprintf(stream, "promise  none in the file\n");
    else if (ranking->file)
        fprintf(stream, "promise  at most %u steps, by the file: %s\n", ranking->promised,
                ranking->kept ? "kept" : "BROKEN");
    else if (ranking->estimate_first >= 1) /* a promise that is expected to be broken is one that cannot be */
        fprintf(stream, "promise  at most %u steps, which %sany ranks keep\n", ranking->promised,
                ranking->phases > 1 ? "in some phase " : "");
    else
        fprintf(stream, "promise  at most %u steps: longer chains of delays expected, at first %.3g, in the end %.3g\n",
                ranking->promised, ranking->estimate_first, ranking->estimate_last);
}

static void results(const np_ranking *ranking, FILE *stream)
{
    fprintf(stream, "\n");
    promise(ranking, stream);
    fprintf(stream, "bound    at most %u steps, by the longest chain of delays that these ranks leave\n",
            ranking->bound);
    fprintf(stream, "steps    %u with these ranks\n", ranking->steps);
    if (ranking->random.count)
        fprintf(stream, "random   %.4g steps, %.0f..%.0f: %zu runs with random ranks on the same paths\n",
                ranking->random.mean, ranking->random.min, ranking->random.max, ranking->random.count);
}

static np_status report_table(const np_ranking *ranking, const char *command, FILE *stream)
{
    np_status st;
    head(ranking, stream);
    if ((st = phases(ranking, stream)))
        return st;
    results(ranking, stream);
    if (command && *command)
        fprintf(stream, "\nrepeat   %s\n", command);
    return np_output_check(stream, "the report");
}

np_status np_report_ranking(const np_ranking *ranking, const np_report_options *options, FILE *stream)
{
    if (options->format == NP_REPORT_CSV)
        return NP_RAISE(NP_ERROR_INPUT, "no format 'csv' for ranks: they print as 'table' or 'json'");
    if (options->format == NP_REPORT_JSON)
        return report_json(ranking, options->command, stream);
    return report_table(ranking, options->command, stream);
}
