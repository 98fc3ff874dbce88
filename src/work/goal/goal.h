/*
 * Schedules of messages among ranks, as GOAL files have them (Hoefler, Siebert & Lumsdaine 2009): each rank has items,
 * sends, receives and calculations, and an item waits for others of its rank.
 */
#pragma once

#include "netpram/replay.h"
#include "base/exact.h"
#include "base/status.h"
#include "netpram/network.h"

typedef enum np_goal_kind { NP_GOAL_SEND, NP_GOAL_RECEIVE, NP_GOAL_CALC } np_goal_kind;

#define NP_GOAL_ANY UINT32_MAX /* any source, any tag */

typedef struct np_goal_item {
    uint64_t size; /* bytes; of a calculation its time */
    uint32_t rank, peer, tag;
    uint32_t line;  /* of the file */
    uint32_t waits; /* items that it waits for */
    uint16_t cpu, nic;
    uint8_t kind;
} np_goal_item;

/* `to` waits until `from` is done, or, `started`, has started. */
typedef struct np_goal_edge {
    uint32_t from, to;
    bool started;
} np_goal_edge;

/* The successors of item i are edges next[i] .. next[i + 1] - 1. */
typedef struct np_goal {
    uint32_t ranks;
    size_t items, edges, item_room, edge_room;
    np_goal_item *item;
    np_goal_edge *edge;
    size_t *next;        /* [items + 1] */
    uint32_t cpus, nics; /* one more than the largest number that is used */
} np_goal;

enum { NP_GOAL_RANKS_MAX = 1 << 20, NP_GOAL_UNITS_MAX = 1024 /* cpus and nics of a rank */ };

/* Zeroed, it has nothing. Clear it in any case. */
np_status np_goal_add(np_goal *goal, const np_goal_item *item, uint32_t *number) NP_CHECKED;
np_status np_goal_wait(np_goal *goal, uint32_t item, uint32_t for_item, bool started) NP_CHECKED;
/* Sorts the edges. NP_ERROR_MEMORY. */
np_status np_goal_finish(np_goal *goal) NP_CHECKED;
void np_goal_clear(np_goal *goal);

/* read.c: a finished goal. NP_ERROR_INPUT with file and line; NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_goal_read(np_goal *goal, const char *path) NP_CHECKED;

/* replay.c: are the file and the options what np_replay takes? Nothing is played. Fails as it does. */
NP_FOR_REPORT np_status np_replay_check(const np_network *network, const char *file,
                                        const np_replay_options *options) NP_CHECKED;

/* ---- Players ---- */

typedef np_wide np_goal_time; /* in ticks */

/* What things cost, in ticks; L latency, o overhead, g gap a message, G gap a byte, O overhead a byte. */
typedef struct np_goal_costs {
    np_goal_time latency, overhead, gap, byte_gap, byte_overhead, calc; /* calc: of a unit of its time */
    uint64_t threshold;                                                 /* S, bytes: more is sent by rendezvous */
} np_goal_costs;

typedef struct np_goal_player np_goal_player;

/* Carries messages where the network is more than a latency. NULL members of the player: L and G do. */
typedef struct np_goal_carrier {
    void *self;
    /* The first byte of the message of send `item` leaves at `time`, which is not in the past. When it is there, the
     * carrier calls np_goal_arrive. */
    np_status (*depart)(void *self, uint32_t item, np_goal_time time);
} np_goal_carrier;

np_status np_goal_player_create(const np_goal *goal, const np_goal_costs *costs, const np_goal_carrier *carrier,
                                np_goal_player **out) NP_CHECKED;
void np_goal_player_free(np_goal_player *player);

/* When something happens next; false: nothing does, but what the carrier has under way. */
bool np_goal_player_next(const np_goal_player *player, np_goal_time *time);
/* Plays all that happens up to `time`. */
np_status np_goal_player_run(np_goal_player *player, np_goal_time time) NP_CHECKED;
/* For a carrier that takes messages when they leave: it is asked again at `time`. */
np_status np_goal_depart_later(np_goal_player *player, uint32_t item, np_goal_time time) NP_CHECKED;
/* The message of a send is there. */
np_status np_goal_arrive(np_goal_player *player, uint32_t item, np_goal_time time) NP_CHECKED;
/* NP_ERROR_INPUT names an item that is not done: what it waits for never comes. Then the player is of no more use.
 * `path` is for the message. */
np_status np_goal_player_finish(np_goal_player *player, const char *path) NP_CHECKED;
/* The latest time at which a cpu is busy; messages that nobody received. */
np_goal_time np_goal_makespan(const np_goal_player *player);
uint64_t np_goal_unreceived(const np_goal_player *player);
/* Of the items, those that are done. */
double np_goal_share(const np_goal_player *player);
