/* See seek.h. The other side's marks have the top bit and, below it, the hops from the source. */
#include "model/path/seek.h"

#include <string.h>

#include "base/hot.h"

#define FRONT UINT32_C(0x80000000)
#define LAST UINT32_C(0x80000000) /* of a node in met[]. Nodes are fewer: they have 2 links or more, of 2^32 numbers */
#define PENDING UINT32_MAX        /* exponent of a node that waits for its count */
#define LARGE                                                                                                          \
    (UINT64_C(1) << 31) /* counts below it cannot add up to more than 63 bits: a node has less than 2^32 links */

unsigned np_seeker_lanes(uint32_t nodes)
{
    uint32_t lanes = (UINT32_C(1) << 22) / (nodes | 1); /* 16 MB: ours */
    return lanes < 1 ? 1 : lanes > NP_SEEKER_LANES ? NP_SEEKER_LANES : lanes;
}

/* From the nodes of a lane in met[] to those of the next. Lanes do not share the places of a cache where nodes are a power
 * of two. */
static size_t stride(uint32_t nodes) { return (size_t)nodes + 48; }

void np_seeker_layout(np_seeker *seeker, uint32_t nodes, uint32_t links, np_arena *arena)
{
    size_t met = np_seeker_lanes(nodes) * stride(nodes);
    np_arena_zeroed(arena, &seeker->mark, nodes, sizeof *seeker->mark, "a search's marks");
    np_arena_array(arena, &seeker->back, (size_t)nodes + 1, sizeof *seeker->back, "a search's nodes");
    np_arena_array(arena, &seeker->front, nodes, sizeof *seeker->front, "a search's nodes");
    np_arena_array(arena, &seeker->extra, nodes, sizeof *seeker->extra, "a search's nodes");
    np_arena_zeroed(arena, &seeker->count, nodes, sizeof *seeker->count, "numbers of paths");
    np_arena_zeroed(arena, &seeker->exponent, nodes, sizeof *seeker->exponent, "numbers of paths");
    np_arena_array(arena, &seeker->tail, nodes, sizeof *seeker->tail, "numbers of paths");
    np_arena_array(arena, &seeker->counted, nodes, sizeof *seeker->counted, "numbers of paths");
    np_arena_zeroed(arena, &seeker->nearer, (size_t)links / 64 + 2, sizeof *seeker->nearer, "links of paths");
    np_arena_array(arena, &seeker->port, nodes, sizeof *seeker->port, "a route");
    np_arena_array(arena, &seeker->seen, nodes, sizeof *seeker->seen, "the nodes met by many searches");
    np_arena_array(arena, &seeker->latest, nodes, sizeof *seeker->latest, "the nodes met by many searches");
    np_arena_zeroed(arena, &seeker->next, nodes, sizeof *seeker->next, "the nodes met by many searches");
    np_arena_array(arena, &seeker->met, met, sizeof *seeker->met, "the nodes met by many searches");
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
    for (uint32_t i = 0; seeker->counting && i < seeker->backs; i++)
        seeker->count[seeker->back[i]] = seeker->exponent[seeker->back[i]] = 0;
    seeker->counting = false;
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

bool np_seek_back(np_seeker *seeker, np_node source)
{
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

/* From the source's farthest nodes where the sides have met, in extra[], back to the source: marks the nodes on the way. */
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

/* ---- From many targets ---- */

/*
 * The lanes that have met the nodes of front[] at the present distance go on over the links into them. Answers to how many
 * nodes, in back[].
 */
NP_HOT static uint32_t spread(np_seeker *seeker, uint32_t fronts)
{
    const np_graph *graph = seeker->graph;
    np_node *reached = seeker->back;
    uint64_t *next = seeker->next;
    uint32_t count = 0;
    for (uint32_t i = 0; i < fronts; i++) {
        np_node v = seeker->front[i];
        uint64_t lanes = seeker->latest[v];
        fetch(graph->in_row, graph->in, seeker->front + i, fronts - i);
        for (uint32_t j = graph->in_row[v]; j < graph->in_row[v + 1]; j++) {
            np_node u = graph->in[j];
            reached[count] = u;
            count += !next[u];
            next[u] |= lanes;
        }
    }
    return count;
}

/* The lanes that come to a node for the first time meet it. Answers how many nodes are met, in front[]. */
static uint32_t meet(np_seeker *seeker, uint32_t reached)
{
    size_t lane_size = stride(seeker->graph->nodes);
    uint32_t fronts = 0;
    uint64_t any = 0;
    for (uint32_t i = 0; i < reached; i++) {
        np_node u = seeker->back[i];
        uint64_t fresh = seeker->next[u] & ~seeker->seen[u];
        seeker->next[u] = 0;
        seeker->seen[u] |= fresh;
        seeker->latest[u] = fresh;
        seeker->front[fronts] = u;
        fronts += fresh != 0;
        any |= fresh;
        for (; fresh; fresh &= fresh - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(fresh);
            seeker->met[lane * lane_size + seeker->mets[lane]++] = u;
        }
    }
    for (; any; any &= any - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(any);
        seeker->met[lane * lane_size + seeker->mets[lane] - 1] |= LAST;
    }
    return fronts;
}

void np_seek_many(np_seeker *seeker, unsigned targets, const np_node *target)
{
    uint32_t nodes = seeker->graph->nodes, fronts = targets;
    memset(seeker->seen, 0, nodes * sizeof *seeker->seen);
    for (unsigned lane = 0; lane < targets; lane++) {
        np_node v = target[lane];
        seeker->front[lane] = v;
        seeker->seen[v] = seeker->latest[v] = UINT64_C(1) << lane;
        seeker->met[lane * stride(nodes)] = v | LAST;
        seeker->mets[lane] = 1;
    }
    while (fronts > 0)
        fronts = meet(seeker, spread(seeker, fronts));
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

/* Finds the links of a node that lead nearer: some of them, from `link` on, before `end`. */
static uint32_t find_set(np_seeker *seeker, uint32_t nearest, np_link link, np_link end)
{
    const np_node *head = seeker->graph->head + link;
    uint32_t count = end - link < NP_SEEKER_SET ? end - link : NP_SEEKER_SET, set = 0;
    for (uint32_t k = count; k-- > 0;) { /* without branches */
        bool used = head[k] != NP_NONE;
        set = 2 * set + (used & (seeker->mark[used ? head[k] : 0] == nearest));
    }
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

/* Lists the node and all nodes on its shortest paths. known: their bits in nearer[] are valid. */
NP_INLINE uint32_t list_from(np_seeker *seeker, np_node from, bool known)
{
    const np_graph *graph = seeker->graph;
    uint32_t first = seeker->counts;
    list(seeker, from);
    for (uint32_t i = first; i < seeker->counts; i++) {
        np_node u = seeker->counted[i];
        np_link end = graph->row[u + 1];
        uint32_t mark = seeker->mark[u];
        for (np_link link = graph->row[u]; mark > 1 && link < end; link += NP_SEEKER_SET) {
            uint32_t set = known ? np_seeker_set(seeker, link, end) : find_set(seeker, mark - 1, link, end);
            for (; set; set &= set - 1)
                list(seeker, graph->head[link + (unsigned)__builtin_ctz(set)]);
        }
    }
    return first;
}

uint32_t np_seeker_list(np_seeker *seeker, np_node from) { return list_from(seeker, from, false); }

uint32_t np_seeker_list_again(np_seeker *seeker, np_node from) { return list_from(seeker, from, true); }

uint32_t np_seeker_width(np_seeker *seeker, np_node u)
{
    const np_graph *graph = seeker->graph;
    np_link end = graph->row[u + 1];
    if (seeker->count[u])
        return (uint32_t)seeker->count[u];
    for (np_link link = graph->row[u]; link < end; link += NP_SEEKER_SET)
        seeker->count[u] += (unsigned)__builtin_popcount(find_set(seeker, seeker->mark[u] - 1, link, end));
    seeker->counted[seeker->counts++] = u;
    return (uint32_t)seeker->count[u];
}

void np_seeker_count(np_seeker *seeker, np_node from)
{
    uint32_t first;
    if (seeker->counting)
        return; /* counted when it was marked */
    first = np_seeker_list(seeker, from);
    for (uint32_t i = seeker->counts; i > first; i--)
        add_up(seeker, seeker->counted[i - 1]);
}

/* ---- One of many ---- */

/*
 * Sums of the counts of nodes one hop nearer, and tails of nodes with one path, for nodes at the same distance: to latest[]
 * and seen[], which are free now. The nodes at this distance and beyond still have counts of 0, and no link leads farther
 * than one hop nearer. So the links that lead nearer are found by counts alone, without branches, which no processor would
 * foresee. Answers the bits of all sums.
 */
NP_HOT static uint64_t sum_up(np_seeker *seeker, uint32_t nodes, const np_node *node, unsigned bits)
{
    const np_graph *graph = seeker->graph;
    const uint64_t *count = seeker->count;
    uint64_t all = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        np_link first = graph->row[node[i]], end = graph->row[node[i] + 1], on = end;
        uint64_t sum = 0;
        fetch(graph->row, graph->head, node + i, nodes - i);
        for (np_link link = first; link < end; link += NP_SEEKER_SET) {
            const np_node *head = graph->head + link;
            uint32_t links = end - link < NP_SEEKER_SET ? end - link : NP_SEEKER_SET, set = 0;
            for (uint32_t k = 0; k < links; k++) {
                uint64_t more = count[head[k] != NP_NONE ? head[k] : node[i]];
                sum += more;
                set |= (uint32_t)(more != 0) << k;
            }
            put_set(seeker, link, links, set);
            on = on == end && set ? link + (unsigned)__builtin_ctz(set) : on;
        }
        seeker->latest[i] = sum;
        seeker->seen[i] = seeker->tail[graph->head[on]] << bits | (on - first);
        all |= sum;
    }
    return all;
}

/* Counts the paths from nodes at the same distance. Plain sums are wrong from the first level on whose counts are large. */
static void count_level(np_seeker *seeker, uint32_t nodes, const np_node *node, unsigned bits)
{
    bool sure = seeker->sure;
    uint64_t all = sum_up(seeker, nodes, node, bits);
    for (uint32_t i = 0; i < nodes; i++) {
        seeker->count[node[i]] = seeker->latest[i];
        seeker->tail[node[i]] = seeker->seen[i];
    }
    for (uint32_t i = 0; !sure && i < nodes; i++)
        add_up(seeker, node[i]);
    seeker->sure = sure && all < LARGE;
}

void np_seek_take(np_seeker *seeker, unsigned lane, unsigned bits)
{
    const np_node *met = seeker->met + lane * stride(seeker->graph->nodes);
    np_node *back = seeker->back;
    seeker->backs = seeker->mets[lane];
    seeker->whole = seeker->sure = true;
    seeker->counting = bits > 0;
    for (uint32_t i = 0, end = 0, mark = 1; i < seeker->backs; i = end, mark++) {
        do {
            back[end] = met[end] & ~LAST;
            seeker->mark[back[end]] = mark;
        } while (!(met[end++] & LAST));
        if (bits && mark == 1) {
            seeker->count[back[0]] = 1;
            seeker->tail[back[0]] = 0;
        } else if (bits)
            count_level(seeker, end - i, back + i, bits);
    }
}
