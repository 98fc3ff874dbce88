/* What several ranks can route together (base/share.h). */
#pragma once

#include "run/route/plan.h"

/* NP_ERROR_APPLY: the bound plan is not divided over ranks; the message says what is. */
np_status np_route_check_ranks(const np_route_plan *plan) NP_CHECKED;
