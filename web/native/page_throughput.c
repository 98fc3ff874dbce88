/*
 * The verdict on the page: the two numbers between which the best routing of all lies, and each link with its load in
 * that routing and its price.
 */
#include <stdlib.h>

#include <emscripten.h>

#include "page.h"

/*
 * A pass of the search goes over all links for each destination: so much of it the page takes. How many passes there
 * will be is not known before, so that the clock ends what takes long: ours.
 */
enum { ONCE_MAX = 1 << 20, SECONDS_MAX = 10 };

static double *use;   /* [links] from, to, load */
static double *price; /* [links] */
static bool *cut;     /* [nodes] */

static uint64_t count_destinations(const np_network *network, const np_traffic *traffic)
{
    bool *is = calloc(np_network_nodes(network), sizeof *is);
    uint64_t count = 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++) {
        bool *one = &is[np_traffic_destinations(traffic)[p]];
        count += !*one;
        *one = true;
    }
    free(is);
    return count;
}

/* What the page has none of. The numbers are the command's, whose last digits by linear programs depend on them. */
static np_status refuse_options(const np_throughput_options *options)
{
    if (options->certificate || options->paths_out)
        return np_status_raise(NP_ERROR_INPUT, "%s: the page writes no files, the command does",
                               options->certificate ? "certificate" : "paths_out");
    if (options->gap < 0.001)
        return np_status_raise(NP_ERROR_INPUT,
                               "gap %g: the page has no linear programs: from 0.001 on; the command takes less",
                               options->gap);
    return NP_OK;
}

static int tell(void *context, const np_progress *progress)
{
    const double *began = context;
    page_tell_progress(0, progress->share);
    return emscripten_get_now() - *began > 1000.0 * SECONDS_MAX;
}

static np_status search(const np_network *network, const np_traffic *traffic, np_throughput_options *options,
                        np_throughput **out)
{
    const uint64_t destinations = count_destinations(network, traffic), links = np_network_links(network);
    double began = emscripten_get_now();
    if (destinations * links > ONCE_MAX)
        return np_status_raise(NP_ERROR_LIMIT,
                               "%llu destinations times %llu links: the page takes at most %d, the command more",
                               (unsigned long long)destinations, (unsigned long long)links, ONCE_MAX);
    options->watch = (np_watch){tell, &began};
    np_status st = np_throughput_find(network, traffic, options, out);
    if (st != NP_ERROR_CANCELLED)
        return st;
    return np_status_raise(
        NP_ERROR_LIMIT,
        "the verdict takes more than %d seconds, which is all that the page gives it: ask for a larger "
        "gap or a smaller network, or ask the command",
        SECONDS_MAX);
}

static void keep_links(const np_throughput *result)
{
    const size_t nodes = np_network_nodes(result->network);
    cut = realloc(cut, nodes);
    for (size_t u = 0; u < nodes; u++)
        cut[u] = result->cut && result->cut[u];
    use = realloc(use, (3 * result->links_count + 1) * sizeof *use);
    price = realloc(price, (result->links_count + 1) * sizeof *price);
    for (size_t i = 0; i < result->links_count; i++) {
        const np_throughput_link *link = &result->links[i];
        use[3 * i] = link->from;
        use[3 * i + 1] = link->to;
        use[3 * i + 2] = link->load;
        price[i] = link->price;
    }
}

np_status page_throughput(const np_network *network, const char *spec, char *lines)
{
    np_throughput_options options;
    np_throughput *result = NULL;
    np_traffic *traffic = NULL;
    np_throughput_options_init(&options);
    np_status st = page_set_options(&np_throughput_options_fields, &options, lines);
    options.threads = 1;
    if (!st && !(st = refuse_options(&options)) && !(st = np_traffic_create(spec, network, options.seed, 0, &traffic)))
        st = search(network, traffic, &options, &result);
    np_traffic_free(traffic);
    if (st)
        return st;
    keep_links(result);
    page_say("{\"result\": ");
    page_say_object(&np_throughput_fields, result);
    page_say(", \"uses\": %zu, \"use\": %zu, \"price\": %zu, \"cut\": %zu, \"cut_nodes\": %zu", result->links_count,
             (size_t)use, (size_t)price, (size_t)cut, (size_t)np_network_nodes(network));
    np_throughput_free(result);
    return NP_OK;
}
