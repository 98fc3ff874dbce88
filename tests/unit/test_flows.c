/* Flows on networks: against the definition on paths walked one by one, closed forms, files, units, arrivals. */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "oracle/fair.h"
#include "run/flows/flows.h"

static const char *temporary(const char *name)
{
    static char path[4][100];
    static unsigned next;
    char *text = path[next++ % 4];
    snprintf(text, sizeof path[0], "/tmp/netpram-test-flows-%ld-%s", (long)getpid(), name);
    return text;
}

static const char *write_file(const char *name, const char *text)
{
    const char *path = temporary(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

static np_flows_options defaults(void)
{
    np_flows_options options;
    np_flows_options_init(&options);
    return options;
}

static np_flows_result *play(const char *spec, const char *traffic, const np_flows_options *options)
{
    np_network *network = support_network(spec);
    np_flows_result *result;
    assert_ok(np_flows(network, traffic, options, &result));
    result->network = NULL; /* it is gone */
    np_network_free(network);
    return result;
}

static void assert_close(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.17g, must be %.17g", got, want);
}

static void refuse_options(const char *spec, const char *traffic, const np_flows_options *options, const char *why)
{
    np_network *network = support_network(spec);
    np_flows_result *r;
    assert_refused(np_flows(network, traffic, options, &r), NP_ERROR_INPUT, why);
    np_network_free(network);
}

/* ---- Against the definition ---- */

enum { FLOWS = 40, HOPS = 16 };

static uint32_t draw(uint32_t item, uint32_t which, uint32_t bound)
{
    const np_draws draws = {.seed = 5, .purpose = NP_RANDOM_CHECK};
    return np_random_below(&draws, item, which, bound);
}

/* All links from a node to another one are the first of them. */
static uint32_t first_parallel(const np_network *network, np_link link)
{
    np_node tail = np_network_link_tail(network, link);
    for (np_port p = 0; p < np_network_ports(network); p++) {
        np_link other = np_network_link_at(network, tail, p);
        if (other != NP_NONE && np_network_link_head(network, other) == np_network_link_head(network, link))
            return other;
    }
    return NP_NONE;
}

static void ask_oracle(const np_network *network, const char *rule, const np_flow_list *list, long double *finish)
{
    uint32_t links = np_network_link_numbers(network), path[FLOWS * HOPS];
    double *capacity = calloc(links, sizeof *capacity);
    size_t first[FLOWS + 1] = {0};
    np_path *paths;
    for (np_link l = 0; l < links; l++)
        if (np_network_link_head(network, l) != NP_NONE)
            capacity[first_parallel(network, l)]++;
    assert_ok(np_path_create(rule, network, &paths));
    for (size_t f = 0; f < list->flows; f++) {
        size_t hops;
        assert_ok(np_path_walk(paths, list->source[f], list->destination[f], 1, 0, 0, (np_packet)f, HOPS,
                               &path[first[f]], &hops));
        for (size_t h = 0; h < hops; h++)
            path[first[f] + h] = first_parallel(network, path[first[f] + h]);
        first[f + 1] = first[f] + hops;
    }
    const oracle_flows flows = {links, capacity, list->flows, first, path, list->start, list->size, NULL};
    oracle_fair_play(&flows, finish);
    np_path_free(paths);
    free(capacity);
}

static void compare(const char *spec, const char *rule)
{
    np_network *network = support_network(spec);
    np_node terminals = np_network_terminals(network), source[FLOWS], destination[FLOWS];
    double size[FLOWS], start[FLOWS];
    long double want[FLOWS];
    np_flows_result *result;
    np_flows_options options = defaults();
    options.paths = rule;
    for (uint32_t f = 0; f < FLOWS; f++) {
        source[f] = np_network_input(network, draw(f, 0, terminals));
        destination[f] = np_network_output(network, draw(f, 1, terminals));
        size[f] = draw(f, 2, 5) + (f % 2 ? draw(f, 3, 1000) / 1000. : 0);
        start[f] = draw(f, 4, 6) + (f % 3 ? 0 : draw(f, 5, 1000) / 1000.);
    }
    const np_flow_list list = {FLOWS, source, destination, size, start};
    assert_ok(np_flows_play(network, &list, &options, &result));
    ask_oracle(network, rule, &list, want);
    for (size_t f = 0; f < FLOWS; f++)
        if (fabsl((long double)result->finish[f] - want[f]) > 1e-9L * (want[f] - (long double)start[f]) + 1e-8L)
            fail_msg("%s, flow %zu: %.12g, must be %.12Lg", spec, f, result->finish[f], want[f]);
    np_flows_free(result);
    np_network_free(network);
}

static void definition(void **state)
{
    (void)state;
    compare("torus:4x4", "spray");
    compare("mesh:5x3", "dimension-order");
    compare("xgft:2:4,4:1,2", "spray");
    compare("dragonfly:a=4,p=2,h=2", "minimal");
    compare("ring:9", "shortest");
    compare("torus:2x2", "shortest"); /* two links between neighbours */
    compare("hypercube:4", "k-shortest:3");
}

/* ---- Divided flows ---- */

enum { NODES = 64, DIVIDED = 600 };

/* distance[v]: hops from v to the node; by going round until nothing changes. */
static void find_distances(const np_network *network, np_node to, uint32_t *distance)
{
    bool changed = true;
    for (np_node v = 0; v < np_network_nodes(network); v++)
        distance[v] = v == to ? 0 : 1000;
    while (changed) {
        changed = false;
        for (np_link l = 0; l < np_network_link_numbers(network); l++) {
            np_node head = np_network_link_head(network, l);
            np_node tail = head == NP_NONE ? 0 : np_network_link_tail(network, l);
            if (head == NP_NONE || distance[head] + 1 >= distance[tail])
                continue;
            distance[tail] = distance[head] + 1;
            changed = true;
        }
    }
}

/* What passes through u goes on, evenly over links; use[l] grows. */
static void pass(const np_network *network, const uint32_t *distance, np_node u, double amount, double *use)
{
    unsigned ways = 0;
    for (int put = 0; put < 2; put++)
        for (np_port p = 0; p < np_network_ports(network) && distance[u]; p++) {
            np_link l = np_network_link_at(network, u, p);
            np_node v = l == NP_NONE ? NP_NONE : np_network_link_head(network, l);
            if (v == NP_NONE || distance[v] + 1 != distance[u])
                continue;
            ways += !put;
            if (put) {
                use[first_parallel(network, l)] += amount / ways;
                pass(network, distance, v, amount / ways, use);
            }
        }
}

static void compare_divided(const char *spec)
{
    np_network *network = support_network(spec);
    np_node terminals = np_network_terminals(network), source[FLOWS], destination[FLOWS];
    uint32_t links = np_network_link_numbers(network), path[DIVIDED * 4], distance[NODES];
    double size[FLOWS], start[FLOWS], share[DIVIDED * 4], *capacity = calloc(links, sizeof *capacity);
    size_t first[FLOWS + 1] = {0};
    long double want[FLOWS];
    np_flows_result *result;
    np_flows_options options = defaults();
    options.split = true;
    for (np_link l = 0; l < links; l++)
        if (np_network_link_head(network, l) != NP_NONE)
            capacity[first_parallel(network, l)]++;
    for (uint32_t f = 0; f < FLOWS; f++) {
        double *use = calloc(links, sizeof *use);
        source[f] = np_network_input(network, draw(f, 0, terminals));
        destination[f] = np_network_output(network, draw(f, 1, terminals));
        size[f] = draw(f, 2, 5) + draw(f, 3, 1000) / 1000.;
        start[f] = draw(f, 4, 6);
        find_distances(network, destination[f], distance);
        pass(network, distance, source[f], 1, use);
        first[f + 1] = first[f];
        for (np_link l = 0; l < links; l++)
            if (use[l] > 0) {
                assert_true(first[f + 1] < DIVIDED * 4);
                path[first[f + 1]] = l;
                share[first[f + 1]++] = use[l];
            }
        free(use);
    }
    const np_flow_list list = {FLOWS, source, destination, size, start};
    const oracle_flows flows = {links, capacity, FLOWS, first, path, start, size, share};
    assert_ok(np_flows_play(network, &list, &options, &result));
    oracle_fair_play(&flows, want);
    for (size_t f = 0; f < FLOWS; f++)
        if (fabsl((long double)result->finish[f] - want[f]) > 1e-9L * (want[f] - (long double)start[f]) + 1e-8L)
            fail_msg("%s, flow %zu: %.12g, must be %.12Lg", spec, f, result->finish[f], want[f]);
    np_flows_free(result);
    np_network_free(network);
    free(capacity);
}

static void divided(void **state)
{
    (void)state;
    compare_divided("xgft:2:4,4:1,3");
    compare_divided("torus:4x3");
    compare_divided("hypercube:4");
    compare_divided("torus:2x3"); /* two links between some neighbours */
    compare_divided("dragonfly:a=3,p=1,h=1");
    np_flows_options options = defaults();
    options.split = true;
    options.flow_size = "10";
    np_flows_result *r = play("hypercube:5", "complement", &options); /* all links are used evenly */
    assert_close(r->makespan, 10);
    assert_close(r->slowdown.max, 5); /* alone: 5 links */
    assert_close(r->use_mean, 1);
    assert_true(r->split && !r->paths);
    np_flows_free(r);
    r = play("xgft:2:4,4:1,4", "all-to-all", &options); /* the core is never in the way */
    assert_close(r->makespan, 150);
    np_flows_free(r);
    options.paths = "shortest";
    refuse_options("ring:5", "random", &options, "paths 'shortest' is not heeded");
}

/* ---- Closed forms ---- */

/* Everybody sends S packets to the next one on a ring: each link has one flow. All to one: n - 1 over one link. */
static void closed_forms(void **state)
{
    (void)state;
    np_flows_options options = defaults();
    options.flow_size = "10";
    np_flows_result *r = play("ring:8", "rotation:1", &options);
    assert_int_equal(r->flows, 8);
    assert_close(r->makespan, 10);
    assert_close(r->completion.mean, 10);
    assert_close(r->slowdown.max, 1);
    assert_close(r->use_mean, 0.5); /* one way round alone */
    assert_int_equal(r->class_count, 1);
    np_flows_free(r);

    r = play("crossbar:9", "hotspot:0", &options);
    assert_true(r->makespan >= 80 - 1e-7);
    np_flows_free(r);

    r = play("xgft:1:16:1", "all-to-all", &options); /* one switch: each host receives 10 from 15 others */
    assert_close(r->makespan, 150);
    assert_int_equal(r->flows - r->resting, 240);
    assert_close(r->busiest.use, 1);
    np_flows_free(r);
}

static void empty(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:3x3");
    np_flows_result *r;
    const np_flow_list none = {0, NULL, NULL, NULL, NULL};
    assert_ok(np_flows_play(network, &none, NULL, &r));
    assert_int_equal(r->flows, 0);
    assert_true(r->makespan == 0 && isnan(r->completion.mean) && isnan(r->slowdown.max) && !r->class_count);
    assert_int_equal(r->busiest.from, NP_NONE);
    np_flows_free(r);
    r = NULL;
    np_network_free(network);
    r = play("complete:2", "identity", NULL);
    assert_true(r->makespan == 0 && r->completion.max == 0 && isnan(r->slowdown.mean));
    np_flows_free(r);
}

/* What is sent in all steps is what all flows send; the rates are those of the flows, worked out by hand. */
static void rates(void **state)
{
    static const np_node source[] = {0, 0, 3, 2}, destination[] = {1, 2, 3, 3};
    static const double size[] = {10, 10, 7, 3}, start[] = {0, 5, 2, 22};
    const np_flow_list list = {4, source, destination, size, start};
    np_network *network = support_network("ring:5");
    np_flows_options options = defaults();
    np_flows_result *r;
    (void)state;
    options.record_rates = true;
    assert_ok(np_flows_play(network, &list, &options, &r));
    /* 1 a step until 20: alone, two at a half each, alone; then nothing until 22, and 1 until 25 */
    assert_true(r->rate_count > 256 && r->rate_count <= 512 && r->rate_start == 0);
    assert_close(r->makespan, 25);
    double sent = 0;
    for (size_t i = 0; i < r->rate_count; i++) {
        double from = (double)i * r->rate_step, to = fmin(from + r->rate_step, 25);
        double busy = fmax(0, fmin(to, 20) - from) + fmax(0, to - fmax(from, 22));
        assert_true(fabs(r->rate[i] - busy / (to - from)) < 1e-6);
        sent += r->rate[i] * (to - from);
    }
    assert_close(sent, 23);
    np_flows_free(r);
    for (int split = 0; split < 2; split++) { /* many that come and go, and take places of others */
        options = defaults();
        options.record_rates = true;
        options.split = split;
        options.load = 0.7;
        options.arrivals = 3000;
        options.flow_size = "64K";
        options.link_rate = "1Gbit/s";
        r = play("torus:4x4", "uniform", &options);
        sent = 0;
        for (size_t i = 0; i < r->rate_count; i++) {
            double from = r->rate_start + (double)i * r->rate_step, to = fmin(from + r->rate_step, r->makespan);
            assert_true(r->rate[i] >= 0);
            sent += r->rate[i] * (to - from);
        }
        assert_true(fabs(sent / (r->sent - 65536. * (double)r->resting) - 1) < 1e-6);
        np_flows_free(r);
    }
    np_network_free(network);
}

/* ---- Files ---- */

/* 0 sends 10 from step 0 and 10 more from step 5: they share a link until step 15. */
static void lists(void **state)
{
    (void)state;
    char traffic[200];
    const char *path =
        write_file("list.csv", "start,source,size,destination,flow\n5,0,10,2,0\n0,0,10,1,1\n2,3,7,3,2\n0,4,0,3,3\n");
    snprintf(traffic, sizeof traffic, "file:%s", path);
    np_flows_options options = defaults();
    options.flows_file = temporary("out.csv");
    options.links_file = temporary("links.csv");
    np_flows_result *r = play("ring:5", traffic, &options);
    assert_int_equal(r->flows, 4);
    assert_int_equal(r->resting, 1);
    assert_close(r->finish[1], 15);
    assert_close(r->finish[0], 20);
    assert_true(r->finish[2] == 2 && r->finish[3] == 0);
    assert_close(r->slowdown.mean, 1.5);
    assert_close(r->sent, 27);
    assert_close(r->busiest.use, 1);
    assert_int_equal(r->class_count, 3);
    assert_true(r->classes[0].to == 1 && r->classes[2].from == 10 && r->classes[2].flows == 2);
    np_flows_free(r);
    char text[400];
    FILE *file = fopen(options.flows_file, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_string_equal(text, "flow,source,destination,size,start,finish\n0,0,2,10,5,20\n1,0,1,10,0,15\n"
                              "2,3,3,7,2,2\n3,4,3,0,0,0\n");
    file = fopen(options.links_file, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "link,from,to,width,flows,carried,use\n"));
    assert_non_null(strstr(text, ",0,1,1,2,20,1\n"));
    assert_non_null(strstr(text, ",1,2,1,1,10,0.5\n"));
    unlink(path);
    unlink(options.flows_file);
    unlink(options.links_file);
}

/* Hosts are found by their names; what --flows wrote is read again, without its finishes. */
static void lists_of_hosts(void **state)
{
    (void)state;
    char traffic[200];
    const char *path = write_file("hosts.csv", "source,destination,size\ns0.h1,s2.h0,5\ns0.h0,s0.h1,7\n");
    snprintf(traffic, sizeof traffic, "file:%s", path);
    np_flows_options options = defaults();
    options.flows_file = temporary("again.csv");
    np_flows_result *r = play("ring:3@2", traffic, &options);
    assert_int_equal(r->source[0], 4); /* switches 0 to 2, then two hosts for each */
    assert_int_equal(r->destination[0], 7);
    assert_null(r->note);
    np_flows_free(r);
    unlink(path);
    snprintf(traffic, sizeof traffic, "file:%s", options.flows_file);
    r = play("ring:3@2", traffic, NULL);
    assert_true(r->flows == 2 && r->source[0] == 4 && r->destination[0] == 7 && r->size[1] == 7);
    assert_close(r->makespan, 7);
    assert_string_equal(r->note, "column finish is not read: the flows of the file are played again");
    np_flows_free(r);
    unlink(options.flows_file);
}

static void refuse(const char *text, const char *link_rate, np_status status, const char *why)
{
    char traffic[200];
    np_network *network = support_network("ring:5");
    np_flows_result *r;
    np_flows_options options = defaults();
    const char *path = write_file("refused.csv", text);
    options.link_rate = link_rate;
    snprintf(traffic, sizeof traffic, "file:%s", path);
    assert_refused(np_flows(network, traffic, &options, &r), status, why);
    assert_null(r);
    np_network_free(network);
    unlink(path);
}

static void refused_lists(void **state)
{
    (void)state;
    refuse("", NULL, NP_ERROR_INPUT, "no flows");
    refuse("source,destination,size\n", NULL, NP_ERROR_INPUT, "no flows");
    refuse("source,destination,bytes\n0,1,5\n", NULL, NP_ERROR_INPUT, "without a link rate");
    refuse("source,destination,packets\n0,1,5\n", "8bit/s", NP_ERROR_INPUT, "sizes are bytes");
    refuse("source,destination,priority\n0,1,5\n", NULL, NP_ERROR_INPUT, "column 'priority' is not known");
    refuse("source,destination,size,bytes\n0,1,5,5\n", "8bit/s", NP_ERROR_INPUT, "'size' and 'bytes' both say");
    refuse("source,destination,size,packets\n0,1,5,5\n", NULL, NP_ERROR_INPUT, "'size' and 'packets' both say");
    refuse("source,destination,size,finish\n0,1,5,9\n", NULL, NP_ERROR_INPUT, "column 'finish' is not known");
    refuse("flow,source,destination,size,start,finish,x\n0,0,1,5,0,5,1\n", NULL, NP_ERROR_INPUT,
           "column 'finish' is not known");
    refuse("source,destination,size,start\n0,1,5,-1\n", NULL, NP_ERROR_INPUT, ":2: start '-1'");
    refuse("source,destination,size,start\n0,1,5,3s\n", NULL, NP_ERROR_INPUT, "without a link rate starts are steps");
    refuse("source,destination,size,start\n0,1,5,3m\n", "8bit/s", NP_ERROR_INPUT, "write seconds");
    refuse("source,destination,size\n0,1,-5\n", NULL, NP_ERROR_INPUT, "size '-5'");
    refuse("source,destination,size\n0,1,5MB\n", NULL, NP_ERROR_INPUT, "size '5MB': without a link rate");
    refuse("source,destination,size\n0,1,5KB\n", "8bit/s", NP_ERROR_INPUT, "size '5KB': KB has two meanings");
    refuse("source,destination,size\n0,5,5\n", NULL, NP_ERROR_INPUT, "destination");
    refuse("0 1 5 7\n", NULL, NP_ERROR_INPUT, "4 fields without names");
    refuse("0 1 5\n0 1\n", NULL, NP_ERROR_INPUT, ":2: 2 fields, where the first line has 3");
    refuse("0 1 1e30\n", NULL, NP_ERROR_LIMIT, "flow 0: size 1e+30 must be below 2^45");
    refuse("0 1 1\n0 1 35184372088832\n", NULL, NP_ERROR_LIMIT, "flow 1: size 3.51844e+13 must be below 2^45");
    refuse("0 1\n", "8bit/s", NP_ERROR_INPUT, "give --size or --sizes");
}

static void refused_options(void **state)
{
    (void)state;
    np_flows_options options = defaults();
    options.link_rate = "4";
    refuse_options("ring:5", "random", &options, "bits are '4bit/s'");
    options.link_rate = "4G";
    refuse_options("ring:5", "random", &options, "bytes '4GB/s'");
    options.link_rate = "5us";
    refuse_options("ring:5", "random", &options, "link_rate '5us': give a rate with its unit");
    options.link_rate = "4Gbit";
    refuse_options("ring:5", "random", &options, "link_rate '4Gbit': give a rate");
    options.link_rate = "-4Gbit/s";
    refuse_options("ring:5", "random", &options, "from 1 bit/s to 1 Pbit/s");
    options = defaults();
    options.flow_size = "x";
    refuse_options("ring:5", "random", &options, "size 'x'");
    options.flow_size = "64KiB";
    refuse_options("ring:5", "random", &options, "size '64KiB': without a link rate");
    options.link_rate = "4Gbit/s";
    options.flow_size = "64KB";
    refuse_options("ring:5", "random", &options, "write kB (1000 bytes) or KiB (1024)");
    options.link_rate = NULL;
    options.flow_size = "1";
    options.flow_sizes = "/dev/null";
    refuse_options("ring:5", "random", &options, "one size");
    options = defaults();
    options.load = 0.5;
    refuse_options("ring:5", "k-k:0", &options, "");
    options = defaults();
    options.arrivals = 7;
    refuse_options("ring:5", "random", &options, "arrivals 7: flows arrive with a load");
}

/* What is for flows that are made says nothing of those in arrays. */
static void options_of_arrays(void **state)
{
    (void)state;
    np_network *network = support_network("ring:5");
    const np_flow_list none = {.flows = 0};
    np_flows_options options[4] = {defaults(), defaults(), defaults(), defaults()};
    options[0].flow_size = "1";
    options[1].flow_sizes = "/dev/null";
    options[2].load = 0.5;
    options[3].arrivals = 7;
    for (size_t i = 0; i < 4; i++) {
        np_flows_result *r;
        assert_refused(np_flows_play(network, &none, &options[i], &r), NP_ERROR_INPUT, "for flows that are made");
        assert_null(r);
    }
    np_network_free(network);
}

/* ---- Units ---- */

/* 8 kbit/s is a byte a millisecond. Of links 0->1 (two of them), 1->2. */
static void units(void **state)
{
    (void)state;
    char traffic[200], spec[200];
    const char *path = write_file("bytes.csv", "source,destination,bytes,start\n0,2,1K,0\n0,1,1024,256ms\n");
    const char *links = write_file("net.csv", "source,target,width,delay\n0,1,2,5ms\n1,2,1,0.25s\n2,0,1,\n");
    snprintf(traffic, sizeof traffic, "file:%s", path);
    snprintf(spec, sizeof spec, "file:%s:directed", links);
    np_flows_options options = defaults();
    options.link_rate = "8kbit/s";
    np_flows_result *r = play(spec, traffic, &options);
    assert_close(r->finish[0], 1.024);
    assert_close(r->finish[1], 1.152); /* one of the two links, and from 1.024 s on both */
    assert_string_equal(r->note, "the links have delays, which are not heeded: --delay delay");
    np_flows_free(r);
    snprintf(spec, sizeof spec, "file:%s:directed:delay=delay", links);
    r = play(spec, traffic, &options);
    assert_close(r->finish[0], 1.024 + 0.255);
    assert_close(r->finish[1], 1.152 + 0.005);
    assert_null(r->note);
    np_flows_free(r);
    options.link_rate = NULL;
    refuse_options(spec, "random", &options, "without a link rate delays are steps");
    unlink(path);
    unlink(links);
}

/* One link of width 2 carries two packets a step, for one flow too. */
static void widths(void **state)
{
    (void)state;
    char spec[200];
    const char *links = write_file("wide.csv", "source,target,width\n0,1,20000\n1,0,1\n");
    snprintf(spec, sizeof spec, "file:%s:directed", links);
    np_network *network = support_network(spec);
    const np_node from[] = {0, 1}, to[] = {1, 0};
    const double size[] = {30000, 3};
    const np_flow_list list = {2, from, to, size, NULL};
    np_flows_result *r;
    assert_ok(np_flows_play(network, &list, NULL, &r));
    assert_close(r->finish[0], 1.5);
    assert_close(r->finish[1], 3);
    assert_close(r->slowdown.max, 1);
    np_flows_free(r);
    np_network_free(network);
    unlink(links);
}

/* ---- Arrivals ---- */

/* By the law of large numbers: n arrivals take n / pace, the sizes sum up to the load. Fixed seeds: deviations of six
 * standard errors have a chance of 2e-9. */
static void arrivals(void **state)
{
    (void)state;
    enum { N = 40000 };
    np_flows_options options = defaults();
    const char *path = write_file("sizes.txt", "size share\n1 25\n3 50\n3 75\n11 100\n");
    options.load = 0.5;
    options.arrivals = N;
    options.flow_sizes = path;
    np_flows_result *r = play("xgft:2:4,4:1,4", "uniform", &options);
    double last = r->start[N - 1], mean = 0.25 * 1 + 0.25 * 2 + 0.25 * 3 + 0.25 * 7;
    size_t small = 0, own = 0;
    assert_int_equal(r->flows, N);
    assert_true(fabs(r->sent / N - mean) < 6 * 3 / sqrt(N));
    assert_true(fabs(last / (N * mean / (0.5 * 16)) - 1) < 6 / sqrt(N)); /* 16 links leave the hosts */
    for (size_t i = 0; i < N; i++) {
        assert_true(r->size[i] >= 1 && r->size[i] <= 11 && (!i || r->start[i] >= r->start[i - 1]));
        small += r->size[i] <= 2;
        own += r->source[i] == r->destination[i];
    }
    assert_true(fabs((double)small / N - 0.375) <
                6 * 0.5 / sqrt(N)); /* 1: a quarter; up to 2 of 1..3: half a quarter */
    assert_true(fabs((double)own / N - 1. / 16) < 6 * 0.25 / sqrt(N));
    assert_int_equal(own, r->resting);
    np_flows_result *again = play("xgft:2:4,4:1,4", "uniform", &options);
    assert_memory_equal(again->finish, r->finish, N * sizeof *r->finish);
    np_flows_free(again);
    options.seed = 2;
    again = play("xgft:2:4,4:1,4", "uniform", &options);
    assert_true(again->makespan != r->makespan);
    np_flows_free(again);
    np_flows_free(r);
    unlink(path);
}

static const np_flows_units packets = {1, false};

static void refuse_sizes(const char *text, const char *why)
{
    np_sizes sizes = {.count = 0};
    const char *path = write_file("refused.txt", text);
    assert_refused(np_sizes_read(path, &packets, &sizes), NP_ERROR_INPUT, why);
    np_memory_free(sizes.point);
    unlink(path);
}

static void distributions(void **state)
{
    (void)state;
    np_sizes sizes = {.count = 0};
    const char *path = write_file("sizes.txt", "# web search\n0 0\n10 0.5\n1K 1\n");
    assert_ok(np_sizes_read(path, &packets, &sizes));
    assert_close(np_sizes_mean(&sizes), 0.5 * 5 + 0.5 * 517);
    assert_close(np_sizes_at(&sizes, 0.25), 5);
    assert_close(np_sizes_at(&sizes, 0.5), 10);
    assert_close(np_sizes_at(&sizes, 0.75), 517);
    assert_close(np_sizes_at(&sizes, 1), 1024);
    np_memory_free(sizes.point);
    unlink(path);
    refuse_sizes("", "the last share must be 1 or 100");
    refuse_sizes("5 0.5\n6 0.9\n", "the last share must be 1 or 100");
    refuse_sizes("5 0.5\n4 1\n", ":2: sizes and shares must not fall");
    refuse_sizes("5 0.5\n6 0.4\n", "must not fall");
    refuse_sizes("0 1\n", "all sizes are 0");
    refuse_sizes("5 -1\n", "'5 -1'");
    refuse_sizes("5\n", "size share");
    refuse_sizes("5KiB 1\n", "size '5KiB': without a link rate");
    refuse_sizes("5KB 1\n", "size '5KB': KB has two meanings");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition),      cmocka_unit_test(divided),
        cmocka_unit_test(closed_forms),    cmocka_unit_test(empty),
        cmocka_unit_test(rates),           cmocka_unit_test(lists),
        cmocka_unit_test(lists_of_hosts),  cmocka_unit_test(refused_lists),
        cmocka_unit_test(refused_options), cmocka_unit_test(units),
        cmocka_unit_test(widths),          cmocka_unit_test(arrivals),
        cmocka_unit_test(distributions),   cmocka_unit_test(options_of_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
