/* The worst permutation for a path rule, and what the rule guarantees. */
#include "show/table/shape.h"

static const char columns[] = "network=network.spec,paths,packets,factor=worst.factor,load=worst.load,"
                              "link=worst.link.link,from=worst.link.from,to=worst.link.to,exact,alike,links,solved";

static const char layout[] =
    "network  {network.spec}: {network.nodes node}, {network.links link}\n"
    "paths    {paths}\n"
    "{!worst ? \nOne terminal only: there is no factor.\n}"
    "{worst ? "
    "factor   {worst.factor:6} packets a step from and to every terminal are guaranteed, whatever the traffic"
    "{!exact ?  (to 1e-9)}\n"
    "link     {worst.link.from}->{worst.link.to} expects {worst.load:6} packets of "
    "{alike ? every permutation : the worst permutation}\n"
    "search   {links link}{!alike ?  by bounds, {solved} of them by an assignment}\n}"
    "{command ? \nrepeat   {command}\n}";

const np_report_form np_report_worst_form = {
    {"worst", &np_worst_fields, &np_worst_fields, columns}, .open = 2, .layout = layout};

np_status np_report_worst(const np_worst *worst, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_worst_form, worst, given, stream);
}
