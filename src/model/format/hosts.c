/*
 * Hosts apart from switches: packets begin and end at hosts only.
 *
 * The hosts are told by
 *   degree=D         nodes with links to D other nodes (parallel links count once)
 *   ATTRIBUTE=VALUE  nodes of which the file says so
 *   file:PATH        names, in a file
 *   A,B,C*,7..9      names; '*' stands for any characters, 7..9 for the numbers between; a name with a comma stands in
 *                    quotes or parentheses
 */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/format/format.h"
#include "model/network/read_node.h"

np_status np_network_set_hosts(np_network *network, const uint8_t *mark)
{
    np_node nodes = network->nodes, hosts = 0;
    np_status st;
    for (np_node u = 0; u < nodes; u++)
        hosts += mark[u] != 0;
    if ((st = np_memory_array(&network->host, hosts, sizeof *network->host, "the hosts of a network")) ||
        (st = np_memory_array(&network->host_number, nodes, sizeof *network->host_number, "the hosts of a network")))
        return st;
    hosts = 0;
    for (np_node u = 0; u < nodes; u++) {
        network->host_number[u] = mark[u] ? hosts : NP_NONE;
        if (mark[u])
            network->host[hosts++] = u;
    }
    network->terminals = network->input_nodes = hosts;
    return NP_OK;
}

/* ---- By degree ---- */

/* How many other nodes a node has links to. seen: [nodes] the last node that met each. */
static uint32_t neighbours(const np_network *network, np_node u, np_node *seen)
{
    uint32_t count = 0;
    for (uint32_t link = network->row[u]; link < network->row[u + 1]; link++) {
        np_node v = network->head[link];
        count += v != u && seen[v] != u;
        seen[v] = u;
    }
    return count;
}

static np_status by_degree(const np_network *network, const char *text, uint8_t *mark)
{
    uint64_t degree;
    np_node *seen;
    np_status st;
    if (!np_parse_whole(text, 0, NP_NONE, &degree))
        return NP_RAISE(NP_ERROR_INPUT, "hosts 'degree=%s': the degree must be a whole number, as in degree=1", text);
    if ((st = np_memory_array(&seen, network->nodes, sizeof *seen, "the nodes met")))
        return st;
    memset(seen, 0xff, network->nodes * sizeof *seen);
    for (np_node u = 0; u < network->nodes; u++)
        mark[u] = neighbours(network, u, seen) == degree;
    np_memory_free(seen);
    return NP_OK;
}

/* ---- By name ---- */

/* '*' stands for any characters: after a mismatch the last '*' takes one more. */
static bool matches(np_text_field pattern, const char *name)
{
    const char *p = pattern.at, *end = p + pattern.length, *star = NULL, *from = name;
    while (*name) {
        if (p < end && *p == '*') {
            star = ++p;
            from = name;
        } else if (p < end && *p == *name) {
            p++;
            name++;
        } else if (star) {
            p = star;
            name = ++from;
        } else
            return false;
    }
    while (p < end && *p == '*')
        p++;
    return p == end;
}

static np_status mark_pattern(const np_network *network, np_text_field word, uint8_t *mark)
{
    char room[NP_NAME_ROOM];
    bool any = false;
    for (np_node u = 0; u < network->nodes; u++)
        if (matches(word, np_network_node_name(network, u, room)))
            mark[u] = any = true;
    if (any)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "hosts '%s': no node of '%s' has such a name", np_text_show_field(word).text,
                    network->spec);
}

/* "7..9": the nodes with the names 7, 8, 9 */
static bool is_range(np_text_field word, uint64_t *low, uint64_t *high)
{
    const char *dots = memmem(word.at, word.length, "..", 2);
    if (!dots)
        return false;
    np_text_field first = {word.at, (size_t)(dots - word.at)};
    np_text_field last = {dots + 2, word.length - first.length - 2};
    return np_text_whole(first, low) && np_text_whole(last, high) && *low <= *high;
}

static np_status mark_name(const np_network *network, const np_text *list, np_text_field word, const char *called,
                           uint8_t *mark)
{
    np_node node;
    np_status st = np_network_read_node(network, list, word, called, &node);
    if (!st && mark[node])
        return np_text_raise(list, NP_ERROR_INPUT, "host '%s' is named twice", np_text_show_field(word).text);
    if (!st)
        mark[node] = 1;
    return st;
}

static np_status mark_word(const np_network *network, const np_text *list, np_text_field word, uint8_t *mark)
{
    uint64_t low, high;
    char name[24];
    np_status st = NP_OK;
    if (memchr(word.at, '*', word.length))
        return mark_pattern(network, word, mark);
    if (!is_range(word, &low, &high))
        return mark_name(network, list, word, "node", mark);
    for (; low <= high && !st; low++)
        st = mark_name(network, list,
                       (np_text_field){name, (size_t)snprintf(name, sizeof name, "%llu", (unsigned long long)low)},
                       "node", mark);
    return st;
}

static np_status by_names(const np_network *network, const char *list, uint8_t *mark)
{
    const np_text text = {.name = "hosts", .line = NP_TEXT_NO_LINE, .separator = ',', .whole = {list, strlen(list)}};
    np_text_field word;
    const char *at = NULL;
    np_status st = NP_OK;
    while (!st && np_text_field_next(&text, &at, &word))
        st = mark_word(network, &text, word, mark);
    return st;
}

static np_status read_names(const np_network *network, np_text *text, uint8_t *mark)
{
    np_status st = NP_OK;
    while (!st && np_text_next(text)) {
        const char *at = NULL;
        np_text_field name;
        while (!st && np_text_field_next(text, &at, &name))
            if (name.length)
                st = mark_name(network, text, name, "host", mark);
    }
    return st;
}

static np_status by_file(const np_network *network, const char *path, uint8_t *mark)
{
    np_text text;
    NP_TEXT_FILE(file, path);
    np_status st = file.status ? file.status : np_text_open(&text, path, file.data, file.length);
    if (st)
        return st;
    text.separator = np_text_separator(text, path);
    return read_names(network, &text, mark);
}

/* ---- All ---- */

static np_status by_attribute(const np_network *network, const char *hosts, const np_host_marks *marks, uint8_t *mark)
{
    if (!marks->known)
        return NP_RAISE(NP_ERROR_INPUT,
                        "hosts '%s': no node of '%s' has an attribute '%.*s'. Hosts can be told by "
                        "degree=1, by file:PATH or by a list of names, too",
                        hosts, network->spec, (int)strcspn(hosts, "="), hosts);
    for (size_t u = 0; u < marks->count && u < network->nodes; u++)
        mark[u] = (marks->mark[u] & NP_HOST_CHOSEN) != 0;
    return NP_OK;
}

static np_status mark_hosts(const np_network *network, const char *hosts, const np_host_marks *marks, uint8_t *mark)
{
    if (!strncmp(hosts, "degree=", 7))
        return by_degree(network, hosts + 7, mark);
    if (!strncmp(hosts, "file:", 5))
        return by_file(network, hosts + 5, mark);
    return strchr(hosts, '=') ? by_attribute(network, hosts, marks, mark) : by_names(network, hosts, mark);
}

np_status np_network_choose_hosts(np_network *network, const char *hosts, const np_host_marks *marks)
{
    uint8_t *mark;
    np_status st = np_memory_zeroed(&mark, network->nodes, sizeof *mark, "the hosts of a network");
    if (st)
        return st;
    if (!(st = mark_hosts(network, hosts, marks, mark))) {
        if (memchr(mark, 1, network->nodes))
            st = np_network_set_hosts(network, mark);
        else
            st = NP_RAISE(NP_ERROR_INPUT, "hosts '%s': no node of '%s' is one", hosts, network->spec);
    }
    np_memory_free(mark);
    return st;
}
