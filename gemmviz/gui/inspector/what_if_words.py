"""What a new layout of a shared array would do, in words and lines. Pure."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.terms import Evidence
from gemmviz.gui.figures.last_run import Line, Section, Tone
from gemmviz.gui.inspector.what_if import ArrayRequests, Effect, SiteEffect, splits_vectors

HEAD = "Wavefronts of this block"
NO_REQUESTS = "No warp requests this array: the copy engine copies it as a whole, so there are no wavefronts to count."
NO_ARRAYS = "This block has no shared array with rows to pad or swizzle."


def effect_section(effect: Effect, requests: ArrayRequests) -> Section:
    """Before and after, for all requests of the block on the array and site by site."""
    array, layout = requests.array, effect.layout
    lines = [_line("all requests", effect.before, effect.after, effect.ideal, layout.is_as_recorded)]
    if len(effect.sites) > 1:
        lines += [_site(site, layout.is_as_recorded, first=place == 0) for place, site in enumerate(effect.sites)]
    return Section(HEAD, "", _layout_words(effect, array.name, array.columns), tuple(lines), _note(effect, requests))


def _site(site: SiteEffect, as_recorded: bool, first: bool) -> Line:
    words = f"line {site.site.line} {site.site.kind}"
    return _line(words, site.before, site.after, site.ideal, as_recorded, site.site.text, begins_group=first)


def _line(
    words: str, before: int, after: int, ideal: int, as_recorded: bool, text: str = "", begins_group: bool = False
) -> Line:
    ideal_words = f"{figures.count(ideal)} would be ideal"
    tip = f"{text}: {ideal_words}" if text else ideal_words
    if as_recorded:
        return Line(words, figures.count(before), Evidence.RECORDED, tip, begins_group=begins_group)
    tone = Tone.GOOD if after < before else Tone.WRONG if after > before else Tone.PLAIN
    sign = {Tone.GOOD: "↓", Tone.WRONG: "↑", Tone.PLAIN: "="}[tone]
    value = f"{figures.count(before)} → {figures.count(after)} {sign}"
    return Line(words, value, Evidence.MODELLED, tip, tone, begins_group)


def _layout_words(effect: Effect, name: str, columns: int) -> str:
    layout = effect.layout
    padded = f"{name} with rows of {columns} + {layout.padding}" if layout.padding else f"{name} with rows of {columns}"
    return f"{padded}, columns swizzled" if layout.swizzled else padded


def _note(effect: Effect, requests: ArrayRequests) -> str:
    if not effect.sites:
        return NO_REQUESTS
    if splits_vectors(requests, effect.layout):
        widest = requests.piece * requests.array.element_bytes
        return f"Rows would no longer begin at multiples of {widest} bytes, which an access of {widest} bytes needs."
    if effect.bytes_after != effect.bytes_before:
        before, after = figures.count(effect.bytes_before), figures.count(effect.bytes_after)
        return f"{requests.array.name} would take {after} bytes of shared memory in place of {before} (modelled)."
    return ""
