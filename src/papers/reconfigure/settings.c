/*
 * Settings of a switch with four ports, and their names.
 *
 * A setting is a partition of {W, N, E, S}. For each port, in order, two bits hold the first port of its group. So a
 * group is named by its first port, and two settings are the same partition if and only if they are the same byte.
 */
#include <string.h>

#include "base/room.h"
#include "base/parse.h"
#include "base/text.h"
#include "papers/reconfigure/settings.h"

static const struct {
    np_switch_setting setting;
    const char *name;
} settings[NP_SWITCH_SETTINGS] = {
    {NP_SWITCH_WE_NS, "WE-NS"},
    {NP_SWITCH_WN_SE, "WN-SE"},
    {NP_SWITCH_WS_NE, "WS-NE"},
    {NP_SWITCH_WNES, "WNES"},
    {NP_SWITCH_APART, "apart"},
    {0 << 0 | 0 << 2 | 2 << 4 | 3 << 6, "WN"},
    {0 << 0 | 1 << 2 | 0 << 4 | 3 << 6, "WE"},
    {0 << 0 | 1 << 2 | 2 << 4 | 0 << 6, "WS"},
    {0 << 0 | 1 << 2 | 1 << 4 | 3 << 6, "NE"},
    {0 << 0 | 1 << 2 | 2 << 4 | 1 << 6, "NS"},
    {0 << 0 | 1 << 2 | 2 << 4 | 2 << 6, "SE"},
    {0 << 0 | 0 << 2 | 0 << 4 | 3 << 6, "WNE"},
    {0 << 0 | 0 << 2 | 2 << 4 | 0 << 6, "WNS"},
    {0 << 0 | 1 << 2 | 0 << 4 | 0 << 6, "WES"},
    {0 << 0 | 1 << 2 | 1 << 4 | 1 << 6, "NES"},
};

static const char letters[NP_SWITCH_PORTS + 1] = "WNES";

char np_switch_port_letter(np_switch_port port) { return letters[port]; }

np_switch_setting np_switch_setting_get(size_t i) { return settings[i].setting; }

/* The i for which np_switch_setting_get(i) is the setting; NP_SWITCH_SETTINGS if the setting is no partition. */
static size_t number_of(np_switch_setting setting)
{
    size_t i = 0;
    while (i < NP_SWITCH_SETTINGS && settings[i].setting != setting)
        i++;
    return i;
}

const char *np_switch_setting_name(np_switch_setting setting)
{
    size_t i = number_of(setting);
    return i < NP_SWITCH_SETTINGS ? settings[i].name : NULL;
}

/* The number of the port, 0..3; NP_SWITCH_PORTS for another letter. */
static unsigned port_of(char letter)
{
    unsigned port = 0;
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    while (port < NP_SWITCH_PORTS && letters[port] != letter)
        port++;
    return port;
}

/* Reads groups of ports with '-' between them; false if the text is something else. */
static bool parse_groups(const char *text, np_switch_setting *out)
{
    unsigned group[NP_SWITCH_PORTS] = {0}, groups = 1; /* 0: not named yet */
    for (const char *p = text; *p; p++) {
        if (*p == '-') {
            if (p == text || p[-1] == '-' || !p[1])
                return false;
            groups++;
            continue;
        }
        unsigned port = port_of(*p);
        if (port == NP_SWITCH_PORTS || group[port])
            return false;
        group[port] = groups;
    }
    *out = 0;
    for (unsigned port = 0; port < NP_SWITCH_PORTS; port++) {
        unsigned first = 0;
        while (first < port && (!group[port] || group[first] != group[port]))
            first++;
        *out |= (np_switch_setting)(first << 2 * port);
    }
    return *text;
}

np_status np_switch_setting_parse(const char *name, np_switch_setting *out)
{
    const char *names[NP_SWITCH_SETTINGS];
    if (!strcmp(name, "apart")) {
        *out = NP_SWITCH_APART;
        return NP_OK;
    }
    np_switch_setting parsed;
    if (parse_groups(name, &parsed)) {
        *out = parsed;
        return NP_OK;
    }
    for (size_t i = 0; i < NP_SWITCH_SETTINGS; i++)
        names[i] = settings[i].name;
    return NP_RAISE(NP_ERROR_INPUT, "no setting of a switch '%.40s': %s", name,
                    np_parse_hint_of(name, names, NP_SWITCH_SETTINGS).text);
}

np_status np_pu_place_parse(const char *text, np_pu_place *out)
{
    uint64_t index;
    unsigned port = *text ? port_of(*text) : NP_SWITCH_PORTS;
    if (port == NP_SWITCH_PORTS || !np_parse_whole(text + 1, 0, NP_SWITCH_GRID_MAX - 1, &index))
        return NP_RAISE(NP_ERROR_INPUT, "no place of a PU '%.40s': it is a side and a row or column, as W0 or N3",
                        text);
    *out = (np_pu_place){(np_switch_port)port, (uint32_t)index};
    return NP_OK;
}

/* ---- Grids of settings ---- */

np_status np_switch_grid_check(uint64_t rows, uint64_t columns)
{
    if (!rows || !columns)
        return NP_RAISE(NP_ERROR_INPUT, "a grid of %llu x %llu has no switches: at least 1 x 1",
                        (unsigned long long)rows, (unsigned long long)columns);
    if (rows > NP_SWITCH_GRID_MAX || columns > NP_SWITCH_GRID_MAX || rows * columns > NP_SWITCH_GRID_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a grid of %llu x %llu is too large: at most %llu switches",
                        (unsigned long long)rows, (unsigned long long)columns, (unsigned long long)NP_SWITCH_GRID_MAX);
    return NP_OK;
}

np_status np_switch_settings_fill(uint64_t rows, uint64_t columns, np_switch_setting setting, np_switch_settings *out)
{
    np_status st;
    *out = (np_switch_settings){0};
    if ((st = np_switch_grid_check(rows, columns)) ||
        (st = np_memory_array(&out->setting, rows * columns, 1, "the settings")))
        return st;
    memset(out->setting, setting, rows * columns);
    out->rows = (uint32_t)rows;
    out->columns = (uint32_t)columns;
    return NP_OK;
}

void np_switch_settings_clear(np_switch_settings *all)
{
    np_memory_free(all->setting);
    *all = (np_switch_settings){0};
}

enum { WORD_MAX = 40 };

/* The words of a file, line by line. */
typedef struct reader {
    const char *path, *at, *end;
    uint64_t line;
} reader;

/* Moves past spaces and comments of the line; false at the line's end. */
static bool more_words(reader *in)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\r'))
        in->at++;
    if (in->at < in->end && *in->at == '#')
        while (in->at < in->end && *in->at != '\n')
            in->at++;
    return in->at < in->end && *in->at != '\n';
}

static np_status read_setting(reader *in, np_switch_setting *out)
{
    char word[WORD_MAX + 1];
    size_t length = 0;
    for (; in->at < in->end && !strchr(" \t\r\n#", *in->at); in->at++)
        if (length < WORD_MAX)
            word[length++] = *in->at; /* a zero byte ends the word (strchr finds it); the next is empty, and refused */
    word[length] = 0;
    np_status st = np_switch_setting_parse(word, out);
    return st ? np_status_prefix(st, "%.200s:%llu: ", in->path, (unsigned long long)in->line) : NP_OK;
}

/* Reads one line; it is a row of the grid if it has words. *room is the number of settings for which there is room. */
static np_status read_row(reader *in, np_switch_settings *out, size_t *room)
{
    np_status st;
    uint32_t words = 0;
    for (; more_words(in); words++) {
        size_t have = (size_t)out->rows * out->columns + words;
        if (have >= NP_SWITCH_GRID_MAX)
            return np_switch_grid_check(NP_SWITCH_GRID_MAX + 1, 1);
        if ((st = np_memory_room(&out->setting, have, room, 1, "the settings")))
            return st;
        if ((st = read_setting(in, &out->setting[have])))
            return st;
    }
    if (words && out->rows && words != out->columns)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s:%llu: a row of %u switches, where the first has %u", in->path,
                        (unsigned long long)in->line, words, out->columns);
    out->rows += words > 0;
    out->columns = words ? words : out->columns;
    return NP_OK;
}

/* Turns the rows over: the file has the top row first. */
static void turn_over(np_switch_settings *all)
{
    for (uint32_t low = 0, high = all->rows - 1; low < high; low++, high--)
        for (uint32_t c = 0; c < all->columns; c++) {
            np_switch_setting *one = &all->setting[(size_t)low * all->columns + c];
            np_switch_setting *other = &all->setting[(size_t)high * all->columns + c], kept = *one;
            *one = *other;
            *other = kept;
        }
}

static np_status read_rows(reader *in, np_switch_settings *out)
{
    np_status st;
    size_t room = 0;
    for (; in->at < in->end; in->at++, in->line++) /* the step goes past the line's end */
        if ((st = read_row(in, out, &room)))
            return st;
    if (!out->rows)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s has no switches: a line of settings, such as WE-NS, for each row",
                        in->path);
    turn_over(out);
    return NP_OK;
}

np_status np_switch_settings_parse(const char *name, const char *text, size_t length, np_switch_settings *out)
{
    reader in = {name, text, text + length, 1};
    *out = (np_switch_settings){0};
    np_status st = read_rows(&in, out);
    if (st)
        np_switch_settings_clear(out);
    return st;
}

np_status np_switch_settings_read(const char *path, np_switch_settings *out)
{
    NP_TEXT_FILE(text, path);
    *out = (np_switch_settings){0};
    return text.status ? text.status : np_switch_settings_parse(path, text.data, text.length, out);
}
