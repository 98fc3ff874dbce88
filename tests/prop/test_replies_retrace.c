/*
 * Replies retrace requests (leveled_machine.c). The record of a phase of requests, read backwards, is a schedule for
 * the replies: a link that a request crossed in step t of T carries the reply the other way in step T - 1 - t, both
 * from 0. Played here step by step: a node sends a reply that it has had since an earlier step; in a step a link
 * carries one, and a node handles those of one class; after T steps the reply is wherever a request of the class
 * started.
 */
#include "engine/merging/merge.h"
#include "model/leveled/leveled_routing.h"
#include "support.h"

static const char *const networks[] = {"hypercube:4", "mesh:5x4",   "shuffle-exchange:4", "fat-tree:2",
                                       "butterfly:3", "torus:3x5",  "butterfly-io:3",     "butterfly-io:6",
                                       "array:17",    "hypercube:6"};

enum { NETWORKS = sizeof networks / sizeof *networks, NOT_YET = -1 };

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) * bound >> 31);
}

/* Requests: packet i is of class_of[i], and all of a class go to one module. */
typedef struct requests {
    uint32_t classes, packets;
    uint32_t *class_of;
    np_traffic *traffic;
} requests;

static requests draw_requests(const np_network *network, uint32_t each, uint32_t classes)
{
    uint32_t terminals = np_network_terminals(network);
    requests r = {.classes = classes, .packets = terminals * each};
    np_node *module = malloc(classes * sizeof *module), *from = malloc(r.packets * sizeof *from),
            *to = malloc(r.packets * sizeof *to);
    r.class_of = malloc(r.packets * sizeof *r.class_of);
    for (uint32_t c = 0; c < classes; c++)
        module[c] = np_network_output(network, below(terminals));
    for (uint32_t i = 0; i < r.packets; i++) {
        r.class_of[i] = below(classes);
        from[i] = np_network_input(network, i / each);
        to[i] = module[r.class_of[i]];
    }
    assert_ok(np_traffic_from_arrays(network, r.packets, from, to, NULL, &r.traffic));
    free(module);
    free(from);
    free(to);
    return r;
}

/* A crossing of an edge, or where edge is NP_NONE the consumption at a node, in a step of the requests. */
typedef struct crossing {
    np_step step;
    uint32_t group, tail, head, edge;
} crossing;

/* The first packet of those that packet i can combine with. */
static uint32_t group_of(const np_path_set *path_set, const np_merge_record *record, np_packet i)
{
    np_packet first = 0;
    while (path_set->target[first] != path_set->target[i] || record->key[first] != record->key[i])
        first++;
    return first;
}

static int by_step_from_last(const void *a, const void *b)
{
    const crossing *x = a, *y = b;
    return (x->step < y->step) - (x->step > y->step);
}

/* What the record tells, last step first. */
static size_t read_crossings(const np_leveled *lv, const np_path_set *path_set, const np_merge_record *record,
                             crossing *out)
{
    size_t count = 0;
    for (np_packet i = 0; i < path_set->packets; i++) {
        uint32_t node = path_set->origin[i], group = group_of(path_set, record, i);
        for (size_t hop = path_set->begin[i]; hop <= path_set->begin[i + 1]; hop++) {
            np_step step = record->left[hop + i];
            bool last = hop == path_set->begin[i + 1];
            if (step == NP_NONE)
                break;
            uint32_t edge = last ? NP_NONE : lv->out[node] + path_set->port[hop];
            uint32_t head = last ? node : lv->head[edge];
            out[count++] = (crossing){step, group, node, head, edge};
            node = head;
        }
    }
    qsort(out, count, sizeof *out, by_step_from_last);
    return count;
}

/* Plays the replies; arrived[node * groups + group]: the step in which the group's came there. */
static void play_replies(const np_leveled *lv, uint32_t groups, const crossing *of, size_t count, np_step steps,
                         int64_t *arrived)
{
    int64_t *link = malloc((lv->edges + 1) * sizeof *link), *node = malloc(lv->nodes * sizeof *node);
    for (uint32_t e = 0; e < lv->edges; e++)
        link[e] = NOT_YET;
    for (uint32_t v = 0; v < lv->nodes; v++)
        node[v] = NOT_YET;
    for (size_t i = 0; i < (size_t)lv->nodes * groups; i++)
        arrived[i] = NOT_YET;
    for (size_t i = 0; i < count; i++) {
        const crossing *c = &of[i];
        int64_t now = (int64_t)steps - 1 - c->step, *here = &arrived[(size_t)c->tail * groups + c->group];
        assert_true(now >= 0);
        assert_true(node[c->tail] != now); /* it handles one group a step */
        node[c->tail] = now;
        assert_true(*here == NOT_YET); /* and none twice */
        *here = now;
        if (c->edge == NP_NONE)
            continue; /* the module's answer */
        int64_t had = arrived[(size_t)c->head * groups + c->group];
        assert_true(had != NOT_YET && had < now);
        assert_true(link[c->edge] != now);
        link[c->edge] = now;
    }
    free(link);
    free(node);
}

/*
 * The reply is where a request started. And it was where the request became part of another no later than the step,
 * backwards, in which it did: so it can take the place of both there, one until then, and wait no longer than they.
 */
static void check_packet(const np_leveled *lv, const np_path_set *path_set, const np_merge_record *record, np_packet i,
                         np_step delay, const int64_t *arrived)
{
    uint32_t node = path_set->origin[i], group = group_of(path_set, record, i);
    assert_true(arrived[(size_t)node * path_set->packets + group] != NOT_YET);
    for (size_t hop = path_set->begin[i]; hop <= path_set->begin[i + 1]; hop++) {
        if (record->left[hop + i] == NP_NONE) {
            int64_t parts = (int64_t)record->steps - 1 - delay - (int64_t)(hop - path_set->begin[i]);
            int64_t had = arrived[(size_t)node * path_set->packets + group];
            assert_true(had != NOT_YET && had <= parts);
            break;
        }
        if (hop < path_set->begin[i + 1])
            node = lv->head[lv->out[node] + path_set->port[hop]];
    }
}

/* One phase of requests, and its replies. */
static void check_phase(const np_leveled *lv, const np_path_set *path_set, np_merge *merge, const np_merge_job *job)
{
    np_merge_record record = {0};
    np_phase_run run;
    assert_ok(np_merge_run(merge, job, &record, &run));
    crossing *of = malloc((path_set->begin[path_set->packets] + path_set->packets + 1) * sizeof *of);
    int64_t *arrived = malloc((size_t)lv->nodes * (path_set->packets + 1) * sizeof *arrived);
    size_t count = read_crossings(lv, path_set, &record, of);
    assert_int_equal(count, run.hops + path_set->packets - run.combined);
    play_replies(lv, path_set->packets, of, count, run.steps, arrived);
    for (np_packet i = 0; i < path_set->packets; i++)
        check_packet(lv, path_set, &record, i, np_merge_delays(merge)[i], arrived);
    free(of);
    free(arrived);
    np_merge_record_clear(&record);
}

/* All phases, as the machine runs them. */
static void check_requests(const np_leveled_routing *routing, const requests *r, uint32_t queue_size, uint64_t seed)
{
    np_path_set path_set = {0};
    np_merge_options options;
    np_merge *merge;
    uint8_t *gone = calloc(r->packets, 1);
    np_merge_options_init(&options);
    options.queue_size = queue_size;
    options.combine = NP_COMBINE_FIRST;
    assert_ok(np_merge_create(&options, &merge));
    for (unsigned phase = 0; phase < routing->phases; phase++) {
        np_draws draws = {.seed = seed, .phase = (uint16_t)phase};
        np_selection selection = {.phase = phase, .draws = draws, .traffic = r->traffic, .combine = true};
        np_merge_job job = {.leveled = routing->phase[phase].leveled,
                            .path_set = &path_set,
                            .ranked = routing->phase[phase].ranked,
                            .draws = draws,
                            .workers = 1};
        assert_ok(routing->ops->select(routing, &selection, &path_set));
        np_path_set_drop(&path_set, gone);
        for (np_packet i = 0; i < path_set.packets; i++)
            path_set.target[i] = r->class_of[path_set.packet[i]];
        check_phase(job.leveled, &path_set, merge, &job);
        for (np_packet i = 0; i < path_set.packets; i++)
            gone[path_set.packet[i]] = !np_merge_delivered(merge)[i];
    }
    np_merge_free(merge);
    np_path_set_clear(&path_set);
    free(gone);
}

static void replies_retrace_requests(void **unused)
{
    (void)unused;
    state = 1;
    for (int i = 0; i < NETWORKS; i++) {
        np_network *network;
        np_leveled_routing *routing;
        assert_ok(np_network_create(networks[i], &network));
        assert_ok(np_leveled_routing_create(network, &routing));
        for (uint64_t seed = 1; seed <= 12; seed++) {
            requests r = draw_requests(network, 1 + below(3), 1 + below(seed % 3 ? 100 : 5));
            check_requests(routing, &r, 1 + below(4), seed);
            np_traffic_free(r.traffic);
            free(r.class_of);
        }
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replies_retrace_requests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
