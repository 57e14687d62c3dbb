"""Which sizes a kernel claims, and at which of these it is recorded."""
