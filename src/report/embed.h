/* The parts of the report of an embedding that are in files of their own. */
#ifndef NP_REPORT_EMBED_H
#define NP_REPORT_EMBED_H

#include "netpram/report.h"

/* As CSV: one line. */
np_status np_report_embed_csv(const np_embedding *embedding, const np_embedding_facts *facts,
                              const np_embedding_run_result *run, const np_report_map *map, FILE *stream) NP_CHECKED;

/* The scheme by which the guest's packets were routed; NULL: by a file's schedule. map->guest_options is there. */
const char *np_report_embed_scheme(const np_report_map *map, const np_network *guest);

#endif
