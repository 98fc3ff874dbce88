/*
 * How many threads work. A team is started and met again in some microseconds, in which one thread serves thousands of
 * accesses: so a thread gets ENOUGH items at least.
 */
#include "pram/team.h"

#include <string.h>

#include "base/threads.h"

enum { ENOUGH = 1 << 15 }; /* ours */

np_status np_team_init(np_team *team, unsigned asked)
{
    *team = (np_team){0};
    return asked ? np_threads_choose(asked, UINT64_MAX, &team->threads) : NP_OK;
}

/* Where nobody asked for a number the choice does not fail. */
unsigned np_team_threads(np_team *team)
{
    if (!team->threads && np_threads_choose(0, UINT64_MAX, &team->threads))
        team->threads = 1;
    return team->threads;
}

int np_team_for(np_team *team, size_t count)
{
    size_t most = count / ENOUGH;
    if (!team || most < 2 || np_team_threads(team) < 2)
        return 1;
    return (int)np_threads_team(most < team->threads ? (unsigned)most : team->threads);
}

/* Parts of memory are of whole pages. */
static np_range pages_of(np_part part, size_t bytes)
{
    enum { PAGE = 4096 };
    np_range pages = np_part_of(part, (bytes + PAGE - 1) / PAGE);
    size_t begin = pages.begin * PAGE, end = pages.end * PAGE;
    return (np_range){begin < bytes ? begin : bytes, end < bytes ? end : bytes};
}

void np_team_clear(np_team *team, void *memory, size_t bytes)
{
#pragma omp parallel NP_TEAM_OF(np_team_for(team, bytes / sizeof(np_word)))
    {
        np_range mine = pages_of(np_part_mine(), bytes);
        memset((char *)memory + mine.begin, 0, mine.end - mine.begin);
    }
}

void np_team_copy(np_team *team, void *to, const void *from, size_t bytes)
{
#pragma omp parallel NP_TEAM_OF(np_team_for(team, bytes / sizeof(np_word)))
    {
        np_range mine = pages_of(np_part_mine(), bytes);
        memcpy((char *)to + mine.begin, (const char *)from + mine.begin, mine.end - mine.begin);
    }
}
