"""Kernels of the ladder with clock readings in them, for the picture of an SM's warps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemmviz.catalogue.loader import load_catalogue

STAMPS = Path(__file__).with_name("stamps.cuh")
BEGIN = "    float acc[TM][TN] = {{0.0f}};\n"
"""In each of them, in front of all loads."""
DONE = "        PROBE_DONE\n        const unsigned long long stop = probe_now();\n"
STORE_A = (
    "        #pragma unroll\n        for (int p = 0; p < A_PARTS; ++p) {\n"
    "            const int i = thread + p * THREADS;\n            if (i < BM"
)


@dataclass(frozen=True, slots=True)
class Insertion:
    """Lines that go in front of the only place where a text stands in a source, or behind it."""

    at: str
    lines: str
    is_behind: bool = False

    def into(self, source: str) -> str:
        """The source with the lines.

        Raises:
            ValueError: the text does not stand in it exactly once.
        """
        if source.count(self.at) != 1:
            raise ValueError(f"{self.at.strip()!r} stands {source.count(self.at)} times in the source, not once")
        return source.replace(self.at, self.at + self.lines if self.is_behind else self.lines + self.at)


INSERTIONS: Mapping[str, tuple[Insertion, ...]] = {
    # A step loads, waits for its values to store them, waits for the others, multiplies, waits for the others.
    "warp_tiled": (
        Insertion("        for (int i = thread; i < BM * (BK / 4)", "        probe_load = probe_now();\n"),
        Insertion("        // Separates the stores to As", "        probe_arrive = probe_now();\n"),
        Insertion(
            "        __syncthreads();\n\n",
            "        probe_settle(&As[0][thread % BM]);\n        probe_start = probe_now();\n",
            is_behind=True,
        ),
        Insertion("        // Separates the reads of As", DONE),
        Insertion(
            "next pair of tiles.\n        __syncthreads();\n",
            "        probe_settle(&As[0][thread % BM]);\n        PROBE_KEEP(k0 / BK, stop)\n",
            is_behind=True,
        ),
    ),
    # A step asks for the next tiles, multiplies, waits for what it asked for, and for the others.
    "double_buffered": (
        Insertion(
            STORE_A,
            f"{DONE}        if (k0 >= 0) {{\n            PROBE_KEEP(k0 / BK, stop)\n"
            "            probe_load = stop;\n        }\n",
        ),
        Insertion("        // Separates the stores to the other", "        probe_arrive = probe_now();\n"),
        Insertion(
            "        __syncthreads();\n",
            "        probe_settle(&As[1 - buffer][0][thread % BM]);\n        probe_start = probe_now();\n",
            is_behind=True,
        ),
    ),
}
"""By kernel, what reads the clock in a step: when a warp begins to wait for its values, when they have come, when those
of its block have, and when its products are done."""


def stamped_source(kernel_id: str) -> str:
    """The source of a kernel, and a copy of it, `stamped_` before its name, that reads the clock.

    Raises:
        ValueError: the source is another one than the insertions are for.
    """
    kernel = load_catalogue().get(kernel_id)
    copy = Insertion(BEGIN, "    PROBE_BEGIN\n", is_behind=True).into(kernel.text)
    for each in INSERTIONS[kernel_id]:
        copy = each.into(copy)
    head = f'extern "C" __global__ void {kernel.entry}('
    begin = copy.index(head)
    kept = copy[begin:].replace(kernel.entry, f"stamped_{kernel.entry}", 1)
    return f"{STAMPS.read_text(encoding='utf-8')}\n{kernel.text}\n{kept}"
