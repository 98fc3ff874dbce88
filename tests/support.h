/* What every test program needs: cmocka with its includes, and the library with its inside. */
#ifndef NP_TESTS_SUPPORT_H
#define NP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "netpram/report.h"
#include "engine/open/open_loop.h"
#include "engine/queueing/engine.h"
#include "netpram/netpram.h"

/* Sanitizers take more memory than small limits leave. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SUPPORT_SANITIZED true
#elif defined __has_feature
#define SUPPORT_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SUPPORT_SANITIZED false
#endif

/*
 * How many of what is alike, or how large: `some` under the sanitizers, which take ten times as long. What is taken is
 * known by the case alone, not by those before it: NETPRAM_TEST must repeat it. Of so many cases, a quarter.
 */
#define SUPPORT_FEWER(all, some) (SUPPORT_SANITIZED ? (some) : (all))
#define SUPPORT_SAMPLE(cases) SUPPORT_FEWER(cases, ((cases) + 3) / 4)

/*
 * Of combinations with these indices: one of so many, under the sanitizers one of four times as many, of rows and
 * columns alike; all in `make soak`.
 */
bool support_takes(size_t row, size_t column, size_t every);

/* The call succeeds; else the test fails with the library's message. */
#define assert_ok(call) support_assert_ok((call), #call, __FILE__, __LINE__)
void support_assert_ok(np_status status, const char *call, const char *file, int line);

/* The call is refused with that status, and the message contains the text. */
#define assert_refused(call, status, text) support_assert_refused((call), (status), (text), #call, __FILE__, __LINE__)
void support_assert_refused(np_status got, np_status want, const char *text, const char *call, const char *file,
                            int line);

/*
 * The number of the allocation that is to fail after n did. Sanitizers take ten times as long: there some of those
 * after the first 64 are enough.
 */
long support_next_failure(long n);

/*
 * Counts the bytes that this thread, and its teams, hold more than now; false ends it. Then: the bytes held at present,
 * and the most that were held at once.
 */
void support_memory_count(bool on);
uint64_t support_memory_current(void);
uint64_t support_memory_peak(void);

/* A number below `below`, by a generator that shares nothing with the library; the state is any number at first. */
uint32_t support_lot(uint64_t *state, uint32_t below);

/* A network that must exist. */
np_network *support_network(const char *spec);

/* Specs of networks that are refused, each with one line that has the text; there is no network then. */
typedef struct support_bad_spec {
    const char *spec;
    np_status status;
    const char *text;
} support_bad_spec;
void support_assert_bad_specs(size_t count, const support_bad_spec *cases);

/* Traffic that must exist, of the first run. */
np_traffic *support_traffic(const np_network *network, const char *spec, uint64_t seed);

/*
 * Each allocation of the routing fails in turn, on one thread: an error, and no result. At last it succeeds, after more
 * than `least` allocations.
 */
void support_assert_route_without_memory(const np_network *network, const char *traffic, np_route_options options,
                                         long least);

/* What a model under load delivers: np_open_options.deliver, whose context is a support_deliveries. Free d. */
typedef struct support_deliveries {
    np_delivery *d;
    size_t count, room;
} support_deliveries;
int support_keep_deliveries(void *context, size_t count, const np_delivery *d);

/* Shared memory of that machine, by the default options or these; what it has counted. */
np_pram_options support_pram_options(const char *machine);
np_pram *support_pram(const np_pram_options *options);
np_pram_report support_pram_report(np_pram *pram);

/* The scheme is a queueing one without tables: it has queue disciplines, overlap and traces. */
bool support_queues(const char *scheme);

/* The plan of such a scheme for an engine. */
np_engine_plan support_plan(const char *scheme, const np_network *network, const np_path *path);

/*
 * Writes "a>b,c b>a c> | a c": the heads of every node by port, and the hosts if they are told from switches. Names are
 * those that the network prints, and it must find its nodes by them.
 */
void support_show_network(const np_network *network, char *text, size_t size);

/* The network of a file with this text; `options` follow the path in the spec. */
np_status support_network_of_text(const char *text, const char *options, np_network **out);

/* The same, which must succeed: its links must be `want`, as above. support_assert_text_refused: it must not, and say
 * so. */
void support_assert_text(const char *text, const char *options, const char *want, const char *file, int line);
void support_assert_text_refused(const char *text, const char *options, const char *message, const char *file,
                                 int line);

/* Its note has the part; NULL: it has no note. */
void support_assert_note(const char *text, const char *options, const char *part, const char *file, int line);

/* Its links have the attribute, with the unit and these values, by link: "1 15 -", where '-' is none. unit NULL: it has
 * none. */
void support_assert_attribute(const char *text, const char *options, const char *name, const char *unit,
                              const char *want, const char *file, int line);

/* Was the library built with expat? */
bool support_reads_xml(void);

/* A temporary file with these contents; the path is malloced, the caller removes and frees it. */
char *support_file(const char *contents);

#endif
