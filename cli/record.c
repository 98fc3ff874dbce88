#include "record.h"

#include <string.h>

#include "command.h"

static int on_events(void *context, size_t count, const np_event *event)
{
    (void)context, (void)count, (void)event;
    return cli_interrupted();
}

int cli_record_open(cli_record *record, const np_record_options *options, const char *command)
{
    if (np_record_open(options, command, &record->record))
        return cli_fail_last();
    record->observer =
        (np_observer){.kinds = 1 << NP_EVENT_MOVED, .events = on_events, .next = np_record_observer(record->record)};
    return 0;
}

const np_observer *cli_record_observer(const cli_record *record) { return record->record ? &record->observer : NULL; }

np_status cli_record_end(cli_record *record, np_status status)
{
    bool some = record->record;
    if (status == NP_ERROR_CANCELLED && cli_interrupted())
        cli_interrupt_die();
    if (!some || (status && status != NP_ERROR_CANCELLED)) {
        np_record_discard(record->record);
        return status;
    }
    if (!(status = np_record_commit(record->record))) /* cancelled because a write failed: this returns its cause */
        cli_interrupt_keeps("the files of events are kept");
    return status;
}
