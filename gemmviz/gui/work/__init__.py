"""What was asked of the engine last, and how it stands, for pages that have nothing to show yet."""
