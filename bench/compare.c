/*
 * netpram-bench-compare BASELINE RESULTS: compares the outputs of two runs of netpram-bench, and prints the ratio of
 * the speeds of each kernel: 1 is the baseline's speed, 0.5 half of it. "by the clock" is as a user sees it. Other
 * programs on the machine slow the clock down, so that marks go by processor time: half the speed is twice the
 * processor time for the same work.
 *
 * The kernels `host-...` run none of netpram's code. Their ratios say how much faster or slower the host is now. A
 * kernel is marked if its ratio is below the least of the ratios of the host, by more than the margin: the host does
 * not explain the loss. Likewise a kernel whose ratio is above the largest of them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* getline */
#endif
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const double MARGIN = 0.1; /* our choice: calls of one program differ by as much on a shared machine */

/* Reads what is left of the file into the array; false: a line is no JSON object. */
static bool read_objects(FILE *file, json_t *lines)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    while (good && getline(&line, &room, file) > 0)
        good = !json_array_append_new(lines, json_loads(line, 0, NULL));
    free(line);
    return good;
}

/* The lines of a file as an array, the machine first; NULL and a message: it cannot be read. */
static json_t *read_lines(const char *path)
{
    json_t *lines = json_array();
    FILE *file = fopen(path, "r");
    bool good =
        file && read_objects(file, lines) && !ferror(file) && json_object_get(json_array_get(lines, 0), "machine");
    if (file)
        fclose(file);
    if (good)
        return lines;
    fprintf(stderr, "%s: %s\n", path, file ? "no output of netpram-bench" : strerror(errno));
    json_decref(lines);
    return NULL;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "?";
}

/* The line of a kernel, with as many threads; NULL: there is none. */
static const json_t *find(const json_t *lines, const json_t *kernel)
{
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        if (!strcmp(text(line, "kernel"), text(kernel, "kernel")) &&
            json_equal(json_object_get(line, "threads"), json_object_get(kernel, "threads")))
            return line;
    }
    return NULL;
}

/* The median seconds of one of the two clocks; 0: the kernel did not run. */
static double seconds(const json_t *line, const char *clock)
{
    return json_number_value(json_object_get(json_object_get(line, clock), "median"));
}

/* The speed of a kernel against its speed in the baseline; 0: there is none to compare with. */
static double ratio_of(const json_t *before, const json_t *line, const char *clock)
{
    double then = before ? seconds(before, clock) : 0, now = seconds(line, clock);
    return then > 0 && now > 0 ? then / now : 0;
}

static const char by_clock[] = "seconds", by_processor[] = "processor_seconds";

static bool is_host(const json_t *line) { return !strncmp(text(line, "kernel"), "host-", 5); }

/* The least and the largest ratio of the kernels of the host; 1 if there are none. */
static void measure_host(const json_t *baseline, const json_t *results, double *least, double *most)
{
    *least = *most = 0;
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *line = json_array_get(results, i);
        double ratio = is_host(line) ? ratio_of(find(baseline, line), line, by_processor) : 0;
        *least = ratio > 0 && (*least == 0 || ratio < *least) ? ratio : *least;
        *most = ratio > *most ? ratio : *most;
    }
    if (*most == 0) {
        *least = *most = 1;
        puts("No kernel of the host is in both: a slower host cannot be told from slower code.");
    }
}

static void describe_machine(const char *title, const json_t *lines)
{
    const json_t *machine = json_object_get(json_array_get(lines, 0), "machine");
    printf("%-8s  netpram %s on %s, %d processors, %s, %s\n", title, text(machine, "netpram"), text(machine, "cpu"),
           (int)json_integer_value(json_object_get(machine, "processors")), text(machine, "system"),
           text(machine, "compiler"));
}

static bool same_machine(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"cpu", "processors", "caches", "memory_bytes", "compiler", "flags", NULL};
    bool same = true;
    a = json_object_get(json_array_get(a, 0), "machine");
    b = json_object_get(json_array_get(b, 0), "machine");
    for (size_t i = 0; keys[i]; i++) {
        const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
        same &= x == y || json_equal(x, y); /* neither says it */
    }
    return same;
}

/* Prints the ratios of one kernel. True: it lost speed. */
static bool print_ratios(const json_t *before, const json_t *line, double least, double most)
{
    double clock = ratio_of(before, line, by_clock), ratio = ratio_of(before, line, by_processor);
    bool slower = !is_host(line) && ratio < least * (1 - MARGIN),
         faster = !is_host(line) && ratio > most * (1 + MARGIN);
    printf(" %12.2f %18.2f%s\n", clock, ratio, slower ? " slower" : faster ? " faster" : "");
    return slower;
}

static bool compare_kernel(const json_t *baseline, const json_t *line, double least, double most)
{
    const json_t *before = find(baseline, line);
    printf("%-36s", text(line, "kernel"));
    if (!seconds(line, by_clock))
        puts(json_object_get(line, "skipped") ? " skipped" : " failed");
    else if (!before || !seconds(before, by_clock))
        puts(" not in the baseline");
    else if (!json_equal(json_object_get(before, "units"), json_object_get(line, "units")))
        puts(" other work than in the baseline");
    else
        return print_ratios(before, line, least, most);
    return false;
}

static void compare(const json_t *baseline, const json_t *results)
{
    double least, most;
    size_t slower = 0;
    describe_machine("baseline", baseline);
    describe_machine("now", results);
    if (!same_machine(baseline, results))
        puts("The machines or compilers differ: ratios mean little.");
    measure_host(baseline, results, &least, &most);
    printf("%-36s %12s %18s\n", "speed of", "by the clock", "by processor time");
    for (size_t i = 1; i < json_array_size(results); i++)
        slower += compare_kernel(baseline, json_array_get(results, i), least, most);
    printf("The host has %.2f to %.2f of its speed. Slower than the host explains: %zu.\n", least, most, slower);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("netpram-bench-compare BASELINE RESULTS: compares two outputs of netpram-bench\n", stderr);
        return 2;
    }
    json_t *baseline = read_lines(argv[1]), *results = read_lines(argv[2]);
    bool read = baseline && results;
    if (read)
        compare(baseline, results);
    json_decref(baseline);
    json_decref(results);
    return read ? 0 : 2;
}
