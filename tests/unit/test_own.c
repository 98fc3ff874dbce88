/*
 * Descriptors that a program registers. Twins of the library's own, made with the public headers alone, must have the
 * same outcome. Incomplete descriptors and names that are taken must be refused.
 */
#include <stdlib.h>
#include <time.h>

#include "../support.h"

/* ---- a ring, again ---- */

static np_status create_ring(np_network *network, const char *parameters)
{
    uint32_t *nodes;
    np_status st = np_network_allocate(network, sizeof *nodes, &nodes);
    if (st)
        return st;
    *nodes = (uint32_t)strtoul(parameters, NULL, 10);
    if (*nodes < 2)
        return np_status_raise(NP_ERROR_INPUT, "twin-ring:%s: try twin-ring:2", parameters);
    np_network_shape(network, *nodes, 2);
    return NP_OK;
}

static void ring_heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    const uint32_t nodes = *(const uint32_t *)np_network_own(network);
    for (size_t i = 0; i < count; i++)
        head[i] = (link[i] / 2 + (link[i] % 2 ? 1 : nodes - 1)) % nodes;
}

static const np_network_family ring = {
    .info = {"twin-ring", "a ring", "", .parameters = "N", .example = "twin-ring:8"},
    .regular = true,
    .node_symmetric = true,
    .create = create_ring,
    .heads = ring_heads,
};

static np_status create_nothing(np_network *network, const char *parameters)
{
    (void)network, (void)parameters;
    return NP_OK;
}

static const np_network_family shapeless = {
    .info = {"shapeless", "no network", "", .parameters = "N", .example = "shapeless:1"},
    .create = create_nothing,
    .heads = ring_heads,
};

/* ---- clockwise only ---- */

static const char *refuses(const np_network *network)
{
    return strcmp(np_network_family_name(network), "twin-ring") ? "it goes round" : NULL;
}

static np_status prepare(np_path *path)
{
    uint32_t *nodes;
    np_status st = np_path_allocate(path, sizeof *nodes, &nodes);
    if (!st)
        *nodes = np_network_nodes(np_path_network(path));
    return st;
}

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    const uint32_t nodes = *(const uint32_t *)np_path_table(path);
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = (to[i] + nodes - at[i]) % nodes;
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        port[i] = ticket[i] ? (ticket[i]--, 1) : NP_NONE;
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)ticket[i];
}

static const np_path_rule round_and_round = {
    .info = {"round", "clockwise", "", .networks = "twin-ring"},
    .refuses = refuses,
    .prepare = prepare,
    .start = start,
    .next = next,
    .remaining = remaining,
};

/* Rules that break their word. */
static void next_for_ever(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path, (void)at, (void)ticket;
    for (size_t i = 0; i < count; i++)
        port[i] = 1;
}

static void next_never(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path, (void)at, (void)ticket;
    for (size_t i = 0; i < count; i++)
        port[i] = NP_NONE;
}

static const np_path_rule for_ever = {
    .info = {"for-ever", "clockwise", "", .networks = "twin-ring"},
    .refuses = refuses,
    .prepare = prepare,
    .start = start,
    .next = next_for_ever,
    .remaining = remaining,
};

static const np_path_rule never = {
    .info = {"never", "clockwise", "", .networks = "twin-ring"},
    .refuses = refuses,
    .prepare = prepare,
    .start = start,
    .next = next_never,
    .remaining = remaining,
};

/* ---- farthest first, and a rotation, again ---- */

static void keys(size_t count, const np_key_inputs *inputs, uint32_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = UINT32_MAX - inputs->remaining[i];
}

static const np_discipline farthest = {.info = {"twin-farthest", "the farthest goes first", ""}, .keys = keys};

static np_status plan_rotation(np_traffic_plan *plan)
{
    plan->number = plan->parameters ? strtoul(plan->parameters, NULL, 10) : 0;
    return plan->number ? NP_OK : np_status_raise(NP_ERROR_INPUT, "twin-rotation: write twin-rotation:1");
}

static np_node rotated(const np_traffic_plan *plan, np_node u) { return (np_node)(u + plan->number) % plan->terminals; }

static const np_traffic_generator rotation = {
    .info = {"twin-rotation", "u to u + K", "", .parameters = ":K"}, .plan = plan_rotation, .image = rotated};

static np_status make_function(const np_traffic_plan *plan, const np_draws *draws, np_node *source,
                               np_node *destination)
{
    for (np_packet i = 0; i < plan->packets; i++) {
        source[i] = i;
        destination[i] = np_draw_below(draws, i, 0, plan->terminals);
    }
    return NP_OK;
}

static np_status plan_function(np_traffic_plan *plan)
{
    plan->random = true;
    return NP_OK;
}

static const np_traffic_generator function = {
    .info = {"twin-function", "to random nodes", "", .parameters = ""}, .plan = plan_function, .make = make_function};

/* Fails from run 3 on, and says in which. Run 1 takes longer than the others. */
static np_status make_failure(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination)
{
    if (draws->run == 1)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    if (draws->run < 3)
        return make_function(plan, draws, source, destination);
    return np_status_raise(NP_ERROR_INPUT, "run %u fails", draws->run);
}

static const np_traffic_generator failing = {
    .info = {"failing", "to nowhere", "", .parameters = ""}, .plan = plan_function, .make = make_failure};

static np_node astray(const np_traffic_plan *plan, np_node u) { return plan->terminals + u; }

static const np_traffic_generator lost = {.info = {"lost", "to nowhere", "", .parameters = ""}, .image = astray};

/* ---- by way of a random node, again ---- */

static const char *refuses_nothing(const np_network *network)
{
    (void)network;
    return NULL;
}

static void to_random_node(const np_aim *aim, np_node *to)
{
    for (size_t i = 0; i < aim->count; i++)
        to[i] = aim->phase ? aim->destination[i]
                           : np_draw_below(aim->draws, aim->packet[i], 0, np_network_nodes(aim->network));
}

static const char *const two_phases[] = {"A", "B", NULL};

static const np_scheme by_way = {
    .info = {"twin-valiant", "random node, then destination", "", .networks = "any"},
    .refuses = refuses_nothing,
    .queueing = &(const np_queueing){.queue = "fifo", .names = two_phases, .targets = to_random_node},
};

static unsigned no_phases(const np_network *network)
{
    (void)network;
    return 0;
}

static void no_name(const np_network *network, unsigned phase, char name[8]) { (void)network, (void)phase, (void)name; }

static const np_scheme idle = {
    .info = {"idle", "does nothing", "", .networks = "any"},
    .refuses = refuses_nothing,
    .queueing = &(const np_queueing){.queue = "fifo", .phases = no_phases, .name = no_name},
};

/* ---- unit cost, again, with 8 processors ---- */

static np_status create_unit(const char *parameters, const np_pram_options *options, np_machine **out)
{
    (void)options;
    if (*parameters)
        return np_status_raise(NP_ERROR_INPUT, "twin-ideal has no parameters");
    *out = calloc(1, sizeof **out);
    (*out)->processors = 8;
    return NP_OK;
}

static void free_unit(np_machine *machine) { free(machine); }

static np_status serve_unit(np_machine *machine, np_store *store, const np_request *request, size_t count,
                            np_word *reply, np_batch_cost *cost)
{
    assert_int_equal(machine->processors, 8);
    assert_in_range(count, 1, 16);
    for (size_t i = 0; i < count; i++)
        reply[i] = np_store_serve(store, &request[i]);
    cost->network_steps++;
    return NP_OK;
}

static np_status bytes_unit(const char *parameters, const np_pram_options *options, uint64_t cells, uint64_t accesses,
                            uint64_t *bytes)
{
    assert_string_equal(parameters, "");
    assert_string_equal(options->machine, "twin-ideal");
    assert_true(cells >= accesses);
    *bytes = 1000000 + 1000 * cells;
    return NP_OK;
}

static const np_machine_ops unit_cost = {
    .info = {"twin-ideal", "unit time", "", .parameters = ""},
    .create = create_unit,
    .free = free_unit,
    .serve = serve_unit,
    .bytes = bytes_unit,
};

/* ---- odd-even transposition, again ---- */

static const char *refuses_all_but_arrays(const np_network *network)
{
    return strcmp(np_network_family_name(network), "array") ? "it is no array" : NULL;
}

static np_status plan_nodes(np_sorting *sorting)
{
    return np_sorting_plan(sorting, np_network_nodes(np_sorting_network(sorting)));
}

static np_node node_of(const np_sorting *sorting, uint32_t place)
{
    (void)sorting;
    return place;
}

static np_status transpose(np_sorting *sorting)
{
    uint32_t places = np_sorting_places(sorting), h = np_sorting_per_place(sorting), scratch[64];
    np_status st = NP_OK;
    for (uint32_t p = 0; p < places; p++)
        np_sort_locally(np_sorting_item(sorting, p), h);
    for (uint32_t i = 0; i < places && !st; i++) {
        np_sort_cost cost = {.steps = h, .load_max = 2 * h, .congestion = h};
        for (uint32_t p = i % 2; p + 1 < places; p += 2, cost.comparators++)
            np_sort_merge_split(np_sorting_item(sorting, p), np_sorting_item(sorting, p + 1), h, scratch);
        cost.packets = cost.hops = 2 * h * cost.comparators;
        np_sorting_charge(sorting, "transposition", &cost);
        st = np_sorting_progress(sorting, "transposition");
    }
    return st;
}

static const np_sorter_ops transposition = {
    .info = {"twin-transposition", "neighbours take turns", "", .networks = "array"},
    .indexing = "along the array",
    .oblivious = true,
    .refuses = refuses_all_but_arrays,
    .plan = plan_nodes,
    .node = node_of,
    .run = transpose,
};

static int register_all(void **state)
{
    (void)state;
    assert_ok(np_network_register(&ring));
    assert_ok(np_network_register(&shapeless));
    assert_ok(np_path_register(&round_and_round));
    assert_ok(np_path_register(&for_ever));
    assert_ok(np_path_register(&never));
    assert_ok(np_discipline_register(&farthest));
    assert_ok(np_traffic_register(&rotation));
    assert_ok(np_traffic_register(&function));
    assert_ok(np_traffic_register(&lost));
    assert_ok(np_traffic_register(&failing));
    assert_ok(np_scheme_register(&by_way));
    assert_ok(np_scheme_register(&idle));
    assert_ok(np_machine_register(&unit_cost));
    assert_ok(np_sorter_register(&transposition));
    return 0;
}

static np_route_result *route(const char *spec, const char *traffic, const char *queue, uint32_t threads)
{
    np_network *network = support_network(spec);
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.paths = "all-pairs";
    options.queue = queue;
    options.runs = 3;
    options.threads = threads;
    assert_ok(np_route(network, traffic, &options, &result));
    np_network_free(network);
    return result;
}

static void assert_same(const np_phase_result *a, const np_phase_result *b)
{
    assert_int_equal(a->delays, b->delays);
    assert_memory_equal(a->delay_histogram, b->delay_histogram, a->delays * sizeof *a->delay_histogram);
    assert_memory_equal(&a->steps, &b->steps, sizeof a->steps);
    assert_memory_equal(&a->queue_max, &b->queue_max, sizeof a->queue_max);
}

/* The twins route as the library's own do, with any number of threads. */
static void test_twins_agree(void **state)
{
    (void)state;
    static const char *const traffic[][2] = {{"twin-rotation:5", "rotation:5"}, {"twin-function", "random-function"}};
    for (size_t i = 0; i < 2; i++) {
        np_route_result *b = route("ring:64", traffic[i][1], "farthest-first", 1);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            np_route_result *a = route("twin-ring:64", traffic[i][0], "twin-farthest", threads);
            assert_same(&a->phase[0], &b->phase[0]);
            np_route_result_free(a);
        }
        np_route_result_free(b);
    }
}

static np_route_result *route_by(const char *scheme, np_status expected, bool overlap, const char *paths)
{
    np_network *network = support_network("torus:8x8");
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.queue = "farthest-first";
    options.overlap = overlap;
    options.paths = paths;
    options.runs = 3;
    assert_int_equal(np_route(network, "random", &options, &result), expected);
    np_network_free(network);
    return result;
}

/* Also the options that a registered scheme heeds are those of its twin. */
static void test_schemes_agree(void **state)
{
    (void)state;
    static const char *const paths[] = {"all-pairs", "dimension-order"};
    for (int i = 0; i < 4; i++) {
        np_route_result *a = route_by("twin-valiant", NP_OK, i % 2, paths[i / 2]);
        np_route_result *b = route_by("valiant", NP_OK, i % 2, paths[i / 2]);
        assert_int_equal(a->phases, b->phases);
        for (size_t phase = 0; phase < a->phases; phase++) {
            assert_string_equal(a->phase[phase].name, b->phase[phase].name);
            assert_same(&a->phase[phase], &b->phase[phase]);
        }
        np_route_result_free(a);
        np_route_result_free(b);
    }
    assert_refused(np_scheme_heeds("twin-valiant", "waves"), NP_ERROR_APPLY, "for scheme 'waves'");
    assert_null(route_by("idle", NP_ERROR_LIMIT, false, NULL));
    assert_true(strstr(np_last_error(), "has 0 phases"));
}

enum { VIRTUAL = 100, CELLS = 40 };

/* Fetches, writes and reads of random cells by 100 virtual processors. out: what they got, and the cells. */
static uint64_t access_memory(const char *machine, np_access_rule rule, np_word out[2 * VIRTUAL + CELLS])
{
    np_address base, address[VIRTUAL];
    np_word *value = out + VIRTUAL;
    np_pram_options options;
    np_pram_report report;
    np_pram *pram;
    uint32_t random = 7;
    np_pram_options_init(&options);
    options.machine = machine;
    options.rule = rule;
    options.slack = strcmp(machine, "ideal") ? 2 : 1; /* ideal has no batches */
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, CELLS, "x", &base));
    for (size_t i = 0; i < VIRTUAL; i++) {
        random = random * 1664525 + 1013904223;
        address[i] = base + (random >> 8) % CELLS;
        out[i] = value[i] = (np_word)(random >> 20);
    }
    assert_ok(np_pram_fetch(pram, NP_FETCH_ADD, VIRTUAL, address, NULL, out, "fetch"));
    assert_ok(np_pram_write(pram, VIRTUAL, address, NULL, value, "write"));
    assert_ok(np_pram_read(pram, VIRTUAL, address, NULL, value, "read"));
    assert_ok(np_pram_get(pram, base, CELLS, out + 2 * VIRTUAL));
    assert_ok(np_pram_report_get(pram, &report));
    np_pram_free(pram);
    return report.network_steps;
}

/* 100 requests in batches of 8 processors x 2 take 7 batches, and each batch one step. */
static void test_machines_agree(void **state)
{
    (void)state;
    for (int rule = 0; rule < NP_RULES; rule++) {
        np_word a[2 * VIRTUAL + CELLS], b[2 * VIRTUAL + CELLS];
        assert_int_equal(access_memory("ideal", (np_access_rule)rule, a), 0);
        assert_int_equal(access_memory("twin-ideal", (np_access_rule)rule, b), 3 * 7);
        assert_memory_equal(a, b, sizeof a);
    }
    bool explains;
    assert_ok(np_pram_machine_explains("twin-ideal", &explains));
    assert_false(explains);
}

static np_status add_up(uint64_t numbers, uint64_t limit)
{
    np_pram_options options;
    np_program_options input;
    np_program_result *result;
    np_pram_options_init(&options);
    np_program_options_init(&input);
    options.machine = "twin-ideal";
    input.n = numbers;
    input.memory_limit = limit;
    np_status st = np_program_run("histogram", &options, &input, &result);
    np_program_result_free(result);
    return st;
}

/* What the machine says is asked before it is made. */
static void test_bytes_of_machine(void **state)
{
    (void)state;
    assert_refused(add_up(1, 999999), NP_ERROR_LIMIT, "processors and modules of twin-ideal need 1.00 MB");
    assert_refused(add_up(200000, 2000000), NP_ERROR_LIMIT, "take a smaller size");
    assert_ok(add_up(2000, 8000000));
}

static np_sort_result *sort_by(const char *algorithm, const np_network *network)
{
    enum { KEYS = 50 };
    uint64_t key[KEYS];
    np_sort_options options;
    np_sort_result *result;
    assert_ok(np_keys_make("random", KEYS, 3, 0, key));
    np_sort_options_init(&options);
    options.algorithm = algorithm;
    assert_ok(np_sort(network, KEYS, key, &options, &result));
    assert_true(result->sorted);
    return result;
}

static void test_sorters_agree(void **state)
{
    (void)state;
    np_network *network = support_network("array:12"), *other = support_network("ring:12");
    np_sort_result *a = sort_by("twin-transposition", network), *b = sort_by("odd-even-transposition", network);
    assert_int_equal(a->keys, b->keys);
    assert_memory_equal(a->order, b->order, a->keys * sizeof *a->order);
    assert_memory_equal(&a->steps, &b->steps, sizeof a->steps);
    assert_int_equal(a->stages, 1);
    assert_memory_equal(a->stage, b->stage, sizeof *a->stage);
    assert_refused(np_sorter_applies("twin-transposition", other), NP_ERROR_APPLY, "because it is no array");
    np_sort_options observed;
    np_sort_result *none;
    np_sort_options_init(&observed);
    observed.algorithm = "twin-transposition";
    observed.observer = &(const np_observer){.kinds = 0};
    assert_refused(np_sort(network, 0, NULL, &observed, &none), NP_ERROR_APPLY, "does not say which packets move: try");
    np_sort_result_free(a);
    np_sort_result_free(b);
    np_network_free(network);
    np_network_free(other);
}

static void test_network(void **state)
{
    (void)state;
    np_network *network = support_network("twin-ring:9");
    np_network_facts facts;
    assert_ok(np_network_audit(network));
    assert_ok(np_network_measure(network, 1000000, &facts));
    assert_int_equal(facts.links, 18);
    assert_int_equal(facts.diameter.measured, 4);
    np_network_free(network);
    assert_refused(np_network_create("twin-ring:1", &network), NP_ERROR_INPUT, "try twin-ring:2");
    assert_refused(np_network_create("twin-ring", &network), NP_ERROR_INPUT, "as in twin-ring:8");
    assert_refused(np_network_create("twin-rng:8", &network), NP_ERROR_INPUT, "did you mean 'twin-ring'?");
    assert_refused(np_network_create("shapeless:8", &network), NP_ERROR_INTERNAL, "sets no shape");
    assert_null(network);
}

static void test_path(void **state)
{
    (void)state;
    np_network *network = support_network("twin-ring:9"), *other = support_network("ring:9");
    np_path *path;
    size_t hops;
    assert_ok(np_path_create("round", network, &path));
    assert_ok(np_path_walk(path, 3, 2, 1, 0, 0, 0, 0, NULL, &hops));
    assert_int_equal(hops, 8);
    np_path_free(path);
    assert_refused(np_path_create("round", other, &path), NP_ERROR_APPLY, "they apply to twin-ring");
    np_network_free(network);
    np_network_free(other);
}

static void test_traffic(void **state)
{
    (void)state;
    np_network *network = support_network("twin-ring:9");
    np_traffic *traffic;
    assert_refused(np_traffic_create("lost", network, 1, 0, &traffic), NP_ERROR_INPUT,
                   "packet 0 goes from 0 to 9: twin-ring:9 has nodes 0..8");
    assert_refused(np_traffic_create("twin-function:3", network, 1, 0, &traffic), NP_ERROR_INPUT, "no parameters");
    assert_refused(np_traffic_create("twin-rotation", network, 1, 0, &traffic), NP_ERROR_INPUT, "twin-rotation:1");
    np_network_free(network);
}

/* Each thread meets a failing run; the error is that of the first one, though others fail before it. */
static void test_first_failing_run(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:3");
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.runs = 16;
    for (options.threads = 1; options.threads <= 4; options.threads++)
        for (unsigned again = 0; again < 10; again++)
            assert_refused(np_route(network, "failing", &options, &result), NP_ERROR_INPUT, "run 3 fails");
    np_network_free(network);
}

/* A route is looked at hop by hop: it must not be longer or shorter than its rule said. */
static void test_false_paths(void **state)
{
    (void)state;
    static const char *const rules[][2] = {{"for-ever", "take port 1 of node 2, hop 9 of 8"},
                                           {"never", "end at 3 after 0 hops, not 8"}};
    np_network *network = support_network("twin-ring:9");
    for (size_t i = 0; i < 2; i++) {
        np_path *path;
        size_t hops;
        assert_ok(np_path_create(rules[i][0], network, &path));
        assert_refused(np_path_walk(path, 3, 2, 1, 0, 0, 0, 0, NULL, &hops), NP_ERROR_INTERNAL, rules[i][1]);
        np_path_free(path);
    }
    np_network_free(network);
}

/* The descriptors of the lists are the registered ones. */
static void test_listed(void **state)
{
    (void)state;
    static const struct {
        np_list list;
        const np_entry *entry;
    } registered[] = {{NP_LIST_NETWORKS, &ring.info},   {NP_LIST_PATHS, &round_and_round.info},
                      {NP_LIST_QUEUES, &farthest.info}, {NP_LIST_TRAFFIC, &rotation.info},
                      {NP_LIST_SCHEMES, &by_way.info},  {NP_LIST_MACHINES, &unit_cost.info}};
    for (size_t i = 0; i < sizeof registered / sizeof *registered; i++) {
        const np_entry *entry;
        size_t at = 0;
        while ((entry = np_list_get(registered[i].list, at)) && entry != registered[i].entry)
            at++;
        assert_non_null(entry);
    }
}

static void test_names_are_taken(void **state)
{
    (void)state;
    np_path_rule rule = round_and_round;
    np_traffic_generator generator = rotation;
    np_discipline discipline = farthest;
    assert_refused(np_network_register(&ring), NP_ERROR_INPUT, "'twin-ring' already");
    rule.info.name = "greedy"; /* no entry of the list */
    assert_refused(np_path_register(&rule), NP_ERROR_INPUT, "choose another name");
    generator.info.name = "another";
    generator.info.aliases = "fine twin-function";
    assert_refused(np_traffic_register(&generator), NP_ERROR_INPUT, "'twin-function' already");
    generator.info.aliases = "fine not:fine";
    assert_refused(np_traffic_register(&generator), NP_ERROR_INPUT, "cannot be called 'not:fine'");
    discipline.info.name = NULL;
    assert_refused(np_discipline_register(&discipline), NP_ERROR_INPUT, "a name is a letter");
}

static void test_incomplete_networks(void **state)
{
    (void)state;
    np_network_family family = ring;
    family.info.name = "broken";
    family.heads = NULL;
    assert_refused(np_network_register(&family), NP_ERROR_INPUT, "network family 'broken' lacks heads");
    family.heads = ring.heads;
    family.info.example = NULL;
    assert_refused(np_network_register(&family), NP_ERROR_INPUT, "lacks info.example");
    family.info.example = "broken:1";
    family.kind = 1;
    assert_refused(np_network_register(&family), NP_ERROR_INPUT, "sets kind: leave it 0 or NULL");
}

static void test_incomplete_rules(void **state)
{
    (void)state;
    np_path_rule rule = round_and_round;
    rule.info.name = "broken";
    rule.next = NULL;
    assert_refused(np_path_register(&rule), NP_ERROR_INPUT, "'broken' lacks next");
    rule.next = next;
    rule.ascending_dimensions = true;
    assert_refused(np_path_register(&rule), NP_ERROR_INPUT, "sets ascending_dimensions");
    rule.ascending_dimensions = false;
    rule.memoryless = true;
    assert_refused(np_path_register(&rule), NP_ERROR_INPUT, "sets memoryless");
    rule.memoryless = false;
    rule.even = true;
    assert_refused(np_path_register(&rule), NP_ERROR_INPUT, "sets even");
}

static void test_incomplete_disciplines(void **state)
{
    (void)state;
    np_discipline discipline = farthest;
    discipline.info.name = "broken";
    discipline.keys = NULL;
    assert_refused(np_discipline_register(&discipline), NP_ERROR_INPUT, "lacks keys");
    discipline.keys = keys;
    discipline.info.help = NULL;
    assert_refused(np_discipline_register(&discipline), NP_ERROR_INPUT, "lacks its help");
}

static void test_incomplete_traffic(void **state)
{
    (void)state;
    np_traffic_generator generator = rotation;
    generator.info.name = "broken";
    generator.image = NULL;
    assert_refused(np_traffic_register(&generator), NP_ERROR_INPUT, "lacks image (or make)");
    generator.image = rotated;
    generator.make = make_function;
    assert_refused(np_traffic_register(&generator), NP_ERROR_INPUT, "sets image beside make");
}

static void test_incomplete_schemes(void **state)
{
    (void)state;
    np_scheme scheme = by_way;
    np_queueing queueing = *by_way.queueing;
    scheme.info.name = "broken";
    scheme.queueing = NULL;
    assert_refused(np_scheme_register(&scheme), NP_ERROR_INPUT, "lacks queueing");
    scheme.queueing = &queueing;
    queueing.queue = NULL;
    assert_refused(np_scheme_register(&scheme), NP_ERROR_INPUT, "lacks queueing->queue");
    queueing.queue = "fifo";
    queueing.phases = no_phases;
    assert_refused(np_scheme_register(&scheme), NP_ERROR_INPUT, "lacks queueing->phases beside name");
    queueing.name = no_name;
    assert_refused(np_scheme_register(&scheme), NP_ERROR_INPUT, "sets queueing->phases beside names");
    queueing = *by_way.queueing;
    queueing.uniform = true;
    assert_refused(np_scheme_register(&scheme), NP_ERROR_INPUT, "sets queueing->uniform");
}

/* It says what it heeds; if it does not say, it heeds the slack alone. */
static void test_options_of_machines(void **state)
{
    (void)state;
    static np_machine_ops queues;
    np_pram_options options;
    np_pram *pram;
    queues = unit_cost;
    queues.bytes = NULL;
    queues.info.name = "twin-queues";
    queues.info.takes = "queue_size, memory_layout";
    assert_refused(np_machine_register(&queues), NP_ERROR_INPUT, "sets info.takes memory_layout");
    queues.info.takes = "queue_size";
    assert_ok(np_machine_register(&queues));
    np_pram_options_init(&options);
    options.machine = "twin-queues";
    options.queue_size = 7;
    assert_ok(np_pram_create(&options, &pram));
    np_pram_free(pram);
    options.machine = "twin-ideal";
    assert_refused(np_pram_create(&options, &pram), NP_ERROR_APPLY,
                   "queue_size is for machine 'butterfly', 'leveled', 'twin-queues', not for 'twin-ideal'");
    assert_ok(np_pram_machine_heeds("twin-ideal", "slack"));
    assert_refused(np_pram_machine_heeds("twin-queues", "slack"), NP_ERROR_APPLY, "is for machine 'butterfly'");
    assert_ok(np_pram_machine_heeds("twin-queues", "processors"));
}

static void test_incomplete_machines(void **state)
{
    (void)state;
    np_machine_ops machine = unit_cost;
    machine.info.name = "broken";
    machine.serve = NULL;
    assert_refused(np_machine_register(&machine), NP_ERROR_INPUT, "machine 'broken' lacks serve");
    machine.serve = serve_unit;
    machine.info.parameters = NULL;
    assert_refused(np_machine_register(&machine), NP_ERROR_INPUT, "lacks info.parameters");
}

static void test_incomplete_sorters(void **state)
{
    (void)state;
    np_sorter_ops sorter = transposition;
    sorter.info.name = "broken";
    sorter.run = NULL;
    assert_refused(np_sorter_register(&sorter), NP_ERROR_INPUT, "'broken' lacks run");
    sorter.run = transpose;
    sorter.heeds = "room";
    assert_refused(np_sorter_register(&sorter), NP_ERROR_INPUT, "sets heeds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins_agree),
        cmocka_unit_test(test_schemes_agree),
        cmocka_unit_test(test_machines_agree),
        cmocka_unit_test(test_bytes_of_machine),
        cmocka_unit_test(test_sorters_agree),
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_first_failing_run),
        cmocka_unit_test(test_false_paths),
        cmocka_unit_test(test_listed),
        cmocka_unit_test(test_names_are_taken),
        cmocka_unit_test(test_incomplete_networks),
        cmocka_unit_test(test_incomplete_rules),
        cmocka_unit_test(test_incomplete_disciplines),
        cmocka_unit_test(test_incomplete_traffic),
        cmocka_unit_test(test_incomplete_schemes),
        cmocka_unit_test(test_options_of_machines),
        cmocka_unit_test(test_incomplete_machines),
        cmocka_unit_test(test_incomplete_sorters),
    };
    return cmocka_run_group_tests(tests, register_all, NULL);
}
