/*
 * The six phases against a transcription of Ranade's switch: what every
 * switch selects in every step, all that is counted, every reply, and what is in memory afterwards.
 */
#include "model/leveled/six_phases.h"
#include "oracle/ranade.h"
#include "machine/pram/butterfly.h"
#include "engine/merging/ranade.h"
#include "machine/pram/tags.h"
#include "support.h"

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) * bound >> 31);
}

enum { CELLS = 600, MOST = 600 };

/* A batch: few cells or many, one kind of request or all. */
typedef struct batch {
    np_pram_options options;
    np_machine *machine;
    uint32_t n, share;
    size_t count;
    np_request request[MOST];
    uint64_t module[MOST], order[MOST];
} batch;

static np_store *make_store(np_access_rule rule)
{
    np_store *store;
    assert_ok(np_store_create(rule, &store));
    assert_ok(np_store_grow(store, CELLS));
    assert_ok(np_store_begin(store, MOST, 0));
    for (int x = 0; x < CELLS; x++)
        np_store_words(store)[x] = 1000 + x;
    return store;
}

/* n 0: drawn. */
static void draw_batch(batch *b, uint64_t seed, uint32_t n)
{
    static const uint32_t cells[] = {1, 3, 20, CELLS};
    char spec[32];
    np_batch_cost cost = {0};
    state = seed;
    np_pram_options_init(&b->options);
    b->n = n ? n : 1 + below(4);
    snprintf(spec, sizeof spec, "butterfly:%u", b->n);
    b->options.queue_size = 1 + below(8);
    b->options.slack = 1 + below(4);
    b->options.rule = (np_access_rule)below(NP_RULES);
    b->options.order = (np_request_order)below(2);
    b->options.seed = seed;
    b->options.physical = b->n >= 3 && below(2);
    assert_ok(np_machine_create(spec, &b->options, &b->machine));
    assert_ok(b->machine->ops->grow(b->machine, CELLS, &cost));
    size_t most = (size_t)(b->n << b->n) * b->options.slack;
    most = most < MOST ? most : MOST;
    b->count = below(3) ? most : 1 + below((uint32_t)most);
    for (b->share = 1; b->share * (b->n << b->n) < b->count; b->share++) /* all as few as can be */
        ;
    uint32_t few = cells[below(4)], kinds = 1 + below(3), op = below(6);
    np_draws draws = np_request_draws(seed, 0);
    np_address address[MOST];
    np_word value[MOST];
    uint8_t kind[MOST];
    np_pram_step step = {.count = b->count, .address = address, .kind = kind, .op = (np_fetch_op)op, .value = value};
    for (size_t i = 0; i < b->count; i++) {
        address[i] = below(few);
        value[i] = below(50);
        kind[i] = (uint8_t)(below(kinds) + (kinds == 2));
        b->request[i] = np_request_of(b->options.rule, &draws, &step, (uint32_t)i, NP_CELL_INT);
        b->module[i] = np_modules_of(np_butterfly_modules(b->machine), address[i]);
        b->order[i] = np_tag_of(b->options.order, b->module[i], address[i], 0) >> (NP_TAG_ADDRESS_BITS + 2);
    }
}

static oracle_ranade_outcome ask_oracle(const batch *b, np_store *store, np_word *reply)
{
    oracle_ranade_batch question = {.n = b->n,
                                    .queue_size = b->options.queue_size,
                                    .share = b->share,
                                    .rule = b->options.rule,
                                    .count = b->count,
                                    .request = b->request,
                                    .module = b->module,
                                    .order = b->order,
                                    .store = store};
    oracle_ranade_outcome out;
    oracle_ranade(&question, reply, &out);
    np_store_commit(store);
    return out;
}

/* The same batch played on the links of the butterfly: nothing changes but the physical steps. */
static void play(const batch *b, np_ranade *ranade, np_ranade_job job, np_ranade_run *run)
{
    char spec[24];
    np_leveled *leveled;
    np_ranade_run played;
    if (b->n < 3) /* there is no such network */
        return;
    snprintf(spec, sizeof spec, "butterfly:%u", b->n);
    np_network *network = support_network(spec);
    assert_ok(np_six_phases_create(network, &leveled));
    job.leveled = leveled;
    job.physical = true;
    assert_ok(np_ranade_send(ranade, &job, NULL, &played));
    run->physical_steps = played.physical_steps;
    assert_memory_equal(run, &played, sizeof played);
    assert_in_range(run->physical_steps, run->steps, 3 * run->steps);
    np_leveled_free(leveled);
    np_network_free(network);
}

/* The engine alone, with its record. */
static void send(const batch *b, np_ranade_record *record, np_ranade_run *run)
{
    np_tags tags = {0};
    np_ranade *ranade;
    assert_ok(np_tags_reserve(&tags, b->count));
    for (size_t i = 0; i < b->count; i++)
        tags.item[i] = (np_tag_item){
            np_tag_of(b->options.order, b->module[i], b->request[i].address, b->request[i].kind), (uint32_t)i};
    np_tags_sort(&tags, b->count);
    for (uint32_t k = 0; k < tags.groups; k++)
        tags.module[k] = (uint32_t)b->module[tags.item[tags.begin[k]].index];
    for (size_t i = 0; i < b->count; i++)
        tags.processor[i] = tags.item[i].index / b->share;
    np_ranade_job job = {.tags = tags.groups, .module = tags.module, .begin = tags.begin, .processor = tags.processor};
    assert_ok(np_ranade_create(b->n, b->options.queue_size, &ranade));
    assert_ok(np_ranade_send(ranade, &job, record, run));
    np_ranade_run again; /* an engine can be used again, and a record changes nothing */
    assert_ok(np_ranade_send(ranade, &job, NULL, &again));
    assert_memory_equal(run, &again, sizeof again);
    play(b, ranade, job, run);
    np_ranade_free(ranade);
    np_tags_clear(&tags);
}

static void compare_engines(const batch *b, const oracle_ranade_outcome *want)
{
    np_ranade_record record = {0};
    np_ranade_run run;
    size_t step = (size_t)(6 * b->n + 1) << b->n;
    send(b, &record, &run);
    for (uint64_t t = 0; t < run.steps && t < want->steps; t++)
        for (size_t v = 0; v < step; v++)
            if (record.selected[t * step + v] != want->selected[t * step + v])
                fail_msg("n %u, b %u, share %u: step %u, switch <%u, %u> selects %u, not %u", b->n,
                         b->options.queue_size, b->share, (unsigned)t, (unsigned)(v >> b->n),
                         (unsigned)(v & ((1U << b->n) - 1)), record.selected[t * step + v],
                         want->selected[t * step + v]);
    assert_int_equal(run.steps, want->steps);
    assert_int_equal(run.physical_steps, b->n < 3 ? 0 : want->physical_steps);
    assert_int_equal(run.ghosts, want->ghosts);
    assert_int_equal(run.combined, want->combined);
    assert_int_equal(run.replies, want->replies);
    assert_int_equal(run.queue_max, want->queue_max);
    assert_int_equal(run.module_max, want->module_max);
    np_ranade_record_clear(&record);
}

static void compare_machine(const batch *b, const np_word *reply, const np_store *memory,
                            const oracle_ranade_outcome *want)
{
    np_store *store = make_store(b->options.rule);
    np_word got[MOST];
    np_batch_cost cost = {0};
    assert_ok(b->machine->ops->serve(b->machine, store, b->request, b->count, got, &cost));
    np_store_commit(store);
    for (size_t i = 0; i < b->count; i++)
        if (b->request[i].kind != NP_ACCESS_WRITE)
            assert_int_equal(got[i], reply[i]);
    assert_memory_equal(np_store_words(store), np_store_words((np_store *)memory), CELLS * sizeof(np_word));
    assert_int_equal(cost.network_steps, want->steps);
    assert_int_equal(cost.emulation_steps, b->options.physical ? want->physical_steps - want->steps : 2 * want->steps);
    assert_int_equal(cost.requests, b->count);
    assert_int_equal(cost.combined, want->combined);
    assert_int_equal(cost.replies, b->count);
    assert_int_equal(cost.ghosts, want->ghosts);
    assert_int_equal(cost.queue_max, want->queue_max);
    assert_int_equal(cost.module_load_max, want->module_max);
    np_store_free(store);
}

static void engine_is_oracle(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 304; seed += SUPPORT_FEWER(1U, seed < 300 ? 4U : 1U)) {
        static batch b;
        np_word reply[MOST];
        draw_batch(&b, seed, seed <= 300 ? 0 : 7); /* 7: more rows than a block of the engine has */
        np_store *store = make_store(b.options.rule);
        oracle_ranade_outcome want = ask_oracle(&b, store, reply);
        compare_engines(&b, &want);
        compare_machine(&b, reply, store, &want);
        free(want.selected);
        np_store_free(store);
        b.machine->ops->free(b.machine);
    }
}

enum { WIDE = 10, WIDE_ROWS = 1 << WIDE, WIDE_TAGS = 3 * WIDE_ROWS };

/* Runs the batch step by step, for the record, and band by band on some threads. */
static void compare_orders(np_ranade *ranade, np_ranade_job job, np_ranade_record *record, np_ranade_run *run)
{
    static const unsigned threads[] = {1, 2, 7};
    static uint32_t home[WIDE_TAGS], again[WIDE_TAGS];
    np_ranade_run bands;
    job.home = job.target ? home : NULL;
    assert_ok(np_ranade_send(ranade, &job, record, run));
    job.home = job.target ? again : NULL;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i += SUPPORT_FEWER(1, 2)) {
        job.workers = threads[i];
        assert_ok(np_ranade_send(ranade, &job, NULL, &bands));
        assert_memory_equal(run, &bands, sizeof bands);
        assert_memory_equal(home, again, sizeof home);
    }
}

/*
 * So many rows that the order of blocks matters, and tiles of all sizes. Every third tag has two processors. With b = 5
 * and 6 replies have targets.
 */
static void bands_are_steps(void **unused)
{
    static uint32_t module[WIDE_TAGS], begin[WIDE_TAGS + 1], processor[2 * WIDE_TAGS], target[WIDE_TAGS];
    np_ranade_record record = {0};
    np_ranade_run run;
    (void)unused;
    for (uint32_t b = 1; b <= 6; b++) {
        np_ranade *ranade;
        state = b;
        for (uint32_t k = 0; k < WIDE_TAGS; k++) {
            uint32_t first = below((WIDE * WIDE_ROWS) - 1), second = first + 1 + below(WIDE * WIDE_ROWS - 1 - first);
            module[k] = b == 3 ? below(WIDE_ROWS) & 0x3e0 : below(WIDE * WIDE_ROWS);
            target[k] = below(WIDE * WIDE_ROWS);
            processor[begin[k]] = first;
            processor[begin[k] + 1] = second;
            begin[k + 1] = begin[k] + (k % 3 ? 1 : 2);
        }
        np_ranade_job job = {.tags = WIDE_TAGS, .module = module, .begin = begin, .processor = processor};
        job.target = b >= 5 ? target : NULL;
        assert_ok(np_ranade_create(WIDE, b, &ranade));
        compare_orders(ranade, job, &record, &run);
        assert_true(run.steps > 6 * WIDE + 1);
        job.steps_max = run.steps - 5;
        compare_orders(ranade, job, &record, &run);
        assert_true(run.abandoned);
        np_ranade_free(ranade);
    }
    np_ranade_record_clear(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(engine_is_oracle), cmocka_unit_test(bands_are_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
