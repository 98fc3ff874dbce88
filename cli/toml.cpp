// See toml.h. Compiled without exceptions: toml++ gives a result or an error.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include "toml.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace
{

void put_text(std::string &to, std::string_view text)
{
    to += '"';
    for (unsigned char c : text) {
        char escaped[8];
        if (c == '"' || c == '\\' || c < ' ') {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            to += escaped;
        } else
            to += static_cast<char>(c);
    }
    to += '"';
}

// Dates, times, infinities and NaN become null, which no key of a task takes.
void put(std::string &to, const toml::node &node)
{
    char number[64];
    const char *between = "";
    if (const toml::table *table = node.as_table()) {
        to += '{';
        for (const auto &[key, value] : *table) {
            to += between;
            put_text(to, key.str());
            to += ':';
            put(to, value);
            between = ",";
        }
        to += '}';
    } else if (const toml::array *array = node.as_array()) {
        to += '[';
        for (const toml::node &value : *array) {
            to += between;
            put(to, value);
            between = ",";
        }
        to += ']';
    } else if (const auto *text = node.as_string()) {
        put_text(to, text->get());
    } else if (const auto *whole = node.as_integer()) {
        to.append(number, std::to_chars(number, number + sizeof number, whole->get()).ptr);
    } else if (const auto *real = node.as_floating_point()) {
        const double value = real->get();
        std::string_view written(
            number, static_cast<size_t>(std::to_chars(number, number + sizeof number, value).ptr - number));
        to += value - value != 0 ? "null" : written;
        if (value - value == 0 && written.find_first_of(".e") == std::string_view::npos)
            to += ".0";
    } else if (const auto *truth = node.as_boolean()) {
        to += truth->get() ? "true" : "false";
    } else
        to += "null";
}

} // namespace

char *cli_toml_json(const char *text, size_t length, size_t *json_length, char *message, size_t room)
{
    const toml::parse_result parsed = toml::parse(std::string_view(text, length));
    if (!parsed) {
        const toml::parse_error &error = parsed.error();
        snprintf(message, room, "line %u: %.*s", static_cast<unsigned>(error.source().begin.line),
                 static_cast<int>(error.description().size()), error.description().data());
        return nullptr;
    }
    std::string json;
    put(json, parsed.table());
    *message = 0;
    *json_length = json.size();
    char *copy = static_cast<char *>(malloc(json.size() + 1));
    if (copy)
        memcpy(copy, json.c_str(), json.size() + 1);
    return copy;
}
