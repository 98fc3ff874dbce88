/*
 * Written from Valiant & Brebner 1981, section 2, and these rules:
 *
 *   - a step: every link with packets in its queue carries one of them, which
 *     the discipline names; then all of these arrive;
 *   - where links have delays, a packet that leaves at an instant arrives so many steps later, and is at no node
 *     before; a link carries a packet at every step all the same. What it takes beside a step is no delay of a packet;
 *   - packets that reach one queue in one step enter it in ascending order of
 *     the links over which they came;
 *   - at a phase's start a queue's packets are listed by number, then
 *     shuffled (Fisher & Yates, from the end of the list down);
 *   - of packets that are equal to the discipline, the one that entered first goes;
 *   - "random" takes the packet in a random place of the list, and puts the
 *     last packet of the list in this place;
 *   - without overlap, a phase that has a time stops when it is over, and packets stay where they are. If one has not
 *     ended its route then, all go to their destinations in a last phase by other paths, and no other phase follows;
 *   - with overlap a packet whose route ends starts its next phase at once; if phases have a time, phase i does not
 *     start before i times this time. At this instant, when all that arrive have entered their queues, all packets
 *     that have waited are listed by number, shuffled, and start one after the other.
 */
#include "oracle/simulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netpram/path.h"
#include "oracle/must.h"

typedef struct list {
    np_packet *item;
    uint32_t count, room, ever; /* ever: packets that have ever entered */
} list;

typedef struct traveller {
    np_link *route;
    size_t hops, made;    /* hops of its route, and hops made, in its present phase */
    uint32_t made_before; /* hops made in the phases before, since the clock was at 0 */
    np_node at;
    unsigned phase;
    bool parked;
    np_step parked_at, parked_for; /* since when; steps in all */
    np_link over;                  /* that it crosses or has crossed; `due`: when it arrives, or has arrived */
    np_step due, flown;            /* flown: steps beside one a hop, since the clock was at 0 */
} traveller;

typedef struct world {
    const oracle_case *c;
    np_path *path, *rest; /* rest: of the last phase; NULL: phases do not stop */
    bool late;            /* a phase has stopped before all had ended their routes */
    unsigned phases;
    np_packet packets;
    traveller *traveller; /* [packets] */
    list *queue;          /* [link numbers] */
    uint32_t *population; /* [nodes] */
    unsigned first_phase; /* the first phase since the clock was at 0 */
    np_step now;
    np_packet finished;
    uint64_t hash;
    oracle_phase *out;
} world;

static void must_be_ok(np_status status)
{
    if (status) {
        fprintf(stderr, "the oracle was refused: %s\n", np_last_error());
        abort();
    }
}

/* ---- schemes ---- */

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

static const char *paths_of(const oracle_case *c)
{
    static const char *const own[][2] = {
        {"cubes", "dimension-order"},   {"basic", "random-order"},        {"cubess", "cyclic-order"},
        {"shuffle", "full-shift"},      {"mshuffle", "shortest-shift"},   {"ccc", "clockwise"},
        {"shuffle-exchange", "stages"}, {"grid", "dimension-order"},      {"complement", "dimension-order"},
        {"xy", "dimension-order"},      {"overlay", "dimension-order"},   {"random-overlay", "dimension-order"},
        {"k-k", "dimension-order"},     {"k-k-short", "dimension-order"},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (is(own[i][0], c->scheme))
            return own[i][1];
    return c->paths ? c->paths : "greedy";
}

enum { SIDES_MAX = ORACLE_PHASES_MAX / 2 };

/* The sides of "mesh:4x5" or "array:7". Returns their number. */
static unsigned sides_of(const np_network *network, uint32_t *side)
{
    const char *text = strchr(np_network_spec(network), ':');
    unsigned k = 0;
    while (text && *text)
        side[k++] = (uint32_t)strtoul(text + 1, (char **)&text, 10);
    return k;
}

/* Is it one of Sibeyn's schemes, with a dimension a phase? */
static bool along_lines(const oracle_case *c)
{
    return is(c->scheme, "xy") || is(c->scheme, "overlay") || is(c->scheme, "random-overlay") || is(c->scheme, "k-k") ||
           is(c->scheme, "k-k-short");
}

static unsigned phases_of(const oracle_case *c)
{
    uint32_t side[SIDES_MAX];
    if (is(c->scheme, "grid") || is(c->scheme, "k-k-short"))
        return 2 * sides_of(c->network, side) - 1;
    if (is(c->scheme, "k-k"))
        return 2 * sides_of(c->network, side);
    if (along_lines(c))
        return sides_of(c->network, side);
    return is(c->scheme, "greedy") ? 1 : 2;
}

static uint32_t draw_target(const oracle_case *c, unsigned phase, np_packet p, uint32_t bound)
{
    np_draws draws = {c->seed, c->run, (uint16_t)phase, NP_RANDOM_TARGET};
    return np_random_below(&draws, p, 0, bound);
}

/*
 * Section 8, with k coordinates, the first the most significant: phase 0
 * takes the first coordinate to a random value, phase 1 the second, ...;
 * phase k-1 corrects the last coordinate, phase k the last but one, ...
 */
static np_node grid_target(const oracle_case *c, unsigned phase, np_packet p, np_node at, np_node destination)
{
    uint32_t side[SIDES_MAX], stride = 1;
    unsigned k = sides_of(c->network, side), i = phase < k ? phase : 2 * k - 2 - phase;
    for (unsigned j = k - 1; j > i; j--)
        stride *= side[j];
    uint32_t there = phase + 1 < k ? draw_target(c, phase, p, side[i]) : destination / stride % side[i];
    return at - at / stride % side[i] * stride + there * stride;
}

/* Coordinate i of u; *stride = the difference between nodes that differ by 1 in it. */
static uint32_t coordinate_of(const oracle_case *c, np_node u, unsigned i, uint32_t *stride)
{
    uint32_t side[SIDES_MAX];
    unsigned k = sides_of(c->network, side);
    *stride = 1;
    for (unsigned j = k - 1; j > i; j--)
        *stride *= side[j];
    return u / *stride % side[i];
}

static uint32_t coordinate_sum(const oracle_case *c, np_node u, unsigned k)
{
    uint32_t sum = 0, stride;
    for (unsigned i = 0; i < k; i++)
        sum += coordinate_of(c, u, i, &stride);
    return sum;
}

/* Phase p goes along dimension (colour + p) mod k. All phases but the last k go to random coordinates. */
static np_node line_target(const oracle_case *c, unsigned phase, np_packet p, np_node at, np_node destination)
{
    const np_draws draws = {c->seed, c->run, 0, NP_RANDOM_TARGET};
    uint32_t side[SIDES_MAX], stride, colour = 0;
    unsigned k = sides_of(c->network, side);
    if (is(c->scheme, "overlay"))
        colour = (coordinate_sum(c, np_traffic_sources(c->traffic)[p], k) + coordinate_sum(c, destination, k)) % k;
    else if (!is(c->scheme, "xy"))
        colour = np_random_below(&draws, p, 0, k);
    unsigned i = (colour + phase) % k;
    uint32_t here = coordinate_of(c, at, i, &stride), there = coordinate_of(c, destination, i, &stride);
    if (phase + k < phases_of(c))
        there = np_random_below(&draws, p, 1 + i, side[i]);
    return at - here * stride + there * stride;
}

static uint32_t ones(uint32_t x)
{
    uint32_t count = 0;
    for (; x; x >>= 1)
        count += x & 1;
    return count;
}

static np_node target_of(const oracle_case *c, unsigned phase, np_packet p, np_node at)
{
    np_node destination = np_traffic_destinations(c->traffic)[p], nodes = np_network_nodes(c->network);
    if (is(c->scheme, "grid"))
        return grid_target(c, phase, p, at, destination);
    if (along_lines(c))
        return line_target(c, phase, p, at, destination);
    if (is(c->scheme, "greedy") || phase == 1)
        return destination;
    np_node x = draw_target(c, phase, p, nodes);
    if (is(c->scheme, "complement") && ones(at ^ x) + ones(x ^ destination) > ones(nodes - 1))
        x = nodes - 1 - x;
    return x;
}

/* ---- packets ---- */

static bool is_last_resort(const world *w, unsigned phase) { return w->rest && phase + 1 == w->phases; }

/* Gives the packet its route of a phase. */
static void start(world *w, np_packet p, unsigned phase)
{
    const oracle_case *c = w->c;
    traveller *x = &w->traveller[p];
    np_path *path = is_last_resort(w, phase) ? w->rest : w->path;
    np_node to = path == w->path ? target_of(c, phase, p, x->at) : np_traffic_destinations(c->traffic)[p];
    size_t hops;
    must_be_ok(np_path_walk(path, x->at, to, c->seed, c->run, (uint16_t)phase, p, 0, NULL, &hops));
    free(x->route);
    x->route = zeroed(hops, sizeof *x->route);
    must_be_ok(np_path_walk(path, x->at, to, c->seed, c->run, (uint16_t)phase, p, hops, x->route, &hops));
    x->hops = hops;
    x->made = 0;
    x->phase = phase;
    w->out->run.hops += hops;
}

/* The link that the packet must cross next; NP_NONE at the end. With overlap it starts further phases to find it. */
static np_link wanted(world *w, np_packet p)
{
    traveller *x = &w->traveller[p];
    while (x->made == x->hops && w->c->overlap && x->phase + 1 < w->phases) {
        if (w->now < (x->phase + 1) * w->c->phase_time) {
            x->parked = true;
            x->parked_at = w->now;
            return NP_NONE;
        }
        w->out->run.late += w->c->phase_time && w->now > (x->phase + 1) * w->c->phase_time;
        x->made_before += (uint32_t)x->hops;
        start(w, p, x->phase + 1);
    }
    if (x->made < x->hops)
        return x->route[x->made];
    w->out->delay[p] = w->now - x->made_before - (uint32_t)x->hops - x->parked_for - x->flown;
    w->out->location[p] = x->at;
    w->finished++;
    return NP_NONE;
}

static void enter(world *w, np_link link, np_packet p)
{
    list *queue = &w->queue[link];
    if (queue->count == queue->room) {
        queue->room = queue->room ? 2 * queue->room : 2;
        queue->item = must(realloc(queue->item, queue->room * sizeof *queue->item));
    }
    queue->item[queue->count++] = p;
    queue->ever++;
    if (queue->ever > w->out->run.congestion)
        w->out->run.congestion = queue->ever;
}

/* ---- disciplines ---- */

/* Does a go before b, which entered earlier? */
static bool precedes(const world *w, np_packet a, np_packet b)
{
    const char *queue = w->c->queue;
    const traveller *x = &w->traveller[a], *y = &w->traveller[b];
    const uint32_t *priority = np_traffic_priorities(w->c->traffic);
    if (is(queue, "lifo"))
        return true;
    if (is(queue, "farthest-first"))
        return x->hops - x->made > y->hops - y->made;
    if (is(queue, "nearest-origin-first"))
        return x->made_before + x->made < y->made_before + y->made;
    if (is(queue, "moved-first"))
        return x->made > 0 && y->made == 0;
    if (is(queue, "priority"))
        return priority && priority[a] < priority[b];
    return false; /* fifo */
}

static uint32_t place_to_go(const world *w, np_link link)
{
    const list *queue = &w->queue[link];
    uint32_t best = 0;
    if (is(w->c->queue, "random")) {
        np_draws draws = {w->c->seed, w->c->run, (uint16_t)w->first_phase, NP_RANDOM_QUEUE};
        return np_random_below(&draws, link, w->now, queue->count);
    }
    for (uint32_t i = 1; i < queue->count; i++)
        if (precedes(w, queue->item[i], queue->item[best]))
            best = i;
    return best;
}

static np_packet leave(world *w, np_link link)
{
    list *queue = &w->queue[link];
    uint32_t place = place_to_go(w, link);
    np_packet p = queue->item[place];
    if (queue->count > w->out->run.queue_max)
        w->out->run.queue_max = queue->count;
    queue->count--;
    if (is(w->c->queue, "random"))
        queue->item[place] = queue->item[queue->count];
    else
        memmove(queue->item + place, queue->item + place + 1, (queue->count - place) * sizeof *queue->item);
    return p;
}

/* ---- time ---- */

static void count_populations(world *w)
{
    for (np_node u = 0; u < np_network_nodes(w->c->network); u++)
        if (w->population[u] > w->out->run.population_max)
            w->out->run.population_max = w->population[u];
}

static void note(world *w, np_packet moved)
{
    oracle_phase *out = w->out;
    count_populations(w);
    out->instant = must(realloc(out->instant, ((size_t)w->now + 1) * sizeof *out->instant));
    out->instant[w->now] = (oracle_instant){
        .moved = moved,
        .finished = w->finished,
        .waiting = w->packets - w->finished,
        .queue_max = out->run.queue_max,
        .population_max = out->run.population_max,
        .hash = w->hash,
    };
}

/* A term of the trajectory's hash, which is a sum over all arrivals of packet, instant, node, and queue entered. */
static uint64_t hash_of(np_packet p, np_step now, np_node at, np_link onward)
{
    return np_random_mix(np_random_mix((uint64_t)onward << 32 | at) ^ ((uint64_t)p << 32 | now));
}

static void arrive(world *w, np_packet p, np_link over)
{
    traveller *x = &w->traveller[p];
    x->made++;
    x->at = np_network_link_head(w->c->network, over);
    w->population[x->at]++;
    np_link onward = wanted(w, p);
    w->hash += hash_of(p, w->now, x->at, onward);
    if (onward != NP_NONE)
        enter(w, onward, p);
}

/* The packets that have waited for the time of the phase start it. */
static void start_parked(world *w, unsigned phase)
{
    np_draws draws = {w->c->seed, w->c->run, (uint16_t)phase, NP_RANDOM_ORDER};
    np_packet *waiting = zeroed(w->packets, sizeof *waiting), count = 0;
    for (np_packet p = 0; p < w->packets; p++)
        if (w->traveller[p].parked && w->traveller[p].phase + 1 == phase)
            waiting[count++] = p;
    for (np_packet left = count; left > 1;
         left--) { /* the last place gets a random packet, then the last but one, ... */
        np_packet place = np_random_below(&draws, 0, left, left), last = waiting[left - 1];
        waiting[left - 1] = waiting[place];
        waiting[place] = last;
    }
    for (np_packet i = 0; i < count; i++) {
        traveller *x = &w->traveller[waiting[i]];
        x->parked = false;
        x->parked_for += w->now - x->parked_at;
        np_link onward = wanted(w, waiting[i]);
        if (onward != NP_NONE)
            enter(w, onward, waiting[i]);
    }
    free(waiting);
}

/* Steps that a packet is on the link: what the file says, or 1. */
static np_step steps_on(const world *w, np_link link)
{
    const np_link_attribute *delay = np_network_delay(w->c->network);
    return delay && delay->value[link] >= 1 ? (np_step)delay->value[link] : 1;
}

/* Those whose time has come arrive, in ascending order of their links. */
static void arrive_all(world *w)
{
    np_link links = np_network_link_numbers(w->c->network);
    np_packet *on = zeroed(links, sizeof *on); /* 1 + the packet that comes over a link */
    for (np_packet p = 0; p < w->packets; p++)
        if (w->traveller[p].due == w->now)
            on[w->traveller[p].over] = p + 1;
    for (np_link link = 0; link < links; link++)
        if (on[link])
            arrive(w, on[link] - 1, link);
    free(on);
}

static void step(world *w)
{
    np_link links = np_network_link_numbers(w->c->network);
    np_packet moved = 0;
    for (np_link link = 0; link < links; link++)
        if (w->queue[link].count) {
            traveller *x = &w->traveller[leave(w, link)];
            x->over = link;
            x->due = w->now + steps_on(w, link);
            x->flown += steps_on(w, link) - 1;
            w->population[np_network_link_tail(w->c->network, link)]--;
            moved++;
        }
    w->now++;
    arrive_all(w);
    if (w->c->overlap && w->c->phase_time && w->now % w->c->phase_time == 0 && w->now / w->c->phase_time < w->phases)
        start_parked(w, w->now / w->c->phase_time);
    note(w, moved);
}

/* Fisher & Yates: the last place gets a random packet, then the last but one, ... */
static void shuffle(const world *w, np_link link)
{
    np_draws draws = {w->c->seed, w->c->run, (uint16_t)w->first_phase, NP_RANDOM_ORDER};
    np_packet *item = w->queue[link].item;
    for (uint32_t i = w->queue[link].count; i >= 2; i--) {
        uint32_t j = np_random_below(&draws, link, i, i);
        np_packet swap = item[i - 1];
        item[i - 1] = item[j];
        item[j] = swap;
    }
}

/* The phase is over: all leave their queues and stay where they are. */
static void stop(world *w)
{
    for (np_link link = 0; link < np_network_link_numbers(w->c->network); link++)
        for (; w->queue[link].count; w->queue[link].count--) {
            np_packet p = w->queue[link].item[w->queue[link].count - 1];
            const traveller *x = &w->traveller[p];
            w->out->delay[p] = w->now - (uint32_t)x->made;
            w->out->location[p] = x->at;
            w->out->run.hops -= x->hops - x->made;
            w->out->run.late++;
        }
    w->late |= w->out->run.late > 0;
}

static void run_phase(world *w, unsigned phase)
{
    np_link links = np_network_link_numbers(w->c->network);
    bool last_resort = is_last_resort(w, phase);
    np_step end = w->rest && !last_resort ? w->c->phase_time : 0;
    if (last_resort != w->late) {
        w->out->skipped = true;
        return;
    }
    for (np_packet p = 0; p < w->packets && last_resort; p++)
        w->out->run.late += w->traveller[p].at != np_traffic_destinations(w->c->traffic)[p];
    w->first_phase = phase;
    w->now = 0;
    w->finished = 0;
    w->hash = 0;
    w->out->run.packets = w->packets;
    w->out->delay = zeroed(w->packets, sizeof *w->out->delay);
    w->out->location = zeroed(w->packets, sizeof *w->out->location);
    for (np_link link = 0; link < links; link++)
        w->queue[link].ever = 0;
    for (np_packet p = 0; p < w->packets; p++) {
        w->traveller[p].made_before = 0;
        w->traveller[p].parked = false;
        w->traveller[p].parked_for = 0;
        w->traveller[p].due = w->traveller[p].flown = 0;
        start(w, p, phase);
        np_link link = wanted(w, p);
        if (link != NP_NONE)
            enter(w, link, p);
    }
    for (np_link link = 0; link < links; link++)
        shuffle(w, link);
    note(w, 0);
    while (end ? w->now < end : w->finished < w->packets)
        step(w);
    if (end)
        stop(w);
    w->out->run.steps = w->now;
    for (np_packet p = 0; p < w->packets; p++) {
        w->out->run.delay_sum += w->out->delay[p];
        if (w->out->delay[p] > w->out->run.delay_max)
            w->out->run.delay_max = w->out->delay[p];
    }
}

oracle_result *oracle_simulate(const oracle_case *c)
{
    oracle_result *result = zeroed(1, sizeof *result);
    world w = {.c = c, .phases = phases_of(c), .packets = np_traffic_packets(c->traffic)};
    np_link links = np_network_link_numbers(c->network);
    must_be_ok(np_path_create(paths_of(c), c->network, &w.path));
    if (c->phase_time && !c->overlap) {
        must_be_ok(np_path_create(c->fallback, c->network, &w.rest));
        w.phases++;
    }
    w.traveller = zeroed(w.packets, sizeof *w.traveller);
    w.queue = zeroed(links, sizeof *w.queue);
    w.population = zeroed(np_network_nodes(c->network), sizeof *w.population);
    for (np_packet p = 0; p < w.packets; p++) {
        w.traveller[p].at = np_traffic_sources(c->traffic)[p];
        w.population[w.traveller[p].at]++;
    }
    result->phases = c->overlap ? 1 : w.phases;
    for (unsigned phase = 0; phase < result->phases; phase++) {
        w.out = &result->phase[phase];
        run_phase(&w, phase);
    }
    for (np_packet p = 0; p < w.packets; p++)
        free(w.traveller[p].route);
    for (np_link link = 0; link < links; link++)
        free(w.queue[link].item);
    free(w.traveller);
    free(w.queue);
    free(w.population);
    np_path_free(w.path);
    np_path_free(w.rest);
    return result;
}

void oracle_result_free(oracle_result *result)
{
    for (unsigned phase = 0; result && phase < result->phases; phase++) {
        free(result->phase[phase].delay);
        free(result->phase[phase].location);
        free(result->phase[phase].instant);
    }
    free(result);
}
