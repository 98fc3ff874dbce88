/*
 * What nodes do in both models of merging: see merging.pml for the code that it stands for.
 */
#include "leveled.pml"

#ifndef Q
#define Q 2
#endif
#define EMPTY 255

/* A word: 2 key for a packet, more by 1 for its ghost, END for the end of a stream. */
#define END 200
#define IS_PACKET(word) (!((word) & 1) && (word) < END)
#define IS_GHOST(word) ((word) & 1)
#define KEY_OF(word) ((word) >> 1)

byte slot[EDGES * Q], count[EDGES]; /* the queue at the head of an edge: packets */
byte passed[NODES]; /* twice the key of the last word that a node has selected; more by 1 if the packet itself has left */
bool order_kept = true, within_bounds = true, no_deadlock = true;

hidden byte best, packet, from, owner, word, at;
hidden byte all; /* no queue of the node is empty */

/* word = what node v sees of edge e, owner = its packet. BESIDE(e): what it sees where the queue is empty. */
inline front(e)
{
    owner = NONE;
    if
    :: count[e] -> owner = slot[(e) * Q]; word = 2 * KEY(owner)
    :: else -> word = BESIDE(e)
    fi
}

/* at = the first packet of node v's initial queue; NONE. */
inline first_of(v)
{
    at = NONE;
    for (i : 0 .. PACKETS - 1) {
        if
        :: at == NONE && origin[i] == v -> at = i
        :: else
        fi
    }
}

/* best = the least head of node v, packet = its packet, from = its queue. all: no queue is empty. */
inline select_least()
{
    all = true;
    first_of(v);
    from = NONE;
    best = (at == NONE -> END : 2 * KEY(at));
    packet = at;
    for (i : 0 .. 1) {
        if
        :: enters[2 * v + i] != NONE ->
            front(enters[2 * v + i]);
            if
            :: word == EMPTY -> all = false
            :: word < best -> best = word; from = i; packet = owner
            :: else
            fi
        :: else
        fi
    }
}

inline pop(queue)
{
    if
    :: queue == NONE -> origin[packet] = NONE
    :: else ->
        e = enters[2 * v + queue];
        count[e]--;
        FREES(e);
        for (i : 0 .. Q - 2) { slot[e * Q + i] = slot[e * Q + i + 1] }
        slot[e * Q + Q - 1] = 0
    fi
}

inline absorb(gone)
{
    route[gone] = 0;
    remaining--;
    moved = true
}

/* All heads of the best word become one: `packet`, in queue `from`. */
inline combine()
{
    packet = NONE;
    from = NONE;
    for (p : 0 .. PACKETS - 1) {
        if
        :: origin[p] == v && 2 * KEY(p) == best && packet == NONE -> packet = p
        :: origin[p] == v && 2 * KEY(p) == best && packet != NONE -> absorb(p); origin[p] = NONE
        :: else
        fi
    }
    for (u : 0 .. 1) {
        if
        :: enters[2 * v + u] != NONE ->
            front(enters[2 * v + u]);
            if
            :: word == best && packet == NONE -> packet = owner; from = u
            :: word == best && packet != NONE -> absorb(owner); pop(u)
            :: else
            fi
        :: else
        fi
    }
}

/* The best word is selected: Lemma 2.1. */
inline note_selected()
{
    order_kept = (IS_GHOST(best) -> KEY_OF(best) >= KEY_OF(passed[v]) : best >= passed[v]);
    assert(order_kept);
    passed[v] = (best - (best & 1) > passed[v] -> best - (best & 1) : passed[v])
}

/* The packet enters the queue of edge `own`. */
inline push(own)
{
    order_kept = !HAS_ENDED(own) && (!count[own] || 2 * KEY(slot[own * Q + count[own] - 1]) < best);
    assert(order_kept);
    within_bounds = count[own] < Q;
    assert(within_bounds);
    slot[own * Q + count[own]] = packet;
    count[own]++;
    route[packet] = route[packet] >> 1
}

inline consume()
{
    route[packet] = 0;
    remaining--
}
