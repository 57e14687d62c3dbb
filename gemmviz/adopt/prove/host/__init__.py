"""What launches in host code have to do with what was proven."""
