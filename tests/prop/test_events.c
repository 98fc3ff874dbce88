/*
 * Events: the traces of all schemes are judged by the model alone (oracle/trace_judge.h), are the same for any number of
 * threads, and say what the result says; so do the tables of links, nodes, packets and steps. A trace that is changed in
 * any way that the model forbids is refused.
 */
#include "support.h"

#include <unistd.h>

#include "oracle/recorded.h"
#include "oracle/trace_judge.h"

/* Routes with all files; options->observer is set here. */
static np_route_result *record(const char *spec, const char *traffic, np_route_options *options, recorded *out)
{
    np_network *network = support_network(spec);
    np_route_result *result;
    options->observer = recorded_begin(out);
    assert_ok(np_route(network, traffic, options, &result));
    np_network_free(network); /* a record does not need it any more */
    recorded_end(out);
    return result;
}

typedef struct setting {
    const char *network, *scheme, *traffic, *queue, *fail;
    uint32_t queue_size;
    bool overlap, leveled;
    np_combine combine;
} setting;

static const setting settings[] = {
    {.network = "hypercube:5", .scheme = "cubes", .traffic = "h-relation:3"},
    {.network = "hypercube:5", .scheme = "cubes", .traffic = "h-relation:3", .queue = "random", .overlap = true},
    {.network = "hypercube:4", .scheme = "basic", .traffic = "transpose", .queue = "lifo"},
    {.network = "mesh:5x7", .scheme = "xy", .traffic = "hotspot:3", .queue = "farthest-first"},
    {.network = "mesh:6x6", .scheme = "grid", .traffic = "random-function:2"},
    {.network = "torus:4x4x4", .scheme = "valiant", .traffic = "random", .queue = "priority"},
    {.network = "shuffle:2x5", .scheme = "greedy", .traffic = "h-relation:2", .queue = "random"},
    {.network = "star:4", .traffic = "random"},
    {.network = "array:9", .scheme = "greedy", .traffic = "identity"},
    {.network = "mesh:16x16", .scheme = "sparsified", .traffic = "random"},
    {.network = "mesh:8x8", .scheme = "k-k", .traffic = "repeat:4:transpose"},
    {.network = "complete:9", .scheme = "shares", .traffic = "h-relation:5"},
    {.network = "complete:9", .scheme = "group-shares", .traffic = "h-relation:5"},
    {.network = "mesh:5x5", .scheme = "offline", .traffic = "random"},
    {.network = "torus:4x6", .scheme = "offline", .traffic = "random", .queue = "straight"},
    {.network = "hypercube:4", .scheme = "offline", .traffic = "transpose"},
    {.network = "product:complete:4,ring:6", .scheme = "offline", .traffic = "random"},
    {.network = "product:ccc:3,array:3", .scheme = "offline", .traffic = "partial:0.7", .queue = "fifo"},
    {.network = "butterfly:4", .scheme = "ranked", .traffic = "random", .leveled = true},
    {.network = "butterfly-io:5", .scheme = "ranked", .traffic = "random-function:4", .leveled = true, .queue_size = 1},
    {.network = "mesh:7x7", .scheme = "ranked", .traffic = "random", .leveled = true, .queue_size = 2},
    {.network = "hypercube:5", .scheme = "ranked", .traffic = "h-relation:2", .leveled = true, .queue_size = 8},
    {.network = "fat-tree:3",
     .scheme = "ranked",
     .traffic = "hotspot:0",
     .leveled = true,
     .queue_size = 1,
     .combine = NP_COMBINE_SUM},
    {.network = "complete:8", .scheme = "offline", .traffic = "h-relation:3"},
    {.network = "shuffle-exchange:6", .scheme = "ranked", .traffic = "random", .leveled = true, .queue_size = 1},
    {.network = "shuffle-exchange:6", .scheme = "waves", .traffic = "h-relation:2", .leveled = true},
    {.network = "butterfly:4", .scheme = "waves", .traffic = "h-relation:3", .leveled = true, .queue_size = 1},
    {.network = "mesh:7x7", .scheme = "waves", .traffic = "random", .leveled = true},
    {.network = "butterfly:4", .scheme = "ranade", .traffic = "random", .leveled = true},
    {.network = "butterfly:3", .scheme = "ranade", .traffic = "h-relation:3", .leveled = true, .queue_size = 1},
    {.network = "omega:5", .scheme = "constrained", .traffic = "h-relation:3"},
    {.network = "omega:4", .scheme = "total-randomization", .traffic = "h-relation:2", .queue = "lifo"},
    {.network = "omega:4", .scheme = "unrandomized", .traffic = "random", .queue = "random"},
    {.network = "torus:6x6", .traffic = "random", .fail = "0.1"},
    {.network = "torus:6x6:fail=0.05:seed=3", .traffic = "h-relation:2", .fail = "0.1"},
};

enum { SETTINGS = sizeof settings / sizeof *settings };

static np_route_options options_of(const setting *s, unsigned threads)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = s->scheme;
    options.queue = s->queue;
    options.overlap = s->overlap;
    options.fail = s->fail;
    options.threads = threads;
    options.runs = 2;
    options.seed = 7;
    if (s->queue_size)
        options.merge.queue_size = s->queue_size;
    options.merge.combine = s->combine;
    return options;
}

/* ---- The model ---- */

static void judge(const setting *s, const recorded *f, const np_route_result *result)
{
    oracle_verdict verdict;
    double hops = 0;
    oracle_judge_trace(f->trace, &verdict);
    if (*verdict.wrong)
        fail_msg("%s, %s: %s", s->network, s->scheme ? s->scheme : "its own scheme", verdict.wrong);
    assert_int_equal(verdict.phases, result->runs * result->phases);
    for (size_t i = 0; i < result->phases; i++)
        if (!s->scheme || strcmp(s->scheme, "group-shares") != 0 || i > 1) /* G1 and G2 are computed */
            hops += result->phase[i].hops.mean * result->runs;
    assert_true((double)verdict.moves == hops);
}

/* ---- The tables ---- */

/* Of run r, the packets of the phase whose delay is at most `most`. */
static double packets_within(const char *packets, uint32_t r, const char *number, double most)
{
    double count = 0;
    for (const char *line = recorded_next_line(packets); *line; line = recorded_next_line(line))
        count += strtoul(line, NULL, 10) == r &&
                 strtoul(recorded_column(line, 1), NULL, 10) == strtoul(number, NULL, 10) &&
                 strtod(recorded_column(line, 7), NULL) <= most;
    return count;
}

/* Each quantile is the least delay that has the share of the packets. */
static void check_quantiles(const char *packets, const char *number, const np_phase_result *phase, uint32_t runs)
{
    for (uint32_t r = 0; r < runs; r++) {
        const np_phase_run *run = &phase->run[r];
        const np_step quantile[] = {run->delay_p50, run->delay_p90, run->delay_p99, run->delay_p999};
        static const double share[] = {0.5, 0.9, 0.99, 0.999};
        for (size_t q = 0; q < 4; q++) {
            double needed = share[q] * run->packets;
            assert_true(packets_within(packets, r, number, quantile[q]) >= needed);
            assert_true(!quantile[q] || packets_within(packets, r, number, (double)quantile[q] - 1) < needed);
        }
    }
}

static void check_tables(const setting *s, const recorded *f, const np_route_result *result)
{
    bool computed = s->scheme && !strcmp(s->scheme, "group-shares"), queues = strstr(result->queue, "fifo") != NULL;
    for (unsigned i = computed ? 2 : 0; i < result->phases; i++) {
        const np_phase_result *phase = &result->phase[i];
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        /* links: phase,name,of,link,from,to,carried,busiest,busiest_step */
        if (!s->leveled)
            assert_true(recorded_total(f->links, 0, number, 6, true) == phase->hops.mean * result->runs);
        if (!s->leveled && queues)
            assert_true(recorded_total(f->links, 0, number, 7, false) == phase->queue_max.max);
        /* nodes: phase,name,of,node,injected,landed,in,out,waited,population_max,population_step */
        if (!s->leveled)
            assert_true(recorded_total(f->nodes, 0, number, 9, false) == phase->population_max.max);
        /* packets: run,phase,name,packet,source,destination,hops,delay,arrival,combined_into */
        assert_true(recorded_total(f->packets, 1, number, 6, true) == phase->hops.mean * result->runs);
        assert_true(recorded_total(f->packets, 1, number, 7, false) == phase->delay_max.max);
        assert_true(recorded_total(f->packets, 1, number, 8, false) == phase->steps.max);
        check_quantiles(f->packets, number, phase, result->runs);
        /* steps: run,phase,name,step,moved,landed,combined,left,queue_max */
        assert_true(recorded_total(f->steps, 1, number, 4, true) == phase->hops.mean * result->runs);
        assert_true(recorded_total(f->steps, 1, number, 3, false) == phase->steps.max);
    }
}

static void files_say_what_happened(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        np_route_options options = options_of(&settings[i], 1), plain = options;
        recorded f;
        np_route_result *result = record(settings[i].network, settings[i].traffic, &options, &f), *unseen;
        np_network *network = support_network(settings[i].network);
        judge(&settings[i], &f, result);
        check_tables(&settings[i], &f, result);
        /* Nothing changes because somebody looks. */
        assert_ok(np_route(network, settings[i].traffic, &plain, &unseen));
        for (size_t p = 0; p < result->phases; p++)
            assert_memory_equal(unseen->phase[p].run, result->phase[p].run, 2 * sizeof *unseen->phase[p].run);
        np_route_result_free(unseen);
        np_route_result_free(result);
        np_network_free(network);
        recorded_clear(&f);
    }
}

static void threads_change_nothing(void **state)
{
    static const unsigned threads[] = {1, 2, 7};
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        recorded f[3];
        for (size_t t = 0; t < 3; t++) {
            np_route_options options = options_of(&settings[i], threads[t]);
            np_route_result_free(record(settings[i].network, settings[i].traffic, &options, &f[t]));
        }
        for (size_t t = 1; t < 3; t++) {
            assert_string_equal(f[0].trace, f[t].trace);
            assert_string_equal(f[0].links, f[t].links);
            assert_string_equal(f[0].nodes, f[t].nodes);
            assert_string_equal(f[0].packets, f[t].packets);
            assert_string_equal(f[0].steps, f[t].steps);
        }
        for (size_t t = 0; t < 3; t++)
            recorded_clear(&f[t]);
    }
}

/* ---- What the judge refuses ---- */

/* The n-th line that has the text; NULL: there are not so many. */
static char *find_line(char *text, const char *word, unsigned n)
{
    for (char *at = text; (at = strstr(at, word)); at += strlen(word))
        if (!n--) {
            while (at > text && at[-1] != '\n')
                at--;
            return at;
        }
    return NULL;
}

/* The trace without a line, or with the line twice. */
static char *with_line(const char *trace, const char *line, int times)
{
    size_t length = strlen(trace), of = (size_t)(recorded_next_line(line) - line), before = (size_t)(line - trace);
    char *changed = malloc(length + of + 1), *at = changed;
    memcpy(at, trace, before);
    at += before;
    for (; times; times--, at += of)
        memcpy(at, line, of);
    strcpy(at, line + of);
    return changed;
}

/* Adds 1 to the number after the key in the line. */
static char *with_number(const char *trace, const char *line, const char *key)
{
    const char *at = strstr(line, key);
    assert_non_null(at);
    at += strlen(key);
    char *end, *changed = malloc(strlen(trace) + 2);
    unsigned long number = strtoul(at, &end, 10) + 1;
    sprintf(changed, "%.*s%lu%s", (int)(at - trace), trace, number, end);
    return changed;
}

static void refuse_lines(char *trace, const char *word, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        for (int times = 0; times <= 2; times += 2) {
            const char *line = find_line(trace, word, 3 * n + 1);
            char *changed = with_line(trace, line, times);
            if (!recorded_refused(changed))
                fail_msg("a trace with %d times the %u-th line with %s is not refused", times, 3 * n + 1, word);
            free(changed);
        }
}

static void refuse_numbers(char *trace, const char *word, const char *key, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        char *changed = with_number(trace, find_line(trace, word, 3 * n + 1), key);
        if (!recorded_refused(changed))
            fail_msg("a trace with another %s in the %u-th line with %s is not refused", key, 3 * n + 1, word);
        free(changed);
    }
}

static void changed_traces_are_refused(void **state)
{
    const setting s = {.network = "hypercube:5", .scheme = "cubes", .traffic = "h-relation:3"};
    np_route_options options = options_of(&s, 1);
    recorded f;
    (void)state;
    np_route_result_free(record(s.network, s.traffic, &options, &f));
    assert_false(recorded_refused(f.trace));
    refuse_lines(f.trace, "\"injected\"", 8);
    refuse_lines(f.trace, "\"moved\"", 30);
    refuse_lines(f.trace, "\"waited\"", 30);
    refuse_lines(f.trace, "\"landed\"", 8);
    refuse_lines(f.trace, "\"phase\", ", 1);
    refuse_lines(f.trace, "\"end\", ", 1);
    refuse_numbers(f.trace, "\"moved\"", "\"step\": ", 10);
    refuse_numbers(f.trace, "\"moved\"", "\"packet\": ", 10);
    refuse_numbers(f.trace, "\"moved\"", "\"from\": ", 10);
    refuse_numbers(f.trace, "\"moved\"", "\"to\": ", 10);
    refuse_numbers(f.trace, "\"moved\"", "\"link\": ", 10);
    refuse_numbers(f.trace, "\"moved\"", "\"queue\": ", 10);
    refuse_numbers(f.trace, "\"waited\"", "\"queue\": ", 10);
    refuse_numbers(f.trace, "\"waited\"", "\"other\": ", 10);
    refuse_numbers(f.trace, "\"waited\"", "\"at\": ", 10);
    refuse_numbers(f.trace, "\"landed\"", "\"at\": ", 10);
    refuse_numbers(f.trace, "\"end\", ", "\"steps\": ", 1);
    refuse_numbers(f.trace, "\"end\", ", "\"hops\": ", 1);
    recorded_clear(&f);
}

static void changed_traces_of_merging_are_refused(void **state)
{
    const setting s = {
        .network = "butterfly-io:4", .scheme = "ranked", .traffic = "random-function:4", .queue_size = 2};
    np_route_options options = options_of(&s, 1);
    recorded f;
    (void)state;
    np_route_result_free(record(s.network, s.traffic, &options, &f));
    assert_false(recorded_refused(f.trace));
    refuse_lines(f.trace, "\"moved\"", 30);
    refuse_lines(f.trace, "\"waited\"", 30);
    refuse_lines(f.trace, "\"landed\"", 8);
    refuse_numbers(f.trace, "\"moved\"", "\"queue\": ", 10);
    refuse_numbers(f.trace, "\"moved\"", "\"hosts\": [", 10);
    refuse_numbers(f.trace, "\"moved\"", "\"crosses\": [", 10);
    recorded_clear(&f);
}

/* ---- Names ---- */

/* A star: four nodes with unusual names around `hub`. */
static const char star[] = "source,target\n\"New York, NY\",hub\nsay\"hi\",hub\nZ\303\274rich,hub\nback\\slash,hub\n";

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no %s in: %s", part, text);
}

static void names_stand_for_nodes(void **state)
{
    char *path = support_file(star), spec[128];
    const setting s = {.network = spec, .scheme = "valiant", .traffic = "random"};
    np_route_options options = options_of(&s, 1);
    recorded f;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected", path);
    np_route_result *result = record(s.network, s.traffic, &options, &f);
    judge(&s, &f, result);
    assert_has(f.trace, "\"at\": \"New York, NY\"");
    assert_has(f.trace, "\"from\": \"say\\\"hi\\\"\", \"to\": \"hub\"");
    assert_has(f.trace, "\"end\": \"Z\303\274rich\"");
    assert_has(f.trace, "\"back\\\\slash\"");
    assert_has(f.links, ",network,0,\"New York, NY\",hub,");
    assert_has(f.links, ",hub,\"say\"\"hi\"\"\",");
    assert_has(f.nodes, "\n0,A,network,Z\303\274rich,");
    assert_has(f.packets, ",hub,");
    assert_has(f.packets, ",back\\slash,");
    assert_null(strstr(f.packets, "A,0,0,"));
    /* The judge reads names: the trace with another one is refused. */
    char *at = strstr(f.trace, "\"to\": \"hub\"");
    assert_non_null(at);
    at[strlen("\"to\": \"")] = 'H';
    assert_true(recorded_refused(f.trace));
    np_route_result_free(result);
    recorded_clear(&f);
    unlink(path);
    free(path);
}

/* A phase in which one packet is born and ends, as a scheme or sorter of one's own could have it. */
static void have_phase(const np_observer *each, const np_network *network, const char *name)
{
    const np_event_phase phase = {.name = name, .network = network, .packets = 1};
    const np_event events[] = {{.kind = NP_EVENT_INJECTED, .to = NP_NONE, .other = NP_NONE},
                               {.kind = NP_EVENT_LANDED, .other = NP_NONE}};
    const np_phase_run run = {.packets = 1};
    for (; each; each = each->next) {
        assert_int_equal(each->begin(each->context, &phase), 0);
        assert_int_equal(each->events(each->context, 2, events), 0);
        assert_int_equal(each->end(each->context, &run), 0);
    }
}

static void names_of_phases_are_quoted(void **state)
{
    np_network *network = support_network("ring:4");
    char *path[4];
    np_record_options asked;
    np_record *record;
    (void)state;
    np_record_options_init(&asked);
    for (size_t i = 0; i < 4; i++)
        path[i] = support_file("");
    asked.links = path[0], asked.nodes = path[1], asked.packets = path[2], asked.steps = path[3];
    assert_ok(np_record_open(&asked, NULL, &record));
    have_phase(np_record_observer(record), network, "out, \"home\"");
    assert_ok(np_record_commit(record));
    for (size_t i = 0; i < 4; i++) {
        char *text = recorded_read(path[i]);
        assert_has(text, "\n0,");
        for (const char *line = recorded_next_line(text); *line; line = recorded_next_line(line))
            assert_has(line, ",\"out, \"\"home\"\"\",");
        free(text);
    }
    np_network_free(network);
}

/* ---- Cancelling, filters, several observers ---- */

typedef struct counter {
    unsigned long events, begun, ended, stop;
} counter;

static int count_begin(void *context, const np_event_phase *phase)
{
    (void)phase;
    ((counter *)context)->begun++;
    return 0;
}

static int count_events(void *context, size_t count, const np_event *event)
{
    counter *c = context;
    (void)event;
    c->events += count;
    return c->stop && c->events >= c->stop;
}

static int count_end(void *context, const np_phase_run *run)
{
    (void)run;
    ((counter *)context)->ended++;
    return 0;
}

static np_observer observer_of(counter *c, const np_observer *next)
{
    return (np_observer){0, count_begin, count_events, count_end, c, next};
}

static void observers_can_cancel(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        np_network *network = support_network(settings[i].network);
        np_route_options options = options_of(&settings[i], 2);
        counter first = {.stop = 1}, second = {.stop = 0};
        const np_observer two = observer_of(&second, NULL), one = observer_of(&first, &two);
        np_route_result *result;
        options.observer = &one;
        assert_refused(np_route(network, settings[i].traffic, &options, &result), NP_ERROR_CANCELLED, "cancelled");
        assert_true(second.events == 0 && second.ended < 8);
        first = second = (counter){.stop = 0};
        assert_ok(np_route(network, settings[i].traffic, &options, &result));
        assert_int_equal(second.ended, result->runs * result->phases);
        assert_true(second.events > 0 && second.ended == second.begun && first.events >= second.events);
        np_route_result_free(result);
        np_network_free(network);
    }
}

static void filters_choose_lines(void **state)
{
    np_network *network = support_network("hypercube:4");
    char *path = support_file("");
    np_record_options asked;
    np_route_options options;
    np_route_result *result;
    np_record *record;
    (void)state;
    np_record_options_init(&asked);
    asked.trace = path;
    asked.trace_packets = "3,7..8";
    asked.trace_steps = "0..1";
    np_route_options_init(&options);
    assert_ok(np_record_open(&asked, NULL, &record));
    options.observer = np_record_observer(record);
    assert_ok(np_route(network, "complement", &options, &result));
    assert_ok(np_record_commit(record));
    char *text = recorded_read(path);
    assert_true(recorded_refused(text));
    for (const char *line = recorded_next_line(text); *line; line = recorded_next_line(line)) {
        const char *packet = strstr(line, "\"packet\": "), *step = strstr(line, "\"step\": ");
        if (!packet || packet > recorded_next_line(line))
            continue;
        unsigned long p = strtoul(packet + 10, NULL, 10), s = strtoul(step + 8, NULL, 10);
        assert_true((p == 3 || p == 7 || p == 8) && s <= 1);
    }
    assert_non_null(strstr(text, "\"packet\": 8"));
    free(text);
    np_route_result_free(result);
    np_network_free(network);
}

static void bad_records_are_refused(void **state)
{
    static const char *const lists[] = {"", "x", "1,", "3..2", "1..", "1;2", "4294967295", "-1"};
    np_record_options options;
    np_record *record;
    (void)state;
    np_record_options_init(&options);
    options.trace = "/dev/null";
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        options.trace_packets = lists[i];
        assert_int_equal(np_record_open(&options, NULL, &record), NP_ERROR_INPUT);
        assert_null(record);
    }
    options.trace_packets = NULL;
    options.links = "/nowhere/at/all";
    assert_refused(np_record_open(&options, NULL, &record), NP_ERROR_IO, "/nowhere/at/all");
    options.size = 0;
    assert_refused(np_record_open(&options, NULL, &record), NP_ERROR_INPUT, "np_record_options_init");
    np_record_options_init(&options);
    assert_ok(np_record_open(&options, NULL, &record));
    assert_null(record);
    assert_null(np_record_observer(record));
    assert_ok(np_record_commit(record));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_say_what_happened),    cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(changed_traces_are_refused), cmocka_unit_test(changed_traces_of_merging_are_refused),
        cmocka_unit_test(observers_can_cancel),       cmocka_unit_test(filters_choose_lines),
        cmocka_unit_test(names_stand_for_nodes),      cmocka_unit_test(names_of_phases_are_quoted),
        cmocka_unit_test(bad_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
