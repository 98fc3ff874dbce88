/*
 * The protocol of the step engine: threads serve the shards in loops, and one of them does what is between loops (head
 * of src/engine/queueing/stepping.c). Barriers stand for the ends and beginnings of loops.
 *
 * What stands for which code:
 *   thread, goes_on, step, turn,  stepping.c: run_steps, goes_on, step, what follows the loop in it,
 *   tell, tell_progress           tell, is_cancelled; the thread that takes over: loops of one thread
 *   barrier                       the end of np_threads_each, and the beginning of the next one (threads.pml)
 *   ticket, fill                  begin.c: np_engine_ticket and np_engine_fill (stepping.c: reset_and_ticket)
 *   move: receive, then send      step.c: np_engine_move
 *   receive                       step.c: np_engine_receive
 *   bucket[], hops_in[], taken    bucket.c: the buckets, the chunks, the pools' counters
 *
 * What is abstracted. A packet is the number of hops that it has to make, at
 * most HOPS; the owner of its next node may be any worker. A chunk holds one
 * item. Queues, busy links, populations and status of a shard are one variable, and a worker has one block of nodes.
 * Whether few packets have moved is for the model to choose, so that the thread
 * that takes over does so, and gives back, at every step. The watch of progress
 * and the watch of steps may cancel at any time. Memory may lack for the first
 * order of a queue. Steps may be told or not.
 *
 * Races: threads.pml. To take a chunk counts as reading the pool's counter, which is atomic; to reset it as writing.
 *
 * Properties
 *   no_race, none_leaves_early (a thread leaves when all packets have landed or the run has a
 *   status), all_landed, all_counted, the_pool_has_room; no invalid end state: no deadlock; no cycle: every
 *   execution ends (the runner asks for cycles without progress, and no state is progress)
 *
 * Planted bugs
 *   BUG_NO_BARRIER_AFTER_MOVE, BUG_NO_BARRIER_AFTER_TURN, BUG_NO_BARRIER_AFTER_RECEIVE, BUG_NO_BARRIER_AFTER_TELL
 *   BUG_TAKEOVER_AT_ONCE      the thread that takes over does not wait until all have seen it
 *   BUG_OTHERS_GO_ON          the other threads do not wait while one makes their steps
 *   BUG_ONE_COUNT             finished[] has no parity
 *   BUG_CANCEL_AT_ONCE        the watch of progress sets the team's status itself
 *   BUG_ONE_POOL              packets that leave go to the pool that those who have arrived are in
 *   BUG_POOL_NOT_RESET, BUG_POOL_RESET_EARLY
 *   BUG_LANDED_FORGOTTEN      the packets that landed in the last step are not counted where they are
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef THREADS
#define THREADS WORKERS /* the system may grant fewer */
#endif
#ifndef PACKETS
#define PACKETS 2
#endif
#ifndef HOPS
#define HOPS 2
#endif

/* The shared variables, by numbers. A chunk is written by who has taken it, and is then in the sender's row. */
#define STEP 0                                     /* engine->step, queues.step */
#define STATUS 1                                   /* team->status */
#define ALONE 2                                    /* team->alone */
#define POOL(p) (3 + (p))                          /* pool[p].taken */
#define SHARD(w) (5 + (w))                         /* queues, busy links, populations, status */
#define MOVED(w) (5 + WORKERS + (w))               /* shard->moved */
#define FINISHED(w, p) (5 + (2 + (p)) * WORKERS + (w)) /* shard->finished[p] */
#define MADE(w, p) (5 + (4 + (p)) * WORKERS + (w))     /* shard->made[p] */
#define BUCKET(p, f, t) (5 + 6 * WORKERS + ((p) * WORKERS + (f)) * WORKERS + (t)) /* pool[p].bucket, from f to t */
#define CHUNK(p, k) (5 + 6 * WORKERS + 2 * WORKERS * WORKERS + (p) * PACKETS + (k)) /* of pool[p] */
#define VARIABLES (5 + 6 * WORKERS + 2 * WORKERS * WORKERS + 2 * PACKETS)

#include "threads.pml"

bool none_leaves_early = true, all_landed = true, the_pool_has_room = true, all_counted = true;

/* The run. */
bit parity;                             /* engine->step & 1 */
bool status, alone, cancelled;          /* of the team */
bool told, watched, was_cancelled, out_of_memory;
byte taken[2];                          /* pool[p].taken */
byte queued[WORKERS * (HOPS + 1)];      /* [w * (HOPS + 1) + h] packets in queues of worker w with h hops to make */
byte finished[2 * WORKERS];             /* [2 * w + parity] */
byte bucket[2 * WORKERS * WORKERS];     /* the chunks of bucket (from, to) of pool p, as bits */
byte hops_in[2 * PACKETS];              /* the item in the chunk; 0: it has landed */
byte counted;                           /* landed packets that a receiver has counted, or that were at their targets */
#define QUEUED(w, h) queued[(w) * (HOPS + 1) + (h)]
#ifdef BUG_ONE_COUNT
#define NEXT parity
#else
#define NEXT (1 - parity)
#endif
#ifdef BUG_ONE_POOL
#define AFTER parity
#else
#define AFTER (1 - parity)
#endif
#define CHUNKS(p, f, t) bucket[((p) * WORKERS + (f)) * WORKERS + (t)]

byte left; /* threads that have ended */

/* Reads what np_engine_finished reads, and the status. solo: this thread makes the steps of all. */
inline goes_on(result)
{
    d_step {
        if :: !solo -> begin_read(STATUS) :: else fi;
        begin_read(STEP);
        for (i : 0 .. WORKERS - 1) {
            begin_read(FINISHED(i, parity));
            n = n + finished[2 * i + parity]
        }
        result = !(solo -> one_status : status) && n < PACKETS;
        n = 0
    }
    d_step {
        if :: !solo -> end_read(STATUS) :: else fi;
        end_read(STEP);
        for (i : 0 .. WORKERS - 1) { end_read(FINISHED(i, parity)) }
        i = 0
    }
}

/* A packet with h hops to make goes to the bucket of any worker, in pool p. */
inline hand_over(from, p)
{
    the_pool_has_room = taken[p] < PACKETS;
    assert(the_pool_has_room);
    begin_write(CHUNK(p, taken[p]));
    end_write(CHUNK(p, taken[p]));
    hops_in[(p) * PACKETS + taken[p]] = h;
    select(to : 0 .. WORKERS - 1);
    CHUNKS(p, from, to) = CHUNKS(p, from, to) | (1 << taken[p]);
    taken[p]++;
    to = 0;
    h = 0
}

inline begin_buckets(from, p)
{
    for (i : 0 .. WORKERS - 1) { begin_write(BUCKET(p, from, i)) }
    i = 0
}

inline end_buckets(from, p)
{
    for (i : 0 .. WORKERS - 1) { end_write(BUCKET(p, from, i)) }
    i = 0
}

/* Packets w, w + WORKERS, ..: the slices of the code differ from these only in the numbers. */
inline ticket()
{
    d_step {
        begin_write(SHARD(w));
        begin_buckets(w, 0);
        begin_write(FINISHED(w, 0));
        begin_read(POOL(0))
    }
    n = w;
    do
    :: n < PACKETS ->
        atomic {
            select(h : 0 .. HOPS);
            if
            :: h -> hand_over(w, 0)
            :: else -> finished[2 * w]++; counted++ /* it is at its target */
            fi;
            n = n + WORKERS
        }
    :: else -> break
    od;
    n = 0;
    d_step {
        end_write(SHARD(w));
        end_buckets(w, 0);
        end_write(FINISHED(w, 0));
        end_read(POOL(0))
    }
}

/* The items of the buckets (0, w), (1, w), .. enter the queues of worker w, and the buckets are empty. */
inline receive()
{
    d_step {
        begin_read(STEP); /* which pool; what lots depend on */
        begin_write(SHARD(w));
        for (i : 0 .. WORKERS - 1) {
            begin_write(BUCKET(parity, i, w));
            for (k : 0 .. PACKETS - 1) {
                if
                :: CHUNKS(parity, i, w) & (1 << k) ->
                    begin_read(CHUNK(parity, k));
                    if
                    :: hops_in[parity * PACKETS + k] -> QUEUED(w, hops_in[parity * PACKETS + k])++
                    :: else -> counted++
                    fi
                :: else
                fi
            }
        }
        i = 0;
        k = 0
    }
    d_step {
        end_read(STEP);
        end_write(SHARD(w));
        for (i : 0 .. WORKERS - 1) {
            end_write(BUCKET(parity, i, w));
            for (k : 0 .. PACKETS - 1) {
                if
                :: CHUNKS(parity, i, w) & (1 << k) -> end_read(CHUNK(parity, k))
                :: else
                fi
            }
            CHUNKS(parity, i, w) = 0
        }
        i = 0;
        k = 0
    }
}

inline fill()
{
    receive();
    if
    :: out_of_memory = true /* of this shard: written while it is this worker's */
    :: skip
    fi
}

/* Any of the shard's packets move, but at least one: a busy link carries a packet. */
inline send()
{
    d_step {
        begin_read(STEP);
        begin_write(SHARD(w));
        begin_buckets(w, AFTER);
        begin_write(MOVED(w));
        if
        :: NEXT != parity -> begin_read(FINISHED(w, parity))
        :: else
        fi;
        begin_write(FINISHED(w, NEXT));
        begin_read(MADE(w, parity));
        begin_write(MADE(w, 1 - parity));
        begin_read(POOL(AFTER));
        finished[2 * w + NEXT] = finished[2 * w + parity];
        for (i : 1 .. HOPS) { rest = rest + QUEUED(w, i) }
        i = 0
    }
    n = HOPS;
    do
    :: n ->
        m = QUEUED(w, n);
        do
        :: m ->
            atomic {
                if
                :: QUEUED(w, n)--;
                   h = n - 1;
                   finished[2 * w + NEXT] = finished[2 * w + NEXT] + !h;
                   moves = true;
                   hand_over(w, AFTER)
                :: moves || rest > 1 /* it waits */
                fi;
                rest--;
                m--
            }
        :: else -> break
        od;
        n--
    :: else -> break
    od;
    moves = false;
    d_step {
        end_read(STEP);
        end_write(SHARD(w));
        end_buckets(w, AFTER);
        end_write(MOVED(w));
        if
        :: NEXT != parity -> end_read(FINISHED(w, parity))
        :: else
        fi;
        end_write(FINISHED(w, NEXT));
        end_read(MADE(w, parity));
        end_write(MADE(w, 1 - parity));
        end_read(POOL(AFTER))
    }
}

inline move()
{
    receive();
    send()
}

inline set_status()
{
    if
    :: solo -> one_status = true
    :: else -> begin_write(STATUS); status = true; end_write(STATUS)
    fi
}

/* Thread 0 alone, between barriers: reads all shards, and may end the run. */
inline tell()
{
    d_step {
        begin_read(STEP);
        for (i : 0 .. WORKERS - 1) {
            begin_read(SHARD(i));
            begin_read(MOVED(i));
            begin_read(FINISHED(i, parity))
        }
        i = 0
    }
    atomic {
        if
        :: out_of_memory -> set_status()
        :: else
        fi;
        if
        :: told -> set_status(); was_cancelled = true /* by the watch of steps */
        :: true
        fi
    }
    d_step {
        end_read(STEP);
        for (i : 0 .. WORKERS - 1) {
            end_read(SHARD(i));
            end_read(MOVED(i));
            end_read(FINISHED(i, parity))
        }
        i = 0
    }
}

/* Thread 0, while others may be a pass ahead. */
inline tell_progress()
{
    d_step {
        begin_read(STEP);
        for (i : 0 .. WORKERS - 1) { begin_read(MADE(i, parity)) }
        i = 0
    }
    atomic {
        if
        :: watched ->
#ifdef BUG_CANCEL_AT_ONCE
            set_status();
#else
            cancelled = true; /* nobody but thread 0 looks at it */
#endif
            was_cancelled = true
        :: true
        fi
    }
    d_step {
        end_read(STEP);
        for (i : 0 .. WORKERS - 1) { end_read(MADE(i, parity)) }
        i = 0
    }
}

/* Thread 0, after the pass, while others wait. */
inline turn()
{
    d_step {
        begin_write(STEP);
        if
        :: !solo -> begin_write(ALONE)
        :: else
        fi;
#ifndef BUG_POOL_NOT_RESET
        begin_write(POOL(parity));
        taken[parity] = 0;
        end_write(POOL(parity));
#endif
        for (i : 0 .. WORKERS - 1) { begin_read(MOVED(i)) }
        i = 0;
        parity = 1 - parity
    }
    atomic {
        if
        :: solo -> select_bit(one_alone)
        :: else -> select_bit(alone)
        fi;
        if
        :: cancelled -> set_status()
        :: else
        fi
    }
    d_step {
        end_write(STEP);
        if
        :: !solo -> end_write(ALONE)
        :: else
        fi;
        for (i : 0 .. WORKERS - 1) { end_read(MOVED(i)) }
        i = 0
    }
}

inline select_bit(b)
{
    if
    :: b = false
    :: b = true
    fi
}

/* Each shard of this thread, w = me, me + threads, ..; a thread that makes the steps alone has all shards. */
#define EACH_SHARD(pass) \
    w = (solo -> 0 : me); \
    do \
    :: w < WORKERS -> pass; w = w + (solo -> 1 : THREADS) \
    :: else -> break \
    od; \
    w = 0

#define TEAM_BARRIER \
    if \
    :: solo \
    :: else -> barrier() \
    fi

inline step()
{
    if
    :: me == 0 ->
#ifdef BUG_POOL_RESET_EARLY
        d_step { begin_write(POOL(1 - parity)); taken[1 - parity] = 0; end_write(POOL(1 - parity)) }
#endif
        tell_progress()
    :: else
    fi;
    EACH_SHARD(move());
#ifndef BUG_NO_BARRIER_AFTER_MOVE
    TEAM_BARRIER;
#endif
    if
    :: me == 0 -> turn()
    :: else
    fi;
#ifndef BUG_NO_BARRIER_AFTER_TURN
    TEAM_BARRIER;
#endif
    if
    :: told ->
        EACH_SHARD(receive());
#ifndef BUG_NO_BARRIER_AFTER_RECEIVE
        TEAM_BARRIER;
#endif
        if
        :: me == 0 -> tell()
        :: else
        fi;
#ifndef BUG_NO_BARRIER_AFTER_TELL
        TEAM_BARRIER
#endif
    :: else
    fi
}

/* Receives, and counts congestion. */
inline finish()
{
    d_step { begin_read(STATUS); end_read(STATUS) }
#ifndef BUG_LANDED_FORGOTTEN
    if
    :: !status -> receive()
    :: else
    fi
#endif
}

proctype thread(byte me)
{
    bool on, solo, one_status, one_alone, moves, lone;
    byte w, i, k, n, m, h, to, rest;
    bit my_round;

    EACH_SHARD(ticket());
    barrier();
    EACH_SHARD(fill());
    barrier();
    if
    :: me == 0 -> tell()
    :: else
    fi;
    barrier();
    do
    :: true ->
        goes_on(on);
        if
        :: !solo && !on -> break
        :: solo && one_alone && on -> step()
        :: solo && !(one_alone && on) ->
            d_step {
                begin_write(ALONE);
                begin_write(STATUS);
                solo = false;
                alone = one_alone;
                status = one_status;
                one_alone = false;
                one_status = false;
                end_write(ALONE);
                end_write(STATUS)
            }
            barrier()
        :: !solo && on ->
            d_step { begin_read(ALONE); lone = alone && THREADS > 1; end_read(ALONE) }
            if
            :: !lone -> step()
            :: lone ->
                lone = false;
#ifndef BUG_TAKEOVER_AT_ONCE
                barrier();
#endif
                if
                :: me == 0 -> solo = true; one_alone = true
                :: else ->
#ifndef BUG_OTHERS_GO_ON
                    barrier()
#endif
                fi
            fi
        fi
    od;
    on = false;
    d_step {
        for (i : 0 .. WORKERS - 1) { n = n + finished[2 * i + parity] }
        none_leaves_early = status || n == PACKETS;
        assert(none_leaves_early);
        i = 0;
        n = 0
    }
    EACH_SHARD(finish());
    left++
}

init {
    byte i, n;
    atomic {
        select_bit(told);
        select_bit(watched);
        for (i : 0 .. THREADS - 1) { run thread(i) }
        i = 0
    }
    d_step {
        left == THREADS;
        for (i : 0 .. WORKERS - 1) { n = n + finished[2 * i + parity] }
        all_landed = n == PACKETS || was_cancelled || out_of_memory;
        assert(all_landed);
        all_counted = counted == PACKETS || status;
        assert(all_counted)
    }
}
