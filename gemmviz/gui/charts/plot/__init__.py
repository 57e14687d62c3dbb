"""Rows with marks on an axis, painted: the plot that all charts but the roofline have."""
