"""A PTX module around a few lines of instructions, as nvcc would write it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from own_recordings import HEAD, recorder_of_text

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder

MODULE = """\
.version 9.0
.target sm_90a
.address_size 64

.extern .shared .align 1024 .b8 tiles[];

.visible .entry kernel(
\t.param .u64 kernel_param_0,
\t.param .align 128 .b8 kernel_param_1[128],
\t.param .u64 kernel_param_2,
\t.param .u32 kernel_param_3
)
.maxntid 128, 1, 1
{
\t.reg .pred \t%p<9>;
\t.reg .b16 \t%rs<9>;
\t.reg .f32 \t%f<9>;
\t.reg .b32 \t%r<9>;
\t.reg .b64 \t%rd<9>;
\t.loc\t1 7 3
\t// demoted variable
\t.shared .align 4 .b8 _ZZ6kernelE2As[1024];

\tld.param.u64 \t%rd1, [kernel_param_0];
\tmov.b64 \t%rd2, kernel_param_1;
\tld.param.u64 \t%rd3, [kernel_param_2];
\tld.param.u32 \t%r1, [kernel_param_3];
\tmov.u32 \t%r2, tiles;
\tmov.u32 \t%r3, _ZZ6kernelE2As;
\tcvta.to.global.u64 \t%rd4, %rd3;
\tsetp.eq.s32 \t%p1, %r1, 0;
\tmov.f32 \t%f1, 0f00000000;
\tmov.u16 \t%rs1, 3;
BODY
$L__end:
\tret;
}

\t.file\t1 "kernel.cu"
\t.file\t2 "/usr/include/help.h"
"""


@pytest.fixture(scope="session")
def module() -> Callable[[str], str]:
    """A module whose kernel has some lines more: %rd1 is A, %rd2 the tensor map B, %rd4 C, %r2 tiles, %r3 As."""
    return lambda body: MODULE.replace("BODY", body)


@pytest.fixture(scope="module")
def recorder(machine: MachineDevice) -> Callable[..., MachineRecorder]:
    """A recorder of the kernel around `body`, as written; four threads, their number is t."""

    def make(body: str, before: str = "") -> MachineRecorder:
        return recorder_of_text(machine, f"{before}{HEAD}int t = threadIdx.x;\n{body}\n}}\n")

    return make
