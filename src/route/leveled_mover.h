/*
 * What the movers on leveled networks share: the leveling of the network, which
 * chooses paths (stage 1 of Leighton, Maggs, Ranade & Rao 1994), and what
 * reports say of it. A scheme begins its own struct with this one, and adds the engine
 * that schedules the packets (stage 2).
 */
#ifndef NP_ROUTE_LEVELED_MOVER_H
#define NP_ROUTE_LEVELED_MOVER_H

#include "leveled/leveling.h"
#include "route/mover.h"

typedef struct np_leveled_mover {
    np_mover base;
    np_leveling *leveling; /* owned unless shared */
    bool shared;
    np_emulation_result emulation[NP_LEVELING_PHASES];
    char queue[48]; /* the scheme's word for its queues */
    np_courses courses;
} np_leveled_mover;

/*
 * Binds a zeroed mover to the network; shares the leveling of `like`, if that is not NULL. NP_ERROR_LIMIT, before it
 * is made, for one of more bytes than limit, which is none if 0.
 */
np_status np_leveled_mover_init(np_leveled_mover *mover, const np_network *network, uint64_t limit,
                                const np_mover *like) NP_CHECKED;
void np_leveled_mover_clear(np_leveled_mover *mover);

/* Chooses the paths of a phase: fills courses. draws: seed, run and phase. */
np_status np_leveled_mover_select(np_leveled_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic,
                                  bool combine) NP_CHECKED;

/* For np_mover_ops. */
unsigned np_leveled_mover_phases(const np_mover *mover);
void np_leveled_mover_name(const np_mover *mover, unsigned phase, char name[8]);
const char *np_leveled_mover_paths(const np_mover *mover);
const char *np_leveled_mover_queue(const np_mover *mover);
void np_leveled_mover_emulation(const np_mover *mover, unsigned phase, np_emulation_result *out);
bool np_leveled_mover_fixed_ranks(const np_mover *mover, unsigned phase);
uint64_t np_leveled_mover_bytes(const np_mover *mover, uint64_t packets);

#endif
