"""A sweep on the device that comes with the installation, and what is refused."""

from collections.abc import Iterator

import pytest

from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Fill, Language, Mode
from gemmviz.measure import sweep as sweep_module
from gemmviz.measure.bench import Bench, Patience, Watch, make_inputs
from gemmviz.measure.cancel import CancelledError
from gemmviz.measure.stopping import StoppingRule
from gemmviz.measure.sweep import SweepPace, sweep

PATIENCE = Patience(StoppingRule(min_samples=3, min_seconds=0.0, limit_seconds=0.05))
CHOICES: list[Params] = [(("TILE", 2),), (("TILE", 4),), (("TILE", 16),)]


@pytest.fixture(scope="module")
def device() -> Device:
    return next(device for device in devices_for(Language.CUDA) if device.embedded)


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench() as bench:
        yield bench


def test_that_every_choice_is_checked_and_timed(bench: Bench, device: Device) -> None:
    kernel, inputs = load_catalogue().get("tiled"), make_inputs(Shape(33, 17, 5), Fill.UNIFORM, 0)
    answers = list(sweep(bench, kernel, CHOICES, device, inputs, Mode.COLD, PATIENCE, Watch()))
    assert [params for params, _, _ in answers] == CHOICES
    for params, result, fault in answers:
        assert result is not None, fault
        assert fault is None
        assert (result.spec.params, result.spec.shape) == (params, inputs.shape)
        assert result.accuracy.passed
        assert result.error_map.rows == 33
        assert result.timing.kernel_samples_ms.size >= 1
    assert [result.launch.block for _, result, _ in answers if result] == [(2, 2, 1), (4, 4, 1), (16, 16, 1)]


def test_that_it_is_said_which_setting_is_being_made_ready(bench: Bench, device: Device) -> None:
    kernel, inputs = load_catalogue().get("tiled"), make_inputs(Shape(33, 17, 5), Fill.UNIFORM, 0)
    said: list[str] = []
    list(sweep(bench, kernel, CHOICES, device, inputs, Mode.COLD, PATIENCE, Watch(said.append)))
    compiling = [words for words in said if words.endswith("compiling")]
    assert compiling == [f"tiled: setting {number} of 3: compiling" for number in (1, 2, 3)]
    assert "tiled: measuring 3 settings in turn" in said


def test_that_a_choice_that_cannot_run_is_answered_and_the_others_go_on(bench: Bench, device: Device) -> None:
    kernel, inputs = load_catalogue().get("tiled"), make_inputs(Shape(5, 6, 7), Fill.UNIFORM, 0)
    small = Device(**{**{f: getattr(device, f) for f in Device.__slots__}, "max_threads_per_block": 64})
    answers = list(sweep(bench, kernel, CHOICES, small, inputs, Mode.HOT, PATIENCE, Watch()))
    assert answers[0][0] == CHOICES[2]
    assert "64" in str(answers[0][2])
    assert [params for params, result, _ in answers if result is not None] == CHOICES[:2]


def test_that_choices_that_do_not_fit_together_are_refused(
    bench: Bench, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, inputs = load_catalogue().get("tiled"), make_inputs(Shape(64, 64, 64), Fill.UNIFORM, 0)
    monkeypatch.setattr(sweep_module, "available_memory_bytes", lambda: 3 * 4 * 64 * 64 * 3 - 1)
    with pytest.raises(MemoryRefusal, match=r"3 choices at once: .*or sweep fewer choices"):
        list(sweep(bench, kernel, CHOICES, device, inputs, Mode.COLD, PATIENCE, Watch()))


def test_that_a_cancel_ends_it(bench: Bench, device: Device) -> None:
    kernel, inputs = load_catalogue().get("tiled"), make_inputs(Shape(5, 6, 7), Fill.UNIFORM, 0)
    with pytest.raises(CancelledError):
        list(sweep(bench, kernel, CHOICES, device, inputs, Mode.COLD, PATIENCE, Watch(should_cancel=lambda: True)))


class HandClock:
    """A clock that a test sets."""

    now_s = 0.0

    def now_ns(self) -> int:
        return round(self.now_s * 1e9)


def test_that_the_part_of_a_sweep_that_is_done_is_that_of_its_time() -> None:
    clock = HandClock()
    pace = SweepPace(5, 1.0, clock)
    clock.now_s = 1.0
    assert pace.made_ready(1, 1) == pytest.approx(1 / 10), "five settings of 1 s to make ready and 1 s to sample"
    clock.now_s = 5.0
    assert pace.made_ready(5, 5) == pytest.approx(0.5)
    assert [pace.sampled(share) for share in (0.0, 0.4, 1.0)] == pytest.approx([0.5, 0.7, 1.0])


def test_that_the_part_never_falls_and_settings_that_cannot_run_take_no_samples() -> None:
    clock = HandClock()
    pace = SweepPace(4, 10.0, clock)
    clock.now_s = 1.0
    assert pace.made_ready(1, 0) == pytest.approx(0.25)
    clock.now_s = 2.0
    assert pace.made_ready(2, 1) == pytest.approx(0.25), "the second one will be sampled, which nobody knew before"
    clock.now_s = 12.0
    assert pace.made_ready(4, 2) == pytest.approx(12 / 32)
