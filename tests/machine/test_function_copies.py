"""A function of a header has a copy for each line of the kernel's file that calls it."""

from __future__ import annotations

from gemmviz.machine.ptx.function_copies import MOST_COPIES, copied_bodies, with_copies
from gemmviz.machine.ptx.parse import Function, parse

HEAD = '.version 8.5\n.target sm_90a, debug\n.address_size 64\n\t.file 1 "tile.cuh"\n\t.file 2 "kernel.cu"\n'
LOADS = """\t// .globl {name}
.visible .func (.param .b32 result) {name}(
\t.param .b64 {name}_param_0
)
{{
\t.reg .b64 %rd<2>;
\t.loc 1 {line} 5
$L__{name}:
\tld.param.u64 %rd1, [{name}_param_0];
\t{body}
\tret;
}}
"""
ENTRY = ".visible .entry k()\n{{\n\t.reg .b64 %rd<3>;\n{body}\tret;\n}}\n"
LOAD = "ld.global.f32 %f1, [%rd1];"


def function(name: str, line: int, body: str = LOAD) -> str:
    return LOADS.format(name=name, line=line, body=body)


def call(name: str, line: int) -> str:
    return f"\t.loc 2 {line} 9\n\t{{\n\tcall.uni (result), \n\t{name}, \n\t(param0);\n\t}}\n"


def entry(*calls: str) -> str:
    return ENTRY.format(body="".join(calls))


def placed(text: str) -> dict[str, set[tuple[int, str]]]:
    """The line and the place in headers of each function's loads."""
    return {one.name: places(one) for one in parse(with_copies(text, "kernel.cu"), "kernel.cu").functions}


def places(one: Function) -> set[tuple[int, str]]:
    return {(each.place.line, each.place.header) for each in one.statements if each.words[:2] == ("ld", "global")}


def test_that_each_line_that_calls_a_function_has_its_own() -> None:
    text = HEAD + function("load", 4) + entry(call("load", 15), call("load", 16), call("load", 15))
    made = with_copies(text, "kernel.cu")
    assert placed(text) == {"load": {(15, "tile.cuh:4")}, "load$line16": {(16, "tile.cuh:4")}, "k": set()}
    calls = [one for one in parse(made, "kernel.cu").entry("k").statements if one.opcode == "call.uni"]
    assert [one.operands[1] for one in calls] == ["load", "load$line16", "load"]
    assert with_copies(made, "kernel.cu") == made


def test_that_a_function_within_a_function_has_the_line_and_the_calls_between() -> None:
    text = HEAD + function("load", 4) + function("tile", 9, "call.uni (result), load, (param0);")
    found = placed(text + entry(call("tile", 15), call("tile", 16)))
    assert {place for places in found.values() for place in places} == {
        (15, "tile.cuh:4, called in tile.cuh:9"),
        (16, "tile.cuh:4, called in tile.cuh:9"),
    }


def test_that_one_whose_address_is_taken_is_no_copy() -> None:
    body = call("load", 15) + call("load", 16) + "\tmov.u64 %rd1, load;\n"
    text = HEAD + function("load", 4) + ENTRY.format(body=body)
    assert with_copies(text, "kernel.cu") == text
    assert placed(text)["load"] == {(0, "tile.cuh:4")}


def test_that_one_that_touches_no_memory_or_calls_itself_is_no_copy() -> None:
    arithmetic = HEAD + function("twice", 4, "add.u64 %rd1, %rd1, %rd1;") + entry(call("twice", 15), call("twice", 16))
    assert with_copies(arithmetic, "kernel.cu") == arithmetic
    again = function("again", 4, f"{LOAD}\n\tcall.uni (result), again, (param0);")
    recursive = HEAD + again + entry(call("again", 15), call("again", 16))
    assert with_copies(recursive, "kernel.cu") == recursive


def test_that_there_is_a_bound() -> None:
    text = HEAD + function("load", 4) + entry(*(call("load", line) for line in range(1, MOST_COPIES + 3)))
    assert with_copies(text, "kernel.cu") == text


def test_that_the_bodies_of_copies_are_found() -> None:
    made = with_copies(HEAD + function("load", 4) + entry(call("load", 15), call("load", 16)), "kernel.cu")
    ((name, behind),) = copied_bodies(made)["load"]
    first = made.index("$L__load:")
    assert name == "load$line16"
    assert made.index("$L__load:", first + 1) == first + behind
