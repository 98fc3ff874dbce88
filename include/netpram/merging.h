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
 * not hold. So with q = 1 a ghost goes over every edge out that no packet has
 * crossed in the step, whether the edge has room or not. A packet that stays sends
 * a ghost over its own next edge, too. Ends of streams need no room. If packets
 * combine, the ghost over the packet's own edge comes just before the packets of
 * this destination in the order, because the node at the end of the edge must
 * still expect one of them. With q >= 2 such ghosts would stand behind a packet
 * and be of no use.
 * NP_GHOSTS_ROOM is section 2.2 to the letter: with q = 1, too, ghosts and ends need room.
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

/**
 * Packets for one destination that meet become one packet (section 2.3.1). This rule combines their values. So do
 * messages: in cycles at once, in the other modes while they go (section 2.3.2), the k-th packet of the one with the
 * k-th packets of the others. The longest of them goes on, and the others become parts of it.
 */
typedef enum np_combine {
    NP_COMBINE_NONE,  /**< packets do not combine */
    NP_COMBINE_FIRST, /**< the value of one of them is kept */
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
    NP_ROOM_FREED  /**< the same, but a packet can take the place of a packet that leaves in the same step: faster */
} np_room;

/** Where ghosts go if queues have one place; larger queues behave alike. */
typedef enum np_ghosts {
    NP_GHOSTS_FREE, /**< over every edge that no packet crossed in the step: Lemma 2.3 holds */
    NP_GHOSTS_ROOM  /**< over such edges with room, as section 2.2 says: Lemma 2.3 does not hold */
} np_ghosts;

/** How messages of several packets move (section 2.3.2). */
typedef enum np_message_mode {
    NP_MESSAGES_CYCLES,       /**< all nodes in step, in message cycles as long as the longest message */
    NP_MESSAGES_ASYNCHRONOUS, /**< a node takes the next message as soon as it has done with the present one */
    NP_MESSAGES_PIPELINED     /**< the same, and a node passes on a message when its first packet has come */
} np_message_mode;

/** How to merge: a part of other options, whose initialisers set it. Later members take the place of `reserved`. */
typedef struct np_merge_options {
    uint32_t queue_size;   /**< q, at least 1: packets (messages) an edge queue holds besides a ghost; default 2 */
    np_room room;          /**< default NP_ROOM_BEGIN */
    np_combine combine;    /**< default NP_COMBINE_NONE; any other rule needs ranks by destination */
    np_ranks ranks;        /**< default NP_RANKS_RANDOM, and NP_RANKS_HASH where packets combine */
    bool ranks_given;      /**< ranks was set on purpose */
    uint32_t rank_range;   /**< R: ranks are in 1..R; default 2^30 */
    uint32_t independence; /**< k of k-wise independent ranks; 0 (default): ceil(log2 packets) + 1 */
    const uint32_t *rank;  /**< [packets of the traffic] for NP_RANKS_FILE; borrowed */
    uint32_t rank_packets; /**< length of rank */
    const char *rank_file; /**< for NP_RANKS_FILE if rank is NULL: lines "packet rank", as np_ranking_save writes
                                them, one for each packet of the traffic, ranks in 1..rank_range; borrowed */
    uint32_t message_least, message_most; /**< packets a message, drawn uniformly in this range; default 1 and 1 */
    np_message_mode message_mode;
    bool no_ghosts;       /**< send no ghosts: to see the deadlocks that ghosts prevent */
    uint32_t waves;       /**< W of the scheme `waves`: packets go in W waves; 0 (default): ceil(log2 packets). Of these
                         options the scheme heeds only this one, queue_size and room */
    np_ghosts ghosts;     /**< default NP_GHOSTS_FREE */
    bool physical;        /**< play each step on the links of the physical network (np_phase_run.physical_steps) */
    uint64_t reserved[8]; /**< 0 */
} np_merge_options;

/** The fields of np_merge_options: the command line and experiment files use these names. */
extern const np_fields np_merge_options_fields;

/** The words of np_room. */
extern const char *const np_room_words[];

enum { NP_QUEUE_SIZE_MAX = 1 << 30, NP_RANK_RANGE_MAX = 1 << 30, NP_WAVES_MAX = 1 << 16 };

/** Fills in the defaults. */
void np_merge_options_init(np_merge_options *options);

/*
 * Why a batch took as long as it did on the butterfly of Ranade 1987b: the polarized sequence of section 4, and what
 * the section proves about it. The sequence is followed back in time from the reply that came home last.
 *
 * Switches are those of the logical network, <column, row> with columns 0 .. 6n; steps count from 0. The lag of a
 * message that is at a switch at the beginning of a step is step - column.
 */

typedef struct np_polarized_switch {
    uint32_t column, row;
} np_polarized_switch;

/** How a message came into the sequence. */
typedef enum np_polarized_kind {
    NP_POLARIZED_LAST, /**< it is the reply that came home last */
    NP_POLARIZED_M,    /**< m-delay: the switch at which the message above waited selected it, or its ghost */
    NP_POLARIZED_B     /**< b-delay: it was one of b messages in the queue that had no room for the message above */
} np_polarized_kind;

/** What is found when the message is followed further back. */
typedef enum np_polarized_wait {
    NP_POLARIZED_OTHER,  /**< it waited: its switch selected another message, the message of the next row */
    NP_POLARIZED_FULL,   /**< it waited: the queue that it was to enter was full of the messages of the next b rows */
    NP_POLARIZED_BESIDE, /**< it was in a full queue, but not at its head: it is not followed */
    NP_POLARIZED_ORIGIN  /**< it did not wait after its processor had sent it: the sequence ends */
} np_polarized_wait;

typedef struct np_polarized_row {
    np_polarized_kind kind;
    uint32_t tag;           /**< the message, by the number of its tag in the order of tags */
    np_polarized_switch at; /**< psi: where the message itself was, not its ghost, when it delayed the message above */
    uint64_t step;          /**< t: when it was there. Of the first row: when it came home */
    int64_t lag;            /**< at psi in step t */
    uint32_t ghost; /**< edges that its ghost crossed from psi to the switch at which the message above waited */
    uint64_t path;  /**< at = np_polarized.path[path] */
    np_polarized_wait wait;
    np_polarized_switch wait_at; /**< psi': where it waited, or its processor; as `at` if it was not followed */
    uint64_t wait_step;          /**< t': the last step in which it waited there */
} np_polarized_row;

/** What is checked. */
enum {
    NP_POLARIZED_DEFINITION_1, /**< messages of the sequence that pass the path in order, with falling tags: all */
    NP_POLARIZED_LEMMA_3,   /**< ghosts selected in the whole batch whose message or ghost was selected one step and one
                               edge before: all */
    NP_POLARIZED_LEMMA_4,   /**< times that a switch of column c had something to select, from step c on: all */
    NP_POLARIZED_LEMMA_5,   /**< L: at least the lag of the first row - b_L */
    NP_POLARIZED_PATH,      /**< edges of the path from column 0 to 6n: at most 8n */
    NP_POLARIZED_THEOREM_2, /**< distinct requests polarized along the path: at least min(delta, b n); for b = 1
                               at least min(ceil(delta / 2), n) */
    NP_POLARIZED_VERDICTS
};

/** What was found, and what the proof needs. */
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
    uint32_t delays, full;     /**< L: delays; b_L: the delays by full queues */
    size_t counted;         /**< rows 1 .. counted are the sequence of Theorem 2: all, or up to the n-th full queue */
    uint32_t counted_full;  /**< b_j: full queues among these rows */
    uint64_t counted_edges; /**< edges of the path up to the last of these rows */
    np_polarized_verdict verdict[NP_POLARIZED_VERDICTS];
    bool holds; /**< all verdicts do */
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
