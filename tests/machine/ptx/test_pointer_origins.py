"""An access outside every array is told by the array whose pointer it was made with, wherever it lands."""

from __future__ import annotations

import pytest
from ptx_instructions import kernel, run_kernel

from gemmviz.machine.faults import KernelFaultError, OutsideAccess
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

FILE = '.file 1 "k.cu"\n'
PARAMETERS = ".param .u64 p_a, .param .u64 p_b, .param .u64 p_back"
HEAD = """
.reg .b32 %i; .reg .b64 %a, %b, %back, %x, %y; .reg .f32 %f; .reg .pred %p;
ld.param.u64 %a, [p_a]; ld.param.u64 %b, [p_b]; ld.param.u64 %back, [p_back]; mov.u32 %i, %tid.x;
cvta.to.global.u64 %a, %a; cvta.to.global.u64 %b, %b; setp.ge.u32 %p, %i, 32;
"""
LOOP = "mov.u64 %y, %x; loop: sub.s64 %y, %y, %back; setp.lt.s64 %p, %y, %a; @%p bra loop; mov.u64 %x, %y;"


def error_of(body: str, back: int, matrices: tuple[Array, Array]) -> KernelFaultError:
    """The error of a load of what `body` makes of b's pointer in %x, which lies `back` bytes before its beginning."""
    text = kernel(f"{HEAD} {body} .loc 1 9 0\nld.global.f32 %f, [%x];", PARAMETERS, FILE)
    with pytest.raises(KernelFaultError) as found:
        run_kernel(text, [*matrices, back], block=(1, 1, 1))
    return found.value


def fault_of(body: str, back: int, matrices: tuple[Array, Array]) -> str:
    """The words of that error, without block and thread."""
    return str(error_of(body, back, matrices)).partition(" (block")[0].partition(" (thread")[0]


def test_that_an_array_is_known_by_its_address_too() -> None:
    one, two, back = matrices()
    text = kernel(f"{HEAD} sub.s64 %x, %b, %back; ld.global.f32 %f, [%x];", PARAMETERS, FILE)
    given = [number.to_bytes(8, "little") for number in (one.address, two.address, back)]
    launch = MachineLaunch(compile_ptx(text, "k", "k.cu"), (1, 1, 1), (1, 1, 1), given, [one, two])
    with pytest.raises(KernelFaultError, match=r"outside every array, .* before the start of b, which"):
        launch.run()


def matrices() -> tuple[Array, Array, int]:
    """Two arrays, and the bytes from the end of the first one in memory to the beginning of the other."""
    one, two = sorted((Array(4096, ""), Array(4096, "")), key=lambda array: array.address)
    one.name, two.name = "a", "b"
    return one, two, two.address - one.address - one.nbytes


@pytest.mark.parametrize(
    "body",
    [
        "sub.s64 %x, %b, %back;",
        "neg.s64 %y, %back; add.s64 %x, %y, %b;",
        "neg.s64 %y, %back; mad.lo.s64 %x, %y, 1, %b;",
        "mov.u64 %y, %b; sub.s64 %x, %y, %back;",
        f"mov.u64 %x, %b; {LOOP}",
        "sub.s64 %x, %b, %back; selp.b64 %x, %b, %x, %p;",
    ],
)
def test_that_a_negative_index_is_told_by_its_own_array_where_it_lands_behind_another_one(body: str) -> None:
    one, two, back = matrices()
    told = f"line 9: ld.global.f32 outside every array, {back} bytes ({back // 4} elements) before the start of b"
    assert fault_of(body, back, (one, two)) == f"{told}, which has 1024 elements"


@pytest.mark.parametrize("body", ["sub.s64 %x, %b, %back; selp.b64 %x, %a, %x, %p;", "mov.u64 %x, 0;"])
def test_that_no_array_is_called_the_one_of_an_address_that_may_come_from_several_or_from_none(body: str) -> None:
    one, two, back = matrices()
    nearest = "4 bytes (1 element) past the end of a, the nearest array, which has 1024 elements"
    where = "outside every array" if "mov.u64 %x, 0" in body else nearest
    assert fault_of(body, back, (one, two)) == f"line 9: ld.global.f32 {where}"


@pytest.mark.parametrize(
    ("body", "outside"),
    [
        ("sub.s64 %x, %b, 4;", OutsideAccess.NEAR),
        ("sub.s64 %x, %b, %back;", OutsideAccess.FAR),
        ("add.s64 %x, %b, 4096;", OutsideAccess.PAST_END),
        ("add.s64 %x, %b, 20480;", OutsideAccess.FAR_PAST_END),
        ("mov.u64 %x, 0;", OutsideAccess.FAR),
        ("add.s64 %x, %b, 2;", None),
    ],
)
def test_that_an_error_says_which_memory_was_not_hit(body: str, outside: OutsideAccess | None) -> None:
    one, two, back = matrices()
    assert error_of(body, back, (one, two)).outside is outside
