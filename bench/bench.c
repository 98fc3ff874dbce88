/*
 * netpram-bench [KERNEL...]: JSON lines on stdout. The first line describes
 * the machine, then one line a kernel: median, least and most of the timed
 * repeats, what one unit of work costs, and the peak of memory. The warm-up
 * is checked; the timed repeats are not touched.
 *
 * Times are those of the whole library call, by the monotonic clock and as processor time of all threads: drawing
 * the traffic, allocating and clearing the arrays are in it.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/registry.h"
#include "bench.h"

enum { REPEATS_MAX = 1000, NAMES_MAX = 64 };

typedef struct bench_options {
    int repeats;
    unsigned threads; /* 0: the kernel's own */
    bool list;
    const char *names[NAMES_MAX];
    int count;
} bench_options;

static const bench_kernel *const lists[] = {
    bench_host_kernels,   bench_route_kernels,
    bench_merge_kernels,  bench_pram_kernels,
    bench_sort_kernels,   bench_load_kernels,
    bench_path_kernels,   NP_PAPERS(bench_offline_kernels, ) bench_collective_kernels,
    bench_script_kernels, bench_flows_kernels,
    bench_flits_kernels,  NULL};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of all threads, in the program and in the system. */
static double processor_time(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static json_t *spread(int count, double *values)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return json_pack("{s:f, s:f, s:f}", "median", median, "min", values[0], "max", values[count - 1]);
}

static double member(const json_t *line, const char *object, const char *key)
{
    return json_real_value(json_object_get(json_object_get(line, object), key));
}

/* Warm-up with the checker, then the repeats. False: the line says why not. */
static bool measure(const bench_kernel *kernel, void *state, int repeats, json_t *line)
{
    static double seconds[REPEATS_MAX], library[REPEATS_MAX], processor[REPEATS_MAX];
    bench_work work = {0, 0};
    if (kernel->run(state, &work)) {
        json_object_set_new(line, "error", json_string(np_last_error()));
        return false;
    }
    const char *wrong = kernel->check(state);
    if (wrong) {
        json_object_set_new(line, "error", json_sprintf("wrong result: %s", wrong));
        return false;
    }
    double units = work.units;
    for (int i = 0; i < repeats; i++) {
        work = (bench_work){0, 0};
        double start = now(), used = processor_time();
        np_status st = kernel->run(state, &work);
        seconds[i] = now() - start;
        processor[i] = processor_time() - used;
        library[i] = work.library_seconds;
        if (st || work.units != units) {
            json_object_set_new(line, "error", json_string(st ? np_last_error() : "a repeat did other work"));
            return false;
        }
    }
    if (kernel->describe)
        kernel->describe(state, line);
    json_object_set_new(line, "unit", json_string(kernel->unit));
    json_object_set_new(line, "units", json_real(units));
    json_object_set_new(line, "seconds", spread(repeats, seconds));
    json_object_set_new(line, "processor_seconds", spread(repeats, processor));
    if (library[0] > 0)
        json_object_set_new(line, "library_seconds", spread(repeats, library));
    double median = member(line, "seconds", "median");
    json_object_set_new(line, "units_per_second", json_real(units / median));
    json_object_set_new(line, "ns_per_unit", json_real(1e9 * median / units));
    return true;
}

static int run_kernel(const bench_kernel *kernel, const bench_options *options)
{
    unsigned threads = options->threads ? options->threads : kernel->threads;
    json_t *line = json_pack("{s:s, s:s, s:i, s:i}", "kernel", kernel->name, "help", kernel->help, "threads",
                             (int)threads, "repeats", options->repeats);
    uint64_t needed = 0, available = bench_memory_available();
    void *state = NULL;
    bool good;
    if (kernel->memory && !kernel->memory(kernel, threads, &needed) && needed > available) {
        json_object_set_new(line, "skipped",
                            json_sprintf("needs %.1f GB of memory, %.1f GB are available", (double)needed / 1e9,
                                         (double)available / 1e9));
        good = true;
    } else if (kernel->setup(kernel, threads, &state)) {
        json_object_set_new(line, "error", json_sprintf("setup: %s", np_last_error()));
        good = false;
    } else {
        good = measure(kernel, state, options->repeats, line);
    }
    if (state)
        kernel->teardown(state);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    json_object_set_new(line, "peak_rss_bytes", json_integer((json_int_t)usage.ru_maxrss * 1024));
    json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    puts("");
    fflush(stdout);
    json_decref(line);
    return good ? 0 : 1;
}

/* In a process of its own: the peak of memory is the kernel's, and no kernel finds another's heap. */
static int run_apart(const bench_kernel *kernel, const bench_options *options)
{
    int status = 1;
    fprintf(stderr, "%s: %s\n", kernel->name, kernel->help);
    pid_t child = fork();
    if (child == 0)
        exit(run_kernel(kernel, options));
    if (child < 0 || waitpid(child, &status, 0) < 0 || status) {
        fprintf(stderr, "%s: failed\n", kernel->name);
        return 1;
    }
    return 0;
}

static bool wanted(const bench_kernel *kernel, const bench_options *options)
{
    for (int i = 0; i < options->count; i++)
        if (!strcmp(options->names[i], kernel->name))
            return true;
    return !options->count && !kernel->on_request;
}

static bool exists(const char *name)
{
    for (int l = 0; lists[l]; l++)
        for (const bench_kernel *kernel = lists[l]; kernel->name; kernel++)
            if (!strcmp(kernel->name, name))
                return true;
    return false;
}

static void list_kernels(void)
{
    for (int l = 0; lists[l]; l++)
        for (const bench_kernel *kernel = lists[l]; kernel->name; kernel++)
            printf("%-32s %s\n", kernel->name, kernel->help);
}

static int whole(struct argp_state *state, const char *option, const char *text, int low, int high)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < low || value > high)
        argp_error(state, "--%s %s: must be a whole number, %d..%d", option, text, low, high);
    return (int)value;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    bench_options *options = state->input;
    switch (key) {
    case 'r':
        options->repeats = whole(state, "repeats", argument, 5, REPEATS_MAX);
        return 0;
    case 't':
        options->threads = (unsigned)whole(state, "threads", argument, 1, 4096);
        return 0;
    case 'l':
        options->list = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!exists(argument))
            argp_error(state, "no kernel '%s': --list names all", argument);
        if (options->count == NAMES_MAX)
            argp_error(state, "more than %d kernels", NAMES_MAX);
        options->names[options->count++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp_option known[] = {
        {"repeats", 'r', "N", 0, "timed repeats of each kernel, 5 or more (default 5)", 0},
        {"threads", 't', "N", 0, "threads of every kernel (default: as its name says)", 0},
        {"list", 'l', NULL, 0, "name the kernels", 0},
        {0},
    };
    static const struct argp argp = {known, parse, "[KERNEL...]", "Measures netpram; JSON lines on stdout.", 0, 0, 0};
    bench_options options = {.repeats = 5};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (options.list) {
        list_kernels();
        return 0;
    }
    json_t *machine = json_pack("{s:o}", "machine", bench_machine());
    json_dumpf(machine, stdout, JSON_COMPACT);
    puts("");
    fflush(stdout);
    json_decref(machine);
    int failed = 0;
    for (int l = 0; lists[l]; l++)
        for (const bench_kernel *kernel = lists[l]; kernel->name; kernel++)
            if (wanted(kernel, &options))
                failed |= run_apart(kernel, &options);
    return failed;
}
