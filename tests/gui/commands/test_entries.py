from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QTabWidget

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.glossary import load_glossary
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import Preset, load_presets
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.gui.commands.commands import command_of, commands_of
from gemmviz.gui.commands.entries import (
    Entry,
    kernel_entries,
    lesson_entries,
    preset_entries,
    recording_entries,
    size_entries,
    term_entries,
)
from gemmviz.gui.commands.palette import CommandPalette
from gemmviz.gui.commands.ranking import rank, singular
from gemmviz.gui.control.examples_control import ExamplesControl
from gemmviz.gui.welcome.examples import ExamplesSection
from gemmviz.gui.welcome.first_page import FirstPage
from gemmviz.gui.window.main_window import MainWindow

CATALOGUE, PRESETS = load_catalogue(), load_presets()


def first(query: str, entries: list[Entry]) -> Entry:
    return entries[rank(query, [command_of(entry) for entry in entries])[0].place]


def test_that_the_id_of_a_kernel_finds_that_kernel_first() -> None:
    entries = [*preset_entries(PRESETS, print), *kernel_entries(CATALOGUE.kernels, print)]
    for kernel in CATALOGUE.kernels:
        found = first(kernel.id, entries)
        assert (found.kind, found.title, found.detail) == ("Kernel", kernel.id, kernel.title)


@pytest.mark.parametrize(
    ("query", "shape"),
    [
        ("8x8", (8, 8, 8)),
        ("512x512x256", (512, 512, 256)),
        (" 33 × 17 × 5 ", (33, 17, 5)),
        ("64 X 32", (64, 32, 7)),
        ("1,2,3", (1, 2, 3)),
        ("512 256 64", (512, 256, 64)),
    ],
)
def test_that_a_size_that_is_typed_can_be_set(query: str, shape: tuple[int, int, int]) -> None:
    found: list[Shape] = []
    entry = size_entries(query, Shape(5, 6, 7), found.append, print)[0]
    assert entry.title == f"Set M×N×K to {shape[0]}×{shape[1]}×{shape[2]}"
    assert not entry.refusal
    entry.do()
    assert found == [Shape(*shape)]


def test_that_a_size_no_run_can_have_says_why() -> None:
    for query in ("0x8x8", "99999999x8x8", f"{'9' * 30}x1x1"):
        (entry,) = size_entries(query, Shape(5, 6, 7), print, print)
        assert entry.refusal


def test_that_a_small_size_can_be_set_up_for_a_blackboard() -> None:
    found: list[Shape] = []
    size_entries("8x8", Shape(5, 6, 7), print, found.append)[1].do()
    assert found == [Shape(8, 8, 8)]
    assert len(size_entries("8x8x17", Shape(5, 6, 7), print, print)) == 1


@pytest.mark.parametrize("query", ["", "8", "8x", "tiled 8x8", "x8", "1x2x3x4", "float4"])
def test_that_other_words_are_no_size(query: str) -> None:
    assert size_entries(query, Shape(5, 6, 7), print, print) == []


def test_that_a_title_or_a_topic_finds_a_kernel() -> None:
    entries = kernel_entries(CATALOGUE.kernels, print)
    assert first("double buffering", entries).title == "double_buffered"
    assert first("float4", entries).title == "vectorized"
    found = rank("bank conflict", [command_of(entry) for entry in entries])
    assert "tiled_transposed" in {entries[match.place].title for match in found}, "the kernel that has them"


def test_that_a_preset_is_found_by_its_title_and_by_its_size() -> None:
    chosen: list[Preset] = []
    entries = preset_entries(PRESETS, chosen.append)
    first("four by four", entries).do()
    first("1037", entries).do()
    assert [(preset.title, str(preset.shape)) for preset in chosen] == [
        ("Four by four", "4x4x4"),
        ("Odd sizes", "1037x1031x1055"),
    ]


def test_that_lessons_are_found_by_their_number_and_stand_in_their_order() -> None:
    lessons, opened = load_lessons(), []
    others = [*kernel_entries(CATALOGUE.kernels, print), *preset_entries(PRESETS, print)]
    entries = [*others, *lesson_entries(lessons, opened.append)]
    for lesson in lessons:
        found = first(f"lesson {lesson.number}", entries)
        assert (found.kind, found.title) == (f"Lesson {lesson.number}", lesson.title)
        found.do()
    assert opened == [lesson.id for lesson in lessons]
    for query in ("lesson", "lessons", "less"):
        ranked = [entries[match.place].title for match in rank(query, [command_of(entry) for entry in entries])]
        assert ranked[: len(lessons)] == [lesson.title for lesson in lessons]
    assert rank(f"lesson {len(lessons) + 1}", [command_of(entry) for entry in entries]) == ()


def test_that_a_lesson_stands_before_the_term_that_it_teaches() -> None:
    entries = [*term_entries(load_glossary(), print), *lesson_entries(load_lessons(), print)]
    for query in ("bank conf", "bank conflict", "bank conflicts"):
        assert first(query, entries).kind == "Lesson 3"
    assert first("what is a bank conflict", entries).kind == "Term"


def take(window: MainWindow, qtbot, query: str) -> None:
    """Open the palette, type the query, press Enter."""
    window.findChild(QAction, "paletteAction").trigger()
    palette = window.findChild(CommandPalette)
    field = palette.findChild(QLineEdit, "commandField")
    qtbot.keyClicks(field, query)
    with qtbot.waitSignal(palette.destroyed):
        qtbot.keyClick(field, Qt.Key.Key_Return)


def test_that_the_palette_finds_kernels_presets_pages_and_recordings(window: MainWindow, qtbot) -> None:
    take(window, qtbot, "dot")
    qtbot.waitUntil(lambda: window.experiment.kernel == "dot")
    take(window, qtbot, "four by four")
    qtbot.waitUntil(lambda: str(window.experiment.shape) == "4x4x4")
    take(window, qtbot, "roofline")
    tabs = window.findChild(QTabWidget, "tabs")
    qtbot.waitUntil(lambda: tabs.tabText(tabs.currentIndex()) == "Timing")
    qtbot.waitUntil(lambda: window.findChild(QPushButton, "timingViewRoofline").isChecked())


def test_that_the_palette_finds_what_the_first_page_offers(window: MainWindow, qtbot) -> None:
    begun: list[str] = []
    window.findChild(FirstPage).experiment_asked.connect(lambda: begun.append("experiment"))
    take(window, qtbot, "new experiment")
    qtbot.waitUntil(lambda: begun == ["experiment"])


def test_that_recordings_are_found_and_played(make_recording) -> None:
    played: list[TraceRun] = []
    session = load_session(next(example.path for example in load_examples() if example.id == "cpu-four"))
    assert recording_entries(replace(session, traces=(make_recording(),)), played.append) == [], "it keeps no block"
    traces = session.traces
    entries = recording_entries(session, played.append)
    assert [(entry.kind, entry.title.split()[0]) for entry in entries] == [
        ("Recording", trace.spec.kernel) for trace in reversed(traces)
    ]
    first(traces[0].spec.kernel, entries).do()
    assert played == [traces[0]]
    assert not any(entry.detail.startswith(("recorded 2", "version")) for entry in entries), "no two are of one title"


def test_that_recordings_of_one_title_say_what_tells_them_apart() -> None:
    session = load_session(next(example.path for example in load_examples() if example.id == "cpu-four"))
    days = [f"2026-11-{day}T10:00:00+00:00" for day in (21, 22, 23)]
    again = tuple(replace(session.traces[0], finished=day) for day in days)
    kernel, text = again[0].spec.kernel, again[0].source_text
    versions = tuple(
        KernelVersion(kernel, number, "mine.cu", f"{text}// {number}", trace.finished, recorded=trace.finished)
        for number, trace in enumerate(again[:2], 1)
    )
    entries = recording_entries(replace(session, traces=again, versions=versions), list[TraceRun]().append)
    assert len({entry.title for entry in entries}) == 1
    local = [datetime.fromisoformat(day).astimezone().strftime("%Y-%m-%d %H:%M") for day in days]
    begins = [entry.detail.split(" · ")[:2] for entry in entries]
    assert begins[0] == ["unnumbered version", begins[0][1]]
    assert [each[0] for each in begins[1:]] == ["version 2", "version 1"]
    assert [entry.kept_detail for entry in entries] == [each[0] for each in begins]
    assert first("version 2", entries) is entries[1]
    only = replace(versions[0], text=text)
    alike = recording_entries(replace(session, traces=again, versions=(only,)), list[TraceRun]().append)
    assert [entry.detail.split(" · ")[:2] for entry in alike] == [
        ["version 1", f"recorded {day}"] for day in local[::-1]
    ]


def test_that_examples_are_found() -> None:
    menu, section, chosen = QMenu(), ExamplesSection(load_examples()), []
    control = ExamplesControl(load_examples(), menu, section)
    control.chosen.connect(chosen.append)
    first("cpu-four", control.entries()).do()
    assert [example.id for example in chosen] == ["cpu-four"]


def test_that_a_term_leads_to_the_glossary_and_gives_way_to_a_command_of_its_name() -> None:
    looked_up: list[str] = []
    entries = term_entries(load_glossary(), looked_up.append)
    first("occupancy", entries).do()
    first("lane", entries).do()
    assert looked_up == ["occupancy", "warp, lane"]
    both = [Entry("Run", "Sweep", print), *entries]
    assert first("sweep", both).kind == "Run"


WORDS_OF_LESSONS = """
kernel|thread|block|grid|matrix product|shared memory|global memory|load|store|tile|tiles|tiling|warp|lane|request
sector|sectors per request|line|cache|cache line|coalesced|coalescing|latency|bank|bank conflict|wavefront|word|padding
swizzle|XOR|barrier|__syncthreads|race|register|registers|multiply-add|FMA|GFLOP/s|TFLOP/s|roofline|roof|bandwidth
streaming multiprocessor|SM|wave|tail|clock cycle|cuBLAS|tensor core|TF32|bfloat16|float32|float64|mma|wgmma|TMA
cp.async|asynchronous copy|double buffering|vector instruction|Numba|transposed|dot product|partial sum|reduction
sweep|ladder|rung|threadIdx|GPU|CPU
"""
WORDS_OF_PAGES = """
PTX|SASS|machine code|NVRTC|nvcc|OpenCL|PoCL|sm_90a|preset|Quick|time budget|seed|fill|derived|measured|recorded
modelled|emulated|counter|error / u·G|ULP|median|IQR|cold|hot|end-to-end|speed-up|baseline|occupancy|waves|traffic
block schedule|referee|version|session|recording|PTX machine|cluster|spills|block in view|memory-bound|persistent
"""


@pytest.mark.parametrize("words", [WORDS_OF_LESSONS, WORDS_OF_PAGES], ids=["lessons", "pages"])
def test_that_every_word_of_lessons_and_pages_has_an_entry_that_the_palette_finds_first(words: str) -> None:
    entries = term_entries(load_glossary(), print)
    missing = {}
    for word in filter(None, words.replace("\n", "|").split("|")):
        found = rank(word, [command_of(entry) for entry in entries])
        names = [entries[match.place].title.casefold() for match in found[:1]]
        if not names or singular(word).casefold() not in names[0]:
            missing[word] = names
    assert missing == {}


def test_that_the_window_finds_forms_the_tour_and_the_glossary(window: MainWindow) -> None:
    actions = commands_of(window._actions.by_section())

    def name(query: str) -> str:
        return actions[rank(query, actions)[0].place].name

    assert name("both forms") == "Record both forms"
    assert name("as compiled") in ("Record as compiled", "Record both forms")
    assert name("compiled") == "Record as compiled"
    assert name("tour") == "Lessons"
    assert name("glossary") == "Glossary"


def test_that_a_term_that_is_typed_whole_stands_before_what_only_has_it_in_its_name() -> None:
    kernels = kernel_entries(CATALOGUE.kernels, print)
    everything = [*kernels, *preset_entries(PRESETS, print), *term_entries(load_glossary(), print)]
    assert {word: first(word, everything).title for word in ("warp", "lane", "iqr", "tiling")} == {
        "warp": "warp, lane",
        "lane": "warp, lane",
        "iqr": "median, IQR, n",
        "tiling": "tile, tiling",
    }
