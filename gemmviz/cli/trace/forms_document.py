"""The JSON document of `gemmviz trace --as both --json`, format 2: up to 1 the `path` of a change was its `way`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gemmviz.cli.trace.document import trace_document
from gemmviz.cli.trace.report import Block
from gemmviz.explain.forms.comparison import FormChange, FormComparison, LineForms
from gemmviz.explain.forms.sentences import change_sentence, total_sentence

Document = dict[str, Any]
FORMS_FORMAT = 2


def forms_document(comparison: FormComparison, block: Block | None = None) -> Document:
    """Both recordings as `gemmviz trace --json` has them, and what was changed; `block` as of `print_forms`."""
    return {
        "format": FORMS_FORMAT,
        "as_written": trace_document(comparison.written, block),
        "as_compiled": trace_document(comparison.compiled, block),
        "comparison": {
            "warps": comparison.warps,
            "sentence": total_sentence(comparison),
            "totals": _forms_entry(comparison.totals),
            "lines": [{"line": line.line, **_forms_entry(line)} for line in comparison.lines],
            "changes": [_change_entry(change, comparison.warps) for change in comparison.changes],
        },
    }


def _forms_entry(forms: LineForms) -> Document:
    return {"as_written": asdict(forms.written), "as_compiled": asdict(forms.compiled)}


def _change_entry(change: FormChange, warps: int) -> Document:
    group = change.group
    return {
        "line": change.line,
        "space": group.space.value,
        "kind": group.kind.value,
        "path": group.path.value,
        "array": group.array,
        "change": change.change.value,
        "as_written": asdict(change.written),
        "as_compiled": asdict(change.compiled),
        "other_lines": list(change.others),
        "sentence": change_sentence(change, warps),
    }
