"""The fp32 rungs for GPUs: what their headers make of a size and a GPU. Their arithmetic is tested in tests/gpu."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.shape import Shape

CATALOGUE = load_catalogue()
RUNGS = ("warp_tiled", "double_buffered", "cp_async", "sgemm_best")
ODD = Shape(1037, 1031, 1055)
A100_BYTES, H200_BYTES = 166912, 232448
MakeGpu = Callable[..., Device]


@pytest.fixture
def make_gpu(make_device: Callable[..., Device]) -> MakeGpu:
    """An NVIDIA GPU that gives one block so many bytes of shared memory."""

    def make(capability: tuple[int, int] = (9, 0), shared_bytes: int = H200_BYTES) -> Device:
        return make_device(
            max_threads_per_block=1024,
            max_block=(1024, 1024, 64),
            max_grid=(2**31 - 1, 65535, 65535),
            shared_bytes_per_block=shared_bytes,
            capabilities=("cuda",),
            gpu_facts=nvidia_facts(capability, static_shared_bytes=49152),
        )

    return make


def plans(kernel: Kernel, device: Device, shape: Shape = ODD) -> Iterator[tuple[dict[str, int], Plan]]:
    """Every choice of parameters that is not refused, with what it makes."""
    for values in product(*(parameter.choices for parameter in kernel.parameters)):
        chosen = dict(zip((parameter.name for parameter in kernel.parameters), values, strict=True))
        try:
            yield chosen, kernel.plan(shape, kernel.params(chosen), device)
        except Refusal:
            continue


@pytest.mark.parametrize("name", RUNGS)
def test_that_every_choice_that_is_not_refused_covers_c_with_threads_that_have_work(
    make_gpu: MakeGpu, name: str
) -> None:
    found = list(plans(CATALOGUE.get(name), make_gpu()))
    assert len(found) >= 4
    for chosen, plan in found:
        tiles = -(-ODD.m // chosen["BM"]) * -(-ODD.n // chosen["BN"])
        split = plan.launch.threads_per_block * chosen["TM"] * chosen["TN"] / (chosen["BM"] * chosen["BN"])
        assert plan.launch.blocks == tiles, chosen
        assert plan.launch.threads_per_block % 32 == 0
        assert split in ((1, 2, 4) if name == "sgemm_best" else (1,)), chosen


@pytest.mark.parametrize("name", RUNGS)
def test_that_what_fits_one_gpu_may_be_refused_by_a_smaller_one(make_gpu: MakeGpu, name: str) -> None:
    kernel = CATALOGUE.get(name)
    large, small = (list(plans(kernel, make_gpu(shared_bytes=nbytes))) for nbytes in (H200_BYTES, 16384))
    assert all(plan.launch.shared_bytes <= H200_BYTES for _, plan in large)
    assert all(plan.launch.shared_bytes <= 16384 for _, plan in small)
    assert len(small) < len(large)


def test_that_the_best_has_room_for_its_stages_or_for_the_sums_that_groups_of_warps_hand_over(
    make_gpu: MakeGpu,
) -> None:
    for chosen, plan in plans(CATALOGUE.get("sgemm_best"), make_gpu()):
        bm, bn, part = chosen["BM"], chosen["BN"], chosen["TM"] * chosen["TN"]
        groups = 256 * part // (bm * bn)
        stages = 4 * (8 * groups) * ((bm + 4) + bn) * 4  # four of them, a row of A with its padding beside one of B
        sums = groups * bm * bn * 4 if groups > 1 else 0
        assert plan.launch.dynamic_shared_bytes == max(stages, sums), chosen


@pytest.mark.parametrize(("n", "wide"), [(1024, 1), (1031, 0), (1032, 1), (1, 0)])
def test_that_rows_of_b_are_copied_by_four_where_all_begin_at_multiples_of_16_bytes(
    make_gpu: MakeGpu, n: int, wide: int
) -> None:
    kernel = CATALOGUE.get("sgemm_best")
    assert dict(kernel.plan(Shape(5, n, 7), kernel.params({}), make_gpu()).defines)["WIDE"] == wide


def test_that_asynchronous_copies_need_ampere(make_gpu: MakeGpu) -> None:
    for name in ("cp_async", "sgemm_best"):
        kernel = CATALOGUE.get(name)
        assert kernel.plan(ODD, kernel.params({}), make_gpu((8, 0), A100_BYTES)).launch.blocks
        with pytest.raises(Refusal, match=r"compute capability 8\.0"):
            kernel.plan(ODD, kernel.params({}), make_gpu((7, 5), 65536))
