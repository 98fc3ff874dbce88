/* What is written is read again as the same network: random ones, and one of every family, in every format. */
#include "support.h"

#include <unistd.h>

#include "model/format/format.h"
#include "model/network/network.h"
#include "model/format/writer.h"

enum { TRIALS = 400, NODES_MOST = 12, LINKS_MOST = 30, LARGEST = 5000 };

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % bound;
}

/* A new file, in memory if the system has such files: a commit waits for the disk. */
static void new_file(char path[64])
{
    strcpy(path, access("/dev/shm", W_OK) ? "/tmp/netpram-test-XXXXXX" : "/dev/shm/netpram-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
}

/* ---- Reading again ---- */

/* A list says nothing of directions, and a file of anynet has hosts and routers by other names. */
static np_network *read_again(const char *path, const np_graph_writer *writer)
{
    char spec[256];
    np_network *network;
    snprintf(spec, sizeof spec, "file:%s%s", path, !strcmp(writer->info.name, "csv") ? ":directed" : "");
    support_assert_ok(np_network_create(spec, &network), spec, __FILE__, __LINE__);
    assert_ok(np_network_audit(network));
    return network;
}

/* The node of `read` that is node u of `network`: by its name, if names are kept, else by its number. */
static np_node image(const np_network *network, const np_network *read, const np_graph_writer *writer, np_node u)
{
    char room[NP_NAME_ROOM];
    if (!(writer->keeps & NP_KEEPS_NAMES))
        return u;
    const char *name = np_network_node_name(network, u, room);
    np_node v = np_network_find_node(read, name);
    if (v == NP_NONE)
        fail_msg("'%s' is lost in %s", name, writer->info.name);
    return v;
}

static size_t count_between(const np_network *network, np_node from, np_node to)
{
    size_t count = 0;
    for (np_link l = np_network_first_link(network, from); l < np_network_first_link(network, from + 1); l++)
        count += np_network_link_head(network, l) == to;
    return count;
}

/* Link by link, in the order of the numbers; unused ones aside. */
static void assert_same_numbers(const np_network *a, const np_network *b)
{
    np_link m = 0;
    for (np_link l = 0; l < np_network_link_numbers(a); l++) {
        if (np_network_link_head(a, l) == NP_NONE)
            continue;
        assert_int_equal(np_network_link_head(a, l), np_network_link_head(b, m));
        assert_int_equal(np_network_link_tail(a, l), np_network_link_tail(b, m));
        m++;
    }
    assert_int_equal(m, np_network_link_numbers(b));
}

static void assert_same_links(const np_network *a, const np_network *b, const np_graph_writer *writer)
{
    for (np_node u = 0; u < np_network_nodes(a); u++)
        for (np_link l = np_network_first_link(a, u); l < np_network_first_link(a, u + 1); l++) {
            np_node v = np_network_link_head(a, l);
            if (v != NP_NONE)
                assert_int_equal(count_between(a, u, v),
                                 count_between(b, image(a, b, writer, u), image(a, b, writer, v)));
        }
}

static void assert_same(const np_network *a, const np_network *b, const np_graph_writer *writer,
                        const np_network_written *written)
{
    assert_int_equal(np_network_nodes(a), np_network_nodes(b));
    assert_int_equal(np_network_links(a), np_network_links(b));
    if (writer->keeps & NP_KEEPS_NAMES || written->node_numbers)
        assert_same_links(a, b, writer);
    for (np_node u = 0; written->node_numbers && u < np_network_nodes(a); u++)
        assert_int_equal(image(a, b, writer, u), u);
    if (written->link_numbers) {
        assert_same_numbers(a, b);
        assert_int_equal(np_network_link_numbers(a), np_network_link_numbers(b));
    }
    if (!np_network_has_hosts(a) || !(writer->keeps & NP_KEEPS_HOSTS))
        return;
    assert_int_equal(np_network_terminals(a), np_network_terminals(b));
    for (np_node u = 0; u < np_network_nodes(a) && (writer->keeps & NP_KEEPS_NAMES || written->node_numbers); u++)
        assert_int_equal(np_network_is_host(a, u), np_network_is_host(b, image(a, b, writer, u)));
}

/* Is there a reader? */
static bool is_read(const np_graph_writer *writer)
{
    const np_graph_format *format;
    if (!strcmp(writer->info.name, "graphml"))
        return support_reads_xml();
    return !strcmp(writer->info.name, "csv") || !np_registry_find(&np_graph_formats, writer->info.name, &format);
}

/* Writes the network in the format and reads it again. Returns false if the format refuses it. */
static bool try_writer(const np_network *network, const np_graph_writer *writer)
{
    char file[64], path[200];
    np_network_written written;
    new_file(file);
    snprintf(path, sizeof path, "%s%s", file, writer->ending);
    np_status st = np_network_write(network, path, NULL, &written);
    assert_true(!st || st == NP_ERROR_APPLY);
    if (st)
        assert_int_equal(access(path, F_OK), -1);
    if (!st && is_read(writer)) {
        np_network *read = read_again(path, writer);
        assert_string_equal(written.format, writer->info.name);
        assert_same(network, read, writer, &written);
        np_network_free(read);
    }
    remove(path);
    remove(file);
    return !st;
}

/* ---- Networks ---- */

static const char *const names[] = {
    "a",      "New York", "say \"hi\"", "it's",   "K\xc3\xb6ln", "\xe4\xba\xac", "a,b",    "r2#east", "#1",   "%x",
    "(0, 1)", "x;y",      "a\\b",       "<b>&c;", "node",        "graph",        "//c",    "1.5",     "-- x", "a->b",
    "[p]",    "{q}",      " lead",      "trail ", "a/17",        "source",       "&#233;", "0x10",    "\\\\", "50%",
};
enum { NAMES = sizeof names / sizeof *names };

typedef struct made {
    np_node from[LINKS_MOST], to[LINKS_MOST], host[NODES_MOST];
    uint32_t width[LINKS_MOST];
    const char *name[NODES_MOST];
} made;

static np_network *make_random(made *m)
{
    np_node nodes = 2 + below(NODES_MOST - 1), first = below(NAMES);
    np_network_lists lists = {.nodes = nodes, .links = 1 + below(LINKS_MOST), .from = m->from, .to = m->to};
    np_network *network;
    for (size_t i = 0; i < lists.links; i++) {
        m->from[i] = below(nodes);
        m->to[i] = below(nodes);
        m->width[i] = 1 + below(3);
    }
    for (np_node u = 0; u < nodes; u++) {
        m->name[u] = names[(first + 7 * u) % NAMES];
        m->host[u] = u;
    }
    lists.width = below(2) ? m->width : NULL;
    lists.undirected = below(2);
    lists.name = below(3) ? m->name : NULL;
    lists.hosts = below(2) ? 1 + below(nodes - 1) : 0;
    lists.host = m->host + below(nodes - (np_node)lists.hosts);
    assert_ok(np_network_from_lists(&lists, &network));
    return network;
}

/* How many networks each format has to take of TRIALS: those with names of formulas, isolated nodes, one-way links it
 * refuses. */
static void test_random(void **unused)
{
    const np_graph_writer *writer;
    size_t written[8] = {0};
    made m;
    (void)unused;
    assert_ok(np_report_formats());
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        state = trial;
        np_network *network = make_random(&m);
        for (size_t i = 0; (writer = np_registry_entry(&np_graph_writers, i)); i++)
            written[i] += try_writer(network, writer);
        np_network_free(network);
    }
    for (size_t i = 0; (writer = np_registry_entry(&np_graph_writers, i)); i++) {
        size_t least = writer->refuses || !(writer->keeps & NP_KEEPS_NODES) ? TRIALS / 8 : TRIALS;
        if (!strcmp(writer->info.name, "anynet"))
            least = 1;
        if (written[i] < least)
            fail_msg("%s: only %zu of %d are written", writer->info.name, written[i], TRIALS);
    }
}

/* The undirected ones keep their link numbers with undirected lines. */
static void test_undirected(void **unused)
{
    made m;
    (void)unused;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        np_network_written written;
        np_network *network;
        state = trial;
        np_network_lists lists = {.nodes = 8, .links = 20, .from = m.from, .to = m.to, .undirected = true};
        for (size_t i = 0; i < lists.links; i++) {
            m.from[i] = below(8);
            m.to[i] = below(8);
        }
        assert_ok(np_network_from_lists(&lists, &network));
        char file[64];
        new_file(file);
        assert_ok(np_network_write(network, file, "gml", &written));
        assert_true(written.undirected && written.link_numbers && written.node_numbers);
        assert_string_equal(written.lost, "");
        remove(file);
        np_network_free(network);
    }
}

static void test_families(void **unused)
{
    const np_graph_writer *writer;
    const np_entry *entry;
    (void)unused;
    for (size_t k = 0; (entry = np_list_get(NP_LIST_NETWORKS, k)); k++) {
        np_network *network;
        if (!entry->example || !strcmp(entry->name, "file") || np_network_create(entry->example, &network))
            continue;
        for (size_t i = 0; np_network_links(network) < LARGEST && (writer = np_registry_entry(&np_graph_writers, i));
             i++)
            if (!try_writer(network, writer))
                assert_non_null(writer->refuses);
        np_network_free(network);
    }
}

/* Numbers of links that are down are closed up. */
static void test_gaps(void **unused)
{
    np_network *whole = support_network("torus:4x4"), *network;
    const np_graph_writer *writer;
    (void)unused;
    assert_ok(np_network_fail(whole, "0.2", 1, &network));
    for (size_t i = 0; (writer = np_registry_entry(&np_graph_writers, i)); i++)
        assert_true(try_writer(network, writer) || writer->refuses);
    np_network_free(network);
    np_network_free(whole);
}

static void test_attributes(void **unused)
{
    static const char gml[] = "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] node [ id 2 label \"c\" ] "
                              "edge [ source 0 target 1 delay "
                              "\"5ms\" cost -0.1 width 2 ] edge [ source 0 target 1 cost 7 ] edge [ source 1 target 2 "
                              "delay \"0.1us\" ] edge [ source "
                              "2 target 0 cost 3 ] ]";
    static const char *const formats[] = {"dot", "gml", "graphml", "node-link", "csv"};
    np_network *network, *read;
    (void)unused;
    assert_ok(support_network_of_text(gml, "", &network));
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (!strcmp(formats[f], "graphml") && !support_reads_xml())
            continue;
        char *file = support_file(""), spec[200];
        np_network_written written;
        assert_ok(np_network_write(network, file, formats[f], &written));
        assert_true(written.link_numbers && !*written.lost);
        snprintf(spec, sizeof spec, "file:%s%s", file, strcmp(formats[f], "csv") ? "" : ":directed");
        assert_ok(np_network_create(spec, &read));
        for (size_t k = 0; k < network->attributes; k++) {
            const np_link_attribute *a = &network->attribute[k], *b = np_network_find_attribute(read, a->name);
            assert_non_null(b);
            assert_string_equal(a->unit, b->unit);
            assert_memory_equal(a->value, b->value, network->link_numbers * sizeof *a->value);
        }
        assert_int_equal(network->attributes, 2);
        assert_int_equal(network->attributes, read->attributes);
        np_network_free(read);
        remove(file);
        free(file);
    }
    np_network_free(network);
}

/* "a" with these links and names is refused. */
static void assert_refused_by(const char *format, const char *const *name, bool undirected, const char *message)
{
    static const np_node from[] = {0, 1}, to[] = {1, 0};
    const np_network_lists lists = {.nodes = 3, .links = undirected ? 2 : 1, .from = from, .to = to, .name = name};
    char *file = support_file("old");
    np_network_written written;
    np_network *network;
    assert_ok(np_network_from_lists(&lists, &network));
    assert_refused(np_network_write(network, file, format, &written), NP_ERROR_APPLY, message);
    FILE *stream = fopen(file, "r");
    assert_int_equal(fgetc(stream), 'o'); /* the older file stays */
    fclose(stream);
    np_network_free(network);
    remove(file);
    free(file);
}

#define CALLED(name) ((const char *const[]){name, "b", "c"})

static void test_refused(void **unused)
{
    np_network_written written;
    np_network *network = support_network("ring:4");
    (void)unused;
    assert_refused_by("dot", CALLED("a\\"), true, "DOT has no way to write a backslash there");
    assert_refused_by("dot", CALLED("a\\\"b"), true, "DOT has no way to write a backslash there");
    assert_refused_by("gml", CALLED("a\xff"), true, "node 'a\\xff' has a name that is not in UTF-8");
    assert_refused_by("node-link", CALLED("a\nb"), true, "node 'a\\x0ab' has a control character in its name");
    assert_refused_by("graphml", CALLED("a\x7f"), true, "has a control character in its name");
    assert_refused_by("csv", CALLED("a"), true, "node c has no links, and a list of links has no line for such a node");
    assert_refused_by("anynet", CALLED("a"), false, "node a has a link that does not lead back");
    assert_refused(np_network_write(network, "/tmp/x.foo", NULL, &written), NP_ERROR_INPUT,
                   "write .dot, .gml, .graphml");
    assert_refused(np_network_write(network, "x", "dott", &written), NP_ERROR_INPUT, "did you mean 'dot'?");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_undirected), cmocka_unit_test(test_families),
        cmocka_unit_test(test_gaps),   cmocka_unit_test(test_attributes), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
