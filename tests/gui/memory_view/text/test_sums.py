"""The accumulators of a thread that makes several elements of C: the chosen sum in full, the others beside it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.arithmetic import Sum, Term
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.making import Made, make
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import Looks, looks_of
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.places.legend import STRIP_HEIGHT
from gemmviz.gui.memory_view.scene import Scene, Values
from gemmviz.gui.memory_view.text.cell_values import cell_values
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.picture_numbers import NumberGroup, PictureNumbers
from gemmviz.gui.memory_view.text.sums import SumLine, SumNumbers, accumulator_lines, chosen_sum, close_lines
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.trace.frames.frames import natural_mode

Record = Callable[..., TraceRun]
SEVERAL = ("register_1d", "register_2d", "double_buffered", "warp_tiled", "vectorized", "cl_row_private")
pytestmark = pytest.mark.usefixtures("qapp")
WINDOWS = ((676, 430), (674, 512), (980, 560), (1314, 690))


@pytest.fixture(scope="module")
def looks(qapp: object) -> Looks:
    assert qapp is not None
    return looks_of(LIGHT)


def opened(run: TraceRun, size: tuple[int, int]) -> tuple[MemoryView, Made]:
    trace = run.blocks[0].trace(run.sites, run.arrays)
    view, made = MemoryView(LIGHT), make(run, trace, natural_mode(trace))
    view.resize(*size)
    view.show_recording(run, trace, made.frames, made.analysis)
    view.set_values(made.a, made.b, made.c)
    return view, made


def at(view: MemoryView, made: Made, index: int) -> Scene:
    view.show_frame(made.frames.frame(index))
    scene = view.picture_state()
    assert scene is not None
    return scene


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("kernel", SEVERAL)
def test_that_a_thread_with_several_sums_has_its_card_in_every_frame(
    recorded: Record, looks: Looks, kernel: str, size: tuple[int, int]
) -> None:
    view, made = opened(recorded(kernel, "4x4x4", (0, 0)), size)
    places = set()
    for index in range(len(made.frames)):
        scene = at(view, made, index)
        sums = text_layer(scene, looks).sums
        assert len(scene.sums.of_thread) >= 4
        assert sums is not None
        assert sums.box.bottom <= size[1] - STRIP_HEIGHT
        places.add(sums.box)
        found, words = chosen_sum(scene), [line.text for line in sums.words]
        numbers = SumNumbers.of(scene.sums.of_thread, numbers_of(scene))
        assert f"C[{found.row},{found.column}]" in words
        if found.total:
            assert any(text.removeprefix("= ") == numbers.total(found.total) for text in words)
        for term in found.terms:
            assert term.a is not None
            assert term.b is not None
            assert any(numbers.product(term) in text for text in words)
    assert len(places) == 1


@pytest.mark.parametrize("kernel", SEVERAL)
def test_that_the_accumulators_of_all_threads_have_their_numbers(recorded: Record, kernel: str) -> None:
    for size in WINDOWS:
        view, made = opened(recorded(kernel, "4x4x4", (0, 0)), size)
        scene = at(view, made, len(made.frames) - 1)
        lens = scene.lens("C")
        assert lens is not None
        cell = scene.camera.seen(lens.place.box).part(lens.place.rows, lens.place.columns, 0, 0)
        assert detail_of(cell.width, cell.height) is Detail.VALUES, size
        assert len(scene.sums.totals) == 16
        assert all(total is not None for total in scene.sums.totals.values())


def test_that_the_sum_of_the_chosen_element_is_told(recorded: Record, looks: Looks) -> None:
    view, made = opened(recorded("register_2d", "4x4x4", (0, 0)), (1314, 690))
    view.show_thread(0)
    for row, column in ((0, 0), (2, 0), (3, 0)):
        view.show_element("C", row, column)
        scene = at(view, made, 1)
        sums = text_layer(scene, looks).sums
        assert sums is not None
        assert (chosen_sum(scene).row, chosen_sum(scene).column) == (row, column)
        words = [line.text for line in sums.words]
        assert f"C[{row},{column}]" in words
        numbers = SumNumbers.of(scene.sums.of_thread, numbers_of(scene))
        others = [found for found in scene.sums.of_thread if found is not chosen_sum(scene)]
        assert all(
            any(f"C[{found.row},{found.column}] {numbers.total(found.total)}" in text for text in words)
            for found in others
        )


def test_that_the_sum_a_thread_is_at_is_told_where_none_is_chosen(recorded: Record) -> None:
    view, made = opened(recorded("cl_row_private", "4x4x4", (0, 0)), (980, 560))
    told = [(chosen_sum(at(view, made, index)).row, chosen_sum(at(view, made, index)).column) for index in range(12)]
    assert told[3] == (0, 0)
    assert list(dict.fromkeys(told)) == [(0, 0), (0, 1), (0, 2)]


def test_that_a_sum_is_written_close_where_there_is_little_room() -> None:
    terms = (Term(0, 2.0, 3.0, 6.0), Term(1, -1.0, 4.0, 2.0), Term(2, 0.5, 4.0, 4.0))
    found = Sum(1, 2, terms, stored=False)
    empty = Sum(1, 2, (), stored=False)
    numbers = SumNumbers.of([found, empty])
    assert close_lines(found, 2, numbers) == (
        SumLine("", "C[1,2]", "", "= 4"),
        SumLine("", "= 2·3 + -1·4", "", ""),
        SumLine("", "+ 0.5·4", "", ""),
    )
    assert close_lines(empty, 2, numbers) == (SumLine("", "C[1,2]", "", ""), SumLine("", "= 0", "", ""))
    (line,) = accumulator_lines([found, Sum(3, 2, terms[:1], stored=False)], 2, numbers)
    assert line.names.split() == ["C[1,2]", "4", "C[3,2]", "6"]


@pytest.mark.parametrize("kernel", ["global_accumulate", "tiled_global_accumulate"])
def test_that_a_narrow_card_has_the_sum_in_its_head(recorded: Record, looks: Looks, kernel: str) -> None:
    view, made = opened(recorded(kernel, "4x4x4", (0, 0), TILE=2), (600, 560))
    scene = at(view, made, len(made.frames) - 1)
    sums = text_layer(scene, looks).sums
    assert sums is not None
    assert not sums.is_sheet
    numbers = SumNumbers.of(scene.sums.of_thread, numbers_of(scene))
    assert f"= {numbers.total(scene.sums.of_thread[0].total)}" in [line.text for line in sums.words]


def test_that_the_numbers_of_a_card_have_the_decimals_of_the_picture() -> None:
    a = np.array([[0.53121234, -1.25]], np.float32)
    b = np.array([[0.73311234], [1.5625]], np.float32)
    c = np.array([[12.3456, -1.5625]], np.float32)
    terms = (Term(0, 0.53121234, 0.73311234, 0.38941234), Term(1, -1.25, 1.5625, -1.56371234))
    values = Values(a, b, c)
    groups = PictureNumbers(NumberGroup(values.samples_of("A").known), NumberGroup(values.samples_of("C").known))
    numbers = SumNumbers.of([Sum(0, 0, terms, stored=False)], groups)
    assert [numbers.product(term) for term in terms] == ["0.531·0.733", "-1.250·1.562"]
    cells, _ = cell_values([0.38941234, -1.56371234], lambda _: 9.0, values.samples_of("C").known)
    assert tuple(numbers.total(term.total) for term in terms) == cells == ("0.39", "-1.56")


def test_that_a_card_writes_exactly_what_the_picture_writes_exactly() -> None:
    terms = (Term(0, 1.25, 1.25, 1.5625), Term(1, 0.5, 1.0, 2.0625))
    numbers = SumNumbers.of([Sum(0, 0, terms, stored=False)])
    assert [numbers.product(term) for term in terms] == ["1.25·1.25", "0.5·1"]
    assert [numbers.total(term.total) for term in terms] == ["1.5625", "2.0625"]
