"""What was recorded of a kernel's accesses, as values and as columns."""
