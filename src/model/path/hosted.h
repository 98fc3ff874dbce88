/* Rules of the network of the switches, where hosts hang on every switch. */
#pragma once

#include "model/path/path.h"

/* The rule that goes up to the switch, on by a rule of the switches, path->inner, and down to the host. */
const np_path_rule *np_path_hosted(const np_path_rule *inner);
