/*
 * Random programs: every machine, in batches of any size, gives the replies,
 * the memory and the violations of the interpreter.
 */
#include "support.h"

#include "base/random.h"
#include "oracle/pram_judge.h"

/* A stream of choices for one program. */
typedef struct dice {
    np_draws draws;
    uint32_t thrown;
} dice;

static uint32_t throw_below(void *context, uint32_t bound)
{
    dice *d = context;
    return np_random_below(&d->draws, 0, d->thrown++, bound);
}

/* Under the sanitizers a machine has each rule with every other seed, the next machine with those between. */
static bool takes(const oracle_pram_machine *machine, unsigned rule, uint64_t seed)
{
    return ((size_t)(machine - oracle_pram_machines) + rule + seed) % SUPPORT_FEWER(1, 2) == 0;
}

static void run_program(const oracle_pram_machine *machine, np_access_rule rule, uint64_t seed)
{
    dice d = {.draws = {.seed = seed, .purpose = NP_RANDOM_CHECK, .run = rule}};
    oracle_judge_pram(machine, rule, seed, &(oracle_chooser){throw_below, &d});
}

static void test_random_programs(void **state)
{
    (void)state;
    for (const oracle_pram_machine *machine = oracle_pram_machines; machine->spec; machine++)
        for (unsigned rule = 0; rule < NP_RULES; rule++)
            for (uint64_t seed = 1; seed <= SUPPORT_SAMPLE(strcmp(machine->spec, "ideal") ? 8U : 40U); seed++)
                if (takes(machine, rule, seed))
                    run_program(machine, (np_access_rule)rule, seed);
}

static void carry_values(const oracle_pram_machine *machine)
{
    for (unsigned rule = 0; rule < NP_RULES; rule++)
        for (uint64_t seed = 1; seed <= SUPPORT_SAMPLE(8U); seed++) {
            if (!takes(machine, rule, seed))
                continue;
            oracle_pram_machine carrying = *machine;
            carrying.carries = true;
            carrying.physical =
                seed % 4 == 1 && strncmp(machine->spec, "two-phase", 9) && strncmp(machine->spec, "copies", 6);
            carrying.allotted = seed % 4 == 2 && strncmp(machine->spec, "copies", 6) ? 1 : 0;
            run_program(&carrying, (np_access_rule)rule, seed);
        }
}

/*
 * The same with values in the network: nothing is worked out beside it. Also with physical steps, and with so little
 * time that batches are given up and sent again.
 */
static void test_values_carried(void **state)
{
    (void)state;
    static const oracle_pram_machine butterflies[] = {{.spec = "butterfly:4", .slack = 2},
                                                      {.spec = "butterfly:3", .slack = 1},
                                                      {.spec = "butterfly:3", 5, 3},
                                                      {NULL}};
    for (const oracle_pram_machine *machine = butterflies; machine->spec; machine++)
        carry_values(machine);
    for (const oracle_pram_machine *machine = oracle_pram_machines; machine->spec; machine++)
        if (strcmp(machine->spec, "ideal") != 0) /* it refuses it */
            carry_values(machine);
}

/*
 * The same where tables and overflow areas hold the words: in both layouts, where batches are sent again, with values.
 */
static void test_layouts(void **state)
{
    (void)state;
    static const oracle_pram_machine butterflies[] = {
        {"butterfly:4", .slack = 2}, {"butterfly:3", .slack = 1}, {"butterfly:1", .slack = 5}, {NULL}};
    for (const oracle_pram_machine *machine = butterflies; machine->spec; machine++)
        for (unsigned rule = 0; rule < NP_RULES; rule++)
            for (uint64_t seed = 1; seed <= 8; seed++) {
                if (!support_takes(rule, seed, 2))
                    continue;
                oracle_pram_machine laid = *machine;
                laid.layout = seed % 2 ? NP_LAYOUT_PRELIMINARY : NP_LAYOUT_IMPROVED;
                laid.allotted = seed % 4 > 1 ? 1 : 0;
                laid.carries = seed % 3 == 0 && strcmp(machine->spec, "butterfly:1"); /* which is not observed */
                run_program(&laid, (np_access_rule)rule, seed);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_values_carried),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
