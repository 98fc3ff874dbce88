/* See engine.h. */
#include "work/sort/engine.h"

np_status np_sort_engine_init(np_sort_engine *engine, const np_sorting *sorting, uint32_t most_nodes)
{
    np_merge_options all = sorting->options->merge, plain;
    *engine = (np_sort_engine){.sorting = sorting, .most_nodes = most_nodes};
    np_merge_options_init(&plain); /* what concerns single packets */
    plain.queue_size = all.queue_size;
    plain.room = all.room;
    plain.rank_range = all.rank_range;
    plain.independence = all.independence;
    plain.ranks = all.ranks == NP_RANKS_HASH ? NP_RANKS_HASH : NP_RANKS_RANDOM;
    return np_merge_create(&plain, &engine->merge);
}

/* Frees the leveled networks from number `from` on. */
static void forget(np_sort_engine *engine, uint32_t from)
{
    while (engine->shapes > from)
        np_leveled_free(engine->shape[--engine->shapes].leveled);
}

void np_sort_engine_clear(np_sort_engine *engine)
{
    forget(engine, 0);
    np_path_set_clear(&engine->path_set);
    np_merge_free(engine->merge);
}

np_status np_sort_engine_leveled(np_sort_engine *engine, uint64_t key,
                                 np_status (*make)(const void *context, np_leveled **out), const void *context,
                                 const np_leveled **out)
{
    np_status st = NP_OK;
    uint32_t i = 0;
    while (i < engine->shapes && engine->shape[i].key != key)
        i++;
    if (i == NP_SORT_SHAPES)
        forget(engine, i = 0);
    if (i == engine->shapes) {
        np_leveled *made = NULL;
        if ((st = make(context, &made))) {
            np_leveled_free(made);
            return st;
        }
        engine->shape[i].key = key;
        engine->shape[i].leveled = made;
        engine->shapes++;
    }
    *out = engine->shape[i].leveled;
    return st;
}

np_status np_sort_engine_run(np_sort_engine *engine, const np_sort_move *move, np_phase_run *out)
{
    const np_sorting *sorting = engine->sorting;
    np_merge_job job = {.leveled = move->leveled,
                        .path_set = &engine->path_set,
                        .ranked = move->ranked,
                        .draws = move->draws,
                        .workers = np_sorting_threads(sorting, move->leveled->first[1]),
                        .observer = move->observer,
                        .phase = move->phase};
    if (sorting->log.teller && move->link_of) {
        job.observer = np_sort_teller_moves(sorting->log.teller, move->wait, move->link_of, move->context);
        job.phase = np_sort_teller_phase(sorting->log.teller);
    }
    np_status st = np_merge_run(engine->merge, &job, NULL, out);
    if (move->leveled->nodes > engine->most_nodes) /* the latest: none of this size is there longer */
        forget(engine, engine->shapes - 1);
    return st;
}
