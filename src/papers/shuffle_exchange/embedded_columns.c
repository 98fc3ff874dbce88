/* Columns of Columnsort on embedded butterflies: the layout of the shuffle-exchange (layout.h, embedding.h). */
#include "papers/shuffle_exchange/embedding.h"
#include "work/sort/columnsort.h"
#include "work/sort/layout.h"

static const char *refuses_odd(const np_network *network)
{
    return network->dimensions % 2 ? "butterflies are embedded where the number of bits is even (2k bits: 2^k rows)"
           : network->dimensions < 4 || network->dimensions > 2 * NP_SHUFFLE_EMBEDDING_BITS_MAX
               ? "butterflies are embedded where there are from 4 to 28 bits"
               : NULL;
}

static void shape_embedded(np_sort_layout *layout)
{
    uint32_t k = layout->network->dimensions / 2, strings = np_shuffle_embedding_strings(k, k), s = 1;
    for (uint32_t t = 2; t <= strings; t++)
        if (np_columnsort_sorts((uint64_t)k << k, t, (uint64_t)k << k >> 1))
            s = t;
    layout->columns = s;
    layout->bits = layout->row = k;
    layout->column = k << k;
    layout->per_string = 1;
}

/* Place by place: butterfly, row, level. */
static np_status embedded_nodes(const np_sort_layout *layout, np_node *node)
{
    np_shuffle_embedding *e;
    np_status st = np_shuffle_embedding_create(layout->bits, layout->bits, layout->columns, layout->per_string, &e);
    if (st)
        return st;
    for (uint32_t b = 0; b < e->butterflies; b++)
        for (uint32_t row = 0; row < e->rows; row++)
            for (uint32_t level = 0; level < e->bits; level++)
                *node++ = np_shuffle_embedding_node(e, b, level, row);
    np_shuffle_embedding_free(e);
    return NP_OK;
}

static np_sort_cost embedded_cost(const np_sort_layout *layout, uint32_t h)
{
    uint64_t k = layout->bits, turns, shift = 2 * layout->per_string, compare = shift + 1; /* embedding.h */
    np_sort_cost cost = np_sort_layout_rows(layout, h, 2, &turns);
    cost.steps = h * ((1 + k) * k * shift + turns * compare);
    return cost;
}

const np_sort_layout_kind np_sort_layout_embedded = {NP_KIND_SHUFFLE_EXCHANGE, refuses_odd, shape_embedded,
                                                     embedded_nodes, embedded_cost};
