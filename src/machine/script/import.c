/*
 * import "scan.pram": the file lies beside the one that imports it. A file that several others import is read once: it
 * is known by its device and inode, however it is named. import scan: the text is one of the library's. Who grades
 * programs says which names they may import, and from which folder (np_script_imports).
 */
#include "machine/script/import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parse.h"
#include "base/text.h"
#include "machine/programs/text.h"

enum { FILES = 64, PATH = 1024 }; /* of a program; bytes of a path (ours) */

static const char *shown(const np_source *file) { return *file->name ? file->name : file->path; }

static bool is_of_library(const char *name)
{
    for (size_t i = 0; np_import_entries[i]; i++)
        if (!strcmp(np_import_entries[i]->name, name))
            return true;
    return false;
}

/* A name that the library has is allowed without quotes only: it stands for no file. */
static bool is_allowed(const np_script_imports *from, const char *name, bool quoted)
{
    for (size_t i = 0; i < from->count; i++)
        if (!strcmp(from->allowed[i], name))
            return !quoted || !is_of_library(name);
    return false;
}

/* Beside the importing file, or in the folder that is given. */
static bool find_path(const np_syntax *syntax, const np_source *importer, const char *name, char path[PATH])
{
    const char *slash = strrchr(importer->path, '/');
    int length;
    if (*name == '/')
        length = snprintf(path, PATH, "%s", name);
    else if (syntax->from)
        length = snprintf(path, PATH, "%s/%s", syntax->from->folder, name);
    else
        length = snprintf(path, PATH, "%.*s%s", slash ? (int)(slash - importer->path) + 1 : 0, importer->path, name);
    return length < PATH;
}

/* The file is known, and the import says nothing new or is a mistake. */
static np_status refuse_again(const np_syntax *syntax, np_place place, const char *name, const np_source *importer,
                              const np_source *file)
{
    if (file->open)
        return np_script_raise(syntax, place, NP_ERROR_INPUT,
                               "%.60s imports %.60s, which imports it, itself or by others: a circle", shown(importer),
                               shown(file));
    if (file->importer == (uint32_t)(importer - syntax->file))
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "%.60s is imported in %s already, as %.60s", name,
                               np_script_line_name(syntax, file->at).text, shown(file));
    return NP_OK;
}

static np_status read_file(const np_syntax *syntax, np_pool *pool, np_place place, np_source *file)
{
    size_t all = file->length;
    NP_TEXT_FILE(text, file->path);
    if (text.status)
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "%.250s", np_last_error());
    for (uint32_t i = 0; i < syntax->files; i++)
        all += syntax->file[i].length;
    file->length = text.length;
    if (text.length > NP_SCRIPT_TEXT_MAX - (all < NP_SCRIPT_TEXT_MAX ? all : NP_SCRIPT_TEXT_MAX))
        return np_script_raise(syntax, place, NP_ERROR_LIMIT, "a program of more than %d bytes in all",
                               NP_SCRIPT_TEXT_MAX);
    return np_pool_text(pool, text.data, text.length, &file->text);
}

/* Names those that may be imported, as many as there is room for. */
static np_status refuse_name(const np_syntax *syntax, np_place place, const char *name)
{
    const np_script_imports *from = syntax->from;
    const np_parse_hint hint = np_parse_hint_of(name, from->allowed, from->count);
    if (is_allowed(from, name, false))
        return np_script_raise(syntax, place, NP_ERROR_INPUT,
                               "'%.100s' is of the library: write import %.100s, without quotes", name, name);
    return np_script_raise(syntax, place, NP_ERROR_INPUT, "'%.100s' may not be imported here: %s", name,
                           from->count ? hint.text : "none is allowed");
}

/* What cannot be imported, whatever the file has. */
static np_status check(const np_syntax *syntax, np_place place, const char *name, bool quoted)
{
    if (quoted && !syntax->imports)
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "only a program that is a file imports others");
    if (syntax->from && !is_allowed(syntax->from, name, quoted))
        return refuse_name(syntax, place, name);
    if (!*name || !strcmp(name, "-")) /* which would be the standard input */
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "no file is named");
    if (syntax->files == FILES)
        return np_script_raise(syntax, place, NP_ERROR_LIMIT, "a program of more than %d files", FILES);
    return NP_OK;
}

np_status np_import_file(np_syntax *syntax, np_pool *pool, np_place place, const char *name, uint32_t *out, bool *known)
{
    const np_source *importer = np_script_file_of(syntax, place.line);
    np_source file = {.name = name, .importer = (uint32_t)(importer - syntax->file), .at = place.line};
    struct stat about;
    char path[PATH];
    *known = false;
    *out = syntax->files;
    np_status st = check(syntax, place, name, true);
    if (st)
        return st;
    if (!find_path(syntax, importer, name, path))
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "a path of more than %d bytes", PATH - 1);
    if (stat(path, &about))
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "cannot import '%.150s': %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode)) /* a pipe or a device may never end */
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "cannot import '%.150s': it is no plain file", path);
    for (uint32_t i = 0; i < syntax->files; i++)
        if (syntax->file[i].device == about.st_dev && syntax->file[i].inode == about.st_ino)
            return *known = true, refuse_again(syntax, place, name, importer, &syntax->file[i]);
    file.device = about.st_dev;
    file.inode = about.st_ino;
    if ((st = np_pool_text(pool, path, strlen(path), &file.path)) || (st = read_file(syntax, pool, place, &file)))
        return st;
    return np_script_add_file(syntax, pool, &file);
}

np_status np_import_library(np_syntax *syntax, np_pool *pool, np_place place, const char *name, uint32_t *out,
                            bool *known)
{
    const np_source *importer = np_script_file_of(syntax, place.line);
    const np_import_text *text;
    *known = false;
    *out = syntax->files;
    np_status st = check(syntax, place, name, false);
    if (st)
        return st;
    if (np_registry_find(&np_imports, name, &text))
        return np_script_raise(syntax, place, NP_ERROR_INPUT, "%.200s; a file is named in quotes", np_last_error());
    for (uint32_t i = 0; i < syntax->files; i++)
        if (syntax->file[i].text == text->text)
            return *known = true, refuse_again(syntax, place, name, importer, &syntax->file[i]);
    const np_source file = {.path = text->entry.name,
                            .text = text->text,
                            .name = text->entry.name,
                            .length = text->length,
                            .importer = (uint32_t)(importer - syntax->file),
                            .at = place.line};
    return np_script_add_file(syntax, pool, &file);
}
