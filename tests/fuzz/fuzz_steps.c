/* Programs of guests: refused with "fuzz: ..." or "fuzz:line: ...", or no link, or node on a bus, has two packets in a
 * step. */
#include "fuzz.h"

#include "papers/universal/program.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$line\n|$line\n$file|$line\n$file|$line\n$file"},
    {"line", "$step $who $who|$step $who|$step $number $who|# $bytes|"},
    {"step", "1|2|3|$number"},
    {"who", "0|1|2|a|b|$number"},
    {NULL, NULL},
};

static void check_program(const np_guest_program *program, const np_guest *guest)
{
    FUZZ_CHECK(program->steps > 0 && program->row[0] == 0 &&
               program->row[program->steps] > program->row[program->steps - 1]);
    for (uint32_t t = 0; t < program->steps; t++) {
        uint32_t used = 0; /* of 6 links, or 5 nodes on buses */
        FUZZ_CHECK(program->row[t + 1] >= program->row[t]);
        for (uint32_t i = program->row[t]; i < program->row[t + 1]; i++) {
            FUZZ_CHECK(program->group[i] < guest->row[guest->groups] && !(used >> program->group[i] & 1));
            used |= UINT32_C(1) << program->group[i];
        }
    }
}

static void try_to_parse(const np_guest *guest, bool schedule, const uint8_t *data, size_t size)
{
    np_guest_program program = {0};
    np_status st = np_guest_program_parse(guest, schedule, "fuzz", (const char *)data, size, &program);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT);
        fuzz_check_message("fuzz:");
    } else {
        check_program(&program, guest);
    }
    np_guest_program_clear(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "a: 0 1 2\nb: 1 2\n";
    static np_network *ring;
    static np_guest links, buses;
    if (!ring) {
        FUZZ_CHECK(!np_network_create("ring:3", &ring) && !np_guest_of_network(ring, false, &links));
        FUZZ_CHECK(!np_guest_parse_buses("buses", text, sizeof text - 1, &buses));
    }
    try_to_parse(&links, false, data, size);
    try_to_parse(&links, true, data, size);
    try_to_parse(&buses, false, data, size);
    return 0;
}
