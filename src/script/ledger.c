/* See ledger.h. The registers know their own limit (stack.h): what the rest leaves. */
#include "script/ledger.h"

#include "base/memory.h"

static np_status allow(np_execution *x, uint64_t more)
{
    np_ledger *l = &x->ledger;
    uint64_t rest = l->held + l->pram + more;
    if (!l->limit)
        return NP_OK;
    x->stack.limit = rest < l->limit ? l->limit - rest : 1;
    return np_memory_allow(l->limit, rest + x->stack.taken, "a smaller size", "the data of %.200s on %s",
                           x->syntax->path, x->pram->spec);
}

np_status np_ledger_add(np_execution *x, uint64_t bytes)
{
    x->ledger.held += bytes;
    return allow(x, 0);
}

uint64_t np_ledger_input(const np_declared_input *input, uint64_t n, uint64_t edges)
{
    if (input->kind == NP_INPUT_KIND_MATRIX)
        return np_memory_taken(n * n * sizeof(np_word));
    if (input->kind != NP_INPUT_KIND_GRAPH)
        return np_memory_taken(n * sizeof(np_word));
    uint64_t arcs = 2 * edges; /* the edges drawn, their arcs sorted, the graph, the weights */
    return 2 * np_memory_taken(edges * sizeof(uint32_t)) + 2 * np_memory_taken(arcs * sizeof(uint64_t)) +
           2 * np_memory_taken(arcs * sizeof(uint32_t)) + np_memory_taken((n + 1) * sizeof(uint32_t));
}

/* What the PRAM takes with so many cells, steps of so many processors, and so many steps. */
static np_status charge(np_execution *x, uint64_t capacity)
{
    np_ledger *l = &x->ledger;
    np_status st = np_pram_bytes(x->pram, capacity, l->processors, false, l->steps, &l->pram);
    l->pram += np_memory_taken(l->watched * sizeof(np_pram_watch));
    return st;
}

np_status np_ledger_begin(np_execution *x)
{
    np_status st = x->ledger.limit ? charge(x, 0) : NP_OK;
    return st ? st : allow(x, 0);
}

np_status np_ledger_cells(np_execution *x, uint64_t cells)
{
    uint64_t old = x->pram->store->capacity, grown = old + old / 2;
    np_status st;
    if (!x->ledger.limit || cells <= old)
        return NP_OK;
    if ((st = charge(x, cells > grown ? cells : grown)))
        return st;
    return allow(x, np_memory_taken(old * sizeof(np_word)) + np_memory_taken(old * sizeof(uint32_t)));
}

/* Where there is room enough, half more is counted than is needed: seldom anew. */
np_status np_ledger_step_more(np_execution *x, size_t count, bool watched)
{
    np_ledger *l = &x->ledger;
    size_t processors = count > l->processors ? count : l->processors;
    uint64_t steps = x->pram->steps >= l->steps ? x->pram->steps + 1 : l->steps;
    np_status st;
    if (watched && count > l->watched)
        l->watched = count;
    l->processors = processors == l->processors ? processors : processors + processors / 2;
    l->steps = steps == l->steps ? steps : 2 * steps + 16;
    if (!(st = charge(x, x->pram->store->capacity)) && l->held + l->pram + x->stack.taken > l->limit) {
        l->processors = processors;
        l->steps = steps;
        st = charge(x, x->pram->store->capacity);
    }
    return st ? st : allow(x, 0);
}
