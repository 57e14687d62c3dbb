"""What a new layout of a shared array would do to all requests of a block, in words. Pure."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.terms import Evidence
from gemmviz.gui.inspector.what_if import ArrayRequests, Effect, SiteEffect, splits_vectors

NO_REQUESTS = "No warp asks for this array: it is moved as a whole, without wavefronts to count."
NO_ARRAY = "This array has a single row, which cannot be padded or swizzled."


def effect_words(effect: Effect, requests: ArrayRequests) -> str:
    """Before and after, for all requests of the block on the array and line by line, then what else changes: "All 96
    requests of this block on As: 1 536 → 544 wavefronts, 512 would be ideal (modelled). …".
    """
    if not effect.sites:
        return NO_REQUESTS
    name, count = requests.array.name, figures.count(requests.requests)
    evidence = Evidence.RECORDED if effect.layout.is_as_recorded else Evidence.MODELLED
    change = _change(effect.before, effect.after, effect.layout.is_as_recorded)
    ideal = figures.count(effect.ideal)
    said = [f"All {count} requests of this block on {name}: {change} wavefronts, {ideal} would be ideal ({evidence})."]
    if len(effect.sites) > 1:
        said += [_site(site, effect.layout.is_as_recorded) for site in effect.sites]
    return " ".join([*said, note_of(effect, requests)]).strip()


def note_of(effect: Effect, requests: ArrayRequests) -> str:
    """What a layout costs beside wavefronts, or why a kernel could not have it; "" for nothing."""
    if splits_vectors(requests, effect.layout):
        widest = requests.piece * requests.array.element_bytes
        return f"Rows would no longer begin at multiples of {widest} bytes, which an access of {widest} bytes needs."
    if effect.bytes_after != effect.bytes_before:
        before, after = figures.count(effect.bytes_before), figures.count(effect.bytes_after)
        return f"{requests.array.name} would take {after} bytes of shared memory in place of {before}."
    return ""


def _site(site: SiteEffect, as_recorded: bool) -> str:
    return f"Line {site.site.line} {site.site.kind}: {_change(site.before, site.after, as_recorded)}."


def _change(before: int, after: int, as_recorded: bool) -> str:
    return figures.count(before) if as_recorded else f"{figures.count(before)} → {figures.count(after)}"
