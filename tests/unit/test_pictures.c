/* Pictures: what is written of numbers, texts and colours, and that each allocation may fail. tests/cli/pictures has
 * the rest. */
#include <limits.h>
#include <unistd.h>

#include "base/memory.h"
#include "show/picture/picture.h"
#include "support.h"

static void test_numbers(void **state)
{
    static const struct {
        double number;
        const char *text;
    } all[] = {{0, "0"},        {-0.0, "0"},      {0.004, "0"},     {-0.004, "0"},
               {0.005, "0.01"}, {1.5, "1.5"},     {1.25, "1.25"},   {-1.25, "-1.25"},
               {2.999, "3"},    {100.1, "100.1"}, {-0.05, "-0.05"}, {12345678.91, "12345678.91"}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_string_equal(NP_SVG(all[i].number), all[i].text);
}

/* The scale gets darker all the way, and holds its ends. */
static void test_scale(void **state)
{
    unsigned before = UINT_MAX;
    (void)state;
    assert_string_equal(np_svg_scale(1).text, "#440154");
    assert_string_equal(np_svg_scale(7).text, "#440154");
    assert_string_equal(np_svg_scale(-1).text, np_svg_scale(0).text);
    for (int i = 0; i <= 100; i++) {
        unsigned r, g, b;
        assert_int_equal(sscanf(np_svg_scale(i / 100.0).text, "#%2x%2x%2x", &r, &g, &b), 3);
        unsigned light = 299 * r + 587 * g + 114 * b;
        assert_true(light < before);
        before = light;
    }
}

/* ---- Memory ---- */

static np_status draw_route(const np_record_options *record, np_record **opened)
{
    np_network *network = NULL;
    np_route_result *result = NULL;
    np_route_options options;
    np_status st;
    np_route_options_init(&options);
    if ((st = np_record_open(record, "command", opened)) || (st = np_network_create("torus:3x3", &network)))
        return st;
    options.observer = np_record_observer(*opened);
    st = np_route(network, "random", &options, &result);
    np_route_result_free(result);
    np_network_free(network);
    return st;
}

static int stage(void *record, const np_sort_seen *seen) { return np_record_sort_stage(record, seen); }

static np_status draw_sort(const np_record_options *record, const char *algorithm, np_record **opened)
{
    np_network *network = NULL;
    np_sort_result *result = NULL;
    np_sort_options options;
    np_status st;
    np_sort_options_init(&options);
    if ((st = np_record_open(record, "command", opened)) || (st = np_network_create("mesh:3x3", &network)))
        return st;
    options.algorithm = algorithm;
    options.on_stage = stage;
    options.on_stage_context = *opened;
    st = np_sort(network, 0, NULL, &options, &result);
    np_sort_result_free(result);
    np_network_free(network);
    return st;
}

static np_status draw(const np_record_options *record, const np_picture_options *picture, const char *algorithm)
{
    np_record *opened = NULL;
    np_status st =
        !strcmp(picture->usual, "keys") ? draw_sort(record, algorithm, &opened) : draw_route(record, &opened);
    /* What an observer failed with is told by the commit. */
    if (st && st != NP_ERROR_CANCELLED) {
        np_record_discard(opened);
        return st;
    }
    return np_record_commit(opened);
}

static void test_allocations(void **state)
{
    static const struct {
        const char *kind, *algorithm;
    } kinds[] = {{"loads", NULL},  {"queues", NULL}, {"space-time", NULL},
                 {"rounds", NULL}, {"keys", NULL},   {"keys", "columnsort"}};
    char *path = support_file("before");
    char *svg = malloc(strlen(path) + 5);
    (void)state;
    assert_non_null(svg);
    sprintf(svg, "%s.svg", path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        np_picture_options picture;
        np_record_options record;
        np_status st = NP_ERROR_MEMORY;
        long n = 1;
        np_picture_options_init(&picture);
        np_record_options_init(&record);
        picture.picture = svg;
        picture.usual = kinds[i].kind;
        record.picture = &picture;
        for (; st; n++) {
            unlink(svg);
            np_memory_fail_after(n);
            st = draw(&record, &picture, kinds[i].algorithm);
            np_memory_fail_after(0);
            if (st && st != NP_ERROR_MEMORY)
                fail_msg("%s: allocation %ld fails, and it says %s", kinds[i].kind, n, np_last_error());
            if (st && !access(svg, F_OK))
                fail_msg("%s: allocation %ld fails, and there is a picture", kinds[i].kind, n);
            assert_true(n < 10000);
        }
        assert_true(n > 5);
        assert_int_equal(access(svg, F_OK), 0);
    }
    unlink(svg);
    unlink(path);
    free(svg);
    free(path);
}

/* PNG without a converter is refused, and so is what only another command draws. */
static void test_refusals(void **state)
{
    np_picture_options picture;
    np_record_options record;
    np_record *opened;
    (void)state;
    np_picture_options_init(&picture);
    np_record_options_init(&record);
    record.picture = &picture;
    picture.picture = "/tmp/p.png";
    assert_refused(np_record_open(&record, NULL, &opened), NP_ERROR_APPLY, "nobody is here who makes PNG");
    assert_null(opened);
    picture.picture = "/tmp/p.svg";
    picture.picture_of = "accesses";
    assert_refused(np_record_open(&record, NULL, &opened), NP_ERROR_APPLY,
                   "it draws loads, queues, space-time, rounds");
    picture.picture = NULL;
    assert_refused(np_record_open(&record, NULL, &opened), NP_ERROR_INPUT, "name its file");
    picture.size = 1;
    assert_refused(np_record_open(&record, NULL, &opened), NP_ERROR_INPUT, "np_picture_options_init");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_scale),
                                       cmocka_unit_test(test_allocations), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
