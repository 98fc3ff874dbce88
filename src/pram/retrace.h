/*
 * Replies on leveled networks go back as their requests came (leveled_machine.c). Nodes remember each message that passes:
 * in which step, over which link, and which messages became one. Read backwards, phase by phase and step by step, this is
 * the schedule of the replies: what crossed a link in step t of T goes back over the link in step T + 1 - t, and where
 * messages became one, the reply divides after that step.
 *
 * The replies are moved by this schedule. A reply can cross a link only if it has been at the link's head since an
 * earlier step. It begins at the module where its request landed, and ends where its request began.
 */
#ifndef NP_PRAM_RETRACE_H
#define NP_PRAM_RETRACE_H

#include "leveled/leveled_routing.h"
#include "netpram/engine.h"

/* What a node remembers. Messages are named by requests of the batch. */
typedef struct np_retrace_hop {
    np_step step;
    uint32_t message;
    uint32_t from,
        to;       /* nodes of the phase's network; to, if they combined: the message that the other became a part of */
    uint8_t kind; /* MOVED, COMBINED or LANDED */
} np_retrace_hop;

typedef struct np_retrace_phase {
    const np_node *host; /* of the nodes */
    size_t begin;        /* in hop[] */
    np_step steps;       /* T */
} np_retrace_phase;

typedef struct np_retrace {
    np_retrace_hop *hop; /* [room of messages * each] */
    size_t hops, room;
    np_retrace_phase phase[NP_LEVELED_ROUTING_PHASES];
    unsigned phases;
    uint32_t each;   /* hops that a message has, at most, landings included */
    uint32_t *node;  /* [messages] where its reply is in the present phase */
    np_step *since;  /* [messages] the step that brought it there */
    uint32_t *place; /* [messages] the physical node where it is between phases; NP_NONE: there is no reply yet */
} np_retrace;

/* Who divides the replies: the reply to `message` leaves that to the message which it had joined. False: that has none. */
typedef bool np_retrace_divide(void *context, uint32_t message);

/* What requests do, in order. */
void np_retrace_begin_phase(np_retrace *retrace, const np_event_leveled *leveled);
void np_retrace_note(np_retrace *retrace, const np_event *event, uint32_t message, uint32_t other);
void np_retrace_end_phase(np_retrace *retrace, np_step steps);

/*
 * Moves the replies back; place[] has, and receives, where they are. NP_ERROR_INTERNAL: a reply was not where its schedule
 * needs it.
 */
np_status np_retrace_play(np_retrace *retrace, np_retrace_divide *divide, void *context) NP_CHECKED;

#endif
