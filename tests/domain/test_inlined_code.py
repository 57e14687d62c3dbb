"""Which functions of a kernel's file several lines call, by the `.loc` lines of PTX."""

from __future__ import annotations

from gemmviz.domain.kernels.inlined_code import bodies_of, helper_line, in_helper

OWN = frozenset({"1"})
BODY = """.visible .entry {name}()
{{
	.loc	1 8 74, function_name $L__info_string0, inlined_at 1 {first} 9
	.loc	1 9 74, function_name $L__info_string0, inlined_at 1 {second} 9
	.loc	1 9 74, function_name $L__info_string{other}, inlined_at 1 {third} 9
	.loc	1 12 74, function_name $L__info_string5, inlined_at 1 23 9
	.loc	2 40 1, function_name $L__info_string6, inlined_at 1 24 9
	ret;
}}
"""


def shared_lines(**of: int) -> list[int]:
    lines = {"name": "k", "first": 23, "second": 23, "third": 23, "other": 0} | of
    ((_, _, inlined),) = bodies_of(BODY.format(**lines), OWN)
    return [line for line in range(60) if inlined.is_shared(line)]


def test_that_all_lines_of_a_function_are_those_of_one_that_several_lines_call() -> None:
    assert shared_lines() == []
    assert shared_lines(third=24) == [8, 9]


def test_that_instances_of_a_template_are_one_function() -> None:
    assert shared_lines(third=24, other=1) == [9]
    assert shared_lines(first=22, second=22, third=22, other=1) == []


def test_that_each_kernel_of_a_file_is_looked_at_by_itself() -> None:
    text = BODY.format(name="a", first=23, second=23, third=23, other=0)
    text += BODY.format(name="b", first=33, second=33, third=33, other=0)
    assert [inlined.is_shared(8) for _, _, inlined in bodies_of(text, OWN)] == [False, False]


def test_that_a_place_names_the_helpers_line_and_the_header_within() -> None:
    assert in_helper("", 8) == "helper in line 8"
    assert in_helper("tile.cuh:4", 8) == "tile.cuh:4, called in line 8"
    assert [helper_line(one) for one in ("helper in line 8", "tile.cuh:4, called in line 9", "tile.cuh:4", "")] == [
        8,
        9,
        0,
        0,
    ]
