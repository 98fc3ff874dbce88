/* The list is doubly linked, so that an entry leaves it without a search. */
#include "base/temporary.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static np_temporary *first;

void np_temporary_add(np_temporary *temporary, const char *path)
{
    pthread_mutex_lock(&lock);
    *temporary = (np_temporary){.path = path, .next = first, .at = &first};
    if (first)
        first->at = &temporary->next;
    first = temporary;
    pthread_mutex_unlock(&lock);
}

void np_temporary_forget(np_temporary *temporary)
{
    if (!temporary->at)
        return;
    pthread_mutex_lock(&lock);
    *temporary->at = temporary->next;
    if (temporary->next)
        temporary->next->at = temporary->at;
    temporary->at = NULL;
    pthread_mutex_unlock(&lock);
}

void np_temporary_remove(np_temporary *temporary)
{
    if (temporary->at)
        unlink(temporary->path);
    np_temporary_forget(temporary);
}

void np_temporary_remove_all(void)
{
    pthread_mutex_lock(&lock); /* and never released: no file may be made from now on */
    for (const np_temporary *temporary = first; temporary; temporary = temporary->next)
        unlink(temporary->path);
}
