"""Where the threads of a block stand that had to end."""

from __future__ import annotations

import pytest
from ptx_instructions import kernel

from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.log import As, BlockRecord, Logged, LoggedValue, LogTooLongError
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx
from gemmviz.machine.ptx.parse import parse

_BODY = """
.reg .b32 %i; .reg .b64 %out, %at;
.loc 1 3 0
ld.param.u64 %out, [p_out]; mov.u32 %i, %tid.x; mad.wide.u32 %at, %i, 4, %out;
.loc 1 7 0
again: st.global.u32 [%at], %i; bra again;
"""


def _unseen(record: BlockRecord) -> None:
    del record


@pytest.mark.parametrize(
    ("threads", "words"),
    [
        (96, "threads 0 to 31 run in line 7, threads 32 to 95 have not started"),
        (33, "threads 0 to 31 run in line 7, thread 32 has not started"),
    ],
)
def test_that_threads_that_had_no_turn_have_not_started(threads: int, words: str) -> None:
    """The first warp fills the log before the others have had a turn."""
    text = kernel(_BODY, ".param .u64 p_out", '.file 1 "k.cu"\n')
    store = next(one for one in parse(text, "k.cu").functions[0].statements if one.opcode.startswith("st."))
    log = {store.start: Logged(0, (LoggedValue("%at", As.ADDRESS),))}
    out = Array(4 * threads, "out")
    launch = MachineLaunch(compile_ptx(text, "k", "k.cu", log=log), (2, 1, 1), (threads, 1, 1), [out], threads=1)
    with pytest.raises(LogTooLongError) as found:
        launch.record([1], _unseen, 1 << 16)
    assert found.value.whereabouts == f"in block (1, 0, 0) {words}"
