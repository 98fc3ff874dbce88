/* What came of all programs, each as its process has said it. */
#include <string.h>

#include "base/memory.h"
#include "lab/grade/parts.h"
#include "show/table/json.h"

struct np_grade_class {
    const np_grade_task *task;
    bool reveal;
    json_t *programs, *redacted;
};

np_status np_grade_class_create(const np_grade_task *task, size_t programs, bool reveal, np_grade_class **out)
{
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "a class");
    if (st)
        return st;
    **out = (np_grade_class){.task = task, .reveal = reveal, .programs = json_array(), .redacted = json_array()};
    for (size_t i = 0; i < programs; i++) {
        np_json_append(&(*out)->programs, json_null());
        np_json_append(&(*out)->redacted, json_null());
    }
    if ((*out)->programs && (*out)->redacted)
        return NP_OK;
    np_grade_class_free(*out);
    *out = NULL;
    return NP_RAISE(NP_ERROR_MEMORY, "no memory for a class");
}

np_status np_grade_class_set(np_grade_class *class, size_t i, const np_grade_said *said)
{
    json_t *all, *redacted;
    np_status st = np_grade_collect(class->task, said, &all, &redacted);
    const bool lost = json_array_set_new(class->programs, i, all),
               too = json_array_set_new(class->redacted, i, redacted);
    return st || !(lost || too) ? st : NP_RAISE(NP_ERROR_MEMORY, "no memory for a class");
}

bool np_grade_class_right(const np_grade_class *class)
{
    bool right = true;
    for (size_t i = 0; i < json_array_size(class->programs); i++) {
        const char *verdict = json_string_value(json_object_get(json_array_get(class->programs, i), "verdict"));
        right &= verdict && !strcmp(verdict, "right");
    }
    return right;
}

np_status np_grade_class_report(const np_grade_class *class, const np_report_options *options, FILE *stream)
{
    return np_grade_report(class->task, class->reveal ? class->programs : class->redacted, options, stream);
}

void np_grade_class_page(const np_grade_class *class, size_t i, FILE *stream)
{
    np_grade_page(class->task, json_array_get(class->redacted, i), stream);
}

void np_grade_class_free(np_grade_class *class)
{
    if (!class)
        return;
    json_decref(class->programs);
    json_decref(class->redacted);
    np_memory_free(class);
}
