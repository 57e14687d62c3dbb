"""Rulings that no kernel was judged for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.referee.finding import Case, Finding, LineFault, Outcome, Ruling

_NAMES = ("Stays inside its arrays", "Follows its inputs", "Right at sizes nothing divides", "Time beside the library")


@pytest.fixture
def make_ruling() -> Callable[..., Ruling]:
    """A ruling in which the sizes failed if `is_wrong`; of kernel `tiled`."""

    def make(*, is_wrong: bool = True, kernel: str = "tiled", fault: str = "", hazards: int = 0) -> Ruling:
        if fault:
            return Ruling(kernel, (("TILE", 8),), "PTX machine, sm_90a", "", fault=fault)
        cases = (
            Case("small whole numbers", "exact", "17x19x23", 20),
            Case(
                "normal random numbers",
                "error 9.1 times the allowed bound; C[0,0] is 3 and should be 2",
                "1x1x1",
                21,
                is_wrong,
                faults=tuple(LineFault(10 + one, "race", f"thread {one} reads it") for one in range(hazards)),
            ),
        )
        outcomes = (Outcome.HELD, Outcome.HELD, Outcome.FAILED if is_wrong else Outcome.HELD, Outcome.NOT_EXAMINED)
        findings = tuple(
            Finding(name, "Is it?", outcome, f"The reason of {name}.", cases if "sizes" in name else ())
            for name, outcome in zip(_NAMES, outcomes, strict=True)
        )
        return Ruling(
            kernel,
            (("TILE", 8),),
            "PTX machine, sm_90a",
            "C = A·B, fp32, any size",
            findings,
            "",
            "inputs as float32, sums in float32",
            "2025-01-02T03:04:05+00:00",
            7.25,
        )

    return make
