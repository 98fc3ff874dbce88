/* The instance that ranks or a schedule are for: copies of its texts, in the object that the caller gets. */
#pragma once

#include <stdio.h>

#include "netpram/traffic.h"

typedef struct np_instance {
    char *network, *traffic; /* specs */
    char *file;              /* that the ranks or the schedule were loaded from; NULL: they were found */
} np_instance;

/* file may be NULL. NP_ERROR_MEMORY; np_instance_clear is to be called in any case. */
np_status np_instance_init(np_instance *instance, const np_network *network, const np_traffic *traffic,
                           const char *file) NP_CHECKED;
void np_instance_clear(np_instance *instance);

/* Writes a spec on one line of a comment, even if the name of a file in it holds control characters. */
void np_instance_write(const char *word, const char *spec, FILE *stream);
