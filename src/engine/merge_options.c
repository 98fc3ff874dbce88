/* Options of the merging engine. */
#include "engine/merge.h"

void np_merge_options_init(np_merge_options *options)
{
    *options = (np_merge_options){
        .queue_size = 2,
        .rank_range = UINT32_C(1) << 30, /* ours: so large that ties are rare */
        .message_least = 1,
        .message_most = 1,
    };
}
