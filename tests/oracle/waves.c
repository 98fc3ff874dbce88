/*
 * The rules, where papers/waves/waves.h leaves a choice:
 *
 *   - queues of a node: the initial queue, then the queues of the edges in, ascending;
 *     the initial queue is by wave, then by number in the path set;
 *   - tokens that are owed go over edges in ascending order; no measure depends on it;
 *   - the turn begins at the initial queue, and goes on behind the queue that
 *     was served; a step without service leaves the turn where it is;
 *   - an edge carries one thing a step, a token or a packet.
 */
#include "oracle/must.h"
#include "oracle/waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN UINT32_MAX

typedef struct line {
    uint32_t *item; /* [count] in order */
    uint32_t count, room;
    uint32_t before; /* count at the beginning of the step */
    bool left;       /* something has left in the step */
    bool entered;    /* something has entered in the step */
    bool owed;       /* edge queues only: a token is still owed to it */
} line;

typedef struct world {
    const oracle_merging_case *c;
    line *queue;      /* [edges + nodes]: edge queues, then initial queues */
    uint32_t *wave;   /* [nodes] the wave on which a node works */
    uint32_t *turn;   /* [nodes] */
    uint32_t *hop;    /* [packets] edges crossed */
    uint32_t *at;     /* [packets] node */
    uint8_t *crossed; /* [edges] in this step */
    uint32_t waves, alive;
    np_step now;
    uint32_t moves; /* moves in this step */
    oracle_waves *out;
} world;

static void add(line *queue, uint32_t item)
{
    if (queue->count == queue->room) {
        queue->room = 2 * queue->room + 4;
        queue->item = must(realloc(queue->item, queue->room * sizeof item));
    }
    queue->item[queue->count++] = item;
}

static void drop_first(world *w, line *queue)
{
    queue->count--;
    queue->left = true;
    memmove(queue->item, queue->item + 1, queue->count * sizeof *queue->item);
    w->moves++;
}

/* The k-th queue of node v, NULL past the last. */
static line *queue_of(const world *w, uint32_t v, uint32_t k)
{
    if (!k)
        return &w->queue[w->c->edges + v];
    for (uint32_t e = 0; e < w->c->edges; e++)
        if (w->c->head[e] == v && --k == 0)
            return &w->queue[e];
    return NULL;
}

/* The k-th edge out of node v, NP_NONE past the last. */
static uint32_t edge_out(const world *w, uint32_t v, uint32_t k)
{
    for (uint32_t e = 0; e < w->c->edges; e++)
        if (w->c->tail[e] == v && k-- == 0)
            return e;
    return NP_NONE;
}

static bool has_room(const world *w, const line *queue)
{
    if (queue->entered)
        return false;
    bool freed = w->c->room == NP_ROOM_FREED && queue->left;
    return queue->before - freed < w->c->queue_size;
}

static void enter(world *w, line *queue, uint32_t item)
{
    add(queue, item);
    queue->entered = true;
    w->crossed[queue - w->queue] = item == TOKEN ? ORACLE_SIGNAL : ORACLE_PACKET;
    w->moves++;
}

/* Sends the tokens that can go. Returns whether tokens are still owed afterwards. */
static bool send_tokens(world *w, uint32_t v)
{
    bool owes = false;
    uint32_t e;
    for (uint32_t k = 0; (e = edge_out(w, v, k)) != NP_NONE; k++) {
        line *queue = &w->queue[e];
        if (queue->owed && has_room(w, queue)) {
            queue->owed = false;
            w->out->run.tokens++;
            enter(w, queue, TOKEN);
        }
        owes = owes || queue->owed;
    }
    return owes;
}

static bool all_tokens(const world *w, uint32_t v)
{
    line *queue;
    for (uint32_t k = 0; (queue = queue_of(w, v, k)); k++)
        if (!queue->count || queue->item[0] != TOKEN)
            return false;
    return true;
}

static void next_wave(world *w, uint32_t v)
{
    line *queue;
    uint32_t e;
    for (uint32_t k = 0; (queue = queue_of(w, v, k)); k++)
        drop_first(w, queue);
    for (uint32_t k = 0; (e = edge_out(w, v, k)) != NP_NONE; k++)
        w->queue[e].owed = true;
    w->wave[v]++;
    send_tokens(w, v);
}

/* Moves or consumes the packet, if it can go. */
static bool try_packet(world *w, uint32_t v, uint32_t packet)
{
    const oracle_merging_case *c = w->c;
    np_phase_run *run = &w->out->run;
    size_t k = c->begin[packet] + w->hop[packet];
    if (k == c->begin[packet + 1]) {
        uint32_t delay = w->out->delay[packet] = w->now - w->hop[packet];
        run->delay_sum += delay;
        run->delay_max = delay > run->delay_max ? delay : run->delay_max;
        w->alive--;
        return true;
    }
    uint32_t e = edge_out(w, v, c->port[k]);
    if (w->queue[e].owed || !has_room(w, &w->queue[e]))
        return false;
    enter(w, &w->queue[e], packet);
    w->hop[packet]++;
    w->at[packet] = c->head[e];
    run->hops++;
    return true;
}

static void serve(world *w, uint32_t v)
{
    uint32_t queues = 0;
    while (queue_of(w, v, queues))
        queues++;
    for (uint32_t i = 0; i < queues; i++) {
        uint32_t k = (w->turn[v] + i) % queues;
        line *queue = queue_of(w, v, k);
        if (queue->count && queue->item[0] != TOKEN && try_packet(w, v, queue->item[0])) {
            drop_first(w, queue);
            w->turn[v] = (k + 1) % queues;
            return;
        }
    }
}

static void step_node(world *w, uint32_t v)
{
    bool owes = send_tokens(w, v);
    if (w->wave[v] == w->waves)
        return;
    if (!owes && all_tokens(w, v))
        next_wave(w, v);
    else
        serve(w, v);
}

static void note(world *w)
{
    const oracle_merging_case *c = w->c;
    np_phase_run *run = &w->out->run;
    uint32_t *count = zeroed(c->host_nodes, sizeof *count);
    for (uint32_t i = 0; i < c->packets; i++)
        if (++count[c->host[w->at[i]]] > run->population_max)
            run->population_max = count[c->host[w->at[i]]];
    free(count);
    for (uint32_t e = 0; e < c->edges; e++) {
        uint32_t packets = 0, held = w->queue[e].count;
        for (uint32_t i = 0; i < held; i++)
            packets += w->queue[e].item[i] != TOKEN;
        run->queue_max = packets > run->queue_max ? packets : run->queue_max;
        w->out->held_max = held > w->out->held_max ? held : w->out->held_max;
    }
    run->queue_real_max = run->queue_max;
}

static void step(world *w)
{
    w->moves = 0;
    memset(w->crossed, ORACLE_NOTHING, w->c->edges);
    for (uint32_t i = 0; i < w->c->edges + w->c->nodes; i++) {
        w->queue[i].before = w->queue[i].count;
        w->queue[i].left = w->queue[i].entered = false;
    }
    for (uint32_t level = w->c->depth + 1; level-- > 0;)
        for (uint32_t v = 0; v < w->c->nodes; v++)
            if (w->c->level[v] == level)
                step_node(w, v);
    w->now++;
    w->out->run.physical_steps += oracle_physical_step(w->c, w->crossed, ORACLE_SIGNAL);
    note(w);
}

static void begin(world *w, const uint32_t *wave)
{
    const oracle_merging_case *c = w->c;
    for (uint32_t k = 0; k < w->waves; k++) {
        for (uint32_t i = 0; i < c->packets; i++)
            if (wave[i] == k)
                add(queue_of(w, c->origin[i], 0), i);
        for (uint32_t v = 0; v < c->nodes; v++)
            add(queue_of(w, v, 0), TOKEN);
    }
    for (uint32_t i = 0; i < c->packets; i++)
        w->at[i] = c->origin[i];
    w->alive = c->packets;
    note(w);
}

static void measure_congestion(world *w)
{
    const oracle_merging_case *c = w->c;
    uint32_t *crossing = zeroed(c->edges, sizeof *crossing), most = 0;
    for (uint32_t i = 0; i < c->packets; i++) {
        uint32_t v = c->origin[i];
        for (size_t k = c->begin[i]; k < c->begin[i + 1]; k++) {
            uint32_t e = edge_out(w, v, c->port[k]);
            most = ++crossing[e] > most ? crossing[e] : most;
            v = c->head[e];
        }
    }
    w->out->run.congestion = w->out->run.congestion_destinations = most;
    free(crossing);
}

oracle_waves *oracle_waves_run(const oracle_merging_case *c, const uint32_t *wave, uint32_t waves)
{
    world w = {.c = c, .waves = waves};
    w.out = zeroed(1, sizeof *w.out);
    w.out->delay = zeroed(c->packets, sizeof *w.out->delay);
    w.queue = zeroed(c->edges + c->nodes, sizeof *w.queue);
    w.wave = zeroed(c->nodes, sizeof *w.wave);
    w.turn = zeroed(c->nodes, sizeof *w.turn);
    w.hop = zeroed(c->packets, sizeof *w.hop);
    w.at = zeroed(c->packets, sizeof *w.at);
    w.crossed = zeroed(c->edges, sizeof *w.crossed);
    begin(&w, wave);
    while (w.alive && !w.out->stuck) {
        step(&w);
        w.out->stuck = !w.moves;
    }
    measure_congestion(&w);
    w.out->run.packets = c->packets;
    w.out->run.levels = c->depth;
    w.out->run.steps = w.now;
    w.out->run.node_steps = (uint64_t)w.now * c->nodes;
    for (uint32_t i = 0; i < c->edges + c->nodes; i++)
        free(w.queue[i].item);
    free(w.queue);
    free(w.wave);
    free(w.turn);
    free(w.hop);
    free(w.at);
    free(w.crossed);
    return w.out;
}

void oracle_waves_free(oracle_waves *result)
{
    free(result->delay);
    free(result);
}
