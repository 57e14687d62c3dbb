"""Versions that were examined with other parameters are not held against each other."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.kernels.kernel_version import Check, Compilation, KernelVersion
from gemmviz.domain.kernels.resources import Occupancy, Resources
from gemmviz.domain.shape import Shape
from gemmviz.explain.source.comparability import other_params_words
from gemmviz.explain.source.version_figures import NOT_COMPARED, Measured, figure_changes
from gemmviz.explain.source.worth import Worth


def version(number: int, *params: tuple[str, int], registers: int = 72, is_right: bool = True) -> KernelVersion:
    fits = Occupancy(7, 100 - registers, 64, ("registers",))
    code = Compilation("NVIDIA H200", "sm_90a", "NVRTC 13.0", Resources(registers), 64 * registers, fits)
    check = Check(Shape(65, 63, 67), is_right, 2.0, 67.0)
    return KernelVersion("mine", number, "mine.cu", "text", "2026-11-26T03:00:00+00:00", params, code, check)


def test_that_nothing_is_compared_with_a_version_that_was_examined_with_other_parameters() -> None:
    before = version(1, ("BK", 8), ("BM", 64), is_right=False)
    after = version(3, ("BK", 4), ("BM", 64), registers=76)
    words = "Not comparable: version 1 was examined with BK=8, version 3 with BK=4."
    assert other_params_words(before, after) == words
    found = {one.name: one for one in figure_changes(Measured(before, None), Measured(after, None))}
    for name in ("registers per thread", "shared memory per block", "theoretical occupancy", "result"):
        assert (found[name].before, found[name].change, found[name].worth) == ("–", NOT_COMPARED, Worth.UNKNOWN), name
    alike = replace(before, params=after.params)
    found = {one.name: one for one in figure_changes(Measured(alike, None), Measured(after, None))}
    assert found["result"].worth is Worth.BETTER


def test_that_a_parameter_that_only_one_version_has_is_an_edit_and_no_other_parameter() -> None:
    plain, padded = version(1), version(2, ("PAD", 1))
    assert other_params_words(plain, padded) == other_params_words(padded, plain) == ""
    plain = replace(plain, text="#define PAD 0\n")
    assert other_params_words(plain, padded) == (
        "Not comparable: version 1 was examined with PAD=0, version 2 with PAD=1."
    )
