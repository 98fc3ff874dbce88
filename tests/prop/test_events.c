/*
 * Events: the traces of all schemes are judged by the model alone (oracle/trace_judge.h), are the same for any number
 * of threads, and say what the result says; so do the tables of links, nodes, packets and steps. A trace that is
 * changed in any way that the model forbids is refused.
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

/* ---- The tables, line by line ---- */

/* The tables that the events of a routing make, counted step by step. Links with from NP_NONE are none. */
typedef struct row {
    np_node from, to;
    unsigned long counted[5]; /* nodes: injected, landed, in, out, waited; links: carried */
    unsigned most;            /* nodes: population; links: packets, in a step */
    np_step most_step;
} row;

typedef struct table {
    char head[64];
    size_t count;
    row *row;
} table;

typedef struct twin {
    np_event_phase phase;
    np_event *event;
    size_t events;
    table nodes[16], links[16];
    FILE *packets, *steps;
} twin;

/* The table with the head, new at the first call. */
static table *table_of(table *tables, const np_event_phase *phase, const char *of, bool of_run, size_t count)
{
    char head[sizeof tables->head], run[16] = "";
    if (of_run)
        snprintf(run, sizeof run, ":%u", phase->run);
    snprintf(head, sizeof head, "%u,%s,%s%s,", phase->phase, phase->name, of, run);
    while (tables->count && strcmp(tables->head, head) != 0)
        tables++;
    if (!tables->count) {
        strcpy(tables->head, head);
        tables->count = count;
        assert_non_null(tables->row = calloc(count, sizeof *tables->row));
    }
    assert_int_equal(tables->count, count);
    return tables;
}

/* The step that begins with event i ends before the event that is returned. */
static size_t step_end(const twin *t, size_t i)
{
    size_t end = i;
    while (end < t->events && t->event[end].step == t->event[i].step)
        end++;
    return end;
}

static void most_of_step(table *t, const unsigned *here, np_step step)
{
    for (size_t i = 0; i < t->count; i++)
        if (here[i] > t->row[i].most) {
            t->row[i].most = here[i];
            t->row[i].most_step = step;
        }
}

/* host: the node of the table where a node of the events is; NULL: itself. */
static void count_nodes(const twin *t, table *nodes, const np_node *host)
{
    static const int change[NP_EVENT_KINDS] = {
        [NP_EVENT_INJECTED] = 1, [NP_EVENT_MOVED] = -1, [NP_EVENT_COMBINED] = -1, [NP_EVENT_SPLIT] = 1};
    unsigned *here = calloc(nodes->count, sizeof *here);
    assert_non_null(here);
    for (size_t i = 0, end; i < t->events; i = end) {
        end = step_end(t, i);
        for (size_t j = i; j < end; j++) {
            const np_event *e = &t->event[j];
            np_node from = host ? host[e->from] : e->from;
            here[from] += (unsigned)change[e->kind];
            nodes->row[from].counted[0] += e->kind == NP_EVENT_INJECTED;
            nodes->row[from].counted[1] += e->kind == NP_EVENT_LANDED;
            nodes->row[from].counted[3] += e->kind == NP_EVENT_MOVED;
            nodes->row[from].counted[4] += e->kind == NP_EVENT_WAITED && e->reason != NP_EVENT_LENGTH;
            if (e->kind == NP_EVENT_MOVED) {
                here[host ? host[e->to] : e->to]++;
                nodes->row[host ? host[e->to] : e->to].counted[2]++;
            }
        }
        most_of_step(nodes, here, t->event[i].step);
    }
    free(here);
}

/* Queues are of the links that the events name: an event says how many packets were there, or else counts for one. */
static void count_links(const twin *t, table *links, const np_event_leveled *lv)
{
    unsigned *here = calloc(links->count, sizeof *here);
    assert_non_null(here);
    for (size_t i = 0, end; i < t->events; i = end) {
        end = step_end(t, i);
        memset(here, 0, links->count * sizeof *here);
        for (size_t j = i; j < end; j++) {
            const np_event *e = &t->event[j];
            if (e->kind != NP_EVENT_MOVED)
                continue;
            for (uint32_t w = lv ? lv->walk[e->link] : 0; lv && w < lv->walk[e->link + 1]; w++) {
                here[lv->link[w]]++;
                links->row[lv->link[w]].counted[0]++;
            }
            unsigned packets = e->queue ? e->queue : 1;
            if (!lv && here[e->link] < packets)
                here[e->link] = packets;
            links->row[lv ? 0 : e->link].counted[0] += !lv;
        }
        most_of_step(links, here, t->event[i].step);
    }
    free(here);
}

static void write_packets(const twin *t)
{
    const np_node *host = t->phase.leveled ? t->phase.leveled->host : NULL;
    for (np_packet p = 0; p < t->phase.packets; p++) {
        const np_event *first = NULL, *last = NULL;
        unsigned hops = 0, delay = 0;
        for (size_t i = 0; i < t->events; i++) {
            const np_event *e = &t->event[i];
            if (e->packet != p)
                continue;
            first = first ? first : e;
            last = e;
            hops += e->kind == NP_EVENT_MOVED;
            delay += e->kind == NP_EVENT_WAITED && e->reason != NP_EVENT_LENGTH && e->reason != NP_EVENT_PHASE;
        }
        if (!first)
            continue;
        fprintf(t->packets, "%u,%u,%s,%u,%u,%u,%u,%u,%u,", t->phase.run, t->phase.phase, t->phase.name, p,
                host ? host[first->from] : first->from, host ? host[last->from] : last->from, hops, delay, last->step);
        if (last->kind == NP_EVENT_COMBINED)
            fprintf(t->packets, "%u", last->other);
        fputc('\n', t->packets);
    }
}

static void write_steps(const twin *t, np_step steps)
{
    size_t i = 0, left = 0;
    for (np_step step = 0; step <= steps; step++) {
        unsigned of[NP_EVENT_KINDS] = {0}, queue = 0;
        for (; i < t->events && t->event[i].step == step; i++) {
            of[t->event[i].kind]++;
            if (t->event[i].kind != NP_EVENT_WAITED && t->event[i].queue > queue)
                queue = t->event[i].queue;
        }
        left += of[NP_EVENT_INJECTED] + of[NP_EVENT_SPLIT];
        left -= of[NP_EVENT_LANDED] + of[NP_EVENT_COMBINED];
        fprintf(t->steps, "%u,%u,%s,%u,%u,%u,%u,%zu,%u\n", t->phase.run, t->phase.phase, t->phase.name, step,
                of[NP_EVENT_MOVED], of[NP_EVENT_LANDED], of[NP_EVENT_COMBINED], left, queue);
    }
}

static int twin_begin(void *context, const np_event_phase *phase)
{
    twin *t = context;
    t->phase = *phase;
    t->events = 0;
    return 0;
}

static int twin_events(void *context, size_t count, const np_event *event)
{
    twin *t = context;
    assert_non_null(t->event = realloc(t->event, (t->events + count) * sizeof *event));
    memcpy(t->event + t->events, event, count * sizeof *event);
    t->events += count;
    return 0;
}

static int twin_end(void *context, const np_phase_run *run)
{
    twin *t = context;
    const np_network *network = t->phase.network;
    const np_event_leveled *lv = t->phase.leveled;
    table *links = table_of(t->links, &t->phase, "network", false, np_network_link_numbers(network));
    count_nodes(t, table_of(t->nodes, &t->phase, "network", false, np_network_nodes(network)), lv ? lv->host : NULL);
    count_links(t, links, lv);
    for (np_link l = 0; l < links->count; l++) {
        links->row[l].to = np_network_link_head(network, l);
        links->row[l].from = links->row[l].to == NP_NONE ? NP_NONE : np_network_link_tail(network, l);
    }
    if (lv) {
        count_nodes(t, table_of(t->nodes, &t->phase, "leveled", lv->of_run, lv->nodes), NULL);
        count_links(t, links = table_of(t->links, &t->phase, "leveled", lv->of_run, lv->edges), NULL);
        for (uint32_t e = 0; e < lv->edges; e++) {
            links->row[e].from = lv->tail[e];
            links->row[e].to = lv->head[e];
        }
    }
    write_packets(t);
    write_steps(t, run->steps);
    return 0;
}

/* The lines below the head of a file are these, which are freed. */
static void judge_lines(const setting *s, const char *file, FILE *stream, char **expected)
{
    const char *line = recorded_next_line(file), *should;
    fclose(stream);
    for (should = *expected; *line || *should; line = recorded_next_line(line), should = recorded_next_line(should)) {
        size_t length = strcspn(should, "\n");
        if (strncmp(line, should, length + 1) != 0)
            fail_msg("%s, %s: '%.*s' should be '%.*s'", s->network, s->scheme ? s->scheme : "its own scheme",
                     (int)strcspn(line, "\n"), line, (int)length, should);
    }
    free(*expected);
}

static void judge_table(const setting *s, const char *file, table *t, bool links)
{
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    for (; t->count; t++) {
        for (size_t i = 0; i < t->count; i++) {
            const row *r = &t->row[i];
            if (links && r->from != NP_NONE)
                fprintf(stream, "%s%zu,%u,%u,%lu,%u,%u\n", t->head, i, r->from, r->to, r->counted[0], r->most,
                        r->most_step);
            else if (!links)
                fprintf(stream, "%s%zu,%lu,%lu,%lu,%lu,%lu,%u,%u\n", t->head, i, r->counted[0], r->counted[1],
                        r->counted[2], r->counted[3], r->counted[4], r->most, r->most_step);
        }
        free(t->row);
    }
    judge_lines(s, file, stream, &text);
}

static void tables_are_what_the_events_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        const setting *s = &settings[i];
        np_network *network = support_network(s->network);
        np_route_options options = options_of(s, 1);
        char *packets, *steps;
        size_t length;
        twin t = {.packets = open_memstream(&packets, &length), .steps = open_memstream(&steps, &length)};
        recorded f;
        const np_observer observer = {0, twin_begin, twin_events, twin_end, &t, recorded_begin(&f)};
        np_route_result *result;
        options.observer = &observer;
        assert_true(t.packets && t.steps);
        assert_ok(np_route(network, s->traffic, &options, &result));
        recorded_end(&f);
        judge_table(s, f.nodes, t.nodes, false);
        judge_table(s, f.links, t.links, true);
        judge_lines(s, f.packets, t.packets, &packets);
        judge_lines(s, f.steps, t.steps, &steps);
        recorded_clear(&f);
        free(t.event);
        np_route_result_free(result);
        np_network_free(network);
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
    static const char *const lists[] = {"", "x", "1,", "3..2", "1..", "1;2", "4294967295", "-1", "+1", " 1"};
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
        cmocka_unit_test(bad_records_are_refused),    cmocka_unit_test(tables_are_what_the_events_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
