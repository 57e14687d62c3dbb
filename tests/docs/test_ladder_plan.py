"""What the ladder's record measures: which kernels, which choices, against which library, how many pairs."""

from __future__ import annotations

import pytest
from gpu_record.pairs import LEAST_PAIRS, MOST_PAIRS, pairs_in
from gpu_record.plan import TUNED, choices_for, ladder, library_for, thinned

from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

MOST = (1024, 1024, 64)
GPU = Device(
    "cuda:0",
    "cuda",
    "A GPU",
    DeviceKind.GPU,
    "NVIDIA",
    "1",
    132,
    1024,
    MOST,
    (2**31 - 1, 65535, 65535),
    232448,
    2**37,
    2**37,
    2**26,
    1980,
    ("cuda", "sm_90", "sm_90a"),
    gpu_facts=nvidia_facts((9, 0), uuid="u", static_shared_bytes=49152),
)
ODD = Shape(1037, 1031, 1055)


def test_that_the_ladder_is_every_cuda_rung_and_every_library_entry() -> None:
    ids = {kernel.id for kernel in ladder(load_catalogue())}
    assert {"naive", "sgemm_best", "tf32x3", "cublas_fp32", "cublas_bf16"} <= ids
    assert not {"cpu_ijk", "cl_naive"} & ids


def test_that_only_tuned_rungs_are_tried_with_several_parameters_and_the_defaults_come_first() -> None:
    catalogue, cube = load_catalogue(), Shape(1024, 1024, 1024)
    for kernel in ladder(catalogue):
        choices = choices_for(kernel, cube, GPU, 8)
        if kernel.id in TUNED:
            assert 2 <= len(choices) <= 8
        if choices:
            assert choices[0] == kernel.params({})
        assert len(choices) == len(set(choices))
    assert choices_for(catalogue.get("wgmma_bf16"), ODD, GPU) == ()


def test_that_thinning_keeps_the_first_the_last_and_the_order() -> None:
    every = [(("X", number),) for number in range(54)]
    kept = thinned(every, 24)
    assert len(kept) == len(set(kept)) == 24
    assert (kept[0], kept[-1]) == (every[0], every[-1])
    assert list(kept) == sorted(kept)
    assert thinned(every[:3], 24) == tuple(every[:3])


@pytest.mark.parametrize(
    ("kernel", "library"),
    [("tiled", "cublas_fp32"), ("tf32x3", "cublas_fp32"), ("mma_tf32", "cublas_tf32"), ("wgmma_bf16", "cublas_bf16")],
)
def test_that_a_rung_is_held_against_the_library_in_the_same_arithmetic(kernel: str, library: str) -> None:
    catalogue = load_catalogue()
    found = library_for(catalogue.get(kernel), catalogue, GPU)
    assert found is not None
    assert (found[0].id, found[1]) == (library, GPU)


def test_that_a_library_has_no_rival_and_a_cpu_is_held_against_its_own() -> None:
    catalogue, pocl = load_catalogue(), devices_for(Language.CUDA)[0]
    assert library_for(catalogue.get("cublas_fp32"), catalogue, GPU) is None
    found = library_for(catalogue.get("tiled"), catalogue, pocl)
    assert found is not None
    assert found[0].id == "cpu_blas"
    assert library_for(catalogue.get("mma_tf32"), catalogue, pocl) is None


def test_that_pairs_fill_their_time_within_limits() -> None:
    assert pairs_in(1.0, 2.0, 2.4) == 200
    assert pairs_in(1.0, 900.0, 3.0) == LEAST_PAIRS
    assert pairs_in(9.0, 0.01, 0.01) == MOST_PAIRS
