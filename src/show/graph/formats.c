/* Registers the formats of graphs that need a library. */
#include <jansson.h>
#include <pthread.h>

#include "base/memory.h"
#include "model/format/format.h"
#include "netpram/report.h"

extern const np_graph_format np_format_gexf, np_format_graphml, np_format_node_link;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool registered;

np_status np_report_formats(void)
{
    np_status st = NP_OK;
    pthread_mutex_lock(&lock);
    json_set_alloc_funcs(np_memory_lend, np_memory_free);
    if (!registered && !(st = np_format_register(&np_format_gexf)) && !(st = np_format_register(&np_format_graphml)) &&
        !(st = np_format_register(&np_format_node_link)))
        registered = true;
    pthread_mutex_unlock(&lock);
    return st;
}
