# What statistics.NormalDist stands on.
import random
from math import erf, exp, fabs, hypot, log, sqrt, tau
from statistics import StatisticsError, mean, stdev

__all__ = ["NormalDist"]
_SQRT2 = sqrt(2.0)


def _mean_stdev(data):
    data = list(data)
    return float(mean(data)), float(stdev(data))
