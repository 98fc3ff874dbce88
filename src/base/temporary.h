/*
 * Files that are to be removed if the program is ended from outside. The list has the names of all temporary files
 * that exist. A program that ends by a signal removes them from a thread that may wait for a lock, not from a handler.
 */
#ifndef NP_BASE_TEMPORARY_H
#define NP_BASE_TEMPORARY_H

#include "base/export.h"

/* An entry of the list. The owner of the file owns the entry and its path. */
typedef struct np_temporary {
    const char *path;
    struct np_temporary *next, **at; /* at: the pointer to this entry; NULL: not in the list */
} np_temporary;

/* Adds the path to the list. Called before the file is made. */
NP_FOR_REPORT void np_temporary_add(np_temporary *temporary, const char *path);

/* The file is renamed, or was not made: takes it off the list. An entry that is not in the list is left as it is. */
NP_FOR_REPORT void np_temporary_forget(np_temporary *temporary);

/* Removes the file and takes it off the list, likewise. */
NP_FOR_REPORT void np_temporary_remove(np_temporary *temporary);

/* Removes all files of the list. The program is about to end: every later call of the functions above waits for ever. */
void np_temporary_remove_all(void);

#endif
