/* May packets wait for each other for ever? The verdict, and the cycle if there is one. */
#include "show/table/shape.h"

static const char columns[] = "network=network.spec,paths,channels,classes,adaptive,escape,possible,theorem,nodes,"
                              "dependencies,levels,length";

static const char layout[] =
    "network   {network.spec}: {network.nodes node}, {network.links link}\n"
    "paths     {paths}{escape ? : adaptive, with an escape}{adaptive & !escape ? : adaptive, without an escape}\n"
    "channels  {channels channel} a link, in {classes class classes}\n"
    "deadlock  {possible ? possible: each of these {length} channels waits for the next, and the last for the first"
    "{adaptive ?  (if all others are taken)}\n\n"
    "{table rrrr: link|from|to|class\n{each cycle: {link}|{from}|{to}|{class}\n}}}"
    "{!possible & theorem ? impossible: {theorem}\n}"
    "{!possible & !theorem ? impossible: {nodes ? no cycle in {dependencies dependency dependencies} of {nodes}"
    "{escape ?  escape} channels; all routes ascend in an order of {levels level} : no route takes a channel}\n}"
    "{command ? \nrepeat    {command}\n}";

const np_report_form np_report_deadlock_form = {
    {"deadlock", &np_deadlock_fields, &np_deadlock_fields, columns}, .open = 2, .layout = layout};

np_status np_report_deadlock(const np_deadlock *deadlock, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_deadlock_form, deadlock, given, stream);
}
