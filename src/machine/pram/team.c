/*
 * How many threads work. Threads are called and met again in some microseconds, in which one thread serves thousands of
 * accesses: so a thread gets ENOUGH items at least.
 */
#include "machine/pram/team.h"

#include <string.h>

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

unsigned np_team_for(np_team *team, size_t count)
{
    size_t most = count / ENOUGH;
    if (!team || most < 2 || np_team_threads(team) < 2)
        return 1;
    return most < team->threads ? (unsigned)most : team->threads;
}

typedef struct parts {
    void (*work)(void *context, np_part part);
    void *context;
    unsigned parts;
} parts;

static void do_part(void *context, unsigned thread, uint32_t part)
{
    const parts *p = context;
    (void)thread;
    p->work(p->context, (np_part){part, p->parts});
}

void np_team_each(np_team *team, size_t count, void (*work)(void *context, np_part part), void *context)
{
    parts p = {work, context, np_team_for(team, count)};
    np_threads_each(p.parts, p.parts, do_part, &p);
}

/* Parts of memory are of whole pages. */
static np_range pages_of(np_part part, size_t bytes)
{
    enum { PAGE = 4096 };
    np_range pages = np_part_of(part, (bytes + PAGE - 1) / PAGE);
    size_t begin = pages.begin * PAGE, end = pages.end * PAGE;
    return (np_range){begin < bytes ? begin : bytes, end < bytes ? end : bytes};
}

typedef struct copying {
    char *to;
    const char *from; /* NULL: zeros */
    size_t bytes;
} copying;

static void copy_part(void *context, np_part part)
{
    const copying *c = context;
    np_range mine = pages_of(part, c->bytes);
    if (c->from)
        memcpy(c->to + mine.begin, c->from + mine.begin, mine.end - mine.begin);
    else
        memset(c->to + mine.begin, 0, mine.end - mine.begin);
}

void np_team_clear(np_team *team, void *memory, size_t bytes) { np_team_copy(team, memory, NULL, bytes); }

void np_team_copy(np_team *team, void *to, const void *from, size_t bytes)
{
    if (bytes)
        np_team_each(team, bytes / sizeof(np_word), copy_part, &(copying){to, from, bytes});
}
