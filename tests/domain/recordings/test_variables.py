"""Values of variables as columns: kept in a session, missing in older ones, refused where they are damaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.recordings.variables import NOT_ASKED_FOR, Scalar, Variable, VariableValues
from gemmviz.domain.session.session import Session, load_session, save_session

VARIABLES = (
    Variable("i", "int", Scalar.SIGNED, 4, (), 0, 3),
    Variable("sums", "float[2][2]", Scalar.FLOAT, 4, (2, 2), 1, 4, "helper"),
    Variable("gone", "bool", Scalar.BOOLEAN, 1, (), 0, 5, "", "optimised out"),
)


def column(*numbers: int) -> Any:
    return np.array(numbers, np.int32)


VALUES = VariableValues(
    VARIABLES,
    1,
    column(0, 1, 3),
    column(0, 1, 2),
    column(1, 2, 2),
    column(*[2] * 32),
    column(0, 0),
    column(1, 3),
    column(0, 4),
    np.array([5, 2**32 - 1]),
    np.arange(64) - 2,
    "Few.",
)


def test_that_the_variables_known_together_are_found_by_their_set() -> None:
    assert [one.name for one in VALUES.known_in(2)] == ["sums", "gone"]
    assert [one.name for one in VALUES.known_in(1)] == ["i"]
    assert VALUES.known_in(0) == ()
    assert [one.count for one in VARIABLES] == [1, 4, 0]


@pytest.mark.parametrize(
    "fault",
    [
        {"warp": column(0, 1)},
        {"cell": column(0, 5)},
        {"slot": column(1)},
        {"lanes": np.array([1])},
        {"bits": np.arange(63)},
        {"members": column(0, 1, 3)},
        {"first_members": column(0, 2, 1)},
        {"first_members": column(0, 1, 4)},
        {"variables": (replace(VARIABLES[0], first=1), *VARIABLES[1:])},
        {"variables": (replace(VARIABLES[0], nbytes=3), *VARIABLES[1:])},
        {"variables": (*VARIABLES, replace(VARIABLES[0], shape=(1020,), first=5))},
        {"variables": (*VARIABLES, replace(VARIABLES[0], shape=(1,) * 17, first=5))},
        {"known": column(1, 3, 2)},
        {"known_at_end": column(*[3] * 32)},
    ],
    ids=lambda fault: next(iter(fault)),
)
def test_that_columns_which_do_not_fit_are_refused(fault: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        replace(VALUES, **fault)


def test_that_values_are_those_of_a_block_of_that_size() -> None:
    assert VALUES.fit(3, 32)
    assert not VALUES.fit(4, 32)
    assert not VALUES.fit(3, 64)
    assert not replace(VALUES, slot=column(1, 4)).fit(3, 32)
    assert VariableValues().fit(9, 9)


def test_that_a_session_keeps_them(session: Session, same: Callable[[Any, Any], bool], tmp_path: Path) -> None:
    run = load_session(examples_folder() / "gpu-odd.gemmviz").traces[0]
    block = run.blocks[0]
    slots, warps = block.slot_site.size, -(-block.threads // 32)
    values = replace(VALUES, warps=warps, known=column(*[1] * warps * slots), known_at_end=column(*[2] * block.threads))
    kept = replace(run, blocks=(replace(block, values=values),))
    save_session(replace(session, traces=(kept,)), tmp_path / "values.gemmviz")
    found = load_session(tmp_path / "values.gemmviz").traces[0].blocks[0].values
    assert same(found, values)
    with pytest.raises(ValueError, match="its variables are those of another block"):
        replace(block, values=VALUES)


def test_that_a_recording_of_an_earlier_version_has_none() -> None:
    for run in load_session(examples_folder() / "gpu-odd.gemmviz").traces:
        for block in run.blocks:
            assert not block.values.are_known
            assert block.values.note == NOT_ASKED_FOR
