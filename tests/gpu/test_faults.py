"""What a broken kernel costs on a real GPU: its process and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gemmviz.domain.device import Device

HEADER = """/*---
title   = "A broken kernel"
entry   = "k"
requires = ["cuda"]
[launch]
block = [32]
grid  = [4]
{more}---*/
"""
PARAMETERS = "const float *A, const float *B, float *C, int M, int N, int K"
FAULTS = {
    "far": ("C[1ull << 40] = 1;", "", "an illegal memory access was encountered: it reads or writes outside"),
    "misaligned": ("*(float4 *)(C + 1) = float4{1, 2, 3, 4};", "", "misaligned address"),
    "trap": ('asm volatile("trap;");', "", "the kernel failed on the device: "),
    "endless": (
        "volatile float *c = C; while (c[0] == c[0] || c[0] != c[0]) c[1] = 1;",
        "",
        "the kernel did not end within 2 s",
    ),
    "shared": (
        "extern __shared__ float s[]; s[0] = 1; C[0] = s[0];",
        "shared_bytes = 300000\n",
        "300000 bytes of shared memory per block are too many",
    ),
    "beside": ("C[M * N] = 1;", "", "writes outside its arrays: 4 bytes behind C"),
}
GOOD = f"""{HEADER.format(more="")}
__global__ void k({PARAMETERS})
{{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N; i += gridDim.x * blockDim.x) {{
        float sum = 0;
        for (int k0 = 0; k0 < K; ++k0) sum += A[i / N * K + k0] * B[k0 * N + i % N];
        C[i] = sum;
    }}
}}
"""


def gemmviz(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gemmviz", *words], capture_output=True, text=True, check=False, timeout=120
    )


def run(path: Path, device: Device) -> subprocess.CompletedProcess[str]:
    return gemmviz(
        "run",
        "--kernel-file",
        str(path),
        "--size",
        "17x33x5",
        "--budget",
        "0.2",
        "--time-limit",
        "2",
        "--device",
        device.id,
        "--json",
    )


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fault_is_told_with_its_reason_and_the_next_run_works(device: Device, tmp_path: Path, name: str) -> None:
    body, more, reason = FAULTS[name]
    broken, good = tmp_path / f"{name}.cu", tmp_path / "good.cu"
    broken.write_text(f"{HEADER.format(more=more)}\n__global__ void k({PARAMETERS}) {{ {body} }}\n", encoding="utf-8")
    good.write_text(GOOD, encoding="utf-8")
    done = run(broken, device)
    assert done.returncode in (1, 2), done.stderr
    assert f"gemmviz: {name}: " in done.stderr
    assert reason in " ".join(done.stderr.split())
    after = run(good, device)
    assert after.returncode == 0, after.stderr
    assert json.loads(after.stdout)["runs"][0]["accuracy"]["passed"] is True


WORKER = """
import multiprocessing, sys
from pathlib import Path
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Finished, Job, RunDone, RunFailed, RunRequest, WorkerReady
from gemmviz.engine.chunked_transfer import receive
from gemmviz.engine.worker import worker_main

def story(kernels, device):
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=worker_main, args=(theirs,))
    process.start()
    theirs.close()
    jobs = tuple(Job(kernel, kernel.params({})) for kernel in kernels)
    said = []
    try:
        while True:
            event = receive(ours)
            if isinstance(event, WorkerReady):
                conditions = Conditions(Shape(17, 33, 5), device=device, budget_s=0.2, launch_limit_s=2.0)
                ours.send(RunRequest(1, jobs, conditions))
            if isinstance(event, RunDone):
                said.append(f"done {event.result.spec.kernel} {event.result.accuracy.passed}")
            if isinstance(event, RunFailed):
                said.append(f"failed {event.error.kernel}: {event.error.reason}")
            if isinstance(event, Finished):
                said.append("finished")
                if not any(words.startswith("failed") for words in said):
                    break
    except EOFError:
        pass
    ours.close()
    process.join(20)
    return [*said, f"exit {process.exitcode}"]

if __name__ == "__main__":
    broken, device = load_user_kernel(Path(sys.argv[1])), sys.argv[2]
    naive = load_catalogue().get("naive")
    print("\\n".join(story([naive, broken, broken], device)))
    print("\\n".join(story([naive], device)))
"""


@pytest.mark.parametrize("name", ["far", "endless"])
def test_that_a_worker_says_all_leaves_with_75_and_the_next_one_works(
    device: Device, tmp_path: Path, name: str
) -> None:
    script, broken = tmp_path / "story.py", tmp_path / f"{name}.cu"
    script.write_text(WORKER, encoding="utf-8")
    broken.write_text(
        f"{HEADER.format(more='')}\n__global__ void k({PARAMETERS}) {{ {FAULTS[name][0]} }}\n", encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, str(script), str(broken), device.id],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])},
    )
    said = done.stdout.splitlines()
    assert said[0] == "done naive True", done.stderr
    assert said[1].startswith(f"failed {name}: ")
    assert FAULTS[name][2] in said[1]
    assert said[2].startswith(f"failed {name}: {name} ran before and did not end")
    assert said[3:5] == ["finished", "exit 75"]
    assert said[5] == "done naive True"
    assert said[6] == "finished"
