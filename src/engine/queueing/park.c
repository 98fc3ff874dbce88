/*
 * Overlapping phases that start at fixed times (Valiant & Brebner 1981, the end
 * of section 4): "start running Phase B for each packet either at time K log N,
 * if the packet has finished in Phase A by then, or as soon as it has finished
 * in Phase A." A scheme may have more phases than two: phase i starts at instant
 * i * phase_time.
 *
 * A packet that has ended a phase early is parked at its node. It is in no
 * queue, and its rest is no delay. At the instant of the phase first all packets
 * that have arrived enter their queues. Then all parked ones start, in an order
 * drawn from the seed: their list, by number, is shuffled as a whole, and each
 * queue is entered in the order of the list. So the order of the packets of
 * each queue is random, as section 7 wants it at the start of a phase.
 */
#include "engine/queueing/inside.h"

void np_engine_park(np_engine *engine, np_packet packet, np_node at, np_step now)
{
    engine->location[packet] = at;
    engine->parked[packet] = 1;
    engine->rested[packet] += np_engine_start_of(engine, engine->phase_of[packet] + 1U) - now;
}

/* The phase that starts at the instant reached; the first one, if none does. */
static unsigned phase_now(const np_engine *engine)
{
    np_step time = engine->options.phase_time;
    bool due = engine->parked && engine->step % time == 0 && engine->step / time < engine->plan->phases - engine->phase;
    return engine->phase + (due ? engine->step / time : 0);
}

bool np_engine_phase_starts(const np_engine *engine) { return phase_now(engine) > engine->phase; }

/* Who has just come may have ended this phase already, if the phase has no hop for it, and waits for the next one. */
void np_engine_list_released(np_engine *engine)
{
    np_draws draws = np_draws_for(engine->draws, NP_RANDOM_ORDER);
    np_packet *list = engine->released, count = 0;
    unsigned phase = phase_now(engine);
    draws.phase = (uint16_t)phase;
    for (np_packet p = 0; p < engine->packets; p++)
        if (engine->parked[p] && engine->phase_of[p] + 1U == phase) {
            engine->parked[p] = 0;
            list[count++] = p;
        }
    for (np_packet i = count; i > 1; i--) {
        np_packet j = np_random_below(&draws, 0, i, i), swap = list[i - 1];
        list[i - 1] = list[j];
        list[j] = swap;
    }
    engine->releases = count;
}

void np_engine_ticket_released(np_engine *engine, unsigned from)
{
    np_shard *shard = &engine->shard[from];
    uint64_t count = engine->releases, workers = engine->options.workers;
    np_packet base = (np_packet)(count * from / workers), last = (np_packet)(count * (from + 1) / workers);
    np_ticket ticket[NP_BATCH];
    np_port port[NP_BATCH];
    np_node at[NP_BATCH];
    while (base < last) {
        size_t some = last - base < NP_BATCH ? last - base : NP_BATCH;
        const np_packet *packet = engine->released + base;
        for (size_t i = 0; i < some; i++) {
            at[i] = engine->location[packet[i]];
            port[i] = NP_NONE; /* they are at the ends of their phase */
        }
        np_engine_start_next(engine, shard, engine->step, some, packet, at, ticket, port);
        np_engine_hand_out(engine, from, engine->step, some, packet, at, ticket, port);
        base += (np_packet)some;
    }
}
