/*
 * Formula against measurement, for every family of the list at every small size: what info prints in one row is one
 * number. (That measurements are right: test_measure.c and test_symmetry.c, by oracles.)
 */
#include "support.h"

#include "model/network/network.h"

enum { EFFORT = 3000000, SPEC = 128 };

/* What a family was tried on: figures that had a formula and a measurement. */
typedef struct tally {
    size_t specs, diameters, bisections, bounds, symmetries;
} tally;

static void compare(const char *spec, const char *what, const np_figure *figure)
{
    if (!figure->has_formula || !figure->measured_known)
        return;
    if (figure->upper_bound   ? figure->measured < figure->formula
        : figure->lower_bound ? figure->measured > figure->formula
                              : figure->measured != figure->formula)
        fail_msg("%s: %s by formula %llu, measured %s%llu", spec, what, (unsigned long long)figure->formula,
                 figure->upper_bound   ? "<= "
                 : figure->lower_bound ? ">= "
                                       : "",
                 (unsigned long long)figure->measured);
}

static bool exact(const np_figure *figure)
{
    return figure->has_formula && figure->measured_known && !figure->upper_bound && !figure->lower_bound;
}

static void try_spec(const char *spec, tally *t)
{
    np_network *network = support_network(spec);
    np_network_facts promised, facts;
    assert_ok(np_network_measure(network, 0, &promised));
    assert_ok(np_network_measure(network, EFFORT, &facts));
    compare(spec, "nodes", &facts.node_count);
    compare(spec, "links", &facts.link_count);
    compare(spec, "degree", &facts.degree);
    compare(spec, "diameter", &facts.diameter);
    compare(spec, "bisection", &facts.bisection);
    /* Yes is a promise of the family; it may hold at some sizes where none is made. */
    if (facts.symmetry.has_formula && facts.symmetry.measured_known && !facts.symmetry.measured)
        fail_msg("%s: not node-symmetric", spec);
    assert_true(exact(&facts.node_count) && exact(&facts.link_count) && exact(&facts.degree));
    assert_int_equal(facts.strongly_connected, promised.strongly_connected);
    assert_int_equal(facts.connected, promised.connected);
    assert_true(facts.regular || !promised.regular);
    assert_int_equal(facts.parts, 1);
    t->specs++;
    t->diameters += exact(&facts.diameter);
    t->bisections += exact(&facts.bisection);
    t->bounds += facts.bisection.has_formula && facts.bisection.upper_bound;
    t->symmetries += facts.symmetry.has_formula && facts.symmetry.measured_known;
    np_network_free(network);
}

static void try_line(const char *family, uint32_t low, uint32_t high, tally *t)
{
    char spec[SPEC];
    for (uint32_t n = low; n <= high; n++) {
        snprintf(spec, sizeof spec, "%s:%u", family, n);
        try_spec(spec, t);
    }
}

/* All lists of sides in 2..high, up to four of them. */
static void try_grids(const char *family, tally *t)
{
    static const uint32_t high[] = {0, 12, 8, 4, 3};
    for (uint32_t dimensions = 1; dimensions <= 4; dimensions++) {
        uint32_t side[4] = {2, 2, 2, 2}, i;
        do {
            char spec[SPEC];
            int length = snprintf(spec, sizeof spec, "%s:", family);
            for (i = 0; i < dimensions; i++)
                length += snprintf(spec + length, sizeof spec - (size_t)length, "%s%u", i ? "x" : "", side[i]);
            try_spec(spec, t);
            for (i = dimensions; i && side[i - 1] == high[dimensions]; i--)
                side[i - 1] = 2;
            if (i)
                side[i - 1]++;
        } while (i);
    }
}

static void try_pairs(const char *family, uint32_t most, uint32_t nodes, tally *t)
{
    char spec[SPEC];
    for (uint32_t d = 2; d <= most; d++)
        for (uint32_t n = 1, all = d; all <= nodes; n++, all *= d) {
            snprintf(spec, sizeof spec, "%s:%ux%u", family, d, n);
            try_spec(spec, t);
        }
}

static void try_all(const char *family, const char *const *parameters, tally *t)
{
    char spec[SPEC];
    for (; *parameters; parameters++) {
        snprintf(spec, sizeof spec, "%s:%s", family, *parameters);
        try_spec(spec, t);
    }
}

typedef enum shape { LINE, GRIDS, PAIRS, WORDS } shape;

static const char *const groups[] = {
    "10",          "120",     "1230",        "1230,1023", "10234567,01324567,01235467,01234576",
    "12034,01342", "1234560", "10234,12340", "102,021",   "1032,2301,3210",
    NULL};
static const char *const factors[] = {"complete:3,ring:4",  "ring:3,ring:5",
                                      "array:3,complete:4", "tree:2,array:3",
                                      "hypercube:2,star:3", "ring:3,array:2,complete:3",
                                      "mesh:2x3,ccc:3",     NULL};
static const char *const powers[] = {"2", "4", "8", "16", NULL};

/* Networks of today, by whole specs. */
static const char *const fabrics[] = {
    "hyperx:3x3",
    "hyperx:2x4,widths=2x1",
    "flattened-butterfly:2x4",
    "dragonfly:a=4,p=2,h=2",
    "dragonfly:a=2,p=1,h=2,g=3",
    "dragonfly+:leaf=2,spine=2,p=2,h=1",
    "slimfly:4",
    "slimfly:5",
    "polarfly:3",
    "polarfly:4",
    "jellyfish:12,3",
    "xpander:3,3",
    "xgft:2:2,3:1,2",
    "xgft:3:2,2,2:1,2,2",
    "kary-tree:2x3",
    "leaf-spine:leaf=3,spine=2,p=2",
    "clos:m=3,n=2,r=3",
    "kary-fly:2x3",
    "rail:servers=3,g=2,spines=2",
    "planes:2,ring:5@1",
};
enum { FABRICS = sizeof fabrics / sizeof *fabrics };

/* What every family is tried on, and the fewest exact comparisons of each kind that this must come to. */
static const struct {
    const char *family;
    shape shape;
    uint32_t low, high;
    size_t diameters, bisections, symmetries;
} plans[] = {
    {"hypercube", LINE, 1, 9, 9, 4, 7},     {"binomial-tree", LINE, 1, 9, 9, 4, 0},
    {"shuffle", PAIRS, 10, 300, 20, 0, 0},  {"shuffle-exchange", LINE, 1, 9, 9, 0, 0},
    {"ccc", LINE, 3, 6, 4, 1, 3},           {"butterfly", LINE, 3, 6, 4, 1, 3},
    {"mesh", GRIDS, 0, 0, 100, 50, 0},      {"torus", GRIDS, 0, 0, 100, 50, 100},
    {"array", LINE, 2, 40, 39, 23, 0},      {"ring", LINE, 2, 40, 39, 23, 39},
    {"complete", LINE, 2, 30, 29, 23, 29},  {"crossbar", LINE, 2, 12, 11, 0, 0},
    {"tree", PAIRS, 9, 300, 20, 8, 0},      {"mesh-of-trees", WORDS, 0, 0, 4, 1, 0},
    {"star", LINE, 2, 6, 5, 0, 4},          {"pancake", LINE, 2, 6, 5, 0, 4},
    {"cayley", WORDS, 0, 0, 0, 0, 10},      {"butterfly-io", LINE, 1, 6, 0, 0, 0},
    {"fat-tree", LINE, 1, 5, 4, 0, 0},      {"fat-tree-8", LINE, 1, 3, 2, 0, 0},
    {"fat-tree-2", LINE, 1, 8, 8, 3, 0},    {"omega", LINE, 1, 6, 0, 0, 0},
    {"inverse-omega", LINE, 1, 6, 0, 0, 0}, {"universal", LINE, 1, 4, 3, 0, 0},
    {"universal-3d", LINE, 1, 3, 2, 0, 0},  {"product", WORDS, 0, 0, 7, 0, 2},
    {"benes", LINE, 1, 5, 0, 0, 0},
};
enum { PLANS = sizeof plans / sizeof *plans };

static void try_plan(size_t i, tally *t)
{
    const char *family = plans[i].family;
    switch (plans[i].shape) {
    case LINE:
        try_line(family, plans[i].low, plans[i].high, t);
        break;
    case GRIDS:
        try_grids(family, t);
        break;
    case PAIRS:
        try_pairs(family, plans[i].low, plans[i].high, t);
        break;
    case WORDS:
        try_all(family, !strcmp(family, "cayley") ? groups : !strcmp(family, "product") ? factors : powers, t);
        break;
    }
}

static void formulas_are_what_is_measured(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLANS; i++) {
        tally t = {0};
        try_plan(i, &t);
        if (t.diameters < plans[i].diameters || t.bisections < plans[i].bisections ||
            t.symmetries < plans[i].symmetries)
            fail_msg("%s: %zu networks, only %zu diameters, %zu bisections, %zu symmetries", plans[i].family, t.specs,
                     t.diameters, t.bisections, t.symmetries);
    }
}

static void formulas_of_fabrics_are_what_is_measured(void **state)
{
    tally t = {0};
    (void)state;
    for (size_t i = 0; i < FABRICS; i++)
        try_spec(fabrics[i], &t);
    assert_true(t.specs == FABRICS && t.diameters >= 8);
}

static bool is_fabric(const char *family)
{
    bool found = false;
    for (size_t i = 0; i < FABRICS; i++)
        found |= strcspn(fabrics[i], ":") == strlen(family) && !strncmp(fabrics[i], family, strlen(family));
    return found;
}

static void every_family_is_tried(void **state)
{
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_NETWORKS, i); i++) {
        const char *name = np_list_get(NP_LIST_NETWORKS, i)->name;
        bool planned = !strcmp(name, "file") || is_fabric(name);
        for (size_t j = 0; j < PLANS; j++)
            planned |= !strcmp(name, plans[j].family);
        if (!planned)
            fail_msg("family %s is not tried here", name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_what_is_measured),
        cmocka_unit_test(formulas_of_fabrics_are_what_is_measured),
        cmocka_unit_test(every_family_is_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
