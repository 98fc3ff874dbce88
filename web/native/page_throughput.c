/*
 * The verdict on the page: the two numbers between which the best routing of all lies, and each link with its load in
 * that routing and its price.
 */
#include <stdlib.h>

#include "page.h"

/*
 * An iteration of the search goes over all links for each destination. So much of it the page takes at once, and so
 * much in all: ours, some seconds in a browser.
 */
enum { ONCE_MAX = 1 << 20, WORK_MAX = 1 << 27 };

static double *use;   /* [links] from, to, load */
static double *price; /* [links] */

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

static np_status search(const np_network *network, const np_traffic *traffic, np_throughput_options *options,
                        np_throughput **out)
{
    const uint64_t destinations = count_destinations(network, traffic), links = np_network_links(network);
    const uint64_t once = destinations * links, most = WORK_MAX / (once ? once : 1);
    const uint32_t asked = options->iterations;
    if (once > ONCE_MAX)
        return np_status_raise(NP_ERROR_LIMIT,
                               "%llu destinations times %llu links: the page takes at most %d, the command more",
                               (unsigned long long)destinations, (unsigned long long)links, ONCE_MAX);
    options->iterations = asked < most ? asked : (uint32_t)most;
    np_status st = np_throughput_find(network, traffic, options, out);
    if (st || !(*out)->moves || (*out)->reached || asked <= most || options->time_limit > 0)
        return st;
    st = np_status_raise(
        NP_ERROR_LIMIT,
        "gap %g is not reached after %llu iterations, and the page takes no more for %llu destinations "
        "times %llu links: ask for a larger gap, or the command",
        options->gap, (unsigned long long)most, (unsigned long long)destinations, (unsigned long long)links);
    np_throughput_free(*out);
    return st;
}

static int tell(void *context, const np_progress *progress)
{
    (void)context;
    page_tell_progress(0, progress->share);
    return 0;
}

static void keep_links(const np_throughput *result)
{
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
    options.watch.tell = tell;
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
    page_say(", \"uses\": %zu, \"use\": %zu, \"price\": %zu", result->links_count, (size_t)use, (size_t)price);
    np_throughput_free(result);
    return NP_OK;
}
