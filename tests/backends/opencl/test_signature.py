"""The types of an OpenCL kernel's parameters, as the driver names them."""

from __future__ import annotations

import pytest

from gemmviz.backends.opencl.signature import parameter_type

ALIASES = {"real": "float", "real_t": "real", "word": "unsigned  int", "loop": "loop"}


@pytest.mark.parametrize(
    ("words", "is_const", "found"),
    [
        ("real_t*", True, "const float *"),
        ("word", False, "unsigned int"),
        ("half*", False, "half *"),
        ("ulong", False, "unsigned long"),
        ("float4*", False, "float4 *"),
        ("struct S", False, "struct S"),
        ("loop", False, "loop"),
        ("int**", False, "int **"),
    ],
)
def test_that_typedefs_are_followed(words: str, is_const: bool, found: str) -> None:
    assert parameter_type(words, ALIASES, is_const=is_const).words == found
