/* Which algorithm of a collective operation is the cheapest for which l. */
#include <math.h>
#include <string.h>

#include "show/table/collective.h"

/* 1000 options->data, rounded up to a power of ten; from 1e6 to 1e18 (ours), which is a whole number in JSON. */
double np_collective_largest(const np_collective_options *options)
{
    double largest = 1000 * fmin(options->data, 1e15), power = 1e6;
    while (power < largest)
        power *= 10;
    return power;
}

static const char *winner(size_t count, const np_collective_model *model, const np_collective_options *options,
                          double l)
{
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_options with = *options;
    with.data = l;
    np_collective_compare(count, model, &with, candidate);
    return candidate[0].algorithm;
}

/* The last whole l before `high` at which `name` wins; it wins at `low`. Beyond 2^53 doubles are farther apart. */
static double last_win(size_t count, const np_collective_model *model, const np_collective_options *options,
                       const char *name, double low, double high)
{
    for (double middle; middle = floor((low + high) / 2), low < middle && middle < high;) {
        if (!strcmp(winner(count, model, options, middle), name))
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t np_collective_wins(size_t count, const np_collective_model *model, const np_collective_options *options,
                          np_collective_win *win)
{
    double largest = np_collective_largest(options), at = 1;
    size_t wins = 1;
    win[0] = (np_collective_win){winner(count, model, options, 1), 1, 1};
    while (at < largest) { /* l grows by a twentieth: the winner of a shorter range may be missed */
        double next = floor(at * 1.05) + 1;
        next = next < largest ? next : largest;
        const char *name = winner(count, model, options, next);
        if (strcmp(name, win[wins - 1].algorithm) && wins < NP_COLLECTIVE_WINS) {
            win[wins - 1].to = last_win(count, model, options, win[wins - 1].algorithm, at, next);
            win[wins] = (np_collective_win){name, win[wins - 1].to + 1, next};
            wins++;
        }
        win[wins - 1].to = at = next;
    }
    return wins;
}
