/*
 * Forwarding tables of InfiniBand fabrics, in both ways of writing them: fabrics of leaves and spines with parallel
 * cables and tables by lot. Each path is the one that the tables' own arrays say.
 */
#include "support.h"

#include <stdarg.h>

#include "base/random.h"
#include "netpram/netpram.h"

enum { LEAVES = 3, SPINES = 2, HOSTS = 2, CABLES = 2, ROOM = 1 << 16, HOST_LIDS = 0x20 };

/*
 *   leaf l: port 1 + h to its host h; port 11 + 2 s + c to port 21 + 2 l + c of spine s. Ports with gaps.
 *   Hosts have two LIDs each: HOST_LIDS + 2 (2 l + h), and one more.
 */
typedef struct fabric {
    unsigned up[LEAVES][LEAVES * HOSTS * 2];   /* [leaf][lid] the cable 2 s + c for a host elsewhere */
    unsigned down[SPINES][LEAVES * HOSTS * 2]; /* [spine][lid] the cable c to the host's leaf */
    char topology[ROOM], lfts[ROOM];
} fabric;

static void put(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, ROOM - length, format, arguments);
    va_end(arguments);
}

static void put_topology(fabric *f)
{
    char *t = f->topology;
    put(t, "vendid=0x2c9\n");
    for (unsigned l = 0; l < LEAVES; l++) { /* all switches are called alike */
        put(t, "Switch 24 \"S-00000000000000%02x\" # \"switch\" base port 0 lid %u lmc 0\n", 0x10 + l, 1 + l);
        for (unsigned h = 0; h < HOSTS; h++)
            put(t, "[%u] \"H-00000000000000%02x\"[1](ff) # \"host%u%u HCA-1\" lid 7 4xEDR\n", 1 + h, 0x40 + 2 * l + h,
                l, h);
        for (unsigned k = 0; k < SPINES * CABLES; k++)
            put(t, "[%u] \"S-00000000000000%02x\"[%u] # \"switch\" lid 7 4xEDR\n", 11 + k, 0x20 + k / 2,
                21 + 2 * l + k % 2);
    }
    for (unsigned s = 0; s < SPINES; s++) {
        put(t, "Switch 36 \"S-00000000000000%02x\" # \"switch\" base port 0 lid %u lmc 0\n", 0x20 + s, 9 + s);
        for (unsigned k = 0; k < LEAVES * CABLES; k++)
            put(t, "[%u] \"S-00000000000000%02x\"[%u] # \"switch\" lid 7 4xEDR\n", 21 + k, 0x10 + k / 2,
                11 + 2 * s + k % 2);
    }
    for (unsigned i = 0; i < LEAVES * HOSTS; i++)
        put(t,
            "Ca 1 \"H-00000000000000%02x\" # \"host%u%u HCA-1\"\n[1](ff) \"S-00000000000000%02x\"[%u] # lid 7 4xEDR\n",
            0x40 + i, i / 2, i % 2, 0x10 + i / 2, 1 + i % 2);
}

static void put_entry(fabric *f, unsigned lid, unsigned port, bool opensm)
{
    unsigned i = lid / 2;
    put(f->lfts,
        opensm ? "0x%04x %03u # Channel Adapter portguid 0x00000000000000ff: 'host%u%u HCA-1'\n"
               : "0x%04X %03u : (Channel Adapter portguid 0x00000000000000ff: 'host%u%u HCA-1')\n",
        HOST_LIDS + lid, port, i / 2, i % 2);
}

static void put_tables(fabric *f, bool opensm)
{
    const char *head = opensm ? "Unicast lids [0-64] of switch Lid 7 guid 0x00000000000000%02x ('switch'):\n"
                              : "Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0 guid 0x00000000000000%02x "
                                "(switch):\n  Lid  Out   Destination\n       Port     Info \n";
    const char *tail = opensm ? "65 lids dumped\n" : "12 valid lids dumped \n\n";
    for (unsigned l = 0; l < LEAVES; l++) {
        char line[200];
        snprintf(line, sizeof line, head, 0x10 + l);
        put(f->lfts, "%s0x0001 000 %s\n", line,
            opensm ? "# Switch portguid 0x10: 'switch'" : ": (Switch portguid 0x10: 'x')");
        for (unsigned lid = 0; lid < LEAVES * HOSTS * 2; lid++)
            put_entry(f, lid, lid / 4 == l ? 1 + lid / 2 % 2 : 11 + f->up[l][lid], opensm);
        put(f->lfts, "%s", tail);
    }
    for (unsigned s = 0; s < SPINES; s++) {
        char line[200];
        snprintf(line, sizeof line, head, 0x20 + s);
        put(f->lfts, "%s", line);
        for (unsigned lid = 0; lid < LEAVES * HOSTS * 2; lid++)
            put_entry(f, lid, 21 + 2 * (lid / 4) + f->down[s][lid], opensm);
        put(f->lfts, "%s", tail);
    }
}

static fabric *make_fabric(uint64_t seed, bool opensm)
{
    fabric *f = calloc(1, sizeof *f);
    uint64_t x = seed;
    assert_non_null(f);
    for (unsigned lid = 0; lid < LEAVES * HOSTS * 2; lid++) {
        for (unsigned l = 0; l < LEAVES; l++)
            f->up[l][lid] = (unsigned)((x = np_random_mix(x + 1)) % (SPINES * CABLES));
        for (unsigned s = 0; s < SPINES; s++)
            f->down[s][lid] = (unsigned)((x = np_random_mix(x + 1)) % CABLES);
    }
    put_topology(f);
    put_tables(f, opensm);
    return f;
}

/* The ports of the network: leaves have hosts 0, 1 and cables 2 .. 5; spines cables from 0 on. */
static bool is_path(const fabric *f, unsigned from, unsigned to, unsigned lid, const np_network *network,
                    const np_link *link, size_t hops)
{
    unsigned a = from / 2, b = to / 2, up = f->up[a][lid];
    unsigned port[4] = {0, 2 + up, 2 * b + f->down[up / 2][lid], to % 2};
    if (a == b)
        port[1] = to % 2;
    if (hops != (a == b ? 2 : 4))
        return false;
    for (size_t k = 0; k < hops; k++)
        if (link[k] - np_network_first_link(network, np_network_link_tail(network, link[k])) != port[k])
            return false;
    return true;
}

static void check(const fabric *f)
{
    np_network *network;
    char *file = support_file(f->lfts), rule[200];
    np_path *path;
    assert_ok(support_network_of_text(f->topology, "", &network));
    snprintf(rule, sizeof rule, "file:%s", file);
    assert_ok(np_path_create(rule, network, &path));
    for (unsigned from = 0; from < LEAVES * HOSTS; from++)
        for (unsigned to = 0; to < LEAVES * HOSTS; to++) {
            char name[2][20];
            bool seen[2] = {false, false};
            snprintf(name[0], sizeof name[0], "host%u%u HCA-1", from / 2, from % 2);
            snprintf(name[1], sizeof name[1], "host%u%u HCA-1", to / 2, to % 2);
            for (np_packet packet = 0; packet < 40 && from != to; packet++) {
                np_link link[8];
                size_t hops;
                assert_ok(np_path_walk(path, np_network_find_node(network, name[0]),
                                       np_network_find_node(network, name[1]), 1, 0, 0, packet, 8, link, &hops));
                assert_int_equal(np_network_link_tail(network, link[0]), np_network_find_node(network, name[0]));
                bool one = is_path(f, from, to, 2 * to, network, link, hops);
                bool other = is_path(f, from, to, 2 * to + 1, network, link, hops);
                assert_true(one || other);
                seen[0] |= one;
                seen[1] |= other;
            }
            assert_true(from == to || (seen[0] && seen[1]));
        }
    np_path_free(path);
    np_network_free(network);
    remove(file);
    free(file);
}

static void paths_are_those_of_the_tables(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        fabric *f = make_fabric(seed, seed % 2);
        check(f);
        free(f);
    }
}

/* ---- Refusals ---- */

static void refuse(const char *topology, const char *lfts, np_status status, const char *why)
{
    np_network *network;
    char *file = support_file(lfts), rule[200];
    np_path *path;
    assert_ok(support_network_of_text(topology, "", &network));
    snprintf(rule, sizeof rule, "file:%s", file);
    assert_refused(np_path_create(rule, network, &path), status, why);
    np_network_free(network);
    remove(file);
    free(file);
}

static void refusals(void **state)
{
    static const char switch_a[] = "Unicast lids [0-9] of switch Lid 1 guid 0x0a ('a'):\n",
                      fabric_text[] =
                          "Switch 4 \"S-000000000000000a\" # \"a\"\n[1] \"H-01\"[1]\n[2] \"H-02\"[1]\n"
                          "[3] \"S-000000000000000b\"[3]\nSwitch 4 \"S-000000000000000b\" # \"b\"\n"
                          "[3] \"S-000000000000000a\"[3]\nCa 2 \"H-01\" # \"one\"\n[1] \"S-000000000000000a\"[1]\n"
                          "Ca 2 \"H-02\" # \"two\"\n[1] \"S-000000000000000a\"[2]\n";
    static const struct {
        const char *after, *why;
    } cases[] = {
        {"0x0001 003 # Channel Adapter portguid 0x02: 'two'\nUnicast lids [0-9] of switch Lid 2 guid 0x0b ('b'):\n"
         "0x0001 003 # Channel Adapter portguid 0x02: 'two'\n",
         "go in circles from one to two"},
        {"0x0001 003 # Channel Adapter portguid 0x02: 'three'\n", ":2: the network has no channel adapter 'three'"},
        {"0x0001 003 # Channel Adapter portguid 0x02: 'two'\n0x0001 003 # Channel Adapter portguid 0x01: 'one'\n",
         ":3: lid 0x1 is of two channel adapters"},
        {"0x0001 x # Channel\n", ":2: '0x0001 x # Channel' where forwarding tables have a LID and a port"},
        {"0xffff 001 # Switch\n", "a LID and a port"},
        {"0x0001 900 # Switch\n", "a LID and a port"},
        {"0x0001 001 # Channel Adapter port\n", "'portguid 0x...' of a channel adapter"},
        {"Unicast lids [0-9] of switch Lid 1 guid 0x0a ('a'):\n", ":2: a second table of switch 'a'"},
        {"Unicast lids [0-9] of switch Lid 1 guid 0xdd ('d'):\n", ":2: the network has no switch 'd' of guid 0xdd"},
        {"Unicast lids [0-9] of switch Lid 1\n", "'guid 0x...' of a switch"},
        {"leaf 3\n", ":2: 'leaf 3' where forwarding tables have 'Unicast lids ...', or a LID and a port"},
        {"0x0001 000 # Channel Adapter portguid 0x01: 'one'\n", "no paths"}, /* no cable is at port 0 */
        {"", "no paths"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", switch_a, cases[i].after);
        refuse(fabric_text, text, NP_ERROR_INPUT, cases[i].why);
    }
    refuse(fabric_text, "osm_ucast_mgr_dump_ucast_routes: Switch 0x0a\nLID : Port : Hops : Optimal\n", NP_ERROR_INPUT,
           ":1: tables such as opensm.fdbs do not say whose the LIDs are");
    refuse("a b\nb a\n", switch_a, NP_ERROR_APPLY, "are for fabrics of ibnetdiscover");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_those_of_the_tables),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
