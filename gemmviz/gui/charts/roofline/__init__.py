"""The roofline, painted: names and numbers of its marks, and where they stand."""
