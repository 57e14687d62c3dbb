"""What a kernel is examined for, a module each."""
