/* Compares the engine with its slow twin, and checks what a record promises by itself; see merging_case.h. */
#include "oracle/merging_case.h"
#include "support.h"

static void same(uint32_t trial, const char *what, uint64_t engine, uint64_t oracle)
{
    if (engine != oracle)
        fail_msg("trial %u: %s is %llu in the engine, %llu in the oracle", trial, what, (unsigned long long)engine,
                 (unsigned long long)oracle);
}

static void compare_run(uint32_t trial, const np_phase_run *a, const np_phase_run *b)
{
    same(trial, "packets", a->packets, b->packets);
    same(trial, "steps", a->steps, b->steps);
    same(trial, "delay_max", a->delay_max, b->delay_max);
    same(trial, "delay_sum", a->delay_sum, b->delay_sum);
    same(trial, "hops", a->hops, b->hops);
    same(trial, "queue_max", a->queue_max, b->queue_max);
    same(trial, "queue_real_max", a->queue_real_max, b->queue_real_max);
    same(trial, "starved", a->starved, b->starved);
    same(trial, "population_max", a->population_max, b->population_max);
    same(trial, "congestion", a->congestion, b->congestion);
    same(trial, "congestion_destinations", a->congestion_destinations, b->congestion_destinations);
    same(trial, "levels", a->levels, b->levels);
    same(trial, "ghosts", a->ghosts, b->ghosts);
    same(trial, "combined", a->combined, b->combined);
    same(trial, "node_steps", a->node_steps, b->node_steps);
    same(trial, "cycles", a->cycles, b->cycles);
    same(trial, "packet_steps", a->packet_steps, b->packet_steps);
    same(trial, "packet_hops", a->packet_hops, b->packet_hops);
}

static void compare_record(const merging_case *c, uint32_t trial, const np_merge_record *record,
                           const oracle_merging *oracle)
{
    const uint32_t nodes = c->leveled->nodes;
    const np_path_set *path_set = &c->path_set;
    same(trial, "steps recorded", record->steps, oracle->rows);
    for (size_t i = 0; i < (size_t)oracle->rows * nodes; i++)
        if (record->selected[i] != oracle->selected[i])
            fail_msg("trial %u, step %zu: node %zu selects %u in the engine, %u in the oracle", trial, i / nodes,
                     i % nodes, record->selected[i], oracle->selected[i]);
    for (size_t i = 0; i < path_set->begin[path_set->packets] + path_set->packets; i++)
        same(trial, "a step of leaving", record->left[i], oracle->left[i]);
    for (uint32_t i = 0; i < path_set->packets; i++)
        same(trial, "a rank", record->key[i], path_set->rank[i]);
}

static void compare_packets(const merging_case *c, uint32_t trial, const np_merge *merge, const oracle_merging *oracle)
{
    for (uint32_t i = 0; i < c->path_set.packets; i++) {
        same(trial, "a delay", np_merge_delays(merge)[i], oracle->delay[i]);
        if (c->options.combine == NP_COMBINE_NONE)
            continue;
        same(trial, "a delivery", np_merge_delivered(merge)[i], oracle->delivered[i]);
        if (oracle->delivered[i])
            same(trial, "a value", np_merge_values(merge)[i], oracle->value[i]);
    }
}

/* ---- what the record promises ---- */

static bool goes_after(const merging_case *c, uint32_t a, uint32_t b)
{
    const np_path_set *path_set = &c->path_set;
    if (path_set->rank[a] != path_set->rank[b])
        return path_set->rank[a] > path_set->rank[b];
    if (path_set->target[a] != path_set->target[b])
        return path_set->target[a] > path_set->target[b];
    return c->options.combine == NP_COMBINE_NONE && a > b;
}

static bool is_something(uint32_t selected) { return selected < NP_MERGE_END; }

/* Lemma 2.1: a node sends in order of rank. */
static void audit_stream(const merging_case *c, uint32_t trial, const np_merge_record *record, uint32_t v)
{
    uint32_t last = NP_NONE;
    for (np_step t = 0; t < record->steps; t++) {
        uint32_t selected = record->selected[(size_t)t * c->leveled->nodes + v];
        if (!is_something(selected))
            continue;
        if (last != NP_NONE && goes_after(c, last / 2, selected / 2))
            fail_msg("trial %u, step %u: node %u selects packet %u after %u", trial, t, v, selected / 2, last / 2);
        last = selected;
    }
}

/* "A ghost never remains at a node for more than one step": a ghost that is selected was sent in the step before. */
static void audit_ghosts(const merging_case *c, uint32_t trial, const np_merge_record *record, uint32_t v)
{
    const np_leveled *lv = c->leveled;
    for (np_step t = 0; t < record->steps; t++) {
        uint32_t selected = record->selected[(size_t)t * lv->nodes + v];
        bool sent = false;
        if (!is_something(selected) || selected % 2 == 0)
            continue;
        for (uint32_t e = 0; e < lv->edges && t > 0; e++)
            if (lv->head[e] == v)
                sent |= record->selected[(size_t)(t - 1) * lv->nodes + lv->tail[e]] / 2 == selected / 2;
        if (!sent)
            fail_msg("trial %u, step %u: node %u selects a ghost of packet %u that nobody sent", trial, t, v,
                     selected / 2);
    }
}

/* The packets of length 1 in the queue of edge e at the beginning of step t, by the steps in which they left nodes. */
static uint32_t queued(const merging_case *c, const np_merge_record *record, uint32_t e, np_step t)
{
    const np_path_set *path_set = &c->path_set;
    uint32_t count = 0;
    for (uint32_t i = 0; i < path_set->packets; i++) {
        uint32_t v = path_set->origin[i];
        const np_step *left = record->left + path_set->begin[i] + i;
        for (size_t k = path_set->begin[i]; k < path_set->begin[i + 1]; k++, left++) {
            uint32_t edge = c->leveled->out[v] + path_set->port[k];
            count += edge == e && left[0] < t && t <= left[1];
            v = c->leveled->head[edge];
        }
    }
    return count;
}

static void audit_record(const merging_case *c, uint32_t trial, const np_merge_record *record)
{
    const bool known = c->options.combine == NP_COMBINE_NONE && c->options.message_most == 1;
    for (uint32_t v = 0; v < c->leveled->nodes; v++) {
        audit_stream(c, trial, record, v);
        audit_ghosts(c, trial, record, v);
    }
    for (uint32_t e = 0; e < c->leveled->edges && known && trial % 16 == 0; e++)
        for (np_step t = 0; t < record->steps; t++)
            if (queued(c, record, e, t) > c->options.queue_size)
                fail_msg("trial %u, step %u: %u packets in the queue of edge %u", trial, t, queued(c, record, e, t), e);
}

/* The run played on the host's links: the same outcome, and the physical steps of the twin. */
static void judge_physical(const merging_case *c, uint32_t trial, const oracle_merging *oracle)
{
    np_merge_options options = c->options;
    np_emulation emulation;
    np_phase_run run;
    np_merge *merge;
    options.physical = true;
    assert_ok(np_merge_create(&options, &merge));
    assert_ok(np_merge_run(merge, &c->job, NULL, &run));
    compare_run(trial, &run, &oracle->run);
    same(trial, "physical_steps", run.physical_steps, oracle->run.physical_steps);
    same(trial, "physical steps back", np_merge_physical_back(merge), oracle->back);
    assert_ok(np_leveled_emulation(c->leveled, &emulation));
    assert_in_range(run.physical_steps, run.steps, (uint64_t)run.steps * emulation.steps);
    np_merge_free(merge);
}

bool merging_case_judge(const merging_case *c, uint32_t trial)
{
    oracle_merging *oracle = oracle_merge(&c->plain);
    np_merge_record record = {0};
    np_phase_run run, unrecorded;
    np_merge *merge;
    const bool arrives = !oracle->deadlock;
    assert_ok(np_merge_create(&c->options, &merge));
    if (arrives) {
        assert_ok(np_merge_run(merge, &c->job, NULL, &unrecorded));
        assert_ok(np_merge_run(merge, &c->job, &record, &run));
        compare_run(trial, &unrecorded, &oracle->run);
        compare_run(trial, &run, &oracle->run);
        compare_record(c, trial, &record, oracle);
        compare_packets(c, trial, merge, oracle);
        audit_record(c, trial, &record);
        assert_in_range(run.queue_real_max, 0, c->options.queue_size);
        assert_false(oracle->unsorted);
        judge_physical(c, trial, oracle);
    } else {
        assert_refused(np_merge_run(merge, &c->job, NULL, &run), NP_ERROR_DEADLOCK, "deadlock");
    }
    np_merge_record_clear(&record);
    np_merge_free(merge);
    oracle_merging_free(oracle);
    return arrives;
}
