/* What links carry under load, on an array whose packets cross each other: 0 <-> 3 and 1 <-> 2. */
#include <math.h>
#include <unistd.h>

#include "support.h"

enum { LINKS = 6, SIZE = 4096 };

/* Loads a network, and reads the file of links. */
static np_status load(const char *spec, np_load_options options, char *text)
{
    char path[] = "/tmp/netpram-test-XXXXXX";
    int file = mkstemp(path);
    np_network *network = support_network(spec);
    np_load_result *result;
    assert_true(file >= 0);
    options.links_file = path;
    np_status st = np_load(network, "complement", &options, &result);
    close(file);
    FILE *written = fopen(path, "r");
    assert_non_null(written);
    text[fread(text, 1, SIZE - 1, written)] = '\0';
    fclose(written);
    np_load_free(result);
    np_network_free(network);
    unlink(path);
    return st;
}

/* Loads the array periodically, or by requests and replies. */
static np_status load_array(const char *paths, const char *loads, const char *window, unsigned threads, char *text)
{
    np_load_options options;
    np_load_options_init(&options);
    options.paths = paths;
    options.loads = loads;
    options.window = window;
    if (!window)
        options.arrivals = "periodic";
    options.cycles = 4000;
    options.threads = threads;
    return load("array:4", options, text);
}

/* Loads the array with hosts, of routers with channels. */
static np_status load_flits(unsigned threads, char *text)
{
    np_load_options options;
    np_load_options_init(&options);
    options.model = "flits";
    options.paths = "dimension-order";
    options.loads = "0.3";
    options.arrivals = "periodic";
    options.packet_flits = "3";
    options.cycles = 8000;
    options.threads = threads;
    return load("array:4@1", options, text);
}

/* The use of link from -> to on a curve, by the line that begins so. */
static double use_of(const char *text, const char *curve, const char *link)
{
    const char *at = strstr(text, curve);
    double use = NAN;
    for (; at && strncmp(at, curve, strlen(curve)) == 0; at = strchr(at, '\n') + 1)
        if (!strncmp(at + strlen(curve), link, strlen(link)))
            use = strtod(strchr(at + strlen(curve) + strlen(link) + 1, ',') + 1, NULL);
    return use;
}

static const char *const link_of[LINKS] = {"1,0,1,", "3,1,2,", "5,2,3,", "2,1,0,", "4,2,1,", "6,3,2,"};

/* At a load of 0.25 the middle links carry 0.5, the outer ones 0.25. Two rules, and the last of two loads. */
static void links_carry_what_crosses_them(void **state)
{
    (void)state;
    char text[SIZE];
    assert_ok(load_array("shortest,greedy", "0.1,0.25", NULL, 1, text));
    static const char head[] = "paths,offered,link,from,to,flits,use\n";
    assert_int_equal(strncmp(text, head, strlen(head)), 0);
    assert_null(strstr(text, ",0.1,"));
    for (size_t i = 0; i < LINKS; i++) {
        double want = i % 3 == 1 ? 0.5 : 0.25, use = use_of(text, "shortest,0.25,", link_of[i]);
        if (!(fabs(use - want) < 0.01))
            fail_msg("link %s: %g, not %g, in\n%s", link_of[i], use, want, text);
    }
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 1 + 2 * LINKS);
}

/* Links that are full carry a packet a step, and all bytes are the same for any number of threads. */
static void full_links_carry_one_a_step(void **state)
{
    (void)state;
    char text[SIZE], other[SIZE];
    assert_ok(load_array("shortest", "0.9", NULL, 1, text));
    assert_true(use_of(text, "shortest,0.9,", "3,1,2,") == 1);
    assert_true(use_of(text, "shortest,0.9,", "1,0,1,") < 0.95);
    for (unsigned threads = 2; threads <= 3; threads++) {
        assert_ok(load_array("shortest", "0.9", NULL, threads, other));
        assert_string_equal(text, other);
    }
}

/* A request of each node, and its reply, take the middle link one way and then the other; those of 0 and 3 the outer
 * ones, too, and are longer on their way. */
static void requests_and_replies_cross_links(void **state)
{
    (void)state;
    char text[SIZE];
    assert_ok(load_array("greedy", NULL, "1", 1, text));
    double outer = use_of(text, "dimension-order,,", link_of[0]),
           middle = use_of(text, "dimension-order,,", link_of[1]);
    assert_true(outer > 0.1 && middle > 2 * outer && middle <= 1);
    for (size_t i = 0; i < LINKS; i++)
        assert_true(fabs(use_of(text, "dimension-order,,", link_of[i]) - (i % 3 == 1 ? middle : outer)) < 0.01);
}

/*
 * Routers with channels: a packet of three flits counts three times. By the definition the links of an array carry what
 * the sum over its sources says, and the cables of hosts what hosts send and receive.
 */
static void links_carry_flits(void **state)
{
    (void)state;
    static const struct {
        const char *line; /* of array:4@1: from, to */
        double use;       /* at a load of 0.3 flits a terminal */
    } want[] = {{",0,1,", 0.3},    {",1,2,", 0.6},     {",2,3,", 0.3},    {",3,2,", 0.3},
                {"s1.h0,1,", 0.3}, {",1,s1.h0,", 0.3}, {"s3.h0,3,", 0.3}, {",3,s3.h0,", 0.3}};
    char text[SIZE], other[SIZE];
    assert_ok(load_flits(1, text));
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const char *line = strstr(text, want[i].line);
        if (!line)
            fail_msg("no link %s in\n%s", want[i].line, text);
        double use = strtod(strchr(line + strlen(want[i].line), ',') + 1, NULL);
        if (!(fabs(use - want[i].use) < 0.01))
            fail_msg("link %s: %g, not %g", want[i].line, use, want[i].use);
    }
    assert_ok(load_flits(3, other));
    assert_string_equal(text, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_carry_what_crosses_them),
        cmocka_unit_test(full_links_carry_one_a_step),
        cmocka_unit_test(requests_and_replies_cross_links),
        cmocka_unit_test(links_carry_flits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
