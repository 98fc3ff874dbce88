/*
 * Demands are collected first. So packets are counted, and too many packets are
 * refused, before room for them is allocated. Then the packets are made in the
 * order of the file.
 */
#include "traffic/amounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/plural.h"
#include "base/room.h"

#define NEARLY 1e-9 /* ours: 30 * 0.1 is 3 packets, although doubles make it a little more */

typedef bool number_reader(np_text_field field, double *out);

static np_status read_factor(const char *text, const char *what, number_reader *read, const char *form, double *out)
{
    *out = 1;
    if (!text || (read((np_text_field){text, strlen(text)}, out) && *out > 0))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s '%.80s' must be a number above 0, %s", what, text, form);
}

np_status np_amounts_init(np_amounts *demands, const np_network *network, uint64_t limit,
                          const np_amount_options *options)
{
    double packet, scale;
    np_status st;
    *demands = (np_amounts){.network = network, .limit = limit};
    if ((st = read_factor(options->packet, "packet", np_decimal_size, "as in 1500 or 64K", &packet)) ||
        (st = read_factor(options->scale, "scale", np_decimal_real, "as in 0.5", &scale)))
        return st;
    if (options->times && strcmp(options->times, "ignore"))
        return NP_RAISE(NP_ERROR_INPUT, "times '%.80s': the only choice is 'ignore'", options->times);
    demands->times_ignored = options->times;
    demands->unit = options->packet || options->scale ? scale / packet : 0;
    return NP_OK;
}

void np_amounts_clear(np_amounts *demands) { np_memory_free(demands->item); }

np_status np_amounts_add(np_amounts *demands, const np_text *text, np_node source, np_node destination,
                         uint64_t packets, uint32_t priority)
{
    np_status st;
    if (packets > demands->limit - demands->packets)
        return np_text_raise(
            text, NP_ERROR_LIMIT,
            "%llu packets more after %llu: at most %llu can be routed. " NP_AMOUNTS_UNIT " says what a packet is",
            (unsigned long long)packets, (unsigned long long)demands->packets, (unsigned long long)demands->limit);
    if ((st = np_memory_room(&demands->item, demands->count, &demands->room, sizeof *demands->item,
                             "the demands of a file")))
        return st;
    demands->item[demands->count++] = (np_amount){source, destination, (uint32_t)packets, priority};
    demands->packets += packets;
    return NP_OK;
}

np_status np_amounts_packets_of(const np_amounts *demands, const np_text *text, double amount, uint64_t *packets)
{
    double exact = demands->unit > 0 ? amount * demands->unit : amount, whole = round(exact);
    if (!(amount >= 0 && amount < 1e300))
        return np_text_raise(text, NP_ERROR_INPUT, "an amount of %s: it must be 0 or more", NP_REAL(amount, 6));
    if (!(demands->unit > 0) && exact != whole)
        return np_text_raise(text, NP_ERROR_INPUT, "an amount of %s packets: " NP_AMOUNTS_UNIT " says what a packet is",
                             NP_REAL(amount, 6));
    if (fabs(exact - whole) > NEARLY * exact)
        whole = ceil(exact);
    *packets = whole < 1e18 ? (uint64_t)whole : (uint64_t)1e18;
    return NP_OK;
}

np_status np_amounts_packets(const np_amounts *demands, const np_text *text, np_text_field amount, uint64_t *packets)
{
    double value;
    if (!(demands->unit > 0)) {
        if (np_decimal_whole(amount, packets))
            return NP_OK;
        return np_text_raise(
            text, NP_ERROR_INPUT,
            "value '%s' is no count: write a whole number of 0 or more, or say what a packet is by " NP_AMOUNTS_UNIT,
            np_text_show_field(amount).text);
    }
    if (np_decimal_real(amount, &value))
        return np_amounts_packets_of(demands, text, value, packets);
    return np_text_raise(text, NP_ERROR_INPUT, "amount '%s': write a number of 0 or more",
                         np_text_show_field(amount).text);
}

np_status np_amounts_place(const np_amounts *demands, const np_text *text, uint64_t size, uint64_t i, np_node *terminal)
{
    const np_network *network = demands->network;
    *terminal = (np_node)i;
    if (size <= network->terminals)
        return NP_OK;
    if (network->host && size == network->nodes) {
        *terminal = network->host_number[i];
        return NP_OK;
    }
    return np_text_raise(text, NP_ERROR_INPUT, "a matrix for %llu nodes: %.64s has %u %s", (unsigned long long)size,
                         np_network_spec(network), network->terminals, network->host ? "hosts" : "terminals");
}

/* ---- Packets ---- */

static np_status make_note(const np_amounts *demands, const np_text *text, np_traffic *traffic)
{
    char note[512];
    snprintf(note, sizeof note, "%s: %zu demand%s %s %llu packet%s%s%s%s", text->name, demands->count,
             np_plural(demands->count), demands->count == 1 ? "is" : "are", (unsigned long long)demands->packets,
             np_plural(demands->packets),
             demands->times_ignored ? "; their times are ignored: every packet starts at step 0" : "",
             *demands->assumed ? "; " : "", demands->assumed);
    traffic->note = np_memory_text(note);
    return traffic->note ? NP_OK : NP_ERROR_MEMORY;
}

static np_status allocate(const np_amounts *demands, np_traffic *traffic)
{
    size_t n = demands->packets;
    np_status st;
    if ((st = np_memory_array(&traffic->source, n, sizeof(np_node), "the sources of the packets")) ||
        (st = np_memory_array(&traffic->destination, n, sizeof(np_node), "the destinations of the packets")))
        return st;
    if (!demands->has_priorities)
        return NP_OK;
    return np_memory_array(&traffic->priority, n, sizeof(uint32_t), "the priorities of the packets");
}

np_status np_amounts_finish(const np_amounts *demands, const np_text *text, np_traffic *traffic)
{
    size_t i = 0;
    np_status st;
    if ((st = make_note(demands, text, traffic)) || (st = allocate(demands, traffic)))
        return st;
    for (size_t k = 0; k < demands->count; k++) { /* a file without demands has no array */
        const np_amount *d = &demands->item[k];
        for (uint32_t c = 0; c < d->packets; c++, i++) {
            traffic->source[i] = d->source;
            traffic->destination[i] = d->destination;
            if (traffic->priority)
                traffic->priority[i] = d->priority;
        }
    }
    traffic->packets = (np_packet)demands->packets;
    return NP_OK;
}
