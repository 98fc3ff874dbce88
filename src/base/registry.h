/*
 * Registries: how a descriptor is found by its name. There is one registry
 * for each kind of descriptor. The first member of every descriptor is its
 * np_entry, so a pointer to the entry is a pointer to the descriptor.
 *
 * A registry is const: the built-in entries, and the words that errors use.
 * Entries registered at run time are kept in registry.c, which holds them for
 * all registries. They are only ever added, under a lock; readers take none.
 *
 * Several entries of one registry may share a name, each for other networks.
 * np_registry_find gives the first of them.
 */
#pragma once

#include "base/parse.h"
#include "base/status.h"

/* A list of names that ends with NULL. */
#define NP_NAMES(...)                                                                                                  \
    (const char *const[]) { __VA_ARGS__, NULL }

typedef struct np_registry {
    const char *list;                /* "networks": the name of the list; NULL: netpram list has none */
    const char *title;               /* the line above the list */
    const char *what;                /* "network family": what errors call one */
    const char *also;                /* a name that stands for one of the entries, by the kind's own rule; or NULL */
    const np_entry *const *built_in; /* NULL-terminated */
} np_registry;

/* The i-th descriptor: the built-in ones first, then the registered ones. NULL past the last. */
const void *np_registry_entry(const np_registry *registry, size_t i);
size_t np_registry_count(const np_registry *registry);

/* Is it a built-in entry, not a registered one? */
bool np_registry_built_in(const np_registry *registry, const np_entry *entry);

/* Is it the entry's name, or one of its aliases? */
bool np_entry_is(const np_entry *entry, const char *name);

/* *out, a pointer to a const descriptor, = the first of the name; else NULL, and NP_ERROR_INPUT names the nearest. */
np_status np_registry_find(const np_registry *registry, const char *name, void *out) NP_CHECKED;

/* The same for a spec such as "mesh:4x4": the name ends at the first colon. */
np_status np_registry_find_spec(const np_registry *registry, const char *spec, void *out) NP_CHECKED;

/* Lists the names of the entries for which `holds` is true: "'ranked', 'waves'"; "" if there are none. */
void np_registry_names(const np_registry *registry, bool (*holds)(const np_entry *entry, const void *context),
                       const void *context, char *names, size_t room);

/* What to say of an unknown word among the names of the entries for the operation (NULL: of all entries). */
np_parse_hint np_registry_hint(const np_registry *registry, const char *operation, const char *word);

/* A member of a descriptor that a program registers: it must be set, or it is the library's own and must not be set. */
typedef struct np_member {
    const char *name;
    enum { NP_REQUIRED, NP_RESERVED } rule;
    bool set;
} np_member;

/*
 * Adds an entry, which must last as long as the process, if its descriptor obeys the rules of its members. The list of
 * members ends with an empty one; NULL: there is none. Any thread may call it.
 * NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 at most) or taken, the
 * help or the source is missing, or a member breaks its rule; NP_ERROR_LIMIT: there are too many entries.
 */
np_status np_registry_add(const np_registry *registry, const np_entry *entry, const np_member *members) NP_CHECKED;

/*
 * What a list names of the annex (src/papers, src/show/papers): nothing in a build without it, -DNETPRAM_PAPERS=OFF. In
 * lists alone: NP_ENTRIES(&np_hypercube.info, NP_PAPERS(&np_own.info, ) &np_mesh.info). Nothing else of the core knows
 * the annex (tests/cli/annex).
 */
#ifndef NETPRAM_PAPERS
#define NETPRAM_PAPERS 1
#endif
#if NETPRAM_PAPERS
#define NP_PAPERS(...) __VA_ARGS__
#else
#define NP_PAPERS(...)
#endif

/* A list of nothing but the entries of these descriptors: NP_ENTRIES(&np_hypercube.info, ...). */
#define NP_ENTRIES(...) ((const np_entry *const[]){__VA_ARGS__, NULL})
