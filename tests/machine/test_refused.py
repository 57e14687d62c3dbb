"""What the machine refuses is named by what it belongs to."""

from __future__ import annotations

import pytest

from gemmviz.machine.refused import refused_in


@pytest.mark.parametrize("opcode", ["mma.sync.aligned", "ldmatrix.sync.aligned", "stmatrix.sync.aligned"])
def test_that_loads_and_stores_of_fragments_are_said_to_belong_to_tensor_cores(opcode: str) -> None:
    refused = refused_in(f"line 3: the machine does not implement {opcode}.m8n8.x4.shared.b16")
    assert refused is not None
    assert refused.words == f"it uses tensor cores ({opcode}), which the PTX machine does not execute"
