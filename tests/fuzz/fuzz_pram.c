/* PRAM steps chosen by the input, on every machine and under every rule: the replies, the memory and the violations of
 * the interpreter, from the definition. */
#include "fuzz.h"

#include "oracle/pram_judge.h"

const fuzz_rule fuzz_grammar[] = {{"program", "$bytes"}, {NULL, NULL}};

static uint32_t choose(void *context, uint32_t bound) { return fuzz_choose(context, bound); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_choices choices = fuzz_choices_of(data, size);
    uint32_t machines = 0;
    while (oracle_pram_machines[machines].spec)
        machines++;
    const oracle_pram_machine *machine = &oracle_pram_machines[fuzz_choose(&choices, machines)];
    np_access_rule rule = (np_access_rule)fuzz_choose(&choices, NP_RULES);
    uint64_t seed = fuzz_choose(&choices, 256);
    fuzz_judge_begins();
    oracle_judge_pram(machine, rule, seed, &(oracle_chooser){choose, &choices});
    fuzz_judge_ends();
    return 0;
}
