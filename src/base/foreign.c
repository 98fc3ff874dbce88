/*
 * Kinds of files that are no text. Their first bytes are registered with the
 * formats (RFC 1952 for gzip, RFC 8878 for Zstandard, PKWARE's APPNOTE for
 * zip, W3C's PNG specification, ...). UTF-16 without a mark is known by its
 * zero bytes: ASCII characters have one in every second place.
 */
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

#define UNPACK "unpack it first"
#define AS_UTF_8 "write it as UTF-8 (iconv -f UTF-16 -t UTF-8)"
#define AS_CSV "save the sheet as CSV"
#define NO_LINES "it has no lines of text"

typedef struct kind {
    const char *bytes;
    size_t length, at; /* at: where in the file they stand */
    np_foreign is;
} kind;

#define MAGIC(text) text, sizeof(text) - 1

static const kind kinds[] = {
    {MAGIC("\x1f\x8b"), 0, {"a gzip file", "unpack it first (gunzip)"}},
    {MAGIC("\xfd"
           "7zXZ\0"),
     0,
     {"an xz file", "unpack it first (unxz)"}},
    {MAGIC("\x28\xb5\x2f\xfd"), 0, {"a Zstandard file", "unpack it first (unzstd)"}},
    {MAGIC("\x31\x41\x59\x26\x53\x59"), 4, {"a bzip2 file", "unpack it first (bunzip2)"}},
    {MAGIC("PK\x03\x04"), 0, {"a zip file", "unpack it first, or save the sheet of a spreadsheet as CSV"}},
    {MAGIC("7z\xbc\xaf\x27\x1c"), 0, {"a 7-zip file", UNPACK}},
    {MAGIC("\x04\x22\x4d\x18"), 0, {"an LZ4 file", "unpack it first (unlz4)"}},
    {MAGIC("\x1f\x9d"), 0, {"a file of compress", "unpack it first (uncompress)"}},
    {MAGIC("ustar"), 257, {"a tar archive", "unpack it first (tar -x)"}},
    {MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), 0, {"an old spreadsheet or document of Office", AS_CSV}},
    {MAGIC("\x89PNG\r\n\x1a\n"), 0, {"a PNG picture", NO_LINES}},
    {MAGIC("\xff\xd8\xff"), 0, {"a JPEG picture", NO_LINES}},
    {MAGIC("GIF8"), 0, {"a GIF picture", NO_LINES}},
    {MAGIC("%PDF-"), 0, {"a PDF document", "write its table as CSV"}},
    {MAGIC("%!PS"), 0, {"a PostScript document", NO_LINES}},
    {MAGIC("{\\rtf"), 0, {"an RTF document", "save it as plain text"}},
    {MAGIC("\x7f"
           "ELF"),
     0,
     {"an ELF program", NO_LINES}},
    {MAGIC("SQLite format 3\0"), 0, {"an SQLite database", "write its table as CSV (.mode csv)"}},
    {MAGIC("\x89HDF\r\n\x1a\n"), 0, {"an HDF5 file", "write its table as CSV"}},
    {MAGIC("PAR1"), 0, {"a Parquet file", "write its table as CSV"}},
    {MAGIC("\x93NUMPY"), 0, {"a NumPy array", "write its numbers as lines (numpy.savetxt)"}},
    {MAGIC("\x80\x02"), 0, {"a Python pickle", "write a text instead"}},
    {MAGIC("\x80\x03"), 0, {"a Python pickle", "write a text instead"}},
    {MAGIC("\x80\x04"), 0, {"a Python pickle", "write a text instead"}},
    {MAGIC("\x80\x05"), 0, {"a Python pickle", "write a text instead"}},
    {MAGIC("\xff\xfe\0\0"), 0, {"a text in UTF-32", "write it as UTF-8 (iconv -f UTF-32 -t UTF-8)"}},
    {MAGIC("\0\0\xfe\xff"), 0, {"a text in UTF-32", "write it as UTF-8 (iconv -f UTF-32 -t UTF-8)"}},
    {MAGIC("\xff\xfe"), 0, {"a text in UTF-16", AS_UTF_8}},
    {MAGIC("\xfe\xff"), 0, {"a text in UTF-16", AS_UTF_8}},
};

static const np_foreign utf_16 = {"a text in UTF-16", AS_UTF_8};

/* Zeros in every second place, and none between them. */
static bool is_utf_16(const char *data, size_t length)
{
    enum { SEEN = 64 };
    size_t zeros[2] = {0, 0}, seen = (length < SEEN ? length : SEEN) & ~(size_t)1;
    for (size_t i = 0; i < seen; i++)
        zeros[i % 2] += !data[i];
    return seen >= 4 && ((!zeros[0] && zeros[1] == seen / 2) || (!zeros[1] && zeros[0] == seen / 2));
}

const np_foreign *np_foreign_of(const char *data, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const kind *k = &kinds[i];
        if (length >= k->at + k->length && !memcmp(data + k->at, k->bytes, k->length))
            return &k->is;
    }
    return is_utf_16(data, length) ? &utf_16 : NULL;
}

static bool is_control(unsigned char c) { return (c < 32 && (c < '\t' || c > '\r')) || c == 127; }

/* The bytes of the character at `at`, RFC 3629; 0: it is none of UTF-8. */
static size_t character(const unsigned char *at, const unsigned char *end)
{
    unsigned char first = *at;
    size_t length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;  /* no longer form of a shorter one */
    unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf; /* no surrogate; none above U+10FFFF */
    if (first < 0x80)
        return 1;
    if ((size_t)(end - at) < length || !length || at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

const char *np_foreign_byte(const char *data, size_t length)
{
    const unsigned char *at = (const unsigned char *)data, *end = at + length;
    while (at < end) {
        size_t bytes = *at < 0x80 ? !is_control(*at) : character(at, end);
        if (!bytes)
            return (const char *)at;
        at += bytes;
    }
    return NULL;
}
