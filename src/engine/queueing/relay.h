/*
 * A relay hands the events of many phases on to observers as one run: it numbers the phases, and may name them and give
 * packets other numbers. Clients of engines (sorters, machines, embeddings) have one, because engines know only the
 * phases of one routing.
 */
#pragma once

#include "netpram/engine.h"

/* It must stay where it is: its observer points to it. */
typedef struct np_event_relay {
    np_observer observer; /* for the engines */
    const np_observer *to;
    uint32_t run, phase;     /* of the next phase; phases count on */
    const char *name;        /* of the next phases, put before the names that they have. NULL: they keep their names */
    char text[64];           /* the name of the present phase */
    const np_packet *number; /* [packets of the phase] what they are called; NULL: they keep their numbers */
    np_packet numbers;       /* with `number`: all are below this */
} np_event_relay;

void np_event_relay_init(np_event_relay *relay, const np_observer *to);
