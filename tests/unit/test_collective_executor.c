/* The player refuses schedules that do what they must not: each is a good one with one thing wrong. */
#include "../support.h"
#include "work/collective/executor.h"

/* A job without an algorithm; 9 nodes, 3 x 3:
 *     0 1 2
 *     3 4 5
 *     6 7 8
 */
static const np_collective_ops ops_of[] = {
    {.info = {"none", "", "", .operation = "gossip", .networks = "", .ports = ""}, .kind = NP_GOSSIP},
    {.info = {"none", "", "", .operation = "all-to-all", .networks = "", .ports = ""},
     .kind = NP_ALL_TO_ALL,
     .single = true},
    {.info = {"none", "", "", .operation = "reduce", .networks = "", .ports = ""},
     .flits = true,
     .kind = NP_REDUCE,
     .single = true},
};

enum { ROOM = 64 };

typedef struct play {
    np_network *network;
    np_collective_job job;
    np_executor executor;
    np_round round;
    np_link link[ROOM];
    uint32_t piece[ROOM];
} play;

static void begin(play *p, const char *spec, const np_collective_ops *ops, np_ports ports)
{
    np_network *network = support_network(spec);
    *p = (play){.network = network, .round = {.capacity = ROOM, .link = p->link, .piece = p->piece}};
    np_node nodes = np_network_nodes(network);
    p->job = (np_collective_job){.network = network, .ops = ops, .ports = ports, .axes = np_axes_of(network)};
    p->job.pieces = ops->kind == NP_ALL_TO_ALL ? nodes * nodes : ops->kind == NP_REDUCE ? 2 : nodes;
    assert_ok(np_executor_init(&p->executor, &p->job, ROOM));
}

static void end(play *p)
{
    np_executor_clear(&p->executor);
    np_network_free(p->network);
}

static void send(play *p, np_node from, np_node to, uint32_t piece)
{
    assert_ok(np_round_add(&p->round, np_collective_link(p->network, from, to), piece));
}

static np_status round_done(play *p)
{
    np_status st = np_executor_play(&p->executor, &p->round);
    p->round.count = 0;
    return st;
}

static void test_full(void **state)
{
    (void)state;
    play p;
    begin(&p, "mesh:3x3", &ops_of[0], NP_FULL_PORT);
    for (size_t i = 0; i < ROOM; i++)
        assert_ok(np_round_add(&p.round, 0, 0));
    assert_refused(np_round_add(&p.round, 0, 0), NP_ERROR_INTERNAL, "more than 64 transfers");
    np_round longer = {.count = ROOM + 1, .link = p.link, .piece = p.piece};
    assert_refused(np_executor_play(&p.executor, &longer), NP_ERROR_INTERNAL, "more than 64 transfers");
    end(&p);
}

static void test_holdings(void **state)
{
    (void)state;
    play p;
    begin(&p, "mesh:3x3", &ops_of[0], NP_FULL_PORT);
    send(&p, 0, 1, 0);
    send(&p, 1, 2, 0); /* comes only now */
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "node 1 sends packet 0, which it does not have");
    end(&p);
    begin(&p, "mesh:3x3", &ops_of[0], NP_FULL_PORT);
    send(&p, 0, 1, 0);
    assert_ok(round_done(&p));
    send(&p, 1, 2, 0);
    send(&p, 1, 2, 1);
    assert_ok(round_done(&p));
    assert_int_equal(p.executor.rounds, 2);
    assert_int_equal(p.executor.steps, 3);
    assert_int_equal(p.executor.transfers, 3);
    assert_refused(np_executor_finish(&p.executor), NP_ERROR_INTERNAL, "at the end node 0 lacks packet 1");
    send(&p, 1, 2, 9);
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "packet 9");
    end(&p);
    for (size_t i = 0; i < 3; i++) { /* far behind all tables */
        begin(&p, "mesh:3x3", &ops_of[i], NP_FULL_PORT);
        send(&p, 1, 2, UINT32_MAX);
        assert_refused(round_done(&p), NP_ERROR_INTERNAL, "packet 4294967295, which it does not have");
        end(&p);
    }
}

static void test_links(void **state)
{
    (void)state;
    play p;
    begin(&p, "mesh:3x3", &ops_of[0], NP_FULL_PORT);
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "nobody sends");
    assert_ok(np_round_add(&p.round, 0, 0)); /* over the border */
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "there is no link 0");
    assert_ok(np_round_add(&p.round, 36, 0));
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "there is no link 36");
    send(&p, 0, 1, 0);
    send(&p, 4, 5, 4);
    send(&p, 0, 1, 0); /* another message */
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "two messages over link");
    end(&p);
}

static void test_moves(void **state)
{
    (void)state;
    play p;
    begin(&p, "mesh:3x3", &ops_of[1], NP_FULL_PORT);
    send(&p, 0, 1, 8);
    send(&p, 0, 1, 7);
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "node 0 sends 2 packets over one link");
    end(&p);
    begin(&p, "mesh:3x3", &ops_of[1], NP_FULL_PORT);
    send(&p, 0, 1, 8);
    send(&p, 0, 3, 8);
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "node 0 sends packet 8 twice");
    end(&p);
    begin(&p, "mesh:3x3", &ops_of[1], NP_FULL_PORT);
    send(&p, 0, 1, 8);
    assert_ok(round_done(&p));
    send(&p, 0, 1, 8); /* is gone */
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "node 0 sends packet 8, which it does not have");
    assert_refused(np_executor_finish(&p.executor), NP_ERROR_INTERNAL, "at the end packet 1 is at node 0 and not at 1");
    end(&p);
}

/* On its way a packet is nowhere: who gets it cannot send it on in the same round. */
static void test_haste(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        play p;
        begin(&p, "mesh:3x3", &ops_of[1], NP_FULL_PORT);
        send(&p, first ? 1 : 0, first ? 2 : 1, 8);
        send(&p, first ? 0 : 1, first ? 1 : 2, 8);
        assert_refused(round_done(&p), NP_ERROR_INTERNAL, "node 1 sends packet 8, which it does not have");
        end(&p);
    }
}

/* Two flits of nine nodes; what was sent is gone, until more comes. */
static void test_shares(void **state)
{
    (void)state;
    play p;
    begin(&p, "mesh:3x3", &ops_of[2], NP_FULL_PORT);
    send(&p, 8, 5, 0);
    assert_ok(round_done(&p));
    send(&p, 8, 7, 1); /* the other flit */
    assert_ok(round_done(&p));
    send(&p, 8, 7, 0);
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "node 8 sends packet 0, which it does not have");
    end(&p);
    begin(&p, "mesh:3x3", &ops_of[2], NP_FULL_PORT);
    send(&p, 4, 1, 0);
    send(&p, 4, 3, 0);
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "node 4 sends packet 0, which it does not have");
    end(&p);
    begin(&p, "mesh:3x3", &ops_of[2], NP_FULL_PORT);
    send(&p, 5, 4, 2);
    assert_refused(round_done(&p), NP_ERROR_INTERNAL, "packet 2");
    end(&p);
    begin(&p, "array:3", &ops_of[2], NP_FULL_PORT);
    for (uint32_t flit = 0; flit < 2; flit++) {
        send(&p, 2, 1, flit);
        assert_ok(round_done(&p));
        send(&p, 1, 0, flit);
        assert_refused(np_executor_finish(&p.executor), NP_ERROR_INTERNAL, "the parts of all, each once");
        assert_ok(round_done(&p));
    }
    assert_ok(np_executor_finish(&p.executor));
    end(&p);
}

/* a > b and c > d at once, under those ports; text NULL: that is allowed. */
static void both(np_ports ports, np_node a, np_node b, np_node c, np_node d, const char *text)
{
    play p;
    begin(&p, "mesh:3x3", &ops_of[0], ports);
    send(&p, a, b, a);
    send(&p, c, d, c);
    if (text)
        assert_refused(round_done(&p), NP_ERROR_INTERNAL, text);
    else
        assert_ok(round_done(&p));
    end(&p);
}

static void test_ports(void **state)
{
    (void)state;
    both(NP_FULL_PORT, 4, 1, 4, 3, NULL);
    both(NP_ONE_PORT, 4, 1, 4, 3, "node 4 sends two messages");
    both(NP_ONE_PORT, 1, 4, 3, 4, "node 4 receives two messages");
    both(NP_ONE_PORT, 1, 4, 4, 3, NULL);
    both(NP_TELEPHONE, 1, 4, 4, 3, "node 4 meets both 1 and 3");
    both(NP_TELEPHONE, 4, 3, 1, 4, "node 4 meets both 3 and 1");
    both(NP_TELEPHONE, 1, 4, 4, 1, NULL);
    both(NP_UNI_AXIAL, 4, 3, 4, 5, NULL);
    both(NP_UNI_AXIAL, 4, 3, 0, 3, "links of dimensions 1 and 0 are used");
    both(NP_UNI_AXIAL, 4, 3, 4, 1, "links of dimensions");
}

/* A good schedule, played; then with each transfer left out in turn: somebody lacks something, or has nothing to send.
 */
static void test_omissions(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:2x3");
    np_collective_options options;
    np_collective_result *r;
    np_collective_options_init(&options);
    options.record = true;
    assert_ok(np_collective(network, "gossip", &options, &r));
    const np_collective_schedule *s = r->schedule;
    for (size_t omitted = 0; omitted <= s->first[s->rounds]; omitted++) {
        play p;
        np_status st = NP_OK;
        begin(&p, "mesh:2x3", &ops_of[0], NP_TELEPHONE);
        for (size_t round = 0; round < s->rounds && !st; round++) {
            for (size_t i = s->first[round]; i < s->first[round + 1]; i++)
                if (i != omitted)
                    assert_ok(np_round_add(&p.round, s->link[i], s->piece[i]));
            st = round_done(&p);
        }
        if (!st)
            st = np_executor_finish(&p.executor);
        assert_int_equal(st, omitted == s->first[s->rounds] ? NP_OK : NP_ERROR_INTERNAL);
        end(&p);
    }
    np_collective_result_free(r);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full),  cmocka_unit_test(test_holdings),  cmocka_unit_test(test_links),
        cmocka_unit_test(test_moves), cmocka_unit_test(test_haste),     cmocka_unit_test(test_shares),
        cmocka_unit_test(test_ports), cmocka_unit_test(test_omissions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
