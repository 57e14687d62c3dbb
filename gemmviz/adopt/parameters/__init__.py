"""Values that the parameters of a proven kernel may have."""
