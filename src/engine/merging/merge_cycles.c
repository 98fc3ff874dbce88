/*
 * Message cycles, packet by packet (Leighton, Maggs, Ranade & Rao 1994, proof of Theorem 2.12: "organizing the
 * operation of the network into message cycles each consisting of m steps"). The engine makes one step of each cycle;
 * here the m steps are played: in the k-th of them every message that goes in the cycle and has k packets or more sends
 * its k-th one over its edge, or has it consumed. Ghosts and ends of streams go in the first. So the report has what
 * was executed beside m times the cycles.
 */
#include "engine/merging/merge_inside.h"

void np_merge_go_in_cycle(np_merge *merge, np_packet packet, uint32_t edge)
{
    merge->going[merge->goings++] = (np_merge_going){edge, merge->in_cycle[packet]};
}

/* The k-th packets; returns how many there are. */
static uint32_t send_packets(np_merge *merge, uint32_t k)
{
    uint32_t sent = 0;
    for (uint32_t i = 0; i < merge->goings; i++) {
        const np_merge_going *going = &merge->going[i];
        if (going->length < k)
            continue;
        sent++;
        if (going->edge == NP_NONE)
            continue;
        merge->out->packet_hops++;
        if (merge->options.physical)
            np_physical_packet(&merge->physical, going->edge);
    }
    return sent;
}

void np_merge_play_cycle(np_merge *merge)
{
    for (uint32_t k = 1; k <= merge->cycle; k++) {
        if (send_packets(merge, k))
            merge->out->packet_steps = merge->now * merge->cycle + k;
        if (merge->options.physical)
            np_physical_step(&merge->physical);
    }
    merge->goings = 0;
}
