#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/decimal.h"
#include "command.h"
#include "show/table/table.h"

/* Seconds between lines, and before the first one on a terminal. Ours: often enough to show that work goes on, and rare
 * enough to cost nothing. */
static const double terminal_interval = 0.1, other_interval = 1.0, patience = 2.0;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Is it time for another line? */
static bool due(cli_progress *progress)
{
    double time = now();
    if (!progress->on || time - progress->last < (progress->terminal ? terminal_interval : other_interval))
        return false;
    progress->last = time;
    return true;
}

static void draw(cli_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void draw(cli_progress *progress, const char *format, ...)
{
    char line[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t length = strlen(line);
    if (!progress->terminal) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    size_t room = np_terminal_columns(stderr);
    if (room && length >= room) /* a line that is wrapped could not be redrawn */
        line[length = room - 1] = '\0';
    int pad = progress->drawn > length ? (int)(progress->drawn - length) : 0;
    fprintf(stderr, "\r%s%*s", line, pad, "");
    fflush(stderr);
    progress->drawn = length;
}

/* Writes a time in seconds, minutes or hours. */
static void duration(double seconds, char *text, size_t size)
{
    if (seconds < 90)
        snprintf(text, size, "%s s", NP_FIXED(seconds, 0));
    else if (seconds < 5400)
        snprintf(text, size, "%s min", NP_FIXED(seconds / 60, 0));
    else
        snprintf(text, size, "%s h", NP_FIXED(seconds / 3600, 1));
}

/* "point 2 of 9 (greedy on mesh:8x8): 3 of 10 runs" */
static void describe(const np_progress *p, char *text, size_t size)
{
    char count[64] = "", of[32] = "";
    if (p->of)
        snprintf(of, sizeof of, "of %llu ", (unsigned long long)p->of);
    if (p->unit)
        snprintf(count, sizeof count, "%llu %s%s", (unsigned long long)p->done, of, p->unit);
    snprintf(text, size, "%s%s%s", p->stage ? p->stage : "", p->stage && p->unit ? ": " : "", count);
}

static void show(cli_progress *progress, const np_progress *p)
{
    char what[160], left[48];
    describe(p, what, sizeof what);
    if (p->share <= 0) {
        draw(progress, "%s", what);
        return;
    }
    duration((now() - progress->start) * (1 - p->share) / p->share, left, sizeof left);
    draw(progress, "%s, %s%%, about %s left", what, NP_FIXED(100 * p->share, 0), left);
}

static int tell(void *context, const np_progress *p)
{
    cli_progress *progress = context;
    if (p->share < progress->share)
        progress->start = now(); /* new work */
    progress->share = p->share;
    if (due(progress))
        show(progress, p);
    return cli_interrupted();
}

np_watch cli_progress_start(cli_progress *progress, const cli_common *common)
{
    memset(progress, 0, sizeof *progress);
    progress->terminal = isatty(STDERR_FILENO);
    progress->on = (progress->terminal || common->progress) && !common->quiet && !cli_job_rank();
    progress->start = progress->last = now();
    if (progress->terminal && !common->progress)
        progress->last += patience - terminal_interval;
    cli_interrupt_looks();
    return (np_watch){tell, progress};
}

void cli_progress_clear(cli_progress *progress)
{
    if (progress->on && progress->terminal && progress->drawn) {
        fprintf(stderr, "\r%*s\r", (int)progress->drawn, "");
        fflush(stderr);
    }
    progress->drawn = 0;
}

int cli_progress_end(cli_progress *progress, np_status st)
{
    cli_progress_clear(progress);
    return st ? cli_fail_last() : 0;
}
