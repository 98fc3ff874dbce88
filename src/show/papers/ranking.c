/* Off-line ranks: what was promised, what they leave possible, what was measured. */
#include "show/table/shape.h"

static const char columns[] =
    "network,traffic,paths,seed,queue_size,room,rank_range,promised,bound,kept,phase=phases.name,"
    "packets=phases.packets,levels=phases.levels,congestion=phases.congestion,steps=phases.steps,own_ranks=phases.own_"
    "ranks";

/* An estimate of 1 or more: only if no ranks can break the promise. */
static const char layout[] =
    "network  {network}\n"
    "traffic  {traffic}: {packets packet}\n"
    "scheme   ranked: paths {paths}, queues of {queue_size} packets{room=freed ? , room once freed}\n"
    "ranks    in 1..{rank_range}, {file ? from {file} : found by conditional expectations}\n\n"
    "{table lrrrrl: phase|packets|L|c|steps|\n"
    "{each phases: {name}|{packets}|{levels}|{congestion}|{steps}|{own_ranks ? ranks of its own: not counted below}\n}}"
    "\npromise  {file & !promised ? none in the file\n}"
    "{file & promised ? at most {promised} steps, by the file: {kept ? kept : BROKEN}\n}"
    "{!file & !estimate.first<1 ? at most {promised} steps, which {phases>1 ? in some phase }any ranks keep\n}"
    "{!file & estimate.first<1 ? at most {promised} steps: longer chains of delays expected, at first "
    "{estimate.first:3}, in the end {estimate.last:3}\n}"
    "bound    at most {bound} steps, by the longest chain of delays that these ranks leave\n"
    "steps    {steps} with these ranks\n"
    "{random ? random   {random.mean:4} steps, {random.min}..{random.max}: {random.runs} runs with random ranks on the "
    "same paths\n}"
    "{command ? \nrepeat   {command}\n}";

const np_report_form np_report_ranking_form = {
    {"ranks", &np_ranking_fields, &np_ranking_fields, columns}, .open = 3, .list = "phases", .layout = layout};

np_status np_report_ranking(const np_ranking *ranking, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_ranking_form, ranking, given, stream);
}
