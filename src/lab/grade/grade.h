/*
 * Grading programs of a class: a task names inputs, an oracle, an access rule, bounds and limits, and each program is
 * run on each input. What is said of a program is a JSON object, so that a process of its own can say it.
 *
 * Parts: task.c reads the task, cases.c makes the inputs, command.c writes them for a command, bounds.c works out the
 * bounds, program.c grades one program, verdict.c says what came of it, class.c, report.c and page.c what came of all.
 * Processes, limits and the commands that are oracles are the caller's.
 */
#pragma once

#include <stdio.h>

#include "machine/script/pool.h"
#include "netpram/report.h"

struct json_t; /* of jansson */

typedef enum np_grade_oracle {
    NP_GRADE_PROGRAM, /* of the library */
    NP_GRADE_TEXT,    /* a file */
    NP_GRADE_JUDGE,   /* one of `netpram list problems` */
    NP_GRADE_COMMAND  /* it writes the answer's words */
} np_grade_oracle;

/* What a bound is on. */
typedef enum np_grade_measure {
    NP_GRADE_T,
    NP_GRADE_W,
    NP_GRADE_T_P, /* steps by p processors: the sum of the active ones of each step over p, rounded up */
    NP_GRADE_PROCESSORS,
    NP_GRADE_MEASURES
} np_grade_measure;

extern const char *const np_grade_measure_names[];

typedef struct np_grade_bound {
    const char *text;
    np_grade_measure measure;
    np_script *formula; /* a program with the inputs n, m and p */
} np_grade_bound;

/* One run of each program. */
typedef struct np_grade_case {
    const char *name; /* of its input */
    uint32_t hidden;  /* 0: it is shown; else the number of the hidden input */
    bool drawn;       /* from the seed */
    uint64_t n, m, p, seed;
    np_script_result *made; /* the input: outputs of the program that made it */
    size_t inputs;
    np_script_data *data;       /* [inputs] without names */
    np_script_result *expected; /* NULL: a judge or a command says what is right */
    size_t words;
    const char **word; /* [words] of a command */
    double *most;      /* [bounds] */
} np_grade_case;

typedef struct np_grade_task {
    const char *path, *folder, *title;
    struct json_t *root;
    np_pool pool;
    np_access_rule rule;
    np_script *takes;     /* a program that declares the inputs */
    const char *declared; /* its text */
    np_script_imports imports;
    double tolerance;
    np_script *share; /* p; NULL: there is no T_p */
    np_grade_oracle oracle;
    const char *answer;   /* program, file or problem */
    const char **command; /* NULL-terminated */
    uint64_t oracle_seconds;
    uint64_t oracle_memory;
    uint64_t steps, memory, seconds; /* limits */
    size_t bounds, cases;
    np_grade_bound *bound;
    np_grade_case *item;
} np_grade_task;

/*
 * Reads a task, and makes its inputs, its bounds and, unless a command says it, what is right.
 *
 * @param path  of the file: names of files in it begin at its folder
 * @param text  [length] JSON
 * @return NP_ERROR_INPUT with a line that names the file, NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY; *out NULL
 */
NP_FOR_REPORT np_status np_grade_task_create(const char *path, const char *text, size_t length,
                                             np_grade_task **out) NP_CHECKED;
NP_FOR_REPORT void np_grade_task_free(np_grade_task *task);

/* Writes the inputs of a case as JSON, for a command: {"n": 4, "inputs": {"x": [1, 2, 3, 4]}}. */
NP_FOR_REPORT void np_grade_case_write(const np_grade_task *task, const np_grade_case *item, FILE *stream);

/* Keeps what a command has written as the answer. NP_ERROR_INPUT: nothing, or a word that is no number, true or false;
 * NP_ERROR_MEMORY. */
NP_FOR_REPORT np_status np_grade_case_answer(np_grade_task *task, np_grade_case *item, const char *text,
                                             size_t length) NP_CHECKED;

/*
 * Grades a program in this process, and writes a line of JSON as each run ends; nothing if there is no memory. Shown
 * inputs come first. A program that does not compile, or reads something else, has one line that says so.
 */
NP_FOR_REPORT void np_grade_program(const np_grade_task *task, const char *path, FILE *stream);

/* What the process of a program has written. */
typedef struct np_grade_said {
    const char *path; /* of the program */
    const char *text; /* [length] */
    size_t length;
    const char *why; /* the process has not come to its end, "more than 1 second"; NULL: it has */
} np_grade_said;

/* What came of all programs. */
typedef struct np_grade_class np_grade_class;

/* reveal: reports tell of hidden inputs. Pages never do. The task is borrowed. NP_ERROR_MEMORY. */
NP_FOR_REPORT np_status np_grade_class_create(const np_grade_task *task, size_t programs, bool reveal,
                                              np_grade_class **out) NP_CHECKED;
/*
 * Of program i. Verdicts: right; refused (it does not compile, or reads something else), stopped (by a limit), fails,
 * wrong, violates, over (a bound does not hold). NP_ERROR_INTERNAL: runs are missing; NP_ERROR_MEMORY.
 */
NP_FOR_REPORT np_status np_grade_class_set(np_grade_class *class, size_t i, const np_grade_said *said) NP_CHECKED;
/* Is every program right? */
NP_FOR_REPORT bool np_grade_class_right(const np_grade_class *class);
/* Table, JSON or CSV. NP_ERROR_IO, NP_ERROR_MEMORY. */
NP_FOR_REPORT np_status np_grade_class_report(const np_grade_class *class, const np_report_options *options,
                                              FILE *stream) NP_CHECKED;
/* A page for the student of program i. */
NP_FOR_REPORT void np_grade_class_page(const np_grade_class *class, size_t i, FILE *stream);
NP_FOR_REPORT void np_grade_class_free(np_grade_class *class);
