/*
 * The queueing schedules (kind (a) of the design): one queue at the tail of
 * every link, and a discipline that names the packet to go.
 *
 * A discipline is one const descriptor (netpram/engine.h) and one line in
 * disciplines.c. It names the structure that holds its queues (operations on
 * batches of links) and, if it goes by keys, gives the key. Of equal keys the
 * packet that entered the queue first goes first, so the order never depends on
 * the shape of a heap.
 *
 * All queues of an engine share these arrays:
 *   packet[p]  the packet's record: a link to another packet, the ordinal
 *              with which it entered its queue (0, 1, ...), and its ticket,
 *              together in 16 bytes so that a hop touches one line a packet;
 *   word[l]    busy: the packet by which the queue hangs (FIFO: the last one
 *              of a circular list); idle: NP_QUEUE_IDLE | packets that have
 *              ever entered. 4 bytes a link, and congestion comes for free.
 * Packets that the engine spares the queue are counted in passed.h.
 */
#pragma once

#include "base/arena.h"
#include "base/random.h"
#include "base/registry.h"
#include "netpram/engine.h"

/*
 * The set of busy links of one range of links: a bitmap that is walked in order, and
 * above it one byte for each group of 64 words. So a walk touches neither an idle
 * link nor a long stretch of idle links. A walk in order gives the entering order
 * of the model (rule 2 of the design) for free.
 */

typedef struct np_busy {
    np_link first;  /* the link of bit 0, a multiple of 4096 */
    size_t words;   /* words of `bits` */
    uint64_t *bits; /* [words + 1], padded to whole groups; the last one stays 0 */
    uint8_t *group; /* [words / 64] 1: some word of the group may be non-zero. Bytes, because one store sets a byte */
} np_busy;

/* An empty set of links first .. last-1, in the arrays of its owner. */
void np_busy_layout(np_busy *busy, np_link first, np_link last, np_arena *arena);

static inline bool np_busy_has(const np_busy *busy, np_link link)
{
    return busy->bits[(link >> 6) - (busy->first >> 6)] >> (link & 63) & 1;
}

static inline void np_busy_set(np_busy *busy, np_link link)
{
    busy->bits[(link >> 6) - (busy->first >> 6)] |= UINT64_C(1) << (link & 63);
    busy->group[(link >> 12) - (busy->first >> 12)] = 1;
}

/* A walk through the busy links in ascending order. */
typedef struct np_busy_walk {
    size_t word; /* next word to look at */
} np_busy_walk;

/*
 * Takes the next busy links out of the set and returns how many: at most `limit`
 * (which is at least 64), and always all links of a word; 0 at the end. Links already
 * given out may be set again between two calls; this walk does not meet them again.
 */
size_t np_busy_take(np_busy *busy, np_busy_walk *walk, size_t limit, np_link *link);

#define NP_QUEUE_IDLE UINT32_C(0x80000000)

typedef struct np_packet_record {
    uint32_t next;
    uint32_t entered;
    np_ticket ticket;
} np_packet_record;

typedef struct np_queues np_queues;

struct np_queues {
    const np_discipline *discipline;
    const np_queue_structure *structure; /* the discipline's */
    np_packet_record *packet;            /* [packets] */
    uint32_t *word;                      /* [links] */

    /* What the structures other than FIFO need; else NULL. */
    uint32_t *length;  /* [links] packets in the queue */
    uint32_t *entered; /* [links] packets that have ever entered */
    uint32_t *child;   /* [packets] heap: first child; random: left child */
    uint64_t *key;     /* [packets] heap: key in the high half, ordinal in the low half */

    void *block[2];        /* the arrays over links, and those over packets */
    np_link first;         /* the arrays over links have room for links first .. first + links - 1 */
    size_t links, packets; /* for which the arrays have room */

    bool far;       /* the arrays exceed the second-level cache: read ahead */
    np_draws draws; /* for the present phase */
    np_step step;   /* the instant reached, for the random discipline and for lots */
};

/* How queues are kept. Disciplines that go by keys share one structure. */
struct np_queue_structure {
    bool plain; /* FIFO: needs neither length, entered, child nor key */
    bool tree;  /* needs child */
    bool made;  /* keys may depend on np_key_inputs.made and made_in_phase */

    /*
     * Takes the packet to go from each of `count` distinct links, in ascending
     * order, with its ticket. The links were busy and have been taken out of
     * the set; those whose queues are not left empty are put back. Returns
     * the longest queue met, before the packet was taken.
     */
    uint32_t (*pop)(np_queues *queues, np_busy *busy, size_t count, const np_link *link, np_packet *packet,
                    np_ticket *ticket);

    /*
     * Adds packet[i] with ticket[i] to the queue of link[i], in the order of
     * the arrays; a link may occur more than once. Sets busy bits. key is NULL
     * for disciplines without keys.
     */
    void (*push)(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                 const np_ticket *ticket, const uint32_t *key);
};

/* The registry of disciplines, in disciplines.c. */
extern const np_registry np_disciplines;

/*
 * Priority, and two variants of it with another order among equals. The variants are in no list: in the schemes that
 * use them, the user names only this order.
 */
extern const np_discipline np_discipline_priority, np_discipline_priority_lifo, np_discipline_priority_random;

/* For schemes that offer no choice. */
extern const np_discipline np_discipline_fifo;

/* The structure of its queues. */
const np_queue_structure *np_discipline_structure(const np_discipline *discipline);

/* Finds a discipline by name. NP_ERROR_INPUT, with the nearest name, if there is none. */
np_status np_discipline_find(const char *name, const np_discipline **out) NP_CHECKED;

/* Allocates the arrays, for so many links from `first` on. packets < 2^31. */
np_status np_queues_init(np_queues *queues, const np_discipline *discipline, np_link first, size_t links,
                         size_t packets) NP_CHECKED;
void np_queues_clear(np_queues *queues);

/* Makes room for more packets. After an error nothing has changed. */
np_status np_queues_grow(np_queues *queues, size_t packets) NP_CHECKED;

/* Bytes that np_queues_init allocates. */
uint64_t np_queues_bytes(const np_discipline *discipline, uint64_t links, uint64_t packets);

/* Where packets that have entered queues are counted. In FIFO all words of idle queues have the idle bit, too. */
static inline uint32_t *np_queues_counts(const np_queues *queues)
{
    return queues->structure->plain ? queues->word : queues->entered;
}

/* Makes the queues of links first .. last-1 empty, as if nothing had ever entered. */
void np_queues_reset(np_queues *queues, np_link first, np_link last);

/* The heap ordered by keys; of equal keys the packet that entered first goes first. */
extern const np_queue_structure np_queue_heap;
