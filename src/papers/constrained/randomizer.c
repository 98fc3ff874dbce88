/*
 * The Randomizer (Ranade 1987a, sections 2.1 and 6). In each cycle every switch
 * draws a bit and routes its two messages straight or exchanged. One set enters in
 * each cycle, the most urgent set first. No message ever waits inside, because the
 * two messages of a switch leave by different outputs. A message out of turn would
 * find its line taken; this is checked. The cycles are counted, not computed: the
 * movement ends when the last message is out, after n + x - 1 cycles.
 *
 * line[i][p] is the message at input p of stage i; stages count from 0. At switch s
 * with bit b, the message of input p = 2s + h leaves by output 2s + (h xor b). This
 * output is wired to input left(output) of the next stage.
 */
#include "papers/constrained/constrained.h"

#include "base/hot.h"
#include "base/memory.h"
#include "base/watch.h"
#include "model/family/omega.h"

typedef struct randomizer {
    const np_network *omega;
    const np_message_sets *sets;
    np_draws draws;
    np_packet *line;    /* [stages][terminals] NP_NONE: no message */
    np_packet *waiting; /* [sets][terminals] the message of a set that a terminal sends */
    uint32_t *crossed;  /* [links] messages over a link */
    uint32_t *reached, *delay;
    np_step cycle;
    np_packet arrived;
    uint64_t hops;
    bool met;          /* two messages were on one line */
    np_hop_list *list; /* NULL: nobody wants the hops */
} randomizer;

static np_status init(randomizer *r)
{
    uint32_t stages = r->omega->dimensions, terminals = r->sets->terminals;
    size_t lines = (size_t)stages * terminals;
    np_status st;
    if ((st = np_memory_array(&r->line, lines, sizeof *r->line, "the lines of the Randomizer")) ||
        (st = np_memory_array(&r->waiting, r->sets->messages, sizeof *r->waiting, "the sources of the Randomizer")) ||
        (st = np_memory_zeroed(&r->crossed, lines, sizeof *r->crossed, "the links of the Randomizer")))
        return st;
    for (size_t i = 0; i < lines; i++)
        r->line[i] = NP_NONE;
    for (np_packet m = 0; m < r->sets->messages; m++)
        r->waiting[(size_t)r->sets->set[m] * terminals + r->sets->source[m]] = m;
    return NP_OK;
}

static void clear(randomizer *r) { NP_MEMORY_FREE(r->line, r->waiting, r->crossed); }

static void put(randomizer *r, uint32_t stage, uint32_t input, np_packet message)
{
    np_packet *line = &r->line[(size_t)stage * r->sets->terminals + input];
    r->met |= *line != NP_NONE;
    *line = message;
}

/* The next set enters. */
static void send(randomizer *r)
{
    if (r->cycle >= r->sets->sets)
        return;
    uint32_t set = r->sets->sets - 1 - r->cycle;
    for (uint32_t terminal = 0; terminal < r->sets->terminals; terminal++) {
        np_packet m = r->waiting[(size_t)set * r->sets->terminals + terminal];
        r->delay[m] = r->cycle;
        put(r, 0, np_omega_left(r->omega, terminal), m);
    }
}

/* Output q of a stage is link stage * 2^n + q (model/family/omega.c). listed: somebody wants the hops. */
NP_INLINE void move(randomizer *r, uint32_t stage, uint32_t output, np_packet message, bool listed)
{
    np_link link = stage * r->sets->terminals + output;
    r->crossed[link]++;
    r->hops++;
    if (listed)
        np_hop_list_add(r->list, r->cycle + 1, message, link);
    if (stage + 1 < r->omega->dimensions) {
        put(r, stage + 1, np_omega_left(r->omega, output), message);
        return;
    }
    r->reached[message] = output;
    r->arrived++;
}

/* Moves both messages of each switch to its outputs. All messages of one cycle and stage are of one set. */
NP_INLINE void cross(randomizer *r, uint32_t stage, bool listed)
{
    uint32_t terminals = r->sets->terminals, half = terminals / 2;
    np_packet *line = r->line + (size_t)stage * terminals;
    for (uint32_t s = 0; s < half; s++) {
        np_packet some = line[2 * s] != NP_NONE ? line[2 * s] : line[2 * s + 1];
        if (some == NP_NONE)
            continue;
        uint32_t bit = np_randomizer_bit(&r->draws, stage * half + s, r->sets->set[some]);
        for (uint32_t h = 0; h < 2; h++)
            if (line[2 * s + h] != NP_NONE) {
                np_packet m = line[2 * s + h];
                line[2 * s + h] = NP_NONE;
                move(r, stage, 2 * s + (h ^ bit), m, listed);
            }
    }
}

/* The last stage first, because it makes room. */
NP_INLINE void cross_all(randomizer *r, bool listed)
{
    for (uint32_t stage = r->omega->dimensions; stage-- > 0;)
        cross(r, stage, listed);
}

static void collect(const randomizer *r, np_phase_run *out)
{
    size_t links = (size_t)r->omega->dimensions * r->sets->terminals;
    *out = (np_phase_run){.packets = r->sets->messages, .steps = r->cycle, .hops = r->hops, .queue_max = 1};
    out->population_max = 2 * r->sets->sets; /* what the two terminals of a switch hold first; later at most x + 2 */
    for (size_t i = 0; i < links; i++)
        out->congestion = r->crossed[i] > out->congestion ? r->crossed[i] : out->congestion;
    for (np_packet m = 0; m < r->sets->messages; m++) {
        out->delay_sum += r->delay[m];
        out->delay_max = r->delay[m] > out->delay_max ? r->delay[m] : out->delay_max;
    }
}

np_status np_randomizer_run(const np_network *omega, const np_message_sets *sets, np_draws draws, uint32_t *reached,
                            uint32_t *delay, np_hop_list *hops, const np_watch *watch, np_phase_run *out)
{
    randomizer r = {.omega = omega,
                    .sets = sets,
                    .draws = np_draws_for(draws, NP_RANDOM_SWITCH),
                    .reached = reached,
                    .delay = delay,
                    .list = hops};
    np_step cycles = omega->dimensions + sets->sets - 1;
    np_status st = init(&r);
    while (!st && r.arrived < sets->messages) {
        send(&r);
        if (hops)
            cross_all(&r, true);
        else
            cross_all(&r, false);
        r.cycle++;
        if (r.met)
            st = NP_RAISE(NP_ERROR_INTERNAL, "two messages on one line of the Randomizer in cycle %u", r.cycle);
        else
            st = np_watch_share(watch, NULL, r.cycle < cycles ? (double)r.cycle / cycles : 1);
    }
    if (!st)
        collect(&r, out);
    clear(&r);
    return st;
}
