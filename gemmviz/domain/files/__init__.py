"""Files read with bounds and written whole, and what is left of those of processes that ended."""
