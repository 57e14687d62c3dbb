"""Values of parameters beside those that a description offers."""
