/* See named.h. */
#include "model/family/named.h"

#include <string.h>

static np_named *find(size_t count, np_named *named, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(named[i].name, name))
            return &named[i];
    return NULL;
}

static np_status refuse_name(const np_entry *info, size_t count, const np_named *named, const char *name)
{
    np_parse_hint hint;
    np_parse_hint_init(&hint, name);
    for (size_t i = 0; i < count; i++)
        np_parse_hint_add(&hint, named[i].name);
    return NP_RAISE(NP_ERROR_INPUT, "%s has no parameter '%.60s': %s", info->name, name, hint.text);
}

static np_status read_number(const np_entry *info, np_named *named)
{
    if (!np_parse_whole(named->text, 0, UINT64_MAX, &named->value))
        return NP_RAISE(NP_ERROR_INPUT, "%s: %s '%.60s' must be a whole number, as in %s", info->name, named->name,
                        named->text, info->example);
    if (named->value < named->low)
        return NP_RAISE(NP_ERROR_INPUT, "%s: %s must be at least %llu, not %llu", info->name, named->name,
                        (unsigned long long)named->low, (unsigned long long)named->value);
    if (named->value > named->high)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: %s must be at most %llu, not %llu", info->name, named->name,
                        (unsigned long long)named->high, (unsigned long long)named->value);
    return NP_OK;
}

/* One entry; `place`: how many came before it. */
static np_status read_entry(const np_entry *info, char *entry, size_t place, size_t count, np_named *named)
{
    char *equals = strchr(entry, '=');
    np_named *row;
    if (!equals && place >= count)
        return NP_RAISE(NP_ERROR_INPUT, "%s: '%.60s' is one parameter too many: write %s:%s, as in %s", info->name,
                        entry, info->name, info->parameters, info->example);
    if (equals)
        *equals = 0;
    if (!(row = equals ? find(count, named, entry) : &named[place]))
        return refuse_name(info, count, named, entry);
    if (row->text)
        return NP_RAISE(NP_ERROR_INPUT, "%s: %s is said twice", info->name, row->name);
    row->text = equals ? equals + 1 : entry;
    return row->high ? read_number(info, row) : NP_OK;
}

np_status np_named_read(const np_network *network, const char *parameters, char room[NP_NAMED_ROOM], size_t count,
                        np_named *named)
{
    const np_entry *info = &network->family->info;
    np_status st;
    if (strlen(parameters) >= NP_NAMED_ROOM)
        return NP_RAISE(NP_ERROR_INPUT, "%s: the parameters '%.60s...' are too long: write them as in %s", info->name,
                        parameters, info->example);
    strcpy(room, parameters);
    char *at = room;
    for (size_t place = 0; at && *at; place++) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = 0;
        if ((st = read_entry(info, at, place, count, named)))
            return st;
        at = comma ? comma + 1 : NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (named[i].needed && (!named[i].text || !*named[i].text))
            return NP_RAISE(NP_ERROR_INPUT, "%s:%.60s lacks %s: write %s:%s, as in %s", info->name, parameters,
                            named[i].name, info->name, info->parameters, info->example);
    return NP_OK;
}
