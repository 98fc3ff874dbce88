/*
 * Requests for one cell combine into an entry. A table leads from an address to its entry; an address that finds
 * another one in its place of the table takes the place, and the other one gets a new entry when it comes again. So the
 * table is small enough for the cache, and entries are in the order of their first requests: of two entries for one
 * cell all requests of the earlier one come first. A cell that a good part of the requests are for has an entry of its
 * own (hot.c), and only the others go by the table, if they are worth it.
 *
 * An answer is made of the answer to the entry and of what was before the request in the entry:
 *
 *     fetches of x with operands 3, 4, 5: one entry, 12; values become 0, 3, 7
 *     the answer to the entry is 100:     values become 100, 103, 107
 */
#include "base/room.h"
#include "mpi/memory/memory.h"

enum {
    SAMPLES = 512,  /* looked at to decide whether to combine; ours, as are: */
    HOT_LEAST = 8,  /* one in so many must be for a cell that is hot */
    MEET_LEAST = 2, /* one in so many of the others must meet another one: in shared memory the table costs as much as
                     * it saves */
    MEET_FAR = 16   /* and one in so many with hops, where it is the network that counts */
};

#define FIRST (UINT32_C(1) << 31) /* of entry_of */

static const char what[] = "combined requests";

typedef np_mpi_place place;

static place *place_of(place *table, uint64_t address)
{
    return &table[address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - NP_MPI_TABLE)];
}

static void clear(place *table)
{
    for (size_t i = 0; i < 1 << NP_MPI_TABLE; i++)
        table[i].address = UINT64_MAX;
}

/* ---- Is it worth it? ---- */

/* What the samples say. */
typedef struct survey {
    size_t samples, meet; /* meet: so many have the address of one before */
    uint64_t hot;         /* the address that most of them have */
    uint32_t most;        /* so many */
} survey;

/* The table, which counts, is large enough for nearly all. */
static survey look_at(place *table, const np_mpi_requests *r)
{
    survey s = {.samples = r->count < SAMPLES ? r->count : SAMPLES};
    clear(table);
    for (size_t k = 0; k < s.samples; k++) {
        const size_t first = r->count * k / s.samples, behind = r->count * (k + 1) / s.samples;
        const uint64_t address = r->address[first + np_random_mix(k) % (behind - first)];
        place *at = place_of(table, address);
        const uint32_t times = at->address == address ? at->entry + 1 : 1;
        *at = (place){address, times};
        s.meet += times > 1;
        if (times > s.most) {
            s.most = times;
            s.hot = address;
        }
    }
    return s;
}

/* Sets hop->is_hot, hop->hot and hop->tabled. Writes go by the table: what they combine to has a note. */
static void decide(const np_mpi_access *x, place *table, np_mpi_hop *hop, const np_mpi_requests *r)
{
    const np_mpi_combining combining = x->array->options.combining;
    const unsigned least = x->array->hops > 1 ? MEET_FAR : MEET_LEAST;
    hop->is_hot = hop->tabled = false;
    if (!x->combines || combining == NP_MPI_COMBINE_NEVER || r->count < 2)
        return;
    survey s = look_at(table, r);
    hop->hot = s.hot;
    hop->is_hot = x->kind != NP_ACCESS_WRITE && s.most > 1 && s.most * HOT_LEAST >= s.samples;
    if (hop->is_hot) {
        s.meet -= s.most - 1;
        s.samples -= s.most;
    }
    hop->tabled = combining == NP_MPI_COMBINE_ALWAYS || (s.meet && s.meet * least >= s.samples);
}

/* ---- Combining ---- */

/*
 * The entry of each request; *hits says whether it had one before. Branches depend on nothing but the number of
 * requests: what is found is chosen by arithmetic.
 */
NP_INLINE uint32_t find(place *table, uint64_t *entry_address, uint64_t address, uint32_t *entries, bool *hit)
{
    place *at = place_of(table, address);
    *hit = at->address == address;
    const uint32_t entry = *hit ? at->entry : *entries;
    *at = (place){address, entry};
    entry_address[*entries] = address; /* of a new one, or of none */
    *entries += !*hit;
    return entry;
}

/* Fetches by addition, the common case. An entry is 0 before its first request. */
NP_HOT static uint32_t combine_sums(place *table, const np_mpi_hop *hop, const np_mpi_requests *r)
{
    uint64_t *entry_address = hop->entry_address;
    np_word *entry_value = hop->entry_value, *value = r->value;
    uint32_t *entry_of = hop->entry_of, entries = 0;
    for (size_t i = 0; i < r->count; i++) {
        bool hit;
        const uint32_t e = find(table, entry_address, r->address[i], &entries, &hit);
        const uint64_t before = hit ? (uint64_t)entry_value[e] : 0;
        entry_value[e] = (np_word)(before + (uint64_t)value[i]);
        value[i] = (np_word)before;
        entry_of[i] = e;
    }
    return entries;
}

/* Updates: nobody needs what was before. */
static uint32_t combine_updates(const np_mpi_access *x, place *table, const np_mpi_hop *hop, const np_mpi_requests *r)
{
    uint32_t entries = 0;
    for (size_t i = 0; i < r->count; i++) {
        bool hit;
        const uint32_t e = find(table, hop->entry_address, r->address[i], &entries, &hit);
        hop->entry_value[e] = hit ? np_mpi_apply(x, hop->entry_value[e], r->value[i]) : r->value[i];
    }
    return entries;
}

static uint32_t combine_fetches(const np_mpi_access *x, place *table, const np_mpi_hop *hop, const np_mpi_requests *r)
{
    uint32_t entries = 0;
    for (size_t i = 0; i < r->count; i++) {
        bool hit;
        const uint32_t e = find(table, hop->entry_address, r->address[i], &entries, &hit);
        const np_word before = hop->entry_value[e], operand = r->value[i];
        hop->entry_value[e] = hit ? np_mpi_apply(x, before, operand) : operand;
        r->value[i] = before;
        hop->entry_of[i] = hit ? e : e | FIRST;
    }
    return entries;
}

NP_HOT static uint32_t combine_reads(place *table, const np_mpi_hop *hop, const np_mpi_requests *r)
{
    uint32_t entries = 0;
    for (size_t i = 0; i < r->count; i++) {
        bool hit;
        hop->entry_of[i] = find(table, hop->entry_address, r->address[i], &entries, &hit);
    }
    return entries;
}

/* Two writers become one, by the rule (machine/pram/request.h). The left one came first. */
static void join_writes(const np_mpi_array *a, np_word *value, uint64_t *note, np_word right, uint64_t right_note)
{
    np_request l = {.kind = NP_ACCESS_WRITE, .type = (uint8_t)a->options.type, .value = *value}, r = l;
    l.lot = note ? (uint32_t)(*note >> 32) : 0;
    r.lot = (uint32_t)(right_note >> 32);
    r.value = right;
    if (note && np_mpi_marks_clash(a, *value, right))
        *note |= NP_MPI_CLASH;
    np_request_combine(a->options.rule, &l, &r);
    *value = l.value;
    if (note)
        *note = (uint64_t)l.lot << 32 | NP_MPI_SEVERAL | ((*note | right_note) & NP_MPI_CLASH);
}

static uint32_t combine_writes(const np_mpi_access *x, place *table, const np_mpi_hop *hop, const np_mpi_requests *r)
{
    uint32_t entries = 0;
    for (size_t i = 0; i < r->count; i++) {
        bool hit;
        const uint32_t e = find(table, hop->entry_address, r->address[i], &entries, &hit);
        uint64_t *note = x->notes ? &hop->entry_note[e] : NULL;
        if (hit) {
            join_writes(x->array, &hop->entry_value[e], note, r->value[i], note ? r->note[i] : 0);
            continue;
        }
        hop->entry_value[e] = r->value[i];
        if (note)
            *note = r->note[i];
    }
    return entries;
}

static uint32_t combine(const np_mpi_access *x, place *table, const np_mpi_hop *hop, const np_mpi_requests *r)
{
    if (x->kind == NP_ACCESS_READ)
        return combine_reads(table, hop, r);
    if (x->kind == NP_ACCESS_WRITE)
        return combine_writes(x, table, hop, r);
    if (!x->answered)
        return combine_updates(x, table, hop, r);
    return x->sums ? combine_sums(table, hop, r) : combine_fetches(x, table, hop, r);
}

/* find() names the entry behind the last one, too. */
static np_status make_room(const np_mpi_access *x, np_mpi_hop *hop, size_t requests)
{
    size_t room = hop->entry_room;
    np_status st;
    if ((st = np_memory_need(&hop->entry_address, 0, requests + 1, &room, sizeof *hop->entry_address, what)) ||
        (st = np_memory_need(&hop->entry_value, 0, requests + 1, &hop->entry_room, sizeof *hop->entry_value, what))) {
        hop->entry_room = 0; /* of both */
        return st;
    }
    if (x->notes &&
        (st = np_memory_need(&hop->entry_note, 0, requests, &hop->note_room, sizeof *hop->entry_note, what)))
        return st;
    return np_memory_need(&hop->entry_of, 0, requests, &hop->of_room, sizeof *hop->entry_of, what);
}

static np_status combine_by_table(const np_mpi_access *x, np_mpi_hop *hop, np_mpi_requests *requests)
{
    place *table = x->array->mpi->memory->table;
    np_status st = make_room(x, hop, requests->count);
    if (st)
        return st;
    clear(table);
    *requests = (np_mpi_requests){.count = combine(x, table, hop, requests),
                                  .address = hop->entry_address,
                                  .value = hop->entry_value,
                                  .note = x->notes ? hop->entry_note : NULL};
    return NP_OK;
}

/* The list of requests for other cells. */
static np_mpi_requests cool(const np_mpi_hop *hop)
{
    return (np_mpi_requests){.count = hop->cool_count, .address = hop->cool_address, .value = hop->cool_value};
}

np_status np_mpi_combine(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *requests, np_mpi_requests *out)
{
    np_word sum = 0;
    np_status st;
    decide(x, x->array->mpi->memory->table, hop, requests);
    *out = *requests;
    if (hop->is_hot) {
        if ((st = np_mpi_hot_take_out(x, hop, requests, &sum)))
            return st;
        *out = cool(hop);
    }
    if (hop->tabled && (st = combine_by_table(x, hop, out)))
        return st;
    if (hop->is_hot) { /* behind all others there is room for one */
        (hop->tabled ? hop->entry_address : hop->cool_address)[out->count] = hop->hot;
        out->value[out->count++] = sum;
    }
    return NP_OK;
}

/* ---- Splitting ---- */

NP_HOT static void split_sums(const np_mpi_hop *hop, const np_mpi_requests *r)
{
    const np_word *answer = hop->entry_value;
    np_word *value = r->value;
    for (size_t i = 0; i < r->count; i++)
        value[i] = (np_word)((uint64_t)value[i] + (uint64_t)answer[hop->entry_of[i]]);
}

NP_HOT static void split_reads(const np_mpi_hop *hop, const np_mpi_requests *r)
{
    const np_word *answer = hop->entry_value;
    for (size_t i = 0; i < r->count; i++)
        r->value[i] = answer[hop->entry_of[i]];
}

static void split_fetches(const np_mpi_access *x, const np_mpi_hop *hop, const np_mpi_requests *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const uint32_t of = hop->entry_of[i];
        const np_word answer = hop->entry_value[of & ~FIRST];
        r->value[i] = of & FIRST ? answer : np_mpi_apply(x, answer, r->value[i]);
    }
}

static void split_by_table(const np_mpi_access *x, const np_mpi_hop *hop, const np_mpi_requests *requests)
{
    if (x->kind == NP_ACCESS_READ)
        split_reads(hop, requests);
    else if (x->sums)
        split_sums(hop, requests);
    else
        split_fetches(x, hop, requests);
}

void np_mpi_split(const np_mpi_access *x, const np_mpi_hop *hop, const np_mpi_requests *requests,
                  const np_mpi_requests *combined)
{
    const np_mpi_requests list = hop->is_hot ? cool(hop) : *requests;
    if (hop->tabled)
        split_by_table(x, hop, &list);
    if (hop->is_hot)
        np_mpi_hot_put_back(x, hop, requests, combined->value[combined->count - 1]);
}
