/*
 * Finding entries by name, and the entries registered at run time. These, the thread's last error (status.c) and the
 * test hooks of memory.h are the only mutable state outside of objects.
 */
#include "base/registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_MAX_LENGTH = 31,  /* of a registered name */
    SPEC_NAME_MAX = 79,    /* of a name that is looked up */
    REGISTERED_MAX = 1024, /* ours, in all registries together */
};

/* Items 0 .. count-1 never change. A writer fills the next one, then raises the count. */
static struct {
    pthread_mutex_t lock;
    atomic_size_t count;
    struct {
        const np_registry *registry;
        const np_entry *entry;
    } item[REGISTERED_MAX];
} registered = {.lock = PTHREAD_MUTEX_INITIALIZER};

const void *np_registry_entry(const np_registry *registry, size_t i)
{
    size_t built_in = 0, count = atomic_load_explicit(&registered.count, memory_order_acquire);
    for (; registry->built_in[built_in]; built_in++)
        if (built_in == i)
            return registry->built_in[i];
    i -= built_in;
    for (size_t j = 0; j < count; j++)
        if (registered.item[j].registry == registry && !i--)
            return registered.item[j].entry;
    return NULL;
}

size_t np_registry_count(const np_registry *registry)
{
    size_t count = 0;
    while (np_registry_entry(registry, count))
        count++;
    return count;
}

bool np_registry_built_in(const np_registry *registry, const np_entry *entry)
{
    size_t i = 0;
    while (registry->built_in[i] && registry->built_in[i] != entry)
        i++;
    return registry->built_in[i];
}

/* Is the word one of the words in the text? Spaces separate them. */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    while (*text) {
        size_t next = strcspn(text, " ");
        if (next == length && !memcmp(text, word, length))
            return true;
        text += next + (text[next] == ' ');
    }
    return false;
}

bool np_entry_is(const np_entry *entry, const char *name)
{
    return !strcmp(entry->name, name) || (entry->aliases && has_word(entry->aliases, name));
}

static const np_entry *look_up(const np_registry *registry, const char *name)
{
    const np_entry *entry;
    for (size_t i = 0; (entry = np_registry_entry(registry, i)); i++)
        if (np_entry_is(entry, name))
            return entry;
    return NULL;
}

void np_registry_names(const np_registry *registry, bool (*holds)(const np_entry *entry, const void *context),
                       const void *context, char *names, size_t room)
{
    const np_entry *entry;
    size_t length = 0;
    *names = '\0';
    for (size_t i = 0; length < room && (entry = np_registry_entry(registry, i)); i++)
        if (holds(entry, context))
            length += (size_t)snprintf(names + length, room - length, "%s'%s'", length ? ", " : "", entry->name);
}

np_parse_hint np_registry_hint(const np_registry *registry, const char *operation, const char *word)
{
    const np_entry *entry;
    np_parse_hint hint;
    np_parse_hint_init(&hint, word);
    if (!operation && registry->also)
        np_parse_hint_add(&hint, registry->also);
    for (size_t i = 0; (entry = np_registry_entry(registry, i)); i++)
        if (!operation || !strcmp(entry->operation, operation))
            np_parse_hint_add(&hint, entry->name);
    return hint;
}

/* Raises the error of np_registry_find for an unknown name. */
static np_status registry_refuse(const np_registry *registry, const char *name)
{
    const np_parse_hint hint = np_registry_hint(registry, NULL, name);
    if (!registry->list)
        return NP_RAISE(NP_ERROR_INPUT, "no %s '%.80s': %s", registry->what, name, hint.text);
    return NP_RAISE(NP_ERROR_INPUT, "no %s '%.80s': %s ('netpram list %s' names all)", registry->what, name, hint.text,
                    registry->list);
}

np_status np_registry_find(const np_registry *registry, const char *name, void *out)
{
    const np_entry *entry = look_up(registry, name);
    memcpy(out, &entry, sizeof entry);
    return entry ? NP_OK : registry_refuse(registry, name);
}

np_status np_registry_find_spec(const np_registry *registry, const char *spec, void *out)
{
    char name[SPEC_NAME_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    return np_registry_find(registry, name, out);
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Is the text of this length a name? */
static bool well_formed(const char *text, size_t length)
{
    size_t good = 0;
    while (good < length &&
           (is_letter(text[good]) || (good && ((text[good] >= '0' && text[good] <= '9') || text[good] == '-'))))
        good++;
    return length && length <= NAME_MAX_LENGTH && good == length;
}

static np_status refuse_name(const np_registry *registry, const char *name)
{
    return NP_RAISE(NP_ERROR_INPUT,
                    "a %s cannot be called '%.80s': a name is a letter, then letters, digits and '-', "
                    "%d characters at most",
                    registry->what, name, NAME_MAX_LENGTH);
}

static np_status check_name(const np_registry *registry, const char *text, size_t length)
{
    char name[NAME_MAX_LENGTH + 1];
    if (!well_formed(text, length))
        return refuse_name(registry, text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (look_up(registry, name) || (registry->also && !strcmp(registry->also, name)))
        return NP_RAISE(NP_ERROR_INPUT, "there is a %s '%s' already: choose another name", registry->what, name);
    return NP_OK;
}

/* The name and the aliases. */
static np_status check_names(const np_registry *registry, const np_entry *entry)
{
    np_status st = entry->name ? check_name(registry, entry->name, strlen(entry->name)) : refuse_name(registry, "");
    for (const char *alias = entry->aliases; !st && alias && *alias;) {
        size_t length = strcspn(alias, " ");
        st = check_name(registry, alias, length);
        alias += length + (alias[length] == ' ');
    }
    return st;
}

static np_status check_members(const np_registry *registry, const np_entry *entry, const np_member *member)
{
    if (!entry->help || !entry->source)
        return NP_RAISE(NP_ERROR_INPUT, "%s '%s' lacks its %s: a line for the list (a source may be \"\")",
                        registry->what, entry->name, entry->help ? "source" : "help");
    for (; member && member->name; member++)
        if (member->set != (member->rule == NP_REQUIRED))
            return NP_RAISE(NP_ERROR_INPUT, member->set ? "%s '%s' sets %s: leave it 0 or NULL" : "%s '%s' lacks %s",
                            registry->what, entry->name, member->name);
    return NP_OK;
}

/* With the lock held. */
static np_status add(const np_registry *registry, const np_entry *entry, const np_member *members)
{
    size_t count = atomic_load_explicit(&registered.count, memory_order_relaxed);
    np_status st;
    if ((st = check_names(registry, entry)) || (st = check_members(registry, entry, members)))
        return st;
    if (count == REGISTERED_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%d descriptors are registered: there is no room for %s '%s'", REGISTERED_MAX,
                        registry->what, entry->name);
    registered.item[count].registry = registry;
    registered.item[count].entry = entry;
    atomic_store_explicit(&registered.count, count + 1, memory_order_release);
    return NP_OK;
}

np_status np_registry_add(const np_registry *registry, const np_entry *entry, const np_member *members)
{
    pthread_mutex_lock(&registered.lock);
    np_status st = add(registry, entry, members);
    pthread_mutex_unlock(&registered.lock);
    return st;
}
