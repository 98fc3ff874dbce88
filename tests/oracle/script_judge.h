/* A program's text: compiled, on a machine, against the interpreter (oracle/script.h). */
#ifndef ORACLE_SCRIPT_JUDGE_H
#define ORACLE_SCRIPT_JUDGE_H

#include "netpram/script.h"
#include "oracle/script.h"

/*
 * Fails the test unless the script, which reads no input, ends on the machine as the interpreter says: done, with the
 * same outputs, lines, steps, work and violations, and every access of every step with what its cell held before and
 * after; or failed at the same place. Where the interpreter has no patience, the script need only end.
 */
oracle_script_end oracle_judge_script(const np_script *script, const char *machine, np_access_rule rule, uint64_t seed,
                                      uint64_t n);

#endif
