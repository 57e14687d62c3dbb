"""What was proven on the PTX machine is proven on a further device, too, or is not described."""

from __future__ import annotations

from pathlib import Path

import pytest
from short_looks import try_no_large_sizes

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.device_proof import fault_on
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.backends.opencl.device import OpenClDevice
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout

DATA = Path(__file__).parents[1] / "data" / "adopt"
SHAPES = Shape(32, 48, 16), Shape(33, 17, 5)
ROWS = Storage()
ONE_ELEMENT = """__kernel void product(__global const float *A, __global const float *B, __global float *C,
                      int M, int N, int K)
{
    int column = get_global_id(0), row = get_global_id(1);
    if (row < M + MORE && column < N) {
        float sum = 0;
        for (int k = 0; k < K; ++k) sum += A[min(row, M - 1) * K + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}
"""


def plain(b: Layout = Layout.ROW) -> Description:
    storages = (ROWS, Storage(layout=b), ROWS, ROWS)
    grid = ("ceil_div(N, 8)", "ceil_div(M, 8)")
    return Description("product", (), (), ("A", "B", "C", "M", "N", "K"), storages, ("8", "8"), grid)


def fault(tmp_path: Path, device: Device, text: str, description: Description) -> str:
    path = tmp_path / "product.cl"
    said = list[str]()
    kernel = described_kernel(path, text, sidecar_text(description))
    return fault_on(device, kernel, description, SHAPES, 30.0, said.append)


def ignore(step: AdoptionStep) -> None:
    del step


def test_that_a_right_kernel_has_no_fault(embedded: OpenClDevice, tmp_path: Path) -> None:
    assert fault(tmp_path, embedded.device, ONE_ELEMENT.replace("MORE", "0"), plain()) == ""


def test_that_wrong_elements_are_told_with_the_size(embedded: OpenClDevice, tmp_path: Path) -> None:
    found = fault(tmp_path, embedded.device, ONE_ELEMENT.replace("MORE", "0"), plain(Layout.COLUMN))
    assert found.startswith("at 32x48x16: 1536 of 1536 elements are wrong; C[0,0] is ")


def test_that_what_is_written_beside_the_result_is_a_fault(embedded: OpenClDevice, tmp_path: Path) -> None:
    found = fault(tmp_path, embedded.device, ONE_ELEMENT.replace("MORE", "1"), plain())
    assert found.startswith("at 33x17x5: it writes outside its arrays: ")
    assert found.endswith(" bytes beside parameter 3")


def test_that_a_device_is_released_whatever_ends_its_proof(
    embedded: OpenClDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class UnforeseenError(Exception):
        pass

    def tell(words: str) -> None:
        raise UnforeseenError(words)

    released = list[OpenClDevice]()
    monkeypatch.setattr(OpenClDevice, "release", lambda device: released.append(device))
    kernel = described_kernel(tmp_path / "product.cl", ONE_ELEMENT.replace("MORE", "0"), sidecar_text(plain()))
    with pytest.raises(UnforeseenError):
        fault_on(embedded.device, kernel, plain(), SHAPES, 30.0, tell)
    assert len(released) == 1


@pytest.mark.usefixtures("nvrtc")
def test_that_the_same_sizes_are_tried_on_a_device(embedded: OpenClDevice) -> None:
    path, said = DATA / "local_tiles.cl", list[str]()
    found = look_at(
        path,
        path.read_text(encoding="utf-8"),
        "",
        120.0,
        lambda step: said.append(step.words),
        device=embedded.device,
    ).only
    assert found is not None
    assert found.devices == (embedded.device.name,)
    count = len(found.right_sizes)
    assert found.checks >= count > 30
    last = found.right_sizes[-1]
    assert f"checking {last} on {embedded.device.name}, size {count} of {count}" in said


@pytest.mark.usefixtures("nvrtc", "no_further_values")
def test_that_another_target_of_the_machine_is_such_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    try_no_large_sizes(monkeypatch)
    path, device = DATA / "forgets_last_tile.cu", find_device("machine:A100")
    found = look_at(path, path.read_text(encoding="utf-8"), "", 120.0, ignore, device=device).only
    assert found is not None
    assert found.devices == (device.name,)
    assert all(shape.k % 16 == 0 for shape in found.right_sizes)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_device_that_cannot_run_a_kernel_leaves_nothing_described(embedded: OpenClDevice) -> None:
    path = DATA / "half_gemm.cu"
    (found,) = look_at(path, path.read_text(encoding="utf-8"), "", 120.0, ignore, device=embedded.device).found
    assert not found.is_proven
    (reason,) = found.reasons
    right = "right on the PTX machine (C = alpha·A·B + beta·C, all matrices in half, takes every size that was tried, "
    right += "M, N and K each up to 4160, together up to 520x528x516)"
    assert reason.startswith(f"{path}:{found.line}: {right}, but not proven on {embedded.device.name}: cannot run on ")


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_is_described_without_a_device_that_need_not_run_it(embedded: OpenClDevice) -> None:
    path = DATA / "half_gemm.cu"
    text = path.read_text(encoding="utf-8")
    found = look_at(path, text, "", 120.0, ignore, device=embedded.device, must_run_there=False).only
    assert found is not None
    assert (found.is_proven, found.devices) == (True, ())
    unchecked = f"not checked on {embedded.device.name}, which does not run it: "
    assert any(words.startswith(unchecked) for words in found.left_out)
    assert not any("cannot run on" in words for words in found.left_out), "it is said once"
