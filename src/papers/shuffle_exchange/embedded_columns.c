/* Columns of Columnsort on embedded butterflies: the layout of the shuffle-exchange (layout.h, embedding.h). */
#include "papers/shuffle_exchange/embedding.h"
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
    uint32_t k = layout->network->dimensions / 2;
    layout->columns = np_shuffle_embedding_columns(k, k);
    layout->bits = layout->row = k;
    layout->column = k << k;
    layout->per_string = 1;
}

static np_status embedded_nodes(const np_sort_layout *layout, np_node *node)
{
    np_shuffle_embedding *e;
    np_status st = np_shuffle_embedding_create(layout->bits, layout->bits, layout->columns, layout->per_string, &e);
    if (st)
        return st;
    for (uint32_t place = 0; place < layout->columns * layout->column; place++)
        node[place] = np_shuffle_embedding_place(e, place);
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
