/* np_reconfigure_result_fields in parts, between which a report says more; and those of a round. */
#pragma once

#include "base/export.h"
#include "netpram/field.h"

NP_FOR_REPORT extern const np_fields np_reconfigure_grid_fields, np_reconfigure_heard_fields;
NP_FOR_REPORT extern const np_fields np_switch_round_fields;
