"""Loops that never end: which of them can be judged, and what is proven of threads that are in them."""
