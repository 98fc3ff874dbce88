/* The queue disciplines: one line each. */
#include "engine/schedule/queues.h"

extern const np_discipline np_discipline_fifo, np_discipline_lifo, np_discipline_farthest_first,
    np_discipline_nearest_origin_first, np_discipline_random, np_discipline_priority, np_discipline_moved_first;

const np_registry np_disciplines = {
    .list = "queues",
    .title = "queue disciplines (--queue)",
    .what = "queue discipline",
    .built_in = NP_ENTRIES(&np_discipline_fifo.info, &np_discipline_lifo.info, &np_discipline_farthest_first.info,
                           &np_discipline_nearest_origin_first.info, &np_discipline_random.info,
                           &np_discipline_priority.info, &np_discipline_moved_first.info),
};
