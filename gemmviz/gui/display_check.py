"""Finds out, before Qt is even imported, whether a window can appear; Qt itself would end the process.

Which libraries there must be is what `ldd` says of PySide6 6.8 to 6.11: `libqxcb.so`, `libQt6XcbQpa.so.6` and
`libQt6WaylandClient.so.6` for a display, `libQt6Gui.so.6` and `libQt6DBus.so.6` for anything at all.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

HEADLESS = "without a window: gemmviz run, gemmviz trace, gemmviz export"


@dataclass(frozen=True, slots=True)
class Library:
    """A system library and the package that brings it on Debian (Ubuntu) and on Fedora."""

    file: str
    debian: str
    fedora: str


ALWAYS = (
    Library("libEGL.so.1", "libegl1", "libglvnd-egl"),
    Library("libGL.so.1", "libgl1", "libglvnd-glx"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
    Library("libfreetype.so.6", "libfreetype6", "freetype"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs"),
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon"),
    Library("libX11.so.6", "libx11-6", "libX11"),
)
X11 = (
    Library("libxcb.so.1", "libxcb1", "libxcb"),
    Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm"),
    Library("libxcb-util.so.1", "libxcb-util1", "xcb-util"),
    Library("libxcb-image.so.0", "libxcb-image0", "xcb-util-image"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms"),
    Library("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil"),
    Library("libxcb-randr.so.0", "libxcb-randr0", "libxcb"),
    Library("libxcb-render.so.0", "libxcb-render0", "libxcb"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb"),
    Library("libxcb-shm.so.0", "libxcb-shm0", "libxcb"),
    Library("libxcb-sync.so.1", "libxcb-sync1", "libxcb"),
    Library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb"),
    Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb"),
    Library("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
)
WAYLAND = (
    Library("libwayland-client.so.0", "libwayland-client0", "libwayland-client"),
    Library("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor"),
)


def display_fault(
    environment: Mapping[str, str],
    platform: str = sys.platform,
    loads: Callable[[str], bool] | None = None,
    answers: Callable[[str], bool] | None = None,
) -> str | None:
    """None if a window can appear, else one line: what is missing, what brings it, what works without a window.

    `loads` says whether a library of a name loads, `answers` whether the X server of a DISPLAY takes a connection.
    """
    if not platform.startswith("linux"):
        return None
    loads = loads or _loads
    missing = _missing(ALWAYS, loads)
    if missing:
        return _fault_of(missing, "the window needs")
    return _fault_of_display(environment, loads, answers or _answers)


def _fault_of_display(
    environment: Mapping[str, str], loads: Callable[[str], bool], answers: Callable[[str], bool]
) -> str | None:
    wanted = environment.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if wanted and not wanted.startswith(("xcb", "wayland")):
        return None  # offscreen, vnc, eglfs, …: whoever names one knows why
    wayland, display = environment.get("WAYLAND_DISPLAY", ""), environment.get("DISPLAY", "")
    by_wayland = bool(wayland) and not wanted.startswith("xcb")
    if by_wayland and not _missing(WAYLAND, loads):
        return None
    if wanted.startswith("wayland") and not wayland:
        return f"no display: QT_QPA_PLATFORM={wanted}, but WAYLAND_DISPLAY is not set; {HEADLESS}"
    if not display:
        if by_wayland:
            return _fault_of(_missing(WAYLAND, loads), "Qt's wayland plugin needs")
        return f"no display: neither DISPLAY nor WAYLAND_DISPLAY is set; {HEADLESS}"
    missing = _missing(X11, loads)
    if missing:
        return _fault_of(missing, "Qt's xcb plugin needs")
    if not answers(display):
        return f"no display: nothing answers at DISPLAY={display}; {HEADLESS}"
    return None


def _missing(libraries: tuple[Library, ...], loads: Callable[[str], bool]) -> list[Library]:
    return [library for library in libraries if not loads(library.file)]


def _fault_of(missing: list[Library], needs: str) -> str:
    files = ", ".join(library.file for library in missing)
    debian = " ".join(dict.fromkeys(library.debian for library in missing))
    fedora = " ".join(dict.fromkeys(library.fedora for library in missing))
    return f"{needs} {files}: apt install {debian} (Fedora: dnf install {fedora}); {HEADLESS}"


def _loads(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True


def _answers(display: str) -> bool:
    """Whether an X server takes our connection, asked through the library Qt itself will use."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.c_void_p)
    xcb.xcb_connection_has_error.argtypes = (ctypes.c_void_p,)
    xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(display.encode(), None)
    try:
        return not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)
