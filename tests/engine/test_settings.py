"""The settings of a kernel: which are examined, which are left out, and what comes of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from processes import PATIENCE_S

from gemmviz.catalogue.gpus import default_gpu, emulated
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.kernels.examined_sweep import MOST_SETTINGS
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.settings import SettingsError, settings_of
from gemmviz.engine.settings import examined_setting as examined
from gemmviz.measure.bench import Watch

SIZE = Shape(128, 128, 64)
MakeJob = Callable[..., Job]


def test_that_each_value_of_a_parameter_is_a_setting_and_the_others_have_their_defaults() -> None:
    wide = load_catalogue().get("tiled_wide")
    found = settings_of(wide, ("F",), {}, SIZE, emulated())
    tile, f = wide.parameters
    assert found.each == tuple((("TILE", tile.default), ("F", value)) for value in f.choices)
    assert settings_of(wide, ("F",), {"F": (2,), "TILE": (8,)}, SIZE, emulated()).each == ((("TILE", 8), ("F", 2)),)


def test_that_combinations_that_break_a_constraint_are_left_out_and_counted() -> None:
    kernel = load_catalogue().get("register_1d")
    values = {"BM": (64,), "BN": (64, 128), "BK": (8,), "TM": (8,)}
    found = settings_of(kernel, ("BN",), values, SIZE, emulated())
    assert found.each == ((("BM", 64), ("BN", 64), ("BK", 8), ("TM", 8)),)
    assert found.left_out_words == "1 combination of values breaks the kernel's constraints and is left out"


@pytest.mark.parametrize(
    ("kernel", "names", "why"),
    [
        ("tiled", ("NONE",), "tiled has no parameter 'NONE': it has TILE"),
        ("cpu_ijk", ("TILE",), "Only GPU kernels can be recorded"),
        ("cl_row_private", ("TILE",), "cl_row_private has no parameter 'TILE': it has none"),
        ("register_2d", ("BM", "BN", "BK", "TM", "TN"), f"too many: at most {MOST_SETTINGS} are examined"),
    ],
)
def test_that_what_cannot_be_swept_is_refused_with_the_reason(kernel: str, names: tuple[str, ...], why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        settings_of(load_catalogue().get(kernel), names, {}, SIZE, emulated())


def test_that_a_kernel_without_parameters_has_one_setting() -> None:
    assert settings_of(load_catalogue().get("cl_row_private"), (), {}, SIZE, emulated()).each == ((),)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_setting_has_the_figures_of_its_own_code_and_block(quick: Conditions, job: MakeJob) -> None:
    conditions = replace(
        quick, device="machine", shape=Shape(64, 64, 32), form=CodeForm.AS_COMPILED, launch_limit_s=PATIENCE_S
    )
    for tile in (8, 16):
        asked = job("tiled", TILE=tile)
        version, trace = examined(asked, conditions, default_gpu(asked.kernel), Watch())
        assert version.faults == ()
        assert version.compilation is not None
        assert version.compilation.shared_bytes == 2 * tile * tile * 4
        assert version.check is not None
        assert version.check.passed
        assert trace is not None
        assert (trace.launch.block, trace.form) == ((tile, tile, 1), CodeForm.AS_COMPILED)


@pytest.mark.usefixtures("nvrtc")
def test_that_what_goes_wrong_with_a_setting_is_told_and_stops_nothing(quick: Conditions, job: MakeJob) -> None:
    asked = job("tiled", TILE=16)
    broken = replace(asked, kernel=replace(asked.kernel, text=asked.kernel.text.replace("float acc", "floaty acc")))
    conditions = replace(quick, device="machine", shape=Shape(64, 64, 32))
    version, trace = examined(broken, conditions, default_gpu(asked.kernel), Watch())
    assert (version.compilation, version.check, trace) == (None, None, None)
    assert "floaty" in version.faults[0]
