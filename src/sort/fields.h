/* np_sort_result_fields in two parts, between which a report says where the keys came from. */
#ifndef NP_SORT_FIELDS_H
#define NP_SORT_FIELDS_H

#include "base/export.h"
#include "netpram/field.h"

NP_FOR_REPORT extern const np_fields np_sort_subject_fields, np_sort_outcome_fields;

#endif
