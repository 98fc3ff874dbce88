/* The queue disciplines: one line each. */
#include "schedule/queues.h"

extern const np_discipline np_discipline_fifo, np_discipline_lifo, np_discipline_farthest_first,
    np_discipline_nearest_origin_first, np_discipline_random, np_discipline_priority, np_discipline_moved_first;

const np_discipline *const np_disciplines[] = {
    &np_discipline_fifo,   &np_discipline_lifo,     &np_discipline_farthest_first, &np_discipline_nearest_origin_first,
    &np_discipline_random, &np_discipline_priority, &np_discipline_moved_first,    NULL,
};
