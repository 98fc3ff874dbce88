/*
 * What `takes` of the families says: a network is made with the least and the largest value of each parameter, where
 * the others are the least that they can be, and one less or more is refused. Of lists, and of what is no number, it
 * has words ("PERM: ..."), which `told` holds to specs. Specs are put together from the words of `parameters`:
 *
 *     DxN         [Dx]H         AxBx...         N,R[,seed=]         a=,p=,h=[,g=]         k=K[,taper=T]
 */
#include "support.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/account.h"
#include "netpram/network.h"

typedef struct range {
    char name[16];
    uint64_t least, most;
} range;

typedef struct spec {
    char text[200];
    size_t length;
} spec;

/* Specs with a small value and with a large one: a large R needs a large N beside it, many groups need many ports, and
   the K of planes a network. */
static const char *const special[][4] = {
    {"jellyfish", "R", "jellyfish:2,%s", "jellyfish:65536,%s"},
    {"dragonfly", "g", "dragonfly:a=1,p=1,h=1,g=%s", "dragonfly:a=1,p=1,h=65535,g=%s"},
    {"dragonfly+", "g", "dragonfly+:leaf=1,spine=1,p=1,h=1,g=%s", "dragonfly+:leaf=1,spine=1,p=1,h=65534,g=%s"},
    {"planes", "K", "planes:%s,ring:3@1", "planes:%s,ring:3@1"}};

static size_t read_ranges(const np_entry *family, range *ranges)
{
    size_t count = 0;
    for (const char *at = family->takes; at; at = strchr(at, ',') ? strchr(at, ',') + 2 : NULL) {
        if (strcspn(at, ":") < strcspn(at, " ")) /* words */
            continue;
        range *r = &ranges[count++];
        int read = 0;
        assert_true(count <= 8);
        assert_int_equal(sscanf(at, "%15s %" SCNu64 "..%" SCNu64 "%n", r->name, &r->least, &r->most, &read), 3);
        assert_true(r->least < r->most && (at[read] == ',' || !at[read]));
    }
    return count;
}

static void add(spec *to, const char *text, size_t length)
{
    assert_true(to->length + length < sizeof to->text);
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = '\0';
}

static const range *find(const range *ranges, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(ranges[i].name) == length && !memcmp(ranges[i].name, name, length))
            return &ranges[i];
    return NULL;
}

/* The bracket, of which `at` is behind the '[', has the parameter. */
static bool has(const char *at, const range *ranges, size_t count, const range *wanted)
{
    while (*at != ']') {
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const size_t word = isupper((unsigned char)*at) ? 1 : length;
        if (word && find(ranges, count, at, word) == wanted)
            return true;
        at += word ? word : 1;
    }
    return false;
}

/* The parameter `wanted` has the value, the others their least ones; what may be left out is. */
static void compose(const np_entry *family, const range *ranges, size_t count, const range *wanted, const char *value,
                    spec *to)
{
    *to = (spec){.length = 0};
    add(to, family->name, strlen(family->name));
    add(to, ":", 1);
    for (const char *at = family->parameters; *at;) {
        const char *repeat = strstr(at, "...");
        const size_t word = isupper((unsigned char)*at) ? 1 : strspn(at, "abcdefghijklmnopqrstuvwxyz");
        const range *r = word ? find(ranges, count, at, word) : NULL;
        if (*at == '[' && !has(at + 1, ranges, count, wanted))
            at = strchr(at, ']') + 1;
        else if (*at == '[' || *at == ']')
            at++;
        else if (repeat && repeat == at + 3 && *at == 'x') /* "xBx..." */
            at = repeat + 3;
        else if (r) {
            char least[24];
            snprintf(least, sizeof least, "%" PRIu64, r->least);
            if (at[word] == '=')
                add(to, at, word + 1);
            add(to, r == wanted ? value : least, strlen(r == wanted ? value : least));
            at += word + (at[word] == '=') + (at[word] == '=' && isupper((unsigned char)at[word + 1]));
        } else
            add(to, at++, 1);
    }
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (!strcmp(special[i][0], family->name) && !strcmp(special[i][1], wanted->name))
            to->length = (size_t)snprintf(to->text, sizeof to->text, special[i][2 + (strlen(value) > 1)], value);
}

/* A network is not made if there is no memory for it, but then nothing is wrong with its parameters. */
static bool is_taken(const char *text)
{
    NP_ACCOUNT(16 << 20, "a smaller network");
    np_network *network;
    const np_status st = np_network_create(text, &network);
    np_network_free(network);
    assert_true(!st || st == NP_ERROR_INPUT || st == NP_ERROR_LIMIT || st == NP_ERROR_IO);
    return !st || strstr(np_last_error(), "no memory for") != NULL;
}

static void judge(const np_entry *family, const range *ranges, size_t count, const range *r)
{
    char value[4][24];
    spec text;
    snprintf(value[0], sizeof value[0], "%" PRIu64, r->least);
    snprintf(value[1], sizeof value[1], "%" PRIu64, r->most);
    snprintf(value[2], sizeof value[2], "%" PRId64, (int64_t)r->least - 1);
    snprintf(value[3], sizeof value[3], "%" PRIu64 "%s", r->most < UINT64_MAX ? r->most + 1 : r->most / 10,
             r->most < UINT64_MAX ? "" : "6");
    for (size_t i = 0; i < 4; i++) {
        compose(family, ranges, count, r, value[i], &text);
        if (is_taken(text.text) != (i < 2))
            fail_msg("%s is %s", text.text, i < 2 ? np_last_error() : "taken");
    }
}

static void test_ranges(void **state)
{
    (void)state;
    const np_entry *family;
    for (size_t i = 0; (family = np_list_get(NP_LIST_NETWORKS, i)); i++) {
        range ranges[8];
        const size_t count = read_ranges(family, ranges);
        for (size_t k = 0; k < count && strcmp(family->name, "xgft") != 0; k++) /* H numbers: told */
            judge(family, ranges, count, &ranges[k]);
    }
}

/* What the words say, its first and its last value, and what is one less or more. */
typedef struct telling {
    const char *family, *words;
    const char *taken[6], *refused[6];
} telling;

static const telling told[] = {
    {"xgft",
     "H 1..15, M: H numbers in 1..67108864, W: H numbers in 1..67108864, taper 1..67108864",
     {"xgft:1:1:1", "xgft:15:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "xgft:1:67108864:1",
      "xgft:1:1:67108864", "xgft:2:1,1:1,1:taper=67108864", "xgft:2:2,3:1,1:taper=1"},
     {"xgft:0::", "xgft:16:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "xgft:1:67108865:1",
      "xgft:1:1:67108865", "xgft:2:1,1:1,1:taper=67108865", "xgft:2:2:1,1"}},
    {"cayley",
     "PERM: 1 to 64 permutations of the same first 2 to 36 of 0-9a-z",
     {"cayley:10", "cayley:1023456789abcdefghijklmnopqrstuvwxyz"},
     {"cayley:", "cayley:0", "cayley:10,102", "cayley:1023456789abcdefghijklmnopqrstuvwxyzA", "cayley:21"}},
    {"product",
     "A: 2 to 31 networks; packets start and end at all nodes of each",
     {"product:ring:3,ring:3"},
     {"product:ring:3", "product:ring:3,butterfly-io:2", "product:ring:3,crossbar:2"}},
    {"planes",
     "K 1..1024, NETWORK: one of switches with hosts",
     {"planes:2,torus:4x4@2", "planes:2,leaf-spine:leaf=2,spine=2,p=2"},
     {"planes:2,torus:4x4", "planes:2,crossbar:4"}},
    {"hyperx",
     "A 2..65536, widths: one number from 1 on or one for each side",
     {"hyperx:3x4,widths=1", "hyperx:3x4,widths=2x9"},
     {"hyperx:3x4,widths=0", "hyperx:3x4,widths=2x9x2", "hyperx:3x4x5,widths=2x9"}},
    {"dragonfly",
     "a 1..1624, p 1..1048576, h 1..65534, g 2..65535, arrangement: absolute|relative|circulant|random, seed "
     "0..18446744073709551615",
     {"dragonfly:a=1,p=1,h=2,arrangement=absolute", "dragonfly:a=1,p=1,h=2,arrangement=relative",
      "dragonfly:a=1,p=1,h=2,arrangement=circulant", "dragonfly:a=1,p=1,h=2,g=2,arrangement=random,seed=1"},
     {"dragonfly:a=1,p=1,h=2,arrangement=", "dragonfly:a=1,p=1,h=2,arrangement=palmtree",
      "dragonfly:a=1,p=1,h=2,arrangement=absolute|relative"}},
    {"dragonfly+",
     "leaf 1..1048576, spine 1..37836, p 1..1048576, h 1..65533, g 2..65534, arrangement: "
     "absolute|relative|circulant|random, seed 0..18446744073709551615",
     {"dragonfly+:leaf=1,spine=1,p=1,h=2,arrangement=circulant"},
     {"dragonfly+:leaf=1,spine=1,p=1,h=2,arrangement=palmtree"}},
    {"file", "PATH: a file; what it has says in which format it is", {NULL}, {"file:/", "file:no such file"}},
};

/* The prefix and so many transpositions of 12 symbols. */
static void many(char *text, size_t room, const char *prefix, size_t count)
{
    static const char symbols[] = "0123456789ab";
    size_t length = (size_t)snprintf(text, room, "%s", prefix), made = 0;
    for (size_t i = 0; i < 12; i++)
        for (size_t j = i + 1; j < 12 && made < count; j++, made++) {
            length += (size_t)snprintf(text + length, room - length, "%s%s", made ? "," : "", symbols);
            text[length - 12 + i] = symbols[j];
            text[length - 12 + j] = symbols[i];
        }
    assert_int_equal(made, count);
}

static void test_words(void **state)
{
    (void)state;
    const np_entry *family;
    size_t with_words = 0;
    for (size_t i = 0; (family = np_list_get(NP_LIST_NETWORKS, i)); i++) {
        assert_non_null(family->takes);
        if (strchr(family->takes, ':'))
            with_words++;
        for (size_t k = 0; k < sizeof told / sizeof *told; k++)
            if (!strcmp(told[k].family, family->name))
                assert_string_equal(family->takes, told[k].words);
    }
    assert_int_equal(with_words, sizeof told / sizeof *told);
    for (size_t k = 0; k < sizeof told / sizeof *told; k++)
        for (size_t i = 0; i < 6; i++) {
            if (told[k].taken[i] && !is_taken(told[k].taken[i]))
                fail_msg("%s", np_last_error());
            if (told[k].refused[i] && is_taken(told[k].refused[i]))
                fail_msg("%s is taken", told[k].refused[i]);
        }
}

/* 64 generators; 31 factors. */
static void test_longest_lists(void **state)
{
    (void)state;
    char text[1024];
    np_network *network;
    many(text, sizeof text, "cayley:", 65);
    assert_int_equal(np_network_create(text, &network), NP_ERROR_LIMIT);
    assert_non_null(strstr(np_last_error(), "one generator too many: at most 64"));
    many(text, sizeof text, "cayley:", 64); /* of a group that is too large: this many are read */
    assert_int_equal(np_network_create(text, &network), NP_ERROR_LIMIT);
    if (!strstr(np_last_error(), "elements"))
        fail_msg("%s", np_last_error());
    for (size_t factors = 31; factors <= 32; factors++) {
        size_t length = (size_t)snprintf(text, sizeof text, "product:array:2");
        for (size_t i = 1; i < factors; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, ",array:2");
        const np_status st = np_network_create(text, &network);
        assert_true(st);
        assert_int_equal(strstr(np_last_error(), "2 to 31 factors") != NULL, factors == 32);
    }
}

/* Numbers of all families have ranges but for those that are read in lists, and the example is within them. */
static void test_examples(void **state)
{
    (void)state;
    const np_entry *family;
    for (size_t i = 0; (family = np_list_get(NP_LIST_NETWORKS, i)); i++) {
        range ranges[8];
        const size_t count = read_ranges(family, ranges);
        const bool has_none = strstr("product cayley file", family->name) != NULL;
        assert_int_equal(has_none, !count);
        if (strcmp(family->name, "file") != 0)
            assert_true(is_taken(family->example));
        for (const char *at = family->parameters; *at && !has_none; at++) {
            const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
            if (length && at[length] == '=' && strncmp(at, "widths", length) && strncmp(at, "arrangement", length))
                assert_non_null(find(ranges, count, at, length));
            at += length;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges), cmocka_unit_test(test_examples),
                                       cmocka_unit_test(test_words), cmocka_unit_test(test_longest_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
