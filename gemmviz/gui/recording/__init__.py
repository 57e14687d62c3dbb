"""A recording in words and figures."""
