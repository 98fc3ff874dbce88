/*
 * The packets that are in the network: see flits.h. They are allocated by chunks, which do not move while other threads
 * read them. A packet in the network has a flit in some buffer or on its way to a place there, or is being sent.
 */
#include "base/memory.h"
#include "base/room.h"
#include "engine/flits/flits.h"

enum { EACH = 1 << NP_FLITS_CHUNK };

static np_status add_chunk(np_flits *f, np_flits_hand *h)
{
    uint32_t chunk = f->chunks++;
    np_status st;
    if (chunk >= f->chunks_most)
        return NP_RAISE(NP_ERROR_INTERNAL, "more packets are in the network than buffers have places");
    if ((st = np_memory_array(&f->chunk[chunk], EACH, sizeof **f->chunk, "packets in the network")) ||
        (st = np_memory_need(&h->free, h->frees, h->frees + EACH, &h->room, sizeof *h->free, "packets")))
        return st;
    for (uint32_t i = EACH; i-- > 0;)
        h->free[h->frees++] = chunk << NP_FLITS_CHUNK | i;
    return NP_OK;
}

np_status np_flits_take(np_flits *f, np_flits_hand *h, uint32_t *out)
{
    np_status st;
    if (!h->frees && (st = add_chunk(f, h)))
        return st;
    *out = h->free[--h->frees];
    return NP_OK;
}

np_status np_flits_give_back(np_flits_hand *h, uint32_t packet)
{
    np_status st = np_memory_room(&h->free, h->frees, &h->room, sizeof *h->free, "packets");
    if (!st)
        h->free[h->frees++] = packet;
    return st;
}

/* A thread that receives more than it sends gives packets to those that send more. */
np_status np_flits_share(np_flits *f)
{
    np_flits_hand *most = f->hand, *least = f->hand;
    for (unsigned i = 1; i < f->hands; i++) {
        most = f->hand[i].frees > most->frees ? &f->hand[i] : most;
        least = f->hand[i].frees < least->frees ? &f->hand[i] : least;
    }
    if (most->frees < least->frees + 2 * EACH)
        return NP_OK;
    size_t count = (most->frees - least->frees) / 2;
    np_status st =
        np_memory_need(&least->free, least->frees, least->frees + count, &least->room, sizeof *least->free, "packets");
    for (; !st && count; count--)
        least->free[least->frees++] = most->free[--most->frees];
    return st;
}
