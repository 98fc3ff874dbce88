#ifndef NP_TESTS_TRAFFIC_CHECK_H
#define NP_TESTS_TRAFFIC_CHECK_H
/* Makes the traffic on a 6-cube; ends the program unless it is sound or soundly refused. */
void traffic_check(const char *spec);
#endif
