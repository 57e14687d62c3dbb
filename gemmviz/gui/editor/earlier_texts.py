"""Texts of a kernel file that were recorded before another program changed it, and that are no versions yet."""

from __future__ import annotations

from contextlib import suppress

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import with_earlier_text
from gemmviz.domain.session.versions import versions_of
from gemmviz.gui.files.document import SessionDocument

MOST_EARLIER = 3
"""Of these texts the last ones are examined: each takes seconds, and the text that the file has now waits for them."""


def earlier_texts(document: SessionDocument, kernel: Kernel) -> list[tuple[Kernel, str]]:
    """The kernels of texts recorded since the last version was saved, the oldest first, each with the time of its first
    recording. The text of `kernel` is left out, and so is a text that its description does not fit, or that came with a
    file: to open a session runs nothing of it.
    """
    saved = versions_of(document.session, kernel.id)
    last = max((one.saved for one in saved), default="")
    known = {kernel.file_text, *(one.text for one in saved)}
    first_recorded: dict[str, str] = {}
    if kernel.shown.text != kernel.file_text:  # a recording then holds another text than the file's
        return []
    for trace in document.session.traces:
        is_of_file = (trace.spec.kernel, trace.source_name) == (kernel.id, kernel.path.name)
        is_own = trace.source_text in document.recorded
        if is_of_file and is_own and trace.source_text not in known and trace.finished > last:
            first_recorded.setdefault(trace.source_text, trace.finished)
    found: list[tuple[Kernel, str]] = []
    for text, recorded in list(first_recorded.items())[-MOST_EARLIER:]:
        with suppress(HeaderError):
            found.append((with_earlier_text(kernel, text), recorded))
    return found
