/* Requests and how they combine: see request.h. Every function here is a few lines of the definition. */
#include "machine/pram/request.h"

np_draws np_request_draws(uint64_t seed, uint64_t pram_step)
{
    return (np_draws){
        .seed = seed,
        .run = (uint32_t)pram_step,
        .phase = (uint16_t)(pram_step >> 32),
        .purpose = NP_RANDOM_LOT,
    };
}

np_request np_request_of(np_access_rule rule, const np_draws *draws, const np_pram_step *step, uint32_t processor,
                         np_cell_type type)
{
    np_access_kind kind = np_step_kind(step, processor);
    return (np_request){
        .address = step->address[processor],
        .value = kind == NP_ACCESS_READ ? 0 : step->value[processor],
        .first = processor,
        .winner = processor,
        .lot = kind == NP_ACCESS_WRITE && np_request_by_lot(rule) ? np_request_lot(draws, processor) : 0,
        .kind = (uint8_t)kind,
        .op = (uint8_t)step->op,
        .type = (uint8_t)type,
    };
}

/* Under rules that forbid concurrent writes the least processor wins, as under NP_RULE_PRIORITY. */
static bool wins(np_access_rule rule, const np_request *a, const np_request *b)
{
    if (np_request_by_lot(rule) && a->lot != b->lot)
        return a->lot < b->lot;
    return a->winner < b->winner;
}

static void combine_writes(np_access_rule rule, np_request *left, const np_request *right)
{
    if (rule >= NP_RULE_ADD)
        left->value = np_values_combine(left->type, np_request_op_of(rule), left->value, right->value);
    else if (wins(rule, right, left)) {
        left->value = right->value;
        left->winner = right->winner;
        left->lot = right->lot;
    }
}

void np_request_combine(np_access_rule rule, np_request *left, const np_request *right)
{
    if (left->kind == NP_ACCESS_FETCH)
        left->value = np_values_combine(left->type, left->op, left->value, right->value);
    else if (left->kind == NP_ACCESS_WRITE)
        combine_writes(rule, left, right);
    if (right->first < left->first) /* only at memory, where writes come in any order */
        left->first = right->first;
    left->several = 1;
}

np_word np_request_reply_right(const np_request *left, np_word reply)
{
    return left->kind == NP_ACCESS_FETCH ? np_values_combine(left->type, left->op, reply, left->value) : reply;
}
