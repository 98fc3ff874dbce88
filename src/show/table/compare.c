/* Networks beside each other: what they are made of, and what they carry. */
#include "show/table/shape.h"

static const char columns[] =
    "network=networks.network.spec,hosts=networks.hosts,switches=networks.switches,radix=networks.radix,"
    "cables=networks.cables,diameter=networks.diameter,mean_hops=networks.mean_hops,"
    "all_to_all_low=networks.all_to_all.low,all_to_all_high=networks.all_to_all.high,"
    "longest_low=networks.longest_matching.low,longest_high=networks.longest_matching.high,"
    "near_worst_low=networks.near_worst.low,near_worst_high=networks.near_worst.high,shortest=networks.shortest,"
    "spray=networks.spray,valiant=networks.valiant,failed_1=networks.failed_1.median,"
    "failed_1_least=networks.failed_1.least,failed_1_torn=networks.failed_1.torn,"
    "failed_5=networks.failed_5.median,failed_5_least=networks.failed_5.least,"
    "failed_5_torn=networks.failed_5.torn,draws=networks.failed_5.draws,electrical=networks.electrical,"
    "optical=networks.optical,mean_hops_why=networks.mean_hops_why,all_to_all_why=networks.all_to_all_why,"
    "longest_why=networks.longest_matching_why,near_worst_why=networks.near_worst_why,"
    "shortest_why=networks.shortest_why,spray_why=networks.spray_why,valiant_why=networks.valiant_why,"
    "failed_why=networks.failed_why";

static const char layout[] =
    "{table lrrrrrr: network|hosts|switches|radix|cables|diameter|mean hops\n"
    "{each networks: {network.spec}|{hosts}|{switches}|{radix}|{cables}|{diameter}|{mean_hops ? {mean_hops:4} : "
    "-}\n}}"
    "{each networks: {!electrical=null ? {network.spec}: {electrical} electrical cables, {optical} optical\n}}\n"
    "Packets a step and host that the best routing carries, proved from below:\n\n"
    "{table lrrrrr: network|all-to-all|longest matching|near-worst|1% down: median, least (torn)|5% down\n"
    "{each networks: {network.spec}|{all_to_all ? {all_to_all.low:4} : -}|{longest_matching ? {longest_matching.low:4} "
    ": -}|{near_worst ? {near_worst.low:4} : -}|"
    "{failed_1 ? {failed_1.median:4}, {failed_1.least:4} ({failed_1.torn}) : -}|"
    "{failed_5 ? {failed_5.median:4}, {failed_5.least:4} ({failed_5.torn}) : -}\n}}\n"
    "Packets a step and host that path rules guarantee, whatever the permutation:\n\n"
    "{table lrrr: network|shortest|spray|valiant\n"
    "{each networks: {network.spec}|{shortest ? {shortest:4} : -}|{spray ? {spray:4} : -}|{valiant ? {valiant:4} : "
    "-}\n}}"
    "{!reached ? \nNot all gaps were reached, or --time-limit left something out.\n}"
    "{reasons ? \n{each networks: {mean_hops_why ? {network.spec}: mean hops: {mean_hops_why}\n}"
    "{all_to_all_why ? {network.spec}: all-to-all: {all_to_all_why}\n}"
    "{longest_matching_why ? {network.spec}: longest matching: {longest_matching_why}\n}"
    "{near_worst_why ? {network.spec}: near-worst: {near_worst_why}\n}"
    "{shortest_why ? {network.spec}: shortest: {shortest_why}\n}{spray_why ? {network.spec}: spray: {spray_why}\n}"
    "{valiant_why ? {network.spec}: valiant: {valiant_why}\n}"
    "{failed_why ? {network.spec}: links that fail: {failed_why}\n}}}"
    "{command ? \nrepeat  {command}\n}";

const np_report_form np_report_compare_form = {
    {"compare", &np_compare_fields, &np_compare_fields, columns}, .open = 3, .list = "networks", .layout = layout};

np_status np_report_compare(const np_compare *compare, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_compare_form, compare, given, stream);
}
