"""What docs/ runs on a GPU, at sizes that take no time."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
import record_gpu
from gpu_record import launch_once
from gpu_record.other_stream import compiled_on, library_on
from gpu_record.pairs import enter

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.build import build
from gemmviz.backends.cuda.devices import load_cuda, ordinals
from gemmviz.backends.cuda.nvcc import find_nvcc
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import compute_capability, target_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language
from gemmviz.measure.bench import Bench, make_inputs
from gemmviz.resources import cache_folder


def test_that_every_kernel_is_launched_once_and_right(device: Device, capsys: pytest.CaptureFixture[str]) -> None:
    assert launch_once.main(["--device", device.id, "--size", "37x29x23", "--size", "136x136x72"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    launched = {(one["kernel"], one["size"]) for one in told}
    assert {("naive", "37x29x23"), ("sgemm_best", "37x29x23"), ("sgemm_best", "136x136x72")} <= launched
    assert all(one["passed"] for one in told)


def test_that_a_small_ladder_is_measured_against_the_library(
    device: Device, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ladder.json"
    words = ["--sizes", "256x256x256", "--kernels", "tiled,sgemm_best,cublas_fp32", "--choices", "3", "--budget", "10"]
    assert record_gpu.main([*words, "--device", device.id, "--json", str(file)]) == 0
    tiled, best, library = json.loads(file.read_text(encoding="utf-8"))["measured"]
    assert tiled["against"] == best["against"] == "cublas_fp32"
    assert tiled["ratio"] > 0
    assert best["tried"] == 3
    assert tiled["registers"] > 0
    assert len(best["clock_mhz"]) in (0, len(best["kernel_ms"]))
    assert library["ratio"] is None
    assert "| `tiled` TILE=16 |" in capsys.readouterr().out


@pytest.mark.parametrize("kernel_id", ["tiled", "sgemm_best", "wgmma_tf32", "cublas_fp32"])
def test_that_a_launch_on_another_stream_computes_the_same(device: Device, kernel_id: str) -> None:
    cuda, kernel, shape = load_cuda(), load_catalogue().get(kernel_id), Shape(136, 136, 72)
    params = kernel.params({})
    if "sm_90a" in kernel.requires and compute_capability(device.gpu_facts) != (9, 0):
        pytest.skip("needs compute capability 9.0")
    ordinal = next(number for number, uuid in ordinals(cuda) if uuid == device.gpu_facts.uuid)
    with Bench() as bench, ExitStack() as stack:
        rival = enter(bench, kernel, params, device, make_inputs(shape, Fill.UNIFORM, 0), stack)
        expected = rival.ready.result()
        launcher, buffer = rival.ready.launcher, rival.ready.both_sides.c_buffer
        launcher.device.upload(np.full((shape.m, shape.n), np.nan, np.float32), buffer)
        context = cuda.driver.Device(ordinal).retain_primary_context()
        context.push()
        try:
            stream = cuda.driver.Stream()
            source = Source(
                kernel.path,
                kernel.text,
                kernel.entry,
                kernel.language,
                kernel.plan(shape, params, device).defines,
                kernel.requires,
            )
            if kernel.language is Language.LIBRARY:
                once = library_on(source, launcher.arguments, int(stream.handle))
            else:
                cache = cache_folder("cuda")
                built = build(
                    source, target_of(compute_capability(device.gpu_facts), kernel.requires), find_nvcc(), cache
                )
                once = compiled_on(cuda.library, built, launcher.launch, launcher.arguments, int(stream.handle))
            once()
            stream.synchronize()
        finally:
            cuda.driver.Context.pop()
        assert np.array_equal(rival.ready.result(), expected)
