/* Holds the answer of a run to the judge that its text names. */
#ifndef NP_SCRIPT_JUDGED_H
#define NP_SCRIPT_JUDGED_H

#include "script/lanes.h"

/* Are the inputs of the program those of the problem that it solves? NP_ERROR_INPUT. */
np_status np_script_judge_fits(const np_syntax *syntax) NP_CHECKED;

/* Judges the outputs of *result, and says so there. NP_ERROR_MEMORY. */
np_status np_script_judge(const np_execution *x, np_script_result *result) NP_CHECKED;

#endif
