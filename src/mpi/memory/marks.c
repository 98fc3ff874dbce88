/*
 * Violations of the access rules, as machine/pram/check.c defines them, for calls whose accesses are all of one kind:
 * of two accesses to a cell the first one and any later one. A cell's violation is counted once in a call.
 */
#include "base/memory.h"
#include "mpi/memory/memory.h"

/* Rules that forbid any two accesses of the kind. */
static bool excludes(np_access_rule rule, np_access_kind kind)
{
    switch (rule) {
    case NP_RULE_EREW:
        return true;
    case NP_RULE_CREW:
        return kind != NP_ACCESS_READ;
    case NP_RULE_ERCW:
        return kind != NP_ACCESS_WRITE;
    default:
        return false;
    }
}

bool np_mpi_marks_due(np_access_rule rule, np_access_kind kind)
{
    return excludes(rule, kind) || (kind == NP_ACCESS_WRITE && (rule == NP_RULE_WEAK || rule == NP_RULE_COMMON));
}

bool np_mpi_marks_clash(const np_mpi_array *a, np_word lead, np_word value)
{
    const np_access_rule rule = a->options.rule;
    const np_cell_type type = a->options.type;
    if (rule == NP_RULE_COMMON)
        return np_values_differ(type, lead, value);
    if (rule == NP_RULE_WEAK)
        return !np_values_is_one(type, lead) || !np_values_is_one(type, value);
    return excludes(rule, NP_ACCESS_WRITE);
}

np_status np_mpi_marks_begin(np_mpi_access *x)
{
    np_mpi_marks *m = &x->array->marks;
    const uint64_t cells = np_store_cells(x->array->store);
    np_status st;
    if (!x->looked_at)
        return NP_OK;
    if (!m->mark && (st = np_memory_zeroed(&m->mark, cells, sizeof *m->mark, "marks of an array's cells")))
        return st;
    if (x->kind == NP_ACCESS_WRITE && !m->lead &&
        (st = np_memory_array(&m->lead, cells, sizeof *m->lead, "marks of an array's cells")))
        return st;
    if (m->once >= UINT32_MAX - 3) {
        memset(m->mark, 0, cells * sizeof *m->mark);
        m->once = 0;
    }
    m->once += 2;
    return NP_OK;
}

static void report(np_mpi_access *x, uint32_t place)
{
    const np_mpi_array *a = x->array;
    const uint32_t in_block = place & (uint32_t)((UINT64_C(1) << a->block) - 1);
    const uint64_t address = ((uint64_t)a->own[place >> a->block] << a->block) + in_block;
    np_mpi_marks *m = &x->array->marks;
    m->mark[place] = m->once + 1;
    m->violations++;
    if (m->first_call == UINT64_MAX)
        m->first_address = UINT64_MAX;
    if (m->first_call > a->calls)
        m->first_call = a->calls;
    if (m->first_call == a->calls && address < m->first_address)
        m->first_address = address;
}

void np_mpi_marks_see(np_mpi_access *x, uint64_t *buffer, const np_mpi_bucket *bucket)
{
    const uint32_t *key = np_mpi_bucket_key(buffer, bucket, np_mpi_words(x));
    const np_word *value = np_mpi_bucket_value(buffer, bucket);
    const uint64_t *note = np_mpi_bucket_note(buffer, bucket);
    np_mpi_marks *m = &x->array->marks;
    const bool writes = x->kind == NP_ACCESS_WRITE;
    for (size_t k = 0; k < bucket->count; k++) {
        const uint32_t at = key[k];
        if (m->mark[at] < m->once) {
            m->mark[at] = m->once;
            if (writes)
                m->lead[at] = value[k];
            if (x->notes && note[k] & NP_MPI_CLASH)
                report(x, at);
        } else if (m->mark[at] == m->once &&
                   (!writes || (note[k] & NP_MPI_CLASH) || np_mpi_marks_clash(x->array, m->lead[at], value[k])))
            report(x, at);
    }
}
