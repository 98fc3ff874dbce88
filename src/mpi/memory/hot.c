/*
 * The hot cell: the one that a good part of a rank's requests are for. It needs no table. One pass over the requests
 * adds its operands up and lists what is for other cells; the sum is a request by itself, behind the list. When its
 * answer has come, a second pass makes the answers of the hot cell from it, in order, and gives those of the list back:
 *
 *     addresses 7 7 2 7, operands 3 4 1 5:  the list is 2 with 1, then 7 with 12
 *     answers 40 to 2, 100 to 7:            100 103 40 107
 *
 * So a request for the hot cell is read twice and written once, and a step waits for the last one's addition only.
 */
#include "base/room.h"
#include "mpi/memory/memory.h"

static const char what[] = "requests beside those for the hot cell";

/* ---- Taking it out ---- */

/*
 * Sums and reads, the common cases: no branch depends on a single address, since one that is foretold wrongly for a
 * tenth of the requests would cost as much as all else. Compilers make branches of `?:`, so a mask chooses. Where
 * nearly all requests are for the hot cell, strips of them are without exception, which is found by comparing many at
 * once.
 */
enum { STRIP = 16 }; /* ours: of nine tenths, few strips are so, and it is foretold that they are not */

NP_INLINE uint64_t mask_of(uint64_t address, uint64_t hot) { return (uint64_t)0 - (address == hot); }

/* The end of the strip that begins at i; *hot_only: whether it is a whole one of the hot cell's. */
NP_INLINE size_t strip(const uint64_t *address, size_t i, size_t count, uint64_t hot, bool *hot_only)
{
    uint64_t other = 0;
    *hot_only = count - i >= STRIP;
    if (!*hot_only)
        return count;
    for (size_t k = i; k < i + STRIP; k++)
        other |= address[k] ^ hot;
    *hot_only = !other;
    return i + STRIP;
}

NP_HOT static np_word list_sums(np_mpi_hop *hop, const np_mpi_requests *r)
{
    const uint64_t hot = hop->hot, *address = r->address;
    const np_word *value = r->value;
    uint64_t *cool_address = hop->cool_address, sum = 0;
    np_word *cool_value = hop->cool_value;
    size_t cool = 0;
    bool hot_only;
    for (size_t i = 0, end; i < r->count; i = end) {
        end = strip(address, i, r->count, hot, &hot_only);
        if (hot_only) {
            for (size_t k = i; k < i + STRIP; k++)
                sum += (uint64_t)value[k];
            continue;
        }
        for (size_t k = i; k < end; k++) {
            cool_address[cool] = address[k];
            cool_value[cool] = value[k];
            cool += address[k] != hot;
            sum += (uint64_t)value[k] & mask_of(address[k], hot);
        }
    }
    hop->cool_count = cool;
    return (np_word)sum;
}

NP_HOT static np_word list_reads(np_mpi_hop *hop, const np_mpi_requests *r)
{
    const uint64_t hot = hop->hot, *address = r->address;
    uint64_t *cool_address = hop->cool_address;
    size_t cool = 0;
    bool hot_only;
    for (size_t i = 0, end; i < r->count; i = end) {
        end = strip(address, i, r->count, hot, &hot_only);
        for (size_t k = i; k < end && !hot_only; k++) {
            cool_address[cool] = address[k];
            cool += address[k] != hot;
        }
    }
    hop->cool_count = cool;
    return 0;
}

static np_word list_fetches(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *r)
{
    bool any = false;
    np_word all = 0;
    hop->cool_count = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->address[i] != hop->hot) {
            hop->cool_address[hop->cool_count] = r->address[i];
            hop->cool_value[hop->cool_count++] = r->value[i];
            continue;
        }
        all = any ? np_mpi_apply(x, all, r->value[i]) : r->value[i];
        any = true;
    }
    return all;
}

/* Requests name one place behind the last of the list. */
static np_status make_room(np_mpi_hop *hop, size_t requests)
{
    size_t room = hop->cool_room;
    np_status st;
    if ((st = np_memory_need(&hop->cool_address, 0, requests + 1, &room, sizeof *hop->cool_address, what)) ||
        (st = np_memory_need(&hop->cool_value, 0, requests + 1, &hop->cool_room, sizeof *hop->cool_value, what)))
        hop->cool_room = 0; /* of both */
    return st;
}

np_status np_mpi_hot_take_out(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *requests, np_word *sum)
{
    np_status st = make_room(hop, requests->count);
    if (st)
        return st;
    if (x->kind == NP_ACCESS_READ)
        *sum = list_reads(hop, requests);
    else
        *sum = x->sums ? list_sums(hop, requests) : list_fetches(x, hop, requests);
    return NP_OK;
}

/* ---- Putting the answers back ---- */

NP_INLINE np_word choose(uint64_t mask, uint64_t answer, np_word other)
{
    return (np_word)((answer & mask) | ((uint64_t)other & ~mask));
}

/* sums: the answer grows by the operands. */
NP_INLINE void put(const np_mpi_hop *hop, const np_mpi_requests *r, uint64_t answer, bool sums)
{
    const uint64_t hot = hop->hot, *address = r->address;
    const np_word *cool_value = hop->cool_value;
    np_word *value = r->value;
    size_t cool = 0;
    bool hot_only;
    for (size_t i = 0, end; i < r->count; i = end) {
        end = strip(address, i, r->count, hot, &hot_only);
        for (size_t k = i; k < i + STRIP && hot_only; k++) {
            const uint64_t operand = sums ? (uint64_t)value[k] : 0;
            value[k] = (np_word)answer;
            answer += operand;
        }
        for (size_t k = i; k < end && !hot_only; k++) {
            const uint64_t mask = mask_of(address[k], hot), operand = sums ? (uint64_t)value[k] & mask : 0;
            value[k] = choose(mask, answer, cool_value[cool]);
            answer += operand;
            cool += address[k] != hot;
        }
    }
}

NP_HOT static void put_sums(const np_mpi_hop *hop, const np_mpi_requests *r, uint64_t answer)
{
    put(hop, r, answer, true);
}

NP_HOT static void put_reads(const np_mpi_hop *hop, const np_mpi_requests *r, uint64_t answer)
{
    put(hop, r, answer, false);
}

static void put_fetches(const np_mpi_access *x, const np_mpi_hop *hop, const np_mpi_requests *r, np_word answer)
{
    size_t cool = 0;
    for (size_t i = 0; i < r->count; i++) {
        const np_word operand = r->value[i];
        const bool is_hot = r->address[i] == hop->hot;
        r->value[i] = is_hot ? answer : hop->cool_value[cool++];
        answer = is_hot ? np_mpi_apply(x, answer, operand) : answer;
    }
}

void np_mpi_hot_put_back(const np_mpi_access *x, const np_mpi_hop *hop, const np_mpi_requests *requests, np_word answer)
{
    if (x->kind == NP_ACCESS_READ)
        put_reads(hop, requests, (uint64_t)answer);
    else if (x->sums)
        put_sums(hop, requests, (uint64_t)answer);
    else
        put_fetches(x, hop, requests, answer);
}
