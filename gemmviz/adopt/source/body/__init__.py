"""What the body of a kernel says of its numbers."""
