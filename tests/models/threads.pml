/*
 * THREADS threads, which have VARIABLES shared variables and meet at barriers.
 *
 * Races. Between two barriers threads run in any order. An access to a shared variable has a beginning and an end,
 * and other threads go on in between. No access may begin while another one is under way, unless both read: no_race.
 *
 * A thread has a variable `bit my_round`.
 */
byte readers[VARIABLES];
bit writer[VARIABLES];
bool no_race = true;

inline begin_read(v)
{
    no_race = !writer[v];
    assert(no_race);
    readers[v]++
}

inline begin_write(v)
{
    no_race = !writer[v] && !readers[v];
    assert(no_race);
    writer[v] = 1
}

inline end_read(v) { readers[v]-- }
inline end_write(v) { writer[v] = 0 }

/* All threads meet: the end of a loop of threads (src/base/threads.h), and the beginning of what comes after it. */
byte arrived;
bit round;

inline barrier()
{
    atomic {
        my_round = round;
        arrived++;
        if
        :: arrived == THREADS -> arrived = 0; round = 1 - round
        :: else
        fi
    }
    round != my_round
}
