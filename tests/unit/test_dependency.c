/*
 * The graph of channel dependencies against all walks of all packets one by one, on small networks; cycles against
 * the taking away of channels that no other one leads to.
 */
#include "support.h"

#include "base/memory.h"
#include "verdict/dependency/deadlock.h"
#include "model/relation/cables.h"
#include "model/relation/waiting.h"
#include "verdict/dependency/dependency.h"

static const struct {
    const char *rule, *spec;
    bool free;
    unsigned cycle; /* the length of a shortest one; 0: there is none */
} cases[] = {
    {"dimension-order", "mesh:3x4", true, 0},
    {"dimension-order", "hypercube:4", true, 0},
    {"dimension-order", "torus:4x3", true, 0},
    {"dimension-order:drawn", "torus:4x4", true, 0},
    {"dimension-order:drawn", "ring:7", true, 0},
    {"dimension-order", "ring:8@1", true, 0},
    {"dimension-order", "hyperx:3x3", true, 0},
    {"shortest", "ring:8", false, 8},
    {"shortest", "ring:3", true, 0},
    {"spray", "mesh:3x3", false, 4},
    {"ecmp", "hypercube:3", false, 4},
    {"spray", "hypercube:2@2", false, 4},
    {"shortest", "array:5", true, 0},
    {"shortest", "shuffle:2x3", false, 0},
    {"spray", "butterfly-io:3", true, 0},
    {"minimal", "dragonfly:a=3,p=1,h=1", true, 0},
    {"minimal", "dragonfly:a=4,p=1,h=2,g=3", true, 0},
    {"shortest", "dragonfly:a=3,p=1,h=1", false, 0},
    {"up-down", "kary-tree:2x3", true, 0},
    {"up-down:adaptive", "fat-tree:k=4", true, 0},
    {"up-down", "tree:3x2", true, 0},
    {"up*down*", "ring:6", true, 0},
    {"up*down*:adaptive", "jellyfish:12,3", true, 0},
    {"up*down*", "jellyfish:64,4", true, 0}, /* on smaller ones a way up after one down closes no cycle */
    {"shortest", "jellyfish:12,3", false, 0},
    {"adaptive", "mesh:3x3", true, 0},
    {"adaptive", "torus:4x4", true, 0},
    {"adaptive", "ring:5", true, 0},
    {"adaptive", "hypercube:3", true, 0},
    {"adaptive", "jellyfish:12,3", true, 0},
    {"adaptive:no-escape", "mesh:3x3", false, 4},
    {"adaptive:no-escape", "tree:2x2", true, 0},
    {"valiant", "mesh:3x3", true, 0},
    {"valiant", "torus:3x4", true, 0},
    {"valiant:dimension-order:drawn", "ring:6", true, 0},
    {"valiant:shortest", "ring:6", false, 6},
    {"valiant", "kary-tree:2x2", true, 0},
    {"valiant:up-down:adaptive", "kary-tree:2x2", true, 0},
    {"valiant", "dragonfly:a=3,p=1,h=1", true, 0},
    {"valiant:groups", "dragonfly:a=3,p=1,h=1", true, 0},
    {"valiant", "planes:2,tree:2x2@1", true, 0},
    {"valiant:up*down*", "planes:2,ring:4@1", true, 0},
    {"valiant:shortest", "planes:2,ring:5@1", false, 5},
    {"ugal-l-vc", "rail:servers=2,g=2,spines=2", true, 0},
    {"ugal-l", "dragonfly:a=3,p=1,h=1", true, 0},
    {"ugal-l", "hypercube:3", true, 0},
    {"ugal-l-vch", "dragonfly:a=3,p=1,h=1", true, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

/* All pairs, by walks. Item = link * 8 + class. */
typedef struct oracle {
    const np_relation *relation;
    const np_network *network;
    uint32_t items;
    uint8_t *follows; /* [items * items] */
    uint8_t *held;    /* [items] */
} oracle;

static void walk(oracle *o, np_node at, np_node to, uint32_t target, bool first, unsigned course, uint32_t last)
{
    const np_relation *r = o->relation;
    np_candidate way[NP_CANDIDATES];
    unsigned count =
        first ? np_relation_first_ways(r, at, target, course, way) : np_relation_last_ways(r, at, to, course, way);
    if (first && !count) {
        walk(o, at, to, target, false, NP_SECOND_PHASE, last);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        np_link link = np_network_link_at(o->network, at, way[i].port);
        uint32_t item = link * 8 + way[i].class_;
        bool node = !r->escapes || way[i].escape;
        if (node && last != NP_NONE)
            o->follows[last * o->items + item] = 1;
        if (node)
            o->held[item] = 1;
        walk(o, np_network_link_head(o->network, link), to, target, first, way[i].state & NP_COURSE,
             node ? item : last);
    }
}

/* Is the node a router where packets start, or where they leave? */
static bool is_end(const oracle *o, np_node node, bool start)
{
    const np_network *n = o->network;
    for (np_node i = 0; i < np_network_terminals(n) && !np_network_has_hosts(n); i++)
        if ((start ? np_network_input(n, i) : np_network_output(n, i)) == node)
            return true;
    for (np_link l = 0; l < np_network_link_numbers(n) && np_network_has_hosts(n); l++) {
        np_node head = np_network_link_head(n, l), tail = np_network_link_tail(n, l);
        if (head != NP_NONE && np_network_is_host(n, start ? tail : head) && (start ? head : tail) == node)
            return true;
    }
    return false;
}

static void walk_all(oracle *o)
{
    const np_relation *r = o->relation;
    np_node nodes = np_network_nodes(o->network);
    for (np_node from = 0; from < nodes; from++)
        for (np_node to = 0; to < nodes; to++) {
            if (!is_end(o, from, true) || !is_end(o, to, false))
                continue;
            walk(o, from, to, 0, false, r->two_phases ? NP_SECOND_PHASE : 0, NP_NONE);
            for (np_node k = 0; k < (r->by_groups ? r->targets : nodes) && r->two_phases; k++)
                if (r->by_groups || is_end(o, k, true))
                    walk(o, from, to, k, true, 0, NP_NONE);
        }
}

/* What packets do, by their draws, is among it. Of several candidates the lot picks one. */
static void check_packet(const oracle *o, np_node from, np_node to, uint64_t number, uint64_t *lot)
{
    const np_relation *r = o->relation;
    const np_draws draws = {.seed = 3};
    uint64_t state = np_relation_start(r, &draws, number, from, to, NULL);
    np_candidate way[NP_CANDIDATES];
    uint32_t last = NP_NONE;
    for (unsigned count; (count = np_relation_candidates(r, from, to, state, way));) {
        const np_candidate *taken = &way[support_lot(lot, count)];
        np_link link = np_network_link_at(o->network, from, taken->port);
        uint32_t item = link * 8 + taken->class_;
        bool node = !r->escapes || taken->escape;
        assert_true(!node || (o->held[item] && (last == NP_NONE || o->follows[last * o->items + item])));
        last = node ? item : last;
        from = np_network_link_head(o->network, link);
        state = taken->state;
    }
    assert_int_equal(from, to);
}

static void check_packets(const oracle *o)
{
    const np_draws draws = {.seed = 3};
    const np_cables *cables = np_relation_cables(o->relation);
    uint64_t lot = 5;
    np_node ends = np_network_terminals(o->network);
    for (uint32_t k = 0; k < 2000; k++) {
        np_node from = support_lot(&lot, ends), to = support_lot(&lot, ends);
        np_cable_pair pair = np_cables_draw(o->relation, &draws, from, k, to);
        check_packet(o, cables->entry[pair.entry].router, cables->exit[pair.exit].router, k, &lot);
    }
}

/* Are there no cycles? Items without one before them go, as long as there are some. */
static bool is_free(const oracle *o)
{
    uint8_t *left = malloc(o->items);
    bool changed = true, any = false;
    memcpy(left, o->held, o->items);
    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < o->items; v++) {
            bool before = false;
            for (uint32_t u = 0; u < o->items && left[v] && !before; u++)
                before = left[u] && o->follows[u * o->items + v];
            if (left[v] && !before) {
                left[v] = 0;
                changed = true;
            }
        }
    }
    for (uint32_t v = 0; v < o->items; v++)
        any |= left[v];
    free(left);
    return !any;
}

static uint32_t item_of(const np_dependency *d, uint32_t node)
{
    const np_routers *g = &d->routers;
    uint32_t channel = node / d->classes;
    np_node tail = g->node[g->tail[channel]];
    return np_network_link_at(d->relation->network, tail, g->port[channel]) * 8 + node % d->classes;
}

/* The same channels are held, and the same pairs follow each other. */
static void compare(const np_dependency *d, const oracle *o, const np_dependency_order *order)
{
    uint64_t held = 0, pairs = 0;
    for (uint32_t i = 0; i < o->items; i++)
        held += o->held[i];
    for (size_t i = 0; i < (size_t)o->items * o->items; i++)
        pairs += o->follows[i];
    assert_int_equal(order->nodes, held);
    assert_int_equal(order->arcs, pairs);
    for (uint32_t u = 0; u < d->nodes; u++)
        for (uint32_t v = np_dependency_next(d, u, 0); v != NP_NONE; v = np_dependency_next(d, u, v + 1))
            assert_true(o->follows[item_of(d, u) * o->items + item_of(d, v)]);
}

static void check_cycle(const np_dependency *d, const oracle *o, const np_dependency_order *order, unsigned length)
{
    assert_true(order->length > 0 && (!length || order->length == length));
    for (size_t i = 0; i < order->length; i++) {
        uint32_t u = item_of(d, order->cycle[i]), v = item_of(d, order->cycle[(i + 1) % order->length]);
        assert_true(o->follows[u * o->items + v]);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(order->cycle[i], order->cycle[j]);
    }
}

static void check_case(const char *rule, const char *spec, bool want, unsigned cycle)
{
    np_network *network = support_network(spec);
    np_relation *r;
    np_dependency d;
    np_dependency_order order;
    assert_ok(np_relation_create(rule, network, &r));
    assert_ok(np_dependency_build(r, NULL, &d));
    assert_ok(np_dependency_sort(&d, &order));
    oracle o = {.relation = r, .network = network, .items = np_network_link_numbers(network) * 8};
    o.follows = calloc(o.items, o.items);
    o.held = calloc(o.items, 1);
    walk_all(&o);
    compare(&d, &o, &order);
    check_packets(&o);
    if (is_free(&o) != want || (order.levels > 0) != want)
        fail_msg("%s on %s: %u levels", rule, spec, order.levels);
    if (!want)
        check_cycle(&d, &o, &order, cycle);
    free(o.follows), free(o.held);
    np_memory_free(order.cycle);
    np_dependency_clear(&d);
    np_relation_free(r);
    np_network_free(network);
}

static void graphs_have_all_dependencies(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++)
        check_case(cases[i].rule, cases[i].spec, cases[i].free, cases[i].cycle);
}

static void verdicts_say_what_waits(void **state)
{
    np_network *network = support_network("torus:4x4@2");
    np_deadlock_options options;
    np_deadlock *d;
    (void)state;
    np_deadlock_options_init(&options);
    options.channels = 1;
    assert_refused(np_deadlock_find(network, &options, &d), NP_ERROR_INPUT,
                   "need 2 classes of virtual channels on torus:4x4@2, and so 2 channels or more, not 1");
    options.channels = 3;
    assert_ok(np_deadlock_find(network, &options, &d));
    assert_true(!d->possible && d->levels && !d->length && !d->theorem && d->classes == 2 && d->channels == 3);
    assert_ok(np_deadlock_refuse(d));
    np_deadlock_free(d);
    options.paths = "valiant:shortest";
    assert_ok(np_deadlock_find(network, &options, &d));
    assert_true(d->possible && d->length == 4 && !d->levels);
    assert_refused(np_deadlock_refuse(d), NP_ERROR_DEADLOCK,
                   "paths 'valiant:shortest' on torus:4x4@2 may deadlock: each of 4 channels waits for the next: 0->");
    np_deadlock_free(d);
    np_network_free(network);
}

/* Routes of a file, on a ring of 4: three of them wait for each other only if a fourth closes the circle. */
/* Whole channels, eight at most, and as many as there is room for. */
static void channels_are_written(void **state)
{
    np_network *network = support_network("ring:20");
    np_waiting list[NP_WAITING_SHOWN];
    char text[200], small[30], none[9] = "as it was";
    (void)state;
    for (unsigned i = 0; i < NP_WAITING_SHOWN; i++)
        list[i] = (np_waiting){i, i + 1, 8 - i};
    np_waiting_write(network, 3, list, "class", sizeof text, text);
    assert_string_equal(text, "0->1 (class 8), 1->2 (class 7), 2->3 (class 6)");
    np_waiting_write(network, 8, list, NULL, sizeof text, text);
    assert_string_equal(text, "0->1, 1->2, 2->3, 3->4, 4->5, 5->6, 6->7, 7->8");
    np_waiting_write(network, 9, list, NULL, sizeof text, text);
    assert_string_equal(text, "0->1, 1->2, 2->3, 3->4, 4->5, 5->6, 6->7, 7->8, ...");
    np_waiting_write(network, 8, list, NULL, sizeof small, small);
    assert_string_equal(small, "0->1, 1->2, 2->3, 3->4, ...");
    np_waiting_write(network, 0, list, NULL, sizeof none, none);
    assert_string_equal(none, "");
    np_network_free(network);
}

static void files_are_looked_at(void **state)
{
    static const struct {
        const char *rule, *lines;
        unsigned arcs, length;
    } files[] = {
        {"file", "0 1 2\n1 2 3\n2 3 0\n", 3, 0},
        {"file", "0 1 2\n1 2 3\n2 3 0\n3 0 1\n", 4, 4},
        {"file", "0 1 2 3\n3 2\n", 2, 0},
        {"forwarding", "0 2 1\n1 2 2\n1 3 2\n2 3 3\n2 0 3\n3 0 0\n", 3, 0},
        {"forwarding", "0 2 1\n1 2 2\n1 3 2\n2 3 3\n2 0 3\n3 0 0\n3 1 0\n0 1 1\n", 4, 4},
    };
    np_network *network = support_network("ring:4");
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char paths[200];
        char *path = support_file(files[i].lines);
        np_deadlock_options options;
        np_deadlock *d;
        snprintf(paths, sizeof paths, "%s:%s", files[i].rule, path);
        np_deadlock_options_init(&options);
        options.paths = paths;
        assert_ok(np_deadlock_find(network, &options, &d));
        assert_int_equal(d->dependencies, files[i].arcs);
        assert_int_equal(d->length, files[i].length);
        np_deadlock_free(d);
        remove(path);
        free(path);
    }
    np_network_free(network);
}

/* Beyond 4,096 routers a theorem does, if there is one. */
static void large_networks_have_theorems(void **state)
{
    np_network *network = support_network("hypercube:13");
    np_deadlock *d;
    (void)state;
    assert_ok(np_deadlock_find(network, NULL, &d));
    assert_true(!d->possible && d->theorem && !d->nodes);
    np_deadlock_free(d);
    np_network_free(network);
}

static int stop(void *context, const np_progress *progress)
{
    (void)context;
    return progress->share > 0.3;
}

static void searches_are_cancelled(void **state)
{
    np_network *network = support_network("mesh:5x5");
    np_deadlock_options options;
    np_deadlock *d;
    (void)state;
    np_deadlock_options_init(&options);
    options.paths = "valiant";
    options.watch.tell = stop;
    assert_refused(np_deadlock_find(network, &options, &d), NP_ERROR_CANCELLED, "the dependencies of channels");
    assert_null(d);
    options.watch.tell = NULL;
    options.memory_limit = 4000;
    assert_refused(np_deadlock_find(network, &options, &d), NP_ERROR_LIMIT, "take a smaller network");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_have_all_dependencies), cmocka_unit_test(verdicts_say_what_waits),
        cmocka_unit_test(channels_are_written),         cmocka_unit_test(files_are_looked_at),
        cmocka_unit_test(large_networks_have_theorems), cmocka_unit_test(searches_are_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
