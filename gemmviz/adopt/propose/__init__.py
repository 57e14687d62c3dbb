"""Guesses about a kernel from what stands in its file, best first, each with its reasons; none is believed unproven."""
