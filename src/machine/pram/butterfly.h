/* What only the machine butterfly:n can tell, for reports and tests. */
#pragma once

#include "machine/pram/machine.h"
#include "machine/pram/pairs.h"

extern const np_machine_ops np_machine_butterfly;

/* The memory of a butterfly:n: its account is np_modules_account_of. */
const np_modules *np_butterfly_modules(const np_machine *machine);
/* Its pairs, if it has a layout, and the hash function that it has now. */
const np_pairs *np_butterfly_pairs(const np_machine *machine);
const np_placement *np_butterfly_placement(const np_machine *machine);
