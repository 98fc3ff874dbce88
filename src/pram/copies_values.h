/*
 * The values that messages of a machine copies:NETWORK carry, with options.carry_values. Without it only tags move, and
 * the machine works out beside the network what copies get and what processors find.
 *
 * There: a message of a processor asks for one copy of one cell. It carries the operands of the processor's requests of the class,
 * combined; a time stamp, if it writes; and, if it is of a fetch that writes, the newest word that the processor found.
 * Module: it serves the messages that have come to it, and no others. Of those for one copy it combines the operands, in
 * processor order. A reader gets the copy, its word and stamp; a fetcher also the word with the operands of lower
 * processors. A copy gets the word that the combination makes, by the rule, and the stamp.
 * Back: a processor takes the newest of the copies that come back to it, and divides it among its own requests. It must hear of b
 * copies before it goes on, and counts them itself.
 *
 * Reals that are added up have no value together (pram/values.h). Of these a message carries all operands of its processor, and
 * brings back a reply for each.
 *
 * The values observe the engine that routes the messages: a message is where the engine says that it landed. One that
 * lands elsewhere is not served, and its processor does not hear of enough copies: NP_ERROR_INTERNAL.
 */
#ifndef NP_PRAM_COPIES_VALUES_H
#define NP_PRAM_COPIES_VALUES_H

#include "netpram/engine.h"
#include "pram/copies.h"
#include "pram/tags.h"

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
    size_t room, messages;
    np_copies_message *message; /* [messages] of the round; those of processors for one copy follow one another */
    uint32_t *sent;             /* [packets] whose message it is */
    np_copies_heard *heard;     /* [requests], by place in tags; only those of message[].item are used */
    np_word *reply;             /* [replies] those of sums of reals that messages bring back */
    np_word *heard_reply;       /* [requests] those that processors have heard of, with heard[].word */
    size_t replies;
    const np_tags *tags;       /* of the batch; borrowed, */
    const np_request *request; /* as its requests */
    void *block;
    size_t block_bytes;
} np_copies_values;

void np_copies_values_init(np_copies_values *values, np_access_rule rule, uint32_t copies);
void np_copies_values_clear(np_copies_values *values);
uint64_t np_copies_values_bytes(size_t requests, uint32_t copies);

/* Room for the messages of so many requests. NP_ERROR_MEMORY. */
np_status np_copies_values_reserve(np_copies_values *values, size_t requests) NP_CHECKED;

/* A half of a batch begins: nobody has heard of a copy. keep: what fetchers found is still needed. */
void np_copies_values_begin(np_copies_values *values, const np_tags *tags, const np_request *request, size_t requests,
                            bool keep);

/* Adds a message, at its processor. Returns its number. request, stamp: what it carries of the requests from item to end. */
uint32_t np_copies_values_send(np_copies_values *values, uint32_t item, uint32_t end, np_node home, np_node module,
                               const np_request *request, uint64_t stamp);

/* All have landed: those that are at their modules have come. */
void np_copies_values_arrive(np_copies_values *values);

/* The module serves those of `count` messages from `first` on that have come. All are for one copy, to be read or written. */
void np_copies_values_serve(np_copies_values *values, uint32_t first, uint32_t count, np_copy *copy, bool write);

/* All have landed: processors take what has come home. The round is over. */
void np_copies_values_return(np_copies_values *values);

/*
 * The processor of the requests from `item` to `end`, all of one class, has heard of at least `quorum` copies; and their
 * replies, if reply is not NULL. NP_ERROR_INTERNAL: it has not.
 */
np_status np_copies_values_take(const np_copies_values *values, uint32_t item, uint32_t end, uint32_t quorum,
                                np_word *reply) NP_CHECKED;

#endif
