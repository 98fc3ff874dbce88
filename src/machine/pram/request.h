/*
 * Requests: what processors send to memory, and how two requests for one cell combine. Combination
 * is associative and ordered: all processors of the left request come before all processors of the
 * right one. So a network that merges neighbours in order gives the same result as a network that
 * does not combine.
 *
 * In every step the accesses to a cell take effect in this order: reads, which see the old value;
 * fetches, in processor order; writes, whose combination replaces the value. Requests of different
 * kinds for one cell do not combine.
 */
#pragma once

#include "base/random.h"
#include "machine/pram/values.h"

/* The draws of the lots of a PRAM step. */
NP_FOR_REPORT np_draws np_request_draws(uint64_t seed, uint64_t pram_step);

/* The request of one processor, for a cell of the type. draws: np_request_draws. */
np_request np_request_of(np_access_rule rule, const np_draws *draws, const np_pram_step *step, uint32_t processor,
                         np_cell_type type);

/*
 * left = left and right combined: same address and kind, left's processors before right's. Not of requests whose values
 * are summed (below): these have no value together.
 */
NP_FOR_REPORT void np_request_combine(np_access_rule rule, np_request *left, const np_request *right);

/* The reply to the right request of a pair, from the reply to the pair and the left request before combining. */
np_word np_request_reply_right(const np_request *left, np_word reply);

/* The op by which a combining rule (NP_RULE_ADD and later ones) combines writes. */
static inline np_fetch_op np_request_op_of(np_access_rule rule) { return (np_fetch_op)(rule - NP_RULE_ADD); }

/* Are the values of such requests reals that are added up? Then memory gets each request by itself. */
static inline bool np_request_summed(np_access_rule rule, const np_request *request)
{
    if (request->type != NP_CELL_REAL || request->kind == NP_ACCESS_READ)
        return false;
    return request->kind == NP_ACCESS_FETCH ? request->op == NP_FETCH_ADD : rule == NP_RULE_ADD;
}

/* Whether the processor makes an access in the step, and which. */
static inline bool np_step_active(const np_pram_step *step, size_t i) { return !step->active || step->active[i]; }
static inline np_access_kind np_step_kind(const np_pram_step *step, size_t i)
{
    return step->kind ? (np_access_kind)step->kind[i] : step->all;
}

/* Does one of concurrent writers win by lot? */
static inline bool np_request_by_lot(np_access_rule rule) { return rule == NP_RULE_ARBITRARY || rule == NP_RULE_ERCW; }

/* The lot that a writer draws. */
static inline uint32_t np_request_lot(const np_draws *draws, uint32_t processor)
{
    uint32_t block[4];
    np_random_block(draws, processor, 0, block);
    return block[0];
}

/*
 * The memory (np_store): the cells, and what the present step has done to them. A step may come in
 * several batches, whose requests arrive by np_store_serve; np_store_commit ends it.
 */
NP_FOR_REPORT np_status np_store_create(np_access_rule rule, np_store **out) NP_CHECKED;
NP_FOR_REPORT void np_store_free(np_store *store);
NP_FOR_REPORT np_status np_store_grow(np_store *store, uint64_t cells) NP_CHECKED;
NP_FOR_REPORT uint64_t np_store_cells(const np_store *store);
NP_FOR_REPORT np_word *np_store_words(np_store *store); /* [cells] outside of steps */

/*
 * Begins a step in which at most `requests` requests, combined or not, arrive. sums: for so many cells several are to
 * be summed; one of which several fetch and several write counts twice. Makes room, so that they cannot fail.
 */
NP_FOR_REPORT np_status np_store_begin(np_store *store, size_t requests, size_t sums) NP_CHECKED;

/* Ends the step: writes take effect. */
NP_FOR_REPORT void np_store_commit(np_store *store);
