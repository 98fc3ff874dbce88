/* Ranks in files: what is written is read, and what is wrong is refused with its line. */
#include "papers/ranks/ranks_file.h"
#include "base/memory.h"
#include "support.h"

static char *written(const np_ranks_about *about, const uint32_t *rank, np_packet packets)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    np_ranks_write(about, rank, packets, stream);
    fclose(stream);
    return text;
}

static void round_trip(void **state)
{
    const np_ranks_about about = {"mesh:4x4", "file:a\nb", "listed:l\n", 7, 0xabc, 0xdef0, 2, 9, 31};
    const uint32_t rank[] = {4, 9, 1};
    uint32_t *read;
    (void)state;
    char *text = written(&about, rank, 3), *path = support_file(text);
    assert_string_equal(text, "# ranks of 3 packets in 1..9, lines: packet rank\n# network mesh:4x4\n# traffic "
                              "file:a\\x0ab\n# paths listed:l\\x0a\n"
                              "# seed 7\n# links 0000000000000abc\n# demands 000000000000def0\n# queue size 2\n# at "
                              "most 31 steps\n0 4\n1 9\n2 1\n");
    assert_ok(np_ranks_read(path, &about, 3, 9, &read));
    assert_memory_equal(read, rank, sizeof rank);
    np_step steps;
    assert_ok(np_ranks_read_claim(path, &steps));
    assert_int_equal(steps, 31);
    np_memory_free(read);
    remove(path);
    free(path);
    free(text);
}

static void memory_fails(void **state)
{
    const np_ranks_about about = {"ring:4", "identity", "greedy", 1, 1, 1, 1, 4, 0};
    char *path = support_file("# network ring:4\n# seed 1\n0 1\n");
    uint32_t *rank;
    (void)state;
    for (long n = 1; n <= 2; n++) {
        np_memory_fail_after(n);
        np_status st = np_ranks_read(path, &about, 1, 9, &rank);
        np_memory_fail_after(0);
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_null(rank);
    }
    remove(path);
    free(path);
}

static void no_packets(void **state)
{
    const np_ranks_about about = {"ring:4", "identity", "greedy", 1, 1, 1, 1, 4, 0};
    uint32_t *rank;
    (void)state;
    char *text = written(&about, NULL, 0);
    assert_null(strstr(text, "at most"));
    assert_ok(np_ranks_parse("it", text, strlen(text), 0, 4, &rank));
    np_memory_free(rank);
    free(text);
}

static void assert_for(const char *head, const char *message)
{
    const np_ranks_about about = {"ring:4", "identity", "greedy", 7, 0xabc, 0xdef, 1, 4, 0};
    np_status st = np_ranks_check("r.txt", head, strlen(head), &about);
    if (message)
        assert_refused(st, NP_ERROR_INPUT, message);
    else
        assert_ok(st);
}

static void another_is_refused(void **state)
{
    (void)state;
    assert_for("# network ring:4\n# seed 7\n0 1\n", NULL);
    assert_for("# network ring:4\r\n# seed 7\r\n0 1\r\n", NULL);
    assert_for("# seed 7\n# network ring:4\n# traffic identity\n# paths greedy\n", NULL);
    assert_for("# network ring:5\n# links 0000000000000abc\n# seed 7\n", NULL); /* the same by another name */
    assert_for("# network ring:4\n# links 0000000000000abd\n# seed 7\n",
               "network ring:4, and this is ring:4, which is another one");
    assert_for("# network ring:5\n# seed 7\n", "r.txt: these ranks are for network ring:5, and this is ring:4");
    assert_for("# network ring:4\n# seed 8\n", "for seed 8, and this is 7");
    assert_for("# network ring:4\n# seed 07\n", "for seed 07, and this is 7");
    assert_for("# network ring:4\n# seed 7\n# paths shortest\n", "for paths shortest, and this is greedy");
    assert_for("# network ring:4\n# seed 7\n# traffic random\n", "for traffic random, and this is identity");
    assert_for("# network ring:4\n# seed 7\n# traffic identity\n# demands 0000000000000dee\n",
               "for traffic identity as run 0 had it");
    assert_for("0 1\n# network ring:4\n# seed 7\n", "r.txt does not say for which network and seed its ranks are");
    assert_for("# network ring:4\n", "does not say for which network and seed");
    assert_for("", "does not say for which network and seed");
}

static void sums_tell_apart(void **state)
{
    np_network *ring = support_network("ring:4"), *other = support_network("complete:4");
    np_traffic *one, *two;
    (void)state;
    assert_ok(np_traffic_create("random", ring, 1, 0, &one));
    assert_ok(np_traffic_create("random", ring, 2, 0, &two));
    assert_int_not_equal(np_ranks_links(ring), np_ranks_links(other));
    assert_int_not_equal(np_ranks_demands(one), np_ranks_demands(two));
    np_traffic_free(one);
    np_traffic_free(two);
    np_network_free(ring);
    np_network_free(other);
}

static void refused(const char *text, const char *message)
{
    static uint32_t unset;
    uint32_t *rank = &unset;
    assert_refused(np_ranks_parse("r.txt", text, strlen(text), 3, 9, &rank), NP_ERROR_INPUT, message);
    assert_null(rank);
}

static void refuses(void **state)
{
    uint32_t *rank;
    (void)state;
    refused("0 1\n1 2\n", "r.txt:2: ranks for 2 of 3 packets: packet 2 has none");
    refused("", "ranks for 0 of 3 packets: packet 0 has none");
    refused("0 1\n1 2\n\n# so\n3 1\n", "r.txt:5: packet 3 is out of range 0..2: the nearest is 2");
    refused("0 1\n1 0\n", "r.txt:2: rank 0 is out of range 1..9: the nearest is 1");
    refused("0 1\n1 10\n", "r.txt:2: rank 10 is out of range 1..9: the nearest is 9");
    refused("0 1\n1 x\n", "r.txt:2: rank 'x' is not a whole number");
    refused("0 1\n1 -1\n", "r.txt:2: rank '-1' is not a whole number");
    refused("0\n", "r.txt:1: ");
    refused("0 1 2\n", "r.txt:1: ");
    refused("0 1\n0 1\n", "r.txt:2: packet 0 has a rank already");
    assert_refused(np_ranks_parse("r.txt", "0 1\n", 4, 0, 9, &rank), NP_ERROR_INPUT, "the traffic has no packets");
    assert_refused(np_ranks_parse("r.txt", "0 1\n\0", 5, 1, 9, &rank), NP_ERROR_INPUT, "zero byte");
    assert_refused(np_ranks_read("/no/such/file", NULL, 3, 9, &rank), NP_ERROR_IO, "/no/such/file");
    assert_null(rank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip),         cmocka_unit_test(no_packets),
                                       cmocka_unit_test(memory_fails),       cmocka_unit_test(refuses),
                                       cmocka_unit_test(another_is_refused), cmocka_unit_test(sums_tell_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
