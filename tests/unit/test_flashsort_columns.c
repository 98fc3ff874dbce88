/*
 * Flashsort on shuffle-exchanges (Theorem 9.3): it sorts on butterflies of every shape, and what one butterfly does is
 * replayed on the links of the shuffle-exchange, move by move.
 */
#include "support.h"

#include "base/random.h"
#include "papers/shuffle_exchange/embedding.h"

static uint64_t *keys(size_t count, const char *order)
{
    uint64_t *key = calloc(count, sizeof *key);
    assert_ok(np_keys_make(order, count, 5, 0, key));
    return key;
}

static np_sort_result *sort(const char *spec, size_t count, const uint64_t *key, uint32_t string_bits, uint64_t seed,
                            const np_observer *observer)
{
    np_network *network = support_network(spec);
    np_sort_options options;
    np_sort_result *result;
    np_sort_options_init(&options);
    options.algorithm = "flashsort";
    options.constants.string_bits = string_bits;
    options.seed = seed;
    options.observer = observer;
    assert_ok(np_sort(network, count, key, &options, &result));
    np_network_free(network);
    return result;
}

static uint64_t steps_of(const np_sort_result *result, const char *stage)
{
    for (size_t i = 0; i < result->stages; i++)
        if (!strcmp(result->stage[i].name, stage))
            return (uint64_t)result->stage[i].steps.mean;
    return 0;
}

/* Places, and steps a slot: 2 (P + Q). */
static const struct {
    const char *spec;
    uint32_t string_bits;
    uint64_t places;
    uint32_t slot;
} shapes[] = {
    {"shuffle-exchange:6", 0, 48, 4},    {"shuffle-exchange:8", 0, 192, 4},   {"shuffle-exchange:9", 0, 384, 6},
    {"shuffle-exchange:10", 0, 960, 4},  {"shuffle-exchange:9", 6, 120, 6},   {"shuffle-exchange:8", 2, 384, 8},
    {"shuffle-exchange:10", 4, 768, 10}, {"shuffle-exchange:12", 4, 4096, 6},
};

static void test_sorts(void **state)
{
    static const char *const orders[] = {"random", "reversed", "few-distinct", "transposed"};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
            size_t counts[] = {1, (size_t)shapes[i].places / 3 + 1, (size_t)shapes[i].places,
                               (size_t)shapes[i].places * 2 + 5};
            for (size_t c = 0; c < 4; c++) {
                if (!support_takes(i + k, c, 1))
                    continue;
                uint64_t *key = keys(counts[c], orders[k]);
                np_sort_result *result = sort(shapes[i].spec, counts[c], key, shapes[i].string_bits, 3, NULL);
                assert_true(result->sorted);
                assert_int_equal(result->places, shapes[i].places);
                assert_int_equal(steps_of(result, "spread") % shapes[i].slot, 0);
                np_sort_result_free(result);
                free(key);
            }
        }
}

/* The moves of a butterfly, on the host. */
typedef struct replayed {
    const np_shuffle_embedding *e;
    uint32_t slot;
    uint64_t hops;
    uint64_t *used; /* [links of the host][steps of a slot] 1 + the phase and step of the butterfly */
    uint64_t phases;
} replayed;

static int replay_begins(void *context, const np_event_phase *phase)
{
    replayed *r = context;
    (void)phase;
    r->phases++;
    return 0;
}

/* Ports are straight up, cross up, straight down, cross down. */
static void replay(replayed *r, const np_event *event)
{
    const np_shuffle_embedding *e = r->e;
    uint32_t n = e->bits + e->string_bits, k = e->bits, port = event->link % 4;
    np_necklaces host = {.bits = n, .nodes = UINT32_C(1) << n};
    np_shuffle_embedding_hop hop[32];
    uint32_t level = event->from % k, to_level = event->to % k;
    uint32_t hops = np_shuffle_embedding_walk(e, port > 1 ? to_level : level, port > 1, port & 1, hop);
    np_shuffle_walk walk = {.at = np_shuffle_embedding_node(e, 0, level, event->from / k)};
    for (uint32_t i = 0; i < hops; i++) {
        uint64_t now = (r->phases << 32) + event->step;
        walk.links = 0;
        np_necklaces_walk(&host, &walk, hop[i].link);
        uint64_t *used = &r->used[(size_t)walk.link[0] * r->slot + hop[i].step];
        assert_true(hop[i].step < r->slot && *used != now);
        *used = now;
    }
    assert_int_equal(walk.at, np_shuffle_embedding_node(e, 0, to_level, event->to / k));
    r->hops += hops;
}

static int replay_moves(void *context, size_t count, const np_event *event)
{
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            replay(context, &event[i]);
    return 0;
}

/*
 * With one column a sort is what one butterfly does. The same sort on the butterfly alone, with the seed of the first
 * column, tells its moves. On the links of the host no two meet, and steps and hops are those of the sort there.
 */
static void check_replay(uint32_t n, uint32_t string_bits, size_t count)
{
    uint32_t k = n - string_bits;
    char host[32], butterfly[32];
    np_shuffle_embedding *e;
    assert_ok(np_shuffle_embedding_create(k, string_bits, 1, 1, &e));
    replayed r = {.e = e, .slot = np_shuffle_embedding_slot(e)};
    r.used = calloc(((size_t)NP_SHUFFLE_LINKS << n) * r.slot, sizeof *r.used);
    const np_observer observer = {.begin = replay_begins, .events = replay_moves, .context = &r};
    snprintf(host, sizeof host, "shuffle-exchange:%u", n);
    snprintf(butterfly, sizeof butterfly, "butterfly:%u", k);
    uint64_t *key = keys(count, "random"), seed = 2;
    np_sort_result *played = sort(host, count, key, string_bits, seed, NULL);
    np_sort_result *own = sort(butterfly, count, key, 0, np_random_mix(seed + UINT64_C(0x9e3779b97f4a7c15)), &observer);
    assert_true(played->sorted && own->sorted);
    assert_int_equal(played->places, k << k);
    assert_true(played->steps.mean == own->steps.mean * r.slot);
    assert_int_equal(played->hops, r.hops);
    np_sort_result_free(played);
    np_sort_result_free(own);
    np_shuffle_embedding_free(e);
    free(r.used);
    free(key);
}

static void test_replay(void **state)
{
    (void)state;
    check_replay(9, 3, 384);
    check_replay(9, 3, 900);
    check_replay(6, 2, 64);
    check_replay(8, 2, 300);
    check_replay(10, 2, 500);
}

static void test_refuses(void **state)
{
    static const struct {
        const char *spec;
        uint32_t string_bits;
        const char *says;
    } refused[] = {{"shuffle-exchange:8", 6, "from 1 to 5"},
                   {"shuffle-exchange:16", 1, "from 2 to 13"},
                   {"shuffle-exchange:8", 3, "as 4 has"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_network *network = support_network(refused[i].spec);
        np_sort_options options;
        np_sort_result *result;
        np_sort_options_init(&options);
        options.algorithm = "flashsort";
        options.constants.string_bits = refused[i].string_bits;
        assert_refused(np_sort(network, 0, NULL, &options, &result), NP_ERROR_INPUT, refused[i].says);
        np_network_free(network);
    }
    np_network *network = support_network("shuffle-exchange:7");
    assert_refused(np_sorter_applies("flashsort", network), NP_ERROR_APPLY, "even or a multiple of 3");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
