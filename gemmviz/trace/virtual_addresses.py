"""Where arrays lie in the addresses of a recording, which are the same on every machine."""

MATRIX_BASE = 1 << 40
"""A begins at MATRIX_BASE, B at twice, C at three times that."""

VARIABLE_BASE, VARIABLE_STEP = 1 << 48, 1 << 36
"""The i-th variable of the module begins at VARIABLE_BASE + i · VARIABLE_STEP, as far behind a multiple of 256 bytes as
on the device: which sectors a request touches depends on it.
"""

SHARED_BASE = 1 << 32
"""The i-th shared array begins at (16 + i) times that; multiples of 128 bytes, so that banks are as on hardware."""

FAR_BYTES = 1 << 32
"""An access through a pointer to no array in particular is told by the nearest one if it is nearer than this; else by
its address alone, as the device has it.
"""
