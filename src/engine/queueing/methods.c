/* The methods of the queueing engine, in the order in which it tries them. A new method is a line here. */
#include "engine/queueing/inside.h"

#include <string.h>

extern const np_engine_method np_engine_levels, np_engine_lines;

const np_engine_method *const np_engine_methods[NP_ENGINE_METHODS_MAX + 1] = {&np_engine_levels, &np_engine_lines,
                                                                              &np_engine_stepping};

np_status np_engine_method_known(const char *name)
{
    np_parse_hint hint;
    if (!name)
        return NP_OK;
    np_parse_hint_init(&hint, name);
    for (size_t i = 0; np_engine_methods[i]; i++) {
        if (!strcmp(name, np_engine_methods[i]->name))
            return NP_OK;
        np_parse_hint_add(&hint, np_engine_methods[i]->name);
    }
    return NP_RAISE(NP_ERROR_INPUT, "the queueing engine has no method '%s': %s", name, hint.text);
}

bool np_engine_method_serves(const np_engine_method *method, const np_engine_options *options)
{
    bool named = !options->method || !strcmp(options->method, method->name) || method == &np_engine_stepping;
    bool divides = method->divides || !options->job;
    if (options->delays && method != &np_engine_stepping)
        return false;
    return named && divides && (method->tells || !options->watched) && method->applies(options);
}
