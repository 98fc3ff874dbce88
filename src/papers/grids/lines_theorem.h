/* What is proved of routing along lines. */
#ifndef NP_GRIDS_LINES_THEOREM_H
#define NP_GRIDS_LINES_THEOREM_H

#include "run/route/theorem.h"

extern const np_theorem np_xy_theorems[], np_overlay_theorems[], np_k_k_theorems[], np_k_k_short_theorems[];

#endif
