"""The command line with kernels in PTX and in Python, which is run only where `--run-python` allows it."""

from __future__ import annotations

import shutil
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from stored_ptx import DATA

pytestmark = pytest.mark.usefixtures("nvrtc")


def on_machine(gemmviz: Any, command: str, file: Path, *more: str) -> Any:
    return gemmviz(command, "--kernel-file", str(file), "--size", "17x33x9", "--device", "machine", *more)


def needs(package: str) -> None:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed")


def test_that_ptx_is_run_checked_and_recorded_with_the_lines_of_its_source(gemmviz: Any) -> None:
    answer = on_machine(gemmviz, "run", DATA / "tiled.ptx", "--json")
    assert answer.code == 0, answer.err
    (run,) = answer.document["runs"]
    assert run["accuracy"]["passed"]
    assert run["computes"] == "C = 1.5·A·B"
    answer = on_machine(gemmviz, "trace", DATA / "tiled.ptx", "--all-blocks")
    assert answer.code == 0, answer.err
    assert "acc += As[ty][k] * Bs[k][tx];" in answer.out


def test_that_ptx_alone_is_told_by_its_own_lines(gemmviz: Any, tmp_path: Path) -> None:
    for name in ("tiled.ptx", "tiled.ptx.toml"):
        shutil.copy(DATA / name, tmp_path / name)
    answer = on_machine(gemmviz, "trace", tmp_path / "tiled.ptx")
    assert answer.code == 0, answer.err
    assert any("ld.shared.f32" in line and line.split()[0].isdigit() for line in answer.out.splitlines())


def test_that_ptx_is_recorded_as_compiled_only(gemmviz: Any) -> None:
    answer = on_machine(gemmviz, "trace", DATA / "tiled.ptx", "--as", "written")
    assert (answer.code, "it can be recorded as compiled only" in answer.err) == (2, True)


def test_that_a_raw_kernel_is_run_without_running_its_file(gemmviz: Any, tmp_path: Path) -> None:
    text = (DATA / "cupy_tiled.py").read_text(encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(f"{text}\nopen({str(tmp_path / 'there')!r}, 'w')\n", encoding="utf-8")
    shutil.copy(DATA / "cupy_tiled.py.toml", tmp_path / "mine.py.toml")
    answer = on_machine(gemmviz, "run", file)
    assert answer.code == 0, answer.err
    assert not (tmp_path / "there").exists()
    file.write_text(text.replace("acc += As", "acc += Az"), encoding="utf-8")
    answer = on_machine(gemmviz, "run", file)
    assert answer.code == 1
    assert f'mine.py:{text[: text.index("acc += As")].count(chr(10)) + 1}: identifier "Az" is undefined' in answer.err


@pytest.mark.parametrize("name", ["triton_matmul.py", "numba_tiled.py"])
@pytest.mark.parametrize("command", ["run", "trace", "referee"])
def test_that_python_is_run_only_where_that_is_allowed(gemmviz: Any, name: str, command: str) -> None:
    size = ("--size", "17x33x9") if command != "referee" else ()
    answer = gemmviz(command, "--kernel-file", str(DATA / name), "--device", "machine", *size)
    assert answer.code == 2
    assert "it is Python code, which is run to compile its kernel" in answer.err
    assert "allow that with --run-python" in answer.err


@pytest.mark.parametrize(("name", "package"), [("triton_matmul.py", "triton"), ("numba_tiled.py", "numba-cuda")])
def test_that_python_kernels_are_run_and_recorded_where_their_compiler_is_installed(
    gemmviz: Any, name: str, package: str
) -> None:
    needs(package)
    answer = on_machine(gemmviz, "run", DATA / name, "--run-python", "--json")
    assert answer.code == 0, answer.err
    assert answer.document["runs"][0]["accuracy"]["passed"]
    answer = on_machine(gemmviz, "trace", DATA / name, "--run-python", "--all-blocks")
    assert answer.code == 0, answer.err
    assert "No hazards found in any of the " in answer.out


def test_that_a_python_kernel_cannot_write_outside(gemmviz: Any, tmp_path: Path) -> None:
    needs("numba-cuda")
    there = tmp_path / "there"
    text = (DATA / "numba_tiled.py").read_text(encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(text.replace("TILE = 8", f"TILE = 8 * open({str(there)!r}, 'w').write('')"), encoding="utf-8")
    (tmp_path / "mine.py.toml").write_text(
        (DATA / "numba_tiled.py.toml")
        .read_text(encoding="utf-8")
        .replace("params.TILE", "params.EDGE")
        .replace('"TILE"', "8")
        .replace(", TILE", ", 8"),
        encoding="utf-8",
    )
    answer = on_machine(gemmviz, "run", file, "--run-python")
    assert answer.code == 1
    assert not there.exists()


def test_that_a_source_beside_a_cupy_file_is_read_within_the_sandbox(gemmviz: Any, tmp_path: Path) -> None:
    text = 'extern "C" __global__ void k(const float *A, const float *B, float *C)\n{ C[0] = A[0] * B[0]; }\n'
    (tmp_path / "k.cu").write_text(text, encoding="utf-8")
    path = tmp_path / "mine.py"
    path.write_text("import cupy\nk = cupy.RawModule(code=open('k.cu').read()).get_function('k')\n", encoding="utf-8")
    call = ("--args", "A,B,C", "--launch-block", "1", "--grid", "1")
    answer = gemmviz("trace", "--kernel-file", str(path), "--size", "1x1x1", *call)
    assert answer.code == 0, answer.err
    assert "C[0] = A[0] * B[0]" in answer.out


def test_that_a_file_which_computes_its_source_is_run_where_that_is_allowed(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = (
        "import cupy\n"
        "HEAD = 'extern \"C\" __global__ void k(const float *A, const float *B, float *C)'\n"
        "BODY = ' '.join(f'C[{i}] = A[{i}] * B[{i}];' for i in range(1))\n"
        "k = cupy.RawKernel(HEAD + '{' + BODY + '}', 'k')\n"
    )
    path.write_text(text, encoding="utf-8")
    call = ("--args", "A,B,C", "--launch-block", "1", "--grid", "1", "--size", "1x1x1")
    refused = gemmviz("trace", "--kernel-file", str(path), *call)
    assert refused.code == 2
    assert "allow that with --run-python" in " ".join(refused.err.split())
    answer = gemmviz("trace", "--kernel-file", str(path), *call, "--run-python")
    assert answer.code == 0, answer.err
    assert "k = cupy.RawKernel(HEAD" in answer.out
