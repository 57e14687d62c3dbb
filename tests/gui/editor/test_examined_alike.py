"""The version before is examined like the newest: for its target, and at its size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from asked_examiner import A100, CODE, RIGHT, Trying, recorded_as
from driving import part

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.explain.source.version_figures import Measured
from gemmviz.gui.editor.comparison_view import CHECK_AGAIN
from gemmviz.gui.editor.examination import likeness_of
from gemmviz.gui.widgets.plain_label import PlainLabel


def saved_twice_then_for_a100(trying: Trying) -> Kernel:
    """Two versions are examined, and by itself the newest again for another target that is chosen."""
    edited = replace(trying.kernel, text=f"{trying.kernel.text}// edited\n")
    for kernel in (trying.kernel, edited):
        trying.control.examine(kernel)
        trying.examiner.end(RIGHT, CODE)
    trying.control.follow_target()
    assert not trying.examiner.is_busy, "the target is the same"
    trying.choose_target("NVIDIA A100")
    assert trying.examiner.asked[-1].job.kernel is edited
    trying.examiner.end(RIGHT, A100)
    return edited


def test_that_the_version_before_is_compiled_for_another_target_too_by_itself(trying: Trying) -> None:
    saved_twice_then_for_a100(trying)
    assert trying.examiner.asked[-1].job.kernel is trying.kernel
    assert trying.said.startswith("Version 1: for sm_80, too. ")
    trying.examiner.end(RIGHT, A100)
    assert trying.said.startswith("Version 1: compiled for sm_80, too, in ")
    assert trying.rows["registers per thread"].texts[1:] == ("64", "64", "=")
    assert (len(trying.examiner.asked), trying.examiner.is_busy) == (4, False)
    assert part(trying.panel, PlainLabel, "versionFaults").text() == ""


def test_that_a_version_that_does_not_come_out_for_a_target_is_tried_for_it_once_and_then_when_asked(
    trying: Trying,
) -> None:
    saved_twice_then_for_a100(trying)
    trying.examiner.end(RIGHT)  # again for the former target
    assert not trying.examiner.is_busy
    row = trying.rows["registers per thread"]
    assert (row.button, row.texts[3]) == (CHECK_AGAIN, ""), "the button stands in the place of the words"
    trying.control.check_again(1)
    assert "trying again" in trying.said
    trying.examiner.end(RIGHT, A100)
    assert trying.rows["registers per thread"].texts[1:] == ("64", "64", "=")


def test_that_a_version_that_is_chosen_to_compare_with_is_compiled_for_the_target_too(trying: Trying) -> None:
    edited = saved_twice_then_for_a100(trying)
    trying.examiner.end(RIGHT, A100)
    newest = replace(edited, text=f"{edited.text}// again\n")
    trying.control.examine(newest)
    trying.examiner.end(RIGHT)  # for the first target, for which version 2 was not compiled last
    assert trying.examiner.asked[-1].job.kernel is edited
    trying.examiner.end(RIGHT)
    trying.panel.comparison.before_chosen.emit(1)
    assert trying.examiner.asked[-1].job.kernel is trying.kernel


def test_that_the_version_before_is_recorded_at_the_size_of_the_newest_too(
    trying: Trying, make_recording: Callable[..., TraceRun]
) -> None:
    edited = replace(trying.kernel, text=f"{trying.kernel.text}// edited\n")
    small, large = Shape(64, 64, 32), Shape(128, 96, 32)

    def end(kernel: Kernel, shape: Shape, hour: int) -> None:
        recording = make_recording()
        spec = replace(recording.spec, shape=shape)
        a_loads, b_loads = (np.ones(size, np.int64) for size in (shape.m * shape.k, shape.k * shape.n))
        resized = replace(recording, spec=spec, a_loads=a_loads, b_loads=b_loads)
        made = recorded_as(resized, kernel.file_text, f"2027-01-01T{hour}:00:00+00:00")
        trying.examiner.end(RIGHT, trace=made)

    trying.control.examine(trying.kernel)
    end(trying.kernel, small, 10)
    trying.set_up[0] = replace(trying.set_up[0], experiment=replace(trying.set_up[0].experiment, shape=large))
    trying.control.examine(edited)
    end(edited, large, 11)
    asked = trying.examiner.asked[-1]
    assert asked.job.kernel is trying.kernel
    assert (asked.conditions.shape, asked.job.params) == (large, trying.examiner.asked[0].job.params)
    assert trying.said.startswith(f"Version 1: at {large.words}, too. ")
    end(trying.kernel, large, 12)
    assert trying.said.startswith(f"Version 1: recorded at {large.words}, too, in ")
    assert part(trying.panel, PlainLabel, "versionFaults").text() == ""
    trying.control.examine(replace(edited, text=f"{edited.text}// again\n"))
    end(trying.examiner.asked[-1].job.kernel, small, 13)
    assert trying.examiner.asked[-1].job.kernel is edited
    end(edited, large, 14)  # it comes to nothing
    assert not trying.examiner.is_busy, "once is enough"
    assert "at another size" in part(trying.panel, PlainLabel, "versionFaults").text()


def test_that_a_version_compiled_with_other_parameters_is_examined_like_the_newest_whatever_was_recorded(
    trying: Trying, make_recording: Callable[..., TraceRun]
) -> None:
    trace, version = make_recording(), KernelVersion("tiled", 1, "tiled.cu", "text", "2027-01-01T10:00:00+00:00")
    newest = Measured(replace(version, number=2, params=(("TILE", 2),)), trace)
    before = Measured(replace(version, params=(("TILE", 4),)), trace)
    like = likeness_of(before, newest, trying.set_up[0])
    assert like is not None
    assert (like.way, dict(like.set_up.experiment.params)["tiled"]) == ("like version 2", (("TILE", 2),))
    assert likeness_of(replace(before, version=replace(newest.version, number=1)), newest, trying.set_up[0]) is None
