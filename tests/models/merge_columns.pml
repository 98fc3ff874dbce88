/*
 * The barrier protocol of merging by columns: threads do their rows of one level after the other, and meet after each
 * (src/engine/merging/merge_columns.c: run_steps; the rows of a level: columns_kernel.c).
 *
 * What stands for which code:
 *   one_level   do_level of a worker: what it reads and writes, block by block
 *   goes_on     merge_columns.c: goes_on, between loops of threads
 *   first_row   divide_rows
 *   barrier     the end of a loop of threads, and the beginning of the next one (threads.pml)
 *
 * What is abstracted. A row is a block of rows. Edges into level l cross by bit CROSS(l) of the block; crossings inside
 * of a block concern one worker only. Words, queues, initial queues, populations and the columns `full` of straight
 * edges are of one worker's rows only, and are left out. Whether there is a step more is for the model to choose.
 *
 * Races: threads.pml.
 *
 * Properties
 *   no_race
 *   full_is_new        whether queues of the next level are full is what that level said in this step
 *   out_is_old         what the level before sends is what it sent in the last step
 *   none_leaves_early  a thread leaves when there is no step more; no invalid end state: no deadlock
 *
 * Planted bugs
 *   BUG_NO_BARRIER_AFTER_LEVEL, BUG_NO_BARRIER_BEFORE_SINGLE, BUG_NO_BARRIER_AFTER_SINGLE
 *   BUG_ALL_GO_ON      every thread adds up
 *   BUG_UPWARDS        levels from the first to the last
 *   BUG_ROWS_OVERLAP   a worker does the first row of the next one, too
 */
#ifndef LEVELS
#define LEVELS 3
#endif
#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef THREADS
#define THREADS WORKERS /* the system may grant fewer */
#endif
#define CROSS(l) ((l) & 1 -> BLOCKS / 2 : 1)
#define FIRST_ROW(w) (BLOCKS * (w) / WORKERS)

/* The shared variables, by numbers. */
#define OUT(l, row) ((l) * BLOCKS + (row))                     /* level[l].out[..][row] */
#define FULL(l, row) (LEVELS * BLOCKS + (l) * BLOCKS + (row))  /* level[l].full[1][row] */
#define COUNTED(w) (2 * LEVELS * BLOCKS + (w))                 /* the worker's counts */
#define NOW (2 * LEVELS * BLOCKS + WORKERS)                    /* cs->now */
#define MORE (2 * LEVELS * BLOCKS + WORKERS + 1)               /* more */
#define VARIABLES (2 * LEVELS * BLOCKS + WORKERS + 2)
#include "threads.pml"

bit now = 1;                       /* parity of the step */
bool more = true;
bit of_step[2 * LEVELS * BLOCKS];  /* in which step OUT and FULL were written, by its parity */
bit singles;                       /* parity of the `omp single` that nobody has begun */
bool full_is_new = true, out_is_old = true, none_leaves_early = true;
byte left;

#ifdef BUG_ROWS_OVERLAP
#define LAST_ROW(w) (FIRST_ROW((w) + 1) - ((w) == WORKERS - 1))
#else
#define LAST_ROW(w) (FIRST_ROW((w) + 1) - 1)
#endif

inline one_level()
{
    d_step {
        begin_read(NOW);
        begin_write(COUNTED(w));
        for (i : FIRST_ROW(w) .. LAST_ROW(w)) {
            begin_write(OUT(l, i));
            if
            :: l ->
                begin_read(OUT(l - 1, i));
                begin_read(OUT(l - 1, i ^ CROSS(l)));
                out_is_old = of_step[OUT(l - 1, i ^ CROSS(l))] != now;
                assert(out_is_old);
                begin_write(FULL(l, i ^ CROSS(l)))
            :: else
            fi;
            if
            :: l < LEVELS - 1 ->
                begin_read(FULL(l + 1, i));
                full_is_new = of_step[FULL(l + 1, i)] == now;
                assert(full_is_new)
            :: else
            fi
        }
        i = 0
    }
    d_step {
        end_read(NOW);
        end_write(COUNTED(w));
        for (i : FIRST_ROW(w) .. LAST_ROW(w)) {
            end_write(OUT(l, i));
            of_step[OUT(l, i)] = now;
            if
            :: l ->
                end_read(OUT(l - 1, i));
                end_read(OUT(l - 1, i ^ CROSS(l)));
                end_write(FULL(l, i ^ CROSS(l)));
                of_step[FULL(l, i ^ CROSS(l))] = now
            :: else
            fi;
            if
            :: l < LEVELS - 1 -> end_read(FULL(l + 1, i))
            :: else
            fi
        }
        i = 0
    }
}

inline goes_on()
{
    d_step {
        begin_write(NOW);
        begin_write(MORE);
        for (i : 0 .. WORKERS - 1) { begin_write(COUNTED(i)) }
        i = 0
    }
    if
    :: more = false
    :: true
    fi;
    d_step {
        now = 1 - now;
        end_write(NOW);
        end_write(MORE);
        for (i : 0 .. WORKERS - 1) { end_write(COUNTED(i)) }
        i = 0
    }
}

inline level_barrier()
{
    if
#ifdef BUG_NO_BARRIER_AFTER_LEVEL
    :: n > 1
#endif
#ifdef BUG_NO_BARRIER_BEFORE_SINGLE
    :: n == 1
#endif
    :: else -> barrier()
    fi
}

inline single()
{
    atomic {
#ifdef BUG_ALL_GO_ON
        mine = true;
#else
        mine = singles == my_single;
#endif
        singles = (mine -> 1 - my_single : singles);
        my_single = 1 - my_single
    }
    if
    :: mine -> goes_on()
    :: else
    fi;
    mine = false;
#ifndef BUG_NO_BARRIER_AFTER_SINGLE
    barrier()
#endif
}

proctype thread(byte me)
{
    bool mine, on;
    bit my_round, my_single;
    byte w, i, l, n;

    do
    :: true ->
        d_step { begin_read(MORE); on = more }
        end_read(MORE);
        if
        :: on
        :: else -> break
        fi;
        n = LEVELS;
        do
        :: n ->
#ifdef BUG_UPWARDS
            l = LEVELS - n;
#else
            l = n - 1;
#endif
            w = me;
            do
            :: w < WORKERS -> one_level(); w = w + THREADS
            :: else -> break
            od;
            w = 0;
            level_barrier();
            n--
        :: else -> break
        od;
        l = 0;
        single()
    od;
    none_leaves_early = !more;
    assert(none_leaves_early);
    left++
}

init {
    byte i;
    atomic {
        for (i : 0 .. THREADS - 1) { run thread(i) }
        i = 0
    }
    left == THREADS
}
