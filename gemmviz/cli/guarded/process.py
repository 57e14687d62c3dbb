"""The process that a person's own kernel runs in: `python -m gemmviz.cli.guarded.process`, started by `guard.py`.

A request comes on standard input; what is found goes to the folder that it names. Nothing of this process is believed
afterwards: its answer is a session file, which the ordinary reader reads.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gemmviz.engine.sandbox.attempts import DeniedAttempt
from gemmviz.engine.sandbox.confined import confine
from gemmviz.engine.sandbox.confinement import beginning_of, confinement_of, sources_of

if TYPE_CHECKING:
    from gemmviz.cli.guarded.request import GuardedRequest
    from gemmviz.domain.session.session import Session
    from gemmviz.measure.check.judge import Exact


def main() -> None:
    """Do what standard input asks for; leaves with the exit code that the command itself would have."""
    given = sys.stdin.buffer.read()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _enter_sandbox(given)
    _answer(given)


def _enter_sandbox(given: bytes) -> None:
    """Confine this process: there is one thread, no library is loaded, and no foreign code has been looked at."""
    request = json.loads(given)
    kernel, folder = Path(request["kernel_file"]), Path(request["folder"])

    def tell(attempt: DeniedAttempt) -> int:
        from gemmviz.cli.faults import FAILED
        from gemmviz.cli.guarded.request import AnswerFiles

        AnswerFiles(folder).refuse(attempt.words)
        return FAILED

    sources = sources_of(kernel, beginning_of(kernel))
    may = {name: request[name] for name in ("starts_compilers", "uses_gpu")}
    confine(confinement_of(sources, request["need_bytes"], folder, **may), tell)


def _answer(given: bytes) -> None:
    from gemmviz.cli.faults import BAD_INPUT, FAILED, BadInputError, FailedError, leave_at_once
    from gemmviz.cli.guarded.request import from_bytes

    request = from_bytes(given)
    try:
        code = _do(request)
    except BadInputError as error:
        request.answer.refuse(str(error))
        code = BAD_INPUT
    except FailedError as error:
        request.answer.refuse(str(error))
        code = FAILED
    leave_at_once(code)


def _do(given: GuardedRequest) -> int:
    from dataclasses import replace

    from gemmviz.catalogue.gpus import gpu_by_id
    from gemmviz.cli.compile.request import compile_asked
    from gemmviz.cli.guarded.request import GuardedCommand
    from gemmviz.cli.run.experiment import run_experiment
    from gemmviz.cli.run.request import CompileRequest, TraceRequest
    from gemmviz.cli.schedule.command import record_schedule
    from gemmviz.cli.sweep.examining import examined_session
    from gemmviz.cli.trace.recording import record_accesses, without_blocks
    from gemmviz.domain.terms import CodeForm
    from gemmviz.engine.machine_code import made_of

    request = given.as_request()
    match given.command:
        case GuardedCommand.RUN:
            found = run_experiment(request, _exact(given), is_guarded=True)
            _save(given, found.session)
            return found.code
        case GuardedCommand.TRACE:
            forms = tuple(CodeForm(form) if form else None for form in given.forms)
            thread = (0, 0, 0) if given.keeps_values else None
            request = replace(request, out=None)
            session = record_accesses(TraceRequest(request, given.block, forms, thread), is_guarded=True)
            _save(given, session if given.keeps_blocks else without_blocks(session))
        case GuardedCommand.COMPILE:
            asked = CompileRequest(request, gpu_by_id(given.gpu), given.target, CodeForm(given.form))
            _, compiled = compile_asked(asked, is_guarded=True)
            given.answer.code.remember("code", made_of(compiled))
        case GuardedCommand.SCHEDULE:
            _save(given, record_schedule(request, is_guarded=True))
        case GuardedCommand.EXAMINE:
            _save(given, examined_session(request, gpu_by_id(given.gpu)))
    return 0


def _exact(given: GuardedRequest) -> Exact | None:
    import numpy as np

    from gemmviz.domain.files.bounded_read import open_bounded
    from gemmviz.domain.shape import MAX_ELEMENTS
    from gemmviz.measure.check.judge import Exact

    if not given.exact:
        return None
    with open_bounded(given.answer.exact, 5 * MAX_ELEMENTS) as file:
        return Exact(given.exact, np.load(file, allow_pickle=False))


def _save(given: GuardedRequest, session: Session) -> None:
    from gemmviz.cli.faults import FailedError
    from gemmviz.domain.session.session import SessionError, save_session

    try:
        save_session(session, given.answer.session, quickly=True)
    except SessionError as error:
        raise FailedError(str(error).replace(str(given.answer.session), "the result")) from error


if __name__ == "__main__":
    main()
