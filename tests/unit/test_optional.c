/*
 * What the headers call optional may be NULL. tests/cli/optional writes a call of every public function that takes
 * options, or pointers of which its header says so, with NULL for them and what is made below for the rest. Each is
 * made in a process of its own, which must not end by a signal.
 */
#include "support.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "netpram/netpram.h"
#include "netpram/report.h"

static np_network *network;
static np_traffic *traffic;
static np_path *path;
static np_network_facts facts;
static np_network_written written = {.format = "dot"};
static np_route_result *route;
static np_check_scheme_result *checked;
static np_deadlock *deadlock;
static np_defeat *defeat;
static np_throughput *throughput;
static np_flows_result *flows;
static np_load_result *loaded;
static np_worst *worst;
static const np_flow_list flow_list = {0, NULL, NULL, NULL, NULL};
static const np_jobs_item job = {.collective = "scan", .size = 1, .ranks = 2};
static np_jobs_result *jobs;
static np_compare *compare;
static const np_network *constant;
static const np_throughput_proof proof = {"c.json", "ring:5", "random", .factor = {1, 1}};
static const np_replay_result replayed = {
    .network = "ring:5", .file = "a.goal", .model = "loggops", .place = "linear", .unit = "ns"};
static np_ranking *ranking;
static np_offline *offline;
static np_program_result *program;
static np_script *script;
static np_script_result *scripted;
static np_sort_result *sorted;
static np_embedding *embedding;
static np_embedding_facts measured;
static np_embedding_run_result *embedded;
static np_report_map map;
static np_collective_result *gossip;
static np_reconfigure_result *switched;
static np_universal_result *universal;
static np_experiment *experiment;
static np_experiment_outcome outcome;
static np_collective_model models[64];
static np_collective_candidate candidates[64];
static size_t model_count;
static np_check_oblivious_result oblivious;
static np_check_nonrepeating_result nonrepeating;
static np_check_symmetric_result symmetric;
static np_embedding_guest_result guest;
static const np_sweep_value swept = {"scheme", "greedy"};
static const uint64_t key = 7;
static np_point points[64];
static np_pram *pram;
static np_address address;
static np_word words[64];
static np_node nodes[64];
static np_signal signal_;
static np_switch_grid *grid;
static np_route_options full;

/* Results for the reports. What a network of this kind does not have stays NULL, and is not reported. */
static void make(void)
{
    static const char text[] = "{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"greedy\", \"traffic\": "
                               "\"random\", \"networks\": [\"hypercube:2\"]}]}";
    np_sort_options sort;
    assert_ok(np_network_create("hypercube:3", &network));
    assert_ok(np_traffic_create("random", network, 1, 0, &traffic));
    assert_ok(np_path_create("dimension-order", network, &path));
    assert_ok(np_network_measure(network, 1000000, &facts));
    assert_ok(np_route(network, "random", NULL, &route));
    assert_ok(np_check_scheme(network, "cubes", NULL, NULL, &checked));
    assert_ok(np_defeat_find(network, NULL, &defeat));
    assert_ok(np_throughput_find(network, traffic, NULL, &throughput));
    assert_ok(np_flows(network, "random", NULL, &flows));
    assert_ok(np_jobs_play(network, 1, &job, NULL, &jobs));
    assert_ok(np_load(network, "uniform", NULL, &loaded));
    assert_ok(np_worst_find(network, NULL, &worst));
    constant = network;
    assert_ok(np_compare_find(1, &constant, NULL, &compare));
    assert_ok(np_deadlock_find(network, NULL, &deadlock));
    assert_ok(np_ranking_find(network, "random", NULL, &ranking));
    assert_ok(np_offline_find(network, "random", NULL, &offline));
    assert_ok(np_program_run("prefix-sums", NULL, NULL, &program));
    assert_ok(np_script_library("prefix-sums", &script));
    assert_ok(np_script_run(script, NULL, NULL, NULL, &scripted));
    np_sort_options_init(&sort);
    assert_ok(np_sort(network, 1, &key, &sort, &sorted));
    assert_ok(np_embedding_create(NULL, network, network, 0, &embedding));
    assert_ok(np_embedding_measure(embedding, &measured));
    assert_ok(np_embedding_run(embedding, NULL, &embedded));
    assert_ok(np_collective(network, "gossip", NULL, &gossip));
    assert_ok(np_collective_models(network, "gossip", NULL, models, &model_count));
    assert_ok(np_reconfigure("parity", NULL, &switched));
    assert_ok(np_pram_create(NULL, &pram));
    assert_ok(np_pram_allocate(pram, 64, "a", &address));
    uint32_t left;
    assert_ok(np_switch_grid_create(4, 4, &grid));
    assert_ok(np_switch_grid_attach(grid, NP_PORT_W, 0, &left));
    assert_ok(np_universal_simulate(network, NULL, &universal));
    assert_ok(np_experiment_parse("e.json", text, sizeof text - 1, &experiment));
}

static int count, ended;

static void take_status(np_status st) { (void)st; }

/* In a process of its own, in a folder of its own. */
#define CALL(name, expression)                                                                                         \
    {                                                                                                                  \
        pid_t child = fork();                                                                                          \
        int status;                                                                                                    \
        if (!child) {                                                                                                  \
            signal(SIGSEGV, SIG_DFL);                                                                                  \
            expression;                                                                                                \
            _exit(0);                                                                                                  \
        }                                                                                                              \
        assert_true(child > 0 && waitpid(child, &status, 0) == child);                                                 \
        count++;                                                                                                       \
        if (!WIFEXITED(status) || WEXITSTATUS(status)) {                                                               \
            print_error("%s with NULL for its options ends by signal %d\n", name, WTERMSIG(status));                   \
            ended++;                                                                                                   \
        }                                                                                                              \
    }

static void options_may_be_null(void **state)
{
    (void)state;
    char folder[] = "/tmp/netpram-test-XXXXXX";
    void *out = NULL;
    uint64_t whole = 0;
    bool truth = false;
    FILE *stream = fopen("/dev/null", "w");
    assert_non_null(stream);
    make();
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0); /* an experiment writes its files here */
#include "optional_calls.inc"
    assert_true(count >= 40);
    assert_int_equal(ended, 0);
    fclose(stream);
    static const char *const files[] = {"e.csv", "e.sqlite", "e.sqlite-claims"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_may_be_null)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
