/*
 * What argp of Debian's package gnulib wants to be told, for musl. Only argp_help is taken: the command reads its
 * options itself.
 */
#define _GNU_SOURCE 1
#include <stdbool.h>
#define GNULIB_ARGP_DISABLE_DIRNAME 1
#define HAVE_DECL_PROGRAM_INVOCATION_NAME 1
#define HAVE_DECL_PROGRAM_INVOCATION_SHORT_NAME 1
#define _GL_ATTRIBUTE_DEALLOC(function, argument)
#define _GL_ATTRIBUTE_DEALLOC_FREE
#define _GL_ATTRIBUTE_FORMAT(which)
#define _GL_ATTRIBUTE_MALLOC
#define _GL_ATTRIBUTE_PURE
#define _GL_EXTERN_INLINE static inline
#define _GL_INLINE static inline
#define _GL_INLINE_HEADER_BEGIN
#define _GL_INLINE_HEADER_END
