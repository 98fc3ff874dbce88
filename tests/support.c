#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/account.h"
#include "base/memory.h"
#include "run/route/queueing.h"

#include <unistd.h>

/* NETPRAM_TEST=PATTERN build/tests/test_x: only those of its tests whose names fit. */
__attribute__((constructor)) static void filter(void)
{
    const char *pattern = getenv("NETPRAM_TEST");
    if (pattern)
        cmocka_set_test_filter(pattern);
}

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

np_traffic *support_traffic(const np_network *network, const char *spec, uint64_t seed)
{
    np_traffic *traffic;
    support_assert_ok(np_traffic_create(spec, network, seed, 0, &traffic), spec, __FILE__, __LINE__);
    return traffic;
}

bool support_takes(size_t row, size_t column, size_t every)
{
    return getenv("NETPRAM_TEST_WHOLE") || (row + column) % SUPPORT_FEWER(every, 4 * every) == 0;
}

long support_next_failure(long n) { return n + SUPPORT_FEWER(1, n > 64 ? 7 : 1); }

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

np_status support_network_of_text(const char *text, const char *options, np_network **out)
{
    char *path = support_file(text), spec[256];
    snprintf(spec, sizeof spec, "file:%s%s", path, options);
    np_status st = np_network_create(spec, out);
    remove(path);
    free(path);
    return st;
}

static size_t show_node(const np_network *network, np_node u, char *text, size_t size)
{
    char room[NP_NAME_ROOM];
    const char *name = np_network_node_name(network, u, room);
    np_link link;
    size_t at = (size_t)snprintf(text, size, "%s%s>", u ? " " : "", name);
    assert_int_equal(np_network_find_node(network, name), u);
    for (np_port p = 0; p < np_network_ports(network) && (link = np_network_link_at(network, u, p)) != NP_NONE; p++) {
        name = np_network_node_name(network, np_network_link_head(network, link), room);
        at += (size_t)snprintf(text + at, size - at, "%s%s", p ? "," : "", name);
        assert_true(at < size);
    }
    return at;
}

void support_show_network(const np_network *network, char *text, size_t size)
{
    char room[NP_NAME_ROOM];
    size_t at = 0;
    assert_ok(np_network_audit(network));
    for (np_node u = 0; u < np_network_nodes(network); u++)
        at += show_node(network, u, text + at, size - at);
    for (np_node i = 0; np_network_has_hosts(network) && i < np_network_terminals(network); i++) {
        np_node host = np_network_input(network, i);
        assert_int_equal(np_network_output(network, i), host);
        assert_true(np_network_is_host(network, host));
        at +=
            (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : " | ", np_network_node_name(network, host, room));
        assert_true(at < size);
    }
}

void support_assert_text(const char *text, const char *options, const char *want, const char *file, int line)
{
    char got[4096];
    np_network *network;
    support_assert_ok(support_network_of_text(text, options, &network), text, file, line);
    support_show_network(network, got, sizeof got);
    _assert_string_equal(got, want, file, line);
    np_network_free(network);
}

void support_assert_text_refused(const char *text, const char *options, const char *message, const char *file, int line)
{
    np_network *network;
    np_status st = support_network_of_text(text, options, &network);
    support_assert_refused(st, st == NP_ERROR_LIMIT ? st : NP_ERROR_INPUT, message, text, file, line);
    assert_null(network);
}

void support_assert_note(const char *text, const char *options, const char *part, const char *file, int line)
{
    np_network *network;
    support_assert_ok(support_network_of_text(text, options, &network), text, file, line);
    const char *note = np_network_note(network);
    if (part ? !note || !strstr(note, part) : note != NULL) {
        print_error("note '%s', but '%s' was expected of:\n%s\n", note ? note : "", part ? part : "", text);
        _fail(file, line);
    }
    np_network_free(network);
}

void support_assert_attribute(const char *text, const char *options, const char *name, const char *unit,
                              const char *want, const char *file, int line)
{
    np_network *network;
    char got[512] = "";
    size_t at = 0;
    support_assert_ok(support_network_of_text(text, options, &network), text, file, line);
    const np_link_attribute *attribute = np_network_find_attribute(network, name);
    _assert_true(!attribute == !unit, text, file, line);
    for (np_link l = 0; attribute && l < np_network_link_numbers(network); l++)
        at += isnan(attribute->value[l])
                  ? (size_t)snprintf(got + at, sizeof got - at, "%s-", l ? " " : "")
                  : (size_t)snprintf(got + at, sizeof got - at, "%s%g", l ? " " : "", attribute->value[l]);
    _assert_string_equal(attribute ? attribute->unit : "", unit ? unit : "", file, line);
    _assert_string_equal(got, want, file, line);
    np_network_free(network);
}

bool support_reads_xml(void)
{
    np_network *network;
    assert_ok(np_report_formats());
    np_status st =
        support_network_of_text("<graphml><graph><edge source='a' target='b'/></graph></graphml>", "", &network);
    np_network_free(network);
    return st != NP_ERROR_APPLY;
}

uint32_t support_lot(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

void support_assert_bad_specs(size_t count, const support_bad_spec *cases)
{
    for (size_t i = 0; i < count; i++) {
        np_network *network;
        np_status st = np_network_create(cases[i].spec, &network);
        if (st != cases[i].status || !strstr(np_last_error(), cases[i].text))
            print_error("%s: %s\n", cases[i].spec, np_last_error());
        assert_refused(st, cases[i].status, cases[i].text);
        assert_null(network);
        assert_null(strchr(np_last_error(), '\n'));
    }
}

void support_assert_route_without_memory(const np_network *network, const char *traffic, np_route_options options,
                                         long least)
{
    np_route_result *result;
    options.threads = 1;
    for (long n = 1;; n++) {
        np_memory_fail_after(n);
        np_status st = np_route(network, traffic, &options, &result);
        np_memory_fail_after(0);
        if (!st) {
            assert_true(n > least);
            break;
        }
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_null(result);
    }
    np_route_result_free(result);
}

np_pram_options support_pram_options(const char *machine)
{
    np_pram_options options;
    np_pram_options_init(&options);
    options.machine = machine;
    return options;
}

np_pram *support_pram(const np_pram_options *options)
{
    np_pram *pram;
    assert_ok(np_pram_create(options, &pram));
    return pram;
}

np_pram_report support_pram_report(np_pram *pram)
{
    np_pram_report report;
    assert_ok(np_pram_report_get(pram, &report));
    return report;
}

int support_keep_deliveries(void *context, size_t count, const np_delivery *d)
{
    support_deliveries *l = context;
    if (l->count + count > l->room) {
        l->room = 2 * (l->count + count);
        l->d = realloc(l->d, l->room * sizeof *l->d);
    }
    memcpy(l->d + l->count, d, count * sizeof *d);
    l->count += count;
    return 0;
}
