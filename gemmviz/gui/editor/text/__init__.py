"""The text of a kernel as it is edited."""
