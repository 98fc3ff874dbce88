/* Networks from lists and files of links, and the audit of networks. */
#include "support.h"

#include "model/format/links.h"
#include "model/network/network.h"

static np_status parse(const char *name, const char *text, np_network **out)
{
    np_network *network = calloc(1, sizeof *network);
    static const np_network_family family = {.info = {.name = "file"}};
    np_status st = np_links_parse(name, text, strlen(text), NULL, NP_LINKS_NODES_MAX, network);
    network->family = &family;
    network->spec = strdup("file:test");
    *out = st ? NULL : network;
    if (st)
        np_network_free(network);
    return st;
}

/* "nodes: heads by port | heads by port | ..." */
static void assert_network(const np_network *network, const char *want)
{
    char got[256];
    size_t at = (size_t)snprintf(got, sizeof got, "%u:", np_network_nodes(network));
    for (np_node u = 0; u < np_network_nodes(network); u++) {
        for (np_port p = 0; p < np_network_ports(network); p++) {
            np_link link = np_network_link_at(network, u, p);
            if (link == NP_NONE)
                continue;
            assert_int_equal(np_network_link_tail(network, link), u);
            at += (size_t)snprintf(got + at, sizeof got - at, " %u", np_network_link_head(network, link));
        }
        at += (size_t)snprintf(got + at, sizeof got - at, " |");
    }
    assert_string_equal(got, want);
    assert_ok(np_network_audit(network));
}

static void assert_parsed(const char *name, const char *text, const char *want)
{
    np_network *network;
    support_assert_ok(parse(name, text, &network), text, __FILE__, __LINE__);
    assert_network(network, want);
    np_network_free(network);
}

static void test_arrays_keep_the_order_as_ports(void **state)
{
    /*  0 -> 2, 0 -> 1 (in this order), 2 -> 2 (a loop), 2 -> 0 twice; 3 alone */
    static const np_node from[] = {2, 0, 2, 0, 2}, to[] = {2, 2, 0, 1, 0};
    np_network *network;
    (void)state;
    assert_ok(np_network_from_links(4, 5, from, to, &network));
    assert_network(network, "4: 2 1 | | 2 0 0 | |");
    assert_string_equal(np_network_spec(network), "links");
    assert_string_equal(np_network_family_name(network), "file");
    assert_int_equal(np_network_links(network), 5);
    assert_int_equal(np_network_link_numbers(network), 5);
    assert_int_equal(np_network_ports(network), 3);
    np_network_free(network);

    assert_ok(np_network_from_links(2, 0, NULL, NULL, &network));
    assert_network(network, "2: | |");
    np_network_free(network);
}

static void test_arrays_refused(void **state)
{
    static const np_node from[] = {0, 1}, to[] = {1, 2};
    np_network *network;
    (void)state;
    assert_refused(np_network_from_links(2, 2, from, to, &network), NP_ERROR_INPUT, "link 1 goes from 1 to 2");
    assert_null(network);
    assert_refused(np_network_from_links(0, 0, from, to, &network), NP_ERROR_INPUT, "0 nodes");
    assert_refused(np_network_from_links(2, UINT32_MAX, from, to, &network), NP_ERROR_LIMIT, "4294967295 links");
}

#define BANNER "%%MatrixMarket matrix coordinate "

static void test_files(void **state)
{
    (void)state;
    assert_parsed("l", "0 2\n0 1\n2 0\n3 2\n", "4: 2 1 | | 0 | 2 |");
    assert_parsed("l", "# six\nnodes 4\n\n1 1 # loop\r\n3 0", "4: | 1 | | 0 |");
    assert_parsed("l", "Nodes 1\n0 0\n", "1: 0 |");
    assert_parsed("l.mtx", BANNER "pattern general\n3 2 2\n1 2\n3 1\n", "3: 1 | | 0 |");
    assert_parsed("l.mtx", BANNER "real symmetric\n3 3 3\n2 1 0.5\n3 3 -1e9\n3 2 x\n", "3: 1 | 0 2 | 2 1 |");
}

static void test_bad_files(void **state)
{
    static const struct {
        const char *name, *text, *message;
    } bad[] = {
        {"l", "", "l: no links: write lines 'from to'"},
        {"l", "nodes 4\n# nothing\n", "l:2: no links"},
        {"l", "nodes\n0 1\n", "l:1: 1 field from 'nodes' on: a line is 'nodes N'"},
        {"l", "nodes 0\n", "l:1: the number of nodes 0 is out of range 1..1073741824: the nearest is 1"},
        {"l", "nodes 3\n0 1\n0 3\n", "l:3: node 3 is out of range 0..2: the nearest is 2"},
        {"l", "0 1\nnodes 3\n", "l:2: a line 'nodes N' must be the first one"},
        {"l", "nodes 3\n0 x\n", "l:2: node 'x' is not a whole number: write one in 0..2"},
        {"l", "nodes 9\n0 1\n1073741824 0\n", "l:3: node 1073741824 is out of range 0..8"},
        {"l", "0 1\n0\n", "l:2: 1 field, but 2 in the lines above"},
        {"l", "nodes 2\n0 -1\n", "l:2: node '-1' is not"},
        {"l.mtx", "0 1\n", "l.mtx:1: a .mtx file begins"},
        {"l", BANNER "pattern general\n2000000000 1 1\n", "l:2: 2000000000 rows are more than the 1073741824 nodes"},
        {"l", BANNER "pattern general\n3 3 0\n", "l:2: no links"},
        {"l", BANNER "pattern general\n3 3 3\n1 1\n1 2\n", "l:4: the file ends after 2 of 3 entries"},
        {"l", BANNER "pattern general\n3 3 3\n1 4\n", "l:3: column 4 is out of range 1..3"},
    };
    np_network *network;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(parse(bad[i].name, bad[i].text, &network), NP_ERROR_INPUT, bad[i].message);
        assert_ptr_equal(strstr(np_last_error(), bad[i].message), np_last_error());
    }
}

static void test_specs(void **state)
{
    char spec[128], *path = support_file("0 1\n1 0\n");
    np_network *network;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s", path);
    network = support_network(spec);
    assert_string_equal(np_network_spec(network), spec);
    assert_network(network, "2: 1 | 0 |");
    np_network_free(network);
    remove(path);
    free(path);
    assert_refused(np_network_create(spec, &network), NP_ERROR_IO, "No such file");
    assert_null(network);
    assert_refused(np_network_create("file:", &network), NP_ERROR_INPUT, "file:links.txt");
    assert_refused(np_network_create("file:/", &network), NP_ERROR_IO, "Is a directory");
}

static void test_audit_passes_the_cube(void **state)
{
    (void)state;
    for (int n = 1; n <= 8; n++) {
        char spec[16];
        snprintf(spec, sizeof spec, "hypercube:%d", n);
        np_network *network = support_network(spec);
        assert_ok(np_network_audit(network));
        np_network_free(network);
    }
}

static void heads_not_regular(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    for (size_t i = 0; i < count; i++)
        head[i] = link[i] / network->ports & ~UINT32_C(1);
}

static void heads_out_of_range(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    for (size_t i = 0; i < count; i++)
        head[i] = (link[i] / network->ports) + 1;
}

static np_node relative_reversed(const np_network *network, np_node u, np_node v)
{
    np_node x = u ^ v, image = 0;
    for (uint32_t i = 0; i < network->dimensions; i++, x >>= 1)
        image = image << 1 | (x & 1); /* an automorphism, but it moves the ports */
    return image;
}

/* Each break of the cube is found, and named. */
static void test_audit_finds_what_is_wrong(void **state)
{
    np_network *cube = support_network("hypercube:3");
    np_network_family broken = *cube->family;
    const np_network_family *good = cube->family;
    (void)state;
    cube->family = &broken;
    broken.heads = heads_not_regular;
    assert_refused(np_network_audit(cube), NP_ERROR_INTERNAL, "hypercube:3: node 0 has 6 links in");
    broken.heads = heads_out_of_range;
    assert_refused(np_network_audit(cube), NP_ERROR_INTERNAL, "link 21 leads to node 8 of 8");
    broken = *good;
    broken.relative = relative_reversed;
    assert_refused(np_network_audit(cube), NP_ERROR_INTERNAL, "does not keep port 0 of node 0");
    broken = *good;
    cube->links = 23;
    assert_refused(np_network_audit(cube), NP_ERROR_INTERNAL, "24 links, not 23");
    cube->links = 24;
    cube->link_numbers = 23;
    assert_refused(np_network_audit(cube), NP_ERROR_INTERNAL, "24 link numbers");
    cube->link_numbers = 24;
    assert_ok(np_network_audit(cube));
    np_network_free(cube);
}

static void test_audit_finds_wrong_rows(void **state)
{
    static const np_node from[] = {0, 1, 1}, to[] = {1, 0, 1};
    np_network *network;
    (void)state;
    assert_ok(np_network_from_links(2, 3, from, to, &network));
    network->tail[1] = 0;
    assert_refused(np_network_audit(network), NP_ERROR_INTERNAL, "links: port 1 of node 0 is link 1");
    network->tail[1] = 1;
    network->row[1] = 4;
    assert_refused(np_network_audit(network), NP_ERROR_INTERNAL, "node 0 has links 0..4");
    network->row[1] = 1;
    network->ports = 3;
    assert_refused(np_network_audit(network), NP_ERROR_INTERNAL, "3 link numbers and 2 ports, not 3 and 3");
    network->ports = 2;
    assert_ok(np_network_audit(network));
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_keep_the_order_as_ports),
        cmocka_unit_test(test_arrays_refused),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_specs),
        cmocka_unit_test(test_audit_passes_the_cube),
        cmocka_unit_test(test_audit_finds_what_is_wrong),
        cmocka_unit_test(test_audit_finds_wrong_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
