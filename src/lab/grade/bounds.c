/*
 * Formulas of n, m and p: expressions of the language, worked out by a program that has nothing else. There all three
 * are reals, so that log2(n) is not rounded and / divides exactly.
 */
#include <ctype.h>
#include <string.h>

#include "base/decimal.h"
#include "lab/grade/parts.h"

const char *const np_grade_measure_names[] = {
    [NP_GRADE_T] = "T", [NP_GRADE_W] = "W", [NP_GRADE_T_P] = "T_p", [NP_GRADE_PROCESSORS] = "processors"};

enum { FORMULA = 400 };

/* The names of the program around a formula: it is to see none but n, m and p. */
static const char *const own[] = {"size", "edges", "share", "most", "formula"};

static bool is_of_name(char letter) { return isalnum((unsigned char)letter) || letter == '_'; }

static bool has_own_name(const char *formula)
{
    for (size_t length; *formula; formula += length + !length) {
        for (length = 0; is_of_name(formula[length]);)
            length++;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (length == strlen(own[i]) && !strncmp(formula, own[i], length))
                return true;
    }
    return false;
}

/* Every bracket has its own: else the formula would end before its text does. */
static bool is_balanced(const char *formula)
{
    char open[FORMULA];
    size_t depth = 0;
    for (; *formula; formula++) {
        if (*formula == '(' || *formula == '[')
            open[depth++] = *formula;
        else if ((*formula == ')' || *formula == ']') && (!depth || open[--depth] != (*formula == ')' ? '(' : '[')))
            return false;
    }
    return !depth;
}

np_status np_grade_formula(const np_grade_task *task, const char *what, const char *formula, np_script **out)
{
    char text[FORMULA + 300];
    np_script_problem problem;
    *out = NULL;
    if (strlen(formula) > FORMULA || strpbrk(formula, "\n\r;#\"") || has_own_name(formula) || !is_balanced(formula))
        return NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%s is no formula of n, m and p", what);
    const int length = snprintf(text, sizeof text,
                                "option size : real := 0\noption edges : real := 0\noption share : real := 0\n"
                                "output most\nvar most := formula(size, edges, share)\n"
                                "function formula(n : real, m : real, p : real) : real\nreturn (%s)\nend\n",
                                formula);
    np_status st = np_script_create("formula", text, (size_t)length, &problem, out);
    return st ? NP_GRADE_RAISE(task, NP_ERROR_INPUT, "%s is no formula of n, m and p: %.200s", what, problem.message)
              : NP_OK;
}

np_status np_grade_formula_value(const np_grade_task *task, const np_script *formula, double n, double m, double p,
                                 double *out)
{
    np_pram_options pram;
    np_script_options script;
    np_script_result *result;
    char values[3][32], set[128];
    np_grade_options(task, NULL, &pram, &script);
    np_decimal_write(n, values[0]);
    np_decimal_write(m, values[1]);
    np_decimal_write(p, values[2]);
    snprintf(set, sizeof set, "size=%s,edges=%s,share=%s", values[0], values[1], values[2]);
    script.program.set = set;
    np_status st = np_script_run(formula, &pram, &script, NULL, &result);
    if (st)
        return NP_GRADE_RAISE(task, st, "a formula with n = %s: %.200s", values[0], np_last_error());
    *out = np_real_of_word(result->output[0].word[0]);
    np_script_result_free(result);
    return NP_OK;
}
