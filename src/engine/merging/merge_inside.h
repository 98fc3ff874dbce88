/* The merging engine's object, shared by its files: merge.c (life, ranks, order), merge_step.c, merge_columns.c, ... */
#pragma once

#include "base/watch.h"
#include "model/leveled/physical.h"
#include "engine/merging/edge_queue.h"
#include "engine/merging/leveled_feed.h"
#include "engine/merging/merge.h"

/*
 * Message cycles for observers. In message cycles the engine makes one step of each cycle, and a cycle is as many steps
 * as the longest message has packets (merge.h). This observer hears the engine's steps and tells those of the cycles:
 * what a message does in a cycle happens in its last step, and in the steps before it its first packets go ahead.
 */

/* It must stay where it is: its observer points to it. */
typedef struct np_cycle_feed {
    np_observer observer; /* the engine's */
    const np_observer *to;
    uint32_t steps;  /* of a cycle */
    np_event *event; /* [room] of the present cycle; a packet has one at most */
    size_t count, room;
    np_event_feed feed;
} np_cycle_feed;

/* Prepares for a run of `packets` packets. *feed is NULL or that of an earlier run; free it in any case.
 * NP_ERROR_MEMORY. */
np_status np_cycle_feed_renew(np_cycle_feed **feed, const np_observer *to, uint32_t steps,
                              np_packet packets) NP_CHECKED;
void np_cycle_feed_free(np_cycle_feed *feed);

/* The bytes of a feed for so many packets. */
uint64_t np_cycle_feed_bytes(np_packet packets);

/*
 * A word stands for what a queue holds: 2 k for the packet with the k-th least key (rank, target,
 * number; k from 1), 2 k + 1 for its ghost (2 k - 1: see stay() in merge_step.c), NP_MERGE_END for an end of
 * stream. If packets combine, packets of one rank and target share a k, and every k is odd.
 */
typedef uint32_t np_merge_word;

/* A word (high half) and the number of its packet (low half): compares as the word. */
typedef uint64_t np_merge_slot;

static inline np_merge_slot np_merge_slot_of(np_merge_word word, np_packet packet)
{
    return (np_merge_slot)word << 32 | packet;
}

static inline np_merge_word np_merge_word_of(np_merge_slot slot) { return (np_merge_word)(slot >> 32); }
static inline np_packet np_merge_packet_of(np_merge_slot slot) { return (np_packet)slot; }

/* One edge and the queue at its head. */
typedef struct np_merge_edge {
    np_edge_queue queue; /* of packets, in slot[] */
    np_step ghost_from;  /* the only step in which the ghost can be used */
    np_merge_slot ghost;
    np_step ready;    /* the step from which the last packet can be used */
    np_step end_from; /* the step from which the end of the stream can be seen; NP_NONE: not sent */
    uint32_t crossed; /* packets so far */
} np_merge_edge;

/* What stands at the head of a queue that is empty, or over. */
#define NP_MERGE_NO_SLOT UINT64_MAX
#define NP_MERGE_END_SLOT ((np_merge_slot)NP_MERGE_END << 32)

/* What a node has selected, and from which queue. */
typedef struct np_merge_selection {
    np_merge_slot slot; /* NP_MERGE_NO_SLOT: some queue is empty, the node waits */
    uint32_t queue;     /* index in entering[]; NP_NONE: the initial queue */
} np_merge_selection;

/* A node's part in the sending of a message of several packets. */
typedef struct np_merge_sending {
    uint32_t left;  /* steps to go; 0: none */
    uint32_t queue; /* the entering edge whose queue it leaves (index in entering[]); NP_NONE: the initial queue */
    uint32_t edge;  /* the edge that it crosses; NP_NONE: it is consumed */
    np_merge_slot slot;
} np_merge_sending;

/* A message that goes in a message cycle. */
typedef struct np_merge_going {
    uint32_t edge; /* the edge that it crosses; NP_NONE: it is consumed */
    uint32_t length;
} np_merge_going;

struct np_merge {
    np_merge_options options;
    void *block, *method_block; /* the arrays of the run; the arrays of the method that serves it */
    size_t room, method_room;   /* bytes of the blocks */
    uint64_t *coefficient;      /* [coefficients] of the rank polynomial */
    uint32_t coefficients;

    np_leveled_feed *held; /* NULL: no run has been observed */
    np_cycle_feed *cycles; /* NULL: no run of message cycles has been observed */

    /* The present run. */
    const np_merge_job *job;
    np_merge_record *record;
    np_leveled_feed *feed; /* NULL: nobody observes */
    np_physical physical;  /* with options.physical */
    np_phase_run *out;
    uint32_t cycle;     /* steps of a message cycle; 1 if there are none */
    const char *served; /* the name of the method */
    bool combine;
    np_packet packets, remaining; /* not yet consumed or combined */
    uint32_t *rank;               /* [packets] */
    uint32_t *key;                /* [packets] k */
    np_packet *sorted;            /* [packets] scratch of the sort */
    np_packet *by_key;            /* [packets] packets in order of key */
    uint32_t *destination;        /* [packets] logical node */
    uint32_t *crossing;           /* [edges] packets whose paths use the edge */
    uint32_t *delay;              /* [packets] */
    uint64_t *value;              /* [packets] where packets combine */
    uint8_t *delivered;           /* [packets] likewise */
    uint32_t *length;             /* [packets] of messages that go by themselves; NULL: all 1 */
    uint32_t *in_cycle;           /* [packets] of messages that go in cycles; NULL: there are none */
    uint32_t *population;         /* [host nodes] */

    /* merge_step.c */
    np_merge_slot *initial;    /* [packets] the initial queues, each in order of key */
    uint32_t *initial_at;      /* [nodes] head */
    uint32_t *initial_end;     /* [nodes] */
    np_merge_edge *edge;       /* [edges] */
    np_merge_slot *slot;       /* the edge queues' places */
    uint32_t *position;        /* [packets] hops made */
    np_merge_sending *sending; /* [nodes]; NULL if all lengths are 1 */
    np_merge_going *going;     /* [goings] messages that go in this cycle; room for one a node */
    uint32_t goings;
    uint32_t *wakes;  /* [nodes] before this step the node and all nodes behind it can only wait */
    uint32_t *active; /* nodes that are awake and have not finished, highest level first */
    uint32_t actives, woken;
    np_node *arrival; /* hosts that got packets in this step */
    uint32_t arrivals;
    uint32_t queue_next;   /* the most in one queue with its ghost so far, at the beginning of the next step */
    np_step now, progress; /* the present step; the last one in which something real moved */
};

/* Do messages have lengths of their own? */
static inline bool np_merge_has_lengths(const np_merge *merge)
{
    return merge->options.message_most > 1 && merge->options.message_mode != NP_MESSAGES_CYCLES;
}

/* Do messages combine while they go (merge_join.c)? */
static inline bool np_merge_joins(const np_merge *merge) { return merge->combine && merge->length; }

/* merge_step.c: the head of the queue of an edge, in the present step. */
static inline np_merge_slot np_merge_head(const np_merge *merge, const np_merge_edge *edge)
{
    uint32_t count = edge->queue.count;
    if (count > 1 || (count == 1 && edge->ready <= merge->now))
        return merge->slot[np_edge_queue_head(&edge->queue)];
    if (count)
        return NP_MERGE_NO_SLOT; /* on its way */
    if (edge->ghost_from == merge->now)
        return edge->ghost;
    return edge->end_from <= merge->now ? NP_MERGE_END_SLOT : NP_MERGE_NO_SLOT;
}

/* After a step: tells the watch which share of the hops is made. */
static inline np_status np_merge_tell_progress(const np_merge *merge)
{
    size_t hops = merge->job->path_set->begin[merge->packets];
    return np_watch_share(merge->job->watch, NULL, hops ? (double)merge->out->hops / (double)hops : 1);
}

/*
 * A method of the merging engine: a way to bring all packets to their ends.
 * All methods have the same outcome, to the bit. The engine tries them in the
 * order of the list in merge.c; stepping, the last, serves every run.
 */
typedef struct np_merge_method {
    const char *name;
    bool (*applies)(const np_merge *merge);
    uint64_t (*bytes)(np_merge *merge); /* of the method's arrays */
    /* *done = false: the method cannot serve this run, and nothing has changed. */
    np_status (*run)(np_merge *merge, bool *done);
} np_merge_method;

/*
 * merge_combine.c: packets that meet become one at once. All heads that equal the selected packet become a part of it.
 */
np_merge_selection np_merge_combine(np_merge *merge, uint32_t node, np_merge_selection best);
/* What packet `kept` has to deliver becomes what both have. */
void np_merge_combine_values(np_merge *merge, np_packet kept, np_packet gone);
/* A packet has become a part of another, and is still there: values, delays and counts. */
void np_merge_count_combined(np_merge *merge, np_packet kept, np_packet gone);
/* It is gone. */
void np_merge_end_combined(np_merge *merge, uint32_t node, np_packet kept, np_packet gone);

/*
 * merge_join.c: messages that meet become one while they go. Which of the selected ones goes on; it begins to go, and
 * the others become a part of it; it has sent `sent` packets, and so have they; it has gone, and is in no initial
 * queue.
 */
np_merge_selection np_merge_longest(const np_merge *merge, uint32_t node, np_merge_word word);
void np_merge_join(np_merge *merge, uint32_t node, np_merge_slot kept);
void np_merge_join_part(np_merge *merge, uint32_t node, np_merge_slot kept, uint32_t sent);
void np_merge_leave_initial(np_merge *merge, uint32_t node, np_merge_word word);

/* merge_cycles.c: a message goes in the present cycle; the cycle is over, and its packets have gone. */
void np_merge_go_in_cycle(np_merge *merge, np_packet packet, uint32_t edge);
void np_merge_play_cycle(np_merge *merge);

/* merge_observe.c: tells the observers, if there are any, that the run begins. */
np_status np_merge_observe_begin(np_merge *merge) NP_CHECKED;
/* merge_observe.c, of runs with a feed: a message begins to cross an edge, to land; a node goes on sending a message of
   several packets; a packet becomes a part of another; a packet of a message that is not the one that counts goes.
   Calls, so that runs without a feed do not have their code in the loop. */
void np_merge_tell_move(np_merge *merge, np_packet packet, uint32_t edge);
void np_merge_tell_landing(np_merge *merge, np_packet packet);
void np_merge_tell_sending(np_merge *merge, uint32_t node);
void np_merge_tell_combining(np_merge *merge, uint32_t node, np_packet kept, np_packet gone);
void np_merge_tell_part(np_merge *merge, np_packet packet, uint32_t node);
/* After the node's part in a step: all packets that are still there. first: the selected one; NP_NONE: none. */
void np_merge_tell_waits(np_merge *merge, uint32_t node, np_packet first);
