/* Certificates of throughput as files, and what one who forges them can do. */
#ifndef NP_ORACLE_CERTIFICATE_H
#define NP_ORACLE_CERTIFICATE_H

#include <stddef.h>

/* A name for a file that goes with the process. */
const char *certificate_path(void);

/* All of a file, with a '\0' behind; the caller frees it. */
char *certificate_read(const char *path, size_t *length);
void certificate_write(const char *path, const char *text, size_t length);

/* FNV-1a of what is before the digest, written anew. */
void certificate_renew_digest(char *text);

#endif
