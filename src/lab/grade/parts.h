/* What the parts of grading share. */
#pragma once

#include <jansson.h>

#include "lab/grade/grade.h"

enum { NP_GRADE_INPUTS = 64, NP_GRADE_BOUNDS = 64 }; /* of a program, of a task (ours) */

/* Raises "PATH: ...". */
#define NP_GRADE_RAISE(task, status, ...) np_grade_raise((task), (status), __VA_ARGS__)
np_status np_grade_raise(const np_grade_task *task, np_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Compiles a formula of n, m and p. what: "the bound 'T <= n'". NP_ERROR_INPUT. */
np_status np_grade_formula(const np_grade_task *task, const char *what, const char *formula,
                           np_script **out) NP_CHECKED;
np_status np_grade_formula_value(const np_grade_task *task, const np_script *formula, double n, double m, double p,
                                 double *out) NP_CHECKED;

/* Makes the cases of an input, and what is right. */
np_status np_grade_cases(np_grade_task *task, json_t *input, uint32_t number, uint32_t *hidden) NP_CHECKED;

/* The keys of an object are these. NP_ERROR_INPUT */
np_status np_grade_check_keys(const np_grade_task *task, json_t *object, const char *what, const char *const *keys,
                              size_t count) NP_CHECKED;

/* A text, a whole number of low..high or a truth of a key; what is not there stays as it is. NP_ERROR_INPUT. */
np_status np_grade_text(const np_grade_task *task, json_t *object, const char *key, const char **out) NP_CHECKED;
np_status np_grade_whole(const np_grade_task *task, json_t *object, const char *key, uint64_t low, uint64_t high,
                         uint64_t *out) NP_CHECKED;
np_status np_grade_truth(const np_grade_task *task, json_t *object, const char *key, bool *out) NP_CHECKED;

/* A file of the task's folder. */
np_status np_grade_path(np_grade_task *task, const char *name, const char **out) NP_CHECKED;

/* The number that a word of a command stands for; true is 1. false: it is none. */
bool np_grade_number(const char *word, double *out);

/* Options of a run of the oracle's or the task's own programs. */
void np_grade_options(const np_grade_task *task, const np_grade_case *item, np_pram_options *pram,
                      np_script_options *script);

enum { NP_GRADE_MESSAGE = 400 };

/* Does a program, or the oracle, read other inputs than the task has? Then the message says which (program.c). */
bool np_grade_reads_other(const np_grade_task *task, const np_script *script, char message[NP_GRADE_MESSAGE]);

/* The case that is run as number `turn`, from 0: shown ones first. NULL: there are no more. */
const np_grade_case *np_grade_turn(const np_grade_task *task, size_t turn);

/* What is said of a program: {"program", "first", "verdict", "message", "runs"}; *redacted: without what would tell of
 * hidden inputs. NP_ERROR_INTERNAL: runs are missing; NP_ERROR_MEMORY. */
np_status np_grade_collect(const np_grade_task *task, const np_grade_said *said, json_t **all,
                           json_t **redacted) NP_CHECKED;

/* report.c, page.c */
np_status np_grade_report(const np_grade_task *task, json_t *programs, const np_report_options *options,
                          FILE *stream) NP_CHECKED;
void np_grade_page(const np_grade_task *task, const json_t *program, FILE *stream);
