"""`gemmviz trace`."""
