"""Computations that show claims of the papers: small, exact where they can be, and without netpram.

A row of the ledger calls a function of these files (`computed:`). Each says what it gives. They are slow and plain
on purpose, and share no code with what they judge. Names of variables are those of the papers.
"""
from math import *

from .benes import *
from .leighton_1994 import *
from .leighton_more import *
from .probabilities import *
from .ranade_1987a import *
from .ranade_1987b import *
from .sibeyn import *
from .sibeyn_more import *
from .valiant_brebner_1981 import *
