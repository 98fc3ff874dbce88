/*
 * Facts of a network of one's own, as the command `netpram info` prints them:
 * a table for people, then JSON for tools. The reports are in libnetpram-report.
 *
 *     0 <--> 1 <--> 2 <--> 3 <--> 0        (a ring)
 */
#include <stdio.h>

#include <netpram/netpram.h>
#include <netpram/report.h>

enum { NODES = 4, LINKS = 8 };

static const np_node from[LINKS] = {0, 1, 1, 2, 2, 3, 3, 0}, to[LINKS] = {1, 0, 2, 1, 3, 2, 0, 3};

static np_status print_facts(const np_network *network, const np_network_facts *facts)
{
    np_report_options options;
    np_report_options_init(&options);
    np_status st = np_report_network(network, facts, &options, stdout);
    options.format = NP_REPORT_JSON;
    return st ? st : np_report_network(network, facts, &options, stdout);
}

int main(void)
{
    np_network *network = NULL;
    np_network_facts facts;
    np_status st;

    if ((st = np_network_from_links(NODES, LINKS, from, to, &network)))
        goto out;
    if ((st = np_network_measure(network, 1000000, &facts)))
        goto out;
    st = print_facts(network, &facts);
out:
    if (st)
        fprintf(stderr, "network_report: %s\n", np_last_error());
    np_network_free(network);
    return st != NP_OK;
}
