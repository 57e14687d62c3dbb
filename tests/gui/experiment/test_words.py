import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import find_preset
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Mode
from gemmviz.gui.experiment.words import (
    FILL_WORDS,
    MODE_WORDS,
    device_note,
    device_tooltip,
    preset_text,
    preset_tooltip,
    seed_refusal,
    summary,
)
from gemmviz.gui.work.experiment import default_experiment

CPU = Device(
    "pocl",
    "opencl",
    "A processor",
    DeviceKind.CPU,
    "somebody",
    "driver 1",
    2,
    1024,
    (1024, 1024, 64),
    (9, 9, 9),
    49152,
    1,
    1,
    0,
    1,
    ("opencl",),
)


def test_that_every_fill_and_mode_has_words() -> None:
    assert set(FILL_WORDS) == set(Fill)
    assert set(MODE_WORDS) == set(Mode)


@pytest.mark.parametrize("fill", Fill)
def test_that_a_seed_is_refused_just_where_it_changes_nothing(fill: Fill) -> None:
    one, two = (make_operands(Shape(4, 4, 4), fill, seed) for seed in (1, 2))
    assert bool(seed_refusal(fill)) == bool((one.a == two.a).all())


def test_that_the_summary_has_what_the_closed_section_hides() -> None:
    assert summary(default_experiment(load_catalogue())) == "uniform · seed 0 · cold · 1 s"


def test_that_a_preset_is_its_title_and_size() -> None:
    preset = find_preset("odd")
    assert preset_text(preset) == "Odd sizes · 1037×1031×1055"
    assert "THREAD=16, TILE=16" in preset_tooltip(preset)


def test_that_times_on_a_cpu_are_not_sold_as_a_gpus() -> None:
    assert "not a GPU" in device_note(CPU, "")
    assert device_note(None, "no OpenCL device: install one") == "No OpenCL device: install one."
    assert device_note(None, "") == ""
    assert "id pocl" in device_tooltip(CPU)
