/*
 * Necklaces, good and bad nodes, association: against definitions read off the
 * labels as strings of bits, and Lemma 5.1 and Corollary 5.2 of Leighton, Maggs,
 * Ranade & Rao 1994.
 *
 * n = 4, z = 2:
 *   0001 0010 0100 1000   one block of 3: good        representative 0001
 *   0011 0110 1100 1001   one block of 2: good        representative 0011
 *   0101 1010             blocks of 1: type 1
 *   0111 1110 1101 1011   a block of 1: type 1
 *   1111                  no block: type 1
 *   0000                  type 3
 */
#include "support.h"

#include "papers/shuffle_exchange/necklaces.h"

enum { BITS_MOST = 20 };

static np_necklaces *necklaces(uint32_t bits)
{
    np_necklaces *nl;
    assert_ok(np_necklaces_create(bits, &nl));
    return nl;
}

static void four_bits(void **state)
{
    (void)state;
    np_necklaces *nl = necklaces(4);
    assert_int_equal(nl->block, 2);
    assert_int_equal(nl->count, 6);
    assert_int_equal(nl->good, 2);
    assert_int_equal(nl->representative[0], 1);
    assert_int_equal(nl->representative[1], 3);
    assert_int_equal(nl->position[1], 3); /* the representative is on the last level */
    assert_int_equal(nl->position[2], 0);
    assert_int_equal(nl->position[9], 2); /* 1001: 0011 with the left 1 current */
    assert_int_equal(nl->size[nl->of[5]], 2);
    assert_int_equal(np_necklaces_kind(nl, nl->of[0]), NP_NECKLACE_TYPE_3);
    assert_int_equal(np_necklaces_kind(nl, nl->of[15]), NP_NECKLACE_TYPE_1);
    assert_int_equal(np_necklaces_associate(nl, 0), 0);
    assert_int_equal(np_necklaces_associate(nl, 10), 1); /* 1010 -> 0011 */
    assert_int_equal(np_necklaces_associate(nl, 13), 0); /* 1101 -> 0001, against the end of Lemma 5.1's proof */
    assert_int_equal(np_necklaces_flip(nl, 1, 2), 0);    /* 00_1_1 -> 000_1_ */
    assert_int_equal(np_necklaces_flip(nl, 0, 3), NP_NONE);
    assert_int_equal(np_necklaces_flip(nl, 0, 1), NP_NONE);
    np_necklaces_free(nl);
}

/* 110001 is 000_1_11 with its 1 current, on level 3; 000111 has another, 00_0_111, on level 2. Necklaces of 2 and 3. */
static void the_papers_examples(void **state)
{
    (void)state;
    np_necklaces *nl = necklaces(6);
    assert_int_equal(nl->representative[nl->of[0x31]], 0x07);
    assert_int_equal(nl->position[0x31], 3);
    assert_int_equal(nl->position[0x38], 2);
    assert_int_equal(nl->position[0x07], 5);
    assert_int_equal(nl->of[0x15], nl->of[0x2a]);
    assert_int_equal(nl->size[nl->of[0x15]], 2);
    assert_int_equal(nl->size[nl->of[0x1b]], 3);
    np_necklaces_free(nl);
}

static uint32_t bit(uint32_t bits, uint32_t label, uint32_t place) { return label >> (bits - 1 - place % bits) & 1; }

/* Length of the block of zeros that begins at a place: a 1 is before it, cyclically; 0 if none does. */
static uint32_t block_at(uint32_t bits, uint32_t label, uint32_t place)
{
    uint32_t length = 0;
    if (!label || !bit(bits, label, place + bits - 1))
        return 0;
    while (!bit(bits, label, place + length))
        length++;
    return length;
}

static np_necklace_kind kind_by_definition(uint32_t bits, uint32_t block, uint32_t label)
{
    uint32_t longest = 0, times = 0;
    if (!label)
        return NP_NECKLACE_TYPE_3;
    for (uint32_t place = 0; place < bits; place++) {
        uint32_t length = block_at(bits, label, place);
        if (length > longest) {
            longest = length;
            times = 0;
        }
        times += length == longest;
    }
    if (longest < block)
        return NP_NECKLACE_TYPE_1;
    return times == 1 ? NP_NECKLACE_GOOD : NP_NECKLACE_TYPE_2;
}

static uint32_t rotated(uint32_t bits, uint32_t label, uint32_t by)
{
    uint32_t x = 0;
    for (uint32_t place = 0; place < bits; place++)
        x = 2 * x + bit(bits, label, place + by);
    return x;
}

static void definitions(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 14; bits++) {
        np_necklaces *nl = necklaces(bits);
        uint32_t distinct = 0;
        for (uint32_t v = 0; v < nl->nodes; v++) {
            uint32_t least = v, size = 0, necklace = nl->of[v];
            for (uint32_t by = 0; by < bits; by++) {
                uint32_t x = rotated(bits, v, by);
                least = x < least ? x : least;
                size += !size && x == v && by ? by : 0;
            }
            distinct += least == v;
            assert_true(necklace < nl->count);
            assert_int_equal(nl->representative[necklace], least);
            assert_int_equal(nl->size[necklace], size ? size : bits);
            assert_true(nl->position[v] < nl->size[necklace]);
            assert_int_equal(rotated(bits, least, nl->position[v] + 1u), v);
            assert_int_equal(np_necklaces_at(nl, necklace, nl->position[v]), v);
            assert_int_equal(np_necklaces_left(nl, v), rotated(bits, v, 1));
            assert_int_equal(np_necklaces_right(nl, np_necklaces_left(nl, v)), v);
            assert_int_equal(np_necklaces_kind(nl, necklace), kind_by_definition(bits, nl->block, v));
            assert_int_equal(necklace < nl->good, np_necklaces_kind(nl, necklace) == NP_NECKLACE_GOOD);
        }
        assert_int_equal(distinct, nl->count);
        np_necklaces_free(nl);
    }
}

/* The bits that the association may change. */
static void association(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 16; bits++) {
        np_necklaces *nl = necklaces(bits);
        for (uint32_t v = 0; v < nl->nodes; v++) {
            uint32_t necklace = nl->of[v], to = np_necklaces_associate(nl, v);
            np_necklace_kind kind = np_necklaces_kind(nl, necklace);
            assert_true(to < nl->good);
            uint32_t target = nl->representative[to], k = nl->zeros[necklace];
            uint32_t source = kind == NP_NECKLACE_TYPE_1 ? v : nl->representative[necklace];
            for (uint32_t place = 0; place < bits; place++) {
                uint32_t want = bit(bits, source, place);
                if (kind == NP_NECKLACE_TYPE_1 && place < nl->block)
                    want = 0;
                if ((kind == NP_NECKLACE_TYPE_1 || kind == NP_NECKLACE_TYPE_3) && place == bits - 1)
                    want = 1;
                if (kind == NP_NECKLACE_TYPE_2 && (place == k || place == k + 1))
                    want = place == k + 1;
                assert_int_equal(bit(bits, target, place), want);
            }
        }
        np_necklaces_free(nl);
    }
}

/* Flip edges as section 5.2 defines them; each leads to the representative as it stands, so that they are leveled. */
static void flips(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 14; bits++) {
        np_necklaces *nl = necklaces(bits);
        for (uint32_t g = 0; g < nl->good; g++)
            for (uint32_t p = 0; p < bits; p++) {
                uint32_t x = nl->representative[g], to = np_necklaces_flip(nl, g, p), y;
                if (p == bits - 1 || p < block_at(bits, x, 0)) {
                    assert_int_equal(to, NP_NONE);
                    continue;
                }
                y = (x ^ 1u << (bits - 1 - p)) | 1u << (bits - 2 - p);
                if (kind_by_definition(bits, nl->block, y) == NP_NECKLACE_GOOD)
                    assert_int_equal(nl->representative[to], y);
                else
                    assert_int_equal(to, NP_NONE);
            }
        np_necklaces_free(nl);
    }
}

/*
 * Lemma 5.1: at most 4 log N bad nodes for a good necklace; Corollary 5.2: N/5
 * good ones. And no more than 2 necklaces of type 2 for a good one.
 */
static void lemma_5_1_and_corollary_5_2(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= BITS_MOST; bits++) {
        np_necklaces *nl = necklaces(bits);
        uint32_t *nodes = calloc(nl->good, sizeof *nodes), *second = calloc(nl->good, sizeof *second), most = 0;
        for (uint32_t v = 0; v < nl->nodes; v++)
            if (nl->of[v] >= nl->good) {
                uint32_t here = ++nodes[np_necklaces_associate(nl, v)];
                most = here > most ? here : most;
            }
        for (uint32_t b = nl->good; b < nl->count; b++)
            if (np_necklaces_kind(nl, b) == NP_NECKLACE_TYPE_2)
                assert_true(++second[np_necklaces_associate(nl, nl->representative[b])] <= 2);
        assert_true(most <= 4 * bits);
        assert_true(5 * (uint64_t)nl->good * bits >= nl->nodes);
        free(nodes);
        free(second);
        np_necklaces_free(nl);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bits),   cmocka_unit_test(the_papers_examples),
        cmocka_unit_test(definitions), cmocka_unit_test(association),
        cmocka_unit_test(flips),       cmocka_unit_test(lemma_5_1_and_corollary_5_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
