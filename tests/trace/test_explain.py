"""What a recording without hazards leaves open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain import figures
from gemmviz.domain.recordings.repeated_waits import RepeatedWait
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch
from gemmviz.trace.explain import what_is_left_out, what_one_pass_hides, what_the_size_hides

BARRIER = "__syncthreads();"


@pytest.fixture
def racing(tmp_path: Path) -> Path:
    """A kernel of tiles without the barrier at the end of its loop."""
    text = Path("kernels/cuda/tiled.cu").read_text(encoding="utf-8")
    before, _, after = text.rpartition(BARRIER)
    path = tmp_path / "racing.cu"
    path.write_text(before + after, encoding="utf-8")
    return path


def recording(path: Path, size: str, tile: int = 0, form: CodeForm | None = None) -> TraceRun:
    kernel = load_user_kernel(path)
    try:
        device = device_for_recording(kernel)
    except NoDeviceError as error:
        pytest.skip(str(error))
    conditions = replace(Conditions(Shape.parse(size)), form=form)
    return record(Job(kernel, kernel.params({"TILE": tile} if tile else {})), conditions, device, [(0, 0, 0)], Watch())


@pytest.mark.parametrize("form", CodeForm)
def test_that_a_loop_that_ran_once_is_said_not_to_show_its_race(racing: Path, form: CodeForm) -> None:
    once = recording(racing, "5x5x5", 8, form)
    assert once.hazards == ()
    assert what_the_size_hides(once) == (
        "Each store to shared memory ran once per warp at most, so a race between two passes of a loop over tiles "
        "cannot show here. Record a larger K, or a smaller tile."
    )
    even = what_the_size_hides(recording(racing, "4x4x4", 4, form))
    assert even.startswith("That holds at 4×4×4. An odd size, 5×5×5 for instance,")
    assert even.endswith("Record a larger K, or a smaller tile.")


def test_that_what_is_to_be_recorded_instead_shows_the_race(racing: Path) -> None:
    for twice in (recording(racing, "5x5x9", 8), recording(racing, "8x8x8", 4)):
        assert what_one_pass_hides(twice) == ""
        assert twice.hazards


def test_that_nothing_is_said_of_a_kernel_without_shared_memory() -> None:
    assert what_one_pass_hides(recording(Path("kernels/cuda/naive.cu"), "4x4x4")) == ""


def test_that_requests_that_loops_repeated_while_they_waited_are_said_to_be_left_out() -> None:
    run = recording(Path("kernels/cuda/naive.cu"), "4x4x4")
    assert what_is_left_out(run) == ""
    waits = (RepeatedWait(9, "ld.volatile.shared.u32", 400), RepeatedWait(7, "atom.shared.cas.b32", 12))
    assert what_is_left_out(replace(run, repeated_waits=waits)) == (
        "Loops that wait in lines 7, 9 repeated 412 requests that read the same values again: these are not in the "
        "figures."
    )
    once = (RepeatedWait(9, "ld.volatile.shared.u32", 1),)
    assert "in line 9 repeated 1 request that" in what_is_left_out(replace(run, repeated_waits=once))


def test_that_racing_accesses_that_frames_do_not_mark_are_said_with_their_lines(racing: Path) -> None:
    run = recording(racing, "8x8x8", 4)
    assert what_is_left_out(run) == ""
    (block,) = run.blocks
    assert block.racing is not None
    pairs = tuple(replace(pair, accesses=1500, is_cut=True) for pair in block.racing.pairs)
    lines = sorted({run.sites[site].line for pair in pairs for site in pair.sites})
    cut = replace(run, blocks=(replace(block, racing=replace(block.racing, pairs=pairs)),))
    where = f"lines {', '.join(map(str, lines))} ({figures.count(1500 * len(pairs))})"
    assert what_is_left_out(cut) == (
        f"So many accesses race in {where} that frames mark only those of the first requests."
    )


def test_that_no_odd_size_is_advised_that_the_kernel_does_not_take() -> None:
    shipped = Path("assets/lessons/kernels/race_broken.cu")
    assert what_the_size_hides(recording(shipped, "8x8x8", 4)) == (
        "That holds at 8×8×8. The kernel needs M, N and K to be multiples of TILE (there are no bounds checks), so no "
        "size with unguarded edges can be recorded."
    )


def test_that_sizes_that_went_wrong_are_told_in_one_clause(tmp_path: Path) -> None:
    text = Path("assets/lessons/kernels/race_broken.cu").read_text(encoding="utf-8")
    path = tmp_path / "twos.cu"
    begin, end = text.index("constraints = ["), text.index("]", text.index("constraints = ["))
    rules = [
        f'{{rule = "{one} % 2 == 0", because = "wrong at {at}", fault = "line 3"}}'
        for one, at in (("M", "9x8x8"), ("N", "8x9x8"), ("K", "8x8x9"))
    ]
    path.write_text(f"{text[:begin]}constraints = [{', '.join(rules)}{text[end:]}", encoding="utf-8")
    assert "multiples of 2 (wrong at 9x8x8, 8x9x8 and 8x8x9), so no size" in what_the_size_hides(
        recording(path, "8x8x8", 4)
    )


def test_that_an_odd_size_is_odd_only_where_the_kernel_takes_that(tmp_path: Path) -> None:
    text = Path("kernels/cuda/tiled.cu").read_text(encoding="utf-8")
    path = tmp_path / "fours.cu"
    path.write_text(text.replace("constraints = [", 'constraints = [{rule = "K % 4 == 0"},', 1), encoding="utf-8")
    assert "An odd size, 9×9×8 for instance," in what_the_size_hides(recording(path, "8x8x8", 4))
