/*
 * Experiment files: refused with one line that begins with the file's name, or good, with a name fit for a file. A
 * small experiment is checked and run, too. Then it is refused with a line; or it is done, all files are there, and
 * when it runs again it does nothing and writes the same CSV.
 */
#include "fuzz.h"

#include <string.h>
#include <unistd.h>

#include "lab/experiment/experiment.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "{\"name\": $text, $more\"series\": [$series]$plots}"},
    {"more", "|\"runs\": $number, |\"seed\": $number, |\"description\": $text, "},
    {"series", "$one|$one|$one, $series"},
    {"one", "{\"label\": $text, $route$keys}|{\"label\": $text, $program$keys}|{\"label\": $text, $sort$keys}|"
            "{\"label\": $text, $route, \"sweep\": {$member$keys}}"},
    {"route",
     "\"scheme\": \"$schemes\", \"traffic\": \"$traffic\", \"networks\": $small|"
     "\"scheme\": \"greedy\", \"traffic\": [\"random\", \"identity\"], \"networks\": [\"ring:5\", \"mesh:3x3\"]"},
    {"program", "\"program\": \"$programs\", \"machine\": \"$machine\", \"n\": 8"},
    {"machine", "ideal|butterfly:3|leveled:mesh:3x4|two-phase:hypercube:3|$machines"},
    {"sort", "\"algorithm\": \"$sorters\", \"networks\": $small"},
    {"small", "[\"$network\"]|[\"$network\", \"$network\"]|\"hypercube:{2..4}\""},
    {"network", "hypercube:3|mesh:4x4|butterfly-io:3|ring:5|array:6|butterfly:3|omega:3|shuffle:2x3|$networks"},
    {"keys", "||, $member$keys|, $member$keys"},
    {"member", "\"$key\": $value"},
    {"key", "paths|queue|overlap|same_traffic|queue_size|room|combine|ranks|rank_range|message_length|messages|waves|"
            "permutations|steps|edges|rule|processors|slack|map|zeta|order|allotted|cells|keys|candidates|cutoff|runs|"
            "fit|fit_x|against|along|scheme|networks|traffic|machine|fail|via"},
    {"value", "$number|$text|[$value, $value]|true|false|\"{1..4}\"|\"1..8x2\"|\"{a,b}\"|\"total.steps\"|"
              "{\"scheme\": \"greedy\"}|\"$queues\"|\"$paths\"|\"$orders\"|null"},
    {"plots", "||, \"plots\": [$plot]|, \"plots\": [$plot, $plot]"},
    {"plot", "{\"file\": $text, \"y\": \"$y\"}|{\"file\": $text, \"y\": \"$y\", \"x\": \"$x\", \"title\": $text}|"
             "{\"file\": $text, \"y\": \"$y\", \"log_x\": true, \"log_y\": true, \"y_min\": $number}"},
    {"y", "total.steps|A.steps|route.ratio|pram_steps|network_steps.mean|steps|hops"},
    {"x", "nodes|log2_nodes|bound|relation|slack|queue_size|size|keys|machine_n"},
    {"text", "\"a\"|\"b\"|\"c\"|\"a b\"|\"$bytes\""},
    {NULL, NULL},
};

enum { POINTS_MOST = 8, DIGITS_MOST = 2, TELLS_MOST = 2000, MEMORY_MOST = 4 << 20 };

/* No number has many digits, and no file is named. */
static bool is_small_text(const char *text)
{
    if (!text)
        return true;
    if (strchr(text, '/') || strstr(text, "file:") || strstr(text, "npy"))
        return false;
    for (; *text; text++)
        if (strspn(text, "0123456789") > DIGITS_MOST)
            return false;
    return true;
}

static bool is_small(const np_experiment *experiment)
{
    size_t points = 0;
    for (size_t i = 0; i < experiment->series; i++) {
        const np_series *series = &experiment->serie[i];
        points += series->points;
        for (size_t k = 0; points <= POINTS_MOST && k < series->points * series->keys; k++)
            if (!is_small_text(series->text[k]))
                return false;
    }
    return points <= POINTS_MOST;
}

/* Cancels what takes long. */
static int tell(void *context, const np_progress *progress)
{
    unsigned *tells = context;
    (void)progress;
    return ++*tells > TELLS_MOST;
}

static char *csv_of(const np_experiment *experiment)
{
    char path[1024], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s.csv", fuzz_folder(), np_experiment_name(experiment));
    FILE *file = fopen(path, "rb");
    FUZZ_CHECK(file && getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

static np_status run_once(const np_experiment *experiment, np_experiment_outcome *outcome)
{
    np_experiment_options options;
    unsigned tells = 0;
    np_experiment_options_init(&options);
    options.directory = fuzz_folder();
    options.threads = 1;
    options.runs = 2;
    options.memory_limit = MEMORY_MOST;
    options.watch = (np_watch){tell, &tells};
    np_status st = np_experiment_run(experiment, &options, outcome);
    FUZZ_CHECK(st != NP_ERROR_INTERNAL && st != NP_ERROR_MEMORY);
    if (st)
        fuzz_check_message("");
    return st;
}

static void run(const np_experiment *experiment)
{
    np_experiment_outcome first, second;
    fuzz_clear_folder();
    if (run_once(experiment, &first))
        return;
    char *csv = csv_of(experiment);
    FUZZ_CHECK(first.points == first.points_all && !first.before);
    FUZZ_CHECK(!run_once(experiment, &second));
    FUZZ_CHECK(second.before == first.points_all && second.plots == first.plots);
    char *again = csv_of(experiment);
    FUZZ_CHECK(!strcmp(csv, again));
    free(again);
    free(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_experiment *experiment;
    if (np_experiment_parse("x.json", (const char *)data, size, &experiment)) {
        FUZZ_CHECK(!experiment);
        fuzz_check_message("x.json:");
        return 0;
    }
    const char *name = np_experiment_name(experiment);
    FUZZ_CHECK(*name && *name != '.' && !strchr(name, '/'));
    if (is_small(experiment))
        run(experiment);
    np_experiment_free(experiment);
    return 0;
}
