/* See leveled_feed.h. */
#include "engine/merging/leveled_feed.h"

#include "base/memory.h"

/* Describes the leveled network, if the caller has not. */
static np_status describe(np_leveled_feed *feed, np_event_phase *phase)
{
    const np_leveled *lv = feed->leveled;
    if (phase->leveled)
        return NP_OK;
    if (lv->host_links != np_network_link_numbers(phase->network))
        return NP_RAISE(NP_ERROR_APPLY, "events on %s are not told: its leveled network numbers links anew",
                        np_network_spec(phase->network));
    feed->own =
        (np_event_leveled){lv->nodes, lv->edges, lv->tail, lv->head, lv->host, lv->walk, lv->link, .of_run = false};
    phase->leveled = &feed->own;
    return NP_OK;
}

np_status np_leveled_feed_begin(np_leveled_feed **feed, const np_leveled *leveled, const np_packet *number,
                                const np_observer *observer, const np_event_phase *phase, uint32_t queue_size)
{
    np_event_phase told = *phase;
    np_status st;
    told.queue_size = queue_size;
    if (!*feed && (st = np_memory_array(feed, 1, sizeof **feed, "an observed run")))
        return st;
    (*feed)->leveled = leveled;
    (*feed)->number = number;
    return (st = describe(*feed, &told)) ? st : np_event_feed_begin(&(*feed)->feed, observer, &told);
}

/* The node where the path ends. */
static uint32_t end_of(const np_leveled *lv, const np_path_set *path_set, np_packet i)
{
    uint32_t node = path_set->origin[i];
    for (size_t hop = path_set->begin[i]; hop < path_set->begin[i + 1]; hop++)
        node = lv->head[lv->out[node] + path_set->port[hop]];
    return node;
}

static void inject(np_leveled_feed *feed, const np_path_set *path_set, const uint32_t *length)
{
    for (np_packet i = 0; i < path_set->packets; i++) {
        np_event event = np_event_injected(feed->number[i], path_set->origin[i], end_of(feed->leveled, path_set, i));
        event.length = length ? length[i] : 0;
        np_event_feed_put(&feed->feed, event);
    }
}

/* The first logical node that the physical one plays. */
static uint32_t played_by(const np_leveled *lv, np_node host)
{
    uint32_t node = host < lv->nodes && lv->host[host] == host ? host : 0; /* as it is on most networks */
    while (node < lv->nodes && lv->host[node] != host)
        node++;
    return node < lv->nodes ? node : NP_NONE;
}

static void tell_resting(np_leveled_feed *feed, const np_traffic *resting, bool messages)
{
    np_packet packets = resting ? np_traffic_packets(resting) : 0;
    for (int landed = 0; landed < 2; landed++)
        for (np_packet p = 0; p < packets; p++) {
            if (!np_traffic_rests(resting, p))
                continue;
            uint32_t node = played_by(feed->leveled, np_traffic_sources(resting)[p]);
            np_event event = landed ? np_event_landed(0, p, node) : np_event_injected(p, node, node);
            event.length = messages && !landed; /* what it consists of need not wait for one another */
            np_event_feed_put(&feed->feed, event);
        }
}

np_status np_leveled_feed_open(np_leveled_feed **held, const np_leveled *leveled, const np_path_set *path_set,
                               const np_traffic *resting, const np_observer *observer, const np_event_phase *phase,
                               uint32_t queue_size, const uint32_t *length, np_leveled_feed **feed)
{
    np_status st;
    *feed = NULL;
    if (!observer)
        return NP_OK;
    if ((st = np_leveled_feed_begin(held, leveled, path_set->packet, observer, phase, queue_size)))
        return st;
    *feed = *held;
    inject(*feed, path_set, length);
    tell_resting(*feed, resting, length);
    return NP_OK;
}
