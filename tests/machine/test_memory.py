"""Where the machine's arrays lie."""

from __future__ import annotations

from gemmviz.machine.memory import ALIGNMENT, GAP, Array
from gemmviz.trace.ptx.expand import FAR


def test_that_every_array_lies_above_the_addresses_of_shared_memory_and_may_be_written() -> None:
    for nbytes in (0, 4, 1000, 1 << 22):
        made = Array(nbytes, "A")
        assert made.address - GAP >= FAR
        assert made.address % ALIGNMENT == 0
        made.bytes[:] = 7
        assert int(made.bytes.sum()) == 7 * nbytes
