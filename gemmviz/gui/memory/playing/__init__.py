"""One or two recordings played: what is made ready, kept in step and followed."""
