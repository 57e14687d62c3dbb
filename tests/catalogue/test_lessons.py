"""The lessons that come with the program, and what a lesson's file may hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lesson_facts import holds, names_in, numbers_in, printed_time, time_of_printed_rate

from gemmviz.catalogue.lesson_scenes import Pictures, Scene
from gemmviz.catalogue.lessons import Lesson, LessonError, LessonRecording, LessonStep, lessons_folder, load_lessons
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.trace.loop_lines import loop_lines

LESSONS = load_lessons()
IDS = [lesson.id for lesson in LESSONS]
KERNELS = {kernel.id for kernel in load_catalogue().kernels}
SOUND = """
number = 1
title = "A lesson"
summary = "One sentence."
minutes = 2
picture = "tile"
[[steps]]
text = "A step."
[attempt]
text = "Now you."
more = "Runs one kernel."
seen = "One kernel ran"
after = "Look at its time."
size = "4x4x4"
kernels = ["tiled"]
"""


def written(folder: Path, text: str) -> tuple[Lesson, ...]:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return load_lessons(folder)


def words_of(step: LessonStep) -> tuple[str, ...]:
    """What a reader may come to read in a step, but for the choices, which may be wrong."""
    answers = step.question.choices if step.question is not None else ()
    gaps = step.repair.gaps if step.repair is not None else ()
    said = step.text, step.more, step.more_once_answered
    return *said, *(each.says for each in answers), *(each.says for each in gaps)


def scenes_of(step: LessonStep) -> tuple[Scene, ...]:
    """What a reader comes to see in a step: its own scene, and that of its answer."""
    return tuple(scene for scene in (step.scene, step.answer_scene) if scene is not None)


def test_that_the_lessons_are_numbered_from_one() -> None:
    assert [lesson.number for lesson in LESSONS] == list(range(1, len(LESSONS) + 1))
    assert len(LESSONS) >= 8


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_what_a_lesson_states_is_so(lesson: Lesson) -> None:
    names = names_in(lesson)
    for step in lesson.steps:
        for fact in step.facts:
            assert holds(fact, names), f"{step.text} {fact}"


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_no_line_ends_within_a_formula_that_is_said_of_recordings(lesson: Lesson) -> None:
    sequel = lesson.attempt.sequel
    said = (sequel.because, sequel.aside) if sequel is not None else ()
    assert not re.search("[-+·÷=] | [-+·÷=]", " ".join(said))


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_every_number_of_a_text_is_proven_or_is_a_setting(lesson: Lesson) -> None:
    settings = " ".join(
        f"{one.size} {' '.join(str(value) for value in one.params.values())}" for one in lesson.recordings.values()
    ).replace("x", " ")
    for step in lesson.steps:
        proven = "; ".join(step.facts).replace("x", " ")
        for words in words_of(step):
            assert not re.search(r"\d{5}", words), f"{words}: thousands are grouped, as in the picture"
            for number in numbers_in(words):
                assert number in numbers_in(f"{proven} {settings} 32 64"), f"{words}: {number}"


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_what_a_lesson_says_of_speed_is_a_ratio_of_its_measurements(lesson: Lesson) -> None:
    """Ratios of times are figures, rounded as the fact says, also on the card and in the last step."""
    proven = "; ".join(fact for step in lesson.steps for fact in step.facts)
    rounded = set(re.findall(r"round\(.*?\) == ([\d.]+)", proven))
    said = [lesson.summary, lesson.attempt.text, lesson.attempt.more, lesson.attempt.after]
    for words in (*said, *(each for step in lesson.steps if step.chart for each in (step.text, step.more))):
        for ratio in re.findall(r"([\w.]+) (?:times (?:as (?:fast|long)|the time)|%)", words):
            assert ratio in rounded or f"not make the kernel {ratio} times" in words, f"{words}: {ratio}"


@pytest.mark.parametrize("printed", [printed_time, time_of_printed_rate], ids=["times", "rates"])
def test_that_ratios_follow_from_the_numbers_that_charts_print(printed: Callable[[RunResult], float]) -> None:
    ratios = 0
    for lesson in LESSONS:
        names = names_in(lesson, printed)
        for step in lesson.steps:
            for fact in step.facts:
                if "round(" in fact and "/" in fact:
                    ratios += 1
                    assert holds(fact, names), f"{step.text} {fact}"
    assert ratios > 10


def test_that_lessons_play_recordings_of_the_ptx_machine_but_for_the_two_of_the_race_that_docs_name() -> None:
    others = {
        (lesson.id, name): run.device
        for lesson in LESSONS
        if lesson.recordings
        for name, run in zip(lesson.recordings, load_session(lesson.session_path).traces, strict=True)
        if not run.device.is_emulated
    }
    assert set(others) == {("race", "broken"), ("race", "fixed")}
    assert all(device.is_pocl for device in others.values())
    page = " ".join((Path(__file__).parents[2] / "docs" / "WINDOW.md").read_text(encoding="utf-8").split())
    assert "except two recordings of the lesson on the race" in page
    assert "made on PoCL by an earlier version" in page


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_what_a_lesson_names_is_there(lesson: Lesson) -> None:
    catalogue = load_catalogue()
    kernels = {kernel.id for kernel in catalogue.kernels}
    assert set(lesson.attempt.kernels) <= kernels
    assert lesson.steps[0].scene is not None
    for step in lesson.steps:
        for scene in scenes_of(step):
            names = getattr(scene, "show", ())
            for name in (names,) if isinstance(names, str) else names:
                assert {name} & {*lesson.recordings, *lesson.examples, *kernels}, f"{step.text}: {name}"
        if step.question is not None:
            reasons = [choice.says for choice in step.question.choices]
            assert len(set(reasons)) == len(reasons), step.question.text


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_what_is_computed_with_in_the_loops_shown_is_explained(lesson: Lesson) -> None:
    texts = {kernel.id: kernel.text for kernel in load_catalogue().kernels}
    said = ""
    for step in lesson.steps:
        said += " ".join((step.text, step.more))
        for kernel in step.loops.show if step.loops is not None else ():
            loops = loop_lines(texts[kernel])
            shown = [loops.source.splitlines()[number - 1].strip() for number in loops.numbers]
            statements = ast.parse("\n".join(line for line in shown if not line.startswith("for ")))
            names = {node.id for node in ast.walk(statements) if isinstance(node, ast.Name)}
            for name in names - {*"ijkabc", "np"}:
                assert re.search(rf"\b{name}\b", said), f"{kernel}: {name}"
            assert "Numba compiles" in said, "Python would be far slower than the times say"


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_the_titles_of_pictures_name_the_kernels_and_tiles_that_are_shown(lesson: Lesson) -> None:
    shown_in = [scene for step in lesson.steps for scene in scenes_of(step) if isinstance(scene, Pictures)]
    for scene in shown_in:
        for name, title in zip(scene.show, scene.titles, strict=True):
            shown = lesson.recordings.get(name) or LessonRecording(Shape(1, 1, 1), lesson.examples[name].kernel)
            for kernel in {word for word in re.findall(r"\w+", title) if word in KERNELS}:
                assert kernel == (shown.kernel or "tiled"), title
            params = dict(shown.params)
            tiles = {(params.get("TILE"),) * 2, (params.get("TM"), params.get("TN"))}
            for edge, other in re.findall(r"(\d+)×(\d+)", title):
                assert (int(edge), int(other)) in tiles, title


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_a_tile_per_thread_is_that_of_the_picture_or_the_text_says_that_it_is_not(lesson: Lesson) -> None:
    """A step without a picture of its own stands beside the one before it."""
    title = ""
    for step in lesson.steps:
        title = " ".join(step.pictures.titles) if step.pictures else "" if step.scene is not None else title
        of_picture = set(re.findall(r"\d+×\d+", title))
        named = set(re.findall(r"(\d+×\d+) elements", step.text))
        if of_picture and not named <= of_picture:
            assert f"The picture still shows a thread with {' and '.join(of_picture)} elements." in step.more


@pytest.mark.parametrize("lesson", LESSONS, ids=IDS)
def test_that_the_accesses_and_lines_a_lesson_names_are_there(lesson: Lesson) -> None:
    """A scene of one request names an access that is there; a missing barrier is where `right` says."""
    traces = {name: names_in(lesson)[name] for name in lesson.recordings}
    for step in lesson.steps:
        request = step.banks or step.sectors
        if request is not None:
            run = traces[request.show].run  # type: ignore[attr-defined]
            sites = [(site.array, site.kind.value) for site in run.sites]
            assert (request.array, request.kind) in sites, step.text
        if step.repair is not None:
            fixed = traces[step.repair.fixed].run.source_text.split("\n")  # type: ignore[attr-defined]
            assert "__syncthreads" in fixed[step.repair.gaps[step.repair.right].line]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("number = 1", "number = 'one'"), "number"),
        (("minutes = 2", "minutes = 2\nhours = 1"), "hours"),
        (('size = "4x4x4"', 'size = "4x4"'), "4x4"),
        (('title = "A lesson"\n', ""), "title"),
        (('text = "A step."', 'text = "A step."\nbanks = 3'), "banks"),
        (("number = 1", "number = "), "mine.toml"),
    ],
)
def test_that_a_faulty_file_is_named_with_its_fault(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    assert written(tmp_path, SOUND)[0].title == "A lesson"
    with pytest.raises(LessonError, match=rf"mine\.toml.*{says}|{says}"):
        written(tmp_path, SOUND.replace(*change))


@pytest.mark.parametrize(
    ("right", "says", "error"),
    [
        (2, "Because.", "no choice 2 to be the right one"),
        (-1, "Because.", "no choice -1 to be the right one"),
        (0, " ", "the choice '2' of the question 'How many[?]' says nothing"),
    ],
)
def test_that_a_question_has_a_right_choice_and_a_reason_for_each(
    tmp_path: Path, right: int, says: str, error: str
) -> None:
    head = f'[steps.question]\ntext = "How many?"\nright = {right}\n'
    one, two = (
        f'[[steps.question.choices]]\ntext = "{word}"\nsays = "{why}"\n' for word, why in (("1", "Yes."), ("2", says))
    )
    with pytest.raises(LessonError, match=error):
        written(tmp_path, SOUND.replace("[attempt]", f"{head}{one}{two}[attempt]"))


@pytest.mark.parametrize(("more", "says"), [("", "more"), ('more = " "', "must say what is seen there")])
def test_that_an_answer_that_changes_the_picture_says_what_is_seen_then(tmp_path: Path, more: str, says: str) -> None:
    choices = '[[steps.question.choices]]\ntext = "1"\nsays = "Yes."\n'
    head = f'[steps.question]\ntext = "How many?"\nright = 0\n{choices}[steps.question.answer]\n{more}\n'
    scene = '[steps.question.answer.sectors]\nshow = "a"\ntitle = "b"\narray = "A"\nkind = "load"\n'
    with pytest.raises(LessonError, match=says):
        written(tmp_path, SOUND.replace("[attempt]", f"{head}{scene}[attempt]"))


def test_that_a_step_has_one_scene(tmp_path: Path) -> None:
    scenes = '[steps.loops]\nshow = ["cpu_ijk"]\n[steps.sectors]\nshow = "a"\ntitle = "b"\narray = "A"\nkind = "load"\n'
    with pytest.raises(LessonError, match="more than one scene"):
        written(tmp_path, SOUND.replace("[attempt]", f"{scenes}[attempt]"))


@pytest.mark.parametrize(("program", "barrier"), [("broken", 0), ("second", 1)])
def test_that_a_program_with_a_race_lacks_one_barrier_and_nothing_else(program: str, barrier: int) -> None:
    folder = lessons_folder() / "kernels"
    broken, fixed = (
        (folder / f"race_{name}.cu").read_text(encoding="utf-8").split("---*/")[1] for name in (program, "fixed")
    )
    lines = fixed.split("\n")
    del lines[[place for place, line in enumerate(lines) if line.strip() == "__syncthreads();"][barrier]]
    assert broken == "\n".join(lines)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ('view = "rate"\nagainst = "tiled"', "does not show tiled"),
        ('view = "rate"\nagainst = "naive"\nabout = ["tiled"]', "does not show tiled"),
        ('view = "rate"', "against"),
        ('view = "speedup"\nagainst = "naive"', "against"),
    ],
)
def test_that_a_chart_of_rates_says_what_it_compares(tmp_path: Path, keys: str, says: str) -> None:
    chart = f'[steps.chart]\nsession = "gpu-ladder"\nkernels = ["naive", "dot"]\n{keys}\n'
    with pytest.raises(LessonError, match=says):
        written(tmp_path, SOUND.replace("[attempt]", f"{chart}[attempt]"))
