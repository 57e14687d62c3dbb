"""Text as outlines: an SVG looks the same where its fonts are missing. The words stay, unseen, to be selected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QImage, QPainterPath, QRawFont, QTextLayout

_TEXT = re.compile(
    r'<text fill="(?P<fill>[^"]*)" fill-opacity="(?P<opacity>[^"]*)" (?P<rest>[^>]*?)x="(?P<x>[^"]+)" y="(?P<y>[^"]+)"'
    r'\s+font-family="(?P<family>[^"]+)" font-size="(?P<size>[^"]+)" font-weight="(?P<weight>\d+)"[^>]*>'
    r"(?P<words>[^<]*)</text>"
)
_DEFINITIONS = "<defs>"
_DOTS = 3780
"""96 dots an inch, in a metre: there a font of so many points has so many pixels as the SVG says, rounded or not as the
system does it, so that words end where they were laid out to end."""
_MOVE, _LINE, _CURVE = (
    QPainterPath.ElementType.MoveToElement,
    QPainterPath.ElementType.LineToElement,
    QPainterPath.ElementType.CurveToElement,
)


def with_outlines(svg: str) -> str:
    """An SVG as Qt writes it, each glyph defined once and used wherever it stands. Safe in any thread.

    The text itself follows its outlines, transparent and as wide as they are: a viewer lets it be selected and found.
    """
    names: dict[tuple[str, float, int, int], str] = {}
    screen = QImage(1, 1, QImage.Format.Format_RGB32)
    screen.setDotsPerMeterX(_DOTS)
    screen.setDotsPerMeterY(_DOTS)
    outlines: list[str] = []

    def named(font: QRawFont, glyph: int) -> str:
        key = font.familyName(), font.pixelSize(), font.weight(), glyph
        if key not in names:
            steps = "".join(_steps(font.pathForGlyph(glyph)))
            names[key] = f"glyph{len(outlines)}" if steps else ""
            outlines.extend([f'<path id="{names[key]}" d="{steps}"/>'] if steps else ())
        return names[key]

    def drawn(found: re.Match[str]) -> str:
        left, base = float(found["x"]), float(found["y"])
        layout = QTextLayout(unescape(found["words"]), _font(found), screen)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        if not line.isValid():
            return found[0]
        used = [
            f'<use xlink:href="#{name}" x="{_figure(left + at.x())}" y="{_figure(base + at.y() - line.ascent())}"/>'
            for run in layout.glyphRuns()
            for glyph, at in zip(run.glyphIndexes(), run.positions(), strict=True)
            if (name := named(run.rawFont(), glyph))
        ]
        looks = f'fill="{found["fill"]}" fill-opacity="{found["opacity"]}" fill-rule="nonzero" stroke="none"'
        unseen = found[0].replace(f'fill-opacity="{found["opacity"]}"', 'fill-opacity="0"', 1)
        width = f'textLength="{_figure(line.naturalTextWidth())}" lengthAdjust="spacingAndGlyphs"'
        return f"<g {looks}>{''.join(used)}</g>\n{unseen.replace('<text ', f'<text {width} ', 1)}"

    done = _TEXT.sub(drawn, svg)
    return done.replace(_DEFINITIONS, "\n".join((_DEFINITIONS, *outlines)), 1)


def _font(found: re.Match[str]) -> QFont:
    font = QFont(unescape(found["family"]))
    font.setPointSizeF(float(found["size"]) * 72 / 96)
    font.setWeight(QFont.Weight(int(found["weight"])))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _steps(path: QPainterPath) -> Iterator[str]:
    at = 0
    while at < path.elementCount():
        step = path.elementAt(at)
        count = 3 if step.type is _CURVE else 1
        points = [path.elementAt(at + i) for i in range(count)]
        letter = {_MOVE: "M", _LINE: "L", _CURVE: "C"}[step.type]
        yield letter + " ".join(_pair(QPointF(point.x, point.y)) for point in points)
        at += count


def _pair(point: QPointF) -> str:
    return f"{_figure(point.x())},{_figure(point.y())}"


def _figure(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
