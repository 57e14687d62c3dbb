"""The notes of a roofline speak of the roofs that are drawn, and of no others."""

from __future__ import annotations

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.roof_words import LOWERED_NOTE
from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.figures.roofline.roofline import roofline_figure, roofline_of


def ladder() -> Session:
    """Runs in float32, TF32 and bfloat16 on an H200, with their roofs."""
    return load_session(next(one.path for one in load_examples() if one.id == "gpu-ladder"))


def note_of(session: Session, wanted: set[Arithmetic]) -> tuple[str, set[str]]:
    """What is said of the roofs of the runs in some arithmetics, and the names of those that are drawn."""
    runs = [run for run in session.runs if run.arithmetic in wanted]
    (note,) = [note for note in roofline_figure(runs, session.roofs).notes if note.startswith("roofs measured")]
    return note, {line.words.partition(" at ")[0].rsplit(" ", 2)[0] for line in roofline_of(runs, session.roofs).lines}


def test_that_clocks_and_throttling_are_those_of_the_roofs_that_are_drawn() -> None:
    session = ladder()
    note, drawn = note_of(session, {Arithmetic.FP32})
    assert drawn == {"fp32 FMA"}
    assert (
        note == "roofs measured on NVIDIA H200, 2026-11-23, at 1\u202f980 MHz"
    )  # one clock, and nothing was throttled
    for wanted in ({Arithmetic.TF32}, set(Arithmetic)):
        note, drawn = note_of(session, wanted)
        assert len(drawn) == len(wanted & {Arithmetic.FP32, Arithmetic.TF32, Arithmetic.TF32X3, Arithmetic.BF16})
        for name in ("fp32 FMA", "TF32 tensor", "bf16 tensor"):
            assert (name in note) == (name in drawn)
        assert "copy at" in note
        assert "lowered by the GPU" in note


def test_that_a_roof_of_a_lowered_clock_says_so_where_it_is_drawn_and_a_note_says_what_its_mark_means() -> None:
    session = ladder()
    words = {line.words for line in roofline_of(session.runs, session.roofs).lines}
    assert {"TF32 tensor 477 TFLOP/s at 1\u202f935 MHz !", "bf16 tensor 890 TFLOP/s at 1\u202f830 MHz !"} <= words
    assert "fp32 FMA 63.9 TFLOP/s" in words, "its clock was not lowered"
    assert LOWERED_NOTE in roofline_figure(session.runs, session.roofs).notes
    at_full_clock = [run for run in session.runs if run.arithmetic is Arithmetic.FP32]
    assert LOWERED_NOTE not in roofline_figure(at_full_clock, session.roofs).notes
