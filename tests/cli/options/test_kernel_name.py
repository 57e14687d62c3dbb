"""Commands about one kernel take its name in the same two ways."""

from __future__ import annotations

import pytest

from gemmviz.cli.faults import BadInputError
from gemmviz.cli.options.kernel_name import one_name, several_names


def test_that_a_name_may_be_an_argument_or_an_option() -> None:
    assert [one_name("tiled", None), one_name(None, "tiled"), one_name(None, None)] == ["tiled", "tiled", None]


def test_that_a_name_is_given_once() -> None:
    with pytest.raises(BadInputError, match="tiled and --kernel naive: give the name of one kernel, and once"):
        one_name("tiled", "naive")


def test_that_several_names_are_arguments_or_stand_behind_the_option() -> None:
    assert several_names(["naive", "tiled,cpu_ijk"], None) == "naive,tiled,cpu_ijk"
    assert [several_names([], "naive,tiled"), several_names([], None)] == ["naive,tiled", None]
    with pytest.raises(BadInputError, match="naive and --kernel tiled: give the names of kernels in one way"):
        several_names(["naive"], "tiled")
