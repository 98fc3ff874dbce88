/* The fields of a replay. */
#include "netpram/replay.h"

#define AT(member) offsetof(np_replay_result, member)

static const np_field rows[] = {
    {"network", NP_FIELD_TEXT, AT(network), .help = "the network's spec"},
    {"nodes", NP_FIELD_U64, AT(nodes), .help = "of the network"},
    {"file", NP_FIELD_TEXT, AT(file), .help = "the schedule"},
    {"ranks", NP_FIELD_U64, AT(ranks), .help = "of the schedule"},
    {"place", NP_FIELD_TEXT, AT(place), .help = "of ranks on hosts"},
    {"model", NP_FIELD_TEXT, AT(model), .help = "what messages cost"},
    {"latency", NP_FIELD_U64, AT(latency), .help = "L"},
    {"overhead", NP_FIELD_U64, AT(overhead), .help = "o"},
    {"gap", NP_FIELD_U64, AT(gap), .help = "g"},
    {"byte_gap", NP_FIELD_U64, AT(byte_gap), .help = "G"},
    {"byte_overhead", NP_FIELD_U64, AT(byte_overhead), .help = "O"},
    {"threshold", NP_FIELD_U64, AT(threshold), .unit = "bytes", .help = "S"},
    {"link_rate", NP_FIELD_REAL, AT(link_rate), .unit = "bit/s", .flags = NP_FIELD_ZERO,
     .help = "of a link, with model `flows`; or `null`"},
    {"packet_size", NP_FIELD_REAL, AT(packet_size), .unit = "bytes", .flags = NP_FIELD_ZERO,
     .help = "of model `steps`; else `null`"},
    {"seed", NP_FIELD_U64, AT(seed), .help = "of all random choices"},
    {"sends", NP_FIELD_U64, AT(sends), .help = "items that send"},
    {"receives", NP_FIELD_U64, AT(receives), .help = "items that receive"},
    {"calcs", NP_FIELD_U64, AT(calcs), .help = "items that calculate"},
    {"bytes", NP_FIELD_REAL, AT(bytes), .unit = "bytes", .help = "of all messages", .flags = NP_FIELD_WHOLE},
    {"makespan", NP_FIELD_REAL, AT(makespan), .help = "the latest time at which a rank is busy, in `unit`"},
    {"unit", NP_FIELD_TEXT, AT(unit), .help = "of times: `ns` or `steps`"},
    {"unreceived", NP_FIELD_U64, AT(unreceived), .help = "messages that nobody receives"},
    {"wall_seconds", NP_FIELD_REAL, AT(wall_seconds), .unit = "seconds", .help = "time of the replay"},
};

const np_fields np_replay_result_fields = NP_FIELDS("replay", "a replay", np_replay_result, rows);
