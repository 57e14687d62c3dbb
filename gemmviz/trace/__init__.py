"""Recording what a kernel touches, and explaining it. Never reports a time as a kernel time."""
