/* The permutation that defeats a path rule: the link, the packets over it, and the steps of two ways to route it. */
#include "show/table/shape.h"

static const char columns[] =
    "network=network.spec,paths,seed,degree,bound,destinations,exhaustive,link=link.link,from=link.from,to=link.to,"
    "crossing,packets,steps=steps.mean,steps_max=steps.max,two_phase_steps=two_phase_steps.mean,"
    "two_phase_steps_max=two_phase_steps.max";

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_defeat_fields},
    {"runs", NP_FIELD_SIZE, offsetof(np_defeat, steps.count), .help = "how often each way was routed"},
};

static const np_fields shown = NP_FIELDS("defeat", "a permutation that defeats", np_defeat, shown_rows);

static const char layout[] =
    "network  {network.spec}: {network.nodes node}, {network.links link}\n"
    "paths    {paths}\n"
    "search   {exhaustive ? all paths : a sample: the paths to {destinations} of {network.nodes} destinations, and to "
    "some from the sources of the link{crossing<bound ? ; with more --effort it finds what the bound promises}}\n"
    "link     {link.from}->{link.to}: {crossing packet} of the permutation {crossing=1 ? crosses : cross} it\n"
    "bound    {bound packet} over some link, for some permutation and any such rule of degree {degree}\n\n"
    "direct     {steps.mean:4} steps, {steps.min}..{steps.max} in {runs run}\n"
    "two-phase  {two_phase_steps.mean:4} steps, {two_phase_steps.min}..{two_phase_steps.max} in {runs run}\n"
    "{command ? \nrepeat   {command}\n}";

const np_report_form np_report_defeat_form = {
    {"defeat", &np_defeat_fields, &np_defeat_fields, columns}, .open = 3, .fields = &shown, .layout = layout};

np_status np_report_defeat(const np_defeat *defeat, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_defeat_form, defeat, given, stream);
}
