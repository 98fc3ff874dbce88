/*
 * The points of a series, whatever its kind. The keys are the rows of the kind's table. A key has one value for all
 * points, or a list. The lists of a series are equally long and go together: point i has entry i of each. The lists
 * under "sweep" are crossed: there is a point for each choice of one entry from each.
 *
 * A curve is drawn, fitted and compared as one, so a sweep becomes curves. The points of a curve go along the lists
 * that go together; if there are none, along one of the swept keys. Every choice of the other swept keys is a curve.
 */
#include <string.h>

#include "base/memory.h"
#include "lab/experiment/experiment.h"

enum { POINTS_MAX = 1 << 20 }; /* ours: of one series of the file */

/* A series of the file. */
typedef struct sweep {
    const np_experiment_place *at;
    np_experiment_place inside; /* of the keys under "sweep" */
    json_t *object, *swept;     /* swept: the object "sweep"; NULL: there is none */
    const np_series_kind *kind;
    const char *label;
    size_t place, keys;
    const np_field *field[NP_EXPERIMENT_KEYS];
    size_t offset[NP_EXPERIMENT_KEYS];         /* of the field's structure */
    json_t *entries[NP_EXPERIMENT_KEYS];       /* a list; NULL: the key is not given */
    const char *list;                          /* the first of the lists that go together; NULL: none */
    size_t together;                           /* their length; without lists 1 */
    size_t crossed[NP_EXPERIMENT_KEYS], count; /* keys under "sweep", by number */
    size_t along;                              /* the key along which the points of a curve go; `keys`: none */
    size_t points, curves;
    json_t *fit;         /* a list of measures; NULL: none */
    const char *fit_x;   /* an axis of the kind */
    np_network *network; /* of the last point whose key of the kind was chosen; NULL: there is none */
} sweep;

/* ---- Keys ---- */

/* The first row from the *i-th on that is a key, and *offset of its structure; NULL past the last. Moves *i past it. */
static const np_field *key_at(const np_series_kind *kind, size_t *i, size_t *offset)
{
    const np_field *field;
    while ((field = np_fields_row(kind->fields, (*i)++, offset)))
        if (!np_field_listed(kind->hides, field->name) && np_fields_find(kind->fields, field->name) == field)
            return field;
    return NULL;
}

size_t np_series_keys(const np_series_kind *kind, const char **keys, size_t count, size_t most)
{
    const np_field *field;
    size_t offset;
    for (size_t i = 0; count < most && (field = key_at(kind, &i, &offset));)
        keys[count++] = field->name;
    return count;
}

static void find_keys(sweep *s)
{
    const np_field *field;
    size_t offset;
    for (size_t i = 0; s->keys < NP_EXPERIMENT_KEYS && (field = key_at(s->kind, &i, &offset));) {
        s->field[s->keys] = field;
        s->offset[s->keys++] = offset;
    }
}

/* The number of a key; `keys` if there is none of that name. */
static size_t number_of(const sweep *s, const char *name)
{
    size_t i = 0;
    while (i < s->keys && strcmp(s->field[i]->name, name) != 0)
        i++;
    return i;
}

/* ---- Lists ---- */

static bool is_number(const np_field *field)
{
    return !field->set && (field->kind == NP_FIELD_U32 || field->kind == NP_FIELD_U64 || field->kind == NP_FIELD_SEED ||
                           field->kind == NP_FIELD_SIZE || field->kind == NP_FIELD_REAL);
}

/* Appends what one entry of a list stands for. */
static np_status expand(const np_experiment_place *at, const np_field *field, const json_t *value, json_t *list)
{
    np_status st;
    if (!json_is_string(value))
        return json_array_append_new(list, json_deep_copy(value)) ? NP_RAISE(NP_ERROR_MEMORY, "no memory for a list")
                                                                  : NP_OK;
    st = np_experiment_expand(json_string_value(value), is_number(field), list);
    return st == NP_ERROR_INPUT ? np_experiment_prefix(st, at, field->name) : st;
}

/* The entries of a key's list; a text is a list of what it stands for. */
static np_status take_entries(sweep *s, size_t key, const np_experiment_place *at, const json_t *value)
{
    np_status st = NP_OK;
    if (!(s->entries[key] = json_array()))
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for a list");
    if (!json_is_array(value))
        return expand(at, s->field[key], value, s->entries[key]);
    for (size_t i = 0; i < json_array_size(value) && !st; i++)
        st = expand(at, s->field[key], json_array_get(value, i), s->entries[key]);
    if (!st && !json_array_size(value))
        st = np_experiment_refuse(at, s->field[key]->name, "must not be empty");
    return st;
}

/* Takes one more list, which must be as long as the lists before it. */
static np_status take_list(sweep *s, size_t key, const json_t *value)
{
    char why[120];
    const char *name = s->field[key]->name;
    np_status st = take_entries(s, key, s->at, value);
    if (st)
        return st;
    if (s->list && json_array_size(s->entries[key]) != s->together) {
        snprintf(why, sizeof why, "a list beside that of '%s' must be as long: the points go along both", s->list);
        return np_experiment_refuse(s->at, name, why);
    }
    s->list = s->list ? s->list : name;
    s->together = json_array_size(s->entries[key]);
    return NP_OK;
}

/* The values that all points have, and the lists that go together. */
static np_status take_values(sweep *s)
{
    np_status st = NP_OK;
    s->together = 1;
    for (size_t i = 0; i < s->keys && !st; i++) {
        json_t *value = json_object_get(s->object, s->field[i]->name);
        if (json_is_array(value))
            st = take_list(s, i, value);
        else if (value)
            s->entries[i] = json_pack("[O]", value);
        if (value && !s->entries[i])
            st = NP_RAISE(NP_ERROR_MEMORY, "no memory for a list");
    }
    return st;
}

static np_status take_crossed(sweep *s)
{
    const char *name, *names[NP_EXPERIMENT_KEYS];
    json_t *value;
    np_status st;
    if (!s->swept)
        return NP_OK;
    if ((st = np_experiment_object(&s->inside, s->swept)) ||
        (st = np_experiment_check_keys(&s->inside, s->swept, names, np_series_keys(s->kind, names, 0, s->keys))))
        return st;
    json_object_foreach(s->swept, name, value)
    {
        size_t key = number_of(s, name);
        if (s->entries[key])
            return np_experiment_refuse(&s->inside, name, "is given outside of the sweep, too");
        if ((st = take_entries(s, key, &s->inside, value)))
            return st;
        s->crossed[s->count++] = key;
    }
    return NP_OK;
}

/* The keys that all series of the kind have. */
static np_status check_needed(const sweep *s)
{
    const np_series_kind *kind = s->kind;
    json_t *name = json_object_get(s->object, kind->key), *list;
    if (name && !json_is_string(name) && !json_is_array(name))
        return np_experiment_refuse_type(s->at, kind->key, "a string", name);
    for (size_t i = 0; i < s->keys; i++)
        if (!s->entries[i] && np_field_listed(kind->needs, s->field[i]->name))
            return np_experiment_refuse_type(s->at, s->field[i]->name, "a string", NULL);
    if (!kind->along || json_object_get(s->swept, kind->along))
        return NP_OK;
    return np_experiment_list(s->at, s->object, kind->along, "strings", &list);
}

/* ---- Curves ---- */

/* The crossed key that is an axis of charts; else the first with several entries, else the first. */
static size_t preferred(const sweep *s)
{
    size_t found = s->count;
    for (size_t i = s->count; i--;) {
        bool axis = false, several = json_array_size(s->entries[s->crossed[i]]) > 1;
        for (const np_experiment_axis *a = s->kind->axes; a->name; a++)
            axis = axis || !strcmp(a->name, s->field[s->crossed[i]]->name);
        if (axis && several)
            return s->crossed[i];
        found = several ? i : found;
    }
    return s->crossed[found < s->count ? found : 0];
}

/* Which key the points of a curve go along: the key "along", else that of the kind, else the preferred one. */
static np_status choose_along(sweep *s)
{
    const json_t *value = json_object_get(s->object, "along");
    const char *name = value ? json_string_value(value) : s->kind->along;
    size_t key = name ? number_of(s, name) : s->keys;
    bool swept = key < s->keys && json_object_get(s->swept, name);
    s->along = s->keys;
    if (value && !swept)
        return np_experiment_refuse(s->at, "along", "must be one of the keys under \"sweep\"");
    if (swept && (value || !s->list))
        s->along = key;
    else if (s->count && !s->list)
        s->along = preferred(s);
    return NP_OK;
}

static np_status count_points(sweep *s)
{
    s->points = s->together;
    s->curves = 1;
    for (size_t i = 0; i < s->count; i++) {
        size_t entries = json_array_size(s->entries[s->crossed[i]]);
        *(s->crossed[i] == s->along ? &s->points : &s->curves) *= entries;
        if (s->points > POINTS_MAX || s->curves > POINTS_MAX / s->points)
            return NP_RAISE(NP_ERROR_LIMIT, "%s: %s: more than %d points", s->at->source, s->at->path, POINTS_MAX);
    }
    return NP_OK;
}

/* "fit" is a measure, or a list of them; "fit_x" is an axis. */
static np_status take_fit(sweep *s)
{
    json_t *fit = json_object_get(s->object, "fit"), *x = json_object_get(s->object, "fit_x");
    const np_experiment_axis *axis = s->kind->axes;
    if (json_is_string(fit)) { /* from now on a list */
        if (json_object_set_new(s->object, "fit", json_pack("[O]", fit)))
            return NP_RAISE(NP_ERROR_MEMORY, "no memory for a list");
        fit = json_object_get(s->object, "fit");
    }
    for (size_t i = 0; i < json_array_size(fit); i++) {
        const char *y = json_string_value(json_array_get(fit, i));
        np_status st = y ? np_experiment_check_measure(s->kind, y) : NP_ERROR_INPUT;
        if (st)
            return y ? np_experiment_prefix(st, s->at, "fit")
                     : np_experiment_refuse(s->at, "fit", "must be a measure or a list of measures");
    }
    if (fit && !json_array_size(fit))
        return np_experiment_refuse(s->at, "fit", "must be a measure or a list of measures");
    while (x && axis->name && (!json_is_string(x) || strcmp(axis->name, json_string_value(x)) != 0))
        axis++;
    if (!axis->name)
        return np_experiment_refuse(s->at, "fit_x", "must be an axis of this kind of series, as x of a plot");
    s->fit = fit;
    s->fit_x = axis->name;
    return NP_OK;
}

/* Which entry of its list a key has at a point of a curve. The last of the crossed keys changes first. */
static size_t entry_of(const sweep *s, size_t curve, size_t point, size_t key)
{
    size_t along = s->along < s->keys ? json_array_size(s->entries[s->along]) : 1;
    if (key == s->along)
        return point % along;
    for (size_t i = s->count; i--;) {
        size_t entries = json_array_size(s->entries[s->crossed[i]]);
        if (s->crossed[i] == s->along)
            continue;
        if (s->crossed[i] == key)
            return curve % entries;
        curve /= entries;
    }
    return json_array_size(s->entries[key]) > 1 ? point / along : 0;
}

static bool is_crossed(const sweep *s, size_t key)
{
    return s->swept && json_object_get(s->swept, s->field[key]->name) != NULL;
}

/* "queue[1]"; "queue" if there is no list, and of a command line. */
static void name_entry(const sweep *s, size_t key, size_t i, size_t size, char *out)
{
    bool listed = is_crossed(s, key) || json_is_array(json_object_get(s->object, s->field[key]->name));
    snprintf(out, size, listed && *s->at->path ? "%s[%zu]" : "%s", s->field[key]->name, i);
}

/* The text of a key at a point. */
static np_status text_at(const sweep *s, size_t curve, size_t point, size_t key, size_t size, char *room,
                         const char **text)
{
    size_t i = entry_of(s, curve, point, key);
    const json_t *value = json_array_get(s->entries[key], i);
    bool crossed = is_crossed(s, key);
    char place[48];
    if (crossed && json_is_string(value)) { /* as on a command line */
        *text = json_string_value(value);
        return NP_OK;
    }
    name_entry(s, key, i, sizeof place, place);
    return np_experiment_text(crossed ? &s->inside : s->at, place, s->field[key], value, size, room, text);
}

/* Sets a key that the file gives, and keeps its text. */
static np_status set_key(const sweep *s, size_t curve, size_t point, size_t key, np_series *series)
{
    char room[NP_EXPERIMENT_NUMBER], place[48];
    char **kept = &series->text[point * series->keys + key];
    const char *text;
    np_status st = text_at(s, curve, point, key, sizeof room, room, &text);
    if (st)
        return st;
    if (!(*kept = np_memory_text(text)))
        return np_status_last();
    name_entry(s, key, entry_of(s, curve, point, key), sizeof place, place);
    return np_experiment_set(is_crossed(s, key) ? &s->inside : s->at, place, s->field[key],
                             (char *)np_series_options(series, point) + s->offset[key], *kept);
}

/* The seed and the number of runs are the experiment's, unless the series has its own. */
static void set_common(const sweep *s, const np_experiment *e, void *options)
{
    for (size_t i = 0; i < s->keys; i++) {
        char *place = (char *)options + s->offset[i] + s->field[i]->at;
        if (!strcmp(s->field[i]->name, "seed"))
            *(uint64_t *)(void *)place = e->seed;
        else if (!strcmp(s->field[i]->name, "runs"))
            *(uint32_t *)(void *)place = e->runs;
    }
}

/* Of a command line that does not have the key of the kind. */
static np_status choose_key(sweep *s, size_t point, size_t key, np_series *series)
{
    void *options = np_series_options(series, point);
    char **kept = &series->text[point * series->keys + key];
    const char *value;
    np_status st = s->kind->choose(options, &s->network, &value);
    if (st)
        return st;
    if (!(*kept = np_memory_text(value)))
        return np_status_last();
    return np_experiment_set(s->at, s->kind->key, s->field[key], (char *)options + s->offset[key], *kept);
}

static np_status parse_point(sweep *s, const np_experiment *e, size_t curve, size_t point, np_series *series)
{
    void *options = np_series_options(series, point);
    np_status st = NP_OK;
    np_fields_init(s->kind->fields, options);
    set_common(s, e, options);
    for (size_t i = 0; i < s->keys && !st; i++)
        if (s->entries[i])
            st = set_key(s, curve, point, i, series);
    size_t key = number_of(s, s->kind->key);
    return st || s->entries[key] ? st : choose_key(s, point, key, series);
}

/* What the label says of a crossed key: a name by itself, a number with its key. */
static int label_part(const sweep *s, size_t curve, size_t key, size_t size, char *out)
{
    char room[NP_EXPERIMENT_NUMBER];
    const char *text;
    bool plain = s->field[key]->kind == NP_FIELD_TEXT || s->field[key]->kind == NP_FIELD_WORD;
    if (text_at(s, curve, 0, key, sizeof room, room, &text))
        return 0; /* the points are parsed, too, and refused with the place */
    return plain ? snprintf(out, size, "; %s", text) : snprintf(out, size, "; %s %s", s->field[key]->name, text);
}

static np_status make_label(const sweep *s, const np_experiment *e, size_t curve, np_series *series)
{
    char label[512];
    bool plain = e->line && s->curves > 1; /* on a command line the choice alone tells the curves apart */
    size_t length = (size_t)snprintf(label, sizeof label, "%s", plain ? "" : s->label);
    for (size_t i = 0; i < s->count && length < sizeof label; i++)
        if (s->crossed[i] != s->along && json_array_size(s->entries[s->crossed[i]]) > 1)
            length += (size_t)label_part(s, curve, s->crossed[i], sizeof label - length, label + length);
    series->label = np_memory_text(plain ? label + strlen("; ") : label);
    return series->label ? NP_OK : np_status_last();
}

static np_status parse_curve(sweep *s, const np_experiment *e, size_t curve, np_series *series)
{
    np_status st;
    *series = (np_series){.base = s->label,
                          .place = s->place,
                          .kind = s->kind,
                          .list = s->list,
                          .points = s->points,
                          .keys = s->keys,
                          .crossed = s->count > 0,
                          .fit = s->fit,
                          .fit_x = s->fit_x,
                          .against = e->series - 1};
    if ((st = make_label(s, e, curve, series)) ||
        (st = np_memory_zeroed(&series->options, s->points, s->kind->fields->size, "an experiment")) ||
        (st = np_memory_zeroed(&series->text, s->points * s->keys, sizeof *series->text, "an experiment")))
        return st;
    for (size_t i = 0; i < s->points && !st; i++)
        st = parse_point(s, e, curve, i, series);
    return st;
}

static np_status parse_curves(sweep *s, np_experiment *e)
{
    np_status st = np_memory_grow(&e->serie, e->series, e->series + s->curves, sizeof *e->serie, "an experiment");
    for (size_t i = 0; i < s->curves && !st; i++)
        st = parse_curve(s, e, i, &e->serie[e->series++]);
    return st;
}

np_status np_series_parse(const np_experiment_place *at, np_experiment *e, json_t *object, const np_series_kind *kind,
                          size_t place)
{
    sweep s = {.at = at, .object = object, .swept = json_object_get(object, "sweep"), .kind = kind, .place = place};
    np_status st;
    s.label = json_string_value(json_object_get(object, "label"));
    s.inside = (np_experiment_place){.source = at->source};
    if (!e->line)
        snprintf(s.inside.path, sizeof s.inside.path, "%.80s.sweep", at->path);
    find_keys(&s);
    if (!(st = take_values(&s)) && !(st = take_crossed(&s)) && !(st = check_needed(&s)) && !(st = choose_along(&s)) &&
        !(st = take_fit(&s)) && !(st = count_points(&s)))
        st = parse_curves(&s, e);
    for (size_t i = 0; i < s.keys; i++)
        json_decref(s.entries[i]);
    np_network_free(s.network);
    return st;
}

void np_series_clear(np_series *series)
{
    for (size_t i = 0; series->text && i < series->points * series->keys; i++)
        np_memory_free(series->text[i]);
    NP_MEMORY_FREE(series->text, series->options, series->label);
}

/* ---- Pairs of curves ---- */

/* The text of a key at a point; "" for a key that the kind does not have. */
static const char *text_of(const np_series *series, size_t number, const char *key, char *room)
{
    const char *text = np_series_text(series, number, key, NP_EXPERIMENT_NUMBER, room);
    return text ? text : "";
}

static bool same_text(const np_series *a, const np_series *b, size_t number, const char *key)
{
    char first[NP_EXPERIMENT_NUMBER], second[NP_EXPERIMENT_NUMBER];
    return !strcmp(text_of(a, number, key, first), text_of(b, number, key, second));
}

/* Does `other` have what `series` has, but for the keys in `choice`, where it has their values? */
static bool is_choice(const np_series *series, const np_series *other, json_t *choice)
{
    const char *keys[NP_EXPERIMENT_KEYS];
    size_t count = np_series_keys(series->kind, keys, 0, NP_EXPERIMENT_KEYS);
    bool is = other->place == series->place;
    for (size_t i = 0; i < count && is; i++) {
        char room[NP_EXPERIMENT_NUMBER];
        const json_t *value = json_object_get(choice, keys[i]);
        is = value ? !strcmp(text_of(other, 0, keys[i], room), json_string_value(value))
                   : same_text(series, other, 0, keys[i]);
    }
    return is;
}

/* The points of two curves pair up if what the draws depend on is the same. */
static bool pairs_up(const np_series *a, const np_series *b)
{
    const char *keys[NP_EXPERIMENT_KEYS];
    size_t count = np_series_keys(a->kind, keys, 0, NP_EXPERIMENT_KEYS);
    bool same = a->kind == b->kind && a->points == b->points;
    for (size_t p = 0; p < a->points && same; p++)
        for (size_t i = 0; i < count && same; i++)
            same = !np_field_listed(a->kind->draws, keys[i]) || same_text(a, b, p, keys[i]);
    return same;
}

/* Every value of the choice is a text of a key of the kind. */
static np_status check_choice(const np_experiment_place *at, const np_series *series, json_t *choice)
{
    const char *key, *keys[NP_EXPERIMENT_KEYS];
    json_t *value;
    size_t count = np_series_keys(series->kind, keys, 0, NP_EXPERIMENT_KEYS);
    np_status st = np_experiment_check_keys(at, choice, keys, count);
    json_object_foreach(choice, key, value)
    {
        if (!st && !json_is_string(value))
            st = np_experiment_refuse(at, "against", "must be a label, or keys with their values as strings");
    }
    return st;
}

/* The curve that a series is to be compared with. */
static np_status find_partner(const np_experiment *e, const np_experiment_place *at, np_series *series, json_t *against)
{
    np_status st = json_is_object(against) ? check_choice(at, series, against) : NP_OK;
    const char *label = json_string_value(against);
    if (st)
        return st;
    if (!label && !json_is_object(against))
        return np_experiment_refuse(at, "against", "must be a label, or keys with their values as strings");
    for (size_t i = 0; i < e->series; i++) {
        const np_series *other = &e->serie[i];
        if (label ? strcmp(other->label, label) != 0 : !is_choice(series, other, against))
            continue;
        if (!pairs_up(series, other))
            return np_experiment_refuse(at, "against",
                                        "the points of that series have other draws: networks, traffic, "
                                        "seed and the like must be the same");
        series->against = i;
        return NP_OK;
    }
    return np_experiment_refuse(at, "against", "there is no such series");
}

/* Is some curve of the series of the file compared with another one? */
static bool compares(const np_experiment *e, size_t place)
{
    bool some = false;
    for (size_t i = 0; i < e->series; i++)
        some = some || (e->serie[i].place == place && e->serie[i].against != i);
    return some;
}

np_status np_series_pair(np_experiment *e)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < e->series && !st; i++) {
        np_experiment_place at = {.source = e->source};
        json_t *object = json_array_get(json_object_get(e->root, "series"), e->serie[i].place);
        json_t *against = json_object_get(object, "against");
        if (!e->line)
            snprintf(at.path, sizeof at.path, "series[%zu]", e->serie[i].place);
        if (against)
            st = find_partner(e, &at, &e->serie[i], against);
        bool last = i + 1 == e->series || e->serie[i + 1].place != e->serie[i].place;
        if (against && last && !st && !compares(e, e->serie[i].place))
            st = np_experiment_refuse(&at, "against", "there is no other curve to compare with it");
    }
    return st;
}

/* ---- What a point has ---- */

void *np_series_options(const np_series *series, size_t number)
{
    return series->options + number * series->kind->fields->size;
}

const char *np_series_spec(const np_series *series, size_t number)
{
    return *(const char **)((char *)np_series_options(series, number) + series->kind->spec);
}

const char *np_series_given(const np_series *series, size_t number, size_t *i)
{
    const char *keys[NP_EXPERIMENT_KEYS];
    size_t count = np_series_keys(series->kind, keys, 0, NP_EXPERIMENT_KEYS);
    while (*i < count)
        if (series->text[number * series->keys + (*i)++])
            return keys[*i - 1];
    return NULL;
}

/* The default as text. "": it is no value, but depends on other things. */
static const char *default_of(const np_series *series, const np_field *field, const void *options, size_t size,
                              char *room)
{
    np_value value;
    bool known = field->preset || field->kind == NP_FIELD_WORD || field->kind == NP_FIELD_BOOL;
    *room = '\0';
    if (known && !np_field_listed(series->kind->own, field->name) && np_field_get(field, options, &value))
        np_value_text(&value, size, room);
    return room;
}

const char *np_series_text(const np_series *series, size_t number, const char *key, size_t size, char *room)
{
    const np_field *field;
    size_t offset, k = 0;
    for (size_t i = 0; (field = key_at(series->kind, &i, &offset)); k++)
        if (!strcmp(field->name, key)) {
            const char *text = series->text[number * series->keys + k];
            const char *options = (const char *)np_series_options(series, number) + offset;
            return text ? text : default_of(series, field, options, size, room);
        }
    return NULL;
}

/* ---- Messages ---- */

/* "with queue fifo, networks hypercube:3": what a point of a sweep has of the keys that the file gives. */
static void describe(const np_series *series, size_t number, size_t size, char *out)
{
    size_t length = 0, i = 0;
    for (const char *key; length < size && (key = np_series_given(series, number, &i));) {
        char room[NP_EXPERIMENT_NUMBER];
        length += (size_t)snprintf(out + length, size - length, "%s%s %s", length ? ", " : "", key,
                                   np_series_text(series, number, key, sizeof room, room));
    }
}

np_status np_experiment_at_point(const np_experiment_job *job, const np_experiment_point *point, np_status st)
{
    const np_series *series = &job->experiment->serie[point->series];
    const char *source = job->experiment->source;
    char what[200] = "";
    if (!st)
        return NP_OK;
    if (series->crossed)
        describe(series, point->number, sizeof what, what);
    else if (series->list)
        snprintf(what, sizeof what, "%s[%zu]", series->list, point->number);
    if (job->experiment->line)
        return np_status_prefix(st, "%s: with %s: ", source, what);
    if (!*what)
        return np_status_prefix(st, "%s: series[%zu]: ", source, series->place);
    return np_status_prefix(st, "%s: series[%zu], with %s: ", source, series->place, what);
}

np_status np_experiment_at_key(const np_experiment_job *job, const np_experiment_point *point, const char *key,
                               np_status st)
{
    const np_series *series = &job->experiment->serie[point->series];
    if (job->experiment->line)
        return np_status_prefix(st, "%s: %s: ", job->experiment->source, key);
    return np_status_prefix(st, "%s: series[%zu].%s: ", job->experiment->source, series->place, key);
}
