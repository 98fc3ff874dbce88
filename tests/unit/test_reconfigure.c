/* Grids of switches, and the programs on them: every input of small sizes, random ones of larger. */
#include "support.h"

#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "oracle/switches.h"
#include "papers/reconfigure/run.h"

static const np_reconfigure_options plain, announced = {.announce = true}, shown = {.show = true},
                                           both = {.announce = true, .show = true};

/* ---- Settings ---- */

static void test_settings(void **state)
{
    (void)state;
    for (size_t i = 0; i < NP_SWITCH_SETTINGS; i++) {
        np_switch_setting setting = np_switch_setting_get(i), again;
        const char *name = np_switch_setting_name(setting);
        assert_non_null(name);
        assert_ok(np_switch_setting_parse(name, &again));
        assert_int_equal(again, setting);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(np_switch_setting_get(j), setting);
    }
    size_t named = 0;
    for (unsigned byte = 0; byte <= UINT8_MAX; byte++)
        named += np_switch_setting_name((np_switch_setting)byte) != NULL;
    assert_int_equal(named, NP_SWITCH_SETTINGS);
}

static void test_setting_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } same[] = {{"SN-EW", "WE-NS"}, {"wn-se", "WN-SE"}, {"NE-SW", "WS-NE"}, {"SENW", "WNES"},
                {"W-N", "apart"},   {"S-NW", "WN"},     {"esn", "NES"}};
    static const char *const bad[] = {"", "-", "WE-", "-NS", "WE--NS", "WW", "WE-EN", "WX", "WE NS"};
    np_switch_setting setting = 7;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_ok(np_switch_setting_parse(same[i].text, &setting));
        assert_string_equal(np_switch_setting_name(setting), same[i].name);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(np_switch_setting_parse(bad[i], &setting), NP_ERROR_INPUT, "no setting of a switch");
    assert_refused(np_switch_setting_parse("WE-NE", &setting), NP_ERROR_INPUT, "did you mean 'WE-NS'?");
}

/* ---- Subnets, against a search from switch to switch ---- */

enum { ROWS = 3, COLUMNS = 4, PUS = 2 * (ROWS + COLUMNS) };

typedef struct drawn {
    np_switch_settings settings;
    const char *name[ROWS * COLUMNS];
} drawn;

static drawn draw(const np_draws *draws, uint32_t item)
{
    drawn d;
    assert_ok(np_switch_settings_fill(ROWS, COLUMNS, NP_SWITCH_APART, &d.settings));
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        d.settings.setting[i] = np_switch_setting_get(np_random_below(draws, item, i, NP_SWITCH_SETTINGS));
        d.name[i] = np_switch_setting_name(d.settings.setting[i]);
        if (!strcmp(d.name[i], "apart"))
            d.name[i] = "";
    }
    return d;
}

static oracle_place place_of(np_pu_place place)
{
    return (oracle_place){np_switch_port_letter(place.side), place.index};
}

/* The only one of the senders that reaches the PU; NP_NONE if there is none or several. */
static uint32_t heard_by(const drawn *d, const np_pu_place *place, uint32_t pu, size_t senders, const uint32_t *sender)
{
    uint32_t heard = NP_NONE, count = 0;
    for (size_t i = 0; i < senders; i++)
        if (oracle_switches_joined(ROWS, COLUMNS, d->name, place_of(place[sender[i]]), place_of(place[pu]))) {
            heard = sender[i];
            count++;
        }
    return count == 1 && heard != pu ? heard : NP_NONE;
}

static bool senders_meet(const drawn *d, const np_pu_place *place, const uint32_t *sender)
{
    return oracle_switches_joined(ROWS, COLUMNS, d->name, place_of(place[sender[0]]), place_of(place[sender[1]]));
}

static void test_subnets(void **state)
{
    (void)state;
    const np_draws draws = {.seed = 3, .purpose = NP_RANDOM_SWITCH};
    uint32_t conflicts = 0, heard = 0;
    for (uint32_t item = 0; item < 400; item++) {
        drawn d = draw(&draws, item);
        np_reconfigure_result *result;
        np_pu_place all[PUS], from[2];
        uint32_t sender[2] = {item % PUS, (item + 1 + np_random_below(&draws, item, 99, PUS - 1)) % PUS};
        for (uint32_t pu = 0; pu < PUS; pu++)
            all[pu] = (np_pu_place){(np_switch_port)((pu >= 3) + (pu >= 7) + (pu >= 10)), pu - (pu >= 10  ? 10
                                                                                                : pu >= 7 ? 7
                                                                                                : pu >= 3 ? 3
                                                                                                          : 0)};
        from[0] = all[sender[0]];
        from[1] = all[sender[1]];
        assert_ok(np_reconfigure_broadcast(&d.settings, 2, from, &plain, &result));
        assert_int_equal(result->pus, PUS);
        assert_int_equal(result->conflicts, senders_meet(&d, all, sender));
        assert_int_equal(result->correct, !result->conflicts);
        conflicts += (uint32_t)result->conflicts;
        for (uint32_t pu = 0; pu < PUS; pu++) {
            assert_memory_equal(&result->place[pu], &all[pu], sizeof *all);
            assert_int_equal(result->heard[pu], heard_by(&d, all, pu, 2, sender));
            heard += result->heard[pu] != NP_NONE;
        }
        np_reconfigure_result_free(result);
        np_switch_settings_clear(&d.settings);
    }
    assert_true(conflicts > 10 && heard > 100); /* the cases are of all kinds */
}

/*
 *       N0   N1
 *        |    |
 *  W0 --WS-NE-WE-NS-- E0        W0 and S0 are one subnet, N0 and E0 another, N1 and S1 the third
 *        |    |
 *       S0   S1
 */
static void test_one_row(void **state)
{
    (void)state;
    np_switch_grid *grid;
    np_switch_round round;
    np_signal signal = {0};
    uint32_t west, south, north, east, from, unused;
    assert_ok(np_switch_grid_create(1, 2, &grid));
    assert_ok(np_switch_grid_attach(grid, NP_PORT_W, 0, &west));
    assert_ok(np_switch_grid_attach(grid, NP_PORT_S, 0, &south));
    assert_ok(np_switch_grid_attach(grid, NP_PORT_N, 0, &north));
    assert_ok(np_switch_grid_attach(grid, NP_PORT_E, 0, &east));
    assert_refused(np_switch_grid_attach(grid, NP_PORT_E, 0, &unused), NP_ERROR_INPUT, "a PU at E0 already");
    assert_refused(np_switch_grid_attach(grid, NP_PORT_N, 2, &unused), NP_ERROR_INPUT, "no place N2");
    np_switch_grid_set(grid, 0, 0, NP_SWITCH_WS_NE);
    np_switch_grid_set(grid, 0, 1, NP_SWITCH_WE_NS);
    assert_ok(np_switch_grid_send(grid, west, (np_signal){5, 50}));
    assert_ok(np_switch_grid_send(grid, north, (np_signal){6, 60}));
    assert_refused(np_switch_grid_send(grid, north, signal), NP_ERROR_INPUT, "N0 sends already");
    assert_refused(np_switch_grid_send(grid, 4, signal), NP_ERROR_INPUT, "no PU 4");
    np_switch_grid_round(grid, "", &round);
    assert_int_equal(round.senders, 2);
    assert_int_equal(round.nets, 2);
    assert_int_equal(round.switches, 2);
    assert_int_equal(round.pus, 2);
    assert_int_equal(round.conflicts, 0);
    assert_true(np_switch_grid_received(grid, south, &signal, &from));
    assert_int_equal(from, west);
    assert_true(signal.word == 5 && signal.tag == 50);
    assert_true(np_switch_grid_received(grid, east, &signal, NULL) && signal.word == 6);
    assert_false(np_switch_grid_received(grid, west, &signal, NULL)); /* itself only */
    assert_true(np_switch_grid_hears(grid, 0, 1, NP_PORT_W, &signal) && signal.word == 6);
    assert_false(np_switch_grid_hears(grid, 0, 1, NP_PORT_N, &signal));
    np_switch_grid_round(grid, "", &round); /* what was sent is gone */
    assert_int_equal(round.senders, 0);
    assert_false(np_switch_grid_received(grid, south, &signal, NULL));
    assert_int_equal(np_switch_grid_rounds(grid), 2);
    np_switch_grid_free(grid);
}

static void test_three_senders(void **state)
{
    (void)state;
    np_switch_settings settings;
    np_reconfigure_result *result;
    const np_pu_place from[] = {{NP_PORT_W, 0}, {NP_PORT_N, 1}, {NP_PORT_S, 0}, {NP_PORT_E, 1}};
    assert_ok(np_switch_settings_fill(2, 2, NP_SWITCH_WNES, &settings));
    assert_ok(np_reconfigure_broadcast(&settings, 3, from, &plain, &result));
    assert_int_equal(result->conflicts, 1); /* one subnet */
    assert_int_equal(result->round[0].nets, 0);
    assert_int_equal(result->round[0].pus, 0);
    assert_int_equal(result->round[0].switches, 0);
    assert_string_equal(result->wrong, "round 1: the PUs at W0 and N1 send on one subnet");
    np_reconfigure_result_free(result);
    settings.setting[0] = 0xff;
    assert_refused(np_reconfigure_broadcast(&settings, 1, from, &plain, &result), NP_ERROR_INPUT, "255 is no setting");
    settings.setting[0] = NP_SWITCH_APART;
    assert_refused(np_reconfigure_broadcast(&settings, 0, from, &plain, &result), NP_ERROR_INPUT, "no PU sends");
    const np_pu_place beyond = {NP_PORT_E, 2};
    assert_refused(np_reconfigure_broadcast(&settings, 1, &beyond, &plain, &result), NP_ERROR_INPUT, "E0 to E1");
    assert_null(result);
    np_switch_settings_clear(&settings);
}

static void test_limits(void **state)
{
    (void)state;
    np_switch_grid *grid;
    np_reconfigure_result *result;
    uint64_t key = 0;
    uint8_t bit = 2;
    assert_refused(np_switch_grid_create(0, 5, &grid), NP_ERROR_INPUT, "0 x 5 has no switches");
    assert_refused(np_switch_grid_create(4097, 4096, &grid), NP_ERROR_LIMIT, "at most 16777216 switches");
    assert_refused(np_switch_grid_create(UINT64_C(1) << 40, UINT64_C(1) << 40, &grid), NP_ERROR_LIMIT, "at most");
    assert_null(grid);
    assert_refused(np_reconfigure_sort(0, &key, &plain, &result), NP_ERROR_INPUT, "no keys");
    assert_refused(np_reconfigure_sort(257, &key, &plain, &result), NP_ERROR_LIMIT,
                   "sort of 257 keys takes 16974593 switches, more than 16777216: at most 256 keys");
    assert_refused(np_reconfigure_sort(9, &key, &shown, &result), NP_ERROR_LIMIT, "81 x 9 is too large to be drawn");
    assert_refused(np_reconfigure_parity(0, &bit, &plain, &result), NP_ERROR_INPUT, "no bits");
    const np_reconfigure_program *parity, *broadcast;
    assert_ok(np_reconfigure_program_find("parity", &parity));
    assert_ok(np_reconfigure_program_find("broadcast", &broadcast));
    assert_ok(np_reconfigure_check(parity, parity->most));
    assert_refused(np_reconfigure_check(parity, parity->most + 1), NP_ERROR_LIMIT,
                   "parity of 2796203 bits takes 16777218");
    assert_refused(np_reconfigure_check(parity, UINT64_MAX), NP_ERROR_LIMIT, "at most 2796202 bits");
    assert_ok(np_reconfigure_check(broadcast, 0));
    assert_refused(np_reconfigure_parity(1, &bit, &plain, &result), NP_ERROR_INPUT, "bit 0 is 2");
    assert_refused(np_reconfigure_parity(3000000, &bit, &plain, &result), NP_ERROR_LIMIT, "at most 2796202 bits");
}

/* ---- Files of settings ---- */

static void test_read_settings(void **state)
{
    (void)state;
    np_switch_settings settings;
    char *path = support_file("# top first\nWE-NS WN-SE apart\r\n\n  ws-ne\tWNES NS # bottom");
    assert_ok(np_switch_settings_read(path, &settings));
    assert_int_equal(settings.rows, 2);
    assert_int_equal(settings.columns, 3);
    assert_int_equal(settings.setting[0], NP_SWITCH_WS_NE);
    assert_int_equal(settings.setting[1], NP_SWITCH_WNES);
    assert_int_equal(settings.setting[3], NP_SWITCH_WE_NS);
    assert_int_equal(settings.setting[5], NP_SWITCH_APART);
    np_switch_settings_clear(&settings);
    unlink(path);
    free(path);
}

static void refuse_settings(const char *text, const char *why)
{
    np_switch_settings settings;
    char *path = support_file(text);
    assert_refused(np_switch_settings_read(path, &settings), NP_ERROR_INPUT, why);
    assert_null(settings.setting);
    unlink(path);
    free(path);
}

static void test_bad_settings(void **state)
{
    (void)state;
    np_switch_settings settings;
    refuse_settings("", "has no switches");
    refuse_settings("# nothing\n\n", "has no switches");
    refuse_settings("NS NS\nNS WENN\n", ":2: no setting of a switch 'WENN'");
    refuse_settings("NS NS\n\nNS\n", ":3: a row of 1 switches, where the first has 2");
    assert_refused(np_switch_settings_read("none.txt", &settings), NP_ERROR_IO, "none.txt");
}

static void test_places(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "W", "X0", "W-1", "W01", "0W", "W99999999999"};
    np_pu_place place;
    assert_ok(np_pu_place_parse("e12", &place));
    assert_int_equal(place.side, NP_PORT_E);
    assert_int_equal(place.index, 12);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(np_pu_place_parse(bad[i], &place), NP_ERROR_INPUT, "no place of a PU");
}

/* ---- Parity ---- */

static void assert_parity(uint32_t n, const uint8_t *bit, bool announce)
{
    np_reconfigure_result *result;
    uint32_t parity = 0;
    for (uint32_t i = 0; i < n; i++)
        parity ^= bit[i];
    assert_ok(np_reconfigure_parity(n, bit, announce ? &announced : &plain, &result));
    if (!result->correct)
        fail_msg("%u bits: %s", n, result->wrong);
    assert_int_equal(result->parity, parity);
    assert_int_equal(result->rounds, announce ? 3 : 2);
    assert_int_equal(result->pus, n + 3);
    assert_int_equal(result->switches, 6 * (uint64_t)n);
    assert_int_equal(result->rows, 3);
    assert_int_equal(result->conflicts, 0);
    assert_int_equal(result->round[0].senders, n);
    assert_int_equal(result->round[0].switches, 6 * (uint64_t)n);
    assert_int_equal(result->round[1].pus, 1); /* one of the two at the right, and no other */
    if (!announce)
        assert_int_equal(result->settings, 7); /* WE-NS, WN-SE, WS-NE */
    else
        assert_int_equal(result->round[2].pus, n + 2);
    np_reconfigure_result_free(result);
}

static void test_parity_of_all(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 12; n++)
        for (uint32_t word = 0; word < UINT32_C(1) << n; word++) {
            uint8_t bit[12];
            for (uint32_t i = 0; i < n; i++)
                bit[i] = word >> i & 1;
            assert_parity(n, bit, word % 5 == 0);
        }
}

static void test_parity_of_many(void **state)
{
    (void)state;
    static uint8_t bit[5000];
    for (uint32_t n = 13; n <= 5000; n = n * 3 / 2) {
        np_reconfigure_bits(n, n, bit);
        assert_parity(n, bit, false);
    }
}

/*
 * The notes' "switch in row 1" that is straight in column 2i + 1: by following the signal of two ones through the
 * settings that result, with the exception in each row in turn. Only the middle row, 1 if they are counted from 0, is
 * right.
 */
static void test_which_row_is_the_exception(void **state)
{
    (void)state;
    for (uint32_t exception = 0; exception < 3; exception++) {
        const char *name[3 * 4];
        for (uint32_t row = 0; row < 3; row++)
            for (uint32_t column = 0; column < 4; column++)
                name[row * 4 + column] = column % 2 == 0 ? "WN-SE" : row == exception ? "WE-NS" : "WS-NE";
        const oracle_place start = {'W', 0}, even = {'E', 0}, odd = {'E', 1};
        bool right = oracle_switches_joined(3, 4, name, start, even) && !oracle_switches_joined(3, 4, name, start, odd);
        name[2] = name[6] = name[10] = name[3] = name[7] = name[11] = "WE-NS"; /* bits 1 and 0 */
        right =
            right && oracle_switches_joined(3, 4, name, start, odd) && !oracle_switches_joined(3, 4, name, start, even);
        assert_int_equal(right, exception == 1);
    }
}

/* ---- Ranks and sorting ---- */

static void assert_ranks(uint32_t n, const uint64_t *key, const np_reconfigure_result *result)
{
    static bool taken[NP_RECONFIGURE_KEYS_MAX];
    if (!result->correct)
        fail_msg("%u keys: %s", n, result->wrong);
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rank = result->rank[i];
        assert_true(rank < n && !taken[rank]);
        taken[rank] = true;
        for (uint32_t j = 0; j < i; j++) /* equal keys in their order */
            assert_int_equal(result->rank[j] < rank, key[j] <= key[i]);
    }
    assert_int_equal(result->pus, n * n + 2 * n);
    assert_int_equal(result->switches, (uint64_t)n * n * n);
    assert_int_equal(result->conflicts, 0);
    assert_int_equal(result->settings & ~7, 0); /* the three settings of the parity, and no others */
}

static void assert_sorts(uint32_t n, const uint64_t *key)
{
    np_reconfigure_result *ranks, *sorted;
    assert_ok(np_reconfigure_rank(n, key, &plain, &ranks));
    assert_ok(np_reconfigure_sort(n, key, &plain, &sorted));
    assert_int_equal(ranks->rounds, 4);
    assert_int_equal(sorted->rounds, 6); /* for every n */
    assert_ranks(n, key, ranks);
    assert_ranks(n, key, sorted);
    assert_null(ranks->order);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(sorted->order[sorted->rank[i]], i);
    for (uint32_t i = 1; i < n; i++)
        assert_true(key[sorted->order[i - 1]] <= key[sorted->order[i]]);
    np_reconfigure_result_free(ranks);
    np_reconfigure_result_free(sorted);
}

/* Every list of n keys out of n values: all orders, with all kinds of equal keys. */
static void test_sort_all(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 5; n++) {
        uint64_t key[5] = {0};
        for (uint32_t i = 0; i < n;) {
            assert_sorts(n, key);
            for (i = 0; i < n && ++key[i] == n; i++)
                key[i] = 0;
        }
    }
}

static void test_sort_larger(void **state)
{
    (void)state;
    static uint64_t key[64];
    for (uint32_t n = 6; n <= 64; n++)
        for (size_t i = 0; np_list_get(NP_LIST_ORDERS, i); i++) {
            if (n > 16 && (i + n) % 14) /* one of the orders */
                continue;
            assert_ok(np_keys_make(np_list_get(NP_LIST_ORDERS, i)->name, n, n, 0, key));
            assert_sorts(n, key);
        }
    key[0] = UINT64_MAX;
    key[1] = 0;
    key[2] = UINT64_MAX;
    assert_sorts(3, key);
}

/* ---- Pictures ---- */

static void test_pictures(void **state)
{
    (void)state;
    const uint8_t bit[] = {1};
    np_reconfigure_result *result;
    assert_ok(np_reconfigure_parity(1, bit, &shown, &result));
    const np_switch_picture *second = &result->picture[1];
    assert_int_equal(second->setting[0], NP_SWITCH_WN_SE);
    assert_int_equal(second->signal[0], 1 << NP_PORT_W | 1 << NP_PORT_N); /* up at once */
    assert_int_equal(second->signal[2], 1 << NP_PORT_S | 1 << NP_PORT_E);
    assert_int_equal(second->setting[3], NP_SWITCH_WE_NS);
    assert_int_equal(second->signal[3], 1 << NP_PORT_W | 1 << NP_PORT_E);
    assert_int_equal(second->signal[4], 0);
    np_reconfigure_result_free(result);
}

/* ---- No memory ---- */

static np_status run_number(unsigned i, np_reconfigure_result **out)
{
    static const uint64_t key[] = {3, 1, 2};
    static const uint8_t bit[] = {1, 0};
    const np_pu_place from = {NP_PORT_W, 0};
    np_switch_settings settings;
    if (i == 0)
        return np_reconfigure_parity(2, bit, &both, out);
    if (i == 1)
        return np_reconfigure_sort(3, key, &both, out);
    *out = NULL;
    np_status st = np_switch_settings_fill(2, 2, NP_SWITCH_WNES, &settings);
    if (!st)
        st = np_reconfigure_broadcast(&settings, 1, &from, &both, out);
    np_switch_settings_clear(&settings);
    return st;
}

static void test_no_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        for (long n = 1;; n++) {
            np_reconfigure_result *result;
            np_memory_fail_after(n);
            np_status st = run_number(i, &result);
            np_memory_fail_after(0);
            if (!st) {
                assert_true(n > 5);
                np_reconfigure_result_free(result);
                break;
            }
            assert_int_equal(st, NP_ERROR_MEMORY);
            assert_null(result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings),       cmocka_unit_test(test_setting_names),
        cmocka_unit_test(test_subnets),        cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_three_senders),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_read_settings),  cmocka_unit_test(test_bad_settings),
        cmocka_unit_test(test_places),         cmocka_unit_test(test_parity_of_all),
        cmocka_unit_test(test_parity_of_many), cmocka_unit_test(test_which_row_is_the_exception),
        cmocka_unit_test(test_sort_all),       cmocka_unit_test(test_sort_larger),
        cmocka_unit_test(test_pictures),       cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
