/*
 * Demands are collected first. So packets are counted, and too many packets are
 * refused, before room for them is allocated. Then the packets are made in the
 * order of the file.
 */
#include "model/traffic/amounts.h"

#include <stdio.h>
#include <string.h>

#include "base/exact.h"
#include "base/plural.h"
#include "base/room.h"

typedef bool number_reader(np_text_field field, np_decimal *out);

static np_status read_factor(const char *text, const char *what, number_reader *read, const char *form, np_decimal *out)
{
    *out = (np_decimal){1, 0, false};
    if (!text || (read((np_text_field){text, strlen(text)}, out) && out->digits && !out->rounded))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s '%.80s' must be a number above 0, %s", what, text, form);
}

np_status np_amounts_init(np_amounts *demands, const np_network *network, uint64_t limit,
                          const np_amount_options *options)
{
    np_status st;
    *demands = (np_amounts){.network = network, .limit = limit};
    if ((st = read_factor(options->packet, "packet", np_decimal_read_size, "as in 1500 or 64K", &demands->packet)) ||
        (st = read_factor(options->scale, "scale", np_decimal_read, "as in 0.5", &demands->scale)))
        return st;
    if (options->times && strcmp(options->times, "ignore"))
        return NP_RAISE(NP_ERROR_INPUT, "times '%.80s': the only choice is 'ignore'", options->times);
    if (options->form && strcmp(options->form, "list") && strcmp(options->form, "matrix"))
        return NP_RAISE(NP_ERROR_INPUT, "traffic-format '%.80s': choose from 'list', 'matrix'", options->form);
    demands->form = options->form;
    demands->times_ignored = options->times;
    demands->measured = options->packet || options->scale;
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

static np_status refuse_amount(const np_amounts *demands, const np_text *text, const char *shown)
{
    if (demands->measured)
        return np_text_raise(text, NP_ERROR_INPUT, "amount '%s': write a number of 0 or more", shown);
    return np_text_raise(
        text, NP_ERROR_INPUT,
        "value '%s' is no count: write a whole number of 0 or more, or say what a packet is by " NP_AMOUNTS_UNIT,
        shown);
}

np_status np_amounts_packets_of(const np_amounts *demands, const np_text *text, const np_decimal *amount,
                                const char *shown, uint64_t *packets)
{
    if (amount->rounded)
        return np_text_raise(text, NP_ERROR_INPUT, "amount '%s': at most 38 digits are read", shown);
    if (!demands->measured && amount->exponent < 0)
        return refuse_amount(demands, text, shown);
    if (np_exact_quotient(amount, &demands->scale, &demands->packet, demands->limit, packets))
        return NP_OK;
    return np_text_raise(text, NP_ERROR_LIMIT,
                         "'%s' makes more than the %llu packets that can be routed. " NP_AMOUNTS_UNIT
                         " says what a packet is",
                         shown, (unsigned long long)demands->limit);
}

np_status np_amounts_packets(const np_amounts *demands, const np_text *text, np_text_field amount, uint64_t *packets)
{
    np_decimal exact;
    np_text_shown shown = np_text_show_field(amount);
    bool minus = amount.length && *amount.at == '-'; /* -0.0 is 0 */
    if (!np_decimal_read((np_text_field){amount.at + minus, amount.length - minus}, &exact) ||
        (minus && (exact.digits || exact.rounded)))
        return refuse_amount(demands, text, shown.text);
    np_exact_unprint(&exact);
    return np_amounts_packets_of(demands, text, &exact, shown.text, packets);
}

np_status np_amounts_place(np_amounts *demands, const np_text *text, uint64_t size, uint64_t i, np_node *terminal)
{
    const np_network *network = demands->network;
    *terminal = (np_node)i;
    if (size < network->terminals && !*demands->assumed)
        snprintf(demands->assumed, sizeof demands->assumed, "it is for the first %llu of %u %s",
                 (unsigned long long)size, network->terminals, network->host ? "hosts" : "terminals");
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
    return traffic->note ? NP_OK : np_status_last();
}

np_status np_amounts_finish(const np_amounts *demands, const np_text *text, np_traffic *traffic)
{
    size_t i = 0;
    np_status st;
    if ((st = make_note(demands, text, traffic)) ||
        (st = np_traffic_allocate(traffic, demands->packets, demands->has_priorities)))
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
    return NP_OK;
}
