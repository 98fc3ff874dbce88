/*
 * Jobs that share a network: times worked out by hand beside each, and on a row of nodes, where each path is known, an
 * oracle that fills links by the definition of max-min, in doubles, from one end of a message to the next.
 */
#include <math.h>
#include <string.h>

#include "../support.h"
#include "netpram/jobs.h"
#include "netpram/report.h"

static np_jobs_result *play(const char *spec, size_t count, const np_jobs_item *job, const np_flows_options *options)
{
    np_network *network = support_network(spec);
    np_jobs_result *r;
    assert_ok(np_jobs_play(network, count, job, options, &r));
    np_network_free(network); /* of the result only figures are read */
    return r;
}

static void assert_close(double value, double exact)
{
    if (!(fabs(value - exact) <= 1e-9 * exact))
        fail_msg("%.17g instead of %.17g", value, exact);
}

/* ---- By hand ---- */

/* Two jobs of two hosts each on a row of four: 0 <-> 2 and 1 <-> 3 share the links between 1 and 2. */
static void crossing(void **state)
{
    static const np_node a[] = {0, 2}, b[] = {1, 3};
    np_jobs_item job[] = {{.name = "a", .collective = "all-gather", .size = 20, .ranks = 2, .host = a},
                          {.collective = "all-gather", .size = 40, .ranks = 2, .host = b}};
    np_flows_options options;
    (void)state;
    np_jobs_result *r = play("array:4", 2, job, NULL);
    /* Each sends half of its size each way: 10 and 20. They share until 20, when a has ended; b has 10 left. */
    assert_close(r->job[0].alone, 10);
    assert_close(r->job[1].alone, 20);
    assert_close(r->job[0].time, 20);
    assert_close(r->job[1].time, 30);
    assert_close(r->job[0].slowdown, 2);
    assert_close(r->job[1].slowdown, 1.5);
    assert_close(r->makespan, 30);
    assert_string_equal(r->job[0].name, "a");
    assert_string_equal(r->job[1].name, "1");
    assert_true(r->job[0].messages == 2 && r->job[0].rounds == 1);
    np_jobs_free(r);
    job[1].start = 15; /* a has ended at 10: they never meet */
    r = play("array:4", 2, job, NULL);
    assert_close(r->job[0].time, 10);
    assert_close(r->job[1].finish, 35);
    assert_close(r->job[1].slowdown, 1);
    np_jobs_free(r);
    np_flows_options_init(&options);
    options.link_rate = "8kbit/s"; /* 1000 bytes a second */
    job[1].start = 0;
    r = play("array:4", 2, job, &options);
    assert_close(r->job[0].time, 0.02);
    assert_close(r->job[1].time, 0.03);
    np_jobs_free(r);
}

/* Alone, jobs take what the closed forms and np_collective say; also where messages are far below a packet. */
static void alone(void **state)
{
    static const double sizes[] = {1e9, 800, 1e-6};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const np_jobs_item job[] = {{.collective = "all-reduce", .algorithm = "ring", .size = sizes[i], .ranks = 8}};
        np_jobs_result *r = play("ring:8", 1, job, NULL);
        assert_close(r->makespan, 2 * 7. / 8 * sizes[i]);
        assert_true(r->job[0].time == r->job[0].alone);
        np_jobs_free(r);
        r = play("complete:8", 1, &(np_jobs_item){.collective = "all-to-all", .size = sizes[i], .ranks = 8}, NULL);
        assert_close(r->makespan, 7. / 8 * sizes[i]);
        np_jobs_free(r);
    }
    np_jobs_result *r = play("ring:4", 0, NULL, NULL);
    assert_true(!r->count && r->makespan == 0);
    np_jobs_free(r);
    r = play("ring:4", 1, &(np_jobs_item){.collective = "barrier", .ranks = 3, .start = 7}, NULL);
    assert_true(r->job[0].finish == 7 && r->job[0].time == 0 && isnan(r->job[0].slowdown));
    np_jobs_free(r);
}

static void models_agree(void **state)
{
    static const char *const operations[] = {"all-reduce", "all-to-all", "broadcast", "reduce-scatter", "scan"};
    np_network *network = support_network("torus:3x4@1");
    np_flows_options options;
    (void)state;
    np_flows_options_init(&options);
    options.paths = "greedy"; /* as of collective */
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const np_jobs_item job = {.collective = operations[i], .size = 1200, .ranks = 12};
        np_collective_options one;
        np_collective_result *done;
        np_jobs_result *r;
        np_collective_options_init(&one);
        one.model = "flows";
        one.data = 1200;
        assert_ok(np_jobs_play(network, 1, &job, &options, &r));
        one.algorithm = r->job[0].algorithm;
        assert_ok(np_collective(network, operations[i], &one, &done));
        assert_close(r->job[0].time, done->time);
        assert_int_equal(r->job[0].rounds, done->rounds);
        np_jobs_free(r);
        np_collective_result_free(done);
    }
    np_network_free(network);
}

/* ---- The oracle, on a row ---- */

enum { NODES = 12, JOBS = 5, RANKS = 4, LINKS = 2 * NODES, MESSAGES = 4096 };

typedef struct message {
    size_t job;
    unsigned from, to; /* nodes */
    double left, rate;
} message;

typedef struct row {
    np_network *ranks; /* the complete network of RANKS */
    np_collective_result *plan[JOBS];
    size_t round[JOBS];
    double start[JOBS], finish[JOBS];
    np_node host[JOBS][RANKS];
    message active[MESSAGES];
    size_t count;
    double now;
} row;

/* Link u is u -> u + 1, link NODES + u is u + 1 -> u. */
static bool crosses(const message *m, size_t link)
{
    size_t u = link % NODES, low = m->from < m->to ? m->from : m->to, high = m->from + m->to - low;
    return (link < NODES) == (m->from < m->to) && low <= u && u < high;
}

/* Progressive filling: all rates that are not frozen grow alike until a link is full. */
static void fill_rates(row *w)
{
    bool frozen[MESSAGES] = {false};
    for (size_t left = w->count; left;) {
        double level = INFINITY, room[LINKS];
        for (size_t l = 0; l < LINKS; l++) {
            size_t growing = 0;
            room[l] = 1;
            for (size_t i = 0; i < w->count; i++)
                if (crosses(&w->active[i], l)) {
                    room[l] -= frozen[i] ? w->active[i].rate : 0;
                    growing += !frozen[i];
                }
            room[l] = growing ? room[l] / (double)growing : INFINITY;
            level = room[l] < level ? room[l] : level;
        }
        for (size_t l = 0; l < LINKS; l++)
            for (size_t i = 0; room[l] <= level * (1 + 1e-12) && i < w->count; i++)
                if (!frozen[i] && crosses(&w->active[i], l)) {
                    frozen[i] = true;
                    w->active[i].rate = level;
                    left--;
                }
    }
}

/* The messages of the next round of a job: pieces that go over one link of the ranks' network are one. */
static void next_round(row *w, size_t j)
{
    const np_collective_schedule *s = w->plan[j]->schedule;
    size_t r = w->round[j]++;
    if (r == s->rounds) {
        w->finish[j] = w->now;
        return;
    }
    for (size_t i = s->first[r]; i < s->first[r + 1]; i++) {
        if (i > s->first[r] && s->link[i] == s->link[i - 1]) {
            w->active[w->count - 1].left += w->plan[j]->part;
            continue;
        }
        assert_true(w->count < MESSAGES);
        w->active[w->count++] = (message){j, w->host[j][np_network_link_tail(w->ranks, s->link[i])],
                                          w->host[j][np_network_link_head(w->ranks, s->link[i])], w->plan[j]->part, 0};
    }
}

/* From one end or start to the next. */
static bool advance(row *w)
{
    double until = INFINITY;
    fill_rates(w);
    for (size_t i = 0; i < w->count; i++)
        until = fmin(until, w->now + w->active[i].left / w->active[i].rate);
    for (size_t j = 0; j < JOBS; j++)
        if (!w->round[j])
            until = fmin(until, w->start[j]);
    if (isinf(until))
        return false;
    size_t kept = 0, running[JOBS] = {0};
    bool had[JOBS] = {false};
    for (size_t i = 0; i < w->count; i++) {
        message m = w->active[i];
        had[m.job] = true;
        m.left -= m.rate * (until - w->now);
        if (m.left > 1e-9) {
            running[m.job]++;
            w->active[kept++] = m;
        }
    }
    w->count = kept;
    w->now = until;
    for (size_t j = 0; j < JOBS; j++)
        if ((had[j] && !running[j]) || (!w->round[j] && w->start[j] <= until))
            next_round(w, j);
    return true;
}

static void on_a_row(void **state)
{
    static const char *const operations[] = {"all-reduce", "all-to-all", "broadcast", "reduce-scatter", "scatter"};
    static row w;
    (void)state;
    w.ranks = support_network("complete:4");
    for (unsigned trial = 0; trial < 40; trial++) {
        np_jobs_item job[JOBS];
        w.count = 0;
        w.now = 0;
        for (size_t j = 0; j < JOBS; j++) {
            unsigned draw = trial * 7919U + (unsigned)j * 104729U, step = 1 + draw % 3;
            for (size_t r = 0; r < RANKS; r++) /* in steps of 1, 2 or 3 from anywhere, every other job downwards */
                w.host[j][j % 2 ? RANKS - 1 - r : r] = (np_node)((draw / 3 + r * step) % NODES);
            w.start[j] = draw % 5 * 3.7;
            w.round[j] = 0;
            job[j] = (np_jobs_item){.collective = operations[(draw / 7) % 5],
                                    .size = 1 + draw % 97,
                                    .ranks = RANKS,
                                    .start = w.start[j],
                                    .host = w.host[j]};
            np_collective_options options;
            np_collective_options_init(&options);
            options.model = "rounds";
            options.record = true;
            options.data = job[j].size;
            assert_ok(np_collective(w.ranks, job[j].collective, &options, &w.plan[j]));
        }
        while (advance(&w))
            continue;
        np_jobs_result *r = play("array:12", JOBS, job, NULL);
        for (size_t j = 0; j < JOBS; j++) {
            assert_close(r->job[j].finish, w.finish[j]);
            np_collective_result_free(w.plan[j]);
        }
        np_jobs_free(r);
    }
    np_network_free(w.ranks);
}

/* ---- Places ---- */

/* A job that is placed shares no host, so on a complete network it has no slowdown. */
static void places(void **state)
{
    static const np_node first[] = {3, 1};
    np_jobs_item job[] = {{.collective = "all-to-all", .size = 60, .ranks = 2, .host = first},
                          {.collective = "all-to-all", .size = 60, .ranks = 6, .random = true},
                          {.collective = "all-to-all", .size = 60, .ranks = 8}};
    np_flows_options options;
    (void)state;
    np_flows_options_init(&options);
    np_jobs_result *r = play("complete:16", 3, job, &options);
    for (size_t j = 0; j < 3; j++)
        assert_true(r->job[j].slowdown == 1);
    np_jobs_free(r);
    /* on a row it matters where a job is; the same seed has the same places */
    double time[3];
    for (size_t i = 0; i < 3; i++) {
        options.seed = i < 2 ? 5 : 6;
        r = play("array:64", 1, &(np_jobs_item){.collective = "all-to-all", .size = 60, .ranks = 20, .random = true},
                 &options);
        time[i] = r->makespan;
        np_jobs_free(r);
    }
    assert_true(time[0] == time[1] && time[0] != time[2]);
}

/* ---- Refusals ---- */

static void refuse(const char *spec, size_t count, const np_jobs_item *job, const np_flows_options *options,
                   np_status status, const char *why)
{
    np_network *network = support_network(spec);
    np_jobs_result *r;
    assert_refused(np_jobs_play(network, count, job, options, &r), status, why);
    assert_null(r);
    np_network_free(network);
}

static void refusals(void **state)
{
    static const np_node twice[] = {1, 1}, far[] = {1, 9}, a_switch[] = {0, 4};
    const struct {
        np_jobs_item job;
        const char *spec;
        np_status status;
        const char *why;
    } cases[] = {
        {{.collective = "all-reduce", .size = 1, .ranks = 1}, "ring:4", NP_ERROR_INPUT, "job 0 has 1 host: give it 2"},
        {{.collective = "all-reduce", .size = 1, .ranks = 5}, "ring:4", NP_ERROR_APPLY, "job 0: 4 of 4 hosts are free"},
        {{.collective = "all-reduce", .size = 1, .ranks = 2, .host = twice},
         "ring:4",
         NP_ERROR_INPUT,
         "has host 1 twice"},
        {{.collective = "all-reduce", .size = 1, .ranks = 2, .host = far}, "ring:4", NP_ERROR_INPUT, "at no host"},
        {{.collective = "all-reduce", .size = 1, .ranks = 2, .host = a_switch},
         "ring:3@2",
         NP_ERROR_INPUT,
         "at no host"},
        {{.collective = "all-reduce", .size = 1, .ranks = 2}, "butterfly-io:3", NP_ERROR_APPLY, "can have no jobs"},
        {{.collective = "all-reduce", .ranks = 2}, "ring:4", NP_ERROR_INPUT, "job 0: its size must be above 0"},
        {{.collective = "all-reduce", .size = NAN, .ranks = 2}, "ring:4", NP_ERROR_INPUT, "its size must be above 0"},
        {{.collective = "barrier", .size = 1, .ranks = 2}, "ring:4", NP_ERROR_INPUT, "a barrier sends no data"},
        {{.size = 1, .ranks = 2}, "ring:4", NP_ERROR_INPUT, "job 0: no collective"},
        {{.name = "x", .collective = "all-reduec", .size = 1, .ranks = 2},
         "ring:4",
         NP_ERROR_INPUT,
         "job 'x': no operation 'all-reduec'"},
        {{.collective = "permutation", .size = 1, .ranks = 2},
         "ring:4",
         NP_ERROR_APPLY,
         "job 0: collective 'permutation' goes over links: jobs do"},
        {{.collective = "all-reduce", .algorithm = "bucket", .size = 1, .ranks = 2},
         "ring:4",
         NP_ERROR_APPLY,
         "no algorithm 'bucket' for all-reduce among its 2 ranks: choose from 'ring', 'halving-doubling', "
         "'rabenseifner', "
         "'recursive-doubling', 'swing', 'dissemination', 'binomial', 'double-tree', 'direct'"},
        {{.collective = "broadcast", .algorithm = "pipelined", .size = 1, .ranks = 2},
         "ring:4",
         NP_ERROR_INPUT,
         "from 'hypercube', 'linear'"},
        {{.collective = "all-reduce", .algorithm = "swing", .size = 1, .ranks = 3}, "ring:4", NP_ERROR_APPLY, "swing"},
        {{.collective = "all-reduce", .size = 1, .ranks = 2, .start = -1},
         "ring:4",
         NP_ERROR_INPUT,
         "its start must be"},
        {{.collective = "all-reduce", .size = 1, .ranks = 2, .start = NAN}, "ring:4", NP_ERROR_INPUT, "its start must"},
        {{.collective = "all-reduce", .size = 1e15, .ranks = 2}, "ring:4", NP_ERROR_LIMIT, "is too large"},
    };
    const np_jobs_item good = {.collective = "all-reduce", .size = 1, .ranks = 2};
    np_flows_options options;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i].spec, 1, &cases[i].job, NULL, cases[i].status, cases[i].why);
    np_flows_options_init(&options);
    options.load = 0.5;
    refuse("ring:4", 1, &good, &options, NP_ERROR_APPLY, "load is not heeded by jobs");
    np_flows_options_init(&options);
    options.split = true;
    refuse("ring:4", 1, &good, &options, NP_ERROR_APPLY, "split is not heeded");
}

/* ---- Files ---- */

static np_status read_text(const char *spec, const char *text, const char *link_rate, np_jobs_file **out)
{
    np_network *network = support_network(spec);
    char *path = support_file(text);
    np_status st = np_jobs_file_read(path, network, link_rate, out);
    np_network_free(network);
    remove(path);
    free(path);
    return st;
}

static void files(void **state)
{
    np_jobs_file *file;
    (void)state;
    assert_ok(
        read_text("torus:2x2@2",
                  "[{\"name\": \"t\", \"collective\": \"all-reduce\", \"algorithm\": \"ring\", \"size\": \"4kB\",\n"
                  "  \"hosts\": \"s0.h1..s2.h0\", \"start\": \"5us\"},\n"
                  " {\"collective\": \"scan\", \"size\": 2.5, \"hosts\": [\"s3.h0\", \"s1.h1\"], \"start\": 3},\n"
                  " {\"hosts\": \"random:2\", \"collective\": \"barrier\"},\n"
                  " {\"hosts\": \"packed:3\", \"collective\": \"gather\", \"size\": \"1K\"}]\n",
                  "8Gbit/s", &file));
    assert_int_equal(file->count, 4);
    const np_jobs_item *job = file->job;
    assert_true(!strcmp(job[0].name, "t") && !strcmp(job[0].collective, "all-reduce") &&
                !strcmp(job[0].algorithm, "ring"));
    assert_true(job[0].size == 4000 && job[0].start == 5e-6 && job[0].ranks == 4);
    for (np_node r = 0; r < 4; r++)
        assert_int_equal(job[0].host[r], 5 + r); /* switches 0 to 3, then s0.h0 */
    assert_true(!job[1].name && !job[1].algorithm && job[1].size == 2.5 && job[1].start == 3 && job[1].ranks == 2);
    assert_true(job[1].host[0] == 10 && job[1].host[1] == 7);
    assert_true(job[2].random && !job[2].host && job[2].ranks == 2 && job[2].size == 0);
    assert_true(!job[3].random && !job[3].host && job[3].ranks == 3 && job[3].size == 1024);
    np_jobs_file_free(file);
    np_jobs_file_free(NULL);
}

#define JOB(members) "[{\"collective\": \"all-reduce\", \"size\": 4, " members "}]"

static void wrong_files(void **state)
{
    static const char *const cases[][2] = {
        {"", ":1: a file of jobs is a list of objects"},
        {"{}", ":1: a file of jobs is a list"},
        {"[3]", ":1: a file of jobs is a list"},
        {"[]\n", ":1: there are no jobs"},
        {"\n[\n\n]\n", ":2: there are no jobs"},
        {JOB("\"hosts\": [0, 1]") " 7", ":1: something follows"},
        {"[{\"collective\": \"scan\", \"size\": 4, \"hosts\": [0, 1]} {", ":1: a comma or ']' must follow"},
        {"[{\"collective\": \"scan\", \"size\": 4, \"hosts\": [0, 1]},\n]", ":2: no comma may stand behind"},
        {"[\n\n{\"a\": 1,\n \"a\": 2}]", ":4: this is no JSON: duplicate object key"},
        {"[\n{\"collective\": \"scan\",\n\n\"size\": 4, \"hosts\": [0, 1]},\n{\"hots\": 1}]",
         ":5: a job has no \"hots\": did"},
        {JOB("\"hosts\": 3"), "\"hosts\": give a list of hosts"},
        {JOB("\"hosts\": \"random\""), "'random': give a list"},
        {JOB("\"hosts\": \"random:9\""), "'random:9': give a number from 2"},
        {JOB("\"hosts\": \"packed:\""), "'packed:': give a number from 2"},
        {JOB("\"hosts\": \"3..1\""), "'3..1': a range goes up"},
        {JOB("\"hosts\": \"0..8\""), "host 8 is out of range 0..7"},
        {JOB("\"hosts\": [0, 1, 2, 3, 4, 5, 6, 7, 0]"), "more of them than the network has"},
        {JOB("\"hosts\": [0, null]"), "give names or numbers"},
        {JOB("\"hosts\": [0, 1], \"start\": \"5us\""), "'5us': without a link rate starts are steps"},
        {JOB("\"hosts\": [0, 1], \"start\": -5"), "'-5': write a number of 0 or more"},
        {JOB("\"hosts\": [0, 1], \"start\": []"), "\"start\": must be a number or a string"},
        {JOB("\"hosts\": [0, 1], \"name\": \"\""), "\"name\": must be a string that is not empty"},
        {JOB("\"hosts\": [0, 1], \"algorithm\": 3"), "\"algorithm\": must be a string"},
        {JOB("\"start\": 1"), "\"hosts\": is missing"},
        {"[{\"hosts\": [0, 1], \"size\": 1}]", "\"collective\": is missing"},
        {"[{\"hosts\": [0, 1], \"collective\": \"scan\"}]", "\"size\": is missing"},
        {"[{\"size\": \"4MB\"}]", "'4MB': without a link rate (--link-rate) sizes are packets"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_jobs_file *file;
        assert_refused(read_text("hypercube:3", cases[i][0], NULL, &file), NP_ERROR_INPUT, cases[i][1]);
        assert_null(file);
    }
}

/* ---- Rates ---- */

/* As in `crossing`: until 20 each of the four messages has half a link, then the two of b have a link each, until 30.
 */
static void rates(void **state)
{
    static const np_node a[] = {0, 2}, b[] = {1, 3};
    const np_jobs_item job[] = {
        {.name = "a", .collective = "all-gather", .size = 20, .ranks = 2, .host = a, .start = 7},
        {.collective = "all-gather", .size = 40, .ranks = 2, .host = b, .start = 7}};
    np_flows_options options;
    (void)state;
    np_flows_options_init(&options);
    options.record_rates = true;
    np_jobs_result *r = play("array:4", 2, job, &options);
    assert_true(r->rate_count >= 256 && r->rate_count <= 512);
    assert_close(r->rate_start, 7);
    for (size_t i = 0; i < r->rate_count; i++) {
        double from = (double)i * r->rate_step, to = from + r->rate_step;
        if (to <= 20 || from >= 20) {
            assert_close(r->rate[i] + 1, to <= 20 ? 2 : 1);
            assert_close(r->rate[r->rate_count + i], to <= 20 ? 1 : 2);
        }
    }
    np_jobs_free(r);
    options.record_rates = false;
    r = play("array:4", 2, job, &options);
    assert_true(!r->rate_count && !r->rate);
    np_jobs_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossing),     cmocka_unit_test(rates),    cmocka_unit_test(alone),
        cmocka_unit_test(models_agree), cmocka_unit_test(on_a_row), cmocka_unit_test(places),
        cmocka_unit_test(refusals),     cmocka_unit_test(files),    cmocka_unit_test(wrong_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
