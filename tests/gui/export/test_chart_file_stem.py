"""The names of charts' files."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.gui.export.on_screen import chart_file_stem


def test_that_the_file_of_a_chart_is_named_after_size_and_device_where_all_runs_share_them() -> None:
    session = load_session(next(example.path for example in load_examples() if example.id == "gpu-ladder"))
    on_gpu = next(run for run in session.runs if run.device.short_name == "H200")
    size = str(on_gpu.spec.shape)
    other = replace(on_gpu, spec=replace(on_gpu.spec, shape=Shape(7, 8, 9)))
    one, two = replace(session, runs=(on_gpu, on_gpu)), replace(session, runs=(on_gpu, other))
    assert chart_file_stem("time", one) == f"time-{size}-h200"
    assert chart_file_stem("time", two) == "time-h200"
    assert chart_file_stem("time", two, (other,)) == "time-7x8x9-h200"
    assert chart_file_stem("traffic", replace(session, runs=())) == "traffic"
