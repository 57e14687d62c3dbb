"""The block that an OpenCL kernel says that it has to be launched with."""

from __future__ import annotations

import re

_REQUIRED = re.compile(r"\breqd_work_group_size\s*\((?P<sizes>[^;{}]{1,400}?)\)\s*\)\s*\)(?P<behind>[^;{}]{0,4000})")
_EDGES = 3


def required_block(text: str, kernel: str) -> tuple[str, ...]:
    """What `__attribute__((reqd_work_group_size(16, 16, 1)))` of a kernel says, along x, y and z; () for a kernel
    without one. `text` is that of the file.
    """
    for found in _REQUIRED.finditer(text):
        head = re.search(r"(\w+)\s*\(", re.sub(r"__attribute__\s*\(\(.*?\)\)\s*\)?", " ", found["behind"]))
        sizes = tuple(one.strip() for one in found["sizes"].split(","))
        if head is not None and head[1] == kernel and len(sizes) == _EDGES:
            return sizes
    return ()
