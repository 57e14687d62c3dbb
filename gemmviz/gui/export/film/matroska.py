"""Pictures with the times at which they begin, as an uncompressed Matroska stream (RFC 9559) for a pipe to ffmpeg.

A picture that is shown for long is sent once: ffmpeg repeats it after it has converted its colours.
"""

from __future__ import annotations

import struct

_EBML, _DOC_TYPE, _SEGMENT, _INFO, _SCALE = 0x1A45DFA3, 0x4282, 0x18538067, 0x1549A966, 0x2AD7B1
_TRACKS, _TRACK, _NUMBER, _UID, _TYPE, _CODEC = 0x1654AE6B, 0xAE, 0xD7, 0x73C5, 0x83, 0x86
_VIDEO, _WIDTH, _HEIGHT, _FOURCC = 0xE0, 0xB0, 0xBA, 0x2EB524
_CLUSTER, _TIME, _GROUP, _LASTS, _BLOCK = 0x1F43B675, 0xE7, 0xA0, 0x9B, 0xA1
_UNKNOWN_SIZE = b"\x01" + 7 * b"\xff"
_OF_TRACK_1 = b"\x81\x00\x00\x00"
"""Before the bytes of a picture: its track, its time after that of its cluster, and no flags."""
_SECOND_NS = 1_000_000_000


def stream_head(size: tuple[int, int], fps: int) -> bytes:
    """What the stream begins with, for RGBA pictures of `size` pixels; times count pictures, `fps` a second."""
    width, height = size
    video = _number(_WIDTH, width) + _number(_HEIGHT, height) + _element(_FOURCC, b"RGBA")
    track = (
        *(_number(_NUMBER, 1), _number(_UID, 1), _number(_TYPE, 1), _element(_CODEC, b"V_UNCOMPRESSED")),
        _element(_VIDEO, video),
    )
    info = _element(_INFO, _number(_SCALE, round(_SECOND_NS / fps)))
    return b"".join(
        (
            _element(_EBML, _element(_DOC_TYPE, b"matroska")),
            *(_name(_SEGMENT), _UNKNOWN_SIZE, info),
            _element(_TRACKS, _element(_TRACK, b"".join(track))),
        )
    )


def picture_head(picture: int, pictures: int, nbytes: int) -> bytes:
    """What stands before the `nbytes` bytes of a picture, which is shown as that `picture` of the film, from 0, and as
    the following, `pictures` in all.
    """
    time, lasts = _number(_TIME, picture), _number(_LASTS, pictures)
    data = _name(_BLOCK) + _size(len(_OF_TRACK_1) + nbytes) + _OF_TRACK_1
    group = _name(_GROUP) + _size(len(lasts) + len(data) + nbytes) + lasts + data
    return _name(_CLUSTER) + _size(len(time) + len(group) + nbytes) + time + group


def _element(name: int, data: bytes) -> bytes:
    return _name(name) + _size(len(data)) + data


def _number(name: int, value: int) -> bytes:
    return _element(name, value.to_bytes(max((value.bit_length() + 7) // 8, 1), "big"))


def _name(name: int) -> bytes:
    return name.to_bytes((name.bit_length() + 7) // 8, "big")


def _size(nbytes: int) -> bytes:
    return struct.pack(">Q", 1 << 56 | nbytes)
