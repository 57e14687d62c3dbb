"""Launches that give a template other arguments: whether the kernel was proven with these is said."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.adopt.description import Description, SweptParameter
from gemmviz.adopt.prove.host.other_templates import other_template_words
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.domain.kernels.call import Storage

STORAGE = Storage()
DESCRIPTION = Description(
    "mm",
    ("float", "TILE"),
    (),
    ("A", "B", "C", "N"),
    (STORAGE, STORAGE, STORAGE, STORAGE),
    ("TILE", "TILE"),
    ("N",),
    parameters=(SweptParameter("TILE", (16, 32), 16),),
    settings=((("TILE", 32),),),
)


def launch(line: int, *template: str) -> FoundLaunch:
    return FoundLaunch("mm", line, "run", template, (), (), "0", ())


def test_that_a_value_that_was_proven_is_not_called_unproven() -> None:
    told = other_template_words([launch(9, "float", "32")], DESCRIPTION)
    assert told == (
        "the launch in line 9 was not compared with the one described here: "
        "it has TILE = 32, with which the kernel is right in that launch",
    )


def test_that_launches_with_unproven_arguments_are_told_in_one_sentence() -> None:
    launches = [launch(9, "double", "16"), launch(12, "double", "16"), launch(15, "float", "64")]
    assert other_template_words(launches, DESCRIPTION) == (
        "the launches in lines 9 and 12 were not compared with the one described here: "
        "the kernel was not proven as mm<double, 16>",
        "the launch in line 15 was not compared with the one described here: "
        "the kernel was not proven as mm<float, 64>",
    )


def test_that_a_value_that_is_right_only_together_with_others_is_unproven() -> None:
    description = replace(DESCRIPTION, settings=((("OTHER", 2), ("TILE", 32)),))
    assert "was not proven as mm<float, 32>" in other_template_words([launch(9, "float", "32")], description)[0]
