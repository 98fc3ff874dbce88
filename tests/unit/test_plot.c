/* Plots: what stands in the files, who draws, and what names can do. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show/picture/plot.h"
#include "support.h"

static char directory[] = "/tmp/netpram-plot-XXXXXX";

static const double x[] = {1, 2}, y[] = {3, 4};
static const np_plot_curve curve = {.label = "it's", .points = 2, .x = x, .y = y};
static const np_plot plot = {.title = "a\nb", .x_label = "x", .y_label = "y", .curves = 1, .curve = &curve};

static const char *inside(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static bool exists(const char *name) { return access(inside(name), F_OK) == 0; }

static const char *text_of(const char *name)
{
    static char text[4096];
    FILE *file = fopen(inside(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* What the plotter below writes, whether it can, and what it was asked. */
typedef struct drawing {
    const char *text;
    bool absent;
    np_status status;
    char script[200], image[200], ending[8];
} drawing;

static np_status draw(void *context, const np_report_script *script, bool *ran)
{
    drawing *d = context;
    *ran = !d->absent;
    snprintf(d->script, sizeof d->script, "%s%s", script->directory, script->name);
    snprintf(d->image, sizeof d->image, "%s%s", script->directory, script->image);
    snprintf(d->ending, sizeof d->ending, "%s", script->ending);
    if (d->absent)
        return NP_OK;
    FILE *file = fopen(d->image, "w");
    assert_non_null(file);
    fputs(d->text, file);
    fclose(file);
    return d->status;
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static void plotter_gets_the_script(void **state)
{
    (void)state;
    drawing d = {.text = "<svg width=\"9\"></svg>\n"};
    np_report_plotter plotter = {draw, &d};
    bool drawn = false;
    assert_ok(np_plot_image(&plot, inside("a.svg"), &plotter, &drawn));
    assert_true(drawn);
    assert_string_equal(d.script, inside("a.gp"));
    assert_string_equal(d.ending, "svg");
    assert_false(access(d.image, F_OK) == 0);
    assert_string_equal(text_of("a.svg"), "<svg width=\"9\"></svg>\n");
    assert_string_equal(text_of("a.dat"), "# 'it''s'\n# x y\n1 3\n2 4\n");
    assert_non_null(strstr(text_of("a.gp"), "data = 'a.dat'\n"));
    assert_non_null(strstr(text_of("a.gp"), "set title 'a b' noenhanced\n"));
}

static void scripts_are_left_without_a_plotter(void **state)
{
    (void)state;
    drawing d = {.absent = true};
    np_report_plotter plotter = {draw, &d};
    bool drawn = true;
    assert_ok(np_plot_image(&plot, inside("b.png"), NULL, &drawn));
    assert_false(drawn);
    assert_true(exists("b.gp") && exists("b.dat") && !exists("b.png"));
    drawn = true;
    assert_ok(np_plot_image(&plot, inside("c.png"), &plotter, &drawn));
    assert_false(drawn);
    assert_true(exists("c.gp") && !exists("c.png"));
}

/* Half an image does not replace a whole one, and leaves nothing behind. */
static void images_are_whole(void **state)
{
    (void)state;
    drawing d = {.text = "<svg width=\"9\"></svg>\n"};
    np_report_plotter plotter = {draw, &d};
    bool drawn;
    assert_ok(np_plot_image(&plot, inside("d.svg"), &plotter, &drawn));
    d.text = "<svg>";
    assert_refused(np_plot_image(&plot, inside("d.svg"), &plotter, &drawn), NP_ERROR_IO, "d.svg");
    assert_false(drawn);
    assert_string_equal(text_of("d.svg"), "<svg width=\"9\"></svg>\n");
    assert_false(access(d.image, F_OK) == 0);
    d = (drawing){.text = "<svg width=\"9\"></svg>\n", .status = NP_ERROR_CANCELLED};
    assert_int_equal(np_plot_image(&plot, inside("e.svg"), &plotter, &drawn), NP_ERROR_CANCELLED);
    assert_false(drawn || exists("e.svg") || access(d.image, F_OK) == 0);
}

/* gnuplot reads '|' and '<' at the start of a file's name as commands, '~' as a home; comments go on after '\'. */
static void names_are_no_commands(void **state)
{
    (void)state;
    static const char *const names[] = {"|touch x", "<touch x", "~root", "-e"};
    bool drawn;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char image[64], script[64], line[64];
        snprintf(image, sizeof image, "%s.svg", names[i]);
        snprintf(script, sizeof script, "%s.gp", names[i]);
        assert_ok(np_plot_image(&plot, inside(image), NULL, &drawn));
        snprintf(line, sizeof line, "data = './%s.dat'\n", names[i]);
        assert_non_null(strstr(text_of(script), line));
        snprintf(line, sizeof line, "image = './%s'.'.'.ending\n", names[i]);
        assert_non_null(strstr(text_of(script), line));
    }
    assert_ok(np_plot_image(&plot, inside("it's`\\.svg"), NULL, &drawn));
    assert_int_equal(strncmp(text_of("it's`\\.gp"), "# gnuplot it?s??.gp writes ", 27), 0);
    assert_non_null(strstr(text_of("it's`\\.gp"), "data = 'it''s`\\.dat'\n"));
    assert_refused(np_plot_image(&plot, inside("a\nsystem 'x'.svg"), NULL, &drawn), NP_ERROR_INPUT, "control");
    assert_refused(np_report_plot_check("a\n.svg"), NP_ERROR_INPUT, "control characters");
}

/* Two points and a saturated one. A load of 9 is far from all that were measured. */
static void theory_lies_over_curves_of_load(void **state)
{
    (void)state;
    static const np_load_point points[] = {{.offered = 0.2, .latency = {.mean = 3, .ci95 = 0.5}},
                                           {.offered = 0.4, .latency = {.mean = 7, .ci95 = 1}},
                                           {.offered = 0.5, .latency = {.mean = 90}, .saturated = true}};
    static const double near[] = {0.55, 0.55, 0.55}, far[] = {9, 9, 9}, mean[] = {4, 8, NAN};
    static const np_load_theorem theorems[] = {
        {.name = "links", .says = "accepted at most", .applies = true, .count = 3, .value = near},
        {.name = "cube", .says = "stable below", .applies = true, .count = 3, .value = far},
        {.name = "cube", .says = "mean at most", .applies = true, .count = 3, .value = mean},
        {.name = "one link", .says = "mean"}};
    static const np_load_curve curves[] = {
        {.paths = "greedy", .count = 3, .points = points, .theorems = 4, .theorem = theorems}};
    np_load_result result = {.traffic = "uniform", .options = {.model = "steps"}, .curves = 1, .curve = curves};
    np_network *network;
    bool drawn;
    assert_ok(np_network_create("ring:4", &network));
    result.network = network;
    assert_ok(np_report_plot_load(&result, inside("load.svg"), NULL, &drawn));
    np_network_free(network);
    assert_string_equal(text_of("load.dat"), "# 'greedy'\n# x y error\n0.2 3 0.5\n0.4 7 1\n\n\n"
                                             "# 'links: accepted at most'\n# x y\n0.55 0\n0.55 7\n\n\n"
                                             "# 'cube: mean at most'\n# x y\n0.2 4\n0.4 8\n");
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plotter_gets_the_script),
        cmocka_unit_test(scripts_are_left_without_a_plotter),
        cmocka_unit_test(images_are_whole),
        cmocka_unit_test(names_are_no_commands),
        cmocka_unit_test(theory_lies_over_curves_of_load),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
