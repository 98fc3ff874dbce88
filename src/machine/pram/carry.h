/*
 * The values that messages carry through a network, with options.carry_values: operands there, replies back. Without it
 * only tags move, and np_tags_serve works the replies out beside the network.
 *
 * The carrier observes the machine's engine (netpram/engine.h) and does what the events say:
 *
 *   COMBINED  The switch makes one message of two. It keeps what it needs to divide the reply: the left operand
 *             (Ranade 1987b, section 2).
 *   MOVED     past its module, or LANDED there: the module has the message. When the batch has come, modules serve what
 *             they have; memory is not touched before, because a batch may be given up.
 *   SPLIT     The switch divides the reply by what it kept. On leveled networks, whose engine does not run replies, the
 *             carrier does: they go back hop by hop as their requests came, and divide there.
 *   LANDED    The processor has its reply. A reply that comes to another processor, or none, is an error.
 *
 * Order. Fetches take effect in processor order, so the left of two messages is to be that of the lower processors. On
 * butterfly:n the processors of a message follow one another among all that fetch from the cell
 * (engine/merging/ranade.h). Then one operand stands for all of them, and the message of higher processors becomes a
 * part of the other one. On other machines messages of processors 0 and 2 may meet, and 1 comes by another way: no
 * single operand will do. There fetches carry lists (`lists`): switches put one list behind the other and remember
 * where to cut the reply, and the module serves the operands of all lists in processor order. Writes combine in any
 * order: a message carries the processor, or the lot, that decides. Reals that are added up, written or fetched, go as
 * lists on all machines: no word has a part of the sum exactly.
 */
#pragma once

#include "model/leveled/leveled_routing.h"
#include "machine/pram/request.h"

/*
 * Replies on leveled networks go back as their requests came (leveled_machine.c). Nodes remember each message that
 * passes: in which step, over which link, and which messages became one. Read backwards, phase by phase and step by
 * step, this is the schedule of the replies: what crossed a link in step t of T goes back over the link in step T + 1 -
 * t, and where messages became one, the reply divides after that step.
 *
 * The replies are moved by this schedule. A reply can cross a link only if it has been at the link's head since an
 * earlier step. It begins at the module where its request landed, and ends where its request began.
 */

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

/*
 * It must stay where it is: its observer points to it. Arrays are of requests, which are named by place in the batch.
 */
typedef struct np_carry {
    np_observer observer;
    np_access_rule rule;
    bool lists;  /* all fetches are carried as lists */
    bool passes; /* a module takes a message when it leaves the module's node, not where it lands */
    bool on;     /* the batch at hand carries values */

    /* The batch at hand; the machine fills in module, home and request_of. */
    size_t count;
    const uint32_t *request_of; /* of a packet; NULL: packet i is request i, and count + i its reply after a split */
    const np_event_leveled *leveled; /* of the present phase */
    uint32_t *module, *home;         /* the nodes, as LANDED and MOVED name them */

    size_t room;
    uint8_t *state;               /* see carry.c */
    uint32_t *at;                 /* the last node where it landed */
    np_request *message;          /* what it carries */
    np_word *word;                /* the reply, or an item of a list of replies */
    uint32_t *into;               /* of a part: the message that it joined */
    np_request *kept;             /* of a part: the left operand; kept by the switch */
    uint32_t *head, *tail, *next; /* lists of requests */
    uint32_t *cut;                /* of a part: behind this item its list begins */
    uint32_t *join, *split;       /* parts in the order in which they joined, and split */
    size_t joins, splits, own;    /* own: joins before sending */
    np_retrace retrace;           /* if retrace.each is not 0: the engine does not run replies */
    void *block;
    size_t block_bytes;
} np_carry;

/* next: who else observes. passes: the machine is butterfly:n; else fetches carry lists. */
void np_carry_init(np_carry *carry, const np_observer *next, np_access_rule rule, bool passes);
void np_carry_clear(np_carry *carry);

/* A batch sets out, for the first time or again. NP_ERROR_MEMORY. */
np_status np_carry_begin(np_carry *carry, const np_request *request, size_t count) NP_CHECKED;

/* The part joins the message before they are sent: both are of one processor. Parts join in order. */
void np_carry_join_own(np_carry *carry, uint32_t part, uint32_t message);

/* Requests have come; what lands from now on are replies. */
void np_carry_turn(np_carry *carry);

/* Modules serve, switches divide, processors take. NP_ERROR_INTERNAL: a message came to a wrong place. */
np_status np_carry_answer(np_carry *carry, np_store *store, np_word *reply) NP_CHECKED;
