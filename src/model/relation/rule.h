/*
 * The inside of relations. A rule is one const descriptor and one entry in relations.c.
 *
 * What a rule says is its `ways`: all that a packet may take next. If the rule is not adaptive, a draw takes one of
 * them, hop by hop. So one function serves both who moves packets and who asks for all that can happen.
 *
 * A packet's state, from the lowest bit:
 *   8 bits   course: what the ways depend on besides the place and the destination
 *   24 bits  lot, or part of it
 *   32 bits  the rest of the lot; with an intermediate target (valiant.c), that one
 * The lot stays as it is on the way. The draw of a hop is a hash of the lot and the node, which no path meets twice.
 */
#pragma once

#include "base/random.h"
#include "model/network/axes.h"
#include "model/relation/relation.h"

enum { NP_COURSE_BITS = 8 };
#define NP_COURSE UINT64_C(0xff)

typedef struct np_relation_rule {
    np_entry info;
    bool shortest;       /* "greedy" may stand for it */
    bool by_pair;        /* the lot is of the packet's ends, not of the packet */
    bool first;          /* the first way by its port, without a draw: of several cables the first pair */
    bool one_router;     /* it is asked for the router of a host, which must have one */
    const char *theorem; /* why its channels have no cycle; NULL: they may have one */

    /* Which networks of routers it serves, where hosts hang on each (np_only_refuses). */
    const np_only *only;
    const char *(*refuses)(const np_network *network);

    /* Reads what follows the name and a colon, "" if nothing does; makes tables; sets classes and adaptive. Optional.
     */
    np_status (*prepare)(np_relation *r, const char *parameter);

    /*
     * All ways, fewer than NP_CANDIDATES. out[].state: the course after the hop, and above it what share() reads. 0:
     * the packet leaves here.
     */
    unsigned (*ways)(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out);

    /* The state of a packet, where it is more than its lot. Optional. */
    uint64_t (*start)(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                      const np_pressure *pressure);

    /*
     * The one of the ways that a draw takes, of a rule that is not adaptive and has no shares, as fast as it can be:
     * with np_relation_pick. NULL, or r->slow: the ways are listed.
     */
    unsigned (*take)(const np_relation *r, np_node at, np_node to, uint64_t state, np_candidate *out);

    /* How likely a way is, in any unit. NULL: all are equally likely. */
    float (*share)(const np_relation *r, np_node to, const np_candidate *way);
} np_relation_rule;

extern const np_relation_rule np_relation_valiant; /* two_phase.c */

typedef struct np_relation_table np_relation_table;
typedef struct np_relation_groups np_relation_groups;
typedef struct np_relation_forwards np_relation_forwards;
typedef struct np_vias np_vias;

/* Rules whose next hop is np_relation_next_port (next.h): they have one class, no draw and no state. */
typedef enum np_relation_form { NP_RELATION_ANY, NP_RELATION_CUBE, NP_RELATION_MESH } np_relation_form;

struct np_relation {
    const np_relation_rule *rule;
    np_relation_form form;
    const np_network *network; /* as given */
    const np_network *routers; /* where hosts hang on each router: the routers alone, with the same numbers and ports */
    np_cables *cables;
    char *spec;
    unsigned classes;
    bool adaptive;
    const char *theorem; /* the rule's, but for what its parameters change */
    bool drawn;          /* dimension-order: ties half-way round a ring are drawn */
    np_axes axes;
    uint32_t *coordinate;           /* [routers * axes.count] of grids; or NULL */
    bool slow;                      /* take() does not serve */
    np_relation_table *table;       /* table.h; or NULL */
    np_relation_groups *groups;     /* dragonfly.h; or NULL */
    struct np_listed *listed;       /* listed.h: paths from a file; or NULL */
    np_relation_forwards *forwards; /* listed.h: a forwarding table from a file; or NULL */
    const char *file;               /* that is being read, for messages */
    np_relation *inner;             /* of which the rule is made; or NULL */
    bool escapes;                   /* the last class is free, the others are escape channels */
    bool returns;                   /* a packet on an escape channel may take a free one again */

    /* Of a rule in two phases (two_phase.c), each by the inner rule: what the first one leads to. */
    bool two_phases;
    bool by_groups;         /* to a group of routers; else to one of the routers in target[] */
    uint32_t targets;       /* the groups, or the routers */
    np_node *target;        /* [targets] where packets start and end; NULL by groups */
    np_vias *vias;          /* vias.h: where hosts have several cables; or NULL */
    unsigned first_classes; /* classes of the first phase, which are the lowest */
    uint64_t threshold;     /* of ugal-l and its kin */
};

/*
 * Where one rule serves both phases, a bit of the course says that the packet is in the second one, and the highest 32
 * bits of the state are the target of the first one: a router, or a group.
 */
#define NP_SECOND_PHASE UINT64_C(0x80)

/* The ways of the first phase; 0: the target is reached. */
unsigned np_relation_first_ways(const np_relation *r, np_node at, uint32_t target, unsigned course, np_candidate *out);

/* The ways of the last phase, or of the only one: by the course, of which NP_SECOND_PHASE does not matter. */
unsigned np_relation_last_ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out);

/* Sets r->axes and, of grids, the coordinates of all routers. */
np_status np_relation_set_axes(np_relation *r) NP_CHECKED;

/* The random bits of a hop. */
static inline uint64_t np_relation_bits(np_node at, uint64_t state)
{
    return np_random_mix((state | NP_COURSE) + (at + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Which of so many ways is drawn, if all are equally likely. */
static inline unsigned np_relation_pick(np_node at, uint64_t state, unsigned count)
{
    return (unsigned)((np_relation_bits(at, state) >> 32) * count >> 32);
}

/* .refuses of rules that need links both ways. */
const char *np_relation_refuses_one_way(const np_network *network);

/* Makes r->inner by a rule of that name. Fails as np_relation_create does, and says by whom it is needed. */
np_status np_relation_create_inner(np_relation *r, const char *rule) NP_CHECKED;

/* The parameter that the rule does not have. */
np_status np_relation_refuse_parameter(const np_relation *r, const char *parameter) NP_CHECKED;
