/* argp of gnulib, which wants its config.h first. */
#include "config.h"

#include "gnulib/argp.h"
