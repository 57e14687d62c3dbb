import dataclasses
import tracemalloc
from dataclasses import replace

import pytest
from usual_calls import usual_call

from gemmviz.domain.kernels.call import MatrixArgument, Storage
from gemmviz.domain.memory import MemoryNeed, MemoryRefusal, check_memory, format_bytes, memory_needed
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Fill, InitialC

NEED = MemoryNeed(Shape(512, 512, 256), 4 * 2**30, 2 * 2**30, 2**30)


def test_that_the_device_holds_a_b_and_the_partial_sums_of_c() -> None:
    need = memory_needed(Shape(3, 5, 7), partial_sums=10)
    assert need.device_bytes == 4 * (3 * 7 + 7 * 5 + 10 * 3 * 5)
    assert need.largest_allocation_bytes == 4 * 10 * 3 * 5


@pytest.mark.parametrize(
    ("shape", "elements"), [(Shape(9, 2, 3), 27), (Shape(2, 9, 3), 27), (Shape(9, 3, 2), 27)], ids=str
)
def test_that_the_largest_allocation_is_the_largest_matrix(shape: Shape, elements: int) -> None:
    assert memory_needed(shape).largest_allocation_bytes == 4 * elements


def test_that_the_host_need_is_the_sum_of_its_documented_parts() -> None:
    m, n, k = 2000, 3000, 700
    float32 = 4 * (m * k + k * n + 2 * m * n)
    blocks = 8 * (8 * (2**20 // n) * n + 2 * (2**20 // k) * k)
    assert memory_needed(Shape(m, n, k)).host_bytes == float32 + 8 * (2 * m * n + k * n) + blocks
    projected = memory_needed(Shape(m, n, k), full_reference=False)
    assert projected.host_bytes == float32 + 8 * 5 * k * 12 + blocks


def test_that_a_block_is_never_larger_than_its_matrix_nor_less_than_a_row() -> None:
    small = memory_needed(Shape(1, 1, 1)).host_bytes
    assert small == 4 * 4 + 8 * 3 + 8 * 10
    k = 2**24
    assert memory_needed(Shape(1, 1, k)).host_bytes == 4 * (2 * k + 2) + 8 * (2 + k) + 8 * (8 + 2 * k)


def test_that_making_operands_stays_within_the_need() -> None:
    shape = Shape(1500, 1400, 1300)
    tracemalloc.start()
    make_operands(shape, Fill.NORMAL, 0)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 4 * 1300 * 2900 <= peak_bytes <= memory_needed(shape).host_bytes


def test_that_what_just_fits_is_let_through() -> None:
    check_memory(NEED, 4 * 2**30, 2 * 2**30, 2**30)
    check_memory(NEED, 6 * 2**30, 2 * 2**30, 2**30, shares_host_memory=True)


@pytest.mark.parametrize(
    ("available", "shared", "message"),
    [
        ((4 * 2**30 - 1, 2**40, 2**40), False, "4 GiB of main memory, of which there are 3.99 GiB"),
        ((2**40, 2**31 - 1, 2**40), False, "2 GiB on the device, which has 1.99 GiB"),
        ((2**40, 2**40, 600 * 2**20), False, "1 GiB in one allocation on the device, which allows 600 MiB"),
        ((6 * 2**30 - 1, 2**40, 2**40), True, "6 GiB of main memory, of which there are 5.99 GiB"),
    ],
)
def test_that_a_refusal_names_size_need_stock_and_remedy(
    available: tuple[int, int, int], shared: bool, message: str
) -> None:
    with pytest.raises(MemoryRefusal) as caught:
        check_memory(NEED, *available, shares_host_memory=shared)
    assert str(caught.value) == f"512×512×256 needs {message}. Choose a smaller M, N or K"


def test_that_a_need_just_above_the_stock_does_not_read_the_same() -> None:
    need = dataclasses.replace(NEED, host_bytes=2**32 + 1)
    with pytest.raises(MemoryRefusal, match=r"needs 4\.01 GiB of main memory, of which there are 4 GiB"):
        check_memory(need, 2**32, None, None)


def test_that_an_unknown_figure_skips_only_its_own_check() -> None:
    check_memory(NEED, None, None, None)
    with pytest.raises(MemoryRefusal, match="on the device"):
        check_memory(NEED, None, 1, None)


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (3 * 2**19, "1.5 MiB"), (2**30, "1 GiB")],
)
def test_that_bytes_are_shown_in_the_unit_a_person_reads(count: int, text: str) -> None:
    assert format_bytes(count) == text


def test_that_elements_and_a_matrix_d_are_counted_as_the_call_has_them() -> None:
    shape = Shape(3, 5, 7)
    usual = usual_call(shape)
    assert memory_needed(shape, call=usual) == memory_needed(shape)
    stored = (Storage(Element.HALF), Storage(Element.DOUBLE), Storage(), Storage(Element.DOUBLE))
    call = replace(usual, arguments=(*usual.arguments, MatrixArgument("D")), storages=stored)
    need = memory_needed(shape, call=call)
    assert need.device_bytes == 2 * 21 + 8 * 35 + 4 * 15 + 8 * 15
    assert need.largest_allocation_bytes == 8 * 35
    assert need.host_bytes > memory_needed(shape).host_bytes
    read = replace(usual, c_begins=InitialC.RANDOM)
    assert memory_needed(shape, call=read).host_bytes == memory_needed(shape).host_bytes + 2 * 4 * 15
