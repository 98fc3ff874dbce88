/*
 * Runs are kept in one array. Runs that are used up are in a list, from which new runs are taken.
 *
 * There are never more runs than classes. Look at the packets of a track for one node y. A class is a queue, and a node
 * sends its own packets for y before those that came to it. So all packets of one origin stay in their order, packets
 * of a nearer origin are before them, and the packets of one origin at one node are one run. Of the origins at a node,
 * only the nearest and the farthest have packets elsewhere too. So there are at most as many runs for y as origins and
 * nodes on the way, together: below 2 y on a line, below `side` on a ring. Over all y these are less than side^2.
 */
#include "papers/grids/grid_lines.h"

#include <assert.h>
#include <string.h>

/* Our choice: the rounds of a track that are made at once are a multiple of 2 and 3 turns; 32 MB. */
enum { TURNS = 6, ROUNDS_MAX = 30, MADE_MAX = 1 << 22 };
enum { TOGETHER = 16 }; /* our choice: packets whose places are found side by side */

/* queue = 2 axis nodes + up nodes + line side + x. */
static void number_queues(np_grid_lines *l, const np_collective_job *job)
{
    const np_axes *axes = l->axes;
    for (uint32_t axis = 0; axis < axes->count; axis++) {
        uint32_t side = axes->side[axis], stride = axes->stride[axis];
        for (np_node u = 0; u < l->nodes; u++) {
            uint32_t x = u / stride % side, line = u / stride / side * stride + u % stride;
            uint32_t queue = l->queue_of[axis * l->nodes + u] = 2 * axis * l->nodes + line * side + x;
            np_link first = u * job->network->ports;
            l->link[queue] = axes->wrap || x ? first + np_axes_port(axes, axis, false) : NP_NONE;
            l->link[queue + l->nodes] = axes->wrap || x + 1 < side ? first + np_axes_port(axes, axis, true) : NP_NONE;
        }
    }
}

/* The sizes of all arrays. */
static void size_lines(np_grid_lines *l, const np_collective_job *job)
{
    size_t nodes = job->network->nodes, classes = 0;
    l->axes = &job->axes;
    l->nodes = (uint32_t)nodes;
    l->queues = (uint32_t)nodes * 2 * job->axes.count;
    l->longest = 0;
    for (uint32_t i = 0; i < job->axes.count; i++) {
        classes += 2 * nodes * job->axes.side[i];
        l->longest = job->axes.side[i] > l->longest ? job->axes.side[i] : l->longest;
    }
    l->words = (l->longest + 63) / 64;
    l->pieces = job->pieces;
    l->runs = (uint32_t)(job->pieces < classes ? job->pieces : classes);
    l->rounds = MADE_MAX / l->queues > ROUNDS_MAX ? ROUNDS_MAX : MADE_MAX / l->queues / TURNS * TURNS;
    l->rounds = l->rounds ? l->rounds : TURNS;
}

void np_grid_lines_layout(np_grid_lines *lines, const np_collective_job *job, np_arena *arena)
{
    np_grid_lines *l = lines;
    size_lines(l, job);
    size_t queues = l->queues, made = queues * l->rounds;
    np_arena_array(arena, &l->run, l->runs, sizeof *l->run, "packets in a row");
    np_arena_array(arena, &l->queue_of, (size_t)l->nodes * l->axes->count, sizeof *l->queue_of, "the nodes' queues");
    np_arena_array(arena, &l->link, queues, sizeof *l->link, "the queues' links");
    np_arena_zeroed(arena, &l->of, queues * l->longest, sizeof *l->of, "the queues' classes");
    np_arena_zeroed(arena, &l->busy, queues * l->words, sizeof *l->busy, "the queues' bitmaps");
    np_arena_array(arena, &l->order, l->pieces, sizeof *l->order, "the packets' order");
    np_arena_array(arena, &l->move, l->longest, sizeof *l->move, "a round");
    np_arena_array(arena, &l->top, l->longest, sizeof *l->top, "a round");
    np_arena_zeroed(arena, &l->left, queues, sizeof *l->left, "the queues' packets");
    np_arena_zeroed(arena, &l->count, l->rounds, sizeof *l->count, "some rounds");
    np_arena_array(arena, &l->made_link, made, sizeof *l->made_link, "some rounds' links");
    np_arena_array(arena, &l->made_piece, made, sizeof *l->made_piece, "some rounds' packets");
}

void np_grid_lines_fill(np_grid_lines *lines, const np_collective_job *job)
{
    np_grid_lines *l = lines;
    l->next = l->rounds;
    l->free = NP_NONE;
    for (uint32_t i = l->runs; i--;) {
        l->run[i].next = l->free;
        l->free = i;
    }
    number_queues(l, job);
}

static uint32_t take_run(np_grid_lines *l)
{
    uint32_t run = l->free;
    assert(run != NP_NONE); /* the head of this file */
    l->free = l->run[run].next;
    return run;
}

/* A line of an axis, one way: its queues begin at `first`. */
typedef struct track {
    uint32_t first, side;
    bool up, wrap;
    np_grid_class *of; /* [y][x] */
} track;

static track track_at(const np_grid_lines *l, uint32_t axis, bool up, uint32_t line)
{
    uint32_t side = l->axes->side[axis], first = (2 * axis + up) * l->nodes + line * side;
    return (track){first, side, up, l->axes->wrap, l->of + (size_t)first * l->longest};
}

static uint32_t hops_between(const track *t, uint32_t x, uint32_t y)
{
    uint32_t hops = t->up ? y - x : x - y; /* modulo 2^32 */
    return hops < t->side ? hops : hops + t->side;
}

static uint64_t *busy_word(np_grid_lines *l, const track *t, uint32_t x, uint32_t hops)
{
    return &l->busy[(size_t)(t->first + x) * l->words + hops / 64];
}

/* Adds a run of no packets, which begins at `place`, as the last run of its class. */
static void add_run(np_grid_lines *l, const track *t, uint32_t x, uint32_t hops, uint32_t y, uint32_t place)
{
    np_grid_class *class = &t->of[y * t->side + x];
    uint64_t *busy = busy_word(l, t, x, hops), bit = UINT64_C(1) << hops % 64;
    uint32_t run = take_run(l);
    l->run[run] = (np_grid_run){place, place, NP_NONE};
    if (*busy & bit)
        l->run[class->last].next = run;
    else
        class->first = run;
    class->last = run;
    *busy |= bit;
}

/* The hops of the packets at x that have most hops to go; 0: there are no packets. */
static uint32_t top_of(np_grid_lines *l, const track *t, uint32_t x)
{
    const uint64_t *busy = busy_word(l, t, x, 0);
    for (uint32_t i = l->words; i--;)
        if (busy[i])
            return 64 * i + 63 - (uint32_t)__builtin_clzll(busy[i]);
    return 0;
}

/* The run of the packets at x with most hops to go, which find_run looks at once it is in the cache. False: there is
 * none. */
static bool look(np_grid_lines *l, const track *t, uint32_t x, np_grid_move *out)
{
    uint32_t hops = top_of(l, t, x), y = t->up ? x + hops : x + t->side - hops;
    l->top[x] = hops;
    if (!hops)
        return false;
    y = y < t->side ? y : y - t->side;
    *out = (np_grid_move){.x = x, .hops = hops, .y = y, .run = t->of[y * t->side + x].first};
    __builtin_prefetch(&l->run[out->run]);
    return true;
}

/* The first of these packets, and how many packets its run has. */
static void find_run(np_grid_lines *l, np_grid_move *move)
{
    const np_grid_run *run = &l->run[move->run];
    move->place = run->first;
    move->length = run->end - run->first;
    __builtin_prefetch(&l->order[move->place]);
}

/* `packets` packets leave, not more than their run has. */
static void pop(np_grid_lines *l, const track *t, const np_grid_move *move, uint32_t packets)
{
    np_grid_class *class = &t->of[move->y * t->side + move->x];
    uint32_t used = move->run;
    np_grid_run *run = &l->run[used];
    run->first += packets;
    if (run->first < run->end)
        return;
    if (used == class->last)
        *busy_word(l, t, move->x, move->hops) &= ~(UINT64_C(1) << move->hops % 64);
    class->first = run->next;
    run->next = l->free;
    l->free = used;
}

static uint32_t next_of(const track *t, uint32_t x)
{
    return t->up ? (x + 1 < t->side ? x + 1 : 0) : (x ? x : t->side) - 1;
}

/* The packets arrive at the next node, with one hop less to go, nearly always behind packets that came before them. */
static void push(np_grid_lines *l, const track *t, const np_grid_move *move, uint32_t packets)
{
    uint32_t hops = move->hops - 1, x = next_of(t, move->x);
    const np_grid_class *class = &t->of[move->y * t->side + x];
    bool busy = *busy_word(l, t, x, hops) >> hops % 64 & 1;
    if (!hops) {
        l->left[t->first] -= packets;
        return;
    }
    if (!busy || l->run[class->last].end != move->place)
        add_run(l, t, x, hops, move->y, move->place);
    l->run[class->last].end += packets;
}

/* The class in which a packet sets out; NULL if it stays. */
static np_grid_class *origin(const np_grid_lines *l, const np_collective_job *job, const np_grid_map *map,
                             uint32_t phase, uint32_t piece)
{
    np_grid_leg leg;
    np_grid_leg_of(map, phase, np_collective_source(job, piece), np_collective_destination(job, piece), &leg);
    if (!leg.hops)
        return NULL;
    uint32_t first = l->queue_of[leg.axis * l->nodes + leg.node] - leg.x + (leg.up ? l->nodes : 0);
    return l->of + (size_t)first * l->longest + leg.y * l->axes->side[leg.axis] + leg.x;
}

/* Puts some packets in their places. Each place is found by way of its class and its run, in three accesses to memory
   that depend on one another; so those of all packets are made side by side. */
static void put(np_grid_lines *l, const np_collective_job *job, const np_grid_map *map, uint32_t phase, uint32_t first,
                uint32_t packets)
{
    np_grid_class *of[TOGETHER];
    np_grid_run *run[TOGETHER];
    uint32_t piece[TOGETHER], count = 0;
    for (uint32_t i = 0; i < packets; i++)
        if ((of[count] = origin(l, job, map, phase, first + i))) {
            __builtin_prefetch(of[count]);
            piece[count++] = first + i;
        }
    for (uint32_t i = 0; i < count; i++) {
        run[i] = &l->run[of[i]->last];
        __builtin_prefetch(run[i], 1);
    }
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&l->order[run[i]->end], 1);
    for (uint32_t i = 0; i < count; i++)
        l->order[run[i]->end++] = piece[i];
}

/* The packets that were counted into the classes of a track become runs, one after the other. */
static void begin_track(np_grid_lines *l, const track *t, uint32_t *places)
{
    uint32_t before = *places;
    for (uint32_t y = 0; y < t->side; y++)
        for (uint32_t x = 0; x < t->side; x++) {
            uint32_t count = t->of[y * t->side + x].first;
            if (count)
                add_run(l, t, x, hops_between(t, x, y), y, *places);
            *places += count;
        }
    l->left[t->first] = *places - before;
}

/* Counts the packets into classes, makes a run for each class, and then puts the packets in their places. */
void np_grid_lines_load(np_grid_lines *lines, const np_collective_job *job, const np_grid_map *map, uint32_t phase)
{
    np_grid_lines *l = lines;
    np_grid_class *class;
    uint32_t places = 0;
    bool one = map->colours == 1;
    l->first_axis = one ? map->style == NP_GRID_SWEEPS ? phase / 2 : phase : 0;
    l->end_axis = one ? l->first_axis + 1 : l->axes->count;
    for (uint32_t axis = l->first_axis; axis < l->end_axis; axis++)
        memset(track_at(l, axis, false, 0).of, 0, 2 * (size_t)l->nodes * l->longest * sizeof *l->of);
    for (uint32_t piece = 0; piece < job->pieces; piece++)
        if ((class = origin(l, job, map, phase, piece)))
            class->first++;
    for (uint32_t axis = l->first_axis; axis < l->end_axis; axis++)
        for (int up = 0; up < 2; up++)
            for (uint32_t line = 0; line < l->nodes / l->axes->side[axis]; line++) {
                track t = track_at(l, axis, up, line);
                begin_track(l, &t, &places);
            }
    for (uint32_t piece = 0, some; piece < job->pieces; piece += some) {
        some = job->pieces - piece < TOGETHER ? (uint32_t)job->pieces - piece : TOGETHER;
        put(l, job, map, phase, piece, some);
    }
    l->all_left = places;
}

/* The turn of the link from x; the lower end of the link decides it. */
static uint32_t turn_of(const track *t, uint32_t x)
{
    uint32_t low = t->up ? x : x ? x - 1 : t->side - 1;
    return t->wrap && t->side % 2 && low + 1 == t->side ? 2 : low % 2;
}

/* Finds what all nodes of the track send in a round, and returns how many packets they are. *same = for how many rounds
   at most the same runs are sent: until a run ends, or packets arrive that have farther to go than those that a node
   sends. */
static uint32_t look_at_all(np_grid_lines *l, const track *t, uint32_t turn, uint32_t *same)
{
    uint32_t count = 0;
    for (uint32_t x = 0; x < t->side; x++)
        if ((turn == NP_NONE || turn_of(t, x) == turn) && look(l, t, x, &l->move[count]))
            count++;
    for (uint32_t i = 0; i < count; i++)
        find_run(l, &l->move[i]);
    for (uint32_t i = 0; *same > 1 && i < count; i++) {
        const np_grid_move *move = &l->move[i];
        uint32_t most = l->top[next_of(t, move->x)] < move->hops - 1 ? 1 : move->length;
        *same = most < *same ? most : *same;
    }
    return count;
}

/* Writes `rounds` rounds, behind the transfers of the tracks before. */
static void write_rounds(np_grid_lines *l, const track *t, uint32_t round, uint32_t rounds, uint32_t count)
{
    for (uint32_t later = 0; later < rounds; later++) {
        size_t first = (size_t)(round + later) * l->queues + l->count[round + later];
        np_link *link = l->made_link + first;
        uint32_t *piece = l->made_piece + first;
        for (uint32_t i = 0; i < count; i++) {
            link[i] = l->link[t->first + l->move[i].x];
            piece[i] = l->order[l->move[i].place + later];
        }
        l->count[round + later] += count;
    }
}

/* Makes all rounds that are kept, for one track. */
static void run_track(np_grid_lines *l, const track *t, bool calls)
{
    uint32_t turns = t->wrap && t->side % 2 ? 3 : 2, same;
    for (uint32_t round = 0; round < l->rounds && l->left[t->first]; round += same) {
        same = calls ? 1 : l->rounds - round;
        uint32_t count = look_at_all(l, t, calls ? round % turns : NP_NONE, &same);
        write_rounds(l, t, round, same, count);
        for (uint32_t i = 0; i < count; i++)
            pop(l, t, &l->move[i], same);
        for (uint32_t i = 0; i < count; i++)
            push(l, t, &l->move[i], same);
    }
    l->all_left += l->left[t->first];
}

/* Makes as many rounds as are kept: a multiple of two and of three turns. */
static void make_rounds(np_grid_lines *l, bool calls)
{
    memset(l->count, 0, l->rounds * sizeof *l->count);
    l->all_left = 0;
    l->next = 0;
    for (uint32_t axis = l->first_axis; axis < l->end_axis; axis++)
        for (int up = 0; up < 2; up++)
            for (uint32_t line = 0; line < l->nodes / l->axes->side[axis]; line++) {
                track t = track_at(l, axis, up, line);
                run_track(l, &t, calls);
            }
}

void np_grid_lines_next(np_grid_lines *lines, np_collective_job *job, bool calls)
{
    np_grid_lines *l = lines;
    for (;;) {
        while (l->next < l->rounds && !l->count[l->next])
            l->next++;
        if (l->next < l->rounds || !l->all_left)
            break;
        make_rounds(l, calls);
    }
    if (l->next == l->rounds)
        return;
    size_t first = (size_t)l->next * l->queues;
    job->round.count = l->count[l->next++];
    memcpy(job->round.link, l->made_link + first, job->round.count * sizeof *l->made_link);
    memcpy(job->round.piece, l->made_piece + first, job->round.count * sizeof *l->made_piece);
}
