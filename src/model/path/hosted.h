/* Rules of the network of the switches, where hosts hang on every switch. */
#ifndef NP_PATH_HOSTED_H
#define NP_PATH_HOSTED_H

#include "model/path/path.h"

/* The rule that goes up to the switch, on by a rule of the switches, path->inner, and down to the host. */
const np_path_rule *np_path_hosted(const np_path_rule *inner);

#endif
