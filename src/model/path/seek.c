/* See seek.h. The other side's marks have the top bit and, below it, the hops from the source. */
#include "model/path/seek.h"

#include "base/heap.h"

#define FRONT UINT32_C(0x80000000)
#define PENDING UINT32_MAX /* exponent of a node that waits for its count */

typedef struct np_seeker_entry {
    uint64_t cost; /* of a path to the target ... */
    uint32_t mark; /* ... and 1 + its hops */
    np_node node;
} entry;

void np_seeker_layout(np_seeker *seeker, uint32_t nodes, uint32_t links, np_arena *arena)
{
    np_arena_zeroed(arena, &seeker->mark, nodes, sizeof *seeker->mark, "a search's marks");
    NP_ARENA_WORDS(arena, nodes, "a search's nodes", &seeker->back, &seeker->front, &seeker->extra);
    np_arena_zeroed(arena, &seeker->count, nodes, sizeof *seeker->count, "numbers of paths");
    np_arena_zeroed(arena, &seeker->exponent, nodes, sizeof *seeker->exponent, "numbers of paths");
    np_arena_array(arena, &seeker->counted, nodes, sizeof *seeker->counted, "numbers of paths");
    np_arena_zeroed(arena, &seeker->nearer, (size_t)links / 64 + 2, sizeof *seeker->nearer, "links of paths");
    np_arena_array(arena, &seeker->port, nodes, sizeof *seeker->port, "a route");
    if (!seeker->graph || !seeker->graph->cost)
        return;
    np_arena_array(arena, &seeker->cost, nodes, sizeof *seeker->cost, "the costs of paths");
    np_arena_array(arena, &seeker->heap, seeker->graph->links + 1, sizeof *seeker->heap, "a search's nodes");
}

void np_seeker_forget(np_seeker *seeker)
{
    for (uint32_t i = 0; i < seeker->counts; i++)
        seeker->count[seeker->counted[i]] = seeker->exponent[seeker->counted[i]] = 0;
    seeker->counts = seeker->fresh = 0;
}

/* Forgets the counts of nodes without marks. */
static void forget_unmarked(np_seeker *seeker)
{
    uint32_t kept = seeker->fresh;
    for (uint32_t i = kept; i < seeker->counts; i++) {
        np_node u = seeker->counted[i];
        if (seeker->mark[u])
            seeker->counted[kept++] = u;
        else
            seeker->count[u] = seeker->exponent[u] = 0;
    }
    seeker->counts = seeker->fresh = kept;
}

/* Takes back what np_seek_from marked beyond the target's own side. */
static void forget_extras(np_seeker *seeker)
{
    if (!seeker->extras)
        return;
    for (uint32_t i = seeker->kept; i < seeker->extras; i++)
        seeker->mark[seeker->extra[i]] = 0;
    seeker->extras = seeker->kept = 0;
    forget_unmarked(seeker);
}

void np_seek_begin(np_seeker *seeker, np_node target)
{
    seeker->mark[target] = 1;
    seeker->back[0] = target;
    seeker->backs = 1;
    seeker->level = 0; /* where the farthest nodes begin in back[] */
    seeker->whole = false;
}

void np_seek_end(np_seeker *seeker)
{
    forget_extras(seeker);
    np_seeker_forget(seeker);
    for (uint32_t i = 0; i < seeker->backs; i++)
        seeker->mark[seeker->back[i]] = 0;
}

/* Fetches the links of the nodes that a search takes up soon: list[0] is the present one. Of a large network none of
 * them is in the cache. */
static inline void fetch(const uint32_t *row, const uint32_t *link, const uint32_t *list, uint32_t left)
{
    enum { ROWS = 8, LINKS = 4 }; /* nodes ahead: ours, measured */
    if (left <= ROWS)
        return;
    __builtin_prefetch(&row[list[ROWS]]);
    __builtin_prefetch(&link[row[list[LINKS]]]);
}

/* Marks the nodes one hop farther than the farthest so far. Those of the other side go to extra[], too. */
static void widen(np_seeker *seeker)
{
    const np_graph *graph = seeker->graph;
    uint32_t *mark = seeker->mark, *back = seeker->back, backs = seeker->backs, end = backs;
    for (uint32_t i = seeker->level; i < end; i++) {
        np_node v = back[i];
        uint32_t last = graph->in_row[v + 1], farther = mark[v] + 1;
        fetch(graph->in_row, graph->in, back + i, end - i);
        seeker->visits += last - graph->in_row[v];
        for (uint32_t j = graph->in_row[v]; j < last; j++) {
            np_node u = graph->in[j];
            if (mark[u] && !(mark[u] & FRONT))
                continue;
            if (mark[u])
                seeker->extra[seeker->extras++] = u;
            mark[u] = farther;
            back[backs++] = u;
        }
    }
    seeker->kept = seeker->extras;
    seeker->level = end;
    seeker->backs = backs;
    seeker->whole = backs == end;
}

/* ---- By costs ---- */

static bool is_less(const void *one, const void *other)
{
    const entry *a = one, *b = other;
    return a->cost < b->cost || (a->cost == b->cost && a->mark < b->mark);
}

/* Marks all nodes that reach the target; in back[] in the order in which they are settled: costs, then hops, ascend. */
static void settle_all(np_seeker *seeker)
{
    const np_graph *graph = seeker->graph;
    entry *heap = seeker->heap;
    size_t entries = 1;
    np_node target = seeker->back[0];
    seeker->cost[target] = seeker->backs = 0;
    heap[0] = (entry){0, 1, target};
    while (entries) {
        const entry e = heap[0], last = heap[--entries];
        np_heap_sink(heap, entries, sizeof last, 0, &last, is_less);
        np_node v = e.node;
        if (seeker->mark[v] != e.mark || seeker->cost[v] != e.cost)
            continue; /* a shorter path has been found */
        seeker->back[seeker->backs++] = v;
        seeker->visits += graph->in_row[v + 1] - graph->in_row[v];
        for (uint32_t j = graph->in_row[v]; j < graph->in_row[v + 1]; j++) {
            np_node u = graph->in[j];
            entry by = {e.cost + graph->cost[graph->in_link[j]], e.mark + 1, u};
            if (seeker->mark[u] && !is_less(&by, &(entry){seeker->cost[u], seeker->mark[u], u}))
                continue;
            seeker->cost[u] = by.cost;
            seeker->mark[u] = by.mark;
            np_heap_put(heap, entries++, sizeof by, &by, is_less);
        }
    }
    seeker->whole = true;
}

/* ---- Both ---- */

bool np_seek_back(np_seeker *seeker, np_node source)
{
    if (seeker->cost && !seeker->whole)
        settle_all(seeker);
    forget_extras(seeker);
    while (!seeker->mark[source] && !seeker->whole)
        widen(seeker);
    return seeker->mark[source] != 0;
}

/* The side of the source. */
typedef struct front {
    uint32_t nodes, level; /* in front[]: how many, and where the farthest begin */
    uint32_t hops;         /* of the farthest, from the source */
} front;

/* From the source's farthest nodes where the sides have met, in extra[], back to the source: marks the nodes on the
 * way. */
static void mark_way(np_seeker *seeker, uint32_t hops)
{
    const np_graph *graph = seeker->graph;
    uint32_t *mark = seeker->mark, first = mark[seeker->extra[0]];
    for (uint32_t i = 0; i < seeker->extras; i++) {
        np_node v = seeker->extra[i];
        uint32_t before = hops - (mark[v] - first);
        if (!before)
            continue;
        for (uint32_t j = graph->in_row[v]; j < graph->in_row[v + 1]; j++) {
            np_node u = graph->in[j];
            if (mark[u] == (FRONT | (before - 1))) {
                mark[u] = mark[v] + 1;
                seeker->extra[seeker->extras++] = u;
            }
        }
    }
}

/*
 * Has the node a link to the farthest nodes of the target's side, with the mark `nearest`? Else marks the new nodes
 * that it has links to.
 */
static bool meets(np_seeker *seeker, np_node u, uint32_t nearest, front *f)
{
    const np_graph *graph = seeker->graph;
    uint32_t *mark = seeker->mark, farther = FRONT | (f->hops + 1);
    seeker->visits += graph->row[u + 1] - graph->row[u];
    for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++) {
        np_node v = graph->head[link];
        if (v == NP_NONE)
            continue;
        if (mark[v] == nearest)
            return true;
        if (mark[v])
            continue; /* of the source's side */
        mark[v] = farther;
        seeker->front[f->nodes++] = v;
    }
    return false;
}

/* One level more of the source's side, but for the nodes where it meets the other side. */
static void advance(np_seeker *seeker, front *f)
{
    uint32_t end = f->nodes, nearest = seeker->mark[seeker->back[seeker->level]];
    for (uint32_t i = f->level; i < end; i++) {
        np_node u = seeker->front[i];
        fetch(seeker->graph->row, seeker->graph->head, seeker->front + i, end - i);
        if (meets(seeker, u, nearest, f)) {
            seeker->mark[u] = nearest + 1;
            seeker->extra[seeker->extras++] = u;
        }
    }
    if (seeker->extras)
        return;
    f->level = end;
    f->hops++;
}

/* Takes back the marks of the source's side, but for the nodes on shortest paths. */
static void forget_front(np_seeker *seeker, const front *f)
{
    for (uint32_t i = 0; i < f->nodes; i++)
        if (seeker->mark[seeker->front[i]] & FRONT)
            seeker->mark[seeker->front[i]] = 0;
}

bool np_seek_from(np_seeker *seeker, np_node source)
{
    front f = {.nodes = 1};
    if (seeker->cost)
        return np_seek_back(seeker, source);
    forget_extras(seeker);
    if (seeker->mark[source])
        return true;
    seeker->front[0] = source;
    seeker->mark[source] = FRONT;
    while (!seeker->extras && f.level < f.nodes && !seeker->whole) {
        if (seeker->backs - seeker->level < f.nodes - f.level)
            widen(seeker);
        else
            advance(seeker, &f);
    }
    if (seeker->extras)
        mark_way(seeker, f.hops);
    forget_front(seeker, &f);
    return seeker->extras > 0;
}

/* ---- Counting ---- */

/* Adds count * 2^exponent to *sum * 2^*power. */
static void add(uint64_t *sum, uint32_t *power, uint64_t count, uint32_t exponent)
{
    uint32_t most = *power > exponent ? *power : exponent;
    uint32_t down = most - *power, other = most - exponent;
    *sum = (down < 64 ? *sum >> down : 0) + (other < 64 ? count >> other : 0);
    *power = most;
    if (*sum >> 63) {
        *sum >>= 1;
        ++*power;
    }
}

/* The node is listed, and those that are one hop nearer have been counted. */
static void add_up(np_seeker *seeker, np_node u)
{
    const np_graph *graph = seeker->graph;
    np_link end = graph->row[u + 1];
    uint32_t power = 0;
    bool target = seeker->mark[u] == 1;
    uint64_t sum = target;
    for (np_link link = graph->row[u]; !target && link < end; link += NP_SEEKER_SET)
        for (uint32_t set = np_seeker_set(seeker, link, end); set; set &= set - 1) {
            np_node v = graph->head[link + (unsigned)__builtin_ctz(set)];
            add(&sum, &power, seeker->count[v], seeker->exponent[v]);
        }
    seeker->count[u] = sum;
    seeker->exponent[u] = power;
}

/* The bits of `count` links from `link` on. */
static void put_set(np_seeker *seeker, np_link link, uint32_t count, uint32_t set)
{
    uint64_t *word = seeker->nearer + link / 64, mask = (UINT64_C(1) << count) - 1;
    unsigned shift = link % 64;
    word[0] = (word[0] & ~(mask << shift)) | (uint64_t)set << shift;
    if (shift + count > 64)
        word[1] = (word[1] & ~(mask >> (64 - shift))) | (uint64_t)set >> (64 - shift);
}

/* Of the set's links, from node u, those that take away their costs. Out of line: it costs others registers. */
static __attribute__((noinline)) uint32_t drop_dear(const np_seeker *seeker, np_node u, np_link link, uint32_t set)
{
    uint32_t left = 0;
    for (; set; set &= set - 1) {
        np_link one = link + (unsigned)__builtin_ctz(set);
        if (np_seeker_pays(seeker, u, seeker->graph->head[one], one))
            left |= set & -set;
    }
    return left;
}

/* Finds the links of node u that lead nearer: some of them, from `link` on, before `end`. */
static uint32_t find_set(np_seeker *seeker, np_node u, uint32_t nearest, np_link link, np_link end)
{
    const np_node *head = seeker->graph->head + link;
    uint32_t count = end - link < NP_SEEKER_SET ? end - link : NP_SEEKER_SET, set = 0;
    for (uint32_t k = count; k-- > 0;) { /* without branches */
        bool used = head[k] != NP_NONE;
        set = 2 * set + (used & (seeker->mark[used ? head[k] : 0] == nearest));
    }
    if (__builtin_expect(seeker->cost != NULL, 0))
        set = drop_dear(seeker, u, link, set);
    put_set(seeker, link, count, set);
    return set;
}

/* Lists the node, if it is not listed. */
static void list(np_seeker *seeker, np_node u)
{
    if (seeker->count[u] || seeker->exponent[u])
        return;
    seeker->exponent[u] = PENDING;
    seeker->counted[seeker->counts++] = u;
}

uint32_t np_seeker_list(np_seeker *seeker, np_node from)
{
    const np_graph *graph = seeker->graph;
    uint32_t first = seeker->counts;
    list(seeker, from);
    for (uint32_t i = first; i < seeker->counts; i++) {
        np_node u = seeker->counted[i];
        np_link end = graph->row[u + 1];
        uint32_t mark = seeker->mark[u];
        for (np_link link = graph->row[u]; mark > 1 && link < end; link += NP_SEEKER_SET)
            for (uint32_t set = find_set(seeker, u, mark - 1, link, end); set; set &= set - 1)
                list(seeker, graph->head[link + (unsigned)__builtin_ctz(set)]);
    }
    return first;
}

uint32_t np_seeker_width(np_seeker *seeker, np_node u)
{
    const np_graph *graph = seeker->graph;
    np_link end = graph->row[u + 1];
    if (seeker->count[u])
        return (uint32_t)seeker->count[u];
    for (np_link link = graph->row[u]; link < end; link += NP_SEEKER_SET)
        seeker->count[u] += (unsigned)__builtin_popcount(find_set(seeker, u, seeker->mark[u] - 1, link, end));
    seeker->counted[seeker->counts++] = u;
    return (uint32_t)seeker->count[u];
}

void np_seeker_count(np_seeker *seeker, np_node from)
{
    uint32_t first = np_seeker_list(seeker, from);
    for (uint32_t i = seeker->counts; i > first; i--)
        add_up(seeker, seeker->counted[i - 1]);
}
