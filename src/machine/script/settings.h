/* Options that a text declares, and values that are given to them. */
#ifndef NP_SCRIPT_SETTINGS_H
#define NP_SCRIPT_SETTINGS_H

#include "machine/script/lanes.h"

/* Gives the options of the text what the options of the run say. NP_ERROR_INPUT: no such option, or no such value. */
np_status np_script_set(np_execution *x) NP_CHECKED;

#endif
