"""Sources that are deep, long or grow: what a person may write works, the rest is refused at once and in words."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pace import clock_limit_s

from gemmviz.backends.base import CompileError
from gemmviz.backends.dialect.tree import MOST_LEVELS, depth_refused, parse

PATH = Path("mine.cu")
BEYOND = 10_000


def kernel(body: str, before: str = "") -> str:
    head = "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {"
    return f"{before}\n{head} int q = 0; float s = 0.0f;\n{body}\nC[threadIdx.x] = s + q; }}\n"


def else_ifs(count: int) -> str:
    return "if (M == 0) q = 1;" + "".join(f" else if (M == {i}) q = {i};\n" for i in range(count))


CHAINS = {
    "sum": "q = " + "+".join(["q"] * 450) + ";",
    "sum of loads": "s = " + "+".join(["A[q * K]"] * 450) + ";",
    "sum that is an address": "const float *p = A" + "+ 1" * 450 + "; s = p[0];",
    "sum that is loaded from": "s = *(A" + "+ 1" * 450 + ");",
    "else if": else_ifs(450),
    "assignments": "q = " * 450 + "1;",
    "conditions": "q = " + "M ? 1 : " * 450 + "2;",
    "commas": "q = 1" + ", q = 2" * 450 + ";",
    "brackets": "q = " + "(" * 200 + "q" + ")" * 200 + ";",
    "blocks": "{" * 200 + "q = 1;" + "}" * 200,
    "loops": "for (int i = 0; i < 1; ++i)" * 100 + "q += 1;",
    "statements": "q += 1;\n" * 2000,
}


@pytest.mark.parametrize("body", CHAINS.values(), ids=CHAINS.keys())
def test_that_long_chains_and_many_levels_are_translated(
    work_items: Callable[..., str], thread_loops: Callable[..., str], body: str
) -> None:
    head = "int q = 0; float s = 0.0f;"
    assert work_items(f"{head}\n{body}\nC[threadIdx.x] = s + q;").count("\n") >= body.count("\n")
    assert thread_loops(f"{head}\n{body}\nC[threadIdx.x] = s + q;").count("\n") >= body.count("\n")


DEEP = {
    "brackets": "q = " + "(" * BEYOND + "q" + ")" * BEYOND + ";",
    "blocks": "{" * BEYOND + "q = 1;" + "}" * BEYOND,
    "signs": "q = " + "- " * BEYOND + "q;",
    "subscripts": "s = " + "A[" * BEYOND + "0" + "]" * BEYOND + ";",
    "calls": "s = " + "fabsf(" * BEYOND + "s" + ")" * BEYOND + ";",
    "sums": "q = " + "+".join(["q"] * BEYOND) + ";",
    "else if": else_ifs(BEYOND),
    "stars": "float " + "*" * BEYOND + "p;",
}


@pytest.mark.parametrize("body", DEEP.values(), ids=DEEP.keys())
def test_that_ten_thousand_levels_are_refused_in_words(body: str) -> None:
    with pytest.raises(
        CompileError, match=f"mine.cu:[0-9]+:[0-9]+: the code is nested more than {MOST_LEVELS} levels deep"
    ):
        parse(PATH, kernel(body))


def test_that_brackets_that_are_never_closed_do_not_parse() -> None:
    with pytest.raises(CompileError, match="does not parse"):
        parse(PATH, kernel("q = " + "(" * BEYOND))


def doubling(first: str, count: int = 22) -> str:
    return f"#define E0 {first}\n" + "".join(f"#define E{i} (E{i - 1} + E{i - 1})\n" for i in range(1, count + 1))


GROWING = {
    "numbers": kernel("q = E22;", doubling("1")),
    "loads": kernel("s = E22;", doubling("A[0]")),
    "arguments": kernel("s = " + "D(" * 22 + "s" + ")" * 22 + ";", "#define D(x) ((x) + (x))"),
    "arguments that are loads": kernel("s = " + "D(" * 22 + "A[0]" + ")" * 22 + ";", "#define D(x) ((x) + (x))"),
    "with parameters": kernel(
        "s = D22(s);",
        "#define D0(x) (x)\n" + "".join(f"#define D{i}(x) (D{i - 1}(x) + D{i - 1}(x))\n" for i in range(1, 23)),
    ),
    "by another name": kernel("s = " + "F(" * 22 + "s" + ")" * 22 + ";", "#define F D\n#define D(x) ((x) + (x))"),
    "a thousand times": kernel("q = E1000;", doubling("1", 1000)),
}


@pytest.mark.parametrize("text", GROWING.values(), ids=GROWING.keys())
def test_that_macros_that_grow_without_end_are_refused_before_they_are_expanded(text: str) -> None:
    begin = time.monotonic()
    with pytest.raises(CompileError, match="with its macros the file has more than 300000 words: use fewer"):
        parse(PATH, text)
    assert time.monotonic() - begin < clock_limit_s(1.0)


def chain(first: str, count: int) -> str:
    return f"#define D0 {first}\n" + "".join(f"#define D{i} (D{i - 1} + 1)\n" for i in range(1, count))


def test_that_five_thousand_numbers_that_name_each_other_are_left_to_the_compiler() -> None:
    assert "q = D4999;" in parse(PATH, kernel("q = D4999;", chain("1", 5000))).text.decode()


def test_that_a_chain_of_loads_is_expanded_as_far_as_that_can_be() -> None:
    assert parse(PATH, kernel("s = D149;", chain("A[0]", 150))).text.decode().count("+ 1)") == 149
    with pytest.raises(CompileError, match=r"mine.cu:5003:5: macros are nested more than 200 levels deep here: use"):
        parse(PATH, kernel("s = D4999;", chain("A[0]", 5000)))
    with pytest.raises(CompileError, match=r"mine.cu:3:.*: macros (are nested|expand)"):
        parse(PATH, kernel("s = " + "D(" * 400 + "0" + ")" * 400 + ";", "#define D(x) A[x]"))


def test_that_macros_that_name_each_other_end() -> None:
    text = kernel("s = P + Q(1);", "#define P (Q(2) + A[0])\n#define Q(x) (P + R)\n#define R R")
    assert "A[0]" in parse(PATH, text).text.decode()


def test_that_what_no_walk_can_follow_is_refused_in_words() -> None:
    refused = pytest.raises(CompileError, match=r"mine.cu: the code is nested too deeply: split it")
    with refused, depth_refused(PATH):
        raise RecursionError
