/* See waiting.h. Whole channels alone are written. */
#include "model/relation/waiting.h"

#include <stdio.h>
#include <string.h>

#include "model/network/read_node.h"

static const char left_out[] = ", ...";

/* With a comma before it, unless it is the first. Returns its length. */
static size_t write_one(const np_network *network, const np_waiting *c, const char *kind, bool first, size_t room,
                        char *text)
{
    char number[40] = "";
    if (kind)
        snprintf(number, sizeof number, " (%.16s %u)", kind, c->channel);
    return (size_t)snprintf(text, room, "%s%.60s->%.60s%s", first ? "" : ", ", NP_NODE_NAME(network, c->from),
                            NP_NODE_NAME(network, c->to), number);
}

void np_waiting_write(const np_network *network, size_t length, const np_waiting *list, const char *kind, size_t room,
                      char *text)
{
    size_t used = 0, shown = length < NP_WAITING_SHOWN ? length : NP_WAITING_SHOWN, most = room - sizeof left_out;
    *text = '\0';
    for (size_t i = 0; i < shown; i++) {
        char one[200];
        size_t more = write_one(network, &list[i], kind, !i, sizeof one, one);
        if (more >= sizeof one || used + more >= most) {
            shown = i;
            break;
        }
        memcpy(text + used, one, more + 1);
        used += more;
    }
    if (shown < length)
        memcpy(text + used, left_out, sizeof left_out);
}
