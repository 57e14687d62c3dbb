"""Launches in host code that give a kernel's template other arguments than the launch that was proven."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.adopt.description import Description, Setting
from gemmviz.adopt.prove.host.not_compared import not_compared_words
from gemmviz.adopt.setting_rules import setting_words
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.domain.listing import listed


def other_template_words(launches: Sequence[FoundLaunch], description: Description) -> tuple[str, ...]:
    """That these launches were not compared, since their templates have other arguments, a sentence for all of one
    kind: what these are, and whether the kernel was proven with them as values of its parameters.
    """
    lines: dict[str, list[int]] = {}
    for one in launches:
        setting = _setting_of(one.template, description)
        if setting:
            why = f"it has {setting_words(setting)}, with which the kernel is right in that launch"
        else:
            why = f"the kernel was not proven as {one.kernel.rpartition('::')[2]}<{', '.join(one.template)}>"
        lines.setdefault(why, []).append(one.line)
    return tuple(
        not_compared_words(
            places[0] if len(places) == 1 else f"launches in lines {listed([*map(str, places)])}",
            why,
        )
        for why, places in lines.items()
    )


def _setting_of(template: Sequence[str], description: Description) -> Setting:
    """The values of parameters, none a default, that arguments of a template are; () where these were not proven."""
    values: dict[str, int] = {}
    if len(template) != len(description.template):
        return ()
    for given, described in zip(template, description.template, strict=True):
        if described in description.defaults and given.isdigit():
            if values.setdefault(described, int(given)) != int(given):
                return ()
        elif given != described:
            return ()
    setting = {(name, value) for name, value in values.items() if value != description.defaults[name]}
    return next((one for one in description.settings if {*one} == setting), ())
