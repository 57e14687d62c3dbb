"""Where a new recording is shown, and what leads back to."""

from dataclasses import replace

import pytest

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import load_session
from gemmviz.gui.recording.grids import FIRST, SECOND, Playable, place_for, to_show, way_back

FOUR = next(example for example in load_examples() if example.id == "cpu-four")


@pytest.fixture(scope="module")
def three() -> list[TraceRun]:
    """Recordings of three kernels."""
    by_kernel = {trace.spec.kernel: trace for trace in load_session(FOUR.path).traces if trace.blocks}
    left, right = by_kernel.values()
    return [left, right, replace(left, spec=replace(left.spec, kernel="third"))]


def with_other_inputs(trace: TraceRun) -> TraceRun:
    return replace(trace, spec=replace(trace.spec, seed=trace.spec.seed + 1))


def test_that_a_new_recording_leaves_a_pair_that_is_compared(three: list[TraceRun]) -> None:
    left, right, third = three
    pair = Playable(left), Playable(right)
    assert place_for(with_other_inputs(left), *pair) == FIRST
    assert place_for(with_other_inputs(right), *pair) == SECOND
    assert place_for(third, *pair) == FIRST, "what it is compared with stays"
    for place, each in ((FIRST, left), (SECOND, right)):
        assert place_for(replace(each), *pair) == place


def test_that_of_two_pictures_of_one_kernel_the_launch_decides_and_else_the_right_one_goes(
    three: list[TraceRun],
) -> None:
    left = three[0]
    right = with_other_inputs(left)
    pair = Playable(left), Playable(right)
    assert [place_for(replace(each), *pair) for each in (left, right)] == [FIRST, SECOND]
    assert place_for(replace(left, source_text="changed"), *pair) == SECOND


def test_that_alone_a_recording_takes_the_first_place(three: list[TraceRun]) -> None:
    assert place_for(three[0], None, None) == FIRST
    assert place_for(three[0], Playable(three[1]), None) == FIRST


def test_that_a_new_recording_shows_the_block_in_view_where_its_grid_has_it(three: list[TraceRun]) -> None:
    left, _, third = three
    first = left.blocks[0]
    elsewhere = replace(first, block=(1, 0, 0))
    both = replace(third, blocks=(first, elsewhere))
    moved = Playable(replace(left, blocks=(elsewhere,)))
    for pair in ((moved, None), (moved, replace_block(moved)), (Playable(left), replace_block(moved))):
        place, shown = to_show(both, *pair)
        assert (place, shown.block) == (FIRST, (1, 0, 0))
    assert to_show(replace(third, blocks=(first,)), moved, None)[1].block == first.block, "it is not at hand"
    other_grid = replace(both, launch=replace(both.launch, grid=(7, 7, 1)))
    assert to_show(other_grid, moved, None)[1].block == first.block
    assert to_show(both, None, None)[1].block == first.block


def replace_block(playable: Playable) -> Playable:
    """The same block of another kernel."""
    run = playable.run
    return Playable(replace(run, spec=replace(run.spec, kernel="another")))


def test_that_one_step_leads_back_to_what_was_in_that_picture(three: list[TraceRun]) -> None:
    left, right, third = (Playable(trace) for trace in three)
    assert way_back(third.run, left, right, None) is left
    assert way_back(with_other_inputs(left.run), left, right, None) is left
    assert way_back(replace(right.run), left, right, third) is None, "another block of what is shown"
    assert way_back(replace(left.run), left, right, third) is third
    assert way_back(third.run, left, None, None) is left
