/*
 * Routing by waves, as the program does it (src/papers/waves/waves.c; what a step is: src/papers/waves/waves.h). The network,
 * the packets and their waves are chosen (leveled.pml); the rest is determined, as in the program.
 *
 * What stands for which code of waves.c:
 *   head_of, serve with forward  the functions of these names
 *   pay, wave_is_over,           likewise; a node is owing if an edge out is owed a token
 *   close_wave, act
 *   HAS_ROOM                     np_edge_queue_has_room (edge_queue.h); FREED: by the rule NP_ROOM_FREED
 *   step                         step: nodes from the last to the first
 *
 * Packets are numbered in order of their waves, as they are in the initial queues.
 *
 * What is abstracted: observers, delays, populations. The program ends with the last packet, the model when all nodes
 * have done all waves.
 *
 * Properties
 *   in_its_wave    a node serves packets of the wave that it works on only: a later wave delays no packet
 *   wave_is_whole  a node closes a wave when no packet of this wave is at the node or has the node before it
 *   token_first    no packet goes over an edge that is owed a token
 *   within_bounds  a queue holds at most Q items
 *   one_item       at most one item enters a queue in a step
 *   no_deadlock    something moves in every step until all nodes have done all waves (the proof in waves.c)
 *   all_arrive     then no packet is left
 *
 * Planted bugs
 *   BUG_TOKEN_LOST     a token that finds no room is not owed
 *   BUG_OWES_TWO       a node closes a wave while it owes a token
 *   BUG_PAYS_LATE      a node pays after it has served a packet
 *   BUG_EMPTY_IS_OVER  an empty queue counts as one whose head is a token
 *   BUG_OWN_LEFT       the initial queue does not keep a wave open
 *   BUG_PAST_TOKEN     a node takes the packet behind a token
 *   BUG_ROOM           room for one item more
 *   BUG_PAYS_ALWAYS    tokens need no room
 */
#define TURNS
#include "leveled.pml"

#ifndef Q
#define Q 1
#endif
#ifndef WAVES
#define WAVES 2
#endif

/* What the head of a queue may be besides a packet. */
#define TOKEN 200
#define EMPTY 255

byte slot[EDGES * Q], count[EDGES]; /* the queue at the head of an edge */
bit freed[EDGES], owed[EDGES];
byte wave_of[PACKETS], place[PACKETS]; /* place: the node where it is */
byte wave[NODES]; /* the wave that it works on; WAVES: it has finished */
byte turn[NODES]; /* the queue to start at: 0 is the initial one, 1 and 2 those of the edges in */
bool finished;
bool in_its_wave = true, wave_is_whole = true, token_first = true, within_bounds = true, one_item = true;
bool no_deadlock = true, all_arrive = true;
hidden byte item, j, k, over, served;
hidden byte came[EDGES]; /* something has entered its queue in this step */

#define QUEUES(v) (1 + (enters[2 * (v)] != NONE) + (enters[2 * (v) + 1] != NONE))
#ifdef FREED
#define FREED_NOW(e) 0
#else
#define FREED_NOW(e) freed[e]
#endif
#ifdef BUG_ROOM
#define HAS_ROOM(e) (count[e] + FREED_NOW(e) <= Q)
#else
#define HAS_ROOM(e) (count[e] + FREED_NOW(e) < Q)
#endif
#ifdef BUG_PAYS_ALWAYS
#define HAS_ROOM_FOR_TOKEN(e) true
#else
#define HAS_ROOM_FOR_TOKEN(e) HAS_ROOM(e)
#endif

inline choose_waves()
{
    for (p : 0 .. PACKETS - 1) {
        do
        :: w < WAVES - 1 -> w++
        :: break
        od;
        wave_of[p] = w;
        place[p] = origin[p]
    }
    clear_scratch()
}

/* item = the head of queue `queue` of node v. In the initial one a token stands wherever the wave changes. */
inline head_of(queue)
{
    item = TOKEN;
    if
    :: queue ->
        e = enters[2 * v + queue - 1];
        item = (count[e] -> slot[e * Q] : EMPTY);
#ifdef BUG_PAST_TOKEN
        if
        :: count[e] > 1 && item == TOKEN -> item = slot[e * Q + 1]
        :: else
        fi
#endif
    :: else ->
        for (i : 0 .. PACKETS - 1) {
            if
            :: item == TOKEN && origin[i] == v -> item = i
            :: else
            fi
        }
        if
        :: item != TOKEN && wave_of[item] != wave[v] -> item = TOKEN
        :: else
        fi
    fi
}

inline pop(e)
{
    count[e]--;
    freed[e] = 1;
    for (i : 0 .. Q - 2) { slot[(e) * Q + i] = slot[(e) * Q + i + 1] }
    slot[(e) * Q + Q - 1] = 0;
    moved = true
}

inline push(e, what)
{
    within_bounds = count[e] < Q;
    assert(within_bounds);
    one_item = !came[e];
    assert(one_item);
    slot[(e) * Q + count[e]] = what;
    count[e]++;
    came[e] = 1;
    moved = true
}

inline pay()
{
    for (e : out[v] .. out[v + 1] - 1) {
        if
        :: owed[e] && HAS_ROOM_FOR_TOKEN(e) -> push(e, TOKEN); owed[e] = 0
        :: else
        fi;
    }
}

/* over = a node that owes nothing has only tokens at the heads of its queues. */
inline wave_is_over()
{
    over = true;
#ifndef BUG_OWES_TWO
    for (e : out[v] .. out[v + 1] - 1) { over = over && !owed[e] }
#endif
#ifndef BUG_OWN_LEFT
    head_of(0);
    over = over && item == TOKEN;
#endif
    for (k : 1 .. QUEUES(v) - 1) {
        head_of(k);
#ifdef BUG_EMPTY_IS_OVER
        over = over && (item == TOKEN || item == EMPTY)
#else
        over = over && item == TOKEN
#endif
    }
}

/* Is a packet of node v's wave at v, or on its way there? u walks along its path. */
inline look_for_late_packets()
{
    for (i : 0 .. PACKETS - 1) {
        u = place[i];
        w = (wave_of[i] <= wave[v] -> route[i] : 0);
        do
        :: w ->
            wave_is_whole = wave_is_whole && u != v;
            if
            :: w > 1 -> u = head[out[u] + (w & 1)]
            :: else
            fi;
            w = w >> 1
        :: else -> break
        od
    }
    assert(wave_is_whole)
}

inline close_wave()
{
    look_for_late_packets();
    for (k : 1 .. QUEUES(v) - 1) {
        e = enters[2 * v + k - 1];
        if
        :: count[e] -> pop(e)
        :: else
        fi
    }
    for (e : out[v] .. out[v + 1] - 1) { owed[e] = 1 }
    wave[v]++;
    moved = true;
    pay();
#ifdef BUG_TOKEN_LOST
    for (e : out[v] .. out[v + 1] - 1) { owed[e] = 0 }
#endif
}

/* The packet `item` of queue k goes on, or is consumed: served. Or it must stay. */
inline forward()
{
    in_its_wave = wave_of[item] == wave[v];
    assert(in_its_wave);
    if
    :: route[item] == 1 -> route[item] = 0; remaining--; served = true; moved = true
    :: else ->
        e = WANTS(v, item);
        if
        :: HAS_ROOM(e) ->
            token_first = !owed[e];
            assert(token_first);
            push(e, item);
            route[item] = route[item] >> 1;
            place[item] = head[e];
            served = true
        :: else
        fi
    fi;
    if
    :: served && k -> e = enters[2 * v + k - 1]; pop(e)
    :: served && !k -> origin[item] = NONE
    :: else
    fi
}

/* The first packet that can go, from the queue of the turn on. */
inline serve()
{
    served = false;
    k = turn[v];
    for (j : 1 .. QUEUES(v)) {
        if
        :: !served ->
            head_of(k);
            if
            :: item < PACKETS -> forward()
            :: else
            fi;
            k = (k + 1 == QUEUES(v) -> 0 : k + 1);
            turn[v] = (served -> k : turn[v])
        :: else
        fi
    }
}

/* Node v's part in the step. */
inline act()
{
#ifndef BUG_PAYS_LATE
    pay();
#endif
    if
    :: wave[v] < WAVES ->
        wave_is_over();
        if
        :: over -> close_wave()
        :: else -> serve()
        fi
    :: else
    fi;
#ifdef BUG_PAYS_LATE
    pay()
#endif
}

inline look_for_end()
{
    finished = true;
    for (v : 0 .. NODES - 1) { finished = finished && wave[v] == WAVES }
    for (e : 0 .. EDGES - 1) { finished = finished && !owed[e] }
}

inline step()
{
    moved = false;
    v = NODES;
    do
    :: v -> v--; act()
    :: else -> break
    od;
    for (e : 0 .. EDGES - 1) { freed[e] = 0; came[e] = 0 }
    look_for_end();
    clear_scratch();
    no_deadlock = moved;
    assert(no_deadlock)
}

init {
    d_step { make_network(); clear_scratch() }
    atomic { choose_packets(); choose_waves() }
    do
    :: !finished -> d_step { step() }
    :: else -> break
    od;
    all_arrive = !remaining;
    assert(all_arrive)
}
