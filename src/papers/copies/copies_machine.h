/* The inside of the machine copies:NETWORK, for copies_machine.c and its tests. */
#pragma once

#include "machine/pram/network_machine.h"

/*
 * Memory in copies (Upfal & Wigderson 1987): each cell has `copies` copies, in different modules, and a copy is a word
 * with a time stamp. A write reaches `quorum` copies and gives them a new stamp; a read reaches as many and takes the
 * word of the newest. Two quorums have a copy in common, because 2 quorum > copies, so a read always meets the last
 * write.
 *
 * Copy k of cell x is in module h_k(x), by a hash function of its own (address_map.h). If an earlier copy is there, it
 * is in the next module that has none.
 */

typedef struct np_copy {
    uint64_t stamp; /* of the write that it has; 0: none so far */
    np_word word;
} np_copy;

typedef struct np_copies {
    uint32_t copies, quorum, modules;
    np_placement function[NP_COPIES_MOST]; /* [copies] */
    uint64_t cells;
    size_t room;      /* copies */
    uint32_t *module; /* [cells][copies] */
    np_copy *copy;    /* [cells][copies] */
    uint64_t *held;   /* [modules] copies in each module; borrowed */
    uint64_t clock;   /* the newest stamp */
} np_copies;

/*
 * Sets up a memory that is zero but for `modules` and `held`, without cells. Clear it, also after a failure.
 * coefficients: of a hash function. NP_ERROR_INPUT (a quorum too small or too large, more copies than modules),
 * NP_ERROR_MEMORY.
 */
np_status np_copies_init(np_copies *memory, const np_pram_options *options, uint32_t coefficients) NP_CHECKED;
void np_copies_clear(np_copies *memory);

/* Sets the number of cells, no fewer than before; new ones are 0. NP_ERROR_MEMORY. */
np_status np_copies_grow(np_copies *memory, uint64_t cells) NP_CHECKED;

/* From outside: writes all copies of `count` cells; reads the first quorum of each. */
void np_copies_put(np_copies *memory, np_address base, uint64_t count, const np_word *value);
void np_copies_get(const np_copies *memory, np_address base, uint64_t count, np_word *value);

static inline size_t np_copies_at(const np_copies *memory, np_address x, uint32_t k) { return x * memory->copies + k; }

/* A write comes to a copy: an older one than the copy has changes nothing. */
static inline void np_copy_write(np_copy *copy, uint64_t stamp, np_word word)
{
    if (stamp >= copy->stamp)
        *copy = (np_copy){stamp, word};
}

/* A read meets a copy; newest: of those that it met before, {0} at first. */
static inline void np_copy_read(np_copy *newest, const np_copy *met)
{
    if (met->stamp >= newest->stamp)
        *newest = *met;
}

/*
 * The values that messages of a machine copies:NETWORK carry.
 *
 * There: a message of a processor asks for one copy of one cell. It carries the operands of the processor's requests of
 * the class, combined; a time stamp, if it writes; and, if it is of a fetch that writes, the newest word that the
 * processor found. Module: it serves the messages that have come to it, and no others. Of those for one copy it
 * combines the operands, in processor order. A reader gets the copy, its word and stamp; a fetcher also the word with
 * the operands of lower processors. A copy gets the word that the combination makes, by the rule, and the stamp. Back:
 * a processor takes the newest of the copies that come back to it, and divides it among its own requests. It must hear
 * of b copies before it goes on, and counts them itself.
 *
 * Reals that are added up have no value together (machine/pram/values.h). Of these a message carries all operands of
 * its processor, and brings back a reply for each.
 *
 * With options.carry_values the values observe the engine that routes the messages: a message is where the engine says
 * that it landed. One that lands elsewhere is not served, and its processor does not hear of enough copies:
 * NP_ERROR_INTERNAL. Without, all land where they should.
 */

/* One processor asks for one copy. */
typedef struct np_copies_message {
    np_request request; /* all of the processor's of the class */
    uint64_t stamp;     /* that it writes */
    np_copy copy;       /* there: what the processor found; back: what the copy had */
    np_word word;       /* back: what is fetched */
    uint32_t item, end; /* the processor's requests of the class: places in tags */
    uint32_t list;      /* back, of a sum of reals: where its replies begin */
    np_node at, home, module;
    bool came, served;
} np_copies_message;

/* What a processor has heard of the copies of a class, in a half of a batch. */
typedef struct np_copies_heard {
    np_copy newest;
    np_word word; /* with it */
    uint32_t copies;
} np_copies_heard;

/* It must stay where it is: its observer points to it. */
typedef struct np_copies_values {
    np_observer observer;
    np_access_rule rule;
    uint32_t copies; /* of a cell */
    bool carried;    /* an engine says where messages land */
    size_t room, messages;
    np_copies_message *message; /* [messages] of the round; those of processors for one copy follow one another */
    uint32_t told;              /* messages of the rounds before, in the batch */
    uint32_t *sent;             /* [packets] the packet's number, for observers: told, and the number of its message */
    np_copies_heard *heard;     /* [requests], by place in tags; only those of message[].item are used */
    np_word *reply;             /* [replies] those of sums of reals that messages bring back */
    np_word *heard_reply;       /* [requests] those that processors have heard of, with heard[].word */
    size_t replies;
    const np_tags *tags;       /* of the batch; borrowed, */
    const np_request *request; /* as its requests */
    void *block;
    size_t block_bytes;
} np_copies_values;

void np_copies_values_init(np_copies_values *values, const np_pram_options *options);
void np_copies_values_clear(np_copies_values *values);

/* Room for the messages of so many requests. NP_ERROR_MEMORY. */
np_status np_copies_values_reserve(np_copies_values *values, size_t requests) NP_CHECKED;

/* A half of a batch begins: nobody has heard of a copy. keep: what fetchers found is still needed. */
void np_copies_values_begin(np_copies_values *values, const np_tags *tags, const np_request *request, size_t requests,
                            bool keep);

/* Adds a message, at its processor. Returns its number. request, stamp: what it carries of the requests from item to
 * end. */
uint32_t np_copies_values_send(np_copies_values *values, uint32_t item, uint32_t end, np_node home, np_node module,
                               const np_request *request, uint64_t stamp);

/* All have landed: those that are at their modules have come. */
void np_copies_values_arrive(np_copies_values *values);

/* The module serves those of `count` messages from `first` on that have come. All are for one copy, to be read or
 * written. */
void np_copies_values_serve(np_copies_values *values, uint32_t first, uint32_t count, np_copy *copy, bool write);

/* All have landed: processors take what has come home. The round is over. */
void np_copies_values_return(np_copies_values *values);

/*
 * The processor of the requests from `item` to `end`, all of one class, has heard of at least `quorum` copies; and
 * their replies, if reply is not NULL. NP_ERROR_INTERNAL: it has not.
 */
np_status np_copies_values_take(const np_copies_values *values, uint32_t item, uint32_t end, uint32_t quorum,
                                np_word *reply) NP_CHECKED;

/* A class asks for a copy. */
typedef struct np_copies_attempt {
    uint64_t lot; /* of those at a module the least is served */
    uint32_t class, module;
    uint8_t copy, served;
    uint32_t first; /* of its messages, which follow one another */
} np_copies_attempt;

typedef struct np_copies_machine {
    np_network_machine base;
    np_copies memory;
    uint32_t serves;
    np_module_answers answers;
    uint32_t shares;    /* of the modules, whose requests begin one after the other; 1: of no share */
    uint32_t slack;     /* requests of a processor that begin together; 0: all */
    const char *scheme; /* NULL: a complete network whose messages no engine moves */
    uint32_t phases;    /* of the scheme */
    char round[32];     /* its name, for observers */

    /* The batch at hand. */
    np_tags tags;      /* classes */
    uint32_t share;    /* requests of a processor */
    size_t room;       /* requests */
    uint32_t *reached; /* [classes] bit k: copy k */
    uint32_t together; /* requests of a share, in sequence, without slack */
    uint32_t parts;    /* shares of the batch */
    uint32_t *head;    /* [parts] the first class that begins with it, or UINT32_MAX */
    uint32_t *next;    /* [classes] the next one that begins with the same share, or UINT32_MAX */
    uint32_t *left;    /* [unfinished] classes that have begun and not reached b copies */
    uint32_t unfinished;
    bool stuck;                 /* nobody was served in the last round */
    np_copies_attempt *attempt; /* [attempts] of the round */
    size_t attempts;
    np_node *source, *destination; /* [packets] */
    size_t packets;
    size_t messages; /* packets, and what processors ask of their own modules */
    void *block;
    size_t block_bytes;
    np_tags pairs; /* of a processor and a module: messages on the links of a complete network */

    np_copies_values values;

    uint32_t *turn; /* [modules] the attempt that is served next */
    uint64_t rounds;
} np_copies_machine;
