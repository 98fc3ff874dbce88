/* See certificate.h. */
#include "oracle/certificate.h"

#include "support.h"

#include <unistd.h>

const char *certificate_path(void)
{
    static char path[100];
    snprintf(path, sizeof path, "/tmp/netpram-test-certificate-%ld.json", (long)getpid());
    return path;
}

char *certificate_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length + 1);
    assert_int_equal(fread(text, 1, *length, file), *length);
    text[*length] = '\0';
    fclose(file);
    return text;
}

void certificate_write(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void certificate_renew_digest(char *text)
{
    char *end = strstr(text, ",\n\"digest\": \"");
    uint64_t hash = 0xcbf29ce484222325;
    char digest[17];
    for (const char *c = text; c < end; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)hash);
    memcpy(end + strlen(",\n\"digest\": \""), digest, 16);
}
