/*
 * Distances by Bellman & Ford: sweeps over all nodes, forwards and backwards in turn, until nothing changes; five or
 * six are enough on the networks that people build. Flow by sweeps too: what a node has received is passed on, and what
 * comes later is passed on by the next sweep.
 *
 * Rounding. A share is a weight times the reciprocal of the sum of weights at its node. Products and quotients are
 * rounded once, sums of k numbers k - 1 times, each time by at most 2^-24 of the value. Between the arrival of flow at
 * a node and its arrival at the next one there are at most `degree` + 4 roundings, so a factor 1 + (degree + 4) 2^-23
 * for each share is more than they take away. The sums of `through` and of lanes have a factor of their own.
 *
 * Flow of less than TINY is not passed on (it would be slow: processors take long for numbers that are nearly 0). The
 * sum of all that is lost so is added to every load.
 */
#include "verdict/throughput/lanes.h"

#include <string.h>

#include "base/hot.h"

/* The lanes do not depend on each other, nor do the arrays overlap. */
#define EACH_LANE(i) _Pragma("omp simd") for (int i = 0; i < NP_LANES; i++)
/* Keeps the compiler from working on two arcs at once, for which it takes lanes apart. Nothing happens. */
#define ONE_ARC() __asm__ volatile("")
#define TINY 1e-20f
#define ROUNDING 0x1p-23 /* twice what one rounding takes away */

void np_lanes_layout(np_lanes *lanes, np_arena *arena)
{
    np_arena_array(arena, &lanes->distance, lanes->nodes, sizeof *lanes->distance, "distances");
    if (!lanes->arcs)
        return;
    np_arena_array(arena, &lanes->rest, lanes->nodes, sizeof *lanes->rest, "flow to be passed on");
    np_arena_array(arena, &lanes->through, lanes->nodes, sizeof *lanes->through, "flow through nodes");
    np_arena_array(arena, &lanes->share, lanes->arcs, sizeof *lanes->share, "shares of arcs");
    np_arena_zeroed(arena, &lanes->load, lanes->arcs, sizeof *lanes->load, "loads of arcs");
}

/* ---- Distances ---- */

/* distance[u] = the least over its arcs. Has it changed? */
NP_INLINE int32_t shorten(const np_problem *p, const int32_t *length, np_node u, np_lanes_whole *distance)
{
    np_lanes_whole least;
    int32_t changed = 0;
    memcpy(least, distance[u], sizeof least);
    for (uint32_t a = p->row[u]; a < p->row[u + 1]; a++) {
        const int32_t *next = distance[p->head[a]], l = length[a];
        ONE_ARC();
        EACH_LANE(i)
        {
            int32_t d = next[i] + l;
            least[i] = d < least[i] ? d : least[i];
        }
    }
    _Pragma("omp simd reduction(| : changed)") for (int i = 0; i < NP_LANES; i++) changed |= least[i] ^ distance[u][i];
    memcpy(distance[u], least, sizeof least);
    return changed;
}

static NP_HOT int32_t sweep_distances(const np_problem *p, const int32_t *length, bool down, np_lanes_whole *distance)
{
    int32_t changed = 0;
    for (np_node k = 0; k < p->nodes; k++)
        changed |= shorten(p, length, down ? p->nodes - 1 - k : k, distance);
    return changed;
}

void np_lanes_distances(const np_problem *p, const int32_t *length, uint32_t first, np_lanes *lanes)
{
    for (np_node u = 0; u < p->nodes; u++)
        EACH_LANE(i)
    lanes->distance[u][i] = NP_LANES_FAR;
    for (uint32_t i = 0; i < np_lanes_count(p, first); i++)
        lanes->distance[p->target[first + i]][i] = 0;
    for (bool down = true; sweep_distances(p, length, down, lanes->distance); down = !down) {
    }
}

/* ---- Flow ---- */

/*
 * Floats that are not negative have the order of their bits, and negative ones have negative bits. Compilers make
 * vectors of masks of whole numbers; of choices between floats they make jumps, which take ten times as long.
 */
NP_INLINE int32_t bits_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

NP_INLINE float of_bits(int32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

NP_INLINE void weigh(const np_problem *p, const int32_t *length, float inverse, np_node u, np_lanes *lanes,
                     np_lanes_real sum)
{
    const int32_t *here = lanes->distance[u];
    for (uint32_t a = p->row[u]; a < p->row[u + 1]; a++) {
        const int32_t *next = lanes->distance[p->head[a]], l = length[a];
        float *share = lanes->share[a];
        ONE_ARC();
        EACH_LANE(i)
        {
            int32_t nearer = here[i] - next[i];
            float x = 1.0f - (float)(l - nearer) * inverse;
            int32_t bits = bits_of(x);
            bits &= -(int32_t)(nearer > 0) & -(int32_t)(bits >= bits_of(0.05f));
            x = of_bits(bits);
            x *= x;
            x *= x;
            share[i] = x;
            sum[i] += x;
        }
    }
}

static NP_HOT void find_shares(const np_problem *p, const int32_t *length, float inverse, float more, np_lanes *lanes)
{
    for (np_node u = 0; u < p->nodes; u++) {
        np_lanes_real sum = {0};
        weigh(p, length, inverse, u, lanes, sum);
        EACH_LANE(i)
        sum[i] = of_bits(bits_of(more / sum[i]) & -(int32_t)(bits_of(sum[i]) > 0));
        for (uint32_t a = p->row[u]; a < p->row[u + 1]; a++)
            EACH_LANE(i)
        lanes->share[a][i] *= sum[i];
    }
}

NP_INLINE bool pass_on(const np_problem *p, np_node u, np_lanes *lanes)
{
    np_lanes_real flow;
    int32_t any = 0;
    _Pragma("omp simd reduction(| : any)") for (int i = 0; i < NP_LANES; i++)
    {
        int32_t bits = bits_of(lanes->rest[u][i]);
        bits &= -(int32_t)(bits >= bits_of(TINY));
        flow[i] = of_bits(bits);
        any |= bits;
    }
    if (!any)
        return false;
    EACH_LANE(i)
    {
        lanes->through[u][i] += flow[i];
        lanes->rest[u][i] = 0.0f;
    }
    for (uint32_t a = p->row[u]; a < p->row[u + 1]; a++) {
        const float *share = lanes->share[a];
        float *next = lanes->rest[p->head[a]];
        ONE_ARC();
        EACH_LANE(i)
        next[i] += share[i] * flow[i];
    }
    return true;
}

static NP_HOT bool sweep_flow(const np_problem *p, bool down, np_lanes *lanes)
{
    bool any = false;
    for (np_node k = 0; k < p->nodes; k++)
        any |= pass_on(p, down ? p->nodes - 1 - k : k, lanes);
    return any;
}

/* more: units that are added for every arc. */
static NP_HOT void add_loads(const np_problem *p, double scale, int64_t more, np_lanes *lanes)
{
    for (uint32_t a = 0; a < p->arcs; a++) {
        const float *share = lanes->share[a], *through = lanes->through[p->tail[a]];
        np_lanes_real x;
        EACH_LANE(i)
        x[i] = share[i] * through[i];
        for (int half = NP_LANES / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                x[i] += x[i + half];
        lanes->load[a] += (int64_t)((double)x[0] * scale) + more;
    }
}

static void place_demands(const np_problem *p, uint32_t first, np_lanes *lanes)
{
    memset(lanes->rest, 0, p->nodes * sizeof *lanes->rest);
    memset(lanes->through, 0, p->nodes * sizeof *lanes->through);
    for (uint32_t i = 0; i < np_lanes_count(p, first); i++)
        for (size_t d = p->first[first + i]; d < p->first[first + i + 1]; d++)
            lanes->rest[p->source[d]][i] = (float)p->amount[d];
}

void np_lanes_split(const np_problem *p, const int32_t *length, int32_t theta, double scale, uint32_t first,
                    np_lanes *lanes)
{
    unsigned sweeps = 0;
    find_shares(p, length, (float)(1.0 / theta), (float)(1.0 + (p->degree + 4) * ROUNDING), lanes);
    place_demands(p, first, lanes);
    while (sweep_flow(p, sweeps % 2, lanes)) {
        sweeps++;
        for (uint32_t i = 0; i < np_lanes_count(p, first); i++) /* what has arrived */
            lanes->rest[p->target[first + i]][i] = 0.0f;
    }
    /* A lane sums up `sweeps` numbers a node, and 16 lanes make four sums more; the amounts were rounded, too. */
    double lost = (double)NP_LANES * p->nodes * (sweeps + 1) * TINY * scale;
    add_loads(p, scale * (1.0 + (sweeps + 8) * ROUNDING), (int64_t)lost + 1, lanes);
}
