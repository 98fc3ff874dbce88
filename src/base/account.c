/*
 * Open accounts stand in a table that lives as long as the process. A thread knows the number of its account, and the
 * number says the row. Numbers are never given twice: a thread with the number of an account that is closed, which is
 * the number of no row, has none.
 *
 * What the system has is asked when a call has taken a few megabytes, because to ask takes longer than a short call.
 */
#include "base/account.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/decimal.h"

enum {
    ROWS = 256,      /* ours: accounts that are open at once, in all threads */
    SMALL = 2 << 20, /* ours: bytes for which the system is not asked */
    TIGHT = 1 << 30  /* ours: an eighth of it, the reserve, is more than the C library keeps */
};

typedef struct row {
    _Atomic uint64_t number; /* 0: the row is free */
    struct row *outer;
    _Atomic uint64_t limit; /* 0: what the system has, which is not known yet */
    _Atomic int64_t taken, peak;
    const char *advice; /* NULL: none */
} row;

static row rows[ROWS];
static _Atomic uint64_t opened; /* so many times was an account opened */

_Thread_local uint64_t np_account_of_thread;

static row *row_of(np_account account)
{
    row *r = &rows[account % ROWS];
    return account && atomic_load_explicit(&r->number, memory_order_relaxed) == account ? r : NULL;
}

static row *row_of_thread(void) { return row_of(np_account_of_thread); }

np_account np_account_open(uint64_t limit, const char *advice)
{
    row *outer = row_of_thread();
    for (unsigned tries = 0; tries < ROWS; tries++) {
        uint64_t number = atomic_fetch_add(&opened, 1) + ROWS, none = 0; /* none is 0 */
        row *r = &rows[number % ROWS];
        if (!atomic_compare_exchange_strong(&r->number, &none, number))
            continue;
        r->outer = outer;
        r->advice = advice ? advice : outer ? outer->advice : NULL;
        atomic_store(&r->limit, !limit && outer ? UINT64_MAX : limit);
        atomic_store(&r->taken, 0);
        atomic_store(&r->peak, 0);
        np_account_of_thread = number;
        return number;
    }
    return 0;
}

void np_account_close(const np_account *account)
{
    row *r = row_of(*account);
    if (!r)
        return;
    np_account_of_thread = r->outer ? atomic_load(&r->outer->number) : 0;
    atomic_store(&r->number, 0);
}

static uint64_t positive(int64_t bytes) { return bytes > 0 ? (uint64_t)bytes : 0; }

uint64_t np_account_taken(np_account account)
{
    row *r = row_of(account);
    return r ? positive(atomic_load(&r->taken)) : 0;
}

uint64_t np_account_peak(np_account account)
{
    row *r = row_of(account);
    return r ? positive(atomic_load(&r->peak)) : 0;
}

/* A figure of at least 0.1, if there are 100 bytes. */
static double in_unit(uint64_t bytes, const char **unit)
{
    static const char *const names[] = {"GB", "MB", "kB"};
    double size = 1e9;
    unsigned i = 0;
    for (; i < 2 && (double)bytes < size / 10; i++)
        size /= 1e3;
    *unit = names[i];
    return (double)bytes / size;
}

/* The limit, which is known from here on. What is taken by now may not be in use yet, so it counts as part of it. */
static uint64_t limit_of(row *r)
{
    uint64_t limit = atomic_load_explicit(&r->limit, memory_order_relaxed);
    if (!limit)
        atomic_store(&r->limit, limit = np_memory_default());
    return limit;
}

/* May the account take so many bytes more? The system is not asked in vain. */
static bool has_room(row *r, uint64_t taken, uint64_t bytes)
{
    uint64_t limit = atomic_load_explicit(&r->limit, memory_order_relaxed);
    if (bytes <= SMALL && taken <= SMALL - bytes && (!limit || limit > SMALL))
        return true;
    limit = limit_of(r);
    return taken <= limit && bytes <= limit - taken;
}

uint64_t np_account_room(void)
{
    row *inner = row_of_thread();
    uint64_t left = inner ? UINT64_MAX : np_memory_default();
    for (row *r = inner; r; r = r->outer) {
        uint64_t limit = limit_of(r), taken = positive(atomic_load(&r->taken));
        uint64_t of_row = limit > taken ? limit - taken : 0;
        left = of_row < left ? of_row : left;
    }
    uint64_t held = inner ? positive(atomic_load(&inner->taken)) : 0;
    return left < UINT64_MAX - held ? left + held : UINT64_MAX;
}

static np_status refuse(row *r, uint64_t bytes, const char *what)
{
    const char *unit, *limit_unit, *taken_unit;
    double wanted = in_unit(bytes, &unit), limit = in_unit(limit_of(r), &limit_unit);
    double taken = in_unit(positive(atomic_load(&r->taken)), &taken_unit);
    return NP_RAISE(NP_ERROR_LIMIT, "no memory for %s: %s %s, where %s %s of %s %s are taken%s%s", what,
                    NP_FIXED(wanted, 2), unit, NP_FIXED(taken, 2), taken_unit, NP_FIXED(limit, 2), limit_unit,
                    r->advice ? ": take " : "", r->advice ? r->advice : "");
}

static void raise_peak(row *r, int64_t taken)
{
    int64_t peak = atomic_load_explicit(&r->peak, memory_order_relaxed);
    while (taken > peak &&
           !atomic_compare_exchange_weak_explicit(&r->peak, &peak, taken, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* Charges one account; false: it is too much. */
static bool charge(row *r, uint64_t bytes)
{
    int64_t before = atomic_fetch_add_explicit(&r->taken, (int64_t)bytes, memory_order_relaxed);
    if (!has_room(r, positive(before), bytes)) {
        atomic_fetch_sub_explicit(&r->taken, (int64_t)bytes, memory_order_relaxed);
        return false;
    }
    raise_peak(r, before + (int64_t)bytes);
    return true;
}

bool np_account_is_tight(void)
{
    row *r = row_of_thread();
    while (r && atomic_load_explicit(&r->limit, memory_order_relaxed) - 1 >= TIGHT) /* 0: it is not known yet */
        r = r->outer;
    return r != NULL;
}

static void give_back(row *from, const row *end, uint64_t bytes)
{
    for (row *r = from; r != end; r = r->outer)
        atomic_fetch_sub_explicit(&r->taken, (int64_t)bytes, memory_order_relaxed);
}

np_status np_account_charge(uint64_t bytes, const char *what)
{
    row *first = row_of_thread();
    for (row *r = first; r; r = r->outer)
        if (!charge(r, bytes)) {
            give_back(first, r, bytes);
            return refuse(r, bytes, what);
        }
    return NP_OK;
}

void np_account_give_back(uint64_t bytes) { give_back(row_of_thread(), NULL, bytes); }

/* Is there room for a few bytes, with nothing asked? */
static bool is_small(uint64_t bytes)
{
    row *r = row_of_thread();
    while (r && bytes <= SMALL && !atomic_load(&r->limit) && positive(atomic_load(&r->taken)) <= SMALL)
        r = r->outer;
    return !r && bytes <= SMALL;
}

bool np_account_has_room(uint64_t bytes) { return is_small(bytes) || bytes <= np_account_room(); }

np_status np_account_allow(uint64_t bytes, const char *advice, const char *format, ...)
{
    const char *unit, *room_unit;
    char what[256];
    va_list arguments;
    if (np_account_has_room(bytes))
        return NP_OK;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    double need = in_unit(bytes, &unit), allowed = in_unit(np_account_room(), &room_unit);
    return NP_RAISE(NP_ERROR_LIMIT, "%s need %s %s of memory, %s %s are allowed: take %s", what, NP_FIXED(need, 2),
                    unit, NP_FIXED(allowed, 2), room_unit, advice);
}
