/*
 * Elementary functions of reals, correctly rounded: of the exact value the nearest double. So they have
 * the same bits everywhere, and an error of at most half a unit in the last place. They take about a microsecond. The
 * functions of real.h are faster and are a few units off.
 */
#pragma once

/* e^x; infinity beyond the largest double, 0 below half of the least. */
double np_rounded_exp(double x);

/* ln x and log2 x: -infinity at 0, NaN below. */
double np_rounded_log(double x);
double np_rounded_log2(double x);

/*
 * x^y, as IEEE 754-2019 has pow: NaN of a finite x < 0 and a y that is no whole number. x^0 and 1^y are 1, also if the
 * other is NaN. For odd whole y the sign is that of x.
 */
double np_rounded_power(double x, double y);

/* Of an angle in radians, however large; NaN of an infinite one. */
double np_rounded_sin(double x);
double np_rounded_cos(double x);
double np_rounded_tan(double x);

/* The angle from -pi/2 to pi/2 whose tangent is x, which may be infinite. */
double np_rounded_atan(double x);
