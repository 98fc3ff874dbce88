#include "support.h"

#include "base/account.h"
#include "route/queueing.h"

#include <unistd.h>

void support_assert_ok(np_status status, const char *call, const char *file, int line)
{
    if (status) {
        print_error("%s: %s: %s\n", call, np_status_name(status), np_last_error());
        _fail(file, line);
    }
}

void support_assert_refused(np_status got, np_status want, const char *text, const char *call, const char *file,
                            int line)
{
    if (got != want || !strstr(np_last_error(), text)) {
        print_error("%s: got %s '%s', not %s with '%s'\n", call, np_status_name(got), np_last_error(),
                    np_status_name(want), text);
        _fail(file, line);
    }
}

static np_account counting;

void support_memory_count(bool on)
{
    np_account_close(&counting);
    counting = on ? np_account_open(UINT64_MAX, NULL) : 0;
}

uint64_t support_memory_current(void) { return np_account_taken(counting); }

uint64_t support_memory_peak(void) { return np_account_peak(counting); }

np_network *support_network(const char *spec)
{
    np_network *network;
    support_assert_ok(np_network_create(spec, &network), spec, __FILE__, __LINE__);
    return network;
}

long support_next_failure(long n) { return n + (SUPPORT_SANITIZED && n > 64 ? 7 : 1); }

char *support_file(const char *contents)
{
    char *path = strdup("/tmp/netpram-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, contents, strlen(contents)), (ssize_t)strlen(contents));
    close(file);
    return path;
}

bool support_queues(const char *scheme)
{
    const np_scheme *ops;
    assert_ok(np_scheme_find(scheme, &ops));
    return np_queueing_of(ops) != NULL;
}

np_engine_plan support_plan(const char *scheme, const np_network *network, const np_path *path)
{
    const np_scheme *ops;
    assert_ok(np_scheme_find(scheme, &ops));
    const np_queueing *queueing = np_queueing_of(ops);
    assert_non_null(queueing);
    return (np_engine_plan){
        path, np_queueing_phases(queueing, network), queueing->targets, NULL, np_network_ends(network), 0};
}
