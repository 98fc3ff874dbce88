/*
 * A minimum spanning forest by Boruvka's rounds (1926), with np_steps: no arrays of addresses, and one look at the
 * status.
 *
 * In a round every component chooses its lightest edge by fetch-and-min and hooks along it; then pointers jump until
 * every vertex knows its component again. Of two components that chose each other, the one with the smaller name stays.
 */
#include <inttypes.h>
#include <stdio.h>

#include <netpram/netpram.h>

enum { VERTICES = 8, EDGES = 11 };

static const np_word tail[EDGES] = {0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 5}, head[EDGES] = {1, 3, 2, 3, 4, 4, 5, 6, 6, 7, 7},
                     weight[EDGES] = {4, 7, 11, 9, 5, 6, 3, 8, 10, 2, 12};

static void forest(np_steps *steps, np_word *chosen)
{
    np_word name[VERTICES], u[EDGES], v[EDGES], at[EDGES], to[EDGES], key[EDGES], least[EDGES], left = 1;
    for (int i = 0; i < VERTICES; i++)
        name[i] = i;
    np_pram_array D = np_steps_array(steps, VERTICES, "D", name), mst = np_steps_array(steps, EDGES, "mst", NULL);
    while (left && !np_steps_status(steps)) {
        np_word none[VERTICES];
        for (int i = 0; i < VERTICES; i++)
            none[i] = INT64_MAX;
        np_pram_array best = np_steps_array(steps, VERTICES, "best", none);
        np_steps_gather(steps, D, EDGES, tail, u);
        np_steps_gather(steps, D, EDGES, head, v);
        left = 0;
        for (int e = 0; e < EDGES; e++) {
            left += u[e] != v[e];
            at[e] = u[e] == v[e] ? -1 : u[e]; /* edges within a component rest */
            to[e] = u[e] == v[e] ? -1 : v[e];
            key[e] = least[e] = weight[e] * EDGES + e;
        }
        np_steps_fetch(steps, NP_FETCH_MIN, best, EDGES, at, key);
        np_steps_fetch(steps, NP_FETCH_MIN, best, EDGES, to, least);
        np_steps_gather(steps, best, EDGES, at, key);
        np_steps_gather(steps, best, EDGES, to, least);
        for (int e = 0; e < EDGES; e++) { /* who chose the edge hooks; of two, the larger name */
            bool mine = key[e] == weight[e] * EDGES + e, yours = least[e] == weight[e] * EDGES + e;
            np_word low = u[e] < v[e] ? u[e] : v[e], high = u[e] ^ v[e] ^ low;
            at[e] = u[e] == v[e] || !(mine || yours) ? -1 : mine && yours ? high : mine ? u[e] : v[e];
            to[e] = mine && yours ? low : mine ? v[e] : u[e];
            key[e] = at[e] < 0 ? -1 : e;
            least[e] = 1;
        }
        np_steps_scatter(steps, D, EDGES, at, to);
        np_steps_scatter(steps, mst, EDGES, key, least);
        for (int jump = 1; jump < VERTICES; jump *= 2) {
            np_steps_gather(steps, D, VERTICES, NULL, name);
            np_steps_gather(steps, D, VERTICES, name, name);
            np_steps_scatter(steps, D, VERTICES, NULL, name);
        }
    }
    np_steps_get(steps, mst, chosen);
}

int main(void)
{
    np_word chosen[EDGES], sum = 0;
    np_pram_options options;
    np_pram_report report;
    np_pram *pram;
    np_steps *steps = NULL;
    np_pram_options_init(&options);
    options.machine = "butterfly:3";
    options.rule = NP_RULE_WEAK;
    if (np_pram_create(&options, &pram) || np_steps_create(pram, &steps))
        return 1;
    forest(steps, chosen);
    if (np_steps_end(steps) || np_pram_report_get(pram, &report)) {
        fprintf(stderr, "pram_forest: %s\n", np_last_error());
        return 1;
    }
    for (int e = 0; e < EDGES; e++) {
        sum += chosen[e] * weight[e];
        if (chosen[e])
            printf("%" PRId64 " - %" PRId64 ", weight %" PRId64 "\n", tail[e], head[e], weight[e]);
    }
    printf("weight %" PRId64 " in %" PRIu64 " PRAM steps, %" PRIu64 " steps of the network, %" PRIu64 " violations\n",
           sum, report.steps, report.network_steps, report.violations);
    np_pram_free(pram);
    return sum != 4 + 7 + 5 + 6 + 3 + 8 + 2 || report.violations;
}
