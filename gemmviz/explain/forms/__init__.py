"""A kernel as written beside the same kernel as compiled."""
