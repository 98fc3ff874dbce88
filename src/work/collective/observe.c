/*
 * See observe.h. What a packet is depends on what becomes of pieces.
 *
 *   moved     a piece is one packet, from its source to its destination
 *   copied    the pieces as they are in the beginning are packets. So is every transfer: it splits from the packet by
 *             which its sender has the piece, crosses one link, and stays
 *   combined  what a node has of a piece in the beginning is a packet. It goes to another node, and becomes a part of
 *             the packet that is there
 *
 * The transfers of one message cross its link one after the other.
 */
#include "work/collective/executor.h"

#include "base/memory.h"

void np_collective_log_clear(np_collective_log *log)
{
    NP_MEMORY_FREE(log->at, log->of, log->into, log->end, log->holds);
    np_hop_list_clear(&log->hops);
}

static const char told[] = "the packets that are told";

static bool moves(const np_collective_log *log) { return np_collective_moves(log->job->ops->kind); }
static bool combines(const np_collective_log *log) { return log->job->ops->kind == NP_REDUCE; }

/* Makes room for one more packet, and numbers it. */
static np_status add(np_collective_log *log, np_node at, np_packet of)
{
    if (log->packets == log->room) {
        size_t room = log->room ? 2 * log->room : 1024;
        np_status st;
        if (room >= NP_NONE)
            return NP_RAISE(NP_ERROR_LIMIT, "%s: 2^31 packets and more are not observed: take a smaller network",
                            np_network_spec(log->job->network));
        uint32_t **more = moves(log) ? &log->end : combines(log) ? &log->into : &log->of;
        if ((st = np_memory_grow(&log->at, log->packets, room, sizeof *log->at, told)) ||
            (st = np_memory_grow(more, log->packets, room, sizeof **more, told)))
            return st;
        log->room = room;
    }
    log->at[log->packets] = at;
    if (log->of)
        log->of[log->packets] = of;
    if (log->into)
        log->into[log->packets] = NP_NONE;
    log->packets++;
    return NP_OK;
}

/* Pieces of all-to-all from a node to itself are no packets. */
static np_status add_moving(np_collective_log *log)
{
    const np_collective_job *job = log->job;
    np_status st = NP_OK;
    for (uint32_t piece = 0; piece < job->pieces && !st; piece++) {
        np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
        if (!(st = add(log, !job->traffic && from == to ? NP_NONE : from, NP_NONE)))
            log->end[piece] = to;
    }
    return st;
}

static np_status add_held(np_collective_log *log)
{
    const np_collective_job *job = log->job;
    size_t cells = job->network->nodes * job->pieces;
    np_status st = np_memory_array(&log->holds, cells, sizeof *log->holds, told);
    for (size_t i = 0; i < cells && !st; i++) {
        np_node u = (np_node)(i / job->pieces);
        uint32_t piece = (uint32_t)(i % job->pieces);
        bool has = combines(log) || u == (job->ops->kind == NP_BROADCAST ? job->options.root : piece);
        log->holds[i] = has ? log->packets : NP_NONE;
        if (has)
            st = add(log, u, NP_NONE);
    }
    return st;
}

np_status np_collective_log_begin(np_collective_log *log) { return moves(log) ? add_moving(log) : add_held(log); }

static np_packet *held(const np_collective_log *log, np_node u, uint32_t piece)
{
    return &log->holds[log->job->pieces * u + piece];
}

/* The packet that carries a transfer: it leaves its sender. */
static np_status leave(np_collective_log *log, np_node from, uint32_t piece, np_packet *out)
{
    *out = moves(log) ? piece : log->packets;
    if (moves(log))
        return NP_OK;
    np_packet *there = held(log, from, piece);
    if (!combines(log))
        return add(log, NP_NONE, *there);
    *out = *there;
    *there = NP_NONE;
    return NP_OK;
}

/* A packet comes to a node. */
static void arrive(np_collective_log *log, np_node to, uint32_t piece, np_packet packet)
{
    np_packet *there = held(log, to, piece);
    if (*there == NP_NONE)
        *there = packet;
    else if (combines(log))
        log->into[packet] = *there;
}

np_status np_collective_log_round(np_collective_log *log, const np_executor *executor, const np_round *round)
{
    size_t first = log->hops.count;
    np_status st;
    for (size_t i = 0, behind = 0; i < round->count; i++) {
        np_packet packet;
        behind = i && round->link[i] == round->link[i - 1] ? behind + 1 : 0;
        if ((st = leave(log, executor->tail[i], round->piece[i], &packet)))
            return st;
        np_hop_list_add(&log->hops, (np_step)(log->steps + behind + 1), packet, round->link[i]);
        if (log->hops.status)
            return log->hops.status;
    }
    for (size_t i = 0; i < round->count && !moves(log); i++)
        arrive(log, executor->head[i], round->piece[i], log->hops.hop[first + i].packet);
    log->steps = executor->steps;
    return NP_OK;
}

np_status np_collective_log_tell(const np_collective_log *log)
{
    const np_collective_job *job = log->job;
    const np_event_phase phase = {.name = job->ops->info.operation,
                                  .network = job->network,
                                  .packets = log->packets,
                                  .runs = 1,
                                  .phases = 1,
                                  .hops = log->hops.count};
    const np_hop_ends ends = {.at = log->at, .end = log->end, .of = log->of, .into = log->into};
    const np_phase_run run = {.packets = log->packets, .steps = (np_step)log->steps, .hops = log->hops.count};
    return np_hop_list_tell(&log->hops, job->options.observer, &phase, &ends, &run);
}
