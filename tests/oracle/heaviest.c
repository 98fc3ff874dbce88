#include "oracle/heaviest.h"

#include <stdbool.h>
#include <stdlib.h>

static int64_t best_from(uint32_t n, const int64_t *weight, uint32_t row, uint32_t taken)
{
    int64_t best = INT64_MIN;
    if (row == n)
        return 0;
    for (uint32_t j = 0; j < n; j++)
        if (!(taken >> j & 1)) {
            int64_t value = weight[row * n + j] + best_from(n, weight, row + 1, taken | UINT32_C(1) << j);
            best = value > best ? value : best;
        }
    return best;
}

int64_t oracle_heaviest_by_trial(uint32_t n, const int64_t *weight) { return best_from(n, weight, 0, 0); }

/* Least costs, where a cost is a weight with its sign changed. Column n is where the new row stands at first. */
typedef struct hungarian {
    uint32_t n;
    const int64_t *weight;
    int64_t *u, *v, *near; /* [n + 1] */
    uint32_t *row, *back;  /* [n + 1] the row of a column, and the column before it on the path */
    bool *done;
} hungarian;

/* The column that is settled next, after column j. */
static uint32_t advance(hungarian *h, uint32_t j)
{
    uint32_t i = h->row[j], best = h->n;
    int64_t step = INT64_MAX;
    h->done[j] = true;
    for (uint32_t k = 0; k < h->n; k++) {
        if (h->done[k])
            continue;
        int64_t cost = -h->weight[i * h->n + k] - h->u[i] - h->v[k];
        if (cost < h->near[k]) {
            h->near[k] = cost;
            h->back[k] = j;
        }
        if (h->near[k] < step) {
            step = h->near[k];
            best = k;
        }
    }
    for (uint32_t k = 0; k <= h->n; k++)
        if (h->done[k]) {
            h->u[h->row[k]] += step;
            h->v[k] -= step;
        } else {
            h->near[k] -= step;
        }
    return best;
}

static void add_row(hungarian *h, uint32_t i)
{
    uint32_t j = h->n;
    h->row[j] = i;
    for (uint32_t k = 0; k <= h->n; k++) {
        h->near[k] = INT64_MAX;
        h->done[k] = false;
    }
    do
        j = advance(h, j);
    while (h->row[j] != UINT32_MAX);
    for (; j != h->n; j = h->back[j])
        h->row[j] = h->row[h->back[j]];
}

int64_t oracle_heaviest(uint32_t n, const int64_t *weight)
{
    int64_t value = 0;
    hungarian h = {n,
                   weight,
                   calloc(n + 1, sizeof *h.u),
                   calloc(n + 1, sizeof *h.v),
                   calloc(n + 1, sizeof *h.near),
                   calloc(n + 1, sizeof *h.row),
                   calloc(n + 1, sizeof *h.back),
                   calloc(n + 1, sizeof *h.done)};
    for (uint32_t j = 0; j <= n; j++)
        h.row[j] = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++)
        add_row(&h, i);
    for (uint32_t j = 0; j < n; j++)
        value += weight[h.row[j] * n + j];
    free(h.u);
    free(h.v);
    free(h.near);
    free(h.row);
    free(h.back);
    free(h.done);
    return value;
}
