/*
 * GOAL schedules: what they cost by LogGOPS and by flows, worked out by hand beside each; what is refused, and where;
 * and schedules that collective operations write.
 */
#include <math.h>

#include "../support.h"
#include "netpram/replay.h"

/* Ranks as texts, "send 1b to 1;recv 1b from 1|recv 1b from 0" is two ranks: bars part ranks, semicolons lines. */
static char *goal_file(const char *ranks)
{
    char text[4096];
    size_t count = 1, at = 0;
    for (const char *c = ranks; *c; c++)
        count += *c == '|';
    at += (size_t)snprintf(text, sizeof text, "num_ranks %zu\nrank 0 {\n", count);
    for (size_t rank = 1; *ranks; ranks++)
        if (*ranks == '|')
            at += (size_t)snprintf(text + at, sizeof text - at, "\n}\nrank %zu {\n", rank++);
        else
            text[at++] = *ranks == ';' ? '\n' : *ranks;
    snprintf(text + at, sizeof text - at, "\n}\n");
    return support_file(text);
}

static np_status replay_at(const char *spec, char *file, const char *model, const char *loggops, double link_rate,
                           np_replay_result **out)
{
    np_network *network = support_network(spec);
    np_replay_options options;
    np_replay_options_init(&options);
    options.model = model;
    options.loggops = loggops;
    options.link_rate = link_rate;
    np_status st = np_replay(network, file, &options, out);
    np_network_free(network);
    remove(file);
    free(file);
    return st;
}

static np_status replay(const char *spec, char *file, const char *model, const char *loggops, np_replay_result **out)
{
    return replay_at(spec, file, model, loggops, 0, out);
}

static void expect(const char *ranks, const char *spec, const char *model, const char *loggops, double makespan)
{
    np_replay_result *r;
    assert_ok(replay(spec, goal_file(ranks), model, loggops, &r));
    if (r->makespan < makespan - 1e-6 || r->makespan > makespan + 1e-6)
        fail_msg("%s: %.17g instead of %.17g", ranks, r->makespan, makespan);
    np_replay_result_free(r);
}

static void loggops(const char *ranks, const char *costs, double makespan)
{
    expect(ranks, "complete:64", "loggops", costs, makespan);
}

#define SMALL "L=1000,o=200,g=300,O=0,G=2"

static void test_examples(void **state)
{
    (void)state;
    loggops("send 1001b to 1|recv 1001b from 0", SMALL, 3400);
    loggops("send 1b to 1|recv 1b from 0", SMALL, 1400);
    loggops("l1: send 1001b to 1;l2: recv 1001b from 1;l2 requires l1|l1: recv 1001b from 0;l2: send 1001b to 0;l2 "
            "requires "
            "l1",
            SMALL, 6800);
}

/* What each rule of LogGOPS charges. */
static void test_costs(void **state)
{
    (void)state;
    loggops("calc 70;calc 30", SMALL, 100);      /* one cpu: one after the other */
    loggops("calc 70;calc 30 cpu 1", SMALL, 70); /* two */
    loggops("a: calc 70;b: calc 30 cpu 1;b requires a", SMALL, 100);
    loggops("a: calc 70;b: calc 30 cpu 1;b irequires a", SMALL, 70);
    loggops("calc 5;x: calc 50;a: calc 70;b: calc 30 cpu 1;a requires x;b irequires a", SMALL, 125); /* b: 55..85 */
    /* O = 3: the cpu has 200 + 9 * 3 for the send, the other one 200 + max(27, 18) */
    loggops("send 10b to 1|recv 10b from 0", "L=1000,o=200,g=300,G=2,O=3", 1427);
    loggops("a: send 10b to 1;b: calc 10;b requires a|recv 10b from 0", "L=1000,o=200,g=300,G=2,O=3", 1427);
    /* a gap of 300 between two sends: the second at 300, there at 1500, busy until 1700 */
    loggops("send 1b to 1;send 1b to 1|recv 1b from 0;recv 1b from 0", SMALL, 1700);
    /* on another nic: the second when the cpu is free, at 200, there at 1400; the receiver's cpu is free then */
    loggops("send 1b to 1;send 1b to 1 nic 1|recv 1b from 0;recv 1b from 0", SMALL, 1600);
    /* two senders at once: the receiving gap, 1200 + 300 and 200 more */
    loggops("send 1b to 2|send 1b to 2|recv 1b from 0;recv 1b from 1", SMALL, 1700);
    /* gaps of sending and receiving are apart: rank 1 sends at 1300 what it may at 1200 + 200 */
    loggops("send 1b to 1|a: recv 1b from 0;b: send 1b to 2;b requires a|recv 1b from 1", SMALL, 2800);
    /* bytes are in the gap of the sender: the second message leaves at 300 + 200 */
    loggops("send 101b to 1;send 1b to 2|recv 101b from 0|recv 1b from 0", SMALL, 1900);
    /* 0 bytes cost what 1 byte does */
    loggops("send 0b to 1|recv 0b from 0", SMALL, 1400);
    loggops("send 1b to 0;recv 1b from 0", SMALL, 1400); /* to itself */
}

/* Sends go first, then receives, then calculations, of those that are free at one time. */
static void test_order(void **state)
{
    (void)state;
    loggops("calc 500;send 1b to 1|recv 1b from 0", SMALL, 1400);
    loggops("a: calc 1;b: calc 500;c: send 1b to 1;b requires a;c requires a|recv 1b from 0", SMALL, 1401);
}

/* Of what may take a cpu at one time, what became known first: a message when its send starts, an item when the last
   one that it waits for starts. */
static void test_known_first(void **state)
{
    (void)state;
    /* The message is known before b: received at 5000, after a; the answer leaves after b, before c, and is there at
       11400. c runs from 10400. */
    loggops("send 1b to 1;recv 1b from 1|a: calc 5000;b: calc 5000;c: calc 5000;b requires a;c requires b;r: recv 1b "
            "from 0;s: send 1b to 0;s requires r",
            SMALL, 15400);
    /* b is known at 0, the message at 100: b goes first, and then the message before c. The answer, known when the
       message is received at 10000, goes after c, which was known when b started: at 15200, and is there at 16400. */
    loggops("x: calc 100;y: send 1b to 1;y requires x;recv 1b from 1|a: calc 5000;b: calc 5000;c: calc 5000;b requires "
            "a;c requires b;r: recv 1b from 0;s: send 1b to 0;s requires r",
            SMALL, 16600);
    /* Both are free at 100, when x and y are done; b is known at 0, and c when y starts, at 10. */
    loggops("x: calc 100 cpu 1;y: calc 10 cpu 2;z: calc 90 cpu 2;b: calc 700;c: send 1b to 1;b requires x;c requires z;"
            "z requires y|recv 1b from 0",
            SMALL, 100 + 700 + 1400);
    /* A calculation that waits for the cpu since 0 is not passed by a send that is free at 100. */
    loggops("x: calc 100;y: calc 700;z: calc 100 cpu 1;s: send 1b to 1;s requires z|recv 1b from 0", SMALL, 800 + 1400);
    /* The match at 5000 frees a send of rank 0 and one of rank 1. The lower rank's is known first, and received from
       6200 to 6400. */
    loggops("a: send 11b to 1;b: send 1b to 2;b requires a|x: calc 5000 cpu 1;r: recv 11b from 0;s: send 1b to 2;r "
            "requires x;s irequires r|p: recv 1b from 0;q: calc 9000 cpu 1;q requires p;recv 1b from 1",
            SMALL ",S=10", 15400);
}

/* A receive is posted when its cpu has done what it had begun when the receive became known, and is done no earlier
   than its message. */
static void test_posting(void **state)
{
    (void)state;
    /* r becomes known at 0, when a starts: posted at 5000, matched to the message of 1200, and so is the long send. */
    loggops("s: send 11b to 1;c: calc 7;c requires s|a: calc 5000;r: recv 11b from 0;r irequires a", SMALL ",S=10",
            5220);
    loggops("s: send 11b to 1;c: calc 9000;c requires s|a: calc 5000 cpu 1;r: recv 11b from 0;r irequires a",
            SMALL ",S=10", 10200);
    /* The message is received at 1200 .. 1400 + 1000 * 2. r is posted at 2000 and done with it; c runs then. */
    loggops("send 1001b to 1|a: calc 2000 cpu 1;r: recv 1001b from 0;c: calc 500 cpu 1;r requires a;c requires r",
            SMALL, 3900);
}

/* Messages that come before their receive is posted, and matching. */
static void test_matching(void **state)
{
    (void)state;
    /* posted at 5000: the message was received at 1200..1400, and the receive costs nothing */
    loggops("send 1b to 1|a: calc 5000 cpu 1;b: recv 1b from 0;c: calc 7;b requires a;c requires b", SMALL, 5007);
    /* the cpu is busy until 5000 when the message comes: received then */
    loggops("send 1b to 1|calc 5000;recv 1b from 0", SMALL, 5200);
    /* by tag, whatever the order: the first one sent is received second */
    loggops(
        "send 1b to 1 tag 7;send 1b to 1 tag 8|a: recv 1b from 0 tag 8;b: calc 900;b requires a;c: recv 1b from 0 tag "
        "7",
        SMALL, 2600);
    /* any source and any tag */
    loggops("send 1b to 1 tag 7|recv 1b from -1 tag -1", SMALL, 1400);
    loggops("send 1b to 2 tag 7|send 1b to 2 tag 8|recv 1b from -1 tag 8;recv 1b from 0 tag -1", SMALL, 1700);
}

/* Which receive takes which message shows by what waits for it. */
static void test_unreceived(void **state)
{
    (void)state;
    static const struct {
        const char *ranks;
        uint64_t unreceived;
    } cases[] = {
        {"send 1b to 1;send 1b to 1 tag 7|recv 1b from 0", 1},
        {"send 1b to 1;send 1b to 1 tag 7|calc 1", 2},
        {"send 1b to 2;send 1b to 2|send 1b to 2|recv 1b from -1;recv 1b from 1 tag -1", 1},
        {"send 1b to 1 tag 7;send 1b to 1;send 1b to 1|x: calc 9000 cpu 1;a: recv 1b from 0;b: recv 1b from -1 tag "
         "-1;a requires x;b requires a",
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_replay_result *r;
        assert_ok(replay("ring:4", goal_file(cases[i].ranks), "loggops", SMALL, &r));
        assert_int_equal(r->unreceived, cases[i].unreceived);
        np_replay_result_free(r);
    }
    /* A receive that takes any was posted first: it takes the message, and c waits for the next. */
    loggops("send 1b to 1;send 1b to 1|recv 1b from -1;a: recv 1b from 0;c: calc 500 cpu 1;c requires a", SMALL, 2200);
    loggops("send 1b to 1;send 1b to 1|a: recv 1b from 0;recv 1b from -1;c: calc 500 cpu 1;c requires a", SMALL, 1900);
}

/* Longer than S: the send is done when it is matched, at 1200 if the receive is posted, or when it is. */
static void test_rendezvous(void **state)
{
    (void)state;
    loggops("a: send 11b to 1;b: calc 7;b requires a|recv 11b from 0", SMALL ",S=10", 1420);
    loggops("a: send 11b to 1;b: calc 700;b requires a|recv 11b from 0", SMALL ",S=10", 1900);
    loggops("a: send 11b to 1;b: calc 700;b requires a|recv 11b from 0", SMALL ",S=11", 1420);
    loggops("a: send 11b to 1;b: calc 7;b requires a|x: calc 4000 cpu 1;y: recv 11b from 0;y requires x", SMALL ",S=10",
            4007);
}

/* By the defaults: a binomial reduction of 8 ranks is 3 messages deep, a dissemination of 16 is 4. */
static void test_written(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *operation, *algorithm, *size, *model;
        double makespan;
    } cases[] = {
        {"complete:8", "reduce", "binomial", "1", "loggops", 3 * 5500},
        {"complete:16", "barrier", "dissemination", "1", "loggops", 4 * 5500},
        {"ring:8", "all-reduce", "ring", "4800", "loggops", 14 * (5500 + 599 * 6)},
        {"ring:8", "all-reduce", "ring", "4800", "flows", 14 * 600},
        {"complete:8", "all-reduce", "direct", "4800", "flows", 2 * 600},
        {"ring:8", "all-reduce", "ring", "4800", "steps", 14 * 600},
        {"complete:8", "all-reduce", "direct", "4800", "steps", 2 * 600},
        {"hypercube:3", "all-reduce", "halving-doubling", "4800", "flows", 14 * 600},
        {"complete:6", "all-reduce", "rabenseifner", "4800", "flows", 2 * 4800 + 6 * 1200},
        {"complete:8", "scan", "recursive-doubling", "100", "flows", 300},
        {"complete:8", "scatter", "binomial", "800", "flows", 700},
        {"torus:3x4", "all-reduce", "bucket", "1200", "flows", 2 * 1100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        char *file = support_file("");
        np_collective_options options;
        np_collective_result *done;
        np_replay_result *r;
        np_collective_options_init(&options);
        options.algorithm = cases[i].algorithm;
        options.model = "rounds";
        options.goal = file;
        assert_ok(np_fields_set(&np_collective_options_fields, &options, "size", cases[i].size));
        assert_ok(np_collective(network, cases[i].operation, &options, &done));
        assert_ok(replay(cases[i].spec, file, cases[i].model, NULL, &r));
        assert_float_equal(r->makespan, cases[i].makespan, 1e-6);
        assert_int_equal(r->ranks, done->ranks);
        assert_int_equal(r->unreceived, 0);
        np_replay_result_free(r);
        np_collective_result_free(done);
        np_network_free(network);
    }
}

/* On a network: o before the first byte leaves and after the last one came; flows share links. */
static void test_flows(void **state)
{
    (void)state;
    static const char pair[] = "send 100b to 1|recv 100b from 0";
    expect(pair, "ring:4", "flows", NULL, 100);
    expect(pair, "ring:4", "flows", "o=7", 114);
    expect(pair, "ring:4", "flows", "o=7,O=1", 213); /* the receiver's cpu has 99 more; the first byte leaves at 7 */
    /* both over the link from 1 to 2: half each until the shorter one has ended, at 200; the other has 100 left */
    expect("send 200b to 2|send 100b to 2|recv 200b from 0;recv 100b from 1", "array:3", "flows", NULL, 300);
    /* the second starts at 100, when the first has 100 left: both have ended at 300 */
    expect("send 200b to 2|a: calc 100;b: send 100b to 2;b requires a|recv 200b from 0;recv 100b from 1", "array:3",
           "flows", NULL, 300);
    expect("send 5b to 0;recv 5b from 0", "array:3", "flows", NULL, 0);
    expect("calc 7", "array:3", "flows", NULL, 7);
    /* A short send is done when it starts, so the second one shares the link with it; not if it waits for its match. */
    const char *chain = "a: send 100b to 1;b: send 100b to 2;b requires a|c: recv 100b from 0;d: calc 100;d requires c|"
                        "recv 100b from 0";
    expect(chain, "array:3", "flows", NULL, 300);
    expect(chain, "array:3", "flows", "S=0", 200);
}

/* Packet by packet: links are pipelines, first in, first out. */
static void test_steps(void **state)
{
    (void)state;
    static const char pair[] = "send 100b to 1|recv 100b from 0";
    expect(pair, "ring:4", "steps", NULL, 100);
    expect(pair, "ring:4", "steps", "o=7", 114);
    expect("send 100b to 2|calc 0|recv 100b from 0", "array:3", "steps", NULL, 101); /* two hops */
    /* rank 1's are in the queue of the link to 2 before those of rank 0 come: 300 packets cross it */
    expect("send 200b to 2|send 100b to 2|recv 200b from 0;recv 100b from 1", "array:3", "steps", NULL, 300);
    /* rank 1 begins at 150, when 49 of rank 0's have still to cross; its last one crosses at 301 */
    expect("send 200b to 2|a: calc 150;b: send 100b to 2;b requires a|recv 200b from 0;recv 100b from 1", "array:3",
           "steps", NULL, 301);
    expect("send 5b to 0;recv 5b from 0", "array:3", "steps", NULL, 0);
    expect("a: send 0b to 1;b: calc 3;b requires a|recv 0b from 0", "array:3", "steps", NULL, 3);
    expect("calc 7", "array:3", "steps", NULL, 7);
}

static void refused(const char *ranks, const char *model, const char *costs, np_status status, const char *why)
{
    np_replay_result *r;
    assert_refused(replay("ring:4", goal_file(ranks), model, costs, &r), status, why);
}

static void refused_text(const char *text, const char *why)
{
    np_replay_result *r;
    assert_refused(replay("ring:4", support_file(text), "loggops", NULL, &r), NP_ERROR_INPUT, why);
}

/* Either the exact time, or a refusal with the line: all counts of model flows have bits enough. */
static void test_long_messages(void **state)
{
    static const char *const sizes[] = {"1000000", "281474976710", "1000000000000", "9007199254740991"};
    static const double rates[] = {1, 1e3, 8e9, 1e15};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof rates / sizeof *rates; j++) {
            char text[80];
            double size = strtod(sizes[i], NULL), exact = size * 8e9 / rates[j];
            np_replay_result *r;
            snprintf(text, sizeof text, "send %sb to 1|recv 1b from 0", sizes[i]);
            np_status st = replay_at("ring:4", goal_file(text), "flows", NULL, rates[j], &r);
            if (size >= ldexp(1, 45)) {
                assert_refused(st, NP_ERROR_LIMIT, ":3: this takes too long for model flows");
                continue;
            }
            assert_ok(st);
            if (r->makespan < exact * (1 - 1e-9) || r->makespan > exact * (1 + 1e-9))
                fail_msg("%s bytes at %g bit/s: %.17g instead of %.17g", sizes[i], rates[j], r->makespan, exact);
            np_replay_result_free(r);
        }
    refused("send 9007199254740991b to 1|recv 1b from 0", "flows", "O=1099511627776", NP_ERROR_LIMIT, ":3: this takes");
    loggops("calc 9007199254740991;calc 1", NULL, 9007199254740992);
    refused("calc 9007199254740991;calc 2", "loggops", NULL, NP_ERROR_LIMIT,
            ": the makespan is above 2^53 ns: more than can be told exactly");
    refused("send 9007199254740991b to 1|recv 1b from 0", "loggops", "G=1099511627776,S=1099511627776", NP_ERROR_LIMIT,
            "above 2^53 ns");
    refused("calc 9007199254740991;calc 2", "steps", NULL, NP_ERROR_LIMIT, "above 2^53 steps");
}

/* So many messages over a link at once that each gets little: exact to 1e-9 still. */
static void test_many_at_once(void **state)
{
    enum { MESSAGES = 50021, LINE = 20 };
    static const double rates[] = {0, 400e9};
    char *text = malloc((size_t)2 * MESSAGES * LINE + 100), *at = text;
    (void)state;
    assert_non_null(text);
    at += snprintf(at, 50, "num_ranks 2\nrank 0 {\n");
    for (size_t i = 0; i < MESSAGES; i++)
        at += snprintf(at, LINE, "send 3b to 1\n");
    at += snprintf(at, 50, "}\nrank 1 {\n");
    for (size_t i = 0; i < MESSAGES; i++)
        at += snprintf(at, LINE, "recv 3b from 0\n");
    (void)snprintf(at, 50, "}\n");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        double exact = MESSAGES * 3. * (rates[i] > 0 ? 8e9 / rates[i] : 1);
        np_replay_result *r;
        assert_ok(replay_at("array:2", support_file(text), "flows", NULL, rates[i], &r));
        if (r->makespan < exact * (1 - 1e-9) || r->makespan > exact * (1 + 1e-9))
            fail_msg("%g bit/s: %.17g instead of %.17g", rates[i], r->makespan, exact);
        np_replay_result_free(r);
    }
    free(text);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("send 1b to 1|calc 5|calc 6|calc 7|calc 8", "flows", NULL, NP_ERROR_APPLY, "has 4 hosts");
    refused("recv 1b from 0", "loggops", NULL, NP_ERROR_INPUT, ":3: the recv of rank 0 is never done: no message");
    refused("send 1b to 1 tag 5|recv 1b from 0 tag 6", "loggops", NULL, NP_ERROR_INPUT, ":6: the recv of rank 1");
    refused("send 100b to 1|calc 1", "loggops", "S=10", NP_ERROR_INPUT, ":3: the send of rank 0 is never done: it is");
    refused(
        "a: calc 1;b: calc 2;a requires b;b requires a", "loggops", NULL, NP_ERROR_INPUT,
        ":3: the calc of rank 0 is never done: items wait for one another in a circle: it waits for that of line 4");
    refused("x: calc 1;a: calc 1;b: send 1b to 0;x requires b;a requires b;b irequires a", "loggops", NULL,
            NP_ERROR_INPUT,
            ":4: the calc of rank 0 is never done: items wait for one another in a circle: it waits for "
            "that of line 5");
    refused("a: calc 1;a requires a", "loggops", NULL, NP_ERROR_INPUT,
            ":3: the calc of rank 0 is never done: items wait "
            "for one another in a circle: it waits for that of line 3");
    refused_text("num_ranks 4\nrank 0 {\nrecv 1b from 1\n}\nrank 1 {\na: send 1b to 0\nb: calc 1\na requires b\n"
                 "b requires a\n}\nrank 2 {\n}\nrank 3 {\n}\n", /* the cause, not that the message never comes */
                 ":6: the send of rank 1 is never done: items wait for one another in a circle: it waits for that of "
                 "line 7");
    refused("calc 1", "loggops", "L=-1", NP_ERROR_INPUT, "L must be a whole number");
    refused("calc 1", "loggops", "o=1.5", NP_ERROR_INPUT, "o must be a whole number");
    refused("calc 1", "loggops", "L=1,o=2,L=3", NP_ERROR_INPUT, "L is given twice");
    refused("calc 1", "loggops", "x=1", NP_ERROR_INPUT, "loggops 'x=1'");
    refused("calc 1", "loggops", "L", NP_ERROR_INPUT, "loggops 'L'");
    refused("calc 1", "flows", "L=1", NP_ERROR_APPLY, "L is the network's");
    refused("calc 1", "rounds", NULL, NP_ERROR_INPUT, "no model 'rounds'");
    refused("calc 1", "steps", "G=1", NP_ERROR_APPLY, "G is the network's");
    refused("send 1b to 9", "loggops", NULL, NP_ERROR_INPUT, ":3:");
    refused("send 1b to -1", "loggops", NULL, NP_ERROR_INPUT, ":3:");
    refused("send 1 to 0", "loggops", NULL, NP_ERROR_INPUT, ":3: a size, such as 8b, instead of '1'");
    refused("send", "loggops", NULL, NP_ERROR_INPUT, ":3: a size, such as 8b, instead of 'the end of the line'");
    refused("send -1b to 0", "loggops", NULL, NP_ERROR_INPUT, ":3: size '-1' is not a whole number");
    refused("send 1.5b to 0", "loggops", NULL, NP_ERROR_INPUT, ":3:");
    refused("send 99999999999999999999b to 0", "loggops", NULL, NP_ERROR_INPUT, ":3:");
    refused("send 1b from 0", "loggops", NULL, NP_ERROR_INPUT, ":3: 'to' instead of 'from'");
    refused("calc 1 tag 5", "loggops", NULL, NP_ERROR_INPUT, ":3: 'cpu' instead of 'tag'");
    refused("calc", "loggops", NULL, NP_ERROR_INPUT, ":3: a time instead of 'the end of the line'");
    refused("sand 1b to 0", "loggops", NULL, NP_ERROR_INPUT, ":3: 'send', 'recv', 'calc' or '}' instead of 'sand'");
    refused("calc 1 calc 2", "loggops", NULL, NP_ERROR_INPUT, ":3:");
    refused("calc 1 cpu 1024", "loggops", NULL, NP_ERROR_INPUT, ":3:");
    refused("calc 1;a requires b", "loggops", NULL, NP_ERROR_INPUT, ":4: no label 'a' is defined above in rank 0");
    refused("a: calc 1;a: calc 2", "loggops", NULL, NP_ERROR_INPUT, ":4: label 'a' of rank 0 is taken by line 3");
    refused("a: calc 1|a: calc 1;b: calc 2;b requires c", "loggops", NULL, NP_ERROR_INPUT, ":8: no label 'c'");
    refused("a: calc 1;a requires", "loggops", NULL, NP_ERROR_INPUT, ":4: a label instead of");
    np_network *network = support_network("ring:4");
    np_replay_options options;
    np_replay_result *r;
    np_replay_options_init(&options);
    options.seed = 2;
    assert_refused(np_replay(network, "/nowhere", &options, &r), NP_ERROR_APPLY, "seed 2: model loggops draws nothing");
    np_network_free(network);
    refused_text("", "'num_ranks N' is missing");
    refused_text("rank 0 {\n}\n", ":1: 'num_ranks N' instead of 'rank'");
    refused_text("num_ranks 0\n", "there must be a rank");
    refused_text("num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", ":4: rank 0 has a block already, from line 2 on");
    refused_text(
        "num_ranks 4\nrank 0 {\n}\nrank 1 {\n}\nrank 3 {\n}\n",
        ":7: the file ends, and rank 2 of num_ranks 4 has no block: if it is to do nothing, write 'rank 2 { }'");
    refused_text("num_ranks 1\n", ":1: the file ends, and rank 0 of num_ranks 1 has no block");
    refused_text("num_ranks 1\nrank 0 {\ncalc 1\n} calc 2\n", ":4: 'rank' instead of 'calc'");
    refused_text("num_ranks 1\nrank 0 {\ncalc 1\n}\n}\n", ":5: 'rank' instead of '}'");
    refused_text("num_ranks -1\n", ":1: number of ranks '-1' is not a whole number");
    refused_text("num_ranks 1048577\n", ":1: number of ranks");
    refused_text("num_ranks 1\nrank 0 {\ncalc -5\n}\n", ":3: time '-5' is not a whole number");
    refused_text("num_ranks 1\nrank 0 {\nsend 1b to 0 tag -1\n}\n", ":3: tag '-1' is not a whole number");
    refused_text("num_ranks 2\nrank 2 {\n}\n", ":2:");
    refused_text("num_ranks 2\nrank 0 {\nsend 5b to 1 tag 3 cpu 0 tag 4\n}\n", ":3: 'tag' is said twice");
    refused_text("num_ranks 2\nrank 0 {\ncalc 5 cpu 1 cpu 1\n}\n", ":3: 'cpu' is said twice");
    refused_text("num_ranks 2\nrank 0 {\ncalc 1\n", "'}' of rank 0 is missing");
    refused_text("num_ranks 2\n/* rank 0 {\n", "a comment has no end");
}

/* Ranks without items, comments, braces where they like, labels of one name in two ranks. */
/* Rank 0 sends to rank 1 and calculates, many times, and nothing waits for anything. */
static void test_crowds(void **state)
{
    enum { MANY = 200000, ROOM = 64 * MANY };
    char *text = malloc(ROOM);
    int at = snprintf(text, ROOM, "num_ranks 2\nrank 0 {\n");
    np_replay_result *r;
    (void)state;
    for (int i = 0; i < MANY; i++)
        at += snprintf(text + at, (size_t)(ROOM - at), "calc 3\nsend 2b to 1\n");
    at += snprintf(text + at, (size_t)(ROOM - at), "}\nrank 1 {\n");
    for (int i = 0; i < MANY; i++)
        at += snprintf(text + at, (size_t)(ROOM - at), "recv 2b from 0\n");
    snprintf(text + at, (size_t)(ROOM - at), "}\n");
    /* A send takes the cpu for 2 + 7, more than its gap, and goes before a calculation. So all sends go first, and then
       all calculations. The receiver, which takes 2 + 7 likewise, is done before. */
    assert_ok(replay("ring:4", support_file(text), "loggops", "L=10,o=2,g=5,G=0,O=7,S=65535", &r));
    assert_true(r->makespan == (9.0 + 3) * MANY);
    np_replay_result_free(r);
    /* As many receives are posted at once, in the reverse order of the tags of the messages: each is found at once. */
    at = snprintf(text, ROOM, "num_ranks 2\nrank 0 {\n");
    for (int i = 0; i < MANY; i++)
        at += snprintf(text + at, (size_t)(ROOM - at), "send 2b to 1 tag %d\n", i);
    at += snprintf(text + at, (size_t)(ROOM - at), "}\nrank 1 {\n");
    for (int i = MANY - 1; i >= 0; i--)
        at += snprintf(text + at, (size_t)(ROOM - at), "recv 2b from 0 tag %d\n", i);
    snprintf(text + at, (size_t)(ROOM - at), "}\n");
    assert_ok(replay("ring:4", support_file(text), "loggops", "L=10,o=2,g=5,G=0,O=7,S=65535", &r));
    assert_true(r->makespan == 9.0 * (MANY - 1) + 2 + 10 + 9);
    np_replay_result_free(r);
    /* Many cpus and nics of many ranks, of which two are used: 100 MB would not do for a crowd of each pair. */
    at = snprintf(text, ROOM, "num_ranks 2000\nrank 0 {\ncalc 5 cpu 1023\nsend 1b to 1 nic 1023\n}\n");
    for (int i = 1; i < 2000; i++)
        at += snprintf(text + at, (size_t)(ROOM - at), "rank %d { }\n", i);
    assert_ok(replay("complete:2000", support_file(text), "loggops", "L=1,o=1,g=1,G=0,O=0", &r));
    assert_true(r->makespan == 5);
    np_replay_result_free(r);
    free(text);
}

static void test_text(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "num_ranks 3\nrank 0 { }rank 1 { a: calc 9 } rank 2 {}\n",
        "/* one\ntwo */ num_ranks 2 // three\nrank 1{\na :calc 9//x\n}rank 0 {\r\na: calc 1\r\n}\r\n",
        "num_ranks 1\nrank 0 {\n\n\t a:calc/**/9 cpu 3\n}",
        "num_ranks 2\nrank 1 {\ncalc 4\n}\nrank 0 {\na: calc 4\nb: calc 5\nb requires a }\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        np_replay_result *r;
        assert_ok(replay("ring:4", support_file(texts[i]), "loggops", NULL, &r));
        assert_true(r->makespan == 9);
        np_replay_result_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),      cmocka_unit_test(test_costs),        cmocka_unit_test(test_order),
        cmocka_unit_test(test_matching),      cmocka_unit_test(test_rendezvous),   cmocka_unit_test(test_written),
        cmocka_unit_test(test_flows),         cmocka_unit_test(test_steps),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_long_messages), cmocka_unit_test(test_many_at_once), cmocka_unit_test(test_crowds),
        cmocka_unit_test(test_text),          cmocka_unit_test(test_unreceived),   cmocka_unit_test(test_known_first),
        cmocka_unit_test(test_posting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
