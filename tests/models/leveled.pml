/*
 * Small leveled networks and the packets on them, for the models of merging and of waves.
 *
 * A network is as in src/model/leveled/leveled.h: nodes level by level, edges by the
 * node that they leave, then by port. At most two edges enter a node, and at
 * most two leave it. NETWORK is one of
 *
 *   BUTTERFLY  2^DEPTH rows, DEPTH levels of edges; port 1 crosses by bit i of the row on level i
 *   ROWS       2 rows, DEPTH levels of edges; port 1 crosses on every level
 *   MESH       3 x 3 nodes, level x + y:    0 - 1 - 3
 *                                           |   |   |
 *                                           2 - 4 - 6
 *                                           |   |   |
 *                                           5 - 7 - 8
 *   UNEVEN     levels of 3, 2, 3, 2 nodes:  0   1   2
 *                                            \ / \ /
 *                                             3   4
 *                                            / \ / \
 *                                           5   6   7
 *                                            \ / \ /
 *                                             8   9
 *
 * Packets are numbered in the order in which merging prefers them: of their keys, which are rank, destination,
 * number (src/engine/merging/merge.c). So all choices of paths for packets 0, 1, .. are all
 * choices of paths and of ranks. A path starts and ends at any node; with
 * ACROSS it starts on the first level and ends on the last. Then, where there are
 * rows, packet 0 goes along row 0: rows can be renumbered on every level so that this is so.
 * With TURNS the order of a node's edges matters, and rows keep their numbers.
 * With COMBINE a packet may have the key of the packet before it, if both end at one node.
 */
#define BUTTERFLY 1
#define ROWS 2
#define MESH 3
#define UNEVEN 4
#ifndef NETWORK
#define NETWORK BUTTERFLY
#endif
#ifndef DEPTH
#define DEPTH 2
#endif
#ifndef PACKETS
#define PACKETS 3
#endif

#if NETWORK == BUTTERFLY || NETWORK == ROWS
#if NETWORK == BUTTERFLY
#if DEPTH == 1
#define WIDTH 2
#elif DEPTH == 2
#define WIDTH 4
#else
#define WIDTH 8
#endif
#define CROSS(v) (1 << ((v) / WIDTH))
#else
#define WIDTH 2
#define CROSS(v) 1
#endif
#define NODES ((DEPTH + 1) * WIDTH)
#define EDGES (2 * DEPTH * WIDTH)
#define FIRST_LEVEL WIDTH
#elif NETWORK == MESH
#define NODES 9
#define EDGES 12
#define FIRST_LEVEL 1
#define WIDTH 0
#else
#define NODES 10
#define EDGES 12
#define FIRST_LEVEL 3
#define WIDTH 0
#endif

#define NONE 255

/* The network: set before the first step, and no part of a state. */
hidden byte level[NODES], out[NODES + 1], head[EDGES];
hidden byte enters[2 * NODES]; /* edges into a node; NONE */
hidden byte edges;

inline add_edge(from, to)
{
    head[edges] = to;
    if
    :: enters[2 * (to)] == NONE -> enters[2 * (to)] = edges
    :: else -> enters[2 * (to) + 1] = edges
    fi;
    level[to] = level[from] + 1;
    edges++
}

inline make_network()
{
    edges = 0;
    for (v : 0 .. 2 * NODES - 1) { enters[v] = NONE }
#if NETWORK == BUTTERFLY || NETWORK == ROWS
    for (v : 0 .. NODES - 1) {
        out[v] = edges;
        if
        :: v < DEPTH * WIDTH -> add_edge(v, v + WIDTH); add_edge(v, (v + WIDTH) ^ CROSS(v))
        :: else
        fi
    }
#elif NETWORK == MESH
    out[0] = edges; add_edge(0, 1); add_edge(0, 2);
    out[1] = edges; add_edge(1, 3); add_edge(1, 4);
    out[2] = edges; add_edge(2, 4); add_edge(2, 5);
    out[3] = edges; add_edge(3, 6);
    out[4] = edges; add_edge(4, 6); add_edge(4, 7);
    out[5] = edges; add_edge(5, 7);
    out[6] = edges; add_edge(6, 8);
    out[7] = edges; add_edge(7, 8);
    out[8] = edges;
#else
    out[0] = edges; add_edge(0, 3);
    out[1] = edges; add_edge(1, 3); add_edge(1, 4);
    out[2] = edges; add_edge(2, 4);
    out[3] = edges; add_edge(3, 5); add_edge(3, 6);
    out[4] = edges; add_edge(4, 6); add_edge(4, 7);
    out[5] = edges; add_edge(5, 8);
    out[6] = edges; add_edge(6, 8); add_edge(6, 9);
    out[7] = edges; add_edge(7, 9);
    out[8] = edges;
    out[9] = edges;
#endif
    out[NODES] = edges;
    v = 0
}

/* Scratch. What is used outside of d_step is a part of the state, and 0 between steps. */
byte v, u, w, p;
hidden byte e, i, moved; /* moved: something real has moved */

/* The packets. */
byte origin[PACKETS]; /* NONE once the packet has left its initial queue */
byte route[PACKETS];  /* ports of the hops to come, the next one lowest, below a 1: 1 at the packet's end, 0 when gone */
byte remaining = PACKETS;
#ifdef COMBINE
byte key[PACKETS]; /* odd, so that no packet has the word 2 key - 1 (merge.c: number_keys) */
#define KEY(p) key[p]
#else
#define KEY(p) (p)
#endif

#ifdef ACROSS
#define MAY_STOP false
#ifdef TURNS
#define FIRST_IS_FIXED false
#else
#define FIRST_IS_FIXED (NETWORK == BUTTERFLY || NETWORK == ROWS)
#endif
#define LAST_ORIGIN (FIRST_LEVEL - 1)
#else
#define MAY_STOP true
#define FIRST_IS_FIXED false
#define LAST_ORIGIN (NODES - 1)
#endif

inline clear_scratch()
{
    v = 0;
    u = 0;
    w = 0;
    p = 0
}

/* Chooses the path of packet p: v walks from the origin, w is the bit of the next hop. */
inline choose_path(p)
{
    select(v : 0 .. LAST_ORIGIN);
    origin[p] = v;
    w = 1;
    do
    :: out[v + 1] > out[v] -> v = head[out[v]]; w = w << 1
    :: out[v + 1] > out[v] + 1 -> v = head[out[v] + 1]; route[p] = route[p] | w; w = w << 1
    :: MAY_STOP || out[v + 1] == out[v] -> break
    od;
    route[p] = route[p] | w
}

inline choose_packets()
{
    for (p : 0 .. PACKETS - 1) {
        if
        :: p == 0 && FIRST_IS_FIXED -> v = DEPTH * WIDTH; route[0] = 1 << DEPTH
        :: p || !FIRST_IS_FIXED -> choose_path(p)
        fi;
#ifdef COMBINE
        if
        :: p && v == u -> key[p] = key[p - 1]
        :: key[p] = (p -> key[p - 1] + 2 : 1)
        fi;
        u = v
#endif
    }
    clear_scratch()
}

/* The edge that packet p wants at node v; only if it is not at its end. */
#define WANTS(v, p) (out[v] + (route[p] & 1))
