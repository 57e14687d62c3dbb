"""What a new layout of a shared array would do to all requests of a block, in words. Pure."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.what_if import ArrayRequests, Effect, SiteEffect, splits_vectors

MOST_SITES = 3
"""Lines that are named where there is room for two lines of text."""
NO_REQUESTS = "No warp accesses this array: the TMA copies it as a whole, so there are no wavefronts to count."
NO_ARRAY = "This array has a single row, which cannot be padded or swizzled."


def effect_words(effect: Effect, requests: ArrayRequests, most_sites: int = MOST_SITES) -> str:
    """Before and after, for all requests of the block on the array and for the lines that matter most, then what else
    changes: "All 96 requests of the block on As: 1 536 → 544 wavefronts (modelled; 512 would be ideal). …".
    """
    if not effect.sites:
        return NO_REQUESTS
    as_recorded = effect.layout.is_as_recorded
    evidence = Evidence.RECORDED if as_recorded else Evidence.MODELLED
    change, ideal = _change(effect.before, effect.after, as_recorded), figures.count(effect.ideal)
    every = f"All {figures.count(requests.requests)} requests" if requests.requests > 1 else "The one request"
    who = f"{every} of the block on {requests.array.name}"
    said = [f"{who}: {change} wavefronts ({evidence}; {ideal} would be ideal)."]
    if len(effect.sites) > 1:
        by_change = sorted(effect.sites, key=lambda site: (-abs(site.after - site.before), site.ideal - site.after))
        shown = by_change[:most_sites]
        said += [_site(site, as_recorded) for site in effect.sites if site in shown]
        more = len(effect.sites) - len(shown)
        said += [f"{figures.counted(more, 'more access', 'more accesses')}."] if more else []
    return " ".join([*said, note_of(effect, requests)]).strip()


def note_of(effect: Effect, requests: ArrayRequests) -> str:
    """What a layout costs beside wavefronts, or why a kernel could not have it; "" for nothing."""
    if splits_vectors(requests, effect.layout):
        widest = requests.piece * requests.array.element_bytes
        return f"Rows would no longer begin at multiples of {widest} bytes, which an access of {widest} bytes needs."
    if effect.bytes_after != effect.bytes_before:
        before, after = figures.count(effect.bytes_before), figures.count(effect.bytes_after)
        return f"{requests.array.name} would take {after} bytes, not {before}."
    return ""


def _site(site: SiteEffect, as_recorded: bool) -> str:
    return f"Line {site.site.line} {site.site.kind}: {_change(site.before, site.after, as_recorded)}."


def _change(before: int, after: int, as_recorded: bool) -> str:
    return figures.count(before) if as_recorded else f"{figures.count(before)} → {figures.count(after)}"
