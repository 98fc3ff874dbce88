/*
 * What observers hear of passes over blocks (block_pass.h). Between level i and i + 1 of the block a row crosses bit
 * L - 1 - i. The ports of the butterfly are straight up, cross up, straight down, cross down; port i of the hypercube,
 * of dimension n, flips bit n - 1 - i.
 */
#include "papers/flashsort/block_pass.h"

/* The level at which words are that will cross the bit. */
static uint32_t level_before(const np_block *block, uint32_t bit, bool backward)
{
    return block->bits - bit - !backward;
}

static np_node node_at(const np_block *block, uint32_t row, uint32_t level)
{
    uint32_t n = np_sort_teller_network(block->log->teller)->dimensions;
    return block->hypercube ? block->first + row : (block->first + row) * n + (n - block->bits + level) % n;
}

/* The link over which a word of the row leaves the level. */
static np_link link_at(const np_block *block, uint32_t row, uint32_t level, uint32_t bit, bool backward, bool across)
{
    const np_network *network = np_sort_teller_network(block->log->teller);
    np_port port = block->hypercube ? network->dimensions - 1 - bit : backward * 2u + across;
    return np_network_link_at(network, node_at(block, row, level), port);
}

/* What observers call the row's word. NP_NONE: it has none. */
static uint32_t name_of(const np_block *block, const np_block_who *who, uint32_t row)
{
    if (!who->word)
        return who->number + row;
    uint32_t word = who->word[who->apart ? (size_t)row * who->apart : row];
    return word == NP_NONE ? NP_NONE : np_sort_teller_copy(block->log->teller, word, block->kind);
}

np_block_who np_block_tell_numbers(const np_block *block, const np_sort_cost *cost, uint32_t rows, uint32_t level)
{
    np_sort_teller *teller = block->log->teller;
    np_block_who who = {.rows = rows};
    if (!teller)
        return who;
    who.number = np_sort_teller_numbers(teller, rows);
    for (uint32_t w = 0; w < rows; w++)
        np_sort_teller_put(teller, cost->steps, who.number + w, node_at(block, w, level));
    return who;
}

void np_block_tell_copies(const np_block *block, const uint32_t *word)
{
    np_sort_teller *teller = block->log->teller;
    for (uint32_t w = 0; teller && w < UINT32_C(1) << block->bits; w++)
        if (word[w] != NP_NONE)
            np_sort_teller_put(teller, 0, np_sort_teller_copy(teller, word[w], block->kind), node_at(block, w, 0));
}

void np_block_tell_straight(const np_block *block, const np_sort_cost *cost, const np_block_who *who, uint32_t from,
                            uint32_t to)
{
    np_sort_teller *teller = block->log->teller;
    uint64_t step = cost->steps;
    bool backward = to < from;
    for (uint32_t level = from; level != to; level += backward ? UINT32_MAX : 1) {
        np_sort_sending how = who->stays && level == from ? NP_SORT_COPIES : NP_SORT_MOVES;
        step++;
        for (uint32_t w = 0; w < who->rows; w++) {
            uint32_t name = name_of(block, who, w);
            if (name != NP_NONE)
                np_sort_teller_send(teller, step, link_at(block, w, level, 0, backward, false), name, how);
        }
    }
}

void np_block_tell_move(const np_block *block, const np_sort_cost *cost, const np_block_who *who, const uint32_t *tag,
                        uint32_t bit, bool backward)
{
    np_sort_teller *teller = block->log->teller;
    uint32_t level = level_before(block, bit, backward);
    for (uint32_t w = 0; teller && w < who->rows; w++) {
        uint32_t name = name_of(block, who, w);
        bool across = (tag[w] ^ w) >> bit & 1;
        if (name != NP_NONE && (across || !block->hypercube))
            np_sort_teller_send(teller, cost->steps + 1, link_at(block, w, level, bit, backward, across), name,
                                NP_SORT_MOVES);
    }
}

void np_block_tell_both(const np_block *block, const np_sort_cost *cost, const np_block_who *who, uint32_t bit,
                        bool backward, np_sort_sending how)
{
    np_sort_teller *teller = block->log->teller;
    uint32_t level = level_before(block, bit, backward);
    uint64_t step = cost->steps + 1;
    for (uint32_t w = 0; teller && w < who->rows; w++) {
        uint32_t name = name_of(block, who, w);
        if (name == NP_NONE)
            continue;
        np_sort_teller_send(teller, step, link_at(block, w, level, bit, backward, true), name, how);
        if (!block->hypercube)
            np_sort_teller_send(teller, step, link_at(block, w, level, bit, backward, false), name, NP_SORT_MOVES);
    }
}

void np_block_tell_sums(const np_block *block, const np_sort_cost *cost, const np_block_who *who, uint32_t bit,
                        bool backward)
{
    np_sort_teller *teller = block->log->teller;
    uint32_t level = level_before(block, bit, backward);
    uint64_t step = cost->steps + 1;
    for (uint32_t w = 0; teller && w < who->rows; w++) {
        uint32_t other = w ^ UINT32_C(1) << bit;
        np_sort_teller_join(teller, step, link_at(block, w, level, bit, backward, true), name_of(block, who, w),
                            name_of(block, who, other), node_at(block, other, level));
    }
    for (uint32_t w = 0; teller && !block->hypercube && w < who->rows; w++)
        np_sort_teller_send(teller, step, link_at(block, w, level, bit, backward, false), name_of(block, who, w),
                            NP_SORT_MOVES);
}
