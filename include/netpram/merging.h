/*
 * Merging: routing on leveled networks with queues of constant size (Ranade;
 * Leighton, Maggs, Ranade & Rao 1994, section 2). Every packet has a rank;
 * nodes merge the streams of packets that enter them in order of rank; ghosts
 * tell the other links what rank has gone by.
 *
 * What a step is. At its beginning every node looks at the heads of its initial
 * queue and of the queues of the edges into it. If one of them is empty it
 * waits. Else it selects the least head: by rank, then by destination, then by
 * number; of equals a packet before its ghost. A packet whose destination is the
 * node is consumed. Another one goes to the queue of the next edge of its path
 * if that had room, fewer than q packets, at the beginning of the step;
 * otherwise it stays. Whatever the node selects (packet, even one that stays, or
 * ghost), every other edge out that had room is sent a ghost of it. Ghosts take no
 * room, and one that was in a queue at the beginning of a step is gone at its end.
 * When all heads are the end of a stream, the node sends an end of stream over
 * each edge out as soon as that has room, and has done.
 *
 * With q = 1 (for which section 2.1 promises "minor modifications") a full queue
 * can be empty one step later, and a node would wait for nothing: Lemma 2.3 would
 * not hold. So with q = 1 a ghost goes over every edge out that no packet has crossed in the step, room or not,
 * also over that of a packet that stays, and ends of streams need no room.
 * Where packets combine, the ghost over its own edge goes before packets of its destination.
 * With q >= 2 such ghosts would stand behind a packet and be of no use.
 *
 * Steps count until the last packet is consumed; that takes a step of its own.
 */
#ifndef NETPRAM_MERGING_H
#define NETPRAM_MERGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/base.h"
#include "netpram/field.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** Where packets for one destination meet, they become one (section 2.3.1); their values by this rule. */
typedef enum np_combine {
    NP_COMBINE_NONE,  /**< they stay apart */
    NP_COMBINE_FIRST, /**< one of them is kept */
    NP_COMBINE_SUM,
    NP_COMBINE_MIN,
    NP_COMBINE_MAX,
    NP_COMBINE_AND,
    NP_COMBINE_OR
} np_combine;

/** Where ranks come from. */
typedef enum np_ranks {
    NP_RANKS_RANDOM, /**< independent and uniform in 1..R (section 2.2) */
    NP_RANKS_HASH,   /**< a random polynomial of the destination (section 2.3.1) */
    NP_RANKS_FILE    /**< given, one for each packet of the traffic (section 11) */
} np_ranks;

/** When a queue has room. */
typedef enum np_room {
    NP_ROOM_BEGIN, /**< fewer than q packets at the beginning of the step (section 2.2) */
    NP_ROOM_FREED  /**< the same, but the place of a packet that leaves in the step can be taken in it: faster */
} np_room;

/** How messages of several packets move (section 2.3.2). */
typedef enum np_message_mode {
    NP_MESSAGES_CYCLES,       /**< all nodes together, in message cycles as long as the longest message */
    NP_MESSAGES_ASYNCHRONOUS, /**< a node takes the next message as soon as it is done with one */
    NP_MESSAGES_PIPELINED     /**< and passes on a message when its first packet has come */
} np_message_mode;

/** How to merge. Initialise with np_merge_options_init. */
typedef struct np_merge_options {
    uint32_t queue_size;   /**< q, at least 1: packets (messages) an edge queue holds besides a ghost; default 2 */
    np_room room;          /**< default NP_ROOM_BEGIN */
    np_combine combine;    /**< default NP_COMBINE_NONE; any other asks for ranks by destination */
    np_ranks ranks;        /**< default NP_RANKS_RANDOM, and NP_RANKS_HASH where packets combine */
    bool ranks_given;      /**< ranks was set on purpose */
    uint32_t rank_range;   /**< R: ranks are in 1..R; default 2^30 */
    uint32_t independence; /**< k of k-wise independent ranks; 0 (default): ceil(log2 packets) + 1 */
    const uint32_t *rank;  /**< [packets of the traffic] for NP_RANKS_FILE; borrowed */
    uint32_t rank_packets; /**< length of rank */
    const char *rank_file; /**< for NP_RANKS_FILE where rank is NULL: lines "packet rank", as np_ranking_save writes
                                them, one for each packet of the traffic, ranks in 1..rank_range; borrowed */
    uint32_t message_least, message_most; /**< packets a message, drawn uniformly between; default 1 and 1 */
    np_message_mode message_mode;
    bool no_ghosts; /**< send none: to see the deadlocks that they prevent */
    uint32_t waves; /**< of the scheme `waves`, which heeds this, queue_size and room, and no other: packets go
                         in W waves; 0 (default): ceil(log2 packets) */
} np_merge_options;

/** The fields of np_merge_options: the command line and experiment files have them by these names. */
extern const np_fields np_merge_options_fields;

/** The words of np_room. */
extern const char *const np_room_words[];

enum { NP_QUEUE_SIZE_MAX = 1 << 30, NP_RANK_RANGE_MAX = 1 << 30 };

/** Fills in the defaults. */
void np_merge_options_init(np_merge_options *options);

/*
 * Why a batch took as long as it did on the butterfly of Ranade 1987b: the polarized sequence of section 4, followed
 * back from the reply that was home last, and what the section proves of it.
 *
 * Switches are those of the logical network, <column, row> with columns 0 .. 6n; steps count from 0. The lag of a
 * message that is at a switch at the beginning of a step is step - column.
 */

typedef struct np_polarized_switch {
    uint32_t column, row;
} np_polarized_switch;

/** How a message came into the sequence. */
typedef enum np_polarized_kind {
    NP_POLARIZED_LAST, /**< its reply was home last */
    NP_POLARIZED_M,    /**< m-delay: it was selected, or its ghost, where the message above waited */
    NP_POLARIZED_B     /**< b-delay: it was one of b in the queue that had no room for the message above */
} np_polarized_kind;

/** What became of the message before that, going back. */
typedef enum np_polarized_wait {
    NP_POLARIZED_OTHER,  /**< it waited: another was selected, that of the next row */
    NP_POLARIZED_FULL,   /**< it waited: the queue that it was to enter was full, of the messages of the next b rows */
    NP_POLARIZED_BESIDE, /**< it was in a full queue, behind its head: not followed */
    NP_POLARIZED_ORIGIN  /**< it did not wait, but was with its processor until the other stream could begin */
} np_polarized_wait;

typedef struct np_polarized_row {
    np_polarized_kind kind;
    uint32_t tag;           /**< the message, by the number of its tag in the order of tags */
    np_polarized_switch at; /**< psi: where it was itself, not its ghost, when it delayed the one above */
    uint64_t step;          /**< t: and when. Of the first row: when it was home */
    int64_t lag;            /**< of that */
    uint32_t ghost;         /**< edges that a ghost of it crossed from there to where the one above waited */
    uint64_t path;          /**< at = np_polarized.path[path] */
    np_polarized_wait wait;
    np_polarized_switch wait_at; /**< psi': where it waited, or its processor; as `at` if it was not followed */
    uint64_t wait_step;          /**< t': the last step that it waited there */
} np_polarized_row;

/** What is checked. */
enum {
    NP_POLARIZED_DEFINITION_1, /**< messages of the sequence that pass the path in order, tags falling: all */
    NP_POLARIZED_LEMMA_3,   /**< ghosts selected in all the batch whose message or ghost was selected one step and edge
                               before: all */
    NP_POLARIZED_LEMMA_4,   /**< times that a switch of column c had something to select, from step c on: all */
    NP_POLARIZED_LEMMA_5,   /**< L: at least the first lag - b_L */
    NP_POLARIZED_PATH,      /**< edges of the path from column 0 to 6n: at most 8n */
    NP_POLARIZED_THEOREM_2, /**< distinct requests polarized along it: at least min(delta, b n) */
    NP_POLARIZED_VERDICTS
};

/** `have` against `need`. */
typedef struct np_polarized_verdict {
    bool holds;
    int64_t have, need;
} np_polarized_verdict;

typedef struct np_polarized {
    uint32_t n, queue_size; /**< b */
    uint64_t steps;         /**< of the batch */
    uint64_t requests;
    uint32_t messages; /**< different tags */
    int64_t delta;     /**< steps - 1 - 6n: the batch takes time 6n + delta */
    size_t rows;
    np_polarized_row *row; /**< [rows] from the last reply backwards */
    uint64_t edges;
    np_polarized_switch *path; /**< [edges + 1] from the last reply backwards to the processor of the last row */
    uint32_t delays, full;     /**< L, b_L: delays, and how many of them by full queues */
    size_t counted;         /**< rows 1 .. counted are the sequence of Theorem 2: all, or up to the n-th full queue */
    uint32_t counted_full;  /**< b_j: full queues among them */
    uint64_t counted_edges; /**< of the path, up to the last of them */
    np_polarized_verdict verdict[NP_POLARIZED_VERDICTS];
    bool holds; /**< all do */
} np_polarized;

/** The phase of a column of the logical network, 1..6. */
unsigned np_polarized_phase(const np_polarized *polarized, uint32_t column);

/** The name of what is checked ("Lemma 3"); verdict < NP_POLARIZED_VERDICTS. */
const char *np_polarized_verdict_name(unsigned verdict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
