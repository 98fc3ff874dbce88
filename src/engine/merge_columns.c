#include "engine/merge_inside.h"
bool np_merge_columns_apply(const np_merge *merge) { (void)merge; return false; }
np_status np_merge_columns_all(np_merge *merge) { (void)merge; return NP_OK; }
