"""The blocks and the values of its parameters that a kernel treats apart, out of its PTX."""

from __future__ import annotations

import pytest

from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.machine.ptx.comparisons import compared_blocks, compared_parameters
from gemmviz.machine.ptx.parse import parse

_PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry mine(.param .u32 mine_param_0)
{{
.reg .pred %p<4>;
.reg .b32 %r<16>;
{body}
ret;
}}
"""
NONE: frozenset[int] = frozenset()


def compared_in(body: str) -> ComparedBlocks:
    return compared_blocks(parse(_PTX.format(body=body), "mine.cu"), "mine")


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("mov.u32 %r1, %ctaid.x; setp.eq.s32 %p1, %r1, 45;", {44, 45, 46}),
        ("mov.u32 %r1, %ctaid.x; xor.b32 %r2, %r1, 45;", {44, 45, 46}),
        ("mov.u32 %r1, %ctaid.x; add.s32 %r2, %r1, -45; setp.lt.u32 %p1, %r2, 3;", {44, 45, 46, 47, 48, 49}),
        ("mov.u32 %r1, %ctaid.x; shl.b32 %r2, %r1, 4; or.b32 %r3, %r2, %r9; setp.gt.s32 %p1, %r3, 999;", {62, 63}),
        (
            "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %r3, %r1, 16, %r2; setp.lt.s32 %p1, %r3, 1000;",
            {62, 63},
        ),
        ("mov.u32 %r1, %ctaid.x; shr.u32 %r2, %r1, 3; setp.eq.s32 %p1, %r2, 5;", {39, 40, 41, 47, 48, 49}),
    ],
)
def test_that_the_blocks_on_both_sides_of_a_comparison_are_found(body: str, places: set[int]) -> None:
    assert compared_in(body) == ComparedBlocks((frozenset(places), NONE, NONE))


@pytest.mark.parametrize(
    "body",
    [
        "mov.u32 %r1, %ctaid.x; ld.param.u32 %r2, [mine_param_0]; setp.lt.s32 %p1, %r1, %r2;",
        "mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 45;",
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; add.s32 %r3, %r1, %r2; setp.eq.s32 %p1, %r3, 45;",
        "mov.u32 %r1, %ctaid.x; setp.eq.s32 %p1, %r1, 0;",
    ],
)
def test_that_no_block_is_named_where_no_constant_tells_one_apart(body: str) -> None:
    assert not compared_in(body)


def test_that_the_number_of_a_block_is_no_place_along_x() -> None:
    body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x;"
    found = compared_in(f"{body} mad.lo.s32 %r4, %r2, %r3, %r1; setp.ne.s32 %p1, %r4, 77;")
    assert found == ComparedBlocks((NONE, NONE, NONE), frozenset({76, 77, 78}))
    assert found.within((10, 9, 1)) == [(6, 7, 0), (7, 7, 0), (8, 7, 0)]


def test_that_blocks_stand_at_the_places_along_every_axis_that_has_some() -> None:
    compared = ComparedBlocks((frozenset({3, 90}), frozenset({2}), NONE))
    assert compared.within((50, 9, 4)) == [(3, 2, 0), (3, 2, 3)]
    assert [*compared.corners()] == [(90, 2, 0), (90, 0, 0), (0, 2, 0)]


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("setp.eq.s32 %p1, %r1, 77;", {76, 77, 78}),
        ("add.s32 %r2, %r1, -1; setp.lt.u32 %p1, %r2, 3;", {1, 2, 3, 4, 5}),
        (
            "add.s32 %r2, %r1, 15; shr.u32 %r3, %r2, 4; setp.ne.s32 %p1, %r3, 6;",
            {80, 81, 82, 96, 97, 98},
        ),  # from 81 to 96
        ("mov.u32 %r2, %ctaid.x; setp.lt.s32 %p1, %r2, %r1;", set()),
        ("and.b32 %r2, %r1, 3; setp.eq.s32 %p1, %r2, 3;", set()),
    ],
)
def test_that_the_values_of_a_parameter_on_both_sides_of_a_comparison_are_found(body: str, values: set[int]) -> None:
    text = _PTX.format(body=f"ld.param.u32 %r1, [mine_param_0]; {body}")
    found = compared_parameters(parse(text, "mine.cu"), "mine")
    assert found == ({(0,): frozenset(values)} if values else {})


_CALLED = """.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 func_retval0) outer(.param .b32 outer_param_0, .param .b32 outer_param_1)
{
.reg .pred %p<4>;
.reg .b32 %r<8>;
ld.param.u32 %r1, [outer_param_0];
mul.lo.s32 %r2, %r1, 3;
{
.param .b32 param0;
st.param.b32 [param0+0], %r2;
call.uni inner, (param0);
}
ld.param.u32 %r3, [outer_param_1];
setp.gt.s32 %p1, %r3, 11;
ret;
}
.func inner(.param .b32 inner_param_0)
{
.reg .pred %p<4>;
.reg .b32 %r<8>;
ld.param.u32 %r1, [inner_param_0];
setp.eq.s32 %p1, %r1, 60;
ret;
}
.visible .entry mine(.param .u32 mine_param_0, .param .u32 mine_param_1)
{
.reg .b32 %r<8>;
ld.param.u32 %r1, [mine_param_1];
mov.u32 %r2, %ctaid.x;
{
.param .b32 param0;
.param .b32 param1;
.param .b32 retval0;
st.param.b32 [param0+0], %r1;
st.param.b32 [param1+0], %r2;
call.uni (retval0), outer, (param0, param1);
}
ret;
}
"""


def test_that_what_a_kernel_gives_a_function_is_followed_into_it() -> None:
    module = parse(_CALLED, "mine.cu")
    assert compared_parameters(module, "mine") == {(1,): frozenset({19, 20, 21})}
    assert compared_blocks(module, "mine").places[0] == {10, 11, 12}


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("mul.lo.s32 %r3, %r1, %r2; setp.gt.s32 %p1, %r3, 1000;", {(0, 1): {999, 1000, 1001}}),
        ("mul.lo.s32 %r3, %r1, %r1; setp.gt.s32 %p1, %r3, 400000;", {(0, 0): {399999, 400000, 400001}}),
        ("shl.b32 %r3, %r1, 2; mul.lo.s32 %r4, %r3, %r2; setp.gt.s32 %p1, %r4, 99;", {(0, 1): {24, 25}}),
        ("mul.lo.s32 %r3, %r1, %r2; mul.lo.s32 %r4, %r3, %r1; setp.lt.s32 %p1, %r4, 9;", {(0, 0, 1): {8, 9, 10}}),
        ("add.s32 %r3, %r1, 1; mul.lo.s32 %r4, %r3, %r2; setp.gt.s32 %p1, %r4, 99;", {}),
        ("mov.u32 %r3, %ctaid.x; mul.lo.s32 %r4, %r3, %r2; setp.gt.s32 %p1, %r4, 99;", {}),
    ],
)
def test_that_the_values_of_a_product_of_parameters_are_found(
    body: str, values: dict[tuple[int, ...], set[int]]
) -> None:
    two = _PTX.replace("(.param .u32 mine_param_0)", "(.param .u32 mine_param_0, .param .u32 mine_param_1)")
    text = two.format(body=f"ld.param.u32 %r1, [mine_param_0]; ld.param.u32 %r2, [mine_param_1]; {body}")
    assert compared_parameters(parse(text, "mine.cu"), "mine") == values
