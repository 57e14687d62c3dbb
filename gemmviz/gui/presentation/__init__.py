"""The pictures alone, in large type: on the whole screen, as a still and as a film, all in one form."""
