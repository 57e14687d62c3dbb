"""Memory whose size or first values a kernel does not say."""
