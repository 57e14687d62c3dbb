"""The file that describes a kernel file: made from what was proven, and written beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description, SizeRule
from gemmviz.adopt.setting_rules import is_every_setting
from gemmviz.adopt.words import guard_words, multiple_rule, rule_texts, summary_of, warnings_shown
from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.kernel import NOT_VERIFIED
from gemmviz.catalogue.languages.file_constants import name_in
from gemmviz.catalogue.toml_text import toml_text
from gemmviz.catalogue.values.proven_settings import KEY as PROVEN_SETTINGS
from gemmviz.catalogue.values.values_left_out import KEY, left_out_table
from gemmviz.domain.files.atomic import write_atomically
from gemmviz.domain.kernels.call import TYPE_WORDS
from gemmviz.domain.terms import Element, InitialC, Layout


def sidecar_text(description: Description) -> str:
    """The TOML that describes a kernel, with a comment in front that says it in words."""
    tables: dict[str, Any] = {"entry": description.entry}
    if description.template:
        tables["template"] = list(description.template)
    given = {"alpha": FIRST_ALPHA, "beta": FIRST_BETA}
    constants = {"alpha": description.times, "beta": description.kept}
    fixed = {name for name, constant in constants.items() if constant != 1.0}
    tables["args"] = [str(given[text]) if text in fixed else text for text in description.arguments]
    for name, is_taken in (("alpha", description.has_alpha), ("beta", description.has_beta)):
        if is_taken or name in fixed:
            tables[name] = constants[name] * (given[name] if is_taken else 1.0)
    faults = {multiple_rule(one, description): _fault(one) for one in description.rules}
    rules = [{"rule": rule, "because": because} | faults.get(rule, {}) for rule, because in rule_texts(description)]
    if rules:
        tables["constraints"] = rules
    if description.defines or description.tied:
        tables["defines"] = {name: str(value) for name, value in (*description.defines, *description.tied)}
    if description.replaced:
        tables["replaces"] = list(description.replaced)
    if description.parameters:
        in_file = {name_in(words) for words in description.replaced}
        tables["params"] = {
            one.name: {"choices": list(one.choices)} | ({} if one.name in in_file else {"default": one.default})
            for one in description.parameters
        }
    if not is_every_setting(description):
        tables[PROVEN_SETTINGS] = [dict(one) for one in description.settings]
    if description.values_left_out:
        tables[KEY] = left_out_table(description.values_left_out)
    operands = {name: table for name in ("A", "B", "C", "D") if (table := _operand(description, name))}
    if operands:
        tables["operands"] = operands
    launch: dict[str, Any] = {"block": list(description.block), "grid": list(description.grid)}
    if description.shared_bytes != "0":
        launch["shared_bytes"] = description.shared_bytes
    if description.partial_sums != "1":
        launch["partial_sums"] = description.partial_sums
    tables["launch"] = launch
    shown = warnings_shown(description)
    warning = f"# {shown[:1].upper()}{shown[1:]}.\n" if shown else ""
    origin, meant = "# Found out by running the kernel on the PTX machine", ""
    if not description.is_proven:
        origin, meant = f"{NOT_VERIFIED}: {description.unproven}", "Meant to compute "
    return f"{warning}# {meant}{summary_of(description)}.\n{origin}.\n{toml_text(tables)}"


def _fault(rule: SizeRule) -> dict[str, str]:
    """What goes wrong at the size that a multiple has as its example, and why that may be a fault of the kernel."""
    told = {"fault": rule.fault, "doubt": guard_words(rule)}
    return {key: words for key, words in told.items() if words}


def _operand(description: Description, name: str) -> dict[str, str]:
    if name not in description.arguments:
        return {}
    storage, found = description.storage(name), {}
    if storage.layout is not Layout.ROW:
        found["layout"] = Layout.COLUMN.value
    if storage.element is not Element.FLOAT32:
        found["type"] = TYPE_WORDS[storage.element]
    if name == "C" and (description.adds_to_c or not description.kept):
        found["start"] = InitialC.ZERO.value
    return found


def write_sidecar(kernel: Path, description: Description, *, may_replace: bool = False) -> Path:
    """Write the description of a kernel file beside it; the path that it was written to.

    Raises:
        ExistsError: there is one already, and `may_replace` is False.
        WriteError: it cannot be written.
    """
    path = beside_file(kernel)
    text = sidecar_text(description)
    write_atomically(path, lambda file: file.write(text.encode()), may_replace=may_replace)
    return path
