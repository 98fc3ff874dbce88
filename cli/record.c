#include "record.h"

#include "base/disk.h"
#include "command.h"
#include "show/record/record.h"

static int on_events(void *context, size_t count, const np_event *event)
{
    (void)context, (void)count, (void)event;
    return cli_interrupted();
}

static void on_size(void *context, const char *path, uint64_t bytes)
{
    cli_record *r = context;
    cli_progress_clear(&r->progress);
    cli_say("%s will have about %s", path, np_size_show((double)bytes).text);
}

int cli_record_begin(cli_record *r, const cli_common *common, const np_record_options *files, np_watch *watch,
                     const np_observer **observer)
{
    np_record_options options = *files;
    options.on_size = common->quiet ? NULL : on_size;
    options.on_size_context = r;
    if (np_record_open(&options, common->report.command, &r->record))
        return cli_fail_last();
    r->observer =
        (np_observer){.kinds = 1 << NP_EVENT_MOVED, .events = on_events, .next = np_record_observer(r->record)};
    r->place = observer;
    r->files = files;
    r->quiet = common->quiet;
    *observer = r->record ? &r->observer : NULL;
    *watch = cli_progress_start(&r->progress, common);
    return 0;
}

/* A call that was cancelled because a write failed: the commit returns the cause. */
static np_status finish(np_record *files, np_status st)
{
    if (!files || (st && st != NP_ERROR_CANCELLED)) {
        np_record_discard(files);
        return st;
    }
    if (!(st = np_record_commit(files)))
        cli_interrupt_keeps("the files of events are kept");
    return st;
}

int cli_record_end(cli_record *r, np_status st)
{
    cli_progress_clear(&r->progress);
    if (st == NP_ERROR_CANCELLED && cli_interrupted())
        cli_interrupt_die();
    *r->place = NULL;
    if (!st && r->record && !r->quiet && np_record_chose_nothing(r->record))
        cli_say("%s has no events: none is in %s%s%s", r->files->trace,
                r->files->trace_packets ? "--trace-packets" : "",
                r->files->trace_packets && r->files->trace_steps ? " and " : "",
                r->files->trace_steps ? "--trace-steps" : "");
    return finish(r->record, st) ? cli_fail_last() : 0;
}
